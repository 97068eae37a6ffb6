package shared_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/notebooks/papers/shared"
)

// TestRead reads files in the order of their names. A file that is not a JSON list, and a pattern without a file,
// panic.
func TestRead(t *testing.T) {
	files := fstest.MapFS{"r/b.json": {Data: []byte("[2]")}, "r/a.json": {Data: []byte("[1, 3]")},
		"r/c.txt": {Data: []byte("{")}}
	if got := shared.ReadStored[int](files, "r/*.json"); !slices.Equal(got, []int{1, 3, 2}) {
		t.Errorf("read %v, expected 1, 3, 2", got)
	}
	for _, pattern := range []string{"r/c.txt", "[", "r/none.json"} {
		message, _ := testenv.Panic(func() { shared.ReadStored[int](files, pattern) }).(string)
		if !strings.Contains(message, pattern) {
			t.Errorf("%s: the panic %q does not contain the pattern", pattern, message)
		}
	}
}

func TestMedianOfSorted(t *testing.T) {
	for _, c := range []struct {
		ascending []float64
		want      float64
	}{{[]float64{3}, 3}, {[]float64{1, 2, 9}, 2}, {[]float64{1, 2, 4, 9}, 3}} {
		if got := shared.MedianOfSorted(c.ascending); got != c.want {
			t.Errorf("median of %v: got %g, expected %g", c.ascending, got, c.want)
		}
	}
}
