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
// landmarks and of the α of the passes. Each V_k has an orthonormal basis, up to rounding, in the function space of
// K_k. The R functions of these bases together are called coordinates. The certificates do not assume that they are
// orthonormal: they use the stored v of each coordinate.
type spaces struct {
	g         *matrixFree
	threads   linalg.Bound // bounds the number of threads
	landmarks []int        // indices of the landmark points, r
	alphas    [][]float64  // the α of the passes
	phi       []float64    // values of the coordinate functions at the points, R×n
	kernelOf  []int        // length R: index k of the kernel of a coordinate
	v         [][]float64  // length R: v of a coordinate: coefficients of the landmarks, then of alphas
	size      []float64    // length R: the value at point i, and the terms of its sum, are at most size·√K_k,ii
	valueErr  []float64    // length R: values differ from (K_kv)_i by at most valueErr·√K_k,ii plus the shift
	// formRows[k] has r rows with K_k between landmarks. Then it has a row for each α: the values of K_kα at the
	// landmarks, and αᵀK_kα' for each α' up to α itself.
	formRows [][][]float64
}

// minShare is the fraction of λ below which the contribution of a landmark function to K is so small that the function
// is omitted.
const minShare = 0.1

// passCapacity is the number of passes whose coordinates fit into the arrays, in addition to the landmark coordinates.
// Further passes copy the arrays to grow them.
const passCapacity = 16

// newSpaces returns the spaces V_k that the landmarks span. It reserves storage for the functions of passCapacity
// passes, each with one function per kernel and column of targets. The system provides memory for reserved storage only
// when it is written, unless the process reuses memory that it already had.
func newSpaces(ctx context.Context, g *matrixFree, landmarks []int, columns int, lambda float64,
	threads linalg.Bound) (*spaces, error) {
	m, n := g.Dims()
	r := len(landmarks)
	s := &spaces{g: g, threads: threads, landmarks: landmarks, phi: make([]float64, 0, (r+passCapacity*columns)*m*n)}
	rows, theta, c := g.sweep.Rows(landmarks), make([]float64, m), mat.NewDense(r, n, nil)
	for k := range m {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		theta[k] = 1
		rows.Gram(c, theta)
		theta[k] = 0
		w, landmarkRows := mat.NewSymDense(r, nil), make([][]float64, r)
		for i := range r {
			landmarkRows[i] = make([]float64, r)
			for j, z := range landmarks {
				landmarkRows[i][j] = c.At(i, z)
				w.SetSym(i, j, c.At(i, z))
			}
		}
		s.formRows = append(s.formRows, landmarkRows)
		values, vectors := s.threads.Eigen(w, true)
		var coefficients []float64
		for l, mu := range values {
			if !(mu > 1e-9*floats.Max(values)) || !(mu*float64(n)/float64(r) > minShare*lambda) {
				continue
			}
			v := mat.Col(nil, l, vectors)
			floats.Scale(1/math.Sqrt(mu), v)
			size := 0.0
			for i, z := range landmarks {
				size += math.Abs(v[i]) * math.Sqrt(max(g.diagonals[k][z], 0))
			}
			coefficients = append(coefficients, v...)
			s.kernelOf, s.v, s.size = append(s.kernelOf, k), append(s.v, v), append(s.size, size)
			s.valueErr = append(s.valueErr, (g.sweep.Error()+linalg.Gamma(r+8))*size)
		}
		if len(coefficients) > 0 {
			from, count := len(s.phi), len(coefficients)/r
			s.phi = s.phi[:from+count*n] // does not allocate: newSpaces reserved the capacity
			s.threads.Gemm(false, false, count, n, r, 1, coefficients, r, c.RawMatrix().Data, n, 0, s.phi[from:], n)
		}
	}
	runtime.GC() // frees several r×n matrices for the passes; without it a heap of the size of Φ would first double
	return s, nil
}

// addGram adds ΦᵀΦ to the upper triangle of gram. It leaves out the entries of two coordinates that both have an index
// below first. If ctx ends, it returns its error, and gram is incomplete.
func (s *spaces) addGram(ctx context.Context, gram *mat.SymDense, first int) error {
	_, n := s.g.Dims()
	all, upper := len(s.kernelOf), gram.RawSymmetric()
	if all == first {
		return nil
	}
	const pointsAtOnce = 1024
	for from := 0; from < n; from += pointsAtOnce {
		if err := ctx.Err(); err != nil {
			return err
		}
		count, columns := min(pointsAtOnce, n-from), s.phi[from:]
		newRows := columns[first*n:]
		s.threads.Gemm(false, true, first, all-first, count, 1, columns, n, newRows, n, 1, upper.Data[first:],
			upper.Stride)
		s.threads.Syrk(false, all-first, count, 1, newRows, n, 1, upper.Data[first*(upper.Stride+1):], upper.Stride)
	}
	return nil
}

// multiply stores Φᵀx in dst, or Φx if trans is true. Φᵀ is R×n; R may be 0.
func (s *spaces) multiply(dst []float64, trans bool, x []float64) {
	if len(s.kernelOf) == 0 {
		clear(dst)
		return
	}
	_, n := s.g.Dims()
	linalg.MulVec(dst, trans, mat.NewDense(len(s.kernelOf), n, s.phi), x)
}

// addImages adds to each space V_k of Subspace the function K_kα for each column α of alphas. images[k] holds the K_kα
// of all columns. A new coordinate is the part of K_kα orthogonal to V_k, scaled to norm 1; it is omitted if this part
// is only rounding. addImages returns the number of new coordinates.
func (s *spaces) addImages(alphas []float64, images [][]float64) (added int) {
	_, n := s.g.Dims()
	oldCount := len(s.kernelOf)
	for from := 0; from < len(alphas); from += n {
		s.addImage(alphas[from:from+n], images, from)
	}
	return len(s.kernelOf) - oldCount
}

// addImage adds the functions K_kα of one column α to the V_k. They are images[k][from:from+n].
func (s *spaces) addImage(alpha []float64, images [][]float64, from int) {
	m, n := s.g.Dims()
	r, oldCount := len(s.landmarks), len(s.kernelOf)
	c, sizes := make([]float64, oldCount), s.g.diagonalNorms(alpha)
	s.multiply(c, false, alpha)
	s.alphas = append(s.alphas, slices.Clone(alpha))
	for k := range m {
		image, row := images[k][from:from+n], make([]float64, 0, r+len(s.alphas))
		for _, z := range s.landmarks {
			row = append(row, image[z])
		}
		for _, a := range s.alphas {
			row = append(row, blockedDot(a, image))
		}
		s.formRows[k] = append(s.formRows[k], row)
		form := row[len(row)-1]
		outside := form
		for l, k2 := range s.kernelOf[:oldCount] {
			if k2 == k {
				outside -= c[l] * c[l]
			}
		}
		if !(outside > 1e-9*form) {
			continue
		}
		scale := 1 / math.Sqrt(outside)
		f, v, size := slices.Clone(image), make([]float64, r+len(s.alphas)), sizes[k]
		valueErr, terms := s.g.sweep.Error()*size, 4
		v[len(v)-1] = 1
		for l, k2 := range s.kernelOf[:oldCount] {
			if k2 == k {
				linalg.Axpy(-c[l], s.phi[l*n:(l+1)*n], f)
				linalg.Axpy(-c[l], s.v[l], v)
				size += math.Abs(c[l]) * s.size[l]
				valueErr += math.Abs(c[l]) * s.valueErr[l]
				terms++
			}
		}
		floats.Scale(scale, f)
		floats.Scale(scale, v)
		s.phi = append(s.phi, f...)
		s.kernelOf, s.v, s.size = append(s.kernelOf, k), append(s.v, v), append(s.size, scale*size)
		// the second term bounds the rounding of the sums that give the values and v
		s.valueErr = append(s.valueErr, scale*(valueErr+2*linalg.Gamma(terms)*size))
	}
}

// quadraticForm returns vᵀK_kv, where v has the coefficients of the landmarks and of alphas.
func (s *spaces) quadraticForm(k int, v []float64) (sum float64) {
	r := len(s.landmarks)
	for i, row := range s.formRows[k] {
		if i < r {
			sum += v[i] * floats.Dot(row, v[:r])
			continue
		}
		sum += v[i] * (2*floats.Dot(row[:i], v[:i]) + row[i]*v[i])
	}
	return sum
}
