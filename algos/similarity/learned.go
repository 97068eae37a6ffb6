package similarity

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Learned is the family whose parameter is the kernel matrix itself,
//
//	θ = vec K,  K(θ) = (K + Kᵀ)/2 between the points that it is bound to, which are points.Indices.
//
// Its sets are set.Spectraplex, {K ⪰ 0, tr K = τ}, and set.PSD. The regularizer reg.DistancePenalty keeps K close to
// similarities S. Two kinds of Learned differ in their treatment of points that are not training points:
//
// The transductive kind, the default, learns K between all N points. The family is bound to the indices of the labeled
// points. The entries of K between labeled points and other points are learned with the rest, and they give the
// predictions for the other points. Slices have the same N² parameters, the same set and the same regularizer: a fold
// withholds labels, not similarities.
//
// The inductive kind learns K only between the n points that it is bound to. For a new point with the similarities s to
// these points, it uses the linear map k = K S⁺ s, which is a guess. S⁺ is the pseudo-inverse of S between the bound
// points, without the eigenvalues below Rcond·max|λ| in magnitude. A slice learns a K of its points, with n²
// parameters, and Problem.Slice takes the corresponding parts of the set and of the regularizer.
//
// New points are points.Indices or points.KernelRows. Indices are row numbers of S for the inductive kind, and of K for
// the transductive kind. KernelRows are rows of similarities to all N points of S, under the Name of the family. Both
// kinds use the linear map for them, which needs S.
type Learned struct {
	Name string // of the similarities, for users and for points.KernelRows
	N    int    // number of points of S or of a transductive K
	// S holds the similarities between the N points, row by row, as Vec returns them. Only predictions by the linear
	// map read them. The transductive kind without such predictions may have a nil S.
	S         []float64
	Inductive bool
	// Rcond·max|λ| is the smallest magnitude of an eigenvalue of S that S⁺ uses. If Rcond is 0, it is 1e-2.
	Rcond float64
}

// Vec returns S row by row, with both triangles. θ, reg.DistancePenalty.Targets and Learned.S hold matrices in this
// form.
func Vec(s *mat.SymDense) []float64 {
	return mat.DenseCopyOf(s).RawMatrix().Data
}

// largest is the largest N: θ has N² numbers.
const largest = 1 << 15

// Validate returns an error if N, Rcond or the length of S is out of range, or if an inductive f has no S. It also
// returns an error for the first entry of S that is not finite, or that differs from its mirror image by more than 1e-8
// of the largest magnitude.
func (f Learned) Validate() error {
	if f.N < 1 || f.N > largest {
		return fmt.Errorf("similarity: a kernel of %d points; the number must be from 1 to %d", f.N, largest)
	}
	if !(f.Rcond >= 0 && f.Rcond < 1) {
		return fmt.Errorf("similarity: rcond = %g; use 0 ≤ rcond < 1 (0 means 1e-2)", f.Rcond)
	}
	if f.S == nil {
		if f.Inductive {
			return errors.New("similarity: an inductive kernel without S, the similarities by which new points are met")
		}
		return nil
	}
	if len(f.S) != f.N*f.N {
		return fmt.Errorf("similarity: S has %d numbers; it must have %d rows of %[2]d", len(f.S), f.N)
	}
	top := 0.0
	for i, v := range f.S {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("similarity: row %d, column %d is %g; it must be finite", i/f.N+1, i%f.N+1, v)
		}
		top = max(top, math.Abs(v))
	}
	for i := range f.N {
		for j := range i {
			if a, b := f.S[i*f.N+j], f.S[j*f.N+i]; !(math.Abs(a/2-b/2) <= 1e-8*top/2) {
				return fmt.Errorf("similarity: not symmetric: %g in row %d, column %d, but %g in row %[3]d, column "+
					"%[2]d (Symmetric takes the mean)", a, i+1, j+1, b)
			}
		}
	}
	return nil
}

// On binds f to points.Indices.
func (f Learned) On(x points.Points) kernel.Grams {
	g := &learned{f: f}
	p, err := points.As[points.Indices](x)
	if g.bad = f.Validate(); g.bad == nil {
		if err != nil {
			g.bad = fmt.Errorf("similarity: a learned kernel: %w", err)
		} else {
			g.bad = f.check(p)
		}
	}
	if g.bad == nil {
		g.bind(p)
	}
	return g
}

// check returns an error if p contains an index that S or K does not have.
func (f Learned) check(p points.Indices) error {
	if err := p.Validate(); err != nil {
		return err
	}
	for i, v := range p {
		if v >= f.N {
			return fmt.Errorf("similarity: point %d has place %d, the kernel has places 0 to %d", i+1, v, f.N-1)
		}
	}
	return nil
}

// learned is f bound to n points.
type learned struct {
	kernel.Defaults
	f   Learned
	x   points.Indices
	bad error

	order int   // order of the matrix θ: N, or n
	at    []int // the row of θ of each point
	most  int   // the largest number of times that a point occurs
	whole bool  // the points are the rows of θ, in order

	spectrum func() (*Spectrum, error) // of S between the points of θ; computed at the first call
}

var _ kernel.ErrorBounded = (*learnedGram)(nil)

func (g *learned) bind(p points.Indices) {
	g.x, g.order, g.at, g.spectrum = p, g.f.N, p, sync.OnceValues(g.decompose)
	if g.f.Inductive {
		g.order, g.at = len(p), make([]int, len(p))
		for i := range g.at {
			g.at[i] = i
		}
	}
	times := make([]int, g.order)
	g.whole = len(g.at) == g.order
	for i, p := range g.at {
		g.whole = g.whole && p == i
	}
	for _, i := range g.at {
		times[i]++
		g.most = max(g.most, times[i])
	}
}

// Dims returns the square of the order of K, and n.
func (g *learned) Dims() (m, n int) { return g.order * g.order, len(g.x) }

// Label returns the name of entry k of K. Rows and columns count from 1.
func (g *learned) Label(k int) string {
	n := max(g.order, 1)
	return fmt.Sprintf("K[%d,%d]", k/n+1, k%n+1)
}

// Shape returns the shape of K. θ is K, row by row.
func (g *learned) Shape() (rows, cols int) { return g.order, g.order }

// Degree returns 1.
func (g *learned) Degree() int { return 1 }

// Threads returns g, because no operation here benefits from threads.
func (g *learned) Threads(int) kernel.Grams { return g }

// Validate returns the error that On found.
func (g *learned) Validate() error { return g.bad }

// Slice binds the family to a part of the points.
func (g *learned) Slice(rows []int) kernel.Grams {
	return g.f.On(g.x.Slice(rows))
}

// Block returns the Cross of the points rows with the slice cols.
func (g *learned) Block(rows, cols []int) kernel.Cross {
	return g.Slice(cols).(*learned).Cross(g.x.Slice(rows))
}

// Freeze returns f. K between two indices does not depend on the points that f is bound to. An inductive kernel cannot
// be frozen, because it needs all points.
func (g *learned) Freeze() (kernel.Family, error) {
	if g.bad != nil {
		return nil, g.bad
	}
	if g.f.Inductive {
		return nil, errors.New("similarity: K S⁺ needs all points that K was learned on")
	}
	return g.f, nil
}

// New returns an unevaluated Gram.
func (g *learned) New() kernel.Gram { return &learnedGram{g: g} }

type learnedGram struct {
	g     *learned
	theta []float64     // owned by the caller
	k     *mat.SymDense // θ itself, or own; nil until K is called
	own   *mat.SymDense // allocated when it is first needed
	exact bool          // θ is symmetric between the bound points; valid if k is not nil
}

// mirrored reports whether an n×n matrix is symmetric. It compares block by block, so that both triangles are in the
// cache.
func mirrored(theta []float64, n int) bool {
	const block = 32
	for a := 0; a < n; a += block {
		for b := 0; b <= a; b += block {
			for i := a; i < min(a+block, n); i++ {
				for j := b; j < min(b+block, i); j++ {
					if theta[i*n+j] != theta[j*n+i] {
						return false
					}
				}
			}
		}
	}
	return true
}

// At moves to θ. It computes nothing; the methods compute their results when they are called.
func (a *learnedGram) At(theta []float64) {
	if n := a.g.order; len(theta) != n*n {
		panic("similarity: θ has another length")
	}
	a.theta, a.k = theta, nil
}

// K returns the matrix of the bound points. If θ is symmetric and the points are all its rows in order, it is θ itself,
// without a copy.
func (a *learnedGram) K() *kernel.Matrix {
	return kernel.NewMatrix(len(a.g.x), kernel.Form{Dense: a.dense, Bounds: a.Bounds})
}

func (a *learnedGram) dense() *mat.SymDense {
	if a.k == nil {
		a.form()
	}
	return a.k
}

func (a *learnedGram) form() {
	g, theta, n := a.g, a.theta, a.g.order
	if g.whole && mirrored(theta, n) {
		a.k, a.own, a.exact = mat.NewSymDense(n, theta), nil, true
		return
	}
	if a.own == nil {
		a.own = mat.NewSymDense(len(g.x), nil)
	}
	a.k, a.exact = a.own, true
	raw := a.k.RawSymmetric()
	for i, p := range g.at {
		row := raw.Data[i*raw.Stride:]
		for j := i; j < len(g.at); j++ {
			u, v := theta[p*n+g.at[j]], theta[g.at[j]*n+p]
			if u != v {
				a.exact = false
				u = u/2 + v/2
			}
			row[j] = u
		}
	}
}

// Release does nothing.
func (a *learnedGram) Release() {}

// Gradient stores w_iw_j for the entries of the bound points, and 0 for the other entries.
func (a *learnedGram) Gradient(dst, w []float64) {
	v, n := a.g.embed(w), a.g.order
	for i, x := range v {
		row := dst[i*n : (i+1)*n]
		if x == 0 {
			clear(row)
			continue
		}
		floats.ScaleTo(row, x, v)
	}
}

// embed returns a vector with w at the rows of θ that belong to the points, and 0 elsewhere.
func (g *learned) embed(w []float64) []float64 {
	v := make([]float64, g.order)
	for i, p := range g.at {
		v[p] += w[i]
	}
	return v
}

// Bounds returns the bounds of kernel.ErrorBounded. entries is 0 if θ is symmetric between the bound points, because K
// then holds entries of θ; otherwise it is linalg.Epsilon. shift allows for the tolerance (4n+64)·ε·tr θ up to which
// sets of matrices verify θ ⪰ 0, and for repeated points.
func (a *learnedGram) Bounds() (entries, shift, lift float64) {
	if a.dense(); !a.exact {
		entries = linalg.Epsilon
	}
	n, trace := a.g.order, 0.0
	for i := range n {
		trace += a.theta[i*n+i]
	}
	return entries, float64(a.g.most*(4*n+64)) * linalg.Epsilon * max(trace, 0), 0
}

// EvaluateExtended returns false: K is θ itself.
func (a *learnedGram) EvaluateExtended(f, v, w []float64) bool { return false }

// GradientError stores bounds on the rounding errors of w_iw_j.
func (a *learnedGram) GradientError(dst, w []float64) {
	n := a.g.order
	v := make([]float64, n)
	for i, p := range a.g.at {
		v[p] += math.Abs(w[i])
	}
	for i, x := range v {
		floats.ScaleTo(dst[i*n:(i+1)*n], linalg.Epsilon*float64(a.g.most)*x, v)
	}
}

// CheckNew returns an error if the family cannot be evaluated at z.
func (g *learned) CheckNew(z points.Points) (kernel.OutOfDomain, error) {
	return kernel.OutOfDomain{}, g.meets(z)
}

func (g *learned) meets(z points.Points) error {
	if g.bad != nil {
		return g.bad
	}
	switch z := z.(type) {
	case points.Indices:
		return g.f.check(z)
	case points.KernelRows:
		switch {
		case g.f.S == nil:
			return errors.New("similarity: points given by their similarities are met by the linear map K S⁺ s, " +
				"which needs S of the family")
		case z.N != g.f.N:
			return fmt.Errorf("similarity: the new points have similarities to %d points, S is of %d", z.N, g.f.N)
		case !slices.Contains(z.Names, g.f.Name):
			return fmt.Errorf("similarity: the new points have no similarities named %q, but %q", g.f.Name, z.Names)
		}
		_, err := g.spectrum()
		return err
	}
	return fmt.Errorf("similarity: a learned kernel takes points.Indices and points.KernelRows, the points are %T", z)
}

// decompose returns the spectrum of S between the points of θ.
func (g *learned) decompose() (*Spectrum, error) {
	s := mat.NewSymDense(g.order, nil)
	for i := range g.order {
		for j := i; j < g.order; j++ {
			p, q := g.place(i), g.place(j)
			s.SetSym(i, j, g.f.S[p*g.f.N+q]/2+g.f.S[q*g.f.N+p]/2)
		}
	}
	return Decompose(s)
}

// place returns the index in S of row i of θ.
func (g *learned) place(i int) int {
	if g.f.Inductive {
		return g.x[i]
	}
	return i
}

// Cross returns the Cross of new points that CheckNew accepts.
func (g *learned) Cross(z points.Points) kernel.Cross {
	c := &learnedCross{g: g, known: slices.Repeat([]int{-1}, z.Len())}
	var s []float64 // similarities of new points to the points of θ, row by row
	switch z := z.(type) {
	case points.Indices:
		if !g.f.Inductive {
			copy(c.known, z)
			break
		}
		for i, p := range z {
			if c.known[i] = slices.Index(g.x, p); c.known[i] >= 0 {
				continue
			}
			for _, q := range g.x {
				s = append(s, g.f.S[p*g.f.N+q]/2+g.f.S[q*g.f.N+p]/2)
			}
		}
	case points.KernelRows:
		all := z.Data[slices.Index(z.Names, g.f.Name)]
		for i := range c.known {
			for j := range g.order {
				s = append(s, all[i*z.N+g.place(j)])
			}
		}
	default:
		panic(fmt.Sprintf("similarity: points of kind %T", z))
	}
	if s != nil {
		c.s = mat.NewDense(len(s)/g.order, g.order, s)
	}
	return c
}

type learnedCross struct {
	g     *learned
	known []int      // the row of θ of each new point; −1 for points that use the linear map
	s     *mat.Dense // similarities of the points that use the linear map, in order
}

// Gram stores K between the new points and the bound points.
func (c *learnedCross) Gram(dst *mat.Dense, theta []float64) {
	g, n := c.g, c.g.order
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			k.SetSym(i, j, theta[i*n+j]/2+theta[j*n+i]/2)
		}
	}
	var mapped *mat.Dense
	if c.s != nil {
		s, err := g.spectrum()
		if err == nil {
			var rule *Kernel
			if rule, err = s.Map(k, g.f.Rcond); err == nil {
				mapped, err = rule.Cross(c.s)
			}
		}
		if err != nil { // CheckNew has reported it
			mapped = mat.NewDense(len(c.known), n, nil)
			mapped.Apply(func(_, _ int, _ float64) float64 { return math.NaN() }, mapped)
		}
	}
	next := 0
	for i, p := range c.known {
		row := dst.RawRowView(i)
		if p >= 0 {
			for j, q := range g.at {
				row[j] = k.At(p, q)
			}
			continue
		}
		from := mapped.RawRowView(next)
		next++
		for j, q := range g.at {
			row[j] = from[q]
		}
	}
}
