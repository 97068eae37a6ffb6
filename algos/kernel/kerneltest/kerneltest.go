// Package kerneltest tests that a kernel.Family does what its interfaces promise. A test of a family is one line:
//
//	kerneltest.TestFamily(t, kernel.Features{Degree: 2}, x)
//
// It tests every optional method that a family implements. It counts the checks of each part of the test; a part
// without checks fails.
package kerneltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// Option changes what TestFamily does.
type Option func(*suite)

// WithThetaDraw sets the function that draws random θ from the domain of the family. It is needed if the domain is not
// {θ ≥ 0}, but another convex cone such as {P ⪰ 0} for θ = vec P. drawTheta also draws the directions in
// which the test moves θ, so that θ stays in the cone.
func WithThetaDraw(drawTheta func(r *rand.Rand, m int) []float64) Option {
	return func(s *suite) { s.drawTheta, s.isOrthant = drawTheta, false }
}

// tolerance is the largest allowed difference of two results that are equal in exact arithmetic, relative to the
// largest entry of either.
const tolerance = 1e-9

// suite is one run of TestFamily.
type suite struct {
	testing.TB
	f           kernel.Family
	x           points.Points
	g           kernel.Grams
	m, n        int
	random      *rand.Rand
	drawTheta   func(r *rand.Rand, m int) []float64
	checkCount  map[string]int
	currentPart string

	isOrthant bool // the domain is {θ ≥ 0}
}

// TestFamily binds f to x, at least 6 points, and checks these parts:
//
//   - matrix, forms, shaped: K(θ) is symmetric and positive semidefinite, has the same bits whenever θ is the same, and
//     agrees with its products, diagonal and factor; rows times columns of ThetaShape is m;
//   - gradient, curved: the error of the Taylor expansion with the derivatives falls with the step as it must;
//   - graded: K is a polynomial in θ of degree Degree, if this is not 0, with the properties that Grams.Degree states;
//   - quadratic: for degree 2, θᵀQθ = wᵀKw, 2Qθ is the gradient, and Q ≥ 0 entrywise;
//   - blocked: after SetBlockWeights(c), wᵀKw is Σ_i c_i BlockQuadraticForms_i, Gradient is that of wᵀKw, and
//     ScaleThetaByBlockWeights returns the θ whose K is this weighted K;
//   - crossed, sliced, order: Cross of x gives K, Slice(rows) agrees with Bind(x[rows]), and Block(rows, cols) with the
//     Cross of Slice(cols) at x[rows]; the order of the points does not matter;
//   - concurrent, threaded, released: the bits do not depend on other goroutines or on released Grams, and results
//     agree for any number of threads;
//   - validated, stored: Validate accepts x and returns an error for damaged points, and f gives the same bits of K
//     after package registry has stored and restored it.
//
// It also checks that x is not modified. A part for an optional interface runs only if a Gram implements the interface.
// opts describe the domain of θ if it is not {θ ≥ 0}.
func TestFamily(t testing.TB, f kernel.Family, x points.Points, opts ...Option) {
	t.Helper()
	s := &suite{TB: t, f: f, x: x, random: rand.New(rand.NewPCG(1, 7)), drawTheta: drawNonnegative, isOrthant: true,
		checkCount: map[string]int{}}
	for _, o := range opts {
		o(s)
	}
	pointsBefore := clonePoints(x)
	if err := f.Bind(x).Validate(); err != nil {
		t.Errorf("validated: Validate returns an error for the given points: %v", err)
		return
	}
	s.g = f.Bind(x)
	s.m, s.n = s.g.Dims()
	if s.n < 6 || s.n != x.Len() || s.m < 1 {
		t.Fatalf("kerneltest: Dims returns %d parameters and %d points for %d points; pass at least 6 points, and "+
			"let Dims return their number and at least 1 parameter", s.m, s.n, x.Len())
	}
	rows, cols := s.g.ThetaShape()
	type part struct {
		name         string
		isApplicable bool
		run          func()
	}
	testParts := []part{
		{"matrix", true, s.checkKernelMatrix},
		{"gradient", true, s.checkGradient},
		{"concurrent", true, s.checkConcurrentUse},
		{"order", true, s.checkPointOrder},
		{"validated", true, s.checkValidation},
		{"stored", true, s.checkMarshaledCopies},
		{"graded", s.g.Degree() != 0, s.checkPolynomialDegree},
		{"crossed", true, s.checkCross},
		{"sliced", true, s.checkSlices},
		{"curved", implements[kernel.SecondOrder](s.g.New()), s.checkSecondDerivatives},
		{"quadratic", implements[kernel.SecondOrder](s.g.New()) && s.g.Degree() == 2, s.checkQuadraticForm},
		{"forms", true, s.checkMatrixMethods},
		{"released", true, s.checkReuseAfterRelease},
		{"threaded", true, s.checkThreadLimits},
		{"shaped", rows != 0 || cols != 0, s.checkThetaShape},
		{"blocked", implements[kernel.Blocked](s.g.New()), s.checkBlockMethods},
	}
	for _, p := range testParts {
		if !p.isApplicable {
			continue
		}
		s.currentPart = p.name
		p.run()
		if s.checkCount[p.name] == 0 {
			t.Errorf("%s: no check was made", p.name)
		}
	}
	if !reflect.DeepEqual(pointsBefore, clonePoints(x)) {
		t.Errorf("the family modified the points that Bind got")
	}
}

func implements[T any](v any) bool { _, ok := v.(T); return ok }

// drawNonnegative returns a random θ ≥ 0, in which about one entry in five is 0.
func drawNonnegative(r *rand.Rand, m int) []float64 {
	theta := make([]float64, m)
	for k := range theta {
		if r.Float64() > 0.2 {
			theta[k] = r.Float64()
		}
	}
	theta[r.IntN(m)] = 0.5 + r.Float64()
	return theta
}

func clonePoints(x points.Points) points.Points { return x.Slice(points.AllIndices(x.Len())) }

// expect counts one check and reports an error unless ok is true. It returns ok.
func (s *suite) expect(ok bool, format string, args ...any) bool {
	s.Helper()
	s.checkCount[s.currentPart]++
	if !ok {
		s.Errorf("%s: %s", s.currentPart, fmt.Sprintf(format, args...))
	}
	return ok
}

// expectNear reports an error unless got and want agree. Their entries may differ by tolerance times the largest of
// scale and the absolute values of all entries.
func (s *suite) expectNear(label string, got, want []float64, scale float64) {
	s.Helper()
	if !s.expect(len(got) == len(want), "%s: %d numbers, want %d", label, len(got), len(want)) {
		return
	}
	for i := range got {
		scale = max(scale, math.Abs(got[i]), math.Abs(want[i]))
	}
	for i := range got {
		if d := math.Abs(got[i] - want[i]); !(d <= tolerance*scale) {
			s.expect(false, "%s: entry %d is %.17g, want %.17g; the difference is %.2g times the scale %.3g",
				label, i, got[i], want[i], d/scale, scale)
			return
		}
	}
}

func (s *suite) randomTheta() []float64 { return s.drawTheta(s.random, s.m) }

func (s *suite) randomVector(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = s.random.NormFloat64()
	}
	return v
}

// denseEntries returns K of g as n×n numbers, row by row.
func denseEntries(g kernel.Gram) []float64 {
	k := g.K()
	n := k.SymmetricDim()
	out := make([]float64, 0, n*n)
	for i := range n {
		for j := range n {
			out = append(out, k.At(i, j))
		}
	}
	return out
}

func newGramAt(g kernel.Grams, theta []float64) kernel.Gram {
	k := g.New()
	k.SetTheta(theta)
	return k
}

// denseMatrixAt returns K(θ) of g as n×n numbers, row by row.
func denseMatrixAt(g kernel.Grams, theta []float64) []float64 {
	return denseEntries(newGramAt(g, theta))
}

// formGradientAt returns the gradient of wᵀK(θ)w by θ, as a new Gram of g computes it.
func formGradientAt(g kernel.Grams, theta, w []float64) []float64 {
	dst := make([]float64, len(theta))
	newGramAt(g, theta).Gradient(dst, w)
	return dst
}

func mulVec(k, w []float64) []float64 {
	n := len(w)
	out := make([]float64, n)
	for i := range n {
		out[i] = floats.Dot(k[i*n:(i+1)*n], w)
	}
	return out
}

// addScaled returns θ + hu.
func addScaled(theta, u []float64, h float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(theta)), theta, h, u)
}

func maxAbs(v []float64) float64 { return floats.Norm(v, math.Inf(1)) }
