package mkl_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/floats"
)

var (
	auditSeed  = flag.Int("audit", -1, "the one draw of the audit to look at")
	auditFirst = flag.Int("audit.first", 0, "the first draw of the audit")
)

// draws is how many problems the audit draws: 2,000 with MKL_SIZE=full.
func draws() int {
	switch {
	case testenv.RunsAllTests():
		return 2000
	case testing.Short():
		return 40
	}
	return 150
}

// claim is what the library says of a problem and of one θ.
type claim struct {
	by           string
	theta        []float64
	upper, lower float64
}

// tally counts what the draws of each class show.
type tally map[string]*[3]int

func (t tally) add(name string, class int) {
	if t[name] == nil {
		t[name] = new([3]int)
	}
	t[name][class]++
}

func (t tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-44s %10s %10s %10s\n", "ε‖K‖/λ", "< 1e-9", "< 1e-3", "above")
	for _, n := range slices.Sorted(maps.Keys(t)) {
		fmt.Fprintf(&b, "%-44s %10d %10d %10d\n", n, t[n][0], t[n][1], t[n][2])
	}
	return b.String()
}

// TestAudit draws problems of every kind and size and evaluates in high precision, for the stored
// numbers, what certificates claim: F(θ) ≤ Upper and Lower ≤ F(θ') for every θ' of Θ that is found;
// where exact arithmetic has a dual bound D ≤ min F of its own, Lower ≤ D proves the claim. Contradictions
// may not be reported, since there are none. Of the well-conditioned draws, ε‖K‖/λ < 1e-9, SPG certifies as many at the
// gap 1e-6 as before bounds carried their rounding, at commit ed0fb93.
func TestAudit(t *testing.T) {
	out := tally{}
	first, last := *auditFirst, *auditFirst+draws()
	if *auditSeed >= 0 {
		first, last = *auditSeed, *auditSeed+1
	}
	certified := 0
	for seed := first; seed < last; seed++ {
		audit(t, newDraw(seed), out)
		if d := newDraw(seed); d.class() == 0 && d.p.Validate() == nil {
			if r, err := mkl.Solve(ctx, d.p, mkl.SPG{}, nil); err == nil && r.Status == mkl.Certified {
				certified++
			}
		}
	}
	t.Logf("%d problems, %d certified by SPG at 1e-6\n%v", last-first, certified, out)
	if before := map[int]int{40: 13, 150: 52, 2000: 731}[last-first]; first == 0 && certified < before {
		t.Errorf("SPG certified %d, want %d or more", certified, before)
	}
}

func audit(t *testing.T, d *draw, out tally) {
	class := d.class()
	said := d.accurate()
	bad := func(what, format string, args ...any) {
		t.Helper()
		report := t.Errorf
		if !said && (what == "lower" || what == "upper") {
			what += ", of a family or an r whose rounding is estimated"
			report = t.Logf
		}
		out.add("FALSE: "+what, class)
		report("%s: %s\n  %v\n  go test ./algos/mkl -run TestAudit -audit %d", what, fmt.Sprintf(format, args...), d,
			d.seed)
	}
	if err := d.p.Validate(); err != nil {
		out.add("refused", class)
		if class == 0 {
			t.Logf("draw %d refused: %v", d.seed, err)
		}
		return
	}
	e := newExact(d)
	var claims []claim
	hear := func(by string, theta []float64, c mkl.Certificate) {
		if math.IsNaN(c.Upper) || math.IsNaN(c.Lower) || math.IsInf(c.Lower, 1) || math.IsInf(c.Upper, -1) {
			bad("not a number", "%s: %+v", by, c)
			return
		}
		if c.Lower > c.Upper {
			bad("crossed bounds", "%s: lower %.17g above upper %.17g", by, c.Lower, c.Upper)
		}
		claims = append(claims, claim{by, slices.Clone(theta), c.Upper, c.Lower})
	}

	r, err := mkl.Solve(ctx, d.p, d.solver, &mkl.Settings{Gap: d.gap, Iterations: 300})
	switch {
	case errors.Is(err, mkl.ErrContradiction):
		bad("contradiction", "%v", err)
	case err != nil:
		out.add("error", class)
		if p, plain := d.solver.(mkl.PGD); class == 0 && !(plain &&
			p.Rule != mkl.Armijo) { // whose steps may lead anywhere
			t.Errorf("a well-conditioned problem is an error: %v\n  %v", err, d)
		}
	default:
		kind := r.Kind.String()
		out.add(fmt.Sprintf("status: %v, %s", r.Status, kind), class)
		hear("run", r.Theta, r.Certificate)
		if x := e.outside(r.Theta); !r.Infeasible && x > 1e-12 {
			bad("membership", "θ = %v is %g outside Θ", r.Theta, x)
		}
		if r.Status == mkl.Certified && !(r.Gap() <= d.gap*math.Abs(r.Upper)) {
			bad("status", "certified with a gap of %g", r.RelativeGap())
		}
	}
	if d.rng.IntN(4) == 0 {
		var rule mkl.Rule = mkl.Uniform{}
		if d.rng.IntN(2) == 0 {
			theta, g := make([]float64, e.m), make([]float64, e.m)
			g[d.seed%e.m] = -1
			if math.IsInf(d.p.Set.Minimize(theta, g), -1) {
				theta[d.seed%e.m] = 1
			}
			rule = given{theta}
		}
		if r, err := mkl.EvaluateRule(t.Context(), d.p, rule, 0); err == nil {
			hear(rule.String(), r.Theta, r.Certificate)
		} else {
			out.add("error of a rule", class)
		}
	}
	for range 2 {
		d.judged(out, e, hear, bad)
	}
	d.swept(hear)
	checkClaims(d, e, claims, out, bad)
}

// swept certifies an inexact w at the start of Θ by passes, where K(θ) is not formed.
func (d *draw) swept(hear func(string, []float64, mkl.Certificate)) {
	r, pt := rand.New(rand.NewPCG(uint64(d.seed), 31)), d.p.NewPoint()
	d.p.Set.Start(pt.Theta)
	if pt.Evaluate(nil, 1e-8) != nil {
		return
	}
	size := pick(r, 0, 1e-10, 1e-3, 1)
	for i := range pt.W {
		pt.W[i] *= 1 + size*r.NormFloat64()
	}
	if c, err := d.p.CertifyAt(ctx, pt.Theta, pt.W); err == nil {
		hear(fmt.Sprintf("swept, w off by %g", size), pt.Theta, c)
	}
}

// accurate reports whether family and regularizer say how they round, so that bounds are proofs.
func (d *draw) accurate() bool {
	_, ok := d.p.Grams.New().(kernel.ErrorBounded)
	_, other := d.p.Reg.(slant)
	return ok && !other
}

// judged certifies a random θ with an inexact w, and compares every number of the Solution with
// what exact arithmetic gives.
func (d *draw) judged(out tally, e *exact, hear func(string, []float64, mkl.Certificate),
	bad func(string, string, ...any)) {
	r, pt := d.rng, d.p.NewPoint()
	d.p.Set.Start(pt.Theta)
	for k := range pt.Theta {
		switch r.IntN(4) {
		case 0:
			pt.Theta[k] = 0
		case 1:
			pt.Theta[k] *= math.Exp(2 * r.NormFloat64())
		}
	}
	d.p.Set.Project(pt.Theta, pt.Theta)
	size, sharp := pick(r, 0, 1e-14, 1e-10, 1e-6, 1e-3, 1), r.IntN(2) == 0
	if err := pt.Evaluate(nil, 1e-8); err != nil {
		out.add("error at a random θ", d.class())
		return
	}
	for i := range pt.W {
		pt.W[i] *= 1 + size*r.NormFloat64()
	}
	if size > 0 {
		d.p.Loss.Evaluate(&pt.Solution, pt.Gram, d.p.Y, nil)
	}
	by := fmt.Sprintf("w off by %g, sharp %v", size, sharp)
	c, err := d.p.Certify(pt, sharp)
	if err != nil {
		out.add("certificate refused", d.class())
		return
	}
	hear(by, pt.Theta, c)

	theta, w := bigs(pt.Theta), bigs(pt.W)
	// what vanishes beside F: products of tiny θ underflow, and no bound of rounding says so
	nothing := 1e-40 * (math.Abs(pt.LinearTerm) + pt.QuadraticTerm + math.Abs(pt.WKW))
	e.sum(theta)
	v := e.forms(w)
	wkw := e.quadratic(theta, v)
	lin, quad := e.dot(e.y, w), e.ridgeForm(w)
	for _, c := range []struct {
		what  string
		got   float64
		exact *big.Float
		bound float64
	}{
		{"yᵀw", pt.LinearTerm, lin, pt.Rounding.LinearTerm},
		{"λ‖w‖²", pt.QuadraticTerm, quad, pt.Rounding.QuadraticTerm},
		{"wᵀKw", pt.WKW, wkw, pt.Rounding.WKW},
	} {
		if pt.Rounding == (loss.Rounding{}) {
			continue
		}
		diff := zero().Sub(bigf(c.got), c.exact)
		if f, _ := diff.Abs(diff).Float64(); !(f <= c.bound+least+nothing) {
			bad("rounding of "+c.what, "%s: %.17g is off by %g, bound %g", by, c.got, f, c.bound)
		}
	}
	a, ok := pt.Gram.(kernel.ErrorBounded)
	if !ok {
		return
	}
	bounds, got := make([]float64, e.m), make([]float64, e.m)
	a.GradientErrorBound(bounds, pt.W)
	pt.Gram.Gradient(got, pt.W)
	for k := range got {
		diff := zero().Sub(bigf(got[k]), v[k])
		if f, _ := diff.Abs(diff).Float64(); !(f <= bounds[k]+least || f*d.most(k) <= nothing) {
			bad("rounding of a gradient", "%s: component %d, %.17g, is off by %g, bound %g", by, k, got[k], f,
				bounds[k])
			break
		}
	}
	entries, shift, _ := a.ErrorBounds()
	k := pt.Gram.K()
	for i := range e.n {
		for j := range i + 1 {
			x := zero()
			e.raise(x, e.s[low(i, j)], d.degree)
			x.Sub(x, bigf(k.At(i, j)))
			bound := entries*math.Sqrt(k.At(i, i))*math.Sqrt(k.At(j, j)) + shift*entries
			if f, _ := x.Abs(x).Float64(); !(f <= bound+least) {
				bad("rounding of K", "%s: entry %d, %d, %.17g, is off by %g, bound %g", by, i, j, k.At(i, j), f, bound)
				return
			}
		}
	}
}

// most is max_Θ θ_k, of a cone as far as F(θ) ≤ F(0) lets θ_k be.
func (d *draw) most(k int) float64 {
	m, _ := d.p.Grams.Dims()
	if r, ok := d.p.Reg.(reg.Ridge); ok {
		return floats.Norm(d.p.Y, 2) / math.Sqrt(2*d.lambda) / math.Sqrt(r.Beta)
	}
	e := make([]float64, m)
	e[k] = 1
	return set.Support(d.p.Set, e)
}

// least is what vanishes.
const least = 0x1p-1022

// checkClaims holds every claim against exact values.
func checkClaims(d *draw, e *exact, claims []claim, out tally, bad func(string, string, ...any)) {
	goal, what := math.Inf(-1), ""
	starts := d.candidates(false)
	for _, c := range claims {
		if c.lower > goal {
			goal, what = c.lower, c.by
		}
		starts = append(starts, c.theta)
		if math.IsInf(c.upper, 1) {
			out.add("upper: none", d.class())
			continue
		}
		f, _ := e.at(bigs(c.theta))
		switch {
		case f == nil:
			bad("upper", "%s: F(θ) = +∞, K + λI has a negative eigenvalue; upper bound %.17g", c.by, c.upper)
		case f.Cmp(bigf(c.upper+least)) > 0:
			over, _ := zero().Sub(f, bigf(c.upper)).Float64()
			bad("upper", "%s: F(θ) = %.17g is above %.17g by %.3g, relative %.2g", c.by, f, c.upper, over, over/c.upper)
		default:
			out.add("upper: true", d.class())
		}
	}
	if math.IsInf(goal, -1) {
		out.add("lower: none", d.class())
		return
	}
	steps := 40
	r := e.reference(bigf(goal), starts, 1)
	if r.f != nil && r.f.Cmp(bigf(goal)) >= 0 && (r.dual == nil || r.dual.Cmp(bigf(goal)) < 0) {
		r = e.reference(bigf(goal), append(starts, d.candidates(true)...), steps)
	}
	switch {
	case r.f == nil:
		out.add("lower: F is +∞ wherever it was tried", d.class())
	case r.f.Cmp(bigf(goal-least)) < 0:
		over, _ := zero().Sub(bigf(goal), r.f).Float64()
		bad("lower", "%s: F = %.17g in Θ, lower bound %.17g is above by %.3g, relative %.2g; θ = %.17g", what, r.f,
			goal, over, over/math.Abs(goal), floats64(r.theta))
	case r.dual != nil && r.dual.Cmp(bigf(goal)) >= 0:
		out.add("lower: proved", d.class())
	default:
		out.add("lower: not refuted", d.class())
	}
}
