package compare

import (
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// GroupDuplicates returns d with equal points in one group, so that splits keep them on one side, and the number of
// points that equal an earlier one. A score on a duplicate of a training point does not measure generalization. Groups
// of d that share such a point become one group. The entry of Doubts about repeated points is removed. It takes O(np)
// time for n rows of p entries.
func GroupDuplicates(d *data.Dataset) (*data.Dataset, int) {
	first := firstEqual(d)
	duplicates := 0
	for i, f := range first {
		if f != i {
			duplicates++
		}
	}
	if duplicates == 0 {
		return d, 0
	}
	root := func(i int) int {
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
	q := *d
	q.Doubts = slices.DeleteFunc(slices.Clone(d.Doubts),
		func(doubt string) bool { return strings.Contains(doubt, " points repeat another one") })
	q.Group = make([]string, len(first))
	for i := range first {
		first[i] = root(i)
		q.Group[i] = fmt.Sprintf("as row %d", first[i]+1)
	}
	return &q, duplicates
}

// firstEqual returns for each point the index of the first point that equals it. It compares hashes of the nonzero
// entries. Among n points, the probability that two different points count as equal is at most n²/2⁶⁵.
func firstEqual(d *data.Dataset) []int {
	first, seen := points.AllIndices(d.Len()), map[uint64]int{}
	hash := pointHash(d, maphash.MakeSeed())
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

// pointHash returns a function that hashes the nonzero entries of a point; nil if the kind of points is unknown.
func pointHash(d *data.Dataset, seed maphash.Seed) func(i int) uint64 {
	row := pointEntries(d)
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

// SeenInTraining returns how many of the training points that m stores are also points of d, and how many m stores.
// It returns 0 of 0 if m or d knows its points only by their place in a matrix, or if the kind of points is unknown.
func SeenInTraining(m *model.Model, d *data.Dataset) (seen, stored int) {
	seed := maphash.MakeSeed()
	training, given := pointHash(&data.Dataset{X: m.X}, seed), pointHash(d, seed)
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

// pointEntries returns a function that returns the entries that identify a point, with their indices: its features,
// its letters, its rows of the Gram matrices or similarities, or its place in a matrix that d does not hold. The result
// is valid until the next call. pointEntries returns nil if the kind of points is unknown.
func pointEntries(d *data.Dataset) func(i int) (at []int, v []float64) {
	var at []int
	var v []float64
	indexed := func() ([]int, []float64) { // returns v at the indices 0, 1, …
		for len(at) < len(v) {
			at = append(at, len(at))
		}
		return at[:len(v)], v
	}
	switch x := d.X.(type) {
	case points.Sparse:
		return x.Row
	case points.Sequences:
		return func(i int) ([]int, []float64) {
			v = v[:0]
			for _, letter := range x[i] {
				v = append(v, float64(letter))
			}
			return indexed()
		}
	case points.Indices:
		return func(i int) ([]int, []float64) {
			v = v[:0]
			for _, k := range d.Kernels {
				if k, ok := k.(kernel.Precomputed); ok {
					v = append(v, k.Data[x[i]*k.N:(x[i]+1)*k.N]...)
				}
			}
			for _, s := range d.Similarities {
				v = append(v, s.S[x[i]*s.N:(x[i]+1)*s.N]...)
			}
			if len(v) == 0 {
				v = append(v, float64(x[i]+1))
			}
			return indexed()
		}
	}
	if p := points.Width(d.X); p > 0 {
		v = make([]float64, p)
		return func(i int) ([]int, []float64) {
			d.X.Dense(v, i)
			return indexed()
		}
	}
	return nil
}
