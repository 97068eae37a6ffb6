package loss

import (
	"context"
	"errors"
	"sync"

	"gonum.org/v1/gonum/mat"
)

var (
	_ Proximal = Hinge{}
	_ Proximal = EpsilonInsensitive{}
)

// shiftedGram is K + cI.
type shiftedGram struct{ k *mat.SymDense }

func (g shiftedGram) K() *mat.SymDense { return g.k }

// shifted are K + cI of earlier steps, for their storage.
var shifted = sync.Pool{New: func() any { return mat.NewSymDense(1, nil) }}

// prox is the step of Proximal: with K + I/τ for K and y + w/τ for y it is a problem of the same kind. It
// copies K.
func (q *box) prox(ctx context.Context, w []float64, g Gram, y []float64, tau, tol float64) error {
	n := len(y)
	k := shifted.Get().(*mat.SymDense)
	defer shifted.Put(k)
	if k.SymmetricDim() != n {
		k.Reset()
		k.ReuseAsSym(n)
	}
	t, places := upper(g, n)
	t.copyTo(k, places)
	target := make([]float64, n)
	for i, v := range y {
		k.SetSym(i, i, k.At(i, i)+1/tau)
		target[i] = v + w[i]/tau
	}
	s := Solution{W: append([]float64(nil), w...)}
	err := q.solve(ctx, &s, shiftedGram{k}, target, tol)
	var inexact *Inexact
	if err != nil && !errors.As(err, &inexact) {
		return err
	}
	copy(w, s.W)
	return ctx.Err()
}

// Prox moves w by a proximal step.
func (l Hinge) Prox(ctx context.Context, w []float64, g Gram, y []float64, tau, tol float64) error {
	q := l.box(y)
	defer q.release()
	return q.prox(ctx, w, g, y, tau, tol)
}

// Prox moves w by a proximal step.
func (l EpsilonInsensitive) Prox(ctx context.Context, w []float64, g Gram, y []float64, tau, tol float64) error {
	q := l.box(y)
	defer q.release()
	return q.prox(ctx, w, g, y, tau, tol)
}
