package study

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
)

// countedRule is a rule; n is how often it was asked: once a candidate and fold, and once a fit.
type countedRule struct {
	mkl.Rule
	n *atomic.Int64
}

func (c countedRule) Weigh(ctx context.Context, p *mkl.Problem) ([]float64, error) {
	c.n.Add(1)
	return c.Rule.Weigh(ctx, p)
}

// Where the best is clear, of 11 features that which tells the classes apart, successive halving finds it with less
// than half of the solves, and says how many they were: as many as rules were asked.
func TestHalving(t *testing.T) {
	for folds, want := range map[int]string{
		10: "11 + 6 + 2·3 + 4·2 + 2·1 of 110", 5: "11 + 6 + 2·3 + 1·2 of 55",
	} {
		solves, whole := int64(11+6+2*3+4*2+2*1), int64(110)
		if folds == 5 {
			solves, whole = 11+6+2*3+2, 55
		}
		d := clouds(80, 11, 1)
		var n atomic.Int64
		var single []mkl.Rule
		for k := range 11 {
			single = append(single, countedRule{Only{k}, &n})
		}
		s := &Study{Data: d, Splits: must(Halves(d.Y, 4, 5)), Selection: Selection{Folds: folds}, Seed: 3,
			Methods: []Method{{Name: "single", Family: kernel.Features{}, Grid: Grid{Ridge(1), Rules(single...)}}}}
		full := run1(t, s)
		if got := n.Swap(0); got != 4*whole+4 {
			t.Errorf("%d folds, the whole grid: %d solves and 4 fits, want %d", folds, got-4, 4*whole)
		}
		s.Selection.Halving = 2
		half := run1(t, s)
		if got := n.Load(); got != 4*solves+4 || 2*solves > whole {
			t.Errorf("%d folds: %d solves and 4 fits, want %d: on each split %s", folds, got-4, 4*solves, want)
		}
		for i, r := range half.Rows[0].Runs {
			if f := full.Rows[0].Runs[i]; r.Label != f.Label || !slices.Equal(r.Theta, f.Theta) || r.Theta[0] == 0 {
				t.Errorf("%d folds, split %d: %s by halving, %s by the whole grid", folds, i+1, r.Label, f.Label)
			}
		}
		says(t, half.String(), "successive halving (η = 2) of ")
		says(t, half.String(), fmt.Sprintf("Successive halving solved %d times, all candidates on all folds would "+
			"take %d:", 4*solves, 4*whole))
		if strings.Contains(full.String(), "alving") {
			t.Errorf("without halving: %v", full)
		}
	}
}

// The table of a halved study is the same bit for bit whatever the workers, from a file and from a store; targets of
// points tested on change no choice.
func TestHalvingRepeats(t *testing.T) {
	s := everything()
	s.Selection.Halving, s.Workers = 3, 1
	want := run1(t, s)
	for i, r := range want.Rows {
		if r.Runs[0].Value == 0 || len(r.Runs) != 3 {
			t.Errorf("row %d: %+v", i, r.Runs)
		}
	}
	s.Workers, s.Store = 4, t.TempDir()
	path := filepath.Join(t.TempDir(), "halved")
	if err := s.Save(path); err != nil {
		t.Fatal(err)
	}
	file := must(os.Open(path))
	defer file.Close()
	if got := run1(t, s); !reflect.DeepEqual(got, want) {
		t.Errorf("4 workers:\n%v\n1 worker:\n%v", got, want)
	}
	again := must(Load(file, s.Data))
	again.Store = s.Store
	stored, done := 0, 0
	got := must(again.Run(t.Context(), func(p Progress) { stored, done = p.Stored, p.Done }))
	if !reflect.DeepEqual(timeless(got), want) || stored != done || done == 0 || again.Selection.Halving != 3 {
		t.Errorf("%d of %d tasks stored, η = %d\n%v", stored, done, again.Selection.Halving, got)
	}
	d := *s.Data
	d.Y = slices.Clone(d.Y)
	for _, i := range s.Splits[0].Test {
		d.Y[i] = -d.Y[i]
	}
	s.Data, s.Splits = &d, s.Splits[:1]
	for i, r := range run1(t, s).Rows {
		if a, b := r.Runs[0], want.Rows[i].Runs[0]; a.Value != b.Value || a.Label != b.Label ||
			!slices.Equal(a.Theta, b.Theta) {
			t.Errorf("%s: with other targets tested on %g %s, before %g %s", r.Method, a.Value, a.Label, b.Value,
				b.Label)
		}
	}
}

// What halving chooses has no smaller error on all folds than the best of the whole grid, and where the first fold
// misleads a larger one: of noise it does so in some of 20 draws.
func TestHalvingErrs(t *testing.T) {
	errs := 0
	for seed := range uint64(20) {
		d := clouds(30, 2, seed)
		bases := kernel.List{kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 10}}
		p := &mkl.Problem{Grams: bases.On(d.X), Y: slices.Clone(d.Y)}
		for i := range p.Y { // of no use to predict one another
			p.Y[i] = float64((7*i+int(seed)*i*i)%11) - 5
		}
		m := Method{Grid: Grid{Ridge(HalfDecades(-3, 2)...), Singles()}}
		full := must(CrossValidate(t.Context(), p, m, Selection{Folds: 5}, seed))
		half := must(CrossValidate(t.Context(), p, m, Selection{Folds: 5, Halving: 2}, seed))
		a, b := half.Cells[half.Best].RMSE(), full.Cells[full.Best].RMSE()
		if a < b*(1-1e-12) {
			t.Errorf("seed %d: error %g by halving, %g by the whole grid", seed, a, b)
		}
		if a > b*(1+1e-9) {
			errs++
		}
		dropped := 0
		for i, cell := range half.Cells {
			if math.IsNaN(cell.Square) {
				dropped++
			} else if f := full.Cells[i]; math.Abs(cell.Square-f.Square) > 1e-9*f.Square {
				t.Errorf("seed %d, λ = %g %s: %g by halving, %g by the whole grid", seed, f.Value, f.Label, cell.Square,
					f.Square)
			}
		}
		if want := 33 - 5; dropped != want { // 33, 17, 9 and 5 are left
			t.Errorf("%d places dropped, want %d", dropped, want)
		}
		drawn(t, half.Figure())
	}
	if errs == 0 || errs == 20 {
		t.Errorf("halving erred in %d of 20 draws, want some", errs)
	}
}

func TestHalvingRefused(t *testing.T) {
	for want, how := range map[string]Selection{
		"η = 1": {Halving: 1}, "η = -2": {Halving: -2}, "want folds": {Folds: LeaveOneOut, Halving: 2},
	} {
		s := everything()
		s.Selection = how
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", how, err, want)
		}
	}
	cells := []Cell{{Square: 3}, {Square: 1, Failed: 1}, {Square: 2}, {Square: math.NaN()}, {Square: 2}}
	if in := leading(cells, 2, RMSE); !slices.Equal(in, []int{2, 4}) {
		t.Errorf("the leading two are %v, want 2 and 4", in)
	}
	if in := leading(cells, 5, RMSE); !slices.Equal(in, []int{0, 2, 4}) {
		t.Errorf("the leading five are %v, want those that did not fail", in)
	}
}

// The places tried on a fold are part of what its errors are kept under: halving by another error finds no others'.
func TestHalvingKeys(t *testing.T) {
	differ := 0
	for seed := range uint64(5) {
		s := everything()
		s.Data, s.Methods = clouds(40, 20, seed), s.Methods[:3]
		s.Splits = must(Halves(s.Data.Y, 2, seed))
		s.Selection.Halving, s.Store = 2, t.TempDir()
		byRMSE := run1(t, s)
		s.Selection.By = ErrorRate
		got := run1(t, s)
		s.Store = ""
		if want := run1(t, s); !reflect.DeepEqual(got, want) {
			t.Errorf("with what was kept by RMSE\n%v\nwant\n%v", got, want)
		}
		if !reflect.DeepEqual(got.Rows, byRMSE.Rows) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the two choose the same: the test asks nothing")
	}
}

// What was stopped, or is kept in part, compares the solves of the choices that were finished.
func TestHalvingOfPart(t *testing.T) {
	s := everything()
	s.Selection.Halving, s.Store, s.Methods = 2, t.TempDir(), s.Methods[:1] // 7 places on 4 folds: 7 + 4 + 2·2 of 28
	table, _, err := s.Kept(t.Context())
	if err != nil || strings.Contains(table.String(), "alving solved") {
		t.Errorf("of nothing: %v, %v", err, table)
	}
	must(s.RunUnits(t.Context(), []Unit{1}, nil))
	table, _, err = s.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	says(t, table.String(), "solved 15 times, all candidates on all folds would take 28: 54 %")
	s.Selection.Halving = math.MaxInt // the best of the first fold alone is tried on the others: 7 + 1·3
	says(t, run1(t, s).String(), "solved 30 times, all candidates on all folds would take 84: 36 %")
}
