package eskl

import (
	"fmt"
	"math"
	"testing"

	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"
)

var sentence = sharedtest.NewSentence[*Scores]

// Choices of methods that sentences compare.
var (
	repairs        = []int{Denoise, Flip, Shift}
	learnedMethods = []int{L2, L1, L3}
)

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
		sentence("single", "ESKL is more than half a point above the chosen repair, mean of the five sets | "+
			"in 7 of 10 draws",
			mean("single", Accuracy, learnedMethods, repairs, func(d float64) bool { return d > 0.5 })),
		sentence("single", "L2 and L3 differ by less than two points, mean of the five sets | in 7 of 10 draws",
			mean("single", Accuracy, []int{L2}, []int{L3}, func(d float64) bool { return math.Abs(d) < 2 })),
		sentence("aural", "L2 and L3 differ by at most two points | in 10 of 10 draws",
			mean("aural", Accuracy, []int{L2}, []int{L3}, func(d float64) bool { return math.Abs(d) <= 2+tolerance })),
		sentence("scop40", "40 proteins: REKL has a larger mean F₁ than the denoised mean | in 3 of 3 draws",
			mean("scop40", F, []int{REKLL2}, []int{MeanDenoise}, func(d float64) bool { return d > tolerance })),
		sentence("scop40", "40 proteins: REKL has a larger mean F₁ than IndSVM of the mean | in 3 of 3 draws",
			mean("scop40", F, []int{REKLL2}, []int{MeanIndSVM}, func(d float64) bool { return d > tolerance })),
		sentence("scop40", "40 proteins: ESKL with L1 is more than fifteen points below the denoised mean | "+
			"in 3 of 3 draws",
			mean("scop40", F, []int{ESKLL1}, []int{MeanDenoise}, func(d float64) bool { return d < -15 })),
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
