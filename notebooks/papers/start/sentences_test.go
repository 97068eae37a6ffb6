package start

import (
	"fmt"
	"testing"

	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"

	"gonum.org/v1/gonum/stat"
)

// pooled reports whether each method has a smaller mean error if the ranges of sonar are one table.
func pooled(all []*Draw) (ok bool, numbers string) {
	for _, d := range all {
		ok = true
		for _, one := range shared.SelectSeed(Stored("sonar"), d.Seed) {
			for method, scores := range one.RMSE {
				a, b := stat.Mean(scores, nil), stat.Mean(d.RMSE[method], nil)
				ok, numbers = ok && a < b, numbers+fmt.Sprintf("%s %.3f, in ranges %.3f; ", method, a, b)
			}
		}
	}
	return ok, numbers
}

// TestSentences checks a sentence of the notebook that no cell checks.
func TestSentences(t *testing.T) {
	sharedtest.CheckSentences(t, "00_start_here.ipynb", []sharedtest.Sentence[*Draw]{
		sharedtest.NewSentence("sonar in ranges", "with all bands in one table each of the three methods has the "+
			"smaller mean RMSE, in 10 of 10 draws", pooled),
	}, 10, Stored)
}
