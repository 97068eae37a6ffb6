package notebooks

import (
	"testing"

	"github.com/mklnb/mkl/notebooks/papers/nkrr"
)

// TestSeedsNKRR judges the kept results of 01_nkrr: every sentence of nkrr.Conclusions holds for each of ten draws of
// splits and folds, and the notebook has it word for word. What is kept is made again by TestDrawn of package nkrr, an
// entry of each experiment, and by its TestKept, all.
func TestSeedsNKRR(t *testing.T) {
	judged(t, "01_nkrr.ipynb", nkrr.Conclusions(), 10, nkrr.Kept)
}
