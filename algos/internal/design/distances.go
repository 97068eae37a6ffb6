package design

// CancellationThreshold is the smallest ratio of ‖z‖² + ‖x‖² − 2⟨z,x⟩ to ‖z‖² + ‖x‖² at which this formula is used for
// ‖z − x‖². Below it, too many digits cancel, and ‖z − x‖² is computed again from the differences z_k − x_k.
//
// The rounding error of ‖z‖² + ‖x‖² − 2⟨z,x⟩ is a small multiple of ε(‖z‖² + ‖x‖²). Above the threshold, it is
// therefore at most ten times the same multiple of ε‖z − x‖². The error bounds of package kernel include this error,
// also for exp(−γ‖z − x‖²).
const CancellationThreshold = 0.1

// SquaredDistances stores ‖z_i − x_j‖² in dst, l×n. It computes ‖z‖² + ‖x‖² − 2⟨z,x⟩ with one matrix product, after
// subtracting the mean of x from both z and x, which changes no distance. Digits can still cancel, for example between
// points of the same cluster if there are two clusters far apart. Such a distance is computed from the differences, in
// O(d).
//
// The arguments center, centeredX and squaredNorms are x.ColumnMeans(), x.SubtractFromRows(center) and
// centeredX.SquaredRowNorms().
func SquaredDistances(dst []float64, stride int, z, x *Matrix, center []float64, centeredX *Matrix,
	squaredNorms []float64, s *Scratch) {
	a := z.SubtractFromRows(center)
	centeredX.Cross(dst, stride, a, nil, s)
	for i, u := range a.SquaredRowNorms() {
		ToSquaredDistances(dst[i*stride:i*stride+len(squaredNorms)], u, squaredNorms,
			func(j int) float64 { return x.SquaredDistance(z, i, j) })
	}
}

// ToSquaredDistances replaces innerProducts[j] of one point z with the point x_j by ‖z − x_j‖². squaredNorm is ‖z‖²,
// and squaredNorms[j] is ‖x_j‖². exactSquaredDistance(j) computes ‖z − x_j‖² from the differences of the features.
func ToSquaredDistances(innerProducts []float64, squaredNorm float64, squaredNorms []float64,
	exactSquaredDistance func(j int) float64) {
	for j, v := range squaredNorms {
		d := squaredNorm + v - 2*innerProducts[j]
		if !(d >= CancellationThreshold*(squaredNorm+v)) {
			d = exactSquaredDistance(j)
		}
		innerProducts[j] = d
	}
}
