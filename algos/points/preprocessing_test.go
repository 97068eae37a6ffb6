package points_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
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

// TestSteps tests the definition of each step that scales columns or rows, on numbers of both signs and below 0.
func TestSteps(t *testing.T) {
	x := points.NewRows([][]float64{{-8, 2, 0.5}, {-1, 5, -3}, {-3, 4, 1}, {-2, -7, 4}})
	largestSize := func(v []float64) float64 { return floats.Norm(v, math.Inf(1)) }
	meanSquare := func(v []float64) float64 { return floats.Dot(v, v) / float64(len(v)) }
	for _, c := range []struct {
		step   points.Step
		ofRows bool
		value  func(v []float64) float64
		want   float64
	}{{points.MaxAbs, false, largestSize, 1}, {points.MinMax, false, floats.Min, 0},
		{points.MinMax, false, floats.Max, 1}, {points.CenterColumns, false, floats.Sum, 0},
		{points.Standardize, false, floats.Sum, 0}, {points.Standardize, false, meanSquare, 1},
		{points.CenterRows, true, floats.Sum, 0}, {points.UnitRows, true, meanSquare, 1. / 3}} {
		fit, err := points.Preprocessing{c.step}.Fit(x)
		if err != nil {
			t.Fatal(err)
		}
		z := fit.Apply(x).(points.Rows)
		lines := mat.DenseCopyOf(mat.NewDense(z.N, z.D, z.Data).T())
		if c.ofRows {
			lines = mat.NewDense(z.N, z.D, z.Data)
		}
		for i := range lines.RawMatrix().Rows {
			if v := c.value(lines.RawRowView(i)); math.Abs(v-c.want) > 1e-14 {
				t.Errorf("%s: %v has %g, want %g", c.step, lines.RawRowView(i), v, c.want)
			}
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

// TestCheckSequence tests which characters a sequence may have, and the position of the first that it may not.
func TestCheckSequence(t *testing.T) {
	for s, want := range map[string]int{"ACGTazAZ*": -1, "": -1, "AC-": 2, ".A": 0, "A1C-": 1, "A C": 1, "Aé": 1} {
		if i, err := points.CheckSequence(s); (err != nil) != (want >= 0) || i != max(want, 0) {
			t.Errorf("%q: position %d, %v; want %d", s, i, err, want)
		}
	}
}
