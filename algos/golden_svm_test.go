package algos_test

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// Products of Gaussians, schema svm_family/1.

type pklInput struct {
	X             [][]float64
	Y             []float64
	C, B1, Sigma  float64
	Gamma, Gamma0 []float64
}

func (in *pklInput) problem() *mkl.Problem {
	p := &mkl.Problem{Grams: kernel.Gaussians{}.Bind(points.NewRows(in.X)),
		Set: set.Orthant{}, Loss: loss.Hinge{C: in.C},
		Y: in.Y}
	if in.Sigma > 0 {
		p.Reg = reg.Lasso{Beta: in.Sigma}
	}
	return p
}

func (g *golden) pklValueGradient(input, expected []byte, tol map[string]float64) {
	var in pklInput
	var want struct {
		Objective, Bias float64
		Alpha, Gradient []float64
		P               []float64   `json:"direction_p"`
		Row             []float64   `json:"K_row0"`
		Hessian         [][]float64 `json:"hessian_lambda"`
	}
	g.read(input, expected, &in, &want)
	pt := g.at(in.problem(), in.Gamma)
	g.num("objective", pt.F(), want.Objective, tol["objective"])
	g.near("alpha", unsigned(pt.W, in.Y), want.Alpha, tol["alpha"])
	g.num("bias", pt.Bias, want.Bias, tol["bias"])
	g.near("gradient", pt.Grad(), want.Gradient, tol["gradient"])
	g.near("p", scaled(-1, pt.Grad()), want.P, tol["gradient"])
	row := make([]float64, len(in.Y))
	for j := range row {
		row[j] = pt.Gram.K().At(0, j)
	}
	g.near("first row of K", row, want.Row, tol["K_row0"])
	for k, h := range want.Hessian { // of λ(α, ·): −½wᵀ(∂²K)w
		d := difference(in.Gamma, k, func(theta []float64) []float64 {
			dst := make([]float64, len(theta))
			pt.Gram.SetTheta(theta)
			pt.Gram.Gradient(dst, pt.W)
			return dst
		})
		g.near("Hessian of λ", scaled(-0.5, d), h, 1e-7)
	}
}

// difference returns ∂f/∂θ_k, by the difference of two values.
func difference(theta []float64, k int, f func(theta []float64) []float64) []float64 {
	const step = 1e-5
	up, down := slices.Clone(theta), slices.Clone(theta)
	up[k], down[k] = up[k]+step, down[k]-step
	return scaled(0.5/step, floats.SubTo(make([]float64, len(theta)), f(up), f(down)))
}

// qnpklFirstStep follows the first step of Algorithm 1, as printed and corrected: the same, as it is along
// the gradient; then B of (7) and its correction.
func (g *golden) qnpklFirstStep(input, expected []byte, tol float64) {
	var in pklInput
	var want struct {
		Gamma1, Gamma2, P1, P2 []float64
		Cost1, Cost2           float64
		Printed                []float64 `json:"B2_printed"`
		Corrected              []float64 `json:"B2_corrected"`
	}
	g.read(input, expected, &in, &want)
	for _, s := range []mkl.Solver{mkl.QuasiNewton{B1: in.B1, AsPrinted: true}, mkl.QuasiNewton{B1: in.B1}} {
		var theta, grad [2][]float64
		settings := &mkl.Settings{Theta: want.Gamma1, InnerGap: 1e-12}
		for it, err := range mkl.Steps(g.Context(), in.problem(), s, settings) {
			g.must(err)
			theta[it.K], grad[it.K] = scaled(1, it.Theta), scaled(1, it.Grad())
			g.num("cost", it.F(), []float64{want.Cost1, want.Cost2}[it.K], tol)
			g.near("p", scaled(-1, it.Grad()), [][]float64{want.P1, want.P2}[it.K], tol)
			if it.K == 1 {
				break
			}
		}
		g.near("gamma2", theta[1], want.Gamma2, tol)
		b := make([]float64, len(in.X[0]))
		for k := range b {
			b[k] = (theta[1][k] - theta[0][k]) / (grad[1][k] - grad[0][k])
		}
		g.near("corrected B", b, want.Corrected, tol)
		g.near("printed B", scaled(-1, b), want.Printed, tol)
	}
}

// pklMinimum asks for an objective no worse than the reference's, at a stationary point.
func (g *golden) pklMinimum(input, expected []byte, tol float64) {
	var in pklInput
	var want struct{ Objective float64 }
	g.read(input, expected, &in, &want)
	for _, s := range []mkl.Solver{mkl.LBFGS{}, mkl.QuasiNewton{}, mkl.SPG{AllowNonsmooth: true}} {
		r := g.solve(in.problem(), s, mkl.Settings{Theta: in.Gamma0, Gap: 1e-6, Iterations: 5000})
		if r.Status != mkl.Stationary || r.F > want.Objective*(1+tol) || r.Infeasible {
			g.Errorf("%v, want stationary at %.12g or below", r, want.Objective)
		}
		pt := g.at(in.problem(), r.Theta)
		for k, d := range pt.Grad() {
			if r.Theta[k] > 0 && math.Abs(d) > 1e-3*floats.Norm(pt.Theta, 1)*r.F || r.Theta[k] == 0 && d < -1e-3*r.F {
				g.Errorf("%v: slope %g at weight %g", s, d, r.Theta[k])
			}
		}
	}
}
