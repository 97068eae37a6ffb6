package study

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// labels are n labels of which so many, spread evenly, are +1.
func labels(n, plus int) []float64 {
	y := slices.Repeat([]float64{-1}, n)
	for i := range plus {
		y[i*n/max(plus, 1)] = 1
	}
	return y
}

func count(y []float64, rows []int, label float64) int {
	c := 0
	for _, r := range rows {
		if y[r] == label {
			c++
		}
	}
	return c
}

func TestSplitsDivide(t *testing.T) {
	y := labels(101, 30)
	for name, splits := range map[string][]Split{
		"halves":        must(Halves(y, 7, 3)),
		"holdout":       must(Holdout(y, 0.2, 5, 3)),
		"folds":         must(KFold(y, 10, 3)),
		"plain halves":  must(Halves(y, 7, 3, AtRandom)),
		"plain folds":   must(KFold(y, 10, 3, AtRandom)),
		"leave one out": must(KFold(y, 101, 3)),
	} {
		for i, s := range splits {
			all := slices.Concat(s.Train, s.Test)
			slices.Sort(all)
			for k, r := range all {
				if r != k || len(all) != len(y) {
					t.Fatalf("%s: split %d is not a division: %v", name, i, s)
				}
			}
			if err := s.check(i, len(y)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestFoldsPartition(t *testing.T) {
	y := labels(53, 11)
	seen := make([]int, len(y))
	for _, s := range must(KFold(y, 10, 1)) {
		if n := len(s.Test); n < 5 || n > 6 {
			t.Errorf("a fold of %d of 53 points, want 5 or 6", n)
		}
		if plus := count(y, s.Test, 1); plus < 1 || plus > 2 {
			t.Errorf("a fold with %d of 11 points of +1, want 1 or 2", plus)
		}
		for _, r := range s.Test {
			seen[r]++
		}
	}
	for r, n := range seen {
		if n != 1 {
			t.Errorf("point %d is in %d test parts, want 1", r, n)
		}
	}
}

func TestHalvesKeepShares(t *testing.T) {
	y := labels(100, 30)
	for _, s := range must(Halves(y, 20, 9)) {
		if len(s.Train) != 50 || count(y, s.Train, 1) != 15 {
			t.Errorf("a half of %d with %d of +1, want 50 with 15", len(s.Train), count(y, s.Train, 1))
		}
	}
	varied := false
	for _, s := range must(Halves(y, 20, 9, AtRandom)) {
		varied = varied || count(y, s.Train, 1) != 15
	}
	if !varied {
		t.Error("twenty halves drawn at random all have the exact share of the classes")
	}
}

// A class of two or more is on both sides, however small.
func TestSmallClassOnBothSides(t *testing.T) {
	for _, c := range []struct {
		n, plus  int
		fraction float64
	}{{20, 2, 0.5}, {50, 2, 0.1}, {50, 2, 0.9}, {50, 48, 0.9}, {10, 2, 0.2}, {4, 2, 0.5}} {
		y := labels(c.n, c.plus)
		for _, s := range must(Holdout(y, c.fraction, 10, 1)) {
			for _, part := range [][]int{s.Train, s.Test} {
				if k := count(y, part, 1); k == 0 || k == len(part) {
					t.Errorf("%d of %d points are +1, share %g: a part of %d has %d", c.plus, c.n, c.fraction, len(part), k)
				}
			}
		}
	}
}

// Every point is tested with the same probability, whatever the sizes of the classes: of 2,000 splits
// within 5 standard deviations of a binomial.
func TestEveryPointIsTestedAsOften(t *testing.T) {
	const splits = 2000
	for _, c := range []struct {
		n, plus  int
		fraction float64
	}{{10, 5, 0.5}, {10, 1, 0.5}, {10, 3, 0.5}, {20, 7, 0.25}, {11, 4, 0.3}, {15, 15, 0.2}} {
		y, tested := labels(c.n, c.plus), make([]float64, c.n)
		all := must(Holdout(y, c.fraction, splits, 1))
		for _, s := range all {
			for _, r := range s.Test {
				tested[r]++
			}
		}
		p := float64(len(all[0].Test)) / float64(c.n)
		for r, k := range tested {
			if math.Abs(k-splits*p) > 5*math.Sqrt(splits*p*(1-p)) {
				t.Errorf("%d of %d points are +1, share %g: point %d, %+g, is tested in %g of %d splits, want about %.0f", c.plus, c.n, c.fraction, r, y[r], k, splits, splits*p)
			}
		}
	}
}

func TestLone(t *testing.T) {
	d := clouds(12, 2, 1)
	for i := range d.Y {
		d.Y[i] = -1
	}
	d.Y[3] = 1
	s := &Study{Data: d, Splits: must(Halves(d.Y, 2, 1)), Methods: []Method{{Name: "one", Family: gaussians, Grid: Grid{Ridge(1)}}}}
	if notes := strings.Join(run1(t, s).Notes, " "); !strings.Contains(notes, "class right has one point") {
		t.Errorf("the table does not say that a class has one point: %s", notes)
	}
}

func TestSplitsRepeat(t *testing.T) {
	y := labels(60, 20)
	a, b := must(Halves(y, 10, 5)), must(Halves(y, 30, 5))
	if !reflect.DeepEqual(a, b[:10]) {
		t.Error("ten halves are not the first ten of thirty")
	}
	if reflect.DeepEqual(a, must(Halves(y, 10, 6))) {
		t.Error("another seed gives the same halves")
	}
	if !reflect.DeepEqual(must(KFold(y, 5, 5)), must(KFold(y, 5, 5))) {
		t.Error("the same seed gives other folds")
	}
}

func TestSplitErrors(t *testing.T) {
	y := labels(10, 5)
	for name, f := range map[string]func() ([]Split, error){
		"one fold":            func() ([]Split, error) { return KFold(y, 1, 0) },
		"more folds":          func() ([]Split, error) { return KFold(y, 11, 0) },
		"no points":           func() ([]Split, error) { return KFold(nil, 2, 0) },
		"no splits":           func() ([]Split, error) { return Halves(y, 0, 0) },
		"share 0":             func() ([]Split, error) { return Holdout(y, 0, 1, 0) },
		"share 1":             func() ([]Split, error) { return Holdout(y, 1, 1, 0) },
		"share NaN":           func() ([]Split, error) { return Holdout(y, math.NaN(), 1, 0) },
		"empty test part":     func() ([]Split, error) { return Holdout(y, 0.01, 1, 0) },
		"empty training part": func() ([]Split, error) { return Holdout(y, 0.99, 1, 0) },
		"NaN target":          func() ([]Split, error) { return KFold([]float64{1, math.NaN(), -1}, 2, 0) },
	} {
		if s, err := f(); err == nil {
			t.Errorf("%s: no error, but %v", name, s)
		}
	}
}
