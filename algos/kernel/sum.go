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

// ErrNotPSD is wrapped by the error that names a base matrix with a negative eigenvalue.
var ErrNotPSD = errors.New("kernel: not positive semidefinite")

// List is the linear family Σ_k θ_k k_k of base kernels as they are.
type List []Kernel

// Sum is the family
//
//	k_θ(x,z) = (Σ_k θ_k k̃_k(x,z))^d
//
// of base kernels k̃_k = k_k prepared, centred and normalised, in that order. K(θ) is the
// elementwise power of the sum; with θ ≥ 0 it is positive semidefinite (Schur).
//
// Base matrices are computed once, when first asked for, and kept as upper triangles, 4mn² bytes, twice that with
// Centre or Normalize where slices share them, which they do unless Prepare is fitted to each anew; what has no room in
// Memory is made again for each evaluation and derivative. On their diagonals is what makes them positive semidefinite
// for certain: see the package. At costs O(mn²), and so does each derivative.
type Sum struct {
	Kernels List
	// Degree is d, from 1 to 4; 0 means 1.
	Degree int
	// Prepare is applied to Rows and Sparse before the kernels see them.
	Prepare points.Preprocessing
	// Centre moves each base kernel's feature map to mean 0 over the fixed points:
	//	k̃(x,z) = k(x,z) − mean_i k(x_i,z) − mean_j k(x,x_j) + mean_ij k(x_i,x_j).
	Centre bool
	// Normalize scales each base kernel after that. Where a diagonal entry is 0 (to 1e-12 of what
	// it was before centring, or 1e-14 of the largest), as a constant kernel's is once centred, the
	// normalised kernel is 0.
	Normalize Normalization
	// Fitted, if not nil, is what is fitted, of other points than those of On: see Grams.Freeze.
	Fitted *Fitted
}

var (
	_ Family = List{}
	_ Family = Sum{}
)

// On binds list to x.
func (list List) On(x points.Points) Grams { return Sum{Kernels: list}.On(x) }

// On binds f to x. The base matrices are computed when they are first needed.
func (f Sum) On(x points.Points) Grams {
	g := &fittedSum{f: f, onPoints: &onPoints{x: x, d: max(f.Degree, 1)}}
	g.validate = sync.OnceValue(g.judge)
	if g.bad = f.check(x); g.bad == nil {
		g.prepare()
	}
	return &sumGrams{fittedSum: g}
}

// check is what On needs to be able to go on.
func (f Sum) check(x points.Points) error {
	if len(f.Kernels) == 0 {
		return errors.New("kernel: a sum of no kernels, want at least one")
	}
	if err := f.Normalize.check(); err != nil {
		return err
	}
	if err := checkFamily(f.Degree, f.Prepare, x); err != nil {
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
	if err := f.Fitted.checkSum(f); err != nil {
		return err
	}
	return f.Fitted.check(f.Prepare, x)
}

// sumGrams is a Sum on fixed points for a number of threads.
type sumGrams struct {
	*fittedSum
	on linalg.Bound
}

// fittedSum is a Sum on fixed points.
type fittedSum struct {
	f Sum
	*onPoints
	base *baseMatrices // its own or those of what it is a slice of
	rows []int         // of base; nil for all

	copies float64 // how often the most frequent of rows occurs: δ of repeated rows is off the diagonal too, δPPᵀ

	once sync.Once
	k    [][]float64 // the base matrices, centred and normalised, packed; nil for those that are made again
	fits []baseFit

	factoring sync.Once
	factor    *factors // see factored

	making sync.Once
	made   *remade // see maker

	rounding sync.Once
	norm     [][]float64 // see norms

	fitting sync.Once
	ownFits []baseFit // see diagonalFits
}

// baseFit is what Centre and Normalize fit of one base kernel.
type baseFit struct {
	*centring // nil unless Centre
	normalizing
	shift float64   // δ_k, where the matrix is lifted after that
	diag  []float64 // of the fitted matrix
}

// apply fits rows lo … hi−1 of a packed base matrix.
func (f *baseFit) apply(a []float64, n, lo, hi int) {
	if f.centring != nil {
		f.centring.apply(a, n, lo, hi)
	}
	f.normalizing.apply(a, n, lo, hi)
	for i := lo; i < hi; i++ {
		bandRow(a, n, lo, i)[0] += f.shift
	}
}

func (g *fittedSum) prepare() {
	f, x := g.f.Fitted.prepare(g.f.Prepare, g.x)
	room := int(Memory() / 8)
	if g.f.fitted() && g.shared() {
		room /= 2
	}
	g.prepared, g.base = f, &baseMatrices{remade: remade{kernels: g.f.Kernels, x: x}, raw: !g.f.fitted(), memory: room}
}

// mostShared is how many numbers the base matrices of all points may be that slices take theirs from: 1 GiB.
const mostShared = 1 << 27

// shared says that slices take their base matrices from g's. They do not where Prepare is fitted to each anew, nor
// where those of g are large, of which a slice to a few landmarks would need a small part.
func (g *fittedSum) shared() bool {
	n := g.x.Len()
	return (!g.f.Prepare.Fits() || g.f.Fitted != nil) && len(g.f.Kernels)*tri(n, n) <= mostShared
}

// judge is Validate, done once.
func (g *fittedSum) judge() error {
	if g.bad != nil {
		return g.bad
	}
	logs := make([]float64, g.x.Len())
	for _, k := range g.f.Kernels {
		if p, ok := k.(Precomputed); ok && len(p.Data) == 0 {
			continue // frozen
		}
		if v, ok := k.(Validated); ok {
			if err := v.Validate(); err != nil {
				return err
			}
		}
		if err := k.Check(g.base.x); err != nil {
			return fmt.Errorf("kernel: prepared points: %w", err)
		}
		logDiagonal(logs, k, g.base.x)
		if err := checkDiagonal(k, logs); err != nil {
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

// Label is the kernel's String, with the features' names where it sees columns that have some.
func (g *fittedSum) Label(k int) string {
	if v, ok := pairs(g.f.Kernels[k]); ok {
		return title(v, g.x)
	}
	return g.f.Kernels[k].String()
}

// Threads returns g for at most n threads.
func (g *sumGrams) Threads(n int) Grams { return &sumGrams{g.fittedSum, linalg.Bound(n)} }

// Slice equals On(x[rows]). Base matrices are taken from g's where Prepare learns nothing of the
// points.
func (g *sumGrams) Slice(rows []int) Grams { return g.slice(rows) }

func (g *sumGrams) slice(rows []int) *sumGrams {
	s := &fittedSum{f: g.f, onPoints: g.part(rows)}
	switch {
	case g.bad != nil:
	case !g.shared():
		s.prepare()
	default:
		s.prepared, s.base, s.rows = g.prepared, g.base, g.places(rows)
		s.copies = repetitions(points.Indices(s.rows))
	}
	return &sumGrams{s, g.on}
}

// places are the rows of base that the given rows of g are.
func (g *fittedSum) places(rows []int) []int {
	p := slices.Clone(rows)
	if g.rows != nil {
		for i, r := range rows {
			p[i] = g.rows[r]
		}
	}
	return p
}

// matrices are the fitted base matrices, computed once; nil where there is no room for one.
func (g *fittedSum) matrices(on linalg.Bound) ([][]float64, []baseFit) {
	g.once.Do(func() {
		g.mustEvaluate()
		n := g.x.Len()
		if len(g.f.Kernels)*tri(n, n) > 1<<25 {
			// what earlier folds left: before as much again is free the collector sees no need, and what is in a
			// sync.Pool, as released Grams are, it takes the second time
			runtime.GC()
			runtime.GC()
		}
		raw := g.base.matrices(on)
		room := g.base.memory / tri(n, n)
		if g.rows != nil {
			room /= 32
		}
		g.k, g.fits = make([][]float64, len(raw)), make([]baseFit, len(raw))
		on.Run(linalg.TileFunc(func(k int) {
			a, kept, fitted := raw[k], k < room, g.f.fitted()
			switch {
			case g.rows != nil && a != nil && (kept || g.f.Centre):
				a = packedPart(a, g.base.x.Len(), g.rows)
			case g.rows == nil && a != nil && fitted && (kept || g.f.Centre):
				if g.shared() {
					a = slices.Clone(a)
				} else {
					raw[k] = nil // nobody reads it as it was
				}
			case g.rows == nil && !fitted: // those of base, or none
				kept = a != nil
			case !kept && !g.f.Centre:
				a = nil
			case a == nil: // to be looked at, or there is room for a slice
				a = g.whole(k)
			}
			g.k[k], g.fits[k] = g.learn(k, a, fitted || raw[k] == nil)
			if !kept {
				g.k[k] = nil
			}
		}), len(raw))
	})
	return g.k, g.fits
}

// learn fits base kernel k, of which a is the packed matrix, or nil where its diagonal is enough, and
// returns the fitted one, lifted if that is said.
func (g *fittedSum) learn(k int, a []float64, lifted bool) ([]float64, baseFit) {
	n := g.x.Len()
	before, fit := make([]float64, n), baseFit{}
	if a == nil {
		diagonal(g.f.Kernels[k], before, g.maker().x)
	} else {
		for i := range before {
			before[i] = a[tri(n, i)]
		}
	}
	after := slices.Clone(before)
	if g.f.Centre {
		fit.centring = means(a, n)
		fit.centring.apply(a, n, 0, n)
		for i := range after {
			after[i] = a[tri(n, i)]
		}
	}
	fit.normalizing = g.f.Normalize.fit(before, after, fit.centring, g.f.Fitted.of(k))
	for i, v := range after {
		after[i] = fit.normalizing.diagonal(v, i)
	}
	if a != nil {
		fit.normalizing.apply(a, n, 0, n)
	}
	if lifted {
		whole := &fit
		if !g.f.fitted() {
			whole = nil
		}
		fit.shift = g.base.lift(k, a, after, g.maker().x, whole)
		if a != nil {
			raise(a, n, fit.shift)
		}
	}
	for i := range after {
		after[i] += fit.shift
	}
	fit.diag = after
	return a, fit
}

// diagonalFits are the fits of kernels that are not centred, for which their diagonals are enough.
func (g *fittedSum) diagonalFits() []baseFit {
	g.fitting.Do(func() {
		g.ownFits = make([]baseFit, len(g.f.Kernels))
		for k := range g.ownFits {
			_, g.ownFits[k] = g.learn(k, nil, true)
		}
	})
	return g.ownFits
}

// fitted reports whether base matrices are centred or normalised.
func (f Sum) fitted() bool { return f.Centre || f.Normalize != None }
