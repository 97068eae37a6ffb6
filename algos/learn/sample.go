package learn

import (
	"slices"
)

// upTo returns 0 … n−1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// at returns the rows with the given indices, or nil if rows is nil.
func at[T any](rows []T, places []int) []T {
	if rows == nil {
		return nil
	}
	var a []T
	for _, i := range places {
		a = append(a, rows[i])
	}
	return a
}

// distinct returns the number of different groups.
func distinct(group []string) int { return len(slices.Compact(slices.Sorted(slices.Values(group)))) }
