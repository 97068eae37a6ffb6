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
	firstMember := map[string]int{} // the first point of each group
	for i, g := range d.Group {
		if f, ok := firstMember[g]; ok {
			a, b := root(i), root(f)
			first[max(a, b)] = min(a, b)
		}
		firstMember[g] = root(i)
	}
	grouped := *d
	grouped.Group = make([]string, len(first))
	for i := range first {
		first[i] = root(i)
		grouped.Group[i] = fmt.Sprintf("as row %d", first[i]+1)
	}
	return &grouped, duplicates
}

// firstEqualPoints returns, for each point, the index of the first point that equals it. It compares 64-bit hashes.
// Among n points, the probability that two different points count as equal is at most n²/2⁶⁵.
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

// newPointHash returns a function that hashes point i of d: its letters, its nonzero features or, for an index in
// matrices, its rows in the Gram matrices and similarities of d, and the index itself if d has none. It returns nil if
// the kind of points is unknown.
func newPointHash(d *data.Dataset, seed maphash.Seed) func(i int) uint64 {
	var values []float64
	hash := func(indices []int) (sum uint64) { // of values at these indices; nil stands for 0, 1, …
		for k, v := range values {
			j := k
			if indices != nil {
				j = indices[k]
			}
			if v != 0 {
				sum = maphash.Comparable(seed, [3]uint64{sum, uint64(j), math.Float64bits(v)})
			}
		}
		return sum
	}
	switch x := d.X.(type) {
	case points.Sequences:
		return func(i int) uint64 { return maphash.String(seed, x[i]) }
	case points.Sparse:
		return func(i int) uint64 {
			var indices []int
			indices, values = x.Row(i)
			return hash(indices)
		}
	case points.Indices:
		return func(i int) uint64 {
			values = values[:0]
			for _, k := range d.Kernels {
				if k, ok := k.(kernel.Precomputed); ok {
					values = append(values, k.Data[x[i]*k.N:(x[i]+1)*k.N]...)
				}
			}
			for _, s := range d.Similarities {
				values = append(values, s.S[x[i]*s.N:(x[i]+1)*s.N]...)
			}
			if len(values) == 0 {
				return uint64(x[i])
			}
			return hash(nil)
		}
	}
	if values = make([]float64, points.Width(d.X)); len(values) == 0 {
		return nil
	}
	return func(i int) uint64 {
		d.X.Dense(values, i)
		return hash(nil)
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
