package kernel

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Featured are points of d numbers each, dense or not. What needs features asks for this, not for
// a type.
type Featured interface {
	Points
	// Features returns d and the features' names, d of them, or nil where there are none.
	Features() (d int, names []string)
	// Columns returns the points with the given features only, from 0, in that order. The new
	// features are called what FeatureName calls the old ones.
	Columns(cols []int) Points
	// Dense stores the first len(dst) ≤ d features of point i in dst.
	Dense(dst []float64, i int)
}

var (
	_ Featured = Rows{}
	_ Featured = Sparse{}
)

// FeatureName is the name of feature j, from 0; "x1" for the first where x has no names.
func FeatureName(x Points, j int) string {
	if f, ok := x.(Featured); ok {
		if _, names := f.Features(); j < len(names) {
			return names[j]
		}
	}
	return fmt.Sprintf("x%d", j+1)
}

// WriteDigest writes parts, each a string, []string, []int or []float64, to h, each after its
// length. It is what a Digest is made of.
func WriteDigest(h io.Writer, parts ...any) {
	var b []byte
	put := func(v uint64) {
		if b = binary.LittleEndian.AppendUint64(b, v); len(b) >= 1<<16 {
			h.Write(b)
			b = b[:0]
		}
	}
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			put(uint64(len(p)))
			b = append(b, p...)
		case []string:
			put(uint64(len(p)))
			for _, s := range p {
				put(uint64(len(s)))
				b = append(b, s...)
			}
		case []int:
			put(uint64(len(p)))
			for _, v := range p {
				put(uint64(v))
			}
		case []float64:
			put(uint64(len(p)))
			for _, v := range p {
				put(math.Float64bits(v))
			}
		default:
			panic(fmt.Sprintf("kernel: a %T in a digest", p))
		}
	}
	h.Write(b)
}

// vectors are points that the vector kernels, Features and Prepare compute with: Rows and Sparse.
type vectors interface {
	Featured
	// clone returns a copy whose numbers may be changed, and these numbers by rows: vals[i] are in
	// the columns cols[i], ascending.
	clone() (c vectors, cols [][]int, vals [][]float64)
	// withConstant appends a feature that is 1 for every point.
	withConstant() vectors
	design() design
}

// vectorsOf reads the given columns of x, all if columns is nil. The result may share x's data.
func vectorsOf(x Points, columns []int) (vectors, error) {
	var v vectors
	switch x := x.(type) {
	case vectors:
		v = x
	case Featured:
		v = denseRows(x)
	default:
		return nil, fmt.Errorf("kernel: points are %T, want kernel.Rows or kernel.Sparse", x)
	}
	if columns == nil {
		return v, nil
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("kernel: an empty list of columns, want nil for all or at least one")
	}
	d, _ := v.Features()
	seen := map[int]bool{}
	for _, j := range columns {
		switch {
		case j < 0 || j >= d:
			return nil, fmt.Errorf("kernel: column %d of points with %d features; columns count from 0", j, d)
		case seen[j]:
			return nil, fmt.Errorf("kernel: column %d is named twice", j)
		}
		seen[j] = true
	}
	return v.Columns(columns).(vectors), nil
}

// mustVectors is vectorsOf where Check has judged x.
func mustVectors(x Points, columns []int) vectors {
	v, err := vectorsOf(x, columns)
	if err != nil {
		panic(err)
	}
	return v
}

// denseRows copies x into Rows.
func denseRows(x Featured) Rows {
	d, names := x.Features()
	r := Rows{N: x.Len(), D: d, Data: make([]float64, x.Len()*d), Names: names}
	for i := range r.N {
		x.Dense(r.Row(i), i)
	}
	return r
}

// designs are z and x of one kind: where one is dense and one sparse, both are dense.
func designs(z, x vectors) (a, b design) {
	_, sparse := x.(Sparse)
	if _, s := z.(Sparse); s != sparse {
		z, x = denseRows(z), denseRows(x)
	}
	return z.design(), x.design()
}

// sameWidth compares the numbers of features, where both have some.
func sameWidth(x, z Points) error {
	a, ok := x.(Featured)
	b, also := z.(Featured)
	if !ok || !also {
		return nil
	}
	d, _ := a.Features()
	if got, _ := b.Features(); got != d {
		return fmt.Errorf("kernel: new points of %d features, the fixed ones have %d", got, d)
	}
	return nil
}
