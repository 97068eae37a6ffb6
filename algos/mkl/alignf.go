package mkl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// AlignF chooses the weights whose centered kernel matrix has the largest alignment with the targets, alignf in the
// paper. With K̃_k = HK_kH, H = I − 11ᵀ/n, M_jk = ⟨K̃_j, K̃_k⟩ and a_k = ⟨K̃_k, yyᵀ⟩,
//
//	θ ∝ argmin_{v≥0} vᵀMv − 2⟨a, v⟩  maximizes  ⟨Σθ_kK̃_k, yyᵀ⟩/‖Σθ_kK̃_k‖.
//
// With several columns of targets, yyᵀ is a sum over columns. θ is scaled to the sum of the weights at which solvers
// start on Θ, and projected onto Θ. In the paper, ‖θ‖ = 1. The cost is O(m²n²).
//
// Reference: C. Cortes, M. Mohri and A. Rostamizadeh, Algorithms for learning kernels based on centered alignment,
// JMLR 13 (2012), Propositions 8 and 9.
type AlignF struct{}

func (AlignF) String() string { return "ALIGNF" }

// Weights returns θ. It requires a family linear in θ.
func (AlignF) Weights(ctx context.Context, p *Problem) ([]float64, error) {
	if !isLinearFamily(p) {
		return nil, fmt.Errorf("%w: it needs a family linear in θ", ErrUnsuited)
	}
	m, n := p.Grams.Dims()
	gram, theta, rowMeans := p.Grams.New(), make([]float64, m), make([]float64, n)
	defer gram.Release()
	baseMatrix := func(k int) *mat.SymDense {
		clear(theta)
		theta[k] = 1
		gram.SetTheta(theta)
		return gram.K().Dense()
	}
	a, products, centered := make([]float64, m), mat.NewSymDense(m, nil), mat.NewSymDense(n, nil)
	scale := make([]float64, m) // 1/‖K̃_k‖, or 0 if K_k is constant up to rounding
	for j := range m {
		base, ones := baseMatrix(j), make([]float64, n)
		floats.AddConst(1/float64(n), ones)
		gram.K().MulVec(rowMeans, ones)
		mean := stat.Mean(rowMeans, nil)
		for i := range n {
			for l := i; l < n; l++ {
				centered.SetSym(i, l, base.At(i, l)-rowMeans[i]-rowMeans[l]+mean)
			}
		}
		for column := range slices.Chunk(p.Y, n) {
			if y := mat.NewVecDense(n, column); !math.IsNaN(column[0]) { // NaN: a class without points
				a[j] += mat.Inner(y, centered, y)
			}
		}
		for k := j; k < m; k++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			products.SetSym(j, k, innerProduct(centered, baseMatrix(k))) // ⟨K̃_j, K_k⟩ = ⟨K̃_j, K̃_k⟩
		}
		if v := products.At(j, j); v > 1e-20*math.Pow(float64(n)*mean, 2) {
			scale[j] = 1 / math.Sqrt(v)
		}
	}
	// The unknowns are v_k‖K̃_k‖. The diagonal is raised by 1e-10, because M is singular if base kernels are parallel.
	for j := range m {
		for k := j + 1; k < m; k++ {
			products.SetSym(j, k, products.At(j, k)*scale[j]*scale[k])
		}
		products.SetSym(j, j, 1+1e-10)
	}
	floats.Mul(a, scale)
	clear(theta)
	if !minimizeNonnegative(theta, products, a) {
		return nil, errors.New("the products of base kernels are not positive semidefinite")
	}
	floats.Mul(theta, scale)
	return p.scaleOntoSet(theta)
}

// innerProduct returns ⟨A, B⟩ = Σ_ij A_ijB_ij.
func innerProduct(a, b *mat.SymDense) (sum float64) {
	for i := range a.SymmetricDim() {
		sum += a.At(i, i) * b.At(i, i)
		for j := range i {
			sum += 2 * a.At(i, j) * b.At(i, j)
		}
	}
	return sum
}

// scaleOntoSet multiplies the weights v ≥ 0 by one factor, so that their sum is that of the weights at which solvers
// start on Θ, projects them onto Θ and returns them; it overwrites v.
func (p *Problem) scaleOntoSet(v []float64) ([]float64, error) {
	sum, start := floats.Sum(v), make([]float64, len(v))
	if !(sum > 0) || math.IsInf(sum, 1) {
		return nil, errors.New("every weight would be 0, because no base kernel is related to the targets; add base " +
			"kernels, or use mkl.Uniform{}")
	}
	p.Set.Start(start)
	floats.Scale(floats.Sum(start)/sum, v)
	p.Set.Project(v, v)
	return v, nil
}
