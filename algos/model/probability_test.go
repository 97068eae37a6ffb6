package model

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"
)

// decisions are values f and labels with P(+1 | f) as s says.
func decisions(n int, s Sigmoid, seed uint64) (f, y []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range n {
		v := 2 * rng.NormFloat64()
		f = append(f, v)
		if rng.Float64() < s.Probability(v) {
			y = append(y, 1)
		} else {
			y = append(y, -1)
		}
	}
	return f, y
}

// The derivatives of Σ v_i (t_i log p_i + (1 − t_i) log(1 − p_i)), Σ v_i (t_i − p_i) and Σ v_i f_i (t_i − p_i), are 0,
// whatever the scale and the center of f and however few points there are. If the labels fall where f rises, A is 0 and
// the probability is the share of the class.
func TestFitSigmoid(t *testing.T) {
	for _, n := range []int{2, 7, 40} {
		for _, scale := range []float64{1e-6, 1, 1e8} {
			for _, shift := range []float64{0, 1e9} { // in units of scale
				for k, truth := range []Sigmoid{{-1.5, 0.4}, {-40, 0}, {0.3, -2}} { // the second separates
					for _, isWeighted := range []bool{false, true} {
						f, y := decisions(n, truth, uint64(n))
						var weights []float64
						if isWeighted {
							weights = randomWeights(n, uint64(n+k))
						}
						floats.AddConst(shift, f)
						floats.Scale(scale, f)
						s, err := FitSigmoid(f, y, weights)
						if err != nil || s.A > 0 {
							t.Fatalf("n = %d: %+v, %v", n, s, err)
						}
						da, db := sigmoidDerivatives(s, f, y, weights, shift*scale, scale)
						if s.A == 0 {
							if da > 0 || math.Abs(db) > 1e-9*float64(n) { // a negative A or another B is better
								t.Errorf("n = %d, scale %g: A is 0, the derivatives are %g and %g", n, scale, da, db)
							}
							continue
						}
						if limit := 1e-5 * float64(n); math.Abs(da) > limit || math.Abs(db) > limit {
							t.Errorf("n = %d, scale %g, shift %g, weights %v, %v: %+v has the derivatives %g and %g", n,
								scale, shift, isWeighted, truth, s, da, db)
						}
					}
				}
			}
		}
	}
}

// sigmoidDerivatives returns Σ v_i (t_i − p_i) g_i, where g_i = (f_i − center)/scale, and Σ v_i (t_i − p_i). If the
// first is positive, the likelihood rises as A falls.
func sigmoidDerivatives(s Sigmoid, f, y, weights []float64, center, scale float64) (da, db float64) {
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(f))
	}
	effective := floats.Sum(weights) * floats.Sum(weights) / floats.Dot(weights, weights)
	v := slices.Clone(weights)
	floats.Scale(effective/floats.Sum(weights), v)
	plus := 0.0
	for i := range v {
		plus += v[i] * (y[i] + 1) / 2
	}
	for i := range f {
		r := 1/(effective-plus+2) - s.Probability(f[i])
		if y[i] > 0 {
			r = (plus+1)/(plus+2) - s.Probability(f[i])
		}
		da, db = da+v[i]*r*(f[i]-center)/scale, db+v[i]*r
	}
	return da, db
}

func randomWeights(n int, seed uint64) []float64 {
	rng, w := rand.New(rand.NewPCG(seed, 2)), make([]float64, n)
	for i := range w {
		w[i] = math.Exp(2 * rng.NormFloat64())
	}
	return w
}

// The factor of the weights has no effect. Whole weights act as repetitions up to the number of points, so points with
// very small weights do not matter.
func TestWeightsOfSigmoid(t *testing.T) {
	f, y := decisions(80, Sigmoid{-1, 0.5}, 3)
	equal, small := slices.Repeat([]float64{7}, 80), slices.Repeat([]float64{1}, 80)
	plain, err := FitSigmoid(f, y, nil)
	if got, _ := FitSigmoid(f, y, equal); err != nil || !isNear(got, plain, 1e-9) {
		t.Errorf("equal weights: %+v, without weights %+v (%v)", got, plain, err)
	}
	wrong := slices.Clone(y)
	for i := 40; i < 80; i++ {
		wrong[i], small[i] = -y[i], 1e-9
	}
	half, _ := FitSigmoid(f[:40], y[:40], nil)
	if got, _ := FitSigmoid(f, wrong, small); !isNear(got, half, 1e-6) {
		t.Errorf("half of the labels are wrong and have small weights: %+v, without these points %+v", got, half)
	}
	if got, _ := FitSigmoid(f, wrong, nil); isNear(got, half, 0.1) {
		t.Errorf("control: without weights the wrong labels do not matter: %+v", got)
	}
}

func isNear(a, b Sigmoid, tolerance float64) bool {
	return math.Abs(a.A-b.A) <= tolerance && math.Abs(a.B-b.B) <= tolerance
}

// A constant added to all values changes no probability, up to the rounding of the values. Source of 0.674: this
// function at shift 0, which TestFitSigmoid checks.
func TestSigmoidOfLargeValues(t *testing.T) {
	for _, shift := range []float64{0, 1e7, -1e9, 1e11} {
		f := []float64{shift - 2, shift - 1, shift + 1, shift + 2}
		s, err := FitSigmoid(f, []float64{-1, -1, 1, 1}, nil)
		if err != nil || math.Abs(s.A+0.674) > 1e-3 || math.Abs(s.Probability(shift)-0.5) > 1e-4 {
			t.Errorf("values %g ± 2: %+v, P = %g in the middle (%v)", shift, s, s.Probability(shift), err)
		}
	}
}

func TestFitSigmoidErrors(t *testing.T) {
	if _, err := FitSigmoid(nil, nil, nil); err == nil {
		t.Error("no points: no error")
	}
	if _, err := FitSigmoid([]float64{math.NaN()}, []float64{1}, nil); err == nil {
		t.Error("NaN: no error")
	}
	for _, v := range []float64{-1, 1} { // one class: its share by the rule of succession
		s, err := FitSigmoid([]float64{3, 3, 3}, []float64{v, v, v}, nil)
		if want := 0.5 + 0.3*v; err != nil || math.Abs(s.Probability(3)-want) > 1e-6 {
			t.Errorf("three labels %g: probability %g of +1, want %g (%v)", v, s.Probability(3), want, err)
		}
	}
	if s := (Sigmoid{-1, 0}); s.Probability(1e4) != 1 || s.Probability(-1e4) != 0 || s.Probability(0) != 0.5 {
		t.Errorf("far out %g and %g", s.Probability(1e4), s.Probability(-1e4))
	}
}

// TestProbabilities: rows add up to 1, of two classes and of three; they come back from a file, and what is missing is
// said.
func TestProbabilities(t *testing.T) {
	x := points.NewRows([][]float64{{0, 1}, {1, 0}, {2, 2}, {-1, 3}})
	for _, m := range []*Model{
		{Classes: []string{"a", "b"}, W: []float64{1, -1, 0.5, -0.5}, Sigmoids: []Sigmoid{{-2, 0.1}}},
		{Classes: []string{"a", "b", "c"}, W: make([]float64, 12), Biases: []float64{1, -1, 0.5},
			Sigmoids: []Sigmoid{{-2, 0.1}, {-1, 0}, {-3, 0}}},
		{Classes: []string{"a", "b", "c"}, W: make([]float64, 12), Biases: []float64{-1e9, -1e9, -1e9},
			Sigmoids: []Sigmoid{{-2, 0.1}, {-1, 0}, {-3, 0}}},
	} {
		m.Family, m.X, m.Theta = kernel.List{kernel.RBF{Gamma: 1}}, x, []float64{1}
		var b bytes.Buffer
		if err := m.Write(&b); err != nil {
			t.Fatal(err)
		}
		got, err := Read(&b)
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Fatalf("comes back as %+v, %v", got, err)
		}
		p, err := got.Probabilities(x)
		if err != nil {
			t.Fatal(err)
		}
		f, err := got.predict(x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			row := p.RawRowView(i)
			if math.Abs(floats.Sum(row)-1) > 1e-12 || floats.Min(row) < 0 {
				t.Errorf("%v: probabilities %v", m.TargetEncoding(), row)
			}
			if want := m.Sigmoids[0].Probability(f[i]); len(row) == 2 && math.Abs(row[1]-want) > 1e-15 {
				t.Errorf("probability %g of the second class, want %g", row[1], want)
			}
		}
	}
	plain := &Model{Family: kernel.List{kernel.Linear{}}, X: x, Theta: []float64{1}, W: make([]float64, 4),
		Classes: []string{"a", "b"}}
	if _, err := plain.Probabilities(x); err == nil || !strings.Contains(err.Error(), "learn.WithoutProbabilities") {
		t.Errorf("without sigmoids: %v", err)
	}
	for _, bad := range [][]Sigmoid{{{-1, 2}, {-3, 4}}, {{math.NaN(), 0}}, {{0.1, 0}}} {
		m := *plain
		m.Sigmoids = bad
		if m.Validate() == nil {
			t.Errorf("sigmoids %v: no error", bad)
		}
	}
}

// The class that the decision values decide on has the largest probability, alone, whatever the sigmoids. If the
// sigmoids already agree with it, the probabilities are theirs.
func TestClassHasLargestProbability(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	changed := 0
	for range 3000 {
		c := TargetEncoding{Classes: 2 + rng.IntN(4)}
		f, sigmoids, p := make([]float64, c.Columns()), make([]Sigmoid, c.Columns()), make([]float64, c.Classes)
		raw := make([]float64, c.Classes)
		for j := range f {
			f[j], sigmoids[j] = 3*rng.NormFloat64(), Sigmoid{-rng.ExpFloat64(), rng.NormFloat64()}
			if rng.IntN(3) == 0 {
				sigmoids[j].A = 0
			}
			raw[j] = sigmoids[j].Probability(f[j])
		}
		if c.Classes == 2 {
			raw[0], raw[1] = 1-raw[0], raw[0]
		}
		floats.Scale(1/floats.Sum(raw), raw)
		c.Probabilities(p, sigmoids, f)
		class := c.PredictedClass(f)
		if math.Abs(floats.Sum(p)-1) > 1e-12 || floats.MaxIdx(p) != class {
			t.Fatalf("class %d, probabilities %v", class, p)
		}
		if floats.MaxIdx(raw) != class {
			changed++
		} else if floats.Distance(raw, p, math.Inf(1)) > 1e-11 {
			t.Fatalf("probabilities %v, want %v", p, raw)
		}
	}
	if changed < 300 {
		t.Errorf("only %d of 3000 cases need a change", changed)
	}
}

// Probabilities that are too small for a float64 have the ratios of exp(−A·f − B).
func TestTinyProbabilities(t *testing.T) {
	for _, size := range []float64{200, 700, 800, 1e6} { // the last two are too small, the others are not
		p := make([]float64, 3)
		TargetEncoding{Classes: 3}.Probabilities(p, []Sigmoid{{-3, 1}, {-2, 0}, {-1, 2}},
			[]float64{-size / 3, -size/2 - 1, -1.5 * size}) // A·f + B are size+1, size+2 and 1.5·size+2
		for j, want := range []float64{1, math.Exp(-1), math.Exp(-1 - size/2)} {
			if !scalar.EqualWithinAbsOrRel(p[j]*(1+math.Exp(-1)), want, 1e-200, 1e-9) {
				t.Errorf("size %g: probabilities %g", size, p)
			}
		}
	}
}
