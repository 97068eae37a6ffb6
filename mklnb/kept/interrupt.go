package kept

import (
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var (
	handled   func() bool // see OnInterrupt
	listening atomic.Bool
	stopping  atomic.Bool // the stop button ends the program
	waited    atomic.Bool // a deadlock seemed possible, so that the program does not listen yet
)

// OnInterrupt makes the program ask f at each press of the stop button. If f returns true, the program goes on.
func OnInterrupt(f func() bool) { handled = f }

// Listen makes the stop button (SIGINT) end the program after its variables are written, unless the function of
// OnInterrupt has handled it. Go does not report a deadlock of a program that listens.
var Listen = sync.OnceFunc(func() {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt)
	listening.Store(true)
	go func() {
		for range signals {
			if handled != nil && handled() {
				continue
			}
			stopping.Store(true)
			time.Sleep(20 * time.Millisecond) // loops of the cell reach Poll
			finish(true)
			os.Exit(130)
		}
	}()
})

// patience is the time in which a cell may reach a deadlock that Go reports.
const patience = 100 * time.Millisecond

// listenLater listens after patience, or, if all goroutines then wait for each other or for a timer, when the cell
// goes on.
func listenLater() {
	time.AfterFunc(patience, func() {
		if waited.Store(allWait()); !waited.Load() {
			Listen()
		}
	})
}

// allWait reports whether all other goroutines wait for channels or locks.
func allWait() bool {
	b := make([]byte, 1<<20)
	for i, g := range strings.Split(string(b[:runtime.Stack(b, true)]), "\n\n") {
		_, state, _ := strings.Cut(g, "[")
		if i > 0 && !strings.HasPrefix(state, "chan ") && !strings.HasPrefix(state, "select") &&
			!strings.HasPrefix(state, "sync.") && !strings.HasPrefix(state, "semacquire") {
			return false
		}
	}
	return true
}

// Poll ends the goroutine's work if the program is being stopped. The kernel adds it to loops of a cell, so that
// variables are not written in the middle of a statement.
func Poll() {
	if stopping.Load() {
		select {}
	}
	if waited.Load() {
		Listen()
	}
}

// hasOthers reports whether goroutines run besides main and those of Listen.
func hasOthers() bool {
	if listening.Load() {
		return runtime.NumGoroutine() > 3
	}
	return runtime.NumGoroutine() > 1
}
