package mklnb

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/mklnb/report"
)

// foreign is a loss of another package.
type foreign struct{ loss.Squared }

// TestClassNumbers: Solve and Weigh say that numbers of classes are taken as amounts; of columns of classes, as the
// recipe of Dataset.Y makes them, of amounts and of fewer numbers they say nothing.
func TestClassNumbers(t *testing.T) {
	d := six(6)
	grams := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}.On(d.X)
	code := model.TargetEncoding{Classes: len(d.Classes)}
	half, gap := slices.Clone(d.Y), slices.Clone(d.Y)
	half[3] = 0.5
	for i, y := range gap {
		if y == 4 {
			gap[i] = 5
		}
	}
	squared := loss.Squared{Lambda: 1}
	for _, c := range []struct {
		what string
		loss loss.Loss
		y    []float64
		want bool
	}{
		{"class numbers", squared, d.Y, true},
		{"class numbers, insensitive", loss.EpsilonInsensitive{C: 1, Epsilon: 0.1}, d.Y, true},
		{"class numbers, a loss of one's own", foreign{squared}, d.Y, true},
		{"columns of classes", loss.Repeat(squared, code.Columns()), code.EncodeAll(d.Y), false},
		{"columns of classes, hinge", loss.Repeat(loss.Hinge{C: 1}, code.Columns()), code.EncodeAll(d.Y), false},
		{"an amount among them", squared, half, false},
		{"a number that none has", squared, gap, false},
	} {
		p := &mkl.Problem{Grams: grams, Set: set.Simplex{}, Loss: c.loss, Y: c.y}
		for what, run := range map[string]func(){
			"Solve": func() { Solve(p, mkl.Level{}, &mkl.Settings{Iterations: 3}) },
			"Weigh": func() { Weigh(p, mkl.Uniform{}) },
		} {
			r, status := record(t, run)
			said := containsEvery(r.text(), "0 … 5", "model.TargetEncoding{Classes: 6}", "code.EncodeAll",
				"loss.Repeat")
			if status != -1 || c.want != said {
				t.Errorf("%s, %s: status %d, %q", what, c.what, status, r.text())
			}
		}
	}
}

// sheet opens a file of 60 rows: two numbers, one missing, a nominal column, a name of a class, a target, another one.
// The targets beside the label are left out.
func sheet(t *testing.T, classes int, o data.Options) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	text := "a,colour,b,kind,height,weight\n"
	for i := range 60 {
		k := i % classes
		a := fmt.Sprint(3*float64(k) + 0.5*rng.NormFloat64())
		if i == 7 {
			a = ""
		}
		colour := []string{"red", "blue", "green"}[rng.IntN(3)]
		text += fmt.Sprintf("%s,%s,%v,kind%d,%v,%v\n", a, colour, rng.NormFloat64(), k,
			170+10*float64(k)+rng.NormFloat64(), 60+5*float64(k))
	}
	o.Missing = data.Fill
	for _, name := range []string{"kind", "height", "weight"} {
		if name != o.Label && !slices.Contains(o.Targets, name) {
			o.DropColumns = append(o.DropColumns, name)
		}
	}
	return Must(o.Open(write(t, filepath.Join(t.TempDir(), "sheet.csv"), text)))
}

var fitBases = kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.2}},
	Prepare: points.Preprocessing{points.Standardize}, Normalize: kernel.MeanDiagonal}

// values are the values f = K(θ)w + b of a result on the points learned on, by definition, column by column.
func values(p *mkl.Problem, r *mkl.Result) [][]float64 {
	g := p.Grams.New()
	g.At(r.Kernel)
	n := g.K().SymmetricDim()
	f := make([][]float64, len(p.Y)/n)
	for j := range f {
		for i := range n {
			v := r.Bias
			if len(r.Biases) > 0 {
				v += r.Biases[j]
			}
			for k := range n {
				v += g.K().At(i, k) * r.W[j*n+k]
			}
			f[j] = append(f[j], v)
		}
	}
	return f
}

// TestFit: a result and its dataset are a model, which is saved, has the result's values, and predicts a new file by
// the names of its columns, its levels and fills, under the classes' names.
func TestFit(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	new := write(t, filepath.Join(t.TempDir(), "new.csv"),
		"b,more,colour,a\n0.5,x,red,-0.2\n-1,y,mauve,\n0,z,blue,3.1\n")
	less := func(y []float64) (z []float64) { // their mean
		mean := 0.0
		for _, v := range y {
			mean += v / float64(len(y))
		}
		for _, v := range y {
			z = append(z, v-mean)
		}
		return z
	}
	two, three := sheet(t, 2, data.Options{Label: "kind"}), sheet(t, 3, data.Options{Label: "kind"})
	number := sheet(t, 2, data.Options{Label: "height", Regression: true})
	targets := sheet(t, 2, data.Options{Targets: []string{"height", "weight"}})
	squared, hinge := loss.Squared{Lambda: 0.1}, loss.Hinge{C: 1}
	for name, c := range map[string]struct {
		d      *data.Dataset
		loss   loss.Loss
		y      []float64
		solver mkl.Solver
	}{
		"two classes":     {two, hinge, two.Y, mkl.Level{}},
		"numbers":         {number, squared, number.Y, nil},
		"less their mean": {number, squared, less(number.Y), nil},
		"three classes":   {three, loss.Repeat(squared, 3), model.TargetEncoding{Classes: 3}.EncodeAll(three.Y), nil},
		"three classes, hinge": {three, loss.Repeat(hinge, 3), model.TargetEncoding{Classes: 3}.EncodeAll(three.Y),
			mkl.Level{}},
		"two targets": {targets, loss.Repeat(squared, 2), slices.Concat(less(targets.Y), targets.ExtraTargets[0].Y),
			nil},
	} {
		d := c.d
		p := &mkl.Problem{Grams: fitBases.On(d.X), Set: set.Simplex{}, Loss: c.loss, Y: c.y}
		var m *model.Model
		var r *mkl.Result
		shows(t, 1, func() {
			r = Solve(p, c.solver, nil)
			Save("mine", Fit(d, fitBases, p, r))
			m = LoadModel("mine")
		})
		got, f := Must(m.Values(d.X)), values(p, r)
		all := d.AllY()
		for i := range d.Len() {
			want := make([]float64, len(f))
			for j := range f {
				if want[j] = f[j][i]; d.Classes == nil { // what the model adds
					want[j] += all[j*d.Len()] - p.Y[j*d.Len()]
				}
			}
			if len(d.Classes) > 2 {
				votes := make([]float64, 3)
				m.TargetEncoding().ClassValues(votes, want)
				want = votes
			}
			for j := range want { // targets of size 200, λ = 0.1
				if math.Abs(got.At(i, j)-want[j]) > 1e-7*(1+math.Abs(want[j])) {
					t.Fatalf("%s: point %d, column %d: %v, by definition %v", name, i+1, j+1, got.At(i, j), want[j])
				}
			}
		}
		if d.Classes != nil && !(Score(m, d).Accuracy > 0.9) {
			t.Errorf("%s: %v", name, Score(m, d))
		}
		lines := strings.Split(string(Must(os.ReadFile(Must(m.PredictFile(new)).Path))), "\n")
		first := ""
		if len(lines) == 5 {
			first = strings.Split(lines[1], ",")[1]
		}
		var v float64
		if _, err := fmt.Sscan(first, &v); d.Classes != nil && first != "kind0" ||
			d.Classes == nil && (err != nil || !(math.Abs(v-170) < 12)) {
			t.Errorf("%s: %q, %v", name, lines, err)
		}
		if !strings.Contains(m.Note, r.Solver) || m.Name != d.Name {
			t.Errorf("%s: %q: %s", name, m.Name, m.Note)
		}
	}
}

// TestFitFamilies: families of every kind of points; a dataset that is no file has a model without files.
func TestFitFamilies(t *testing.T) {
	d := data.Rings(40, 7)
	dir := t.TempDir()
	k := kernel.RBF{Gamma: 1}
	gram := fitBases
	gram.Kernels = kernel.List{k}
	labels := write(t, filepath.Join(dir, "y.csv"), strings.Join(d.Labels(), "\n"))
	g := gram.On(d.X).New()
	g.At([]float64{1})
	Try(data.WriteMatrix(filepath.Join(dir, "k.csv"), g.K()))
	grams := Must(data.Options{Labels: labels}.OpenGrams(filepath.Join(dir, "k.csv")))
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
		y := c.d.Y
		p := &mkl.Problem{Grams: c.f.On(c.d.X), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: 0.1}, Y: y}
		r := Weigh(p, mkl.Uniform{})
		m := Fit(c.d, c.f, p, r)
		z := c.d.X
		if name == "grams" { // the model keeps no matrix
			given := [][]float64{grams.Kernels[0].(kernel.Precomputed).Data}
			z = points.KernelRows{N: 40, Names: []string{"k"}, Data: given}
		}
		want := values(p, r)[0]
		for i, f := range Must(m.Predict(z)) {
			if math.Abs(f-want[i]) > 1e-9 {
				t.Errorf("%s: point %d: %v, by definition %v", name, i+1, f, want[i])
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
	d, three := sheet(t, 2, data.Options{Label: "kind"}), sheet(t, 3, data.Options{Label: "kind"})
	p := &mkl.Problem{Grams: fitBases.On(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: d.Y}
	r := Weigh(p, mkl.Uniform{})
	rows := make([]int, 60)
	for i := range rows {
		rows[i] = 59 - i
	}
	turned, part, other := *p, *p, *p
	turned.Grams = fitBases.On(d.X.Slice(rows))
	part.Grams, part.Y = fitBases.On(d.X.Slice(rows[:30])), d.Y[:30]
	other.Y = slices.Clone(d.Y)
	other.Y[4] = 7
	one, fewer := *r, *r
	one.Kernel, fewer.W = r.Kernel[:1], r.W[:59]
	wider, single := fitBases, kernel.List{kernel.Linear{}}
	wider.Kernels = kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.21}}
	numbers := &mkl.Problem{Grams: fitBases.On(three.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1},
		Y: three.Y}
	for name, c := range map[string]struct {
		d    *data.Dataset
		f    kernel.Family
		p    *mkl.Problem
		r    *mkl.Result
		want string
	}{
		"turned round": {d, fitBases, &turned, r,
			"of other points, or of another family: want Grams: f.On(d.X)"},
		"a part of them":         {d, fitBases, &part, r, "30 points, sheet has 60"},
		"another family":         {d, wider, p, r, "of other points, or of another family"},
		"one kernel less":        {d, single, p, r, "2 weights θ for a family of 1 kernels"},
		"a result of one weight": {d, fitBases, p, &one, "not a result of this problem"},
		"of fewer points":        {d, fitBases, p, &fewer, "not a result of this problem"},
		"other targets":          {d, fitBases, &other, r, "the target of point 5 is 7"},
		"numbers of classes": {three, fitBases, numbers, Weigh(numbers, mkl.Uniform{}),
			"model.TargetEncoding{Classes: 3}.EncodeAll(d.Y)"},
		"no dataset":       {nil, fitBases, p, r, "want a dataset"},
		"no family":        {d, nil, p, r, "want a dataset"},
		"no problem":       {d, fitBases, nil, r, "want a dataset"},
		"no result":        {d, fitBases, p, nil, "want a dataset"},
		"an empty problem": {d, fitBases, &mkl.Problem{}, r, "no Grams"},
		"an empty dataset": {&data.Dataset{Name: "d"}, fitBases, p, r, "d has no points"},
	} {
		refused(t, name, c.want, func() { Fit(c.d, c.f, c.p, c.r) })
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
	p := &mkl.Problem{Grams: f.On(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1e-3}, Y: d.TransformedY()}
	r := Must(mkl.Solve(t.Context(), p, mkl.SPG{}, nil))
	if s := Score(Fit(d, f, p, r), d); s.R2 < 0.9 {
		t.Errorf("in the file's unit R² is %g, want nearly 1", s.R2)
	}
	p.Y = d.AllY()
	refused(t, "targets in the file's unit", "target", func() { Fit(d, f, p, r) })
}

// TestSimilarity: a similarity with labels is opened, shown without a bar for each entry, learned
// from, and new points are predicted by rows of similarities in a file.
func TestSimilarity(t *testing.T) {
	const n, l = 60, 20
	rng := rand.New(rand.NewPCG(3, 3))
	var x, y [n + l]float64
	var old, fresh strings.Builder
	for i := range x {
		y[i] = float64(1 - 2*(i%2))
		x[i] = 1.5*y[i] + 0.7*rng.NormFloat64()
	}
	for i := range x {
		b := &old
		if i >= n {
			b = &fresh
		}
		for j := range n {
			fmt.Fprintf(b, "%g,", math.Exp(-(x[i]-x[j])*(x[i]-x[j]))+0.1*rng.NormFloat64())
		}
		fmt.Fprintln(b, map[float64]string{1: "yes", -1: "no"}[y[i]])
	}
	dir := t.TempDir()
	rows := strings.NewReplacer(",yes", "", ",no", "").Replace(fresh.String())
	new := write(t, filepath.Join(dir, "new.csv"), rows)
	likes := write(t, filepath.Join(dir, "likes.csv"), old.String())
	d := Must(data.Options{Labels: likes, Label: "x61", DropColumns: []string{"x61"},
		Header: data.HeaderNo}.OpenSimilarities(likes))
	if r := shows(t, 1, func() { Show(d) }); !containsEvery(r.shown[0].text, "60 points",
		"is not symmetric: the largest difference is ") {
		t.Errorf("%s", r.shown[0].text)
	}
	z := Must(d.Encoding.Points(new))
	right := func(name string, m *model.Model) {
		t.Helper()
		hits := 0
		for i, v := range Must(m.Predict(z)) {
			if v*y[n+i] > 0 {
				hits++
			}
		}
		if hits < l*7/10 {
			t.Errorf("%s: %d of %d new points right", name, hits, l)
		}
		Must(m.PredictFile(new))
	}
	held := Must(compare.Holdout(d.Y, 0.3, 2, 1))
	learned := Must(learn.Learn(context.Background(), d, learn.WithSplits(held)))
	if text := report.Text(learned); !containsEvery(text, "Expected error on new data: error rate ",
		"repairs of similarities, fitted to the training points: likes [denoise flip shift linear]") {
		t.Errorf("%s", text)
	}
	Try(learned.Model.Save(filepath.Join(dir, "m.json")))
	right("Learn", Must(model.Load(filepath.Join(dir, "m.json"))))
}
