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

// meanRank returns the rank of the mean score of row in rows, from 1. Equal scores share the mean of their ranks.
func meanRank(row Row, rows []Row) float64 {
	rank := 0.5
	for _, r := range rows {
		switch a, b := floats.Sum(r.Scores), floats.Sum(row.Scores); {
		case a > b:
			rank++
		case a == b:
			rank += 0.5
		}
	}
	return rank
}

func rowWithBestScore(rows []Row) Row {
	return slices.MaxFunc(rows, func(a, b Row) int { return cmp.Compare(floats.Sum(a.Scores), floats.Sum(b.Scores)) })
}

// writeQualityTables writes the tables of the task quality. The first one has a line for each dataset, with the score
// of each method and its distance from the best score. The second one counts, for each method, the datasets on which
// the mean score is within one standard error of the best method, and of the best kernel machine. It counts development
// sets and held-out sets separately. It has the mean rank too, and the median over all sets of the ratio of the time to
// that of the tuned Gaussian kernel. Rows of other methods are left out.
func writeQualityTables(b *strings.Builder, rows []Row) {
	writeHeader(b, append([]string{"set", "best"}, methodNames...)...)
	prefixes := []string{developmentPrefix, heldOutPrefix}
	type counts struct {
		nearBest, nearBestKernelMachine, sets [2]int     // by the index in prefixes
		rankSum                               [2]float64 // by the index in prefixes
		timeRatios                            []float64
	}
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
		scoredRows := slices.DeleteFunc(slices.Clone(rows[:n]), func(r Row) bool {
			return r.Scores == nil || !slices.Contains(methodNames, r.Label)
		})
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
			c.rankSum[p] += meanRank(r, scoredRows)
			if g := slices.IndexFunc(scoredRows, func(r Row) bool { return r.Label == methodNames[1] }); g >= 0 {
				c.timeRatios = append(c.timeRatios, r.medianSeconds()/scoredRows[g].medianSeconds())
			}
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
		"of the best kernel machine: held-out sets", "mean rank: development sets", "mean rank: held-out sets",
		"median time, × Gaussian")
	for _, method := range methodNames {
		c, cells := countsOfMethod[method], []string{method}
		for _, near := range [][2]int{c.nearBest, c.nearBestKernelMachine} {
			for p, sets := range c.sets {
				cells = append(cells, fmt.Sprintf("%d of %d", near[p], sets))
			}
		}
		for p, sets := range c.sets {
			cells = append(cells, strings.ReplaceAll(fmt.Sprintf("%.1f", c.rankSum[p]/float64(sets)), "NaN", "–"))
		}
		ratio := "–"
		if slices.Sort(c.timeRatios); len(c.timeRatios) > 0 {
			ratio = fmt.Sprintf("%.2f", stat.Quantile(0.5, stat.Empirical, c.timeRatios, nil))
		}
		writeLine(b, append(cells, ratio)...)
	}
}
