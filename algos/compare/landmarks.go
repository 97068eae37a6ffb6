package compare

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

// HasFewFeatures reports whether g represents K(θ) as ΦΦᵀ, with a feature matrix Φ that has fewer columns than rows,
// for 2·limit points, or for all n points if these are fewer. If so, no n×n matrix is computed.
func HasFewFeatures(g kernel.Grams, limit int) bool {
	if g.StoredTriangles() > 0 {
		return false
	}
	m, n := g.Dims()
	if n > 2*limit {
		g = g.Slice(points.AllIndices(2 * limit))
	}
	theta := make([]float64, m)
	for k := range theta {
		theta[k] = 1
	}
	gram := g.New()
	gram.SetTheta(theta)
	return gram.K().Root() != nil
}

// fitAllPoints fits the dual coefficients w of the p landmarks to all n training points. For each column y of targets,
// it returns the minimizer of
//
//	½ wᵀWw + (1/2λ) ‖y − Cw‖²,  (CᵀC + λW)w = Cᵀy.
//
// W is K(θ) of the landmarks z_1 … z_p, p×p. C is the kernel matrix between all training points and the landmarks, n×p.
// offsets are the means that were subtracted from the columns. This is kernel ridge regression on the functions
// Σ_j w_j k_θ(·, z_j), known as the subset of regressors: all other points have dual coefficients of 0. C is computed
// in blocks of rows, in O(np² + p³) time and O(p²) memory.
//
// References:
//   - C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, eq. (8.14).
func (f *fold) fitAllPoints(ctx context.Context, g kernel.Grams, theta []float64, lambda float64) (w, offsets []float64,
	err error) {
	y, offsets, err := encodeColumns(f.targetsOf(f.split.Train), f.encoding, loss.Squared{}, f.centerTargets)
	if err != nil {
		return nil, nil, err
	}
	const rows = 512              // in a block of C
	blas := linalg.ThreadLimit(1) // tasks run concurrently
	n, p, columns := len(f.split.Train), len(f.landmarks), len(offsets)
	ctc, cty := make([]float64, p*p), make([]float64, p*columns) // CᵀC, upper triangle, and Cᵀy
	buffer := mat.NewDense(rows, p, nil)
	for from := 0; from < n; from += rows {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		to := min(from+rows, n)
		c := buffer.Slice(0, to-from, 0, p).(*mat.Dense)
		g.Cross(f.x.Slice(f.split.Train[from:to])).Gram(c, theta)
		targets := make([]float64, 0, (to-from)*columns) // of y, row after row
		for i := from; i < to; i++ {
			for j := range columns {
				targets = append(targets, y[j*n+i])
			}
		}
		r := c.RawMatrix()
		blas.Syrk(true, p, r.Rows, 1, r.Data, r.Stride, 1, ctc, p)
		blas.Gemm(true, false, p, columns, r.Rows, 1, r.Data, r.Stride, targets, columns, 1, cty, columns)
	}
	gram := g.New()
	gram.SetTheta(theta)
	m, trace := mat.NewSymDense(p, ctc), 0.0
	for i := range p {
		for j := i; j < p; j++ {
			ctc[i*p+j] += lambda * gram.K().At(i, j)
		}
		trace += ctc[i*p+i]
	}
	w = make([]float64, p*columns)
	if trace == 0 { // K = 0, as for the constant baseline: every w predicts the same
		return w, offsets, nil
	}
	// W has eigenvalues of the order of rounding errors. The rounding error of the factorization is at most a few ulp
	// of the trace. So 4ε times the trace is added to the diagonal, and more if there is still no factor.
	factor := linalg.Cholesky{Threads: int(blas)}
	for shift := 4 * linalg.Epsilon * trace; !factor.Factorize(m, shift); shift *= 100 {
		if !(shift < 1e-6*trace) {
			return nil, nil, fmt.Errorf("%w: CᵀC + %.4g·W has no Cholesky factor", loss.ErrNotPSD, lambda)
		}
	}
	for j := range columns {
		column := w[j*p : (j+1)*p]
		for i := range column {
			column[i] = cty[i*columns+j]
		}
		factor.SolveVec(column, column)
	}
	return w, offsets, nil
}
