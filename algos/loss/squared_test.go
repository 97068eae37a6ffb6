package loss_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/linalg/linalgtest"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func TestSquared(t *testing.T) {
	for _, lambda := range []float64{1e-2, 1, 100} {
		losstest.TestLoss(t, loss.Squared{Lambda: lambda}, losstest.Options{
			Inputs: losstest.RandomInputs(11, false), MakeFeasible: func(w, y []float64) {}})
	}
}

// TestSquaredWeights tests the contract with weights from 1e-3 to 1e3, and that the solution solves (K + λV⁻¹)w = y, by
// gonum's LU factorization, if K is a matrix and if it is ΦΦᵀ.
func TestSquaredWeights(t *testing.T) {
	for _, in := range losstest.RandomInputs(12, false) {
		r := rand.New(rand.NewPCG(5, 6))
		weights := make([]float64, len(in.Y))
		for i := range weights {
			weights[i] = math.Pow(10, 6*r.Float64()-3)
		}
		l := loss.Squared{Lambda: 0.3, Weights: weights}
		losstest.TestLoss(t, l, losstest.Options{Inputs: []losstest.Input{in}, MakeFeasible: func(w, y []float64) {}})
		for _, g := range []loss.Gram{losstest.DenseGram(in.Phi), losstest.LowRankGram(in.Phi)} {
			a, want := mat.DenseCopyOf(g.K().Dense()), new(mat.VecDense)
			for i, v := range weights {
				a.Set(i, i, a.At(i, i)+0.3/v)
			}
			var s loss.Solution
			if err := errors.Join(want.SolveVec(a, mat.NewVecDense(len(in.Y), in.Y)),
				l.Solve(t.Context(), &s, g, in.Y, 0)); err != nil {
				t.Fatal(err)
			}
			if d := floats.Distance(s.W, want.RawVector().Data, 2); !(d < 1e-9*floats.Norm(s.W, 2)) {
				t.Errorf("%d points: w differs by %g from %g", len(in.Y), d, want.RawVector().Data)
			}
		}
	}
	if err := (loss.Squared{Lambda: 1, Weights: []float64{1, 0}}).Validate([]float64{1, 2}); err == nil {
		t.Error("a weight of 0 is valid")
	}
}

// bounded returns k whose entries have the relative error u.
func bounded(k *mat.SymDense, u float64) *kernel.Matrix {
	return kernel.NewMatrix(k.SymmetricDim(), kernel.Form{
		Dense:       func() *mat.SymDense { return k },
		ErrorBounds: func() (entries, shift, lift float64) { return u, 0, 0 },
	})
}

// TestAccuracyUnsaid tests that entries of a Gram without error bounds are assumed to be rounded.
func TestAccuracyUnsaid(t *testing.T) {
	g := kernel.DenseMatrix(mat.NewSymDense(2, []float64{3, 1, 1, 2}))
	y := []float64{1, -1}
	for _, l := range []loss.Loss{loss.Squared{Lambda: 1}, loss.Hinge{C: 1}} {
		var said, unsaid loss.Solution
		if err := errors.Join(l.Solve(t.Context(), &said, bounded(g.Dense(), 0), y, 1e-9),
			l.Solve(t.Context(), &unsaid, g, y, 1e-9)); err != nil {
			t.Fatal(err)
		}
		if !(unsaid.Rounding.Primal > 1.5*said.Rounding.Primal) {
			t.Errorf("%v: rounding %g, of exact entries %g", l, unsaid.Rounding.Primal, said.Rounding.Primal)
		}
	}
}

// TestSquaredSmallLambda tests that the refined Woodbury solve keeps what the plain one loses where λ is
// far below the eigenvalues of K.
func TestSquaredSmallLambda(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 40
	phi := mat.NewDense(n, 3, nil)
	y := make([]float64, n)
	for i := range n {
		for j := range 3 {
			phi.Set(i, j, 1e3*r.NormFloat64())
		}
		y[i] = r.NormFloat64()
	}
	l := loss.Squared{Lambda: 1e-6}
	var s loss.Solution
	if err := l.Solve(t.Context(), &s, losstest.LowRankGram(phi), y, 0); err != nil {
		t.Fatal(err)
	}
	// by the singular values σ of Φ: α = (y − UUᵀy)/λ + U diag(1/(σ²+λ)) Uᵀy
	var svd mat.SVD
	svd.Factorize(phi, mat.SVDThin)
	var u mat.Dense
	svd.UTo(&u)
	var c, in, out mat.VecDense
	c.MulVec(u.T(), mat.NewVecDense(n, y))
	in.MulVec(&u, &c)
	for j, v := range svd.Values(nil) {
		c.SetVec(j, c.AtVec(j)/(v*v+l.Lambda))
	}
	out.MulVec(&u, &c)
	for i := range n {
		want := (y[i]-in.AtVec(i))/l.Lambda + out.AtVec(i)
		if math.Abs(s.W[i]-want) > 1e-3 { // of 1e6: ε/λ times a few
			t.Fatalf("α[%d] = %.12g, want %.12g", i, s.W[i], want)
		}
	}
	if gap := s.Primal - s.Dual(); gap < -1e-9*s.Primal || gap > 1e-5*s.Primal { // Kα is known to ε|φ|²|α| only
		t.Errorf("primal %g, dual %g", s.Primal, s.Dual())
	}
}

// TestSquaredIndefinite tests that K + λI that is not positive definite is an error, and leaves a feasible w.
func TestSquaredIndefinite(t *testing.T) {
	g := kernel.DenseMatrix(mat.NewSymDense(2, []float64{1, 3, 3, 1})) // eigenvalues 4, −2
	var s loss.Solution
	err := loss.Squared{Lambda: 1}.Solve(t.Context(), &s, g, []float64{1, 2}, 0)
	if !errors.Is(err, loss.ErrNotPSD) {
		t.Fatalf("indefinite K: %v", err)
	}
	weighted := loss.Squared{Lambda: 1, Weights: []float64{4, 0.5}}.Solve(t.Context(), &s, g, []float64{1, 2}, 0)
	if !errors.Is(weighted, loss.ErrNotPSD) || !strings.Contains(weighted.Error(), "less unequal weights") ||
		strings.Contains(weighted.Error(), ": K + 1·I") {
		t.Errorf("indefinite K with weights of points: %v", weighted)
	}
	if len(s.W) != 2 || s.Factor != nil {
		t.Errorf("after an error: w = %v, want a feasible one without a factor", s.W)
	}
	if err := (loss.Squared{Lambda: 3}).Solve(t.Context(), &s, g, []float64{1, 2}, 0); err != nil {
		t.Errorf("K + 3I is positive definite: %v", err)
	}
}

func ExampleSquared() {
	k := mat.NewSymDense(2, []float64{3, 0, 0, 0})
	var s loss.Solution
	if err := (loss.Squared{Lambda: 1}).Solve(context.Background(), &s, kernel.DenseMatrix(k), []float64{4, 2},
		0); err != nil {
		panic(err)
	}
	fmt.Println(s.W, s.Dual(), s.Primal)
	// Output: [1 2] 4 4
}

// TestSquaredThreads tests that with Threads = 1, a solve in a program of 8 threads has the bits of a program of one
// thread.
func TestSquaredThreads(t *testing.T) {
	linalgtest.RequireLibrary(t)
	const n = 600 // from where on a library's factor is cut
	r := rand.New(rand.NewPCG(1, 5))
	phi, y := mat.NewDense(n, n-1, nil), make([]float64, n)
	phi.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, phi)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	for name, g := range map[string]loss.Gram{"K": losstest.DenseGram(phi), "root": losstest.LowRankGram(phi)} {
		solve := func(program, bound int) []float64 {
			defer linalg.SetThreads(linalg.SetThreads(program))
			s := loss.Solution{Threads: bound}
			if err := (loss.Squared{Lambda: 1}).Solve(t.Context(), &s, g, y, 0); err != nil {
				t.Fatal(err)
			}
			s.Factor.Release()
			return s.W
		}
		want := solve(1, 0)
		if !slices.Equal(solve(8, 1), want) {
			t.Errorf("%s: Threads = 1 gives other bits than a program with one thread", name)
		}
		// The control depends on how the library divides the work on this processor.
		if slices.Equal(solve(8, 0), want) {
			t.Logf("%s: 8 threads give the bits of one on this processor, so the check above cannot fail here", name)
		}
	}
}

// TestSquaredZero tests that for targets 0 the minimum is 0, also if nothing is known of the errors of K.
func TestSquaredZero(t *testing.T) {
	g := bounded(mat.NewSymDense(2, []float64{3, 1, 1, 2}), math.Inf(1))
	var s loss.Solution
	err := loss.Squared{Lambda: 1}.Solve(t.Context(), &s, g, make([]float64, 2), 0)
	if err != nil || s.Primal != 0 || s.Rounding.Primal != 0 || s.Rounding.WKW != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}
