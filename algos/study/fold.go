package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// fold is one division of a problem on which a grid is tried.
type fold struct {
	grams   kernel.Grams // of all points
	y       []float64
	split   Split
	centre  bool // take the mean of the training targets away, and add it to predictions
	classes bool
}

// problem is the training part, without loss and set, and the mean taken from its targets.
func (f *fold) problem() (*mkl.Problem, float64, error) {
	p, err := (&mkl.Problem{Grams: f.grams, Y: f.y}).Slice(f.split.Train)
	if err != nil {
		return nil, 0, err
	}
	mean := 0.0
	if f.centre {
		mean = stat.Mean(p.Y, nil)
		if slices.Min(p.Y) == slices.Max(p.Y) {
			mean = p.Y[0] // no rounding: the rest is 0 exactly
		}
		floats.AddConst(-mean, p.Y)
	}
	return p, mean, nil
}

// tried returns the errors of m's grid on f, one cell for each candidate beside the path and each of
// the given values of the path, in order.
func (f *fold) tried(ctx context.Context, m *Method, b *grid, values []float64) ([]Cell, error) {
	p, mean, err := f.problem()
	if err != nil {
		return nil, err
	}
	cells := make([]Cell, len(b.others)*len(values))
	for i := range cells {
		cells[i].Value, cells[i].Label = values[i%len(values)], b.others[i/len(values)].Label
	}
	loo := len(f.split.Test) == 0
	var pred *predictor
	out, y := make([]float64, len(f.split.Test)), make([]float64, len(f.split.Test))
	if loo {
		out, y = make([]float64, len(p.Y)), p.Y // centred, as the predictions of them are
	} else {
		pred = newPredictor(f.grams.(kernel.Sliced).Block(f.split.Test, f.split.Train), len(out), len(p.Y))
		for i, r := range f.split.Test {
			y[i] = f.y[r]
		}
	}
	err = walk(ctx, p, b, values, m.solver(), m.settings(), func(cand candidate, a *answer) error {
		c := &cells[a.other*len(values)+a.at]
		if a.failed() {
			c.Failed++
			return nil
		}
		if a.status.Early() {
			c.Early++
		}
		if loo {
			if err := leaveOneOut(out, cand.problem(p), a); err != nil {
				return err
			}
		} else {
			pred.predict(out, a, mean)
		}
		for i, v := range out {
			c.Square += (v - y[i]) * (v - y[i])
			if f.classes {
				label := y[i]
				if loo {
					label, v = f.y[f.split.Train[i]], v+f.y[f.split.Train[i]]-y[i]
				}
				if (v >= 0) != (label > 0) {
					c.Wrong++
				}
			}
		}
		c.N += len(out)
		return nil
	})
	return cells, err
}

// leaveOneOut stores f₋ᵢ(x_i) in dst.
func leaveOneOut(dst []float64, p *mkl.Problem, a *answer) error {
	pt := a.point
	if pt == nil {
		pt = p.NewPoint()
		pt.Threads = 1
		copy(pt.Theta, a.theta)
		if err := pt.Evaluate(nil, innerTol); err != nil {
			return err
		}
	}
	if !pt.LeaveOneOut(dst) {
		return fmt.Errorf("study: no residuals of leave-one-out from %v", p.Loss)
	}
	for i, r := range dst {
		dst[i] = p.Y[i] - r
	}
	return nil
}

// final fits the only candidate at one value of the path and scores the points tested on.
func (f *fold) final(ctx context.Context, m *Method, b *grid, value float64, res *Run) error {
	p, mean, err := f.problem()
	if err != nil {
		return err
	}
	out, y := make([]float64, len(f.split.Test)), make([]float64, len(f.split.Test))
	for i, r := range f.split.Test {
		y[i] = f.y[r]
	}
	return walk(ctx, p, b, []float64{value}, m.solver(), m.settings(), func(c candidate, a *answer) error {
		if a.failed() {
			return fmt.Errorf("K(θ) + λI is not positive definite with %v", c.Loss)
		}
		newPredictor(f.grams.(kernel.Sliced).Block(f.split.Test, f.split.Train), len(out), len(p.Y)).predict(out, a, mean)
		for i, v := range out {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the prediction for point %d is %g", f.split.Test[i]+1, v)
			}
		}
		res.Score = model.Measure(out, y, f.classes)
		res.Constant, res.Value, res.Label = c.Constant, c.Value, c.Label
		res.Theta = slices.Clone(a.theta)
		res.Status, res.Kind, res.Gap = a.status, a.kind, a.gap
		return nil
	})
}
