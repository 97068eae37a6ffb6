package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
)

// Selection says how a method's constants are chosen from its grid: by the smallest error on
// points left out.
type Selection struct {
	// Folds is the number of folds of cross-validation. If Folds is 0, it is 10, or the number of
	// points where that is less. LeaveOneOut takes the residuals of every point from one
	// factorisation of the whole: θ and what the family fits are not learned again without the
	// point, so it is exact for a rule that looks at no target and optimistic for a solver.
	Folds int
	// Once chooses on all the data, before it is split, as the papers do. The points tested on
	// then had a part in the choice: the scores are optimistic. If Once is false, the choice is
	// made inside each training part.
	Once bool
	// By is RMSE or, for ±1 labels, ErrorRate, of which ties go to the smaller RMSE. If By is
	// empty, it is RMSE.
	By Metric
}

// LeaveOneOut is the value of Selection.Folds for as many folds as points.
const LeaveOneOut = -1

func (s Selection) validate(classes bool) error {
	switch {
	case s.Folds != 0 && s.Folds != LeaveOneOut && s.Folds < 2:
		return fmt.Errorf("study: selection by %d folds, want 2 or more, LeaveOneOut, or 0 for 10", s.Folds)
	case s.By != "" && s.By != RMSE && s.By != ErrorRate:
		return fmt.Errorf("study: selection by %q, want %q or %q", s.By, RMSE, ErrorRate)
	case s.By == ErrorRate && !classes:
		return fmt.Errorf("study: selection by %q, want %q where targets are numbers", s.By, RMSE)
	}
	return nil
}

// splits are the folds of targets y; leave-one-out has one, without a test part.
func (s Selection) splits(y []float64, seed uint64) ([]Split, error) {
	switch s.Folds {
	case LeaveOneOut:
		all := make([]int, len(y))
		for i := range all {
			all[i] = i
		}
		return []Split{{Train: all}}, nil
	case 0:
		return KFold(y, min(10, len(y)), seed)
	}
	return KFold(y, s.Folds, seed)
}

// Cell is the error at one place of the grid, over all folds.
type Cell struct {
	Lambda float64
	Set    string  // the alternative beside λ: the radius of a ball, a single kernel
	N      int     // points left out and predicted
	Square float64 // Σ(f−y)²
	Wrong  int     // points with the wrong sign, of ±1 labels
	Early  int     // folds in which the solver ended before the gap it was asked for
	Failed int     // folds in which K(θ) + λI was not positive definite
}

// RMSE is √(Square/N).
func (c Cell) RMSE() float64 { return math.Sqrt(c.Square / float64(c.N)) }

// ErrorRate is Wrong/N.
func (c Cell) ErrorRate() float64 { return float64(c.Wrong) / float64(c.N) }

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
		for _, v := range p.Y {
			mean += v / float64(len(p.Y))
		}
		flat := true
		for _, v := range p.Y {
			flat = flat && v == p.Y[0]
		}
		if flat {
			mean = p.Y[0] // no rounding: the rest is 0 exactly
		}
		for i := range p.Y {
			p.Y[i] -= mean
		}
	}
	return p, mean, nil
}

// tried returns the errors of a grid on f, one cell for each alternative and λ in order.
func (f *fold) tried(ctx context.Context, m *Method, alts []alternative, lambdas []float64) ([]Cell, error) {
	p, mean, err := f.problem()
	if err != nil {
		return nil, err
	}
	cells := make([]Cell, len(alts)*len(lambdas))
	for i := range cells {
		cells[i].Lambda, cells[i].Set = lambdas[i%len(lambdas)], alts[i/len(lambdas)].Label
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
	err = walk(ctx, p, m.solver(), alts, lambdas, mkl.Settings{Gap: m.gap(), Iterations: m.iterations()}, func(a *answer) error {
		c := &cells[a.alt*len(lambdas)+a.lambda]
		if a.failed() {
			c.Failed++
			return nil
		}
		if a.status.Early() {
			c.Early++
		}
		if loo {
			if err := leaveOneOut(out, p, alts[a.alt], lambdas[a.lambda], a); err != nil {
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
func leaveOneOut(dst []float64, p *mkl.Problem, alt alternative, lambda float64, a *answer) error {
	pt := a.point
	if pt == nil {
		pt = alt.problem(p, lambda).NewPoint()
		copy(pt.Theta, a.theta)
		if err := pt.Evaluate(nil, innerTol); err != nil {
			return err
		}
	}
	if !pt.LeaveOneOut(dst) {
		return fmt.Errorf("study: no residuals of leave-one-out at λ = %g", lambda)
	}
	for i, r := range dst {
		dst[i] = p.Y[i] - r
	}
	return nil
}

// merge adds the cells of another fold.
func merge(sum, more []Cell) []Cell {
	if sum == nil {
		return slices.Clone(more)
	}
	for i, c := range more {
		s := &sum[i]
		s.N += c.N
		s.Square += c.Square
		s.Wrong += c.Wrong
		s.Early += c.Early
		s.Failed += c.Failed
	}
	return sum
}

// best is the number of the cell with the smallest error, the first of several. Cells that failed
// in a fold are left out; it is −1 where all did.
func best(cells []Cell, by Metric) int {
	at := -1
	for i, c := range cells {
		if c.Failed > 0 || math.IsNaN(c.Square) {
			continue
		}
		if at >= 0 {
			b := cells[at]
			if by == ErrorRate && c.Wrong != b.Wrong {
				if c.Wrong > b.Wrong {
					continue
				}
			} else if c.Square >= b.Square {
				continue
			}
		}
		at = i
	}
	return at
}

// near is the part of the grid within so many decades of λ, in descending order, or all of it if λ
// is 0.
func near(grid []float64, lambda, within float64) []float64 {
	var l []float64
	for _, v := range grid {
		if lambda == 0 || math.Abs(math.Log10(v/lambda)) <= within+1e-9 {
			l = append(l, v)
		}
	}
	slices.Sort(l)
	slices.Reverse(l)
	return slices.Compact(l)
}
