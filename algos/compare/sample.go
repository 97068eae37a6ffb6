package compare

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
)

// draw returns count of the indices of targets y, ascending, drawn by class.
func draw(y []float64, count int, seed uint64) ([]int, error) {
	s, err := Holdout(y, float64(count)/float64(len(y)), 1, seed)
	if err != nil {
		return nil, err
	}
	return s[0].Test, nil
}

// distinct returns the number of different groups.
func distinct(group []string) int { return len(slices.Compact(slices.Sorted(slices.Values(group)))) }

// drawWithin returns count of the indices of targets y, ascending. First it draws at random one of each group and, if
// there are fewer than mostLabels labels, one of each label, as long as there is room. From the rest, ordered by group
// and label, it draws a systematic sample, so that each group and label has its share, rounded up or down.
func drawWithin(y []float64, group []string, count int, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 1<<33))
	label := slices.Compact(slices.Sorted(slices.Values(y)))
	classes := len(label) < mostLabels
	groups, labels := make(map[string]bool), make(map[float64]bool)
	var sample, rest []int
	for _, i := range rng.Perm(len(y)) {
		if len(sample) < count && (!groups[group[i]] || classes && !labels[y[i]]) {
			sample = append(sample, i)
			groups[group[i]], labels[y[i]] = true, true
		} else {
			rest = append(rest, i)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int {
		if c := strings.Compare(group[a], group[b]); c != 0 || !classes {
			return c
		}
		return cmp.Compare(y[a], y[b])
	})
	if more := count - len(sample); more > 0 {
		u := rng.IntN(len(rest))
		for k := range more {
			sample = append(sample, rest[(u+k*len(rest))/more])
		}
	}
	slices.Sort(sample)
	return sample
}
