package mklnb

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// TestAlign: the scores are those of the package, finished parts are kept; stopped, and for points that are no
// sequences, the cell ends with a line.
func TestAlign(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("MKL_CACHE", cache)
	x := Must(data.Load("globins")).X.(kernel.Sequences)[:5]
	a := similarity.Alignment{Normalize: true}
	var s *mat.SymDense
	if _, status := record(t, func() { s = Align(x, a) }); status != -1 {
		t.Fatalf("ended with %d", status)
	}
	if want := Must(a.Pairs(t.Context(), x, similarity.Work{})); !mat.Equal(s, want) {
		t.Errorf("%v, want %v", mat.Formatted(s), mat.Formatted(want))
	}
	if files, _ := os.ReadDir(filepath.Join(cache, "alignments")); len(files) == 0 {
		t.Error("nothing is kept")
	}
	r, status := record(t, func() {
		interrupt.cancel()
		Align(x[:4], a)
	})
	if status != 1 || len(r.shown) == 0 || !containsEvery(r.shown[0].text, "Alignment of 4 sequences: stopped after 0 of", "kept") {
		t.Errorf("stopped: status %d, %v", status, r.shown)
	}
	if _, status := record(t, func() { Align(data.Rings(6, 1).X, a) }); status != 1 {
		t.Errorf("rows of numbers: status %d", status)
	}
}
