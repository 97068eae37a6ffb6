package kernel

import (
	"slices"
	"sync"
	"sync/atomic"

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
	// of each product, how many ε its factors are off by as powers of exponentials; nil before the matrices are made,
	// which a Sweep does not wait for
	powers atomic.Pointer[[]float64]

	measuring sync.Mutex
	measured  map[*Kernel]float64 // of kernels, and factors at any depth, that are Shifted
}

// shift is δ_j ≥ 0 with K + diag δ positive semidefinite, up to the rounding of its entries, for K of kernel f
// between points x, each once. It is what f says of itself where it is Shifted, measured once for all slices. Of a
// Product, of factors at any depth, Π(K_i + diag δ_i)^{e_i} is positive semidefinite and differs from ΠK_i^{e_i} on
// the diagonal only, by Π(d_ij + δ_ij)^{e_i} − Πd_ij^{e_i}, d_ij = k_i(x_j, x_j). It is nil, 0, of others.
func (b *baseMatrices) shift(f *Kernel, x Points) []float64 {
	n := x.Len()
	if s, ok := (*f).(Shifted); ok {
		b.measuring.Lock()
		defer b.measuring.Unlock()
		v, ok := b.measured[f]
		if !ok {
			if v = s.Shift(); b.measured == nil {
				b.measured = map[*Kernel]float64{}
			}
			b.measured[f] = v
		}
		return slices.Repeat([]float64{v}, n)
	}
	m, ok := (*f).(multiplied)
	if !ok {
		return nil
	}
	p := m.product()
	shifts, some := make([][]float64, len(p.Kernels)), false
	for i := range p.Kernels {
		if p.Exponents[i] > 0 {
			shifts[i] = b.shift(&p.Kernels[i], x)
			some = some || shifts[i] != nil
		}
	}
	if !some {
		return nil
	}
	one := []float64{1}
	least, most, diag := slices.Repeat(one, n), slices.Repeat(one, n), make([]float64, n)
	for i, e := range p.Exponents {
		if e == 0 {
			continue
		}
		diagonal(p.Kernels[i], diag, x)
		for j, d := range diag {
			d = max(d, 0)
			least[j] *= integerPower(d, e)
			if shifts[i] != nil {
				d += shifts[i][j]
			}
			most[j] *= integerPower(d, e)
		}
	}
	for j := range most {
		most[j] = max(most[j]-least[j], 0)
	}
	return most
}

// band is how many rows of a base matrix are a tile.
const band = 64

func (b *baseMatrices) matrices(on linalg.Bound) [][]float64 {
	b.once.Do(func() {
		n := b.x.Len()
		b.k = make([][]float64, len(b.kernels))
		b.shifts = make([]float64, len(b.kernels))
		room := b.memory / tri(n, n) // matrices
		b.products(room, on)
		byRows := make([]bool, len(b.kernels))
		for _, q := range b.quantities() {
			for _, m := range q.of {
				if m.k >= room || b.k[m.k] != nil { // no room, or a product
					continue
				}
				b.k[m.k], byRows[m.k] = make([]float64, tri(n, n)), q.x != nil
				if q.x == nil {
					full := mat.NewDense(n, n, nil)
					b.kernels[m.k].Cross(full, b.x, b.x)
					packBand(b.k[m.k], full.RawMatrix().Data, n, 0, n)
				}
			}
		}
		on.Run(linalg.TileFunc(func(t int) {
			s := tileScratches.Get().(*tileScratch)
			defer tileScratches.Put(s)
			lo, hi := bandOf(n, t)
			b.tile(lo, hi, lo, n, func(k int) bool { return byRows[k] }, s, func(k int, a []float64) {
				packBand(b.k[k][tri(n, lo):tri(n, hi)], a, n, lo, hi)
			})
		}), tiles(n, band))
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

// products makes the matrices of Products of the same kernels, as Monomials have them, of matrices that are made
// once for all of them, where those have room too.
func (b *baseMatrices) products(room int, on linalg.Bound) {
	n, powers := b.x.Len(), make([]float64, len(b.kernels))
	defer b.powers.Store(&powers)
	for k := range min(room, len(b.kernels)) {
		p, ok := b.kernels[k].(Product)
		if !ok || b.k[k] != nil || len(p.Kernels) == 0 {
			continue
		}
		var all []int
		used := make([]bool, len(p.Kernels))
		for l := k; l < min(room, len(b.kernels)); l++ {
			if o, ok := b.kernels[l].(Product); ok && len(o.Kernels) == len(p.Kernels) &&
				&o.Kernels[0] == &p.Kernels[0] {
				all = append(all, l)
				for j, e := range o.Exponents {
					used[j] = used[j] || e > 0
				}
			}
		}
		var list List
		at := make([]int, len(p.Kernels)) // of a factor in list
		for j, f := range p.Kernels {
			if used[j] {
				at[j], list = len(list), append(list, f)
			}
		}
		if len(all) == 1 || len(list) > room {
			continue
		}
		f := baseMatrices{remade: remade{kernels: list, x: b.x}, memory: len(list) * tri(n, n)}
		factors := f.matrices(on)
		on.Run(linalg.TileFunc(func(i int) {
			a := make([]float64, tri(n, n))
			for t := range a {
				a[t] = 1
			}
			for j, e := range b.kernels[all[i]].(Product).Exponents {
				if e > 0 {
					for t, v := range factors[at[j]] {
						a[t] *= integerPower(v, e)
					}
					powers[all[i]] += float64(e) * f.powered(at[j])
				}
			}
			b.k[all[i]] = a
		}), len(all))
	}
}

// powered is how many ε matrix k is off by, of itself, as a power of an exponential, and γ as a multiple; or as a
// product of such.
func (b *baseMatrices) powered(k int) float64 {
	b.quantities()
	v := 0.0
	if p := b.powers.Load(); p != nil {
		v = (*p)[k]
	}
	if p := b.times[k]; p > 1 {
		v += float64(2*p + 2)
	}
	return v
}

// between are the base kernels of new points z (prepared) and x, l×n each, but for those with
// θ_k = 0.
func (list List) between(z, x Points, theta []float64, on linalg.Bound) [][]float64 {
	l, n := z.Len(), x.Len()
	out := make([][]float64, len(list))
	for _, of := range list.grouped(func(k int) bool { return theta[k] != 0 && l > 0 }) {
		k, f := of[0], list[of[0]]
		g, ok := pairs(f)
		if !ok {
			out[k] = newBlock(l * n)
			f.Cross(mat.NewDense(l, n, out[k]), z, x)
			continue
		}
		t, columns := g.pairwise()
		a, b := pairOf(f, z, x, columns)
		values := newBlock(l * n)
		t.between(values, n, a, b, &scratch{on: on})
		for _, m := range list.makings(of) { // the first before its powers
			out[m.k] = newBlock(l * n)
			if len(m.path) == 0 {
				list[m.k].(pairwiseKernel).apply(out[m.k], values)
			}
			src := out[m.first]
			for _, p := range m.path {
				raised(out[m.k], src, p)
				src = out[m.k]
			}
		}
		spareBlocks.Put(&values)
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
