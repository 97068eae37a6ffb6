package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

// RBF is the Gaussian kernel k(x,z) = exp(−γ‖x−z‖²), on Rows or Sparse.
type RBF struct {
	Gamma   float64 // γ > 0, that is 1/(2σ²)
	Columns []int   // the features it sees, from 0; nil for all
}

var (
	_ pairwiseKernel = RBF{}
	_ pairwiseKernel = Laplacian{}
)

func (k RBF) pairwise() (pairwise, []int) { return squaredDistance, k.Columns }

func (k RBF) apply(dst, src []float64) { exponentials(dst, src, -k.Gamma) }

// Check refuses γ ≤ 0, points other than Rows and Sparse, and columns they do not have.
func (k RBF) Check(x points.Points) error { return check(k, x, badGamma(k.Gamma)) }

// Cross stores k(z_i, x_j) in O(l·n·d). It panics where Check would have refused.
func (k RBF) Cross(dst *mat.Dense, z, x points.Points) { cross(k, dst, z, x) }

func (k RBF) name() string { return fmt.Sprintf("RBF(γ=%.4g)", k.Gamma) }

// String is "RBF(γ=0.5)".
func (k RBF) String() string { return title(k, nil) }

// Laplacian is k(x,z) = exp(−γ‖x−z‖₁), on Rows or Sparse.
type Laplacian struct {
	Gamma   float64 // γ > 0
	Columns []int   // the features it sees, from 0; nil for all
}

func (k Laplacian) pairwise() (pairwise, []int) { return absoluteDistance, k.Columns }

func (k Laplacian) apply(dst, src []float64) { exponentials(dst, src, -k.Gamma) }

// Check refuses γ ≤ 0, points other than Rows and Sparse, and columns they do not have.
func (k Laplacian) Check(x points.Points) error { return check(k, x, badGamma(k.Gamma)) }

// Cross stores k(z_i, x_j) in O(l·n·d). It panics where Check would have refused.
func (k Laplacian) Cross(dst *mat.Dense, z, x points.Points) { cross(k, dst, z, x) }

func (k Laplacian) name() string { return fmt.Sprintf("Laplacian(γ=%.4g)", k.Gamma) }

// String is "Laplacian(γ=0.5)".
func (k Laplacian) String() string { return title(k, nil) }
