package study

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// TestProved: of a model of landmarks Upper is the value of its function over all points, made of its predictions, and
// Lower is below the minimum over them by dense matrices, of all weights or of those that a rule gave.
func TestProved(t *testing.T) {
	for _, method := range []string{LearnedName, UniformName, SingleName, "classes"} {
		d, code, opts := wave(150, 1), model.Code{}, []Option{WithMethod(method)}
		if method == "classes" {
			d, code, opts = clusters(3, 50, 2, 1, 1), model.Code{Classes: 3}, []Option{WithMethod(LearnedName)}
		}
		centred := code.Spread(d.Y)
		for y := range slices.Chunk(centred, 150) {
			floats.AddConst(-stat.Mean(y, nil), y)
		}
		l := learn(t, d, append(opts, WithSet(set.Simplex{}), WithLandmarks(40), WithSplits(nil))...)
		if l.Proof == nil {
			t.Fatalf("%s: %s", method, l.Unproved)
		}
		m := l.Model
		value := 0.0
		for j := range code.Columns() {
			w := mat.NewVecDense(40, m.W[40*j:40*j+40])
			var f, fit mat.VecDense
			f.MulVec(must(m.Gram(d.X, nil)), w)
			fit.MulVec(must(m.Gram(m.X, nil)), w)
			value += mat.Dot(w, &fit) / 2
			for i, y := range centred[150*j : 150*j+150] {
				value += (y - f.AtVec(i)) * (y - f.AtVec(i)) / (2 * l.Lambda)
			}
		}
		if p := l.Proof; !(p.Upper >= value*(1-1e-12) && p.Upper <= value*(1+1e-6)) {
			t.Errorf("%s: the function's value is %.9g, proved %.9g", method, value, p.Upper)
		}

		family := must(m.Family.On(m.X).(kernel.Freezable).Freeze())
		p := &mkl.Problem{Grams: family.On(d.X), Set: set.Simplex{}, Y: centred,
			Loss: loss.In(loss.Squared{Lambda: l.Lambda}, code.Columns())}
		var best *mkl.Result
		over := "over all weights and functions"
		if l.Method == LearnedName {
			best = must(mkl.Solve(context.Background(), p, mkl.SPG{}, &mkl.Settings{Gap: 1e-9}))
		} else {
			best, over = must(mkl.Weigh(context.Background(), p, fixed{m.Theta}, 0)), "over all functions"
		}
		if !(l.Proof.Lower <= best.F*(1+1e-9) && l.Proof.Lower > best.F/2 && l.Proof.Upper > best.F) {
			t.Errorf("%s: the minimum is %g, proved [%g, %g]", method, best.F, l.Proof.Lower, l.Proof.Upper)
		}
		says(t, l.String(), "F over all 150 points is proved to be at most", over)
		says(t, m.Note, l.Proved())
	}
}

// TestNotProved: why F of landmarks is not known over all points is said: centred kernels, a pass that takes too long.
func TestNotProved(t *testing.T) {
	d := wave(60, 1)
	centre := WithFamily(kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1}}, Centre: true})
	l := learn(t, d, WithLandmarks(20), WithSplits(nil), centre)
	says(t, l.Proved(), "over all 60 points", "not known: ", "centred")

	list := kernel.List{kernel.RBF{Gamma: 1}}
	c := &claim{&mkl.Problem{Grams: list.On(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: d.Y},
		[]float64{1}, make([]float64, 60), 20}
	l.Proof, l.Unproved = nil, ""
	c.prove(t.Context(), l, -1)
	if says(t, l.Proved(), "a pass over all points takes about", "WithBudget"); l.Proof != nil {
		t.Errorf("no time, yet %+v is proved", l.Proof)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if c.prove(stopped, l, math.MaxInt64); !strings.Contains(l.Proved(), "stopped") {
		t.Error(l.Proved())
	}
}

func TestAbove(t *testing.T) {
	for r, want := range map[float64]string{1: "at most 1e-09 % above", 1.00123: "at most 0.13 % above",
		1.12: "at most 12 % above", 1.995: "at most 100 % above", 2: "at most 2 times", 2.01: "at most 2.1 times",
		1234: "at most 1300 times", math.Inf(1): "no less than", math.Inf(-1): "no less than"} {
		if got := above(r); got != want {
			t.Errorf("above(%g) = %q, want %q", r, got, want)
		}
	}
}
