package mklnb

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

// Align returns the matrix of the alignment scores of all pairs of sequences. It shows a progress bar and the time
// left. The stop button of the notebook ends the computation and the cell.
//
//	s := nb.Align(nb.Load("globins").X, similarity.Alignment{Normalize: true})
func Align(x points.Points, a similarity.Alignment) *mat.SymDense {
	sequences, err := points.As[points.Sequences](x)
	if err != nil {
		fail(fmt.Errorf("mklnb: align: %w", err))
	}
	ctx, endWork := interrupt.beginWork()
	defer endWork()
	title := fmt.Sprintf("Alignment of %s", viz.FormatCount(len(sequences), "sequence"))
	pairCount := len(sequences) * (len(sequences) + 1) / 2 // each sequence with itself included
	meter := newStepMeter(&mkl.Settings{Iterations: pairCount}, "pair")
	m := startMeter(title, meter.estimateProgress)
	s, err := a.Pairs(ctx, sequences, func(done, _ int) { meter.record(done, math.NaN(), 0) })
	if err != nil {
		m.stop(nil)
		if ctx.Err() != nil {
			err = fmt.Errorf("mklnb: align: %s: stopped; run the cell again to start over", title)
		}
		fail(err)
	}
	m.stop(func() string { return fmt.Sprintf("%s: %s done.", title, viz.FormatCount(pairCount, "pair")) })
	return s
}
