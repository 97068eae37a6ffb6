package kernel

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Features is the family
//
//	K(θ) = (Σ_k θ_k x_kx_kᵀ)^{∘d} = (X diag(θ) Xᵀ)^{∘d}
//
// of one rank-one kernel for each feature x_k, the columns of X, n×m. The m matrices are never
// built; with S = X diag(θ) Xᵀ and G = Xᵀdiag(w)X,
//
//	d = 1:             wᵀK_kw = (x_kᵀw)²                                O(nm)
//	few monomials:     Σ_e c_eθ^e (Φ_eᵀw)², |e| = d, c_e = d!/Πe_k!      O(n·C(m+d−1,d))
//	d = 2, m ≤ n:      ∂K/∂θ_k gives 2Σ_l θ_lG_kl², Q = G∘G              O(nm²)
//	else:              diag(XᵀMX), M = (wwᵀ)∘dS^{d−1}                    O(n²m)
//
// K itself is one symmetric product, O(n²m). Sparse points are read at their nonzeros.
type Features struct {
	// Degree is d, from 1 to 4; 0 means 1.
	Degree int
	// Constant adds a last feature that is 1 for every point: the kernel 1·1ᵀ, not prepared.
	Constant bool
	// Prepare is applied to the points first.
	Prepare Prepare
}

var _ Family = Features{}

// On binds f to x, Rows or Sparse, in O(nd) for each step of Prepare.
func (f Features) On(x Points) Grams {
	g := &featureGrams{f: f, x: x, d: max(f.Degree, 1), verdict: new(verdict)}
	g.verdict.judge = g.judge
	if g.bad = f.check(x); g.bad == nil {
		g.prepare()
	}
	return g
}

func (f Features) check(x Points) error {
	if err := checkDegree(f.Degree); err != nil {
		return err
	}
	if err := f.Prepare.Check(); err != nil {
		return err
	}
	if x == nil {
		return errors.New("kernel: no points (nil)")
	}
	if _, err := vectorsOf(x, nil); err != nil {
		return err
	}
	return x.Validate()
}

// featureGrams is Features on fixed points.
type featureGrams struct {
	f        Features
	x        Points
	d        int
	bad      error
	verdict  *verdict
	prepared *Prepared
	v        vectors // X, with the constant feature
	c        columnwise

	once sync.Once
	mono *monomials // of all features, where they are few; made when first asked for
	phi  []float64  // their values, n×r

	spare sync.Pool // of Grams that were released
}

var (
	_ Graded    = (*featureGrams)(nil)
	_ Validated = (*featureGrams)(nil)
	_ Crossed   = (*featureGrams)(nil)
	_ Sliced    = (*featureGrams)(nil)
)

func (g *featureGrams) prepare() {
	v, err := vectorsOf(g.x, nil)
	if err != nil {
		panic(err)
	}
	g.prepared, v = g.f.Prepare.fit(v)
	g.v = g.f.extend(v)
	if !g.v.isDense() {
		g.c = byColumns(g.v.z)
	}
}

// extend adds the constant feature.
func (f Features) extend(x vectors) vectors {
	if !f.Constant {
		return x
	}
	s := vectors{n: x.n, d: x.d + 1, z: x.z, r: x.r}
	if x.isDense() {
		s.dense = make([]float64, 0, s.n*s.d)
		for i := range x.n {
			s.dense = append(append(s.dense, x.dense[i*x.d:(i+1)*x.d]...), 1)
		}
		return s
	}
	s.z.D++
	s.u = x.u
	s.v = append(append([]float64{}, x.v...), make([]float64, x.r)...)
	u, v := make([]float64, s.n), make([]float64, s.d)
	ones(u)
	v[x.d] = 1
	s.lift(u, v)
	return s
}

func (g *featureGrams) judge() error {
	if g.bad != nil {
		return g.bad
	}
	for i, v := range g.v.norms() {
		if v = integerPower(v, g.d); math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("kernel: (‖x‖²)^%d of point %d is %g: the features are too large", g.d, i+1, v)
		}
	}
	return nil
}

// Dims returns the number of features, the constant one included, and of points.
func (g *featureGrams) Dims() (m, n int) {
	if g.bad == nil {
		return g.v.d, g.v.n
	}
	switch x := g.x.(type) {
	case Rows:
		m, n = x.D, x.N
	case Sparse:
		m, n = x.D, x.Len()
	}
	if g.f.Constant {
		m++
	}
	return m, n
}

// Label is the feature's name, "constant" for the constant one.
func (g *featureGrams) Label(k int) string {
	if m, _ := g.Dims(); g.f.Constant && k == m-1 {
		return "constant"
	}
	switch x := g.x.(type) {
	case Rows:
		return x.Name(k)
	case Sparse:
		return x.Name(k)
	}
	return name(nil, k)
}

// Degree returns d.
func (g *featureGrams) Degree() int { return g.d }

// Validate judges points and parameters, once for it and its slices.
func (g *featureGrams) Validate() error { return g.verdict.say() }

// Slice equals On(x[rows]), O(nm).
func (g *featureGrams) Slice(rows []int) Grams { return g.slice(rows) }

func (g *featureGrams) slice(rows []int) *featureGrams {
	s := &featureGrams{f: g.f, d: g.d, bad: g.bad, verdict: g.verdict}
	if g.bad != nil {
		return s
	}
	if len(rows) == 0 {
		panic(noRows)
	}
	s.x = g.x.Slice(rows)
	s.prepare()
	return s
}

// Cross prepares z by the fit of the fixed points.
func (g *featureGrams) Cross(z Points) Cross {
	if g.bad != nil {
		panic(g.bad)
	}
	v, err := vectorsOf(z, nil)
	if err != nil {
		panic(err)
	}
	v = g.f.extend(g.prepared.apply(v))
	if v.d != g.v.d {
		m := 0
		if g.f.Constant {
			m = 1
		}
		panic(fmt.Sprintf("kernel: new points of %d features, the fixed ones have %d", v.d-m, g.v.d-m))
	}
	return &featureCross{g: g, z: v}
}

// Block is K between x[rows] and x[cols], prepared by a fit to cols.
func (g *featureGrams) Block(rows, cols []int) Cross {
	if g.bad != nil {
		panic(g.bad)
	}
	return g.slice(cols).Cross(g.x.Slice(rows))
}

// featureCross is Features between new points and the fixed ones.
type featureCross struct {
	g *featureGrams
	z vectors
}

// Gram stores (Z diag(θ) Xᵀ)^{∘d} in dst, l×n, in O(lnm).
func (c *featureCross) Gram(dst *mat.Dense, theta []float64) {
	m, n := c.g.Dims()
	if r, s := dst.Dims(); r != c.z.n || s != n {
		panic(fmt.Sprintf("kernel: destination of a cross Gram is %d×%d, want %d×%d", r, s, c.z.n, n))
	}
	if len(theta) != m {
		panic(badTheta)
	}
	r := dst.RawMatrix()
	inner(r.Data, r.Stride, &c.z, &c.g.v, theta)
	for i := range c.z.n {
		row := r.Data[i*r.Stride : i*r.Stride+n]
		power(row, row, c.g.d)
	}
}

// monomials are the C(m+d−1, d) products of d out of m features, with repetition.
type monomials struct {
	m, d  int
	index []int     // d for each monomial, ascending
	coef  []float64 // d!/Πe_k!
}

// countMonomials is C(m+d−1, d), or limit+1 where that is more than limit.
func countMonomials(m, d, limit int) int {
	c := 1
	for i := range d {
		c = c * (m + i) / (i + 1) // an integer at each step
		if c > limit {
			return limit + 1
		}
	}
	return c
}

func newMonomials(m, d int) *monomials {
	p := &monomials{m: m, d: d}
	e := make([]int, d)
	var next func(t, from int)
	next = func(t, from int) {
		if t == d {
			p.index = append(p.index, e...)
			p.coef = append(p.coef, multinomial(e))
			return
		}
		for k := from; k < m; k++ {
			e[t] = k
			next(t+1, k)
		}
	}
	next(0, 0)
	return p
}

// multinomial is d!/Πe_k! of ascending indices.
func multinomial(e []int) float64 {
	c, run := 1.0, 0
	for t, k := range e {
		if t > 0 && k == e[t-1] {
			run++
		} else {
			run = 1
		}
		c *= float64(t+1) / float64(run)
	}
	return math.Round(c)
}

func (p *monomials) len() int            { return len(p.coef) }
func (p *monomials) factors(e int) []int { return p.index[e*p.d : (e+1)*p.d] }

// of stores the monomials of one point.
func (p *monomials) of(dst, x []float64) {
	for e := range dst {
		v := 1.0
		for _, k := range p.factors(e) {
			v *= x[k]
		}
		dst[e] = v
	}
}

// table is the monomials of every point, n×r; nil where they are more than n/2 or d is 1.
func (g *featureGrams) table() (*monomials, []float64) {
	m, n := g.Dims()
	if g.d == 1 || countMonomials(m, g.d, n/2) > n/2 {
		return nil, nil
	}
	g.once.Do(func() {
		g.mono = newMonomials(m, g.d)
		g.phi = make([]float64, n*g.mono.len())
		buf := make([]float64, m)
		for i := range n {
			g.mono.of(g.phi[i*g.mono.len():(i+1)*g.mono.len()], g.v.row(buf, i))
		}
	})
	return g.mono, g.phi
}
