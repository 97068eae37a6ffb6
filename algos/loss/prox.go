package loss

import (
	"context"
	"errors"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
)

var (
	_ Proximal = Hinge{}
	_ Proximal = EpsilonInsensitive{}
)

// shifted holds the storage of shifted matrices for later steps.
var shifted = sync.Pool{New: func() any { return mat.NewSymDense(1, nil) }}

// prox takes the step of Proximal. The step is a problem of the same kind with K + I/τ and y + w/τ in place of K and y.
// It copies K.
func (q *box) prox(ctx context.Context, w []float64, matrix *kernel.Matrix, y []float64, tau, tol float64) error {
	n := len(y)
	k := shifted.Get().(*mat.SymDense)
	defer shifted.Put(k)
	if k.SymmetricDim() != n {
		k.Reset()
		k.ReuseAsSym(n)
	}
	u, rows := matrix.Upper()
	u.CopyTo(k, rows)
	target := make([]float64, n)
	for i, v := range y {
		k.SetSym(i, i, k.At(i, i)+1/tau)
		target[i] = v + w[i]/tau
	}
	s := Solution{W: append([]float64(nil), w...)}
	err := q.solve(ctx, &s, kernel.DenseMatrix(k), target, tol)
	var inexact *Inexact
	if err != nil && !errors.As(err, &inexact) {
		return err
	}
	copy(w, s.W)
	return ctx.Err()
}

// Prox takes a proximal step from w: see Proximal.
func (l Hinge) Prox(ctx context.Context, w []float64, g Gram, y []float64, tau, tol float64) error {
	q := l.box(y)
	defer q.release()
	return q.prox(ctx, w, g.K(), y, tau, tol)
}

// Prox takes a proximal step from w: see Proximal.
func (l EpsilonInsensitive) Prox(ctx context.Context, w []float64, g Gram, y []float64, tau, tol float64) error {
	q := l.box(y)
	defer q.release()
	return q.prox(ctx, w, g.K(), y, tau, tol)
}
