package settest

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/floats"
)

// broken is a ball with some oracles replaced.
type broken struct {
	set.Ball
	start    func(b set.Ball, dst []float64)
	project  func(b set.Ball, dst, x []float64)
	minimize func(b set.Ball, dst, g []float64) float64
	contains func(b set.Ball, theta []float64) bool
	other    float64 // added to the radius that Traits tell
}

func (b *broken) Contains(theta []float64) bool {
	if b.contains == nil {
		return b.Ball.Contains(theta)
	}
	return b.contains(b.Ball, theta)
}

func (b *broken) Traits() set.Traits {
	other := b.Ball
	other.Radius += b.other
	return set.Traits{Nonnegative: true, Ball: &other}
}

func (b *broken) Start(dst []float64) {
	if b.start == nil {
		b.Ball.Start(dst)
		return
	}
	b.start(b.Ball, dst)
}

func (b *broken) Project(dst, x []float64) {
	if b.project == nil {
		b.Ball.Project(dst, x)
		return
	}
	b.project(b.Ball, dst, x)
}

func (b *broken) Minimize(dst, g []float64) float64 {
	if b.minimize == nil {
		return b.Ball.Minimize(dst, g)
	}
	return b.minimize(b.Ball, dst, g)
}

// TestBroken breaks one promise at a time; each must be noticed, by the words of its check.
func TestBroken(t *testing.T) {
	calls := 0
	for _, c := range []struct {
		name, want string
		set        *broken
	}{
		{"nothing", "", &broken{}},
		{"start on the boundary of the orthant", "Start: coordinate",
			&broken{start: func(b set.Ball, dst []float64) { clear(dst); dst[0] = 1 }}},
		{"start outside", "Start is outside",
			&broken{start: func(b set.Ball, dst []float64) { b.Start(dst); dst[0] += 5 }}},
		{"radial scaling for a projection, q ≠ 2", "is not nearest",
			&broken{project: func(b set.Ball, dst, x []float64) {
				if b.Norm(x) > b.Radius {
					b.Normalize(dst, x)
				} else {
					b.Project(dst, x)
				}
			}}},
		{"projection that modifies x", "modifies x",
			&broken{project: func(b set.Ball, dst, x []float64) { b.Project(dst, x); x[0]++ }}},
		{"projection that needs dst apart", "into x itself", &broken{project: func(b set.Ball, dst, x []float64) {
			apart := make([]float64, len(x))
			b.Project(apart, x)
			clear(dst)
			for k := range dst {
				dst[k] = apart[k]
				if &dst[0] == &x[0] {
					dst[k] /= 2
				}
			}
		}}},
		{"projection short of the sphere", "not idempotent", &broken{project: func(b set.Ball, dst, x []float64) {
			b.Project(dst, x)
			for k := range dst {
				dst[k] *= 0.999
			}
		}}},
		{"minimum of g ≤ 0 only", "lowers it", &broken{minimize: func(b set.Ball, dst, g []float64) float64 {
			neg := slices.Clone(g)
			for k := range neg {
				neg[k] = min(0, neg[k])
			}
			point := make([]float64, len(g))
			b.Minimize(point, neg)
			if dst != nil {
				copy(dst, point)
			}
			return floats.Dot(g, point)
		}}},
		{"minimum of another radius", "beyond the support function",
			&broken{minimize: func(b set.Ball, dst, g []float64) float64 {
				b.Radius /= 2
				return b.Minimize(dst, g)
			}}},
		{"minimum that is not ⟨g,dst⟩", "⟨g,dst⟩ is",
			&broken{minimize: func(b set.Ball, dst, g []float64) float64 {
				return b.Minimize(dst, g) - 1e-6*norm2(g)
			}}},
		{"minimum that differs without dst", "without dst",
			&broken{minimize: func(b set.Ball, dst, g []float64) float64 {
				v := b.Minimize(dst, g)
				if dst == nil {
					v *= 1 + 1e-12
				}
				return v
			}}},
		{"minimum that changes from call to call", "without dst",
			&broken{minimize: func(b set.Ball, dst, g []float64) float64 {
				calls++
				return b.Minimize(dst, g) * (1 + 1e-15*float64(calls%7))
			}}},
		{"minimize that modifies g", "modifies g", &broken{minimize: func(b set.Ball, dst, g []float64) float64 {
			v := b.Minimize(dst, g)
			g[0] *= 2
			return v
		}}},
		{"minimum said to be −∞", "the set ends", &broken{minimize: func(b set.Ball, dst, g []float64) float64 {
			b.Minimize(dst, g)
			return math.Inf(-1)
		}}},
		{"membership with a wide tolerance", "Contains accepts",
			&broken{contains: func(b set.Ball, theta []float64) bool {
				return b.Norm(theta) <= 2*b.Radius
			}}},
		{"membership without its boundary", "refused by Contains",
			&broken{contains: func(b set.Ball, theta []float64) bool {
				return b.Norm(theta) < 0.999*b.Radius
			}}},
		{"membership that lets NaN through", "Contains accepts NaN",
			&broken{contains: func(b set.Ball, theta []float64) bool {
				return !(b.Norm(theta) > b.Radius*(1+1e-12)) && !slices.ContainsFunc(theta, func(v float64) bool {
					return v < 0
				})
			}}},
		{"start that is not finite", "Start is [+Inf",
			&broken{start: func(b set.Ball, dst []float64) { b.Start(dst); dst[0] = math.Inf(1) }}},
		{"the numbers of another ball", "sampled point is refused", &broken{other: 0.1}},
	} {
		c.set.Ball = set.Ball{Q: 3, Radius: 2, Center: []float64{0, 0.5, 1}}
		failures := testenv.Failures(t, func(r testing.TB) {
			TestSet(r, c.set, 3)
		})
		all := strings.Join(failures, "\n")
		switch {
		case c.want == "" && all != "":
			t.Errorf("%s: %s", c.name, all)
		case len(failures) > 40:
			t.Errorf("%s: told in %d failures, want those of a check that repeat counted", c.name, len(failures))
		case !strings.Contains(all, c.want):
			t.Errorf("%s: not noticed by %q in %d failures: %.300s", c.name, c.want, len(failures), all)
		}
	}
}

// costs is Θ = {θ ≥ 0 : Σ c_kθ_k = 1}, c > 0, with some of its methods replaced.
type costs struct {
	C       []float64
	bisect  bool // Project returns an end of its bisection
	uniform bool // Project subtracts the same number from each coordinate, as for equal costs
	lengths bool // Validate accepts every number of parameters
	traits  set.Traits
}

func (s costs) Validate(m int) error {
	if m != len(s.C) && !s.lengths {
		return errors.New("costs: one cost for each parameter is needed")
	}
	return nil
}

func (s costs) Start(dst []float64) {
	for k := range dst {
		dst[k] = 1 / (s.C[k] * float64(len(dst)))
	}
}

// at stores θ_k = max(0, x_k − τc_k) and returns Σ c_kθ_k − 1.
func (s costs) at(dst, x []float64, tau float64) float64 {
	sum := -1.0
	for k, v := range x {
		c := s.C[k]
		if s.uniform {
			c = 1
		}
		dst[k] = max(0, v-tau*c)
		sum += s.C[k] * dst[k]
	}
	return sum
}

func (s costs) Project(dst, x []float64) {
	x = slices.Clone(x)
	low, high := -1.0, 1.0
	for s.at(dst, x, low) < 0 {
		low *= 2
	}
	for s.at(dst, x, high) > 0 {
		high *= 2
	}
	for mid := low; ; {
		if mid = low + (high-low)/2; mid == low || mid == high {
			break
		}
		if s.at(dst, x, mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	below := make([]float64, len(x))
	a, b := s.at(below, x, low), s.at(dst, x, high)
	if s.bisect || a == b {
		return
	}
	for k, v := range below { // Σ c_kθ_k is linear between the two ends
		dst[k] += (v - dst[k]) * -b / (a - b)
	}
	floats.Scale(1/floats.Dot(s.C, dst), dst)
}

func (s costs) Minimize(dst, g []float64) float64 {
	best := 0
	for k := range g {
		if g[k]/s.C[k] < g[best]/s.C[best] {
			best = k
		}
	}
	if dst != nil {
		clear(dst)
		dst[best] = 1 / s.C[best]
	}
	return g[best] / s.C[best]
}

func (s costs) Contains(theta []float64) bool {
	for _, v := range theta {
		if !(v >= 0) {
			return false
		}
	}
	return math.Abs(floats.Dot(s.C, theta)-1) <= 1e-12
}

func (s costs) Traits() set.Traits { return s.traits }

// TestCosts: a set with a vector of costs passes, and its faults are found by the words of their checks.
func TestCosts(t *testing.T) {
	c, nonnegative := []float64{1, 3, 0.5}, set.Traits{Nonnegative: true}
	for _, x := range []struct {
		name, want string
		set        set.Set
	}{
		{"nothing", "", costs{C: c, traits: nonnegative}},
		{"an end of the bisection", "from the supporting hyperplane", costs{C: c, bisect: true, traits: nonnegative}},
		{"equal costs in Project", "is not nearest", costs{C: c, uniform: true, traits: nonnegative}},
		{"any number of parameters", "an oracle fails", costs{C: c, lengths: true, traits: nonnegative}},
		{"traits of a simplex", "is outside",
			costs{C: c, traits: set.Traits{Nonnegative: true, Sum: 1}}},
	} {
		all := strings.Join(testenv.Failures(t, func(r testing.TB) { TestSet(r, x.set, 3) }), "\n")
		if x.want == "" && all != "" || !strings.Contains(all, x.want) {
			t.Errorf("%s: not found by %q: %.600s", x.name, x.want, all)
		}
	}
}

// TestInvalid: a set that is not valid is a failure, not zero checks.
func TestInvalid(t *testing.T) {
	failures := testenv.Failures(t, func(r testing.TB) { TestSet(r, set.Ball{Q: 0.5, Radius: 1}, 2) })
	if len(failures) != 1 || !strings.Contains(failures[0], "q = 0.5") {
		t.Errorf("failures %q, want one that names q = 0.5", failures)
	}
}

// TestNothingClaimed: a set that claims nothing is checked too, and its negative coordinates count.
func TestNothingClaimed(t *testing.T) {
	TestSet(t, interval{}, 3)
	if got := set.SupportAbs(interval{}, []float64{1, 0, 2}); got != 6 {
		t.Errorf("SupportAbs is %g, want 6", got)
	}
}

// interval is {θ : −2 ≤ θ_k ≤ 1}.
type interval struct{}

func (interval) Validate(int) error  { return nil }
func (interval) Start(dst []float64) { clear(dst); dst[0] = 0.5 }
func (interval) Project(dst, x []float64) {
	for k, v := range x {
		dst[k] = min(max(v, -2), 1)
	}
}
func (interval) Minimize(dst, g []float64) (least float64) {
	at := make([]float64, len(g))
	for k, v := range g {
		if at[k] = -2; v < 0 {
			at[k] = 1
		}
	}
	if dst != nil {
		copy(dst, at)
	}
	return floats.Dot(g, at)
}
func (interval) Contains(theta []float64) bool {
	return !slices.ContainsFunc(theta, func(v float64) bool { return !(-2 <= v && v <= 1) })
}
func (interval) Traits() set.Traits { return set.Traits{} }
