package mklnb

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// TestClassNumbers tests that EvaluateRule warns if a problem treats class indices as quantities, and only then.
func TestClassNumbers(t *testing.T) {
	d := six(6)
	grams := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}.Bind(d.X)
	code := model.TargetEncoding{Classes: len(d.Classes)}
	half := slices.Clone(d.Y)
	half[3] = 0.5
	squared := loss.Squared{Lambda: 1}
	for _, c := range []struct {
		what string
		loss loss.Loss
		y    []float64
		want bool
	}{
		{"class numbers", squared, d.Y, true},
		{"columns of classes", loss.Repeat(squared, code.Columns()), code.EncodeAll(d.Y), false},
		{"an amount among them", squared, half, false},
	} {
		p := &mkl.Problem{Grams: grams, Set: set.Simplex{}, Loss: c.loss, Y: c.y}
		r, status := record(t, func() { EvaluateRule(p, mkl.Uniform{}) })
		warned := containsEvery(r.text(), "0 … 5", "model.TargetEncoding{Classes: 6}", "code.EncodeAll", "loss.Repeat")
		if status != -1 || c.want != warned {
			t.Errorf("%s: status %d, %q", c.what, status, r.text())
		}
	}
}

// sheet opens a file of 60 rows: two numbers, one missing, a nominal column, a name of a class, a target, another one.
// The targets beside the label are left out.
func sheet(t *testing.T, classes int, o data.Options) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	text := "a,color,b,kind,height,weight\n"
	for i := range 60 {
		k := i % classes
		a := fmt.Sprint(3*float64(k) + 0.5*rng.NormFloat64())
		if i == 7 {
			a = ""
		}
		color := []string{"red", "blue", "green"}[rng.IntN(3)]
		text += fmt.Sprintf("%s,%s,%v,kind%d,%v,%v\n", a, color, rng.NormFloat64(), k,
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
	g.SetTheta(r.PredictionTheta)
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
	t.Setenv("MKL_MODELS", t.TempDir())
	new := write(t, filepath.Join(t.TempDir(), "new.csv"),
		"b,more,color,a\n0.5,x,red,-0.2\n-1,y,mauve,\n0,z,blue,3.1\n")
	three := sheet(t, 3, data.Options{Label: "kind"})
	targets := sheet(t, 2, data.Options{Targets: []string{"height", "weight"}})
	mean, centered := stat.Mean(targets.Y, nil), slices.Clone(targets.Y)
	floats.AddConst(-mean, centered)
	squared, hinge := loss.Squared{Lambda: 0.1}, loss.Hinge{C: 1}
	for name, c := range map[string]struct {
		d       *data.Dataset
		loss    loss.Loss
		y       []float64
		solver  mkl.Solver
		offsets []float64
	}{
		"three classes, hinge": {three, loss.Repeat(hinge, 3), model.TargetEncoding{Classes: 3}.EncodeAll(three.Y),
			mkl.Level{}, nil},
		"two targets": {targets, loss.Repeat(squared, 2), slices.Concat(centered, targets.ExtraTargets[0].Y), nil,
			[]float64{mean, 0}},
	} {
		d := c.d
		p := &mkl.Problem{Grams: fitBases.Bind(d.X), Set: set.Simplex{}, Loss: c.loss, Y: c.y}
		var m *model.Model
		var r *mkl.Result
		shows(t, 1, func() {
			r = Solve(p, c.solver, nil)
			Save("mine", Fit(d, fitBases, p, r, c.offsets...), Replace)
			m = LoadModel("mine")
		})
		got, f := Must(m.Values(d.X)), values(p, r)
		for i := range d.Len() {
			want := make([]float64, len(f))
			for j := range f {
				if want[j] = f[j][i]; c.offsets != nil {
					want[j] += c.offsets[j]
				}
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

// TestFitRefuses: what is not of one piece ends the cell with a line that says what.
func TestFitRefuses(t *testing.T) {
	d := sheet(t, 2, data.Options{Label: "kind"})
	p := &mkl.Problem{Grams: fitBases.Bind(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: d.Y}
	r := EvaluateRule(p, mkl.Uniform{})
	rows := make([]int, 60)
	for i := range rows {
		rows[i] = 59 - i
	}
	part, other := *p, *p
	part.Grams, part.Y = fitBases.Bind(d.X.Slice(rows[:30])), d.Y[:30]
	other.Y = slices.Clone(d.Y)
	other.Y[4] = 7
	wider := fitBases
	wider.Kernels = kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.21}}
	for name, c := range map[string]struct {
		d       *data.Dataset
		f       kernel.Family
		p       *mkl.Problem
		r       *mkl.Result
		offsets []float64
		want    string
	}{
		"a part of them":  {d, fitBases, &part, r, nil, "30 points, but sheet has 60"},
		"another family":  {d, wider, p, r, nil, "the points or the family differ"},
		"other targets":   {d, fitBases, &other, r, nil, "the target of point 5 is 7"},
		"another offset":  {d, fitBases, p, r, []float64{0.5}, "offset 0.5"},
		"a second offset": {d, fitBases, p, r, []float64{0, 0}, "2 offsets"},
		"no result":       {d, fitBases, p, nil, nil, "an argument is nil; pass a dataset"},
	} {
		refused(t, name, c.want, func() { Fit(c.d, c.f, c.p, c.r, c.offsets...) })
	}
}

// TestFitLog: of logarithms learned the model predicts in the file's unit; targets that are not logarithms are refused.
func TestFitLog(t *testing.T) {
	d := datasets.SimulatedArm(60, 1)
	for i := range d.Y {
		d.Y[i] = math.Exp(3 * d.Y[i])
	}
	d.LogTargets = true
	f := kernel.List{kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 0.1}}
	p := &mkl.Problem{Grams: f.Bind(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1e-3}, Y: d.TransformedY()}
	r := Must(mkl.Solve(t.Context(), p, mkl.SPG{}, nil))
	if s := Score(Fit(d, f, p, r), d); s.R2 < 0.9 {
		t.Errorf("in the file's unit R² is %g, want nearly 1", s.R2)
	}
	p.Y = d.AllY()
	refused(t, "targets in the file's unit", "target", func() { Fit(d, f, p, r) })
}
