package loss_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestColumnsOfQuantiles tests that each column has the solution of its own τ. Another number of Taus is refused.
func TestColumnsOfQuantiles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	phi, y := mat.NewDense(9, 3, nil), make([]float64, 9)
	phi.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, phi)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	g, taus := losstest.DenseGram(phi), []float64{0.2, 0.5, 0.9}
	l := loss.Repeat(loss.Pinball{C: 2, Taus: taus}, 3)
	var s loss.Solution
	repeated := slices.Repeat(y, 3)
	if err := cmp.Or(l.Validate(repeated), l.Solve(t.Context(), &s, g, repeated, 1e-9)); err != nil {
		t.Fatal(err)
	}
	for j, tau := range taus {
		var one loss.Solution
		if err := (loss.Pinball{C: 2, Tau: tau}).Solve(t.Context(), &one, g, y, 1e-9); err != nil {
			t.Fatal(err)
		}
		if !floats.EqualApprox(s.W[9*j:9*j+9], one.W, 1e-4) || math.Abs(s.Biases[j]-one.Bias) > 1e-4 {
			t.Errorf("τ = %g: w %.4g and bias %g, alone %.4g and %g", tau, s.W[9*j:9*j+9], s.Biases[j], one.W, one.Bias)
		}
	}
	for _, wrong := range []loss.Loss{loss.Repeat(loss.Pinball{C: 2, Taus: taus}, 2), loss.Pinball{C: 2, Taus: taus},
		loss.Repeat(loss.Pinball{C: 2, Taus: []float64{0.9, 0.5}}, 2)} {
		if wrong.Validate(slices.Repeat(y, max(wrong.Traits().Columns, 1))) == nil {
			t.Errorf("%v is accepted for other columns", wrong)
		}
	}
	if w := []float64{1, 2}; !slices.Equal(loss.PointWeights(loss.Repeat(loss.Hinge{Weights: w}, 3)), w) ||
		!slices.Equal(loss.PointWeights(loss.BlockNorm{Loss: loss.Hinge{Weights: w}}), w) ||
		loss.PointWeights(loss.Squared{}) != nil {
		t.Error("PointWeights does not return the weights")
	}
}

// TestColumns tests that each column has the solution that it has by itself, and the numbers add up. A column of NaN
// has w = 0.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	n, c := 9, 4
	phi := mat.NewDense(n, 3, nil)
	phi.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, phi)
	y := make([]float64, n*c)
	for i := range y {
		y[i] = r.NormFloat64()
		if i/n == 1 {
			y[i] = math.NaN()
		}
	}
	single := loss.Squared{Lambda: 0.3}
	l := loss.Repeat(single, c)
	if err := l.Validate(y); err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]loss.Gram{"dense": losstest.DenseGram(phi), "root": losstest.LowRankGram(phi)} {
		var s, sum loss.Solution
		for range 2 { // a second time in the same storage
			if err := l.Solve(t.Context(), &s, g, y, 1e-10); err != nil {
				t.Fatal(err)
			}
		}
		for j := range c {
			own := loss.Solution{W: make([]float64, n)}
			if targets := y[j*n : (j+1)*n]; j != 1 {
				if err := single.Solve(t.Context(), &own, g, targets, 1e-10); err != nil {
					t.Fatal(err)
				}
			}
			sum.LinearTerm, sum.QuadraticTerm = sum.LinearTerm+own.LinearTerm, sum.QuadraticTerm+own.QuadraticTerm
			sum.WKW, sum.Primal = sum.WKW+own.WKW, sum.Primal+own.Primal
			if d := floats.Distance(s.W[j*n:(j+1)*n], own.W, math.Inf(1)); d > 1e-10 {
				t.Errorf("%s: w of column %d differs by %g from the w of the column by itself", name, j+1, d)
			}
		}
		if math.Abs(s.Dual()-sum.Dual()) > 1e-10 || math.Abs(s.Primal-sum.Primal) > 1e-10 ||
			math.Abs(s.WKW-sum.WKW) > 1e-10 {
			t.Errorf("%s: the solution is %+v, the sum of the columns %+v", name, s, sum)
		}
		if s.Rounding.Primal <= 0 || s.Rounding.Primal > 1e-10 {
			t.Errorf("%s: rounding %+v", name, s.Rounding)
		}
		evaluated := loss.Solution{W: slices.Clone(s.W)}
		l.Evaluate(&evaluated, g, y, nil)
		if math.Abs(evaluated.Primal-s.Primal) > 1e-12 || !slices.Equal(evaluated.W, s.W) {
			t.Errorf("%s: Evaluate gives %+v, Solve %+v", name, evaluated, s)
		}
	}
	if !reflect.DeepEqual(loss.Repeat(single, 1), loss.Loss(single)) {
		t.Error("one column is not the loss itself")
	}
}

// TestColumnsThreads tests that the number of threads changes no bit, and each column has the solution that it has by
// itself.
func TestColumnsThreads(t *testing.T) {
	defer linalg.SetThreads(linalg.SetThreads(4))
	const n, c = 80, 6
	k, labels := noisy(n, 0.05, 11)
	var y []float64
	for j := range c {
		y = append(append(y, labels[7*j:]...), labels[:7*j]...)
	}
	l := loss.Repeat(loss.Hinge{C: 2}, c)
	var want loss.Solution
	for _, threads := range []int{1, 2, 4} {
		s := loss.Solution{Threads: threads}
		if err := l.Solve(t.Context(), &s, kernel.DenseMatrix(k), y, 1e-9); err != nil {
			t.Fatal(err)
		}
		if threads == 1 {
			want = s
		}
		if !slices.Equal(s.W, want.W) || !slices.Equal(s.Biases, want.Biases) || s.Primal != want.Primal ||
			s.Rounding != want.Rounding {
			t.Errorf("%d threads: another solution", threads)
		}
	}
	for j := range c {
		var s loss.Solution
		if err := (loss.Hinge{C: 2}).Solve(t.Context(), &s, kernel.DenseMatrix(k), y[j*n:(j+1)*n], 1e-9); err != nil {
			t.Fatal(err)
		}
		if s.Bias != want.Biases[j] || !slices.Equal(s.W, want.W[j*n:(j+1)*n]) {
			t.Errorf("column %d: another solution than by itself", j+1)
		}
	}
}

// halfway is a Hinge that does nothing if the first label is −1.
type halfway struct{ loss.Hinge }

func (l halfway) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	if y[0] > 0 {
		return l.Hinge.Solve(ctx, s, g, y, tol/10)
	}
	s.W = make([]float64, len(y))
	l.Evaluate(s, g, y, nil)
	return &loss.Inexact{Gap: s.Gap(), TargetGap: tol}
}

// TestColumnsInexact tests that an inexact column is an error only if it makes the gap of the sum too large.
func TestColumnsInexact(t *testing.T) {
	const n = 40
	phi, y := mat.NewDense(n, 1, nil), make([]float64, 2*n)
	for i := range n {
		phi.Set(i, 0, float64(i%7))
		y[i], y[n+i] = float64(1-2*(i%2)), -1
	}
	y[2*n-1] = 1
	for _, c := range []struct {
		tol     float64
		inexact bool
	}{{0.2, false}, {1e-3, true}} {
		var s loss.Solution
		err := loss.Repeat(halfway{loss.Hinge{C: 1}}, 2).Solve(t.Context(), &s, losstest.DenseGram(phi), y, c.tol)
		if errors.As(err, new(*loss.Inexact)) != c.inexact || (s.Gap() <= c.tol) == c.inexact {
			t.Errorf("gap %.3g for tol %g: %v", s.Gap(), c.tol, err)
		}
	}
}
