package compare

import (
	"fmt"
	"hash/maphash"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// GroupDuplicates returns a copy of d in which equal points have the same group, and the number of points that equal an
// earlier one. So no split has a point in its training part and a duplicate in its test part: a score on a duplicate of
// a training point does not measure generalization. Groups of d that contain equal points become one group. If no
// points are equal, it returns d itself. It takes O(np) time for n rows of p entries.
func GroupDuplicates(d *data.Dataset) (*data.Dataset, int) {
	first := firstEqualPoints(d)
	duplicates := 0
	for i, f := range first {
		if f != i {
			duplicates++
		}
	}
	if duplicates == 0 {
		return d, 0
	}
	root := func(i int) int { // the smallest index of a point in the group of point i
		for first[i] != i {
			i = first[i]
		}
		return i
	}
	member := map[string]int{}
	for i, g := range d.Group {
		if f, ok := member[g]; ok {
			a, b := root(i), root(f)
			first[max(a, b)] = min(a, b)
		}
		member[g] = root(i)
	}
	grouped := *d
	grouped.Group = make([]string, len(first))
	for i := range first {
		first[i] = root(i)
		grouped.Group[i] = fmt.Sprintf("as row %d", first[i]+1)
	}
	return &grouped, duplicates
}

// firstEqualPoints returns, for each point, the index of the first point that equals it. It compares 64-bit hashes of
// the nonzero entries. Among n points, the probability that two different points count as equal is at most n²/2⁶⁵.
func firstEqualPoints(d *data.Dataset) []int {
	first, seen := points.AllIndices(d.Len()), map[uint64]int{}
	hash := newPointHash(d, maphash.MakeSeed())
	if hash == nil {
		return first
	}
	for i := range first {
		sum := hash(i)
		if f, ok := seen[sum]; ok {
			first[i] = f
		} else {
			seen[sum] = i
		}
	}
	return first
}

// newPointHash returns a function that hashes the nonzero entries of a point; nil if the kind of points is unknown.
func newPointHash(d *data.Dataset, seed maphash.Seed) func(i int) uint64 {
	row := newEntryReader(d)
	if row == nil {
		return nil
	}
	return func(i int) (sum uint64) {
		at, v := row(i)
		for k, x := range v {
			if x != 0 {
				sum = maphash.Comparable(seed, [3]uint64{sum, uint64(at[k]), math.Float64bits(x)})
			}
		}
		return sum
	}
}

// SeenInTraining returns the number of training points in the model m that are also points of d, and the number of all
// training points in m. Both are 0 if the points of m are indices in a matrix, or if the kind of points is unknown.
func SeenInTraining(m *model.Model, d *data.Dataset) (seen, stored int) {
	seed := maphash.MakeSeed()
	training, given := newPointHash(&data.Dataset{X: m.X}, seed), newPointHash(d, seed)
	if points.Is[points.Indices](m.X) || training == nil || given == nil {
		return 0, 0
	}
	points := map[uint64]bool{}
	for i := range d.Len() {
		points[given(i)] = true
	}
	for i := range m.X.Len() {
		if points[training(i)] {
			seen++
		}
	}
	return seen, m.X.Len()
}

// newEntryReader returns a function that returns the numbers that identify point i, with their indices. They are its
// features, its letters, or its rows in the Gram matrices and similarities of d. For an index in a matrix that is not
// in d, they are the index. The result is valid until the next call. newEntryReader returns nil if the kind of points
// is unknown.
func newEntryReader(d *data.Dataset) func(i int) (indices []int, entries []float64) {
	var indices []int
	var entries []float64
	indexed := func() ([]int, []float64) { // returns v at the indices 0, 1, …
		for len(indices) < len(entries) {
			indices = append(indices, len(indices))
		}
		return indices[:len(entries)], entries
	}
	switch x := d.X.(type) {
	case points.Sparse:
		return x.Row
	case points.Sequences:
		return func(i int) ([]int, []float64) {
			entries = entries[:0]
			for _, letter := range x[i] {
				entries = append(entries, float64(letter))
			}
			return indexed()
		}
	case points.Indices:
		return func(i int) ([]int, []float64) {
			entries = entries[:0]
			for _, k := range d.Kernels {
				if k, ok := k.(kernel.Precomputed); ok {
					entries = append(entries, k.Data[x[i]*k.N:(x[i]+1)*k.N]...)
				}
			}
			for _, s := range d.Similarities {
				entries = append(entries, s.S[x[i]*s.N:(x[i]+1)*s.N]...)
			}
			if len(entries) == 0 {
				entries = append(entries, float64(x[i]+1))
			}
			return indexed()
		}
	}
	if p := points.Width(d.X); p > 0 {
		entries = make([]float64, p)
		return func(i int) ([]int, []float64) {
			d.X.Dense(entries, i)
			return indexed()
		}
	}
	return nil
}
