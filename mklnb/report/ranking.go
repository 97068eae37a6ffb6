package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/viz"
)

// Ranking returns the report of a comparison over datasets: the chart of critical differences, whose title states which
// method ranks best, the tests, and folded the scores.
func Ranking(k *compare.Ranking) (r Report) {
	r.show(rankingChart(k)) // its title is the finding
	r.say("", friedman(k))
	var clear, open []string
	for _, p := range k.Pairs {
		if p.Holm < 0.05 {
			clear = append(clear, fmt.Sprintf("%s and %s (p = %.2g)", p.A, p.B, p.Holm))
		} else {
			open = append(open, fmt.Sprintf("%s and %s (%.2g)", p.A, p.B, p.Holm))
		}
	}
	if clear != nil {
		r.say("", fmt.Sprintf("Clear differences by Wilcoxon's signed-rank test, adjusted by Holm: %s.",
			strings.Join(clear, ", ")))
	}
	if len(open) > 10 {
		open = append(open[:10:10], fmt.Sprintf("%d others", len(open)-10))
	}
	if open != nil {
		r.say("", fmt.Sprintf("Not decided: %s.", strings.Join(open, ", ")))
	}
	if n := len(k.Sets); n < fewestSets {
		r.say("", fmt.Sprintf("%d sets cannot show a difference between two methods: the smallest p of Wilcoxon's "+
			"test is %.2g.", n, 2/float64(int(1)<<n)))
	}
	r.fold("Scores on each set", Report{{Figure: new(rankingScores(k))}})
	return r
}

// byMeanRank returns the indices of the methods, sorted by mean rank, the best first.
func byMeanRank(k *compare.Ranking) []int {
	order := points.AllIndices(len(k.Methods))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(k.Means[a], k.Means[b]) })
	return order
}

// fewestSets is the smallest number n of sets for which the smallest p of Wilcoxon's signed ranks, 2/2ⁿ, is below 0.05.
// The other tests use distributions of their statistics that hold for many sets.
const fewestSets = 6

// rankingFinding states which method has the best mean rank, and which methods are clearly worse.
func rankingFinding(k *compare.Ranking) string {
	order := byMeanRank(k)
	best := order[0]
	var worse []string
	for _, j := range order[1:] {
		if k.Means[j]-k.Means[best] >= k.Critical {
			worse = append(worse, k.Methods[j])
		}
	}
	name, sets := viz.Capitalize(k.Methods[best]), len(k.Sets)
	s := fmt.Sprintf("%s has the best mean rank on %d sets", name, sets)
	switch {
	case worse == nil || k.Friedman.P >= 0.05 || sets < fewestSets:
		return s + ", but not clearly"
	case len(worse) == len(order)-1:
		return fmt.Sprintf("%s clearly has the best mean rank on %d sets", name, sets)
	}
	return s + ", clearly above " + viz.Listed(worse)
}

// friedman states whether the mean ranks differ.
func friedman(k *compare.Ranking) string {
	differ := "differ"
	if k.Friedman.P >= 0.05 {
		differ = "are not shown to differ"
	}
	s := fmt.Sprintf("The ranks of %d methods %s: Friedman χ² = %.3g, p = %.2g", len(k.Methods), differ,
		k.Friedman.Statistic, k.Friedman.P)
	if !math.IsInf(k.Iman.Statistic, 1) { // F is +Inf if all sets rank alike, however few: p = 0 means nothing then
		s += fmt.Sprintf("; Iman and Davenport F = %.3g, p = %.2g", k.Iman.Statistic, k.Iman.P)
	}
	return s + "."
}

// rankingChart returns the chart of critical differences.
func rankingChart(k *compare.Ranking) viz.Figure {
	var names []string
	b := viz.Bar{Name: "mean rank", Band: "± half the critical difference"}
	for _, j := range byMeanRank(k) {
		names, b.Values = append(names, k.Methods[j]), append(b.Values, k.Means[j])
		b.Lo, b.Hi = append(b.Lo, k.Means[j]-k.Critical/2), append(b.Hi, k.Means[j]+k.Critical/2)
	}
	caption := fmt.Sprintf("Mean rank over %d sets; 1 is the best. If the lines of two methods overlap, their ranks "+
		"differ by less than the critical difference %.3g, and no difference is shown (Nemenyi, 95 %%). Friedman "+
		"p = %.2g.", len(k.Sets), k.Critical, k.Friedman.P)
	return viz.Dots(rankingFinding(k), caption, names, b).WithAxes("", "mean rank")
}

// rankingScores returns a table of the scores with the best score of each set emphasized.
func rankingScores(k *compare.Ranking) viz.Figure {
	header, last := []string{"set"}, []any{"mean rank"}
	for _, j := range byMeanRank(k) {
		header, last = append(header, k.Methods[j]), append(last, viz.Number(k.Means[j], 2))
	}
	var rows [][]any
	for i, set := range k.Sets {
		row := []any{set}
		best := slices.Min(k.Scores[i])
		if k.Larger {
			best = slices.Max(k.Scores[i])
		}
		for _, j := range byMeanRank(k) {
			c := numberCell(k.Scores[i][j], math.NaN())
			if k.Scores[i][j] == best {
				c = viz.Strong(c)
			}
			row = append(row, c)
		}
		rows = append(rows, row)
	}
	return viz.Table("Scores", "The best score of each set is emphasized; the last row is the mean rank.",
		header, append(rows, last)...)
}
