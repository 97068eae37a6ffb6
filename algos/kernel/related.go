package kernel

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// Related are l new points known only by their kernel values with the N points that Precomputed
// kernels are of: row i of a matrix holds k(z_i, x_1) … k(z_i, x_N), or what Precomputed.Map makes them of. They meet
// a family of such kernels bound to Places; no family is bound to them.
type Related struct {
	N     int
	Names []string    // of the kernels, as Precomputed.Name
	Data  [][]float64 // of each kernel its l×N values, row-major
}

var _ Points = Related{}

// Len returns l.
func (z Related) Len() int {
	if len(z.Data) == 0 || z.N <= 0 {
		return 0
	}
	return len(z.Data[0]) / z.N
}

// Slice copies the given rows.
func (z Related) Slice(rows []int) Points {
	s := Related{N: z.N, Names: z.Names}
	for _, a := range z.Data {
		part := make([]float64, 0, len(rows)*z.N)
		for _, r := range rows {
			part = append(part, a[r*z.N:(r+1)*z.N]...)
		}
		s.Data = append(s.Data, part)
	}
	return s
}

// Validate names the first value that is not finite; rows and columns are counted from 1.
func (z Related) Validate() error {
	if z.N <= 0 || len(z.Data) == 0 || len(z.Names) != len(z.Data) {
		return fmt.Errorf("kernel: values of %d kernels with %d points, and %d names", len(z.Data), z.N, len(z.Names))
	}
	for k, a := range z.Data {
		if len(a) == 0 || len(a)%z.N != 0 || len(a) != len(z.Data[0]) {
			return fmt.Errorf("kernel: %s has %d values, want %d rows of %d", z.Names[k], len(a), z.Len(), z.N)
		}
		for i, v := range a {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("kernel: %s: row %d, column %d is %g, want a finite number",
					z.Names[k], i/z.N+1, i%z.N+1, v)
			}
		}
	}
	return nil
}

// Digest writes names and values.
func (z Related) Digest(h io.Writer) {
	WriteDigest(h, "related", []int{z.N}, z.Names)
	for _, a := range z.Data {
		WriteDigest(h, a)
	}
}

// Meets says why z are not points that k can be evaluated at: Places of its matrix, or Related points
// with its values. A matrix that is not there, as in a frozen model, has no places.
func (k Precomputed) Meets(z Points) error {
	switch z := z.(type) {
	case Related:
		switch {
		case z.N != k.N:
			return fmt.Errorf("kernel: the new points have values with %d points, %v is of %d", z.N, k, k.N)
		case !slices.Contains(z.Names, k.Name):
			return fmt.Errorf("kernel: the new points have no values of %v, but of %v", k, z.Names)
		}
		return nil
	case Places:
		if len(k.Data) == 0 {
			return fmt.Errorf("kernel: %v keeps no matrix: new points are given by their values with the %d points "+
				"learned on (kernel.Related)", k, k.N)
		}
	}
	return k.Check(z)
}

// related stores the values of z with x, of which Meets and Check approve.
func (k Precomputed) related(dst *mat.Dense, z Related, x Places) {
	a := z.Data[slices.Index(z.Names, k.Name)]
	if len(k.Map) > 0 {
		mapped := make([]float64, len(a))
		linalg.Gemm(false, true, z.Len(), k.N, k.N, 1, a, k.N, k.Map, k.N, 0, mapped, k.N)
		a = mapped
	}
	for i := range z.Len() {
		for j, c := range x {
			dst.Set(i, j, a[i*k.N+c])
		}
	}
}

// Mend makes k symmetric and positive semidefinite as far as rounding explains that it is not: of numbers
// stored with unit roundoff u, which is 2⁻¹¹ of float16, 2⁻²⁴ of float32 and 0 of numbers that are exact,
// float64 and integers. Entries i, j and j, i that differ by at most 8u of the largest entry become their
// mean; where an eigenvalue is negative the diagonal is raised by δ, also returned, at most
// min(4u√N, 0.01) times its largest entry: rounding errors of independent signs are a matrix of norm about
// 2u√N/√3. What is worse stays, and is the error of Validate, with the least eigenvalue where that is
// below 0. With u = 0 it is Validate.
func (k Precomputed) Mend(u float64) (mended Precomputed, δ float64, err error) {
	if !(u >= 0 && u < 1) {
		return k, 0, fmt.Errorf("kernel: %v: a unit roundoff of %g, want 0 or a small number, such as 2⁻¹¹ of float16",
			k, u)
	}
	if err := k.Check(Places{}); err != nil || len(k.Data) == 0 {
		return k, 0, err
	}
	top, diagonal := 0.0, 0.0
	for i, v := range k.Data {
		top = math.Max(top, math.Abs(v))
		if i/k.N == i%k.N {
			diagonal = math.Max(diagonal, v)
		}
	}
	k.Data = slices.Clone(k.Data)
	for i := range k.N {
		for j := range i {
			a, b := &k.Data[i*k.N+j], &k.Data[j*k.N+i]
			if *a != *b && math.Abs(*a-*b) <= 8*u*top {
				*a += (*b - *a) / 2
				*b = *a
			}
		}
	}
	err = k.validate()
	if !errors.Is(err, ErrNotPSD) {
		return k, 0, err
	}
	for part, most := u, math.Min(4*u*math.Sqrt(float64(k.N)), 0.01); part > 0; part = math.Min(2*part, most) {
		if linalg.IsPSD(mat.NewSymDense(k.N, k.Data), part) {
			δ = part * diagonal
			for i := range k.N {
				k.Data[i*k.N+i] += δ
			}
			return k, δ, k.Validate()
		}
		if part >= most {
			break
		}
	}
	return k, 0, k.indefinite(err)
}
