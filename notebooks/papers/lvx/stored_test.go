package lvx

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"
)

// TestStored computes the stored results again: TestStored/figures-SET, TestStored/tables-SET.
func TestStored(t *testing.T) {
	for _, name := range Sets {
		sharedtest.RegenerateResults(t, "figures-"+name, 10, []string{name}, func(set string, seed uint64) (*Draw,
			error) {
			return computeFigures(t.Context(), loadAny(t, set), seed)
		})
	}
	for _, name := range Sets[:2] {
		sharedtest.RegenerateResults(t, "tables-"+name, 10, []string{name}, func(set string, seed uint64) (*Draw,
			error) {
			d := load(t, set)
			splits, err := fit.Halves(d.Y, Halves, seed)
			if err != nil {
				return nil, err
			}
			table, err := TableStudy(d, 5, splits, seed).Run(t.Context(), nil)
			if err != nil {
				return nil, err
			}
			return &Draw{DatasetName: set, Seed: seed, Scores: Summarize(table, func(int) int { return 4 })}, nil
		})
	}
}

// loadAny loads one of Sets. It skips the test if fourclass.csv, which is not part of this module, is absent.
func loadAny(t *testing.T, name string) *data.Dataset {
	t.Helper()
	if name != "fourclass" {
		return load(t, name)
	}
	d, err := data.Open(filepath.Join(os.Getenv("MKL_DATA"), "fourclass.csv"))
	if err != nil {
		t.Skip(err)
	}
	d.Name = name
	return d
}

// TestRecompute computes the curves of one set, degree and seed, and one row of a table again.
func TestRecompute(t *testing.T) {
	d := load(t, "heart-statlog")
	splits, err := fit.Halves(d.Y, Halves, 7)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Learn(t.Context(), d, 1, false, splits)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range Find(Stored("figures"), d.Name, 7).Curve(1, false).Test {
		near(t, fmt.Sprintf("heart-statlog, seed 7, RMSE at λ = %g", Lambdas[i]), again.Test[i], v, 1e-3)
	}
	d = load(t, "sonar")
	if splits, err = fit.Halves(d.Y, Halves, 4); err != nil {
		t.Fatal(err)
	}
	s := TableStudy(d, 5, splits, 4)
	s.Methods = s.Methods[len(s.Methods)-1:] // uniform weights
	table, err := s.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := Find(Stored("tables"), "sonar", 4).Scores
	near(t, "sonar, seed 4, RMSE of uniform weights", table.Summary(s.Methods[0].Name, model.RMSE).Mean,
		rows[len(rows)-1].RMSE, 1e-3)
}

// computeFigures computes the draw of one set and seed.
func computeFigures(ctx context.Context, d *data.Dataset, seed uint64) (*Draw, error) {
	splits, err := fit.Halves(d.Y, Halves, seed)
	if err != nil {
		return nil, err
	}
	draw := &Draw{DatasetName: d.Name, Seed: seed}
	for i, degree := range []int{1, 2, 3, 2} {
		c, err := Learn(ctx, d, degree, i == 3, splits)
		if err != nil {
			return nil, fmt.Errorf("%s, degree %d: %w", d.Name, degree, err)
		}
		draw.Curves = append(draw.Curves, c)
	}
	s, err := GainStudy(d, Halves, 3, seed)
	if err != nil {
		return nil, err
	}
	t, err := s.Run(ctx, nil)
	if err != nil {
		return nil, err
	}
	draw.Scores = Summarize(t, func(i int) int { return i%2 + 2 })
	for i := range draw.ConstantGains {
		draw.ConstantGains[i] = roundMeanAndInterval(t.Compare(Methods[2*i+1], Methods[2*i], model.RMSE))
	}
	return draw, nil
}
