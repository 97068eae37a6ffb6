package mklnb

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
)

// sheet is a file of 60 rows: two numbers, one missing, a nominal column, a name of a class, a target, another one.
func sheet(t *testing.T, classes int) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("a,colour,b,kind,height,weight\n")
	for i := range 60 {
		k := i % classes
		a := fmt.Sprint(3*float64(k) + 0.5*rng.NormFloat64())
		if i == 7 {
			a = ""
		}
		fmt.Fprintf(&b, "%s,%s,%v,kind%d,%v,%v\n", a, []string{"red", "blue", "green"}[rng.IntN(3)], rng.NormFloat64(), k, 170+10*float64(k)+rng.NormFloat64(), 60+5*float64(k))
	}
	path := filepath.Join(t.TempDir(), "sheet.csv")
	Try(os.WriteFile(path, []byte(b.String()), 0o644))
	return path
}

// fitted60 opens the sheet; the targets beside the label are left out.
func fitted60(t *testing.T, classes int, o data.Options) *data.Dataset {
	t.Helper()
	o.Missing = data.Fill
	for _, name := range []string{"kind", "height", "weight"} {
		if name != o.Label && !slices.Contains(o.Targets, name) {
			o.Leave = append(o.Leave, name)
		}
	}
	return Must(o.Open(sheet(t, classes)))
}

var fitBases = kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.2}}, Prepare: kernel.Prepare{kernel.Standardize}, Normalize: kernel.MeanDiagonal}

// TestFit: a result and its dataset are a model, which is saved, and predicts a new file by the names of its columns,
// its levels and fills, under the classes' names.
func TestFit(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	new := filepath.Join(t.TempDir(), "new.csv")
	Try(os.WriteFile(new, []byte("b,more,colour,a\n0.5,x,red,-0.2\n-1,y,mauve,\n0,z,blue,3.1\n"), 0o644))
	number := data.Options{Label: "height", Regression: true}
	mean := func(y []float64) float64 {
		s := 0.0
		for _, v := range y {
			s += v / float64(len(y))
		}
		return s
	}
	less := func(y []float64) []float64 {
		z := slices.Clone(y)
		for i := range z {
			z[i] -= mean(y)
		}
		return z
	}
	for name, c := range map[string]struct {
		d      *data.Dataset
		loss   loss.Loss
		y      func(d *data.Dataset) []float64
		solver mkl.Solver
		offset bool
	}{
		"two classes":     {fitted60(t, 2, data.Options{Label: "kind"}), loss.Hinge{C: 1}, func(d *data.Dataset) []float64 { return d.Y }, mkl.Level{}, false},
		"numbers":         {fitted60(t, 2, number), loss.Squared{Lambda: 0.1}, func(d *data.Dataset) []float64 { return d.Y }, nil, false},
		"less their mean": {fitted60(t, 2, number), loss.Squared{Lambda: 0.1}, func(d *data.Dataset) []float64 { return less(d.Y) }, nil, true},
		"three classes":   {fitted60(t, 3, data.Options{Label: "kind"}), loss.In(loss.Squared{Lambda: 0.1}, 3), func(d *data.Dataset) []float64 { return model.Code{Classes: 3}.Spread(d.Y) }, nil, false},
		"pairs":           {fitted60(t, 3, data.Options{Label: "kind"}), loss.In(loss.Hinge{C: 1}, 3), func(d *data.Dataset) []float64 { return model.Code{Classes: 3, Pairs: true}.Spread(d.Y) }, mkl.Level{}, false},
		"two targets": {fitted60(t, 2, data.Options{Targets: []string{"height", "weight"}}), loss.In(loss.Squared{Lambda: 0.1}, 2), func(d *data.Dataset) []float64 {
			return slices.Concat(less(d.Y), d.More[0].Y)
		}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := c.d
			p := &mkl.Problem{Grams: fitBases.On(d.X), Set: set.Simplex{}, Loss: c.loss, Y: c.y(d)}
			var m *model.Model
			var r *mkl.Result
			if shown, status := record(t, func() {
				r = Solve(p, c.solver, nil)
				Save("mine", Fit(d, fitBases, p, r))
				m = LoadModel("mine")
			}); status != -1 {
				t.Fatalf("status %d, %v", status, shown.shown)
			}
			// f by its definition, on the points learned on
			g := p.Grams.New()
			g.At(r.Kernel)
			n, cols := d.Len(), len(p.Y)/d.Len()
			dY := model.Code{Classes: len(d.Classes), Pairs: name == "pairs"}.Spread(d.AllY())
			values := Must(m.Values(d.X))
			for i := range n {
				f := make([]float64, cols)
				for j := range f {
					for k := range n {
						f[j] += g.K().At(i, k) * r.W[j*n+k]
					}
					if f[j] += r.Bias; cols > 1 {
						f[j] += r.Biases[j]
					}
					if c.offset {
						f[j] += mean(dY[j*n:(j+1)*n]) - mean(p.Y[j*n:(j+1)*n])
					}
				}
				want := f
				if len(d.Classes) > 2 {
					want = make([]float64, 3)
					m.Code().Values(want, f)
				}
				for j := range want {
					// targets of size 200, λ = 0.1
					if got := values.At(i, j); math.Abs(got-want[j]) > 1e-7*(1+math.Abs(want[j])) {
						t.Fatalf("point %d, column %d: %v, by definition %v", i+1, j+1, got, want[j])
					}
				}
			}
			if d.Classes != nil {
				if s := Score(m, d); !(s.Accuracy > 0.9) {
					t.Errorf("accuracy %v", s.Accuracy)
				}
			} else if s := Score(m, d); name != "numbers" && !(s.R2 > 0.8) && !(len(s.Targets) == 2 && s.Targets[0].R2 > 0.8) {
				t.Errorf("score %v", s)
			}
			out := Must(m.PredictFile(new))
			lines := Must(csv.NewReader(strings.NewReader(string(Must(os.ReadFile(out))))).ReadAll())
			if len(lines) != 4 {
				t.Fatalf("%q", lines)
			}
			switch first := lines[1][1]; {
			case d.Classes != nil && (first != "kind0" || lines[3][1] != "kind1"):
				t.Errorf("%q", lines)
			case d.Classes == nil:
				v, err := strconv.ParseFloat(first, 64)
				if err != nil || !(math.Abs(v-170) < 12) {
					t.Errorf("%q, %v", lines, err)
				}
			}
			if !strings.Contains(m.Note, r.Solver) || m.Name != d.Name {
				t.Errorf("%q: %s", m.Name, m.Note)
			}
		})
	}
}

// TestFitFamilies: families of every kind of points; a dataset that is no file has a model without files.
func TestFitFamilies(t *testing.T) {
	d := data.Rings(40, 7)
	dir := t.TempDir()
	k := kernel.RBF{Gamma: 1}
	gram := fitBases
	gram.Kernels = kernel.List{k}
	Try(os.WriteFile(filepath.Join(dir, "y.csv"), []byte(strings.Join(d.Labels(), "\n")), 0o644))
	g := gram.On(d.X).New()
	g.At([]float64{1})
	Try(data.WriteMatrix(filepath.Join(dir, "k.csv"), g.K()))
	grams := Must(data.OpenGrams(filepath.Join(dir, "y.csv"), filepath.Join(dir, "k.csv")))
	for name, c := range map[string]struct {
		d *data.Dataset
		f kernel.Family
	}{
		"list":      {d, kernel.List{k, kernel.Linear{}}},
		"centred":   {d, kernel.Sum{Kernels: kernel.List{k, kernel.Linear{}}, Centre: true}},
		"features":  {d, kernel.Features{Degree: 2, Constant: true}},
		"gaussians": {d, kernel.Gaussians{}},
		"grams":     {grams, grams.Kernels},
	} {
		p := &mkl.Problem{Grams: c.f.On(c.d.X), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: 0.1}, Y: c.d.Y}
		var m *model.Model
		var r *mkl.Result
		if shown, status := record(t, func() { r = Weigh(p, mkl.Uniform{}); m = Fit(c.d, c.f, p, r) }); status != -1 {
			t.Errorf("%s: status %d, %v", name, status, shown.shown)
			continue
		}
		z := c.d.X
		if name == "grams" { // the model keeps no matrix
			z = kernel.Related{N: 40, Names: []string{"k"}, Data: [][]float64{grams.Kernels[0].(kernel.Precomputed).Data}}
		}
		g := p.Grams.New()
		g.At(r.Kernel)
		f := Must(m.Predict(z))
		for i := range f {
			want := r.Bias
			for j, w := range r.W {
				want += g.K().At(i, j) * w
			}
			if math.Abs(f[i]-want) > 1e-9 {
				t.Errorf("%s: point %d: %v, by definition %v", name, i+1, f[i], want)
				break
			}
		}
		if (m.Input != nil) != (name == "grams") {
			t.Errorf("%s: Input %v", name, m.Input)
		}
	}
}

// TestFitRefuses: what is not of one piece ends the cell with a line that says what.
func TestFitRefuses(t *testing.T) {
	d := fitted60(t, 2, data.Options{Label: "kind"})
	three := fitted60(t, 3, data.Options{Label: "kind"})
	p := &mkl.Problem{Grams: fitBases.On(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: d.Y}
	r := Weigh(p, mkl.Uniform{})
	rows := make([]int, 60)
	for i := range rows {
		rows[i] = 59 - i
	}
	with := func(change func(p *mkl.Problem)) *mkl.Problem { q := *p; change(&q); return &q }
	result := func(change func(r *mkl.Result)) *mkl.Result { s := *r; change(&s); return &s }
	wider := fitBases
	wider.Kernels = kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.21}}
	numbers := &mkl.Problem{Grams: fitBases.On(three.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: three.Y}
	for name, c := range map[string]struct {
		call func()
		want string
	}{
		"the points turned round": {func() { Fit(d, fitBases, with(func(p *mkl.Problem) { p.Grams = fitBases.On(d.X.Slice(rows)) }), r) }, "of other points, or of another family: want Grams: f.On(d.X)"},
		"a part of them": {func() {
			Fit(d, fitBases, with(func(p *mkl.Problem) { p.Grams, p.Y = fitBases.On(d.X.Slice(rows[:30])), d.Y[:30] }), r)
		}, "30 points, sheet has 60"},
		"another family":         {func() { Fit(d, wider, p, r) }, "of other points, or of another family"},
		"one kernel less":        {func() { Fit(d, kernel.List{kernel.Linear{}}, p, r) }, "2 weights θ for a family of 1 kernels"},
		"a result of one weight": {func() { Fit(d, fitBases, p, result(func(r *mkl.Result) { r.Kernel = r.Kernel[:1] })) }, "not a result of this problem"},
		"of fewer points":        {func() { Fit(d, fitBases, p, result(func(r *mkl.Result) { r.W = r.W[:59] })) }, "not a result of this problem"},
		"other targets": {func() {
			Fit(d, fitBases, with(func(p *mkl.Problem) { p.Y = slices.Clone(d.Y); p.Y[4] = 7 }), r)
		}, "the target of point 5 is 7"},
		"numbers of classes": {func() { Fit(three, fitBases, numbers, Weigh(numbers, mkl.Uniform{})) }, "model.Code{Classes: 3}.Spread(d.Y)"},
		"no dataset":         {func() { Fit(nil, fitBases, p, r) }, "want a dataset"},
		"no family":          {func() { Fit(d, nil, p, r) }, "want a dataset"},
		"no problem":         {func() { Fit(d, fitBases, nil, r) }, "want a dataset"},
		"no result":          {func() { Fit(d, fitBases, p, nil) }, "want a dataset"},
		"an empty problem":   {func() { Fit(d, fitBases, &mkl.Problem{}, r) }, "no Grams"},
		"an empty dataset":   {func() { Fit(&data.Dataset{Name: "d"}, fitBases, p, r) }, "d has no points"},
	} {
		got, status := stderr(t, func() int { _, status := record(t, c.call); return status })
		if status != 1 || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestFitLog: of logarithms learned the model predicts in the file's unit; targets that are not logarithms are refused.
func TestFitLog(t *testing.T) {
	d := data.SimulatedArm(60, 1)
	for i := range d.Y {
		d.Y[i] = math.Exp(3 * d.Y[i])
	}
	d.Log = true
	f := kernel.List{kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 0.1}}
	p := &mkl.Problem{Grams: f.On(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1e-3}, Y: d.LearnedY()}
	r, err := mkl.Solve(t.Context(), p, mkl.SPG{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := study.Model(d, f, p, r)
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Score(d.X, d.AllY())
	if err != nil || s.R2 < 0.9 {
		t.Errorf("in the file's unit R² is %g (%v), want nearly 1", s.R2, err)
	}
	p.Y = d.AllY()
	if _, err := study.Model(d, f, p, r); err == nil {
		t.Error("targets in the file's unit are taken for their logarithms")
	}
}
