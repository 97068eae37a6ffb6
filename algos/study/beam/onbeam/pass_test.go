package onbeam

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
)

// TestImages: a certificate whose passes are made of parts on Beam is that of passes made here, to rounding, and its
// bracket holds the minimum, which another solver finds.
func TestImages(t *testing.T) {
	const n, parts = 300, 5
	x := normal(n, 4).X
	f := kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 0.05}, kernel.RBF{Gamma: 0.5}, kernel.Linear{}},
		Prepare: kernel.Prepare{kernel.Standardize}, Normalize: kernel.MeanDiagonal}
	g, rng := f.On(x), rand.New(rand.NewPCG(3, 4))
	p := &mkl.Problem{Grams: g, Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: make([]float64, n)}
	for i := range p.Y {
		p.Y[i] = math.Sin(x.(kernel.Rows).Row(i)[0]) + 0.1*rng.NormFloat64()
	}
	solved, err := mkl.Solve(t.Context(), p, mkl.SPG{}, &mkl.Settings{Gap: 1e-8})
	if err != nil || solved.Status != mkl.Certified {
		t.Fatal(solved, err)
	}

	for _, store := range []string{t.TempDir(), "memfs://images"} {
		made := Images(f, x, parts, store)
		sweep := must(g.(kernel.Sweepable).Sweep())
		m, _ := g.Dims()
		matrix := func() [][]float64 {
			a := make([][]float64, m)
			for k := range a {
				a[k] = make([]float64, n)
			}
			return a
		}
		got, again, want, diagonals := matrix(), matrix(), matrix(), matrix()
		sweep.Diagonals(diagonals, make([]float64, m))
		if err := sweep.Images(t.Context(), want, solved.W, 0, 1); err != nil {
			t.Fatal(err)
		}
		if err := made(t.Context(), got, solved.W); err != nil {
			t.Fatal(err)
		}
		e := 2*sweep.Error() + (parts+1)*linalg.Epsilon
		for k := range m {
			size := 0.0
			for i, w := range solved.W {
				size += math.Sqrt(diagonals[k][i]) * math.Abs(w)
			}
			for i := range n {
				if d := math.Abs(got[k][i] - want[k][i]); !(d <= e*math.Sqrt(diagonals[k][i])*size) {
					t.Errorf("%s, kernel %d: %g, want %g", store, k, got[k][i], want[k][i])
				}
			}
			if a, b := floats.Dot(solved.W, got[k]), floats.Dot(solved.W, want[k]); b == 0 ||
				math.Abs(a-b) > 4*e*size*size {
				t.Errorf("%s: g_%d = %g, here %g", store, k, a, b)
			}
		}
		canceled, cancel := context.WithCancel(t.Context()) // what is kept needs no element
		cancel()
		if err := made(canceled, again, solved.W); err != nil || !floats.Equal(again[1], got[1]) {
			t.Errorf("%s: again %v", store, err)
		}
		says(t, made(canceled, again, p.Y), "canceled")

		q, err := p.SweptBy(parts, made)
		if err != nil {
			t.Fatal(err)
		}
		rough := make([]float64, n) // of the minimum, coefficients are off
		for i, w := range solved.W {
			rough[i] = w * (1 + 0.02*float64(i%3))
		}
		near := must(p.CertifyAt(t.Context(), solved.Theta, rough))
		far := must(q.CertifyAt(t.Context(), solved.Theta, rough))
		if !(far.Lower <= solved.F && solved.Lower <= far.Upper && far.Upper-far.Lower < 0.1*solved.F) ||
			math.Abs(far.Lower-near.Lower)+math.Abs(far.Upper-near.Upper) > 1e-9*solved.F {
			t.Errorf("%s: %v, here %v, the minimum is %v", store, far, near, solved.F)
		}
	}
}

// TestImagesWrong: a sum of other than all parts is refused, and so is a family that cannot be swept.
func TestImagesWrong(t *testing.T) {
	x := normal(20, 2).X
	w, dst := make([]float64, 20), [][]float64{make([]float64, 20)}
	q := pass{Parts: 3, Store: t.TempDir()}
	says(t, keep{}.ProcessElement(t.Context(), 0, []float64{1, 2, 2}, q), "the sum of 2 parts of a pass, want 3")
	if kept := files(t, q.Store); len(kept) > 0 {
		t.Errorf("kept %v", kept)
	}
	centred := kernel.Sum{Kernels: kernel.List{kernel.Linear{}}, Centre: true}
	says(t, Images(centred, x, 3, t.TempDir())(t.Context(), dst, w), "centred")
	says(t, Images(centred, x, 0, t.TempDir())(t.Context(), dst, w), "no parts")
}
