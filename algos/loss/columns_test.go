package loss_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Each column is solved as by itself, on the points that have a target there; the numbers add up.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	n, c := 9, 4
	phi := mat.NewDense(n, 3, nil)
	for i := range n {
		for j := range 3 {
			phi.Set(i, j, r.NormFloat64())
		}
	}
	y := make([]float64, n*c)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	for _, i := range []int{n, n + 3, n + 4, n + 8} {
		y[i] = math.NaN() // of column 2
	}
	for i := range n {
		y[3*n+i] = math.NaN() // nothing in column 4
	}
	of := loss.Squared{Lambda: 0.3}
	l := loss.Repeat(of, c)
	if err := l.Validate(y); err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]loss.Gram{"dense": losstest.Dense(phi), "root": losstest.Low(phi)} {
		var s loss.Solution
		for range 2 { // a second time in the same storage
			if err := l.Solve(t.Context(), &s, g, y, 1e-10); err != nil {
				t.Fatal(err)
			}
		}
		dual, primal, wkw := 0.0, 0.0, 0.0
		for j := range 3 {
			rows, own := alone(t, of, losstest.Dense(phi).K().Dense(), y[j*n:(j+1)*n])
			dual, primal, wkw = dual+own.Dual(), primal+own.Primal, wkw+own.WKW
			for i := range n {
				a := slices.Index(rows, i)
				w := 0.0
				if a >= 0 {
					w = own.W[a]
				}
				if math.Abs(s.W[j*n+i]-w) > 1e-10 {
					t.Errorf("%s, column %d, point %d: w %v, by itself %v", name, j+1, i+1, s.W[j*n+i], w)
				}
			}
		}
		for _, v := range s.W[3*n:] {
			if v != 0 {
				t.Errorf("%s: w of a column without targets is %v", name, s.W[3*n:])
			}
		}
		if math.Abs(s.Dual()-dual) > 1e-10 || math.Abs(s.Primal-primal) > 1e-10 || math.Abs(s.WKW-wkw) > 1e-10 {
			t.Errorf("%s: dual, primal, wKw are %v, %v, %v, summed %v, %v, %v", name, s.Dual(), s.Primal, s.WKW, dual,
				primal, wkw)
		}
		if s.Rounding.Primal <= 0 || s.Rounding.Primal > 1e-10 {
			t.Errorf("%s: rounding %+v", name, s.Rounding)
		}
		judged := loss.Solution{W: slices.Clone(s.W)}
		l.Evaluate(&judged, g, y, nil)
		if math.Abs(judged.Primal-s.Primal) > 1e-12 || !slices.Equal(judged.W, s.W) {
			t.Errorf("%s: judged %+v, solved %+v", name, judged, s)
		}
	}
	if loss.Repeat(of, 1) != loss.Loss(of) {
		t.Error("one column is not the loss itself")
	}
}

// alone solves a column by itself, on the points that have a target, which it returns too.
func alone(t *testing.T, l loss.Loss, k *mat.SymDense, y []float64) (rows []int, s loss.Solution) {
	t.Helper()
	var part []float64
	for i, v := range y {
		if !math.IsNaN(v) {
			rows, part = append(rows, i), append(part, v)
		}
	}
	own := mat.NewSymDense(len(rows), nil)
	for a, i := range rows {
		for b, j := range rows[:a+1] {
			own.SetSym(a, b, k.At(i, j))
		}
	}
	if err := l.Solve(t.Context(), &s, kernel.DenseMatrix(own), part, 1e-9); err != nil {
		t.Fatal(err)
	}
	return rows, s
}

// TestColumnsThreads: columns that run beside each other, on slices of one Gram or on all of it, give the bits
// of one after the other, and each what it gives by itself.
func TestColumnsThreads(t *testing.T) {
	defer linalg.SetThreads(linalg.SetThreads(4))
	const n, c = 240, 6 // groups of 80 points of the same columns
	k, y := noisy(n, 0.05, 11)
	all := make([]float64, 0, n*c)
	for j := range c {
		for i := range n {
			v := y[(i+7*j)%n]
			if j%2 == 0 && (i+j)%3 == 0 {
				v = math.NaN()
			}
			all = append(all, v)
		}
	}
	l := loss.Repeat(loss.Hinge{C: 2}, c)
	var want loss.Solution
	for _, threads := range []int{1, 2, 4} {
		s := loss.Solution{Threads: threads}
		if err := l.Solve(t.Context(), &s, kernel.DenseMatrix(k), all, 1e-9); err != nil {
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
	defer loss.SetMaxStored(loss.SetMaxStored(n*n - 1)) // each column has a copy of its K
	var copied loss.Solution
	if err := l.Solve(t.Context(), &copied, kernel.DenseMatrix(k), all, 1e-9); err != nil {
		t.Fatal(err)
	}
	if math.Abs(copied.Dual()-want.Dual()) > 2e-9*want.Primal || floats.Distance(copied.W, want.W, math.Inf(1)) > 1e-4 {
		t.Errorf("of copies %g, within one K %g", copied.Dual(), want.Dual())
	}
	for j := range c {
		rows, s := alone(t, loss.Hinge{C: 2}, k, all[j*n:(j+1)*n])
		if math.Abs(s.Bias-want.Biases[j]) > 1e-6 {
			t.Errorf("column %d: bias %g, by itself %g", j+1, want.Biases[j], s.Bias)
		}
		for a, p := range rows {
			if math.Abs(s.W[a]-want.W[j*n+p]) > 1e-5 {
				t.Errorf("column %d: w of point %d is %g, by itself %g", j+1, p+1, want.W[j*n+p], s.W[a])
			}
		}
	}
}

// idle is a Hinge that does nothing on two points.
type idle struct{ loss.Hinge }

func (l idle) Slice(rows []int) loss.Loss { return idle{l.Hinge.Slice(rows).(loss.Hinge)} }

func (l idle) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	if len(y) > 2 {
		return l.Hinge.Solve(ctx, s, g, y, tol/10)
	}
	s.W = make([]float64, len(y))
	l.Evaluate(s, g, y, nil)
	return &loss.Inexact{Gap: s.Gap(), Target: tol}
}

// TestColumnsInexact: a column that falls short is an error where all together do, and not where it is little of them.
func TestColumnsInexact(t *testing.T) {
	const n = 40
	phi, y := mat.NewDense(n, 1, nil), make([]float64, 2*n)
	for i := range n {
		phi.Set(i, 0, float64(i%7))
		y[i], y[n+i] = float64(1-2*(i%2)), math.NaN()
	}
	y[n], y[n+1] = 1, -1
	for _, c := range []struct {
		tol   float64
		short bool
	}{{0.2, false}, {1e-3, true}} {
		var s loss.Solution
		err := loss.Repeat(idle{loss.Hinge{C: 1}}, 2).Solve(t.Context(), &s, losstest.Dense(phi), y, c.tol)
		if errors.As(err, new(*loss.Inexact)) != c.short || (s.Gap() <= c.tol) == c.short {
			t.Errorf("gap %.3g, want %g: %v", s.Gap(), c.tol, err)
		}
	}
}
