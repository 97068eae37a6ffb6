package learn

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

// TestLinearIsRidgeRegression: the row linear has the predictions of ridge regression in the standardized features,
// with λ multiplied by the mean diagonal of XXᵀ, which is the number of features.
func TestLinearIsRidgeRegression(t *testing.T) {
	const n, d, lambda = 60, 4, 0.7
	x := comparetest.NormalPoints(n, d, rand.New(rand.NewPCG(2, 3)))
	y := make([]float64, n)
	for i := range y {
		y[i] = 3 + 5*x.Row(i)[0] - x.Row(i)[2] + math.Sin(float64(i))
	}
	set := &data.Dataset{Name: "plane", X: x, Y: y}
	l := must(Learn(t.Context(), set, WithMethod(LinearName), WithLambda(lambda), WithSplits(nil)))
	standardized := mat.NewDense(n, d, nil)
	for j := range d {
		column := mat.Col(nil, j, mat.NewDense(n, d, x.Data))
		mean := floats.Sum(column) / n
		floats.AddConst(-mean, column)
		floats.Scale(math.Sqrt(n)/floats.Norm(column, 2), column)
		standardized.SetCol(j, column)
	}
	normal, right := mat.NewDense(d, d, nil), mat.NewVecDense(d, nil)
	w, f := mat.NewVecDense(d, nil), mat.NewVecDense(n, nil)
	normal.Mul(standardized.T(), standardized)
	for j := range d {
		normal.Set(j, j, normal.At(j, j)+lambda*d)
	}
	mean := floats.Sum(y) / n
	centered := mat.NewVecDense(n, nil)
	for i := range y {
		centered.SetVec(i, y[i]-mean)
	}
	right.MulVec(standardized.T(), centered)
	if err := w.SolveVec(normal, right); err != nil {
		t.Fatal(err)
	}
	f.MulVec(standardized, w)
	for i, p := range must(l.Model.Predict(x)) {
		if want := f.AtVec(i) + mean; math.Abs(p-want) > 1e-9 {
			t.Fatalf("point %d: %g, want %g", i, p, want)
		}
	}
}

// TestLinearRow: tables of features have the row linear, with views too; data without features, and families of the
// caller, do not.
func TestLinearRow(t *testing.T) {
	hasLinear := func(d *data.Dataset, o ...Option) bool {
		p := must(NewPlan(d, append(o, WithSplits(nil))...))
		return strings.Contains(fmt.Sprint(methodNames(p.Methods)), LinearName)
	}
	sonar, globins := must(datasets.Load("sonar")), must(datasets.Load("globins"))
	family := must(NewPlan(sonar)).Methods[0].Search().Family
	for name, got := range map[string]bool{"table": hasLinear(sonar), "no similarities": !hasLinear(globins),
		"views":  hasLinear(sonar, WithViews(data.Views{"low": {"V1"}, "high": {"V60"}})),
		"losses": hasLinear(sonar, WithLoss(fit.Losses(loss.Hinge{}, 1))),
		"family": !hasLinear(sonar, WithFamily(family))} {
		if !got {
			t.Error(name)
		}
	}
}

// TestSingleKernelsAreThoseOfTheSum: the best single kernel is chosen among the kernels whose weights are learned, so
// that a comparison of the two compares weights only.
func TestSingleKernelsAreThoseOfTheSum(t *testing.T) {
	table := must(datasets.Load("sonar"))
	for name, d := range map[string]*data.Dataset{"table": table,
		"views": must(table.View(data.Views{"low": {"V1", "V2"}, "high": {"V60"}}))} {
		p := must(NewPlan(d, WithSplits(nil)))
		family := func(method string) kernel.Family {
			return p.Methods[slices.Index(methodNames(p.Methods), method)].Search().Family
		}
		for _, method := range []string{UniformName, SingleName} {
			if got, want := family(method), family(LearnedName); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s has the kernels %v, not %v", name, method, got, want)
			}
		}
	}
}

// TestWriteSplits: the file has the splits, with numbers of points or their keys.
func TestWriteSplits(t *testing.T) {
	d := datasets.Friedman(40, 1)
	splits := must(fit.Holdout(d.Y, 0.25, 3, 5))
	splits[2].Train = splits[2].Train[1:] // one point in neither part
	l := must(Learn(t.Context(), d, WithSplits(splits), WithLambda(1), WithMethod(UniformName)))
	file := filepath.Join(t.TempDir(), "splits.csv")
	read := func() [][]string {
		if err := l.WriteSplits(file); err != nil {
			t.Fatal(err)
		}
		return must(csv.NewReader(strings.NewReader(string(must(os.ReadFile(file))))).ReadAll())
	}
	lines := read()
	if len(lines) != 41 || lines[0][0] != "point" {
		t.Fatalf("%d lines, first %q", len(lines), lines[0])
	}
	for k, s := range splits {
		var got fit.Split
		for i, line := range lines[1:] {
			switch line[k+1] {
			case "train":
				got.Train = append(got.Train, i)
			case "test":
				got.Test = append(got.Test, i)
			}
			if line[0] != fmt.Sprint(i+1) {
				t.Errorf("point %d has the number %s", i+1, line[0])
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(s) {
			t.Errorf("split %d: %v, want %v", k+1, got, s)
		}
	}
	l.study.Data.DroppedPoints = 2
	if err := l.WriteSplits(file); err == nil || !strings.Contains(err.Error(), "Options.Key") {
		t.Errorf("numbers of points that are not rows: %v", err)
	}
	for i := range 40 {
		l.study.Data.Keys = append(l.study.Data.Keys, fmt.Sprint("k", i))
	}
	if lines := read(); lines[0][0] != "key" || lines[40][0] != "k39" {
		t.Errorf("keys: %q … %q", lines[0], lines[40])
	}
	if err := must(Learn(t.Context(), d, WithSplits(nil), WithLambda(1))).WriteSplits(file); err == nil ||
		!strings.Contains(err.Error(), "WithSplits") {
		t.Errorf("no splits: %v", err)
	}
}
