package set_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/floats"
)

// TestBallKnown tests values that follow by hand.
func TestBallKnown(t *testing.T) {
	for _, c := range []struct {
		b       set.Ball
		x, want []float64
	}{
		{set.Ball{Q: 1, Radius: 1}, []float64{1, 0.5, -3}, []float64{0.75, 0.25, 0}},
		{set.Ball{Q: 2, Radius: 1}, []float64{3, 4, -5}, []float64{0.6, 0.8, 0}},
		{set.Ball{Q: 4, Radius: 1}, []float64{0.2, 0.3}, []float64{0.2, 0.3}},
		{set.Ball{Q: 3, Radius: 2}, []float64{7, 7}, []float64{2 / math.Cbrt(2), 2 / math.Cbrt(2)}},
		// The first coordinate is clipped at 0, 0.6 from the center: the second keeps √(1−0.36).
		{set.Ball{Q: 2, Radius: 1, Center: []float64{0.6, 0}}, []float64{-9, 9}, []float64{0, 0.8}},
		{set.Ball{Q: 1, Radius: 1, Center: []float64{0.6, 0}}, []float64{-9, 9}, []float64{0, 0.4}},
	} {
		got := make([]float64, len(c.x))
		c.b.Project(got, c.x)
		if !near(got, c.want, 1e-15) {
			t.Errorf("%+v: projection of %v is %v, want %v", c.b, c.x, got, c.want)
		}
	}
	for _, c := range []struct {
		b          set.Ball
		g, theta   []float64
		wantedLess float64
	}{
		// −Λ‖g‖_{q/(q−1)} where nothing is clipped.
		{set.Ball{Q: 2, Radius: 2}, []float64{-3, -4}, []float64{1.2, 1.6}, -10},
		{set.Ball{Q: 1, Radius: 2}, []float64{-3, -4}, []float64{0, 2}, -8},
		{set.Ball{Q: 2, Radius: 2}, []float64{3, 4}, []float64{0, 0}, 0},
		{set.Ball{Q: 2, Radius: 1, Center: []float64{0.6, 0}}, []float64{9, -0.1}, []float64{0, 0.8}, -0.08},
		{set.Ball{Q: 1, Radius: 1, Center: []float64{0.6, 0}}, []float64{9, -0.1}, []float64{0, 0.4}, -0.04},
		// The ball reaches below 0 everywhere: the corner 0 of the orthant is the minimum.
		{set.Ball{Q: 3, Radius: 9, Center: []float64{1, 2}}, []float64{5, 1e-9}, []float64{0, 0}, 0},
	} {
		got := make([]float64, len(c.g))
		v := c.b.Minimize(got, c.g)
		if !near(got, c.theta, 1e-15) || math.Abs(v-c.wantedLess) > 1e-14 {
			t.Errorf("%+v: Minimize of %v is %g at %v, want %g at %v", c.b, c.g, v, got, c.wantedLess, c.theta)
		}
	}
}

func near(a, b []float64, tol float64) bool {
	for k := range a {
		if !(math.Abs(a[k]-b[k]) <= tol) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestBallContinuousInQ tests that exponents solved as 1 or 2 and those next to them agree.
func TestBallContinuousInQ(t *testing.T) {
	x := []float64{3, -1, 0.4, 2.9, 0.1}
	c := []float64{0.2, 0.5, 0, 1, 3}
	for _, pair := range [][2]float64{{1, 1 + 1e-14}, {1, 1 + 1e-12}, {1, 1 + 1e-9}, {2, 2 + 1e-12}, {2, 2 - 1e-12}} {
		a, b := set.Ball{Q: pair[0], Radius: 0.8, Center: c}, set.Ball{Q: pair[1], Radius: 0.8, Center: c}
		p, q := make([]float64, len(x)), make([]float64, len(x))
		a.Project(p, x)
		b.Project(q, x)
		if !near(p, q, 1e-7) {
			t.Errorf("projections for q = %v: %v and %v", pair, p, q)
		}
		if va, vb := a.Minimize(nil, x), b.Minimize(nil, x); math.Abs(va-vb) > 1e-7 {
			t.Errorf("minima for q = %v: %g and %g", pair, va, vb)
		}
	}
}

// TestNotFinite tests that NaN and infinite numbers in the arguments give NaN.
func TestNotFinite(t *testing.T) {
	nan, p := math.NaN(), make([]float64, 3)
	for _, q := range []float64{1, 1.5, 2} {
		b := set.Ball{Q: q, Radius: 1, Center: []float64{1, 1, 1}}
		for _, bad := range []float64{nan, inf, -inf} {
			if b.Project(p, []float64{2, bad, 0}); !math.IsNaN(p[0]) || !math.IsNaN(p[1]) || !math.IsNaN(p[2]) {
				t.Errorf("q = %g: projection of a point with %g is %v, want NaN", q, bad, p)
			}
		}
		if v := b.Minimize(p, []float64{-1, nan, 2}); !math.IsNaN(v) {
			t.Errorf("q = %g: Minimize of a g with NaN is %g, want NaN", q, v)
		}
	}
	for _, s := range []set.Set{set.Orthant{}, set.Simplex{}} {
		v := s.Minimize(nil, []float64{1, nan, 2})
		if s.Project(p, []float64{1, nan, 2}); !math.IsNaN(v) || !math.IsNaN(p[1]) {
			t.Errorf("%T: of arguments with NaN, Minimize is %g and the projection %v", s, v, p)
		}
	}
}

func TestValidate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		s    set.Set
		m    int
		want string // in the message; "" for valid
	}{
		{set.Orthant{}, 3, ""},
		{set.Orthant{At: -1}, 3, "-1"},
		{set.Orthant{}, 0, "at least 1"},
		{set.Simplex{}, 1, ""},
		{set.Simplex{Sum: nan}, 1, "NaN"},
		{set.Simplex{Sum: inf}, 1, "+Inf"},
		{set.Ball{Q: 1000, Radius: 1e-3, Center: []float64{0, 1}}, 2, ""},
		{set.Ball{Q: 0.5, Radius: 1}, 5, "q = 0.5; use a number from 1 to 1000"},
		{set.Ball{Q: nan, Radius: 1}, 5, "q = NaN"},
		{set.Ball{Q: 2}, 5, "radius 0"},
		{set.Ball{Q: 2, Radius: inf}, 5, "radius +Inf"},
		{set.Ball{Q: 2, Radius: 1, Center: []float64{1}}, 2, "length 1, but there are 2 parameters"},
		{set.Ball{Q: 2, Radius: 1, Center: []float64{1, -3}}, 2, "coordinate 2 of the center of the ball is -3"},
		{set.Ball{Q: 2, Radius: 1, Center: []float64{nan, 1}}, 2, "coordinate 1 of the center of the ball is NaN"},
		{set.Ball{Q: 2, Radius: 1}, 0, "at least 1"},
	} {
		err := c.s.Validate(c.m)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%+v on %d: %v, want valid", c.s, c.m, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "set: ")):
			t.Errorf("%+v on %d: %v, want an error of set: with %q", c.s, c.m, err, c.want)
		}
	}
}

// TestLengths tests that vectors of unequal lengths panic with the message of the package.
func TestLengths(t *testing.T) {
	two, three := make([]float64, 2), make([]float64, 3)
	b := set.Ball{Q: 2, Radius: 1, Center: []float64{0, 0}}
	for name, f := range map[string]func(){
		"Project":          func() { b.Project(two, three) },
		"Project, center":  func() { b.Project(three, three) },
		"Minimize":         func() { b.Minimize(three, two) },
		"Minimize, center": func() { b.Minimize(nil, three) },
		"Simplex":          func() { set.Simplex{}.Project(two, three) },
	} {
		if got := testenv.Panic(f); got != "set: the slices have different lengths" {
			t.Errorf("%s of unequal lengths: panic %v", name, got)
		}
	}
}

// TestNormalize tests that for q = 2, from z ≥ μ₀ outside, radial scaling is the projection; for q = 1.5 it is
// on the sphere but farther. Erratum: Li et al., Algorithms 2 and 5; Cortes et al., Algorithm 1.
func TestNormalize(t *testing.T) {
	c := []float64{1, 0.5, 0}
	x := []float64{3, 1, 0.7}
	a, p := make([]float64, 3), make([]float64, 3)
	for _, q := range []float64{1, 1.5, 2, 3} {
		b := set.Ball{Q: q, Radius: 0.9, Center: c}
		b.Normalize(a, x)
		b.Project(p, x)
		if n := b.Norm(a); math.Abs(n-0.9) > 1e-15 {
			t.Errorf("q = %g: scaled to distance %g of the center, want 0.9", q, n)
		}
		if same := near(a, p, 1e-14); same != (q == 2) {
			t.Errorf("q = %g: scaled %v, projected %v", q, a, p)
		}
	}
	// a point inside goes to the sphere too, and the center to Start
	b := set.Ball{Q: 2, Radius: 1}
	b.Start(p)
	for x, want := range map[[3]float64][]float64{{0.1, 0, -4}: {1, 0, 0}, {0, 0, -4}: p} {
		if b.Normalize(a, x[:]); !near(a, want, 0) {
			t.Errorf("%v is scaled to %v, want %v", x, a, want)
		}
	}
	// The example of the report on the papers: below the center it leaves the orthant.
	b = set.Ball{Q: 2, Radius: 1.5, Center: []float64{1, 1, 1}}
	b.Normalize(a, []float64{0.05, 1.1, 1.2})
	if math.Abs(a[0]+0.46) > 0.005 {
		t.Errorf("first coordinate %g, want −0.46", a[0])
	}
}

// violation returns by how much θ violates the definition of b.
func violation(b set.Ball, theta []float64) float64 {
	u := slices.Clone(theta)
	floats.Sub(u, b.Center)
	largest := floats.Norm(u, inf)
	if largest > 0 {
		floats.Scale(1/largest, u)
	}
	return max(0, -floats.Min(theta), largest*floats.Norm(u, b.Q)-b.Radius)
}

// fuzzed makes a valid ball and a point of the numbers of a fuzzer; ok is false if they are out of
// the range that is promised: finite, and within 1e±100 of each other.
func fuzzed(q, radius, center, c1, x1, x2, x3 float64) (b set.Ball, x []float64, ok bool) {
	b = set.Ball{Q: q, Radius: radius, Center: []float64{center, c1, 0}}
	x = []float64{x1, x2, x3}
	for _, v := range []float64{radius, center, c1, x1, x2, x3} {
		if a := math.Abs(v); a != 0 && !(a > 1e-100 && a < 1e100) {
			return b, nil, false
		}
	}
	return b, x, b.Validate(3) == nil
}

func FuzzBallProject(f *testing.F) {
	f.Add(1.5, 1.0, 0.5, 0.0, 2.0, -1.0, 0.3)
	f.Add(2.0, 1e-9, 1e9, 1.0, 0.0, 1.0, 1.0)
	f.Add(1.0, 1.0, 0.6, 0.6, -9.0, 9.0, 9.0)
	f.Add(1.0000001, 1.0, 0.6, 0.6, -9.0, 9.0, 9.0)
	f.Add(999.0, 3.0, 0.6, 7.0, -9.0, -9.0, 9.0)
	f.Add(7.0, 1e90, 1e-90, 0.6, -1e99, 9.0, 9.0)
	f.Fuzz(func(t *testing.T, q, radius, center, c1, x1, x2, x3 float64) {
		b, x, ok := fuzzed(q, radius, center, c1, x1, x2, x3)
		if !ok {
			return
		}
		p := make([]float64, 3)
		b.Project(p, x)
		size := 0.0 // of μ₀ + u, whose rounding nobody can avoid
		for k := range p {
			size = max(size, p[k])
		}
		by := violation(b, p)
		if !(by <= 1e-12*radius+1e-15*size) {
			t.Fatalf("%+v: projection %v of %v is outside by %g", b, p, x, by)
		}
		// ⟨x−p, θ−p⟩ ≤ 0 for all θ, up to the rounding of x and p.
		d, far, diam := make([]float64, 3), 0.0, 0.0
		dp := 0.0
		for k := range d {
			d[k] = x[k] - p[k]
			dp += d[k] * p[k]
			far = max(far, math.Abs(x[k]), p[k])
			diam = max(diam, b.Center[k]+3*radius)
		}
		// 1e-12 of the largest terms; near q = 1 the multiplier is known to the rounding of x only.
		if gap := set.Support(b, d) - dp; !(gap <= 1e-11*far*diam) {
			t.Fatalf("%+v: projection %v of %v: ⟨x−p,θ−p⟩ reaches %g", b, p, x, gap)
		}
	})
}

func FuzzBallMinimize(f *testing.F) {
	f.Add(1.5, 1.0, 0.5, 0.0, 2.0, -1.0, 0.3)
	f.Add(1.0, 1.0, 0.6, 0.6, 9.0, 9.0, -9.0)
	f.Add(1.001, 1.0, 0.1, 0.6, 1.0, -0.4, -0.3)
	f.Add(2.0, 1.0, 0.6, 0.1, 9.0, 1.0, -0.1)
	f.Add(999.0, 3.0, 0.6, 7.0, -9.0, -9.0, 9.0)
	f.Fuzz(func(t *testing.T, q, radius, center, c1, g1, g2, g3 float64) {
		b, g, ok := fuzzed(q, radius, center, c1, g1, g2, g3)
		if !ok {
			return
		}
		s := make([]float64, 3)
		v := b.Minimize(s, g)
		if by := violation(b, s); !(by <= 1e-12*radius+1e-15*(center+c1+radius)) {
			t.Fatalf("%+v: minimizer %v of %v is outside by %g", b, s, g, by)
		}
		// No point of a net of directions, scaled onto the sphere and then clipped, is lower.
		tol := 0.0
		for k := range g {
			tol = max(tol, 1e-12*math.Abs(g[k])*(b.Center[k]+radius))
		}
		for i := range 1000 {
			u := [3]float64{float64(i%10) - 4.5, float64(i/10%10) - 4.5, float64(i/100) - 4.5}
			top := max(math.Abs(u[0]), math.Abs(u[1]), math.Abs(u[2]))
			n := 0.0
			for _, w := range u {
				n += math.Pow(math.Abs(w)/top, q)
			}
			n = top * math.Pow(n, 1/q) // at least the norm
			value := 0.0
			for k := range g {
				value += g[k] * max(0, b.Center[k]+radius*(u[k]/n))
			}
			if value < v-tol {
				t.Fatalf("%+v: Minimize of %v is %g, but %g at direction %v", b, g, v, value, u)
			}
		}
	})
}

func FuzzSimplexProject(f *testing.F) {
	f.Add(1.0, 0.3, 0.3, 0.3, 0.1)
	f.Add(1e-9, 1e9, 1e9, 0.0, -5.0)
	f.Add(3.0, -1.0, -1.0, -7.0, -1.0)
	f.Fuzz(func(t *testing.T, sum, x1, x2, x3, x4 float64) {
		s, x := set.Simplex{Sum: sum}, []float64{x1, x2, x3, x4}
		for _, v := range append(x, sum) {
			if a := math.Abs(v); a != 0 && !(a > 1e-100 && a < 1e100) {
				return
			}
		}
		if s.Validate(4) != nil {
			return
		}
		if sum == 0 {
			sum = 1
		}
		p := make([]float64, 4)
		s.Project(p, x)
		if by := math.Abs(floats.Sum(p) - sum); !(by <= 4e-15*sum && floats.Min(p) >= 0) {
			t.Fatalf("sum %g: projection %v of %v is outside by %g", sum, p, x, by)
		}
		// One τ for all: x − p is the same where p > 0, and no larger where p = 0.
		tau, size := math.Inf(-1), sum
		for k := range p {
			size = max(size, math.Abs(x[k]))
			tau = max(tau, x[k]-p[k])
		}
		for k := range p {
			if p[k] > 0 && x[k]-p[k] < tau-1e-14*size {
				t.Fatalf("sum %g: projection %v of %v: coordinate %d moves by %g, another by %g", sum, p, x, k+1,
					p[k]-x[k], -tau)
			}
		}
	})
}

func ExampleBall() {
	b := set.Ball{Q: 1, Radius: 1}
	theta := []float64{1, 0.5, -3}
	b.Project(theta, theta)
	fmt.Println(theta)

	least := b.Minimize(theta, []float64{-1, -2, 5})
	fmt.Println(least, theta)
	fmt.Println(set.Ball{Q: 0.5, Radius: 1}.Validate(3))
	// Output:
	// [0.75 0.25 0]
	// -2 [0 1 0]
	// set: the ball has q = 0.5; use a number from 1 to 1000
}

func ExampleSimplex() {
	theta := []float64{1, 0.5, -3}
	set.Simplex{}.Project(theta, theta)
	fmt.Println(theta)
	fmt.Println(set.Support(set.Simplex{}, []float64{3, 7, 1}))
	// Output:
	// [0.75 0.25 0]
	// 7
}
