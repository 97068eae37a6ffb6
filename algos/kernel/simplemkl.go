package kernel

// SimpleMKLKernels returns the 13(d+1) base kernels of the experiments of SimpleMKL, for points with d features: 13
// kernels of all features, then 13 kernels of each feature alone. They are Gaussians exp(−‖x−z‖²/2σ²) with ten widths
// σ, and polynomials (⟨x,z⟩ + 1)^p with p = 1, 2, 3. The paper standardizes the features and scales base matrices to
// trace 1: see Sum.Prepare and Sum.Normalize.
//
// Reference: A. Rakotomamonjy, F. Bach, S. Canu and Y. Grandvalet, SimpleMKL, JMLR 9 (2008), section 5.1.
func SimpleMKLKernels(d int) List {
	var list List
	for j := -1; j < d; j++ {
		var columns []int // nil: all
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
