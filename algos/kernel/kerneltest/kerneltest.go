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
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// Option changes what TestFamily does.
type Option func(*suite)

// Draw sets the function that draws random θ from the domain of the family. It is needed if the domain is not {θ ≥ 0},
// but another convex cone such as {P ⪰ 0} for θ = vec P. Directions are drawn in the same way, so that every θ of the
// test is a sum of θ that draw returned.
func Draw(draw func(r *rand.Rand, m int) []float64) Option {
	return func(s *suite) { s.draw, s.isOrthant = draw, false }
}

// Damaged sets the points for which Validate must return an error. It is needed for a family on its own kind of points.
// The default is damaged copies of Rows, Sparse or Indices, and nil.
func Damaged(x ...points.Points) Option { return func(s *suite) { s.damaged = x } }

// Without omits parts of the test that do not apply. The errors of a part begin with its name. Examples are "stored"
// for a family that package registry cannot store, and "validated" for a family that accepts any points.
func Without(parts ...string) Option {
	return func(s *suite) { s.without = append(s.without, parts...) }
}

// tolerance is the largest allowed difference of two results that are equal in exact arithmetic, relative to the
// largest entry of either.
const tolerance = 1e-9

// suite is one run of TestFamily.
type suite struct {
	testing.TB
	f          kernel.Family
	x          points.Points
	g          kernel.Grams
	m, n       int
	random     *rand.Rand
	draw       func(r *rand.Rand, m int) []float64
	checkCount map[string]int
	part       string

	isOrthant bool // the domain is {θ ≥ 0}
	damaged   []points.Points
	without   []string
}

// TestFamily binds f to x, at least 6 points, and checks these parts:
//
//   - points: the digest, the slices and the features of x;
//   - matrix: K(θ) is symmetric and positive semidefinite, has the same bits whenever θ is the same, and At does not
//     change θ;
//   - concurrent: several goroutines that use the same Grams get the same bits;
//   - gradient, curved: Gradient, DirectionalMul, BilinearGrad and HessianForm agree with differences, by the slope of
//     the Taylor error;
//   - graded: K is a polynomial in θ of degree Degree, if this is not 0, with the properties that Grams.Degree states;
//   - quadratic: for degree 2, θᵀQθ = wᵀKw, 2Qθ is the gradient, and Q ≥ 0 entrywise;
//   - forms: the products, the diagonal, the root and the packed triangle agree with the entries of K; the triangle has
//     the same bits;
//   - released: a Gram that reuses the storage of a released Gram computes the same bits;
//   - threaded: results agree for any number of threads;
//   - shaped: rows times columns of Shape is m, if they are not 0;
//   - blocked: wᵀKw = Σ_i c_i Forms_i, Gradient uses the weights c, and K at the θ of Scaled is the weighted K;
//   - mixed: if Mix returns true, K is sK(θ_a) + tK(θ_b);
//   - rank one: if MixRankOne returns true, dst agrees with At of (1−η)P + ηvvᵀ, and from is unchanged;
//   - new points: CheckNew accepts the fixed points, and finds the same points outside of the domain one by one and
//     together;
//   - crossed: Cross of the fixed points gives K;
//   - sliced: Slice agrees with On(x[rows]), and Block with the Cross of a Slice;
//   - order: the results do not depend on the order of the points;
//   - validated: Validate accepts x and returns an error for damaged points;
//   - stored: f gives the same bits of K after package registry has stored and restored it.
//
// It also checks that x is not modified. A part for an optional interface runs only if a Gram implements the interface.
// opts describe a family with another domain or its own kind of points, and parts to omit.
func TestFamily(t testing.TB, f kernel.Family, x points.Points, opts ...Option) {
	t.Helper()
	s := &suite{TB: t, f: f, x: x, random: rand.New(rand.NewPCG(1, 7)), draw: drawOrthant, isOrthant: true,
		checkCount: map[string]int{}, damaged: damagedCopies(x)}
	for _, o := range opts {
		o(s)
	}
	before := clonePoints(x)
	if err := f.On(x).Validate(); err != nil {
		t.Errorf("validated: the family refuses the points of the suite: %v", err)
		return
	}
	s.g = f.On(x)
	s.m, s.n = s.g.Dims()
	if s.n < 6 || s.n != x.Len() || s.m < 1 {
		t.Fatalf("kerneltest: m = %d, n = %d with %d points, want 6 points at least", s.m, s.n, x.Len())
	}
	rows, cols := s.g.Shape()
	type part struct {
		name string
		has  bool
		run  func()
	}
	parts := []part{
		{"points", true, s.checkPoints},
		{"matrix", true, s.checkMatrix},
		{"gradient", true, s.checkGradient},
		{"concurrent", true, s.checkConcurrent},
		{"order", true, s.checkOrder},
		{"validated", true, s.checkValidation},
		{"stored", true, s.checkStored},
		{"graded", s.g.Degree() != 0, s.checkDegree},
		{"crossed", true, s.checkCross},
		{"sliced", true, s.checkSlices},
		{"curved", implements[kernel.SecondOrder](s.g.New()), s.checkSecondOrder},
		{"quadratic", implements[kernel.SecondOrder](s.g.New()) && s.g.Degree() == 2, s.checkQuadratic},
		{"forms", true, s.checkForms},
		{"released", true, s.checkReleased},
		{"threaded", true, s.checkThreads},
		{"shaped", rows != 0 || cols != 0, s.checkShape},
		{"blocked", implements[kernel.Blocked](s.g.New()), s.checkBlocked},
		{"mixed", true, s.checkMix},
		{"rank one", rows > 0 && rows*rows == s.m, s.checkRankOne},
		{"new points", true, s.checkNewPoints},
	}
	for _, excluded := range s.without {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.name == excluded }) {
			t.Fatalf("kerneltest: Without(%q): there is no such part", excluded)
		}
	}
	for _, p := range parts {
		if !p.has || slices.Contains(s.without, p.name) {
			continue
		}
		s.part = p.name
		p.run()
		if s.checkCount[p.name] == 0 {
			t.Errorf("%s: no check was made", p.name)
		}
	}
	if !reflect.DeepEqual(before, clonePoints(x)) {
		t.Errorf("the points were modified")
	}
}

func implements[T any](v any) bool { _, ok := v.(T); return ok }

// drawOrthant returns a random θ ≥ 0, in which about one entry in five is 0.
func drawOrthant(r *rand.Rand, m int) []float64 {
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

// expect counts one check and reports an error unless good is true. It returns good.
func (s *suite) expect(good bool, format string, args ...any) bool {
	s.Helper()
	s.checkCount[s.part]++
	if !good {
		s.Errorf("%s: %s", s.part, fmt.Sprintf(format, args...))
	}
	return good
}

// expectNear reports an error unless got and want agree. Their entries may differ by tolerance times the largest of
// scale and the absolute values of all entries.
func (s *suite) expectNear(what string, got, want []float64, scale float64) {
	s.Helper()
	if !s.expect(len(got) == len(want), "%s: %d numbers, want %d", what, len(got), len(want)) {
		return
	}
	for i := range got {
		scale = max(scale, math.Abs(got[i]), math.Abs(want[i]))
	}
	for i := range got {
		if d := math.Abs(got[i] - want[i]); !(d <= tolerance*scale) {
			s.expect(false, "%s: entry %d is %.17g, want %.17g: off by %.2g of %.3g",
				what, i, got[i], want[i], d/scale, scale)
			return
		}
	}
}

func (s *suite) randomTheta() []float64 { return s.draw(s.random, s.m) }

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

// newGramAt returns a new Gram of g at θ.
func newGramAt(g kernel.Grams, theta []float64) kernel.Gram {
	k := g.New()
	k.At(theta)
	return k
}

// denseAt returns K(θ) of g as n×n numbers, row by row.
func denseAt(g kernel.Grams, theta []float64) []float64 { return denseEntries(newGramAt(g, theta)) }

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

// maxAbs returns the largest |v_i|.
func maxAbs(v []float64) float64 { return floats.Norm(v, math.Inf(1)) }

func (s *suite) checkMatrix() {
	for k := range s.m {
		s.expect(s.g.Label(k) != "", "parameter %d has no label", k)
	}
	theta := s.randomTheta()
	thetaBefore := slices.Clone(theta)
	g := s.g.New()
	g.At(theta)
	k := denseEntries(g)
	s.expect(slices.Equal(theta, thetaBefore), "At changed θ")
	s.expect(len(k) == s.n*s.n, "K has %d entries, want %d²", len(k), s.n)
	for i, v := range k {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			s.expect(false, "K[%d,%d] = %g", i/s.n, i%s.n, v)
			return
		}
	}
	s.expectPSD("K(θ)", k, 0)
	s.expect(slices.Equal(denseAt(s.g, thetaBefore), k), "K(θ) of a second Gram differs")
	// a Gram may keep a reference to θ if θ is a symmetric matrix
	for _, other := range [][]float64{s.randomTheta(), s.symmetrized(theta)} {
		otherBefore := slices.Clone(other)
		g.At(other)
		g.K()
		g.At(theta)
		s.expect(slices.Equal(denseEntries(g), k), "K(θ) differs after a visit to another θ")
		s.expect(slices.Equal(other, otherBefore), "At changed the θ of the visit before")
	}
}

// symmetrized returns a copy of θ in which every square matrix is made symmetric: one matrix for each block of a
// Blocked, otherwise θ itself.
func (s *suite) symmetrized(theta []float64) []float64 {
	x, parts := slices.Clone(theta), []int{0, len(theta)}
	if p, ok := s.g.New().(kernel.Blocked); ok {
		parts = p.Blocks()
	}
	for i := range len(parts) - 1 {
		part := x[parts[i]:parts[i+1]]
		n := int(math.Round(math.Sqrt(float64(len(part)))))
		if n*n != len(part) {
			continue
		}
		for r := range n {
			for c := range r {
				part[r*n+c] = part[c*n+r]
			}
		}
	}
	return x
}

// expectPSD reports an error if k, n×n, has an eigenvalue below −tolerance times the largest of scale and the absolute
// values of its eigenvalues.
func (s *suite) expectPSD(what string, k []float64, scale float64) {
	s.Helper()
	values, _ := linalg.Eigen(mat.NewSymDense(s.n, slices.Clone(k)), false)
	top := max(scale, math.Abs(values[0]), math.Abs(values[s.n-1]))
	s.expect(values[0] >= -tolerance*top, "%s has an eigenvalue %g, the largest is %g", what, values[0], top)
}

func (s *suite) checkConcurrent() {
	theta, w := s.randomTheta(), s.randomVector(s.n)
	fresh := s.f.On(s.x)
	var wg sync.WaitGroup
	ks, gs := make([][]float64, 4), make([][]float64, 4)
	for i := range ks {
		wg.Go(func() {
			theta := slices.Clone(theta)
			g := newGramAt(fresh, theta)
			gs[i] = make([]float64, s.m)
			g.Gradient(gs[i], w)
			ks[i] = denseEntries(g)
			newGramAt(fresh.Slice([]int{0, 1, 2}), theta).K()
		})
	}
	wg.Wait()
	for i := range ks {
		s.expect(slices.Equal(ks[i], ks[0]) && slices.Equal(gs[i], gs[0]), "two runs on one Grams differ")
	}
	s.expect(slices.Equal(ks[0], denseAt(s.g, theta)), "a second On of the same points differs")
}

// checkForms compares every form of K, such as the packed triangle, with the entries of K.
func (s *suite) checkForms() {
	thetas := [][]float64{s.randomTheta(), s.randomTheta(), s.randomTheta()}
	if s.isOrthant {
		one := make([]float64, s.m)
		one[s.m/2] = 0.7
		thetas = append(thetas, one, make([]float64, s.m), s.randomTheta())
	}
	for _, theta := range thetas {
		k := denseAt(s.g, theta)
		g := newGramAt(s.g, theta)
		for range 2 { // before and after the entries are formed
			s.compareUpper(g.K(), k)
			s.compareProducts(g.K(), k)
			s.compareProducts(g.K().Part([]int{1, 3, s.n - 1}), submatrix(k, s.n, []int{1, 3, s.n - 1}))
			s.expect(slices.Equal(denseEntries(g), k), "K differs after its other forms are used")
		}
		s.compareRoot(g.K(), k)
	}
}

// submatrix returns the submatrix of k, n×n, with the given rows and the same columns.
func submatrix(k []float64, n int, rows []int) (p []float64) {
	for _, i := range rows {
		for _, j := range rows {
			p = append(p, k[i*n+j])
		}
	}
	return p
}

func (s *suite) compareUpper(m *kernel.Matrix, k []float64) {
	u, _ := m.Upper()
	for i := range s.n {
		for j := i; j < s.n; j++ {
			if u.At(i, j) != k[i*s.n+j] {
				s.expect(false, "entry %d, %d of the triangle is %g, and of K %g", i, j, u.At(i, j), k[i*s.n+j])
				return
			}
		}
	}
	s.expect(true, "")
}

func (s *suite) compareProducts(m *kernel.Matrix, k []float64) {
	n := m.SymmetricDim()
	w, got, diag, want := s.randomVector(n), make([]float64, n), make([]float64, n), make([]float64, n)
	m.MulVec(got, w)
	s.expectNear("Kw and the product of the matrix", got, mulVec(k, w), 0)
	m.Diagonal(diag)
	for i := range want {
		want[i] = k[i*n+i]
	}
	s.expectNear("the diagonal", diag, want, 0)
}

func (s *suite) compareRoot(m *kernel.Matrix, k []float64) {
	phi := m.Root()
	if phi == nil {
		return
	}
	n, cols := phi.Dims()
	if !s.expect(n == s.n && cols < n, "Φ is %d×%d, want %d rows and fewer columns", n, cols, s.n) {
		return
	}
	var p mat.Dense
	p.Mul(phi, phi.T())
	s.expectNear("ΦΦᵀ and K", p.RawMatrix().Data, k, 0)
	if q := mat.NewSymDense(cols, nil); m.Inner(q) {
		var want mat.Dense
		want.Mul(phi.T(), phi)
		s.expectNear("Inner and ΦᵀΦ", mat.DenseCopyOf(q).RawMatrix().Data, want.RawMatrix().Data, 0)
	}
}

func (s *suite) checkMix() {
	a, b, to := newGramAt(s.g, s.randomTheta()), newGramAt(s.g, s.randomTheta()), s.g.New()
	want := floats.AddScaledTo(make([]float64, s.n*s.n), denseEntries(a), -0.25, denseEntries(b))
	isSame := s.g.Mix(to, 1, a, -0.25, b) == s.g.Mix(a, 1, a, -0.25, b)
	if !s.expect(isSame, "Mix depends on where it stores its result") {
		return
	}
	if s.g.Mix(to, 1, to, 0, b) {
		s.expectNear("K after Mix", denseEntries(to), want, 0)
		s.expectNear("K after Mix in place", denseEntries(a), want, 0)
	}
}

func (s *suite) checkShape() {
	rows, cols := s.g.Shape()
	s.expect(rows >= 1 && cols >= 1 && rows*cols == s.m, "θ is %d×%d, and m = %d", rows, cols, s.m)
}

func (s *suite) checkRankOne() {
	q, _ := s.g.Shape()
	theta, from, to := s.randomTheta(), s.g.New(), s.g.New()
	from.At(theta)
	before := denseEntries(from)
	for _, eta := range []float64{0.3, 0, 1} {
		v, moved := s.randomVector(q), slices.Clone(theta)
		for i := range q {
			for j := range q {
				moved[i*q+j] = (1-eta)*theta[i*q+j] + eta*v[i]*v[j]
			}
		}
		vBefore := slices.Clone(v)
		if !s.expect(!s.g.MixRankOne(nil, from, v, eta), "MixRankOne moves a Gram that is nil") ||
			!s.g.MixRankOne(to, from, v, eta) {
			return
		}
		s.expect(slices.Equal(v, vBefore), "MixRankOne changed v")
		s.expectNear(fmt.Sprintf("K after a step of %g and at once", eta), denseEntries(to), denseAt(s.g, moved),
			maxAbs(before))
		s.expect(slices.Equal(denseEntries(from), before), "MixRankOne changed the Gram it came from")
		w, a, b := s.randomVector(s.n), make([]float64, s.m), make([]float64, s.m)
		to.Gradient(a, w)
		newGramAt(s.g, moved).Gradient(b, w)
		s.expectNear("Gradient after a step and at once", a, b, 0)
	}
}

func (s *suite) checkNewPoints() {
	g := s.g
	out, err := g.CheckNew(s.x)
	if !s.expect(err == nil, "the fixed points: %v", err) {
		return
	}
	s.expect(slices.IsSorted(out.Rows) && (len(out.Rows) == 0 || out.Handling != ""), "out of domain %v, handling %q",
		out.Rows, out.Handling)
	for i := range s.n {
		one, err := g.CheckNew(s.x.Slice([]int{i}))
		s.expect(err == nil && (len(one.Rows) == 1) == slices.Contains(out.Rows, i),
			"point %d is outside among others and alone: %v, %v, %v", i+1, out.Rows, one, err)
	}
}

func (s *suite) checkThreads() {
	theta, w := s.randomTheta(), s.randomVector(s.n)
	want, grad, got := denseAt(s.g, theta), make([]float64, s.m), make([]float64, s.m)
	newGramAt(s.g, theta).Gradient(grad, w)
	for _, threads := range []int{1, 2, 0} {
		h := s.g.Threads(threads)
		m, n := h.Dims()
		s.expect(m == s.m && n == s.n && h.Label(m-1) == s.g.Label(m-1), "with %d threads: %d parameters, %d points",
			threads, m, n)
		s.expectNear(fmt.Sprintf("K with %d threads", threads), denseAt(h, theta), want, 0)
		newGramAt(h, theta).Gradient(got, w)
		s.expectNear(fmt.Sprintf("Gradient with %d threads", threads), got, grad, 0)
		s.expect(reflect.TypeOf(h.New()) == reflect.TypeOf(s.g.New()), "Threads(%d) makes a %T, want a %T",
			threads, h.New(), s.g.New())
		s.expectNear(fmt.Sprintf("Cross with %d threads", threads), crossEntries(h.Cross(s.x), theta, s.n, s.n),
			want, 0)
	}
}

func (s *suite) checkReleased() {
	gradient := func(g kernel.Gram, w []float64) []float64 {
		dst := make([]float64, s.m)
		g.Gradient(dst, w)
		return dst
	}
	w := s.randomVector(s.n)
	for range 3 {
		theta := s.randomTheta()
		g := newGramAt(s.g, theta)
		k, grad := denseEntries(g), gradient(g, w)
		used := newGramAt(s.g, s.randomTheta())
		denseEntries(used)
		gradient(used, s.randomVector(s.n))
		used.Release()
		again := newGramAt(s.g, theta)
		s.expect(slices.Equal(denseEntries(again), k), "K in the storage of a released Gram is another")
		s.expect(slices.Equal(gradient(again, w), grad), "the gradient in the storage of a released Gram is another")
		s.expect(slices.Equal(denseEntries(g), k), "a Gram changes while another is released and used again")
	}
}
