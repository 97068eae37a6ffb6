package design

import (
	"github.com/mklnb/mkl/algos/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
)

// Dense stores all of X, n×d, row-major.
type Dense struct {
	N, D int
	X    []float64
}

func (x *Dense) Size() (n, d int)                      { return x.N, x.D }
func (x *Dense) At(i int) []float64                    { return x.X[i*x.D : (i+1)*x.D] }
func (x *Dense) DenseRow(_ []float64, i int) []float64 { return x.At(i) }

func (x *Dense) Rows(lo, hi int) Matrix {
	return &Dense{hi - lo, x.D, x.X[lo*x.D : hi*x.D]}
}

func (x *Dense) Norms() []float64 {
	dst := make([]float64, x.N)
	for i := range dst {
		dst[i] = linalg.Dot(x.At(i), x.At(i))
	}
	return dst
}

// scaled returns X diag(θ), n×d. It returns X itself if θ is nil.
func (x *Dense) scaled(theta []float64, s *Scratch) []float64 {
	if theta == nil {
		return x.X
	}
	y := Sized(&s.scaled, len(x.X))
	for i := range x.N {
		row, src := y[i*x.D:(i+1)*x.D], x.At(i)
		for k, t := range theta {
			row[k] = src[k] * t
		}
	}
	return y
}

func (x *Dense) Gram(dst, theta []float64, s *Scratch) {
	s.On.SymGemm(x.N, x.D, x.scaled(theta, s), x.D, x.X, x.D, dst, x.N)
}

func (x *Dense) Cross(dst []float64, stride int, z Matrix, theta []float64, s *Scratch) {
	a := z.(*Dense)
	s.On.Gemm(false, true, a.N, x.N, x.D, 1, a.scaled(theta, s), x.D, x.X, x.D, 0, dst, stride)
}

func (x *Dense) TimesTransposed(dst, w []float64) {
	clear(dst)
	for i, c := range w {
		if c != 0 {
			linalg.Axpy(c, x.At(i), dst)
		}
	}
}

func (x *Dense) Times(dst, c []float64) {
	for i := range dst {
		dst[i] = linalg.Dot(c, x.At(i))
	}
}

// Weighted adds the contribution of 256 points at a time. For these points it computes 64 rows of the result at a time,
// from the block on the diagonal to the last column.
func (x *Dense) Weighted(dst, w []float64, s *Scratch) {
	const block, width = 256, 64
	d := x.D
	y := Sized(&s.strip, block*d)
	for b := 0; b < x.N; b += block {
		rows := min(block, x.N-b)
		for i := range rows {
			c := w[b+i]
			for k, v := range x.At(b + i) {
				y[i*d+k] = c * v
			}
		}
		beta := 1.0
		if b == 0 {
			beta = 0
		}
		for k := 0; k < d; k += width {
			s.On.Gemm(true, false, min(width, d-k), d-k, rows, 1, y[k:], d, x.X[b*d+k:], d, beta, dst[k*d+k:], d)
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

func (x *Dense) RowForms(dst, h []float64, s *Scratch) {
	const block = 64
	d := x.D
	y := Sized(&s.strip, block*d)
	for b := 0; b < x.N; b += block {
		rows := min(block, x.N-b)
		s.On.Gemm(false, false, rows, d, d, 1, x.X[b*d:], d, h, d, 0, y, d)
		for i := range rows {
			dst[b+i] = linalg.Dot(y[i*d:(i+1)*d], x.At(b+i))
		}
	}
}

// ColumnForms multiplies 64 rows of the upper triangle of M by X at a time. It takes n²d operations.
func (x *Dense) ColumnForms(dst []float64, m Triangle, s *Scratch) {
	const block = 64
	n, d := x.N, x.D
	strip, y := Sized(&s.strip, block*n), Sized(&s.prod, block*d)
	clear(dst)
	for b := 0; b < n; b += block {
		rows, cols := min(block, n-b), n-b
		for i := range rows {
			clear(strip[i*cols : i*cols+i])
			m.UpperRow(strip[i*cols+i:(i+1)*cols], b+i)
		}
		s.On.Gemm(false, false, rows, d, cols, 1, strip, cols, x.X[b*d:], d, 0, y, d)
		for i := range rows {
			a := x.At(b + i)
			for k, e := range y[i*d : (i+1)*d] {
				dst[k] += e * a[k]
			}
		}
	}
}

// Center returns the mean of the points.
func (x *Dense) Center() []float64 {
	mean := make([]float64, x.D)
	for i := range x.N {
		linalg.Axpy(1/float64(x.N), x.At(i), mean)
	}
	return mean
}

func (x *Dense) Minus(c []float64) Matrix {
	s := &Dense{x.N, x.D, Sized(released.Get().(*[]float64), len(x.X))}
	for i := range x.N {
		row := s.At(i)
		for k, v := range x.At(i) {
			row[k] = v - c[k]
		}
	}
	return s
}

func (x *Dense) SquaredDistance(z Matrix, i, j int) float64 {
	s, b := 0.0, x.At(j)
	for k, v := range z.(*Dense).At(i) {
		s += (v - b[k]) * (v - b[k])
	}
	return s
}

// AbsoluteDistances adds up the distances to 256 points x_j at a time, feature by feature. For more than 512 features,
// it uses fewer points at a time: as many as fit in 1 MB, but at least 32.
func (x *Dense) AbsoluteDistances(dst []float64, stride int, z Matrix, s *Scratch) {
	block := max(32, min(256, (1<<17)/max(x.D, 1)&^3))
	a := z.(*Dense)
	features := Sized(&s.strip, block*x.D) // features of these points, d×block
	for from := 0; from < x.N; from += block {
		width := min(block, x.N-from)
		for j := range width {
			for k, v := range x.At(from + j) {
				features[k*block+j] = v
			}
		}
		for i := range a.N {
			row := dst[i*stride+from : i*stride+from+width]
			clear(row)
			for k, v := range a.At(i) {
				elementwise.AddAbsolute(row, features[k*block:k*block+width], v)
			}
		}
	}
}
