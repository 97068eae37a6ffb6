package points_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

// fitColumn fits the step Ranks to one column and returns the result on it and on new numbers.
func fitColumn(t *testing.T, fitted, added []float64) (onFitted, onAdded []float64) {
	t.Helper()
	x := points.Rows{N: len(fitted), D: 1, Data: fitted}
	fit, err := points.Preprocessing{points.Ranks}.Fit(x)
	if err != nil {
		t.Fatal(err)
	}
	if err := fit.Check(points.Preprocessing{points.Ranks}, x); err != nil {
		t.Error(err)
	}
	z := points.Rows{N: len(added), D: 1, Data: added}
	return fit.Apply(x).(points.Rows).Data, fit.Apply(z).(points.Rows).Data
}

// TestRanksOfOtherLibraries compares a column of different numbers with QuantileTransformer(n_quantiles=7) of
// scikit-learn 1.9.1. A column with ties is compared with (scipy.stats.rankdata(x) − 1)/(n − 1) of scipy 1.17.1 and,
// between its numbers, with numpy.interp of these ranks.
func TestRanksOfOtherLibraries(t *testing.T) {
	added := []float64{-50, -1, 0, 1.375, 5, 82, 120, 1e6}
	for _, c := range []struct{ x, onX, onAdded []float64 }{
		{[]float64{3.5, -1, 120, 0.25, 7, 2.5, 44},
			[]float64{0.5, 0, 1, 0.16666666666666669, 0.6666666666666666, 0.3333333333333335, 0.8333333333333333},
			[]float64{0, 0, 0.13333333333333336, 0.25, 0.5714285714285715, 0.9166666666666666, 1, 1}},
		{[]float64{0, 3, 0, 1, 0, 8, 1},
			[]float64{1. / 6, 0.8333333333333334, 1. / 6, 0.5833333333333334, 1. / 6, 1, 0.5833333333333334},
			[]float64{1. / 6, 1. / 6, 1. / 6, 0.6302083333333334, 0.9, 1, 1, 1}},
	} {
		onX, onAdded := fitColumn(t, c.x, added)
		for i, v := range slices.Concat(onX, onAdded) {
			if want := slices.Concat(c.onX, c.onAdded)[i]; math.Abs(v-want) > 1e-15 {
				t.Errorf("number %d of %v and %v has rank %v, want %v", i+1, c.x, added, v, want)
			}
		}
	}
}

// TestRanksOfSpecialColumns tests that a constant column becomes 0, on new points too, and a column of 0 and 1 stays.
func TestRanksOfSpecialColumns(t *testing.T) {
	added := []float64{-3, 0, 0.5, 1, 7}
	if onX, onAdded := fitColumn(t, []float64{7, 7, 7}, added); slices.Max(append(onX, onAdded...)) != 0 {
		t.Errorf("a constant column becomes %v, and %v on new points; want zeros", onX, onAdded)
	}
	x := []float64{1, 0, 0, 1, 0}
	if onX, onAdded := fitColumn(t, x, added); !slices.Equal(onX, x) || !slices.Equal(onAdded, added) {
		t.Errorf("a column of 0 and 1 becomes %v, and %v on new points; want %v and %v", onX, onAdded, x, added)
	}
}

// TestRanksKeepOrder tests that ranks are in [0,1] and ascend with the numbers, and an increasing function of a column
// does not change the ranks of its points. Of 2,000 numbers the fit stores 256; a rank differs by at most the share of
// points between two of them.
func TestRanksKeepOrder(t *testing.T) {
	x, grown := make([]float64, 2000), make([]float64, 2000)
	for i := range x {
		x[i] = float64((i*733)%2000) / 100
		grown[i] = math.Exp(x[i])
	}
	ranks, ofNew := fitColumn(t, x, []float64{-1, 0.004, 0.5, 3.14159, 19.5, 30})
	ofGrown, _ := fitColumn(t, grown, nil)
	for i, r := range ranks {
		if exact := x[i] * 100 / 1999; math.Abs(r-exact) > 1./256 || math.Abs(r-ofGrown[i]) > 1./256 {
			t.Errorf("%v has rank %v, and %v as an exponential; want %v up to 1/256", x[i], r, ofGrown[i], exact)
		}
	}
	if !slices.IsSorted(ofNew) || ofNew[0] != 0 || ofNew[len(ofNew)-1] != 1 {
		t.Errorf("ranks of ascending new numbers are %v; want ascending ones from 0 to 1", ofNew)
	}
}

// TestRanksErrors tests that sparse points are refused, and so is a fit that is not one.
func TestRanksErrors(t *testing.T) {
	p := points.Preprocessing{points.Ranks}
	x := points.NewRows([][]float64{{0, 3}, {2, 0}, {5, 0}})
	sparse := points.Sparse{D: 2, Ptr: []int{0, 1, 2, 3}, Col: []int{1, 0, 0}, Val: []float64{3, 2, 5}}
	if _, err := p.Fit(sparse); err == nil {
		t.Error("sparse points got ranks")
	}
	valid := points.RankFunction{Values: []float64{0, 1}, Ranks: []float64{0, 1}}
	for _, f := range []points.RankFunction{
		{Values: []float64{1, 1}, Ranks: []float64{0, 1}}, {Values: []float64{2, 1}, Ranks: []float64{0, 1}},
		{Values: []float64{1}}, {Values: []float64{0, math.NaN()}, Ranks: []float64{0, 1}},
		{Values: []float64{0, math.Inf(1)}, Ranks: []float64{0, 1}},
		{Values: []float64{0, 1}, Ranks: []float64{0, 2}}, {Values: []float64{0, 1}, Ranks: []float64{1, 0}},
	} {
		fit := points.FittedPreprocessing{D: 2, Steps: []points.FittedStep{{Step: points.Ranks,
			RankFunctions: []points.RankFunction{valid, f}}}}
		if fit.Check(p, x) == nil {
			t.Errorf("%+v is accepted as a rank function", f)
		}
	}
}
