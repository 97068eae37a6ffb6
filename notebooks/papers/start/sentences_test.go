package start

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

var sentence = sharedtest.NewSentence[*Draw]

// claim returns a sentence about a comparison. holds decides by the RMSE of learned weights minus the RMSE of a method.
func claim(name, method, text string, holds func(c compare.Difference) bool) sharedtest.Sentence[*Draw] {
	return sentence(name, text, func(all []*Draw) (bool, string) {
		if len(all) != 1 {
			return false, fmt.Sprintf("%d draws", len(all))
		}
		c := all[0].LearnedMinusMethod(method)
		return c.N > 1 && holds(c), fmt.Sprintf("less %s %+.3f [%+.3f, %+.3f]", method, c.Mean, c.Lo, c.Hi)
	})
}

// row returns a row of a table of the notebook: mean over the draws of the RMSE of learned weights minus the RMSE of
// another method, mean ends of the intervals, and the number of draws with a clear difference.
func row(name, method string) sharedtest.Sentence[*Draw] {
	all, clear := Stored(name), 0
	var mean [3]float64
	for _, d := range all {
		c := d.LearnedMinusMethod(method)
		if c.ExcludesZero() {
			clear++
		}
		floats.AddScaled(mean[:], 1/float64(len(all)), []float64{c.Mean, c.Lo, c.Hi})
	}
	text := fmt.Sprintf("| %s | %+.3f [%+.3f, %+.3f] | in %d of %d draws |", method, mean[0], mean[1], mean[2], clear,
		len(all))
	return claim(name, method, strings.ReplaceAll(text, "-", "−"), compare.Difference.ExcludesZero)
}

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

// similarAccuracy reports whether the interval of the accuracies of learned and uniform weights contains 0.
func similarAccuracy(all []*Draw) (bool, string) {
	if len(all) != 1 {
		return false, fmt.Sprintf("%d draws", len(all))
	}
	c := all[0].pairedDifference(all[0].Accuracy[learn.LearnedName], all[0].Accuracy[learn.UniformName])
	return !c.ExcludesZero(), fmt.Sprintf("accuracy %+.3f [%+.3f, %+.3f]", c.Mean, c.Lo, c.Hi)
}

// sentences returns the sentences of the notebook about stored results.
func sentences() []sharedtest.Sentence[*Draw] {
	const table, ranges, heart = "sonar", "sonar in ranges", "heart-statlog"
	return []sharedtest.Sentence[*Draw]{
		row("plants", learn.UniformName), row("plants", learn.SingleName),
		claim("plants", learn.SingleName, "has the smaller mean error in 10 of 10 draws",
			func(c compare.Difference) bool { return c.Mean > 0 }),
		row(table, learn.UniformName), row(table, learn.SingleName),
		sentence(table, "By accuracy learned weights are not clearly better than uniform ones in 10 of 10 draws:",
			similarAccuracy),
		row(ranges, learn.UniformName), row(ranges, learn.SingleName),
		sentence(ranges, "with all bands in one table each of the three methods has the smaller mean error, in 10 "+
			"of 10 draws.", pooled),
		row(heart, learn.UniformName), row(heart, learn.SingleName),
	}
}

// TestSentences checks the sentences of the notebook against the stored results.
func TestSentences(t *testing.T) {
	sharedtest.CheckSentences(t, "00_start_here.ipynb", sentences(), 10, Stored)
}
