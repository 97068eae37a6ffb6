package points

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Rows are n dense points with d features.
type Rows struct {
	N, D  int
	Data  []float64 // n×d, row-major
	Names []string  // names of the d features, or nil
}

// NewRows returns the points x, n rows of length d, copied. It fills a row that is shorter than the longest row with
// NaN; Validate then returns an error that names the row and the column.
func NewRows(x [][]float64) Rows {
	r := Rows{N: len(x)}
	for _, row := range x {
		r.D = max(r.D, len(row))
	}
	for _, row := range x {
		r.Data = append(r.Data, row...)
		for range r.D - len(row) {
			r.Data = append(r.Data, math.NaN())
		}
	}
	return r
}

// FromMatrix returns the rows of m as points, copied.
func FromMatrix(m mat.Matrix) Rows {
	n, d := m.Dims()
	r := Rows{N: n, D: d, Data: make([]float64, 0, n*d)}
	for i := range n {
		for j := range d {
			r.Data = append(r.Data, m.At(i, j))
		}
	}
	return r
}

// Len returns n.
func (x Rows) Len() int { return x.N }

// Row returns the features of point i. It does not copy them.
func (x Rows) Row(i int) []float64 { return x.Data[i*x.D : (i+1)*x.D : (i+1)*x.D] }

// Slice returns the points of the given rows, copied.
func (x Rows) Slice(rows []int) Points {
	s := Rows{N: len(rows), D: x.D, Data: make([]float64, 0, len(rows)*x.D), Names: x.Names}
	for _, r := range rows {
		s.Data = append(s.Data, x.Row(r)...)
	}
	return s
}

// Features returns the number of features D and their Names, which may be nil.
func (x Rows) Features() (d int, names []string) { return x.D, x.Names }

// Columns returns the points with only the given features, copied.
func (x Rows) Columns(cols []int) Points {
	s := Rows{N: x.N, D: len(cols), Data: make([]float64, 0, x.N*len(cols)), Names: columnNames(x, cols)}
	for i := range x.N {
		row := x.Row(i)
		for _, j := range cols {
			s.Data = append(s.Data, row[j])
		}
	}
	return s
}

// StoreFeatures copies the first len(dst) features of point i to dst.
func (x Rows) StoreFeatures(dst []float64, i int) { copy(dst, x.Row(i)) }

// HashInto writes the shape, the numbers and the names to h.
func (x Rows) HashInto(h io.Writer) { WriteDigest(h, "rows", []int{x.N, x.D}, x.Data, x.Names) }

// Validate returns an error if the lengths do not match, if an entry is not finite, or if the largest magnitude of a
// feature is not 0 and lies outside the range from 1e-100 to 1e100. The error names the row and the column, counted
// from 1.
func (x Rows) Validate() error {
	if x.N <= 0 || x.D <= 0 {
		return fmt.Errorf("points: got %d points with %d features; pass at least one of each", x.N, x.D)
	}
	if len(x.Data)%x.D != 0 || len(x.Data)/x.D != x.N { // N·D could overflow
		return fmt.Errorf("points: got %d numbers for %d points with %d features", len(x.Data), x.N, x.D)
	}
	if x.Names != nil && len(x.Names) != x.D {
		return fmt.Errorf("points: got %d names for %d features", len(x.Names), x.D)
	}
	// This loop allocates nothing, so that validation is cheap when model.Predictor predicts one row.
	allInRange := true // every number so far is 0 or has a magnitude between 1e-100 and 1e100
	for i, v := range x.Data {
		if !isFinite(v) {
			return nonFiniteError(x, i/x.D, i%x.D, v)
		}
		allInRange = allInRange && (v == 0 || minUsual < math.Abs(v) && math.Abs(v) < maxUsual)
	}
	if allInRange {
		return nil
	}
	largestMagnitudes := make([]float64, x.D)
	for i, v := range x.Data {
		largestMagnitudes[i%x.D] = max(largestMagnitudes[i%x.D], math.Abs(v))
	}
	return checkMagnitudes(x, largestMagnitudes)
}
