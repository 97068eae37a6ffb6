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

// ErrParts ends a pass of a shard until the other shards have made their parts.
var ErrParts = errors.New("parts of a pass are not in the store")

// Passes is a family whose passes over the base matrices (kernel.Sweep) are made in parts by several processes, as the
// units of a study are, and kept in a folder:
//
//	f := compare.Passes{Family: family, Parts: 6, Store: folder, Shard: i, Shards: 3}
//	p := &mkl.Problem{Grams: f.On(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: y}
//	c, err := p.CertifyAt(ctx, theta, w)
//
// Each shard runs this program, with a number i of its own: it makes the parts i, i+3, … and adds up what the folder
// has. Where that lacks parts of other shards, as folders are to be merged first (mkl-study merge), the error is
// ErrParts: run it again then. A certificate is two passes, the second of what the first one found, so a shard runs
// three times at most, and the last time computes nothing. A part is found by programs of the same code and linear
// algebra (linalg.Info.ID: OpenBLAS has another one on another processor).
//
// A part is a file of m·n·c numbers, m kernels, n points, c columns of w: one or two parts a shard are enough. Some of
// the numbers of each sum are made again where it is added up, and an error says where they are others.
type Passes struct {
	Family        kernel.Family
	Parts         int // of a pass, which is the sum of them
	Store         string
	Shard, Shards int // this process is Shard of Shards, from 0. If Shards is 0, it makes all parts
}

// On binds the family to x. Passes over other points (Slice) are made here.
func (f Passes) On(x points.Points) kernel.Grams {
	return &parted{f.Family.On(x), f, x}
}

// Key begins the names of the parts of a pass: part j, from 0, is kept under Key-j.
func (f Passes) Key(x points.Points, w []float64) (string, error) {
	return store.Key("pass", linalg.Backend().ID(), f.Family, x, w, f.Parts)
}

// parted is Passes on points.
type parted struct {
	kernel.Grams
	f Passes
	x points.Points
}

// Threads returns g for at most n threads.
func (g *parted) Threads(n int) kernel.Grams { return &parted{g.Grams.Threads(n), g.f, g.x} }

// Sweep is that of the family, in parts.
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

// Images adds up the parts i, i+n, … It makes those that are the shard's, and ends with ErrParts where others are not
// there.
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

// check makes some numbers of each image again, by rows of the base matrices: of eight points for each part, drawn by
// chance, so that a part that was made wrongly shows. One that was made to deceive need not.
func (s *partedSweep) check(ctx context.Context, images [][]float64, w []float64, key string) error {
	m, n := len(images), s.x.Len()
	diagonals, lift, theta := make([][]float64, m), make([]float64, m), make([]float64, m)
	for k := range diagonals {
		diagonals[k] = make([]float64, n)
	}
	s.Diagonals(diagonals, lift)
	e := 2*s.Error() + 2*float64(n)*linalg.Epsilon // of an image and of a row, and of their sums
	size := make([][]float64, m)                   // e·Σ_j √K_jj |w_j|, of each kernel and column of w
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

// Error is that of the family, and of the sum of the parts.
func (s *partedSweep) Error() float64 { return s.Sweep.Error() + float64(s.f.Parts-1)*linalg.Epsilon }
