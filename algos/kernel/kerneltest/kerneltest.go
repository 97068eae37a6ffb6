// Package kerneltest tests that a kernel.Family does what its interfaces promise. A test of a family is one line:
//
//	kerneltest.TestFamily(t, kernel.Features{Degree: 2}, x)
//
// It calls every optional method that a value has. It counts its checks; a part without checks fails.
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

// Draw replaces how θ is drawn from the family's domain, which is {θ ≥ 0} unless it says otherwise:
// a convex cone such as {P ⪰ 0} for θ = vec P. Directions are drawn in the same way, so that all θ
// that the suite asks for are sums of drawn ones.
func Draw(draw func(r *rand.Rand, m int) []float64) Option {
	return func(s *suite) { s.draw, s.orthant = draw, false }
}

// Damaged replaces the points that the family is to refuse, in a family of points of its own kind.
// Without it they are damaged copies of Rows, Sparse or Places, and nil.
func Damaged(x ...points.Points) Option { return func(s *suite) { s.damaged = x } }

// Without leaves out parts that do not apply, by the name that begins their errors: "stored" for a
// family that has no file form, "validated" for one that takes any points.
func Without(parts ...string) Option {
	return func(s *suite) { s.without = append(s.without, parts...) }
}

// tolerance is the largest difference, relative to the largest entry of what is compared, of two ways to the same
// number.
const tolerance = 1e-9

// suite is one run of TestFamily.
type suite struct {
	testing.TB
	f    kernel.Family
	x    points.Points
	g    kernel.Grams
	m, n int
	rnd  *rand.Rand
	draw func(r *rand.Rand, m int) []float64
	done map[string]int
	part string

	orthant bool // the domain is {θ ≥ 0}
	damaged []points.Points
	without []string
}

// TestFamily binds f to x, at least 6 points, and checks, part by part
//
//   - points: slices, and where they claim them digest and features;
//   - matrix: K(θ) symmetric, positive semidefinite, a function of θ alone to the last bit; At leaves θ
//     as it is; concurrent: so when several goroutines ask at once;
//   - gradient, curved: Gradient, Along, Pair and Second against differences, by the slope of the
//     Taylor error;
//   - graded: the degree in θ, where it is not 0, and what Degree promises of a direction of the domain;
//   - quadratic: θᵀQθ = wᵀKw, 2Qθ the gradient, Q ≥ 0 entrywise;
//   - forms: the products, the diagonal, the root and the packed triangle agree with the entries of K, the triangle
//     to the last bit;
//   - released: in the storage of a released Gram the next one computes the same, to the last bit;
//   - threaded: the same numbers for any number of threads;
//   - shaped: rows × columns, where they are not 0, are m;
//   - blocked: wᵀKw = Σ c_i Forms_i, Gradient follows c, as a whole and in parts at once, Scaled is the θ of
//     the weighted K;
//   - mixed: Mix, if it returns true, is At of sθ_a + tθ_b;
//   - rank one: MixRankOne, if it returns true, is At of (1−η)P + ηvvᵀ, from a Gram that it leaves as it is;
//   - meeting: the fixed points are met, and those outside are outside alone too;
//   - crossed: the fixed points as new ones give K;
//   - sliced: Slice is On of these rows, fitted again, Block is its Cross;
//   - order: that of the points does not matter;
//   - validated: accepts x and refuses points that are damaged;
//   - stored: restored by package registry, f gives the same K;
//
// and that x is not modified. Optional parts run where the value claims them. The options say what
// is another in a family of another kind: its domain, its points, parts that do not apply.
func TestFamily(t testing.TB, f kernel.Family, x points.Points, opts ...Option) {
	t.Helper()
	s := &suite{TB: t, f: f, x: x, rnd: rand.New(rand.NewPCG(1, 7)), draw: orthant, orthant: true,
		done: map[string]int{}, damaged: damaged(x)}
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
		{"points", true, s.points},
		{"matrix", true, s.matrix},
		{"gradient", true, s.gradient},
		{"concurrent", true, s.concurrent},
		{"order", true, s.order},
		{"validated", true, s.validated},
		{"stored", true, s.stored},
		{"graded", s.g.Degree() != 0, s.graded},
		{"crossed", true, s.crossed},
		{"sliced", true, s.sliced},
		{"curved", is[kernel.SecondOrder](s.g.New()), s.curved},
		{"quadratic", is[kernel.SecondOrder](s.g.New()) && s.g.Degree() == 2, s.quadratic},
		{"forms", true, s.forms},
		{"released", true, s.released},
		{"threaded", true, s.threaded},
		{"shaped", rows != 0 || cols != 0, s.shaped},
		{"blocked", is[kernel.Blocked](s.g.New()), s.blocked},
		{"mixed", true, s.mixed},
		{"rank one", rows > 0 && rows*rows == s.m, s.rankOne},
		{"new points", true, s.newPoints},
	}
	for _, w := range s.without {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.name == w }) {
			t.Fatalf("kerneltest: Without(%q): there is no such part", w)
		}
	}
	for _, p := range parts {
		if !p.has || slices.Contains(s.without, p.name) {
			continue
		}
		s.part = p.name
		p.run()
		if s.done[p.name] == 0 {
			t.Errorf("%s: no check was made", p.name)
		}
	}
	if !reflect.DeepEqual(before, clonePoints(x)) {
		t.Errorf("the points were modified")
	}
}

func is[T any](v any) bool { _, ok := v.(T); return ok }

// orthant draws θ ≥ 0, an entry in five 0.
func orthant(r *rand.Rand, m int) []float64 {
	theta := make([]float64, m)
	for k := range theta {
		if r.Float64() > 0.2 {
			theta[k] = r.Float64()
		}
	}
	theta[r.IntN(m)] = 0.5 + r.Float64()
	return theta
}

func clonePoints(x points.Points) points.Points { return x.Slice(upTo(x.Len())) }

// ok counts one check.
func (s *suite) ok(good bool, format string, args ...any) bool {
	s.Helper()
	s.done[s.part]++
	if !good {
		s.Errorf("%s: %s", s.part, fmt.Sprintf(format, args...))
	}
	return good
}

// near compares two vectors, to tolerance of the largest entry of either or of scale.
func (s *suite) near(what string, got, want []float64, scale float64) {
	s.Helper()
	if !s.ok(len(got) == len(want), "%s: %d numbers, want %d", what, len(got), len(want)) {
		return
	}
	for i := range got {
		scale = max(scale, math.Abs(got[i]), math.Abs(want[i]))
	}
	for i := range got {
		if d := math.Abs(got[i] - want[i]); !(d <= tolerance*scale) {
			s.ok(false, "%s: entry %d is %.17g, want %.17g: off by %.2g of %.3g",
				what, i, got[i], want[i], d/scale, scale)
			return
		}
	}
}

func (s *suite) theta() []float64 { return s.draw(s.rnd, s.m) }

func (s *suite) vector(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = s.rnd.NormFloat64()
	}
	return v
}

// full returns K as n×n numbers.
func full(g kernel.Gram) []float64 {
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

func at(g kernel.Grams, theta []float64) kernel.Gram {
	k := g.New()
	k.At(theta)
	return k
}

// gramAt is K(θ) of g as n×n numbers.
func gramAt(g kernel.Grams, theta []float64) []float64 { return full(at(g, theta)) }

func times(k, w []float64) []float64 {
	n := len(w)
	out := make([]float64, n)
	for i := range n {
		out[i] = floats.Dot(k[i*n:(i+1)*n], w)
	}
	return out
}

// moved is θ + hu.
func moved(theta, u []float64, h float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(theta)), theta, h, u)
}

// size is the largest |v_i|.
func size(v []float64) float64 { return floats.Norm(v, math.Inf(1)) }

func (s *suite) matrix() {
	for k := range s.m {
		s.ok(s.g.Label(k) != "", "parameter %d has no label", k)
	}
	theta := s.theta()
	given := slices.Clone(theta)
	g := s.g.New()
	g.At(theta)
	k := full(g)
	s.ok(slices.Equal(theta, given), "At changed θ")
	s.ok(len(k) == s.n*s.n, "K has %d entries, want %d²", len(k), s.n)
	for i, v := range k {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			s.ok(false, "K[%d,%d] = %g", i/s.n, i%s.n, v)
			return
		}
	}
	s.psd("K(θ)", k, 0)
	s.ok(slices.Equal(gramAt(s.g, given), k), "K(θ) of a second Gram differs")
	for _, other := range [][]float64{s.theta(), s.mirrored(theta)} { // a symmetric matrix may be read where it is
		kept := slices.Clone(other)
		g.At(other)
		g.K()
		g.At(theta)
		s.ok(slices.Equal(full(g), k), "K(θ) differs after a visit to another θ")
		s.ok(slices.Equal(other, kept), "At changed the θ of the visit before")
	}
}

// mirrored is θ with every square part of it, one for each block or the whole, made symmetric.
func (s *suite) mirrored(theta []float64) []float64 {
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

// psd checks that k has no eigenvalue below rounding of its largest, or of scale.
func (s *suite) psd(what string, k []float64, scale float64) {
	s.Helper()
	values, _ := linalg.Eigen(mat.NewSymDense(s.n, slices.Clone(k)), false)
	top := max(scale, math.Abs(values[0]), math.Abs(values[s.n-1]))
	s.ok(values[0] >= -tolerance*top, "%s has an eigenvalue %g, the largest is %g", what, values[0], top)
}

func (s *suite) concurrent() {
	theta, w := s.theta(), s.vector(s.n)
	fresh := s.f.On(s.x)
	var wg sync.WaitGroup
	ks, gs := make([][]float64, 4), make([][]float64, 4)
	for i := range ks {
		wg.Go(func() {
			theta := slices.Clone(theta)
			g := at(fresh, theta)
			gs[i] = make([]float64, s.m)
			g.Gradient(gs[i], w)
			ks[i] = full(g)
			at(fresh.Slice([]int{0, 1, 2}), theta).K()
		})
	}
	wg.Wait()
	for i := range ks {
		s.ok(slices.Equal(ks[i], ks[0]) && slices.Equal(gs[i], gs[0]), "two runs on one Grams differ")
	}
	s.ok(slices.Equal(ks[0], gramAt(s.g, theta)), "a second On of the same points differs")
}

// forms compares every form of K with its entries.
func (s *suite) forms() {
	thetas := [][]float64{s.theta(), s.theta(), s.theta()}
	if s.orthant {
		one := make([]float64, s.m)
		one[s.m/2] = 0.7
		thetas = append(thetas, one, make([]float64, s.m), s.theta())
	}
	for _, theta := range thetas {
		k := gramAt(s.g, theta)
		g := at(s.g, theta)
		for range 2 { // before and after the entries are formed
			s.upper(g.K(), k)
			s.products(g.K(), k)
			s.products(g.K().Part([]int{1, 3, s.n - 1}), part(k, s.n, []int{1, 3, s.n - 1}))
			s.ok(slices.Equal(full(g), k), "K differs after its other forms are used")
		}
		s.root(g.K(), k)
	}
}

// part returns the given rows and columns of k, n×n.
func part(k []float64, n int, rows []int) (p []float64) {
	for _, i := range rows {
		for _, j := range rows {
			p = append(p, k[i*n+j])
		}
	}
	return p
}

func (s *suite) upper(m *kernel.Matrix, k []float64) {
	u, _ := m.Upper()
	for i := range s.n {
		for j := i; j < s.n; j++ {
			if u.At(i, j) != k[i*s.n+j] {
				s.ok(false, "entry %d, %d of the triangle is %g, and of K %g", i, j, u.At(i, j), k[i*s.n+j])
				return
			}
		}
	}
	s.ok(true, "")
}

func (s *suite) products(m *kernel.Matrix, k []float64) {
	n := m.SymmetricDim()
	w, got, diag, want := s.vector(n), make([]float64, n), make([]float64, n), make([]float64, n)
	m.MulVec(got, w)
	s.near("Kw and the product of the matrix", got, times(k, w), 0)
	m.Diagonal(diag)
	for i := range want {
		want[i] = k[i*n+i]
	}
	s.near("the diagonal", diag, want, 0)
}

func (s *suite) root(m *kernel.Matrix, k []float64) {
	phi := m.Root()
	if phi == nil {
		return
	}
	n, cols := phi.Dims()
	if !s.ok(n == s.n && cols < n, "Φ is %d×%d, want %d rows and fewer columns", n, cols, s.n) {
		return
	}
	var p mat.Dense
	p.Mul(phi, phi.T())
	s.near("ΦΦᵀ and K", p.RawMatrix().Data, k, 0)
	if q := mat.NewSymDense(cols, nil); m.Inner(q) {
		var want mat.Dense
		want.Mul(phi.T(), phi)
		s.near("Inner and ΦᵀΦ", mat.DenseCopyOf(q).RawMatrix().Data, want.RawMatrix().Data, 0)
	}
}

func (s *suite) mixed() {
	a, b, to := at(s.g, s.theta()), at(s.g, s.theta()), s.g.New()
	want := floats.AddScaledTo(make([]float64, s.n*s.n), full(a), -0.25, full(b))
	if !s.ok(s.g.Mix(to, 1, a, -0.25, b) == (s.g.Mix(a, 1, a, -0.25, b)), "Mix depends on where it stores its result") {
		return
	}
	if s.g.Mix(to, 1, to, 0, b) {
		s.near("K after Mix", full(to), want, 0)
		s.near("K after Mix in place", full(a), want, 0)
	}
}

func (s *suite) shaped() {
	rows, cols := s.g.Shape()
	s.ok(rows >= 1 && cols >= 1 && rows*cols == s.m, "θ is %d×%d, and m = %d", rows, cols, s.m)
}

func (s *suite) rankOne() {
	q, _ := s.g.Shape()
	theta, from, to := s.theta(), s.g.New(), s.g.New()
	from.At(theta)
	before := full(from)
	for _, eta := range []float64{0.3, 0, 1} {
		v, moved := s.vector(q), slices.Clone(theta)
		for i := range q {
			for j := range q {
				moved[i*q+j] = (1-eta)*theta[i*q+j] + eta*v[i]*v[j]
			}
		}
		given := slices.Clone(v)
		if !s.ok(!s.g.MixRankOne(nil, from, v, eta), "MixRankOne moves a Gram that is nil") ||
			!s.g.MixRankOne(to, from, v, eta) {
			return
		}
		s.ok(slices.Equal(v, given), "MixRankOne changed v")
		s.near(fmt.Sprintf("K after a step of %g and at once", eta), full(to), gramAt(s.g, moved), size(before))
		s.ok(slices.Equal(full(from), before), "MixRankOne changed the Gram it came from")
		w, a, b := s.vector(s.n), make([]float64, s.m), make([]float64, s.m)
		to.Gradient(a, w)
		at(s.g, moved).Gradient(b, w)
		s.near("Gradient after a step and at once", a, b, 0)
	}
}

func (s *suite) newPoints() {
	g := s.g
	out, err := g.CheckNew(s.x)
	if !s.ok(err == nil, "the fixed points: %v", err) {
		return
	}
	s.ok(slices.IsSorted(out.Rows) && (len(out.Rows) == 0 || out.Handling != ""), "out of domain %v, handling %q",
		out.Rows, out.Handling)
	for i := range s.n {
		one, err := g.CheckNew(s.x.Slice([]int{i}))
		s.ok(err == nil && (len(one.Rows) == 1) == slices.Contains(out.Rows, i),
			"point %d is outside among others and alone: %v, %v, %v", i+1, out.Rows, one, err)
	}
}

func (s *suite) threaded() {
	theta, w := s.theta(), s.vector(s.n)
	want, grad, got := gramAt(s.g, theta), make([]float64, s.m), make([]float64, s.m)
	at(s.g, theta).Gradient(grad, w)
	for _, threads := range []int{1, 2, 0} {
		h := s.g.Threads(threads)
		m, n := h.Dims()
		s.ok(m == s.m && n == s.n && h.Label(m-1) == s.g.Label(m-1), "with %d threads: %d parameters, %d points",
			threads, m, n)
		s.near(fmt.Sprintf("K with %d threads", threads), gramAt(h, theta), want, 0)
		at(h, theta).Gradient(got, w)
		s.near(fmt.Sprintf("Gradient with %d threads", threads), got, grad, 0)
		s.ok(reflect.TypeOf(h.New()) == reflect.TypeOf(s.g.New()), "Threads(%d) makes a %T, want a %T",
			threads, h.New(), s.g.New())
		s.near(fmt.Sprintf("Cross with %d threads", threads), crossAt(h.Cross(s.x), theta, s.n, s.n), want, 0)
	}
}

func (s *suite) released() {
	gradient := func(g kernel.Gram, w []float64) []float64 {
		dst := make([]float64, s.m)
		g.Gradient(dst, w)
		return dst
	}
	w := s.vector(s.n)
	for range 3 {
		theta := s.theta()
		g := at(s.g, theta)
		k, grad := full(g), gradient(g, w)
		used := at(s.g, s.theta())
		full(used)
		gradient(used, s.vector(s.n))
		used.Release()
		again := at(s.g, theta)
		s.ok(slices.Equal(full(again), k), "K in the storage of a released Gram is another")
		s.ok(slices.Equal(gradient(again, w), grad), "the gradient in the storage of a released Gram is another")
		s.ok(slices.Equal(full(g), k), "a Gram changes while another is released and used again")
	}
}
