package linalg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
)

// decomposeByQL computes the eigendecomposition of the matrix in s.matrixData in pure Go, by implicit QL iteration on
// its tridiagonal form.
func (s *Spectral) decomposeByQL() (converged bool) {
	n := s.n
	s.tau, s.offDiagonal, s.work = Resize(s.tau, n), Resize(s.offDiagonal, n), Resize(s.work, 64*n)
	d, e, tau, work := s.eigenvalues, s.offDiagonal, s.tau, s.work
	goLAPACK.Dsytrd(blas.Upper, n, s.matrixData, n, d, e[:n-1], tau[:n-1], work, len(work))
	e[n-1] = 0
	if !s.hasVectors {
		ok := diagonalizeTridiagonal(d, e, func(_, _ float64, _ int) {})
		slices.Sort(d)
		return ok
	}
	goLAPACK.Dorgtr(blas.Upper, n, s.matrixData, n, tau[:n-1], work, len(work))
	transposeInto(s.q, s.matrixData, n, n)
	if !diagonalizeTridiagonal(d, e, s.collectRotation) {
		s.rotations = s.rotations[:0]
		return false
	}
	s.applyRotations()
	s.sortEigenvalues()
	return true
}

// diagonalizeTridiagonal replaces the diagonal d of a tridiagonal matrix by its eigenvalues. It calls rotate for each
// plane rotation in turn; a rotation changes the rows i and i+1. e is the off-diagonal, with e[n−1] = 0; it is
// overwritten. diagonalizeTridiagonal uses implicit QL iteration. An entry e_m counts as 0 if |e_m| is at most 2⁻⁵³
// times the largest |d_i| + |e_i| of the matrix; this changes no eigenvalue by more than its rounding error. It returns
// false if 60 sweeps do not find an eigenvalue.
//
// References:
//   - H. Bowdler, R. S. Martin, C. Reinsch and J. H. Wilkinson, The QR and QL algorithms for symmetric matrices,
//     Numerische Mathematik 11 (1968), procedure tql2.
func diagonalizeTridiagonal(d, e []float64, rotate func(cos, sin float64, i int)) (converged bool) {
	n := len(d)
	zeroThreshold := 0.0
	for i, v := range d {
		zeroThreshold = max(zeroThreshold, 0x1p-53*(math.Abs(v)+math.Abs(e[i])))
	}
	for l := range n {
		for sweep := 0; ; sweep++ {
			m := l
			for m < n-1 && math.Abs(e[m]) > zeroThreshold {
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
				rotate(cos, sin, i)
			}
			if i < l {
				d[l] -= p
				e[l], e[m] = g, 0
			}
		}
	}
	return true
}

// rotation is a plane rotation of rows i and i+1. The dsteqr of gonum applies one rotation at a time to two columns of
// a matrix that is stored by rows. Here several threads apply the rotations of several sweeps, each to parts of rows
// that fit into the cache.
type rotation struct {
	cos, sin float64
	i        int
}

const (
	sweepRotations = 32  // sweepRotations·n rotations are collected before they are applied
	rotationWidth  = 128 // number of columns of a tile: one kilobyte of each row
)

// collectRotation appends a rotation to s.rotations, and applies all of them once there are sweepRotations·n rotations.
func (s *Spectral) collectRotation(cos, sin float64, firstRow int) {
	if s.rotations = append(s.rotations, rotation{cos, sin, firstRow}); len(s.rotations) >= sweepRotations*s.n {
		s.applyRotations()
	}
}

// applyRotations applies all collected rotations to the rows of s.q and removes them from the list.
func (s *Spectral) applyRotations() {
	n := s.n
	ThreadLimit(s.Threads).Run((n+rotationWidth-1)/rotationWidth, func(t int) {
		lo := t * rotationWidth
		hi := min(lo+rotationWidth, n)
		for _, r := range s.rotations {
			a, b := s.q[r.i*n+lo:r.i*n+hi], s.q[(r.i+1)*n+lo:(r.i+1)*n+hi]
			b = b[:len(a)]
			for j, x := range a {
				y := b[j]
				b[j] = r.sin*x + r.cos*y
				a[j] = r.cos*x - r.sin*y
			}
		}
	})
	s.rotations = s.rotations[:0]
}

// sortEigenvalues sorts the eigenvalues in ascending order, and the eigenvectors in the same order.
func (s *Spectral) sortEigenvalues() {
	for i := range s.eigenvalues { // selection sort exchanges at most n−1 pairs of rows
		k := i
		for j := i + 1; j < s.n; j++ {
			if s.eigenvalues[j] < s.eigenvalues[k] {
				k = j
			}
		}
		if k == i {
			continue
		}
		s.eigenvalues[i], s.eigenvalues[k] = s.eigenvalues[k], s.eigenvalues[i]
		a, b := s.Vector(i), s.Vector(k)
		for j, v := range a {
			a[j], b[j] = b[j], v
		}
	}
}
