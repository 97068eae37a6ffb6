package lvx

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"
)

// Claim is a statement of the notebook about stored results. Number returns the number of one seed that decides it. The
// claim holds for the seed if the number is at most Limit, or at least Limit if IsLowerLimit.
type Claim struct {
	Text         string
	Number       func(draws []*Draw) float64
	Limit        float64
	IsLowerLimit bool
}

// Count returns for how many seeds of draws the claim holds, and the smallest and the largest of its numbers.
func (c Claim) Count(draws []*Draw) (holdCount int, lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, seed := range shared.DistinctSeeds(draws) {
		v := c.Number(shared.SelectSeed(draws, seed))
		if lo, hi = min(lo, v), max(hi, v); c.IsLowerLimit && v >= c.Limit || !c.IsLowerLimit && v <= c.Limit {
			holdCount++
		}
	}
	return holdCount, lo, hi
}

// ClaimsTable shows, for each claim, its numbers over the seeds and for how many seeds it holds.
func ClaimsTable(title string, claims []Claim, draws []*Draw) viz.Figure {
	var rows [][]any
	for _, c := range claims {
		holdCount, lo, hi := c.Count(draws)
		limit := fmt.Sprintf("at most %g", c.Limit)
		if c.IsLowerLimit {
			limit = fmt.Sprintf("at least %g", c.Limit)
		}
		numbers := fmt.Sprintf("%s to %s", viz.FormatNumber(lo), viz.FormatNumber(hi))
		if lo == hi {
			numbers = viz.FormatNumber(lo)
		}
		rows = append(rows, []any{c.Text, limit, numbers, fmt.Sprintf("%d of %d", holdCount,
			len(shared.DistinctSeeds(draws)))})
	}
	return viz.Table(title, "A draw is a seed with ten random halves of each dataset.",
		[]string{"what is counted or measured", "claim", "range over ten draws", "the claim holds in"}, rows...)
}

// most returns the largest number of the given datasets, least the smallest. A missing dataset gives NaN, for which no
// claim holds.
func most(sets []string, numberOf func(d *Draw) float64) func(draws []*Draw) float64 {
	return func(draws []*Draw) float64 {
		largest := math.Inf(-1)
		for _, name := range sets {
			i := slices.IndexFunc(draws, func(d *Draw) bool { return d.DatasetName == name })
			if i < 0 {
				return math.NaN()
			}
			largest = max(largest, numberOf(draws[i]))
		}
		return largest
	}
}

func least(sets []string, numberOf func(d *Draw) float64) func(draws []*Draw) float64 {
	largest := most(sets, func(d *Draw) float64 { return -numberOf(d) })
	return func(draws []*Draw) float64 { return -largest(draws) }
}

// count returns the number of datasets for which holds is true, NaN if a dataset is missing.
func count(holds func(d *Draw) bool) func(draws []*Draw) float64 {
	return func(draws []*Draw) float64 {
		if len(draws) < len(Sets) {
			return math.NaN()
		}
		n := 0.0
		for _, d := range draws {
			if holds(d) {
				n++
			}
		}
		return n
	}
}

// at returns the index of λ in Lambdas.
func at(lambda float64) int { return slices.Index(Lambdas, lambda) }

// leastTest returns the smallest test RMSE of a curve over λ.
func leastTest(d *Draw, degree int, hasConstant bool) float64 {
	return slices.Min(d.Curve(degree, hasConstant).Test)
}

// clearGain returns the claim that degree 2 with a constant kernel is clearly better than degree 1 on a dataset, with
// learned and with uniform weights.
func clearGain(set string) Claim {
	return Claim{set + ": degree 2 with a constant − degree 1, upper end of the 95 % interval (the larger of learned " +
		"and uniform weights)", most([]string{set}, func(d *Draw) float64 {
		return max(d.ConstantGains[0][2], d.ConstantGains[1][2])
	}), 0, false}
}

// clearSets lists the datasets on which a constant kernel clearly helps.
var clearSets = [3]string{"ionosphere", "sonar", "fourclass"}

// VerdictClaims returns the claims of the verdict.
func VerdictClaims() []Claim {
	return []Claim{
		{"largest change of RMSE by learning the weights, over seven sets", most(Sets, func(d *Draw) float64 {
			return max(math.Abs(d.Scores[0].Less[0]), math.Abs(d.Scores[1].Less[0]))
		}), 0.03, false},
		{"number of sets on which learning is clearly better", count(func(d *Draw) bool {
			return d.Scores[0].Less[2] < 0 || d.Scores[1].Less[2] < 0
		}), 1, false},
		{"number of sets on which learning is clearly worse", count(func(d *Draw) bool {
			return d.Scores[0].Less[1] > 0 || d.Scores[1].Less[1] > 0
		}), 0, false},
		clearGain(clearSets[0]), clearGain(clearSets[1]), clearGain(clearSets[2]),
		{fmt.Sprintf("number of the other %d sets with a clear difference", len(Sets)-len(clearSets)),
			count(func(d *Draw) bool {
				a, b := d.ConstantGains[0], d.ConstantGains[1]
				isClear := a[1] > 0 || a[2] < 0 || b[1] > 0 || b[2] < 0
				return isClear && !slices.Contains(clearSets[:], d.DatasetName)
			}), 0, false},
		{"section 13: number of solves of degrees 1 and 2 not proved to be minima, to a relative gap of " +
			"1e-4", most(Sets,
			func(d *Draw) float64 {
				return float64(d.Curve(1, false).UncertifiedCount + d.Curve(2, false).UncertifiedCount +
					d.Curve(2, true).UncertifiedCount)
			}), 0, false},
		{"section 13: number of solves of degree 3 proved to be minima", most(Sets, func(d *Draw) float64 {
			return float64(Halves*len(Lambdas) - d.Curve(3, false).UncertifiedCount)
		}), 0, false},
	}
}

// TableClaims returns the claims about Tables 1 to 4. Scores hold the columns of the tables.
func TableClaims() []Claim {
	distance := func(d *Draw, printed string) (largest float64) {
		for k := range 3 {
			largest = max(largest, math.Abs(d.Scores[k].RMSE-Paper[printed][k].RMSE[0]))
		}
		return largest
	}
	return []Claim{
		{"sonar, learned kernels: largest distance of our RMSE from Table 4", most(Sets[1:2], func(d *Draw) float64 {
			return max(distance(d, "sonar"), math.Abs(d.Scores[3].RMSE-Paper["sonar"][3].RMSE[0]))
		}), 0.04, false},
		{"ionosphere: least difference, RMSE of Table 2 − our RMSE", least(Sets[:1], func(d *Draw) float64 {
			gap := math.Inf(1)
			for k, s := range d.Scores {
				gap = min(gap, Paper["ionosphere"][k].RMSE[0]-s.RMSE)
			}
			return gap
		}), 0.1, true},
		{"sonar: largest distance of our RMSE from .82, .86 and .83 of Table 2", most(Sets[1:2], func(d *Draw) float64 {
			return distance(d, "ionosphere")
		}), 0.025, false},
		{"largest gain of RMSE by learning the weights", most(Sets[:2], func(d *Draw) float64 {
			gain := math.Inf(-1)
			for _, s := range d.Scores[:4] {
				gain = max(gain, -s.Less[0])
			}
			return gain
		}), 0.02, false},
		{"largest distance between the RMSE of two algorithms of one degree", most(Sets[:2], func(d *Draw) float64 {
			return max(math.Abs(d.Scores[2].RMSE-d.Scores[0].RMSE), math.Abs(d.Scores[3].RMSE-d.Scores[1].RMSE))
		}), 0.03, false},
	}
}

// FigureClaims returns the claims about Figures 1, 2 and 5 to 9.
func FigureClaims() []Claim {
	tested := func(d *Draw, degree int, lambda float64) float64 { return d.Curve(degree, false).Test[at(lambda)] }
	withoutFourclass := slices.DeleteFunc(slices.Clone(Sets), func(s string) bool { return s == "fourclass" })
	fits := func(d *Draw) bool { return d.Curve(2, false).Train[at(0.1)] < d.Curve(1, false).Train[at(0.1)] }
	return []Claim{
		{"degree 2: RMSE at λ = 1e-4 − RMSE at 10, least of six sets (not fourclass)", least(withoutFourclass,
			func(d *Draw) float64 { return tested(d, 2, 1e-4) - tested(d, 2, 10) }), 0, true},
		{"degrees 1 and 2: RMSE at λ = 1000 − least RMSE, least of seven sets", least(Sets, func(d *Draw) float64 {
			return min(tested(d, 1, 1000)-leastTest(d, 1, false), tested(d, 2, 1000)-leastTest(d, 2, false))
		}), 0.01, true},
		{"degree 2: least RMSE without a constant − with a constant, least of seven sets", least(Sets,
			func(d *Draw) float64 { return leastTest(d, 2, false) - leastTest(d, 2, true) }), 0, true},
		{"number of sets on which degree 1 has a smaller least RMSE than degree 2 without a constant",
			count(func(d *Draw) bool { return leastTest(d, 1, false) < leastTest(d, 2, false) }), 7, true},
		{"λ = 0.1: number of sets on which degree 2 fits the training half better than degree 1", count(fits), 5, true},
		{"number of these sets on which degree 2 tests worse", count(func(d *Draw) bool {
			return fits(d) && tested(d, 2, 0.1) > tested(d, 1, 0.1)
		}), 4, true},
	}
}

// SVMClaims returns the claims about Figures 3, 4 and 10 to 12.
func SVMClaims() []Claim {
	ratio := func(degree int) func(draws []*Draw) float64 {
		return func(draws []*Draw) float64 {
			wins, losses := CountWins(draws, degree)
			return float64(wins) / float64(losses) // NaN without draws
		}
	}
	rise := func(errors []float64) float64 { return errors[at(0.1)] - slices.Min(errors) }
	return []Claim{
		{"degree 2, equal λ ≤ 10: pairs in which the SVM errs less, over pairs in which it errs more",
			ratio(2), 2, true},
		{"the same ratio for degree 1", ratio(1), 1, true},
		{"best λ of each, degrees 1 and 2: number of sets with a clear difference", count(func(d *Draw) bool {
			a, b := d.Curve(1, false).BestDifference, d.Curve(2, false).BestDifference
			return a[1] > 0 || a[2] < 0 || b[1] > 0 || b[2] < 0
		}), 0, false},
		{"best λ of each, degree 2: SVM − ridge regression, larger of ionosphere and pima",
			most([]string{"ionosphere", "pima"}, func(d *Draw) float64 {
				return d.Curve(2, false).BestDifference[0]
			}), 0, false},
		{"SVM, best λ: number of sets on which degree 2 or 3 errs less than degree 1", count(func(d *Draw) bool {
			return min(slices.Min(d.Curve(2, false).SVM), slices.Min(d.Curve(3, false).SVM)) <
				slices.Min(d.Curve(1, false).SVM)
		}), 4, true},
		{"degree 2: number of sets on which the error at λ = 0.1 less the least error is smaller for the SVM",
			count(func(d *Draw) bool {
				return rise(d.Curve(2, false).SVM) < rise(d.Curve(2, false).RidgeErrorRate)
			}), 4, true},
	}
}
