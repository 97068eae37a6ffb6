package notebooks

import (
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	results "github.com/mklnb/mkl/notebooks/papers/kept"
	"github.com/mklnb/mkl/notebooks/papers/qnpkl"
)

// TestSeedsQNPKL judges the kept results of 03_qn_pkl: every sentence of qnpkl.Conclusions holds for as many of the ten
// draws that are kept as it says, and the notebook has it word for word. Where MKL_SIZE=full every experiment of seed 1
// is run anew, and its mean accuracies are those kept, to two points.
func TestSeedsQNPKL(t *testing.T) {
	judged(t, "03_qn_pkl.ipynb", qnpkl.Conclusions(), 10, func(experiment string) []qnpkl.Block {
		return qnpkl.Kept(strings.Fields(experiment)...)
	})
	if !testenv.Full() {
		return
	}
	for _, e := range qnpkl.Experiments {
		blocks := qnpkl.Kept(e.Name)
		for _, name := range e.Sets {
			s, relevant, err := e.On(name, 1)
			if err != nil {
				t.Fatal(err)
			}
			made := must(qnpkl.Run(s, relevant))
			for _, b := range made {
				kept := qnpkl.Of(results.OfSeed(blocks, 1), name, b.Method)
				got, _ := b.Mean()
				if want, _ := kept.Mean(); !(math.Abs(got-want) <= 2) { // learned to a gap alone
					t.Errorf("%s, %s, %s: mean accuracy %.2f, kept is %.2f", e.Name, name, b.Method, got, want)
				}
			}
		}
	}
}
