package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/store"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ErrParts is the error of a pass of a shard while parts of other shards are missing.
var ErrParts = errors.New("parts of a pass are not in the store")

// Passes is a family whose passes over the base matrices (kernel.Sweep) are computed in parts by several processes,
// like the units of a study, and stored in a folder:
//
//	f := compare.Passes{Family: family, Parts: 6, Store: folder, Shard: i, Shards: 3}
//	p := &mkl.Problem{Grams: f.On(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: y}
//	c, err := p.CertifyAt(ctx, theta, w)
//
// Each shard runs this program with its own number i. It computes the parts i, i+3, … and adds up the parts in the
// folder. If the folder lacks parts of other shards, for example because folders must first be merged (mkl-study
// merge), the error is ErrParts; run the program again then. A certificate is two passes, and the second depends on the
// result of the first. So a shard runs at most three times, and the last time it computes nothing. Programs find a part
// only if they have the same code and linear algebra (linalg.Info.ID: OpenBLAS has another one on another processor).
//
// A part is a file of m·n·c numbers, for m kernels, n points and c columns of w: one or two parts per shard are enough.
// When a sum is added up, some of its numbers are computed again, and the result is an error if they differ.
type Passes struct {
	Family        kernel.Family
	Parts         int // number of parts of a pass; a pass is the sum of its parts
	Store         string
	Shard, Shards int // this process is Shard of Shards, from 0. If Shards is 0, it computes all parts
}

// On binds the family to x. Passes over other points (Slice) are computed in this process.
func (f Passes) On(x points.Points) kernel.Grams {
	return &parted{f.Family.On(x), f, x}
}

// Key returns the beginning of the names of the parts of a pass. Part j, from 0, is stored under Key-j.
func (f Passes) Key(x points.Points, w []float64) (string, error) {
	return store.Key("pass", linalg.Backend().ID(), f.Family, x, w, f.Parts)
}

// parted holds the Grams of Passes on points.
type parted struct {
	kernel.Grams
	f Passes
	x points.Points
}

// Threads returns g for at most n threads.
func (g *parted) Threads(n int) kernel.Grams { return &parted{g.Grams.Threads(n), g.f, g.x} }

// Sweep returns the sweep of the family, in parts.
func (g *parted) Sweep() (kernel.Sweep, error) {
	shards := max(g.f.Shards, 1)
	switch {
	case g.f.Parts < 1:
		return nil, fmt.Errorf("compare: a pass of %d parts, want 1 or more", g.f.Parts)
	case g.f.Shards < 0 || g.f.Shard < 0 || g.f.Shard >= shards:
		return nil, fmt.Errorf("compare: shard %d of %d of a pass, want one of 0 … %d", g.f.Shard, g.f.Shards, shards-1)
	}
	s, err := g.Grams.Sweep()
	return &partedSweep{s, g.f, g.x, shards}, err
}

type partedSweep struct {
	kernel.Sweep
	f      Passes
	x      points.Points
	shards int // 1 or more
}

// Images adds up the parts i, i+n, … It computes the missing parts of this shard, and returns ErrParts if parts of
// other shards are missing.
func (s *partedSweep) Images(ctx context.Context, dst [][]float64, w []float64, i, n int) error {
	if i < 0 || i >= n {
		return fmt.Errorf("compare: part %d of %d of a pass, want one of 0 … n−1 of n > 0", i, n)
	}
	kept, err := store.Open(s.f.Store)
	if err != nil {
		return err
	}
	key, err := s.f.Key(s.x, w)
	if err != nil {
		return err
	}
	for k := range dst {
		clear(dst[k])
	}
	absent := 0
	for j := i; j < s.f.Parts; j += n {
		name, part := fmt.Sprintf("%s-%d", key, j), [][]float64(nil)
		other := func(of []float64) bool { return len(of) != len(w) }
		if !kept.Get(name, &part) || len(part) != len(dst) || slices.ContainsFunc(part, other) {
			if j%s.shards != s.f.Shard {
				absent++
				continue
			}
			part = make([][]float64, len(dst))
			for k := range part {
				part[k] = make([]float64, len(w))
			}
			if err := s.Sweep.Images(ctx, part, w, j, s.f.Parts); err != nil {
				return err
			}
			if err := kept.Put(name, part); err != nil {
				return err
			}
		}
		for k := range dst {
			floats.Add(dst[k], part[k])
		}
	}
	if absent > 0 {
		return fmt.Errorf("compare: %d of %d %w %s: other shards make them, by the same code and linear algebra (%s)",
			absent, s.f.Parts, ErrParts, s.f.Store, linalg.Backend().ID())
	}
	if n > 1 {
		return nil
	}
	return s.check(ctx, dst, w, key)
}

// check computes some numbers of each image again, from rows of the base matrices: eight random points for each part.
// So it detects a part with a computing error. It need not detect a part that was made to deceive.
func (s *partedSweep) check(ctx context.Context, images [][]float64, w []float64, key string) error {
	m, n := len(images), s.x.Len()
	diagonals, lift, theta := make([][]float64, m), make([]float64, m), make([]float64, m)
	for k := range diagonals {
		diagonals[k] = make([]float64, n)
	}
	s.Diagonals(diagonals, lift)
	e := 2*s.Error() + 2*float64(n)*linalg.Epsilon // of an image and of a row, and of their sums
	size := make([][]float64, m)                   // e·Σ_j √K_jj |w_j|, for each kernel and column of w
	for k, d := range diagonals {
		for i := range d {
			d[i] = math.Sqrt(max(d[i], 0))
		}
		for column := range slices.Chunk(w, n) {
			sum := 0.0
			for j, v := range column {
				sum += d[j] * math.Abs(v)
			}
			size[k] = append(size[k], e*sum)
		}
	}
	points := rand.New(rand.NewPCG(uint64(n), uint64(s.f.Parts))).Perm(n)[:min(n, 8*s.f.Parts)]
	for some := range slices.Chunk(points, 16) {
		rows, a := s.Rows(some), mat.NewDense(len(some), n, nil)
		for k, d := range diagonals {
			if err := ctx.Err(); err != nil {
				return err
			}
			theta[k] = 1
			rows.Gram(a, theta)
			theta[k] = 0
			for c, bound := range size[k] {
				column := w[c*n : (c+1)*n]
				for r, i := range some {
					got, want := images[k][c*n+i], linalg.Dot(a.RawRowView(r), column)+lift[k]*column[i]
					if !(got == want || math.Abs(got-want) <= d[i]*bound) {
						return fmt.Errorf("compare: the parts %s-* of a pass add up to %g for kernel %d and point %d, "+
							"want %g: one is wrong; delete them in every store", key, got, k+1, i+1, want)
					}
				}
			}
		}
	}
	return nil
}

// Error returns the error of the family's sweep and of the sum of the parts.
func (s *partedSweep) Error() float64 { return s.Sweep.Error() + float64(s.f.Parts-1)*linalg.Epsilon }
