package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// CheckNew returns an error if k cannot be evaluated at the new points z. It accepts points.Indices in the range of the
// matrix, and points.KernelRows that contain values of k. A kernel without a matrix, as in a frozen family, accepts
// only points.KernelRows.
func (k Precomputed) CheckNew(z points.Points) error {
	switch z := z.(type) {
	case points.KernelRows:
		switch {
		case z.N != k.N:
			return fmt.Errorf("kernel: the new points have values with %d points, %v is of %d", z.N, k, k.N)
		case !slices.Contains(z.Names, k.rowsName()):
			return fmt.Errorf("kernel: the new points have no values of %v, but of %v", k, z.Names)
		}
		return nil
	case points.Indices:
		if len(k.Data) == 0 {
			return fmt.Errorf("kernel: %v keeps no matrix: new points are given by their values with the %d points "+
				"learned on (points.KernelRows)", k, k.N)
		}
	}
	return k.Check(z)
}

// rowsName returns the name of k in points.KernelRows.
func (k Precomputed) rowsName() string { return cmp.Or(k.Rows, k.Name) }

// crossFromRows stores k(z_i, x_j) in dst, from the kernel values in z. CheckNew must accept z, and Check must accept
// x.
func (k Precomputed) crossFromRows(dst *mat.Dense, z points.KernelRows, x points.Indices) {
	a := z.Data[slices.Index(z.Names, k.rowsName())]
	if len(k.Map) > 0 {
		mapped := make([]float64, len(a))
		linalg.Bound(0).Gemm(false, true, z.Len(), k.N, k.N, 1, a, k.N, k.Map, k.N, 0, mapped, k.N)
		a = mapped
	}
	for i := range z.Len() {
		for j, c := range x {
			dst.Set(i, j, a[i*k.N+c])
		}
	}
}

// Mend makes k symmetric and positive semidefinite if only the rounding of its entries made it asymmetric or
// indefinite. u is the unit roundoff with which the entries were stored: 2⁻¹¹ for float16, 2⁻²⁴ for float32, and 0 for
// exact numbers, float64 and integers.
//
// Entries (i, j) and (j, i) that differ by at most 8u times the largest entry are both replaced by their mean. If the
// matrix then has an eigenvalue that Validate would not accept, Mend adds δ to the diagonal and returns δ. δ is at most
// min(4u√N, 0.01) times the largest diagonal entry, because rounding errors of independent signs form a matrix of norm
// about 2u√N/√3. Mend does not repair larger defects: it then returns the error of Validate. With u = 0, Mend changes
// nothing and returns the error of Validate.
func (k Precomputed) Mend(u float64) (mended Precomputed, δ float64, err error) {
	if !(u >= 0 && u < 1) {
		return k, 0, fmt.Errorf("kernel: %v: the unit roundoff is %g; use 0 or a small number, such as 2⁻¹¹ of float16",
			k, u)
	}
	if err := k.Check(points.Indices{}); err != nil || len(k.Data) == 0 {
		return k, 0, err
	}
	largest, largestDiagonal := 0.0, 0.0
	for i, v := range k.Data {
		largest = math.Max(largest, math.Abs(v))
		if i/k.N == i%k.N {
			largestDiagonal = math.Max(largestDiagonal, v)
		}
	}
	k.Data = slices.Clone(k.Data)
	for i := range k.N {
		for j := range i {
			a, b := &k.Data[i*k.N+j], &k.Data[j*k.N+i]
			if *a != *b && math.Abs(*a-*b) <= 8*u*largest {
				*a += (*b - *a) / 2
				*b = *a
			}
		}
	}
	err = k.validateEntries()
	if !errors.Is(err, ErrNotPSD) {
		return k, 0, err
	}
	maxFraction := math.Min(4*u*math.Sqrt(float64(k.N)), 0.01)
	for fraction := u; fraction > 0; fraction = math.Min(2*fraction, maxFraction) {
		if linalg.Bound(0).IsPSD(mat.NewSymDense(k.N, k.Data), fraction) {
			δ = fraction * largestDiagonal
			for i := range k.N {
				k.Data[i*k.N+i] += δ
			}
			return k, δ, k.Validate()
		}
		if fraction >= maxFraction {
			break
		}
	}
	return k, 0, k.withEigenvalue(err)
}
