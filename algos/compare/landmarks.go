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

// HasFewFeatures reports whether K(θ) = ΦΦᵀ with Φ of at most the given number of columns. If so, no n×n matrix is
// made.
func HasFewFeatures(g kernel.Grams, most int) bool {
	if g.IsDense() {
		return false
	}
	m, n := g.Dims()
	if n > 2*most {
		g = g.Slice(points.AllIndices(2 * most))
	}
	theta := make([]float64, m)
	for k := range theta {
		theta[k] = 1
	}
	gram := g.New()
	gram.At(theta)
	return gram.K().Root() != nil
}

// fitAll returns the dual coefficients w of the p landmarks that fit all n points of the training part: for each column
// of targets y, minus its mean, the minimizer of
//
//	½ wᵀWw + (1/2λ) ‖y − Cw‖²,  (CᵀC + λW)w = Cᵀy.
//
// W is K(θ) of the landmarks, p×p, and C is the kernel matrix between all points and the landmarks, n×p. This is kernel
// ridge regression on the functions Σ_j w_j k_θ(·, z_j): the subset of regressors, with dual coefficients of 0 for all
// other points. C is made some rows at a time, in O(np² + p³) time and O(p²) memory.
//
// References:
//   - C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, eq. (8.14).
func (f *fold) fitAll(ctx context.Context, g kernel.Grams, theta []float64, lambda float64) (w, offsets []float64,
	err error) {
	y, offsets, err := columns(f.labels(f.split.Train), f.code, loss.Squared{}, f.centre)
	if err != nil {
		return nil, nil, err
	}
	const rows = 512      // of C at a time
	on := linalg.Bound(1) // tasks run concurrently
	n, p, columns := len(f.split.Train), len(f.landmarks), len(offsets)
	inner, right := make([]float64, p*p), make([]float64, p*columns) // CᵀC, upper triangle, and Cᵀy
	store := mat.NewDense(rows, p, nil)
	for from := 0; from < n; from += rows {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		to := min(from+rows, n)
		c := store.Slice(0, to-from, 0, p).(*mat.Dense)
		g.Cross(f.x.Slice(f.split.Train[from:to])).Gram(c, theta)
		part := make([]float64, 0, (to-from)*columns) // of y, row after row
		for i := from; i < to; i++ {
			for j := range columns {
				part = append(part, y[j*n+i])
			}
		}
		r := c.RawMatrix()
		on.Syrk(true, p, r.Rows, 1, r.Data, r.Stride, 1, inner, p)
		on.Gemm(true, false, p, columns, r.Rows, 1, r.Data, r.Stride, part, columns, 1, right, columns)
	}
	gram := g.New()
	gram.At(theta)
	m, trace := mat.NewSymDense(p, inner), 0.0
	for i := range p {
		for j := i; j < p; j++ {
			inner[i*p+j] += lambda * gram.K().At(i, j)
		}
		trace += inner[i*p+i]
	}
	w = make([]float64, p*columns)
	if trace == 0 { // K = 0, as for the constant baseline: any w predicts the same
		return w, offsets, nil
	}
	// W has eigenvalues of the order of rounding errors. The rounding error of the factor is at most a few ulp of the
	// trace of CᵀC. This much is added to the diagonal, so that a factor exists.
	factor := linalg.Cholesky{Threads: int(on)}
	for shift := 4 * linalg.Epsilon * trace; !factor.Factorize(m, shift); shift *= 100 {
		if !(shift < 1e-6*trace) {
			return nil, nil, fmt.Errorf("%w: CᵀC + %.4g·W has no Cholesky factor", loss.ErrNotPSD, lambda)
		}
	}
	for j := range columns {
		column := w[j*p : (j+1)*p]
		for i := range column {
			column[i] = right[i*columns+j]
		}
		factor.SolveVec(column, column)
	}
	return w, offsets, nil
}
