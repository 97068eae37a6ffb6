package points_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

// TestSparsePoints tests that sparse points have the fit and the result of the same points as rows, for each step.
func TestSparsePoints(t *testing.T) {
	x := points.NewRows([][]float64{{0, 2, 0}, {1, 0, -1}, {0, 3, 4}})
	sparse := points.Sparse{D: 3, Ptr: []int{0, 1, 3, 5}, Col: []int{1, 0, 2, 1, 2}, Val: []float64{2, 1, -1, 3, 4}}
	for _, step := range []points.Step{points.MinMax, points.MaxAbs, points.CenterColumns, points.Standardize,
		points.StandardizeNumbers, points.CenterRows, points.UnitRows} {
		fit, err := points.Preprocessing{step}.Fit(sparse)
		if err != nil {
			t.Fatal(err)
		}
		if rows, _ := (points.Preprocessing{step}).Fit(x); !reflect.DeepEqual(fit, rows) {
			t.Errorf("%s: the fit to sparse points is %v, to rows %v", step, fit, rows)
		}
		if a, b := fit.Apply(x), fit.Apply(sparse); !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, x) {
			t.Errorf("%s: rows become %v, the same sparse points %v", step, a, b)
		}
	}
}

// TestStandardizeNumbers tests that columns of 0 and 1 stay unchanged, that others are standardized, and that constant
// columns become 0, at new points too.
func TestStandardizeNumbers(t *testing.T) {
	x := points.NewRows([][]float64{{0, 2, 1, 0, 0}, {0, 5, 1, 1, 0}, {0, -1, 1, 2, 0}, {1, 3, 1, 0, 0}})
	z := points.NewRows([][]float64{{1, 4, 0, 1, 1}})
	fit, err := points.Preprocessing{points.StandardizeNumbers}.Fit(x)
	if err != nil {
		t.Fatal(err)
	}
	all, err := points.Preprocessing{points.Standardize}.Fit(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []points.Rows{x, z} {
		got, want := fit.Apply(p).(points.Rows), all.Apply(p).(points.Rows)
		for i := range p.N {
			if want.Row(i)[0] = p.Row(i)[0]; !slices.Equal(got.Row(i), want.Row(i)) {
				t.Errorf("%v becomes %v, expected %v", p.Row(i), got.Row(i), want.Row(i))
			}
		}
	}
}

// New points get the fit of the first points: 3 becomes 1.5, outside the [0,1] of the second feature.
func ExamplePreprocessing() {
	fit, err := points.Preprocessing{points.MinMax}.Fit(points.NewRows([][]float64{{2, 0}, {4, 2}, {3, 1}}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fit.Apply(points.NewRows([][]float64{{3, 3}})).(points.Rows).Data)
	// Output: [0.5 1.5]
}
