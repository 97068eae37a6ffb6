package linalg_test

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/linalg"
)

// goroutine is the number of the goroutine that calls it.
func goroutine() string {
	var b [64]byte
	return string(bytes.Fields(b[:runtime.Stack(b[:], false)])[1])
}

// gauge counts the goroutines that compute one operation.
type gauge struct {
	mu        sync.Mutex
	now, most int
	who       map[string]bool
	calls     int
}

func (g *gauge) enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.who == nil {
		g.who = map[string]bool{}
	}
	g.who[goroutine()] = true
	g.calls++
	g.now++
	g.most = max(g.most, g.now)
}

func (g *gauge) leave() {
	g.mu.Lock()
	g.now--
	g.mu.Unlock()
}

// tiles are tiles of Run that are measured.
type tiles struct {
	gauge
	sums []float64
}

func (s *tiles) Tile(i int) {
	s.enter()
	for range 50 { // others may run
		s.sums[i] += 1 / float64(i+1)
		runtime.Gosched()
	}
	s.leave()
}

// TestBound tests that Run computes every tile once, on at most as many goroutines at once as the bound and
// the program allow, one of them the caller's; with a bound of 1 on the caller's alone.
func TestBound(t *testing.T) {
	for _, program := range []int{1, 2, 8} {
		for _, bound := range []int{0, 1, 2, 3, 100} {
			func() {
				defer linalg.SetThreads(linalg.SetThreads(program))
				s := &tiles{sums: make([]float64, 40)}
				linalg.ThreadLimit(bound).Run(len(s.sums), s.Tile)
				want := program
				if bound > 0 {
					want = min(bound, program)
				}
				what := fmt.Sprintf("bound %d in a program of %d threads", bound, program)
				if s.calls != len(s.sums) || s.most > want || len(s.who) > want {
					t.Errorf("%s: %d tiles on %d goroutines, %d at once, want %d on at most %d", what, s.calls,
						len(s.who), s.most, len(s.sums), want)
				}
				if want == 1 && !s.who[goroutine()] {
					t.Errorf("%s: on another goroutine than the caller's", what)
				}
				if linalg.Lent() != 0 {
					t.Errorf("%s: %d goroutines lent afterwards", what, linalg.Lent())
				}
			}()
		}
	}
}

// meeting is tiles that end when all of them have begun.
type meeting struct {
	all  sync.WaitGroup
	late bool
}

func (m *meeting) Tile(int) {
	m.all.Done()
	met := make(chan bool)
	go func() { m.all.Wait(); close(met) }()
	select {
	case <-met:
	case <-time.After(time.Minute):
		m.late = true
	}
}

// TestBoundIsUsed tests that the bound is used where threads are free.
func TestBoundIsUsed(t *testing.T) {
	defer linalg.SetThreads(linalg.SetThreads(4))
	var m meeting
	m.all.Add(3)
	linalg.ThreadLimit(3).Run(3, m.Tile)
	if m.late {
		t.Error("three tiles, a bound of 3 and 4 threads, but not all three run at once")
	}
}
