// Package settest checks that a set.Set keeps its contract.
package settest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/mat"
)

// TestSet checks s on m parameters:
//
//   - Start is in Θ, and what Options say of it holds;
//   - p = Project(x) is in Θ and optimal: ⟨x−p, θ−p⟩ ≤ 0 for every θ ∈ Θ, by the support function
//     and against points of Θ; it is its own projection, non-expansive, and may overwrite x;
//   - Minimize is attained in Θ, equals ⟨g,dst⟩ with and without dst, is no more than at any point
//     of Θ, leaves g alone, and s is a minimiser iff s = Project(s−g);
//   - the same for x and g of the sizes 1e9 and 1e−9, and under a permutation of coordinates where
//     the set has none of its own;
//   - the optional interfaces that s has: Contains agrees with the projection, Residual is 0 at a
//     minimiser and positive elsewhere, Spread bounds Σ e_k|θ_k|, vvᵀ of Vertex is a minimiser, NormBall and Greatest are what
//     they say;
//   - two calls give the same bits, and s is not modified.
//
// It fails if it checked nothing.
func TestSet(t testing.TB, s set.Set, m int, o Options) {
	t.Helper()
	c := &checker{TB: t, s: s, m: m, o: o, name: fmt.Sprintf("%T%+v on %d", s, s, m), r: rand.New(rand.NewPCG(uint64(m), 7))}
	if err := s.Validate(m); err != nil {
		t.Errorf("settest: %s: %v, want a valid set", c.name, err)
		return
	}
	c.start()
	c.gather()
	for _, size := range []float64{1, 1e-9, 1e9} {
		c.project(size)
		c.minimize(size)
	}
	c.permute()
	c.optional()
	c.check(c.unchanged(), "set modified: it is now %+v", s)
	if c.count == 0 {
		t.Errorf("settest: %s: no checks", c.name)
	}
	t.Logf("settest: %s: %d checks", c.name, c.count)
}

// Options are what a test must know of a set beside its oracles. The zero value knows nothing:
// membership is then judged by the set's own projection.
type Options struct {
	// Outside returns by how much θ is outside of Θ, by the definition of the set.
	Outside func(theta []float64) float64
	// Sample returns a random point of Θ, not by the set's oracles.
	Sample func(r *rand.Rand, m int) []float64
	// Start judges a start beyond membership: that every coordinate can move, say.
	Start func(theta []float64) error
	// Permuted returns the set of the permuted coordinates.
	Permuted func(perm []int) set.Set
	// Draw makes a random vector to one that the oracles take, such as a symmetric matrix.
	Draw func(x []float64)
}

// Symmetric is a Draw for m = n² that stand for n×n matrices: it makes x symmetric.
func Symmetric(x []float64) {
	n := int(math.Round(math.Sqrt(float64(len(x)))))
	for i := range n {
		for j := range i {
			v := (x[i*n+j] + x[j*n+i]) / 2
			x[i*n+j], x[j*n+i] = v, v
		}
	}
}

type checker struct {
	testing.TB
	s      set.Set
	m      int
	o      Options
	name   string
	r      *rand.Rand
	origin []float64   // Start
	unit   float64     // length that the set's own numbers are of
	points [][]float64 // of Θ
	count  int
}

func (c *checker) check(ok bool, format string, a ...any) {
	c.Helper()
	c.count++
	if !ok {
		c.Errorf("settest: %s: "+format, append([]any{c.name}, a...)...)
	}
}

func (c *checker) unchanged() bool { return fmt.Sprintf("%T%+v on %d", c.s, c.s, c.m) == c.name }

// The tolerance of everything here: rounding of sums of m terms and of μ₀ + u, in the lengths that
// occur.
func (c *checker) tol(sizes ...float64) float64 {
	l := c.unit
	for _, v := range sizes {
		l = max(l, v)
	}
	return 1e-12 * l
}

func (c *checker) start() {
	c.origin = make([]float64, c.m)
	c.s.Start(c.origin)
	c.unit = norm(c.origin)
	c.member(c.origin, "Start")
	if c.o.Start != nil {
		err := c.o.Start(c.origin)
		c.check(err == nil, "Start: %v", err)
	}
}

// member checks that θ is in Θ.
func (c *checker) member(theta []float64, what string, sizes ...float64) {
	c.Helper()
	var bad float64
	if c.o.Outside != nil {
		bad = c.o.Outside(theta)
	} else {
		p := make([]float64, c.m)
		c.s.Project(p, theta)
		bad = dist(p, theta)
	}
	tol := 1e-12 * c.unit
	c.check(bad <= tol, "%s is outside by %g, want ≤ %g: %v", what, bad, tol, theta)
	// Inside every half-space that holds Θ; in one direction a time, or this would be all the time.
	g := c.normal(1)
	if h := set.Support(c.s, g); !math.IsInf(h, 1) {
		c.check(dot(g, theta) <= h+c.tol(norm(theta))*norm(g), "%s is beyond the support function: %g, want ≤ %g", what, dot(g, theta), h)
	}
}

// gather collects points of Θ: sampled ones, projections, vertices, and mixtures of them.
func (c *checker) gather() {
	for range 20 {
		if c.o.Sample != nil {
			p := c.o.Sample(c.r, c.m)
			c.member(p, "sampled point")
			c.points = append(c.points, p)
			q := make([]float64, c.m)
			c.s.Project(q, p)
			c.check(dist(p, q) <= c.tol(norm(p)), "Project moves a point of the set by %g", dist(p, q))
		}
		p := make([]float64, c.m)
		c.s.Project(p, c.near(10))
		c.points = append(c.points, p)
		v := make([]float64, c.m)
		if !math.IsInf(c.s.Minimize(v, c.normal(1)), 0) {
			c.points = append(c.points, v)
		}
	}
	for range 20 {
		a, b, t := c.pick(), c.pick(), c.r.Float64()
		p := make([]float64, c.m)
		for k := range p {
			p[k] = t*a[k] + (1-t)*b[k]
		}
		c.member(p, "mixture of two points of the set")
		c.points = append(c.points, p)
	}
}

func (c *checker) pick() []float64 { return c.points[c.r.IntN(len(c.points))] }

func (c *checker) normal(size float64) []float64 {
	x := make([]float64, c.m)
	for k := range x {
		x[k] = size * c.r.NormFloat64()
	}
	return c.draw(x)
}

func (c *checker) draw(x []float64) []float64 {
	if c.o.Draw != nil {
		c.o.Draw(x)
	}
	return x
}

// near returns a point about as far from Start as size·Start is long.
func (c *checker) near(size float64) []float64 {
	x := c.normal(size * c.unit / math.Sqrt(float64(c.m)))
	for k := range x {
		x[k] += c.origin[k]
	}
	return x
}

func (c *checker) project(size float64) {
	p, p2, y, d := make([]float64, c.m), make([]float64, c.m), make([]float64, c.m), make([]float64, c.m)
	for i := range 40 {
		x := c.near(size * []float64{0.1, 1, 3, 100}[i%4])
		if i%8 == 7 { // a step along one axis
			clear(x)
			x[c.r.IntN(c.m)] = size * c.unit * 3
			c.draw(x)
		}
		before := clone(x)
		c.s.Project(p, x)
		c.check(dist(x, before) == 0, "Project modifies x")
		tol := c.tol(norm(x))
		c.member(p, fmt.Sprintf("projection of %v", x))
		for k := range d {
			d[k] = x[k] - p[k]
		}
		// The normal cone: p is the projection iff max_Θ ⟨x−p,θ⟩ = ⟨x−p,p⟩.
		// The second term is the rounding of x−p for an x near its projection.
		// Of an unbounded set that is its Residual: the rounding of d alone can make max_Θ ⟨d,θ⟩ infinite.
		most := set.Support(c.s, d) - dot(d, p)
		if r, ok := c.s.(set.Residual); ok {
			for k := range y {
				y[k] = -d[k]
			}
			most = r.Residual(p, y)
		}
		c.check(most <= 10*tol*norm(d)+4e-15*(c.unit+norm(p))*(c.unit+norm(p)),
			"projection of %v: %v is not nearest, ⟨x−p,θ−p⟩ reaches %g", x, p, most)
		for range 5 {
			q := c.pick()
			for k := range y {
				y[k] = q[k] - p[k]
			}
			c.check(dot(d, y) <= tol*(norm(d)+norm(y)), "projection of %v: ⟨x−p,θ−p⟩ = %g at a point of the set, want ≤ 0", x, dot(d, y))
		}
		c.s.Project(p2, p)
		c.check(dist(p, p2) <= c.tol(norm(p)), "Project is not idempotent: %g, at %v", dist(p, p2), x)

		z := c.near(size * 3)
		c.s.Project(y, z)
		c.check(dist(p, y) <= dist(x, z)+tol+c.tol(norm(z)), "Project is expansive: %g from %g", dist(p, y), dist(x, z))

		alias := clone(x)
		c.s.Project(alias, alias)
		c.check(equal(alias, p), "Project into x itself differs by %g", dist(alias, p))
	}
}

func (c *checker) minimize(size float64) {
	s, p, y := make([]float64, c.m), make([]float64, c.m), make([]float64, c.m)
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
		c.draw(g)
		before := clone(g)
		v := c.s.Minimize(s, g)
		c.check(equal(g, before), "Minimize modifies g")
		alone := c.s.Minimize(nil, g)
		c.check(alone == v, "Minimize without dst is %g, with dst %g", alone, v)
		for k := range y {
			y[k] = -g[k]
		}
		c.check(set.Support(c.s, y) == -v, "Support(−g) is %g, want −Minimize = %g", set.Support(c.s, y), -v)
		if math.IsInf(v, -1) {
			// Unbounded: along −g the projections go down for ever.
			var fall [2]float64
			for j, far := range []float64{1e9, 2e9} {
				for k := range y {
					y[k] = c.origin[k] - far*c.unit*g[k]/norm(g)
				}
				c.s.Project(p, y)
				fall[j] = dot(g, c.origin) - dot(g, p)
			}
			c.check(fall[0] > 0 && fall[1] > 1.5*fall[0], "Minimize is −∞, but along −g the set ends: %v", g)
			continue
		}
		c.member(s, fmt.Sprintf("Minimize of %v", g))
		tol := c.tol(norm(s)) * norm(g)
		c.check(math.Abs(v-dot(g, s)) <= tol, "Minimize returns %g, ⟨g,dst⟩ is %g", v, dot(g, s))
		for _, q := range c.points {
			c.check(dot(g, q) >= v-tol-c.tol(norm(q))*norm(g), "Minimize of %v is %g, a point of the set has %g", g, v, dot(g, q))
		}
		// s minimises ⟨g,·⟩ iff s = P(s − γg) for any γ > 0.
		if n := norm(g); n > 0 {
			for _, gamma := range []float64{0.1, 1, 10} {
				for k := range y {
					y[k] = s[k] - gamma*c.unit*g[k]/n
				}
				c.s.Project(p, y)
				c.check(dot(g, s)-dot(g, p) <= 100*tol, "Minimize of %v: a projected step of %g lowers it by %g", g, gamma*c.unit, dot(g, s)-dot(g, p))
			}
		}
	}
}

// permute checks that permuted coordinates give permuted results.
func (c *checker) permute() {
	perm := c.r.Perm(c.m)
	if c.o.Permuted == nil {
		return
	}
	t := c.o.Permuted(perm)
	a, b := make([]float64, c.m), make([]float64, c.m)
	for range 10 {
		x := c.near(3)
		y := pick(x, perm)
		c.s.Project(a, x)
		t.Project(b, y)
		c.check(dist(pick(a, perm), b) <= c.tol(norm(x)), "Project of permuted coordinates differs by %g", dist(pick(a, perm), b))
		va, vb := c.s.Minimize(nil, x), t.Minimize(nil, y)
		c.check(va == vb || math.Abs(va-vb) <= c.tol()*norm(x), "Minimize of permuted coordinates is %g, want %g", vb, va)
	}
}

// optional checks the interfaces that not every set has.
func (c *checker) optional() {
	if m, ok := c.s.(set.Member); ok {
		for _, p := range c.points {
			c.check(m.Contains(p), "Contains refuses a point of the set: %v", p)
		}
		for range 40 {
			x := c.near(3)
			p := make([]float64, c.m)
			c.s.Project(p, x)
			c.check(m.Contains(p), "Contains refuses the projection %v", p)
			if d := dist(p, x); d > c.tol(norm(x)) {
				c.check(!m.Contains(x), "Contains accepts a point at distance %g: %v", d, x)
			}
		}
	}
	for range 20 {
		g, e, s := c.normal(1), make([]float64, c.m), make([]float64, c.m)
		for k := range e {
			e[k] = math.Abs(c.r.NormFloat64())
		}
		c.draw(e)
		if b, ok := c.s.(set.Spread); ok {
			for _, p := range c.points {
				total := 0.0
				for k, v := range p {
					total += e[k] * math.Abs(v)
				}
				c.check(total <= b.Spread(e)*(1+1e-12), "Spread is %g, a point has Σ e|θ| = %g", b.Spread(e), total)
			}
		}
		if r, ok := c.s.(set.Residual); ok {
			for k := range g {
				g[k] = math.Abs(g[k])
			}
			if c.draw(g); !math.IsInf(c.s.Minimize(s, g), 0) {
				c.check(r.Residual(s, g) <= c.tol(norm(s))*norm(g), "Residual is %g at a minimiser", r.Residual(s, g))
			}
			p := c.pick()
			y := make([]float64, c.m)
			for k := range y {
				y[k] = p[k] - c.unit*g[k]/norm(g)
			}
			c.s.Project(y, y)
			if dist(y, p) > 1e-6*c.unit {
				c.check(r.Residual(p, g) > 0, "Residual is 0 at %v, where a projected step moves by %g", p, dist(y, p))
			}
		}
	}
	if b, ok := c.s.(set.Ranked); ok {
		v := make([]float64, int(math.Round(math.Sqrt(float64(c.m)))))
		p := make([]float64, c.m)
		for i := range v {
			p[i*len(v)+i] = -1
		}
		top := -c.s.Minimize(nil, p)
		c.check(math.Abs(b.MaxTrace()-top) <= c.tol(top), "MaxTrace is %g, and the trace goes to %g", b.MaxTrace(), top)
		for range 20 {
			g := c.normal(1)
			least := b.Vertex(v, g)
			for i, a := range v {
				for j, b := range v {
					p[i*len(v)+j] = a * b
				}
			}
			c.member(p, "vvᵀ of Vertex")
			tol := c.tol(norm(p)) * norm(g)
			c.check(math.Abs(least-c.s.Minimize(nil, g)) <= tol && math.Abs(dot(g, p)-least) <= tol,
				"Vertex returns %g, Minimize %g, ⟨g,vvᵀ⟩ is %g", least, c.s.Minimize(nil, g), dot(g, p))
		}
	}
	if b, ok := c.s.(set.NormBall); ok {
		q, radius, center := b.NormBall()
		known := set.Ball{Q: q, Radius: radius, Center: center}
		for range 20 {
			x, p, want := c.near(3), make([]float64, c.m), make([]float64, c.m)
			c.s.Project(p, x)
			known.Project(want, x)
			c.check(dist(p, want) <= c.tol(norm(x)), "NormBall is another set: projections differ by %g", dist(p, want))
		}
	}
	if b, ok := c.s.(set.Greatest); ok {
		top := make([]float64, c.m)
		if b.Greatest(top) {
			c.member(top, "Greatest")
			for _, p := range c.points {
				for k := range p {
					c.check(p[k] <= top[k]+c.tol(), "a point of the set is greater than Greatest: %v, %v", p, top)
				}
			}
		}
	}
}

// For returns what is known of the sets of package set.
func For(s set.Set) Options {
	switch s := s.(type) {
	case set.PSD, set.Spectraplex:
		return Options{
			Outside: func(theta []float64) float64 {
				by, _ := Violation(s, theta)
				return by
			},
			Sample: func(r *rand.Rand, m int) []float64 { return sample(s, m, r) },
			Start: func(theta []float64) error {
				if v := eigenvalues(theta); !(v[0] > 0) {
					return fmt.Errorf("an eigenvalue is %g, want > 0", v[0])
				}
				return nil
			},
			Draw: Symmetric,
		}
	}
	o := Options{
		Outside: func(theta []float64) float64 {
			by, _ := Violation(s, theta)
			return by
		},
		Sample: func(r *rand.Rand, m int) []float64 { return sample(s, m, r) },
		Start: func(theta []float64) error {
			for k, v := range theta {
				if c := centre(s, k); !(v > c) {
					return fmt.Errorf("coordinate %d is %g, want > %g", k+1, v, c)
				}
			}
			return nil
		},
		Permuted: func(perm []int) set.Set { return s },
	}
	if b, ok := s.(set.Ball); ok && b.Center != nil {
		o.Permuted = func(perm []int) set.Set {
			b := b
			b.Center = pick(b.Center, perm)
			return b
		}
	}
	return o
}

// Violation returns by how much θ is outside of s, by the definition of the set and not by its
// oracles; known is false for a set that this package does not know.
func Violation(s set.Set, theta []float64) (by float64, known bool) {
	for _, v := range theta {
		if math.IsNaN(v) {
			return math.Inf(1), true
		}
		by = max(by, -v)
	}
	switch s := s.(type) {
	case set.PSD: // of a cone, in the length of θ
		by, trace := asymmetry(theta), 0.0
		for _, l := range eigenvalues(theta) {
			by, trace = max(by, -l), trace+math.Abs(l)
		}
		return by / max(1, trace), true
	case set.Spectraplex:
		by, c := asymmetry(theta), s.Trace
		if c == 0 {
			c = 1
		}
		for _, l := range eigenvalues(theta) {
			by, c = max(by, -l), c-l
		}
		return max(by, math.Abs(c)), true
	case set.Orthant:
		return by, true
	case set.Simplex:
		sum := s.Sum
		if sum == 0 {
			sum = 1
		}
		for _, v := range theta {
			sum -= v
		}
		return max(by, math.Abs(sum)), true
	case set.Ball:
		u := make([]float64, len(theta))
		for k, v := range theta {
			u[k] = math.Abs(v - centre(s, k))
		}
		return max(by, qnorm(u, s.Q)-s.Radius), true
	}
	return 0, false
}

// asymmetry is max |θ_ij − θ_ji|.
func asymmetry(theta []float64) (by float64) {
	n := int(math.Round(math.Sqrt(float64(len(theta)))))
	for i := range n {
		for j := range i {
			by = max(by, math.Abs(theta[i*n+j]-theta[j*n+i]))
		}
	}
	return by
}

// eigenvalues returns those of the matrix θ, ascending.
func eigenvalues(theta []float64) []float64 {
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(int(math.Round(math.Sqrt(float64(len(theta))))), clone(theta)), false) {
		panic("settest: no eigenvalues")
	}
	return e.Values(nil)
}

// sample returns a random point of s, not by its oracles.
func sample(s set.Set, m int, r *rand.Rand) []float64 {
	switch s.(type) {
	case set.PSD, set.Spectraplex: // AAᵀ of few columns
		n := int(math.Round(math.Sqrt(float64(m))))
		p, trace := make([]float64, m), 0.0
		for range 1 + r.IntN(n) {
			a := make([]float64, n)
			for i := range a {
				a[i] = r.NormFloat64()
				trace += a[i] * a[i]
			}
			for i, u := range a {
				for j, v := range a {
					p[i*n+j] += u * v
				}
			}
		}
		if s, ok := s.(set.Spectraplex); ok {
			c := s.Trace
			if c == 0 {
				c = 1
			}
			for k := range p {
				p[k] *= c / trace
			}
		}
		return p
	}
	p, total := make([]float64, m), 0.0
	for k := range p {
		p[k] = r.ExpFloat64() * float64(r.IntN(4)) // some are 0
		total += p[k]
	}
	switch s := s.(type) {
	case set.Orthant:
		return p
	case set.Simplex:
		if total == 0 {
			p[0], total = 1, 1
		}
		sum := s.Sum
		if sum == 0 {
			sum = 1
		}
		for k := range p {
			p[k] *= sum / total
		}
		return p
	case set.Ball:
		for k := range p {
			p[k] *= r.NormFloat64()
		}
		if n := qnorm(p, s.Q); n > 0 {
			scale := s.Radius / n * math.Sqrt(r.Float64()) * (1 - 1e-15)
			for k := range p {
				p[k] *= scale
			}
		}
		for k := range p {
			p[k] = max(0, centre(s, k)+p[k])
		}
		return p
	}
	panic("settest: an unknown set")
}

// centre returns what coordinate k starts above.
func centre(s set.Set, k int) float64 {
	if b, ok := s.(set.Ball); ok && b.Center != nil {
		return b.Center[k]
	}
	return 0
}

// qnorm returns ‖u‖_q, of u ≥ 0 or not.
func qnorm(u []float64, q float64) float64 {
	top, total := 0.0, 0.0
	for _, v := range u {
		top = max(top, math.Abs(v))
	}
	if top == 0 || math.IsInf(q, 1) {
		return top
	}
	for _, v := range u {
		total += math.Pow(math.Abs(v)/top, q)
	}
	return top * math.Pow(total, 1/q)
}

func pick(x []float64, perm []int) []float64 {
	y := make([]float64, len(x))
	for i, k := range perm {
		y[i] = x[k]
	}
	return y
}

func clone(x []float64) []float64 { return append([]float64(nil), x...) }

func equal(a, b []float64) bool {
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return len(a) == len(b)
}

func dot(a, b []float64) (s float64) {
	for k := range a {
		s += a[k] * b[k]
	}
	return s
}

func norm(x []float64) float64 { return qnorm(x, 2) }

func dist(a, b []float64) float64 {
	d := make([]float64, len(a))
	for k := range a {
		d[k] = a[k] - b[k]
	}
	return norm(d)
}
