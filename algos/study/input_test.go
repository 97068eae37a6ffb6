package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// predictHere, in the environment, makes TestPredictElsewhere the other process.
const predictHere = "MKL_TEST_PREDICT"

// A mixed file with text, missing values and an index is learned, saved, and predicted by another process
// from a file with other columns, in another order, with a value that did not occur: bit for bit what
// this process predicts. One row alone is predicted as it is among others.
func TestPredictElsewhere(t *testing.T) {
	if dir := os.Getenv(predictHere); dir != "" {
		m := must(model.Load(filepath.Join(dir, "model")))
		for _, name := range []string{"new.csv", "one.csv"} {
			if _, err := m.PredictFile(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		b := must(os.ReadFile(filepath.Join(dir, name)))
		return string(b)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	colours := []string{"red", "green", "blue"}
	var train, reordered, same strings.Builder
	train.WriteString(",age,colour,size,sick\n")
	reordered.WriteString("size,visit,colour,age\n")
	same.WriteString(",age,colour,size,sick\n")
	for i := range 60 {
		age, size, c := 20+50*rng.Float64(), rng.NormFloat64(), rng.IntN(3)
		sick := "no"
		if age/40+size+float64(c) > 2 {
			sick = "yes"
		}
		cells := [3]string{fmt.Sprint(age), colours[c], fmt.Sprint(size)}
		switch rng.IntN(12) {
		case 0:
			cells[0] = ""
		case 1:
			cells[1] = "NA"
		}
		fmt.Fprintf(&train, "%d,%s,%s,%s,%s\n", i, cells[0], cells[1], cells[2], sick)
		if i%10 == 3 {
			cells[1] = "mauve"
		}
		if i < 20 {
			fmt.Fprintf(&same, "%d,%s,%s,%s,no\n", i, cells[0], cells[1], cells[2])
			fmt.Fprintf(&reordered, "%s,%d,%s,%s\n", cells[2], i, cells[1], cells[0])
		}
	}
	write("train.csv", train.String())
	write("same.csv", same.String())
	write("new.csv", reordered.String())
	lines := strings.SplitAfter(reordered.String(), "\n")
	write("one.csv", lines[0]+lines[4])
	for _, p := range []Path{Ridge(1), Losses(loss.Hinge{}, 1)} {
		d := must(data.Options{Missing: data.Fill}.Open(filepath.Join(dir, "train.csv")))
		opts := []Option{WithSplits([]Split{}), WithLoss(p)}
		l := must(Learn(context.Background(), d, opts...))
		if err := l.Model.Save(filepath.Join(dir, "model")); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Model.PredictFile(filepath.Join(dir, "same.csv")); err != nil {
			t.Fatal(err)
		}
		exe := must(os.Executable())
		c := exec.Command(exe, "-test.run=^TestPredictElsewhere$")
		c.Env = append(os.Environ(), predictHere+"="+dir)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("the other process: %v\n%s", err, out)
		}
		want, got := read("same.predictions.csv"), read("new.predictions.csv")
		if got != want || strings.Count(got, "\n") != 21 || !strings.Contains(got, "yes") || !strings.Contains(got, "no") {
			t.Errorf("the other process predicts\n%s, this one\n%s", got, want)
		}
		if got, want := strings.Split(read("one.predictions.csv"), "\n")[1], strings.Split(want, "\n")[4]; strings.TrimPrefix(got, "1,") != strings.TrimPrefix(want, "4,") {
			t.Errorf("one row alone is predicted as %s, among others as %s", got, want)
		}
		if _, hinge := p.Loss.(loss.Hinge); hinge && (l.Model.X.Len() >= 60 || l.Model.X.Len() != l.Model.Support()) {
			t.Errorf("%v", l.Model)
		}
	}
}

// twoViews has two groups of features, of which the first alone tells the classes apart.
func twoViews(n int) *data.Dataset {
	rng := rand.New(rand.NewPCG(2, 2))
	d := &data.Dataset{Name: "two views", Classes: []string{"a", "b"}}
	x := kernel.Rows{N: n, D: 5, Names: []string{"s1", "s2", "s3", "age", "rest"}}
	for i := range n {
		y := float64(i%2)*2 - 1
		x.Data = append(x.Data, 2*y+rng.NormFloat64(), -1.5*y+rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		d.Y = append(d.Y, y)
	}
	d.X = x
	return d
}

// Learn on two views says which one mattered, from an option or from files that were joined.
func TestLearnViews(t *testing.T) {
	d := twoViews(60)
	l := must(Learn(context.Background(), d, WithViews(data.Views{"spectrum": {"s*"}, "clinic": {"age"}}), WithSplits([]Split{}),
		WithMethod(LearnedName)))
	if len(l.Views) != 2 || l.Views[0].Name != "clinic" || l.Views[1].Share < 0.7 || math.Abs(l.Views[0].Share+l.Views[1].Share-1) > 1e-12 || l.Views[1].Features != 3 {
		t.Errorf("views %+v", l.Views)
	}
	sum := 0.0
	for k, label := range l.Model.Labels {
		if strings.HasPrefix(label, "spectrum: ") {
			sum += l.Model.Theta[k]
		}
	}
	if math.Abs(sum-l.Views[1].Weight) > 1e-12 || len(l.Model.Labels) != 12 {
		t.Errorf("the kernels called spectrum weigh %g, the view %g; labels %q", sum, l.Views[1].Weight, l.Model.Labels)
	}
	if s := l.String(); !strings.Contains(s, "Of the weight, kernels of mean diagonal 1: spectrum ") || !strings.Contains(s, "1 of 5 features are in no view and have no kernel") {
		t.Errorf("%s", s)
	}
	for _, f := range l.Figures() {
		if err := f.Validate(); err != nil {
			t.Error(err)
		}
	}
	// What is in no view does not count.
	z := d.X.(kernel.Rows)
	z.Data = append([]float64(nil), z.Data...)
	for i := range z.N {
		z.Row(i)[4] = 1e3
	}
	a := must(l.Model.Predict(d.X))
	b := must(l.Model.Predict(z))
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-12 {
			t.Errorf("point %d is predicted %g, %g with another value of the feature in no view", i, a[i], b[i])
		}
	}

	part := func(name string, cols ...int) *data.Dataset {
		p := must(d.Columns(cols...))
		p.Name = name
		return p
	}
	j := must(data.Join(part("spectrum", 0, 1, 2), part("clinic", 3)))
	k := must(Learn(context.Background(), j, WithSplits([]Split{}), WithMethod(LearnedName)))
	if len(k.Views) != 2 || math.Abs(k.Views[0].Share-l.Views[1].Share) > 1e-4 {
		t.Errorf("joined %+v, by option %+v", k.Views, l.Views)
	}
	if _, err := Learn(context.Background(), d, WithViews(data.Views{"a": {"nothing"}})); err == nil || !strings.Contains(err.Error(), `no feature "nothing"`) {
		t.Error(err)
	}
}

// Precomputed Gram matrices go through Learn, Save, Load and PredictFile, and predict what the kernels
// themselves do; the learned matrix and the weights come out.
func TestLearnGrams(t *testing.T) {
	d := twoViews(60)
	kernels := kernel.List{kernel.RBF{Gamma: 0.1, Columns: []int{0, 1, 2}}, kernel.RBF{Gamma: 0.5, Columns: []int{3}}}
	train, test := make([]int, 0, 45), make([]int, 0, 15)
	for i := range 60 {
		if i%4 == 3 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	dir := t.TempDir()
	x, z := d.X.Slice(train), d.X.Slice(test)
	var grams, crosses []string
	for k, f := range kernels {
		for name, p := range map[string]kernel.Points{"": x, "_test": z} {
			g := mat.NewDense(p.Len(), x.Len(), nil)
			f.Cross(g, p, x)
			path := filepath.Join(dir, fmt.Sprintf("k%d%s%s", k, name, []string{".npy", ".csv"}[k]))
			if err := data.WriteMatrix(path, g); err != nil {
				t.Fatal(err)
			}
			if name == "" {
				grams = append(grams, path)
			} else {
				crosses = append(crosses, path)
			}
		}
	}
	labels := "class\n"
	sub := *d
	sub.X, sub.Y = x, nil
	for _, i := range train {
		labels += d.Classes[d.Class(i)] + "\n"
		sub.Y = append(sub.Y, d.Y[i])
	}
	if err := os.WriteFile(filepath.Join(dir, "y.csv"), []byte(labels), 0o644); err != nil {
		t.Fatal(err)
	}
	g := must(data.OpenGrams(filepath.Join(dir, "y.csv"), grams...))
	for _, p := range []Path{Ridge(1), Losses(loss.Hinge{}, 1)} {
		l := must(Learn(context.Background(), g, WithLoss(p), WithMethod(LearnedName)))
		want := must(Learn(context.Background(), &sub, WithLoss(p), WithMethod(LearnedName), WithSplits([]Split{}),
			WithFamily(kernel.Sum{Kernels: kernels, Normalize: kernel.MeanDiagonal})))
		path := filepath.Join(dir, "model")
		if err := l.Model.Save(path); err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(path); info.Size() > 6000 {
			t.Errorf("the model's file has %d bytes: it keeps matrices", info.Size())
		}
		m := must(model.Load(path))
		new, _, err := m.Input.PointsUnseen(crosses...)
		if err != nil {
			t.Fatal(err)
		}
		a := must(m.Predict(new))
		b := must(want.Model.Predict(z))
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-4 {
				t.Errorf("new point %d is predicted %g, from its features %g", i, a[i], b[i])
			}
		}
		if out, err := m.PredictFile(crosses...); err != nil || !strings.HasSuffix(out, "k0_test.npy.predictions.csv") {
			t.Errorf("%s, %v", out, err)
		}
		if l.Table == nil || !strings.Contains(l.String(), "2 given by Gram matrices") {
			t.Errorf("%v", l)
		}
		learned := must(m.Gram(new, kernel.AllPlaces(45)))
		out := filepath.Join(dir, "learned.npy")
		if err := data.WriteMatrix(out, learned); err != nil {
			t.Fatal(err)
		}
		if back, err := data.OpenMatrix(out); err != nil || back.N != 15 || back.D != 45 || back.Data[7] != learned.At(0, 7) {
			t.Errorf("%v", err)
		}
	}
}

// Learn warns of what may be wrong with a file, before the comparison, and says how many points it needs.
func TestLearnDoubts(t *testing.T) {
	d := twoViews(40)
	d.Doubts = []string{"column 1 (Id) counts the rows (Options.Leave leaves it out)"}
	l, err := Learn(context.Background(), d, WithSplits([]Split{}))
	if err != nil || !slices.Contains(l.Warnings, "Data: "+d.Doubts[0]) || !strings.Contains(l.String(), "\nWarning: Data: column 1 (Id) counts the rows (Options.Leave leaves it out)\n") {
		t.Errorf("%v, %v", l, err)
	}
	_, err = Learn(context.Background(), twoViews(6))
	if err == nil || err.Error() != "study: two views has 6 points, want 8 or more to learn, choose (WithFolds) and compare (WithSplits) on" {
		t.Error(err)
	}
	if l, err := Learn(context.Background(), twoViews(8)); err != nil || l.Model == nil {
		t.Errorf("8 points: %v", err)
	}
}

// Targets beyond the squares that float64 holds are one clear line.
func TestLearnHugeTargets(t *testing.T) {
	d := twoViews(40)
	d.Classes = nil
	for i := range d.Y {
		d.Y[i] = (d.Y[i] + float64(i)/40) * 1e200
	}
	_, err := Learn(context.Background(), d, WithSplits([]Split{}))
	if err == nil || !strings.Contains(err.Error(), "scale the targets to about 1") {
		t.Error(err)
	}
}
