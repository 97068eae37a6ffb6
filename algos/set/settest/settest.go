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

// TestSet checks s with m parameters. If s.Traits() determines the set, membership of a point is checked by the
// definition of that set, independently of the other methods of s. Otherwise it is checked by s.Project.
//
//   - Start is in Θ. If θ ≥ 0 or θ is a matrix P ⪰ 0, all its coordinates or eigenvalues are above their lower bounds.
//   - p = Project(x) is in Θ and optimal: ⟨x−p, θ−p⟩ ≤ 0 for every θ ∈ Θ. This is checked by the support function and
//     at points of Θ. Project(p) is p, Project is non-expansive, and with dst = x it gives the same bits.
//   - Minimize stores a point dst of Θ and returns ⟨g,dst⟩, the same value without dst. The value is at most ⟨g,θ⟩ at
//     points θ of Θ. Project(dst−γg) does not have a smaller value.
//   - The same holds for x and g of the sizes 1e9 and 1e−9.
//   - Contains agrees with the projection and rejects NaN. SupportAbs bounds Σ e_k|θ_k|. The Traits are true.
//   - If s is a set.Residual, Residual is 0 at a minimizer of ⟨g,·⟩ and positive at other points.
//   - The arguments x and g are not modified.
//
// TestSet fails if it made no check. It reports the first three failures of each check.
func TestSet(t testing.TB, s set.Set, m int) {
	t.Helper()
	c := &checker{TB: t, s: s, params: m, traits: s.Traits(), definition: definitionOf(s.Traits()),
		name: fmt.Sprintf("%T%+v on %d", s, s, m), rng: rand.New(rand.NewPCG(uint64(m), 7)), failed: map[string]int{}}
	if err := s.Validate(m); err != nil {
		t.Errorf("settest: %s: %v, want a valid set", c.name, err)
		return
	}
	if c.checkStart(); !(c.unit <= math.MaxFloat64) {
		return // the other checks measure distances in units of ‖Start‖
	}
	c.collectPoints()
	for _, size := range []float64{1, 1e-9, 1e9} {
		for i := range 40 {
			c.checkProject(size, i)
			c.checkMinimize(size, i)
		}
	}
	for range 20 {
		c.checkContains()
		c.checkSupportAbs()
		c.checkResidual()
	}
	c.checkValidate()
	if c.count == 0 {
		t.Errorf("settest: %s: no checks", c.name)
	}
	t.Logf("settest: %s: %d checks", c.name, c.count)
}

// checker holds the state of one call of TestSet.
type checker struct {
	testing.TB
	s          set.Set
	params     int
	traits     set.Traits
	definition definition
	name       string
	rng        *rand.Rand
	origin     []float64   // Start
	unit       float64     // ‖Start‖, the unit of lengths in the checks
	points     [][]float64 // points of Θ
	count      int
	failed     map[string]int // number of failures of each check; the key is its format
}

// check counts one check. If ok is false, it reports an error, except after three errors with this format.
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

// tolerance returns the tolerance of a check: 1e-12 times the largest of unit and the given lengths. It allows for the
// rounding of sums of m terms and of μ₀ + u.
func (c *checker) tolerance(sizes ...float64) float64 {
	return 1e-12 * max(c.unit, slices.Max(append(sizes, 0)))
}

// checkStart checks Start and sets origin and unit.
func (c *checker) checkStart() {
	c.origin = make([]float64, c.params)
	c.s.Start(c.origin)
	c.unit = norm2(c.origin)
	if c.check(c.unit <= math.MaxFloat64, "Start is %v, want finite numbers", c.origin); !(c.unit <= math.MaxFloat64) {
		return
	}
	c.checkMember(c.origin, "Start")
	switch {
	case c.traits.Nonnegative:
		u := c.origin
		if c.traits.Ball != nil {
			u = subtractCenter(*c.traits.Ball, u)
		}
		c.check(floats.Min(u) > 0, "Start: coordinate %d is at its lower bound", floats.MinIdx(u)+1)
	case c.traits.Matrices:
		c.check(eigenvalues(c.origin)[0] > 0, "Start: an eigenvalue is %g, want > 0", eigenvalues(c.origin)[0])
	}
}

// checkMember checks that θ is in Θ by the definition or the projection, by the Traits, by Contains, and by the support
// function in one random direction. what is a format for the name of θ, and of its values.
func (c *checker) checkMember(theta []float64, what string, args ...any) {
	c.Helper()
	fail := func(ok bool, format string, more ...any) {
		c.Helper()
		c.check(ok, what+format, append(append(slices.Clone(args), more...), theta)...)
	}
	var excess float64
	if c.definition.violation != nil {
		excess = c.definition.violation(theta)
	} else {
		excess = floats.Distance(c.projection(theta), theta, 2)
	}
	fail(excess <= c.tolerance(norm2(theta)), " is outside by %g: %v", excess)
	fail(!c.traits.Nonnegative || floats.Min(theta) >= -c.tolerance(), " is negative: %v")
	fail(c.s.Contains(theta), " is refused by Contains: %v")
	// θ is in every half-space that contains Θ. Each call checks one half-space, because a check costs a Minimize.
	g := c.normalVector(1)
	if h := set.Support(c.s, g); !math.IsInf(h, 1) {
		fail(floats.Dot(g, theta) <= h+c.tolerance(norm2(theta))*norm2(g),
			" is beyond the support function: %g, want ≤ %g: %v", floats.Dot(g, theta), h)
	}
}

// collectPoints collects points of Θ in points: sampled points, projections, minimizers of linear functions, and convex
// combinations of these.
func (c *checker) collectPoints() {
	for range 20 {
		if c.definition.sample != nil {
			p := c.definition.sample(c.rng, c.params)
			c.checkMember(p, "sampled point")
			c.points = append(c.points, p)
			moved := floats.Distance(p, c.projection(p), 2)
			c.check(moved <= c.tolerance(norm2(p)), "Project moves a point of the set by %g", moved)
		}
		c.points = append(c.points, c.projection(c.nearStart(10)))
		v := make([]float64, c.params)
		if !math.IsInf(c.s.Minimize(v, c.normalVector(1)), 0) {
			c.points = append(c.points, v)
		}
	}
	for range 20 {
		p, t := slices.Clone(c.randomPoint()), c.rng.Float64()
		floats.Scale(t, p)
		floats.AddScaled(p, 1-t, c.randomPoint())
		c.checkMember(p, "mixture of two points of the set")
		c.points = append(c.points, p)
	}
}

// randomPoint returns a random one of points.
func (c *checker) randomPoint() []float64 { return c.points[c.rng.IntN(len(c.points))] }

// projection returns the projection of x.
func (c *checker) projection(x []float64) []float64 {
	p := make([]float64, c.params)
	c.s.Project(p, x)
	return p
}

// normalVector returns m normal numbers of standard deviation size, made symmetric if θ is a matrix.
func (c *checker) normalVector(size float64) []float64 {
	x := make([]float64, c.params)
	for k := range x {
		x[k] = size * c.rng.NormFloat64()
	}
	return c.makeSymmetric(x)
}

// makeSymmetric makes x symmetric if θ is a matrix, and each part of x if θ consists of matrices. It returns x.
func (c *checker) makeSymmetric(x []float64) []float64 {
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

// nearStart returns a random point whose distance from Start is about size·‖Start‖.
func (c *checker) nearStart(size float64) []float64 {
	x := c.normalVector(size * c.unit / math.Sqrt(float64(c.params)))
	floats.Add(x, c.origin)
	return x
}

// checkProject checks Project at point i, whose distance from Start is about size times 0.1 to 100 times ‖Start‖.
func (c *checker) checkProject(size float64, i int) {
	x := c.nearStart(size * []float64{0.1, 1, 3, 100}[i%4])
	if i%8 == 7 { // a vector along one coordinate axis
		clear(x)
		x[c.rng.IntN(c.params)] = size * c.unit * 3
		c.makeSymmetric(x)
	}
	before := slices.Clone(x)
	p := c.projection(x)
	c.check(slices.Equal(x, before), "Project modifies x")
	tol := c.tolerance(norm2(x))
	c.checkMember(p, "projection of %v", x)
	c.checkOptimality(x, p, tol)
	moved := floats.Distance(p, c.projection(p), 2)
	c.check(moved <= c.tolerance(norm2(p)), "Project is not idempotent: %g, at %v", moved, x)

	z := c.nearStart(size * 3)
	distance := floats.Distance(p, c.projection(z), 2)
	c.check(distance <= floats.Distance(x, z, 2)+tol+c.tolerance(norm2(z)),
		"Project is expansive: %g from %g", distance, floats.Distance(x, z, 2))

	c.s.Project(x, x)
	c.check(slices.Equal(x, p), "Project into x itself differs by %g", floats.Distance(x, p, 2))
}

// checkOptimality checks that p is the projection of x: with d = x−p, max_Θ ⟨d,θ⟩ − ⟨d,p⟩ is 0. It also checks that p
// is on the supporting hyperplane with the normal d, up to 1e-12 of the size of Θ however large x is. An error of one
// unit in the last place of x changes d by ε‖x‖, ε = 2⁻⁵². Therefore this is not checked if ‖d‖ ≤ 1e-2‖x‖.
func (c *checker) checkOptimality(x, p []float64, tol float64) {
	d, y := make([]float64, c.params), make([]float64, c.params)
	floats.SubTo(d, x, p)
	// For an unbounded set, the rounding of d can make the support function infinite. Such a set has a Residual, which
	// is then used instead. The second term of the tolerance allows for the rounding of d if x is near p.
	support := set.Support(c.s, d)
	excess := support - floats.Dot(d, p)
	if r, ok := c.s.(set.Residual); ok {
		floats.ScaleTo(y, -1, d)
		excess = r.Residual(p, y)
	}
	c.check(excess <= 10*tol*norm2(d)+4e-15*(c.unit+norm2(p))*(c.unit+norm2(p)),
		"projection of %v: %v is not nearest, ⟨x−p,θ−p⟩ reaches %g", x, p, excess)
	for range 5 {
		floats.SubTo(y, c.randomPoint(), p)
		c.check(floats.Dot(d, y) <= tol*(norm2(d)+norm2(y)),
			"projection of %v: ⟨x−p,θ−p⟩ = %g at a point of the set, want ≤ 0", x, floats.Dot(d, y))
	}
	if length := norm2(d); length > 1e-2*norm2(x) && !math.IsInf(support, 1) {
		distance := math.Abs(support-floats.Dot(d, p)) / length
		c.check(distance <= c.tolerance(norm2(p)), "projection of %v: %v is %g from the supporting hyperplane", x, p,
			distance)
	}
}

// checkMinimize checks Minimize for vector i, with entries of about the given size.
func (c *checker) checkMinimize(size float64, i int) {
	minimizer, y, g := make([]float64, c.params), make([]float64, c.params), c.normalVector(size)
	for k := range g {
		switch i % 4 {
		case 1: // all entries negative, as in ∇J
			g[k] = -math.Abs(g[k])
		case 2:
			g[k] = math.Abs(g[k])
		case 3: // a third of the entries are 0
			if c.rng.IntN(3) == 0 {
				g[k] = 0
			}
		}
	}
	c.makeSymmetric(g)
	before := slices.Clone(g)
	v := c.s.Minimize(minimizer, g)
	c.check(slices.Equal(g, before), "Minimize modifies g")
	withoutDst := c.s.Minimize(nil, g)
	c.check(withoutDst == v, "Minimize without dst is %g, with dst %g", withoutDst, v)
	if math.IsInf(v, -1) {
		// Unbounded: ⟨g,·⟩ at the projections of points far along −g must decrease in proportion to the distance.
		var decrease [2]float64
		for j, distance := range []float64{1e9, 2e9} {
			floats.AddScaledTo(y, c.origin, -distance*c.unit/norm2(g), g)
			decrease[j] = floats.Dot(g, c.origin) - floats.Dot(g, c.projection(y))
		}
		c.check(decrease[0] > 0 && decrease[1] > 1.5*decrease[0], "Minimize is −∞, but along −g the set ends: %v", g)
		return
	}
	c.checkMember(minimizer, "Minimize of %v", g)
	tol := c.tolerance(norm2(minimizer)) * norm2(g)
	c.check(math.Abs(v-floats.Dot(g, minimizer)) <= tol, "Minimize returns %g, ⟨g,dst⟩ is %g", v,
		floats.Dot(g, minimizer))
	for _, q := range c.points {
		c.check(floats.Dot(g, q) >= v-tol-c.tolerance(norm2(q))*norm2(g),
			"Minimize of %v is %g, a point of the set has %g", g, v, floats.Dot(g, q))
	}
	// A point s minimizes ⟨g,·⟩ over Θ iff s is the projection of s − γg for every γ > 0.
	for _, gamma := range []float64{0.1, 1, 10} {
		if norm2(g) == 0 {
			return
		}
		floats.AddScaledTo(y, minimizer, -gamma*c.unit/norm2(g), g)
		improvement := floats.Dot(g, minimizer) - floats.Dot(g, c.projection(y))
		c.check(improvement <= 100*tol, "Minimize of %v: a projected step of %g lowers it by %g", g, gamma*c.unit,
			improvement)
	}
}

// checkContains checks that Contains agrees with the projection and rejects NaN.
func (c *checker) checkContains() {
	x := c.nearStart(3)
	p := c.projection(x)
	if d := floats.Distance(p, x, 2); d > c.tolerance(norm2(x)) {
		c.check(!c.s.Contains(x), "Contains accepts a point at distance %g: %v", d, x)
	}
	p[c.rng.IntN(c.params)] = math.NaN()
	c.check(!c.s.Contains(p), "Contains accepts NaN: %v", p)
}

// checkValidate checks other numbers of parameters than m: Validate must reject each of them for which a method of the
// set panics, for example because it differs from the length of a vector in the set.
func (c *checker) checkValidate() {
	for _, m := range []int{c.params - 1, c.params + 1, 2 * c.params} {
		if m < 1 || c.s.Validate(m) != nil {
			continue
		}
		err := c.callMethods(m)
		c.check(err == nil, "Validate accepts %d parameters, on which an oracle fails: %v", m, err)
	}
}

// callMethods calls Start, Contains, Minimize and Project with m parameters. It returns the value of the first panic,
// or nil.
func (c *checker) callMethods(m int) (err any) {
	defer func() { err = recover() }()
	x := make([]float64, m)
	c.s.Start(x)
	c.s.Contains(x)
	c.s.Minimize(make([]float64, m), x)
	c.s.Project(x, x)
	return nil
}

// checkSupportAbs checks set.SupportAbs against points of Θ.
func (c *checker) checkSupportAbs() {
	e := c.normalVector(1)
	for k, v := range e {
		e[k] = math.Abs(v)
	}
	bound := set.SupportAbs(c.s, e)
	for _, p := range c.points {
		total := 0.0
		for k, v := range p {
			total += e[k] * math.Abs(v)
		}
		c.check(total <= bound*(1+1e-12), "SupportAbs is %g, a point has Σ e|θ| = %g", bound, total)
	}
}

// checkResidual checks Residual at a minimizer and at another point, if the set has one.
func (c *checker) checkResidual() {
	r, ok := c.s.(set.Residual)
	if !ok {
		return
	}
	minimizer, y, g := make([]float64, c.params), make([]float64, c.params), c.normalVector(1)
	for k, v := range g {
		g[k] = math.Abs(v)
	}
	if !math.IsInf(c.s.Minimize(minimizer, g), 0) {
		v := r.Residual(minimizer, g)
		c.check(v <= c.tolerance(norm2(minimizer))*norm2(g), "Residual is %g at a minimizer", v)
	}
	p := c.randomPoint()
	floats.AddScaledTo(y, p, -c.unit/norm2(g), g)
	if moved := floats.Distance(c.projection(y), p, 2); moved > 1e-6*c.unit {
		c.check(r.Residual(p, g) > 0, "Residual is 0 at %v, where a projected step moves by %g", p, moved)
	}
}
