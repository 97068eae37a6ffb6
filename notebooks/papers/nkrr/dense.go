package nkrr

import (
	"fmt"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The functions of this file compute the printed formulas of the paper for small dense matrices. They do not check
// their arguments.

// Sum returns Σ_k μ_k K_k for the given kernel matrices K_k.
func Sum(mu []float64, kernelMatrices []*mat.Dense) *mat.Dense {
	var s mat.Dense
	s.Scale(mu[0], kernelMatrices[0])
	for i, m := range mu[1:] {
		var t mat.Dense
		t.Scale(m, kernelMatrices[i+1])
		s.Add(&s, &t)
	}
	return &s
}

// MulVec returns the product of the matrix a and the vector v.
func MulVec(a *mat.Dense, v []float64) []float64 {
	var w mat.VecDense
	w.MulVec(a, mat.NewVecDense(len(v), v))
	return w.RawVector().Data
}

// BilinearForm returns vᵀAw for a matrix A.
func BilinearForm(v []float64, a *mat.Dense, w []float64) float64 {
	return mat.Inner(mat.NewVecDense(len(v), v), a, mat.NewVecDense(len(w), w))
}

// Weighted returns X diag(μ) Xᵀ. This is the sum Σ_k μ_k x_kx_kᵀ over the columns x_k of X.
func Weighted(x *mat.Dense, mu []float64) *mat.Dense {
	var xm, s mat.Dense
	xm.Mul(x, mat.NewDiagDense(len(mu), mu))
	s.Mul(&xm, x.T())
	return &s
}

// Outer returns the matrix vwᵀ.
func Outer(v, w []float64) *mat.Dense {
	var c mat.Dense
	c.Outer(1, mat.NewVecDense(len(v), v), mat.NewVecDense(len(w), w))
	return &c
}

// SmallProblem returns a problem without symmetry, so that exchanged indices give wrong values: two kernel matrices on
// two points, to be combined quadratically, the targets y, and weights μ at which formulas can be evaluated. λ is 1.
func SmallProblem() (k []*mat.Dense, y, mu []float64) {
	return []*mat.Dense{
		mat.NewDense(2, 2, []float64{1, 0.5, 0.5, 2}),
		mat.NewDense(2, 2, []float64{2, -1, -1, 1}),
	}, []float64{1, -1}, []float64{0.4, 0.3}
}

// AddScaled returns x + scale·direction.
func AddScaled(x, direction []float64, scale float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(x)), x, scale, direction)
}

// FeatureMatrix returns the preprocessed features of d, one point per row.
func FeatureMatrix(d *data.Dataset, steps ...points.Step) (*mat.Dense, error) {
	fit, err := points.Preprocessing(steps).Fit(d.X)
	if err != nil {
		return nil, err
	}
	x, err := points.As[points.Rows](fit.Apply(d.X))
	if err != nil {
		return nil, fmt.Errorf("nkrr: %w", err)
	}
	return mat.NewDense(x.N, x.D, x.Data), nil
}
