package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// fitLandmarkCoefficients fits the dual coefficients w of the p landmarks to all n training points, for fixed θ. For
// each column y of targets, it returns the minimizer of
//
//	½ wᵀWw + (1/2λ) ‖y − Cw‖²,  (CᵀC + λW)w = Cᵀy.
//
// If l, the squared loss of the training points, has weights v_i, row i of C and y is multiplied by √v_i. The landmarks
// were drawn without regard to the weights.
//
// W is K(θ) of the landmarks z_1 … z_p, p×p. C is the kernel matrix between all training points and the landmarks, n×p.
// offsets are the means that were subtracted from the columns. This is kernel ridge regression in the span of the
// functions k_θ(·, z_j), known as the subset-of-regressors method: the dual coefficients of all other points are 0. If
// q landmarks span the functions of all (spanningRows), as for a linear kernel of q features, the others have the
// coefficient 0. C is computed in blocks of rows. The cost is O(np·q + q³) time and O(p²) memory.
//
// References:
//   - C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, eq. (8.14).
func (f *fold) fitLandmarkCoefficients(ctx context.Context, g kernel.Grams, theta []float64, lambda float64,
	l loss.Loss) (w, offsets []float64, err error) {
	y, offsets, err := encodeTargetColumns(f.targetsOf(f.split.Train), f.encoding, l, f.centerTargets)
	if err != nil {
		return nil, nil, err
	}
	const blockRows = 512                 // rows of the kernel matrix C (all training points × landmarks) per block
	singleThread := linalg.ThreadLimit(1) // one thread, because tasks run concurrently
	gram := g.New()
	gram.SetTheta(theta)
	spanning := spanningRows(gram.K())
	n, p, q, columnCount := len(f.split.Train), len(f.landmarks), len(spanning), len(offsets)
	weights := loss.PointWeights(l)
	w = make([]float64, p*columnCount)
	if q == 0 { // K(θ) = 0, as for the constant baseline: w has no effect
		return w, offsets, nil
	}
	ctc, cty := make([]float64, q*q), make([]float64, q*columnCount) // upper triangle of CᵀC, and Cᵀy for all columns y
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
		for i := range r.Rows {
			row := kernelBlock.RawRowView(i)
			for j, column := range spanning {
				row[j] = row[column]
			}
			if weights != nil {
				root := math.Sqrt(weights[blockStart+i])
				floats.Scale(root, row[:q])
				floats.Scale(root, blockTargets[i*columnCount:(i+1)*columnCount])
			}
		}
		singleThread.Syrk(true, q, r.Rows, 1, r.Data, r.Stride, 1, ctc, q)
		singleThread.Gemm(true, false, q, columnCount, r.Rows, 1, r.Data, r.Stride, blockTargets, columnCount, 1, cty,
			columnCount)
	}
	normalMatrix, trace := mat.NewSymDense(q, ctc), 0.0
	for i := range q {
		for j := i; j < q; j++ {
			ctc[i*q+j] += lambda * gram.K().At(spanning[i], spanning[j])
		}
		trace += ctc[i*q+i]
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
	column := make([]float64, q)
	for j := range columnCount {
		for i := range column {
			column[i] = cty[i*columnCount+j]
		}
		factor.SolveVec(column, column)
		for i, v := range column {
			w[j*p+spanning[i]] = v
		}
	}
	return w, offsets, nil
}

// spanningRows returns the ascending indices of rows of K, p×p, that span all rows up to rounding errors: the pivots of
// a Cholesky factorization of K − δI with complete pivoting, for the number δ that was added to the diagonal of K. If
// these are more than p/8, it returns all indices.
func spanningRows(k *kernel.Matrix) (rows []int) {
	p := k.SymmetricDim()
	residual, columns := make([]float64, p), [][]float64(nil) // the diagonal of K − δI − Σ_c ccᵀ for the columns c
	k.Diagonal(residual)
	if _, _, shift, ok := k.ErrorBounds(); ok {
		floats.AddConst(-shift, residual)
	}
	for tolerance := 64 * linalg.Epsilon * max(slices.Max(residual), 0); ; {
		pivot := floats.MaxIdx(residual)
		if residual[pivot] <= tolerance {
			slices.Sort(rows)
			return rows
		}
		if len(rows) >= p/8 {
			return points.AllIndices(p)
		}
		c := make([]float64, p)
		for i := range c {
			c[i] = k.At(i, pivot)
		}
		for _, earlier := range columns {
			linalg.Axpy(-earlier[pivot], earlier, c)
		}
		floats.Scale(1/math.Sqrt(residual[pivot]), c)
		for i, v := range c {
			residual[i] -= v * v
		}
		residual[pivot], rows, columns = 0, append(rows, pivot), append(columns, c)
	}
}
