package points

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// Sparse are n sparse points with D features, stored as compressed rows: the entries of row i are
// Val[Ptr[i]:Ptr[i+1]] in the columns Col[Ptr[i]:Ptr[i+1]], ascending, counted from 0.
type Sparse struct {
	D     int
	Ptr   []int // n+1
	Col   []int
	Val   []float64
	Names []string // of the D features, or nil
}

// maxFeatures bounds the memory for features that no point has to 0.5 GB.
const maxFeatures = 1 << 26

// Len returns n.
func (x Sparse) Len() int { return max(len(x.Ptr)-1, 0) }

// Row returns the columns and values of point i, views.
func (x Sparse) Row(i int) ([]int, []float64) {
	return x.Col[x.Ptr[i]:x.Ptr[i+1]], x.Val[x.Ptr[i]:x.Ptr[i+1]]
}

// Slice copies the given rows.
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

// Columns copies the given features. It panics if one is given twice.
func (x Sparse) Columns(cols []int) Points {
	to := make(map[int]int, len(cols))
	for k, j := range cols {
		if _, twice := to[j]; twice {
			panic(fmt.Sprintf("points: column %d is given twice for sparse points", j))
		}
		to[j] = k
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
			if k, ok := to[j]; ok {
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

// Dense stores the first len(dst) features of point i, zeros included.
func (x Sparse) Dense(dst []float64, i int) {
	clear(dst)
	cols, vals := x.Row(i)
	for t, j := range cols {
		if j < len(dst) {
			dst[j] = vals[t]
		}
	}
}

// Digest writes D, the rows and the names.
func (x Sparse) Digest(h io.Writer) {
	WriteDigest(h, "sparse", []int{x.D}, x.Ptr, x.Col, x.Val, x.Names)
}

// Validate checks the structure. It names the first value that is not finite and the first feature outside 1e±100.
func (x Sparse) Validate() error {
	n := x.Len()
	switch {
	case n == 0 || x.D <= 0:
		return fmt.Errorf("points: got %d points with %d features; pass at least one of each", n, x.D)
	case x.D > maxFeatures:
		return fmt.Errorf("points: sparse points with %d features; use at most %d", x.D, maxFeatures)
	case x.Ptr[0] != 0 || x.Ptr[n] != len(x.Col) || len(x.Col) != len(x.Val):
		return fmt.Errorf("points: sparse rows have %d columns, %d values and row pointers from %d to %d",
			len(x.Col), len(x.Val), x.Ptr[0], x.Ptr[n])
	case x.Names != nil && len(x.Names) != x.D:
		return fmt.Errorf("points: got %d names for %d features", len(x.Names), x.D)
	}
	largest := make([]float64, x.D)
	for i := range n {
		if x.Ptr[i] > x.Ptr[i+1] || x.Ptr[i+1] > len(x.Col) {
			return fmt.Errorf("points: sparse row %d has entries %d to %d of %d",
				i+1, x.Ptr[i]+1, x.Ptr[i+1], len(x.Col))
		}
		last := -1
		cols, vals := x.Row(i)
		for t, c := range cols {
			if c <= last || c >= x.D {
				return fmt.Errorf("points: sparse row %d: column %d follows column %d; columns must ascend and be at "+
					"most %d", i+1, c+1, last+1, x.D)
			}
			if !isFinite(vals[t]) {
				return notFinite(x, i, c, vals[t])
			}
			largest[c] = max(largest[c], math.Abs(vals[t]))
			last = c
		}
	}
	return checkMagnitudes(x, largest)
}

// clone returns a copy, and views of its rows: vals[i] lies in the columns cols[i], ascending.
func (x Sparse) clone() (c Sparse, cols [][]int, vals [][]float64) {
	x.Val = slices.Clone(x.Val)
	for i := range x.Len() {
		c, v := x.Row(i)
		cols, vals = append(cols, c), append(vals, v)
	}
	return x, cols, vals
}

func (x Sparse) appendConstant() Sparse {
	s := Sparse{D: x.D + 1, Ptr: make([]int, 1, len(x.Ptr))}
	for i := range x.Len() {
		c, v := x.Row(i)
		s.Col, s.Val = append(append(s.Col, c...), x.D), append(append(s.Val, v...), 1)
		s.Ptr = append(s.Ptr, len(s.Col))
	}
	return s
}
