package tkl

import (
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/viz"
)

// comparison is a row of VerdictTable: column a minus column b, on some sets. Holm's method corrects the p-values of
// all sets in all comparisons of a group.
type comparison struct {
	group                 int
	name, metric, measure string
	a, b                  Column
	sets                  []string
}

// comparisons returns the rows of VerdictTable.
func comparisons() []comparison {
	const ours, papers, six, two = "ours", "paper's", "accuracy, six sets", "accuracy, two sets"
	classes := func(method int) Column { return Column{"classes", method} }
	truths := func(method int) Column { return Column{"truths", method} }
	arm := func(method int) Column { return Column{"arm", method} }
	fixed, learned, oneStep := Column{"paper", 0}, Column{"paper", 1}, Column{"paper", 2}
	fixedOfOurs, simpleMKL := Column{"paper", 3}, Column{"paper", 4}
	// with 12 bounds
	fixed12, learned12, oneStep12 := Column{"small", 0}, Column{"small", 1}, Column{"small", 2}
	minimum, minimumOfShuffled := Column{"minimum", 0}, Column{"minimum", 1}
	return []comparison{
		{0, "learned P − P of one step, shuffled labels", ours, six, classes(LearnedDegree1), classes(ShuffledDegree1),
			Sets["classes"]},
		{0, "", ours, "accuracy, three truths", truths(2), truths(3), Sets["truths"][1:]},
		{0, "", ours, "error, the step", truths(2), truths(3), Sets["truths"][:1]},
		{0, "", ours, "error, two arms", arm(2), arm(4), Sets["arm"]},
		{0, "", papers, six, learned, oneStep, Sets["paper"]},
		{1, "learned P − fixed P", ours, six, classes(LearnedDegree1), classes(UniformDegree1), Sets["classes"]},
		{1, "", ours, "error, two arms", arm(2), arm(3), Sets["arm"]},
		{1, "", papers, six, learned, fixed, Sets["paper"]},
		{2, "learned P − SimpleMKL", papers, six, learned, simpleMKL, Sets["paper"]},
		{3, "learned P − ten learned kernels", ours, six, classes(LearnedDegree1), classes(TenKernels),
			Sets["classes"]},
		{3, "learned P − a Gaussian", ours, six, classes(LearnedDegree1), classes(Gaussian), Sets["classes"]},
		{3, "learned P − degree 0", ours, six, classes(LearnedDegree1), classes(Degree0), Sets["classes"]},
		{4, "fixed P' = I (ours) − fixed P = I (paper's), 12 bounds", "both", six, fixedOfOurs, Column{"identity", 0},
			Sets["identity"]},
		{5, "bound 10 − bound 0.5, degree 0", "", "accuracy, four sets", Column{"bounds", 5}, Column{"bounds", 3},
			Sets["bounds"]},
		{6, "12 bounds: learned P − P of one step, shuffled labels", papers, two, learned12, oneStep12, Sets["small"]},
		{6, "minimum: learned P − P of shuffled labels", papers, two, minimum, minimumOfShuffled, Sets["minimum"]},
		{6, "minimum: learned P − fixed P", papers, two, minimum, fixed12, Sets["minimum"]},
		{6, "minimum: learned P − SimpleMKL", papers, two, minimum, simpleMKL, Sets["minimum"]},
	}
}

// VerdictTable shows the comparisons of the notebook: the smallest and the largest mean difference over the sets, half
// the length of the widest interval, and the sets on which the interval excludes 0 also after Holm's correction
// (clear), or only before it, with the corrected p-value. With nine bounds, the comparisons with SimpleMKL
// are a group of their own.
func VerdictTable(title, caption string) viz.Figure {
	list := comparisons()
	differences := make([][]compare.Difference, len(list)) // by row and set
	pValues := map[int][]float64{}                         // by group
	for k, c := range list {
		for _, set := range c.sets {
			d := DifferenceOf(set, c.a, c.b)
			differences[k] = append(differences[k], d)
			pValues[c.group] = append(pValues[c.group], d.PValue())
		}
	}
	for g, p := range pValues {
		pValues[g] = compare.Holm(p)
	}
	var rows [][]any
	for k, c := range list {
		low, high, widestHalf := math.Inf(1), math.Inf(-1), 0.0
		var clear, alone []string // sets
		for i, set := range c.sets {
			d := differences[k][i]
			low, high, widestHalf = min(low, d.Mean), max(high, d.Mean), max(widestHalf, d.Hi-d.Mean)
			sign, p := "worse", pValues[c.group][i]
			if d.Mean > 0 != isRegression(set) {
				sign = "better"
			}
			name := onOneLine(fmt.Sprintf("%s (%s, p = %.2f)", set, sign, p))
			if p < 0.005 {
				name = onOneLine(fmt.Sprintf("%s (%s, p < 0.005)", set, sign))
			}
			if p < 0.05 {
				clear = append(clear, name)
			} else if d.ExcludesZero() {
				alone = append(alone, name)
			}
		}
		pValues[c.group] = pValues[c.group][len(c.sets):]
		decimals := 1
		if isRegression(c.sets[0]) {
			decimals = 4
		}
		means := viz.Number(low, decimals).Text
		if len(c.sets) > 1 {
			means += "\u00a0to\u00a0" + viz.Number(high, decimals).Text
		}
		var results []string
		if clear != nil {
			results = append(results, "clear: "+strings.Join(clear, ", "))
		}
		if alone != nil {
			results = append(results, "only before correction: "+strings.Join(alone, ", "))
		}
		if results == nil {
			results = []string{"not decided"}
		}
		rows = append(rows, []any{c.name, c.metric, onOneLine(c.measure), means,
			"±\u00a0" + viz.Number(widestHalf, decimals).Text, strings.Join(results, "; ")})
	}
	header := []string{"difference", "metric", "measured by", "mean", "widest", "result"}
	return viz.Table(title, caption, header, rows...)
}
