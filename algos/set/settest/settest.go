// Package settest checks that a set.Set keeps its contract.
package settest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// TestSet checks s on m parameters. What the Traits say which set it is stands for its definition, which is not by its
// oracles; where they do not say, membership is judged by the set's own projection.
//
//   - Start is in Θ, and every coordinate, or eigenvalue, can move from there;
//   - p = Project(x) is in Θ and optimal: ⟨x−p, θ−p⟩ ≤ 0 for every θ ∈ Θ, by the support function
//     and against points of Θ; it is its own projection, non-expansive, and may overwrite x;
//   - Minimize is attained in Θ, equals ⟨g,dst⟩ with and without dst, is no more than at any point
//     of Θ, leaves g alone, and s is a minimizer iff s = Project(s−γg);
//   - the same for x and g of the sizes 1e9 and 1e−9;
//   - Contains agrees with the projection and refuses NaN, SupportAbs bounds Σ e_k|θ_k|, and Θ is what its Traits say;
//   - Residual, of a set that has it, is 0 at a minimizer and positive elsewhere;
//   - two calls give the same bits, and s is not modified.
//
// It fails if it checked nothing. Of one check it tells the first three failures and how many more there were.
func TestSet(t testing.TB, s set.Set, m int) {
	t.Helper()
	traits := s.Traits()
	c := &checker{TB: t, s: s, m: m, traits: traits, outside: definition(traits), sample: sampler(traits),
		name: fmt.Sprintf("%T%+v on %d", s, s, m), r: rand.New(rand.NewPCG(uint64(m), 7)), failed: map[string]int{}}
	if err := s.Validate(m); err != nil {
		t.Errorf("settest: %s: %v, want a valid set", c.name, err)
		return
	}
	defer c.more()
	if c.start(); !(c.unit <= math.MaxFloat64) {
		return // nothing can be measured from there
	}
	c.gather()
	for _, size := range []float64{1, 1e-9, 1e9} {
		c.project(size)
		c.minimize(size)
	}
	c.contains()
	c.lengths()
	c.bounds()
	c.facts()
	if r, ok := s.(set.Residual); ok {
		c.residual(r)
	}
	c.check(fmt.Sprintf("%T%+v on %d", c.s, c.s, c.m) == c.name, "set modified: it is now %+v", s)
	if c.count == 0 {
		t.Errorf("settest: %s: no checks", c.name)
	}
	t.Logf("settest: %s: %d checks", c.name, c.count)
}

type checker struct {
	testing.TB
	s      set.Set
	m      int
	traits set.Traits
	// outside is by how much θ is outside of Θ, and sample draws a point of Θ, by the definition of the set; nil where
	// the Traits do not say it.
	outside func(theta []float64) float64
	sample  func(r *rand.Rand, m int) []float64
	name    string
	r       *rand.Rand
	origin  []float64   // Start
	unit    float64     // length that the set's own numbers are of
	points  [][]float64 // of Θ
	count   int
	failed  map[string]int // failures of each check, by its format
}

func (c *checker) check(ok bool, format string, a ...any) {
	c.Helper()
	c.count++
	if ok {
		return
	}
	if c.failed[format]++; c.failed[format] <= 3 {
		c.Errorf("settest: %s: "+format, append([]any{c.name}, a...)...)
	}
}

// more says how many failures were not told.
func (c *checker) more() {
	c.Helper()
	left := 0
	for _, n := range c.failed {
		left += max(0, n-3)
	}
	if left > 0 {
		c.Errorf("settest: %s: %d more failures of the same checks", c.name, left)
	}
}

// tol is the tolerance of everything here: rounding of sums of m terms and of μ₀ + u, in the lengths that
// occur.
func (c *checker) tol(sizes ...float64) float64 {
	return 1e-12 * max(c.unit, slices.Max(append(sizes, 0)))
}

func (c *checker) start() {
	c.origin = make([]float64, c.m)
	c.s.Start(c.origin)
	c.unit = norm(c.origin)
	if c.check(c.unit <= math.MaxFloat64, "Start is %v, want finite numbers", c.origin); !(c.unit <= math.MaxFloat64) {
		return
	}
	c.member(c.origin, "Start")
	switch {
	case c.traits.Nonnegative:
		for k, v := range c.origin {
			least := 0.0
			if b := c.traits.Ball; b != nil && b.Center != nil {
				least = b.Center[k]
			}
			c.check(v > least, "Start: coordinate %d is %g, want > %g", k+1, v, least)
		}
	case c.traits.Matrices:
		c.check(eigenvalues(c.origin)[0] > 0, "Start: an eigenvalue is %g, want > 0", eigenvalues(c.origin)[0])
	}
}

// member checks that θ is in Θ; what is a format of the values of.
func (c *checker) member(theta []float64, what string, of ...any) {
	c.Helper()
	var bad float64
	if c.outside != nil {
		bad = c.outside(theta)
	} else {
		bad = floats.Distance(c.projected(theta), theta, 2)
	}
	tol := 1e-12 * c.unit
	c.check(bad <= tol, what+" is outside by %g, want ≤ %g: %v", append(slices.Clone(of), bad, tol, theta)...)
	c.check(c.s.Contains(theta), what+" is refused by Contains: %v", append(slices.Clone(of), theta)...)
	// Inside every half-space that holds Θ; in one direction a time, or this would be all the time.
	g := c.normal(1)
	if h := set.Support(c.s, g); !math.IsInf(h, 1) {
		c.check(floats.Dot(g, theta) <= h+c.tol(norm(theta))*norm(g),
			what+" is beyond the support function: %g, want ≤ %g", append(slices.Clone(of), floats.Dot(g, theta), h)...)
	}
}

// gather collects points of Θ: sampled ones, projections, vertices, and mixtures of them.
func (c *checker) gather() {
	for range 20 {
		if c.sample != nil {
			p := c.sample(c.r, c.m)
			c.member(p, "sampled point")
			c.points = append(c.points, p)
			moved := floats.Distance(p, c.projected(p), 2)
			c.check(moved <= c.tol(norm(p)), "Project moves a point of the set by %g", moved)
		}
		c.points = append(c.points, c.projected(c.near(10)))
		v := make([]float64, c.m)
		if !math.IsInf(c.s.Minimize(v, c.normal(1)), 0) {
			c.points = append(c.points, v)
		}
	}
	for range 20 {
		p, t := slices.Clone(c.pick()), c.r.Float64()
		floats.Scale(t, p)
		floats.AddScaled(p, 1-t, c.pick())
		c.member(p, "mixture of two points of the set")
		c.points = append(c.points, p)
	}
}

func (c *checker) pick() []float64 { return c.points[c.r.IntN(len(c.points))] }

func (c *checker) projected(x []float64) []float64 {
	p := make([]float64, c.m)
	c.s.Project(p, x)
	return p
}

func (c *checker) normal(size float64) []float64 {
	x := make([]float64, c.m)
	for k := range x {
		x[k] = size * c.r.NormFloat64()
	}
	return c.symmetric(x)
}

// symmetric makes x a vector that the oracles take: symmetric, where it stands for matrices.
func (c *checker) symmetric(x []float64) []float64 {
	switch t := c.traits; {
	case t.Matrices:
		Symmetric(x)
	case t.FactorCount > 0 && t.Factor.Traits().Matrices:
		for part := range slices.Chunk(x, len(x)/t.FactorCount) {
			Symmetric(part)
		}
	}
	return x
}

// near returns a point about as far from Start as size·Start is long.
func (c *checker) near(size float64) []float64 {
	x := c.normal(size * c.unit / math.Sqrt(float64(c.m)))
	floats.Add(x, c.origin)
	return x
}

func (c *checker) project(size float64) {
	d, y := make([]float64, c.m), make([]float64, c.m)
	for i := range 40 {
		x := c.near(size * []float64{0.1, 1, 3, 100}[i%4])
		if i%8 == 7 { // a step along one axis
			clear(x)
			x[c.r.IntN(c.m)] = size * c.unit * 3
			c.symmetric(x)
		}
		before := slices.Clone(x)
		p := c.projected(x)
		c.check(slices.Equal(x, before), "Project modifies x")
		tol := c.tol(norm(x))
		c.member(p, "projection of %v", x)
		floats.SubTo(d, x, p)
		// The normal cone: p is the projection iff max_Θ ⟨x−p,θ⟩ = ⟨x−p,p⟩.
		// The second term is the rounding of x−p for an x near its projection.
		// Of an unbounded set that is its Residual: the rounding of d alone can make max_Θ ⟨d,θ⟩ infinite.
		most := set.Support(c.s, d) - floats.Dot(d, p)
		if r, ok := c.s.(set.Residual); ok {
			floats.ScaleTo(y, -1, d)
			most = r.Residual(p, y)
		}
		c.check(most <= 10*tol*norm(d)+4e-15*(c.unit+norm(p))*(c.unit+norm(p)),
			"projection of %v: %v is not nearest, ⟨x−p,θ−p⟩ reaches %g", x, p, most)
		c.onBoundary(x, p, d)
		for range 5 {
			floats.SubTo(y, c.pick(), p)
			c.check(floats.Dot(d, y) <= tol*(norm(d)+norm(y)),
				"projection of %v: ⟨x−p,θ−p⟩ = %g at a point of the set, want ≤ 0", x, floats.Dot(d, y))
		}
		again := floats.Distance(p, c.projected(p), 2)
		c.check(again <= c.tol(norm(p)), "Project is not idempotent: %g, at %v", again, x)

		z := c.near(size * 3)
		far := floats.Distance(p, c.projected(z), 2)
		c.check(far <= floats.Distance(x, z, 2)+tol+c.tol(norm(z)),
			"Project is expansive: %g from %g", far, floats.Distance(x, z, 2))

		c.s.Project(x, x)
		c.check(slices.Equal(x, p), "Project into x itself differs by %g", floats.Distance(x, p, 2))
	}
}

// onBoundary checks that p, the projection of x, lies on the supporting hyperplane with the unit normal u = d/‖d‖,
// d = x−p ≠ 0:
//
//	|max_Θ ⟨u,θ⟩ − ⟨u,p⟩| ≤ 1e-12 of the size of Θ, however large x is.
//
// A multiplier that is known to the rounding of x only is not enough. An error of one unit in the last place of x
// changes d by ε‖x‖, which is why points at a distance below 1e-3 of their size are left out.
func (c *checker) onBoundary(x, p, d []float64) {
	if !(norm(d) > 1e-3*norm(x)) {
		return
	}
	u := make([]float64, c.m)
	floats.ScaleTo(u, 1/norm(d), d)
	if h := set.Support(c.s, u); !math.IsInf(h, 1) { // rounding of u can make it infinite if Θ is unbounded
		off := math.Abs(h - floats.Dot(u, p))
		c.check(off <= c.tol(norm(p)), "projection of %v: %v is %g from the supporting hyperplane, want ≤ %g", x, p,
			off, c.tol(norm(p)))
	}
}

func (c *checker) minimize(size float64) {
	s, y := make([]float64, c.m), make([]float64, c.m)
	for i := range 40 {
		g := c.normal(size)
		for k := range g {
			switch i % 4 {
			case 1: // the sign of ∇J
				g[k] = -math.Abs(g[k])
			case 2:
				g[k] = math.Abs(g[k])
			case 3: // a few exact zeros
				if c.r.IntN(3) == 0 {
					g[k] = 0
				}
			}
		}
		c.symmetric(g)
		before := slices.Clone(g)
		v := c.s.Minimize(s, g)
		c.check(slices.Equal(g, before), "Minimize modifies g")
		alone := c.s.Minimize(nil, g)
		c.check(alone == v, "Minimize without dst is %g, with dst %g", alone, v)
		if math.IsInf(v, -1) {
			// Unbounded: along −g the projections go down for ever.
			var fall [2]float64
			for j, far := range []float64{1e9, 2e9} {
				floats.AddScaledTo(y, c.origin, -far*c.unit/norm(g), g)
				fall[j] = floats.Dot(g, c.origin) - floats.Dot(g, c.projected(y))
			}
			c.check(fall[0] > 0 && fall[1] > 1.5*fall[0], "Minimize is −∞, but along −g the set ends: %v", g)
			continue
		}
		c.member(s, "Minimize of %v", g)
		tol := c.tol(norm(s)) * norm(g)
		c.check(math.Abs(v-floats.Dot(g, s)) <= tol, "Minimize returns %g, ⟨g,dst⟩ is %g", v, floats.Dot(g, s))
		for _, q := range c.points {
			c.check(floats.Dot(g, q) >= v-tol-c.tol(norm(q))*norm(g),
				"Minimize of %v is %g, a point of the set has %g", g, v, floats.Dot(g, q))
		}
		// s minimizes ⟨g,·⟩ iff s = P(s − γg) for any γ > 0.
		if n := norm(g); n > 0 {
			for _, gamma := range []float64{0.1, 1, 10} {
				floats.AddScaledTo(y, s, -gamma*c.unit/n, g)
				less := floats.Dot(g, s) - floats.Dot(g, c.projected(y))
				c.check(less <= 100*tol, "Minimize of %v: a projected step of %g lowers it by %g", g, gamma*c.unit,
					less)
			}
		}
	}
}

// contains checks that Contains agrees with the projection.
func (c *checker) contains() {
	for _, p := range c.points {
		c.check(c.s.Contains(p), "Contains refuses a point of the set: %v", p)
	}
	for k := range c.m {
		p := slices.Clone(c.pick())
		p[k] = math.NaN()
		c.check(!c.s.Contains(p), "Contains accepts NaN: %v", p)
	}
	for range 40 {
		x := c.near(3)
		p := c.projected(x)
		c.check(c.s.Contains(p), "Contains refuses the projection %v", p)
		if d := floats.Distance(p, x, 2); d > c.tol(norm(x)) {
			c.check(!c.s.Contains(x), "Contains accepts a point at distance %g: %v", d, x)
		}
	}
}

// lengths checks that Validate rejects every number of parameters for which the oracles fail, such as one that differs
// from the length of a vector in the set.
func (c *checker) lengths() {
	for _, m := range []int{c.m - 1, c.m + 1, 2 * c.m} {
		if m < 1 || c.s.Validate(m) != nil {
			continue
		}
		err := c.oracles(m)
		c.check(err == nil, "Validate accepts %d parameters, on which an oracle fails: %v", m, err)
	}
}

// oracles calls every oracle with m parameters and returns the panic of the first that fails.
func (c *checker) oracles(m int) (err any) {
	defer func() { err = recover() }()
	x := make([]float64, m)
	c.s.Start(x)
	c.s.Contains(x)
	c.s.Minimize(make([]float64, m), x)
	c.s.Project(x, x)
	return nil
}

// bounds checks set.SupportAbs against points of Θ.
func (c *checker) bounds() {
	for range 20 {
		e := c.normal(1)
		for k, v := range e {
			e[k] = math.Abs(v)
		}
		most := set.SupportAbs(c.s, e)
		for _, p := range c.points {
			total := 0.0
			for k, v := range p {
				total += e[k] * math.Abs(v)
			}
			c.check(total <= most*(1+1e-12), "SupportAbs is %g, a point has Σ e|θ| = %g", most, total)
		}
	}
}

// facts checks the Traits: where they say which set it is, its projections are those of that set, and of a
// spectraplex the vertices too.
func (c *checker) facts() {
	t := c.traits
	for _, p := range c.points {
		c.check(!t.Nonnegative || floats.Min(p) >= -c.tol(), "Traits say θ ≥ 0, a point of the set is %v", p)
		c.check(!t.Matrices || asymmetry(p) <= c.tol(norm(p)) && eigenvalues(p)[0] >= -c.tol(norm(p)),
			"Traits say P ⪰ 0, a point of the set is %v", p)
	}
	known := equal(t)
	if known == nil {
		return
	}
	for range 20 {
		x, want := c.near(3), make([]float64, c.m)
		known.Project(want, x)
		d := floats.Distance(c.projected(x), want, 2)
		c.check(d <= c.tol(norm(x)), "Traits are those of another set: projections differ by %g", d)
	}
	if !t.Spectraplex() {
		return
	}
	v, p := make([]float64, order(c.m)), make([]float64, c.m)
	for range 20 {
		g := c.normal(1)
		least := set.Spectraplex{Trace: t.Sum}.Vertex(v, g)
		for i, a := range v {
			floats.ScaleTo(p[i*len(v):(i+1)*len(v)], a, v)
		}
		c.member(p, "vvᵀ of Vertex")
		tol := c.tol(norm(p)) * norm(g)
		c.check(math.Abs(least-c.s.Minimize(nil, g)) <= tol && math.Abs(floats.Dot(g, p)-least) <= tol,
			"Vertex returns %g, Minimize %g, ⟨g,vvᵀ⟩ is %g", least, c.s.Minimize(nil, g), floats.Dot(g, p))
	}
}

// equal is the set of this module that Θ is by its Traits, nil if they do not say.
func equal(t set.Traits) set.Set {
	switch {
	case t.Orthant():
		return set.Orthant{}
	case t.Simplex():
		return set.Simplex{Sum: t.Sum}
	case t.Spectraplex():
		return set.Spectraplex{Trace: t.Sum}
	case t.Matrices && t.Cone:
		return set.PSD{}
	case t.Ball != nil:
		return *t.Ball
	case t.FactorCount > 0:
		if of, ok := t.Factor.(set.Mirror); ok {
			return set.Product{Factor: of, Count: t.FactorCount}
		}
	}
	return nil
}

func (c *checker) residual(r set.Residual) {
	s, y := make([]float64, c.m), make([]float64, c.m)
	for range 20 {
		g := c.normal(1)
		for k, v := range g {
			g[k] = math.Abs(v)
		}
		if !math.IsInf(c.s.Minimize(s, g), 0) {
			c.check(r.Residual(s, g) <= c.tol(norm(s))*norm(g), "Residual is %g at a minimizer", r.Residual(s, g))
		}
		p := c.pick()
		floats.AddScaledTo(y, p, -c.unit/norm(g), g)
		if moved := floats.Distance(c.projected(y), p, 2); moved > 1e-6*c.unit {
			c.check(r.Residual(p, g) > 0, "Residual is 0 at %v, where a projected step moves by %g", p, moved)
		}
	}
}
