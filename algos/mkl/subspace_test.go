package mkl_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// friedman is a problem on n points of data.Friedman, features and targets standardized, and m Gaussians of doubling γ.
func friedman(n, m int, lambda float64, s set.Set, seed uint64) *mkl.Problem {
	d := data.Friedman(n, seed)
	mean, sd := stat.PopMeanStdDev(d.Y, nil)
	floats.AddConst(-mean, d.Y)
	floats.Scale(1/sd, d.Y)
	var list kernel.List
	for k := range m {
		list = append(list, kernel.RBF{Gamma: math.Exp2(float64(k-2)) / 40})
	}
	family := kernel.Sum{Kernels: list, Prepare: points.Preprocessing{points.Standardize}}
	return &mkl.Problem{Grams: family.Bind(d.X), Set: s,
		Loss: loss.Squared{Lambda: lambda}, Y: d.Y}
}

// sides are the labels y > above.
func sides(y []float64, above float64) []float64 {
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = math.Copysign(1, v-above)
	}
	return out
}

// TestSubspace: by both roads the same minimum, of several columns, on a simplex and on a ball; and what a sweep proves
// of any (θ, w) is what the dense road proves, to rounding.
func TestSubspace(t *testing.T) {
	squared, ball := friedman(400, 5, 0.5, set.Simplex{}, 1), friedman(400, 5, 0.5, set.Ball{Q: 2, Radius: 1}, 1)
	targets := *squared
	targets.Loss = loss.Repeat(squared.Loss, 3)
	targets.Y = slices.Concat(squared.Y, sides(squared.Y, 0.3), make([]float64, 400))
	for _, p := range []*mkl.Problem{squared, ball, &targets} {
		name := fmt.Sprintf("%v, %v", p.Loss, p.Set)
		got, err := mkl.Solve(context.Background(), p, mkl.Subspace{Landmarks: 60}, &mkl.Settings{Gap: 1e-5})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, err := mkl.Solve(context.Background(), p, mkl.SPG{}, &mkl.Settings{Gap: 1e-7})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for k, row := range got.Trace {
			if !(row.F >= want.Lower) || k > 0 && row.F > got.Trace[k-1].F*(1+1e-9) {
				t.Errorf("%s: F of step %d is %g, the minimum at least %g", name, k, row.F, want.Lower)
			}
		}
		if got.Status != mkl.Certified || got.Lower > want.Upper || want.Lower > got.Upper {
			t.Errorf("%s: bounds [%g, %g] by passes, [%g, %g] by matrices, %v", name, got.Lower, got.Upper,
				want.Lower, want.Upper, got)
		}
		swept, err := p.MatrixFree()
		if err != nil {
			t.Fatal(err)
		}
		var both [2]mkl.Certificate
		for i, p := range []*mkl.Problem{p, swept} {
			pt, err := p.EvaluateAt(t.Context(), got.Theta, got.W)
			if err != nil {
				t.Fatal(err)
			}
			if both[i], err = p.Certify(pt, false); err != nil {
				t.Fatal(err)
			}
		}
		a, b := both[0], both[1]
		if near := 1e-9 * a.Upper; !(math.Abs(a.Upper-b.Upper) < near && math.Abs(a.Lower-b.Lower) < near) {
			t.Errorf("%s: swept [%.12g, %.12g], dense [%.12g, %.12g]", name, b.Lower, b.Upper, a.Lower, a.Upper)
		}
	}
}

// TestSweptRefuses: a solver that would form K(θ) is an error.
func TestSweptRefuses(t *testing.T) {
	p, err := friedman(100, 2, 0.5, set.Simplex{}, 1).MatrixFree()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mkl.Solve(context.Background(), p, mkl.SPG{}, nil); err == nil ||
		!strings.Contains(err.Error(), "Subspace") {
		t.Errorf("SPG on a swept problem: error %v", err)
	}
	if r, err := mkl.Solve(context.Background(), p, mkl.Subspace{}, &mkl.Settings{Threads: 1}); err != nil ||
		r.Status != mkl.Certified {
		t.Errorf("Subspace on a swept problem: %v, %v", r, err)
	}
}

// TestSubspaceStops: a run that is stopped has the best of its passes; losses and families that it is not for are
// refused with the reason.
func TestSubspaceStops(t *testing.T) {
	p := friedman(300, 3, 0.5, set.Simplex{}, 2)
	stopping, stop := context.WithCancel(context.Background())
	watch := func(it *mkl.Iterate) bool {
		if it.K == 2 {
			stop()
		}
		return false
	}
	r, err := mkl.Solve(stopping, p, mkl.Subspace{Landmarks: 30}, &mkl.Settings{Gap: 1e-9, Watch: watch})
	if err != nil || r.Status != mkl.Stopped || !(r.RelativeGap() < 0.5) || len(r.W) != 300 {
		t.Errorf("%v, %v", r, err)
	}
	for want, change := range map[string]func(q *mkl.Problem){
		"Level those": func(q *mkl.Problem) { q.Loss = loss.Hinge{C: 1} },
		"every target": func(q *mkl.Problem) {
			q.Loss, q.Y = loss.Repeat(q.Loss, 2), append(slices.Clone(q.Y), make([]float64, 300)...)
			q.Y[5] = math.NaN()
		},
		"centered": func(q *mkl.Problem) {
			centered := kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1}}, Center: true}
			q.Grams = centered.Bind(points.NewRows([][]float64{{1}, {2}}))
		},
		"regularizer": func(q *mkl.Problem) { q.Reg = reg.Ridge{Beta: 1} },
	} {
		q := *p
		change(&q)
		if _, err := (mkl.Subspace{}).Requirements(&q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not refused: %v", want, err)
		}
	}
}

// TestSubspaceLift: how much larger F of the matrices as they were given may be is told of the f that Upper is the
// value of, ‖y − f‖²/2λ ≤ Upper, not of K(θ)w, which long before the end is far from it.
func TestSubspaceLift(t *testing.T) {
	p := friedman(300, 3, 1e-3, set.Simplex{}, 1)
	r, err := mkl.Solve(context.Background(), p, mkl.Subspace{Landmarks: 60}, &mkl.Settings{Gap: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	swept, err := p.MatrixFree()
	if err != nil {
		t.Fatal(err)
	}
	pt, err := swept.EvaluateAt(t.Context(), r.Theta, r.W)
	if err != nil {
		t.Fatal(err)
	}
	if !(pt.Primal > 3*r.Upper) {
		t.Errorf("K(θ)w has the value %g, f has %g: too near to tell them apart", pt.Primal, r.Upper)
	}
	_, _, lift := pt.Gram.(kernel.ErrorBounded).Bounds()
	if most := r.Upper * lift / (1e-3 - lift); !(r.ShiftError > 0 && r.ShiftError <= most*(1+1e-9)) {
		t.Errorf("lift %g of F ≤ %g, want at most %g", r.ShiftError, r.Upper, most)
	}
}

// elsewhere are Grams whose passes come from elsewhere.
type elsewhere struct {
	kernel.Grams
	images func(ctx context.Context, dst [][]float64, w []float64) error
}

func (g elsewhere) Sweep() (kernel.Sweep, error) {
	s, err := g.Grams.Sweep()
	return sweepElsewhere{s, g}, err
}

type sweepElsewhere struct {
	kernel.Sweep
	g elsewhere
}

func (s sweepElsewhere) Images(ctx context.Context, dst [][]float64, w []float64) error {
	if err := s.g.images(ctx, dst, w); err != nil {
		return err
	}
	return s.Sweep.Images(ctx, dst, w)
}

// TestPasses: a step takes one pass, of all columns, also where a Watch asks for K(θ)w; a pass that fails ends a run
// and a judgement with the cause.
func TestPasses(t *testing.T) {
	const n = 300
	p := friedman(n, 3, 0.01, set.Simplex{}, 1)
	p.Loss, p.Y = loss.Repeat(p.Loss, 2), slices.Concat(p.Y, sides(p.Y, 0.3))
	late, passes, last := errors.New("the other machine is off"), 0, math.MaxInt
	p.Grams = elsewhere{p.Grams, func(context.Context, [][]float64, []float64) error {
		if passes++; passes > last {
			return late
		}
		return nil
	}}
	f := make([]float64, n)
	watch := func(it *mkl.Iterate) bool {
		it.Gram.K().MulVec(f, it.W[n:])
		return it.K == 4
	}
	r, err := mkl.Solve(t.Context(), p, mkl.Subspace{Landmarks: 3}, &mkl.Settings{Gap: 1e-9, Watch: watch})
	if err != nil || passes != 4 {
		t.Errorf("%d passes in 4 steps: %v, %v", passes, r, err)
	}
	for last = range 2 {
		passes = 0
		if r, err := mkl.Solve(t.Context(), p, mkl.Subspace{Landmarks: 3}, nil); !errors.Is(err, late) {
			t.Errorf("%d passes, then none: %v, %v", last, r, err)
		}
	}
	swept, err := p.MatrixFree()
	if err != nil {
		t.Fatal(err)
	}
	if pt, err := swept.EvaluateAt(t.Context(), r.Theta, r.W); !errors.Is(err, late) {
		t.Errorf("no pass, and %v is judged, %v", pt, err)
	}
	p.Y[3] = math.NaN() // where w means nothing
	passes, last = 0, 1
	if swept, err = p.MatrixFree(); err != nil {
		t.Fatal(err)
	}
	pt, err := swept.EvaluateAt(t.Context(), r.Theta, r.W)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := swept.Certify(pt, true); err != nil || passes != 1 || r.W[3] == 0 || pt.W[3] != 0 {
		t.Errorf("of a target that is missing %v, %v after %d passes, w = %g", c, err, passes, pt.W[3])
	}
}

// TestSubspaceStarts: a start outside Θ ends as any other.
func TestSubspaceStarts(t *testing.T) {
	p := friedman(100, 3, 0.5, set.Simplex{}, 1)
	for _, theta := range [][]float64{{-1, 3, 0}, {1e-300, 0, 0}, {7, 7, 7}} {
		r, err := mkl.Solve(t.Context(), p, mkl.Subspace{Landmarks: 20}, &mkl.Settings{
			Start: &mkl.Result{Theta: theta}})
		if err != nil || r.Status != mkl.Certified {
			t.Errorf("from %g: %v, %v", theta, r, err)
		}
	}
}

// 2,000 simulated points, K(θ) never formed: a pass over its entries a step. The bounds are those of the problem of all
// points.
func ExampleSubspace() {
	p := friedman(2000, 4, 1, set.Simplex{}, 1)
	r, err := mkl.Solve(context.Background(), p, mkl.Subspace{Landmarks: 100}, &mkl.Settings{Gap: 1e-3})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, "by", r.By)
	fmt.Println("gap below a thousandth:", r.RelativeGap() < 1e-3)
	// Output:
	// certified by duality
	// gap below a thousandth: true
}
