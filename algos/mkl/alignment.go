package mkl

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Alignment computes a weight for each base kernel from its alignment with the targets y. K̃_k = HK_kH is the centered
// base matrix, H = I − 11ᵀ/n:
//
//	align   θ_k ∝ max(0, ⟨K̃_k, yyᵀ⟩) / ‖K̃_k‖        each kernel separately
//	alignf  θ   ∝ argmin_{v≥0} vᵀMv − 2⟨a, v⟩          all kernels together (Joint)
//
// with M_jk = ⟨K̃_j, K̃_k⟩ and a_k = ⟨K̃_k, yyᵀ⟩: alignf maximizes the alignment of Σθ_kK̃_k with yyᵀ. θ is scaled to
// Σθ = Λ on a simplex and to ‖θ‖_q = Λ on a ball about 0. For other sets it is scaled to Euclidean norm 1 and projected
// onto Θ. The cost is O(m²n²), in the form of one matrix product, and for alignf a quadratic program in m variables.
//
// References:
//   - C. Cortes, M. Mohri and A. Rostamizadeh, Algorithms for learning kernels based on centered
//     alignment, JMLR 13 (2012), eq. (9) and Proposition 9.
type Alignment struct {
	Joint bool // alignf
}

func (r Alignment) String() string {
	if r.Joint {
		return "alignf"
	}
	return "align"
}

// Weights returns θ. It requires a family of degree 1 that computes inner products of its base matrices
// (kernel.Grams.Products), and one column of targets.
func (r Alignment) Weights(ctx context.Context, p *Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	products := mat.NewSymDense(m, nil)
	if p.columnCount() != 1 || !p.Grams.Products(products, true) {
		return nil, fmt.Errorf("%w: alignment needs base kernels that can be compared (a kernel.Sum or "+
			"kernel.Features of degree 1) and one column of targets", ErrUnsuited)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	y := append([]float64(nil), p.Y...)
	floats.AddConst(-stat.Mean(y, nil), y)
	a, theta := make([]float64, m), make([]float64, m)
	pt := p.newPoint(ctx, Requirements{}, 0)
	defer pt.release()
	gram := pt.Gram
	gram.At(theta)
	gram.Gradient(a, y) // a_k = yᵀK_ky, which does not depend on θ because K is linear in θ
	unitVector, diagonal := make([]float64, m), make([]float64, len(y))
	for k := range a {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		unitVector[k] = 1
		gram.At(unitVector)
		gram.K().Diagonal(diagonal)
		normSquared, trace := products.At(k, k), floats.Sum(diagonal)
		unitVector[k] = 0
		if !(normSquared > 1e-20*trace*trace) { // K_k is constant up to rounding, so that K̃_k is 0
			a[k] = 0
		} else if !r.Joint {
			theta[k] = max(0, a[k]) / math.Sqrt(normSquared)
		}
	}
	if r.Joint {
		// Scale θ_k to units of 1/‖K̃_k‖ and a to ‖a‖_∞ = 1. Raise the diagonal by 1e-10, because M is singular if two
		// base kernels are parallel.
		scale := make([]float64, m)
		for k := range scale {
			if a[k] != 0 {
				scale[k] = 1 / math.Sqrt(products.At(k, k))
			}
		}
		for j := range m {
			for k := j; k < m; k++ {
				products.SetSym(j, k, products.At(j, k)*scale[j]*scale[k])
			}
			products.SetSym(j, j, 1+1e-10)
		}
		floats.Mul(a, scale)
		if largest := floats.Norm(a, math.Inf(1)); largest > 0 {
			floats.Scale(1/largest, a)
		}
		if !minimizeNonnegative(theta, products, a) {
			return nil, errors.New("the products of base kernels are not positive semidefinite")
		}
		floats.Mul(theta, scale)
	}
	return p.scaleOntoSet(theta)
}

// scaleOntoSet multiplies the weights v ≥ 0 by one factor, projects them onto Θ and returns them; it overwrites v.
// Before the projection, their sum is Λ on a simplex and their q-norm is Λ on a ball about 0. For other sets, their
// Euclidean norm is 1.
func (p *Problem) scaleOntoSet(v []float64) ([]float64, error) {
	if largest := floats.Max(v); !(largest > 0) || math.IsInf(largest, 1) {
		return nil, fmt.Errorf("every weight would be 0: no base kernel has to do with the targets")
	}
	q, radius := p.normBall()
	if q == 0 {
		q, radius = 2, 1
	}
	scaleToNorm(v, q, radius)
	p.Set.Project(v, v)
	return v, nil
}
