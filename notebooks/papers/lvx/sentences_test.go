package lvx

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"
)

var sentence = sharedtest.NewSentence[*Draw]

// decision decides whether a sentence holds for the draws of one seed.
type decision = func(draws []*Draw) (holds bool, numbers string)

// onEach returns a function that applies holds to a number of each of some sets. It is false if a set is missing.
func onEach(sets []string, holds func(v float64) bool, of func(d *Draw) float64) decision {
	return func(draws []*Draw) (bool, string) {
		all, numbers := true, ""
		for _, name := range sets {
			i := slices.IndexFunc(draws, func(d *Draw) bool { return d.DatasetName == name })
			if i < 0 {
				return false, "no " + name
			}
			v := of(draws[i])
			all, numbers = all && holds(v), numbers+fmt.Sprintf("%s %.3g, ", name, v)
		}
		return all, numbers
	}
}

// at returns the index of λ in Lambdas.
func at(lambda float64) int { return slices.Index(Lambdas, lambda) }

// without returns Sets except some.
func without(names ...string) []string {
	return slices.DeleteFunc(slices.Clone(Sets), func(s string) bool { return slices.Contains(names, s) })
}

// sentences returns the sentences of the notebook about stored results.
func sentences() []sharedtest.Sentence[*Draw] {
	positive := func(v float64) bool { return v > 0 }
	least := func(degree int, constant bool) func(d *Draw) float64 {
		return func(d *Draw) float64 { return slices.Min(d.Curve(degree, constant).Test) }
	}
	tested := func(degree int, lambda float64) func(d *Draw) float64 {
		return func(d *Draw) float64 { return d.Curve(degree, false).Test[at(lambda)] }
	}
	return []sharedtest.Sentence[*Draw]{
		sentence("figures", "In no draw is learning clearly better on more than one set.",
			func(draws []*Draw) (bool, string) {
				better, worse := CountClear(draws, 2)
				return len(draws) == len(Sets) && better <= 1, fmt.Sprintf("%d better, %d worse", better, worse)
			}),
		sentence("figures", "On every set the two differ by less than 0.03 in RMSE.",
			onEach(Sets, func(v float64) bool { return v < 0.03 },
				func(d *Draw) float64 {
					return math.Max(math.Abs(d.Scores[0].Less[0]), math.Abs(d.Scores[1].Less[0]))
				})),
		sentence("figures",
			"On ionosphere, sonar and fourclass the RMSE of degree 2 with a constant is at least 0.03 below "+
				"the RMSE of degree 1, with uniform weights too.",
			onEach([]string{"ionosphere", "sonar", "fourclass"}, func(v float64) bool { return v > 0.03 },
				func(d *Draw) float64 {
					return math.Min(d.Scores[0].RMSE-d.Scores[1].RMSE, d.Scores[2].RMSE-d.Scores[3].RMSE)
				})),
		sentence("figures", "Every solve of degree 1 and 2, at every λ, is certified global; none of degree 3 is.",
			onEach(Sets, func(v float64) bool { return v == 0 }, func(d *Draw) float64 {
				n := Halves*len(Lambdas) - d.Curve(3, false).UncertifiedCount
				n += d.Curve(1, false).UncertifiedCount + d.Curve(2, false).UncertifiedCount
				return float64(n + d.Curve(2, true).UncertifiedCount)
			})),
		sentence("figures", "On every set but fourclass the RMSE of degree 2 is smaller at λ = 10 than at 1e-4.",
			onEach(without("fourclass"), positive,
				func(d *Draw) float64 { return tested(2, 1e-4)(d) - tested(2, 10)(d) })),
		sentence("figures", "At λ = 1000 it is larger than at its least, for degrees 1 and 2 and on every set.",
			onEach(Sets, positive, func(d *Draw) float64 {
				return math.Min(tested(1, 1000)(d)-least(1, false)(d), tested(2, 1000)(d)-least(2, false)(d))
			})),
		sentence("figures", "With a constant base kernel the least RMSE of degree 2 is smaller on every set.",
			onEach(Sets, positive, func(d *Draw) float64 { return least(2, false)(d) - least(2, true)(d) })),
		sentence("figures",
			"At λ = 0.1 degree 2 fits the training half better than degree 1 on five of the seven sets, "+
				"and tests worse on four of these or on all five.",
			func(draws []*Draw) (bool, string) {
				fits, worse := 0, 0
				for _, d := range draws {
					one, two := d.Curve(1, false), d.Curve(2, false)
					if two.Train[at(0.1)] < one.Train[at(0.1)] {
						fits++
						if two.Test[at(0.1)] > one.Test[at(0.1)] {
							worse++
						}
					}
				}
				return fits == 5 && worse >= 4, fmt.Sprintf("%d fit better, %d of them test worse", fits, worse)
			}),
		sentence("figures",
			"With the same kernel of degree 2 and the same λ ≤ 10 the SVM errs less on more than twice as "+
				"many halves as ridge regression does, summed over the seven sets.",
			func(draws []*Draw) (bool, string) {
				fewer, more := CountWins(draws, 2)
				return len(draws) == len(Sets) && fewer > 2*more, fmt.Sprint(fewer, " to ", more)
			}),
		sentence("figures", "For degree 1 it is 1,777 to 1,558, and ahead in 8 of 10 draws.",
			func(draws []*Draw) (bool, string) {
				fewer, more := CountWins(draws, 1)
				return len(draws) == len(Sets) && fewer > more, fmt.Sprint(fewer, " to ", more)
			}),
		sentence("figures", "Each at its best λ, no difference of the two is clear for degrees 1 and 2.",
			onEach(Sets, func(v float64) bool { return v <= 0 }, func(d *Draw) float64 {
				a, b := d.Curve(1, false).BestDifference, d.Curve(2, false).BestDifference
				return max(a[1], -a[2], b[1], -b[2])
			})),
		sentence("tables", "On sonar every printed RMSE of a learned kernel is within 0.04 of ours.",
			onEach(Sets[1:2], func(v float64) bool { return v < 0.04 }, func(d *Draw) float64 {
				worst := 0.0
				for k := range 4 {
					worst = math.Max(worst, math.Abs(d.Scores[k].RMSE-Paper["sonar"][k].RMSE[0]))
				}
				return worst
			})),
		sentence("tables", "On ionosphere every printed RMSE is more than 0.1 above ours.",
			onEach(Sets[:1], func(v float64) bool { return v > 0.1 }, func(d *Draw) float64 {
				least := math.Inf(1)
				for k, s := range d.Scores {
					least = math.Min(least, Paper["ionosphere"][k].RMSE[0]-s.RMSE)
				}
				return least
			})),
		sentence("tables", "No learned kernel of these tables has an RMSE more than 0.02 below the RMSE of "+
			"uniform weights.",
			onEach(Sets[:2], func(v float64) bool { return v >= -0.02 }, func(d *Draw) float64 {
				least := math.Inf(1)
				for _, s := range d.Scores[:4] {
					least = math.Min(least, s.Less[0])
				}
				return least
			})),
	}
}

// TestSentences checks the sentences of the notebook against the stored results.
func TestSentences(t *testing.T) {
	sharedtest.CheckSentences(t, "02_learning_the_kernel.ipynb", sentences(), 10, Stored)
}
