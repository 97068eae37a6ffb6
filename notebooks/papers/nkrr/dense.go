package nkrr

import (
	"gonum.org/v1/gonum/mat"
)

// The functions of this file write the paper's formulas as they are printed, for small dense
// matrices. They check nothing and store everything.

// Sum is Σ_k μ_kK_k.
func Sum(mu []float64, k []*mat.Dense) *mat.Dense {
	var s mat.Dense
	s.Scale(mu[0], k[0])
	for i, m := range mu[1:] {
		var t mat.Dense
		t.Scale(m, k[i+1])
		s.Add(&s, &t)
	}
	return &s
}

// Hadamard is A∘B, the product entry by entry.
func Hadamard(a, b *mat.Dense) *mat.Dense {
	var c mat.Dense
	c.MulElem(a, b)
	return &c
}

// Kronecker is A⊗B.
func Kronecker(a, b *mat.Dense) *mat.Dense {
	var c mat.Dense
	c.Kronecker(a, b)
	return &c
}

// Inverse is (K+λI)⁻¹.
func Inverse(k *mat.Dense, lambda float64) *mat.Dense {
	n, _ := k.Dims()
	var c mat.Dense
	c.CloneFrom(k)
	for i := range n {
		c.Set(i, i, c.At(i, i)+lambda)
	}
	var v mat.Dense
	if err := v.Inverse(&c); err != nil {
		panic(err)
	}
	return &v
}

// Apply is Av.
func Apply(a *mat.Dense, v []float64) []float64 {
	var w mat.VecDense
	w.MulVec(a, mat.NewVecDense(len(v), v))
	return w.RawVector().Data
}

// Form is vᵀAw.
func Form(v []float64, a *mat.Dense, w []float64) float64 {
	return mat.Inner(mat.NewVecDense(len(v), v), a, mat.NewVecDense(len(w), w))
}

// Frobenius is ⟨A, B⟩ = Σ A_ijB_ij.
func Frobenius(a, b *mat.Dense) float64 { return mat.Sum(Hadamard(a, b)) }

// Vec is the columns of A one below the other.
func Vec(a *mat.Dense) []float64 { return mat.DenseCopyOf(a.T()).RawMatrix().Data }

// Outer is vwᵀ.
func Outer(v, w []float64) *mat.Dense {
	var c mat.Dense
	c.Outer(1, mat.NewVecDense(len(v), v), mat.NewVecDense(len(w), w))
	return &c
}

// Selector is the m²×m² matrix of zeros and ones that keeps the entries, row (i, k) and column (j, l), of
// which keep says so.
func Selector(m int, keep func(i, j, k, l int) bool) *mat.Dense {
	e := mat.NewDense(m*m, m*m, nil)
	for i := range m {
		for j := range m {
			for k := range m {
				for l := range m {
					if keep(i, j, k, l) {
						e.Set(i*m+k, j*m+l, 1)
					}
				}
			}
		}
	}
	return e
}

// Small is a quadratic problem of two kernels on two points that no symmetry makes easy: the kernels, y
// and a point μ, with λ = 1 meant.
func Small() (k []*mat.Dense, y, mu []float64) {
	return []*mat.Dense{
		mat.NewDense(2, 2, []float64{1, 0.5, 0.5, 2}),
		mat.NewDense(2, 2, []float64{2, -1, -1, 1}),
	}, []float64{1, -1}, []float64{0.4, 0.3}
}
