package learn

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
)

// TestProved: of a model of landmarks Upper is the value of its function over all points, made of its predictions, and
// Lower is below the minimum over them by dense matrices, of all weights or of those that a rule gave.
func TestProved(t *testing.T) {
	for _, method := range []string{LearnedName, SingleName, "classes"} {
		d, code, opts := comparetest.NoisySine(150, 1), model.TargetEncoding{}, []Option{WithMethod(method)}
		if method == "classes" {
			d, code, opts = comparetest.ClassClusters(3, 50, 2, 1, 1), model.TargetEncoding{Classes: 3},
				[]Option{WithMethod(LearnedName)}
		}
		centered := code.EncodeAll(d.Y)
		for y := range slices.Chunk(centered, 150) {
			floats.AddConst(-stat.Mean(y, nil), y)
		}
		l := learn(t, d, append(opts, WithSet(set.Simplex{}), WithLandmarks(40), WithSplits(nil))...)
		if l.Proof == nil {
			t.Fatalf("%s: %s", method, l.WhyUnproved)
		}
		m := l.Model
		value := valueOf(l, d, centered, code.Columns())
		if p := l.Proof; !(p.Upper >= value*(1-1e-12) && p.Upper <= value*(1+1e-6)) {
			t.Errorf("%s: the function's value is %.9g, proved %.9g", method, value, p.Upper)
		}

		family := must(m.Family.Bind(m.X).FreezeFit())
		p := &mkl.Problem{Grams: family.Bind(d.X), Set: set.Simplex{}, Y: centered,
			Loss: loss.Repeat(loss.Squared{Lambda: l.Lambda}, code.Columns())}
		var best *mkl.Result
		if l.Method == LearnedName {
			best = must(mkl.Solve(context.Background(), p, mkl.SPG{}, &mkl.Settings{Gap: 1e-9}))
		} else {
			best = must(mkl.EvaluateRule(context.Background(), p, fit.FixedWeights{Theta: m.Theta}, 0))
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
		f.MulVec(must(m.Gram(d.X)), w)
		fit.MulVec(must(m.Gram(m.X)), w)
		value += mat.Dot(w, &fit) / 2
		for i, y := range y[n*j : n*(j+1)] {
			value += (y - f.AtVec(i)) * (y - f.AtVec(i)) / (2 * l.Lambda)
		}
	}
	return value
}

// TestNotProved: why F of landmarks is not known over all points is said: centered kernels, a stop.
func TestNotProved(t *testing.T) {
	d := comparetest.NoisySine(60, 1)
	center := WithFamily(kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1}}, Center: true})
	l := learn(t, d, WithLandmarks(20), WithSplits(nil), center)
	says(t, l.WhyUnproved, "centered")

	stopped, stop := context.WithCancel(t.Context())
	l, err := Learn(stopped, d, WithLandmarks(20), WithSplits(nil), WithFamily(kernel.List{kernel.RBF{Gamma: 1}}),
		WithProgress(func(p compare.Progress) {
			if strings.HasPrefix(p.FinalStep, "a pass over all 60 points") {
				stop()
			}
		}))
	if err != nil || l.Model.X.Len() != 20 {
		t.Fatalf("stopped: %v", err)
	}
	says(t, l.WhyUnproved, "was stopped")
}
