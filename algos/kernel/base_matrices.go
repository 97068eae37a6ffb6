package kernel

import (
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// baseMatrices are the matrices of base kernels on prepared points, before centring and
// normalising: computed once, packed, shared by slices.
type baseMatrices struct {
	remade      // those that are not stored
	raw    bool // nothing comes after: they are lifted here
	memory int  // how many numbers may be stored; of the fitted ones as many again
	once   sync.Once
	k      [][]float64 // nil where there is no room
	shifts []float64   // by which they are lifted

	measuring sync.Mutex
	measured  map[int]float64 // shifts of kernels that are shifted
}

// shift is that of kernel k, measured once for all slices.
func (b *baseMatrices) shift(k int, s shifted) float64 {
	b.measuring.Lock()
	defer b.measuring.Unlock()
	v, ok := b.measured[k]
	if !ok {
		if v = s.shift(); b.measured == nil {
			b.measured = map[int]float64{}
		}
		b.measured[k] = v
	}
	return v
}

// band is how many rows of a base matrix are a tile.
const band = 64

// fulls keep the storage of a matrix of distances for later ones.
var fulls = sync.Pool{New: func() any { return new([]float64) }}

// each is a function of the number of a tile.
type each func(i int)

func (f each) Tile(i int) { f(i) }

func (b *baseMatrices) matrices(on linalg.Bound) [][]float64 {
	b.once.Do(func() {
		n := b.x.Len()
		b.k = make([][]float64, len(b.kernels))
		b.shifts = make([]float64, len(b.kernels))
		room := b.memory / tri(n, n) // matrices
		store := fulls.Get().(*[]float64)
		defer fulls.Put(store)
		full, s := sized(store, n*n), &scratch{on: on}
		for k, f := range b.kernels[:min(room, len(b.k))] {
			if b.k[k] != nil {
				continue
			}
			g, ok := f.(pairwiseKernel)
			if !ok {
				f.Cross(mat.NewDense(n, n, full), b.x, b.x)
				b.k[k] = pack(full, n)
				continue
			}
			t, columns := g.pairwise()
			t.within(full, mustVectors(b.x, columns).design(), s)
			var same []int // all that are functions of the same matrix
			for l := k; l < min(room, len(b.k)); l++ {
				if b.k[l] == nil && samePairwise(g, b.kernels[l]) {
					same = append(same, l)
				}
			}
			for _, l := range same {
				b.k[l] = make([]float64, tri(n, n))
			}
			parts := (n + band - 1) / band
			on.Run(each(func(i int) {
				l := same[i/parts]
				for r := i % parts * band; r < min(n, (i%parts+1)*band); r++ {
					b.kernels[l].(pairwiseKernel).apply(packedRow(b.k[l], n, r), full[r*n+r:(r+1)*n])
				}
			}), len(same)*parts)
		}
		for k, a := range b.k {
			if b.raw && a != nil {
				diag := make([]float64, n)
				for i := range diag {
					diag[i] = a[tri(n, i)]
				}
				b.shifts[k] = b.lift(k, a, diag, b.x, nil)
				raise(a, n, b.shifts[k])
			}
		}
	})
	return b.k
}

// between are the base kernels of new points z (prepared) and x, l×n each, but for those with
// θ_k = 0.
func (list List) between(z, x Points, theta []float64, on linalg.Bound) [][]float64 {
	l, n := z.Len(), x.Len()
	out := make([][]float64, len(list))
	for k, f := range list {
		if out[k] != nil || l == 0 || theta[k] == 0 {
			continue
		}
		out[k] = make([]float64, l*n)
		g, ok := f.(pairwiseKernel)
		if !ok {
			f.Cross(mat.NewDense(l, n, out[k]), z, x)
			continue
		}
		t, columns := g.pairwise()
		a, b := pairOf(f, z, x, columns)
		t.between(out[k], n, a, b, &scratch{on: on})
		for j := k + 1; j < len(list); j++ { // before out[k] itself is changed
			if out[j] == nil && theta[j] != 0 && samePairwise(g, list[j]) {
				out[j] = make([]float64, l*n)
				list[j].(pairwiseKernel).apply(out[j], out[k])
			}
		}
		g.apply(out[k], out[k])
	}
	return out
}

// diagonals are k(z_i, z_i), but for those with θ_k = 0.
func (list List) diagonals(z Points, theta []float64) [][]float64 {
	out := make([][]float64, len(list))
	for k, b := range list {
		if theta[k] != 0 {
			out[k] = make([]float64, z.Len())
			diagonal(b, out[k], z)
		}
	}
	return out
}
