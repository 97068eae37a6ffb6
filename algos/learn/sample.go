package learn

import "slices"

// countDistinct returns the number of different groups.
func countDistinct(group []string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(group))))
}
