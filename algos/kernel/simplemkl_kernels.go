package kernel

// SimpleMKLKernels returns the 13(d+1) base kernels of the experiments of SimpleMKL and of many later papers, for
// points with d features. There are 13 kernels of all features, then 13 kernels of each feature alone: Gaussians
// exp(−‖x−z‖²/2σ²) with the ten widths σ = 0.5, 1, 2, 5, 7, 10, 12, 15, 17, 20, and polynomials (⟨x,z⟩ + 1)^p with p =
// 1, 2, 3. They are intended for standardized features and should be normalized:
//
//	kernel.Sum{Kernels: kernel.SimpleMKLKernels(d), Prepare: points.Preprocessing{points.Standardize},
//		Normalize: kernel.MeanDiagonal}
//
// The paper scales each base matrix to trace 1. Here the mean of the diagonal is 1, so the C of the paper is n times
// the C here.
//
// Reference: A. Rakotomamonjy, F. Bach, S. Canu and Y. Grandvalet, SimpleMKL, JMLR 9 (2008), section 5.1.
func SimpleMKLKernels(d int) List {
	var list List
	for j := -1; j < d; j++ {
		var columns []int
		if j >= 0 {
			columns = []int{j}
		}
		for _, s := range []float64{0.5, 1, 2, 5, 7, 10, 12, 15, 17, 20} {
			list = append(list, RBF{Gamma: 1 / (2 * s * s), Columns: columns})
		}
		for p := 1; p <= 3; p++ {
			list = append(list, Polynomial{Degree: p, Gamma: 1, Offset: 1, Columns: columns})
		}
	}
	return list
}
