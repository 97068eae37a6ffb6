package study

import (
	"context"
	"errors"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/store"

	"gonum.org/v1/gonum/floats"
)

// ErrParts is what a shard of a certificate returns while parts of a pass that are those of other shards are not in its
// store.
var ErrParts = errors.New("parts of a pass are not in the store")

// Passes makes passes for mkl.Problem.SweptBy, of the problem whose Grams are f.On(x), in shards as units of a study
// are: shard i of n, from 0, makes every n-th of so many parts of a pass (kernel.Sweep.Images) and keeps them in a
// folder.
//
//	q, err := p.SweptBy(40, study.Passes(f, x, 40, folder, i, n))
//	c, err := q.CertifyAt(ctx, theta, w)
//
// All shards run this program. Where the folder, shared or merged (mkl-study merge), has not yet what the others make,
// the error is ErrParts: run it again then. A certificate is two passes, the second of what the first one found, so a
// shard runs three times at most, and the last time computes nothing.
func Passes(f kernel.Family, x kernel.Points, parts int, folder string, i, n int) func(context.Context, [][]float64,
	[]float64) error {
	return func(ctx context.Context, dst [][]float64, w []float64) error {
		if n < 1 || i < 0 || i >= n {
			return fmt.Errorf("study: shard %d of %d of a pass, want one of 0 … n−1 of n > 0", i, n)
		}
		s, err := store.Open(folder)
		if err != nil {
			return err
		}
		a, ok := f.On(x).(kernel.Sweepable)
		if !ok {
			return fmt.Errorf("study: base matrices of %v cannot be swept", f)
		}
		sweep, err := a.Sweep()
		if err != nil {
			return err
		}
		made, absent := make([][]float64, len(dst)), 0
		for k := range dst {
			clear(dst[k])
			made[k] = make([]float64, len(w))
		}
		for j := range parts {
			key, err := store.Key("pass", linalg.Backend().ID(), f, x, w, j, parts)
			if err != nil {
				return err
			}
			var part [][]float64
			switch stored := s.Get(key, &part); {
			case stored:
			case j%n != i:
				absent++
				continue
			default:
				part = made
				if err := sweep.Images(ctx, part, w, j, parts); err != nil {
					return err
				}
				if err := s.Put(key, part); err != nil {
					return err
				}
			}
			for k := range dst {
				floats.Add(dst[k], part[k])
			}
		}
		if absent > 0 {
			return fmt.Errorf("study: %d of %d %w %s: other shards make them", absent, parts, ErrParts, folder)
		}
		return nil
	}
}
