package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// scoreDeficit returns the mean score of best minus the mean score of row on the same splits, and the standard
// error of this difference, corrected for splits that share training points.
func scoreDeficit(row, best Row) (difference, se float64) {
	v := floats.SubTo(make([]float64, len(row.Scores)), best.Scores, row.Scores)
	return stat.Mean(v, nil), correctedStandardError(v)
}

// isWithinOneSE reports whether the mean score of row is at most one standard error of the difference below the best
// mean score of rows.
func isWithinOneSE(row Row, rows []Row) bool {
	difference, se := scoreDeficit(row, rowWithBestScore(rows))
	return difference <= se
}

func rowWithBestScore(rows []Row) Row {
	return slices.MaxFunc(rows, func(a, b Row) int { return cmp.Compare(floats.Sum(a.Scores), floats.Sum(b.Scores)) })
}

// writeQualityTables writes the tables of the task quality. The first one has a line for each dataset, with the score
// of each method and its distance from the best score. The second one counts, for each method, the datasets on which
// the mean score is within one standard error of the best method, and of the best kernel machine. It counts development
// sets and held-out sets separately.
func writeQualityTables(b *strings.Builder, rows []Row) {
	writeHeader(b, append([]string{"set", "best"}, methodNames...)...)
	prefixes := []string{developmentPrefix, heldOutPrefix}
	type counts struct{ nearBest, nearBestKernelMachine, sets [2]int } // by the index in prefixes
	countsOfMethod := map[string]*counts{}
	for _, method := range methodNames {
		countsOfMethod[method] = &counts{}
	}
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r Row) bool { return r.Task != rows[0].Task })
		if n < 0 {
			n = len(rows)
		}
		task := rows[0].Task
		scoredRows := slices.DeleteFunc(slices.Clone(rows[:n]), func(r Row) bool { return r.Scores == nil })
		if rows = rows[n:]; len(scoredRows) == 0 {
			continue
		}
		kernelMachineRows := slices.DeleteFunc(slices.Clone(scoredRows), func(r Row) bool {
			return slices.Index(methodNames, r.Label) >= kernelMachineCount
		})
		p := slices.IndexFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(task, prefix) })
		cells := []string{strings.TrimPrefix(task, prefixes[p]), rowWithBestScore(scoredRows).Label}
		for _, method := range methodNames {
			i := slices.IndexFunc(scoredRows, func(r Row) bool { return r.Label == method })
			if i < 0 {
				cells = append(cells, "–")
				continue
			}
			r, c := scoredRows[i], countsOfMethod[method]
			c.sets[p]++
			if isWithinOneSE(r, scoredRows) {
				c.nearBest[p]++
			}
			if len(kernelMachineRows) > 0 && isWithinOneSE(r, kernelMachineRows) {
				c.nearBestKernelMachine[p]++
			}
			cell := fmt.Sprintf("%.1f", stat.Mean(r.Scores, nil))
			if difference, se := scoreDeficit(r, rowWithBestScore(scoredRows)); difference > 0 {
				cell += fmt.Sprintf(" (−%.1f ± %.1f)", difference, se)
			}
			cells = append(cells, cell)
		}
		writeLine(b, cells...)
	}
	writeHeader(b, "number of sets within one standard error", "of the best model: development sets",
		"of the best model: held-out sets", "of the best kernel machine: development sets",
		"of the best kernel machine: held-out sets")
	for _, method := range methodNames {
		c, cells := countsOfMethod[method], []string{method}
		for _, near := range [][2]int{c.nearBest, c.nearBestKernelMachine} {
			for p, sets := range c.sets {
				cells = append(cells, fmt.Sprintf("%d of %d", near[p], sets))
			}
		}
		writeLine(b, cells...)
	}
}
