package eskl

import (
	"fmt"
	"testing"

	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"
)

var sentence = sharedtest.NewSentence[*Scores]

// mean returns a function that applies holds to the difference of two choices of methods in points, averaged over all
// sets of an experiment.
func mean(experiment string, m Measure, a, b []int, holds func(points float64) bool) func([]*Scores) (bool, string) {
	return func(draw []*Scores) (bool, string) {
		d, _ := Overall(draw, m, a, b)
		return len(draw) == len(Sets(experiment)) && holds(d.Mean), fmt.Sprintf("%d sets, %+.2f", len(draw), d.Mean)
	}
}

// sentences returns the sentences of the notebook about stored results.
func sentences() []sharedtest.Sentence[*Scores] {
	const tolerance = 1e-9 // means of accuracies are rounded
	return []sharedtest.Sentence[*Scores]{
		sentence("scop160", "160 proteins: REKL has a larger mean F₁ than the denoised mean | in 8 of 10 draws",
			mean("scop160", F, []int{REKLL2}, []int{MeanDenoise}, func(d float64) bool { return d > tolerance })),
		sentence("scop160", "160 proteins: REKL has a larger mean F₁ than IndSVM of the mean | in 10 of 10 draws",
			mean("scop160", F, []int{REKLL2}, []int{MeanIndSVM}, func(d float64) bool { return d > tolerance })),
		sentence("scop160", "160 proteins: ESKL with L1 is more than ten points below the denoised mean | "+
			"in 10 of 10 draws",
			mean("scop160", F, []int{ESKLL1}, []int{MeanDenoise}, func(d float64) bool { return d < -10 })),
	}
}

// TestSentences checks the sentences of the notebook against the stored results.
func TestSentences(t *testing.T) {
	sharedtest.CheckSentences(t, "04_similarities.ipynb", sentences(), 1, Stored)
}
