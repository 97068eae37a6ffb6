package mklnb

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

// Align returns the similarities of all pairs of sequences by their alignments, with a bar and the time left: minutes
// for a thousand proteins.
//
//	s := nb.Align(nb.Load("globins").X, similarity.Alignment{Normalize: true})
//
// Finished parts are kept in the cache folder, each of some tenths of a second: after the stop button, which ends the
// cell, the same call goes on where it was, and once finished it is answered at once.
func Align(x points.Points, a similarity.Alignment) *mat.SymDense {
	sequences, ok := x.(points.Sequences)
	if !ok {
		fail(fmt.Errorf("mklnb: align: the points are %T, want sequences (points.Sequences)", x))
	}
	folder := storage()
	if folder != "" {
		folder = filepath.Join(folder, "..", "alignments")
	}
	var s *mat.SymDense
	title := fmt.Sprintf("Alignment of %s", viz.Count(len(sequences), "sequence"))
	long(title, millions, func(ctx context.Context, progress func(compare.Progress)) (err error) {
		s, err = a.Pairs(ctx, sequences, similarity.Work{Store: folder, Progress: func(p similarity.Progress) {
			progress(compare.Progress{Done: int(p.Done / 1e6), Total: int((p.Total + 1e6 - 1) / 1e6),
				Left: p.Left.Round(time.Millisecond)})
		}})
		return err
	})
	if s == nil {
		fail(errors.New("mklnb: align: stopped; run the cell again to go on"))
	}
	return s
}

// millions are cells of alignments.
func millions(n int) string { return viz.Count(n, "million cell") }
