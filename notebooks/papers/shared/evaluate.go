package shared

import (
	"fmt"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// At evaluates p at theta and returns the evaluated point. The inner problem is solved to the relative gap gap.
func At(p *mkl.Problem, theta []float64, gap float64) (*mkl.Point, error) {
	pt := p.NewPoint()
	copy(pt.Theta, theta)
	return pt, pt.Evaluate(nil, gap)
}

// Decisions returns the decision values at the points z of the function that r learned on the points of g.
func Decisions(g kernel.Grams, r *mkl.Result, z points.Points) []float64 {
	k := mat.NewDense(z.Len(), len(r.W), nil)
	g.Cross(z).Gram(k, r.Kernel)
	f := make([]float64, z.Len())
	for i := range f {
		f[i] = floats.Dot(k.RawRowView(i), r.W) + r.Bias
	}
	return f
}

// CountCorrect returns how many decision values have the sign of their label in y.
func CountCorrect(values, y []float64) (n int) {
	for i, v := range values {
		if v*y[i] > 0 {
			n++
		}
	}
	return n
}

// Hadamard returns the elementwise product of the matrices.
func Hadamard(a ...mat.Matrix) *mat.Dense {
	p := mat.DenseCopyOf(a[0])
	for _, b := range a[1:] {
		p.MulElem(p, b)
	}
	return p
}

// Inverse returns (K+λI)⁻¹. It panics if K+λI is singular.
func Inverse(k mat.Matrix, lambda float64) *mat.Dense {
	c := mat.DenseCopyOf(k)
	n, _ := c.Dims()
	for i := range n {
		c.Set(i, i, c.At(i, i)+lambda)
	}
	var v mat.Dense
	if err := v.Inverse(c); err != nil {
		panic(err)
	}
	return &v
}

// Proof returns a description of the weakest guarantee among all solves of a method, such as "global, gap ≤ 1e-04".
func Proof(r *compare.Row) string {
	switch gap, status := r.MaxGap(); status {
	case mkl.Certified:
		return fmt.Sprintf("global, gap ≤ %.0e", gap)
	case mkl.Stationary:
		return "first order only"
	case mkl.EvaluatedOnly:
		return "nothing to solve"
	default:
		return status.String()
	}
}
