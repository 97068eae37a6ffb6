package kerneltest

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
)

func (s *suite) gradient() {
	for range 2 {
		theta, w, u := s.theta(), s.vector(s.n), s.theta()
		grad := make([]float64, s.m)
		at(s.g, theta).Gradient(grad, w)
		form := func(t []float64) []float64 { k := gramAt(s.g, t); return []float64{floats.Dot(w, times(k, w))} }
		s.slope("Gradient", form, theta, u, []float64{floats.Dot(grad, u)})
		if s.orthant {
			k := s.rnd.IntN(s.m)
			e := make([]float64, s.m)
			e[k] = 1
			s.slope(fmt.Sprintf("Gradient, entry %d", k), form, theta, e, []float64{grad[k]})
		}
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
			return []float64{floats.Dot(sparse, times(gramAt(s.g, t), sparse))}
		}, theta, u, []float64{floats.Dot(again, u)})
	}
}

// slope checks that E(h) = ‖f(θ+hu) − f(θ) − h·df‖ falls as h² where it is not rounding.
func (s *suite) slope(what string, f func(theta []float64) []float64, theta, u, df []float64) {
	s.Helper()
	f0 := f(theta)
	scale := max(size(f0), size(df))
	var last float64
	hs := []float64{1e-1, 1e-2, 1e-3}
	good, worst := 0, 0.0
	for i, h := range hs {
		f1 := f(moved(theta, u, h))
		e := 0.0
		for j := range f1 {
			e = max(e, math.Abs(f1[j]-f0[j]-h*df[j]))
		}
		if e <= tolerance*scale {
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

func (s *suite) graded() {
	d := s.g.Degree()
	if !s.ok(d >= 1, "degree %d, want 1 or more", d) {
		return
	}
	theta, u := s.theta(), s.theta()
	rest, size := s.difference(theta, u, d+1) // of a polynomial of degree d it vanishes
	s.near(fmt.Sprintf("difference of order %d along a line", d+1), rest, make([]float64, s.n*s.n), size)
	// Differences of lower order are sums of its coefficients with weights ≥ 0: for degree 1
	// K(θ+u) − K(θ) = K(u), for more each of them is positive semidefinite.
	for order := 1; order <= d; order++ {
		k, size := s.difference(theta, u, order)
		s.psd(fmt.Sprintf("difference of order %d along a direction of the domain", order), k, size)
	}
	if d == 1 {
		w, grad := s.vector(s.n), make([]float64, s.m)
		at(s.g, theta).Gradient(grad, w)
		s.near("⟨θ, Gradient⟩ and wᵀKw", []float64{floats.Dot(theta, grad)},
			[]float64{floats.Dot(w, times(gramAt(s.g, theta), w))}, floats.Dot(w, w))
	}
}

// difference is Σ_i (−1)^{order−i} C(order, i) K(θ+iu), and the largest entry of its terms.
func (s *suite) difference(theta, u []float64, order int) (sum []float64, size float64) {
	sum = make([]float64, s.n*s.n)
	c := 1.0
	for i := order; i >= 0; i-- {
		for j, v := range gramAt(s.g, moved(theta, u, float64(i))) {
			sum[j] += c * v
			size = max(size, math.Abs(c*v))
		}
		c *= -float64(i) / float64(order-i+1)
	}
	return sum, size
}

func (s *suite) curved() {
	for range 2 {
		s.curvature(s.theta(), s.vector(s.n), s.vector(s.n), s.theta(), s.theta())
	}
}

func (s *suite) curvature(theta, v, w, u, a []float64) {
	g := at(s.g, theta).(kernel.SecondOrder)
	grad, pair, turned := make([]float64, s.m), make([]float64, s.m), make([]float64, s.m)
	along, second, other := make([]float64, s.n), make([]float64, s.m), make([]float64, s.m)
	at(s.g, theta).Gradient(grad, w)
	g.DirectionalMul(along, u, w)
	g.BilinearGrad(pair, v, w)
	g.BilinearGrad(turned, w, v)
	s.near("Pair(v,w) and Pair(w,v)", pair, turned, 0)
	s.near("⟨u, Pair(v,w)⟩ and vᵀAlong(u,w)", []float64{floats.Dot(u, pair)}, []float64{floats.Dot(v, along)},
		size(along)*size(v))
	g.BilinearGrad(turned, w, slices.Clone(w))
	s.near("Pair(w,w) and Gradient", turned, grad, 0)
	g.HessianForm(second, u, w)
	g.HessianForm(other, a, w)
	s.near("⟨a, Second(u)⟩ and ⟨u, Second(a)⟩", []float64{floats.Dot(a, second)}, []float64{floats.Dot(u, other)}, 0)
	s.slope("Along", func(t []float64) []float64 { return times(gramAt(s.g, t), w) }, theta, u, along)
	s.slope("Second", func(t []float64) []float64 {
		d := make([]float64, s.m)
		at(s.g, t).Gradient(d, w)
		return d
	}, theta, u, second)
	again := make([]float64, s.n)
	g.DirectionalMul(again, u, w)
	s.ok(slices.Equal(along, again), "Along depends on what was asked before")
}

func (s *suite) quadratic() {
	for range 3 {
		s.form(s.theta(), s.vector(s.n))
	}
}

func (s *suite) form(theta, w []float64) {
	g := at(s.g, theta)
	q := mat.NewSymDense(s.m, nil)
	q.SetSym(0, s.m-1, 5) // must be overwritten
	second := g.(kernel.SecondOrder)
	if _, ok := second.QuadraticForm(q, w); !ok {
		s.ok(true, "")
		return
	}
	var empty mat.SymDense
	bound, _ := second.QuadraticForm(&empty, w)
	s.ok(mat.Equal(q, &empty) && bound >= 0, "QuadraticForm into an empty matrix differs")
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
	s.near("θᵀQθ and wᵀKw", []float64{form}, []float64{floats.Dot(w, times(full(g), w))}, 0)
	s.near("2Qθ and Gradient", grad, want, 0)
	s.ok(low >= -tolerance*mat.Max(q), "Q has an entry %g", low)
}

func (s *suite) blocked() {
	theta, w := s.theta(), s.vector(s.n)
	g := at(s.g, theta)
	b := g.(kernel.Blocked)
	begin := b.Blocks()
	m := len(begin) - 1
	if !s.ok(m >= 1 && begin[0] == 0 && begin[m] == s.m &&
		slices.IsSorted(begin), "blocks begin at %v, of %d parameters", begin, s.m) {
		return
	}
	c, forms, again := make([]float64, m), make([]float64, m), make([]float64, m)
	one := full(g)
	b.Forms(forms, w)
	total := 0.0
	for i, v := range forms {
		total += v
		c[i] = 0.2 + 2*s.rnd.Float64()
	}
	s.near("Σ Forms and wᵀKw before Weigh", []float64{total}, []float64{floats.Dot(w, times(one, w))}, 0)
	b.Weigh(slices.Clone(c))
	k := full(g)
	s.psd("K of weights c > 0", k, 0)
	s.near("Σ c_i Forms_i and wᵀKw", []float64{floats.Dot(c, forms)}, []float64{floats.Dot(w, times(k, w))}, 0)
	b.Forms(again, w)
	s.near("Forms before and after Weigh", again, forms, 0)
	grad, u := make([]float64, s.m), s.theta()
	g.Gradient(grad, w)
	s.slope("Gradient of weights c", func(t []float64) []float64 {
		g.At(t)
		b.Weigh(c)
		return []float64{floats.Dot(w, times(full(g), w))}
	}, theta, u, []float64{floats.Dot(grad, u)})
	scaled := make([]float64, s.m)
	b.Scaled(scaled, theta)
	s.near("K at Scaled θ and K of weights c", gramAt(s.g, scaled), k, 0)
	g.At(theta)
	s.near("K after At, which sets every weight to 1", full(g), one, 0)
}
