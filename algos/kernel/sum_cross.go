package kernel

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// maxStored is the largest number of kernel values that a Cross of a Sum stores for later θ: 128 MB. If there are more
// values, the Cross stores none and computes about 2²⁰ values at a time.
const (
	maxStored = 1 << 24
	partSize  = 1 << 20
)

// crossPartPool holds released values of crossPart.
var crossPartPool = sync.Pool{New: func() any { return new(crossPart) }}

// crossPart holds values of the base kernels for some of the new points z. blockOfKernel[k] has k_k(z_i,x_j) for the
// fixed points x, and diagonals[k] has k_k(z_i,z_i). Both are nil if θ_k = 0, and diagonals is nil if it is not needed.
type crossPart struct {
	tileScratch
	blockOfKernel, diagonals [][]float64
	blockStorage             [][]float64 // memory of each block, kept for reuse while the block is nil
}

// newCrossPart returns a crossPart for m kernels. All its blocks are nil.
func newCrossPart(m int, threads linalg.ThreadLimit) *crossPart {
	p := crossPartPool.Get().(*crossPart)
	if len(p.blockStorage) < m {
		p.blockStorage = slices.Grow(p.blockStorage, m-len(p.blockStorage))[:m]
		p.blockOfKernel = make([][]float64, m)
	}
	p.Threads, p.diagonals, p.blockOfKernel = threads, nil, p.blockOfKernel[:cap(p.blockOfKernel)][:m]
	clear(p.blockOfKernel)
	return p
}

// resizeBlockOfKernel makes the block of kernel k a slice of the given size with undefined values, and returns it.
func (p *crossPart) resizeBlockOfKernel(k, size int) []float64 {
	p.blockOfKernel[k] = design.Resize(&p.blockStorage[k], size)
	return p.blockOfKernel[k]
}

// sumCross is K of a Sum between l new points and the points of sumGrams. It computes the centered and normalized base
// kernels for some of the new points at a time. If all kernel values together are at most maxStored numbers, they are
// stored from the second θ on.
type sumCross struct {
	*sumGrams
	l int
	// storeBlocks stores in p the values of the base kernels between the new points lo … hi−1 and the points of
	// sumGrams, before centering and normalization. It may omit the diagonals unless the normalization is Cosine.
	storeBlocks          func(p *crossPart, theta []float64, lo, hi int)
	storeMatrixCallCount atomic.Int32 // the number of calls of StoreMatrix; 0 if there are more than maxStored values
	once                 sync.Once
	storedBlocks         [][]float64 // the values of all base kernels; nil until StoreMatrix is called for a second θ
}

func (g *sumGrams) Cross(z points.Points) Cross {
	g.mustBeBound()
	z = g.fittedPreprocessing.Apply(z)
	return &sumCross{sumGrams: g, l: z.Len(), storeBlocks: func(p *crossPart, theta []float64, lo, hi int) {
		requestedPoints := z
		if lo > 0 || hi < z.Len() {
			requestedPoints = z.Slice(points.AllIndices(hi)[lo:])
		}
		for k, b := range g.base.kernels {
			if theta[k] != 0 && g.f.normalization(k) == Cosine {
				if p.diagonals == nil {
					p.diagonals = make([][]float64, len(theta))
				}
				p.diagonals[k] = make([]float64, requestedPoints.Len())
				storeDiagonal(b, p.diagonals[k], requestedPoints)
			}
		}
		g.newSliceEntryComputer().storeNewPointValues(p, requestedPoints, theta)
	}}
}

func (g *sumGrams) Block(rows, cols []int) Cross {
	s := g.slice(cols)
	g.mustBeBound()
	if !g.sharesBaseMatrices() {
		return s.Cross(g.stored.replace(slices.Clone(g.f.Kernels), g.x.Slice(rows), toRowsOf(g.storedRows, rows)))
	}
	baseRows := toRowsOf(g.rows, rows)
	return &sumCross{sumGrams: s, l: len(baseRows), storeBlocks: func(p *crossPart, theta []float64, lo, hi int) {
		n, packedMatrices := g.base.x.Len(), g.base.packedMatrices(g.threads)
		p.diagonals = make([][]float64, len(packedMatrices))
		for k, a := range packedMatrices {
			if theta[k] == 0 {
				continue
			}
			block := p.resizeBlockOfKernel(k, (hi-lo)*len(s.rows))[:0]
			for _, r := range baseRows[lo:hi] {
				p.diagonals[k] = append(p.diagonals[k], a[packedOffset(n, r)])
				for _, c := range s.rows {
					block = append(block, a[packedIndex(n, r, c)])
				}
			}
		}
	}}
}

// computeNewPointNormalizations returns the means and scales that center and normalize the values of each base kernel
// for new points. It needs base matrices only if Center is set.
func (c *sumCross) computeNewPointNormalizations() []fittedNormalization {
	if c.f.Center {
		_, normalizations := c.computeNormalizedMatrices(c.threads)
		return normalizations
	}
	if c.f.FittedTransforms == nil && c.f.Normalize != None {
		return c.computeScalesWithoutCentering()
	}
	c.newPointNormalizationsOnce.Do(func() {
		c.newPointNormalizations = make([]fittedNormalization, len(c.f.Kernels))
		for k := range c.newPointNormalizations { // scale 1 or the fitted one: a frozen Precomputed has no diagonal
			n := &c.newPointNormalizations[k]
			switch m := c.f.normalization(k); {
			case m == Cosine:
				_, *n = c.normalizeBaseMatrix(k, nil, true)
			case m == None:
				n.scale = 1
			default:
				n.scale = c.f.FittedTransforms.ScaleFactors[k]
			}
		}
	})
	return c.newPointNormalizations
}

// computeNormalizedValues returns the values of the base kernels between the new points first … end−1 and the points of
// c, after centering and normalization.
func (c *sumCross) computeNormalizedValues(theta []float64, first, end int) *crossPart {
	m, n := c.Dims()
	p := newCrossPart(m, c.threads)
	c.storeBlocks(p, theta, first, end)
	blocks, diagonals := p.blockOfKernel, p.diagonals
	normalizations := c.computeNewPointNormalizations()
	c.threads.Run(len(blocks), func(k int) {
		if blocks[k] == nil {
			return
		}
		fit := &normalizations[k]
		for i := range end - first {
			diagonal := 0.0
			if diagonals != nil && diagonals[k] != nil {
				diagonal = diagonals[k][i]
			}
			fit.normalizeNewRow(blocks[k][i*n:(i+1)*n], diagonal)
		}
	})
	return p
}

// StoreMatrix stores (Σ_k θ_k K_k)^d in dst, l×n, in O(mln).
func (c *sumCross) StoreMatrix(dst *mat.Dense, theta []float64) {
	m, n := c.Dims()
	checkCrossSizes(dst, c.l, n, theta, m)
	activeCount := floats.Count(func(t float64) bool { return t != 0 }, theta)
	partLen, usesStoredBlocks := c.l, c.l*n*m <= maxStored && c.storeMatrixCallCount.Add(1) > 1
	if usesStoredBlocks {
		c.once.Do(func() {
			c.storedBlocks = c.computeNormalizedValues(slices.Repeat([]float64{1}, m), 0, c.l).blockOfKernel
		})
	} else {
		partLen = max(1, partSize/(n*max(activeCount, 1)))
	}
	for lo := 0; lo < c.l; lo += partLen {
		hi, k := min(lo+partLen, c.l), c.storedBlocks
		var p *crossPart
		if !usesStoredBlocks {
			p = c.computeNormalizedValues(theta, lo, hi)
			k = p.blockOfKernel
		}
		for i := lo; i < hi; i++ {
			row := dst.RawRowView(i)
			clear(row)
			for j, t := range theta {
				if t != 0 {
					linalg.Axpy(t, k[j][(i-lo)*n:(i-lo+1)*n], row)
				}
			}
			elementwise.Power(row, row, c.d)
		}
		if !usesStoredBlocks {
			crossPartPool.Put(p)
		}
	}
}

// CheckNewPoints returns an error if a base kernel cannot be evaluated at z.
func (g *sumGrams) CheckNewPoints(z points.Points) (outOfDomain OutOfDomain, err error) {
	if g.bindError != nil {
		return outOfDomain, g.bindError
	}
	if err := points.CheckFeatureCounts(g.x, z); err != nil {
		return outOfDomain, err
	}
	hasFeatures := points.FeatureCount(z) > 0
	for k, b := range g.base.kernels {
		if _, ok := asPairwise(b); ok && hasFeatures {
			continue // a pairwise kernel needs only the right number of features, checked above
		}
		if err := checkNewPoints(b, z); err != nil {
			return outOfDomain, err
		}
		partOfZ := z
		if p, ok := b.(OnPart); ok {
			partOfZ = p.mustPart(z)
		}
		if points.Is[points.KernelRows](partOfZ) && g.f.normalization(k) == Cosine {
			return outOfDomain, fmt.Errorf("kernel: the normalization %q of %v needs k(z, z), but a new point z "+
				"has kernel values only with the points of the matrix; use another normalization", Cosine, b)
		}
	}
	return outOfDomain, nil
}
