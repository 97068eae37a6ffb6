package kernel

import (
	"github.com/mklnb/mkl/algos/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
)

// denseDesign stores all of X, n×d, row-major.
type denseDesign struct {
	n, d int
	x    []float64
}

func (x *denseDesign) size() (n, d int)                 { return x.n, x.d }
func (x *denseDesign) at(i int) []float64               { return x.x[i*x.d : (i+1)*x.d] }
func (x *denseDesign) row(_ []float64, i int) []float64 { return x.at(i) }

func (x *denseDesign) rows(lo, hi int) design {
	return &denseDesign{hi - lo, x.d, x.x[lo*x.d : hi*x.d]}
}

func (x *denseDesign) norms() []float64 {
	dst := make([]float64, x.n)
	for i := range dst {
		dst[i] = linalg.Dot(x.at(i), x.at(i))
	}
	return dst
}

// scaled returns X diag(θ), n×d. It returns X itself if θ is nil.
func (x *denseDesign) scaled(theta []float64, s *scratch) []float64 {
	if theta == nil {
		return x.x
	}
	y := sized(&s.scaled, len(x.x))
	for i := range x.n {
		row, src := y[i*x.d:(i+1)*x.d], x.at(i)
		for k, t := range theta {
			row[k] = src[k] * t
		}
	}
	return y
}

func (x *denseDesign) gram(dst, theta []float64, s *scratch) {
	s.on.SymGemm(x.n, x.d, x.scaled(theta, s), x.d, x.x, x.d, dst, x.n)
}

func (x *denseDesign) cross(dst []float64, stride int, z design, theta []float64, s *scratch) {
	a := z.(*denseDesign)
	s.on.Gemm(false, true, a.n, x.n, x.d, 1, a.scaled(theta, s), x.d, x.x, x.d, 0, dst, stride)
}

func (x *denseDesign) timesTransposed(dst, w []float64) {
	clear(dst)
	for i, c := range w {
		if c != 0 {
			linalg.Axpy(c, x.at(i), dst)
		}
	}
}

func (x *denseDesign) times(dst, c []float64) {
	for i := range dst {
		dst[i] = linalg.Dot(c, x.at(i))
	}
}

// weighted adds the contribution of 256 points at a time. For these points it computes 64 rows of the result at a time,
// from the block on the diagonal to the last column.
func (x *denseDesign) weighted(dst, w []float64, s *scratch) {
	const block, width = 256, 64
	d := x.d
	y := sized(&s.strip, block*d)
	for b := 0; b < x.n; b += block {
		rows := min(block, x.n-b)
		for i := range rows {
			c := w[b+i]
			for k, v := range x.at(b + i) {
				y[i*d+k] = c * v
			}
		}
		beta := 1.0
		if b == 0 {
			beta = 0
		}
		for k := 0; k < d; k += width {
			s.on.Gemm(true, false, min(width, d-k), d-k, rows, 1, y[k:], d, x.x[b*d+k:], d, beta, dst[k*d+k:], d)
		}
	}
	mirror(dst, d)
}

// mirror copies the upper triangle of an m×m matrix to its lower triangle.
func mirror(a []float64, m int) {
	for k := range m {
		for l := range k {
			a[k*m+l] = a[l*m+k]
		}
	}
}

func (x *denseDesign) rowForms(dst, h []float64, s *scratch) {
	const block = 64
	d := x.d
	y := sized(&s.strip, block*d)
	for b := 0; b < x.n; b += block {
		rows := min(block, x.n-b)
		s.on.Gemm(false, false, rows, d, d, 1, x.x[b*d:], d, h, d, 0, y, d)
		for i := range rows {
			dst[b+i] = linalg.Dot(y[i*d:(i+1)*d], x.at(b+i))
		}
	}
}

// columnForms multiplies 64 rows of the upper triangle of M by X at a time. It takes n²d operations.
func (x *denseDesign) columnForms(dst []float64, m triangle, s *scratch) {
	const block = 64
	n, d := x.n, x.d
	strip, y := sized(&s.strip, block*n), sized(&s.prod, block*d)
	clear(dst)
	for b := 0; b < n; b += block {
		rows, cols := min(block, n-b), n-b
		for i := range rows {
			clear(strip[i*cols : i*cols+i])
			m.row(strip[i*cols+i:(i+1)*cols], b+i)
		}
		s.on.Gemm(false, false, rows, d, cols, 1, strip, cols, x.x[b*d:], d, 0, y, d)
		for i := range rows {
			a := x.at(b + i)
			for k, e := range y[i*d : (i+1)*d] {
				dst[k] += e * a[k]
			}
		}
	}
}

// center returns the mean of the points.
func (x *denseDesign) center() []float64 {
	mean := make([]float64, x.d)
	for i := range x.n {
		linalg.Axpy(1/float64(x.n), x.at(i), mean)
	}
	return mean
}

func (x *denseDesign) minus(c []float64) design {
	s := &denseDesign{x.n, x.d, newStorage(len(x.x))}
	for i := range x.n {
		row := s.at(i)
		for k, v := range x.at(i) {
			row[k] = v - c[k]
		}
	}
	return s
}

func (x *denseDesign) squaredDistance(z design, i, j int) float64 {
	s, b := 0.0, x.at(j)
	for k, v := range z.(*denseDesign).at(i) {
		s += (v - b[k]) * (v - b[k])
	}
	return s
}

// absoluteDistances adds up the distances to 256 points x_j at a time, feature by feature. For more than 512 features,
// it uses fewer points at a time: as many as fit in 1 MB, but at least 32.
func (x *denseDesign) absoluteDistances(dst []float64, stride int, z design, s *scratch) {
	block := max(32, min(256, (1<<17)/max(x.d, 1)&^3))
	a := z.(*denseDesign)
	features := sized(&s.strip, block*x.d) // features of these points, d×block
	for from := 0; from < x.n; from += block {
		width := min(block, x.n-from)
		for j := range width {
			for k, v := range x.at(from + j) {
				features[k*block+j] = v
			}
		}
		for i := range a.n {
			row := dst[i*stride+from : i*stride+from+width]
			clear(row)
			for k, v := range a.at(i) {
				elementwise.AddAbsolute(row, features[k*block:k*block+width], v)
			}
		}
	}
}
