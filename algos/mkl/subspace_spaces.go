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

// spaces holds V_1, …, V_m of Subspace. A function of V_k is K_kv, where v is a combination of the unit vectors of r
// landmarks and of the α of the passes. The R coordinate functions of all V_k together are orthonormal up to rounding.
// That rounding is bounded where it matters: all proofs use the v.
type spaces struct {
	g         *matrixFree
	on        linalg.Bound
	landmarks []int
	alphas    [][]float64
	phi       []float64     // values of the coordinate functions at the points, R×n
	of        []int         // R: index k of the kernel of a coordinate
	v         [][]float64   // R: v of a coordinate, landmarks first
	size      []float64     // R: values of a coordinate, and the terms they are rounded from, are at most size·√K_k,ii
	off       []float64     // R: values of a coordinate differ from K_kv by at most off·√K_k,ii, and by landmark shifts
	within    [][][]float64 // for each k rows of K_k between landmarks, then lower rows of each α with landmarks and α
}

// dropped is a fraction of λ. A landmark feature whose share in K is below it is omitted.
const dropped = 0.1

// room is the number of passes whose coordinates fit into the arrays, in addition to the landmark coordinates. Further
// passes copy the arrays to grow them.
const room = 16

// newSpaces returns the spaces that the landmarks span, with room for passes over the given number of columns of
// targets. Room that is not written takes memory from the system only if the process had that memory before.
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
			s.off = append(s.off, (g.sweep.Error()+linalg.Gamma(r+8))*size)
		}
		if len(t) > 0 {
			from, kept := len(s.phi), len(t)/r
			s.phi = s.phi[:from+kept*n] // within its capacity
			s.on.Gemm(false, false, kept, n, r, 1, t, r, c.RawMatrix().Data, n, 0, s.phi[from:], n)
		}
	}
	runtime.GC() // frees several r×n matrices for the passes; without it a heap of the size of Φ would first double
	return s, nil
}

// add adds a·ΦᵀΦ of the given points, in ascending order, to the upper triangle of gram. It omits the entries of two
// coordinates that are both below first. It ends early with the context's error.
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
		if count := len(some); some[count-1]-some[0] >= count { // the points are not consecutive
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

// product stores Φᵀx in dst, or Φx if trans is true. Φᵀ is R×n; R may be 0.
func (s *spaces) product(dst []float64, trans bool, x []float64) {
	if len(s.of) == 0 {
		clear(dst)
		return
	}
	_, n := s.g.Dims()
	linalg.MulVec(dst, trans, mat.NewDense(len(s.of), n, s.phi), x)
}

// enrich adds to each V_k the part of P_k = K_kα outside V_k, for the images P_k of each column α, unless this part is
// only rounding. It returns the number of new coordinates.
func (s *spaces) enrich(alphas []float64, images [][]float64) (added int) {
	_, n := s.g.Dims()
	before := len(s.of)
	for from := 0; from < len(alphas); from += n {
		s.join(alphas[from:from+n], images, from)
	}
	return len(s.of) - before
}

// join does the work of enrich for one column, whose images begin at from.
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
		s.off = append(s.off, scale*(off+2*linalg.Gamma(terms)*size)) // errors of sums of values and of v
	}
}

// form returns vᵀK_kv.
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
