package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// Options.PositiveClass changes no split, so the same methods, hyperparameters and errors result, and decision values
// have the other sign: with and without groups, a sample for the choice, and landmarks.
func TestPositiveClass(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 5))
		var file strings.Builder
		file.WriteString("u,v,person,label\n")
		for i := range 60 {
			u, v := rng.NormFloat64(), rng.NormFloat64()
			label := "well"
			if u*v+0.8*rng.NormFloat64() > 0.3 {
				label = "ill"
			}
			fmt.Fprintf(&file, "%g,%g,p%d,%s\n", u, v, i%20, label)
		}
		options, opts := data.Options{Format: data.CSV, DropColumns: []string{"person"}}, []Option{WithSeed(seed)}
		if seed%2 == 1 {
			options.DropColumns, options.Group = nil, "person"
		}
		if seed > 3 {
			opts = append(opts, WithSelectionPoints(24), WithLandmarks(20))
		}
		var learned []*Learned
		var datasets []*data.Dataset
		for _, class := range []string{"", "well", "ill"} {
			options.PositiveClass = class
			d := must(options.Read(strings.NewReader(file.String())))
			opts := append(slices.Clone(opts), WithSplits(must(fit.Holdout(d.SplitLabels(), 0.25, 3, seed,
				fit.ByGroup(d.Group)))))
			if seed == 0 {
				opts = opts[:1] // default splits
			}
			learned, datasets = append(learned, learn(t, d, opts...)), append(datasets, d)
		}
		if datasets[0].Y[0] != datasets[1].Y[0] || datasets[0].Y[0] != -datasets[2].Y[0] {
			t.Fatal("the class +1 is not well, well, ill")
		}
		a := learned[0]
		for k, b := range learned[1:] {
			sign := float64(1 - 2*k)
			if a.Method != b.Method || a.Lambda != b.Lambda || a.Label != b.Label || len(a.Tried) != len(b.Tried) {
				t.Errorf("seed %d: %s %g %s, but %s %g %s", seed, a.Method, a.Lambda, a.Label, b.Method, b.Lambda,
					b.Label)
			}
			for i, row := range a.Table.Rows {
				for j, run := range row.Runs {
					if e, f := run.Score, b.Table.Rows[i].Runs[j].Score; math.Abs(e.RMSE-f.RMSE) > 1e-9 ||
						math.Abs(e.Accuracy-f.Accuracy) > 1e-9 {
						t.Errorf("seed %d, %s, split %d: RMSE %g, accuracy %g, but %g, %g", seed, row.Method, j+1,
							e.RMSE, e.Accuracy, f.RMSE, f.Accuracy)
					}
				}
			}
			x := datasets[0].X
			f, g := must(a.Model.Predict(x)), must(b.Model.Predict(x))
			p := mat.Col(nil, 1, must(a.Model.Probabilities(x)))
			q := mat.Col(nil, 1-k, must(b.Model.Probabilities(x)))
			for i := range f {
				if math.Abs(f[i]-sign*g[i]) > 1e-9 || math.Abs(p[i]-q[i]) > 1e-6 {
					t.Fatalf("seed %d: point %d: %g and %g, P(well) = %g and %g", seed, i+1, f[i], g[i], p[i], q[i])
				}
			}
		}
	}
}
