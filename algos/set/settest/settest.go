// Package settest is the conformance suite of set.Set: it tests that a set Θ of your own keeps its contract, for
// example that Project returns the nearest point and Minimize a minimizer. A test is one line:
//
//	func TestBox(t *testing.T) { settest.TestSet(t, Box{Upper: 1}, 5) } // with 5 parameters
package settest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// TestSet checks s with m parameters:
//
//   - Start is in Θ. If θ ≥ 0 or θ is a matrix P ⪰ 0, all its coordinates or eigenvalues are above their lower bounds.
//   - p = Project(x) is in Θ and optimal: ⟨x−p, θ−p⟩ ≤ 0 for every θ ∈ Θ. This is checked by the support function and
//     at points of Θ. Project(p) is p, Project is non-expansive, and with dst = x it gives the same bits.
//   - Minimize stores a point dst of Θ and returns ⟨g,dst⟩, the same value without dst. The value is at most ⟨g,θ⟩ at
//     points θ of Θ. Project(dst−γg) does not have a smaller value.
//   - The same holds for x and g of the sizes 1e9 and 1e−9.
//   - Contains agrees with the projection, also where a line leaves Θ, and rejects NaN. SupportAbs bounds
//     Σ e_k|θ_k|. The Traits are true: if they determine the set, it has the projection of the set of package set with
//     these Traits.
//   - If s is a set.Residual, Residual is 0 at a minimizer of ⟨g,·⟩ and positive at other points.
//   - The arguments x and g are not modified.
//
// TestSet fails if it made no check. It reports the first three failures of each check.
func TestSet(t testing.TB, s set.Set, m int) {
	t.Helper()
	c := &checker{TB: t, s: s, paramCount: m, traits: s.Traits(), rng: rand.New(rand.NewPCG(uint64(m), 7)),
		description: fmt.Sprintf("%T %+v with %d parameters", s, s, m), failureCounts: map[string]int{}}
	if err := s.Validate(m); err != nil {
		t.Errorf("settest: %s: Validate returns the error %v, want a valid set", c.description, err)
		return
	}
	if err := checkTraits(c.traits, m); err != nil {
		t.Errorf("settest: %s: the Traits cannot be true: %v", c.description, err)
		return
	}
	if c.checkStart(); !(c.lengthUnit <= math.MaxFloat64) {
		return // the other checks need ‖Start‖ as the unit of distances
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
	for _, m := range []int{c.paramCount + 1, 2 * c.paramCount} {
		if s.Validate(m) == nil {
			err := c.callAllMethods(m)
			c.check(err == nil, "Validate accepts %d parameters, but a method panics with them: %v", m, err)
		}
	}
	if c.checkCount == 0 {
		t.Errorf("settest: %s: no check ran; the suite needs at least one", c.description)
	}
	t.Logf("settest: %s: %d checks", c.description, c.checkCount)
}

// checker holds the state of one call of TestSet.
type checker struct {
	testing.TB
	s             set.Set
	paramCount    int
	traits        set.Traits
	description   string
	rng           *rand.Rand
	start         []float64   // the point that s.Start stores
	lengthUnit    float64     // norm of start, the unit of lengths in the checks
	points        [][]float64 // points of Θ
	checkCount    int
	failureCounts map[string]int // number of failures of each check, by the format of its message
}

// check counts one check. If ok is false, it reports an error, except after three errors with this format.
func (c *checker) check(ok bool, format string, a ...any) {
	c.Helper()
	c.checkCount++
	if ok {
		return
	}
	if c.failureCounts[format]++; c.failureCounts[format] <= 3 {
		c.Errorf("settest: %s: "+format, append([]any{c.description}, a...)...)
	}
}

// tolerance returns the tolerance for vectors: 1e-12 times the largest of lengthUnit and their 2-norms. It allows for
// the rounding of sums of m terms, and of sums with a center, as in a ball.
func (c *checker) tolerance(vectors ...[]float64) float64 {
	maxNorm := c.lengthUnit
	for _, x := range vectors {
		maxNorm = max(maxNorm, floats.Norm(x, 2))
	}
	return 1e-12 * maxNorm
}

// checkStart checks the point that s.Start stores. It keeps this point in start, and its norm in lengthUnit.
func (c *checker) checkStart() {
	c.start = make([]float64, c.paramCount)
	c.s.Start(c.start)
	c.lengthUnit = floats.Norm(c.start, 2)
	isFinite := c.lengthUnit <= math.MaxFloat64
	if c.check(isFinite, "Start stores %v, want finite numbers", c.start); !isFinite {
		return
	}
	c.checkMember(c.start, "the start")
	switch {
	case c.traits.Nonnegative:
		u := slices.Clone(c.start)
		if b := c.traits.Ball; b != nil && b.Center != nil {
			floats.Sub(u, b.Center)
		}
		c.check(floats.Min(u) > 0, "coordinate %d of Start is at its lower bound, want above", floats.MinIdx(u)+1)
	case c.traits.Semidefinite:
		c.check(minEigenvalue(c.start) > 0, "the smallest eigenvalue of Start is %g, want > 0",
			minEigenvalue(c.start))
	}
}

// checkMember checks that θ is in Θ by the projection, by the Traits, by Contains, and by the support function in one
// random direction. sourceFormat and args tell where θ comes from, for the messages.
func (c *checker) checkMember(theta []float64, sourceFormat string, args ...any) {
	c.Helper()
	checkCondition := func(ok bool, format string, values ...any) {
		c.Helper()
		c.check(ok, format+": θ = %v is "+sourceFormat, append(append(values, theta), args...)...)
	}
	tol := c.tolerance(theta)
	distance := floats.Distance(c.projection(theta), theta, 2)
	checkCondition(distance <= tol, "θ is outside the set, at distance %g from its projection", distance)
	if s := setFromTraits(c.traits); s != nil {
		distance = floats.Distance(projection(s, theta), theta, 2)
		checkCondition(distance <= tol, "θ is outside the set that the Traits describe, by %g", distance)
	}
	// The formulas of simplex and ball, independent of the projections of package set.
	if c.traits.IsSimplex() {
		checkCondition(math.Abs(floats.Sum(theta)-c.traits.Sum) <= tol*math.Sqrt(float64(len(theta))),
			"the sum of θ is not the Sum of the Traits")
	}
	if b := c.traits.Ball; b != nil {
		w := slices.Clone(theta)
		if b.Center != nil {
			floats.Sub(w, b.Center)
		}
		floats.Scale(1/b.Radius, w) // powers of large numbers overflow
		checkCondition(floats.Norm(w, b.Q) <= 1+1e-9+tol/b.Radius*float64(len(theta)),
			"θ is outside the ball of the Traits")
	}
	checkCondition(!c.traits.Nonnegative || floats.Min(theta) >= -tol, "θ is negative")
	checkCondition(!c.traits.Semidefinite || minEigenvalue(theta) >= -tol, "θ has a negative eigenvalue")
	checkCondition(c.s.Contains(theta), "Contains rejects θ")
	// θ is in every half-space that contains Θ. Each call checks one half-space, because each takes a call of Minimize.
	g := c.gaussianVector(1)
	if h := set.Support(c.s, g); !math.IsInf(h, 1) {
		checkCondition(floats.Dot(g, theta) <= h+tol*floats.Norm(g, 2), "⟨g,θ⟩ = %g exceeds the support function %g",
			floats.Dot(g, theta), h)
	}
}

// checkTraits returns an error if no set of m parameters has the Traits.
func checkTraits(t set.Traits, m int) error {
	n := int(math.Round(math.Sqrt(float64(m))))
	switch {
	case t.Semidefinite && n*n != m:
		return fmt.Errorf("Semidefinite is true, but %d is not a square number", m)
	case (t.IsCone || t.Sum != 0) && !t.Nonnegative && !t.Semidefinite:
		return errors.New("IsCone and Sum need Nonnegative or Semidefinite")
	case !(t.Sum >= 0) || math.IsInf(t.Sum, 1):
		return fmt.Errorf("Sum is %g", t.Sum)
	case t.Ball != nil && t.Ball.Validate(m) != nil:
		return fmt.Errorf("Ball: %w", t.Ball.Validate(m))
	case t.FactorCount < 0 || t.FactorCount > 0 && (t.Factor == nil || m%t.FactorCount != 0):
		return fmt.Errorf("FactorCount is %d and Factor is %v, but there are %d parameters", t.FactorCount, t.Factor, m)
	case t.FactorCount > 0:
		n := m / t.FactorCount
		if err := errors.Join(t.Factor.Validate(n), checkTraits(t.Factor.Traits(), n)); err != nil {
			return fmt.Errorf("Factor: %w", err)
		}
	}
	return nil
}

// setFromTraits returns the set of package set that the Traits determine, or nil.
func setFromTraits(t set.Traits) set.Set {
	switch {
	case t.IsOrthant():
		return set.Orthant{}
	case t.IsSimplex():
		return set.Simplex{Sum: t.Sum}
	case t.Semidefinite && t.IsCone:
		return set.PSD{}
	case t.IsSpectraplex():
		return set.Spectraplex{Trace: t.Sum}
	case t.Ball != nil:
		return *t.Ball
	}
	return nil
}

// checkProject checks Project at a random point. distanceIndex selects the distance of this point from the start point
// of the set: about 0.1, 1, 3 or 100 times size·(norm of the start point).
func (c *checker) checkProject(size float64, distanceIndex int) {
	x := c.randomNearStart(size * []float64{0.1, 1, 3, 100}[distanceIndex%4])
	if distanceIndex%8 == 7 { // a vector along one coordinate axis
		clear(x)
		x[c.rng.IntN(c.paramCount)] = size * c.lengthUnit * 3
		c.makeSymmetric(x)
	}
	xBefore := slices.Clone(x)
	p := c.projection(x)
	c.check(slices.Equal(x, xBefore), "Project modifies x")
	c.checkMember(p, "the projection of %v", x)
	c.checkOptimality(x, p)

	z := c.randomNearStart(size * 3)
	distance := floats.Distance(p, c.projection(z), 2)
	c.check(distance <= floats.Distance(x, z, 2)+c.tolerance(x, z),
		"Project is expansive: distance %g of the projections of points at distance %g", distance, floats.Distance(x, z,
			2))

	c.s.Project(x, x)
	c.check(slices.Equal(x, p), "Project with dst = x changes the result by %g", floats.Distance(x, p, 2))
}

// checkOptimality checks that p = projected is the projection of x: with d = x−p, ⟨d,θ−p⟩ ≤ 0 for every θ ∈ Θ. The
// tolerance is the change of ⟨d,θ−p⟩ if d_k changes by the rounding of x_k and p_k, and p by c.tolerance(p).
func (c *checker) checkOptimality(x, projected []float64) {
	d, e := make([]float64, c.paramCount), make([]float64, c.paramCount)
	floats.SubTo(d, x, projected)
	for k := range e {
		e[k] = 1e3 * linalg.Epsilon * (math.Abs(x[k]) + math.Abs(projected[k]))
	}
	if c.traits.Semidefinite || c.traits.FactorCount > 0 { // an eigendecomposition rounds all entries like the largest
		for k, maxRoundingError := 0, floats.Max(e); k < len(e); k++ {
			e[k] = maxRoundingError
		}
	}
	tol := func(theta []float64) float64 {
		tolSum := c.tolerance(projected) * floats.Norm(d, 2)
		for k, v := range theta {
			tolSum += e[k] * (math.Abs(v) + math.Abs(projected[k]))
		}
		return tolSum
	}
	if support := set.Support(c.s, d); !math.IsInf(support, 1) {
		excess := support - floats.Dot(d, projected)
		c.check(excess <= set.SupportAbs(c.s, e)+tol(projected),
			"Project(x) is not the nearest point: x = %v, p = %v, max ⟨x−p,θ−p⟩ = %g, want 0", x, projected, excess)
	}
	for range 5 {
		theta := c.randomPoint()
		dot := floats.Dot(d, theta) - floats.Dot(d, projected)
		c.check(dot <= tol(theta), "Project(x) is not the nearest point: x = %v, p = %v, ⟨x−p,θ−p⟩ = %g at θ = %v", x,
			projected, dot, theta)
	}
}

// checkMinimize checks Minimize for a random g with entries of about the given size. signIndex selects their signs.
func (c *checker) checkMinimize(size float64, signIndex int) {
	minimizer, y, g := make([]float64, c.paramCount), make([]float64, c.paramCount), c.gaussianVector(size)
	for k := range g {
		switch signIndex % 4 {
		case 1: // all entries negative, as in the gradient of an objective in θ
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
	gBefore, normG := slices.Clone(g), floats.Norm(g, 2)
	v := c.s.Minimize(minimizer, g)
	c.check(slices.Equal(g, gBefore), "Minimize modifies g")
	minimumWithoutDst := c.s.Minimize(nil, g)
	c.check(minimumWithoutDst == v, "Minimize returns %g without dst, but %g with dst", minimumWithoutDst, v)
	if math.IsInf(v, -1) {
		// Unbounded: ⟨g,·⟩ at the projections of points far along −g must decrease in proportion to the distance.
		var decrease [2]float64
		for j, distance := range []float64{1e9, 2e9} {
			floats.AddScaledTo(y, c.start, -distance*c.lengthUnit/normG, g)
			decrease[j] = floats.Dot(g, c.start) - floats.Dot(g, c.projection(y))
		}
		c.check(decrease[0] > 0 && decrease[1] > 1.5*decrease[0],
			"Minimize returns −∞, but the set is bounded along −g: g = %v", g)
		return
	}
	c.checkMember(minimizer, "the minimizer of ⟨g,·⟩ for g = %v", g)
	tol := c.tolerance(minimizer) * normG
	c.check(math.Abs(v-floats.Dot(g, minimizer)) <= tol, "Minimize returns %g, but ⟨g,dst⟩ = %g", v,
		floats.Dot(g, minimizer))
	if normG > 0 { // a step along −g from the minimizer, projected onto the set, ends at the minimizer
		floats.AddScaledTo(y, minimizer, -c.lengthUnit/normG, g)
		copy(y, c.projection(y))
	} else {
		copy(y, minimizer)
	}
	for _, q := range append(slices.Clip(c.points), y) {
		c.check(floats.Dot(g, q) >= v-100*tol-c.tolerance(q)*normG,
			"Minimize for g = %v returns %g, but ⟨g,θ⟩ = %g at a point θ of the set", g, v, floats.Dot(g, q))
	}
}

// checkContains checks that Contains agrees with the projection and rejects NaN.
func (c *checker) checkContains() {
	x := c.randomNearStart(3)
	p := c.projection(x)
	if d := floats.Distance(p, x, 2); d > c.tolerance(x) {
		c.check(!c.s.Contains(x), "Contains accepts a point at distance %g from the set: %v", d, x)
	}
	c.checkExit()
	p[c.rng.IntN(c.paramCount)] = math.NaN()
	c.check(!c.s.Contains(p), "Contains accepts NaN: %v", p)
}

// checkExit follows a line from a mean of points of Θ until it leaves Θ, and checks that Contains rejects a point just
// outside. There, θ violates only one constraint of Θ in general. The direction is a difference of two points of Θ, so
// that the line leaves Θ late even if Θ lies in a hyperplane.
func (c *checker) checkExit() {
	inside, direction := make([]float64, c.paramCount), make([]float64, c.paramCount)
	for range 8 {
		floats.AddScaled(inside, 1./8, c.randomPoint())
	}
	floats.SubTo(direction, c.randomPoint(), c.randomPoint())
	theta := make([]float64, c.paramCount)
	distanceAt := func(t float64) float64 { // the distance of inside + t·direction from Θ
		floats.AddScaledTo(theta, inside, t, direction)
		return floats.Distance(c.projection(theta), theta, 2)
	}
	minDistance := 1e-6 * math.Max(c.lengthUnit, floats.Norm(inside, 2))
	lo, hi := 0.0, 1e-3
	for ; !(distanceAt(hi) > minDistance); hi *= 2 {
		if hi > 1e6 { // Θ is unbounded in this direction
			return
		}
	}
	for range 30 {
		if mid := lo + (hi-lo)/2; distanceAt(mid) > minDistance {
			hi = mid
		} else {
			lo = mid
		}
	}
	d := distanceAt(hi)
	c.check(!c.s.Contains(theta), "Contains accepts a point at distance %g from the set, where a line leaves it: %v", d,
		theta)
}

// callAllMethods calls Start, Contains, Minimize and Project with m parameters. It returns the value of the first
// panic, or nil.
func (c *checker) callAllMethods(m int) (panicValue any) {
	defer func() { panicValue = recover() }()
	x := make([]float64, m)
	c.s.Start(x)
	c.s.Contains(x)
	c.s.Minimize(make([]float64, m), x)
	c.s.Project(x, x)
	return nil
}

// checkSupportAbs checks that set.SupportAbs is an upper bound of Σ_k e_k|θ_k| at points θ of Θ, for random e ≥ 0.
func (c *checker) checkSupportAbs() {
	e := c.gaussianVector(1)
	for k, v := range e {
		e[k] = math.Abs(v)
	}
	statedBound := set.SupportAbs(c.s, e)
	for _, p := range c.points {
		weightedSum := 0.0
		for k, v := range p {
			weightedSum += e[k] * math.Abs(v)
		}
		c.check(weightedSum <= statedBound*(1+1e-12), "SupportAbs returns %g, but Σ e|θ| = %g at a point θ of the set",
			statedBound, weightedSum)
	}
}

// checkResidual checks the optimality residual at a minimizer and at another point, if the set is a set.Residual.
func (c *checker) checkResidual() {
	r, ok := c.s.(set.Residual)
	if !ok {
		return
	}
	minimizer, y, g := make([]float64, c.paramCount), make([]float64, c.paramCount), c.gaussianVector(1)
	for k, v := range g {
		g[k] = math.Abs(v)
	}
	if !math.IsInf(c.s.Minimize(minimizer, g), 0) {
		v := r.Residual(minimizer, g)
		c.check(v <= c.tolerance(minimizer)*floats.Norm(g, 2), "Residual is %g at a minimizer, want 0", v)
	}
	p := c.randomPoint()
	floats.AddScaledTo(y, p, -c.lengthUnit/floats.Norm(g, 2), g)
	if moveLength := floats.Distance(c.projection(y), p, 2); moveLength > 1e-6*c.lengthUnit {
		c.check(r.Residual(p, g) > 0, "Residual is 0 at θ = %v, but a projected step from θ has length %g", p,
			moveLength)
	}
}
