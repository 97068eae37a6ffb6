package kernel

import (
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// design is X, n points of d features, as the vector kernels and Features compute with it. Its two
// kinds are denseDesign and sparseDesign; z is of the same kind as the receiver. What is stored in
// dst with a stride is row-major.
type design interface {
	size() (n, d int)
	// row is point i; it stores it in buf, of length d, where that is not how it is kept.
	row(buf []float64, i int) []float64
	// rows are points lo … hi−1.
	rows(lo, hi int) design
	// norms are ‖x_i‖², n of them.
	norms() []float64

	// gram stores the upper triangle of X diag(θ) Xᵀ in dst, n×n; θ nil means 1. Below the diagonal
	// dst is overwritten in places.
	gram(dst, theta []float64, s *scratch)
	// cross stores Z diag(θ) Xᵀ in dst, l×n; θ nil means 1.
	cross(dst []float64, stride int, z design, theta []float64, s *scratch)
	// timesTransposed stores Xᵀw, of length d; times stores Xc, of length n.
	timesTransposed(dst, w []float64)
	times(dst, c []float64)
	// weighted stores Xᵀdiag(w)X in dst, d×d, both triangles.
	weighted(dst, w []float64, s *scratch)
	// rowForms stores x_iᵀHx_i in dst[i], i < n, x_i a row of X; H is d×d.
	rowForms(dst, h []float64, s *scratch)
	// columnForms stores x_kᵀMx_k in dst[k], k < d, x_k a column of X; M is n×n.
	columnForms(dst []float64, m triangle, s *scratch)

	// centre is a point that distances may be taken from, nil for 0; minus is X less that point.
	centre() []float64
	minus(c []float64) design
	// squaredDistance is ‖z_i − x_j‖², by the differences.
	squaredDistance(z design, i, j int) float64
	// absoluteDistances stores ‖z_i − x_j‖₁ in dst, l×n.
	absoluteDistances(dst []float64, stride int, z design, s *scratch)
}

// designOf returns x, which is Rows or Sparse, as a design.
func designOf(x points.Featured) design {
	if s, ok := x.(points.Sparse); ok {
		return newSparseDesign(s)
	}
	r := x.(points.Rows)
	return &denseDesign{r.N, r.D, r.Data}
}

// designs returns z and x as designs of one kind: if one is dense and one sparse, both become dense.
func designs(z, x points.Featured) (a, b design) {
	_, sparse := x.(points.Sparse)
	if _, s := z.(points.Sparse); s != sparse {
		z, x = points.ToRows(z), points.ToRows(x)
	}
	return designOf(z), designOf(x)
}

// mustVectors returns the given columns of x as Rows or Sparse, all columns if columns is nil. Check has accepted x.
func mustVectors(x points.Points, columns []int) points.Featured {
	v, err := points.Vectors(x, columns)
	if err != nil {
		panic(err)
	}
	return v
}

// triangle is a symmetric matrix given by rows of its upper triangle: row stores 2M_ij, and M_ii for
// j = i, in dst[j−i], j = i … n−1.
type triangle interface{ row(dst []float64, i int) }

// scratch is what computations need beside their result, kept from one to the next.
type scratch struct {
	on                  linalg.Bound
	scaled, strip, prod []float64
	next                []int
}

// sized returns *p with length n, allocated once.
func sized(p *[]float64, n int) []float64 {
	if cap(*p) < n {
		*p = make([]float64, n)
	}
	*p = (*p)[:n]
	return *p
}
