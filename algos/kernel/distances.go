package kernel

// cancelled is the part of ‖z‖² + ‖x‖² below which a squared distance is taken by the differences,
// and of ‖z‖₁ + ‖x‖₁ for ‖z − x‖₁ of sparse points. By ‖z‖² + ‖x‖² − 2⟨z,x⟩ its error is a small
// multiple of ε(‖z‖² + ‖x‖²), at most ten times that of ε‖z − x‖² above it: what the rounding that
// base matrices allow for covers, exp(−γ‖z − x‖²) included.
const cancelled = 0.1

// squaredDistances stores ‖z_i − x_j‖², l×n, in dst, as ‖z‖² + ‖x‖² − 2⟨z,x⟩: one matrix product.
// Both are moved by the mean of x first if they are dense, which changes no distance. Where digits
// cancel all the same, as between points of one of two far clusters, the distance is that of the
// differences, in O(d).
func squaredDistances(dst []float64, stride int, z, x design, s *scratch) {
	c := x.centre()
	a, b := z.minus(c), x.minus(c)
	b.cross(dst, stride, a, nil, s)
	na, nb := a.norms(), b.norms()
	for i, u := range na {
		toDistances(dst[i*stride:i*stride+len(nb)], u, nb, func(j int) float64 { return x.squaredDistance(z, i, j) })
	}
	for _, d := range []design{a, b} { // which minus made, of dense points
		if d, ok := d.(*denseDesign); ok {
			spareBlocks.Put(&d.x)
		}
	}
}

// toDistances makes row, inner products with a point of squared norm u, squared distances; exact is one of
// them by the differences.
func toDistances(row []float64, u float64, norms []float64, exact func(j int) float64) {
	for j, v := range norms {
		if row[j] = u + v - 2*row[j]; !(row[j] >= cancelled*(u+v)) {
			row[j] = exact(j)
		}
	}
}
