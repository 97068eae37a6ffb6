package mklnb

import (
	"context"
	"sync"

	"github.com/mklnb/mkl/mklnb/kept"
)

// stopper ends a context at the first SIGINT that arrives during long work. A SIGINT at any other time, or a second
// one, ends the program (package kept).
type stopper struct {
	mu               sync.Mutex
	workContext      context.Context // ends at the first SIGINT
	cancel           context.CancelFunc
	runningTaskCount int // number of calls of beginWork whose work has not ended
}

func newStopper() *stopper {
	s := &stopper{}
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
	kept.Listen()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runningTaskCount++
	return s.workContext, sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.runningTaskCount--
	})
}

// claim reports whether work handles a SIGINT, the first one that arrives during work, and ends the context.
func (s *stopper) claim() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	isFirst := s.runningTaskCount > 0 && s.workContext.Err() == nil
	if isFirst {
		s.cancel()
	}
	return isFirst
}
