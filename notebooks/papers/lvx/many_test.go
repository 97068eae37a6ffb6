package lvx

import (
	"context"
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
)

// TestPasses checks that more landmarks give a smaller gap, that passes give a smaller gap than landmarks alone, and
// that the figure is valid.
func TestPasses(t *testing.T) {
	p := Friedman(200, 1)
	r, err := mkl.Solve(context.Background(), p, mkl.Subspace{Landmarks: 20}, &mkl.Settings{Gap: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := LandmarksAlone(context.Background(), p, 20, 80)
	if err != nil || !(alone[1].RelativeGap() < alone[0].RelativeGap() && r.RelativeGap() < alone[1].RelativeGap()) {
		t.Errorf("gaps of landmarks alone %v and %v, with passes %g, %v", alone[0], alone[1], r.RelativeGap(), err)
	}
	f := Passes("title", r, []int{20, 80}, alone)
	if err := f.Validate(); err != nil || len(f.Series) != 3 {
		t.Errorf("%d lines, %v", len(f.Series), err)
	}
}
