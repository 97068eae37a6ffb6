package model

import (
	"hash/maphash"
	"math"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// countSharedPoints returns the number of training points in m that are also among the points z. If the points of m are
// indices in a matrix, all are shared if the matrices of z are square and symmetric, as between the training points
// themselves. Otherwise the number is 0, and so it is if the type of points is unknown.
func (m *Model) countSharedPoints(z points.Points) (count int) {
	if rows, err := points.As[points.KernelRows](z); err == nil && areSymmetric(rows) {
		return m.X.Len()
	}
	seed := maphash.MakeSeed()
	hashTrainingPoint := (&data.Dataset{X: m.X}).PointHash(seed)
	hashNewPoint := (&data.Dataset{X: z}).PointHash(seed)
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
