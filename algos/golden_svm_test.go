package algos_test

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
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

// rows returns a matrix as lists of rows.
func rows(v [][]float64) *mat.Dense {
	m := mat.NewDense(len(v), len(v[0]), nil)
	for i, r := range v {
		m.SetRow(i, r)
	}
	return m
}

// symmetric returns the upper triangle of a square matrix.
func symmetric(m *mat.Dense) *mat.SymDense {
	n, _ := m.Dims()
	return mat.NewSymDense(n, m.RawMatrix().Data)
}

// eigenTransforms compares spectrum repairs on the training points and on new ones.
func (g *golden) eigenTransforms(input, expected json.RawMessage, tol float64) {
	type kernel struct {
		Trace float64
		Row0  []float64   `json:"K_row0"`
		New   [][]float64 `json:"test_rows"`
	}
	var in struct {
		S   [][]float64
		New [][]float64 `json:"test_similarities"`
	}
	var want struct {
		Eigenvalues          []float64
		Denoise, Flip, Shift kernel
	}
	g.read(input, expected, &in, &want)
	S := symmetric(rows(in.S))
	s, err := similarity.Decompose(S)
	g.must(err)
	g.near("eigenvalues", s.Values, want.Eigenvalues, tol)
	compare := func(what string, k *similarity.Kernel, err error, want kernel) {
		g.must(err)
		cross, err := k.Cross(rows(in.New))
		g.must(err)
		g.near(what, mat.DenseCopyOf(k.K).RawRowView(0), want.Row0, tol)
		g.num(what+" trace", mat.Trace(k.K), want.Trace, tol)
		g.near(what+" new points", cross.RawMatrix().Data, rows(want.New).RawMatrix().Data, tol)
	}
	for r, w := range map[similarity.Repair]kernel{
		similarity.Denoise: want.Denoise, similarity.Flip: want.Flip, similarity.Shift: want.Shift} {
		k, err := s.Repair(r)
		compare(r.String(), k, err, w)
	}
}
