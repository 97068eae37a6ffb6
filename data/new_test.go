package data

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
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

// TestFromGrams tests that matrices in memory are the data of their files, and that wrong shapes are errors.
func TestFromGrams(t *testing.T) {
	k, cross := mat.NewDense(2, 2, []float64{2, 1, 1, 2}), mat.NewDense(1, 2, []float64{1, 0.5})
	d := must(FromGrams("a", []string{"u", "v"}, k, k))
	path := filepath.Join(t.TempDir(), "k.npy")
	if err := WriteMatrix(path, k); err != nil {
		t.Fatal(err)
	}
	file := must(openGrams(file(t, "y.csv", "u\nv\n"), path)).Kernels[0].(kernel.Precomputed)
	for i, name := range []string{"matrix 1", "matrix 2"} {
		if file.Name = name; !reflect.DeepEqual(d.Kernels[i], kernel.Kernel(file)) {
			t.Errorf("%+v, of the file %+v", d.Kernels[i], file)
		}
	}
	z := must(d.KernelRows(cross, cross))
	if z.Len() != 1 || z.N != 2 || !slices.Equal(z.Data[1], []float64{1, 0.5}) {
		t.Errorf("new points %+v", z)
	}
	for name, err := range map[string]error{
		"no matrix":        second(FromGrams("a", []float64{1, 2})),
		"of other size":    second(FromGrams("a", []float64{1, 2, 3}, k)),
		"indefinite":       second(FromGrams("a", []float64{1, 2}, mat.NewDense(2, 2, []float64{0, 1, 1, 0}))),
		"a matrix too few": second(d.KernelRows(cross)),
		"a column too few": second(d.KernelRows(cross, mat.NewDense(1, 1, nil))),
		"not of matrices":  second(must(New("a", points.NewRows([][]float64{{1}}), []float64{1})).KernelRows()),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }
