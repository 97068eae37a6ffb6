package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
)

// fold is one division of a problem on which a grid is tried.
type fold struct {
	grams  kernel.Grams // of all points
	y      []float64    // labels or numbers
	code   model.Code
	split  Split
	centre bool // see columns
}

// problem is the training part, without set, for a loss, and the offsets taken from its targets.
func (f *fold) problem(l loss.Loss) (p *mkl.Problem, offsets []float64, err error) {
	p, err = (&mkl.Problem{Grams: f.grams, Y: f.y}).Slice(f.split.Train)
	if err == nil {
		p.Y, offsets, err = columns(p.Y, f.code, l, f.centre)
	}
	return p, offsets, err
}

// sliced is b with the loss of the training part: of weights of points, theirs.
func (f *fold) sliced(b *grid) *grid {
	s, ok := b.path.Loss.(loss.Sliced)
	if !ok {
		return b
	}
	part := *b
	part.path.Loss = s.Slice(f.split.Train)
	return &part
}

// labels are those of some points.
func (f *fold) labels(rows []int) []float64 {
	y := make([]float64, len(rows))
	for i, r := range rows {
		y[i] = f.y[r]
	}
	return y
}

// tried returns the errors of m's grid on f, one cell for each candidate beside the path and each of
// the given values of the path, in order.
func (f *fold) tried(ctx context.Context, m *Method, b *grid, values []float64) ([]Cell, error) {
	b = f.sliced(b)
	p, offsets, err := f.problem(b.path.Loss)
	if err != nil {
		return nil, err
	}
	cells := make([]Cell, len(b.others)*len(values))
	for i := range cells {
		cells[i].Value, cells[i].Label = values[i%len(values)], b.others[i/len(values)].Label
	}
	loo, rows := len(f.split.Test) == 0, f.split.Test
	if loo {
		rows = f.split.Train
	}
	y, out, c := f.labels(rows), make([]float64, len(rows)*len(offsets)), len(offsets)
	var pred *predictor
	if !loo {
		pred = newPredictor(f.grams.(kernel.Sliced).Block(f.split.Test, f.split.Train), len(rows), len(f.split.Train))
	}
	target, at := make([]float64, c), make([]float64, c)
	err = walk(ctx, p, b, values, m.solver(), m.settings(), func(cand candidate, a *answer) error {
		cell := &cells[a.other*len(values)+a.at]
		if a.failed() {
			cell.Failed++
			return nil
		}
		if a.status.Early() {
			cell.Early++
		}
		if !loo {
			pred.predict(out, a, offsets)
		} else if err := leaveOneOut(ctx, out, cand.problem(p), a, offsets); err != nil {
			return err
		}
		for i, label := range y {
			f.code.Encode(target, label)
			sum, there := 0.0, 0.0
			for j, t := range target {
				at[j] = out[j*len(y)+i]
				if r := at[j] - t; !math.IsNaN(t) {
					sum += r * r
					there++
				}
			}
			cell.Square += sum / there
			if f.code.Classes > 0 && f.code.Decide(at) != f.code.Class(label) {
				cell.Wrong++
			}
		}
		cell.N += len(y)
		return nil
	})
	return cells, err
}

// final fits the only candidate at one value of the path and scores the points tested on.
func (f *fold) final(ctx context.Context, m *Method, b *grid, value float64, res *Run) error {
	b = f.sliced(b)
	p, offsets, err := f.problem(b.path.Loss)
	if err != nil {
		return err
	}
	test := f.split.Test
	out := make([]float64, len(test)*len(offsets))
	return walk(ctx, p, b, []float64{value}, m.solver(), m.settings(), func(c candidate, a *answer) error {
		if a.failed() {
			return fmt.Errorf("K(θ) + λI is not positive definite with %v", c.Loss)
		}
		newPredictor(f.grams.(kernel.Sliced).Block(test, f.split.Train), len(test), len(f.split.Train)).predict(out, a, offsets)
		for i, v := range out {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the prediction for point %d is %g", test[i%len(test)]+1, v)
			}
		}
		res.Score = model.Measure(out, f.labels(test), f.code)
		res.Constant, res.Value, res.Label = c.Constant, c.Value, c.Label
		res.Theta = slices.Clone(a.theta)
		res.Status, res.Kind, res.Gap = a.status, a.kind, a.gap
		return nil
	})
}
