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

// Precomputed is a kernel that is given as a matrix. For points.Indices x and z, k(x,z) is the entry in row x and
// column z. New points that are not in the matrix are given by their kernel values with the points of the matrix
// (points.KernelRows).
type Precomputed struct {
	Name string // a name for users
	// KernelRowsName is the name under which points.KernelRows has the values of this kernel for new points. If it is
	// empty, the name is Name.
	KernelRowsName string
	N              int
	// Data is N×N, row-major, symmetric with both triangles, and positive semidefinite; nil if Grams.FreezeFit omitted
	// it. A mat.SymDense stores one triangle only: data.FromGrams copies matrices of any type.
	Data []float64
	// NewPointMap is a matrix P, N×N, row-major. It maps the N numbers s that points.KernelRows has for a new point to
	// the kernel values Ps of the new point with the N points. If it is nil, the numbers s are the kernel values.
	NewPointMap []float64
}

var (
	_ Kernel          = Precomputed{}
	_ Shifted         = Precomputed{}
	_ NewPointChecker = Precomputed{}
	_ Freezer         = Precomputed{}
)

// String returns the name, or "precomputed" if the name is empty.
func (k Precomputed) String() string {
	if k.Name == "" {
		return "precomputed"
	}
	return k.Name
}

// Check returns an error for points other than points.Indices, for indices outside the matrix, and for a number of
// entries of the matrix or of NewPointMap other than N².
func (k Precomputed) Check(x points.Points) error {
	p, err := points.As[points.Indices](x)
	if err != nil {
		return fmt.Errorf("kernel: %v: %w", k, err)
	}
	if k.N <= 0 || len(k.Data) > 0 && (len(k.Data)%k.N != 0 || len(k.Data)/k.N != k.N) {
		return fmt.Errorf("kernel: %v has %d numbers and N = %d; pass N ≥ 1 rows of N numbers", k, len(k.Data), k.N)
	}
	if len(k.NewPointMap) > 0 && (len(k.NewPointMap)%k.N != 0 || len(k.NewPointMap)/k.N != k.N) {
		return fmt.Errorf("kernel: the map of new points of %v has %d numbers; it must have %d rows of %[3]d",
			k, len(k.NewPointMap), k.N)
	}
	for i, v := range p {
		if v < 0 || v >= k.N {
			return fmt.Errorf("kernel: point %d has index %d, but %v has %d points; use an index from 0 to %d",
				i+1, v, k, k.N, k.N-1)
		}
	}
	return nil
}

// Validate returns an error for entries that are not finite, for a matrix whose entries (i, j) and (j, i) differ by
// more than 1e-8 of the largest entry, and for a matrix that is not positive semidefinite. The kernel uses the entries
// on and above the diagonal. A matrix counts as not positive semidefinite if it has an eigenvalue below −1e-10 times
// its largest diagonal entry. Cholesky factorizations of the matrix plus multiples of I detect this, in N³/3 operations
// each. The error then wraps ErrNotPSD and contains the smallest eigenvalue.
func (k Precomputed) Validate() error { return k.withSmallestEigenvalue(k.validateEntries()) }

// withSmallestEigenvalue returns err, or if err is ErrNotPSD an error that wraps it and states the least eigenvalue.
func (k Precomputed) withSmallestEigenvalue(err error) error {
	if !errors.Is(err, ErrNotPSD) {
		return err
	}
	smallestEigenvalue, largestDiagonal := math.NaN(), math.Inf(-1)
	for i := range k.N {
		largestDiagonal = math.Max(largestDiagonal, k.Data[i*k.N+i])
	}
	var s linalg.Spectral
	if s.Factorize(mat.NewSymDense(k.N, k.Data), false) {
		smallestEigenvalue = s.Values()[0]
	}
	return fmt.Errorf("kernel: %v has an eigenvalue below −1e-10 times its largest diagonal entry: %w; its least "+
		"eigenvalue is %.3g, its largest diagonal entry is %.3g; if its numbers were rounded to float32, call "+
		"RepairRounding", k, ErrNotPSD, smallestEigenvalue, largestDiagonal)
}

// validateEntries is like Validate, but returns ErrNotPSD itself, without the eigenvalue.
func (k Precomputed) validateEntries() error {
	if err := k.Check(points.Indices{}); err != nil {
		return err
	}
	if len(k.Data) == 0 {
		return fmt.Errorf("kernel: %v has no matrix: Data is empty; set its %d×%[2]d numbers", k, k.N)
	}
	largestEntry := 0.0
	for i, v := range k.Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("kernel: %v: row %d, column %d is %g; it must be finite", k, i/k.N+1, i%k.N+1, v)
		}
		largestEntry = math.Max(largestEntry, math.Abs(v))
	}
	if limit := math.Pow10(points.MaxExponent); largestEntry > limit || largestEntry != 0 && largestEntry < 1/limit {
		return fmt.Errorf("kernel: %v: the largest magnitude of its entries is %.3g, outside 1e±%d; rescale the matrix",
			k, largestEntry, points.MaxExponent)
	}
	for i := range k.N {
		for j := range i {
			if a, b := k.Data[i*k.N+j], k.Data[j*k.N+i]; math.Abs(a-b) > 1e-8*largestEntry {
				return fmt.Errorf("kernel: %v is not symmetric: %g in row %d, column %d, but %g in row %[4]d, column "+
					"%[3]d", k, a, i+1, j+1, b)
			}
		}
	}
	if math.IsInf(k.DiagonalShift(), 1) {
		return ErrNotPSD
	}
	return nil
}

// DiagonalShift returns a δ ≥ 0 such that K + δI is positive semidefinite, where K is the matrix. It returns +Inf if δ
// would have to exceed about 1e-10 times the largest diagonal entry.
func (k Precomputed) DiagonalShift() float64 { return findDiagonalShift(mat.NewSymDense(k.N, k.Data)) }

// Cross copies k(z_i, x_j) to dst. It panics if Check or, for new points z, CheckNewPoints would return an error.
func (k Precomputed) Cross(dst *mat.Dense, z, x points.Points) {
	q := points.MustAs[points.Indices](x)
	if z, err := points.As[points.KernelRows](z); err == nil {
		k.storeCrossFromKernelRows(dst, z, q)
		return
	}
	p := points.MustAs[points.Indices](z)
	for i, r := range p {
		for j, c := range q {
			dst.Set(i, j, k.Data[min(r, c)*k.N+max(r, c)]) // the same entry for (r, c) and (c, r)
		}
	}
}

// CheckNewPoints returns an error if k cannot be evaluated at the new points z. It accepts points.Indices in the range
// of the matrix, and points.KernelRows that contain values of k. A kernel without a matrix, as in a frozen family,
// accepts only points.KernelRows.
func (k Precomputed) CheckNewPoints(z points.Points) error {
	switch z := z.(type) {
	case points.KernelRows:
		switch {
		case z.N != k.N:
			return fmt.Errorf("kernel: a new point has %d kernel values, but %v has %d points; pass one value "+
				"for each of them", z.N, k, k.N)
		case !slices.Contains(z.Names, k.nameInKernelRows()):
			return fmt.Errorf("kernel: the new points have no kernel values of %v, only of %q; add them", k, z.Names)
		}
		return nil
	case points.Indices:
		if len(k.Data) == 0 {
			return fmt.Errorf("kernel: %v stores no matrix; pass points.KernelRows with the kernel values of the new "+
				"points with the %d training points", k, k.N)
		}
	}
	return k.Check(z)
}

// Freeze returns the kernel without its matrix.
func (k Precomputed) Freeze() Kernel {
	k.Data = nil
	return k
}

func (k Precomputed) nameInKernelRows() string { return cmp.Or(k.KernelRowsName, k.Name) }

// storeCrossFromKernelRows stores k(z_i, x_j) in dst, from the kernel values in z. The caller has checked z and x.
func (k Precomputed) storeCrossFromKernelRows(dst *mat.Dense, z points.KernelRows, x points.Indices) {
	a := z.Data[slices.Index(z.Names, k.nameInKernelRows())]
	if len(k.NewPointMap) > 0 {
		mappedRows := make([]float64, len(a))
		linalg.ThreadLimit(0).Gemm(false, true, z.Len(), k.N, k.N, 1, a, k.N, k.NewPointMap, k.N, 0, mappedRows, k.N)
		a = mappedRows
	}
	for i := range z.Len() {
		for j, c := range x {
			dst.Set(i, j, a[i*k.N+c])
		}
	}
}

// RepairRounding makes k symmetric and positive semidefinite if only the rounding of its entries made it asymmetric or
// indefinite. unitRoundoff, u, is that of the format in which the entries were stored: 2⁻¹¹ for float16, 2⁻²⁴ for
// float32, and 0 for exact numbers, float64 and integers.
//
// Entries (i, j) and (j, i) that differ by at most 8u times the largest entry are both replaced by their mean. If the
// matrix then has an eigenvalue that Validate would not accept, RepairRounding adds addedShift to the diagonal. This
// shift is at most min(4u√N, 0.01) times the largest diagonal entry, because rounding errors of independent signs form
// an N×N matrix of norm about 2u√N/√3. RepairRounding does not repair larger defects: it then returns the error of
// Validate. With u = 0, RepairRounding changes nothing and returns the error of Validate.
func (k Precomputed) RepairRounding(unitRoundoff float64) (repaired Precomputed, addedShift float64, err error) {
	if !(unitRoundoff >= 0 && unitRoundoff < 1) {
		return k, 0, fmt.Errorf("kernel: %v: the unit roundoff is %g; use 0 or a small number, such as 2⁻¹¹ of float16",
			k, unitRoundoff)
	}
	if err := k.Check(points.Indices{}); err != nil || len(k.Data) == 0 {
		return k, 0, err
	}
	largestEntry, largestDiagonal := 0.0, 0.0
	for i, v := range k.Data {
		largestEntry = math.Max(largestEntry, math.Abs(v))
		if i/k.N == i%k.N {
			largestDiagonal = math.Max(largestDiagonal, v)
		}
	}
	k.Data = slices.Clone(k.Data)
	for i := range k.N {
		for j := range i {
			a, b := &k.Data[i*k.N+j], &k.Data[j*k.N+i]
			if *a != *b && math.Abs(*a-*b) <= 8*unitRoundoff*largestEntry {
				*a += (*b - *a) / 2
				*b = *a
			}
		}
	}
	err = k.validateEntries()
	if !errors.Is(err, ErrNotPSD) {
		return k, 0, err
	}
	maxRelativeShift := math.Min(4*unitRoundoff*math.Sqrt(float64(k.N)), 0.01)
	for relativeShift := unitRoundoff; relativeShift > 0; relativeShift = min(2*relativeShift, maxRelativeShift) {
		if linalg.ThreadLimit(0).IsPSD(mat.NewSymDense(k.N, k.Data), relativeShift) {
			addedShift = relativeShift * largestDiagonal
			for i := range k.N {
				k.Data[i*k.N+i] += addedShift
			}
			return k, addedShift, k.Validate()
		}
		if relativeShift >= maxRelativeShift {
			break
		}
	}
	return k, 0, k.withSmallestEigenvalue(err)
}
