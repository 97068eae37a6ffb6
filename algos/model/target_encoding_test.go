package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// The targets of a label decide on its class, and the largest value of a class decides.
func TestCode(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, c := range []model.TargetEncoding{{Classes: 2}, {Classes: 3}, {Classes: 7}} {
		f := make([]float64, c.Columns())
		for k := range c.Classes {
			label := float64(k)
			if c.Classes == 2 {
				label = 2*label - 1
			}
			if err := c.Validate(label); err != nil || c.ClassIndex(label) != k {
				t.Errorf("%v: label %v is of class %d, %v", c, label, c.ClassIndex(label), err)
			}
			if c.Encode(f, label); c.PredictedClass(f) != k {
				t.Errorf("%v: the targets %v of class %d decide on %d", c, f, k, c.PredictedClass(f))
			}
		}
		for range 200 {
			for j := range f {
				f[j] = math.Round(3 * rng.NormFloat64()) // with ties
			}
			if k := c.PredictedClass(f); c.Classes > 2 && k != slices.Index(f, slices.Max(f)) {
				t.Errorf("%v: values %v of classes, decided on %d", c, f, k)
			}
		}
		for _, bad := range []float64{math.NaN(), 0.5, -2, float64(c.Classes), math.Inf(1)} {
			if c.Validate(bad) == nil {
				t.Errorf("%v: %v is taken for a label", c, bad)
			}
		}
	}
}

// By hand: of 4 points of the positive class and 2 predictions of it, one is right, so that its F1 is 2·1/(2+4). With
// the classes exchanged, the other class has 2·2/(5+3).
func TestF1OfPositiveClass(t *testing.T) {
	y, f := []float64{1, 1, 1, 1, -1, -1, -1}, []float64{2, -1, -1, -1, 0.5, -1, -0.3}
	encoding := model.TargetEncoding{Classes: 2}
	if s := model.ScorePredictions(f, y, encoding); !near(s.PositiveF1, 1./3) || !near(s.F1, (1./3+0.5)/2) {
		t.Errorf("F1 %v, of the positive class %v; want 0.4167 and 0.3333", s.F1, s.PositiveF1)
	}
	for i := range y {
		y[i], f[i] = -y[i], -f[i]
	}
	if s := model.ScorePredictions(f, y, encoding); !near(s.PositiveF1, 0.5) {
		t.Errorf("F1 of the other class is %v, want 0.5", s.PositiveF1)
	}
	if s := model.ScorePredictions(f, y, model.TargetEncoding{}); !math.IsNaN(s.PositiveF1) {
		t.Errorf("F1 of numbers is %v", s.PositiveF1)
	}
}

// By hand: of three classes with values (rows) three of four points are right.
func TestMeasureThreeClasses(t *testing.T) {
	f := mat.NewDense(4, 3, []float64{2, 0, 0, 0, 1, 0, 0, 3, 1, -1, -2, 0})
	y := []float64{0, 1, 2, 2}
	s := model.ScorePredictions(mat.DenseCopyOf(f.T()).RawMatrix().Data, y, model.TargetEncoding{Classes: 3})
	if s.Accuracy != 0.75 || !near(s.Balanced, (1+1+0.5)/3) || !near(s.F1, (1+2.0/3+2.0/3)/3) {
		t.Errorf("%v, want accuracy 0.75, balanced 0.8333, F1 0.7778", s)
	}
	if want := [][]int{{1, 0, 0}, {0, 1, 0}, {0, 1, 1}}; !slices.EqualFunc(s.Confusion, want, slices.Equal[[]int]) {
		t.Errorf("confusion %v, want %v", s.Confusion, want)
	}
	// class 0: 3 of 3 pairs; class 1: (1 > 0, −2, not > 3): 2 of 3; class 2: 1 and 0 against 0 and 0: 3 of 4
	if !near(s.AUC, (1+2.0/3+3.0/4)/3) || !math.IsNaN(s.R2) {
		t.Errorf("AUC %v, R² %v, want 0.8056 and none", s.AUC, s.R2)
	}
	none := model.ScorePredictions([]float64{1, 0, 0}, []float64{1}, model.TargetEncoding{Classes: 3})
	if none.Accuracy != 0 || !math.IsNaN(none.Balanced) || !math.IsNaN(none.AUC) {
		t.Errorf("of one class alone: %v", none)
	}
}

// A model of several columns is as many models of one: targets that are numbers, and classes.
func TestModelOfColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	n, c := 7, 3
	m := &model.Model{Family: kernel.List{kernel.RBF{Gamma: 0.3}}, X: rows(n, 2, 1), Theta: []float64{1},
		W: make([]float64, n*c), Biases: []float64{1, 2, 3}, Offsets: []float64{0, 10, -10}}
	for i := range m.W {
		if m.W[i] = rng.NormFloat64(); i%n == 2 || i%n == 5 && i > n {
			m.W[i] = 0
		}
	}
	z := rows(5, 2, 2)
	all := must(m.Values(z))
	for j := range c {
		one := *m
		one.W, one.Biases, one.Offsets = m.W[j*n:(j+1)*n], m.Biases[j:j+1], m.Offsets[j:j+1]
		f := must(one.Predict(z))
		for i, v := range f {
			if math.Abs(v-all.At(i, j)) > 1e-12 {
				t.Errorf("point %d, column %d: %v, by itself %v", i+1, j+1, all.At(i, j), v)
			}
		}
	}
	if k := m.SupportVectorCount(); k != n-1 {
		t.Errorf("%d support vectors, want %d", k, n-1)
	}
	m.Classes = []string{"a", "b", "c"}
	names := must(m.Classify(z))
	for i, name := range names {
		if row := all.RawRowView(i); name != m.Classes[slices.Index(row, slices.Max(row))] {
			t.Errorf("%v is of class %s", row, name)
		}
	}
	for what, bad := range map[string]func(m *model.Model){
		"classes": func(m *model.Model) { m.Classes = append(m.Classes, "d") },
		"biases":  func(m *model.Model) { m.Biases = m.Biases[1:] },
		"NaN":     func(m *model.Model) { m.Offsets = []float64{0, 0, math.NaN()} },
	} {
		q := *m
		bad(&q)
		if q.Validate() == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// A pruned model predicts as before; one whose family is fitted to all points stays whole.
func TestPrune(t *testing.T) {
	n := 9
	m := &model.Model{Family: kernel.List{kernel.RBF{Gamma: 0.3}, kernel.Linear{}}, X: rows(n, 2, 1),
		Theta: []float64{1, 0.5},
		W:     make([]float64, 3*n), Biases: []float64{1, 2, 3}}
	for i := range m.W {
		if i%n != 2 && i%n != 5 {
			m.W[i] = float64(i%5) - 2
		}
	}
	want, z := m.SupportVectorCount(), rows(6, 2, 3)
	p := must(m.Prune())
	if want >= n || p.X.Len() != want || p.SupportVectorCount() != want {
		t.Errorf("%d points of %d, %d support vectors", p.X.Len(), n, want)
	}
	if s := p.String(); !strings.Contains(s, fmt.Sprintf("model of %d support vectors of %d points", want, n)) {
		t.Error(s)
	}
	a := must(m.Values(z))
	b := must(p.Values(z))
	if !mat.EqualApprox(a, b, 1e-12) {
		t.Errorf("predicts\n%v\npruned\n%v", mat.Formatted(a), mat.Formatted(b))
	}
	for name, f := range map[string]kernel.Family{
		"standardized": kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 0.3}, kernel.Linear{}},
			Prepare: points.Preprocessing{points.Standardize}},
		"centered": kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 0.3}, kernel.Linear{}}, Center: true},
		"normalized": kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.Linear{}},
			Normalize: kernel.MeanDiagonal},
		"cosine": kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.Polynomial{Degree: 2, Offset: 1}},
			Normalize: kernel.Cosine, Prepare: points.Preprocessing{points.MinMax}},
	} {
		q := *m
		q.Family = f
		kept, all := want, ""
		if name == "centered" { // the means of K are over all points
			kept, all = n, fmt.Sprintf("%d points, %d of them support vectors (all %d points stored: a centered "+
				"kernel cannot be frozen, because new values need all points that it is centered on; set Center to "+
				"false)", n, want, n)
		}
		p, err := q.Prune()
		if err != nil || p.X.Len() != kept || !strings.Contains(p.String(), all) {
			t.Errorf("%s: pruned to %v (%v)", name, p, err)
			continue
		}
		a := must(q.Values(z))
		b := must(p.Values(z))
		if !mat.EqualApprox(a, b, 1e-12) {
			t.Errorf("%s predicts\n%v\npruned\n%v", name, mat.Formatted(a), mat.Formatted(b))
		}
	}
	m.W = m.W[1:]
	if _, err := m.Prune(); err == nil {
		t.Error("a model that is not valid: no error")
	}
}
