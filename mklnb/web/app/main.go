//go:build js && wasm

// App is the program of the page: it reads data, learns, and answers the messages of the page. It runs in a web worker.
package main

import (
	"encoding/json"
	"runtime/debug"
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
	s := session.New(func(a session.Answer) {
		if text, err := json.Marshal(a); err == nil {
			js.Global().Call("mklSend", string(text))
		}
	}, func() {
		if time.Since(lastPause) > pauseEvery {
			time.Sleep(time.Millisecond)
			lastPause = time.Now()
		}
	})
	js.Global().Set("mklCall", js.FuncOf(func(_ js.Value, args []js.Value) any {
		method, arguments, done := args[0].String(), args[1].String(), args[2]
		go func() { done.Invoke(s.Call(method, arguments)) }()
		return nil
	}))
	js.Global().Set("mklStop", js.FuncOf(func(js.Value, []js.Value) any { s.Stop(); return nil }))
	js.Global().Call("mklReady")
	select {}
}
