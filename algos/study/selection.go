package study

import (
	"fmt"
	"math"
	"slices"
)

// Selection says how a method's constants are chosen from its grid: by the smallest error on
// points left out.
type Selection struct {
	// Folds is the number of folds of cross-validation. If Folds is 0, it is 10, or the number of
	// points where that is less. LeaveOneOut, for a loss that has it, takes the residuals of every
	// point from one factorisation of the whole: θ and what the family fits are not learned again
	// without the point. It is right for a rule that looks at no target; for learned weights it is
	// optimistic, and the more so the smaller λ: θ has seen the label left out.
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
		return []Split{{Train: upTo(len(y))}}, nil
	case 0:
		return KFold(y, min(10, len(y)), seed)
	}
	return KFold(y, s.Folds, seed)
}

// upTo is 0 … n−1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// String is how constants are chosen.
func (s Selection) String() string {
	switch s.Folds {
	case 0:
		return "10-fold cross-validation"
	case LeaveOneOut:
		return "leave-one-out"
	}
	return fmt.Sprintf("%d-fold cross-validation", s.Folds)
}

// Cell is the error at one place of the grid, over all folds.
type Cell struct {
	Value  float64 // of the loss's constant, λ or C
	Label  string  // what else is tried: the radius of a ball, a single kernel
	N      int     // points left out and predicted
	Square float64 // Σ(f−y)²
	Wrong  int     // points with the wrong sign, of ±1 labels
	Early  int     // folds in which the solver ended before the gap it was asked for
	Failed int     // folds in which the inner problem had no solution: K(θ) + λI not positive definite
}

// RMSE is √(Square/N).
func (c Cell) RMSE() float64 { return math.Sqrt(c.Square / float64(c.N)) }

// ErrorRate is Wrong/N.
func (c Cell) ErrorRate() float64 { return float64(c.Wrong) / float64(c.N) }

// together adds the cells of all folds.
func together(folds [][]Cell) []Cell {
	sum := slices.Clone(folds[0])
	for _, cells := range folds[1:] {
		for i, c := range cells {
			s := &sum[i]
			s.N += c.N
			s.Square += c.Square
			s.Wrong += c.Wrong
			s.Early += c.Early
			s.Failed += c.Failed
		}
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
