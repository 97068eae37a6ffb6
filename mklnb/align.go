package mklnb

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

// Align returns the matrix of the alignment scores of all pairs of sequences. It shows a progress bar and the time
// left. The stop button ends the cell.
//
//	s := nb.Align(nb.Load("globins").X, similarity.Alignment{Normalize: true})
func Align(x points.Points, a similarity.Alignment) *mat.SymDense {
	sequences, err := points.As[points.Sequences](x)
	if err != nil {
		fail(fmt.Errorf("mklnb: align: %w", err))
	}
	ctx, release := interrupt.begin()
	defer release()
	title := fmt.Sprintf("Alignment of %s", viz.Count(len(sequences), "sequence"))
	n := len(sequences)
	total := n * (n + 1) / 2 // number of pairs, each sequence with itself included
	var done atomic.Int64
	m := startMeter(title, func(elapsed time.Duration) state {
		d := int(done.Load())
		if d == 0 {
			return state{text: "starting"}
		}
		return state{done: float64(d) / float64(total), text: fmt.Sprintf("%d of %s done", d, viz.Count(total, "pair")),
			left: time.Duration(float64(elapsed) / float64(d) * float64(total-d))}
	})
	s, err := a.Pairs(ctx, sequences, func(d, _ int) { done.Store(int64(d)) })
	switch {
	case err == nil:
		m.stop(func() string { return fmt.Sprintf("%s: %s done.", title, viz.Count(total, "pair")) })
	case ctx.Err() != nil:
		m.stop(func() string { return title + ": stopped." })
		showPage(warningPage(fmt.Sprintf("%s: stopped after %d of %s.", title, done.Load(), viz.Count(total, "pair"))))
		fail(errors.New("mklnb: align: stopped; run the cell again to start over"))
	default:
		m.stop(nil)
		fail(err)
	}
	return s
}
