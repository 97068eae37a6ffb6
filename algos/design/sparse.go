package design

import (
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// Sparse stores X by rows and, for products between points, also by columns. The entries of column k are
// value[start[k]:start[k+1]]. Their rows are inRow[start[k]:start[k+1]], in ascending order.
type Sparse struct {
	points.Sparse
	start, inRow []int
	value        []float64
}

// newSparse returns the matrix of x.
func newSparse(x points.Sparse) *Sparse {
	c := &Sparse{Sparse: x, start: make([]int, x.D+1), inRow: make([]int, len(x.Col)),
		value: make([]float64, len(x.Col))}
	for _, j := range x.Col {
		c.start[j+1]++
	}
	for j := range x.D {
		c.start[j+1] += c.start[j]
	}
	next := slices.Clone(c.start)
	for i := range x.Len() {
		cols, vals := x.Row(i)
		for t, j := range cols {
			c.inRow[next[j]], c.value[next[j]] = i, vals[t]
			next[j]++
		}
	}
	return c
}

func (x *Sparse) Size() (n, d int) { return x.Len(), x.D }

func (x *Sparse) DenseRow(buf []float64, i int) []float64 {
	x.Dense(buf, i)
	return buf
}

func (x *Sparse) Rows(lo, hi int) Matrix {
	return newSparse(points.MustAs[points.Sparse](PointRange(x.Sparse, lo, hi)))
}

func (x *Sparse) Norms() []float64 {
	dst := make([]float64, x.Len())
	for i := range dst {
		_, v := x.Row(i)
		dst[i] = linalg.Dot(v, v)
	}
	return dst
}

// columnStarts returns the position at which the entries of each column begin. The caller may increment these positions
// as it goes through the rows.
func (x *Sparse) columnStarts(s *Scratch) []int {
	s.next = append(s.next[:0], x.start[:x.D]...)
	return s.next
}

func (x *Sparse) Gram(dst, theta []float64, s *Scratch) {
	n, next := x.Len(), x.columnStarts(s)
	for i := range n {
		out := dst[i*n : (i+1)*n]
		clear(out[i:])
		cols, vals := x.Row(i)
		for t, k := range cols {
			w := vals[t]
			if theta != nil {
				w *= theta[k]
			}
			if w != 0 {
				for p := next[k]; p < x.start[k+1]; p++ { // entries of column k in rows i … n−1
					out[x.inRow[p]] += w * x.value[p]
				}
			}
			next[k]++
		}
	}
}

func (x *Sparse) Cross(dst []float64, stride int, z Matrix, theta []float64, _ *Scratch) {
	a, n := z.(*Sparse), x.Len()
	for i := range a.Len() {
		out := dst[i*stride : i*stride+n]
		clear(out)
		cols, vals := a.Row(i)
		for t, k := range cols {
			w := vals[t]
			if theta != nil {
				w *= theta[k]
			}
			if w != 0 {
				for p := x.start[k]; p < x.start[k+1]; p++ {
					out[x.inRow[p]] += w * x.value[p]
				}
			}
		}
	}
}

func (x *Sparse) TimesTransposed(dst, w []float64) {
	clear(dst)
	for i, c := range w {
		cols, vals := x.Row(i)
		for t, k := range cols {
			dst[k] += c * vals[t]
		}
	}
}

func (x *Sparse) Times(dst, c []float64) {
	for i := range dst {
		s := 0.0
		cols, vals := x.Row(i)
		for t, k := range cols {
			s += c[k] * vals[t]
		}
		dst[i] = s
	}
}

func (x *Sparse) Weighted(dst, w []float64, _ *Scratch) {
	d := x.D
	clear(dst)
	for i, c := range w {
		cols, vals := x.Row(i)
		for t, k := range cols {
			for s := t; s < len(cols); s++ {
				dst[k*d+cols[s]] += c * vals[t] * vals[s]
			}
		}
	}
	mirror(dst, d)
}

func (x *Sparse) RowForms(dst, h []float64, _ *Scratch) {
	for i := range dst {
		cols, vals := x.Row(i)
		s := 0.0
		for t, k := range cols {
			e := 0.0
			for p, l := range cols {
				e += h[k*x.D+l] * vals[p]
			}
			s += vals[t] * e
		}
		dst[i] = s
	}
}

func (x *Sparse) ColumnForms(dst []float64, m Triangle, s *Scratch) {
	n, next := x.Len(), x.columnStarts(s)
	out := Sized(&s.strip, n)
	clear(dst)
	for i := range n {
		m.UpperRow(out[i:], i)
		cols, vals := x.Row(i)
		for p, k := range cols {
			e := 0.0
			for q := next[k]; q < x.start[k+1]; q++ {
				e += x.value[q] * out[x.inRow[q]]
			}
			dst[k] += vals[p] * e
			next[k]++
		}
	}
}

// Center returns nil, which stands for the zero point: after subtracting a mean, sparse points would no longer be
// sparse.
func (x *Sparse) Center() []float64      { return nil }
func (x *Sparse) Minus([]float64) Matrix { return x }

// dense returns x as a Dense.
func (x *Sparse) dense() *Dense {
	rows := points.ToRows(x.Sparse)
	return &Dense{rows.N, rows.D, rows.Data}
}

func (x *Sparse) AbsoluteDistances(dst []float64, stride int, z Matrix, s *Scratch) {
	x.dense().AbsoluteDistances(dst, stride, z.(*Sparse).dense(), s)
}

// SquaredDistance adds the squared differences of the features that z_i or x_j stores.
func (x *Sparse) SquaredDistance(z Matrix, i, j int) float64 {
	a, u := z.(*Sparse).Row(i)
	b, v := x.Row(j)
	s, p, q := 0.0, 0, 0
	for p < len(a) || q < len(b) {
		var e float64
		switch {
		case q == len(b) || p < len(a) && a[p] < b[q]:
			e = u[p]
			p++
		case p == len(a) || b[q] < a[p]:
			e = v[q]
			q++
		default:
			e = u[p] - v[q]
			p++
			q++
		}
		s += e * e
	}
	return s
}
