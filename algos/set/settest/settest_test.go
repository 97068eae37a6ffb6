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

// broken is a ball with the defect that its name describes.
type broken struct {
	set.Ball
	defect string
}

func (b broken) Traits() set.Traits {
	if b.defect == "Traits state a larger ball" {
		b.Radius += 0.1
	}
	return b.Ball.Traits()
}

func (b broken) Start(dst []float64) {
	b.Ball.Start(dst)
	switch b.defect {
	case "Start on the boundary of the orthant":
		clear(dst)
	case "Start outside":
		dst[0] += 5
	case "Start that is not finite":
		dst[0] = math.Inf(1)
	}
}

func (b broken) Project(dst, x []float64) {
	inPlace := &dst[0] == &x[0]
	switch {
	case b.defect == "radial scaling" && b.Norm(x) > b.Radius:
		b.Normalize(dst, x)
		return
	case b.defect == "Project changes x" && !inPlace:
		defer func() { x[0]++ }()
	}
	b.Ball.Project(dst, x)
	if b.defect == "Project in place is wrong" && inPlace || b.defect == "Project stops inside" {
		floats.Scale(0.999, dst)
	}
}

func (b broken) Minimize(dst, g []float64) float64 {
	switch b.defect {
	case "Minimize over another ball":
		b.Radius /= 2
	case "Minimize ignores g > 0":
		negative, point := slices.Clone(g), make([]float64, len(g))
		for k, v := range g {
			negative[k] = min(0, v)
		}
		b.Ball.Minimize(point, negative)
		if dst != nil {
			copy(dst, point)
		}
		return floats.Dot(g, point)
	case "Minimize changes g":
		defer func() { g[0] *= 2 }()
	case "Minimize returns −∞":
		return math.Inf(-1)
	}
	v := b.Ball.Minimize(dst, g)
	if b.defect == "Minimize returns a lower value" || b.defect == "Minimize differs without dst" && dst == nil {
		v -= 1e-6 * floats.Norm(g, 2)
	}
	return v
}

func (b broken) Contains(theta []float64) bool {
	switch b.defect {
	case "Contains accepts too much":
		return b.Norm(theta) <= 2*b.Radius
	case "Contains refuses the boundary":
		return b.Norm(theta) < 0.999*b.Radius
	case "Contains accepts NaN":
		isNegative := func(v float64) bool { return v < 0 }
		return !(b.Norm(theta) > b.Radius*(1+1e-12)) && !slices.ContainsFunc(theta, isNegative)
	}
	return b.Ball.Contains(theta)
}

// TestBroken checks that the suite finds each defect, by the words of its check.
func TestBroken(t *testing.T) {
	for defect, want := range map[string]string{
		"":                                     "",
		"Traits state a larger ball":           "Contains rejects θ",
		"Start on the boundary of the orthant": "of Start is at its lower bound",
		"Start outside":                        "is the start",
		"Start that is not finite":             "Start stores [+Inf",
		"radial scaling":                       "is not the nearest",
		"Project changes x":                    "modifies x",
		"Project in place is wrong":            "with dst = x",
		"Project stops inside":                 "is outside",
		"Minimize over another ball":           "exceeds the support function",
		"Minimize ignores g > 0":               "but ⟨g,θ⟩ = ",
		"Minimize changes g":                   "modifies g",
		"Minimize returns −∞":                  "the set is bounded",
		"Minimize returns a lower value":       "but ⟨g,dst⟩",
		"Minimize differs without dst":         "without dst",
		"Contains accepts too much":            "Contains accepts a point",
		"Contains refuses the boundary":        "Contains rejects θ",
		"Contains accepts NaN":                 "Contains accepts NaN",
	} {
		s := broken{set.Ball{Q: 3, Radius: 2, Center: []float64{0, 0.5, 1}}, defect}
		failures := testenv.CollectFailures(t, func(r testing.TB) { TestSet(r, s, 3) })
		all := strings.Join(failures, "\n")
		if want == "" && all != "" || !strings.Contains(all, want) || len(failures) > 100 {
			t.Errorf("%q: not found by %q in %d failures: %.300s", defect, want, len(failures), all)
		}
	}
}

// costs is Θ = {θ ≥ 0 : Σ c_kθ_k = 1}, c > 0, with some of its methods replaced.
type costs struct {
	C       []float64
	bisect  bool // Project returns an end of its bisection
	uniform bool // Project subtracts the same number from each coordinate, as for equal costs
	lengths bool // Validate accepts every number of parameters
	equal   bool // Start has equal coordinates
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
		if dst[k] = 1 / (s.C[k] * float64(len(dst))); s.equal {
			dst[k] = 1 / floats.Sum(s.C)
		}
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

// Project finds τ by bisection, and then moves the positive coordinates along c onto the hyperplane.
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
	s.at(dst, x, low)
	for range 3 {
		sum, squares := -1.0, 0.0
		for k, v := range dst {
			if sum += s.C[k] * v; v > 0 {
				squares += s.C[k] * s.C[k]
			}
		}
		for k, v := range dst {
			if v > 0 && !s.bisect {
				dst[k] = max(0, v-sum/squares*s.C[k])
			}
		}
	}
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

// TestCosts tests that the suite accepts a set with a vector of costs, and finds its defects.
func TestCosts(t *testing.T) {
	c, nonnegative := []float64{1, 3, 0.5}, set.Traits{Nonnegative: true}
	for _, x := range []struct {
		name, want string
		set        costs
	}{
		{"nothing", "", costs{C: c}},
		{"costs of different size", "", costs{C: []float64{1e-6, 1, 1e6}}},
		{"costs of different size, equal start", "", costs{C: []float64{1e-6, 1, 1e6}, equal: true}},
		{"an end of the bisection", "is outside", costs{C: c, bisect: true}},
		{"equal costs in Project", "is not the nearest", costs{C: c, uniform: true}},
		{"any number of parameters", "but a method panics", costs{C: c, lengths: true}},
		{"Traits of a simplex", "that the Traits describe", costs{C: c, traits: set.Traits{Nonnegative: true, Sum: 1}}},
	} {
		if x.set.traits.Sum == 0 {
			x.set.traits = nonnegative
		}
		all := strings.Join(testenv.CollectFailures(t, func(r testing.TB) { TestSet(r, x.set, 3) }), "\n")
		if x.want == "" && all != "" || !strings.Contains(all, x.want) {
			t.Errorf("%s: not found by %q: %.600s", x.name, x.want, all)
		}
	}
}

// TestInvalid tests that a set that is not valid is a failure, not zero checks.
func TestInvalid(t *testing.T) {
	failures := testenv.CollectFailures(t, func(r testing.TB) { TestSet(r, set.Ball{Q: 0.5, Radius: 1}, 2) })
	if len(failures) != 1 || !strings.Contains(failures[0], "q = 0.5") {
		t.Errorf("failures %q, want one that names q = 0.5", failures)
	}
}

// TestNothingClaimed tests that the suite checks a set without Traits, also with negative coordinates.
func TestNothingClaimed(t *testing.T) {
	TestSet(t, interval{}, 3)
	if got := set.SupportAbs(interval{}, []float64{1, 0, 2}); got != 6 {
		t.Errorf("SupportAbs is %g, want 6", got)
	}
}

// interval is {θ : −2 ≤ θ_k ≤ 1}.
type interval struct{}

func (interval) Validate(int) error  { return nil }
func (interval) Traits() set.Traits  { return set.Traits{} }
func (interval) Start(dst []float64) { clear(dst); dst[0] = 0.5 }
func (interval) Project(dst, x []float64) {
	for k, v := range x {
		dst[k] = min(max(v, -2), 1)
	}
}
func (s interval) Minimize(dst, g []float64) float64 {
	if dst == nil {
		dst = make([]float64, len(g))
	}
	for k, v := range g {
		dst[k] = math.Copysign(3, -v) // beyond the bounds
	}
	s.Project(dst, dst)
	return floats.Dot(g, dst)
}
func (interval) Contains(theta []float64) bool {
	return !slices.ContainsFunc(theta, func(v float64) bool { return !(-2 <= v && v <= 1) })
}

// ordered is Θ = {θ_1 ≥ θ_2 ≥ … ≥ 0, Σθ ≤ 1} with a Contains that ignores one of the three constraints.
type ordered struct{ ignored string }

func (ordered) Validate(int) error { return nil }
func (ordered) Traits() set.Traits { return set.Traits{Nonnegative: true} }
func (ordered) Start(dst []float64) {
	for k := range dst {
		dst[k] = 0.5 / float64(len(dst))
	}
}

// Project pools neighbors that increase, and projects the result onto {θ ≥ 0, Σθ ≤ 1}, which keeps the order.
func (ordered) Project(dst, x []float64) {
	copy(dst, x)
	type block struct{ sum, count float64 }
	var blocks []block
	for _, v := range x {
		blocks = append(blocks, block{v, 1})
		for n := len(blocks); n > 1 && blocks[n-1].sum*blocks[n-2].count > blocks[n-2].sum*blocks[n-1].count; n-- {
			blocks[n-2].sum += blocks[n-1].sum
			blocks[n-2].count += blocks[n-1].count
			blocks = blocks[:n-1]
		}
	}
	k, positiveSum := 0, 0.0
	for _, b := range blocks {
		for range int(b.count) {
			dst[k] = b.sum / b.count
			positiveSum += max(dst[k], 0)
			k++
		}
	}
	if positiveSum > 1 {
		set.Simplex{Sum: 1}.Project(dst, dst)
		return
	}
	for k, v := range dst {
		dst[k] = max(v, 0)
	}
}

func (ordered) Minimize(dst, g []float64) (minimum float64) {
	sum, best := 0.0, 0
	for k, v := range g { // a vertex other than 0 has equal coordinates up to some k
		if sum += v; sum/float64(k+1) < minimum {
			minimum, best = sum/float64(k+1), k+1
		}
	}
	if dst != nil {
		clear(dst)
		for k := range best {
			dst[k] = 1 / float64(best)
		}
	}
	return minimum
}

func (s ordered) Contains(theta []float64) bool {
	ok := !floats.HasNaN(theta) && (s.ignored == "sum" || floats.Sum(theta) <= 1+1e-12)
	for k, v := range theta {
		ok = ok && (s.ignored == "sign" || v >= 0) && (s.ignored == "order" || k == 0 || v <= theta[k-1]+1e-12)
	}
	return ok
}

// TestContainsOfManyConstraints tests that a Contains that ignores one of several constraints fails, whichever it is.
func TestContainsOfManyConstraints(t *testing.T) {
	for _, ignored := range []string{"", "order", "sum", "sign"} {
		for _, m := range []int{2, 3, 7} {
			failures := testenv.CollectFailures(t, func(r testing.TB) { TestSet(r, ordered{ignored}, m) })
			all := strings.Join(failures, "\n")
			if ignored == "" && all != "" || ignored != "" && !strings.Contains(all, "Contains accepts a point") {
				t.Errorf("Contains that ignores %q, m = %d: %.300s", ignored, m, all)
			}
		}
	}
}

// TestFalseTraits tests that Traits that no set of this many parameters can have are named, without a panic.
func TestFalseTraits(t *testing.T) {
	for want, traits := range map[string]set.Traits{
		"Semidefinite": {Semidefinite: true},
		"IsCone":       {IsCone: true},
		"Sum":          {Nonnegative: true, Sum: -1},
		"Ball":         {Nonnegative: true, Ball: &set.Ball{Q: 2, Radius: 1, Center: []float64{1}}},
		"FactorCount":  {FactorCount: 2, Factor: set.Simplex{}},
		"Factor is":    {FactorCount: 3},
		"Factor: Semi": {FactorCount: 1, Factor: costs{C: []float64{1, 1, 1}, traits: set.Traits{Semidefinite: true}}},
	} {
		s := costs{C: []float64{1, 1, 1}, traits: traits}
		failures := testenv.CollectFailures(t, func(r testing.TB) { TestSet(r, s, 3) })
		if len(failures) != 1 || !strings.Contains(failures[0], want) {
			t.Errorf("%q, want one failure that names %s", failures, want)
		}
	}
}
