package data

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

func ExampleNew() {
	x := points.FromMatrix(mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}))
	prices, err := New("prices", x, []float64{10, 20.5, 30})
	fmt.Println(prices.Y, prices.Classes, err)
	kinds, err := New("kinds", points.NewRows([][]float64{{1, 2}, {3, 4}, {5, 6}}), []string{"rock", "mine", "rock"})
	fmt.Println(kinds.Y, kinds.Classes, err)
	// Output:
	// [10 20.5 30] [] <nil>
	// [1 -1 1] [mine rock] <nil>
}

// Classes of New have the order and the labels of a file with the same rows.
func TestNew(t *testing.T) {
	x := points.NewRows([][]float64{{1}, {2}, {3}, {4}, {5}, {6}})
	for _, labels := range [][]string{{"b", "a", "b", "a", "b", "a"}, {"10", "9", "10", "9", "9", "10"},
		{"c", "a", "b", "c", "a", "b"}, {"3", "20", "100", "3", "20", "100"},
		{"x", "9", "10", "x", "9", "10"}} {
		text := "x,y\n"
		for i, s := range labels {
			text += fmt.Sprintf("%d,%s\n", i+1, s)
		}
		want := must(Open(file(t, "a.csv", text)))
		if d := must(New("a", x, labels)); fmt.Sprint(d.Y, d.Classes) != fmt.Sprint(want.Y, want.Classes) {
			t.Errorf("%v, %v, of the file %v, %v", d.Y, d.Classes, want.Y, want.Classes)
		}
	}
	_, err := New("a", x, []string{"a"})
	wantError(t, err, "1")
	_, err = New("a", x, []float64{1, 2, 3, 4, 5, math.NaN()})
	wantError(t, err, "NaN")
	_, err = New("a", x, []string{"one", "one", "one", "one", "one", "one"})
	wantError(t, err, "one")
	_, err = New("a", x, []string{"a", "", "a", "a", "b", "a"})
	wantError(t, err, "name")
}
