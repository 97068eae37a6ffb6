package kernel

import (
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// baseMatrices holds the matrices of base kernels on preprocessed points, before centering and normalization. They are
// computed once, stored packed, and shared by slices.
type baseMatrices struct {
	recomputer      // computes entries of the matrices
	raw        bool // true if no centering or normalization follows; δ_k is then added to the diagonals here
	memory     int  // how many numbers k may contain; centered and normalized matrices may take as many again
	once       sync.Once
	// k has the matrices. A matrix is nil if it does not fit into memory, or if fitKernel has overwritten it.
	k      [][]float64
	shifts []float64 // the number δ_k that was added to each diagonal; 0 unless raw is true
	// powers has, for each product of kernels, the sum of powerError over its factors. It is nil before the matrices
	// are computed; a Sweep does not wait for that.
	powers atomic.Pointer[[]float64]

	measuring sync.Mutex
	measured  map[*Kernel]float64 // the result of Shift for each kernel and for each factor of a product
}

// diagonalShift returns a vector δ such that K + diag δ is positive semidefinite, up to the rounding of the entries of
// K. K is the matrix of kernel f between the points x, each counted once. A nil result stands for δ = 0.
//
// For a Shifted kernel, every entry of δ is the result of its Shift, which is called once for all slices. For a product
// Π_i k_i^{e_i}, let K_i + δ_iI be positive semidefinite for each factor. Then the elementwise product Π_i(K_i +
// δ_iI)^{e_i} is positive semidefinite too. It differs from ΠK_i^{e_i} on the diagonal only, in entry j by Π_i(d_ij +
// δ_i)^{e_i} − Π_id_ij^{e_i} with d_ij = k_i(x_j, x_j). For any other kernel δ is 0.
func (b *baseMatrices) diagonalShift(f *Kernel, x points.Points) []float64 {
	n := x.Len()
	p, ok := (*f).(product)
	if !ok {
		if v := b.measuredShift(f); v != 0 {
			return slices.Repeat([]float64{v}, n)
		}
		return nil
	}
	ones := []float64{1}
	lower, upper, diag := slices.Repeat(ones, n), slices.Repeat(ones, n), make([]float64, n)
	shifted := false
	for i, e := range p.Exponents {
		if e == 0 {
			continue
		}
		shift := b.measuredShift(&p.Kernels[i])
		shifted = shifted || shift != 0
		diagonal(p.Kernels[i], diag, x)
		for j, d := range diag {
			d = max(d, 0)
			lower[j] *= integerPower(d, e)
			upper[j] *= integerPower(d+shift, e)
		}
	}
	if !shifted {
		return nil
	}
	for j := range upper {
		upper[j] = max(upper[j]-lower[j], 0)
	}
	return upper
}

// measuredShift returns the result of Shift for a Shifted kernel, and 0 for any other kernel. It calls Shift once.
func (b *baseMatrices) measuredShift(f *Kernel) float64 {
	s, ok := (*f).(Shifted)
	if !ok {
		return 0
	}
	b.measuring.Lock()
	defer b.measuring.Unlock()
	v, ok := b.measured[f]
	if !ok {
		if v = s.Shift(); b.measured == nil {
			b.measured = map[*Kernel]float64{}
		}
		b.measured[f] = v
	}
	return v
}

// bandRows is the number of rows of a base matrix that are computed at a time.
const bandRows = 64

// matrices returns the base matrices, which it computes at the first call. A matrix that does not fit into memory is
// nil.
func (b *baseMatrices) matrices(on linalg.Bound) [][]float64 {
	b.once.Do(func() {
		n := b.x.Len()
		b.k = make([][]float64, len(b.kernels))
		b.shifts = make([]float64, len(b.kernels))
		room := b.memory / tri(n, n) // the number of matrices that fit in memory
		b.computeProducts(room, on)
		byRows := make([]bool, len(b.kernels))
		for _, q := range b.quantityGroups() {
			for _, m := range q.plans {
				if m.k >= room || b.k[m.k] != nil { // it does not fit, or computeProducts has computed it
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
			lo, hi := bandLimits(n, t)
			b.visitTile(lo, hi, lo, n, func(k int) bool { return byRows[k] }, s, func(k int, a []float64) {
				packBand(b.k[k][tri(n, lo):tri(n, hi)], a, n, lo, hi)
			})
		}), tileCount(n, bandRows))
		for k, a := range b.k {
			if b.raw && a != nil {
				diag := make([]float64, n)
				for i := range diag {
					diag[i] = a[tri(n, i)]
				}
				b.shifts[k] = b.totalShift(k, a, diag, b.x, nil)
				addToDiagonal(a, n, b.shifts[k])
			}
		}
	})
	return b.k
}

// computeProducts computes the matrices of the first room kernels if all kernels are products of the same factors, as
// for Monomials. It computes the matrix of each factor once for all products. If room is less than the number of
// factors, or if fewer than two matrices are to be computed, it does nothing.
func (b *baseMatrices) computeProducts(room int, on linalg.Bound) {
	n, powers := b.x.Len(), make([]float64, len(b.kernels))
	defer b.powers.Store(&powers)
	count := min(room, len(b.kernels))
	first, ok := b.kernels[0].(product)
	for _, k := range b.kernels {
		p, isProduct := k.(product)
		ok = ok && isProduct && len(p.Kernels) > 0 && &p.Kernels[0] == &first.Kernels[0]
	}
	if !ok || count < 2 {
		return
	}
	var factors List
	index := make([]int, len(first.Kernels)) // index of each kernel in factors
	for j, f := range first.Kernels {
		for _, k := range b.kernels[:count] {
			if k.(product).Exponents[j] > 0 {
				index[j], factors = len(factors), append(factors, f)
				break
			}
		}
	}
	if len(factors) > room {
		return
	}
	f := baseMatrices{recomputer: recomputer{kernels: factors, x: b.x}, memory: len(factors) * tri(n, n)}
	matrices := [][]float64{}
	if len(factors) > 0 {
		matrices = f.matrices(on)
	}
	on.Run(linalg.TileFunc(func(k int) {
		a := make([]float64, tri(n, n))
		for t := range a {
			a[t] = 1
		}
		for j, e := range b.kernels[k].(product).Exponents {
			if e > 0 {
				for t, v := range matrices[index[j]] {
					a[t] *= integerPower(v, e)
				}
				powers[k] += float64(e) * f.powerError(index[j])
			}
		}
		b.k[k] = a
	}), count)
}

// powerError returns a bound, in units of ε√(k_iik_jj), on a part of the error of entry (i, j) of matrix k. If the
// kernel is computed as power p of another kernel exp(−γt), it covers the rounding of the power and the difference of
// pγ from the γ of the kernel. For a product it is the sum of powerError over the factors. For any other kernel it is
// 0.
func (b *baseMatrices) powerError(k int) float64 {
	b.quantityGroups()
	v := 0.0
	if p := b.powers.Load(); p != nil {
		v = (*p)[k]
	}
	if p := b.exponents[k]; p > 1 {
		v += float64(2*p + 2)
	}
	return v
}

// diagonals returns the numbers k_k(z_i, z_i) for each base kernel k, or nil in place of them if θ_k = 0.
func (list List) diagonals(z points.Points, theta []float64) [][]float64 {
	out := make([][]float64, len(list))
	for k, b := range list {
		if theta[k] != 0 {
			out[k] = make([]float64, z.Len())
			diagonal(b, out[k], z)
		}
	}
	return out
}
