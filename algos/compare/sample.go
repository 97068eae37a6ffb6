package compare

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
)

// drawByGroup draws count of the indices of the targets y at random and returns them ascending. First it draws one
// point of each group and, if there are fewer than maxLabels different targets, one of each target, until it has count
// points. Then it draws a systematic sample from the other points, ordered by group and target, so that each group and
// target has its share, rounded up or down.
func drawByGroup(y []float64, group []string, count int, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 1<<33))
	label := slices.Compact(slices.Sorted(slices.Values(y)))
	classes := len(label) < maxLabels
	groups, labels := make(map[string]bool), make(map[float64]bool)
	var sample, remaining []int
	for _, i := range rng.Perm(len(y)) {
		if len(sample) < count && (!groups[group[i]] || classes && !labels[y[i]]) {
			sample = append(sample, i)
			groups[group[i]], labels[y[i]] = true, true
		} else {
			remaining = append(remaining, i)
		}
	}
	slices.SortStableFunc(remaining, func(a, b int) int {
		if c := strings.Compare(group[a], group[b]); c != 0 || !classes {
			return c
		}
		return cmp.Compare(y[a], y[b])
	})
	if missing := count - len(sample); missing > 0 {
		offset := rng.IntN(len(remaining))
		for k := range missing {
			sample = append(sample, remaining[(offset+k*len(remaining))/missing])
		}
	}
	slices.Sort(sample)
	return sample
}
