package kernel

import (
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
)

// sumGram is K(θ) = S^{∘d} of a Sum, with S = Σ_k θ_kK_k. Symmetric matrices are stored packed: n(n+1)/2 numbers. A is
// the m×n(n+1)/2 matrix whose row k is the packed base matrix K_k. Then S = Aᵀθ, and every derivative is A times a
// vector.
type sumGram struct {
	evaluation
	fitted      *fittedSum
	s           []float64 // packed S
	hasSum      bool
	isSetByMix  bool      // Mix computed S from two other sums, with an unknown rounding error
	p, t        []float64 // working storage for packed matrices
	work        []float64
	partialSums []float64 // for sums over packed matrices: m numbers for each tile
}

var (
	_ SecondOrder  = (*sumGram)(nil)
	_ ErrorBounded = (*sumGram)(nil)
	_ Mixed        = (*sumGram)(nil)
	_ Swept        = (*sumGrams)(nil)
)

func (g *sumGrams) New() Gram {
	k, ok := g.releasedGrams.Get().(*sumGram)
	if !ok {
		k = &sumGram{fitted: g.fittedSum}
		k.m, k.n = g.Dims()
		k.matrix = NewMatrix(k.n, Form{Dense: k.denseMatrix, ErrorBounds: k.ErrorBounds})
	}
	k.reset(g.threads)
	return k
}

func (g *sumGram) Release() { g.fitted.releasedGrams.Put(g) }

func (g *sumGram) SetTheta(theta []float64) {
	g.storeTheta(theta)
	g.fitted.computeNormalizedMatrices(g.Threads)
	g.hasSum, g.isSetByMix = false, false
}

// packedSum returns S = Σ_k θ_kK_k, packed. The caller must not change S.
func (g *sumGram) packedSum() []float64 {
	g.mustHaveTheta()
	if !g.hasSum {
		g.combineMatrices(design.Resize(&g.s, packedOffset(g.n, g.n)), g.theta)
		g.hasSum = true
	}
	return g.s
}

// denseMatrix returns K, computed in O(mn²) for m base kernels and n points at the first call after each SetTheta.
func (g *sumGram) denseMatrix() *mat.SymDense {
	s := g.packedSum()
	return g.computeEntrywisePower(g.fitted.d, func(i int) []float64 { return packedRow(s, g.n, i) })
}

// packedOuterProduct returns the packed matrix P that storePackedOuterProduct computes from v and w: the inner product
// of P and a packed matrix M is vᵀMw.
func (g *sumGram) packedOuterProduct(v, w []float64) []float64 {
	p := design.Resize(&g.p, packedOffset(g.n, g.n))
	storePackedOuterProduct(p, v, w)
	return p
}

// weightedMatrixSum returns Σ_k u_kK_k, packed, for a direction u of θ.
func (g *sumGram) weightedMatrixSum(u []float64) []float64 {
	t := design.Resize(&g.t, packedOffset(g.n, g.n))
	g.combineMatrices(t, u)
	return t
}

// Gradient stores wᵀ(∂K/∂θ_k)w in dst[k], in O(mn²). See BilinearGradient.
func (g *sumGram) Gradient(dst, w []float64) { g.BilinearGradient(dst, w, w) }

// BilinearGradient stores vᵀ(∂K/∂θ_k)w = d·vᵀ(S^{d−1}∘K_k)w in dst[k], with S = Σ_k θ_kK_k, in O(mn²). For degree 1, a
// K_k with a factor of rank r takes O(nr), and any other K_k O(ns) if s points have v_i ≠ 0 or w_i ≠ 0.
func (g *sumGram) BilinearGradient(dst, v, w []float64) {
	g.checkLengths(v, w, dst)
	if g.fitted.d > 1 {
		p := g.packedOuterProduct(v, w)
		for i, s := range g.packedSum() {
			p[i] *= elementwise.PowerDerivative(s, g.fitted.d)
		}
		g.storeInnerProductsWithMatrices(dst, p)
		return
	}
	f := g.fitted.lowRankFactors(g.Threads)
	if f == nil {
		g.storeBilinearForms(dst, v, w, g.fitted.k)
		return
	}
	f.storeBilinearForms(g.Threads, dst, v, w)
	if f.unfactoredKernels == nil {
		return
	}
	forms := design.Resize(&g.work, len(f.unfactoredKernels))
	g.storeBilinearForms(forms, v, w, f.unfactoredMatrices)
	for i, k := range f.unfactoredKernels {
		dst[k] = forms[i]
	}
}

// MulDirectionalDerivative stores d(S^{d−1}∘Σ_k u_kK_k)w in dst, with S = Σ_k θ_kK_k and entrywise powers, in O(mn²).
func (g *sumGram) MulDirectionalDerivative(dst, u, w []float64) {
	g.checkLengths(dst, w, u)
	t := g.weightedMatrixSum(u)
	if d := g.fitted.d; d > 1 {
		for i, s := range g.packedSum() {
			t[i] *= elementwise.PowerDerivative(s, d)
		}
	}
	clear(dst)
	for i := range dst {
		linalg.AddSymmetricRowProduct(dst, t[:len(w)-i], w, i)
		t = t[len(w)-i:]
	}
}

// HessianVectorProduct stores d(d−1)·wᵀ(S^{d−2}∘K_k∘Σ_l u_lK_l)w in dst[k], with S = Σ_k θ_kK_k, in O(mn²).
func (g *sumGram) HessianVectorProduct(dst, u, w []float64) {
	g.checkLengths(w, w, u)
	d := g.fitted.d
	if d == 1 {
		clear(dst)
		return
	}
	p, t := g.packedOuterProduct(w, w), g.weightedMatrixSum(u)
	for i, s := range g.packedSum() {
		p[i] *= t[i] * elementwise.PowerSecondDerivative(s, d)
	}
	g.storeInnerProductsWithMatrices(dst, p)
}

// QuadraticFormInTheta stores in dst, m×m, the matrix Q of wᵀK(θ)w = θᵀQθ, in O(m²n²): Q_jk = wᵀ(K_j∘K_k)w. errorBound
// bounds the spectral norm of its rounding error. For a degree other than 2 it stores nothing and returns false.
func (g *sumGram) QuadraticFormInTheta(dst *mat.SymDense, w []float64) (errorBound float64, ok bool) {
	if g.fitted.d != 2 {
		return 0, false
	}
	g.checkLengths(w, w, g.theta)
	p, m := g.packedOuterProduct(w, w), len(g.theta)
	q, stride := zeroSymmetric(dst, m)
	buf := design.Resize(&g.work, chunk)
	for b := 0; b < len(p); b += chunk {
		e := min(b+chunk, len(p))
		x := buf[:e-b]
		for j := range m {
			for i, v := range g.fitted.k[j][b:e] {
				x[i] = v * p[b+i]
			}
			for k := j; k < m; k++ {
				q[j*stride+k] += linalg.Dot(x, g.fitted.k[k][b:])
			}
		}
	}
	return g.quadraticFormError(w), true
}

// chunk is the number of entries of a packed triangle that are computed at a time, so that they stay in the first-level
// cache.
const chunk = 2048

// grain is the approximate number of multiplications in one tile. They take about a quarter of a millisecond.
const grain = 1 << 20

// countTiles returns how many tiles of the given size are needed for n items, at least 1.
func countTiles(n, size int) int { return max(1, (n+size-1)/max(1, size)) }

// combineMatrices stores Σ_k u_kK_k in dst, packed.
func (g *sumGram) combineMatrices(dst, u []float64) {
	tileLength := chunk * countTiles(grain, chunk*len(u))
	g.Threads.Run(countTiles(len(dst), tileLength), func(t int) {
		tileEnd := min((t+1)*tileLength, len(dst))
		for b := t * tileLength; b < tileEnd; b += chunk {
			e := min(b+chunk, tileEnd)
			clear(dst[b:e])
			for k, c := range u {
				if c != 0 {
					linalg.Axpy(c, g.fitted.k[k][b:e], dst[b:e])
				}
			}
		}
	})
}

// storeInnerProductsWithMatrices stores in dst[k] the inner product of packed and the base matrix K_k. Tile t stores
// its partial sum for matrix k in partialSums[t·m+k].
func (g *sumGram) storeInnerProductsWithMatrices(dst, packed []float64) {
	m, tileLength := len(dst), chunk*countTiles(grain, chunk*len(dst))
	tileCount := countTiles(len(packed), tileLength)
	tileSums := design.Resize(&g.partialSums, tileCount*m)
	clear(tileSums)
	g.Threads.Run(tileCount, func(t int) {
		tileEnd := min((t+1)*tileLength, len(packed))
		for b := t * tileLength; b < tileEnd; b += chunk {
			e := min(b+chunk, tileEnd)
			for k, a := range g.fitted.k {
				tileSums[t*m+k] += linalg.Dot(packed[b:e], a[b:e])
			}
		}
	})
	g.addPartialSums(dst, tileCount)
}

// addPartialSums stores in dst[k] the sum over the first tileCount tiles of partialSums[t·m+k].
func (g *sumGram) addPartialSums(dst []float64, tileCount int) {
	m := len(dst)
	copy(dst, g.partialSums[:m])
	for t := 1; t < tileCount; t++ {
		linalg.Axpy(1, g.partialSums[t*m:(t+1)*m], dst)
	}
}

// bandBilinearForm returns the contribution to vᵀMw of the rows firstRow … endRow−1 of the upper triangle of a
// symmetric matrix M. a has these rows, packed.
func bandBilinearForm(a, v, w []float64, firstRow, endRow int) (sum float64) {
	n, isSameVector := len(v), &v[0] == &w[0]
	for i := firstRow; i < endRow; i++ {
		row, x, y := a[:n-i], v[i], w[i]
		if a = a[n-i:]; x == 0 && y == 0 {
			continue
		}
		if isSameVector {
			sum += x * (x*row[0] + 2*linalg.Dot(row[1:], v[i+1:]))
			continue
		}
		sum += x * (y*row[0] + linalg.Dot(row[1:], w[i+1:]))
		if y != 0 {
			sum += y * linalg.Dot(row[1:], v[i+1:])
		}
	}
	return sum
}

// storeBilinearForms stores vᵀA_kw in dst[k] for each packed matrix A_k = matrices[k]. Tile t stores its partial sum
// for matrix k in partialSums[t·m+k].
func (g *sumGram) storeBilinearForms(dst, v, w []float64, matrices [][]float64) {
	m, n := len(matrices), g.n
	rowsPerTile := min(countTiles(grain, m*n), n)
	tileCount := countTiles(n, rowsPerTile)
	tileSums := design.Resize(&g.partialSums, tileCount*m)
	g.Threads.Run(tileCount, func(t int) {
		lo, hi := t*rowsPerTile, min((t+1)*rowsPerTile, n)
		for k, b := range matrices {
			tileSums[t*m+k] = bandBilinearForm(b[packedOffset(n, lo):packedOffset(n, hi)], v, w, lo, hi)
		}
	})
	g.addPartialSums(dst, tileCount)
}

// Mix sets θ to sθ_a + tθ_b and K to sK(θ_a) + tK(θ_b). For a degree above 1, it only returns false.
func (g *sumGram) Mix(s float64, a Gram, t float64, b Gram) bool {
	x, _ := a.(*sumGram)
	y, _ := b.(*sumGram)
	if g.fitted.d != 1 || x == nil || y == nil || x.fitted != g.fitted || y.fitted != g.fitted {
		return false
	}
	u, v := x.packedSum(), y.packedSum()
	mixedSum := design.Resize(&g.s, len(u))
	for i, p := range u {
		mixedSum[i] = s*p + t*v[i]
	}
	theta := make([]float64, g.m)
	for k := range theta {
		theta[k] = s*x.theta[k] + t*y.theta[k]
	}
	g.theta, g.hasSum, g.hasK, g.isSetByMix = theta, true, false, true
	g.matrix.ClearCache()
	return true
}
