package points

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// Sparse are n sparse points with D features, stored as compressed sparse rows. The entries of row i are
// Val[Ptr[i]:Ptr[i+1]]. Their columns, counted from 0, are Col[Ptr[i]:Ptr[i+1]], in ascending order.
type Sparse struct {
	D     int
	Ptr   []int // n+1 positions in Col and Val
	Col   []int
	Val   []float64
	Names []string // names of the D features, or nil
}

// maxFeatures is the largest allowed D. It limits the memory for one number per feature to 0.5 GB.
const maxFeatures = 1 << 26

// Len returns the number of points.
func (x Sparse) Len() int { return max(len(x.Ptr)-1, 0) }

// Row returns the columns and the values of the entries of point i. It does not copy them.
func (x Sparse) Row(i int) (columns []int, values []float64) {
	return x.Col[x.Ptr[i]:x.Ptr[i+1]], x.Val[x.Ptr[i]:x.Ptr[i+1]]
}

// Slice returns the points of the given rows, copied.
func (x Sparse) Slice(rows []int) Points {
	s := Sparse{D: x.D, Ptr: make([]int, 1, len(rows)+1), Names: x.Names}
	for _, r := range rows {
		c, v := x.Row(r)
		s.Col, s.Val = append(s.Col, c...), append(s.Val, v...)
		s.Ptr = append(s.Ptr, len(s.Col))
	}
	return s
}

// Features returns D and Names.
func (x Sparse) Features() (d int, names []string) { return x.D, x.Names }

// Columns returns the points with only the given features, copied. It panics if cols contains a duplicate.
func (x Sparse) Columns(cols []int) Points {
	newColumnOf := make(map[int]int, len(cols))
	for k, j := range cols {
		if _, isDuplicate := newColumnOf[j]; isDuplicate {
			panic(fmt.Sprintf("points: column %d is listed twice for sparse points; list each column once", j))
		}
		newColumnOf[j] = k
	}
	s := Sparse{D: len(cols), Ptr: make([]int, 1, x.Len()+1), Names: columnNames(x, cols)}
	type entry struct {
		col int
		val float64
	}
	var row []entry
	for i := range x.Len() {
		row = row[:0]
		c, v := x.Row(i)
		for t, j := range c {
			if k, ok := newColumnOf[j]; ok {
				row = append(row, entry{k, v[t]})
			}
		}
		slices.SortFunc(row, func(a, b entry) int { return a.col - b.col })
		for _, e := range row {
			s.Col, s.Val = append(s.Col, e.col), append(s.Val, e.val)
		}
		s.Ptr = append(s.Ptr, len(s.Col))
	}
	return s
}

// StoreFeatures stores the first len(dst) features of point i in dst, zeros included.
func (x Sparse) StoreFeatures(dst []float64, i int) {
	clear(dst)
	cols, vals := x.Row(i)
	for t, j := range cols {
		if j < len(dst) {
			dst[j] = vals[t]
		}
	}
}

// HashInto writes D, the rows and the names to h.
func (x Sparse) HashInto(h io.Writer) {
	WriteDigest(h, "sparse", []int{x.D}, x.Ptr, x.Col, x.Val, x.Names)
}

// Validate returns an error if the lengths, positions or columns are inconsistent, if a value is not finite, or if the
// largest magnitude of a feature is not 0 and lies outside the range from 1e-100 to 1e100. The error names the row and
// the column, counted from 1.
func (x Sparse) Validate() error {
	n := x.Len()
	switch {
	case n == 0 || x.D <= 0:
		return fmt.Errorf("points: got %d points with %d features; pass at least one of each", n, x.D)
	case x.D > maxFeatures:
		return fmt.Errorf("points: the sparse points have %d features; use at most %d", x.D, maxFeatures)
	case x.Ptr[0] != 0 || x.Ptr[n] != len(x.Col) || len(x.Col) != len(x.Val):
		return fmt.Errorf("points: sparse points have %d numbers in Col, %d in Val, and Ptr from %d to %d; use "+
			"equally many numbers, and Ptr from 0 to their count", len(x.Col), len(x.Val), x.Ptr[0], x.Ptr[n])
	case x.Names != nil && len(x.Names) != x.D:
		return fmt.Errorf("points: got %d names for %d features", len(x.Names), x.D)
	}
	largestMagnitudes := make([]float64, x.D)
	for i := range n {
		if x.Ptr[i] > x.Ptr[i+1] || x.Ptr[i+1] > len(x.Col) {
			return fmt.Errorf("points: sparse row %d has entries %d to %d, but Col has %d entries; Ptr must ascend",
				i+1, x.Ptr[i]+1, x.Ptr[i+1], len(x.Col))
		}
		lastColumn := -1
		cols, vals := x.Row(i)
		for t, c := range cols {
			if c <= lastColumn || c >= x.D {
				return fmt.Errorf("points: sparse row %d: column %d follows column %d; columns must ascend and be at "+
					"most %d", i+1, c+1, lastColumn+1, x.D)
			}
			if !isFinite(vals[t]) {
				return nonFiniteError(x, i, c, vals[t])
			}
			largestMagnitudes[c] = max(largestMagnitudes[c], math.Abs(vals[t]))
			lastColumn = c
		}
	}
	return checkMagnitudes(x, largestMagnitudes)
}
