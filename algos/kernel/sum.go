package kernel

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/linalg"
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
// Base matrices are computed once, when first asked for, and kept as upper triangles: 4mn² bytes,
// twice that with Centre or Normalize where slices are taken. On their diagonals is what makes them
// positive semidefinite for certain: see the package. At costs O(mn²), and so does each
// derivative.
type Sum struct {
	Kernels List
	// Degree is d, from 1 to 4; 0 means 1.
	Degree int
	// Prepare is applied to Rows and Sparse before the kernels see them.
	Prepare Prepare
	// Centre moves each base kernel's feature map to mean 0 over the fixed points:
	//	k̃(x,z) = k(x,z) − mean_i k(x_i,z) − mean_j k(x,x_j) + mean_ij k(x_i,x_j).
	Centre bool
	// Normalize scales each base kernel after that. Where a diagonal entry is 0 (to 1e-12 of what
	// it was before centring, or 1e-14 of the largest), as a constant kernel's is once centred, the
	// normalised kernel is 0.
	Normalize Normalization
	// Fitted, if not nil, is what is fitted, of other points than those of On: see Freezable.
	Fitted *Fitted
}

var (
	_ Family = List{}
	_ Family = Sum{}
)

// On binds list to x.
func (list List) On(x Points) Grams { return Sum{Kernels: list}.On(x) }

// On binds f to x. The base matrices are computed when they are first needed.
func (f Sum) On(x Points) Grams {
	g := &fittedSum{f: f, onPoints: &onPoints{x: x, d: max(f.Degree, 1)}}
	g.validate = sync.OnceValue(g.judge)
	if g.bad = f.check(x); g.bad == nil {
		g.prepare()
	}
	return &sumGrams{fittedSum: g}
}

// check is what On needs to be able to go on.
func (f Sum) check(x Points) error {
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

	once sync.Once
	k    [][]float64 // the base matrices, centred and normalised, packed
	fits []baseFit

	freezing   sync.Once
	frozenFits []baseFit // see crossFits

	rounding sync.Once
	root     [][]float64 // see roots
}

// baseFit is what Centre and Normalize fit of one base kernel.
type baseFit struct {
	*centring // nil unless Centre
	normalizing
}

var (
	_ Graded    = (*sumGrams)(nil)
	_ Validated = (*sumGrams)(nil)
	_ Crossed   = (*sumGrams)(nil)
	_ Sliced    = (*sumGrams)(nil)
	_ Threaded  = (*sumGrams)(nil)
)

func (g *fittedSum) prepare() {
	f, x := g.f.Fitted.prepare(g.f.Prepare, g.x)
	g.prepared, g.base = f, &baseMatrices{kernels: g.f.Kernels, x: x, raw: !g.f.fitted()}
}

// judge is Validate, done once.
func (g *fittedSum) judge() error {
	if g.bad != nil {
		return g.bad
	}
	dst := make([]float64, g.x.Len())
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
		diagonal(k, dst, g.base.x)
		for i, v := range dst { // bounds the rest of a positive semidefinite matrix
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("kernel: %v of point %d with itself is %g: the features are too large", k, i+1, v)
			}
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

// Degree returns d.
func (g *fittedSum) Degree() int { return g.d }

// Label is the kernel's String, with the features' names where it sees columns that have some.
func (g *fittedSum) Label(k int) string {
	if v, ok := g.f.Kernels[k].(pairwiseKernel); ok {
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
	case g.f.Prepare.fits() && g.f.Fitted == nil:
		s.prepare()
	default:
		s.prepared, s.base, s.rows = g.prepared, g.base, g.places(rows)
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

// matrices are the fitted base matrices, computed once.
func (g *fittedSum) matrices(on linalg.Bound) ([][]float64, []baseFit) {
	g.once.Do(func() {
		g.mustEvaluate()
		raw := g.base.matrices(on)
		g.k, g.fits = make([][]float64, len(raw)), make([]baseFit, len(raw))
		on.Run(each(func(k int) {
			a := raw[k]
			switch {
			case g.rows != nil:
				a = packedPart(a, g.base.x.Len(), g.rows)
			case g.f.fitted():
				a = slices.Clone(a)
			}
			fit := g.f.fit(a, g.x.Len(), k)
			if g.f.fitted() {
				g.base.lift(k, a, g.x, &fit)
			}
			g.k[k], g.fits[k] = a, fit
		}), len(raw))
	})
	return g.k, g.fits
}

// fitted reports whether base matrices are centred or normalised.
func (f Sum) fitted() bool { return f.Centre || f.Normalize != None }

// fit centres and normalises a packed base matrix in place.
func (f Sum) fit(a []float64, n, k int) baseFit {
	before := make([]float64, n)
	for i := range before {
		before[i] = a[tri(n, i)]
	}
	var c *centring
	if f.Centre {
		c = centre(a, n)
	}
	return baseFit{c, f.Normalize.normalize(a, before, c, f.Fitted.of(k))}
}
