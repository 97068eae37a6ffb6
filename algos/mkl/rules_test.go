package mkl_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// goldenPoints returns 16 points of three features and a number for each, whose signs are labels.
func goldenPoints() (x points.Rows, numbers, labels []float64) {
	for i := range 16 {
		v := float64(i)
		x.Data = append(x.Data, math.Sin(1.7*v), math.Cos(2.9*v*v), math.Sin(0.4*v+1))
		row := x.Data[3*i:]
		numbers = append(numbers, row[0]+row[1]*row[2])
		labels = append(labels, math.Copysign(1, numbers[i]))
	}
	x.N, x.D = 16, 3
	return x, numbers, labels
}

// againstRest returns three columns of labels ±1: numbers below −0.4, between −0.4 and 0.4, and above.
func againstRest(numbers []float64) (columns []float64) {
	limits := []float64{math.Inf(-1), -0.4, 0.4, math.Inf(1)}
	for c := range 3 {
		for _, v := range numbers {
			label := -1.0
			if v >= limits[c] && v < limits[c+1] {
				label = 1
			}
			columns = append(columns, label)
		}
	}
	return columns
}

// TestRulesAgainstOtherPrograms compares the weights with solutions of the quadratic programs of both papers by cvxopt
// 1.3.3, from dense matrices of numpy 2.4.6. MKLpy 0.6, EasyMKL(lam=0.1, solver='cvxopt'), has the same weights for two
// classes: 0.3986, 0.0783, 0.5231. The targets of the loss are centered in some cases, as package compare does.
func TestRulesAgainstOtherPrograms(t *testing.T) {
	x, numbers, labels := goldenPoints()
	centered := append([]float64(nil), labels...)
	floats.AddConst(-0.125, centered)
	g := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}}.Bind(x)
	for _, c := range []struct {
		name string
		rule mkl.Rule
		y    []float64
		want []float64
	}{
		{"two classes", mkl.AlignF{}, labels, []float64{0.21136124132273082, 0, 0.7886387586521624}},
		{"centered labels", mkl.AlignF{}, centered, []float64{0.21136124132273082, 0, 0.7886387586521624}},
		{"numbers", mkl.AlignF{}, numbers, []float64{0, 0.2897885391651668, 0.7102114608348229}},
		{"three classes", mkl.AlignF{}, againstRest(numbers), []float64{0, 0, 1}},
		{"two classes", mkl.EasyMKL{}, labels, []float64{0.3985602643529229, 0.07829818663094185, 0.5231415490161353}},
		{"centered labels", mkl.EasyMKL{}, centered,
			[]float64{0.3985602643529229, 0.07829818663094185, 0.5231415490161353}},
		{"Λ", mkl.EasyMKL{Lambda: 0.5}, labels,
			[]float64{0.45183859686236194, 0.08630182731442756, 0.4618595758232105}},
		{"three classes", mkl.EasyMKL{}, againstRest(numbers),
			[]float64{0.09059295700193819, 0.042585176245937224, 0.8668218667521245}},
	} {
		for _, s := range []set.Set{set.Simplex{}, set.Simplex{Sum: 2}} {
			p := &mkl.Problem{Grams: g, Set: s, Y: c.y, Loss: loss.Repeat(loss.Squared{Lambda: 1}, len(c.y)/x.N)}
			got, err := mkl.EvaluateRule(t.Context(), p, c.rule, 0)
			if err != nil {
				t.Errorf("%v, %s: %v", c.rule, c.name, err)
				continue
			}
			want := append([]float64(nil), c.want...)
			floats.Scale(floats.Sum(got.Theta), want)
			if !floats.EqualApprox(got.Theta, want, 2e-6) || !s.Contains(got.Theta) {
				t.Errorf("%v, %s: weights %v, want %v", c.rule, c.name, got.Theta, want)
			}
		}
	}
}

// TestRulesIgnoreUselessKernels tests that ALIGNF gives a constant base kernel no weight; a repeated one shares its
// weight.
func TestRulesIgnoreUselessKernels(t *testing.T) {
	x, _, labels := goldenPoints()
	constant := kernel.Polynomial{Degree: 1, Gamma: 1e-30, Offset: 1}
	list := kernel.List{kernel.RBF{Gamma: 1}, constant, kernel.RBF{Gamma: 1}}
	p := &mkl.Problem{Grams: list.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: labels}
	theta, err := mkl.AlignF{}.Weights(t.Context(), p)
	if err != nil || theta[1] != 0 || math.Abs(theta[0]+theta[2]-1) > 1e-9 {
		t.Errorf("weights %v of a kernel, a constant one and the first again (%v)", theta, err)
	}
}

func TestRulesErrors(t *testing.T) {
	x, numbers, labels := goldenPoints()
	sum := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}
	ended, end := context.WithCancel(t.Context())
	end()
	for _, rule := range []mkl.Rule{mkl.AlignF{}, mkl.EasyMKL{}} {
		p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.Bind(x), Set: set.Orthant{}, Y: labels,
			Loss: loss.Squared{Lambda: 1}}
		if _, err := rule.Weights(t.Context(), p); !errors.Is(err, mkl.ErrUnsuited) {
			t.Errorf("%v of degree 2: %v", rule, err)
		}
		p.Grams = sum.Bind(x)
		if _, err := rule.Weights(ended, p); err == nil {
			t.Errorf("%v ignores the end of its context", rule)
		}
	}
	p := &mkl.Problem{Grams: sum.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: numbers}
	if _, err := (mkl.EasyMKL{}).Weights(t.Context(), p); !errors.Is(err, mkl.ErrUnsuited) {
		t.Errorf("EasyMKL of numbers: %v", err)
	}
	p.Y = labels
	if _, err := (mkl.EasyMKL{Lambda: 2}).Weights(t.Context(), p); err == nil {
		t.Error("EasyMKL accepts Λ = 2")
	}
}
