package compare

import (
	"fmt"
	"math"
	"slices"
)

// Selection says how a method's constants are chosen from its grid: by the smallest error on
// points left out.
type Selection struct {
	// Folds is the number of folds of cross-validation. If Folds is 0, it is 10, or the number of
	// points where that is less. Folds keep the groups of the data whole, where it has groups, and are
	// then no more than these. LeaveOneOut, for a loss that has it, takes the residuals of every
	// point from one factorisation of the whole: θ and what the family fits are not learned again
	// without the point. It is right for a rule that looks at no target; for learned weights it is
	// optimistic, and the more so the smaller λ: θ has seen the label left out. It looks at no group.
	Folds int
	// Once chooses on all the data, before it is split, as the papers do. The points tested on
	// then had a part in the choice: the scores are optimistic. If Once is false, the choice is
	// made inside each training part.
	Once bool
	// By is RMSE, of classes that of the ±1 targets, or for classes ErrorRate, of which ties go to
	// the smaller RMSE. If By is empty, it is RMSE. Where the loss has weights of points (loss.Weighted),
	// errors at points left out have them too.
	By Metric
	// Points, if not 0, is the most points that a choice looks at: of more it draws so many, by class,
	// where there are groups some of each, the same for every method.
	Points int
	// Restarts fits a method with the constants chosen twice where F may have several minima (no global certificate):
	// anew, and from the weights of the fold where F is least; the lower F is taken. Learn does.
	Restarts bool
}

// LeaveOneOut is the value of Selection.Folds for as many folds as points.
const LeaveOneOut = -1

func (s Selection) validate(classes bool) error {
	switch {
	case s.Folds != 0 && s.Folds != LeaveOneOut && s.Folds < 2:
		return fmt.Errorf("compare: selection by %d folds, want 2 or more, LeaveOneOut, or 0 for 10", s.Folds)
	case s.Points < 0:
		return fmt.Errorf("compare: selection on %d points, want more than 0, or 0 for all", s.Points)
	case s.By != "" && s.By != RMSE && s.By != ErrorRate:
		return fmt.Errorf("compare: selection by %q, want %q or %q", s.By, RMSE, ErrorRate)
	case s.By == ErrorRate && !classes:
		return fmt.Errorf("compare: selection by %q, want %q where targets are numbers", s.By, RMSE)
	}
	return nil
}

// splits are the folds of points with targets y, which keep groups whole where there are any; leave-one-out has
// one, without a test part.
func (s Selection) splits(y []float64, group []string, seed uint64) ([]Split, error) {
	switch s.Folds {
	case LeaveOneOut:
		return []Split{{Train: upTo(len(y))}}, nil
	case 0:
		u, err := units(y, []Draw{ByGroup(group)})
		if err != nil {
			return nil, err
		}
		return KFold(y, min(10, len(u.y)), seed, ByGroup(group))
	}
	return KFold(y, s.Folds, seed, ByGroup(group))
}

// folds are the splits of some rows of the data with these targets and groups.
func (s Selection) folds(rows []int, y []float64, group []string, seed uint64) (folds []Split, err error) {
	splits, err := s.splits(y, group, seed)
	for _, f := range splits {
		folds = append(folds, Split{Train: at(rows, f.Train), Test: at(rows, f.Test)})
	}
	return folds, err
}

// Metric is By with its default.
func (s Selection) Metric() Metric {
	if s.By == "" {
		return RMSE
	}
	return s.By
}

// String is how constants are chosen.
func (s Selection) String() string {
	how := "10-fold cross-validation"
	if s.Folds == LeaveOneOut {
		how = "leave-one-out"
	} else if s.Folds != 0 {
		how = fmt.Sprintf("%d-fold cross-validation", s.Folds)
	}
	return how
}

// Cell is the error at one place of the grid, over all folds.
type Cell struct {
	Value  float64 // of the loss's constant, λ or C
	Label  string  // what else is tried: the radius of a ball, a single kernel
	N      int     // points left out and predicted
	Weight float64 // the sum of their weights in the loss; N where it has none
	// Σ(f−y)², each times its weight, of several columns their mean; of several targets in units of their standard
	// deviations
	Square float64
	Wrong  float64 // the weights of points of another class than decided
	Early  int     // folds in which the solver ended before the gap it was asked for
	Failed int     // folds in which the inner problem had no solution: K(θ) + λI not positive definite
	// θ of the folds that are no proved minimum: what is learned of all points starts from one; of the cell chosen
	// alone
	Starts [][]float64
}

// RMSE is √(Square/Weight).
func (c Cell) RMSE() float64 { return math.Sqrt(c.Square / c.Weight) }

// ErrorRate is Wrong/Weight.
func (c Cell) ErrorRate() float64 { return c.Wrong / c.Weight }

// Error is the one that is compared, RMSE or ErrorRate.
func (c Cell) Error(by Metric) float64 {
	if by == ErrorRate {
		return c.ErrorRate()
	}
	return c.RMSE()
}

// add counts a point of that weight, its squared error and whether it is of another class than decided.
func (c *Cell) add(weight, square float64, wrong bool) {
	c.N++
	c.Weight += weight
	c.Square += weight * square
	if wrong {
		c.Wrong += weight
	}
}

// loss is the mean that the error is of: of squares, or of wrong points.
func (c Cell) loss(by Metric) float64 {
	if by == ErrorRate {
		return c.ErrorRate()
	}
	return c.Square / c.Weight
}

// together adds the cells of all folds.
func together(folds []Cell) Cell {
	s := folds[0]
	for _, c := range folds[1:] {
		s.N += c.N
		s.Weight += c.Weight
		s.Square += c.Square
		s.Wrong += c.Wrong
		s.Early += c.Early
		s.Failed += c.Failed
		s.Starts = slices.Concat(s.Starts, c.Starts)
	}
	return s
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
