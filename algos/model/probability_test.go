package model

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
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

// TestFitSigmoid: the derivatives of Σ t_i log p_i + (1 − t_i) log(1 − p_i), Σ (t_i − p_i) and Σ f_i (t_i − p_i), are
// 0, whatever the scale of f and however few points there are.
func TestFitSigmoid(t *testing.T) {
	for _, n := range []int{2, 7, 40} {
		for _, scale := range []float64{1e-6, 1, 1e8} {
			for _, truth := range []Sigmoid{{-1.5, 0.4}, {-40, 0}, {0.3, -2}} { // the second separates
				f, y := decisions(n, truth, uint64(n))
				floats.Scale(scale, f)
				s, err := FitSigmoid(f, y)
				plus := 0.0
				for _, v := range y {
					plus += (v + 1) / 2
				}
				var da, db float64
				for i, v := range f {
					r := 1/(float64(n)-plus+2) - s.Probability(v)
					if y[i] > 0 {
						r = (plus+1)/(plus+2) - s.Probability(v)
					}
					da, db = da+r*v/scale, db+r
				}
				if err != nil || math.Abs(da) > 1e-6*float64(n) || math.Abs(db) > 1e-6*float64(n) {
					t.Errorf("n = %d, scale %g, %v: %+v has the derivatives %g and %g, %v", n, scale, truth,
						s, da, db, err)
				}
			}
		}
	}
	if _, err := FitSigmoid(nil, nil); err == nil {
		t.Error("no points: no error")
	}
	if _, err := FitSigmoid([]float64{math.NaN()}, []float64{1}); err == nil {
		t.Error("NaN: no error")
	}
	for _, v := range []float64{-1, 1} { // one class: its share by the rule of succession
		s, err := FitSigmoid([]float64{3, 3, 3}, []float64{v, v, v})
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
			if want := m.Sigmoids[0].Probability(f[i]); len(row) == 2 && row[1] != want {
				t.Errorf("probability %g of the second class, want %g", row[1], want)
			}
		}
	}
	plain := &Model{Family: kernel.List{kernel.Linear{}}, X: x, Theta: []float64{1}, W: make([]float64, 4),
		Classes: []string{"a", "b"}}
	if _, err := plain.Probabilities(x); err == nil || !strings.Contains(err.Error(), "learn.WithoutProbabilities") {
		t.Errorf("without sigmoids: %v", err)
	}
	for _, bad := range [][]Sigmoid{{{1, 2}, {3, 4}}, {{math.NaN(), 0}}} {
		m := *plain
		m.Sigmoids = bad
		if m.Validate() == nil {
			t.Errorf("sigmoids %v: no error", bad)
		}
	}
}
