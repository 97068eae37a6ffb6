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
// the score of each method and its distance from the best score. The second table counts, for each method and part
// (development, held out), the datasets on which it is within one standard error of the best of all methods, and of the
// best kernel machine.
func qualityTables(rows []Row) (lines []string) {
	addLine := func(cells ...string) { lines = append(lines, "| "+strings.Join(cells, " | ")+" |") }
	addHeader := func(words ...string) {
		lines = append(lines, "")
		addLine(words...)
		lines = append(lines, "|"+strings.Repeat(" --- |", len(words)))
	}
	addHeader(append([]string{"set", "best"}, methodNames...)...)
	sets, nearBest, nearBestMachine := map[string]int{}, map[string]int{}, map[string]int{} // by part and method
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r Row) bool { return r.Task != rows[0].Task })
		if n < 0 {
			n = len(rows)
		}
		task := rows[0].Task
		set := slices.DeleteFunc(slices.Clone(rows[:n]), func(r Row) bool { return r.Scores == nil })
		if rows = rows[n:]; len(set) == 0 {
			continue
		}
		machines := slices.DeleteFunc(slices.Clone(set), func(r Row) bool {
			return slices.Index(methodNames, r.Label) >= kernelMachineCount
		})
		part, name := developmentPrefix, strings.TrimPrefix(task, developmentPrefix)
		if strings.HasPrefix(task, heldOutPrefix) {
			part, name = heldOutPrefix, strings.TrimPrefix(task, heldOutPrefix)
		}
		line := []string{name, bestRow(set).Label}
		for _, method := range methodNames {
			i := slices.IndexFunc(set, func(r Row) bool { return r.Label == method })
			if i < 0 {
				line = append(line, "–")
				continue
			}
			r := set[i]
			sets[part+method]++
			if isWithinOneSE(r, set) {
				nearBest[part+method]++
			}
			if len(machines) > 0 && isWithinOneSE(r, machines) {
				nearBestMachine[part+method]++
			}
			cell := fmt.Sprintf("%.1f", stat.Mean(r.Scores, nil))
			if difference, se := scoreDeficit(r, bestRow(set)); difference > 0 {
				cell += fmt.Sprintf(" (−%.1f ± %.1f)", difference, se)
			}
			line = append(line, cell)
		}
		addLine(line...)
	}
	addHeader("within one standard error of", "best of all models, on development sets", "held out",
		"best kernel machine, on development sets", "held out")
	for _, name := range methodNames {
		line := []string{name}
		for _, count := range []map[string]int{nearBest, nearBestMachine} {
			for _, part := range []string{developmentPrefix, heldOutPrefix} {
				line = append(line, fmt.Sprintf("%d of %d", count[part+name], sets[part+name]))
			}
		}
		addLine(line...)
	}
	return lines
}
