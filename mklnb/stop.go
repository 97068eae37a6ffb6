package mklnb

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

// stopper ends a context at the first SIGINT that arrives during long work. A SIGINT at any other time, or a second
// one, ends the program as usual.
type stopper struct {
	mu               sync.Mutex
	workContext      context.Context // ends at the first SIGINT
	cancel           context.CancelFunc
	runningTaskCount int // number of calls of beginWork whose work has not ended
	signals          chan os.Signal
	watchOnce        sync.Once // starts the goroutine that receives the signal
	claimed          bool      // a SIGINT during work has been handled
}

func newStopper() *stopper {
	s := &stopper{signals: make(chan os.Signal, 1)}
	s.workContext, s.cancel = context.WithCancel(context.Background())
	return s
}

// interrupt handles SIGINT for this program. Tests replace it.
var interrupt = newStopper()

// isStopped reports whether a SIGINT arrived during long work.
func isStopped() bool { return interrupt.workContext.Err() != nil }

// beginWork returns the context of some long work, and a function to call at the end of the work. If the program was
// stopped before, the context has already ended.
func (s *stopper) beginWork() (context.Context, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchOnce.Do(func() {
		go func() {
			<-s.signals
			signal.Stop(s.signals) // a second SIGINT then ends the program
			s.cancel()
		}()
	})
	if s.runningTaskCount++; s.runningTaskCount == 1 && s.workContext.Err() == nil {
		signal.Notify(s.signals, os.Interrupt)
	}
	return s.workContext, sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.runningTaskCount--; s.runningTaskCount == 0 {
			signal.Stop(s.signals)
		}
	})
}

// claim reports whether work handles a SIGINT: the first one that arrives during work.
func (s *stopper) claim() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	isFirst := s.runningTaskCount > 0 && !s.claimed
	s.claimed = s.claimed || isFirst
	return isFirst
}
