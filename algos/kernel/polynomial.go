package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/points"
)

// Linear is k(x,z) = ⟨x,z⟩, on points.Rows or points.Sparse.
type Linear struct {
	Columns []int // indices of the features that the kernel uses, from 0; nil for all
}

// Polynomial is k(x,z) = (γ⟨x,z⟩ + c)^p, on points.Rows or points.Sparse.
type Polynomial struct {
	Degree  int     // the exponent p ≥ 1
	Gamma   float64 // γ > 0; 0 means 1
	Offset  float64 // c ≥ 0
	Columns []int   // indices of the features that the kernel uses, from 0; nil for all
}

var (
	_ pairwiseKernel = Linear{}
	_ pairwiseKernel = Polynomial{}
)

func (k Linear) pairKindAndColumns() (kind pairKind, columns []int) { return innerProduct, k.Columns }
func (k Polynomial) pairKindAndColumns() (kind pairKind, columns []int) {
	return innerProduct, k.Columns
}

func (k Linear) storeKernelValues(dst, innerProducts []float64) { copy(dst, innerProducts) }

func (k Polynomial) storeKernelValues(dst, innerProducts []float64) {
	g := k.gamma()
	for i, v := range innerProducts {
		dst[i] = elementwise.IntegerPower(g*v+k.Offset, k.Degree)
	}
}

func (k Polynomial) gamma() float64 {
	if k.Gamma == 0 {
		return 1
	}
	return k.Gamma
}

// Check returns an error for points other than points.Rows and points.Sparse, and for columns that the points do not
// have.
func (k Linear) Check(x points.Points) error { return checkPairwise(k, x, "") }

// Check returns an error for a degree below 1, for γ or c below 0 or not finite, for points other than points.Rows and
// points.Sparse, and for columns that the points do not have.
func (k Polynomial) Check(x points.Points) error {
	problem := describeInvalidGamma(k.gamma())
	if k.Degree < 1 {
		problem = fmt.Sprintf("the degree is %d; use 1 or more", k.Degree)
	}
	if !(k.Offset >= 0) || math.IsInf(k.Offset, 0) {
		problem = fmt.Sprintf("the offset is %g, so the kernel is not positive semidefinite; use 0 or more", k.Offset)
	}
	return checkPairwise(k, x, problem)
}

// Cross stores k(z_i, x_j), in O(l·n·d) for l points z, n points x and d features. It panics if x or z is invalid.
func (k Linear) Cross(dst *mat.Dense, z, x points.Points) { storePairwiseCross(k, dst, z, x) }

// Cross stores k(z_i, x_j), in O(l·n·d) for l points z, n points x and d features. It panics if x or z is invalid.
func (k Polynomial) Cross(dst *mat.Dense, z, x points.Points) { storePairwiseCross(k, dst, z, x) }

func (k Linear) name() string { return "linear" }

func (k Polynomial) name() string {
	s := "⟨x,z⟩"
	if k.gamma() != 1 {
		s = fmt.Sprintf("%.4g%s", k.gamma(), s)
	}
	if k.Offset != 0 {
		s = fmt.Sprintf("%s+%.4g", s, k.Offset)
	}
	return fmt.Sprintf("polynomial((%s)^%d)", s, k.Degree)
}

// String returns "linear". If k uses only some features, it appends their names, such as " of x1, x2".
func (k Linear) String() string { return kernelTitle(k, nil) }

// String returns a text such as "polynomial((⟨x,z⟩+1)^2)".
func (k Polynomial) String() string { return kernelTitle(k, nil) }
