package algos_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

// A program learns a model, tests it on points that were held out, and predicts.
func Example_learn() {
	train, test, err := fit.SplitData(datasets.Rings(120, 1), 0.25, 1)
	exitOn(err)
	l, err := learn.Learn(context.Background(), train, learn.WithSplits(nil))
	exitOn(err)
	score, err := l.Model.Score(test)
	exitOn(err)
	classes, err := l.Model.Classify(test.X.Slice([]int{0, 1}))
	exitOn(err)
	fmt.Printf("accuracy %.2f; %v\n", score.Accuracy, classes)
	// Output: accuracy 1.00; [outer inner]
}

// A program learns weights of its own kernels in its own set, with its own loss and solver, and saves the model. The
// types are those of the guides.
func Example_ownParts() {
	d := datasets.SimulatedArm(60, 1)
	f, err := fit.Search{Family: kernel.List{cauchy{Gamma: 1}, cauchy{Gamma: 10}},
		Grid:   fit.Grid{fit.Losses(expectile{Tau: 0.7}), fit.Sets(limits{Low: 0.1, High: 2})},
		Solver: gradientProjection{}}.Fit(context.Background(), d)
	exitOn(err)
	file := filepath.Join(os.TempDir(), "own.mkl")
	defer os.Remove(file)
	exitOn(f.Model.Save(file))
	m, err := model.Load(file)
	exitOn(err)
	score, err := m.Score(d)
	exitOn(err)
	fmt.Printf("%v; R² %.2f\n", f.Result.Status, score.R2)
	// Output: certified; R² 0.88
}

// A program compares three methods on the same splits; the third selects one of two families.
func Example_compare() {
	d := datasets.Rings(60, 7)
	halves, err := fit.Halves(d.Y, 5, 1)
	exitOn(err)
	smooth, rough := kernel.List{kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 10}}, kernel.List{kernel.Laplacian{Gamma: 1}}
	hinge := fit.Losses(loss.Hinge{}, fit.HalfDecades(-1, 1)...)
	table, err := (&compare.Study{Data: d, Splits: halves, Methods: []fit.Method{
		{Name: "uniform", Fitter: fit.Search{Family: smooth, Grid: fit.Grid{hinge, fit.Rules(mkl.Uniform{})}}},
		{Name: "learned", Fitter: fit.Search{Family: smooth, Grid: fit.Grid{hinge}, Solver: mkl.Level{}}},
		{Name: "a family", Fitter: fit.Best{Candidates: []fit.Method{
			{Name: "smooth", Fitter: fit.Search{Family: smooth, Grid: fit.Grid{hinge}, Solver: mkl.Level{}}},
			{Name: "rough", Fitter: fit.Search{Family: rough, Grid: fit.Grid{hinge}, Solver: mkl.Level{}}}}}},
	}}).Run(context.Background(), nil)
	exitOn(err)
	for _, row := range table.Rows {
		fmt.Printf("%-8s %.2f\n", row.Method, table.Summary(row.Method, model.Accuracy).Mean)
	}
	// Output:
	// uniform  0.95
	// learned  0.94
	// a family 0.95
}

// A program learns weights of Gram matrices that it computed, and predicts new points by their kernel values.
func Example_gramMatrices() {
	x, new := mat.NewDense(8, 1, []float64{-4, -3, -2, -1, 1, 2, 3, 4}), mat.NewDense(2, 1, []float64{-2.5, 2.5})
	var k1, k3, c1, c3 mat.Dense // K₁ = xxᵀ; entries of K₃ are those of K₁, cubed
	k1.Mul(x, x.T())
	c1.Mul(new, x.T())
	cube := func(_, _ int, v float64) float64 { return v * v * v }
	k3.Apply(cube, &k1)
	c3.Apply(cube, &c1)
	d, err := data.FromGrams("cubes", []float64{-64, -27, -8, -1, 1, 8, 27, 64}, &k1, &k3)
	exitOn(err)
	l, err := learn.Learn(context.Background(), d, learn.WithSplits(nil))
	exitOn(err)
	z, err := d.KernelRows(&c1, &c3)
	exitOn(err)
	values, err := l.Model.Predict(z)
	exitOn(err)
	fmt.Printf("%.1f\n", values)
	// Output: [-15.6 15.6]
}

func exitOn(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
