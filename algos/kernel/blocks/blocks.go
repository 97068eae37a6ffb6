// Package blocks provides families that learn one kernel for each of several sources, and combine them: K(θ) is a
// weighted sum of matrices, each with its own part of the parameters θ. Package kernel has families with one weight for
// each base kernel, which most problems need.
//
//	Family    several families, each with its own θ_i: Σ_i c_i K_i(θ_i)
//	Spectra   matrices with given eigenvectors, whose eigenvalues are the parameters: Σ_i c_i V_i diag(μ_i) V_iᵀ
//
// The loss loss.BlockNorm chooses the weights c_i; with another loss they are 1. These are the problems EMKL and REKL
// of Kundu et al. (NIPS 2010).
//
//	f := blocks.Family{Families: []kernel.Family{f1, f2}} // of equally many parameters
//	p := &mkl.Problem{Grams: f.Bind(x), Set: set.Product{Factor: set.Simplex{}, Count: 2},
//		Loss: loss.BlockNorm{Loss: loss.Hinge{C: 1}}, Y: y}
//	r, err := mkl.Solve(ctx, p, mkl.Level{}, nil)
//
// Bound and BoundSpectrum are the forms in which a notebook stores what Bind returns.
package blocks

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// Family is several families of degree 1 on the same points, each with separate parameters,
//
//	K(θ) = Σ_i c_i K_i(θ_i),  θ = (θ_1, …, θ_M).
//
// loss.BlockNorm chooses the weights c_i. Each Gram stores the sum K(θ), n² numbers, but no K_i. When c changes, the
// K_i are computed again.
type Family struct{ Families []kernel.Family }

var _ kernel.Family = Family{}

// Bind returns the Grams of all families on the points x as one Grams.
func (f Family) Bind(x points.Points) kernel.Grams {
	g := &blocksGrams{parameterStarts: []int{0}}
	if len(f.Families) == 0 || x == nil {
		g.bindError = errors.New("blocks: there are no families, or no points (nil); pass at least one of each")
		return g
	}
	g.n = x.Len()
	for i, p := range f.Families {
		if p == nil {
			g.bindError = fmt.Errorf("blocks: family %d is nil; pass a kernel.Family", i+1)
			return g
		}
		g.addGrams(p.Bind(x), i)
	}
	return g
}

// blocksGrams is a Family bound to points.
type blocksGrams struct {
	kernel.Defaults
	blockGrams      []kernel.Grams
	parameterStarts []int // θ_i is θ[parameterStarts[i]:parameterStarts[i+1]]
	n               int
	threads         linalg.ThreadLimit
	bindError       error
}

var (
	_ kernel.Blocked      = (*blocksGram)(nil)
	_ kernel.ErrorBounded = (*blocksGram)(nil)
)

// addGrams appends b, the Grams of a family. It sets g.bindError unless b has degree 1 and error bounds.
func (g *blocksGrams) addGrams(b kernel.Grams, familyIndex int) {
	m, _ := b.Dims()
	g.blockGrams = append(g.blockGrams, b)
	g.parameterStarts = append(g.parameterStarts, g.parameterStarts[familyIndex]+m)
	if _, ok := b.New().(kernel.ErrorBounded); !ok || b.Degree() != 1 {
		g.bindError = fmt.Errorf("blocks: family %d (%T) must have degree 1 and implement kernel.ErrorBounded",
			familyIndex+1, b)
	}
}

func (g *blocksGrams) Dims() (m, n int) { return g.parameterStarts[len(g.blockGrams)], g.n }

// Label returns the number of the family that θ_k belongs to and the label in that family: "K1: RBF(γ=1)".
func (g *blocksGrams) Label(k int) string {
	i := 0
	for k >= g.parameterStarts[i+1] {
		i++
	}
	return fmt.Sprintf("K%d: %s", i+1, g.blockGrams[i].Label(k-g.parameterStarts[i]))
}

// ThetaShape returns the shape of θ as one matrix: the parameters θ_i of the families stacked below one another. It
// returns 0, 0 unless every θ_i is a matrix and all have the same number of columns.
func (g *blocksGrams) ThetaShape() (rows, cols int) {
	for i, b := range g.blockGrams {
		r, c := b.ThetaShape()
		if r == 0 || i > 0 && c != cols {
			return 0, 0
		}
		rows, cols = rows+r, c
	}
	return rows, cols
}

func (g *blocksGrams) Degree() int { return 1 }

// StoredTriangleCount returns 2, the triangles of the full n×n matrix K(θ), plus those that each family stores.
func (g *blocksGrams) StoredTriangleCount() int {
	triangleCount := 2
	for _, b := range g.blockGrams {
		triangleCount += b.StoredTriangleCount()
	}
	return triangleCount
}

// Validate returns the error that Bind found. If there is none, it returns the error of the first invalid family.
func (g *blocksGrams) Validate() error {
	if g.bindError != nil {
		return g.bindError
	}
	for i, b := range g.blockGrams {
		if err := b.Validate(); err != nil {
			return fmt.Errorf("block %d: %w", i+1, err)
		}
	}
	return nil
}

// mapBlockGrams returns the results of f for the Grams of each family as one blocksGrams with pointCount points.
func (g *blocksGrams) mapBlockGrams(pointCount int, threads linalg.ThreadLimit,
	f func(kernel.Grams) kernel.Grams) kernel.Grams {
	s := &blocksGrams{parameterStarts: g.parameterStarts, n: pointCount, threads: threads, bindError: g.bindError}
	for _, b := range g.blockGrams {
		s.blockGrams = append(s.blockGrams, f(b))
	}
	return s
}

func (g *blocksGrams) WithThreads(n int) kernel.Grams {
	return g.mapBlockGrams(g.n, linalg.ThreadLimit(n), func(b kernel.Grams) kernel.Grams { return b.WithThreads(n) })
}

func (g *blocksGrams) Slice(rows []int) kernel.Grams {
	return g.mapBlockGrams(len(rows), g.threads, func(b kernel.Grams) kernel.Grams { return b.Slice(rows) })
}

func (g *blocksGrams) Block(rows, cols []int) kernel.Cross {
	return g.sumCrossMatrices(func(b kernel.Grams) kernel.Cross { return b.Block(rows, cols) })
}

func (g *blocksGrams) Cross(z points.Points) kernel.Cross {
	return g.sumCrossMatrices(func(b kernel.Grams) kernel.Cross { return b.Cross(z) })
}

// sumCrossMatrices applies f to the Grams of each family, and returns the Cross that adds up the results.
func (g *blocksGrams) sumCrossMatrices(f func(kernel.Grams) kernel.Cross) kernel.Cross {
	c := &blocksCross{g: g}
	for _, b := range g.blockGrams {
		c.blockCrosses = append(c.blockCrosses, f(b))
	}
	return c
}

// blocksCross computes Σ_i K_i(θ_i) between new points and the points of g. It applies no weights c_i, because the θ of
// a model already contains them: see Blocked.ScaleThetaByBlockWeights.
type blocksCross struct {
	g            *blocksGrams
	blockCrosses []kernel.Cross
}

func (c *blocksCross) StoreMatrix(dst *mat.Dense, theta []float64) {
	l, n := dst.Dims()
	blockGram := mat.NewDense(l, n, nil)
	for i, b := range c.blockCrosses {
		t := theta[c.g.parameterStarts[i]:c.g.parameterStarts[i+1]]
		if i == 0 {
			b.StoreMatrix(dst, t)
			continue
		}
		b.StoreMatrix(blockGram, t)
		dst.Add(dst, blockGram)
	}
}

func (g *blocksGrams) New() kernel.Gram {
	return &blocksGram{g: g, c: make([]float64, len(g.blockGrams))}
}

// blocksGram stores only the sum K(θ). A Gram of a family exists only while a method needs it.
type blocksGram struct {
	g     *blocksGrams
	theta []float64 // the argument of SetTheta, not copied
	c     []float64
	k     *mat.SymDense
	hasK  bool
}

// entriesOfBlock returns the entries of x that belong to θ_i. x has the length of θ.
func (b *blocksGram) entriesOfBlock(x []float64, i int) []float64 {
	return x[b.g.parameterStarts[i]:b.g.parameterStarts[i+1]]
}

// forEachFamily calls f(i, p) for each family i. p is the Gram of family i at θ_i, which f may use until it returns.
func (b *blocksGram) forEachFamily(f func(i int, p kernel.Gram)) {
	for i, family := range b.g.blockGrams {
		p := family.New()
		p.SetTheta(b.entriesOfBlock(b.theta, i))
		f(i, p)
		p.Release()
	}
}

func (b *blocksGram) SetTheta(theta []float64) {
	if m, _ := b.g.Dims(); len(theta) != m {
		panic("blocks: θ has the wrong length; pass one number per parameter")
	}
	b.theta, b.hasK = theta, false
	for i := range b.c {
		b.c[i] = 1
	}
}

func (b *blocksGram) Release() {}

func (b *blocksGram) BlockStarts() []int { return b.g.parameterStarts }

func (b *blocksGram) SetBlockWeights(c []float64) {
	if len(c) != len(b.c) {
		panic(fmt.Sprintf("blocks: SetBlockWeights got %d weights; pass %d, one per family", len(c), len(b.c)))
	}
	copy(b.c, c)
	b.hasK = false
}

// K returns Σ_i c_iK_i, the kernel matrices K_i of the families with the weights c_i.
func (b *blocksGram) K() *kernel.Matrix {
	return kernel.NewMatrix(b.g.n, kernel.Form{Dense: b.denseSum, ErrorBounds: b.ErrorBounds})
}

// denseSum returns Σ_i c_iK_i, computed at the first call after each SetTheta or SetBlockWeights.
func (b *blocksGram) denseSum() *mat.SymDense {
	if b.hasK {
		return b.k
	}
	if b.k == nil {
		b.k = mat.NewSymDense(b.g.n, nil)
	}
	b.k.Zero()
	sumOfBlocks := b.k.RawSymmetric()
	b.forEachFamily(func(i int, p kernel.Gram) {
		k := p.K()
		if phi := k.LowRankFactor(); phi != nil { // K_i = ΦΦᵀ is added without forming K_i
			r := phi.RawMatrix()
			b.g.threads.Syrk(false, r.Rows, r.Cols, b.c[i], r.Data, r.Stride, 1, sumOfBlocks.Data, sumOfBlocks.Stride)
			return
		}
		blockMatrix := k.Dense().RawSymmetric()
		for r := range b.g.n {
			linalg.Axpy(b.c[i], blockMatrix.Data[r*blockMatrix.Stride+r:r*blockMatrix.Stride+b.g.n],
				sumOfBlocks.Data[r*sumOfBlocks.Stride+r:r*sumOfBlocks.Stride+b.g.n])
		}
	})
	b.hasK = true
	return b.k
}

func (b *blocksGram) Gradient(dst, w []float64) {
	b.forEachFamily(func(i int, p kernel.Gram) {
		block := b.entriesOfBlock(dst, i)
		p.Gradient(block, w)
		floats.Scale(b.c[i], block)
	})
}

// BlockQuadraticForms stores wᵀK_iw in dst[i], computed as ⟨θ_i, ∇_i⟩ without forming K_i, where ∇_i is the gradient of
// wᵀK_iw in θ_i. It adds up partial sums of at most n terms each, so that the rounding error is of the order of the
// rounding error of wᵀ(K_iw).
func (b *blocksGram) BlockQuadraticForms(dst, w []float64) {
	b.forEachFamily(func(i int, p kernel.Gram) {
		theta := b.entriesOfBlock(b.theta, i)
		g := make([]float64, len(theta))
		p.Gradient(g, w)
		dst[i] = 0
		for lo := 0; lo < len(g); lo += b.g.n {
			hi := min(lo+b.g.n, len(g))
			dst[i] += linalg.Dot(theta[lo:hi], g[lo:hi])
		}
	})
}

func (b *blocksGram) ScaleThetaByBlockWeights(dst, theta []float64) {
	for i, c := range b.c {
		floats.ScaleTo(b.entriesOfBlock(dst, i), c, b.entriesOfBlock(theta, i))
	}
}

// ErrorBounds returns the three bounds of ErrorBounded, computed from the bounds of the M blocks. entryError is the
// largest entryError of a block plus about (M+2)ε, for the rounding of the sum. psdShift and
// addedShift are the sums of those of the blocks, weighted by c_i, and multiplied by about 1 + (M+2)ε.
func (b *blocksGram) ErrorBounds() (entryError, psdShift, addedShift float64) {
	b.forEachFamily(func(i int, p kernel.Gram) {
		u, d, l := p.(kernel.ErrorBounded).ErrorBounds()
		entryError, psdShift, addedShift = max(entryError, u), psdShift+b.c[i]*d, addedShift+b.c[i]*l
	})
	roundingFactor := linalg.RoundingFactor(len(b.c) + 2)
	return entryError + roundingFactor, psdShift * (1 + roundingFactor), addedShift * (1 + roundingFactor)
}

func (b *blocksGram) GradientErrorBound(dst, w []float64) {
	b.forEachFamily(func(i int, p kernel.Gram) {
		block := b.entriesOfBlock(dst, i)
		g := make([]float64, len(block))
		p.(kernel.ErrorBounded).GradientErrorBound(block, w)
		p.Gradient(g, w)
		for k, v := range g {
			block[k] = b.c[i] * (block[k] + linalg.RoundingFactor(2)*math.Abs(v))
		}
	})
}

// EvaluateInDoubledPrecision returns false: it would need weights c_i of the families without rounding errors.
func (b *blocksGram) EvaluateInDoubledPrecision(kw, gradient, w []float64) bool { return false }
