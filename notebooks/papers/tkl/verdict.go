package tkl

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/viz"
)

// comparison is a row of VerdictTable: methodA minus methodB, given by their indices, on some sets of an experiment.
// Holm's method corrects the p-values of all sets in all comparisons of a group.
type comparison struct {
	group                             int
	name, metric, measure, experiment string
	methodA, methodB                  int
	sets                              []string
	experimentB                       string // of methodB; if empty, it is experiment
}

// comparisons returns the rows of VerdictTable.
func comparisons() []comparison {
	const ours, papers, six = "ours", "paper's", "accuracy, six sets"
	classes, truths, small, solution := Sets["classes"], Sets["truths"], Sets["small"], Sets["solution"]
	countName := map[int]string{1: "accuracy, one set", 2: "accuracy, two sets"}
	smallName, solutionName := countName[len(small)], countName[len(solution)]
	return []comparison{
		{0, "learned P − P of one step, shuffled labels", ours, six, "classes", LearnedDegree1, ShuffledDegree1,
			classes, ""},
		{0, "", ours, "accuracy, three truths", "truths", 2, 3, truths[1:], ""},
		{0, "", ours, "error, the step", "truths", 2, 3, truths[:1], ""},
		{0, "", ours, "error, two arms", "arm", 2, 4, Sets["arm"], ""},
		{0, "", papers, six, "paper", 1, 2, Sets["paper"], ""},
		{1, "learned P − fixed P", ours, six, "classes", LearnedDegree1, UniformDegree1, classes, ""},
		{1, "", ours, "error, two arms", "arm", 2, 3, Sets["arm"], ""},
		{1, "", papers, six, "paper", 1, 0, Sets["paper"], ""},
		{2, "learned P − SimpleMKL", papers, six, "paper", 1, 4, Sets["paper"], ""},
		{3, "learned P − ten learned kernels", ours, six, "classes", LearnedDegree1, TenKernels, classes, ""},
		{3, "learned P − a Gaussian", ours, six, "classes", LearnedDegree1, Gaussian, classes, ""},
		{3, "learned P − degree 0", ours, six, "classes", LearnedDegree1, Degree0, classes, ""},
		{4, "fixed P' = I (ours) − fixed P = I (paper's), 12 bounds", "both", six, "paper", 3, 0, Sets["identity"],
			"identity"},
		{5, "bound 10 − bound 0.5, degree 0", "", "accuracy, four sets", "bounds", 5, 3, Sets["bounds"], ""},
		{6, "12 bounds: learned P − P of one step, shuffled labels", papers, smallName, "small", 1, 2, small, ""},
		{6, "12 bounds: learned P − P of the solution, shuffled labels", papers, solutionName, "small", 1, 0, solution,
			"solution"},
		{6, "12 bounds: P of the solution − P of one step, both shuffled", papers, solutionName, "solution", 0, 2,
			solution, "small"},
		{6, "12 bounds: learned P − fixed P", papers, smallName, "small", 1, 0, small, ""},
		{6, "12 bounds: learned P − SimpleMKL", papers, smallName, "small", 1, 4, small, "paper"},
	}
}

// VerdictTable shows the comparisons of the notebook: the smallest and the largest mean difference over the sets, half
// the length of the widest interval, and the sets on which the interval excludes 0 also after Holm's correction
// (clear), or only before it, with the corrected p-value. The comparisons with SimpleMKL are a group of their own.
func VerdictTable(title, caption string) viz.Figure {
	list := comparisons()
	differences := make([][]compare.Difference, len(list)) // by row and set
	pValues := map[int][]float64{}                         // by group
	for k, c := range list {
		for _, set := range c.sets {
			a, b := Column{c.experiment, c.methodA}, Column{cmp.Or(c.experimentB, c.experiment), c.methodB}
			d := DifferenceOf(set, a, b)
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
