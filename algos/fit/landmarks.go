package fit

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/mat"
)

// fitLandmarkCoefficients fits the dual coefficients w of the p landmarks to all n training points, for fixed θ. For
// each column y of targets, it returns the minimizer of
//
//	½ wᵀWw + (1/2λ) ‖y − Cw‖²,  (CᵀC + λW)w = Cᵀy.
//
// W is K(θ) of the landmarks z_1 … z_p, p×p. C is the kernel matrix between all training points and the landmarks, n×p.
// offsets are the means that were subtracted from the columns. This is kernel ridge regression in the span of the
// functions k_θ(·, z_j), known as the subset-of-regressors method: the dual coefficients of all other points are 0. C
// is computed in blocks of rows. The cost is O(np² + p³) time and O(p²) memory.
//
// References:
//   - C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, eq. (8.14).
func (f *fold) fitLandmarkCoefficients(ctx context.Context, g kernel.Grams, theta []float64, lambda float64) (w,
	offsets []float64, err error) {
	y, offsets, err := encodeTargetColumns(f.targetsOf(f.split.Train), f.encoding, loss.Squared{}, f.centerTargets)
	if err != nil {
		return nil, nil, err
	}
	const blockRows = 512                 // rows of the kernel matrix C (all training points × landmarks) per block
	singleThread := linalg.ThreadLimit(1) // one thread, because tasks run concurrently
	n, p, columnCount := len(f.split.Train), len(f.landmarks), len(offsets)
	ctc, cty := make([]float64, p*p), make([]float64, p*columnCount) // upper triangle of CᵀC, and Cᵀy for all columns y
	blockBuffer := mat.NewDense(blockRows, p, nil)
	for blockStart := 0; blockStart < n; blockStart += blockRows {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		blockEnd := min(blockStart+blockRows, n)
		kernelBlock := blockBuffer.Slice(0, blockEnd-blockStart, 0, p).(*mat.Dense)
		g.Cross(f.allPoints.Slice(f.split.Train[blockStart:blockEnd])).StoreMatrix(kernelBlock, theta)
		blockTargets := make([]float64, 0, (blockEnd-blockStart)*columnCount) // rows of y, one after the other
		for i := blockStart; i < blockEnd; i++ {
			for j := range columnCount {
				blockTargets = append(blockTargets, y[j*n+i])
			}
		}
		r := kernelBlock.RawMatrix()
		singleThread.Syrk(true, p, r.Rows, 1, r.Data, r.Stride, 1, ctc, p)
		singleThread.Gemm(true, false, p, columnCount, r.Rows, 1, r.Data, r.Stride, blockTargets, columnCount, 1, cty,
			columnCount)
	}
	gram := g.New()
	gram.SetTheta(theta)
	normalMatrix, trace := mat.NewSymDense(p, ctc), 0.0
	for i := range p {
		for j := i; j < p; j++ {
			ctc[i*p+j] += lambda * gram.K().At(i, j)
		}
		trace += ctc[i*p+i]
	}
	w = make([]float64, p*columnCount)
	if trace == 0 { // K(θ) = 0, as for the constant baseline: w has no effect
		return w, offsets, nil
	}
	// normalMatrix is the matrix of the equations for w. Its smallest eigenvalues may be as small as rounding errors,
	// which are at most a few units in the last place of its trace. So 4·Epsilon times the trace is added to its
	// diagonal before the factorization, and more if this fails.
	factor := linalg.Cholesky{Threads: int(singleThread)}
	for shift := 4 * linalg.Epsilon * trace; !factor.Factorize(normalMatrix, shift); shift *= 100 {
		if !(shift < 1e-6*trace) {
			return nil, nil, fmt.Errorf("fitting dual coefficients of the landmarks with λ = %.4g: %w; use a larger λ",
				lambda, loss.ErrNotPSD)
		}
	}
	for j := range columnCount {
		column := w[j*p : (j+1)*p]
		for i := range column {
			column[i] = cty[i*columnCount+j]
		}
		factor.SolveVec(column, column)
	}
	return w, offsets, nil
}
