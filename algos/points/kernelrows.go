package points

import (
	"fmt"
	"io"
)

// KernelRows are l new points z_i that are known only by their kernel values with the N points x_j of one or more
// kernels of type kernel.Precomputed. For each kernel, row i of a matrix contains k(z_i, x_1) … k(z_i, x_N), or the
// numbers from which kernel.Precomputed.NewPointMap computes these values. KernelRows can be new points for a family of
// such kernels that is bound to Indices. A family cannot be bound to KernelRows.
type KernelRows struct {
	N int
	// Names are the names of the kernels: the KernelRowsName of each kernel.Precomputed, or its Name if that is empty.
	Names []string
	Data  [][]float64 // for each kernel, l×N values, row-major
}

var _ Points = KernelRows{}

// Len returns the number l of new points.
func (z KernelRows) Len() int {
	if len(z.Data) == 0 || z.N <= 0 {
		return 0
	}
	return len(z.Data[0]) / z.N
}

// Slice returns the points of the given rows, copied.
func (z KernelRows) Slice(rows []int) Points {
	s := KernelRows{N: z.N, Names: z.Names}
	for _, a := range z.Data {
		values := make([]float64, 0, len(rows)*z.N)
		for _, r := range rows {
			values = append(values, a[r*z.N:(r+1)*z.N]...)
		}
		s.Data = append(s.Data, values)
	}
	return s
}

// Validate returns an error if the numbers of names and values do not match N, or if a value is not finite. It names
// the row and the column of the first such value, counted from 1.
func (z KernelRows) Validate() error {
	if z.N <= 0 || len(z.Data) == 0 || len(z.Names) != len(z.Data) {
		return fmt.Errorf("points: KernelRows has %d matrices, %d names and N = %d; use at least one matrix, a name "+
			"for each matrix, and N ≥ 1", len(z.Data), len(z.Names), z.N)
	}
	for k, a := range z.Data {
		if len(a) == 0 || len(a)%z.N != 0 || len(a) != len(z.Data[0]) {
			return fmt.Errorf("points: kernel %s has %d values; pass %d rows of %d values", z.Names[k], len(a), z.Len(),
				z.N)
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

// HashInto writes N, the names and the values to h.
func (z KernelRows) HashInto(h io.Writer) {
	WriteDigest(h, "kernel rows", []int{z.N}, z.Names)
	for _, a := range z.Data {
		WriteDigest(h, a)
	}
}

// Features returns 0: kernel values are not features.
func (KernelRows) Features() (d int, names []string) { return 0, nil }

// Columns panics: kernel values are not features.
func (KernelRows) Columns([]int) Points { panic(noFeatures) }

// StoreFeatures panics unless dst is empty: kernel values are not features.
func (KernelRows) StoreFeatures(dst []float64, _ int) {
	if len(dst) > 0 {
		panic(noFeatures)
	}
}
