package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
)

// Selection configures the choice of a method's hyperparameters from its grid, by the smallest error at held-out
// points.
//
// A fit to few points puts too many new points outside of its quantiles. So predictions of loss.Pinball are shifted:
// the quantile τ of the residuals of a fold's held-out points, averaged over the folds, is added to the bias
// (Cell.Shift). Conformalized quantile regression does the same with one held-out part.
//
// References:
//   - Y. Romano, E. Patterson, E. J. Candès, Conformalized quantile regression, NeurIPS 2019.
type Selection struct {
	// Folds is the number of folds of cross-validation. If Folds is 0, it is 10, or the number of points if that is
	// less. If the data has groups, folds keep them whole, and there are at most as many folds as groups.
	//
	// LeaveOneOut, for a loss that has it, computes the residuals of all points from one factorization of the matrix of
	// all points. θ and the fit of the family are not learned again without the point. It is right for a rule that does
	// not depend on targets. For learned weights it is optimistic, and more so for smaller λ, because θ has used the
	// held-out label. It ignores groups.
	Folds int
	// Once chooses on all the data, before it is split, as papers do. The test points then have influenced the choice,
	// so the scores are optimistic. If Once is false, the choice is made inside each training part.
	Once bool
	// By is RMSE or, for classes only, ErrorRate. If By is empty, it is MeanLoss if the losses bring a score of their
	// own (loss.Scored), and RMSE otherwise. RMSE cannot choose for such a loss. For classes, RMSE is
	// the error of the ±1 targets. Ties of ErrorRate go to the smaller RMSE. If the loss has point weights
	// (loss.Weighted), the errors at held-out points have these weights too.
	By Metric
	// Points, if not 0, is the largest number of points that a choice uses. If there are more, a sample of this size is
	// drawn by class; if there are groups, it has points of each group, as far as there is room. The sample is the same
	// for every method.
	Points int
	// Restarts is for problems whose F may have several minima (no global certificate). A method with the chosen
	// hyperparameters is fitted from the usual start. If F is lower at the weights of a fold, it is also fitted from
	// the weights of the fold at which F is smallest, and the result with the lower F is used. Learn sets Restarts.
	Restarts bool
}

// LeaveOneOut, as the value of Selection.Folds, means as many folds as points.
const LeaveOneOut = -1

func (s Selection) validate(classes bool) error {
	switch {
	case s.Folds != 0 && s.Folds != LeaveOneOut && s.Folds < 2:
		return fmt.Errorf("compare: %d folds for selection; use at least 2, LeaveOneOut, or 0 for 10", s.Folds)
	case s.Points < 0:
		return fmt.Errorf("compare: %d points for selection; use a positive number, or 0 for all", s.Points)
	case s.By != "" && s.By != RMSE && s.By != ErrorRate && s.By != MeanLoss:
		return fmt.Errorf("compare: selection by %q; use %q, %q or %q", s.By, RMSE, ErrorRate, MeanLoss)
	case s.By == ErrorRate && !classes:
		return fmt.Errorf("compare: selection by %q; use %q for numeric targets", s.By, RMSE)
	}
	return nil
}

// forLosses returns s with By for the losses of the grids of methods with these names.
func (s Selection) forLosses(grids []*grid, methods []Method) (Selection, error) {
	with, without := -1, -1 // a method whose loss brings a score, and one whose loss does not
	for i, g := range grids {
		if _, ok := g.path.Loss.(loss.Scored); ok {
			with = i
		} else {
			without = i
		}
	}
	switch {
	case with >= 0 && s.By == RMSE:
		return s, fmt.Errorf("compare: method %q: %v is not chosen by %q; leave Selection.By empty", methods[with].Name,
			grids[with].path, s.By)
	case without >= 0 && s.By == MeanLoss:
		return s, fmt.Errorf("compare: method %q: %v brings no score (loss.Scored); leave Selection.By empty",
			methods[without].Name, grids[without].path)
	case with >= 0 && without >= 0 && s.By == "":
		return s, fmt.Errorf("compare: the loss of method %q brings a score (loss.Scored), and the loss of %q "+
			"has none; compare them in two studies", methods[with].Name, methods[without].Name)
	case with >= 0 && s.By == "":
		s.By = MeanLoss
	}
	return s, nil
}

// splits returns the folds of points with targets y. Folds keep groups whole, if there are any. Leave-one-out has one
// split without a test part.
func (s Selection) splits(y []float64, group []string, seed uint64) ([]Split, error) {
	switch s.Folds {
	case LeaveOneOut:
		return []Split{{Train: points.AllIndices(len(y))}}, nil
	case 0:
		u, err := units(y, []Draw{ByGroup(group)})
		if err != nil {
			return nil, err
		}
		return KFold(y, min(10, len(u.y)), seed, ByGroup(group))
	}
	return KFold(y, s.Folds, seed, ByGroup(group))
}

// folds returns the splits of some rows of the data, which have these targets and groups.
func (s Selection) folds(rows []int, y []float64, group []string, seed uint64) (folds []Split, err error) {
	splits, err := s.splits(y, group, seed)
	for _, f := range splits {
		folds = append(folds, Split{Train: points.Pick(rows, f.Train), Test: points.Pick(rows, f.Test)})
	}
	return folds, err
}

// Metric returns By, or RMSE if By is empty.
func (s Selection) Metric() Metric {
	if s.By == "" {
		return RMSE
	}
	return s.By
}

// String returns the name of the method of cross-validation.
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
	Value  float64 // of the loss's hyperparameter, λ or C
	Label  string  // the other hyperparameters: the radius of a ball, a single kernel
	N      int     // number of predictions at held-out points
	Weight float64 // sum of the weights of these points in the loss; N if the loss has none
	// Square is Σ(f−y)², with the weights of the points. Several columns count by their mean. Several targets are in
	// units of their standard deviations.
	Square float64
	Loss   float64 // sum of the scores of the loss, with the weights of the points, if it brings one (loss.Scored)
	Wrong  float64 // sum of the weights of the points that were assigned to a wrong class
	Early  int     // folds in which the solver ended before it reached the requested gap
	Failed int     // folds in which the inner problem had no solution: K(θ) + λI not positive definite
	// Shift is the number for each column that moves predictions of a quantile (loss.Pinball) to that quantile of the
	// held-out points, in the units of the loss. It is nil for other losses.
	Shift []float64
	// Starts are the θ of the folds without a proved global minimum. The fit to all points may start from one of them.
	// Only the chosen cell has them.
	Starts [][]float64
}

// RMSE returns √(Square/Weight).
func (c Cell) RMSE() float64 { return math.Sqrt(c.Square / c.Weight) }

// ErrorRate returns Wrong/Weight.
func (c Cell) ErrorRate() float64 { return c.Wrong / c.Weight }

// MeanLoss returns Loss/Weight.
func (c Cell) MeanLoss() float64 { return c.Loss / c.Weight }

// Error returns the error by which cells are compared: RMSE, ErrorRate or MeanLoss.
func (c Cell) Error(by Metric) float64 {
	switch by {
	case ErrorRate:
		return c.ErrorRate()
	case MeanLoss:
		return c.MeanLoss()
	}
	return c.RMSE()
}

// add adds a point with its weight, its squared error, its score, and whether it was assigned to a wrong class.
func (c *Cell) add(weight, square, score float64, wrong bool) {
	c.N++
	c.Weight += weight
	c.Square += weight * square
	c.Loss += weight * score
	if wrong {
		c.Wrong += weight
	}
}

// mean returns the mean error of a point: the mean squared error, the rate of wrong points, or the mean loss.
func (c Cell) mean(by Metric) float64 {
	if by == ErrorRate || by == MeanLoss {
		return c.Error(by)
	}
	return c.Square / c.Weight
}

// smooth returns the sum of which the smaller is better: Loss if cells are compared by it, otherwise Square. It decides
// between equal numbers of wrong points.
func (c Cell) smooth(by Metric) float64 {
	if by == MeanLoss {
		return c.Loss
	}
	return c.Square
}

// together returns the sum of the cells of all folds.
func together(folds []Cell) Cell {
	s := folds[0]
	if s.Shift != nil {
		s.Shift = make([]float64, len(s.Shift))
		for _, c := range folds {
			floats.AddScaled(s.Shift, 1/float64(len(folds)), c.Shift)
		}
	}
	for _, c := range folds[1:] {
		s.N += c.N
		s.Weight += c.Weight
		s.Square += c.Square
		s.Loss += c.Loss
		s.Wrong += c.Wrong
		s.Early += c.Early
		s.Failed += c.Failed
		s.Starts = slices.Concat(s.Starts, c.Starts)
	}
	return s
}

// best returns the index of the cell with the smallest error, the first of several. It ignores cells that failed in a
// fold, and returns −1 if all did.
func best(cells []Cell, by Metric) int {
	at := -1
	for i, c := range cells {
		if c.Failed > 0 || math.IsNaN(c.smooth(by)) {
			continue
		}
		if at >= 0 {
			b := cells[at]
			if by == ErrorRate && c.Wrong != b.Wrong {
				if c.Wrong > b.Wrong {
					continue
				}
			} else if c.smooth(by) >= b.smooth(by) {
				continue
			}
		}
		at = i
	}
	return at
}
