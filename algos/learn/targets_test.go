package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// three targets of the same points, in units that are far apart.
func three(n int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 2))
	x := points.Rows{N: n, D: 3, Data: make([]float64, 3*n)}
	y := make([][]float64, 3)
	for i := range n {
		r := x.Data[3*i : 3*i+3]
		for j := range r {
			r[j] = rng.NormFloat64()
		}
		for j, v := range []float64{1e3*(r[0]+math.Sin(2*r[1])+0.2*rng.NormFloat64()) + 5e3,
			r[0]*r[2] + 0.2*rng.NormFloat64(), 1e-3 * (math.Sin(2*r[2]) + 0.2*rng.NormFloat64())} {
			y[j] = append(y[j], v)
		}
	}
	return &data.Dataset{Name: "three", X: x, Y: y[0], Target: "a",
		ExtraTargets: []data.Target{{Name: "b", Y: y[1]}, {Name: "c", Y: y[2]}}}
}

// alone is the dataset with target j alone.
func alone(d *data.Dataset, j int) *data.Dataset {
	o, n := *d, d.Len()
	o.Y, o.Target, o.ExtraTargets = d.AllY()[j*n:(j+1)*n], d.Targets()[j], nil
	return &o
}

// With one kernel and one λ there is nothing that targets share: they are learned as each alone.
func TestTargetsOneKernel(t *testing.T) {
	for _, landmarks := range []int{0, 30} {
		d := three(60, 1)
		opts := []Option{WithMethod(UniformName), WithFamily(gaussians), WithLambda(0.1),
			WithSplits(must(fit.Holdout(d.Y, 0.25, 3, 5))), WithLandmarks(landmarks)}
		all, z := learn(t, d, opts...), three(20, 2)
		f, s := must(all.Model.Values(z.X)), must(all.Model.Score(z))
		var rmse, r2 float64
		for j, name := range d.Targets() {
			one := learn(t, alone(d, j), opts...)
			g := must(one.Model.Predict(z.X))
			scale := floats.Norm(g, math.Inf(1))
			if !floats.EqualApprox(mat.Col(nil, j, f), g, 1e-9*scale) {
				t.Errorf("landmarks %d: target %s: %v, alone %v", landmarks, name, mat.Col(nil, j, f), g)
			}
			own := must(one.Model.Score(alone(z, j)))
			if !(math.Abs(own.RMSE/s.Targets[j].RMSE-1) < 1e-8) || !(math.Abs(own.R2-s.Targets[j].R2) < 1e-8) {
				t.Errorf("%s: score %v, alone %v", name, s.Targets[j], own)
			}
			rmse, r2 = rmse+own.RMSE/3, r2+own.R2/3
			for _, m := range []model.Metric{model.RMSE, model.MAE, model.R2} {
				a, b := must(all.Table.TableOfTarget(name)).Values(SelectedName, m), one.Table.Values(SelectedName, m)
				if !floats.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-8*math.Abs(y) }) {
					t.Errorf("%s: %v of splits is %g, alone %g", name, m, a, b)
				}
			}
		}
		if !(math.Abs(s.RMSE/rmse-1) < 1e-8) || !(math.Abs(s.R2-r2) < 1e-8) {
			t.Errorf("means: %v, of each alone RMSE %g, R² %g", s, rmse, r2)
		}
	}
}

// One θ is learned for all targets, whatever their units, and its solve is certified.
func TestTargetsUnits(t *testing.T) {
	d, other := three(60, 3), three(60, 3)
	how := []Option{WithMethod(LearnedName), WithFamily(gaussians), WithLambda(0.1), WithSplits(nil), WithGap(1e-9)}
	for i := range other.Y {
		other.Y[i] = 32*other.Y[i] - 7
		other.ExtraTargets[1].Y[i] *= 1. / 1024
	}
	a, b := learn(t, d, how...), learn(t, other, how...)
	f, g := must(a.Model.Values(d.X)), must(b.Model.Values(d.X))
	for i := range d.Len() {
		for j, v := range []float64{32*f.At(i, 0) - 7, f.At(i, 1), f.At(i, 2) / 1024} {
			if scale := []float64{1e5, 1, 1e-6}[j]; !(math.Abs(v-g.At(i, j)) <= 1e-3*scale) {
				t.Fatalf("target %d of point %d: %g in other units, want %g", j, i, g.At(i, j), v)
			}
		}
	}
	if a.Result.Status != mkl.Certified {
		t.Errorf("%v", a.Result.Status)
	}
	if single := learn(t, alone(d, 0), how...); slices.Equal(a.Result.Theta, single.Result.Theta) {
		t.Error("θ of three targets is that of the first")
	}
}

// A file with three targets: one kernel, a model that is saved and loaded, a column of predictions for each.
func TestTargetsFile(t *testing.T) {
	dir := t.TempDir()
	d, z := three(50, 4), three(7, 5)
	write := func(name string, d *data.Dataset) string {
		text := "p,q,r,a,b,c"
		x, y, n := d.X.(points.Rows), d.AllY(), d.Len()
		for i := range n {
			text += fmt.Sprintf("\n%v,%v,%v,%v,%v,%v", x.Row(i)[0], x.Row(i)[1], x.Row(i)[2], y[i], y[n+i], y[2*n+i])
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	names := []string{"c", "a", "b"}
	read := must(data.Options{Targets: names}.Open(write("train.csv", d)))
	how := []Option{WithLambda(0.1, 1), WithSplits(must(fit.Holdout(read.Y, 0.25, 2, 1)))}
	l := learn(t, read, how...)
	says(t, testenv.ErrorText(l.Table.TableOfTarget("d")), `no target "d"`)
	m, want := reloaded(t, l.Model), must(l.Model.Values(z.X))
	if !slices.Equal(m.Targets, names) || !mat.Equal(must(m.Values(z.X)), want) {
		t.Fatalf("the model that was loaded differs: %v, of %v", m, l.Model)
	}
	rows := strings.Split(string(must(os.ReadFile(must(m.PredictFile(write("new.csv", z))).Path))), "\n")
	if rows[0] != "row,c,a,b,outside" || len(rows) != 9 {
		t.Fatalf("%d rows under %q", len(rows), rows[0])
	}
	for i, r := range rows[1:8] {
		w := fmt.Sprintf("%d,%v,%v,%v,", i+1, want.At(i, 0), want.At(i, 1), want.At(i, 2))
		if !strings.HasPrefix(r, w) {
			t.Errorf("row %d: %s, want %s", i+1, r, w)
		}
	}
	if _, err := m.Predict(z.X); err == nil {
		t.Error("Predict of three targets")
	}
	says(t, testenv.ErrorText(m.Score(alone(z, 0))), "ExtraTargets")
}
