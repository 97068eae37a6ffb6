// Package regtest checks that a reg.Reg keeps its contract.
package regtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
)

// TestReg checks r on m parameters, at points of every sign and of the sizes 1, 1e6 and 1e−6:
//
//   - Value is finite, the same with and without grad, adds to grad, and leaves θ alone;
//   - r is convex: on chords, and r(θ') ≥ r(θ) + ⟨∂r(θ), θ'−θ⟩;
//   - where r is differentiable, the Taylor error |r(θ+hu) − r(θ) − h⟨∇r,u⟩| has slope 2 in h;
//   - if r is reg.Majorized, its quadratic touches r at θ and is nowhere below; where it is exact it is r, and on the
//     orthant, the simplex and two balls P_Θ(C − g/2A) minimises ⟨g,θ⟩ + r(θ);
//   - two calls give the same bits, and r is not modified.
//
// It fails if it checked nothing.
func TestReg(t testing.TB, r reg.Reg, m int) {
	t.Helper()
	c := &checker{TB: t, reg: r, m: m, name: fmt.Sprintf("%T%+v on %d", r, r, m),
		r: rand.New(rand.NewPCG(uint64(m), 11))}
	if err := r.Validate(m); err != nil {
		t.Errorf("regtest: %s: %v, want a valid regularizer", c.name, err)
		return
	}
	for _, size := range []float64{1, 1e6, 1e-6} {
		for range 20 {
			c.value(c.point(size))
			c.convex(c.point(size), c.point(size))
		}
		c.slope(c.point(size), c.point(size))
	}
	if q, ok := r.(reg.Majorized); ok {
		c.majorize(q)
	}
	c.check(fmt.Sprintf("%T%+v on %d", r, r, m) == c.name, "modified: it is now %+v", r)
	if c.count == 0 {
		t.Errorf("regtest: %s: no checks", c.name)
	}
	t.Logf("regtest: %s: %d checks", c.name, c.count)
}

type checker struct {
	testing.TB
	reg   reg.Reg
	m     int
	name  string
	r     *rand.Rand
	count int
}

func (c *checker) check(ok bool, format string, a ...any) {
	c.Helper()
	c.count++
	if !ok {
		c.Errorf("regtest: %s: "+format, append([]any{c.name}, a...)...)
	}
}

func (c *checker) point(size float64) []float64 {
	x := make([]float64, c.m)
	for k := range x {
		x[k] = size * c.r.NormFloat64()
	}
	return x
}

func (c *checker) value(theta []float64) {
	before := append([]float64(nil), theta...)
	v := c.reg.Value(nil, theta)
	c.check(!math.IsNaN(v) && !math.IsInf(v, 0), "value %g at %v, want a finite number", v, theta)
	grad := make([]float64, c.m)
	c.check(c.reg.Value(grad, theta) == v, "value with grad is not %g, that without", v)
	add := make([]float64, c.m)
	for k := range add {
		add[k] = float64(k) - 1
	}
	c.reg.Value(add, theta)
	for k := range add {
		want := float64(k) - 1 + grad[k]
		c.check(math.Abs(add[k]-want) <= 1e-15*(math.Abs(want)+float64(c.m)),
			"Value does not add to grad: %g, want %g", add[k], want)
		c.check(theta[k] == before[k], "Value modifies θ")
	}
}

func (c *checker) convex(x, y []float64) {
	grad, mid := make([]float64, c.m), make([]float64, c.m)
	fx, fy := c.reg.Value(grad, x), c.reg.Value(nil, y)
	tol := 1e-13 * (math.Abs(fx) + math.Abs(fy))
	linear := 0.0
	for k := range x {
		linear += grad[k] * (y[k] - x[k])
	}
	c.check(fy >= fx+linear-tol-1e-13*math.Abs(linear), "not a subgradient: r(θ') = %g below the tangent %g", fy,
		fx+linear)
	for _, t := range []float64{0.1, 0.5, 0.8} {
		for k := range x {
			mid[k] = (1-t)*x[k] + t*y[k]
		}
		f := c.reg.Value(nil, mid)
		c.check(f <= (1-t)*fx+t*fy+tol, "not convex: %g above the chord %g", f, (1-t)*fx+t*fy)
	}
}

// slope checks that the Taylor error falls by 100 as h falls by 10, over three decades. The curvature
// of a linear r is 0: then the error is rounding, which is right too.
func (c *checker) slope(x, u []float64) {
	grad, y := make([]float64, c.m), make([]float64, c.m)
	fx := c.reg.Value(grad, x)
	gu := 0.0
	for k := range x {
		gu += grad[k] * u[k]
	}
	before := math.NaN()
	for _, h := range []float64{1e-2, 1e-3, 1e-4, 1e-5} {
		for k := range y {
			y[k] = x[k] + h*u[k]
		}
		e := math.Abs(c.reg.Value(nil, y) - fx - h*gu)
		rounding := 1e-14 * (math.Abs(fx) + math.Abs(gu))
		if !math.IsNaN(before) {
			c.check(e <= before/100*1.1+rounding, "slope of the Taylor error from h = %g to %g is %.2f, want 2", 10*h,
				h, math.Log10(before/e))
		}
		before = e
	}
}

func (c *checker) majorize(r reg.Majorized) {
	var q reg.Quadratic
	for _, size := range []float64{1, 1e6, 1e-6} {
		at, ok := c.point(size), false
		if q, ok = r.Majorize(at); !ok {
			return
		}
		c.check(q.A > 0, "Majorize: A = %g, want > 0", q.A)
		c.check(len(q.C) == c.m, "Majorize: centre of length %d, want %d", len(q.C), c.m)
		if len(q.C) != c.m || !(q.A > 0) {
			return
		}
		for i, theta := range [][]float64{at, c.point(size)} {
			ss := 0.0
			for i, v := range theta {
				ss += (v - q.C[i]) * (v - q.C[i])
			}
			got, want := c.reg.Value(nil, theta), q.A*ss+q.K
			tol := 1e-12 * (q.A*ss + math.Abs(q.K))
			c.check(got <= want+tol, "r(θ) = %g, above A‖θ−C‖² + K = %g", got, want)
			c.check(i > 0 && !q.Exact || got >= want-tol, "r(θ) = %g, but A‖θ−C‖² + K = %g", got, want)
		}
	}
	if !q.Exact {
		return
	}
	a, center := q.A, q.C
	other := make([]float64, c.m)
	for i := range other {
		other[i] = c.r.Float64()
	}
	for _, s := range []set.Set{set.Orthant{}, set.Simplex{Sum: 2}, set.Ball{Q: 1, Radius: 0.7, Center: other},
		set.Ball{Q: 3, Radius: 2}} {
		for range 10 {
			g, y, p := c.point(a), make([]float64, c.m), make([]float64, c.m)
			of := func(theta []float64) float64 {
				v := c.reg.Value(nil, theta)
				for i := range theta {
					v += g[i] * theta[i]
				}
				return v
			}
			for i := range y {
				y[i] = center[i] - g[i]/(2*a)
			}
			s.Project(p, y)
			least := of(p)
			for range 20 {
				x := c.point(1)
				for i := range x {
					x[i] += p[i]
				}
				s.Project(y, x)
				v := of(y)
				c.check(v >= least-1e-12*(math.Abs(least)+math.Abs(v)),
					"on %T: ⟨g,θ⟩ + r is %g at P(c − g/2a), but %g at %v", s, least, v, y)
			}
		}
	}
}
