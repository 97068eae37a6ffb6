package learn

import (
	"slices"
)

// distinct returns the number of different groups.
func distinct(group []string) int { return len(slices.Compact(slices.Sorted(slices.Values(group)))) }
