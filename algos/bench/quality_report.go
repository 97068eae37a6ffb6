package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// scoreDeficit returns the mean score of best minus the mean score of row on the same splits, and the corrected
// standard error of this difference (correctedSE).
func scoreDeficit(row, best Row) (difference, se float64) {
	v := floats.SubTo(make([]float64, len(row.Scores)), best.Scores, row.Scores)
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
// (development, held out), the datasets on which the method is within one standard error of the best of all methods,
// and of the best kernel machine.
func qualityTables(rows []Row) (lines []string) {
	addLine := func(cells ...string) { lines = append(lines, "| "+strings.Join(cells, " | ")+" |") }
	addHeader := func(words ...string) {
		lines = append(lines, "")
		addLine(words...)
		lines = append(lines, "|"+strings.Repeat(" --- |", len(words)))
	}
	addHeader(append([]string{"set", "best"}, methodNames...)...)
	setCounts, nearBestCounts, nearBestMachineCounts := map[string]int{}, map[string]int{},
		map[string]int{} // numbers of datasets, by part and method
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r Row) bool { return r.Task != rows[0].Task })
		if n < 0 {
			n = len(rows)
		}
		task := rows[0].Task
		setRows := slices.DeleteFunc(slices.Clone(rows[:n]), func(r Row) bool { return r.Scores == nil })
		if rows = rows[n:]; len(setRows) == 0 {
			continue
		}
		machineRows := slices.DeleteFunc(slices.Clone(setRows), func(r Row) bool {
			return slices.Index(methodNames, r.Label) >= kernelMachineCount
		})
		setKind, name := developmentPrefix, strings.TrimPrefix(task, developmentPrefix)
		if strings.HasPrefix(task, heldOutPrefix) {
			setKind, name = heldOutPrefix, strings.TrimPrefix(task, heldOutPrefix)
		}
		cells := []string{name, bestRow(setRows).Label}
		for _, method := range methodNames {
			i := slices.IndexFunc(setRows, func(r Row) bool { return r.Label == method })
			if i < 0 {
				cells = append(cells, "–")
				continue
			}
			r := setRows[i]
			setCounts[setKind+method]++
			if isWithinOneSE(r, setRows) {
				nearBestCounts[setKind+method]++
			}
			if len(machineRows) > 0 && isWithinOneSE(r, machineRows) {
				nearBestMachineCounts[setKind+method]++
			}
			cell := fmt.Sprintf("%.1f", stat.Mean(r.Scores, nil))
			if difference, se := scoreDeficit(r, bestRow(setRows)); difference > 0 {
				cell += fmt.Sprintf(" (−%.1f ± %.1f)", difference, se)
			}
			cells = append(cells, cell)
		}
		addLine(cells...)
	}
	addHeader("within one standard error of", "best of all models, on development sets", "held out",
		"best kernel machine, on development sets", "held out")
	for _, name := range methodNames {
		line := []string{name}
		for _, count := range []map[string]int{nearBestCounts, nearBestMachineCounts} {
			for _, part := range []string{developmentPrefix, heldOutPrefix} {
				line = append(line, fmt.Sprintf("%d of %d", count[part+name], setCounts[part+name]))
			}
		}
		addLine(line...)
	}
	return lines
}
