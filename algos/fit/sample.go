package fit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/internal/random"
)

// sampleByGroup draws sampleSize indices of the targets y at random and returns them ascending. First it draws one
// point of each group and, if there are fewer than 100 different targets (maxLabels), one point of each target, up to
// sampleSize points. Then it draws a systematic sample from the other points, ordered by group and target, so that each
// group and each target has its proportional share, rounded up or down.
func sampleByGroup(y []float64, group []string, sampleSize int, seed uint64) (indices []int) {
	rng := random.New(seed, random.Sample)
	distinctTargets := slices.Compact(slices.Sorted(slices.Values(y)))
	areClasses := len(distinctTargets) < maxLabels
	hasGroup, hasTarget := make(map[string]bool), make(map[float64]bool)
	var sample, remaining []int
	for _, i := range rng.Perm(len(y)) {
		if len(sample) < sampleSize && (!hasGroup[group[i]] || areClasses && !hasTarget[y[i]]) {
			sample = append(sample, i)
			hasGroup[group[i]], hasTarget[y[i]] = true, true
		} else {
			remaining = append(remaining, i)
		}
	}
	slices.SortStableFunc(remaining, func(a, b int) int {
		if c := strings.Compare(group[a], group[b]); c != 0 || !areClasses {
			return c
		}
		return cmp.Compare(y[a], y[b])
	})
	if missingCount := sampleSize - len(sample); missingCount > 0 {
		startOffset := rng.IntN(len(remaining))
		for k := range missingCount {
			sample = append(sample, remaining[(startOffset+k*len(remaining))/missingCount])
		}
	}
	slices.Sort(sample)
	return sample
}
