package points

import (
	"fmt"
	"io"
)

// KernelRows are l new points that are known only by their kernel values with N points of Precomputed kernels. Row i of
// a matrix contains k(z_i, x_1) … k(z_i, x_N), or the numbers that Precomputed.Map turns into these values. They are
// new points for a family of such kernels that is bound to Indices. No family is bound to KernelRows.
type KernelRows struct {
	N     int
	Names []string    // of the kernels, equal to Precomputed.Name
	Data  [][]float64 // of each kernel its l×N values, row-major
}

var _ Points = KernelRows{}

// Len returns l.
func (z KernelRows) Len() int {
	if len(z.Data) == 0 || z.N <= 0 {
		return 0
	}
	return len(z.Data[0]) / z.N
}

// Slice copies the given rows.
func (z KernelRows) Slice(rows []int) Points {
	s := KernelRows{N: z.N, Names: z.Names}
	for _, a := range z.Data {
		part := make([]float64, 0, len(rows)*z.N)
		for _, r := range rows {
			part = append(part, a[r*z.N:(r+1)*z.N]...)
		}
		s.Data = append(s.Data, part)
	}
	return s
}

// Validate names the first value that is not finite, by row and column counted from 1.
func (z KernelRows) Validate() error {
	if z.N <= 0 || len(z.Data) == 0 || len(z.Names) != len(z.Data) {
		return fmt.Errorf("points: got values of %d kernels with %d points, and %d names",
			len(z.Data), z.N, len(z.Names))
	}
	for k, a := range z.Data {
		if len(a) == 0 || len(a)%z.N != 0 || len(a) != len(z.Data[0]) {
			return fmt.Errorf("points: %s has %d values; pass %d rows of %d", z.Names[k], len(a), z.Len(), z.N)
		}
		for i, v := range a {
			if !isFinite(v) {
				return fmt.Errorf("points: %s: row %d, column %d is %g; use a finite number",
					z.Names[k], i/z.N+1, i%z.N+1, v)
			}
		}
	}
	return nil
}

// Digest writes names and values.
func (z KernelRows) Digest(h io.Writer) {
	WriteDigest(h, "kernel rows", []int{z.N}, z.Names)
	for _, a := range z.Data {
		WriteDigest(h, a)
	}
}

// Features returns 0: kernel values are not features.
func (KernelRows) Features() (d int, names []string) { return 0, nil }

// Columns panics.
func (KernelRows) Columns([]int) Points { panic(noFeatures) }

// Dense panics unless dst is empty.
func (KernelRows) Dense(dst []float64, _ int) {
	if len(dst) > 0 {
		panic(noFeatures)
	}
}
