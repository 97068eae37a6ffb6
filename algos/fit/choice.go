package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/internal/argument"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// PrepareChoices returns a Choice for every method, on the points with the indices rows. Choose then chooses the
// hyperparameters. The seed draws the folds. messagePrefix names the points in messages; it is "" for all points.
func (r *Workspace) PrepareChoices(rows []int, seed uint64, messagePrefix string) ([]*Choice, error) {
	y, group := points.Pick(r.Data.SplitLabels(), rows), points.Pick(r.Data.Group, rows)
	finalRound, err := r.Selection.newFinalRound(rows, y, group, seed)
	if err != nil {
		return nil, fmt.Errorf("fit: %schoosing a method on %d points: %w", messagePrefix, len(rows), err)
	}
	if n := r.Selection.MaxPoints; n > 0 && n < len(rows) {
		sample, err := sampleStratified(y, n, seed)
		if err == nil && group != nil {
			sample = sampleByGroup(y, group, n, seed)
		}
		if err != nil {
			return nil, fmt.Errorf("fit: %schoosing hyperparameters on %d of %d points: %w", messagePrefix, n,
				len(rows), err)
		}
		rows, y, group = points.Pick(rows, sample), points.Pick(y, sample), points.Pick(group, sample)
	}
	var folds []Split // cross-validation folds, the same for all methods; nil until a method needs them
	choices := make([]*Choice, len(r.Methods))
	for i := range r.Methods {
		c := &Choice{workspace: r, methodIndex: i, messagePrefix: messagePrefix, grid: r.grids[i]}
		choices[i] = c
		if c.grid == nil { // a Best or a Fitter of another package
			continue
		}
		c.chosenValue = c.grid.path.GridValues()[0]
		if c.grid.cellCount() == 1 && !r.isCandidate(i) {
			continue
		}
		if earlierMethod := c.grid.path.NearMethod; earlierMethod != "" {
			c.choiceOfNearMethod = choices[r.MethodIndex(earlierMethod)]
		}
		if folds == nil {
			var err error
			if folds, err = r.Selection.newFoldsOfRows(rows, y, group, seed); err != nil {
				return nil, fmt.Errorf("fit: %schoosing hyperparameters on %d points: %w", messagePrefix,
					len(rows), err)
			}
		}
		c.selectionFolds = folds
		r.tasks.Announce(len(folds))
	}
	for i, m := range r.Methods {
		if b, ok := m.Fitter.(Best); ok {
			for _, candidate := range b.Candidates {
				choices[i].alternativeChoices = append(choices[i].alternativeChoices,
					choices[r.MethodIndex(candidate.Name)])
			}
			if len(b.Candidates) > 1 && finalRound != nil {
				choices[i].finalRound = finalRound
				r.tasks.Announce(len(b.Candidates))
			}
		}
	}
	return choices, nil
}

// isCandidate reports whether the method with this index is a candidate of a Best.
func (r *Workspace) isCandidate(methodIndex int) bool {
	return slices.ContainsFunc(r.Methods, func(m Method) bool {
		b, ok := m.Fitter.(Best)
		return ok && slices.ContainsFunc(b.Candidates,
			func(c Method) bool { return r.MethodIndex(c.Name) == methodIndex })
	})
}

// isForeign reports whether the method is neither a Search nor a Best.
func (c *Choice) isForeign() bool { return c.grid == nil && c.alternativeChoices == nil }

// search returns the Search whose hyperparameters c chooses.
func (c *Choice) search() Search { return c.Method().Search() }

// Choose chooses the candidate and the hyperparameter value with the smallest cross-validation error. Only the first
// call computes; later calls return its error.
func (c *Choice) Choose(ctx context.Context) error {
	c.chooseGuard.Do(func() {
		switch {
		case c.alternativeChoices != nil:
			c.chooseError = c.chooseBestAlternative(ctx)
		case c.selectionFolds != nil:
			c.chooseError = c.searchGrid(ctx)
		}
	})
	return c.chooseError
}

// Choose makes the choices concurrently.
func Choose(ctx context.Context, choices []*Choice) error {
	if err := argument.CheckContext(ctx, "fit"); err != nil {
		return err
	}
	return ForEach(choices, func(c *Choice) error { return c.Choose(ctx) })
}

// ForEach calls do for all choices concurrently. It returns the first error, in the order of choices.
func ForEach(choices []*Choice, do func(*Choice) error) error {
	var wg sync.WaitGroup
	errs := make([]error, len(choices))
	for i, c := range choices {
		wg.Go(func() { errs[i] = do(c) })
	}
	wg.Wait()
	return cmp.Or(errs...)
}

// chooseBestAlternative makes the choice of every alternative method and adopts the one with the smallest error, in the
// final round if there is one and it gives the error of a method: the metric may not be defined at its points.
func (c *Choice) chooseBestAlternative(ctx context.Context) error {
	var cells, finalCells []GridCell
	for _, a := range c.alternativeChoices {
		if err := a.Choose(ctx); err != nil {
			return err
		}
		if cells = append(cells, a.chosenCell()); c.finalRound == nil {
			continue
		}
		name := fmt.Sprintf("%s: %slast round", a.Method().Name, c.messagePrefix)
		final, err := c.workspace.evaluateFold(ctx, name, a.methodIndex, *c.finalRound,
			a.grid.withCandidate(a.candidateIndex), []float64{a.chosenValue})
		if err != nil {
			return err
		}
		finalCells = append(finalCells, final[0])
	}
	c.alternativeCells, c.winnerIndex = finalCells, smallestErrorIndex(finalCells, c.workspace.Selection.By)
	if c.winnerIndex < 0 { // also without a final round
		c.finalRound = nil
		c.alternativeCells, c.winnerIndex = cells, max(smallestErrorIndex(cells, c.workspace.Selection.By), 0)
	}
	return nil
}

// searchGrid evaluates the grid on all folds and chooses the candidate (set Θ, regularizer and rule) and the
// hyperparameter value of the loss with the smallest error. While that value is the first or last one tried, it
// evaluates the values beyond it, up to Path.ExtendDecades.
func (c *Choice) searchGrid(ctx context.Context) error {
	methodName := c.workspace.Methods[c.methodIndex].Name
	values, err := c.initialHyperparameterValues(ctx)
	if err != nil {
		return err
	}
	// By hyperparameter value and candidate: one cell per fold, and their sum.
	foldErrors, sums := map[float64][][]GridCell{}, map[float64][]GridCell{}
	for taskPrefix := methodName; values != nil; taskPrefix = "" {
		cellsByFold, err := c.evaluateFolds(ctx, taskPrefix, values)
		if err != nil {
			return err
		}
		for j, v := range values {
			if foldErrors[v] == nil {
				foldErrors[v] = make([][]GridCell, len(c.grid.candidates))
			}
			for i := range c.grid.candidates {
				for _, cells := range cellsByFold {
					foldErrors[v][i] = append(foldErrors[v][i], cells[i*len(values)+j])
				}
				sums[v] = append(sums[v], c.sumOverFolds(foldErrors[v][i]))
			}
		}
		bestCellIndex, err := c.storeFoldErrorsAndFindBest(foldErrors, sums)
		if err != nil {
			return fmt.Errorf("fit: method %q: %w", methodName, err)
		}
		if values = c.setChosenCell(bestCellIndex); values == nil {
			values = c.setChosenCell(c.findSimplestSimilarCell(bestCellIndex))
		}
	}
	for i := range c.cells {
		if i != c.chosenCellIndex() {
			c.cells[i].StartThetas, c.cells[i].Residuals = nil, nil
		}
	}
	c.cellsByFold = nil
	return nil
}

// storeFoldErrorsAndFindBest sets triedValues, cells and cellsByFold from foldErrors and sums: for each hyperparameter
// value and each candidate, one cell per fold, and their sum. It returns the index in cells of the smallest error
// (bestCellIndex).
func (c *Choice) storeFoldErrorsAndFindBest(foldErrors map[float64][][]GridCell, sums map[float64][]GridCell) (
	bestCellIndex int, err error) {
	c.triedValues = slices.DeleteFunc(c.grid.path.extendedValues(),
		func(v float64) bool { return foldErrors[v] == nil })
	c.cells, c.cellsByFold = nil, nil
	for i := range c.grid.candidates {
		for _, v := range c.triedValues {
			c.cells = append(c.cells, sums[v][i])
			c.cellsByFold = append(c.cellsByFold, foldErrors[v][i])
		}
	}
	switch bestCellIndex = c.bestCellIndex(); {
	case bestCellIndex >= 0:
		return bestCellIndex, nil
	case slices.ContainsFunc(c.cells, func(cell GridCell) bool {
		return cell.FailedFolds == 0 && !math.IsNaN(cell.meanError(tieBreakingMetric(c.workspace.Selection.By)))
	}):
		return 0, fmt.Errorf("the metric %q is not defined at the held-out points of any fold, for example because "+
			"they have one class; use fewer folds (Selection.Folds) or another metric (Selection.By)",
			c.workspace.Selection.Metric())
	case slices.ContainsFunc(c.cells, func(cell GridCell) bool { return cell.FailedFolds == 0 }):
		return 0, errors.New("no prediction at held-out points is finite; scale the features, or use a larger λ")
	}
	return 0, errors.New("K(θ) + λI is not positive definite for any candidate; " + fixNotPSD)
}

// sumOverFolds adds up the cells of all folds, one cell per fold. The log loss is that of all held-out points together.
func (c *Choice) sumOverFolds(foldCells []GridCell) GridCell {
	sum := sumCells(foldCells)
	if c.workspace.Selection.By == model.LogLoss && sum.FailedFolds == 0 {
		sum.FoldErrorSum, sum.FoldCount = c.pooledLogLoss(sum), 1
	}
	return sum
}

// pooledLogLoss returns the log loss of the decision values at the held-out points of all folds, from the Residuals of
// the cell.
func (c *Choice) pooledLogLoss(cell GridCell) float64 {
	rows, encoding := c.heldOutRows(), c.grid.encoding
	y := points.Pick(c.grid.targets, rows)
	f := encoding.EncodeAll(y)
	floats.Sub(f, slices.Concat(cell.Residuals...))
	weights := points.Pick(loss.PointWeights(c.grid.path.Loss), rows)
	return model.LogLoss.ValueIn(scoreForMetric(f, y, weights, encoding, model.LogLoss))
}

// heldOutRows returns the indices of the test points of all folds, fold by fold.
func (c *Choice) heldOutRows() (rows []int) {
	for _, f := range c.selectionFolds {
		rows = append(rows, f.Test...)
	}
	return rows
}

// setChosenCell chooses the candidate and the hyperparameter value of cells[cellIndex]. If that value is the first or
// the last one tried and the path may extend, it returns the next values to try beyond it, otherwise nil.
func (c *Choice) setChosenCell(cellIndex int) (valuesBeyondEnd []float64) {
	valueCount := len(c.triedValues)
	c.candidateIndex, c.chosenValue = cellIndex/valueCount, c.cells[cellIndex].HyperparameterValue
	isFirst, isLast := cellIndex%valueCount == 0, cellIndex%valueCount == valueCount-1
	c.isValueAtPathEnd = valueCount > 1 && (isFirst || isLast)
	valuesBefore, valuesAfter := c.grid.path.nextValues(c.triedValues)
	if isFirst && len(valuesBefore) > 0 {
		return valuesBefore
	}
	if isLast && len(valuesAfter) > 0 {
		return valuesAfter
	}
	return nil
}

// findSimplestSimilarCell applies the one-standard-error rule to kernels that are nearly the same. The simplest of them
// is the first in the list of SingleKernels.SimilarKernels that contains the kernel of cells[cellIndex]. If its
// smallest error over the hyperparameter values exceeds the error of cells[cellIndex] by at most one standard error of
// their difference over the folds, the result is the index of its cell with this smallest error. Otherwise it is
// cellIndex.
//
// References:
//   - L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees (1984), section 3.4.3: the
//     rule of one standard error.
func (c *Choice) findSimplestSimilarCell(cellIndex int) int {
	by, simplestIndex, valueCount := c.workspace.Selection.By, -1, len(c.triedValues)
	g := slices.IndexFunc(c.grid.similarCandidateGroups,
		func(g []int) bool { return slices.Contains(g, cellIndex/valueCount) })
	if g < 0 || len(c.selectionFolds) < 2 {
		return cellIndex
	}
	for i, cell := range c.cells {
		if i/valueCount == c.grid.similarCandidateGroups[g][0] && smallestErrorIndex([]GridCell{cell}, by) == 0 &&
			(simplestIndex < 0 || smallestErrorIndex([]GridCell{c.cells[simplestIndex], cell}, by) == 1) {
			simplestIndex = i
		}
	}
	if simplestIndex < 0 {
		return cellIndex
	}
	errorDifferences := make([]float64, len(c.selectionFolds)) // of the log loss, those of each fold alone
	for k := range errorDifferences {
		errorDifferences[k] = c.cellsByFold[simplestIndex][k].meanError(by) - c.cellsByFold[cellIndex][k].meanError(by)
	}
	if mean, sd := stat.MeanStdDev(errorDifferences, nil); mean <= sd/math.Sqrt(float64(len(errorDifferences))) {
		return simplestIndex
	}
	return cellIndex
}

// initialHyperparameterValues returns the hyperparameter values that are tried first: all values of the path or, if
// Path.NearMethod names a method, those within Path.NearDecades decades of the value chosen for that method.
func (c *Choice) initialHyperparameterValues(ctx context.Context) ([]float64, error) {
	p := &c.grid.path
	if c.choiceOfNearMethod == nil {
		return p.GridValues(), nil
	}
	if err := c.choiceOfNearMethod.Choose(ctx); err != nil {
		return nil, err
	}
	l := p.valuesNear(c.choiceOfNearMethod.chosenValue)
	if len(l) == 0 {
		return nil, fmt.Errorf("fit: method %q has no %s within %g decades of %.4g, the value chosen for %q; add "+
			"values or increase Path.NearDecades", c.workspace.Methods[c.methodIndex].Name, p.HyperparameterName(),
			p.NearDecades, c.choiceOfNearMethod.chosenValue, p.NearMethod)
	}
	return l, nil
}

// evaluateFolds returns, for each fold, the error of each candidate at each of pathValues. taskPrefix begins the names
// of tasks in the progress; if it is "", the tasks are not counted.
func (c *Choice) evaluateFolds(ctx context.Context, taskPrefix string, pathValues []float64) ([][]GridCell, error) {
	cellsByFold, errs := make([][]GridCell, len(c.selectionFolds)), make([]error, len(c.selectionFolds))
	var wg sync.WaitGroup
	for k, f := range c.selectionFolds {
		task := ""
		if taskPrefix != "" {
			task = fmt.Sprintf("%s: %sfold %d of %d", taskPrefix, c.messagePrefix, k+1, len(c.selectionFolds))
		}
		wg.Go(func() {
			cellsByFold[k], errs[k] = c.workspace.evaluateFold(ctx, task, c.methodIndex, f, c.grid, pathValues)
		})
	}
	wg.Wait()
	return cellsByFold, cmp.Or(errs...)
}

// flatTolerance is the relative difference of errors up to which two errors count as equal at an end of a path.
const flatTolerance = 1e-3

// bestCellIndex returns the index in cells of the cell with the smallest error, or −1 (smallestErrorIndex). If that
// cell is at an end of a path that may extend, bestCellIndex moves away from the end, value by value, while the error
// is nearly the same as at the end: the RMSE (the mean loss if Selection.By is MeanLoss) is at most 0.1 % larger
// and, if Selection.By is another metric, its error is not larger. So a path does not extend where the error no
// longer changes.
func (c *Choice) bestCellIndex() int {
	by := c.workspace.Selection.By
	cellIndex, valueCount := smallestErrorIndex(c.cells, by), len(c.triedValues)
	if cellIndex < 0 || c.grid.path.ExtendDecades == 0 {
		return cellIndex
	}
	stepAlongPath := 0
	switch cellIndex % valueCount {
	case 0:
		stepAlongPath = 1
	case valueCount - 1:
		stepAlongPath = -1
	}
	tieBreaker, smallestErrorCell := tieBreakingMetric(by), c.cells[cellIndex]
	for range valueCount - 2 {
		nextCell := c.cells[cellIndex+stepAlongPath]
		if stepAlongPath == 0 || nextCell.FailedFolds > 0 ||
			!(nextCell.Error(tieBreaker) <= (1+flatTolerance)*smallestErrorCell.Error(tieBreaker)) ||
			by != tieBreaker && by != "" && !(nextCell.Error(by) <= smallestErrorCell.Error(by)) {
			break
		}
		cellIndex += stepAlongPath
	}
	return cellIndex
}

// chosenCellIndex returns the index in cells of the chosen candidate and hyperparameter value; < 0 without a choice.
func (c *Choice) chosenCellIndex() int {
	return c.candidateIndex*len(c.triedValues) + slices.Index(c.triedValues, c.chosenValue)
}

// chosenCell returns the cross-validation error of the chosen candidate at the chosen hyperparameter value.
func (c *Choice) chosenCell() GridCell {
	if i := c.chosenCellIndex(); i >= 0 {
		return c.cells[i]
	}
	return GridCell{FailedFolds: 1}
}

// Candidate returns the chosen candidate with the chosen hyperparameter value; an empty one if the method is no Search.
func (c *Choice) Candidate() Candidate {
	if c.grid == nil {
		return Candidate{}
	}
	return c.grid.candidateWithValue(c.grid.candidates[c.candidateIndex], c.chosenValue)
}

// BestAlternative returns the choice with the smallest error among those of the candidates of a Best, or c itself.
func (c *Choice) BestAlternative() *Choice {
	if c.alternativeChoices == nil {
		return c
	}
	return c.alternativeChoices[c.winnerIndex]
}

// MethodIndex returns the index in Workspace.Methods of the method whose hyperparameters c chooses.
func (c *Choice) MethodIndex() int { return c.methodIndex }

// Method returns the method whose hyperparameters c chooses.
func (c *Choice) Method() *Method { return &c.workspace.Methods[c.methodIndex] }

// IsValueAtPathEnd reports whether the chosen hyperparameter value is the first or the last of several tried values.
func (c *Choice) IsValueAtPathEnd() bool { return c.isValueAtPathEnd }
