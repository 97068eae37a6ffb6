package eskl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/stat"
)

// The functions of this file verify the stored results, the printed numbers and the tables in a second way. They use
// neither ScoresInPercent nor Overall.

// Chosen returns the accuracy or the F₁ score, from 0 to 1, of the method with the best mean accuracy on the folds, or
// the mean over the tied methods, and how many methods tie. row holds the scores of all methods on one split.
func Chosen(row []Score, measure Measure, methods []int) (score, tieCount float64) {
	bestFoldAccuracy := 0.0
	for _, m := range methods {
		x := []float64{row[m].Accuracy, row[m].F}[measure]
		if s := row[m]; s.FoldAccuracy > bestFoldAccuracy {
			bestFoldAccuracy, score, tieCount = s.FoldAccuracy, x, 1
		} else if s.FoldAccuracy == bestFoldAccuracy {
			tieCount++
			score += (x - score) / tieCount
		}
	}
	return score, tieCount
}

// CountConfirmedRows returns in how many rows of a table of OverallTable the mean, the interval, "clear" and "outside"
// are those of the formula of Nadeau and Bengio, mean ± t·s·√(1/J + 0.2/0.8) for J splits. tQuantile is the 97.5 %
// quantile of Student's t with J − 1 degrees of freedom. The other arguments are those of OverallTable.
func CountConfirmedRows(table viz.Figure, tQuantile float64, results []*Scores, measure Measure, pairs ...Pair) (
	count float64) {
	for k, p := range pairs {
		of := results
		if p.Results != nil {
			of = p.Results
		}
		sumsBySplit, isSet := map[[2]int]float64{}, map[string]bool{} // sums over the sets, in per cent
		for _, s := range of {
			isSet[s.DatasetName] = true
			for i, row := range s.Splits {
				a, _ := Chosen(row, measure, p.A)
				b, _ := Chosen(row, measure, p.B)
				sumsBySplit[[2]int{int(s.Seed), i}] += 100 * (a - b)
			}
		}
		var d []float64
		for _, sum := range sumsBySplit {
			d = append(d, sum/float64(len(isSet)))
		}
		mean, half := stat.Mean(d, nil), tQuantile*stat.StdDev(d, nil)*math.Sqrt(1/float64(len(d))+0.2/0.8)
		want := []string{withMinus("%+.1f", mean), withMinus("%+.1f to %+.1f", mean-half, mean+half), "not decided",
			"–"}
		if math.Abs(mean) > half {
			want[2] = "clear"
		}
		row := table.Sheet.Rows[k]
		if row[4].Text != "–" {
			printed := 0.0
			for set := range isSet {
				printed += PrintedDifference([]string{set}, measure, p.A[0], p.B[0]) / float64(len(isSet))
			}
			want[3] = map[bool]string{true: "outside", false: "inside"}[math.Abs(printed-mean) > half]
		}
		if slices.Equal(want, []string{row[1].Text, row[2].Text, row[3].Text, row[5].Text}) {
			count++
		}
	}
	return count
}

// Facts lists the means in a table of OverallTable. "c" follows a clear one, "o" one of which the printed difference is
// outside our interval.
func Facts(table viz.Figure) string {
	var facts []string
	for _, row := range table.Sheet.Rows {
		facts = append(facts, row[1].Text+map[string]string{"clear": "c"}[row[3].Text]+
			map[string]string{"outside": "o"}[row[5].Text])
	}
	return strings.Join(facts, " ")
}

// CountConfirmedLevels returns how many cells of a table of Table hold the mean of the results over the splits and, in
// parentheses, the number of the paper.
func CountConfirmedLevels(table viz.Figure, results []*Scores, measure Measure) (count float64) {
	for i, row := range table.Sheet.Rows {
		set := distinctSetNames(results)[i]
		for j, column := range table.Sheet.Columns[1:] {
			m, sum, splitCount := slices.Index(results[0].Methods, column.Name), 0.0, 0.0
			for _, s := range results {
				for _, scores := range s.Splits {
					if s.DatasetName == set {
						sum += 100 * []float64{scores[m].Accuracy, scores[m].F}[measure]
						splitCount++
					}
				}
			}
			want := fmt.Sprintf("%.1f\u00a0(%.1f)", sum/splitCount, PrintedMean([]string{set}, measure, m))
			if sum == 0 { // the method was not run
				want = "–" + want[3:]
			}
			if row[0].Text == set && row[1+j].Text == want {
				count++
			}
		}
	}
	return count
}

// CountImpossible returns how many stored scores of an experiment cannot be: no numbers of right and wrong test points
// give both the accuracy and the F₁ score, or the method, C or ρ is none of the experiment. It also counts results that
// are those of another seed, or that do not have the place of their set.
func CountImpossible(experiment string) (count float64) {
	methods := Table3Methods()
	if !strings.HasPrefix(experiment, "scop") {
		methods = Table1Methods()
	}
	isWhole := func(x float64) bool { return math.Abs(x-math.Round(x)) < 1e-6 }
	isSeen, sets := map[string]bool{}, Sets(experiment)
	for k, s := range Stored(experiment) {
		if s.DatasetName != sets[k%len(sets)] {
			count++
		}
		if key := fmt.Sprint(s.DatasetName, s.Splits); isSeen[key] {
			count++
		} else {
			isSeen[key] = true
		}
		for _, row := range s.Splits {
			for m, score := range row {
				wrong := math.Round(0.2*float64(s.N)) * (1 - score.Accuracy)
				rightPositives := score.F * wrong / 2 / (1 - score.F)
				isKnown := s.Methods[m] == methods[m].Name && slices.Contains(Cs, score.C) &&
					(methods[m].Rho == nil || slices.Contains(methods[m].Rho, score.Rho) ||
						strings.HasSuffix(experiment, "wide"))
				wasRun := score.C > 0
				if wasRun && !(isKnown && isWhole(wrong) && (wrong < 0.5 || isWhole(rightPositives))) {
					count++
				}
			}
		}
	}
	return count
}

// PrintedSum returns the sum, over the numbers that the paper prints for the sets and methods of an experiment, of the
// number times its place. A wrong number changes it, and so does an exchange of two.
func PrintedSum(experiment string) (sum float64) {
	place := 0.0
	for _, set := range Sets(experiment) {
		for _, measure := range []Measure{Accuracy, F} {
			for m := range Stored(experiment)[0].Methods {
				place++
				sum += place * PrintedMean([]string{set}, measure, m)
			}
		}
	}
	return sum
}
