package onbeam

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
)

func init() {
	beam.RegisterType(reflect.TypeFor[pass]())
	register.DoFn4x1[context.Context, int, pass, func(int, []float64), error](&part{})
	register.Emitter2[int, []float64]()
	register.Function2x1(add)
	register.DoFn4x1[context.Context, int, []float64, pass, error](&keep{})
}

// pass is what workers are told of a pass over base matrices.
type pass struct {
	Problem []byte // a problem, as registry.MarshalValue writes it
	W       []float64
	Parts   int
	Store   string
	Key     string // of the sum, and of the code that makes it
}

// problem is whose base matrices they are.
type problem struct {
	Family kernel.Family
	X      kernel.Points
}

// Images makes passes for mkl.Problem.SweptBy, of the problem whose Grams are f.On(x), on Beam: an element of the
// pipeline is one of so many parts of a pass (kernel.Sweep.Images), and the parts are added up, in any order, in
// float64:
//
//	dst[k] = Σ_i part i of K_kw,  i = 1 … parts
//
// which is off by what kernel.Sweep says of so many parts; SweptBy(parts, …) takes that into its bounds.
// A part counts itself, and a sum of other than all parts is an error. The m sums, of n numbers each, are kept in the
// store (see Study) by their w, so that a program that asks again finds them. w and the points travel to each worker
// once, m·n numbers a part back.
func Images(f kernel.Family, x kernel.Points, parts int, store string) func(context.Context, [][]float64,
	[]float64) error {
	return func(ctx context.Context, dst [][]float64, w []float64) error {
		if parts < 1 {
			return fmt.Errorf("onbeam: a pass of no parts, %d, want 1 or more", parts)
		}
		text, err := registry.MarshalValue(problem{f, x})
		if err != nil {
			return err
		}
		q := pass{Problem: text, W: w, Parts: parts, Store: store}
		if q.Key, err = q.key(problem{f, x}); err != nil {
			return err
		}
		return at(ctx, store, q.Key+"*", func(folder string) error {
			if q.read(dst, folder) == nil {
				return nil
			}
			if err := run(ctx, q.pipeline()); err != nil || ctx.Err() != nil {
				return errors.Join(err, ctx.Err())
			}
			if remote(store) {
				if err := fetch(ctx, store, q.Key+"*", folder); err != nil {
					return err
				}
			}
			return q.read(dst, folder)
		})
	}
}

// key is that of the sum.
func (q pass) key(p problem) (string, error) {
	return store.Key("pass", linalg.Backend().ID(), p.Family, p.X, q.W, q.Parts)
}

// of is the key of the sum of kernel k.
func (q pass) of(k int) string { return fmt.Sprintf("%s-%d", q.Key, k) }

// read reads the sums that a folder has.
func (q pass) read(dst [][]float64, folder string) error {
	s, err := store.Open(folder)
	if err != nil {
		return err
	}
	for k := range dst {
		var sum []float64
		if !s.Get(q.of(k), &sum) || len(sum) != len(dst[k]) {
			return fmt.Errorf("onbeam: the pass of %d parts is done, and its sum of kernel %d is not in %s", q.Parts, k,
				q.Store)
		}
		copy(dst[k], sum)
	}
	return nil
}

// pipeline makes the parts and their sum.
func (q pass) pipeline() *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	asked := beam.SideInput{Input: beam.Create(s, q)}
	parts := make([]int, q.Parts)
	for i := range parts {
		parts[i] = i
	}
	images := beam.ParDo(s, &part{}, beam.Reshuffle(s, beam.CreateList(s, parts)), asked)
	beam.ParDo0(s, &keep{}, beam.CombinePerKey(s, add, images), asked)
	return p
}

// part makes a part of the images of w.
type part struct {
	sweep kernel.Sweep // of the points that the elements of this DoFn have in common
	m     int
}

// ProcessElement emits part i of K_kw for each k, and 1 behind its numbers.
func (f *part) ProcessElement(ctx context.Context, i int, q pass, emit func(int, []float64)) error {
	return element(ctx, fmt.Sprintf("part %d of %d of a pass", i+1, q.Parts), func(ctx context.Context) error {
		if f.sweep == nil {
			if err := f.load(q); err != nil {
				return err
			}
		}
		dst := make([][]float64, f.m)
		for k := range dst {
			dst[k] = make([]float64, len(q.W)+1)
			dst[k][len(q.W)], dst[k] = 1, dst[k][:len(q.W)]
		}
		if err := f.sweep.Images(ctx, dst, q.W, i, q.Parts); err != nil {
			return err
		}
		for k := range dst {
			emit(k, dst[k][:len(q.W)+1])
		}
		return nil
	})
}

// load binds the family to the points.
func (f *part) load(q pass) error {
	var p problem
	if err := registry.UnmarshalValue(q.Problem, &p); err != nil {
		return err
	}
	if key, err := q.key(p); err != nil || key != q.Key {
		return errors.Join(errOther, err)
	}
	g := p.Family.On(p.X)
	a, ok := g.(kernel.Sweepable)
	if !ok {
		return errors.New("a family whose base matrices cannot be swept")
	}
	s, err := a.Sweep()
	if err != nil {
		return err
	}
	f.sweep = s
	f.m, _ = g.Dims()
	return nil
}

// add is a + b, which it leaves as they are.
func add(a, b []float64) []float64 {
	sum := make([]float64, len(a))
	for i := range a {
		sum[i] = a[i] + b[i]
	}
	return sum
}

// keep keeps the sum of a kernel.
type keep struct{}

// ProcessElement keeps the images of kernel k.
func (keep) ProcessElement(ctx context.Context, k int, sum []float64, q pass) error {
	n := len(sum) - 1
	if sum[n] != float64(q.Parts) {
		return fmt.Errorf("onbeam: the sum of %v parts of a pass, want %d", sum[n], q.Parts)
	}
	return at(ctx, q.Store, "", func(folder string) error {
		s, err := store.Open(folder)
		if err != nil {
			return err
		}
		return s.Put(q.of(k), sum[:n])
	})
}
