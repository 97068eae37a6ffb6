package kernel

// cancelled is the fraction of ‖z‖² + ‖x‖² below which a squared distance is computed from the differences. Sparse
// points use it for ‖z − x‖₁ too, as the fraction of ‖z‖₁ + ‖x‖₁. The error of ‖z‖² + ‖x‖² − 2⟨z,x⟩ is a small multiple
// of ε(‖z‖² + ‖x‖²). Above the threshold, this is at most ten times the same multiple of ε‖z − x‖². The rounding that
// base matrices allow for covers this error, also in exp(−γ‖z − x‖²).
const cancelled = 0.1

// squaredDistances stores ‖z_i − x_j‖², l×n, in dst. It computes ‖z‖² + ‖x‖² − 2⟨z,x⟩ with one matrix product. If the
// points are dense, it first subtracts the mean of x from both z and x, which changes no distance. Digits can still
// cancel, for example between points of the same cluster if there are two clusters far apart. In this case the distance
// is computed from the differences, in O(d).
//
// center and moved are x.centre() and x minus the center, and norms those of moved.
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

// releaseDesign frees a design that minus made. Only dense points are copied.
func releaseDesign(x design) {
	if d, ok := x.(*denseDesign); ok {
		blockPool.Put(&d.x)
	}
}

// toDistances turns row, the inner products with a point of squared norm u, into squared distances. exact computes one
// of them from the differences.
func toDistances(row []float64, u float64, norms []float64, exact func(j int) float64) {
	for j, v := range norms {
		if row[j] = u + v - 2*row[j]; !(row[j] >= cancelled*(u+v)) {
			row[j] = exact(j)
		}
	}
}
