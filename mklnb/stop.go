package mklnb

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

// stopper ends a context at the first SIGINT that arrives during long work. At all other times, and from the second one
// on, SIGINT ends the program as usual.
type stopper struct {
	mu     sync.Mutex
	ctx    context.Context
	cancel context.CancelFunc
	users  int
	ch     chan os.Signal
	watch  sync.Once
}

func newStopper() *stopper {
	s := &stopper{ch: make(chan os.Signal, 1)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// interrupt is the stopper of this program. Tests replace it.
var interrupt = newStopper()

// stopped reports whether a SIGINT arrived during long work.
func stopped() bool { return interrupt.ctx.Err() != nil }

// hold returns a context for some long work, and a function to call at the end of the work. Once the program was
// stopped, the context has already ended.
func (s *stopper) hold() (context.Context, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watch.Do(func() {
		go func() {
			<-s.ch
			signal.Stop(s.ch) // the second SIGINT ends the program
			s.cancel()
		}()
	})
	if s.users++; s.users == 1 && s.ctx.Err() == nil {
		signal.Notify(s.ch, os.Interrupt)
	}
	return s.ctx, sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.users--; s.users == 0 {
			signal.Stop(s.ch)
		}
	})
}
