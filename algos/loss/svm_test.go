package loss_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func signed(c float64) func(w, y []float64) {
	return losstest.ClipToBounds(func(y float64) (lo, hi float64) { return min(0, y*c), max(0, y*c) })
}

func TestHinge(t *testing.T) {
	for _, c := range []float64{1e-3, 1, 100} {
		losstest.TestLoss(t, loss.Hinge{C: c},
			losstest.Options{Inputs: losstest.RandomInputs(21, true)[1:], MakeFeasible: signed(c)})
	}
}

func TestSquaredHinge(t *testing.T) {
	for _, lambda := range []float64{1e-2, 1, 100} {
		losstest.TestLoss(t, loss.SquaredHinge{Lambda: lambda},
			losstest.Options{Inputs: losstest.RandomInputs(22, true)[1:], MakeFeasible: signed(math.Inf(1))})
	}
}

func TestInsensitive(t *testing.T) {
	for _, c := range []float64{1e-3, 1, 100} {
		for _, eps := range []float64{0, 0.1, 10} {
			losstest.TestLoss(t, loss.EpsilonInsensitive{C: c, Epsilon: eps},
				losstest.Options{Inputs: losstest.RandomInputs(23, false),
					MakeFeasible: losstest.ClipToBounds(func(float64) (lo, hi float64) { return -c, c })})
		}
	}
}

// svmProblem is a random one of the given seed, with its loss.
func svmProblem(seed uint64) (l loss.Loss, k *mat.SymDense, y []float64, what string) {
	r := rand.New(rand.NewPCG(seed, 7))
	n := 2 + r.IntN(60)
	d := 1 + r.IntN(n)
	scale := []float64{1, 1, 1e-8, 1e8}[r.IntN(4)]
	c := math.Pow(10, -6+12*r.Float64()) / []float64{1, scale}[r.IntN(2)]
	x := mat.NewDense(n, d, nil)
	y = make([]float64, n)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64())
		}
		if i > 0 && r.IntN(6) == 0 {
			x.SetRow(i, slices.Clone(x.RawRowView(r.IntN(i))))
		}
		y[i] = 1
		if x.At(i, 0)+0.5*r.NormFloat64() > 0 {
			y[i] = -1
		}
	}
	switch r.IntN(5) {
	case 0: // one point of its class
		for i := range y {
			y[i] = 1
		}
	case 1: // separable
		for i := range y {
			y[i] = math.Copysign(1, x.At(i, 0))
		}
	}
	y[0], y[1] = 1, -1
	k = mat.NewSymDense(n, nil)
	k.SymOuterK(scale/float64(d), x)
	if r.IntN(2) == 0 {
		for i := range n {
			for j := i; j < n; j++ {
				k.SetSym(i, j, scale*math.Exp(-math.Pow(floats.Distance(x.RawRowView(i), x.RawRowView(j), 2),
					2)/float64(d)))
			}
		}
	}
	switch r.IntN(4) {
	case 0:
		l = loss.SquaredHinge{Lambda: 1 / c}
	case 1:
		for i := range y {
			y[i] += x.At(i, 0) + 0.1*r.NormFloat64()
		}
		l = loss.EpsilonInsensitive{C: c, Epsilon: []float64{0, 0.1}[r.IntN(2)]}
	default:
		l = loss.Hinge{C: c}
	}
	return l, k, y, fmt.Sprintf("seed %d, n = %d, d = %d, scale %g: %v", seed, n, d, scale, l)
}

// TestSVMRandom tests problems with C from 1e-6 to 1e6, large and small kernels, equal points, classes of one point and
// singular K are solved to 1e-8, or the error is an *Inexact with a gap below the rounding errors. w is feasible, and
// Evaluate gives the same bounds.
func TestSVMRandom(t *testing.T) {
	inexact := 0
	for seed := range uint64(1000) {
		if testenv.Race && seed%10 > 0 {
			continue
		}
		l, k, y, what := svmProblem(seed)
		var s loss.Solution
		g := kernel.DenseMatrix(k)
		err := l.Solve(t.Context(), &s, g, y, 1e-8)
		var e *loss.Inexact
		switch r := s.Rounding; {
		case err == nil && s.Gap() > 1e-8, err != nil && !errors.As(err, &e), s.Iters > 20100+500*len(y):
			t.Errorf("%s: gap %g after %d iterations, %v", what, s.Gap(), s.Iters, err)
		case err != nil:
			inexact++
			hidden := loss.RelativeGap(r.LinearTerm+r.QuadraticTerm/2+r.WKW/2+r.Primal, s.Primal)
			if e.Gap != s.Gap() || e.TargetGap != 1e-8 || s.Gap() > hidden {
				t.Errorf("%s: %v with a gap of %g; rounding hides %.2g", what, err, s.Gap(), hidden)
			}
		}
		if sum := floats.Sum(s.W); math.Abs(sum) > 1e-13*float64(len(y))*floats.Norm(s.W, 1) {
			t.Errorf("%s: Σw = %g, ‖w‖₁ = %g", what, sum, floats.Norm(s.W, 1))
		}
		for i, w := range s.W {
			if h, ok := l.(loss.Hinge); ok && (w*y[i] < 0 || w*y[i] > h.C) {
				t.Errorf("%s: w = %g at label %g", what, w, y[i])
			}
		}
		again := loss.Solution{W: slices.Clone(s.W)}
		l.Evaluate(&again, g, y, nil)
		if r := s.Rounding; math.Abs(s.Dual()-again.Dual()) > 2*(r.LinearTerm+r.QuadraticTerm+r.WKW) ||
			math.Abs(s.Primal-again.Primal) > 2*r.Primal {
			t.Errorf("%s: Solve gives %g and %g, Evaluate %g and %g", what, s.Dual(), s.Primal, again.Dual(),
				again.Primal)
		}
	}
	if t.Logf("%d of 1000 inexact", inexact); inexact > 100 {
		t.Errorf("%d of 1000 not solved to 1e-8", inexact)
	}
}

// TestRefuses tests the errors of Validate for parameters and targets, and that Slice accepts a nil loss.
func TestRefuses(t *testing.T) {
	y := []float64{1, -1}
	weighted := func(w ...float64) loss.Loss { return loss.Hinge{C: 1, Weights: w} }
	for _, c := range []struct {
		l    loss.Loss
		y    []float64
		want string
	}{
		{loss.Hinge{}, y, "loss: hinge loss has C = 0; use a finite C > 0"},
		{loss.Hinge{C: math.NaN()}, y, "C = NaN"},
		{loss.Hinge{C: 1}, []float64{1, 1}, "loss: all 2 labels are 1; include points of both classes, 1 and −1"},
		{loss.Hinge{C: 1}, []float64{1, 0}, "loss: the label of point 2 is 0; this loss needs labels 1 and −1"},
		{weighted(1), y, "loss: got 1 point weights for 2 points; pass one for each point, or nil"},
		{weighted(1, 0), y, "loss: the weight of point 2 is 0; use a number from 1e-100 to 1e100"},
		{loss.SquaredHinge{}, y, "loss: squared hinge loss has λ = 0; use a λ from 1e-100 to 1e100"},
		{loss.EpsilonInsensitive{C: 1, Epsilon: -1}, y, "loss: ε-insensitive loss has ε = -1; use a finite ε ≥ 0"},
		{loss.Squared{}, y, "loss: squared loss has λ = 0; use a λ from 1e-100 to 1e100"},
		{loss.BlockNorm{}, y, "BlockNorm has no Loss"},
		{loss.BlockNorm{Loss: loss.BlockNorm{Loss: loss.Hinge{C: 1}}}, y, "the Loss of BlockNorm is a BlockNorm"},
		{loss.BlockNorm{Loss: loss.Columns{Loss: loss.Hinge{C: 1}, Count: 2}}, y, "use a loss with one column"},
		{loss.Columns{Count: 2}, y, "pass Count columns of equal length"},
		{loss.Columns{Loss: loss.Columns{Loss: loss.Squared{Lambda: 1}, Count: 1}, Count: 2}, y,
			"the Loss of Columns is a Columns"},
		{loss.Columns{Loss: loss.Squared{Lambda: 1}, Count: 3}, y, "pass Count columns of equal length"},
		{loss.Columns{Loss: loss.Squared{Lambda: 1}, Count: 2}, []float64{math.NaN(), math.NaN()},
			"no targets in any column"},
		{loss.Columns{Loss: loss.Squared{Lambda: 1}, Count: 1}, []float64{1, math.NaN()},
			"column 1: loss: target 2 is NaN"},
	} {
		if err := c.l.Validate(c.y); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.l, err, c.want)
		}
	}
}

// TestWeights tests that a point of weight 2 counts as two equal points. Slice takes the weights of its rows.
func TestWeights(t *testing.T) {
	in := losstest.RandomInputs(31, true)[2]
	n, d := in.Phi.Dims()
	twice, y := mat.NewDense(n+1, d, nil), append(slices.Clone(in.Y), in.Y[4])
	twice.Copy(in.Phi)
	twice.SetRow(n, in.Phi.RawRowView(4))
	w, reversed := slices.Repeat([]float64{1}, n), make([]int, n)
	w[4] = 2
	for i := range reversed {
		reversed[i] = n - 1 - i
	}
	for _, p := range [][2]loss.Loss{
		{loss.Hinge{C: 0.7, Weights: w}, loss.Hinge{C: 0.7}},
		{loss.Squared{Lambda: 0.7, Weights: w}, loss.Squared{Lambda: 0.7}},
		{loss.SquaredHinge{Lambda: 0.7, Weights: w}, loss.SquaredHinge{Lambda: 0.7}},
		{loss.EpsilonInsensitive{C: 0.7, Epsilon: 0.1, Weights: w}, loss.EpsilonInsensitive{C: 0.7, Epsilon: 0.1}},
	} {
		if again := p[0].Slice(reversed).Slice(reversed); !reflect.DeepEqual(again, p[0]) {
			t.Errorf("%v reversed twice is %v", p[0], again)
		}
		var a, b loss.Solution
		if err := errors.Join(p[0].Solve(t.Context(), &a, losstest.DenseGram(in.Phi), in.Y, 1e-10),
			p[1].Solve(t.Context(), &b, losstest.DenseGram(twice), y, 1e-10)); err != nil {
			t.Fatal(err)
		}
		if math.Abs(a.Primal-b.Primal) > 1e-8*b.Primal {
			t.Errorf("%v: J = %.12g with weight 2, %.12g with the point twice", p[0], a.Primal, b.Primal)
		}
	}
}

// noisy is a problem that takes long: overlapping classes, an RBF kernel, large C.
func noisy(n int, gamma float64, seed uint64) (*mat.SymDense, []float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	const d = 20
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64())
		}
		y[i] = math.Copysign(1, x.At(i, 0)*x.At(i, 1)+math.Sin(2*x.At(i, 2))+0.3*r.NormFloat64())
	}
	k := mat.NewSymDense(n, nil)
	k.SymOuterK(1, x)
	if gamma > 0 {
		sq := make([]float64, n)
		for i := range n {
			sq[i] = k.At(i, i)
		}
		for i := range n {
			for j := i; j < n; j++ {
				k.SetSym(i, j, math.Exp(-gamma*(sq[i]+sq[j]-2*k.At(i, j))))
			}
		}
	}
	return k, y
}

// TestInexact tests that the message tells why the solver ended. A gap below the last digit is not the limit of
// iterations.
func TestInexact(t *testing.T) {
	for want, e := range map[string]*loss.Inexact{"reached its iteration limit": {IterationLimitReached: true},
		"stalled": {}, "was stopped": {Cause: context.Canceled}} {
		if !strings.Contains(e.Error(), want) {
			t.Errorf("%q, want %q", e.Error(), want)
		}
	}
	k, y := noisy(60, 0.05, 9)
	var s loss.Solution
	var inexact *loss.Inexact
	err := loss.Hinge{C: 1e3}.Solve(t.Context(), &s, kernel.DenseMatrix(k), y, 1e-20)
	if err != nil && (!errors.As(err, &inexact) || inexact.IterationLimitReached) {
		t.Errorf("%v after %d iterations, want a stall", err, s.Iters)
	}
}

// TestSVMTogether tests that solves that run at once, in storage that others have left, give the bits of a solve alone.
func TestSVMTogether(t *testing.T) {
	const problems = 40
	solve := func(seed uint64) []float64 {
		l, k, y, what := svmProblem(seed)
		var s loss.Solution
		if err := l.Solve(context.Background(), &s, kernel.DenseMatrix(k), y, 1e-8); err != nil &&
			!errors.As(err, new(*loss.Inexact)) {
			t.Errorf("%s: %v", what, err)
		}
		return append(s.W, s.Bias, s.Primal, s.Rounding.Primal, float64(s.Iters))
	}
	var want [problems][]float64
	for i := range want {
		want[i] = solve(uint64(i))
	}
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range want {
				i = (i*7 + g*11) % problems
				if got := solve(uint64(i)); !slices.Equal(got, want[i]) {
					t.Errorf("problem %d is solved otherwise", i)
				}
			}
		})
	}
	all.Wait()
}

// TestSVMRows tests that the solution has the same bits if K of the active points is not copied.
func TestSVMRows(t *testing.T) {
	k, y := noisy(200, 0.05, 8)
	var copied, single loss.Solution
	if err := (loss.Hinge{C: 10}).Solve(t.Context(), &copied, kernel.DenseMatrix(k), y, 1e-10); err != nil {
		t.Fatal(err)
	}
	defer loss.SetMaxStored(loss.SetMaxStored(1))
	err := loss.Hinge{C: 10}.Solve(t.Context(), &single, kernel.DenseMatrix(k), y, 1e-10)
	if err != nil || !slices.Equal(copied.W, single.W) {
		t.Errorf("another w: %v", err)
	}
}

// TestSVMStarts tests that a start of any size is made feasible and leads to the solution.
func TestSVMStarts(t *testing.T) {
	in := losstest.RandomInputs(3, true)[1]
	var best loss.Solution
	for _, size := range []float64{0, 1e3, 1e14, 3.3e15, 1e26} {
		s := loss.Solution{W: slices.Clone(in.Y)}
		floats.Scale(size, s.W)
		err := loss.Hinge{C: 1}.Solve(t.Context(), &s, losstest.DenseGram(in.Phi), in.Y, 1e-10)
		if size == 0 {
			best = s
		}
		if err != nil || math.Abs(s.Dual()-best.Dual()) > 1e-8*best.Dual() {
			t.Errorf("from %g: %v, dual %g, want %g", size, err, s.Dual(), best.Dual())
		}
	}
}

// TestSVMIndefinite tests that a K that is not positive semidefinite is an error where the solution shows it.
func TestSVMIndefinite(t *testing.T) {
	var s loss.Solution
	err := (loss.Hinge{C: 1}).Solve(t.Context(), &s, kernel.DenseMatrix(mat.NewSymDense(2, []float64{1, 2, 2, 1})),
		[]float64{1, -1}, 1e-9)
	if !errors.Is(err, loss.ErrNotPSD) {
		t.Errorf("%v, w = %v, want ErrNotPSD", err, s.W)
	}
}
