package kernel

// centerFit holds the numbers that Center fits to one base kernel: the means of its matrix. The centered kernel
//
//	k̃(x,z) = k(x,z) − mean_i k(x_i,z) − mean_j k(x,x_j) + mean_ij k(x_i,x_j)
//
// is the inner product of the feature vectors of x and z minus the mean feature vector of the points x_i (B. Schölkopf,
// A. Smola, K.-R. Müller, Nonlinear component analysis as a kernel eigenvalue problem, Neural Computation 10, 1998; for
// learning a kernel C. Cortes, M. Mohri, A. Rostamizadeh, Algorithms for learning kernels based on centered alignment,
// JMLR 13, 2012).
type centerFit struct {
	rowMeans  []float64 // mean_j k(x_i, x_j), length n
	grandMean float64   // mean_ij k(x_i, x_j)
}

// fitCentering returns the means of a packed n×n base matrix.
func fitCentering(packed []float64, n int) *centerFit {
	c := &centerFit{rowMeans: make([]float64, n)}
	for i := range n {
		row := packedRow(packed, n, i)
		c.rowMeans[i] += row[0]
		for j, v := range row[1:] {
			c.rowMeans[i] += v
			c.rowMeans[i+1+j] += v
		}
	}
	for i := range n {
		c.rowMeans[i] /= float64(n)
		c.grandMean += c.rowMeans[i] / float64(n)
	}
	return c
}
