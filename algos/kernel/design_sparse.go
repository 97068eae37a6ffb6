package kernel

import (
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// sparseDesign stores X by rows and, for products between points, also by columns. The entries of column k are
// value[start[k]:start[k+1]]. Their rows are inRow[start[k]:start[k+1]], in ascending order.
type sparseDesign struct {
	points.Sparse
	start, inRow []int
	value        []float64
}

// newSparseDesign returns the design of x.
func newSparseDesign(x points.Sparse) *sparseDesign {
	c := &sparseDesign{Sparse: x, start: make([]int, x.D+1), inRow: make([]int, len(x.Col)),
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

func (x *sparseDesign) size() (n, d int) { return x.Len(), x.D }

func (x *sparseDesign) row(buf []float64, i int) []float64 {
	x.Dense(buf, i)
	return buf
}

func (x *sparseDesign) rows(lo, hi int) design {
	return newSparseDesign(points.MustAs[points.Sparse](pointRange(x.Sparse, lo, hi)))
}

func (x *sparseDesign) norms() []float64 {
	dst := make([]float64, x.Len())
	for i := range dst {
		_, v := x.Row(i)
		dst[i] = linalg.Dot(v, v)
	}
	return dst
}

// columnStarts returns the position at which the entries of each column begin. The caller may increment these positions
// as it goes through the rows.
func (x *sparseDesign) columnStarts(s *scratch) []int {
	s.next = append(s.next[:0], x.start[:x.D]...)
	return s.next
}

func (x *sparseDesign) gram(dst, theta []float64, s *scratch) {
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

func (x *sparseDesign) cross(dst []float64, stride int, z design, theta []float64, _ *scratch) {
	a, n := z.(*sparseDesign), x.Len()
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

func (x *sparseDesign) timesTransposed(dst, w []float64) {
	clear(dst)
	for i, c := range w {
		cols, vals := x.Row(i)
		for t, k := range cols {
			dst[k] += c * vals[t]
		}
	}
}

func (x *sparseDesign) times(dst, c []float64) {
	for i := range dst {
		s := 0.0
		cols, vals := x.Row(i)
		for t, k := range cols {
			s += c[k] * vals[t]
		}
		dst[i] = s
	}
}

func (x *sparseDesign) weighted(dst, w []float64, _ *scratch) {
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

func (x *sparseDesign) rowForms(dst, h []float64, _ *scratch) {
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

func (x *sparseDesign) columnForms(dst []float64, m triangle, s *scratch) {
	n, next := x.Len(), x.columnStarts(s)
	out := sized(&s.strip, n)
	clear(dst)
	for i := range n {
		m.row(out[i:], i)
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

// center returns nil, which stands for the zero point: after subtracting a mean, sparse points would no longer be
// sparse.
func (x *sparseDesign) center() []float64      { return nil }
func (x *sparseDesign) minus([]float64) design { return x }

// dense returns x as a denseDesign.
func (x *sparseDesign) dense() *denseDesign {
	rows := points.ToRows(x.Sparse)
	return &denseDesign{rows.N, rows.D, rows.Data}
}

func (x *sparseDesign) absoluteDistances(dst []float64, stride int, z design, s *scratch) {
	x.dense().absoluteDistances(dst, stride, z.(*sparseDesign).dense(), s)
}

// squaredDistance adds the squared differences of the features that z_i or x_j stores.
func (x *sparseDesign) squaredDistance(z design, i, j int) float64 {
	a, u := z.(*sparseDesign).Row(i)
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
