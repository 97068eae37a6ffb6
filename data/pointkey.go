package data

import (
	"encoding/binary"
	"hash/maphash"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// PointHash returns a function that hashes point i of d. Equal points have equal hashes; two different points have
// equal ones with probability 2⁻⁶⁴. It returns nil for points of an unknown type. Points are equal if they have the
// same letters (points.Sequences), the same rows in the Gram matrices and similarities of d (points.Indices; the same
// index if d has no matrices), the same parts (points.Parts), or else the same features.
func (d *Dataset) PointHash(seed maphash.Seed) func(i int) uint64 {
	appendKey := d.newPointKey()
	if appendKey == nil {
		return nil
	}
	var key []byte
	return func(i int) uint64 {
		key = appendKey(key[:0], i)
		return maphash.Bytes(seed, key)
	}
}

// newPointKey returns a function that appends to b the bytes that equal points, and only these, have in common (see
// PointHash).
func (d *Dataset) newPointKey() (appendKey func(b []byte, i int) []byte) {
	var values []float64
	switch x := d.X.(type) {
	case points.Sequences:
		return func(b []byte, i int) []byte { return append(b, x[i]...) }
	case points.Sparse:
		return func(b []byte, i int) []byte {
			indices, values := x.Row(i)
			return appendNonzeros(b, indices, values)
		}
	case points.Parts:
		var keys []func(b []byte, i int) []byte
		if x.Rows.D > 0 {
			keys = append(keys, (&Dataset{X: x.Rows}).newPointKey())
		}
		for _, o := range x.Others {
			key := d.Part(o.Name).newPointKey()
			if key == nil {
				return nil
			}
			keys = append(keys, key)
		}
		return func(b []byte, i int) []byte {
			for _, key := range keys {
				start := len(b)
				b = key(b, i)
				b = binary.LittleEndian.AppendUint64(b, uint64(len(b)-start))
			}
			return b
		}
	case points.Indices:
		return func(b []byte, i int) []byte {
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
				return binary.LittleEndian.AppendUint64(b, uint64(x[i]))
			}
			return appendNonzeros(b, nil, values)
		}
	}
	if values = make([]float64, points.FeatureCount(d.X)); len(values) == 0 {
		return nil
	}
	return func(b []byte, i int) []byte {
		d.X.StoreFeatures(values, i)
		return appendNonzeros(b, nil, values)
	}
}

// appendNonzeros appends the index and the value of each value that is not 0. If indices is nil, they are 0, 1, ….
func appendNonzeros(b []byte, indices []int, values []float64) []byte {
	for k, v := range values {
		if v != 0 {
			if indices != nil {
				k = indices[k]
			}
			b = binary.LittleEndian.AppendUint64(b, uint64(k))
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}
