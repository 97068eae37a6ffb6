package kernel

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// sortedColumns are the columns of dense rows ascending; nil for those that hold 0 and 1 alone, which have no ranks.
func sortedColumns(d int, rows [][]float64) [][]float64 {
	all := make([][]float64, d)
	for j := range all {
		column, number := make([]float64, len(rows)), false
		for i, row := range rows {
			column[i] = row[j]
			number = number || row[j] != 0 && row[j] != 1
		}
		if number {
			slices.Sort(column)
			all[j] = column
		}
	}
	return all
}

// rankOf is what Ranks makes of v, of which sorted is the column.
func rankOf(sorted []float64, v float64) float64 {
	rank := func(v float64) (rank float64, found bool) {
		lo, found := slices.BinarySearch(sorted, v)
		hi, n := lo, len(sorted)
		if found {
			hi++
		}
		if hi < n && sorted[hi] == v { // ties
			hi += sort.Search(n-hi, func(i int) bool { return sorted[hi+i] > v })
		}
		return math.Sqrt(3) * float64(lo+hi-n) / float64(n), found
	}
	v = min(max(v, sorted[0]), sorted[len(sorted)-1])
	r, found := rank(v)
	if found {
		return r
	}
	above, _ := slices.BinarySearch(sorted, v)
	a, b := sorted[above-1], sorted[above]
	from, _ := rank(a)
	to, _ := rank(b)
	if math.IsInf(b-a, 1) {
		a, b, v = a/2, b/2, v/2
	}
	return from + (to-from)*((v-a)/(b-a))
}

// checkSorted says what of the columns is not what sortedColumns makes of points of d features.
func checkSorted(columns [][]float64, d int) error {
	if len(columns) != d {
		return fmt.Errorf("kernel: %q of %d features, fitted to %d", Ranks, len(columns), d)
	}
	for _, c := range columns {
		if err := finiteFit(c); err != nil {
			return err
		}
		if !slices.IsSorted(c) {
			return fmt.Errorf("kernel: a column that %q were fitted to is not ascending", Ranks)
		}
	}
	return nil
}

// ranked puts the ranks of the columns in place of a row's numbers.
func (t FittedStep) ranked(row []float64) {
	for j, v := range row {
		if c := t.Sorted[j]; len(c) > 0 && !math.IsNaN(v) {
			row[j] = rankOf(c, v)
		}
	}
}
