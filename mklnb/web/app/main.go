//go:build js && wasm

// App is the program of the page: it reads data, learns, and answers the messages of the page. It runs in a web worker.
package main

import (
	"runtime/debug"
	"strings"
	"syscall/js"
	"time"

	"github.com/mklnb/mkl/mklnb/web/session"
)

// memoryLimit is the memory that the program may use: a page has at most 4 GiB, and the collector needs a part.
const memoryLimit = 3 << 30

// pauseEvery is the shortest time between two pauses of long work, in which the worker receives messages.
const pauseEvery = 50 * time.Millisecond

func main() {
	debug.SetMemoryLimit(memoryLimit)
	var lastPause time.Time
	resumed := make(chan bool)
	resume := js.FuncOf(func(js.Value, []js.Value) any {
		go func() { resumed <- true }()
		return nil
	})
	s := session.New(func(answer string) {
		js.Global().Call("mklSend", answer)
		if time.Since(lastPause) > pauseEvery {
			// The worker receives messages only while all goroutines wait. A goroutine that sleeps can wake up before
			// the others wait; one that waits for the worker cannot.
			js.Global().Call("setTimeout", resume, 0)
			<-resumed
			lastPause = time.Now()
		}
	})
	js.Global().Set("mklCall", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() { args[2].Invoke(s.Call(args[0].String(), args[1].String())) }()
		return nil
	}))
	js.Global().Call("mklReady", strings.Join(session.Datasets(), " "))
	select {}
}
