package kernel

import (
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// design is the n×d matrix X of n points with d features, in the form that the vector kernels and Features compute
// with. There are two kinds, denseDesign and sparseDesign. An argument z, the matrix Z of l points, is of the same kind
// as the receiver. If a method has an argument stride, row i of the result begins at dst[i·stride].
type design interface {
	size() (n, d int)
	// row returns the d features of point i. If the design does not store them as consecutive numbers, row stores them
	// in buf, of length d, and returns buf.
	row(buf []float64, i int) []float64
	// rows returns points lo … hi−1.
	rows(lo, hi int) design
	// norms returns ‖x_i‖² for the n points.
	norms() []float64

	// gram stores the upper triangle of X diag(θ) Xᵀ in dst, n×n. A nil θ means 1 for every feature. gram may overwrite
	// entries of dst below the diagonal.
	gram(dst, theta []float64, s *scratch)
	// cross stores the inner products Z diag(θ) Xᵀ in dst, l×n. A nil θ means 1 for every feature.
	cross(dst []float64, stride int, z design, theta []float64, s *scratch)
	// timesTransposed stores Xᵀw in dst, of length d.
	timesTransposed(dst, w []float64)
	// times stores Xc in dst, of length n.
	times(dst, c []float64)
	// weighted stores Xᵀdiag(w)X in dst, d×d, both triangles.
	weighted(dst, w []float64, s *scratch)
	// rowForms stores x_iᵀHx_i in dst[i], i < n, where x_i is a row of X and H is d×d.
	rowForms(dst, h []float64, s *scratch)
	// columnForms stores x_kᵀMx_k in dst[k], k < d, where x_k is a column of X and M is n×n.
	columnForms(dst []float64, m triangle, s *scratch)

	// center returns a point that may be subtracted from all points before distances are computed. nil stands for the
	// zero point.
	center() []float64
	// minus returns X after subtracting the point c from every row.
	minus(c []float64) design
	// squaredDistance returns ‖z_i − x_j‖², computed from the differences of the features.
	squaredDistance(z design, i, j int) float64
	// absoluteDistances stores ‖z_i − x_j‖₁ in dst, l×n.
	absoluteDistances(dst []float64, stride int, z design, s *scratch)
}

// designOf returns the design of x, which is Rows or Sparse.
func designOf(x points.Points) design {
	if points.Is[points.Sparse](x) {
		return newSparseDesign(points.MustAs[points.Sparse](x))
	}
	r := points.ToRows(x)
	return &denseDesign{r.N, r.D, r.Data}
}

// designs returns z and x as designs of one kind: if one is dense and one sparse, both become dense.
func designs(z, x points.Points) (a, b design) {
	if points.Is[points.Sparse](z) != points.Is[points.Sparse](x) {
		z, x = points.ToRows(z), points.ToRows(x)
	}
	return designOf(z), designOf(x)
}

// mustVectors returns the given columns of x as Rows or Sparse, or all columns if columns is nil. It panics if x does
// not have these columns.
func mustVectors(x points.Points, columns []int) points.Points {
	v, err := points.Vectors(x, columns)
	if err != nil {
		panic(err)
	}
	return v
}

// triangle is a symmetric n×n matrix M that is computed row by row. row stores row i from the diagonal on, with doubled
// entries off the diagonal: M_ii in dst[0], and 2M_ij in dst[j−i] for j > i.
type triangle interface{ row(dst []float64, i int) }

// scratch holds working storage, which the next computation reuses. on limits the number of threads.
type scratch struct {
	on                  linalg.Bound
	scaled, strip, prod []float64
	next                []int
}

// sized sets the length of *p to n and returns *p. It allocates only if the capacity of *p is too small.
func sized(p *[]float64, n int) []float64 {
	if cap(*p) < n {
		*p = make([]float64, n)
	}
	*p = (*p)[:n]
	return *p
}
