package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/testenv"
)

// Learn on two views says which one mattered, from an option or from files that were joined.
func TestLearnViews(t *testing.T) {
	d := comparetest.TwoViewDataset(60)
	how := []Option{WithSplits(nil), WithMethod(LearnedName)}
	l := learn(t, d, append(how, WithViews(data.Views{"spectrum": {"s*"}, "clinic": {"age"}}))...)
	v := l.Views
	if len(v) != 2 || v[0].Name != "clinic" || v[1].WeightShare < 0.7 ||
		math.Abs(v[0].WeightShare+v[1].WeightShare-1) > 1e-12 ||
		v[1].Features != 3 {
		t.Errorf("views %+v", v)
	}
	sum := 0.0
	for k, label := range l.Model.Labels {
		if strings.HasPrefix(label, "spectrum: ") {
			sum += l.Model.Theta[k]
		}
	}
	if math.Abs(sum-v[1].Weight) > 1e-12 {
		t.Errorf("the kernels called spectrum weigh %g, the view %g; labels %q", sum, v[1].Weight, l.Model.Labels)
	}
	// What is in no view does not count.
	z := d.X.(points.Rows)
	z.Data = slices.Clone(z.Data)
	for i := range z.N {
		z.Row(i)[4] = 1e3
	}
	a, b := must(l.Model.Predict(d.X)), must(l.Model.Predict(z))
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-12 {
			t.Errorf("point %d is predicted %g, %g with another value of the feature in no view", i, a[i], b[i])
		}
	}
	spectrum, clinic := must(d.Columns(0, 1, 2)), must(d.Columns(3))
	spectrum.Name, clinic.Name = "spectrum", "clinic"
	k := learn(t, must(data.Join(spectrum, clinic)), how...)
	if len(k.Views) != 2 || math.Abs(k.Views[0].WeightShare-v[1].WeightShare) > 1e-4 {
		t.Errorf("joined %+v, by option %+v", k.Views, v)
	}
	says(t, testenv.ErrorText(Learn(context.Background(), d, WithViews(data.Views{"a": {"nothing"}}))), `no feature "nothing"`)
}

// Precomputed Gram matrices go through Learn, Save, Load and PredictFile, and predict what the kernels
// themselves do.
func TestLearnGrams(t *testing.T) {
	d := comparetest.TwoViewDataset(60)
	kernels := kernel.List{kernel.RBF{Gamma: 0.1, Columns: []int{0, 1, 2}}, kernel.RBF{Gamma: 0.5, Columns: []int{3}}}
	var train, test []int
	for i := range 60 {
		if i%4 == 3 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	dir, sub := t.TempDir(), must(d.Slice(train))
	x, z := d.X.Slice(train), d.X.Slice(test)
	write := func(name string, k kernel.Kernel, p points.Points) string {
		g, path := mat.NewDense(p.Len(), x.Len(), nil), filepath.Join(dir, name)
		k.Cross(g, p, x)
		if err := data.WriteMatrix(path, g); err != nil {
			t.Fatal(err)
		}
		return path
	}
	grams := []string{write("k0.npy", kernels[0], x), write("k1.csv", kernels[1], x)}
	crosses := []string{write("k0_test.npy", kernels[0], z), write("k1_test.csv", kernels[1], z)}
	labels, path := filepath.Join(dir, "y.csv"), filepath.Join(dir, "model")
	text := "class\n" + strings.Join(sub.Labels(), "\n") + "\n"
	if err := os.WriteFile(labels, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	g := must(data.Options{LabelFile: labels}.OpenGrams(grams...))
	for _, p := range []fit.Path{fit.Ridge(1), fit.Losses(loss.Hinge{}, 1)} {
		l := learn(t, g, WithLoss(p), WithMethod(LearnedName))
		want := learn(t, sub, WithLoss(p), WithMethod(LearnedName), WithSplits(nil),
			WithFamily(kernel.Sum{Kernels: kernels, Normalize: kernel.MeanDiagonal}))
		if err := l.Model.Save(path); err != nil {
			t.Fatal(err)
		}
		if info := must(os.Stat(path)); info.Size() > 6000 {
			t.Errorf("the model's file has %d bytes: it keeps matrices", info.Size())
		}
		m := must(model.Load(path))
		fresh, err := m.Input.OpenPoints(crosses...)
		if err != nil {
			t.Fatal(err)
		}
		b := must(want.Model.Predict(z))
		for i, a := range must(m.Predict(fresh.X)) {
			if math.Abs(a-b[i]) > 1e-4 {
				t.Errorf("new point %d is predicted %g, from its features %g", i, a, b[i])
			}
		}
		out, err := m.PredictFile(crosses...)
		if err != nil || !strings.HasSuffix(out.Path, "k0_test.npy.predictions.csv") {
			t.Errorf("%v, %v", out, err)
		}
	}
}

// Learn warns of what may be wrong with a file, before the comparison, and says how many points it needs.
func TestLearnDoubts(t *testing.T) {
	d := comparetest.TwoViewDataset(40)
	d.Doubts = []string{"column 1 (Id) counts the rows (Options.DropColumns leaves it out)"}
	l := learn(t, d, WithSplits(nil))
	if said := (Warning{AboutData, d.Doubts[0]}); !slices.Contains(l.Warnings, said) {
		t.Errorf("%v", l)
	}
	learn(t, comparetest.TwoViewDataset(8))
	says(t, testenv.ErrorText(Learn(context.Background(), comparetest.TwoViewDataset(6), WithSplits(nil))),
		"two views is 6;")
}

// TestLearnRefusesConstantTargets: a constant target is an error, of several targets with its name.
func TestLearnRefusesConstantTargets(t *testing.T) {
	x := comparetest.NormalPoints(20, 2, rand.New(rand.NewPCG(1, 1)))
	varying, constant := x.Data[:20], slices.Repeat([]float64{2.5}, 20)
	d := &data.Dataset{Name: "yields", X: x, Y: constant}
	says(t, testenv.ErrorText(Learn(t.Context(), d)), "the target of yields is 2.5 at all 20 points")
	d = &data.Dataset{Name: "yields", X: x, Y: varying, Target: "weight",
		ExtraTargets: []data.Target{{Name: "height", Y: constant}}}
	says(t, testenv.ErrorText(Learn(t.Context(), d)), `the target "height" of yields is 2.5 at all 20 points`)
}

// Learn accepts features of every size that its own kernels accept: the constant baseline asks for no other size.
func TestFeaturesOfEverySize(t *testing.T) {
	for _, size := range []float64{1e-90, 1e-51, 1e51, 1e90} {
		d := comparetest.NoisySine(40, 1)
		x := points.ToRows(d.X)
		x.Data = slices.Clone(x.Data)
		for i := range x.Data {
			x.Data[i] *= size
		}
		d.X = x
		l := learn(t, d, WithLambda(0.1, 1), WithMethod(LearnedName))
		if n := len(l.Table.Row(compare.ConstantBaseline).Runs); n != l.Table.Splits {
			t.Errorf("features of size %g: the baseline has %d splits", size, n)
		}
	}
}

// A dataset of one point is refused for its number of points, one whose points are all in one group for its group.
func TestLearnNamesTheFault(t *testing.T) {
	d := comparetest.NoisySine(40, 1)
	one := must(d.Slice([]int{0}))
	says(t, testenv.ErrorText(Learn(t.Context(), one)), "is 1;")
	d.Group = make([]string, 40)
	says(t, testenv.ErrorText(Learn(t.Context(), d)), `group ""`)
}
