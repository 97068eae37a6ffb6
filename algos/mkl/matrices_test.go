package mkl_test

import (
	"context"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func certified(t *testing.T, p *mkl.Problem, s mkl.Solver, gap float64) *mkl.Result {
	t.Helper()
	r, err := mkl.Solve(context.Background(), p, s, &mkl.Settings{Gap: gap, Iterations: 2000})
	if err != nil || r.Status != mkl.Certified {
		t.Fatalf("%v, %v", r, err)
	}
	return r
}

// TestUpToTrace: (4) of Kundu et al. with one similarity and L3 is the problem of Luss and d'Aspremont, but for the
// trace: with the trace of their K it has their K; with another, a larger F.
func TestUpToTrace(t *testing.T) {
	s, y := noisy(15, 0.3, 31)
	free := certified(t, learned(y, 1, 0.4, 0, reg.L3, s), mkl.DualAscent{}, 1e-8)
	trace := floats.Sum(diagonal(free.Theta))
	same := certified(t, learned(y, 1, 0.4, trace, reg.L3, s), mkl.DualAscent{}, 1e-8)
	if math.Abs(same.F-free.F) > 1e-7*free.F || floats.Distance(same.Theta, free.Theta, 2) > 1e-3*floats.Norm(free.Theta, 2) {
		t.Errorf("with its own trace %g: F = %.12g, without one %.12g", trace, same.F, free.F)
	}
	if other := certified(t, learned(y, 1, 0.4, 1.5*trace, reg.L3, s), mkl.DualAscent{}, 1e-8); other.Lower < free.Upper {
		t.Errorf("with another trace F = %g, without one %g", other.F, free.F)
	}
}

func diagonal(theta []float64) []float64 {
	n := int(math.Sqrt(float64(len(theta))))
	d := make([]float64, n)
	for i := range d {
		d[i] = theta[i*n+i]
	}
	return d
}

// TestSpectrumModification: with the eigenvectors of S and free eigenvalues μ near those of S, by L2, it is (7) of
// Kundu et al. for one similarity, the second-order cone program of Chen et al. but for the trace. Then K = Σ_j μ_j
// v_jv_jᵀ: a feature for each eigenvector. It is (4) on fewer matrices, so no better.
func TestSpectrumModification(t *testing.T) {
	s, y := noisy(14, 0.4, 32)
	rest, _ := noisy(14, 1.5, 33) // hardly a kernel
	for name, s := range map[string]*mat.SymDense{"noisy": s, "worse": rest} {
		sp, err := similarity.Decompose(s)
		if err != nil {
			t.Fatal(err)
		}
		x := kernel.Rows{N: 14, D: 14, Data: mat.DenseCopyOf(sp.Vectors).RawMatrix().Data}
		p := &mkl.Problem{Grams: kernel.Features{}.On(x), Set: set.Simplex{Sum: 14},
			Reg: reg.Near{Rho: 0.5, Distance: reg.L2, Targets: [][]float64{sp.Values}}, Loss: loss.Hinge{C: 1}, Y: y}
		narrow := certified(t, p, mkl.DualAscent{}, 1e-6)
		if other := certified(t, p, mkl.ADMM{}, 1e-5); other.Lower > narrow.Upper || narrow.Lower > other.Upper {
			t.Errorf("%s: [%g, %g] and [%g, %g]", name, narrow.Lower, narrow.Upper, other.Lower, other.Upper)
		}
		wide := certified(t, learned(y, 1, 0.5, 14, reg.L2, s), mkl.DualAscent{}, 1e-6)
		if wide.Lower > narrow.Upper {
			t.Errorf("%s: (4) is at least %g, (7) has %g", name, wide.Lower, narrow.Upper)
		}
		// K of both kinds, the same at the spectrum of a K that has these vectors
		mu := make([]float64, 14)
		set.Simplex{Sum: 14}.Project(mu, sp.Values)
		a := p.Grams.New()
		a.At(mu)
		theta := make([]float64, 14*14)
		set.Spectraplex{Trace: 14}.Project(theta, similarity.Vec(s))
		for i := range 14 {
			for j := range i {
				if d := math.Abs(a.K().At(j, i) - theta[j*14+i]); d > 1e-10 {
					t.Fatalf("%s: K[%d,%d] differs by %g", name, j, i, d)
				}
			}
		}
	}
}
