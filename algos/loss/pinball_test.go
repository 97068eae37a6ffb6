package loss_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

func TestPinball(t *testing.T) {
	for _, tau := range []float64{0.1, 0.5, 0.9} {
		for _, c := range []float64{1e-3, 1, 100} {
			bounds := func(float64) (lo, hi float64) { return (tau - 1) * c, tau * c }
			losstest.TestLoss(t, loss.Pinball{C: c, Tau: tau}, losstest.Options{
				Inputs: losstest.RandomInputs(24, false), MakeFeasible: losstest.ClipToBounds(bounds)})
		}
	}
}

// TestPinballOracle compares with values that are known in other ways.
func TestPinballOracle(t *testing.T) {
	k, y := noisy(101, 0.05, 12)
	for i := range y {
		y[i] += 0.5 * math.Sin(float64(7*i))
	}
	solve := func(l loss.Loss, k *mat.SymDense) loss.Solution {
		t.Helper()
		var s loss.Solution
		if err := l.Solve(t.Context(), &s, kernel.DenseMatrix(k), y, 1e-10); err != nil {
			t.Fatal(err)
		}
		return s
	}
	sorted := slices.Sorted(slices.Values(y))
	for _, tau := range []float64{0.1, 0.25, 0.5, 0.9} {
		l := loss.Pinball{C: 2, Tau: tau}
		// K = 0 leaves the bias alone, which is the empirical quantile: y_(⌈τn⌉)
		s := solve(l, mat.NewSymDense(len(y), nil))
		if want := sorted[int(math.Ceil(tau*float64(len(y))))-1]; math.Abs(s.Bias-want) > 1e-12 {
			t.Errorf("τ = %g, K = 0: b = %g, want the quantile %g", tau, s.Bias, want)
		}
		// at most τn targets are below f + b, at least τn below or on it
		s = solve(l, k)
		kw := mat.NewVecDense(len(y), nil)
		kw.MulVec(k, mat.NewVecDense(len(y), s.W))
		below, on := 0, 0
		for i := range y {
			switch x := y[i] - kw.AtVec(i) - s.Bias; {
			case x < -1e-6:
				below++
			case x <= 1e-6:
				on++
			}
		}
		if n := tau * float64(len(y)); float64(below) > n || float64(below+on) < n || on == 0 {
			t.Errorf("τ = %g: %d of %d targets below f + b and %d on it", tau, below, len(y), on)
		}
	}
	median, insensitive := solve(loss.Pinball{C: 2, Tau: 0.5}, k), solve(loss.EpsilonInsensitive{C: 1}, k)
	if math.Abs(median.Primal-insensitive.Primal) > 1e-8*median.Primal {
		t.Errorf("τ = ½: J = %.12g, of ε-insensitive with ε = 0: %.12g", median.Primal, insensitive.Primal)
	}
}

// Six targets at x = 0 and six at x = 1, with a line for each quantile: the fourth smallest of six is the quantile 0.6,
// the fifth the quantile 0.8.
func ExamplePinball() {
	x := points.Rows{N: 12, D: 1, Data: []float64{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}}
	y := []float64{1, 1, 1, 2, 3, 4, 1, 1, 1, 5, 6, 7}
	g := kernel.List{kernel.Linear{}}.Bind(x).New()
	g.SetTheta([]float64{1})

	for _, tau := range []float64{0.1, 0.6, 0.8} {
		var s loss.Solution
		if err := (loss.Pinball{C: 100, Tau: tau}).Solve(context.Background(), &s, g, y, 1e-9); err != nil {
			fmt.Println(err)
			return
		}
		slope := 0.0
		for i, w := range s.W {
			slope += w * x.Row(i)[0]
		}
		fmt.Printf("quantile %g: %.2f at x = 0, %.2f at x = 1\n", tau, s.Bias, s.Bias+slope)
	}
	// Output:
	// quantile 0.1: 1.00 at x = 0, 1.00 at x = 1
	// quantile 0.6: 2.00 at x = 0, 5.00 at x = 1
	// quantile 0.8: 3.00 at x = 0, 6.00 at x = 1
}
