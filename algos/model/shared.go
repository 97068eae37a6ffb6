package model

import (
	"hash/maphash"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// NewPointHash returns a function that hashes point i of d: its letters for sequences, its rows in the Gram matrices
// and similarities of d for points.Indices (the index itself if d has no matrices), all its parts for points.Parts, its
// nonzero features otherwise. It returns nil for points of an unknown type.
func NewPointHash(d *data.Dataset, seed maphash.Seed) func(i int) uint64 {
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
			hashes = append(hashes, NewPointHash(&data.Dataset{X: x.Rows}, seed))
		}
		for _, o := range x.Others {
			hash := NewPointHash(d.Part(o.Name), seed)
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

// countSharedPoints returns the number of training points in m that are also among the points z. If the points of m are
// indices in a matrix, all are shared if the matrices of z are square and symmetric, as between the training points
// themselves. Otherwise the number is 0, and so it is if the type of points is unknown.
func (m *Model) countSharedPoints(z points.Points) (count int) {
	if rows, err := points.As[points.KernelRows](z); err == nil && areSymmetric(rows) {
		return m.X.Len()
	}
	seed := maphash.MakeSeed()
	hashTrainingPoint := NewPointHash(&data.Dataset{X: m.X}, seed)
	hashNewPoint := NewPointHash(&data.Dataset{X: z}, seed)
	if points.HasIndices(m.X) || hashTrainingPoint == nil || hashNewPoint == nil {
		return 0
	}
	newHashes := map[uint64]bool{}
	for i := range z.Len() {
		newHashes[hashNewPoint(i)] = true
	}
	for i := range m.X.Len() {
		if newHashes[hashTrainingPoint(i)] {
			count++
		}
	}
	return count
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
