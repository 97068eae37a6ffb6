package kernel

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
)

// factors are base matrices of low rank, K_k = Φ_kΦ_kᵀ + δ_kI to ρ_k√(K_iiK_jj) in each entry, as smooth kernels
// of few features are: for them vᵀK_kw is n·r_k operations, not n². Gradients only; K(θ) is of the
// matrices themselves.
type factors struct {
	columns []float64   // of Φ_1 … Φ_m, each of length n
	start   []int       // Φ_k is columns start[k] … start[k+1]−1
	of      []factor    // m
	rest    []int       // those that have none
	whole   [][]float64 // their matrices
}

type factor struct {
	shift, off float64 // δ_k, ρ_k
	columns    []float64
}

const (
	// converged is the largest K_ii − (ΦΦᵀ)_ii, as a part of K_ii, of a factor; trusted is the largest ρ.
	converged = 1e-13
	trusted   = 1e-12
	// ranks is the largest rank looked for, and n/4.
	ranks = 64
)

// factored are the factors of g's base matrices, found once; nil where no matrix has one, or the degree is
// not 1.
func (g *fittedSum) factored(on linalg.Bound) *factors {
	g.factoring.Do(func() {
		m, n := g.Dims()
		if g.d != 1 || m < 2 || g.streamed() || g.base.memory < m*tri(n, n) { // not where memory is short
			return
		}
		f := &factors{of: make([]factor, m), start: make([]int, m+1)}
		on.Run(linalg.TileFunc(func(k int) {
			f.of[k] = factorOf(g.k[k], n, g.lifted(k))
		}), m)
		for k := range f.of {
			f.columns = append(f.columns, f.of[k].columns...)
			f.start[k+1] = len(f.columns) / n
			if f.of[k].columns == nil {
				f.rest, f.whole = append(f.rest, k), append(f.whole, g.k[k])
			}
			f.of[k].columns = nil
		}
		if len(f.rest) < m {
			g.factor = f
		}
	})
	return g.factor
}

// factorOf is the Cholesky factor of a − δI with complete pivoting, as far as it goes; without columns where
// that is too far, as the residual shows early. ρ is of all entries, measured.
func factorOf(a []float64, n int, shift float64) (f factor) {
	most := min(n/4, ranks)
	size, left := make([]float64, n), make([]float64, n)
	for i := range n {
		size[i] = a[tri(n, i)]
		left[i] = size[i] - shift
		if size[i] <= 0 {
			return f
		}
	}
	var columns []float64
	for r := 0; ; r++ {
		p, worst := 0, 0.0
		for i, v := range left {
			if v := v / size[i]; v > worst {
				p, worst = i, v
			}
		}
		if worst <= converged {
			break
		}
		if r == most || worst > 10*math.Pow(converged, float64(r)/float64(most)) {
			return f
		}
		columns = append(columns, make([]float64, n)...)
		c := columns[r*n:]
		for i := range c {
			c[i] = a[packedAt(n, p, i)]
		}
		c[p] -= shift
		for t := range r {
			linalg.Axpy(-columns[t*n+p], columns[t*n:(t+1)*n], c)
		}
		root := math.Sqrt(left[p])
		for i := range c {
			c[i] /= root
			left[i] -= c[i] * c[i]
		}
		left[p] = 0
	}
	r := len(columns) / n
	row := make([]float64, n)
	for i := range n {
		copy(row[i:], packedRow(a, n, i))
		row[i] -= shift
		for t := range r {
			linalg.Axpy(-columns[t*n+i], columns[t*n+i:(t+1)*n], row[i:])
		}
		for j := i; j < n; j++ {
			f.off = math.Max(f.off, math.Abs(row[j])/math.Sqrt(size[i]*size[j]))
		}
	}
	f.off += float64(n+r+8) * linalg.Epsilon // of the sums
	if !(f.off <= trusted) {
		return factor{}
	}
	f.shift, f.columns = shift, columns
	return f
}

// lowForms is vᵀK_kw of the kernels that have factors, in tiles of some of them.
type lowForms struct {
	*factors
	dst, v, w []float64
	vw        float64 // vᵀw
	same      bool    // v is w
}

// some is how many kernels a tile has.
const some = 16

func (f *lowForms) Tile(t int) {
	n := len(f.v)
	for k := t * some; k < min(len(f.dst), (t+1)*some); k++ {
		if f.start[k] == f.start[k+1] {
			continue
		}
		sum := f.of[k].shift * f.vw
		for c := f.start[k]; c < f.start[k+1]; c++ {
			column := f.columns[c*n : (c+1)*n]
			x := linalg.Dot(column, f.w)
			if f.same {
				sum += x * x
			} else {
				sum += x * linalg.Dot(column, f.v)
			}
		}
		f.dst[k] = sum
	}
}
