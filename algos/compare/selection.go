package compare

import (
	"cmp"
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
// With loss.Pinball a method predicts the quantile τ. If the training points are few, a share of new points that
// differs from τ is below the prediction. So a constant is added to the bias (Cell.Shift): the τ quantile of the
// residuals at the held-out points of each fold, averaged over the folds. Conformalized quantile regression does the
// same with one held-out part.
//
// References:
//   - Y. Romano, E. Patterson, E. J. Candès, Conformalized quantile regression, NeurIPS 2019.
type Selection struct {
	// Folds is the number of folds of cross-validation. If Folds is 0, it is 10, or the number of points if that is
	// less. If the data has groups, folds keep them whole, and there are at most as many folds as groups.
	Folds int
	// Once chooses hyperparameters one time, on all the data, as the experiments in many papers do. The test points
	// then influence the choice, so the scores are optimistic. If Once is false, the choice is made inside each
	// training part.
	Once bool
	// By is the metric that the choice minimizes: RMSE or, for classes only, ErrorRate. If By is empty, it is MeanLoss
	// if the losses define a score (loss.Scored), and RMSE otherwise. RMSE is an error for a loss that defines a score.
	// For classes, RMSE is the error of the ±1 targets. If ErrorRates are equal, the smaller RMSE decides.
	By Metric
	// Points, if not 0, is the largest number of points that a choice uses. If there are more, the choice uses a sample
	// of this size, stratified by class, which is the same for every method.
	Points int
	// Restarts is for problems whose F may have several minima (no global certificate). A method with the chosen
	// hyperparameters is fitted from the usual start. If F is lower at the weights of a fold, it is also fitted from
	// the weights of the fold at which F is smallest, and the result with the lower F is used. Learn sets Restarts.
	Restarts bool
}

func (s Selection) validate(isClassification bool) error {
	switch {
	case s.Folds != 0 && s.Folds < 2:
		return fmt.Errorf("compare: %d folds for selection; use at least 2, or 0 for 10", s.Folds)
	case s.Points < 0:
		return fmt.Errorf("compare: %d points for selection; use a positive number, or 0 for all", s.Points)
	case s.By != "" && s.By != RMSE && s.By != ErrorRate && s.By != MeanLoss:
		return fmt.Errorf("compare: selection by %q; use %q, %q or %q", s.By, RMSE, ErrorRate, MeanLoss)
	case s.By == ErrorRate && !isClassification:
		return fmt.Errorf("compare: selection by %q; use %q for numeric targets", s.By, RMSE)
	}
	return nil
}

// withLossMetric returns s with By set to MeanLoss if By is empty and the losses of grids, one for each of methods,
// define a score (loss.Scored). It returns an error if By does not suit the losses, or if only some of
// them define a score.
func (s Selection) withLossMetric(grids []*grid, methods []Method) (Selection, error) {
	scoredIndex, unscoredIndex := -1, -1 // index of a method whose loss defines a score, and of one whose loss does not
	for i, g := range grids {
		if _, ok := g.path.Loss.(loss.Scored); ok {
			scoredIndex = i
		} else {
			unscoredIndex = i
		}
	}
	switch {
	case scoredIndex >= 0 && s.By == RMSE:
		return s, fmt.Errorf("compare: method %q: %v cannot be chosen by %q; leave Selection.By empty",
			methods[scoredIndex].Name, grids[scoredIndex].path, s.By)
	case unscoredIndex >= 0 && s.By == MeanLoss:
		return s, fmt.Errorf("compare: method %q: %v defines no score (loss.Scored); leave Selection.By empty",
			methods[unscoredIndex].Name, grids[unscoredIndex].path)
	case scoredIndex >= 0 && unscoredIndex >= 0 && s.By == "":
		return s, fmt.Errorf("compare: the loss of method %q defines a score (loss.Scored), and the loss of "+
			"%q does not; compare them in two studies", methods[scoredIndex].Name, methods[unscoredIndex].Name)
	case scoredIndex >= 0 && s.By == "":
		s.By = MeanLoss
	}
	return s, nil
}

// newSplits returns the folds for points with targets y. If group is not nil, all points of a group are in the same
// part of each fold.
func (s Selection) newSplits(y []float64, group []string, seed uint64) ([]Split, error) {
	if s.Folds == 0 {
		return kFoldAtMost(y, group, 10, seed)
	}
	return KFold(y, s.Folds, seed, ByGroup(group))
}

// newFolds is like newSplits for the points rows of the data, whose targets are y and whose groups are group. The
// splits contain indices of the data.
func (s Selection) newFolds(rows []int, y []float64, group []string, seed uint64) (folds []Split, err error) {
	splits, err := s.newSplits(y, group, seed)
	if err != nil {
		return nil, fmt.Errorf("Selection.Folds: %w", err)
	}
	for _, f := range splits {
		folds = append(folds, Split{Train: points.Pick(rows, f.Train), Test: points.Pick(rows, f.Test)})
	}
	return folds, nil
}

// Metric returns By, or RMSE if By is empty. It does not know the losses, for which a run may use MeanLoss.
func (s Selection) Metric() Metric {
	if s.By == "" {
		return RMSE
	}
	return s.By
}

// String returns the name of the kind of cross-validation, for example "10-fold cross-validation".
func (s Selection) String() string {
	return fmt.Sprintf("%d-fold cross-validation", cmp.Or(s.Folds, 10))
}

// Cell is the cross-validation error of one candidate at one value of the loss's hyperparameter, summed over all folds.
type Cell struct {
	Value float64 // of the loss's hyperparameter, λ or C
	N     int     // number of predictions at held-out points
	// Square is Σ (f−y)² over held-out points with prediction f and target y. If there are several target columns,
	// (f−y)² is the mean over them. If there are several targets, each is in units of its standard deviation.
	Square float64
	Loss   float64 // Σ score over held-out points, if the loss defines a score (loss.Scored)
	Wrong  int     // number of points that were assigned to a wrong class
	Failed int     // folds in which the inner problem had no solution: K(θ) + λI not positive definite
	// Shift is a number for each target column that is added to predictions of the quantile τ (loss.Pinball). With it,
	// about a share τ of the held-out targets are below their predictions. It is nil for other losses. It is in
	// the units of the targets that are fitted.
	Shift []float64
	// Starts are the θ of the folds in which no global minimum was certified. The fit to all points may start from one
	// of them (Selection.Restarts). Starts is nil in all cells except the chosen one.
	Starts [][]float64
}

// Error returns the error by which cells are compared: √(Square/N) for RMSE, Wrong/N for ErrorRate, or Loss/N for
// MeanLoss.
func (c Cell) Error(by Metric) float64 {
	if by == ErrorRate || by == MeanLoss {
		return c.meanError(by)
	}
	return math.Sqrt(c.meanError(RMSE))
}

// addPoint adds a point with its squared error, its score, and whether it was assigned to a wrong class.
func (c *Cell) addPoint(square, score float64, wrong bool) {
	c.N++
	c.Square += square
	c.Loss += score
	if wrong {
		c.Wrong++
	}
}

// meanError returns the mean over held-out points of the error that by names: the squared error for RMSE, the share of
// wrong points for ErrorRate, or the loss for MeanLoss.
func (c Cell) meanError(by Metric) float64 {
	switch by {
	case ErrorRate:
		return float64(c.Wrong) / float64(c.N)
	case MeanLoss:
		return c.Loss / float64(c.N)
	}
	return c.Square / float64(c.N)
}

// continuousMetric returns MeanLoss if by is MeanLoss, otherwise RMSE. Cells are compared by it, also for ErrorRate if
// the numbers of wrong points are equal.
func continuousMetric(by Metric) Metric {
	if by == MeanLoss {
		return MeanLoss
	}
	return RMSE
}

// sumCells returns one cell with the sums over folds. Its Shift is the mean over folds.
func sumCells(folds []Cell) Cell {
	s := folds[0]
	if s.Shift != nil {
		s.Shift = make([]float64, len(s.Shift))
		for _, c := range folds {
			floats.AddScaled(s.Shift, 1/float64(len(folds)), c.Shift)
		}
	}
	for _, c := range folds[1:] {
		s.N += c.N
		s.Square += c.Square
		s.Loss += c.Loss
		s.Wrong += c.Wrong
		s.Failed += c.Failed
		s.Starts = slices.Concat(s.Starts, c.Starts)
	}
	return s
}

// bestIndex returns the index of the cell with the smallest error; of equal errors, the first. It ignores cells that
// failed in a fold, and returns −1 if all did.
func bestIndex(cells []Cell, by Metric) int {
	at, continuous := -1, continuousMetric(by)
	for i, c := range cells {
		if c.Failed > 0 || math.IsNaN(c.meanError(continuous)) {
			continue
		}
		if at < 0 || by == ErrorRate && c.Wrong < cells[at].Wrong ||
			(by != ErrorRate || c.Wrong == cells[at].Wrong) &&
				c.meanError(continuous) < cells[at].meanError(continuous) {
			at = i
		}
	}
	return at
}
