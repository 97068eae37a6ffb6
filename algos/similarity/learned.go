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
// Its sets are set.Spectraplex, {K ⪰ 0, tr K = τ}, and set.PSD; reg.DistancePenalty keeps K near to similarities S. How
// points that are not learned on are met, the value says:
//
// Transductive, the default: K is between all N points that there are, and the family is bound to the Places of those
// with labels. K between a labelled point and another is learned with the rest and predicts the other. Slices keep
// the N² parameters, the set and the regulariser: a fold withholds labels, not similarities.
//
// Inductive: K is between the n points bound alone. A new point with the similarities s to them is met by the
// linear map k = K S⁺ s, which is a guess: S⁺ is the pseudo-inverse of S between the points bound, without the
// eigenvalues below Rcond·max|λ| in magnitude. A slice learns a K of its own points, n² parameters, and Problem.Slice
// takes the parts of the set and of the regulariser with it.
//
// New points are Places of S (Inductive; transductive, they are in K), or points.KernelRows, rows of similarities to
// all N points of S under the Name of the family, which both kinds meet by the linear map; that needs S.
type Learned struct {
	Name string // of the similarities, for people and for points.KernelRows
	N    int    // points that S, or a transductive K, is of
	// S are the similarities between the N points, row by row, as Vec returns them. Only prediction by the linear
	// map reads them; without it S may be nil.
	S         []float64
	Inductive bool
	// Rcond is what part of the largest eigenvalue, in magnitude, is kept in S⁺. If 0, it is 1e-2.
	Rcond float64
}

// Vec returns S row by row, both triangles: how θ, reg.DistancePenalty.Targets and Learned.S hold a matrix.
func Vec(s *mat.SymDense) []float64 {
	return mat.DenseCopyOf(s).RawMatrix().Data
}

// largest bounds N: θ has N² numbers.
const largest = 1 << 15

// Validate says what is wrong with f: names and sizes, and of S the first entry that is not finite or differs from
// its mirror image by more than 1e-8 of the largest.
func (f Learned) Validate() error {
	if f.N < 1 || f.N > largest {
		return fmt.Errorf("similarity: a kernel of %d points, want 1 to %d", f.N, largest)
	}
	if !(f.Rcond >= 0 && f.Rcond < 1) {
		return fmt.Errorf("similarity: rcond = %g, want 0 ≤ rcond < 1 (0 is 1e-2)", f.Rcond)
	}
	if f.S == nil {
		if f.Inductive {
			return errors.New("similarity: an inductive kernel without S, the similarities by which new points are met")
		}
		return nil
	}
	if len(f.S) != f.N*f.N {
		return fmt.Errorf("similarity: S has %d numbers, want %d rows of %[2]d", len(f.S), f.N)
	}
	top := 0.0
	for i, v := range f.S {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("similarity: row %d, column %d is %g, want a finite number", i/f.N+1, i%f.N+1, v)
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

// On binds f to Places.
func (f Learned) On(x points.Points) kernel.Grams {
	g := &learned{f: f}
	p, ok := x.(points.Indices)
	if g.bad = f.Validate(); g.bad == nil {
		switch {
		case !ok:
			g.bad = fmt.Errorf("similarity: a learned kernel takes points.Indices, the points are %T", x)
		default:
			g.bad = f.check(p)
		}
	}
	if g.bad == nil {
		g.bind(p)
	}
	return g
}

// check refuses places that S has not.
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

// learned is f on n points.
type learned struct {
	kernel.Defaults
	f   Learned
	x   points.Indices
	bad error

	order int   // of the matrix θ: N, or n
	at    []int // the row of θ of each point
	most  int   // how often a point occurs, at most
	whole bool  // the points are the rows of θ, in their order

	spectrum func() (*Spectrum, error) // of S between the points of θ, made when it is first asked for
}

var (
	_ kernel.Accurate = (*learnedGram)(nil)
)

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

// Label names the entry k of K, rows and columns from 1.
func (g *learned) Label(k int) string {
	n := max(g.order, 1)
	return fmt.Sprintf("K[%d,%d]", k/n+1, k%n+1)
}

// Shape returns the shape of K: θ is K, row by row.
func (g *learned) Shape() (rows, cols int) { return g.order, g.order }

// Degree is 1.
func (g *learned) Degree() int { return 1 }

// Threads returns g: nothing is worth threads.
func (g *learned) Threads(int) kernel.Grams { return g }

// Validate reports what On found.
func (g *learned) Validate() error { return g.bad }

// Slice is On of some of the points.
func (g *learned) Slice(rows []int) kernel.Grams {
	return g.f.On(g.x.Slice(rows))
}

// Block is Cross of the slices.
func (g *learned) Block(rows, cols []int) kernel.Cross {
	return g.Slice(cols).(*learned).Cross(g.x.Slice(rows))
}

// Freeze returns f: K between places is the same whatever points it is bound to. An inductive kernel needs all points.
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
	theta []float64     // the caller's
	k     *mat.SymDense // θ itself, or own; nil until it is asked for
	own   *mat.SymDense // made when it is first needed
	exact bool          // θ is symmetric; known once k is
}

// mirrored reports whether an n×n matrix is symmetric. It looks at blocks, of which both triangles are in the cache.
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

// At moves to θ; nothing is computed before it is asked for.
func (a *learnedGram) At(theta []float64) {
	if n := a.g.order; len(theta) != n*n {
		panic("similarity: θ has another length")
	}
	a.theta, a.k = theta, nil
}

// K is the entries of the points bound: θ itself, without a copy, where these are all rows of a symmetric θ, in their
// order.
func (a *learnedGram) K() *mat.SymDense {
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

// Release gives nothing back.
func (a *learnedGram) Release() {}

// Gradient stores w_iw_j for the entries of the points bound and 0 for the others.
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

// embed is w at the rows of θ, 0 elsewhere.
func (g *learned) embed(w []float64) []float64 {
	v := make([]float64, g.order)
	for i, p := range g.at {
		v[p] += w[i]
	}
	return v
}

// Accuracy returns 0, as K is what θ holds, and the δ to which sets of matrices tell that θ ⪰ 0.
func (a *learnedGram) Accuracy() (entries, shift, lift float64) {
	if a.K(); !a.exact {
		entries = linalg.Epsilon
	}
	n, trace := a.g.order, 0.0
	for i := range n {
		trace += a.theta[i*n+i]
	}
	return entries, float64(a.g.most*(4*n+64)) * linalg.Epsilon * max(trace, 0), 0
}

// GradientError stores the rounding of w_iw_j.
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

// Meets says why z are not points that the family can be evaluated at.
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

// place is the place in S of row i of θ.
func (g *learned) place(i int) int {
	if g.f.Inductive {
		return g.x[i]
	}
	return i
}

// Cross meets points of which Meets approves.
func (g *learned) Cross(z points.Points) kernel.Cross {
	c := &learnedCross{g: g, known: slices.Repeat([]int{-1}, z.Len())}
	var s []float64 // similarities of new points to those of θ, row by row
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
	known []int      // the row of θ of each new point; −1 of those that are mapped
	s     *mat.Dense // similarities of those, in their order
}

// Gram stores K between the new points and the points bound.
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
		if err != nil { // Meets has said so
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
