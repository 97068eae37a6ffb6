package linalg_test

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/linalg/linalgtest"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/mat"
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

// TestBound: Run computes every tile once, on at most as many goroutines at once as the bound and
// the program allow, one of them the caller's; with a bound of 1 on the caller's alone.
func TestBound(t *testing.T) {
	for _, program := range []int{1, 2, 8} {
		for _, bound := range []int{0, 1, 2, 3, 100} {
			func() {
				defer linalg.SetThreads(linalg.SetThreads(program))
				s := &tiles{sums: make([]float64, 40)}
				linalg.Bound(bound).Run(s, len(s.sums))
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

// TestBoundIsUsed: where threads are free, as many help as the bound says.
func TestBoundIsUsed(t *testing.T) {
	defer linalg.SetThreads(linalg.SetThreads(4))
	var m meeting
	m.all.Add(3)
	linalg.Bound(3).Run(&m, 3)
	if m.late {
		t.Error("three tiles, a bound of 3 and 4 threads, but not all three run at once")
	}
}

// everything is every operation that is cut into tiles, on matrices with strides n.
func everything(t linalg.Bound, n int) []float64 {
	a, b := square(n, 1), square(n, 2)
	out := make([]float64, n*n)
	var all []float64
	keep := func() {
		all = append(all, upper(n, n, out)...)
		clear(out)
	}
	db, dout := mat.NewDense(n, n, b), mat.NewDense(n, n, out)
	t.Gemm(false, true, n, n, n, 1, a, n, b, n, 0, out, n)
	keep()
	t.SymGemm(n, n, a, n, slices.Clone(a), n, out, n)
	keep()
	t.Syrk(true, n, n, 1, a, n, 0, out, n)
	keep()
	t.Syrk(false, n, n, 1, a, n, 0, out, n)
	keep()
	s := positive(n)
	c := linalg.Cholesky{Threads: int(t)}
	if !c.Factorize(s, 1) || !t.IsPSD(s, 0) {
		panic("no factor of a positive definite matrix")
	}
	c.Solve(dout, db)
	keep()
	c.InverseDiag(out[:n])
	keep()
	if n < 300 && linalg.Backend().Name == "go" {
		return all
	}
	e := linalg.Spectral{Threads: int(t)}
	if !e.Factorize(s, true) {
		panic("no spectrum")
	}
	all = append(all, e.Values()...)
	e.Apply(mat.NewSymDense(n, out), func(l float64) float64 { return 1 / (1 + l) })
	keep()
	return all
}

// TestBoundsAtOnce: operations with bounds of 1, 1 and 2 that run at once keep to them, so that one goroutine helps at
// the most, and compute what they compute alone, bit for bit; run with -race.
func TestBoundsAtOnce(t *testing.T) {
	testenv.Long(t)
	defer linalg.SetThreads(linalg.SetThreads(8))
	check := func(t *testing.T, sizes [3]int) {
		bounds := []linalg.Bound{1, 1, 2}
		var want [3][]float64
		for i, b := range bounds {
			want[i] = everything(b, sizes[i])
		}
		most, looks := 0, runtime.GOMAXPROCS(0) > 1 // one processor has no time to look, a busy one may have none
		for round := 0; round == 0 || looks && most == 0 && round < 100; round++ {
			done := make(chan struct{})
			var wait, watch sync.WaitGroup
			for i, b := range bounds {
				wait.Go(func() {
					for range 2 {
						if !slices.Equal(everything(b, sizes[i]), want[i]) {
							t.Errorf("n=%d: other bits than alone with a bound of %d", sizes[i], b)
						}
					}
				})
			}
			watch.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
						most = max(most, linalg.Lent())
						runtime.Gosched()
					}
				}
			})
			wait.Wait()
			close(done)
			watch.Wait()
		}
		if most > 1 || looks && most == 0 {
			t.Errorf("%d goroutines help, want one that is seen", most)
		}
	}
	t.Run("pure Go", func(t *testing.T) {
		linalg.PureGo(func() { check(t, [3]int{150, 151, 200}) })
	})
	t.Run("library", func(t *testing.T) {
		linalgtest.Library(t)
		check(t, [3]int{600, 601, 900}) // at 900 the first strip of a factor has more tiles than two
	})
}

// TestBoundDecidesBits: with a library a bound of 1 is the result of one thread, also in a program
// of more.
func TestBoundDecidesBits(t *testing.T) {
	linalgtest.Library(t)
	const n = 600
	defer linalg.SetThreads(linalg.SetThreads(1))
	want := everything(0, n)
	linalg.SetThreads(8)
	if !slices.Equal(everything(1, n), want) {
		t.Error("a bound of 1 in a program of 8 threads computes other bits than one thread")
	}
}
