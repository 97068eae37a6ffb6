package kernel

// SimpleMKLKernels are the 13(d+1) base kernels of the experiments of SimpleMKL and of many after it, for
// points of d features: Gaussians exp(−‖x−z‖²/2σ²) of the ten widths σ = 0.5, 1, 2, 5, 7, 10, 12, 15, 17, 20 and
// polynomials (⟨x,z⟩ + 1)^p, p = 1, 2, 3, of all features, then of each feature alone. They are meant for
// standardized features, and to be scaled:
//
//	kernel.Sum{Kernels: kernel.SimpleMKLKernels(d), Prepare: points.Preprocessing{points.Standardize},
//		Normalize: kernel.MeanDiagonal}
//
// The paper gives each base matrix trace 1; with the mean diagonal 1 here, its C is n times this one.
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
