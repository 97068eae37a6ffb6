package kernel

// cancelled is a threshold for the cancellation of digits. If ‖z‖² + ‖x‖² − 2⟨z,x⟩ is less than cancelled·(‖z‖² +
// ‖x‖²), the squared distance ‖z − x‖² is computed again from the differences z_k − x_k.
//
// The rounding error of ‖z‖² + ‖x‖² − 2⟨z,x⟩ is a small multiple of ε(‖z‖² + ‖x‖²). Above the threshold, it is
// therefore at most ten times the same multiple of ε‖z − x‖². The bounds of baseMatrices.entryError include this error,
// also for exp(−γ‖z − x‖²).
const cancelled = 0.1

// squaredDistances stores ‖z_i − x_j‖² in dst, l×n. It computes ‖z‖² + ‖x‖² − 2⟨z,x⟩ with one matrix product. If the
// points are dense, it first subtracts the mean of x from both z and x, which changes no distance. Digits can still
// cancel, for example between points of the same cluster if there are two clusters far apart. Such a distance is
// computed from the differences, in O(d).
//
// The arguments center, moved and norms are x.center(), x.minus(center) and moved.norms().
func squaredDistances(dst []float64, stride int, z, x design, center []float64, moved design, norms []float64,
	s *scratch) {
	a := z.minus(center)
	moved.cross(dst, stride, a, nil, s)
	for i, u := range a.norms() {
		toDistances(dst[i*stride:i*stride+len(norms)], u, norms,
			func(j int) float64 { return x.squaredDistance(z, i, j) })
	}
	releaseDesign(a)
}

// releaseDesign allows the next call of minus to reuse the storage of x, a result of minus. It does nothing for sparse
// points, which minus does not copy.
func releaseDesign(x design) {
	if d, ok := x.(*denseDesign); ok {
		blockPool.Put(&d.x)
	}
}

// toDistances replaces the inner products row[j] of one point with other points by squared distances. u is the squared
// norm of the one point, and norms[j] is the squared norm of the other point j. exact(j) computes distance j from the
// differences.
func toDistances(row []float64, u float64, norms []float64, exact func(j int) float64) {
	for j, v := range norms {
		if row[j] = u + v - 2*row[j]; !(row[j] >= cancelled*(u+v)) {
			row[j] = exact(j)
		}
	}
}
