package algos_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/stat"
)

// table1 is the study behind a row of Table 1 of Cortes et al.: features scaled to [0,1] and centred
// per example (the reading that reproduces the table), labels centred over the data, λ and Λ chosen
// once on all the data, root mean squared errors on random halves.
func table1(name string, halves int) (*study.Study, error) {
	d, err := data.Load(name)
	if err != nil {
		return nil, err
	}
	splits, err := study.Halves(d.Y, halves, 1)
	if err != nil {
		return nil, err
	}
	fit, err := kernel.Prepare{kernel.MinMax, kernel.CentreRows}.Fit(d.X)
	if err != nil {
		return nil, err
	}
	x := *d
	x.X, x.Y, x.Classes = fit.Apply(d.X), make([]float64, len(d.Y)), nil
	mean := stat.Mean(d.Y, nil)
	for i, y := range d.Y {
		x.Y[i] = y - mean
	}
	s := &study.Study{Data: &x, Splits: splits, Selection: study.Selection{Once: true}, Seed: 1}
	lambdas := study.HalfDecades(-3, 4)
	for i, word := range []string{"lin.", "quad."} {
		f, base := kernel.Features{Degree: i + 1}, word+" base"
		near := study.Ridge(lambdas...).Near(base, 1.3)
		s.Methods = append(s.Methods,
			study.Method{Name: base, Family: f, Grid: study.Grid{study.Ridge(lambdas...), study.Sets(set.Orthant{}), study.Rules(mkl.Uniform{})}},
			study.Method{Name: word + " l1", Family: f, Grid: study.Grid{near, study.Balls(1, 1, 1, 5, 25, 125)}},
			study.Method{Name: word + " l2", Family: f, Grid: study.Grid{near, study.Balls(2, 1, 0.5, 2, 8, 32)}})
	}
	return s, nil
}

// TestTable1 repeats three rows of Table 1 and compares with an independent implementation in
// numpy: means of 30 halves there, standard deviations in brackets. The halves differ, so the
// means of n and 30 halves may differ by 3 sd √(1/n + 1/30). Without MKL_SIZE=full it takes 6 halves.
func TestTable1(t *testing.T) {
	if testing.Short() {
		t.Skip("several seconds")
	}
	halves := 6
	if testenv.Full() {
		halves = 30
	}
	t0 := time.Now()
	for _, c := range []struct {
		name string
		mean [6]float64
		sd   [6]float64
	}{
		{"ionosphere", [6]float64{.838, .812, .822, .630, .601, .613}, [6]float64{.029, .027, .028, .033, .030, .033}},
		{"sonar", [6]float64{.870, .881, .872, .779, .779, .782}, [6]float64{.031, .025, .032, .047, .052, .053}},
		{"breast-wisconsin", [6]float64{.689, .691, .690, .690, .693, .690}, [6]float64{.016, .015, .014, .015, .015, .014}},
	} {
		s, err := table1(c.name, halves)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		line := c.name
		for i, row := range r.Rows {
			m := r.Summary(row.Method, study.RMSE)
			line += fmt.Sprintf("  %s %.3f (%.3f)", row.Method, m.Mean, m.SD)
			if tol := 3 * c.sd[i] * math.Sqrt(1/float64(halves)+1./30); math.Abs(m.Mean-c.mean[i]) > tol {
				t.Errorf("%s, %s: RMSE %.4f, want %.3f within %.4f", c.name, row.Method, m.Mean, c.mean[i], tol)
			}
			gap, status := row.Worst()
			if status.Early() || status == mkl.Certified && gap > 1e-3 {
				t.Errorf("%s, %s: %v, gap %g", c.name, row.Method, status, gap)
			}
		}
		t.Logf("%s, %.1f s", line, r.Seconds)
	}
	t.Logf("%d halves, %.1f s in all", halves, time.Since(t0).Seconds())
}
