package design

// Canceled is a threshold for the cancellation of digits. If ‖z‖² + ‖x‖² − 2⟨z,x⟩ is less than Canceled·(‖z‖² +
// ‖x‖²), the squared distance ‖z − x‖² is computed again from the differences z_k − x_k.
//
// The rounding error of ‖z‖² + ‖x‖² − 2⟨z,x⟩ is a small multiple of ε(‖z‖² + ‖x‖²). Above the threshold, it is
// therefore at most ten times the same multiple of ε‖z − x‖². The error bounds of package kernel include this error,
// also for exp(−γ‖z − x‖²).
const Canceled = 0.1

// SquaredDistances stores ‖z_i − x_j‖² in dst, l×n. It computes ‖z‖² + ‖x‖² − 2⟨z,x⟩ with one matrix product, after
// subtracting the mean of x from both z and x, which changes no distance. Digits can still cancel, for example between
// points of the same cluster if there are two clusters far apart. Such a distance is computed from the differences, in
// O(d).
//
// The arguments center, moved and norms are x.Center(), x.Minus(center) and moved.Norms().
func SquaredDistances(dst []float64, stride int, z, x *Matrix, center []float64, moved *Matrix, norms []float64,
	s *Scratch) {
	a := z.Minus(center)
	moved.Cross(dst, stride, a, nil, s)
	for i, u := range a.Norms() {
		ToDistances(dst[i*stride:i*stride+len(norms)], u, norms,
			func(j int) float64 { return x.SquaredDistance(z, i, j) })
	}
}

// ToDistances replaces the inner products row[j] of one point with other points by squared distances. u is the squared
// norm of the one point, and norms[j] is the squared norm of the other point j. exact(j) computes distance j from the
// differences.
func ToDistances(row []float64, u float64, norms []float64, exact func(j int) float64) {
	for j, v := range norms {
		if row[j] = u + v - 2*row[j]; !(row[j] >= Canceled*(u+v)) {
			row[j] = exact(j)
		}
	}
}
