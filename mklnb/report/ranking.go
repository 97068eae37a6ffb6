package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/viz"
)

// OfRanking returns the report of a comparison over datasets: which method has the best mean rank, the
// chart of critical differences, and the tests.
func OfRanking(k *compare.Ranking) (r Report) {
	r.addHeadline("", describeRanking(k)+".")
	r.addFigures(rankingChart(k))
	var tests Report
	tests.addText("", friedmanText(k))
	var decided, undecided []string
	for _, p := range k.Pairs {
		if p.AdjustedP < 0.05 {
			decided = append(decided, fmt.Sprintf("%s and %s (p = %.2g)", p.A, p.B, p.AdjustedP))
		} else {
			undecided = append(undecided, fmt.Sprintf("%s and %s (p = %.2g)", p.A, p.B, p.AdjustedP))
		}
	}
	if decided != nil {
		tests.addText("", fmt.Sprintf("Clear differences by Wilcoxon's signed-rank test, adjusted by Holm: %s.",
			strings.Join(decided, ", ")))
	}
	if len(undecided) > 10 {
		undecided = append(undecided[:10:10], fmt.Sprintf("%d others", len(undecided)-10))
	}
	if undecided != nil {
		tests.addText("", fmt.Sprintf("Pairs of methods without a clear difference: %s.",
			strings.Join(undecided, ", ")))
	}
	if n := len(k.Sets); n < minSets {
		r.addWarnings(fmt.Sprintf("%d sets cannot show a difference between two methods: the smallest p of Wilcoxon's "+
			"test is %.2g. Compare on at least %d sets.", n, 2/float64(int(1)<<n), minSets))
	}
	r.addFolded("Tests of pairs", tests)
	return r
}

// RankTables ranks the methods of tables of several datasets by the mean error that their reports show. It returns an
// error if two tables have different methods or kinds of error.
func RankTables(tables []*compare.Table) (*compare.Ranking, error) {
	var sets, methods []string
	var scores [][]float64
	for _, t := range tables {
		if m, first := errorMetric(t), errorMetric(tables[0]); m != first {
			return nil, fmt.Errorf("report: the table of %s has the %v, that of %s the %v", tables[0].Data, first,
				t.Data, m)
		}
		var ofTable []string
		var means []float64
		for _, row := range t.Rows {
			ofTable = append(ofTable, row.Method)
			means = append(means, t.Summary(row.Method, errorMetric(t)).Mean)
		}
		if methods == nil {
			methods = ofTable
		}
		if !slices.Equal(methods, ofTable) {
			return nil, fmt.Errorf("report: the tables of %s and %s have different methods", tables[0].Data, t.Data)
		}
		sets, scores = append(sets, t.Data), append(scores, means)
	}
	return compare.RankScores(sets, methods, scores, false)
}

// methodsByMeanRank returns the indices of the methods, sorted by mean rank, the best first.
func methodsByMeanRank(k *compare.Ranking) []int {
	methodOrder := points.AllIndices(len(k.Methods))
	slices.SortStableFunc(methodOrder, func(a, b int) int { return cmp.Compare(k.Means[a], k.Means[b]) })
	return methodOrder
}

// minSets is the smallest number of datasets for which a difference can be clear. For n sets, the smallest p that
// Wilcoxon's signed-rank test can reach is 2/2ⁿ, which is below 0.05 from n = 6 on. The other tests are approximations
// for many sets.
const minSets = 6

// describeRanking states which methods have the best mean rank, and which methods are clearly worse.
func describeRanking(k *compare.Ranking) string {
	order := methodsByMeanRank(k)
	bestMeanRank := k.Means[order[0]]
	var first, worse []string
	for _, j := range order {
		switch {
		case k.Means[j] == bestMeanRank:
			first = append(first, k.Methods[j])
		case k.Means[j]-bestMeanRank >= k.Critical:
			worse = append(worse, k.Methods[j])
		}
	}
	verb := "has"
	if len(first) > 1 {
		verb = "have"
	}
	name, datasetCount := capitalize(joinNames(first)), len(k.Sets)
	switch {
	case worse == nil || k.Friedman.P >= 0.05 || datasetCount < minSets:
		return fmt.Sprintf("%s %s the best mean rank on %d sets, but not clearly", name, verb, datasetCount)
	case len(worse) == len(order)-len(first):
		return fmt.Sprintf("%s clearly %s the best mean rank on %d sets", name, verb, datasetCount)
	}
	return fmt.Sprintf("%s %s the best mean rank on %d sets, clearly better than %s", name, verb, datasetCount,
		joinNames(worse))
}

// friedmanText states with Friedman's statistic and p-value whether the methods' mean ranks over the datasets differ.
func friedmanText(k *compare.Ranking) string {
	verb := "differ"
	if k.Friedman.P >= 0.05 {
		verb = "are not shown to differ"
	}
	return fmt.Sprintf("The ranks of %d methods %s: Friedman χ² = %.3g, p = %.2g.", len(k.Methods), verb,
		k.Friedman.Statistic, k.Friedman.P)
}

// rankingChart returns the chart of critical differences: the mean rank of each method, with a line of half the
// critical difference on both sides.
func rankingChart(k *compare.Ranking) viz.Figure {
	var names []string
	meanRanks, order := viz.Bar{Name: "mean rank", Band: "± half the critical difference"}, methodsByMeanRank(k)
	var ranks []float64
	last := float64(len(order))
	for i, j := range order {
		ranks = append(ranks, float64(i+1))
		names, meanRanks.Values = append(names, k.Methods[j]), append(meanRanks.Values, k.Means[j])
		meanRanks.Lo = append(meanRanks.Lo, max(1, k.Means[j]-k.Critical/2))
		meanRanks.Hi = append(meanRanks.Hi, min(last, k.Means[j]+k.Critical/2))
	}
	caption := fmt.Sprintf("%d sets; rank 1 is the best. No difference is shown between methods whose lines overlap.",
		len(k.Sets))
	details := fmt.Sprintf("Lines: mean rank ± half the critical difference %.3g (Nemenyi, 95 %%), cut at the first "+
		"and the last rank. Friedman p = %.2g.", k.Critical, k.Friedman.P)
	return viz.Dots("Mean rank of each method", caption, names, meanRanks).WithAxes("", "mean rank").
		WithValues().WithDetails(details).WithTicks(nil, ranks).WithRange(1-0.05*(last-1), last+0.05*(last-1))
}
