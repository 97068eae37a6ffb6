// Package kerneltest is what every kernel.Family is to satisfy. A test of a family is one line:
//
//	kerneltest.TestFamily(t, kernel.Features{Degree: 2}, x)
//
// Every optional method that a value claims is called. The checks are counted, and a part without
// any fails.
package kerneltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/registry"
)

// Option changes what TestFamily does.
type Option func(*suite)

// Draw replaces how θ is drawn from the family's domain, which is R^m₊ unless it says otherwise.
// The domain is to be closed under adding a direction drawn the same way.
func Draw(draw func(r *rand.Rand, m int) []float64) Option {
	return func(s *suite) { s.draw = draw }
}

// Tolerance replaces 1e-9, the largest difference, relative to the largest entry of what is
// compared, of two ways to the same number.
func Tolerance(tol float64) Option { return func(s *suite) { s.tol = tol } }

// suite is one run of TestFamily.
type suite struct {
	testing.TB
	f    kernel.Family
	x    kernel.Points
	g    kernel.Grams
	m, n int
	rnd  *rand.Rand
	draw func(r *rand.Rand, m int) []float64
	tol  float64
	done map[string]int
	part string
}

// TestFamily binds f to x, at least 6 points, and checks
//
//   - K(θ): symmetric, positive semidefinite, a function of θ alone to the last bit, also when
//     several goroutines ask at once;
//   - Gradient, Along, Pair and Second against differences, by the slope of the Taylor error;
//   - Graded: the degree in θ, monotone in the order of positive semidefinite matrices;
//   - Quadratic: θᵀQθ = wᵀKw, 2Qθ the gradient, Q ≥ 0 entrywise;
//   - Rooted: ΦΦᵀ = K with fewer columns than rows;
//   - Pooled: in the storage of a released Gram the next one computes the same, to the last bit;
//   - Crossed: the fixed points as new ones give K;
//   - Sliced: Slice is On of these rows, fitted again, Block is its Cross;
//   - the order of the points does not matter;
//   - Validated: accepts x and refuses points that are damaged;
//   - storing and restoring f by package kernel gives the same K;
//   - x is not modified.
func TestFamily(t testing.TB, f kernel.Family, x kernel.Points, opts ...Option) {
	t.Helper()
	s := &suite{TB: t, f: f, x: x, rnd: rand.New(rand.NewPCG(1, 7)), draw: orthant, tol: 1e-9, done: map[string]int{}}
	for _, o := range opts {
		o(s)
	}
	before := clonePoints(x)
	s.g = f.On(x)
	s.m, s.n = s.g.Dims()
	if s.n < 6 || s.n != x.Len() || s.m < 1 {
		t.Fatalf("kerneltest: m = %d, n = %d with %d points, want 6 points at least", s.m, s.n, x.Len())
	}
	parts := []struct {
		name string
		has  bool
		run  func()
	}{
		{"matrix", true, s.matrix},
		{"gradient", true, s.gradient},
		{"concurrent", true, s.concurrent},
		{"order", true, s.order},
		{"validated", true, s.validated},
		{"stored", true, s.stored},
		{"graded", is[kernel.Graded](s.g), s.graded},
		{"crossed", is[kernel.Crossed](s.g), s.crossed},
		{"sliced", is[kernel.Sliced](s.g), s.sliced},
		{"curved", is[kernel.Curved](s.g.New()), s.curved},
		{"quadratic", is[kernel.Quadratic](s.g.New()), s.quadratic},
		{"rooted", is[kernel.Rooted](s.g.New()), s.rooted},
		{"pooled", is[kernel.Pooled](s.g.New()), s.pooled},
	}
	for _, p := range parts {
		if !p.has {
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

func clonePoints(x kernel.Points) kernel.Points {
	rows := make([]int, x.Len())
	for i := range rows {
		rows[i] = i
	}
	return x.Slice(rows)
}

// ok counts one check.
func (s *suite) ok(good bool, format string, args ...any) bool {
	s.Helper()
	s.done[s.part]++
	if !good {
		s.Errorf("%s: %s", s.part, fmt.Sprintf(format, args...))
	}
	return good
}

// near compares two vectors, to tol of the largest entry of either or of scale.
func (s *suite) near(what string, got, want []float64, scale float64) {
	s.Helper()
	if !s.ok(len(got) == len(want), "%s: %d numbers, want %d", what, len(got), len(want)) {
		return
	}
	for i := range got {
		scale = max(scale, math.Abs(got[i]), math.Abs(want[i]))
	}
	for i := range got {
		if d := math.Abs(got[i] - want[i]); !(d <= s.tol*scale) {
			s.ok(false, "%s: entry %d is %.17g, want %.17g: off by %.2g of %.3g", what, i, got[i], want[i], d/scale, scale)
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

func dot(a, b []float64) float64 {
	t := 0.0
	for i := range a {
		t += a[i] * b[i]
	}
	return t
}

func times(k, w []float64) []float64 {
	n := len(w)
	out := make([]float64, n)
	for i := range n {
		out[i] = dot(k[i*n:(i+1)*n], w)
	}
	return out
}

func moved(theta, u []float64, h float64) []float64 {
	t := slices.Clone(theta)
	for k := range t {
		t[k] += h * u[k]
	}
	return t
}

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
	s.psd("K(θ)", k)
	g.At(s.theta())
	g.K()
	g.At(theta)
	s.ok(slices.Equal(full(g), k), "K(θ) differs after a visit to another θ")
	s.ok(slices.Equal(gramAt(s.g, theta), k), "K(θ) of a second Gram differs")
}

func (s *suite) psd(what string, k []float64) {
	s.Helper()
	values, _ := linalg.Eigen(mat.NewSymDense(s.n, slices.Clone(k)), false)
	top := max(math.Abs(values[0]), math.Abs(values[s.n-1]))
	s.ok(values[0] >= -s.tol*top, "%s has an eigenvalue %g, the largest is %g", what, values[0], top)
}

// slope checks that E(h) = ‖f(θ+hu) − f(θ) − h·df‖ falls as h² where it is not rounding.
func (s *suite) slope(what string, f func(theta []float64) []float64, theta, u, df []float64) {
	s.Helper()
	f0 := f(theta)
	size := 0.0
	for _, v := range f0 {
		size = max(size, math.Abs(v))
	}
	for _, v := range df {
		size = max(size, math.Abs(v))
	}
	var last float64
	hs := []float64{1e-1, 1e-2, 1e-3}
	good, worst := 0, 0.0
	for i, h := range hs {
		f1 := f(moved(theta, u, h))
		e := 0.0
		for j := range f1 {
			e = max(e, math.Abs(f1[j]-f0[j]-h*df[j]))
		}
		if e <= s.tol*size {
			good++
		} else if i > 0 && last > 0 {
			if p := math.Log10(last / e); p > 1.8 {
				good++
			} else {
				worst = p
			}
		}
		last = e
	}
	s.ok(good >= len(hs)-1, "%s: the Taylor error falls as h^%.2f, want h²", what, worst)
}

func (s *suite) gradient() {
	for range 2 {
		theta, w, u := s.theta(), s.vector(s.n), s.theta()
		grad := make([]float64, s.m)
		at(s.g, theta).Gradient(grad, w)
		form := func(t []float64) []float64 { k := gramAt(s.g, t); return []float64{dot(w, times(k, w))} }
		s.slope("Gradient", form, theta, u, []float64{dot(grad, u)})
		k := s.rnd.IntN(s.m)
		e := make([]float64, s.m)
		e[k] = 1
		s.slope(fmt.Sprintf("Gradient, entry %d", k), form, theta, e, []float64{grad[k]})
		g := at(s.g, theta)
		again := make([]float64, s.m)
		g.Gradient(again, s.vector(s.n))
		g.K()
		g.Gradient(again, w)
		s.ok(slices.Equal(grad, again), "Gradient depends on what was asked before")
		sparse := slices.Clone(w) // few support vectors
		for i := range sparse {
			if i%3 != 0 {
				sparse[i] = 0
			}
		}
		g.Gradient(again, sparse)
		s.slope("Gradient with few nonzero w", func(t []float64) []float64 {
			return []float64{dot(sparse, times(gramAt(s.g, t), sparse))}
		}, theta, u, []float64{dot(again, u)})
	}
}

func (s *suite) graded() {
	d := s.g.(kernel.Graded).Degree()
	if !s.ok(d >= 1, "degree %d, want 1 or more", d) {
		return
	}
	theta, u := s.theta(), s.theta()
	// The (d+1)-th difference of a polynomial of degree d vanishes.
	sum := make([]float64, s.n*s.n)
	size, c := 0.0, 1.0
	for i := range d + 2 {
		for j, v := range gramAt(s.g, moved(theta, u, float64(i))) {
			sum[j] += c * v
			size = max(size, math.Abs(c*v))
		}
		c *= -float64(d+1-i) / float64(i+1)
	}
	s.near(fmt.Sprintf("difference of order %d along a line", d+1), sum, make([]float64, s.n*s.n), size)
	low, high := gramAt(s.g, theta), gramAt(s.g, moved(theta, u, 1))
	for i := range high {
		high[i] -= low[i]
	}
	s.psd("K(θ+u) − K(θ), u ≥ 0", high)
	if d == 1 {
		w, grad := s.vector(s.n), make([]float64, s.m)
		at(s.g, theta).Gradient(grad, w)
		zero := dot(w, times(gramAt(s.g, make([]float64, s.m)), w))
		s.near("⟨θ, Gradient⟩ and wᵀKw", []float64{dot(theta, grad)}, []float64{dot(w, times(low, w)) - zero}, dot(w, w))
	}
}

func (s *suite) curved() {
	for range 2 {
		s.curvature(s.theta(), s.vector(s.n), s.vector(s.n), s.theta(), s.theta())
	}
}

func (s *suite) curvature(theta, v, w, u, a []float64) {
	g := at(s.g, theta).(kernel.Curved)
	grad, pair, turned := make([]float64, s.m), make([]float64, s.m), make([]float64, s.m)
	along, second, other := make([]float64, s.n), make([]float64, s.m), make([]float64, s.m)
	at(s.g, theta).Gradient(grad, w)
	g.Along(along, u, w)
	g.Pair(pair, v, w)
	g.Pair(turned, w, v)
	s.near("Pair(v,w) and Pair(w,v)", pair, turned, 0)
	s.near("⟨u, Pair(v,w)⟩ and vᵀAlong(u,w)", []float64{dot(u, pair)}, []float64{dot(v, along)}, size(along)*size(v))
	g.Pair(turned, w, slices.Clone(w))
	s.near("Pair(w,w) and Gradient", turned, grad, 0)
	g.Second(second, u, w)
	g.Second(other, a, w)
	s.near("⟨a, Second(u)⟩ and ⟨u, Second(a)⟩", []float64{dot(a, second)}, []float64{dot(u, other)}, 0)
	s.slope("Along", func(t []float64) []float64 { return times(gramAt(s.g, t), w) }, theta, u, along)
	s.slope("Second", func(t []float64) []float64 {
		d := make([]float64, s.m)
		at(s.g, t).Gradient(d, w)
		return d
	}, theta, u, second)
	again := make([]float64, s.n)
	g.Along(again, u, w)
	s.ok(slices.Equal(along, again), "Along depends on what was asked before")
}

func size(v []float64) float64 {
	t := 0.0
	for _, x := range v {
		t = max(t, math.Abs(x))
	}
	return t
}

func (s *suite) quadratic() {
	d, ok := s.g.(kernel.Graded)
	s.ok(ok && d.Degree() == 2, "Quadratic, but not Graded of degree 2")
	for range 3 {
		s.form(s.theta(), s.vector(s.n))
	}
}

func (s *suite) form(theta, w []float64) {
	g := at(s.g, theta)
	q := mat.NewSymDense(s.m, nil)
	q.SetSym(0, s.m-1, 5) // must be overwritten
	g.(kernel.Quadratic).Form(q, w)
	var empty mat.SymDense
	g.(kernel.Quadratic).Form(&empty, w)
	s.ok(mat.Equal(q, &empty), "Form into an empty matrix differs")
	form, low := 0.0, 0.0
	grad, want := make([]float64, s.m), make([]float64, s.m)
	for j := range s.m {
		for k := range s.m {
			low = min(low, q.At(j, k))
			form += theta[j] * q.At(j, k) * theta[k]
			want[j] += 2 * q.At(j, k) * theta[k]
		}
	}
	g.Gradient(grad, w)
	s.near("θᵀQθ and wᵀKw", []float64{form}, []float64{dot(w, times(full(g), w))}, 0)
	s.near("2Qθ and Gradient", grad, want, 0)
	s.ok(low >= -s.tol*mat.Max(q), "Q has an entry %g", low)
}

func (s *suite) rooted() {
	one := make([]float64, s.m)
	one[s.m/2] = 0.7
	for _, theta := range [][]float64{s.theta(), one, make([]float64, s.m), s.theta()} {
		g := at(s.g, theta)
		phi := g.(kernel.Rooted).Root()
		if phi == nil {
			s.ok(true, "")
			continue
		}
		n, r := phi.Dims()
		if !s.ok(n == s.n && r < n, "Φ is %d×%d, want %d rows and fewer columns", n, r, s.n) {
			return
		}
		var p mat.Dense
		p.Mul(phi, phi.T())
		s.near("ΦΦᵀ and K", p.RawMatrix().Data, full(g), 0)
	}
}

func (s *suite) pooled() {
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
		used.(kernel.Pooled).Release()
		again := at(s.g, theta)
		s.ok(slices.Equal(full(again), k), "K in the storage of a released Gram is another")
		s.ok(slices.Equal(gradient(again, w), grad), "the gradient in the storage of a released Gram is another")
		s.ok(slices.Equal(full(g), k), "a Gram changes while another is released and used again")
	}
}

// block is a Cross as l×n numbers.
func block(c kernel.Cross, theta []float64, l, n int) []float64 {
	// A view with a longer stride: dst need not be contiguous.
	d := mat.NewDense(l, n+3, nil)
	c.Gram(d.Slice(0, l, 1, n+1).(*mat.Dense), theta)
	out := make([]float64, 0, l*n)
	for i := range l {
		out = append(out, d.RawRowView(i)[1:n+1]...)
	}
	return out
}

func (s *suite) crossed() {
	theta := s.theta()
	k := gramAt(s.g, theta)
	c := s.g.(kernel.Crossed)
	s.near("Cross of the fixed points and K", block(c.Cross(s.x), theta, s.n, s.n), k, 0)
	rows := []int{3, 0, 3, s.n - 1}
	var want []float64
	for _, r := range rows {
		want = append(want, k[r*s.n:(r+1)*s.n]...)
	}
	cross := c.Cross(s.x.Slice(rows))
	s.near("Cross of some of the fixed points", block(cross, theta, len(rows), s.n), want, size(k))
	cross.Gram(mat.NewDense(len(rows), s.n, nil), s.theta())
	s.near("Cross at a second θ and back", block(cross, theta, len(rows), s.n), want, size(k))
	s.near("Cross of one point", block(c.Cross(s.x.Slice([]int{2})), theta, 1, s.n), k[2*s.n:3*s.n], size(k))
}

func (s *suite) sliced() {
	g := s.g.(kernel.Sliced)
	theta := s.theta()
	for _, rows := range [][]int{{4, 1, 0, 5}, {0, 2, 2, 3, 1}, upTo(s.n)[1:]} {
		t := g.Slice(rows)
		u := s.f.On(s.x.Slice(rows))
		m, n := t.Dims()
		s.ok(m == s.m && n == len(rows), "Slice of %d rows: %d parameters, %d points", len(rows), m, n)
		s.ok(t.Label(m-1) == s.g.Label(m-1), "Slice has the label %q, want %q", t.Label(m-1), s.g.Label(m-1))
		want := gramAt(u, theta)
		s.near("Slice and On(x[rows])", gramAt(t, theta), want, 0)
		w, a, b := s.vector(n), make([]float64, m), make([]float64, m)
		at(t, theta).Gradient(a, w)
		at(u, theta).Gradient(b, w)
		s.near("Gradient of Slice and of On(x[rows])", a, b, 0)
		s.ok(is[kernel.Sliced](t) && is[kernel.Crossed](t) == is[kernel.Crossed](s.g) && is[kernel.Graded](t) == is[kernel.Graded](s.g), "Slice is not what it is a slice of")
		if v, ok := t.(kernel.Validated); ok {
			s.ok(v.Validate() == nil, "Slice: %v", v.Validate())
		}
		back := []int{2, 0, 1}
		s.near("Slice of Slice", gramAt(t.(kernel.Sliced).Slice(back), theta), gramAt(s.f.On(s.x.Slice(pick(rows, back))), theta), size(want))
		cols, new := back, []int{0, 3, 1}
		s.near("Block of Slice", block(t.(kernel.Sliced).Block(new, cols), theta, 3, 3),
			block(s.f.On(s.x.Slice(pick(rows, cols))).(kernel.Crossed).Cross(s.x.Slice(pick(rows, new))), theta, 3, 3), size(want))
	}
	rows, cols := []int{5, 0, 2}, []int{1, 3, 4, 2}
	want := block(s.f.On(s.x.Slice(cols)).(kernel.Crossed).Cross(s.x.Slice(rows)), theta, len(rows), len(cols))
	s.near("Block and Cross of On(x[cols])", block(g.Block(rows, cols), theta, len(rows), len(cols)), want, 0)
}

func pick(v, at []int) []int {
	p := make([]int, len(at))
	for i, j := range at {
		p[i] = v[j]
	}
	return p
}

func upTo(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

func (s *suite) order() {
	p := s.rnd.Perm(s.n)
	theta, w := s.theta(), s.vector(s.n)
	g, h := at(s.g, theta), at(s.f.On(s.x.Slice(p)), theta)
	k := full(g)
	want, wp := make([]float64, 0, s.n*s.n), make([]float64, s.n)
	for i := range p {
		wp[i] = w[p[i]]
		for j := range p {
			want = append(want, k[p[i]*s.n+p[j]])
		}
	}
	s.near("K of permuted points", full(h), want, 0)
	a, b := make([]float64, s.m), make([]float64, s.m)
	g.Gradient(a, w)
	h.Gradient(b, wp)
	s.near("Gradient of permuted points", b, a, 0)
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
			if c, ok := fresh.(kernel.Sliced); ok {
				at(c.Slice([]int{0, 1, 2}), theta).K()
			}
		})
	}
	wg.Wait()
	for i := range ks {
		s.ok(slices.Equal(ks[i], ks[0]) && slices.Equal(gs[i], gs[0]), "two runs on one Grams differ")
	}
	s.ok(slices.Equal(ks[0], gramAt(s.g, theta)), "a second On of the same points differs")
}

func (s *suite) validated() {
	v, ok := s.g.(kernel.Validated)
	if !s.ok(ok, "the Grams is not Validated: nothing would tell of bad points") {
		return
	}
	s.ok(v.Validate() == nil, "%v", v.Validate())
	for _, bad := range damaged(s.x) {
		g := s.f.On(bad)
		g.Dims()
		s.ok(g.(kernel.Validated).Validate() != nil, "accepts %v", bad)
	}
}

// damaged are copies of x that no family may accept.
func damaged(x kernel.Points) []kernel.Points {
	var out []kernel.Points
	switch x := clonePoints(x).(type) {
	case kernel.Rows:
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			b := clonePoints(x).(kernel.Rows)
			b.Data[len(b.Data)/2] = v
			out = append(out, b)
		}
		short := x
		short.Data = short.Data[:len(short.Data)-1]
		out = append(out, short, kernel.Rows{D: x.D})
	case kernel.Sparse:
		b := clonePoints(x).(kernel.Sparse)
		if len(b.Val) > 0 {
			b.Val[len(b.Val)/2] = math.NaN()
			out = append(out, b)
		}
		short := x
		short.Ptr = short.Ptr[:len(short.Ptr)-1]
		out = append(out, kernel.Sparse{D: x.D, Ptr: []int{0}})
		if len(x.Col) > short.Ptr[len(short.Ptr)-1] {
			out = append(out, short)
		}
	case kernel.Places:
		b := clonePoints(x).(kernel.Places)
		b[len(b)/2] = -1
		out = append(out, b, kernel.Places{})
	}
	return append(out, nil)
}

func (s *suite) stored() {
	data, err := registry.Marshal(s.f)
	if !s.ok(err == nil, "%v", err) {
		return
	}
	points, err := registry.Marshal(s.x)
	if !s.ok(err == nil, "%v", err) {
		return
	}
	f, err := registry.Unmarshal[kernel.Family](data)
	if !s.ok(err == nil, "%v", err) {
		return
	}
	x, err := registry.Unmarshal[kernel.Points](points)
	if !s.ok(err == nil, "%v", err) {
		return
	}
	s.ok(reflect.DeepEqual(f, s.f), "restored as %#v, want %#v", f, s.f)
	theta := s.theta()
	s.ok(slices.Equal(gramAt(f.On(x), theta), gramAt(s.g, theta)), "K(θ) of what was restored differs")
}
