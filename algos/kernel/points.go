package kernel

import (
	"fmt"
	"math"
)

// Rows are n dense points of d features.
type Rows struct {
	N, D  int
	Data  []float64 // n×d, row-major
	Names []string  // of the features, d of them, or nil
}

// NewRows copies x, n rows of equal length d. It panics if the lengths differ: reading data is
// the business of package data, which returns errors.
func NewRows(x [][]float64) Rows {
	r := Rows{N: len(x)}
	if r.N > 0 {
		r.D = len(x[0])
	}
	for i, row := range x {
		if len(row) != r.D {
			panic(fmt.Sprintf("kernel: row %d has %d features, row 1 has %d", i+1, len(row), r.D))
		}
		r.Data = append(r.Data, row...)
	}
	return r
}

// Len returns n.
func (x Rows) Len() int { return x.N }

// Row returns point i, a view.
func (x Rows) Row(i int) []float64 { return x.Data[i*x.D : (i+1)*x.D : (i+1)*x.D] }

// Slice copies the given rows.
func (x Rows) Slice(rows []int) Points {
	s := Rows{N: len(rows), D: x.D, Data: make([]float64, 0, len(rows)*x.D), Names: x.Names}
	for _, r := range rows {
		s.Data = append(s.Data, x.Row(r)...)
	}
	return s
}

// Name returns the name of feature j, "x1" for the first where there are no names.
func (x Rows) Name(j int) string { return name(x.Names, j) }

func name(names []string, j int) string {
	if j < len(names) {
		return names[j]
	}
	return fmt.Sprintf("x%d", j+1)
}

// Validate names the first entry that is not finite; rows and columns are counted from 1.
func (x Rows) Validate() error {
	if x.N <= 0 || x.D <= 0 {
		return fmt.Errorf("kernel: %d points of %d features, want at least one of each", x.N, x.D)
	}
	if len(x.Data)%x.D != 0 || len(x.Data)/x.D != x.N { // not by N·D, which may overflow
		return fmt.Errorf("kernel: %d numbers for %d points of %d features", len(x.Data), x.N, x.D)
	}
	if x.Names != nil && len(x.Names) != x.D {
		return fmt.Errorf("kernel: %d names for %d features", len(x.Names), x.D)
	}
	for i, v := range x.Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("kernel: row %d, column %d (%s) is %g, want a finite number", i/x.D+1, i%x.D+1, x.Name(i%x.D), v)
		}
	}
	return nil
}

// Sparse are n sparse points of D features, by compressed rows: the entries of row i are
// Val[Ptr[i]:Ptr[i+1]] in the columns Col[Ptr[i]:Ptr[i+1]], ascending, from 0.
type Sparse struct {
	D     int
	Ptr   []int // n+1
	Col   []int
	Val   []float64
	Names []string // of the features, D of them, or nil
}

// maxFeatures bounds what is allocated for features that no point has: 0.5 GB.
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

// Name returns the name of feature j, "x1" for the first where there are no names.
func (x Sparse) Name(j int) string { return name(x.Names, j) }

// Validate checks the structure and names the first value that is not finite.
func (x Sparse) Validate() error {
	n := x.Len()
	switch {
	case n == 0 || x.D <= 0:
		return fmt.Errorf("kernel: %d points of %d features, want at least one of each", n, x.D)
	case x.D > maxFeatures:
		return fmt.Errorf("kernel: sparse points of %d features, want at most %d", x.D, maxFeatures)
	case x.Ptr[0] != 0 || x.Ptr[n] != len(x.Col) || len(x.Col) != len(x.Val):
		return fmt.Errorf("kernel: sparse rows: %d columns, %d values, row pointers from %d to %d", len(x.Col), len(x.Val), x.Ptr[0], x.Ptr[n])
	case x.Names != nil && len(x.Names) != x.D:
		return fmt.Errorf("kernel: %d names for %d features", len(x.Names), x.D)
	}
	for i := range n {
		if x.Ptr[i] > x.Ptr[i+1] || x.Ptr[i+1] > len(x.Col) {
			return fmt.Errorf("kernel: sparse row %d is entries %d to %d of %d", i+1, x.Ptr[i]+1, x.Ptr[i+1], len(x.Col))
		}
		last := -1
		cols, vals := x.Row(i)
		for t, c := range cols {
			if c <= last || c >= x.D {
				return fmt.Errorf("kernel: sparse row %d: column %d after %d, want ascending below %d", i+1, c+1, last+1, x.D)
			}
			if v := vals[t]; math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("kernel: row %d, column %d (%s) is %g, want a finite number", i+1, c+1, x.Name(c), v)
			}
			last = c
		}
	}
	return nil
}

// Places are points known only by their place in a precomputed matrix: the row and column
// numbers of a Precomputed kernel, from 0.
type Places []int

// AllPlaces returns the places 0 to n−1.
func AllPlaces(n int) Places {
	p := make(Places, n)
	for i := range p {
		p[i] = i
	}
	return p
}

// Len returns n.
func (p Places) Len() int { return len(p) }

// Slice copies the given rows.
func (p Places) Slice(rows []int) Points {
	s := make(Places, len(rows))
	for i, r := range rows {
		s[i] = p[r]
	}
	return s
}

// Validate refuses negative places; that they lie inside a matrix, its kernel checks.
func (p Places) Validate() error {
	if len(p) == 0 {
		return fmt.Errorf("kernel: no points")
	}
	for i, v := range p {
		if v < 0 {
			return fmt.Errorf("kernel: point %d has place %d, want 0 or more", i+1, v)
		}
	}
	return nil
}
