package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// scoreDeficit returns the mean score of b minus the mean score of a on the same splits, and the corrected standard
// error of this difference (correctedSE).
func scoreDeficit(a, b Row) (difference, se float64) {
	v := floats.SubTo(make([]float64, len(a.Scores)), b.Scores, a.Scores)
	return stat.Mean(v, nil), correctedSE(v)
}

// isWithinOneSE reports whether the mean score of row is at most one standard error of the difference below the best
// mean score of rows.
func isWithinOneSE(row Row, rows []Row) bool {
	difference, se := scoreDeficit(row, bestRow(rows))
	return difference <= se
}

func bestRow(rows []Row) Row {
	return slices.MaxFunc(rows, func(a, b Row) int { return cmp.Compare(floats.Sum(a.Scores), floats.Sum(b.Scores)) })
}

// qualityTables returns the lines of the report on the task quality. The first table has a line for each dataset, with
// the score of each method and its distance from the best score. The second table counts, for each method, the datasets
// on which it is within one standard error of the best of all methods, and of the best kernel machine. The last lines
// give the processor time of Learn.
func qualityTables(rows []Row) (lines []string) {
	addHeader := func(words ...string) {
		lines = append(lines, "", "| "+strings.Join(words, " | ")+" |", "|"+strings.Repeat(" --- |", len(words)))
	}
	addHeader(append([]string{"set", "best"}, methodNames...)...)
	type count struct{ sets, nearBest, nearBestMachine [2]int } // numbers of datasets: development, held out
	counts, ratios := map[string]*count{}, [2][]float64{}
	for _, name := range methodNames {
		counts[name] = new(count)
	}
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r Row) bool { return r.Task != rows[0].Task })
		if n < 0 {
			n = len(rows)
		}
		task, set := rows[0].Task, slices.DeleteFunc(slices.Clone(rows[:n]),
			func(r Row) bool { return r.Scores == nil })
		if rows = rows[n:]; len(set) == 0 {
			continue
		}
		kernelMachines := set // the rows of kernel machines, which come first
		partIndex := 0
		for i, r := range set {
			if slices.Index(methodNames, r.Label) >= kernelMachineCount {
				kernelMachines = set[:i]
				break
			}
		}
		name, isHeldOut := strings.CutPrefix(task, heldOutPrefix)
		if isHeldOut {
			partIndex = 1
		}
		line := []string{strings.TrimPrefix(name, developmentPrefix), bestRow(set).Label}
		for _, method := range methodNames {
			i := slices.IndexFunc(set, func(r Row) bool { return r.Label == method })
			if i < 0 {
				line = append(line, "–")
				continue
			}
			r, c := set[i], counts[method]
			c.sets[partIndex]++
			if isWithinOneSE(r, set) {
				c.nearBest[partIndex]++
			}
			if len(kernelMachines) > 0 && isWithinOneSE(r, kernelMachines) {
				c.nearBestMachine[partIndex]++
			}
			cell := fmt.Sprintf("%.1f", stat.Mean(r.Scores, nil))
			if difference, se := scoreDeficit(r, bestRow(set)); difference > 0 {
				cell += fmt.Sprintf(" (−%.1f ± %.1f)", difference, se)
			}
			line = append(line, cell)
		}
		lines = append(lines, "| "+strings.Join(line, " | ")+" |")
		if len(set) > 1 && set[0].Label == methodNames[0] && set[1].Label == methodNames[1] {
			ratios[partIndex] = append(ratios[partIndex], (set[0].CPU[0]+set[0].CPU[1])/set[1].CPU[1])
		}
	}
	addHeader("within one standard error of", "best of all models, on development sets", "held out",
		"best kernel machine, on development sets", "held out")
	for _, name := range methodNames {
		c := counts[name]
		countText := func(n [2]int, partIndex int) string {
			return fmt.Sprintf("%d of %d", n[partIndex], c.sets[partIndex])
		}
		lines = append(lines, fmt.Sprintf("| %s | %s | %s | %s | %s |", name, countText(c.nearBest, 0),
			countText(c.nearBest, 1), countText(c.nearBestMachine, 0), countText(c.nearBestMachine, 1)))
	}
	for partIndex, words := range []string{"development", "held out"} {
		if r := ratios[partIndex]; len(r) > 0 {
			lines = append(lines, "", fmt.Sprintf("Processor time of Learn with its comparison, on the first split of "+
				"%d sets (%s), over that of the tuned Gaussian machine: median %.2f, %.2f to %.2f.", len(r), words,
				median(r), slices.Min(r), slices.Max(r)))
		}
	}
	return lines
}
