package kernel

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// Gaussians is the family of products of one Gaussian kernel for each feature,
//
//	k_θ(x,z) = Π_k exp(−θ_k(x_k−z_k)²) = exp(−Σ_k θ_k(x_k−z_k)²),  θ ≥ 0,
//
// also called the Gaussian kernel with automatic relevance determination. θ_k = 0 removes feature k.
//
// K is not a polynomial in θ, and the optimal value of a loss is not convex in θ: only first-order optimality of a
// solution can be proved. The n×n matrices (x_ik−x_jk)² of single features are never formed. With S = X diag(θ) Xᵀ, the
// weighted squared distance Σ_k θ_k(x_ik−x_jk)² is S_ii + S_jj − 2S_ij. S is one symmetric matrix product, which takes
// O(n²m). The gradient takes O(n²m) too.
type Gaussians struct {
	// Prepare is applied to the points first.
	Prepare points.Preprocessing
}

var _ Family = Gaussians{}

// Bind binds f to x, Rows or Sparse.
func (f Gaussians) Bind(x points.Points) Grams {
	g := newGaussianGrams(Features{Prepare: f.Prepare}.Bind(x).(*featureGrams))
	g.validate = sync.OnceValue(g.validateGaussians) // computed once; the results of Slice share the error
	return g
}

// gaussianGrams is Gaussians bound to points, with a limit on threads.
type gaussianGrams struct {
	*fittedGaussians
	threads linalg.ThreadLimit
}

// fittedGaussians is Gaussians bound to points, which fittedFeatures has preprocessed and stored.
type fittedGaussians struct {
	*fittedFeatures
	design *design.Matrix // the points after subtracting a center, which changes no distance
}

// newGaussianGrams returns the Grams of Gaussians on the points of f, a family Features of degree 1.
func newGaussianGrams(f *featureGrams) *gaussianGrams {
	g := &fittedGaussians{fittedFeatures: f.fittedFeatures}
	if g.bindError == nil {
		g.design = f.design.SubtractFromRows(f.design.ColumnMeans())
	}
	return &gaussianGrams{g, f.threads}
}

// validateGaussians returns an error if Bind found one, or if ‖x‖² of a point is out of range.
func (g *fittedGaussians) validateGaussians() error {
	if g.bindError != nil {
		return g.bindError
	}
	norms := g.design.SquaredRowNorms()
	replaceByScaledLogs(norms, 1)
	return checkDiagonalRange("‖x‖²", norms)
}

// Degree returns 0: K is not a polynomial in θ.
func (g *fittedGaussians) Degree() int { return 0 }

func (g *gaussianGrams) WithThreads(n int) Grams {
	return &gaussianGrams{g.fittedGaussians, linalg.ThreadLimit(n)}
}

func (g *gaussianGrams) Slice(rows []int) Grams {
	return newGaussianGrams((&featureGrams{g.fittedFeatures, g.threads}).slice(rows))
}

func (g *gaussianGrams) Block(rows, cols []int) Cross {
	g.mustBeBound()
	return g.Slice(cols).Cross(g.x.Slice(rows))
}

func (g *gaussianGrams) Cross(z points.Points) Cross {
	means := g.fittedFeatures.design.ColumnMeans()
	return &gaussianCross{g, design.FromPoints(g.preprocessNewPoints(z), nil).SubtractFromRows(means)}
}

// gaussianCross computes K of Gaussians between new points z and the points of gaussianGrams, after subtracting the
// mean of the latter from all points.
type gaussianCross struct {
	*gaussianGrams
	z *design.Matrix
}

// StoreMatrix stores exp(−Σ_k θ_k(z_ik−x_jk)²) in dst, l×n, in O(lnm).
func (c *gaussianCross) StoreMatrix(dst *mat.Dense, theta []float64) {
	checkCrossSizes(dst, c.z.N, c.n, theta, c.m)
	r := dst.RawMatrix()
	c.design.Cross(r.Data, r.Stride, c.z, theta, &design.Scratch{Threads: c.threads})
	a, b := newWeightedPoints(c.z, theta), newWeightedPoints(c.design, theta)
	for i := range c.z.N {
		row := dst.RawRowView(i)
		for j, s := range row {
			row[j] = a.squaredDistance(b, i, j, s)
		}
		elementwise.Exp(row, row, -1)
	}
}

// weightedPoints computes the weighted squared distances Σ_k θ_k(x_ik−z_jk)² between the rows of two matrices.
type weightedPoints struct {
	x                                                     *design.Matrix
	theta                                                 []float64
	weightedSquaredNorms, squaredNormsWithAbsoluteWeights []float64 // Σ_k θ_kx_ik² and Σ_k |θ_k|x_ik²
}

// newWeightedPoints returns the rows of x with the weights theta and with the weighted squared norms of the rows.
func newWeightedPoints(x *design.Matrix, theta []float64) *weightedPoints {
	w := &weightedPoints{x, theta, make([]float64, x.N), make([]float64, x.N)}
	for i := range x.N {
		for k, v := range x.Row(i) {
			w.weightedSquaredNorms[i] += theta[k] * v * v
			w.squaredNormsWithAbsoluteWeights[i] += math.Abs(theta[k]) * v * v
		}
	}
	return w
}

// squaredDistance returns Σ_k θ_k(x_ik−z_jk)² for row x_i of w and row z_j of z. innerProduct is Σ_k θ_kx_ikz_jk. If
// subtracting innerProduct twice would cancel digits (see design.CancellationThreshold), it computes the distance from
// the differences x_ik−z_jk, in O(m).
func (w *weightedPoints) squaredDistance(z *weightedPoints, i, j int, innerProduct float64) float64 {
	d := w.weightedSquaredNorms[i] + z.weightedSquaredNorms[j] - 2*innerProduct
	if d >= design.CancellationThreshold*(w.squaredNormsWithAbsoluteWeights[i]+z.squaredNormsWithAbsoluteWeights[j]) {
		return d
	}
	a, b := w.x.Row(i), z.x.Row(j)
	d = 0
	for k, t := range w.theta {
		d += t * (a[k] - b[k]) * (a[k] - b[k])
	}
	return d
}

// gaussianGram is K(θ) of Gaussians.
type gaussianGram struct {
	evaluation
	fitted *fittedGaussians
}

func (g *gaussianGrams) New() Gram {
	k, ok := g.releasedGrams.Get().(*gaussianGram)
	if !ok {
		k = &gaussianGram{fitted: g.fittedGaussians}
		k.m, k.n = g.Dims()
		k.matrix = NewMatrix(k.n, Form{Dense: k.denseMatrix})
	}
	k.reset(g.threads)
	return k
}

func (g *gaussianGram) Release() { g.fitted.releasedGrams.Put(g) }

func (g *gaussianGram) SetTheta(theta []float64) {
	g.fitted.mustBeBound()
	g.storeTheta(theta)
}

// denseMatrix returns K, computed in O(n²m) for n points and m features at the first call after each SetTheta.
func (g *gaussianGram) denseMatrix() *mat.SymDense {
	entries := g.storageOfK()
	if g.hasK {
		return g.k
	}
	x, theta := g.fitted.design, g.theta
	// Copying the features with θ_k ≠ 0 saves time if they are few.
	if features := nonzeroIndices(theta); 4*len(features) <= 3*len(theta) {
		x, theta = x.Select(points.AllIndices(g.n), features), points.Pick(theta, features)
	}
	x.Gram(entries, theta, &g.Scratch)
	w := newWeightedPoints(x, theta)
	for i := range g.n {
		row := entries[i*g.n+i : (i+1)*g.n]
		row[0] = 0
		norms, magnitudes := w.weightedSquaredNorms[i:], w.squaredNormsWithAbsoluteWeights[i:]
		norm, magnitude := norms[0], magnitudes[0]
		for j := 1; j < len(row); j++ {
			d := norm + norms[j] - 2*row[j]
			if !(d >= design.CancellationThreshold*(magnitude+magnitudes[j])) {
				d = w.squaredDistance(w, i, i+j, row[j])
			}
			row[j] = d
		}
		elementwise.Exp(row, row, -1)
	}
	g.hasK = true
	return g.k
}

// Gradient stores wᵀ(∂K/∂θ_k)w = −Σ_ij M_ij(x_ik−x_jk)² = −2(Σ_i r_ix_ik² − x_kᵀMx_k) in dst[k]. x_k is column k of X,
// M_ij = w_iw_jK_ij for i ≠ j and M_ii = 0, because the distance of a point to itself is 0, and r_i is the sum of row i
// of M. Points with w_i = 0, which are not support vectors, do not contribute.
func (g *gaussianGram) Gradient(dst, w []float64) {
	g.checkLengths(w, w, dst)
	support, k, n := nonzeroIndices(w), g.denseMatrix().RawSymmetric().Data, g.n
	x, rowSums := g.fitted.design.Select(support, points.AllIndices(g.m)), make([]float64, len(support))
	x.ColumnQuadraticForms(dst, func(row []float64, p int) {
		i := support[p]
		row[0] = 0
		for q := p + 1; q < len(support); q++ {
			j := support[q]
			e := w[i] * w[j] * k[i*n+j]
			row[q-p] = 2 * e
			rowSums[p] += e
			rowSums[q] += e
		}
	}, &g.Scratch)
	for k := range dst {
		dst[k] *= 2
	}
	for p, r := range rowSums {
		for k, v := range x.Row(p) {
			dst[k] -= 2 * r * v * v
		}
	}
}

func nonzeroIndices(v []float64) (indices []int) {
	for i, x := range v {
		if x != 0 {
			indices = append(indices, i)
		}
	}
	return indices
}
