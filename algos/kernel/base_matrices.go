package kernel

import (
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// baseMatrices holds the matrices of base kernels on preprocessed points, before centering and normalization. They are
// computed once and stored packed; the results of Slice read the same matrices.
type baseMatrices struct {
	entryComputer            // computes the entries of the base matrices
	addsDiagonalShift   bool // true if k includes the shifts; false before centering or normalization
	once                sync.Once
	k                   [][]float64 // the matrices, packed; nil for a matrix that was normalized in place
	addedDiagonalShifts []float64   // what was added to each diagonal; 0 if addsDiagonalShift is false

	diagonalShiftLock     sync.Mutex
	diagonalShiftOfKernel map[*Kernel]float64 // the δ with K + δI ⪰ 0 for each Shifted kernel
}

// diagonalShiftsByPoint returns a vector δ such that K + diag δ is positive semidefinite, up to the rounding of the
// entries of K. K is the matrix of kernel f between the points x, without repetitions. nil stands for δ = 0.
//
// For a Shifted kernel, every entry of δ is the result of its DiagonalShift, computed once. For a product Π_i
// k_i^{e_i}, let K_i + δ_iI be positive semidefinite for each factor. Then the elementwise product Π_i(K_i +
// δ_iI)^{e_i} is positive semidefinite too. It differs from ΠK_i^{e_i} on the diagonal only, in entry j by Π_i(d_ij +
// δ_i)^{e_i} − Π_id_ij^{e_i} with d_ij = k_i(x_j, x_j). For any other kernel δ is 0.
func (b *baseMatrices) diagonalShiftsByPoint(f *Kernel, x points.Points) []float64 {
	n := x.Len()
	p, ok := (*f).(product)
	if !ok {
		if v := b.diagonalShiftOf(f); v != 0 {
			return slices.Repeat([]float64{v}, n)
		}
		return nil
	}
	ones := []float64{1}
	diagonalProduct, shiftedDiagonalProduct, diag := slices.Repeat(ones, n), slices.Repeat(ones, n), make([]float64, n)
	isShifted := false
	for i, e := range p.Exponents {
		if e == 0 {
			continue
		}
		shift := b.diagonalShiftOf(&p.Kernels[i])
		isShifted = isShifted || shift != 0
		storeDiagonal(p.Kernels[i], diag, x)
		for j, d := range diag {
			d = max(d, 0)
			diagonalProduct[j] *= elementwise.IntegerPower(d, e)
			shiftedDiagonalProduct[j] *= elementwise.IntegerPower(d+shift, e)
		}
	}
	if !isShifted {
		return nil
	}
	for j := range shiftedDiagonalProduct {
		shiftedDiagonalProduct[j] = max(shiftedDiagonalProduct[j]-diagonalProduct[j], 0)
	}
	return shiftedDiagonalProduct
}

// diagonalShiftOf returns the result of DiagonalShift, computed once, for a Shifted kernel, and 0 for any other kernel.
func (b *baseMatrices) diagonalShiftOf(f *Kernel) float64 {
	s, ok := (*f).(Shifted)
	if !ok {
		return 0
	}
	b.diagonalShiftLock.Lock()
	defer b.diagonalShiftLock.Unlock()
	v, ok := b.diagonalShiftOfKernel[f]
	if !ok {
		if v = s.DiagonalShift(); b.diagonalShiftOfKernel == nil {
			b.diagonalShiftOfKernel = map[*Kernel]float64{}
		}
		b.diagonalShiftOfKernel[f] = v
	}
	return v
}

// bandRows is the number of rows of a base matrix that are computed at a time.
const bandRows = 64

// packedMatrices returns the base matrices, which it computes at the first call.
func (b *baseMatrices) packedMatrices(threads linalg.ThreadLimit) [][]float64 {
	b.once.Do(func() {
		n := b.x.Len()
		b.k = make([][]float64, len(b.kernels))
		b.addedDiagonalShifts = make([]float64, len(b.kernels))
		isPairwise := make([]bool, len(b.kernels))
		for _, q := range b.kernelGroups() {
			for _, m := range q.kernelPlans {
				b.k[m.k], isPairwise[m.k] = make([]float64, packedOffset(n, n)), q.x != nil
				if q.x == nil {
					fullMatrix := mat.NewDense(n, n, nil)
					b.kernels[m.k].Cross(fullMatrix, b.x, b.x)
					packBand(b.k[m.k], fullMatrix.RawMatrix().Data, n, 0, n)
				}
			}
		}
		threads.Run(countTiles(n, bandRows), func(t int) {
			s := tileScratches.Get().(*tileScratch)
			defer tileScratches.Put(s)
			lo, hi := t*bandRows, min(n, (t+1)*bandRows)
			b.visitKernelsOfTile(lo, hi, lo, n, func(k int) bool { return isPairwise[k] }, s, func(k int, a []float64) {
				packBand(b.k[k][packedOffset(n, lo):packedOffset(n, hi)], a, n, lo, hi)
			})
		})
		for k, a := range b.k {
			if b.addsDiagonalShift {
				diag := make([]float64, n)
				for i := range diag {
					diag[i] = a[packedOffset(n, i)]
				}
				b.addedDiagonalShifts[k] = b.requiredDiagonalShift(k, a, diag, b.x, nil)
				addToDiagonal(a, n, b.addedDiagonalShifts[k])
			}
		}
	})
	return b.k
}

// errorFactorOfPower returns the factor c of the error bound cε√(K_iiK_jj) of entry (i, j) for a kernel k that is
// computed as a power p of another kernel exp(−γt): for the rounding of the power, and for the difference of pγ from
// the γ of kernel k. It returns 0 for a kernel that is not computed in this way.
func (b *baseMatrices) errorFactorOfPower(k int) (errorFactor float64) {
	b.kernelGroups()
	if p := b.exponents[k]; p > 1 {
		return float64(2*p + 2)
	}
	return 0
}
