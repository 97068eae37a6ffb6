package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/viz"
)

// order returns the indices of the methods, sorted by mean rank, the best first.
func (r *Ranking) order() []int {
	order := points.AllIndices(len(r.Methods))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Means[a], r.Means[b]) })
	return order
}

// fewestSets is the smallest number n of sets for which the smallest p of Wilcoxon's signed ranks, 2/2ⁿ, is below 0.05.
// The other tests use distributions of their statistics that hold for many sets.
const fewestSets = 6

func (r *Ranking) title() string {
	order := r.order()
	best := order[0]
	var beaten []string
	for _, j := range order[1:] {
		if r.Means[j]-r.Means[best] >= r.Critical {
			beaten = append(beaten, r.Methods[j])
		}
	}
	s := fmt.Sprintf("%s has the best mean rank on %d sets", viz.Capitalize(r.Methods[best]), len(r.Sets))
	switch {
	case beaten == nil || r.Friedman.P >= 0.05 || len(r.Sets) < fewestSets:
		return s + ", but not clearly"
	case len(beaten) == len(order)-1:
		return fmt.Sprintf("%s clearly has the best mean rank on %d sets", viz.Capitalize(r.Methods[best]), len(r.Sets))
	}
	return s + ", clearly above " + viz.Listed(beaten)
}

// String returns which method ranks best, whether the ranks differ at all, and which pairs of methods differ.
func (r *Ranking) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n", r.title())
	how := "differ"
	if r.Friedman.P >= 0.05 {
		how = "are not shown to differ"
	}
	fmt.Fprintf(&b, "The ranks of %d methods %s: Friedman χ² = %.3g, p = %.2g", len(r.Methods), how,
		r.Friedman.Statistic, r.Friedman.P)
	if !math.IsInf(r.Iman.Statistic, 1) { // F is +Inf if all sets rank alike, however few: p = 0 means nothing then
		fmt.Fprintf(&b, "; Iman and Davenport F = %.3g, p = %.2g", r.Iman.Statistic, r.Iman.P)
	}
	b.WriteString(".\n")
	var apart, rest []string
	for _, p := range r.Pairs {
		if p.Holm < 0.05 {
			apart = append(apart, fmt.Sprintf("%s and %s (p = %.2g)", p.A, p.B, p.Holm))
		} else {
			rest = append(rest, fmt.Sprintf("%s and %s (%.2g)", p.A, p.B, p.Holm))
		}
	}
	if apart != nil {
		fmt.Fprintf(&b, "Wilcoxon's signed ranks, by Holm's adjustment, tell apart %s.\n", strings.Join(apart, ", "))
	}
	if rest != nil {
		if len(rest) > 10 {
			rest = append(rest[:10:10], fmt.Sprintf("%d others", len(rest)-10))
		}
		fmt.Fprintf(&b, "Not decided: %s.\n", strings.Join(rest, ", "))
	}
	if n := len(r.Sets); n < fewestSets {
		fmt.Fprintf(&b, "With %d sets no two methods can be told apart: the smallest p of Wilcoxon's test is "+
			"%.2g.\n", n,
			2/float64(int(1)<<n))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Figures returns the chart of critical differences, and the scores with the best score of each set emphasized.
func (r *Ranking) Figures() []viz.Figure {
	var names []string
	var mean, lo, hi []float64
	header := []string{"set"}
	for _, j := range r.order() {
		names, mean = append(names, r.Methods[j]), append(mean, r.Means[j])
		lo, hi = append(lo, r.Means[j]-r.Critical/2), append(hi, r.Means[j]+r.Critical/2)
		header = append(header, r.Methods[j])
	}
	caption := fmt.Sprintf("Mean rank over %d sets, 1 the best. Methods whose lines overlap are less than the "+
		"critical difference %.3g apart, and are not told apart (Nemenyi, 95 %%). Friedman p = %.2g.",
		len(r.Sets), r.Critical, r.Friedman.P)
	var rows [][]any
	for i, set := range r.Sets {
		row := []any{set}
		best := slices.Min(r.Scores[i])
		if r.Larger {
			best = slices.Max(r.Scores[i])
		}
		for _, j := range r.order() {
			c := spreadCell(r.Scores[i][j], math.NaN())
			if r.Scores[i][j] == best {
				c = viz.Strong(c)
			}
			row = append(row, c)
		}
		rows = append(rows, row)
	}
	last := []any{"mean rank"}
	for _, v := range mean {
		last = append(last, viz.Number(v, 2))
	}
	return []viz.Figure{
		viz.Dots(r.title(), caption, names, viz.Bar{Name: "mean rank", Values: mean, Lo: lo, Hi: hi,
			Band: "± half the critical difference"}).WithAxes("", "mean rank"),
		viz.Table("Scores on each set", "The best of each set is emphasised; the last row is the mean rank.", header,
			append(rows, last)...),
	}
}
