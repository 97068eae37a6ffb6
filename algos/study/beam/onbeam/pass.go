package onbeam

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
)

func init() {
	beam.RegisterType(reflect.TypeFor[pass]())
	register.DoFn3x1[context.Context, int, pass, error](&part{})
}

// Passes is a family whose passes over the base matrices (kernel.Sweep) are made on Beam: an element of the pipeline is
// one of the parts of a pass, which its worker keeps in the store (see Study), and the program that submits adds them
// up. They are the parts of compare.Passes, under the same keys: what is kept is not made again, and shards of either
// find what the other has made. w and the points travel to each worker once; m·n numbers a part are written, and read
// by the program that submits.
type Passes struct {
	Family kernel.Family
	Parts  int    // of a pass, which is the sum of them
	Store  string // a folder that workers share, or an address
}

// On binds the family to x. Passes over other points (Slice) are made here.
func (f Passes) On(x points.Points) kernel.Grams {
	return &grams{f.in(f.Store).On(x), f, x}
}

// in is f in a folder, for a process that adds up the parts and makes none: one shard more than there are parts.
func (f Passes) in(folder string) compare.Passes {
	return compare.Passes{Family: f.Family, Parts: f.Parts, Store: folder, Shard: f.Parts, Shards: f.Parts + 1}
}

// grams are Passes on points.
type grams struct {
	kernel.Grams
	f Passes
	x points.Points
}

// Threads returns g for at most n threads of this process.
func (g *grams) Threads(n int) kernel.Grams { return &grams{g.Grams.Threads(n), g.f, g.x} }

// Sweep is that of the family, whose passes are made on Beam.
func (g *grams) Sweep() (kernel.Sweep, error) {
	s, err := g.Grams.Sweep()
	return &sweep{s, g.f, g.x}, err
}

type sweep struct {
	kernel.Sweep
	f Passes
	x points.Points
}

// Images adds up what the store has, after a pipeline has made it where parts are absent.
func (s *sweep) Images(ctx context.Context, dst [][]float64, w []float64, i, n int) error {
	q, err := s.ask(w)
	if err != nil {
		return err
	}
	add := func(folder string) error {
		kept, err := s.f.in(folder).On(s.x).Sweep()
		if err != nil {
			return err
		}
		return kept.Images(ctx, dst, w, i, n)
	}
	if err := at(ctx, q.Store, q.Key+"*", add); !errors.Is(err, compare.ErrParts) {
		return err
	}
	if err := run(ctx, q.pipeline()); err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	if err := at(ctx, q.Store, q.Key+"*", add); err != nil {
		return fmt.Errorf("onbeam: the pipeline is done: %w", err)
	}
	return nil
}

// pass is what workers are told of a pass over base matrices.
type pass struct {
	Problem []byte // a problem, as registry.MarshalValue writes it
	W       []float64
	Parts   int
	Store   string
	Key     string // of its parts, and of the code that makes them
}

// problem is whose base matrices they are.
type problem struct {
	Family kernel.Family
	X      points.Points
}

// ask is the question that a pass is.
func (s *sweep) ask(w []float64) (q pass, err error) {
	q = pass{W: w, Parts: s.f.Parts}
	if q.Store, err = absolute(s.f.Store); err != nil {
		return q, err
	}
	if q.Problem, err = registry.MarshalValue(problem{s.f.Family, s.x}); err != nil {
		return q, err
	}
	q.Key, err = q.shard(problem{s.f.Family, s.x}, "").Key(s.x, w)
	return q, err
}

// shard makes all parts, in a folder.
func (q pass) shard(p problem, folder string) compare.Passes {
	return compare.Passes{Family: p.Family, Parts: q.Parts, Store: folder}
}

// pipeline makes the parts.
func (q pass) pipeline() *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	parts := make([]int, q.Parts)
	for j := range parts {
		parts[j] = j
	}
	each := beam.Reshuffle(s, beam.CreateList(s, parts)) // else the runner fuses, and one worker gets all
	beam.ParDo0(s, &part{}, each, beam.SideInput{Input: beam.Create(s, q)})
	return p
}

// part makes a part of a pass.
type part struct {
	of problem // which the elements of this DoFn have in common
}

// ProcessElement makes part j and keeps it.
func (f *part) ProcessElement(ctx context.Context, j int, q pass) error {
	return element(ctx, fmt.Sprintf("part %d of %d of a pass", j+1, q.Parts), func(ctx context.Context) error {
		if f.of.X == nil {
			var p problem
			if err := registry.UnmarshalValue(q.Problem, &p); err != nil {
				return err
			}
			if key, err := q.shard(p, "").Key(p.X, q.W); err != nil || key != q.Key {
				return errors.Join(errOther, err)
			}
			f.of = p
		}
		return at(ctx, q.Store, fmt.Sprintf("%s-%d", q.Key, j), func(folder string) error {
			g := q.shard(f.of, folder).On(f.of.X)
			s, err := g.Sweep()
			if err != nil {
				return err
			}
			m, _ := g.Dims()
			dst := make([][]float64, m)
			for k := range dst {
				dst[k] = make([]float64, len(q.W))
			}
			return s.Images(ctx, dst, q.W, j, q.Parts)
		})
	})
}
