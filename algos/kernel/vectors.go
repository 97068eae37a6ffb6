package kernel

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
)

// vectors are n points of d features as the vector kernels read them: dense rows, or sparse rows
// with a term of low rank, which is what shifting columns and rows makes of sparse ones:
//
//	X = Z + UVᵀ,  U n×r, V d×r.
type vectors struct {
	n, d  int
	dense []float64 // n×d row-major; nil where z holds the points
	z     Sparse
	r     int
	u, v  []float64
	names []string
}

// lifted is vectors as Points: what Prepare makes of Sparse where it shifts.
type lifted struct{ vectors }

// Len returns n.
func (x lifted) Len() int { return x.n }

// Slice copies the given rows.
func (x lifted) Slice(rows []int) Points {
	s := lifted{x.vectors}
	s.n, s.z, s.u = len(rows), x.z.Slice(rows).(Sparse), nil
	for _, i := range rows {
		s.u = append(s.u, x.u[i*x.r:(i+1)*x.r]...)
	}
	return s
}

// Validate judges the sparse part.
func (x lifted) Validate() error { return x.z.Validate() }

// vectorsOf reads the given columns of x, all if columns is nil. The result may share x's data.
func vectorsOf(x Points, columns []int) (vectors, error) {
	var v vectors
	switch x := x.(type) {
	case Rows:
		v = vectors{n: x.N, d: x.D, dense: x.Data, names: x.Names}
	case Sparse:
		v = vectors{n: x.Len(), d: x.D, z: x, names: x.Names}
	case lifted:
		v = x.vectors
	default:
		return v, fmt.Errorf("kernel: points are %T, want kernel.Rows or kernel.Sparse", x)
	}
	if columns == nil {
		return v, nil
	}
	c := slices.Clone(columns)
	slices.Sort(c)
	if len(c) == 0 {
		return v, fmt.Errorf("kernel: an empty list of columns, want nil for all or at least one")
	}
	for t, j := range c {
		if j < 0 || j >= v.d {
			return v, fmt.Errorf("kernel: column %d of points with %d features; columns count from 0", j, v.d)
		}
		if t > 0 && c[t-1] == j {
			return v, fmt.Errorf("kernel: column %d is named twice", j)
		}
	}
	return v.columns(c), nil
}

func (x *vectors) columns(c []int) vectors {
	s := vectors{n: x.n, d: len(c), r: x.r, u: x.u}
	if x.z.Ptr == nil {
		s.dense = make([]float64, 0, x.n*len(c))
		for i := range x.n {
			for _, j := range c {
				s.dense = append(s.dense, x.dense[i*x.d+j])
			}
		}
		return s
	}
	place := make([]int, x.d)
	for t, j := range c {
		place[j] = t + 1
		s.v = append(s.v, x.v[j*x.r:(j+1)*x.r]...)
	}
	s.z = Sparse{D: s.d, Ptr: make([]int, 1, x.n+1)}
	for i := range x.n {
		cols, vals := x.z.Row(i)
		for t, j := range cols {
			if place[j] > 0 {
				s.z.Col, s.z.Val = append(s.z.Col, place[j]-1), append(s.z.Val, vals[t])
			}
		}
		s.z.Ptr = append(s.z.Ptr, len(s.z.Col))
	}
	return s
}

func (x *vectors) isDense() bool { return x.z.Ptr == nil }

// row stores point i in dst, of length d, and returns it; of dense points it returns a view.
func (x *vectors) row(dst []float64, i int) []float64 {
	if x.isDense() {
		return x.dense[i*x.d : (i+1)*x.d]
	}
	clear(dst)
	cols, vals := x.z.Row(i)
	for t, j := range cols {
		dst[j] = vals[t]
	}
	if x.r > 0 {
		u := x.u[i*x.r : (i+1)*x.r]
		for j := range dst {
			for t, c := range u {
				dst[j] += c * x.v[j*x.r+t]
			}
		}
	}
	return dst
}

// norms returns ‖x_i‖² for every point.
func (x *vectors) norms() []float64 {
	dst := make([]float64, x.n)
	buf := make([]float64, x.d)
	for i := range dst {
		if x.isDense() || x.r > 0 {
			r := x.row(buf, i)
			dst[i] = linalg.Dot(r, r)
			continue
		}
		_, v := x.z.Row(i)
		dst[i] = linalg.Dot(v, v)
	}
	return dst
}

// columnwise is a sparse matrix by columns: the entries of column k are in the rows
// row[ptr[k]:ptr[k+1]], ascending.
type columnwise struct {
	ptr, row []int
	val      []float64
}

func byColumns(x Sparse) columnwise {
	c := columnwise{ptr: make([]int, x.D+1), row: make([]int, len(x.Col)), val: make([]float64, len(x.Col))}
	for _, j := range x.Col {
		c.ptr[j+1]++
	}
	for j := range x.D {
		c.ptr[j+1] += c.ptr[j]
	}
	next := slices.Clone(c.ptr)
	for i := range x.Len() {
		cols, vals := x.Row(i)
		for t, j := range cols {
			c.row[next[j]], c.val[next[j]] = i, vals[t]
			next[j]++
		}
	}
	return c
}

// inner stores A diag(θ) Bᵀ, l×n, in dst with the given stride; θ nil means 1.
func inner(dst []float64, stride int, a, b *vectors, theta []float64) {
	d := a.d
	weight := func(k int) float64 {
		if theta == nil {
			return 1
		}
		return theta[k]
	}
	if a.isDense() && b.isDense() {
		x := a.dense
		if theta != nil {
			x = make([]float64, len(a.dense))
			for i := range a.n {
				for k, t := range theta {
					x[i*d+k] = a.dense[i*d+k] * t
				}
			}
		}
		linalg.Gemm(false, true, a.n, b.n, d, 1, x, d, b.dense, d, 0, dst, stride)
		return
	}
	if a.isDense() || b.isDense() {
		bufA, bufB := make([]float64, d), make([]float64, d)
		for j := range b.n {
			y := b.row(bufB, j)
			for i := range a.n {
				x := a.row(bufA, i)
				s := 0.0
				for k, v := range x {
					s += v * weight(k) * y[k]
				}
				dst[i*stride+j] = s
			}
		}
		return
	}
	c := byColumns(b.z)
	va, vb := make([]float64, a.n*b.r), make([]float64, b.n*a.r)
	a.times(va, theta, b)          // Z_a Θ V_b
	b.times(vb, theta, a)          // Z_b Θ V_a
	vv := make([]float64, a.r*b.r) // V_aᵀ Θ V_b
	for k := range d {
		for s := range a.r {
			for t := range b.r {
				vv[s*b.r+t] += a.v[k*a.r+s] * weight(k) * b.v[k*b.r+t]
			}
		}
	}
	for i := range a.n {
		out := dst[i*stride : i*stride+b.n]
		clear(out)
		cols, vals := a.z.Row(i)
		for t, k := range cols {
			w := vals[t] * weight(k)
			if w == 0 {
				continue
			}
			for p := c.ptr[k]; p < c.ptr[k+1]; p++ {
				out[c.row[p]] += w * c.val[p]
			}
		}
		for j := range out {
			for t := range b.r {
				out[j] += va[i*b.r+t] * b.u[j*b.r+t]
			}
			for s := range a.r {
				e := vb[j*a.r+s]
				for t := range b.r {
					e += vv[s*b.r+t] * b.u[j*b.r+t]
				}
				out[j] += a.u[i*a.r+s] * e
			}
		}
	}
}

// times stores Z diag(θ) V of the sparse part of x and the V of y, n×r_y.
func (x *vectors) times(dst, theta []float64, y *vectors) {
	clear(dst)
	if y.r == 0 {
		return
	}
	for i := range x.n {
		cols, vals := x.z.Row(i)
		for t, k := range cols {
			w := vals[t]
			if theta != nil {
				w *= theta[k]
			}
			for s := range y.r {
				dst[i*y.r+s] += w * y.v[k*y.r+s]
			}
		}
	}
}

// workspace is scratch kept from one product to the next.
type workspace struct {
	x, a, vv []float64
	next     []int
}

// cursor is where each column begins, to be moved on row by row.
func (s *workspace) cursor(x *vectors, c *columnwise) []int {
	s.next = append(s.next[:0], c.ptr[:x.d]...)
	return s.next
}

// innerSelf stores the upper triangle of X diag(θ) Xᵀ in dst, n×n; θ nil means 1. Below the
// diagonal dst is overwritten in places.
func innerSelf(dst []float64, x *vectors, c *columnwise, theta []float64, work *workspace) {
	n, d := x.n, x.d
	if x.isDense() {
		y := x.dense
		if theta != nil {
			scratch := sized(&work.x, n*d)
			for i := range n {
				row, src := scratch[i*d:(i+1)*d], x.dense[i*d:(i+1)*d]
				for k, t := range theta {
					row[k] = src[k] * t
				}
			}
			y = scratch
		}
		linalg.SymGemm(n, d, y, d, x.dense, d, dst, n)
		return
	}
	next := work.cursor(x, c)
	for i := range n {
		out := dst[i*n : (i+1)*n]
		clear(out[i:])
		cols, vals := x.z.Row(i)
		for t, k := range cols {
			w := vals[t]
			if theta != nil {
				w *= theta[k]
			}
			if w != 0 {
				for p := next[k]; p < c.ptr[k+1]; p++ { // rows i and below
					out[c.row[p]] += w * c.val[p]
				}
			}
			next[k]++
		}
	}
	if x.r == 0 {
		return
	}
	// Z Θ V Uᵀ + its transpose + U(VᵀΘV)Uᵀ = AUᵀ + UAᵀ with A = ZΘV + ½U(VᵀΘV).
	r := x.r
	a, vv := sized(&work.a, n*r), sized(&work.vv, r*r)
	x.times(a, theta, x)
	clear(vv)
	for k := range d {
		w := 1.0
		if theta != nil {
			w = theta[k]
		}
		for s := range r {
			for t := range r {
				vv[s*r+t] += x.v[k*r+s] * w * x.v[k*r+t]
			}
		}
	}
	for i := range n {
		for s := range r {
			for t := range r {
				a[i*r+t] += x.u[i*r+s] * vv[s*r+t] / 2
			}
		}
	}
	for i := range n {
		for j := i; j < n; j++ {
			e := 0.0
			for t := range r {
				e += a[i*r+t]*x.u[j*r+t] + x.u[i*r+t]*a[j*r+t]
			}
			dst[i*n+j] += e
		}
	}
}

// forward stores Xᵀw, of length d.
func (x *vectors) forward(dst, w []float64) {
	clear(dst)
	if x.isDense() {
		for i, c := range w {
			if c != 0 {
				linalg.Axpy(c, x.dense[i*x.d:(i+1)*x.d], dst)
			}
		}
		return
	}
	for i, c := range w {
		cols, vals := x.z.Row(i)
		for t, k := range cols {
			dst[k] += c * vals[t]
		}
	}
	for t := range x.r {
		s := 0.0
		for i, c := range w {
			s += c * x.u[i*x.r+t]
		}
		for k := range dst {
			dst[k] += s * x.v[k*x.r+t]
		}
	}
}

// back stores Xc, of length n.
func (x *vectors) back(dst, c []float64) {
	if x.isDense() {
		for i := range dst {
			dst[i] = linalg.Dot(c, x.dense[i*x.d:(i+1)*x.d])
		}
		return
	}
	for i := range dst {
		s := 0.0
		cols, vals := x.z.Row(i)
		for t, k := range cols {
			s += c[k] * vals[t]
		}
		dst[i] = s
	}
	for t := range x.r {
		s := 0.0
		for k, v := range c {
			s += v * x.v[k*x.r+t]
		}
		for i := range dst {
			dst[i] += s * x.u[i*x.r+t]
		}
	}
}

// squaredDistances stores ‖a_i − b_j‖², l×n, in dst. Dense points are moved by the mean of b first,
// so that what cancels in ‖a‖² + ‖b‖² − 2⟨a,b⟩ is of the size of the distances.
func squaredDistances(dst []float64, stride int, a, b *vectors) {
	a, b = moved(a, b), moved(b, b)
	inner(dst, stride, a, b, nil)
	na, nb := a.norms(), b.norms()
	for i := range a.n {
		row := dst[i*stride : i*stride+b.n]
		for j := range row {
			row[j] = math.Max(0, na[i]+nb[j]-2*row[j])
		}
	}
}

// selfDistances stores the upper triangle of ‖x_i − x_j‖², its diagonal exactly 0.
func selfDistances(dst []float64, x *vectors, c *columnwise) {
	x = moved(x, x)
	innerSelf(dst, x, c, nil, new(workspace))
	norm := x.norms()
	for i := range x.n {
		row := dst[i*x.n : (i+1)*x.n]
		row[i] = 0
		for j := i + 1; j < x.n; j++ {
			row[j] = math.Max(0, norm[i]+norm[j]-2*row[j])
		}
	}
}

// moved returns dense a minus the mean of b.
func moved(a, b *vectors) *vectors {
	if !a.isDense() || !b.isDense() || b.n == 0 {
		return a
	}
	mean := make([]float64, b.d)
	for i := range b.n {
		linalg.Axpy(1/float64(b.n), b.dense[i*b.d:(i+1)*b.d], mean)
	}
	s := vectors{n: a.n, d: a.d, dense: make([]float64, len(a.dense))}
	for i := range a.n {
		for k, m := range mean {
			s.dense[i*a.d+k] = a.dense[i*a.d+k] - m
		}
	}
	return &s
}

// absoluteDistances stores ‖a_i − b_j‖₁, l×n, in dst; only j ≥ i if upper.
func absoluteDistances(dst []float64, stride int, a, b *vectors, upper bool) {
	bufA, bufB := make([]float64, a.d), make([]float64, b.d)
	for i := range a.n {
		x := a.row(bufA, i)
		start, whole := 0, 0.0
		if upper {
			start = i
		}
		sparse := !b.isDense() && b.r == 0
		if sparse {
			for _, v := range x {
				whole += math.Abs(v)
			}
		}
		for j := start; j < b.n; j++ {
			s := 0.0
			if sparse { // only the nonzeros of b_j differ from |x|
				s = whole
				cols, vals := b.z.Row(j)
				for t, k := range cols {
					s += math.Abs(x[k]-vals[t]) - math.Abs(x[k])
				}
				s = math.Max(0, s)
			} else {
				for k, v := range b.row(bufB, j) {
					s += math.Abs(x[k] - v)
				}
			}
			dst[i*stride+j] = s
		}
	}
}
