package notebooks

import (
	"testing"

	"github.com/mklnb/mkl/notebooks/papers/tkl"
)

// TestSeedsTKL judges the kept results of 05_tessellated: every sentence of tkl.Conclusions holds for each of ten
// seeds, and the notebook has it word for word.
func TestSeedsTKL(t *testing.T) {
	judged(t, "05_tessellated.ipynb", tkl.Conclusions(), 10, tkl.Kept)
}
