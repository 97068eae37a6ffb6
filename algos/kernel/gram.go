package kernel

import (
	"errors"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

const (
	noRows    = "kernel: Slice got no rows; pass at least one"
	badTheta  = "kernel: θ has the wrong length; pass one number per parameter"
	noTheta   = "kernel: the Gram has no θ; call SetTheta first"
	badLength = "kernel: a vector has the wrong length; pass one number per point (v, w) or per parameter (u, dst)"
)

// maxNumbers is the limit of n·d, the numbers of a dense matrix of n points with d features: 8 GB.
const maxNumbers = 1 << 30

// checkBindArguments validates the points, the degree and the preprocessing that Bind of a Sum or Features got.
func checkBindArguments(degree int, p points.Preprocessing, x points.Points) error {
	if degree < 0 || degree > 4 {
		return fmt.Errorf("kernel: the degree is %d; use 1 to 4", degree)
	}
	if err := p.Check(); err != nil {
		return err
	}
	if x == nil {
		return errors.New("kernel: no points (nil)")
	}
	if err := x.Validate(); err != nil {
		return err
	}
	if d := points.FeatureCount(x); d > 0 && x.Len() > maxNumbers/d && !points.Is[points.Rows](x) {
		return fmt.Errorf("kernel: %d sparse points with %d features take more than 8 GB as dense numbers; select "+
			"features", x.Len(), d)
	}
	return p.CheckPoints(x)
}

// fixedPoints holds the points that Bind of a Sum or Features got, with the results of Bind and Validate.
type fixedPoints struct {
	Defaults
	x                   points.Points
	d                   int
	bindError           error        // the reason why the family cannot be evaluated
	validate            func() error // computes the result of Validate once, also for the results of Slice
	fittedPreprocessing *points.FittedPreprocessing
	releasedGrams       sync.Pool // Grams that New reuses
}

// Validate returns an error if the points, a parameter or a precomputed matrix is invalid. It checks once, also for the
// results of Slice.
func (g *fixedPoints) Validate() error { return g.validate() }

// Degree returns the degree d of K as a polynomial in θ.
func (g *fixedPoints) Degree() int { return g.d }

// mustBeBound panics if Bind found an error.
func (g *fixedPoints) mustBeBound() {
	if g.bindError != nil {
		panic(g.bindError)
	}
}

// sliceWithoutFit returns the points of the given rows, not preprocessed.
func (g *fixedPoints) sliceWithoutFit(rows []int) *fixedPoints {
	s := &fixedPoints{d: g.d, bindError: g.bindError, validate: g.validate}
	if g.bindError == nil {
		if len(rows) == 0 {
			panic(noRows)
		}
		s.x = g.x.Slice(rows)
	}
	return s
}

// preprocessNewPoints applies to new points z the preprocessing that was fitted to the points of g. It panics if Bind
// found an error or if z has a different number of features.
func (g *fixedPoints) preprocessNewPoints(z points.Points) points.Points {
	g.mustBeBound()
	if err := points.CheckFeatureCounts(g.x, z); err != nil {
		panic(err)
	}
	return g.fittedPreprocessing.Apply(z)
}

// evaluation holds θ and K(θ) of a Gram.
type evaluation struct {
	design.Scratch
	m, n   int
	theta  []float64     // of length 0 before SetTheta
	k      *mat.SymDense // K(θ) if hasK is true
	hasK   bool
	matrix *Matrix // K(θ) at the current θ, the result of the method K
}

// reset removes θ and sets the limit on threads.
func (e *evaluation) reset(threads linalg.ThreadLimit) { e.Threads, e.theta = threads, e.theta[:0] }

// storeTheta stores a copy of θ and discards K of the last θ.
func (e *evaluation) storeTheta(theta []float64) {
	if len(theta) != e.m {
		panic(badTheta)
	}
	e.theta, e.hasK = append(e.theta[:0], theta...), false
	e.matrix.ClearCache()
}

// mustHaveTheta panics if SetTheta has not been called.
func (e *evaluation) mustHaveTheta() {
	if len(e.theta) == 0 {
		panic(noTheta)
	}
}

// checkLengths panics if SetTheta has not been called, if v or w has not length n, or if u has not length m.
func (e *evaluation) checkLengths(v, w, u []float64) {
	e.mustHaveTheta()
	if len(v) != e.n || len(w) != e.n || len(u) != e.m {
		panic(badLength)
	}
}

// storageOfK returns the storage of K, n×n numbers row by row. They are valid only if hasK is true.
func (e *evaluation) storageOfK() []float64 {
	if e.k == nil {
		e.k = mat.NewSymDense(e.n, nil)
	}
	return e.k.RawSymmetric().Data
}

// K returns K(θ). It panics if SetTheta has not been called.
func (e *evaluation) K() *Matrix {
	e.mustHaveTheta()
	return e.matrix
}

// computeEntrywisePower returns K, the entrywise power d of a matrix S, computed at the first call for each θ.
// upperRow(i) returns row i of S from the diagonal on. The returned row may lie in the storage of K.
func (e *evaluation) computeEntrywisePower(d int, upperRow func(i int) []float64) *mat.SymDense {
	entries := e.storageOfK()
	if !e.hasK {
		for i := range e.n {
			elementwise.Power(entries[i*e.n+i:(i+1)*e.n], upperRow(i), d)
		}
		e.hasK = true
	}
	return e.k
}

// zeroSymmetric sets dst, m×m, to zero and returns its storage. If dst is empty, zeroSymmetric first makes it m×m.
func zeroSymmetric(dst *mat.SymDense, m int) (data []float64, stride int) {
	if dst.IsEmpty() {
		dst.ReuseAsSym(m)
	}
	if dst.SymmetricDim() != m {
		panic(fmt.Sprintf("kernel: dst of QuadraticFormInTheta has %d rows; it must have %d", dst.SymmetricDim(), m))
	}
	dst.Zero()
	r := dst.RawSymmetric()
	return r.Data, r.Stride
}

// checkCrossSizes panics if dst is not l×n or if theta does not have length m.
func checkCrossSizes(dst *mat.Dense, newPointCount, pointCount int, theta []float64, parameterCount int) {
	if r, s := dst.Dims(); r != newPointCount || s != pointCount {
		panic(fmt.Sprintf("kernel: dst of StoreMatrix is %d×%d; it must be %d×%d", r, s, newPointCount, pointCount))
	}
	if len(theta) != parameterCount {
		panic(badTheta)
	}
}
