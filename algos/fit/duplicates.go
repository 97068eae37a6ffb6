package fit

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
	hash := newPointHash(d, maphash.MakeSeed())
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

// newPointHash returns a function that hashes point i of d: its letters for sequences, its rows in the Gram matrices
// and similarities of d for points.Indices (the index itself if d has no matrices), all its parts for points.Parts, its
// nonzero features otherwise. It returns nil for points of an unknown type.
func newPointHash(d *data.Dataset, seed maphash.Seed) func(i int) uint64 {
	var values []float64
	hashValues := func(indices []int) (hash uint64) { // hashes pairs (index, value); nil: indices 0, 1, …
		for k, v := range values {
			j := k
			if indices != nil {
				j = indices[k]
			}
			if v != 0 {
				hash = maphash.Comparable(seed, [3]uint64{hash, uint64(j), math.Float64bits(v)})
			}
		}
		return hash
	}
	switch x := d.X.(type) {
	case points.Sequences:
		return func(i int) uint64 { return maphash.String(seed, x[i]) }
	case points.Sparse:
		return func(i int) uint64 {
			var indices []int
			indices, values = x.Row(i)
			return hashValues(indices)
		}
	case points.Parts:
		hashes := []func(i int) uint64{}
		if x.Rows.D > 0 {
			hashes = append(hashes, newPointHash(&data.Dataset{X: x.Rows}, seed))
		}
		for _, o := range x.Others {
			hash := newPointHash(d.Part(o.Name), seed)
			if hash == nil {
				return nil
			}
			hashes = append(hashes, hash)
		}
		return func(i int) (hash uint64) {
			for _, h := range hashes {
				hash = maphash.Comparable(seed, [2]uint64{hash, h(i)})
			}
			return hash
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
			return hashValues(nil)
		}
	}
	if values = make([]float64, points.FeatureCount(d.X)); len(values) == 0 {
		return nil
	}
	return func(i int) uint64 {
		d.X.StoreFeatures(values, i)
		return hashValues(nil)
	}
}

// CountSharedPoints returns the number of training points in the model m that are also points of d, and the number of
// all training points in m. If the points of m are indices in a matrix, all are shared if the matrices of d are square
// and symmetric, as between the training points themselves. Otherwise both numbers are 0, and so they are if the type
// of points is unknown.
func CountSharedPoints(m *model.Model, d *data.Dataset) (sharedCount, trainingCount int) {
	if z, err := points.As[points.KernelRows](d.X); err == nil && areSymmetric(z) {
		return m.X.Len(), m.X.Len()
	}
	seed := maphash.MakeSeed()
	hashTrainingPoint, hashDataPoint := newPointHash(&data.Dataset{X: m.X}, seed), newPointHash(d, seed)
	if points.HasIndices(m.X) || hashTrainingPoint == nil || hashDataPoint == nil {
		return 0, 0
	}
	dataPointHashes := map[uint64]bool{}
	for i := range d.Len() {
		dataPointHashes[hashDataPoint(i)] = true
	}
	for i := range m.X.Len() {
		if dataPointHashes[hashTrainingPoint(i)] {
			sharedCount++
		}
	}
	return sharedCount, m.X.Len()
}

// areSymmetric reports whether the matrices of z are square, have at least three rows, and are symmetric up to the
// rounding errors of float32.
func areSymmetric(z points.KernelRows) bool {
	if z.N < 3 || z.Len() != z.N {
		return false
	}
	for _, a := range z.Data {
		for i := range z.N {
			for j := range i {
				u, v := a[i*z.N+j], a[j*z.N+i]
				if math.Abs(u-v) > 1e-6*max(math.Abs(u), math.Abs(v)) {
					return false
				}
			}
		}
	}
	return true
}
