package kernel

import (
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/internal/polynomial"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// Features is the family
//
//	K(θ) = (Σ_k θ_k x_kx_kᵀ)^{∘d} = (X diag(θ) Xᵀ)^{∘d}
//
// of one rank-one kernel x_kx_kᵀ for each feature. x_k is column k of X, the n×m matrix of the points. The m matrices
// are never formed. With S = X diag(θ) Xᵀ and G = Xᵀdiag(w)X, entry k of the gradient of wᵀK(θ)w is computed in one of
// three ways:
//
//	d = 1, or few monomials:  derivative of Σ_e c_eθ^e (Φ_eᵀw)²    O(n·C(m+d−1,d))
//	d = 2, m ≤ n:             2Σ_l θ_lG_kl²                        O(nm²)
//	otherwise:                x_kᵀMx_k, M_ij = d·w_iw_jS_ij^{d−1}  O(n²m)
//
// In the first way, e runs over the exponents of the monomials of degree d, Φ_e has the values Π_k x_ik^{e_k} of a
// monomial at the points i, and c_e is d!/Πe_k!. K itself is one symmetric matrix product, which takes O(n²m).
type Features struct {
	// Degree is the exponent d of the kernel, from 1 to 4; 0 means 1.
	Degree int
	// Constant appends, after Prepare, a feature that is 1 for every point, so that the kernel 1·1ᵀ is added.
	Constant bool
	// Prepare is applied to the points first.
	Prepare points.Preprocessing
	// FittedTransforms, if not nil, has the preprocessing Prepare as fitted to other points, such as the training
	// points. Bind then applies it and fits nothing: see Grams.FreezeFit.
	FittedTransforms *FittedTransforms
}

var _ Family = Features{}

// Bind binds f to x, Rows or Sparse, in O(nm) for each step of Prepare.
func (f Features) Bind(x points.Points) Grams {
	g := &fittedFeatures{f: f, fixedPoints: &fixedPoints{x: x, d: max(f.Degree, 1)}}
	g.validate = sync.OnceValue(g.validateFeatures)
	if g.bindError = f.check(x); g.bindError == nil {
		g.preprocessPoints()
	}
	return &featureGrams{fittedFeatures: g}
}

// check returns an error if f cannot be bound to x.
func (f Features) check(x points.Points) error {
	if err := checkBindArguments(f.Degree, f.Prepare, x); err != nil {
		return err
	}
	if _, err := points.SelectColumns(x, nil); err != nil {
		return err
	}
	return f.FittedTransforms.checkPreprocessing(f.Prepare, x)
}

// featureGrams is Features bound to points, with a limit on threads.
type featureGrams struct {
	*fittedFeatures
	threads linalg.ThreadLimit
}

// fittedFeatures is Features bound to points. All featureGrams on these points share it.
type fittedFeatures struct {
	f Features
	*fixedPoints
	design *design.Matrix // the preprocessed points, with the constant feature if there is one
	n, m   int

	monomialsOnce  sync.Once
	monomialTerms  *polynomial.Terms // the r monomials of degree d in the m features; nil before monomials is called
	monomialValues []float64         // the values of monomialTerms at the n points, n×r

	monomialInnerProductsOnce sync.Once
	monomialInnerProducts     []float64 // ΦᵀΦ for the values Φ of the monomials: see monomialGramMatrix

	normsOnce          sync.Once
	columnNormsSquared []float64 // ‖x_k‖² of each column x_k of X
}

// preprocessPoints preprocesses the points and stores their features in g.design.
func (g *fittedFeatures) preprocessPoints() {
	f, x := g.f.FittedTransforms.preprocess(g.f.Prepare, g.x)
	g.fittedPreprocessing, g.design = f, g.f.designMatrix(x)
	g.n, g.m = g.design.N, g.design.D
}

// designMatrix returns the features of x, with the constant feature if Constant is set.
func (f Features) designMatrix(x points.Points) *design.Matrix {
	a := design.FromPoints(x, nil)
	if !f.Constant {
		return a
	}
	b := &design.Matrix{N: a.N, D: a.D + 1}
	for i := range a.N {
		b.X = append(append(b.X, a.Row(i)...), 1)
	}
	return b
}

// validateFeatures returns an error if Bind found one, or if a kernel value is outside the range of checkDiagonalRange.
func (g *fittedFeatures) validateFeatures() error {
	if g.bindError != nil {
		return g.bindError
	}
	squaredNorms := g.design.SquaredRowNorms()
	replaceByScaledLogs(squaredNorms, float64(g.d))
	return checkDiagonalRange(fmt.Sprintf("(‖x‖²)^%d", g.d), squaredNorms)
}

// Dims returns the number of features, including the constant one, and the number of points.
func (g *fittedFeatures) Dims() (m, n int) {
	if g.bindError == nil {
		return g.m, g.n
	}
	if m = points.FeatureCount(g.x); m > 0 {
		n = g.x.Len()
	}
	if g.f.Constant {
		m++
	}
	return m, n
}

// Label returns the name of feature k, which is "constant" for the constant feature.
func (g *fittedFeatures) Label(k int) string {
	if m, _ := g.Dims(); g.f.Constant && k == m-1 {
		return "constant"
	}
	return points.FeatureName(g.x, k)
}

// StoredTriangleCount returns 0: K(θ) = ΦΦᵀ may be stored as the factor Φ, without an n×n matrix.
func (g *featureGrams) StoredTriangleCount() int { return 0 }

func (g *featureGrams) WithThreads(n int) Grams {
	return &featureGrams{g.fittedFeatures, linalg.ThreadLimit(n)}
}

func (g *featureGrams) Slice(rows []int) Grams { return g.slice(rows) }

// slice is Slice with the concrete type of its result.
func (g *featureGrams) slice(rows []int) *featureGrams {
	s := &fittedFeatures{f: g.f, fixedPoints: g.sliceWithoutFit(rows)}
	if g.bindError == nil {
		s.preprocessPoints()
	}
	return &featureGrams{s, g.threads}
}

func (g *featureGrams) Block(rows, cols []int) Cross {
	g.mustBeBound()
	return g.slice(cols).Cross(g.x.Slice(rows))
}

func (g *featureGrams) Cross(z points.Points) Cross {
	return &featureCross{g, g.f.designMatrix(g.preprocessNewPoints(z))}
}

// featureCross computes the kernel of Features between l new points and the points of featureGrams.
type featureCross struct {
	*featureGrams
	z *design.Matrix // the features of the new points, l×m
}

// StoreMatrix stores (Z diag(θ) Xᵀ)^{∘d} in dst, l×n, in O(lnm).
func (c *featureCross) StoreMatrix(dst *mat.Dense, theta []float64) {
	checkCrossSizes(dst, c.z.N, c.n, theta, c.m)
	r := dst.RawMatrix()
	c.design.Cross(r.Data, r.Stride, c.z, theta, &design.Scratch{Threads: c.threads})
	for i := range c.z.N {
		row := dst.RawRowView(i)
		elementwise.Power(row, row, c.d)
	}
}

// CheckNewPoints returns an error for points z without features and for a number of features different from that of g.
func (g *featureGrams) CheckNewPoints(z points.Points) (OutOfDomain, error) {
	if g.bindError != nil {
		return OutOfDomain{}, g.bindError
	}
	if _, err := points.SelectColumns(z, nil); err != nil {
		return OutOfDomain{}, err
	}
	return OutOfDomain{}, points.CheckFeatureCounts(g.x, z)
}
