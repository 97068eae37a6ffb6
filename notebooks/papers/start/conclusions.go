package start

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/notebooks/papers/kept"

	"gonum.org/v1/gonum/stat"
)

// less is a sentence about learned weights less another method that holds of a draw by its interval.
func less(name, method, text string, holds func(c study.Difference) bool) kept.Conclusion[*Draw] {
	return kept.Say(name, text, func(all []*Draw) (bool, string) {
		if len(all) != 1 {
			return false, fmt.Sprintf("%d draws", len(all))
		}
		c := all[0].Less(method, Kept("forests")...)
		return c.N > 1 && holds(c), fmt.Sprintf("less %s %+.3f [%+.3f, %+.3f]", method, c.Mean, c.Lo, c.Hi)
	})
}

// pooled says whether each method errs less, by the mean, where the ranges of sonar are one table.
func pooled(all []*Draw) (ok bool, numbers string) {
	for _, d := range all {
		ok = true
		for _, one := range kept.OfSeed(Kept("sonar"), d.Seed) {
			for method, scores := range one.RMSE {
				a, b := stat.Mean(scores, nil), stat.Mean(d.RMSE[method], nil)
				ok, numbers = ok && a < b, numbers+fmt.Sprintf("%s %.3f, in ranges %.3f; ", method, a, b)
			}
		}
	}
	return ok, numbers
}

// byHits says whether the accuracies of learned and uniform weights cannot be told apart.
func byHits(all []*Draw) (bool, string) {
	if len(all) != 1 {
		return false, fmt.Sprintf("%d draws", len(all))
	}
	c := all[0].difference(all[0].Hits[study.LearnedName], all[0].Hits[study.UniformName])
	return !c.Clear(), fmt.Sprintf("accuracy %+.3f [%+.3f, %+.3f]", c.Mean, c.Lo, c.Hi)
}

// Conclusions are the sentences of 00_start_here about the draws, word for word.
func Conclusions() []kept.Conclusion[*Draw] {
	clear := func(c study.Difference) bool { return c.Hi < 0 }
	worse := func(c study.Difference) bool { return c.Lo > 0 }
	lower := func(c study.Difference) bool { return c.Mean < 0 }
	not := func(c study.Difference) bool { return !c.Clear() }
	const table, ranges, heart = "sonar", "sonar in ranges", "heart-statlog"
	return []kept.Conclusion[*Draw]{
		less("plants", study.SingleName, "the best single kernel has a smaller mean error than learned weights, in 10 "+
			"of 10 draws of the splits,", func(c study.Difference) bool { return c.Mean > 0 }),
		less("plants", study.SingleName, "clearly so in 2 of 10 draws.", worse),
		less(table, study.UniformName, "clearly better than uniform weights in 10 of 10 draws of the splits,", clear),
		less(table, Forest, "clearly better than a random forest in 10 of 10 draws,", clear),
		less(table, Boosted, "clearly better than boosted trees in 6 of 10 draws", clear),
		less(table, study.SingleName, "better than the best single kernel in 10 of 10 draws by the mean,", lower),
		less(table, study.SingleName, "clearly in 1 of 10 draws", clear),
		kept.Say(table, "By accuracy learned weights are not clearly better than uniform ones in 10 of 10 draws:",
			byHits),
		less(ranges, study.UniformName, "clearly better than uniform ones in 9 of 10 draws,", clear),
		less(ranges, study.SingleName, "clearly better than the best single kernel in 9 of 10 draws", clear),
		less(ranges, Boosted, "Boosted trees of all bands at once are not clearly worse than that in 10 of 10 draws.",
			func(c study.Difference) bool { return !(c.Hi < 0) }),
		kept.Say(ranges, "with all bands in one table each of the three rivals has the smaller mean error, in 10 "+
			"of 10 draws.", pooled),
		less(heart, study.UniformName, "Learned weights are within 0.01 of RMSE of uniform ones in 10 of 10 draws,",
			func(c study.Difference) bool { return math.Abs(c.Mean) < 0.01 }),
		less(heart, study.UniformName, "not decided in 10 of 10 draws", not),
		less(heart, study.SingleName, "nothing is decided in 10 of 10 draws", not),
	}
}
