package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// qlIteration computes the eigendecomposition of the matrix in s.flat in pure Go, by implicit QL iteration on its
// tridiagonal form. It calls the routines that the dsyev of gonum calls. If n ≥ largeSpectrum and eigenvectors are
// computed, it calls diagonalize instead of dsteqr. It reports whether the iteration converged.
func (s *Spectral) qlIteration() bool {
	n := s.n
	s.d, s.e = resizeFloats(s.d, n), resizeFloats(s.e, n)
	s.work = resizeFloats(s.work, 64*n)
	d, e, tau, work := s.values[:n], s.e, s.d, s.work
	goLAPACK.Dsytrd(blas.Upper, n, s.flat, n, d, e[:n-1], tau[:n-1], work, len(work))
	flushTiny(d)
	flushTiny(e[:n-1])
	if !s.vectors {
		return goLAPACK.Dsterf(n, d, e)
	}
	goLAPACK.Dorgtr(blas.Upper, n, s.flat, n, tau[:n-1], work, len(work))
	if n >= largeSpectrum {
		transposeInto(s.q, s.flat, n, n)
		e[n-1] = 0
		if !s.diagonalize(d, e) {
			return false
		}
		s.sortAscending(d)
		return true
	}
	if !goLAPACK.Dsteqr(lapack.EVOrig, n, d, e, s.flat, n, work) {
		return false
	}
	transposeInto(s.q, s.flat, n, n)
	return true
}

// sweepRotations·n is the number of rotations that diagonalize collects before it applies them.
const sweepRotations = 32

// diagonalize replaces the diagonal d of a tridiagonal matrix by its eigenvalues, and applies the rotations of the
// iteration to the rows of s.q. e is the off-diagonal, with e[n−1] = 0; it is overwritten. It uses implicit QL
// iteration. An entry e_m counts as 0 if |e_m| is at most 2⁻⁵³ times the largest |d_i| + |e_i| of the matrix; this
// changes no eigenvalue by more than its rounding error. It returns false if 60 sweeps do not find an eigenvalue.
//
// The dsteqr of gonum applies one rotation at a time to two columns of a matrix that is stored by rows. This function
// collects the rotations of several sweeps. Several threads then apply them, each to parts of rows that fit into the
// cache.
//
// References:
//   - H. Bowdler, R. S. Martin, C. Reinsch and J. H. Wilkinson, The QR and QL algorithms for symmetric matrices,
//     Numerische Mathematik 11 (1968), procedure tql2.
func (s *Spectral) diagonalize(d, e []float64) bool {
	n := len(d)
	r := rotations{n: n, q: s.q}
	s.work = resizeFloats(s.work, 2*(sweepRotations+1)*n)
	s.iwork = resizeInts(s.iwork, (sweepRotations+1)*n)
	applyRotations := func() {
		Bound(s.Threads).Run(&r, (n+rotationWidth-1)/rotationWidth)
		r.count = 0
	}
	r.cs, r.rows = s.work, s.iwork
	tiny := 0.0
	for i, v := range d {
		tiny = max(tiny, 0x1p-53*(math.Abs(v)+math.Abs(e[i])))
	}
	for l := range n {
		for sweep := 0; ; sweep++ {
			m := l
			for m < n-1 && math.Abs(e[m]) > tiny {
				m++
			}
			if m == l {
				break
			}
			if sweep == 60 {
				return false
			}
			g := (d[l+1] - d[l]) / (2 * e[l])
			g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
			sin, cos, p, i := 1.0, 1.0, 0.0, m-1
			for ; i >= l; i-- {
				f, b := sin*e[i], cos*e[i]
				h := math.Hypot(f, g)
				if e[i+1] = h; h == 0 {
					d[i+1] -= p
					e[m] = 0
					break
				}
				sin, cos = f/h, g/h
				g = d[i+1] - p
				h = (d[i]-g)*sin + 2*cos*b
				p = sin * h
				d[i+1] = g + p
				g = cos*h - b
				r.cs[2*r.count], r.cs[2*r.count+1], r.rows[r.count] = cos, sin, int64(i)
				r.count++
			}
			if i < l {
				d[l] -= p
				e[l], e[m] = g, 0
			}
			if r.count > sweepRotations*n {
				applyRotations()
			}
		}
	}
	applyRotations()
	return true
}

// rotations applies a sequence of plane rotations, each of rows i and i+1, to the n×n matrix q.
type rotations struct {
	n, count int
	cs       []float64 // cosine and sine of each rotation
	rows     []int64   // i of each rotation
	q        []float64
}

// rotationWidth is the number of columns of a tile of rotations: one kilobyte of each row.
const rotationWidth = 128

// Tile applies all rotations to rotationWidth columns.
func (r *rotations) Tile(t int) {
	lo := t * rotationWidth
	hi := min(lo+rotationWidth, r.n)
	for k := range r.count {
		c, s, i := r.cs[2*k], r.cs[2*k+1], int(r.rows[k])*r.n
		a, b := r.q[i+lo:i+hi], r.q[i+r.n+lo:i+r.n+hi]
		b = b[:len(a)]
		for j, v := range a {
			w := b[j]
			b[j] = s*v + c*w
			a[j] = c*v - s*w
		}
	}
}
