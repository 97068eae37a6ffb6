package mkl_test

import (
	"context"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/mat"
)

func TestFrankWolfe(t *testing.T) {
	t.Run("open loop", func(t *testing.T) {
		mkltest.TestSolver(t, mkl.FrankWolfe{}, mkltest.Options{Gap: 2e-3, Warm: -1})
	})
	t.Run("exact", func(t *testing.T) {
		mkltest.TestSolver(t, mkl.FrankWolfe{Exact: true}, mkltest.Options{Gap: 5e-4, Warm: 20})
	})
}

// TestFrankWolfeRate: F(θ_k) − min F ≤ 2C/(k+2) with a computed bound of C. For the squared loss
// dᵀ∇²J d = wᵀK(d) (K+λI)⁻¹ K(d)w, ‖w‖ ≤ ‖y‖/λ, and −κI ⪯ K(s−θ) ⪯ κI with κ = max_k ‖K_k‖:
// C ≤ κ²‖y‖²/λ³ on the simplex.
func TestFrankWolfeRate(t *testing.T) {
	x, y := mkltest.Points(30, 3, 11)
	g := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1},
		kernel.Laplacian{Gamma: 0.5}}, Normalize: kernel.MeanDiagonal}.On(x)
	m, _ := g.Dims()
	kappa, yy := 0.0, 0.0
	for k := range m {
		gram, e := g.New(), make([]float64, m)
		e[k] = 1
		gram.At(e)
		var eig mat.EigenSym
		if !eig.Factorize(gram.K(), false) {
			t.Fatal("no eigenvalues")
		}
		kappa = math.Max(kappa, eig.Values(nil)[len(y)-1])
	}
	for _, v := range y {
		yy += v * v
	}
	for _, lambda := range []float64{kappa, 3 * kappa} {
		p := &mkl.Problem{Grams: g, Set: set.Simplex{}, Loss: loss.Squared{Lambda: lambda}, Y: y}
		r, err := mkl.Solve(context.Background(), p, mkl.SPG{}, &mkl.Settings{Gap: 1e-12})
		if err != nil {
			t.Fatal(err)
		}
		c := kappa * kappa * yy / (lambda * lambda * lambda)
		first, told := 0.0, false
		for it, err := range mkl.Steps(context.Background(), p, mkl.FrankWolfe{}, nil) {
			if err != nil {
				t.Fatal(err)
			}
			if it.K == 0 {
				first = it.F() - r.F
				continue
			}
			bound := 2 * c / float64(it.K+2)
			told = told || bound < first // else the bound says nothing
			if it.F()-r.F > bound+1e-10*r.F {
				t.Errorf("λ = %g: F − min F = %g after %d steps, want ≤ %g", lambda, it.F()-r.F, it.K, bound)
			}
			if it.K == 300 {
				break
			}
		}
		if !told {
			t.Errorf("λ = %g: 2C/(k+2) never fell below the first gap, %g", lambda, first)
		}
	}
}

// TestDescends: every step of these solvers makes F smaller, but for its rounding and that of inner solves.
func TestDescends(t *testing.T) {
	for _, s := range []mkl.Solver{mkl.FrankWolfe{Exact: true}, mkl.ClosedForm{}} {
		steps := 0
		for _, c := range mkltest.Cases() {
			if _, err := s.Requirements(c.Problem); err != nil {
				continue
			}
			r, err := mkl.Solve(t.Context(), c.Problem, s, &mkl.Settings{Gap: 1e-4, Iterations: 100})
			if err != nil {
				t.Fatal(err)
			}
			for i := 2; i < len(r.Trace); i++ { // the first step may enter Θ
				steps++
				if r.Trace[i].F > r.Trace[i-1].F*(1+1e-8) {
					t.Errorf("%v, %s: F grows from %.12g to %.12g at step %d", s, c.Name, r.Trace[i-1].F, r.Trace[i].F,
						i)
				}
			}
		}
		if steps < 50 {
			t.Errorf("%v: only %d steps were seen", s, steps)
		}
	}
}
