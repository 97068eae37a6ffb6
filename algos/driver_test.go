package algos_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/testenv"
)

// How the driver ends a run: outside Θ, and where the inner solver gives up.

var ctx = context.Background()

// must returns v and panics on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// honest checks what a result says of itself, whatever its status.
func honest(t *testing.T, name string, p *mkl.Problem, r *mkl.Result) {
	t.Helper()
	if r.Infeasible == p.Set.Contains(r.Theta) {
		t.Errorf("%s: Infeasible is %v of θ = %v: %v", name, r.Infeasible, r.Theta, r)
	}
	if r.Infeasible && (!r.Status.IsUnfinished() || !math.IsInf(r.Gap(), 1)) {
		t.Errorf("%s: θ is outside, and yet %v", name, r)
	}
	if r.Lower > r.F && !r.Infeasible {
		t.Errorf("%s: lower bound %g above F = %g", name, r.Lower, r.F)
	}
	if r.Status == mkl.Certified && !(r.RelativeGap() <= 1e-2) {
		t.Errorf("%s: certified with a gap of %g", name, r.RelativeGap())
	}
}

// TestLeavesTheSet tests that a variant whose steps leave Θ, as with γ < 0 or γ > 1, visits points with an F below
// the minimum; none of them is ever best.
func TestLeavesTheSet(t *testing.T) {
	x, y := mkltest.RandomPoints(16, 3, 3)
	g := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}},
		Normalize: kernel.MeanDiagonal}.Bind(x)
	// λ is so large that K(θ) + λI is positive definite there too
	for _, s := range []set.Set{set.Simplex{}, set.Ball{Q: 2, Radius: 1}} {
		p := &mkl.Problem{Grams: g, Set: s, Loss: loss.Squared{Lambda: 50}, Y: y}
		want := must(mkl.Solve(ctx, p, mkl.SPG{}, nil))
		r := must(mkl.Solve(ctx, p, leaving{}, &mkl.Settings{Iterations: 60, Gap: 1e-9}))
		honest(t, fmt.Sprint(s), p, r)
		below := 0
		for _, row := range r.Trace {
			if row.F < want.Lower {
				if below++; !math.IsInf(row.Upper, 1) {
					t.Errorf("step %d: F = %g below the minimum %g has an upper bound %g", row.Iter, row.F, want.F,
						row.Upper)
				}
			}
		}
		if below == 0 || r.Infeasible || r.F < want.Lower {
			t.Errorf("%T: %d points below the minimum, Infeasible %v, F = %g, minimum %g", s, below, r.Infeasible, r.F,
				want.F)
		}
	}
}

// leaving is Frank–Wolfe with γ = −1, 3, ½ in turn.
type leaving struct{ mkl.FrankWolfe }

func (l leaving) Start(*mkl.Problem) mkl.Stepper { return l }

func (l leaving) Step(it *mkl.Iterate) error {
	s, t := it.Oracle().Minimizer, it.TrialPoint()
	gamma := []float64{-1, 3, 0.5, 1}[it.K%4]
	for k := range t.Theta {
		t.Theta[k] = it.Theta[k] + gamma*(s[k]-it.Theta[k])
	}
	if _, err := it.EvaluateTrial(); err != nil {
		return err
	}
	it.AcceptTrial()
	return nil
}

// forging is a solver whose steps write bounds that nobody proved, and then stall or move.
type forging struct {
	mkl.FrankWolfe
	moves bool
	forge func(it *mkl.Iterate)
}

func (f *forging) Start(*mkl.Problem) mkl.Stepper { return f }

func (f *forging) Step(it *mkl.Iterate) error {
	f.forge(it)
	if !f.moves || it.K > 1 {
		return mkl.ErrStalled
	}
	copy(it.TrialPoint().Theta, it.Theta)
	return it.EvaluateAndAcceptTrial()
}

// TestStepCannotSetBounds runs solvers that write to the bounds of the iterate: the status, the bounds and the proof of
// the result are those of a run that does not write.
func TestStepCannotSetBounds(t *testing.T) {
	x, y := mkltest.RandomPoints(16, 3, 3)
	p := &mkl.Problem{Grams: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}.Bind(x), Set: set.Simplex{},
		Loss: loss.Squared{Lambda: 1}, Y: y}
	for _, moves := range []bool{false, true} {
		solve := func(forge func(it *mkl.Iterate)) *mkl.Result {
			r := must(mkl.Solve(ctx, p, &forging{moves: moves, forge: forge}, nil))
			return r
		}
		want := solve(func(*mkl.Iterate) {})
		if want.Status != mkl.Stalled {
			t.Errorf("without a forged bound: %v, want a stalled run", want)
		}
		for name, forge := range map[string]func(it *mkl.Iterate){
			"Lower":     func(it *mkl.Iterate) { it.Lower = 1e9 },
			"BestUpper": func(it *mkl.Iterate) { it.BestUpper = it.Lower },
			"Cert":      func(it *mkl.Iterate) { it.Cert.Upper, it.Cert.Residual, it.Cert.By = it.Lower, 0, "nothing" },
		} {
			if r := solve(forge); r.Status != want.Status || r.Certificate != want.Certificate {
				t.Errorf("a step that writes %s, moves %v: %v, want %v", name, moves, r, want)
			}
		}
	}
}

// TestInnerLimit tests that an inner solver that runs out of iterations leaves the best point, and true bounds.
func TestInnerLimit(t *testing.T) {
	x, y := labeled(20, 3, 7)
	p := &mkl.Problem{Grams: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5}}.Bind(x), Set: set.Simplex{},
		Loss: loss.Hinge{C: 1}, Y: y}
	exact := must(mkl.Solve(ctx, p, mkl.FrankWolfe{}, &mkl.Settings{Gap: 1e-4, Iterations: 20000}))
	for _, reached := range []float64{0.9, 0.5, 0.1} {
		for _, s := range []mkl.Solver{mkl.FrankWolfe{}, mkl.SPG{AllowNonsmooth: true}} {
			p.Loss = limited{loss.Hinge{C: 1}, reached}
			r, err := mkl.Solve(ctx, p, s, &mkl.Settings{Gap: 1e-3, Iterations: 300})
			if err != nil || reached > 0.1 && (r.Status != mkl.InnerLimit || len(r.Trace) > 100) {
				t.Errorf("%v, inner gap %g: %v, %v, want the limit of the inner solver", s, reached, r, err)
				continue
			}
			honest(t, fmt.Sprintf("inner gap %g", reached), p, r)
			if r.F < exact.Lower || r.Lower > exact.F {
				t.Errorf("%v, inner gap %g: [%g, %g], exact [%g, %g]", s, reached, r.Lower, r.F, exact.Lower, exact.F)
			}
		}
	}
}

// bound is a family that remembers to how many threads it is bound.
type bound struct {
	kernel.Grams
	threads int
}

type boundGram struct {
	kernel.Gram
	threads int
}

func (g bound) WithThreads(n int) kernel.Grams { return bound{g.Grams.WithThreads(n), n} }
func (g bound) New() kernel.Gram               { return &boundGram{g.Grams.New(), g.threads} }

// TestThreads tests that Settings.Threads bounds the family and the loss of that run.
func TestThreads(t *testing.T) {
	x, y := mkltest.RandomPoints(16, 3, 3)
	p := &mkl.Problem{Grams: bound{Grams: kernel.Features{}.Bind(x)}, Set: set.Simplex{},
		Loss: loss.Squared{Lambda: 0.5}, Y: y}
	for _, threads := range []int{0, 3} {
		if _, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Threads: threads, Watch: func(it *mkl.Iterate) bool {
			if got := it.Gram.(*boundGram).threads; got != threads || it.Threads != threads {
				t.Errorf("the family has %d threads, the loss %d, want %d", got, it.Threads, threads)
			}
			return false
		}}); err != nil {
			t.Error(err)
		}
	}
	if _, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Threads: -1}); err == nil {
		t.Error("−1 threads are accepted")
	}
}

// limited is a hinge loss whose inner solver ends at the relative gap reached, as if it ran out of iterations.
type limited struct {
	loss.Hinge
	reached float64
}

func (l limited) Slice([]int) loss.Loss { return l }

func (l limited) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	if err := l.Hinge.Solve(ctx, s, g, y, max(tol, l.reached)); err != nil || s.Gap() <= tol {
		return err
	}
	return &loss.Inexact{Gap: s.Gap(), TargetGap: tol, IterationLimitReached: true}
}

// labeled are n points of d features in two classes of ±1 that overlap.
func labeled(n, d int, seed uint64) (x points.Rows, y []float64) {
	r := rand.New(rand.NewPCG(seed, 3))
	x = points.Rows{N: n, D: d}
	for i := range n {
		v := float64(1 - 2*(i%2))
		for j := range d {
			x.Data = append(x.Data, r.NormFloat64()+v*0.7*float64((j+1)%2))
		}
		y = append(y, v)
	}
	return x, y
}

// TestTogether tests that solves of one family run at once, each with its own number of threads. Each finds what it
// finds alone, to the last bit. The test is for the race detector too.
func TestTogether(t *testing.T) {
	x, y := mkltest.RandomPoints(60, 3, 9)
	_, labels := labeled(60, 3, 9)
	g := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 0.1}},
		Center: true}.Bind(x)
	solves := []func(threads int) *mkl.Result{}
	for _, p := range []mkl.Problem{{Loss: loss.Squared{Lambda: 0.1}, Y: y}, {Loss: loss.Hinge{C: 1}, Y: labels}} {
		p.Grams, p.Set = g, set.Simplex{}
		solves = append(solves, func(threads int) *mkl.Result {
			r, err := mkl.Solve(ctx, &p, mkl.MirrorDescent{}, &mkl.Settings{Threads: threads, Iterations: 30})
			if err != nil {
				t.Error(err)
				return nil
			}
			for i := range r.Trace {
				r.Trace[i].Elapsed = 0
			}
			return r
		})
	}
	for threads := 1; threads <= 2; threads++ {
		alone := []*mkl.Result{solves[0](threads), solves[1](threads)}
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				if r := solves[i%2](threads); !reflect.DeepEqual(r, alone[i%2]) {
					t.Errorf("solve %d finds %v, alone %v", i%2, r, alone[i%2])
				}
			})
		}
		wg.Wait()
	}
}

// TestTessellatedMemory tests that a fit of n points takes at most 4n² numbers and a few of the size of θ.
func TestTessellatedMemory(t *testing.T) {
	const n = 1500
	x, y := mkltest.RandomPoints(n, 8, 9)
	for i, v := range y {
		y[i] = math.Copysign(1, v)
	}
	p := &mkl.Problem{Grams: tessellated.Family{Degree: 1, UnitMeanDiagonal: true}.Bind(x), Set: set.Spectraplex{},
		Loss: loss.Hinge{C: 1}, Y: y}
	if numbers := maxLive(t, p, mkl.FrankWolfe{}, mkl.Settings{Gap: 5e-2, Iterations: 6}); numbers > 4*n*n {
		t.Errorf("%.2f n² numbers", numbers/n/n)
	}
}

// maxLive returns the largest amount of memory, in numbers of 8 bytes, that a solve holds between its steps in addition
// to the memory in use before it. Pooled work space is not counted, because other solves can use it.
func maxLive(t *testing.T, p *mkl.Problem, s mkl.Solver, settings mkl.Settings) float64 {
	t.Helper()
	before := testenv.HeapBytes()
	largest := before
	settings.Watch = func(*mkl.Iterate) bool {
		largest = max(largest, testenv.HeapBytes())
		return false
	}
	must(mkl.Solve(t.Context(), p, s, &settings))
	return (largest - before) / 8
}
