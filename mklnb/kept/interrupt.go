package kept

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var (
	handled  func() bool              // see OnInterrupt
	stopping atomic.Bool              // the stop button ends the program
	reached  = make(chan struct{}, 1) // a loop of the cell has reached Poll since
)

// OnInterrupt makes the program ask f at each press of the stop button. If f returns true, the program goes on.
func OnInterrupt(f func() bool) { handled = f }

// Listen makes the stop button (SIGINT) end the program after its variables are written, unless the function of
// OnInterrupt has handled it.
var Listen = sync.OnceFunc(func() {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt)
	go func() {
		for range signals {
			if handled != nil && handled() {
				continue
			}
			stopping.Store(true)
			select { // a loop of the cell ends its step, unless that takes long
			case <-reached:
			case <-time.After(500 * time.Millisecond):
			}
			time.Sleep(20 * time.Millisecond) // loops of other goroutines
			finish(true)
			os.Exit(130)
		}
	}()
})

// idleGoroutines are the goroutines of a program whose cell has started none: main, and the two of Listen.
const idleGoroutines = 3

// Poll ends the goroutine's work if the program is being stopped. The kernel adds it to loops of a cell, so that
// variables are not written in the middle of a statement.
func Poll() {
	if stopping.Load() {
		select {
		case reached <- struct{}{}:
		default:
		}
		select {}
	}
}

// ReportDeadlocks ends the program, after its variables are written, when no goroutine can go on. Go itself does so
// only in programs that do not listen to signals. The kernel calls ReportDeadlocks in programs that do not use timers,
// which could wake a goroutine.
func ReportDeadlocks() {
	const pause = 500 * time.Millisecond
	var check func()
	traceBefore := ""
	check = func() {
		trace, isDead := deadlock()
		// Once is not enough: a goroutine that is about to start a garbage collection waits while its stack is read.
		if isDead && trace == traceBefore {
			fmt.Fprint(os.Stderr, "fatal error: all goroutines are asleep - deadlock!\n\n", trace)
			finish(false)
			os.Exit(2)
		}
		if traceBefore = ""; isDead {
			traceBefore = trace
		}
		time.AfterFunc(pause, check)
	}
	time.AfterFunc(pause, check)
}

// deadlock reports whether all goroutines wait for channels or locks, and returns their stacks.
func deadlock() (trace string, isDead bool) {
	b := make([]byte, 1<<20)
	n := runtime.Stack(b, true)
	_, trace, _ = strings.Cut(string(b[:n]), "\n\n") // without this goroutine
	var own []string
	for g := range strings.SplitSeq(trace, "\n\n") {
		_, state, _ := strings.Cut(g, "[")
		switch {
		case strings.Contains(g, "os/signal.loop") || strings.Contains(g, "kept.init.func"):
		case strings.HasPrefix(state, "chan "), strings.HasPrefix(state, "select"), strings.HasPrefix(state, "sync."),
			strings.HasPrefix(state, "semacquire"):
			own = append(own, g)
		default:
			return "", false
		}
	}
	return strings.Join(own, "\n\n"), n < len(b)
}
