package tkl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"

	"gonum.org/v1/gonum/stat"
)

var sentence = sharedtest.NewSentence[*Scores]

// onEach returns a function that applies holds to the mean difference of two methods over the splits of each of some
// sets. It is false if a set is missing.
func onEach(names []string, a, b int, holds func(difference float64) bool) func([]*Scores) (bool, string) {
	return func(all []*Scores) (bool, string) {
		ok, numbers := true, []string{}
		for _, name := range names {
			of := SelectSet(name, all)
			if len(of) == 0 {
				return false, "no results on " + name
			}
			d := stat.Mean(MethodScores(of, a), nil) - stat.Mean(MethodScores(of, b), nil)
			ok, numbers = ok && holds(d), append(numbers, fmt.Sprintf("%s %+.3g", name, d))
		}
		return ok, strings.Join(numbers, "; ")
	}
}

// sentences returns the sentences of the notebook about stored results.
func sentences() []sharedtest.Sentence[*Scores] {
	above := func(d float64) bool { return d > 0 }
	return []sharedtest.Sentence[*Scores]{
		sentence("bounds", "On sonar and ionosphere bound 0.5 is at least ten points below bound 10 for every seed",
			onEach([]string{"sonar", "ionosphere"}, 3, 5, func(d float64) bool { return d <= -10 })),
		sentence("arm", "$P' = I$ has a smaller error than the learned $P$ in every draw, and the Gaussian a "+
			"still smaller one", func(all []*Scores) (bool, string) {
			fixed, a := onEach(Sets["arm"], 2, 3, above)(all)
			gaussian, b := onEach(Sets["arm"], 3, 0, above)(all)
			return fixed && gaussian, a + "; " + b
		}),
	}
}

// TestSentences checks the sentences of the notebook against the stored results.
func TestSentences(t *testing.T) {
	sharedtest.CheckSentences(t, "05_tessellated.ipynb", sentences(), 10, Stored)
}
