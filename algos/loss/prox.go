package loss

import (
	"context"
	"errors"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
)

var _ Proximal = Hinge{}

// matrixPool stores the matrices of finished proximal steps, whose storage later steps reuse.
var matrixPool = sync.Pool{New: func() any { return mat.NewSymDense(1, nil) }}

// takeProximalStep replaces w by the w' that maximizes D(w') − ‖w' − w‖²/(2τ), τ = stepLength. It solves the problem of
// q with K + I/τ in place of K and y + w/τ in place of y. It copies K, and returns the storage of q to the pool.
func (q *boxQP) takeProximalStep(ctx context.Context, w []float64, matrix *kernel.Matrix, y []float64, stepLength,
	tol float64) error {
	n := len(y)
	k := matrixPool.Get().(*mat.SymDense)
	defer matrixPool.Put(k)
	if k.SymmetricDim() != n {
		k.Reset()
		k.ReuseAsSym(n)
	}
	k.CopySym(matrix.Dense())
	shiftedTargets := make([]float64, n)
	for i, v := range y {
		k.SetSym(i, i, k.At(i, i)+1/stepLength)
		shiftedTargets[i] = v + w[i]/stepLength
	}
	s := Solution{W: append([]float64(nil), w...)}
	err := q.solve(ctx, &s, kernel.DenseMatrix(k), shiftedTargets, tol)
	var inexact *Inexact
	if err != nil && !errors.As(err, &inexact) {
		return err
	}
	copy(w, s.W)
	return ctx.Err()
}

// Prox overwrites w with the maximizer w' of the dual objective minus ‖w'−w‖²/(2·stepLength), to the relative gap tol.
func (l Hinge) Prox(ctx context.Context, w []float64, g Gram, y []float64, stepLength, tol float64) error {
	return l.dualProblem(y).takeProximalStep(ctx, w, g.K(), y, stepLength, tol)
}
