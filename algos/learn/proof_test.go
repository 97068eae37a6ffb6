package learn

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/mklnb/mkl/algos/compare/comparetest"
)

// TestProved: of a model of landmarks Upper is the value of its function over all points, made of its predictions, and
// Lower is below the minimum over them by dense matrices, of all weights or of those that a rule gave.
func TestProved(t *testing.T) {
	for _, method := range []string{LearnedName, UniformName, SingleName, "classes"} {
		d, code, opts := comparetest.Wave(150, 1), model.TargetEncoding{}, []Option{WithMethod(method)}
		if method == "classes" {
			d, code, opts = comparetest.Clusters(3, 50, 2, 1, 1), model.TargetEncoding{Classes: 3},
				[]Option{WithMethod(LearnedName)}
		}
		centred := code.EncodeAll(d.Y)
		for y := range slices.Chunk(centred, 150) {
			floats.AddConst(-stat.Mean(y, nil), y)
		}
		l := learn(t, d, append(opts, WithSet(set.Simplex{}), WithLandmarks(40), WithSplits(nil))...)
		if l.Proof == nil {
			t.Fatalf("%s: %s", method, l.Unproved)
		}
		m := l.Model
		value := valueOf(l, d, centred, code.Columns())
		if p := l.Proof; !(p.Upper >= value*(1-1e-12) && p.Upper <= value*(1+1e-6)) {
			t.Errorf("%s: the function's value is %.9g, proved %.9g", method, value, p.Upper)
		}

		family := must(m.Family.On(m.X).Freeze())
		p := &mkl.Problem{Grams: family.On(d.X), Set: set.Simplex{}, Y: centred,
			Loss: loss.Repeat(loss.Squared{Lambda: l.Lambda}, code.Columns())}
		var best *mkl.Result
		if l.Method == LearnedName {
			best = must(mkl.Solve(context.Background(), p, mkl.SPG{}, &mkl.Settings{Gap: 1e-9}))
		} else {
			best = must(mkl.EvaluateRule(context.Background(), p, compare.FixedWeights{Theta: m.Theta}, 0))
		}
		if !(l.Proof.Lower <= best.F*(1+1e-9) && l.Proof.Lower > best.F/2 && l.Proof.Upper > best.F) {
			t.Errorf("%s: the minimum is %g, proved [%g, %g]", method, best.F, l.Proof.Lower, l.Proof.Upper)
		}
		says(t, m.Note, fmt.Sprintf("; over all 150 points: %v", l.Proof))
	}
}

// valueOf is F of l's model over the points of d, made of its predictions.
func valueOf(l *Learned, d *data.Dataset, y []float64, columns int) (value float64) {
	m := l.Model
	k, n := m.X.Len(), d.Len()
	for j := range columns {
		w := mat.NewVecDense(k, m.W[k*j:k*(j+1)])
		var f, fit mat.VecDense
		f.MulVec(must(m.Gram(d.X, nil)), w)
		fit.MulVec(must(m.Gram(m.X, nil)), w)
		value += mat.Dot(w, &fit) / 2
		for i, y := range y[n*j : n*(j+1)] {
			value += (y - f.AtVec(i)) * (y - f.AtVec(i)) / (2 * l.Lambda)
		}
	}
	return value
}

// TestBudget: with room and time the model is of all points, its F is what is proved and smaller than that of
// landmarks, and its bound is near; without them the model of landmarks stays, and what is missing is said.
func TestBudget(t *testing.T) {
	d := comparetest.Wave(150, 1)
	centred := append([]float64(nil), d.Y...)
	floats.AddConst(-stat.Mean(d.Y, nil), centred)
	for _, method := range []string{LearnedName, SingleName} {
		opts := []Option{WithMethod(method), WithSet(set.Simplex{}), WithLandmarks(20), WithSplits(nil),
			WithLambda(0.1)}
		few := learn(t, d, opts...)
		l := learn(t, d, append(opts, WithBudget(60, 1<<28))...)
		if l.Landmarks != 0 || l.Model.X.Len() != 150 || l.Result.Status != mkl.Certified || l.Warnings != nil {
			t.Fatalf("%s: %d landmarks, a model of %d points, %v, %v", method, l.Landmarks, l.Model.X.Len(), l.Result,
				l.Warnings)
		}
		value := valueOf(l, d, centred, 1)
		if p := l.Proof; !(p.Upper >= value*(1-1e-12) && p.Upper <= value*(1+1e-6) && p.Upper < few.Proof.Upper &&
			p.Lower > p.Upper*0.99 && p.Lower > few.Proof.Lower && p.Lower <= few.Proof.Upper) {
			t.Errorf("%s: value %g, proved [%g, %g]; by landmarks [%g, %g]", method, value, p.Lower, p.Upper,
				few.Proof.Lower, few.Proof.Upper)
		}
		says(t, noted(l), "of all 150 points, by Subspace")
		for want, budget := range map[string]Option{
			"1s each, and works as long between them: WithBudget(60, 1e8)": WithBudget(60, 1000),
			": WithBudget(1, 3e8) has room":                                WithBudget(1e-9, 1<<28)} {
			l := learn(t, d, append(opts, budget)...)
			if says(t, noted(l), want); l.Model.X.Len() != 20 || l.Landmarks != 20 || l.Proof == nil {
				t.Errorf("%s: a model of %d points", want, l.Model.X.Len())
			}
		}
	}
	views := learn(t, comparetest.TwoViews(60), WithMethod(LearnedName), WithLandmarks(30), WithSplits(nil),
		WithBudget(60, 1e9),
		WithViews(data.Views{"spectrum": {"s*"}, "clinic": {"age"}}))
	if views.Model.X.Len() != 60 || len(views.Views) != 2 || !strings.HasPrefix(views.Result.Labels[0], "clinic") {
		t.Errorf("of views a model of %d points, %+v", views.Model.X.Len(), views.Views)
	}
	if _, err := Learn(t.Context(), d, WithBudget(0, 1e9)); err == nil {
		t.Error("no seconds are no error")
	}

	// F of all points is known to be above that of nearly as many landmarks: no pass proves it
	narrow := kernel.List{kernel.RBF{Gamma: 100}}
	p := &mkl.Problem{Grams: narrow.On(d.X), Y: d.Y, Loss: loss.Squared{Lambda: 0.1}}
	stopped, stop := context.WithCancel(t.Context())
	defer stop()
	l := must(Learn(stopped, d, WithFamily(narrow), WithLandmarks(149), WithSplits(nil), WithLambda(0.1),
		WithBudget(60, mkl.Subspace{Landmarks: 50}.Bytes(p)), WithProgress(func(p compare.Progress) {
			if strings.HasPrefix(p.Doing, "pass 2 over all") {
				stop()
			}
		})))
	says(t, strings.Join(l.Warnings, "\n"), "the full solve ended (stopped) after 1 passes in 1s, its F at most ",
		" the minimum. The model is of landmarks, whose F is "+l.Proof.BoundText()+" its minimum.")
}

// TestShortfall: a gap that halves with each pass needs at least as many more as halves lie between.
func TestShortfall(t *testing.T) {
	says(t, shortfall(mkl.Stopped, []float64{0.4, 0.2}, 2*time.Second, 0.025),
		"after 2 passes in 2s, its F at most 20 % ",
		" above the minimum; to come to 2.5 % takes at least 3 more, another 3s: the last left 0.5 of what")
	says(t, shortfall(mkl.Stopped, []float64{51}, 20*time.Minute, 0.1),
		"(stopped) after 1 passes in 20m0s, its F at most 52 times the minimum.")
	says(t, shortfall(mkl.IllConditioned, []float64{0.4, 0.2}, time.Second, 0.025), "at most 20 % above the minimum.")
}

// TestNotProved: why F of landmarks is not known over all points is said: centred kernels, more values than are made
// unasked, seconds of a budget that end before it, a stop.
func TestNotProved(t *testing.T) {
	d := comparetest.Wave(60, 1)
	centre := WithFamily(kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1}}, Centre: true})
	l := learn(t, d, WithLandmarks(20), WithSplits(nil), centre)
	says(t, l.Unproved, "centred")

	defer func(v float64) { maxValuesWithoutBudget = v }(maxValuesWithoutBudget)
	maxValuesWithoutBudget = 100
	few := []Option{WithLandmarks(20), WithSplits(nil), WithFamily(kernel.List{kernel.RBF{Gamma: 1}})}
	says(t, learn(t, d, few...).Unproved, "the proof takes about 1s of one core; WithBudget allows more")
	says(t, learn(t, d, append(few, WithBudget(1e-9, 1e9))...).Unproved, "the proof takes about 1s")
	if l := learn(t, d, append(few, WithBudget(60, 1e9))...); l.Proof == nil || l.Model.X.Len() != 60 {
		t.Errorf("with a budget: %v, %s", l.Proof, l.Unproved)
	}

	stopped, stop := context.WithCancel(t.Context())
	l, err := Learn(stopped, d, append(few, WithBudget(60, 1e9), WithProgress(func(p compare.Progress) {
		if strings.HasPrefix(p.Doing, "a pass over all 60 points") {
			stop()
		}
	}))...)
	if err != nil || l.Model.X.Len() != 20 {
		t.Fatalf("stopped: %v", err)
	}
	says(t, l.Unproved, "it was stopped")

	stopped, stop = context.WithCancel(t.Context()) // in the full solve
	defer stop()
	maxValuesWithoutBudget = 1e6
	l = must(Learn(stopped, d, append(few, WithBudget(60, 1e9), WithProgress(func(p compare.Progress) {
		if strings.HasPrefix(p.Doing, "pass 1 over all 60 points") {
			stop()
		}
	}))...))
	says(t, noted(l), "ended before its first pass. The model is of landmarks.")
	if l.Proof == nil || l.Model.X.Len() != 20 {
		t.Errorf("stopped in the full solve: a model of %d points, %v", l.Model.X.Len(), l.Proof)
	}

	stopped, stop = context.WithCancel(t.Context()) // after it
	defer stop()
	l = must(Learn(stopped, d, append(few, WithBudget(60, 1e9), WithProgress(func(p compare.Progress) {
		if strings.Contains(p.Doing, "; F is at most 0.0") {
			stop()
		}
	}))...))
	says(t, noted(l), "WithBudget: The model is of landmarks: F of that of all points is not known: it was "+
		"stopped.")
	if p := learn(t, d, few...).Proof; l.Proof.Upper != p.Upper || !(l.Proof.Lower > p.Lower) {
		t.Errorf("stopped after the full solve: [%g, %g], without it [%g, %g]", l.Proof.Lower, l.Proof.Upper, p.Lower,
			p.Upper)
	}
}

// heard is a kernel that tells each call.
type heard struct {
	kernel.Kernel
	call func()
}

func (c heard) Cross(dst *mat.Dense, z, x points.Points) { c.call(); c.Kernel.Cross(dst, z, x) }

// TestProofStopped: what the first pass proved stays where the second one is stopped.
func TestProofStopped(t *testing.T) {
	d := comparetest.Wave(60, 1)
	var calls, last atomic.Int64
	stopped, stop := context.WithCancel(t.Context())
	defer stop()
	k := heard{kernel.RBF{Gamma: 1}, func() {
		if calls.Add(1) == last.Load() {
			stop()
		}
	}}
	opts := []Option{WithLandmarks(20), WithSplits(nil), WithFamily(kernel.List{k}), WithLambda(0.1)}
	whole := must(Learn(t.Context(), d, opts...))
	last.Store(calls.Swap(0)) // of the second pass
	l := must(Learn(stopped, d, opts...))
	if l.Proof == nil || l.Proof.Upper != whole.Proof.Upper || !(l.Proof.Lower < whole.Proof.Lower) {
		t.Errorf("stopped in the second pass: %s; not stopped: %v", l.Unproved, whole.Proof)
	}
}
