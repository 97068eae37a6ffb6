package compare

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
)

// twoMethods is a table of two methods with these RMSEs, on halves.
func twoMethods(a, b []float64) *Table {
	t := &Table{Data: "by hand", Points: 20, TrainPoints: 10, TestPoints: 10, Splits: len(a), Baseline: "b",
		TestTrainRatio: 1,
		Rows:           []Row{{Method: "a"}, {Method: "b"}}}
	for i := range a {
		for k, v := range []float64{a[i], b[i]} {
			if !math.IsNaN(v) {
				t.Rows[k].Runs = append(t.Rows[k].Runs, Run{Split: i, Score: model.Score{N: 10, RMSE: v},
					Hyperparameter: "λ", Value: 1, Status: mkl.Certified})
			}
		}
	}
	return t
}

// TestCompareByHand compares with numbers worked out by hand: d = (−1, −3, −2, −2, −2), mean −2, sd √½; with 5 halves
// the interval is −2 ± 2.776445 · √½ · √(1/5 + 1).
func TestCompareByHand(t *testing.T) {
	table := twoMethods([]float64{1, 1, 2, 3, 4}, []float64{2, 4, 4, 5, 6})
	d := table.Compare("a", "", model.RMSE)
	h := 2.7764451051977987 * math.Sqrt(0.5) * math.Sqrt(1.2)
	if d.Mean != -2 || d.N != 5 || math.Abs(d.Lo+2+h) > 1e-9 || math.Abs(d.Hi+2-h) > 1e-9 {
		t.Errorf("difference %+v, want −2 ± %v", d, h)
	}
	if d.ExcludesZero() != (h < 2) || d.Baseline != "b" {
		t.Errorf("clear %v, baseline %q", d.ExcludesZero(), d.Baseline)
	}
	r := table.Compare("b", "a", model.RMSE)
	if r.Mean != 2 || math.Abs(r.Lo-2+h) > 1e-9 {
		t.Errorf("the other way round: %+v", r)
	}
	// another share of points to test on: n_test/n_train = 1/9
	table.TestTrainRatio = 1.0 / 9
	if d := table.Compare("a", "b", model.RMSE); math.Abs(d.Hi+2-2.7764451051977987*math.Sqrt(0.5*(0.2+1.0/9))) > 1e-9 {
		t.Errorf("with a tenth to test on: %+v", d)
	}
	s := table.Summary("a", model.RMSE)
	if s.Mean != 2.2 || math.Abs(s.SD-math.Sqrt(1.7)) > 1e-12 || s.N != 5 { // Σ(x−2.2)² = 6.8
		t.Errorf("summary %+v, want mean 2.2 and sd √1.7", s)
	}
}

// TestRateInterval tests that the ends of WilsonInterval are the rates from which the observed one is 1.96 standard
// deviations away, and that the interval of a rate in a table is no narrower.
func TestRateInterval(t *testing.T) {
	for _, n := range []int{5, 20, 1000} {
		for _, p := range []float64{0, 0.2, 0.5, 1} {
			lo, hi := WilsonInterval(p, n)
			for _, q := range []float64{lo, hi} {
				distance := math.Abs(p-q)/math.Sqrt(q*(1-q)/float64(n)) - 1.959963984540054
				if q > 1e-12 && q < 1-1e-12 && math.Abs(distance) > 1e-9 {
					t.Errorf("p = %g, n = %d: end %g", p, n, q)
				}
			}
			if !(lo <= p && p <= hi && lo < hi) {
				t.Errorf("p = %g, n = %d: [%g, %g]", p, n, lo, hi)
			}
		}
	}
	table := twoMethods([]float64{1, 1}, []float64{1, 1})
	for i := range table.Rows[0].Runs {
		table.Rows[0].Runs[i].Score.Accuracy = 1
	}
	table.TestedCount = 20
	a, e := table.Summary("a", model.Accuracy), table.Summary("a", model.ErrorRate)
	if math.Abs(a.Lo-0.8388748419) > 1e-9 || a.Hi != 1 || e.Lo != 0 || math.Abs(e.Hi+a.Lo-1) > 1e-12 {
		t.Errorf("%v, %v: of 20 right ones, Wilson's interval is [0.839, 1]", a, e)
	}
}

// TestNotCertified tests that a table with a run that is not certified is not certified. Rules and rows without a run
// do not count.
func TestNotCertified(t *testing.T) {
	table := twoMethods([]float64{1, 2}, []float64{2, 2})
	if !table.Certified() {
		t.Error("a table of certified solves does not count as certified")
	}
	table.Rows[0].Runs[1].Status = mkl.IterationLimit
	table.Rows[0].Runs[1].Gap = 0.5
	if gap, status := table.Rows[0].MaxGap(); gap != 0.5 || status != mkl.IterationLimit || table.Certified() {
		t.Errorf("worst is %v, %v", gap, status)
	}
	table.Rows[0].Runs[1].Status = mkl.Stationary
	if _, status := table.Rows[0].MaxGap(); status != mkl.Stationary || table.Certified() {
		t.Errorf("worst is %v", status)
	}
	table.Rows[0].Runs[0].Status, table.Rows[0].Runs[1].Status = mkl.EvaluatedOnly, mkl.EvaluatedOnly
	table.Rows[1].Runs = nil
	if !table.Certified() {
		t.Error("rules, which minimize nothing, or a row without a run count as not certified")
	}
}

// TestRange: intervals stay in the range of their metric, and what is not in the table is NaN, without a panic.
func TestRange(t *testing.T) {
	table := &Table{Classes: []string{"0", "1"}, Splits: 4, TestTrainRatio: 1.0 / 3, Baseline: "a",
		Rows: []Row{{Method: "a"}}}
	for i, a := range []float64{1, 1, 1, 0.6} {
		table.Rows[0].Runs = append(table.Rows[0].Runs,
			Run{Split: i, Score: model.Score{Accuracy: a, R2: a, RMSE: 1 - a}})
	}
	for _, m := range table.Metrics() {
		s := table.Summary("a", m)
		if lo, hi := m.Bounds(); s.Lo < lo || s.Hi > hi || !(s.Lo <= s.Mean && s.Mean <= s.Hi) {
			t.Errorf("%s: %v outside [%g, %g]", m, s, lo, hi)
		}
	}
	if s := table.Summary("a", model.Accuracy); s.Hi != 1 {
		t.Errorf("%v, want the interval to end at 1", s)
	}
	if s := table.Summary("lernd", model.Accuracy); s.N != 0 || !math.IsNaN(s.Mean) {
		t.Errorf("%v of no method", s)
	}
	if d := table.Compare("a", "a", "acuracy"); d.N != 0 {
		t.Errorf("%v of no metric", d)
	}
}
