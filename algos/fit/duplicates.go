package fit

import (
	"fmt"
	"hash/maphash"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// GroupDuplicates returns a copy of d in which equal points have the same group, and the number of points that equal an
// earlier one. So no split has a point in its training part and a duplicate in its test part, on which a score would
// not measure generalization. Groups of d that contain equal points become one group. If no points are equal, it
// returns d itself. The cost is O(np) for n rows of p entries.
func GroupDuplicates(d *data.Dataset) (regrouped *data.Dataset, duplicateCount int) {
	firstEqualIndices := findFirstEqualPoints(d)
	for i, f := range firstEqualIndices {
		if f != i {
			duplicateCount++
		}
	}
	if duplicateCount == 0 {
		return d, 0
	}
	findRoot := func(i int) int { // the smallest index of a point in the group of point i
		for firstEqualIndices[i] != i {
			i = firstEqualIndices[i]
		}
		return i
	}
	firstMember := map[string]int{} // the first point of each group
	for i, g := range d.Group {
		if f, ok := firstMember[g]; ok {
			a, b := findRoot(i), findRoot(f)
			firstEqualIndices[max(a, b)] = min(a, b)
		}
		firstMember[g] = findRoot(i)
	}
	grouped := *d
	grouped.Group = make([]string, len(firstEqualIndices))
	for i := range firstEqualIndices {
		firstEqualIndices[i] = findRoot(i)
		grouped.Group[i] = fmt.Sprintf("as row %d", firstEqualIndices[i]+1)
	}
	return &grouped, duplicateCount
}

// findFirstEqualPoints returns, for each point, the index of the first point that equals it, found by 64-bit
// hashes. Among n points, the probability that two different points count as equal is at most n²/2⁶⁵.
func findFirstEqualPoints(d *data.Dataset) (firstEqualIndices []int) {
	firstEqualIndices, indexOfHash := points.AllIndices(d.Len()), map[uint64]int{}
	hash := d.PointHash(maphash.MakeSeed())
	if hash == nil {
		return firstEqualIndices
	}
	for i := range firstEqualIndices {
		pointHash := hash(i)
		if f, ok := indexOfHash[pointHash]; ok {
			firstEqualIndices[i] = f
		} else {
			indexOfHash[pointHash] = i
		}
	}
	return firstEqualIndices
}
