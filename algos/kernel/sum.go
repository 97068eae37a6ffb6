package kernel

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// ErrNotPSD is wrapped by the error for a base matrix with a negative eigenvalue that rounding does not explain.
var ErrNotPSD = errors.New("kernel: the matrix is not positive semidefinite")

// List is the linear family Σ_k θ_k k_k of base kernels k_k. Points are not preprocessed, and kernels are neither
// centered nor normalized.
type List []Kernel

// Sum is the family
//
//	k_θ(x,z) = (Σ_k θ_k k̃_k(x,z))^d
//
// of base kernels k̃_k. k̃_k is kernel k of the list on the preprocessed points, then centered, then normalized. K(θ)
// is the elementwise power of the sum. For θ ≥ 0 it is positive semidefinite by Schur's product theorem.
//
// Base matrices of m kernels on n points are computed once, when they are first needed, and stored as upper triangles,
// 4mn² bytes in all. Grams.Slice, which selects points, copies entries from them. It computes them again if the
// preprocessing Prepare must be fitted again to fewer points, or if they have more than 2²⁷ entries in all. If Center
// or Normalize is set, the original matrices must be kept for these copies, 8mn² bytes in all. A number δ_k is added to
// the diagonal of each base matrix, so that it is positive semidefinite despite rounding: see the package comment.
// SetTheta takes O(mn²), and so does each derivative.
type Sum struct {
	Kernels List
	// Degree is the exponent d of the sum, from 1 to 4; 0 means 1.
	Degree int
	// Prepare transforms points.Rows and points.Sparse before the kernels are computed.
	Prepare points.Preprocessing
	// Center moves each base kernel's feature map to mean 0 over the points x_i of Bind:
	//	k̃(x,z) = k(x,z) − mean_i k(x_i,z) − mean_j k(x,x_j) + mean_ij k(x_i,x_j).
	Center bool
	// Normalize scales each base kernel after centering. Numbers that may be rounding errors count as 0:
	//
	//   - Cosine makes row and column i 0 if k̃(x_i,x_i) is at most 1e-14 times the largest k(x_j,x_j).
	//   - With Center, Cosine also makes them 0 if k̃(x_i,x_i) is at most 1e-12 times the larger of k(x_i,x_i) and
	//     |mean_ij k(x_i,x_j)|.
	//   - MeanDiagonal makes the kernel 0 if the mean of the k̃(x_i,x_i) is at most 1e-12 times the mean of the
	//     k(x_i,x_i).
	//
	// Here k is the kernel before centering and k̃ the kernel after it. A constant kernel becomes 0 with Center.
	Normalize Normalization
	// FittedTransforms, if not nil, holds preprocessing, scale factors and largest diagonal entries that were fitted to
	// other points. Bind then does not fit to its own points: see Grams.FreezeFit.
	FittedTransforms *FittedTransforms
}

var (
	_ Family = List{}
	_ Family = Sum{}
)

// Bind returns the Grams of list on the points x.
func (list List) Bind(x points.Points) Grams { return Sum{Kernels: list}.Bind(x) }

// Bind binds f to x. The base matrices are computed when they are first needed.
func (f Sum) Bind(x points.Points) Grams {
	g := &fittedSum{f: f, fixedPoints: &fixedPoints{x: x, d: max(f.Degree, 1)}}
	g.validate = sync.OnceValue(g.validateKernels)
	if g.bindError = f.check(x); g.bindError == nil {
		g.preprocessPoints()
	}
	return &sumGrams{fittedSum: g}
}

// check returns an error if Bind cannot prepare the points x.
func (f Sum) check(x points.Points) error {
	if len(f.Kernels) == 0 {
		return errors.New("kernel: the sum has no kernels; pass at least one")
	}
	if err := f.Normalize.check(); err != nil {
		return err
	}
	if err := checkBindArguments(f.Degree, f.Prepare, x); err != nil {
		return err
	}
	for k, b := range f.Kernels {
		if b == nil {
			return fmt.Errorf("kernel: kernel %d of the sum is nil", k+1)
		}
		if err := b.Check(x); err != nil {
			return err
		}
	}
	if err := f.FittedTransforms.checkMatchesSum(f); err != nil {
		return err
	}
	return f.FittedTransforms.checkPreprocessing(f.Prepare, x)
}

// sumGrams is fittedSum with a limit on threads.
type sumGrams struct {
	*fittedSum
	threads linalg.ThreadLimit
}

// fittedSum is a Sum bound to points. All sumGrams on these points share it.
type fittedSum struct {
	f Sum
	*fixedPoints
	base *baseMatrices // the base matrices; a result of Slice may share those of the original Grams
	rows []int         // in a result of Slice, the row of base for each point; nil if base has the same points

	stored     *storedParts // kernels on parts, if Slice does not share base; otherwise nil
	storedRows []int        // in a result of Slice, the row of each point in stored; nil for all points

	// maxRowRepetitions is the number of times that the most frequent row occurs in rows; 0 if rows is nil. If δI was
	// added to a base matrix, a matrix of norm δ·maxRowRepetitions was added to its submatrix of these rows.
	maxRowRepetitions float64

	matricesOnce   sync.Once
	k              [][]float64 // the base matrices, centered and normalized, packed
	normalizations []fittedNormalization

	lowRankOnce sync.Once
	lowRank     *factors // low-rank factors of the base matrices; nil if there are none

	sliceEntryComputerOnce sync.Once
	sliceEntryComputer     *entryComputer // computes entries for the points of rows

	normsOnce     sync.Once
	normsByKernel [][]float64 // see featureSpaceNorms

	scalesWithoutCenteringOnce sync.Once
	scalesWithoutCentering     []fittedNormalization // without means; scales from the diagonals alone

	newPointNormalizationsOnce sync.Once
	newPointNormalizations     []fittedNormalization // see computeNewPointNormalizations
}

// fittedNormalization holds the means and scales with which Center and Normalize change one base kernel.
type fittedNormalization struct {
	*centerFit // nil unless Center
	scaleFit
	diagonalShift float64   // the number δ_k that is added to the diagonal after scaling; 0 if base already contains it
	diag          []float64 // the diagonal after centering, scaling and the shift
}

// preprocessPoints preprocesses the points and sets g.base to their base matrices, which are not computed yet.
func (g *fittedSum) preprocessPoints() {
	f, x := g.f.FittedTransforms.preprocess(g.f.Prepare, g.x)
	g.fittedPreprocessing = f
	kernels := slices.Clone(g.f.Kernels)
	for k, b := range kernels {
		kernels[k] = fitTo(b, x)
	}
	if g.stored == nil && !g.sharesBaseMatrices() {
		g.stored = newStoredParts(g.f, x)
	}
	x = g.stored.replace(kernels, x, g.storedRows)
	g.base = &baseMatrices{entryComputer: entryComputer{kernels: kernels, x: x},
		addsDiagonalShift: !g.f.centersOrNormalizes()}
}

// maxShared is the largest number of base-matrix entries, 1 GiB in all, that results of Slice copy from their source.
const maxShared = 1 << 27

// sharesBaseMatrices reports whether Slice copies base matrices from g. It does not if Prepare or a kernel is fitted
// again, or if the matrices of g are large, because Slice may select only a few points, such as landmarks.
func (g *fittedSum) sharesBaseMatrices() bool {
	n := g.x.Len()
	isFittedAgain := g.f.Prepare.NeedsFit() && g.f.FittedTransforms == nil
	return !isFittedAgain && len(g.f.Kernels)*packedOffset(n, n) <= maxShared &&
		!slices.ContainsFunc(g.f.Kernels, isFitted)
}

// validateKernels returns an error if Bind found one, or if a kernel is invalid on the preprocessed points.
func (g *fittedSum) validateKernels() error {
	if g.bindError != nil {
		return g.bindError
	}
	logDiagonal := make([]float64, g.x.Len())
	for _, k := range g.base.kernels {
		if lacksMatrix(k) {
			continue // the kernel belongs to a frozen family, which stores no matrix
		}
		if v, ok := k.(Validated); ok {
			if err := v.Validate(); err != nil {
				return err
			}
		}
		if err := k.Check(g.base.x); err != nil {
			return fmt.Errorf("kernel: the points after preprocessing are invalid: %w", err)
		}
		storeLogDiagonal(logDiagonal, k, g.base.x)
		if err := checkDiagonalRange(k, logDiagonal); err != nil {
			return err
		}
	}
	return nil
}

// Dims returns the number of base kernels and of points.
func (g *fittedSum) Dims() (m, n int) {
	if g.x != nil {
		n = g.x.Len()
	}
	return len(g.f.Kernels), n
}

// Label returns the String of kernel k. If the kernel uses only some columns, Label replaces their numbers by the names
// of the features.
func (g *fittedSum) Label(k int) string {
	return kernelLabel(g.f.Kernels[k], g.x)
}

// StoredTriangleCount returns the memory of a Gram in triangles of n×n matrices: 2 for K(θ), 1 for the sum S = Σ_k
// θ_kK_k, and 1 for each base matrix K_k, or 2 if its original matrix is kept for Slice. A Fitted kernel adds 4.
func (g *sumGrams) StoredTriangleCount() int {
	m := len(g.f.Kernels)
	if g.bindError == nil && g.f.centersOrNormalizes() && g.sharesBaseMatrices() {
		m *= 2
	}
	for _, k := range g.f.Kernels {
		if isFitted(k) {
			m += 4
		}
	}
	return m + 3
}

func (g *sumGrams) WithThreads(n int) Grams { return &sumGrams{g.fittedSum, linalg.ThreadLimit(n)} }

func (g *sumGrams) Slice(rows []int) Grams { return g.slice(rows) }

// slice is Slice with the concrete type of its result.
func (g *sumGrams) slice(rows []int) *sumGrams {
	s := &fittedSum{f: g.f, fixedPoints: g.sliceWithoutFit(rows)}
	switch {
	case g.bindError != nil:
	case !g.sharesBaseMatrices():
		s.stored, s.storedRows = g.stored, toRowsOf(g.storedRows, rows)
		s.preprocessPoints()
	default:
		s.fittedPreprocessing, s.base, s.rows = g.fittedPreprocessing, g.base, toRowsOf(g.rows, rows)
		s.maxRowRepetitions = maxPointRepetitions(points.Indices(s.rows))
	}
	return &sumGrams{s, g.threads}
}

// toRowsOf returns the elements of rows at the given indices, or the indices if rows is nil.
func toRowsOf(rows, indices []int) []int {
	if rows == nil {
		return slices.Clone(indices)
	}
	return points.Pick(rows, indices)
}

// computeNormalizedMatrices returns the base matrices, packed, centered and normalized, with their means and scales.
func (g *fittedSum) computeNormalizedMatrices(threads linalg.ThreadLimit) (packed [][]float64,
	normalizations []fittedNormalization) {
	g.matricesOnce.Do(func() {
		g.mustBeBound()
		n := g.x.Len()
		if len(g.f.Kernels)*packedOffset(n, n) > 1<<25 {
			// Free the memory of earlier folds. Otherwise the garbage collector would run only after as much memory
			// again is allocated. The second call frees the released Grams, which are in a sync.Pool.
			runtime.GC()
			runtime.GC()
		}
		unfittedMatrices := g.base.packedMatrices(threads)
		m := len(unfittedMatrices)
		g.k, g.normalizations = make([][]float64, m), make([]fittedNormalization, m)
		threads.Run(m, func(k int) {
			a, needsFit := unfittedMatrices[k], g.f.centersOrNormalizes()
			switch {
			case g.rows != nil:
				a = packedSubmatrix(a, g.base.x.Len(), g.rows)
			case needsFit && g.sharesBaseMatrices():
				a = slices.Clone(a)
			case needsFit:
				unfittedMatrices[k] = nil // normalized in place: the original matrix is not needed again
			}
			g.k[k], g.normalizations[k] = g.normalizeBaseMatrix(k, a, needsFit)
		})
	})
	return g.k, g.normalizations
}

// normalizeBaseMatrix centers and normalizes packed, the matrix of base kernel k, in place. It returns the matrix, and
// the means and scales that do the same to the values of new points. packed may be nil if Center is not set, because
// scales are fitted to the diagonal alone. If addShift is true, the diagonal shift of kernel k is added too.
func (g *fittedSum) normalizeBaseMatrix(k int, packed []float64, addShift bool) (normalized []float64,
	fit fittedNormalization) {
	n := g.x.Len()
	uncenteredDiagonal, fit := make([]float64, n), fittedNormalization{}
	if packed == nil {
		storeDiagonal(g.base.kernels[k], uncenteredDiagonal, g.newSliceEntryComputer().x)
	} else {
		for i := range uncenteredDiagonal {
			uncenteredDiagonal[i] = packed[packedOffset(n, i)]
		}
	}
	diagonal := slices.Clone(uncenteredDiagonal)
	if g.f.Center {
		fit.centerFit = fitCentering(packed, n)
		for i, mean := range fit.rowMeans {
			diagonal[i] += fit.grandMean - mean - mean
		}
	}
	fit.scaleFit = g.f.normalization(k).fitScale(
		uncenteredDiagonal, diagonal, fit.centerFit, g.f.FittedTransforms.fittedScales(k))
	for i, v := range diagonal {
		diagonal[i] = fit.scaleFit.scaleDiagonalEntry(v, i)
	}
	if packed != nil {
		fit.normalizePacked(packed, n)
	}
	if addShift {
		fitOrNil := &fit
		if !g.f.centersOrNormalizes() {
			fitOrNil = nil
		}
		fit.diagonalShift = g.base.requiredDiagonalShift(k, packed, diagonal, g.newSliceEntryComputer().x, fitOrNil)
		if packed != nil {
			addToDiagonal(packed, n, fit.diagonalShift)
		}
	}
	for i := range diagonal {
		diagonal[i] += fit.diagonalShift
	}
	fit.diag = diagonal
	return packed, fit
}

// computeScalesWithoutCentering returns the scale of each base kernel, from its diagonal. Center must not be set.
func (g *fittedSum) computeScalesWithoutCentering() []fittedNormalization {
	g.scalesWithoutCenteringOnce.Do(func() {
		g.scalesWithoutCentering = make([]fittedNormalization, len(g.f.Kernels))
		for k := range g.scalesWithoutCentering {
			_, g.scalesWithoutCentering[k] = g.normalizeBaseMatrix(k, nil, true)
		}
	})
	return g.scalesWithoutCentering
}

// centersOrNormalizes reports whether base matrices are centered or normalized.
func (f Sum) centersOrNormalizes() bool { return f.Center || f.Normalize != None }
