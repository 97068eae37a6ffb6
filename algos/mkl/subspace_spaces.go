package mkl

import (
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// spaces are V_1, …, V_m of Subspace. A function of V_k is K_kv, v a combination of the unit vectors of r landmarks and
// of the α's of the passes. Coordinate functions, R of all V_k together, are orthonormal but for rounding, which is
// bounded where it matters: what is proved is of the v's.
type spaces struct {
	g         *matrixFree
	on        linalg.Bound
	landmarks []int
	alphas    [][]float64
	phi       []float64     // values of the coordinate functions at the points, R×n
	of        []int         // R: the k of a coordinate
	v         [][]float64   // R: its v, of the landmarks first
	size      []float64     // R: its values are at most size·√K_k,ii, and so are those that it was rounded from
	off       []float64     // R: its values are off by at most off·√K_k,ii from K_kv, and by lifts of landmarks
	within    [][][]float64 // for each k rows of K_k between landmarks, then lower ones of landmarks and α's with α's
}

// dropped is the part of λ below which the share of a landmark feature in K is left out.
const dropped = 0.1

// room is of how many passes the coordinates have room beside those of landmarks, before arrays are copied to grow.
const room = 16

// newSpaces are those that landmarks span, with room for passes of so many columns of targets. Room that is not written
// takes memory of the system only where the process had it before.
func newSpaces(ctx context.Context, g *matrixFree, landmarks []int, columns int, lambda float64,
	on linalg.Bound) (*spaces, error) {
	m, n := g.Dims()
	r := len(landmarks)
	s := &spaces{g: g, on: on, landmarks: landmarks, phi: make([]float64, 0, (r+room*columns)*m*n)}
	rows, theta, c := g.sweep.Rows(landmarks), make([]float64, m), mat.NewDense(r, n, nil)
	for k := range m {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		theta[k] = 1
		rows.Gram(c, theta)
		theta[k] = 0
		w, within := mat.NewSymDense(r, nil), make([][]float64, r)
		for i := range r {
			within[i] = make([]float64, r)
			for j, z := range landmarks {
				within[i][j] = c.At(i, z)
				w.SetSym(i, j, c.At(i, z))
			}
		}
		s.within = append(s.within, within)
		values, vectors := s.on.Eigen(w, true)
		var t []float64
		for l, mu := range values {
			if !(mu > 1e-9*floats.Max(values)) || !(mu*float64(n)/float64(r) > dropped*lambda) {
				continue
			}
			v := mat.Col(nil, l, vectors)
			floats.Scale(1/math.Sqrt(mu), v)
			size := 0.0
			for i, z := range landmarks {
				size += math.Abs(v[i]) * math.Sqrt(max(g.diagonals[k][z], 0))
			}
			t = append(t, v...)
			s.of, s.v, s.size = append(s.of, k), append(s.v, v), append(s.size, size)
			s.off = append(s.off, (g.sweep.Error()+float64(r+8)*linalg.Epsilon)*size)
		}
		if len(t) > 0 {
			from, kept := len(s.phi), len(t)/r
			s.phi = s.phi[:from+kept*n] // which has room for all
			s.on.Gemm(false, false, kept, n, r, 1, t, r, c.RawMatrix().Data, n, 0, s.phi[from:], n)
		}
	}
	runtime.GC() // several matrices r×n, whose memory the passes then use: a heap of Φ would wait for as much again
	return s, nil
}

// add adds a·ΦᵀΦ of some points, in ascending order, to the upper triangle of gram, but for the entries of two of the
// first coordinates. It ends early with the context's error.
func (s *spaces) add(ctx context.Context, gram *mat.SymDense, first int, a float64, points []int) error {
	_, n := s.g.Dims()
	all, to := len(s.of), gram.RawSymmetric()
	if all == first {
		return nil
	}
	var gathered []float64
	for some := range slices.Chunk(points, 1024) {
		if err := ctx.Err(); err != nil {
			return err
		}
		part, width := s.phi[some[0]:], n
		if count := len(some); some[count-1]-some[0] >= count { // not one after the other
			gathered = slices.Grow(gathered[:0], all*count)[:all*count]
			part, width = gathered, count
			for l := range all {
				row, phi := part[l*count:], s.phi[l*n:]
				for j, i := range some {
					row[j] = phi[i]
				}
			}
		}
		fresh := part[first*width:]
		s.on.Gemm(false, true, first, all-first, len(some), a, part, width, fresh, width, 1, to.Data[first:], to.Stride)
		s.on.Syrk(false, all-first, len(some), a, fresh, width, 1, to.Data[first*(to.Stride+1):], to.Stride)
	}
	return nil
}

// product stores Φᵀx in dst, or Φx where trans, Φᵀ being R×n; R may be 0.
func (s *spaces) product(dst []float64, trans bool, x []float64) {
	if len(s.of) == 0 {
		clear(dst)
		return
	}
	_, n := s.g.Dims()
	linalg.MulVec(dst, trans, mat.NewDense(len(s.of), n, s.phi), x)
}

// enrich adds to each V_k what the images P_k = K_kα of each column α have outside it, unless that is rounding, and
// returns to how many.
func (s *spaces) enrich(alphas []float64, images [][]float64) (added int) {
	_, n := s.g.Dims()
	before := len(s.of)
	for from := 0; from < len(alphas); from += n {
		s.join(alphas[from:from+n], images, from)
	}
	return len(s.of) - before
}

// join is enrich for one column, whose images begin at from.
func (s *spaces) join(alpha []float64, images [][]float64, from int) {
	m, n := s.g.Dims()
	r, before := len(s.landmarks), len(s.of)
	c, sizes := make([]float64, before), s.g.sizes(alpha)
	s.product(c, false, alpha)
	s.alphas = append(s.alphas, slices.Clone(alpha))
	for k := range m {
		p, row := images[k][from:from+n], make([]float64, 0, r+len(s.alphas))
		for _, z := range s.landmarks {
			row = append(row, p[z])
		}
		for _, a := range s.alphas {
			row = append(row, inParts(a, p))
		}
		s.within[k] = append(s.within[k], row)
		form := row[len(row)-1]
		rest := form
		for l, k2 := range s.of[:before] {
			if k2 == k {
				rest -= c[l] * c[l]
			}
		}
		if !(rest > 1e-9*form) {
			continue
		}
		scale := 1 / math.Sqrt(rest)
		f, v, size := slices.Clone(p), make([]float64, r+len(s.alphas)), sizes[k]
		off, terms := s.g.sweep.Error()*size, 4
		v[len(v)-1] = 1
		for l, k2 := range s.of[:before] {
			if k2 == k {
				linalg.Axpy(-c[l], s.phi[l*n:(l+1)*n], f)
				linalg.Axpy(-c[l], s.v[l], v)
				size += math.Abs(c[l]) * s.size[l]
				off += math.Abs(c[l]) * s.off[l]
				terms++
			}
		}
		floats.Scale(scale, f)
		floats.Scale(scale, v)
		s.phi = append(s.phi, f...)
		s.of, s.v, s.size = append(s.of, k), append(s.v, v), append(s.size, scale*size)
		s.off = append(s.off, scale*(off+2*float64(terms)*linalg.Epsilon*size)) // sums of values and of v
	}
}

// form is vᵀK_kv.
func (s *spaces) form(k int, v []float64) (sum float64) {
	r := len(s.landmarks)
	for i, row := range s.within[k] {
		if i < r {
			sum += v[i] * floats.Dot(row, v[:r])
			continue
		}
		sum += v[i] * (2*floats.Dot(row[:i], v[:i]) + row[i]*v[i])
	}
	return sum
}
