package fit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/internal/random"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
)

// Selection configures the choice of hyperparameters from a grid, by the smallest error at held-out points.
//
// The error of each held-out point has the weight of the point in the loss (loss.Weighted).
//
// With loss.Pinball a method predicts the quantile τ of the targets. After few training points, the share of new
// targets below the predictions may differ from τ. So the final model adds the τ quantile of one more residual that is
// exchangeable with those at the held-out points of all folds. Conformalized quantile regression computes such a
// correction from one held-out part. If τ is too near to 0 or 1 for the number of points, it is the smallest or the
// largest residual.
//
// References:
//   - Y. Romano, E. Patterson, E. J. Candès, Conformalized quantile regression, NeurIPS 2019.
type Selection struct {
	// Folds is the number of folds of cross-validation. If it is 0, there are 10 folds, or as many as points or groups
	// if these are fewer. If the data has groups, each group is in one fold.
	Folds int
	// OnAllData chooses hyperparameters one time, on all the data, as the experiments in many papers do. The test
	// points then influence the choice, so the scores are optimistic. If OnAllData is false, the choice is made inside
	// each training part.
	OnAllData bool
	// By is the metric of the choice: RMSE, MeanLoss (only for losses that define a score, loss.Scored) or, for
	// classes only, ErrorRate, Accuracy, Balanced, F1, PositiveF1, AUC or LogLoss. If By is empty, it is MeanLoss for
	// such losses, which do not allow RMSE, and RMSE otherwise. For classes, RMSE is computed from the ±1 targets. If
	// errors of another metric are equal, the RMSE decides. The log loss is that of sigmoids of the decision values at
	// the held-out points of all folds, each fitted to other points than it is scored on (model.ScoreCalibrated). It
	// falls with the number of points to which sigmoids are fitted, so that of a test part depends on its size.
	By model.Metric
	// MaxPoints, if not 0, limits the number of points on which hyperparameters are chosen. If there are more, the
	// choice uses a sample of this size, stratified by class and the same for every method.
	MaxPoints int
	// FinalPoints, if not 0, adds a final round if a method is selected among others (Best) and
	// MaxPoints omits points. Each of the others, with its chosen hyperparameters, is fitted to at most FinalPoints
	// points and tested on at most as many other points. The method with the smallest error there is selected. On few
	// points the best method can be another one: a narrow single kernel instead of a sum, for example.
	FinalPoints int
	// RestartFromFolds is for problems whose objective F may have several minima (no global certificate). A method with
	// the chosen hyperparameters is fitted from the usual start. If the weights θ learned in some fold of the
	// cross-validation give a smaller F than this fit, the method is fitted a second time, from the best of these θ,
	// and the result with the smaller F is used. Learn sets RestartFromFolds.
	RestartFromFolds bool
}

// validate returns an error if a field of s is out of range, or if the metric By does not suit the targets.
func (s Selection) validate(isClassification bool) error {
	switch {
	case s.Folds != 0 && s.Folds < 2:
		return fmt.Errorf("fit: Selection.Folds is %d; use at least 2, or 0 for 10 folds", s.Folds)
	case s.MaxPoints < 0:
		return fmt.Errorf("fit: Selection.MaxPoints is %d; use a positive number, or 0 for all points", s.MaxPoints)
	case s.FinalPoints < 0:
		return fmt.Errorf("fit: Selection.FinalPoints is %d; use a positive number, or 0 for no final round",
			s.FinalPoints)
	case s.By != "" && s.By != model.RMSE && s.By != model.ErrorRate && s.By != model.MeanLoss && !s.hasFoldMetric():
		return fmt.Errorf("fit: Selection.By is %q; use one of %q", s.By, append([]model.Metric{model.RMSE,
			model.ErrorRate, model.MeanLoss}, foldMetrics...))
	case (s.By == model.ErrorRate || s.hasFoldMetric()) && !isClassification:
		return fmt.Errorf("fit: the targets are numbers, but Selection.By is %q; use %q", s.By, model.RMSE)
	}
	return nil
}

// foldMetrics are metrics of classes whose error is a mean over the folds, because most of them are no mean over
// points: the mean of 1 − metric. For LogLoss, it is the log loss of all held-out points together.
var foldMetrics = []model.Metric{model.Accuracy, model.Balanced, model.F1, model.PositiveF1, model.AUC, model.LogLoss}

func (s Selection) hasFoldMetric() bool { return slices.Contains(foldMetrics, s.By) }

// newFoldsOfPoints returns the cross-validation folds of points with targets y. If group is not nil, all points of a
// group are in the same part of each fold.
func (s Selection) newFoldsOfPoints(y []float64, group []string, seed uint64) ([]Split, error) {
	if s.Folds == 0 {
		return splitIntoAtMostKFolds(y, group, 10, seed)
	}
	return KFold(y, s.Folds, seed, ByGroup(group))
}

// newFoldsOfRows returns the cross-validation folds of the points with the indices rows, whose targets are y and whose
// groups are group. The folds contain indices of the data.
func (s Selection) newFoldsOfRows(rows []int, y []float64, group []string, seed uint64) (folds []Split, err error) {
	splits, err := s.newFoldsOfPoints(y, group, seed)
	if err != nil {
		return nil, fmt.Errorf("Selection.Folds: %w", err)
	}
	for _, f := range splits {
		folds = append(folds, Split{Train: points.Pick(rows, f.Train), Test: points.Pick(rows, f.Test)})
	}
	return folds, nil
}

// NeededFinalPoints returns the FinalPoints without which there is no final round: 1.5 times the training points of a
// fold.
func (s Selection) NeededFinalPoints() float64 {
	return 1.5 * (float64(s.MaxPoints) * (1 - 1/float64(cmp.Or(s.Folds, 10))))
}

// newFinalRound returns the split of the final round among the points with the indices rows, whose targets are y and
// whose groups are group. It is nil if there is no such round, or if it would have too few training points. Up to four
// fifths of the points are training points.
func (s Selection) newFinalRound(rows []int, y []float64, group []string, seed uint64) (*Split, error) {
	if s.FinalPoints == 0 || s.MaxPoints == 0 ||
		min(float64(s.FinalPoints), 0.8*float64(len(rows))) < s.NeededFinalPoints() {
		return nil, nil
	}
	split, err := Holdout(y, 0.2, 1, seed, ByGroup(group))
	if err != nil {
		return nil, err
	}
	rng := random.New(seed, random.Sample)
	part := func(indices []int) []int {
		rng.Shuffle(len(indices), func(i, j int) { indices[i], indices[j] = indices[j], indices[i] })
		sample := indices[:min(s.FinalPoints, len(indices))]
		slices.Sort(sample)
		return points.Pick(rows, sample)
	}
	return &Split{Train: part(split[0].Train), Test: part(split[0].Test)}, nil
}

// Metric returns By, or RMSE if By is empty. For losses that define a score, a run first sets an empty By to MeanLoss.
func (s Selection) Metric() model.Metric {
	if s.By == "" {
		return model.RMSE
	}
	return s.By
}

// String returns the name of the kind of cross-validation, for example "10-fold cross-validation".
func (s Selection) String() string {
	return fmt.Sprintf("%d-fold cross-validation", cmp.Or(s.Folds, 10))
}

// GridCell is the cross-validation error of one candidate at one value of the loss's hyperparameter. A cell holds sums
// over the held-out points of one fold or of all folds.
type GridCell struct {
	HyperparameterValue float64 // value of the loss's hyperparameter, such as λ or C
	// N is the number of held-out points or, if the loss has point weights (loss.Weighted), the sum of their weights.
	// They multiply each term of the following sums.
	N float64
	// SquaredErrorSum is Σ (f−y)² over held-out points with prediction f and target y. With several target columns,
	// (f−y)² is a mean over the columns. With several targets, each is in units of its standard deviation.
	SquaredErrorSum float64
	Loss            float64 // sum of scores at held-out points, smaller is better; 0 unless the loss is loss.Scored
	// FoldErrorSum is, for a metric of classes such as model.Balanced, the sum over FoldCount folds of 1 − metric.
	// Folds in which the metric is not defined are not counted. For model.LogLoss, a cell of several folds has the log
	// loss of all their points, and the FoldCount 1.
	FoldErrorSum float64
	FoldCount    int
	Wrong        float64 // number of held-out points with a wrong predicted class
	FailedFolds  int     // number of folds without a solution, because K(θ) + λI is not positive definite
	// Residuals contains, for loss.Pinball and for model.LogLoss, target − prediction at each held-out point, in the
	// units of the fitted targets: one list for each target column, in the order of the folds and of their test points.
	// It is nil otherwise and, after the search, except in the chosen cell.
	Residuals [][]float64
	// StartThetas holds the θ learned in each fold in which no global minimum was certified. The final fit may start
	// from one of them (Selection.RestartFromFolds). After the search, StartThetas is nil except in the chosen cell.
	StartThetas [][]float64
}

// Error returns the error by which cells are compared: √(SquaredErrorSum/N) for RMSE (and ""), Wrong/N for ErrorRate,
// Loss/N for MeanLoss, or FoldErrorSum/FoldCount for another metric.
func (c GridCell) Error(by model.Metric) float64 {
	if by == model.RMSE || by == "" {
		return math.Sqrt(c.meanError(by))
	}
	return c.meanError(by)
}

// addErrorsOfPoint adds a held-out point of this weight to c: its squared error, its score by the loss, and if its
// class is wrong.
func (c *GridCell) addErrorsOfPoint(weight, squaredError, lossScore float64, isWrong bool) {
	c.N += weight
	c.SquaredErrorSum += weight * squaredError
	c.Loss += weight * lossScore
	if isWrong {
		c.Wrong += weight
	}
}

// meanError is Error, except that it is the mean squared error for RMSE.
func (c GridCell) meanError(by model.Metric) float64 {
	if slices.Contains(foldMetrics, by) {
		return c.FoldErrorSum / float64(c.FoldCount)
	}
	switch by {
	case model.ErrorRate:
		return c.Wrong / c.N
	case model.MeanLoss:
		return c.Loss / c.N
	}
	return c.SquaredErrorSum / c.N
}

// tieBreakingMetric returns MeanLoss if by is MeanLoss, otherwise RMSE, which decides between cells with equal errors
// of another metric.
func tieBreakingMetric(by model.Metric) model.Metric {
	if by == model.MeanLoss {
		return model.MeanLoss
	}
	return model.RMSE
}

// sumCells adds up the cells of all folds, one cell per fold.
func sumCells(foldCells []GridCell) GridCell {
	s := foldCells[0]
	s.Residuals = slices.Clone(s.Residuals)
	for _, c := range foldCells[1:] {
		for j, r := range c.Residuals[:min(len(s.Residuals), len(c.Residuals))] { // none if the fold failed
			s.Residuals[j] = slices.Concat(s.Residuals[j], r)
		}
		s.N += c.N
		s.SquaredErrorSum += c.SquaredErrorSum
		s.Loss += c.Loss
		s.Wrong += c.Wrong
		s.FoldErrorSum, s.FoldCount = s.FoldErrorSum+c.FoldErrorSum, s.FoldCount+c.FoldCount
		s.FailedFolds += c.FailedFolds
		s.StartThetas = slices.Concat(s.StartThetas, c.StartThetas)
	}
	return s
}

// smallestErrorIndex returns the index of the cell with the smallest error (the first, if errors are equal). It ignores
// cells that failed in a fold or whose error is not defined, and returns −1 if all cells are such.
func smallestErrorIndex(cells []GridCell, by model.Metric) int {
	bestIndex, tieBreaker := -1, tieBreakingMetric(by)
	for i, c := range cells {
		if c.FailedFolds > 0 || math.IsNaN(c.meanError(by)) || math.IsNaN(c.meanError(tieBreaker)) {
			continue
		}
		if bestIndex < 0 || c.meanError(by) < cells[bestIndex].meanError(by) ||
			c.meanError(by) == cells[bestIndex].meanError(by) &&
				c.meanError(tieBreaker) < cells[bestIndex].meanError(tieBreaker) {
			bestIndex = i
		}
	}
	return bestIndex
}
