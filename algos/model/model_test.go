package model_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
)

// rows are n points of d features drawn from a seed.
func rows(n, d int, seed uint64) points.Rows {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	return x
}

func sparse(x points.Rows) points.Sparse {
	s := points.Sparse{D: x.D, Ptr: []int{0}}
	for i := range x.N {
		for j, v := range x.Row(i) {
			if v > 0 {
				s.Col, s.Val = append(s.Col, j), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Col))
	}
	return s
}

// examples are models of every kind of points and family, and points to predict.
func examples() map[string]struct {
	m *model.Model
	z points.Points
} {
	out := map[string]struct {
		m *model.Model
		z points.Points
	}{}
	rng := rand.New(rand.NewPCG(4, 4))
	add := func(name string, f kernel.Family, x, z points.Points) {
		m, n := f.Bind(x).Dims()
		v := &model.Model{Name: name, Family: f, X: x, Theta: make([]float64, m), W: make([]float64, n),
			Biases:  []float64{0.25},
			Offsets: []float64{-1.0 / 3}, Note: "a note"}
		for k := range v.Theta {
			v.Theta[k] = rng.Float64()
			v.Labels = append(v.Labels, f.Bind(x).Label(k))
		}
		for i := range v.W {
			v.W[i] = rng.NormFloat64()
		}
		v.Classes = []string{"no", "yes"}
		out[name] = struct {
			m *model.Model
			z points.Points
		}{v, z}
	}
	x, z := rows(23, 4, 1), rows(9, 4, 2)
	prepare := points.Preprocessing{points.Standardize}
	add("sum", kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.3}}, Center: true,
		Normalize: kernel.MeanDiagonal, Prepare: prepare}, x, z)
	add("list", kernel.List{kernel.Linear{}, kernel.Laplacian{Gamma: 0.1}}, x, z)
	add("features", kernel.Features{Degree: 2, Constant: true, Prepare: prepare}, x, z)
	add("sparse", kernel.Features{Degree: 1}, sparse(x), sparse(z))
	k := kernel.Precomputed{Name: "K", N: 30, Data: make([]float64, 900)}
	for i := range 30 {
		for j := range 30 {
			k.Data[i*30+j] = math.Exp(-math.Abs(float64(i - j)))
		}
	}
	all := points.AllIndices(30)
	add("places", kernel.List{k}, all[:23], all[23:])
	return out
}

// Save → Load → Predict gives the same bits.
func TestSaveLoadPredict(t *testing.T) {
	checks := 0
	for name, e := range examples() {
		want := must(e.m.Predict(e.z))
		path := filepath.Join(t.TempDir(), name+".mkl")
		for range 2 { // the second time over the first file
			if err := e.m.Save(path); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		m := must(model.Load(path))
		if err := m.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if m.String() != e.m.String() || m.Note != e.m.Note || strings.Join(m.Labels, " ") != strings.Join(e.m.Labels,
			" ") {
			t.Errorf("%s: loaded %v with labels %v", name, m, m.Labels)
		}
		got := must(m.Predict(e.z))
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Errorf("%s: point %d is predicted %v, before saving %v", name, i, got[i], want[i])
			}
			checks++
		}
		left, err := os.ReadDir(filepath.Dir(path))
		if err != nil || len(left) != 1 {
			t.Errorf("%s: %d files beside the model's, want none (%v)", name, len(left)-1, err)
		}
	}
	if checks == 0 {
		t.Error("nothing was checked")
	}
}

// f by its definition, base kernel by base kernel.
func TestPredictByDefinition(t *testing.T) {
	x, z := rows(12, 3, 1), rows(5, 3, 2)
	m := &model.Model{Family: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5}}, X: x, Theta: []float64{0.7, 2},
		W: rows(1, 12, 3).Data, Biases: []float64{0.5}, Offsets: []float64{3}}
	f := must(m.Predict(z))
	for i := range z.N {
		want := 3.5
		for j := range x.N {
			dot, dist := 0.0, 0.0
			for k, v := range z.Row(i) {
				dot += v * x.Row(j)[k]
				dist += (v - x.Row(j)[k]) * (v - x.Row(j)[k])
			}
			want += m.W[j] * (0.7*dot + 2*math.Exp(-dist/2))
		}
		if math.Abs(f[i]-want) > 1e-12 { // a dozen terms of size 1
			t.Errorf("f of point %d is %v, by definition %v", i, f[i], want)
		}
	}
}

// Every mistake of a caller is an error that says what was expected.
func TestPredictErrors(t *testing.T) {
	base := examples()["features"]
	named := rows(9, 4, 2)
	named.Names = []string{"a", "b", "c", "d"}
	other := rows(9, 3, 2)
	other.Names = []string{"a", "b", "e"}
	nan := rows(9, 4, 2)
	nan.Data[5] = math.NaN()
	for _, c := range map[string]struct {
		change func(m *model.Model)
		z      points.Points
		want   string
	}{
		"features": {nil, rows(9, 5, 2),
			"points have 5 features, but the model was learned on 4: x1 … x4; give the points the same features, or " +
				"names"},
		"no points": {nil, nil, "the new points are nil"},
		"NaN":       {nil, nan, "row 2, column 2"},
		"names": {func(m *model.Model) { x := m.X.(points.Rows); x.Names = named.Names; m.X = x }, other,
			`the new points have no feature "c", "d" of the model; they have "a", "b", "e"`},
		"no family": {func(m *model.Model) { m.Family = nil }, base.z, "no family"},
		"short w":   {func(m *model.Model) { m.W = m.W[1:] }, base.z, "22 dual coefficients for 23 points"},
		"short θ": {func(m *model.Model) { m.Theta, m.Labels = m.Theta[1:], nil }, base.z,
			"Theta has 4 weights, but the family has 5"},
		"huge w": {func(m *model.Model) { m.W[3], m.W[4] = 1e308, 1e308; m.Theta[4] = 1e308 }, base.z,
			"the prediction for point 1 is"},
	} {
		m := *base.m
		m.Theta, m.W = append([]float64(nil), m.Theta...), append([]float64(nil), m.W...)
		if c.change != nil {
			c.change(&m)
		}
		wantError(t, errorOf(m.Predict(c.z)), c.want)
	}
	var none *model.Model
	for _, err := range []error{errorOf(none.Predict(base.z)), errorOf(none.Values(base.z)),
		errorOf(none.Classify(base.z)), errorOf(none.Score(nil)), errorOf(none.Probabilities(base.z))} {
		wantError(t, err, "the model is nil")
	}
}
