package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/points"
)

// RBF is the Gaussian kernel k(x,z) = exp(−γ‖x−z‖²), on Rows or Sparse.
type RBF struct {
	Gamma   float64 // γ > 0; γ = 1/(2σ²) for the width σ
	Columns []int   // indices of the features that the kernel uses, from 0; nil for all
}

var (
	_ pairwiseKernel = RBF{}
	_ pairwiseKernel = Laplacian{}
)

func (k RBF) pairKindAndColumns() (kind pairKind, columns []int) { return squaredDistance, k.Columns }

func (k RBF) storeKernelValues(dst, distances []float64) { elementwise.Exp(dst, distances, -k.Gamma) }

// Check refuses a γ that is not positive and finite, points other than Rows and Sparse, and columns that the points do
// not have.
func (k RBF) Check(x points.Points) error { return checkPairwise(k, x, describeInvalidGamma(k.Gamma)) }

// Cross stores k(z_i, x_j) in O(l·n·d). It panics if Check would refuse the arguments.
func (k RBF) Cross(dst *mat.Dense, z, x points.Points) { storePairwiseCross(k, dst, z, x) }

func (k RBF) name() string { return fmt.Sprintf("RBF(γ=%.4g)", k.Gamma) }

// String returns the name of the kernel, such as "RBF(γ=0.5)".
func (k RBF) String() string { return kernelTitle(k, nil) }

// Laplacian is the kernel k(x,z) = exp(−γ‖x−z‖₁), on Rows or Sparse.
type Laplacian struct {
	Gamma   float64 // γ > 0
	Columns []int   // indices of the features that the kernel uses, from 0; nil for all
}

func (k Laplacian) pairKindAndColumns() (kind pairKind, columns []int) {
	return absoluteDistance, k.Columns
}

func (k Laplacian) storeKernelValues(dst, distances []float64) {
	elementwise.Exp(dst, distances, -k.Gamma)
}

// Check refuses a γ that is not positive and finite, points other than Rows and Sparse, and columns that the points do
// not have.
func (k Laplacian) Check(x points.Points) error {
	return checkPairwise(k, x, describeInvalidGamma(k.Gamma))
}

// Cross stores k(z_i, x_j) in O(l·n·d). It panics if Check would refuse the arguments.
func (k Laplacian) Cross(dst *mat.Dense, z, x points.Points) { storePairwiseCross(k, dst, z, x) }

func (k Laplacian) name() string { return fmt.Sprintf("Laplacian(γ=%.4g)", k.Gamma) }

// String returns the name of the kernel, such as "Laplacian(γ=0.5)".
func (k Laplacian) String() string { return kernelTitle(k, nil) }
