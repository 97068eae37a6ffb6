package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"

	"github.com/mklnb/mkl/algos/points"
)

// Choice is the choice of one method's hyperparameters on some points: all points of the study, or a training part.
type Choice struct {
	session       *Session
	methodIndex   int
	messagePrefix string // names the points in messages, for example "split 3, "; "" for all points
	grid          *grid
	nearChoice    *Choice   // the choice of the method Path.NearMethod; nil if that is ""
	alternatives  []*Choice // choices of the methods in Method.Alternatives; nil if that is empty
	folds         []Split   // of the cross-validation; nil if there is nothing to choose

	once           sync.Once
	err            error
	triedValues    []float64 // the tried values of the loss's hyperparameter, in the order of the path
	cells          []Cell    // summed over folds: for each of grid.candidates, one for each of triedValues
	cellsByFold    [][]Cell  // for each entry of cells, one cell per fold; nil after the search
	winnerIndex    int       // index in alternatives of the choice with the smallest error
	candidateIndex int       // index of the chosen candidate in grid.candidates
	value          float64   // the chosen value of the loss's hyperparameter
	atEnd          bool      // value is the first or the last of several triedValues
}

// Choices returns a Choice for every method on the points rows, with its folds, which depend on the seed. Nothing is
// chosen until Choose. messagePrefix names the points in messages; it is "" for all points.
func (r *Session) Choices(rows []int, seed uint64, messagePrefix string) ([]*Choice, error) {
	y, group := points.Pick(r.Data.Y, rows), points.Pick(r.Data.Group, rows)
	if n := r.Selection.Points; n > 0 && n < len(rows) {
		sample, err := drawByClass(y, n, seed)
		if err == nil && group != nil {
			sample = drawByGroup(y, group, n, seed)
		}
		if err != nil {
			return nil, fmt.Errorf("compare: selection %son %d of %d points: %w", messagePrefix, n, len(rows), err)
		}
		rows, y, group = points.Pick(rows, sample), points.Pick(y, sample), points.Pick(group, sample)
	}
	var folds []Split // the same for all methods; made for the first method that needs them
	choices := make([]*Choice, len(r.Methods))
	for i := range r.Methods {
		m := &r.Methods[i]
		c := &Choice{session: r, methodIndex: i, messagePrefix: messagePrefix, grid: r.grids[i],
			value: r.grids[i].path.GridValues()[0]}
		choices[i] = c
		for _, name := range m.Alternatives {
			c.alternatives = append(c.alternatives, choices[r.MethodIndex(name)])
		}
		if c.alternatives != nil || c.grid.cellCount() == 1 && !r.isAlternative(m.Name) {
			continue
		}
		if near := c.grid.path.NearMethod; near != "" {
			c.nearChoice = choices[r.MethodIndex(near)]
		}
		if folds == nil {
			var err error
			if folds, err = r.Selection.newFolds(rows, y, group, seed); err != nil {
				return nil, fmt.Errorf("compare: selection %sof %d points: %w", messagePrefix, len(rows), err)
			}
		}
		c.folds = folds
		if !r.totalIsFinal {
			r.progress.Total += len(folds)
		}
	}
	return choices, nil
}

// isAlternative reports whether some method selects among other methods (Method.Alternatives), one of which has this
// name.
func (r *Session) isAlternative(name string) bool {
	return slices.ContainsFunc(r.Methods, func(m Method) bool { return slices.Contains(m.Alternatives, name) })
}

// chooseOnce chooses the candidate and the hyperparameter value with the smallest cross-validation error. Only the
// first call computes; later calls return its error.
func (c *Choice) chooseOnce(ctx context.Context) error {
	c.once.Do(func() {
		switch {
		case c.alternatives != nil:
			c.err = c.chooseAlternative(ctx)
		case c.folds != nil:
			c.err = c.searchGrid(ctx)
		}
	})
	return c.err
}

// chooseAlternative makes the choices in alternatives and adopts the one with the smallest error.
func (c *Choice) chooseAlternative(ctx context.Context) error {
	cells := make([]Cell, len(c.alternatives))
	for i, a := range c.alternatives {
		if err := a.chooseOnce(ctx); err != nil {
			return err
		}
		cells[i] = a.Cell()
	}
	c.winnerIndex = max(bestIndex(cells, c.session.Selection.By), 0)
	adopted := c.alternatives[c.winnerIndex]
	c.candidateIndex, c.value, c.atEnd = adopted.candidateIndex, adopted.value, adopted.atEnd
	return nil
}

// searchGrid evaluates the grid on all folds and chooses the best cell. As long as the best value is at an end of a
// path that may extend (Path.ExtendDecades), it also evaluates the next values beyond that end. Then it evaluates the
// untried neighbors of the chosen candidate in grid.candidates, until none is left.
func (c *Choice) searchGrid(ctx context.Context) error {
	name := c.session.Methods[c.methodIndex].Name
	values, err := c.firstHyperparameterValues(ctx)
	if err != nil {
		return err
	}
	errorsAt := map[float64][][]Cell{} // for each hyperparameter value and candidate, one cell per fold
	candidates := c.grid.triedFirst
	for task := name; values != nil; task = "" {
		folds, err := c.evaluateFolds(ctx, task, candidates, values)
		if err != nil {
			return err
		}
		for j, v := range values {
			if errorsAt[v] == nil {
				errorsAt[v] = make([][]Cell, len(c.grid.candidates))
			}
			for i, candidate := range candidates {
				for _, cells := range folds {
					errorsAt[v][candidate] = append(errorsAt[v][candidate], cells[i*len(values)+j])
				}
			}
		}
		best, err := c.setCells(errorsAt)
		if err != nil {
			return fmt.Errorf("compare: method %q: %w", name, err)
		}
		if values = c.setChosenCell(best); values != nil {
			candidates = c.triedCandidates()
		} else if candidates = c.untriedNeighbors(); candidates != nil {
			values = c.triedValues
		} else {
			candidates, values = c.triedCandidates(), c.setChosenCell(c.preferPlainKernel(best))
		}
	}
	for i := range c.cells {
		if i != c.chosenCellIndex() {
			c.cells[i].Starts = nil
		}
	}
	c.cellsByFold = nil
	return nil
}

// setCells sets triedValues, cells and cellsByFold. errorsAt contains, for each tried hyperparameter value and each
// candidate, one cell per fold. setCells returns the index of the best cell (bestCellIndex).
func (c *Choice) setCells(errorsAt map[float64][][]Cell) (best int, err error) {
	c.triedValues = slices.DeleteFunc(c.grid.path.extendedValues(),
		func(v float64) bool { return errorsAt[v] == nil })
	c.cells, c.cellsByFold = nil, nil
	for i := range c.grid.candidates {
		for _, v := range c.triedValues {
			cell := Cell{Value: v, Failed: len(c.folds)} // if the candidate is not tried
			if folds := errorsAt[v][i]; folds != nil {
				cell = sumCells(folds)
			}
			c.cells, c.cellsByFold = append(c.cells, cell), append(c.cellsByFold, errorsAt[v][i])
		}
	}
	if best = c.bestCellIndex(); best < 0 {
		return 0, errors.New("K(θ) + λI is not positive definite for any candidate; use larger λ")
	}
	return best, nil
}

// isTried reports whether the candidate with this index was evaluated.
func (c *Choice) isTried(candidateIndex int) bool {
	return c.cellsByFold[candidateIndex*len(c.triedValues)] != nil
}

// triedCandidates returns the indices of the evaluated candidates.
func (c *Choice) triedCandidates() []int {
	return slices.DeleteFunc(points.AllIndices(len(c.grid.candidates)), func(i int) bool { return !c.isTried(i) })
}

// untriedNeighbors returns those indices next to the chosen candidate that were not evaluated.
func (c *Choice) untriedNeighbors() (indices []int) {
	for _, i := range []int{c.candidateIndex - 1, c.candidateIndex + 1} {
		if i >= 0 && i < len(c.grid.candidates) && !c.isTried(i) {
			indices = append(indices, i)
		}
	}
	return indices
}

// setChosenCell makes cells[cellIndex] the chosen cell: it sets candidateIndex, value and atEnd. If the value is at an
// end of a path that may extend, setChosenCell returns the next values to try beyond that end, otherwise nil.
func (c *Choice) setChosenCell(cellIndex int) (nextValues []float64) {
	valueCount := len(c.triedValues)
	c.candidateIndex, c.value = cellIndex/valueCount, c.cells[cellIndex].Value
	first, last := cellIndex%valueCount == 0, cellIndex%valueCount == valueCount-1
	c.atEnd = valueCount > 1 && (first || last)
	before, after := c.grid.path.nextValues(c.triedValues)
	if first && len(before) > 0 {
		return before
	}
	if last && len(after) > 0 {
		return after
	}
	return nil
}

// preferPlainKernel applies the rule of one standard error to kernels that are nearly the same (SingleKernels.Similar).
// The plain kernel is the first of the list in Similar that contains the kernel of cells[cellIndex]. If that cell's
// error is smaller than the smallest error of the plain kernel by at most one standard error of the difference over the
// folds, preferPlainKernel returns the index of the plain kernel's best cell. Otherwise it returns cellIndex.
//
// References:
//   - L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees (1984), section 3.4.3: the
//     rule of one standard error.
func (c *Choice) preferPlainKernel(cellIndex int) int {
	by, plain, valueCount := c.session.Selection.By, -1, len(c.triedValues)
	g := slices.IndexFunc(c.grid.similarCandidates,
		func(g []int) bool { return slices.Contains(g, cellIndex/valueCount) })
	if g < 0 || len(c.folds) < 2 {
		return cellIndex
	}
	for i, cell := range c.cells {
		if i/valueCount == c.grid.similarCandidates[g][0] && bestIndex([]Cell{cell}, by) == 0 &&
			(plain < 0 || bestIndex([]Cell{c.cells[plain], cell}, by) == 1) {
			plain = i
		}
	}
	if plain < 0 {
		return cellIndex
	}
	diff := make([]float64, len(c.folds))
	for k := range diff {
		diff[k] = c.cellsByFold[plain][k].meanError(by) - c.cellsByFold[cellIndex][k].meanError(by)
	}
	if mean, sd := stat.MeanStdDev(diff, nil); mean <= sd/math.Sqrt(float64(len(diff))) {
		return plain
	}
	return cellIndex
}

// firstHyperparameterValues returns the hyperparameter values that are tried first. If the path names another method
// (Path.NearMethod), it makes the choice of that method and returns the values within Path.NearDecades decades of its
// value.
func (c *Choice) firstHyperparameterValues(ctx context.Context) ([]float64, error) {
	p := &c.grid.path
	if c.nearChoice == nil {
		return p.GridValues(), nil
	}
	if err := c.nearChoice.chooseOnce(ctx); err != nil {
		return nil, err
	}
	l := p.valuesNear(c.nearChoice.value)
	if len(l) == 0 {
		return nil, fmt.Errorf("compare: method %q has no %s within %g decades of %.4g, the value of %q; add values "+
			"or a larger distance",
			c.session.Methods[c.methodIndex].Name, p.Hyperparameter(), p.NearDecades, c.nearChoice.value, p.NearMethod)
	}
	return l, nil
}

// evaluateFolds returns the errors on each fold: one cell for each of the candidates, which are indices in
// grid.candidates, at each of the hyperparameter values. name names the tasks in the progress; if it is "", they are
// not counted.
func (c *Choice) evaluateFolds(ctx context.Context, name string, candidates []int, values []float64) ([][]Cell, error) {
	cells, errs := make([][]Cell, len(c.folds)), make([]error, len(c.folds))
	subset := c.grid.withCandidates(candidates...)
	var wg sync.WaitGroup
	for k, f := range c.folds {
		task := ""
		if name != "" {
			task = fmt.Sprintf("%s: %sfold %d of %d", name, c.messagePrefix, k+1, len(c.folds))
		}
		wg.Go(func() { cells[k], errs[k] = c.session.evaluateFold(ctx, task, c.methodIndex, f, subset, values) })
	}
	wg.Wait()
	return cells, cmp.Or(errs...)
}

// flatTolerance is the relative difference of errors up to which two errors count as equal at an end of a path.
const flatTolerance = 1e-3

// bestCellIndex returns the index in cells of the cell with the smallest error; −1 if every cell failed in a fold. But
// if that cell is at an end of a path that may extend, bestCellIndex moves away from the end, cell by cell, as long as
// the error stays nearly the same: the RMSE (or the mean loss, if Selection.By is MeanLoss) is at most 0.1 % larger
// than at the end and, if Selection.By is ErrorRate, not more points are classified wrongly. So a path does not extend
// beyond an end where the error no longer changes.
func (c *Choice) bestCellIndex() int {
	by := c.session.Selection.By
	index, valueCount := bestIndex(c.cells, by), len(c.triedValues)
	if index < 0 || c.grid.path.ExtendDecades == 0 {
		return index
	}
	step := 0
	switch index % valueCount {
	case 0:
		step = 1
	case valueCount - 1:
		step = -1
	}
	continuous, smallest := continuousMetric(by), c.cells[index]
	for range valueCount - 2 {
		next := c.cells[index+step]
		if step == 0 || next.Failed > 0 || !(next.Error(continuous) <= (1+flatTolerance)*smallest.Error(continuous)) ||
			by == ErrorRate && next.Wrong > smallest.Wrong {
			break
		}
		index += step
	}
	return index
}

// chosenCellIndex returns the index in cells of the chosen candidate at the chosen value. It is negative if there was
// nothing to choose.
func (c *Choice) chosenCellIndex() int {
	return c.candidateIndex*len(c.triedValues) + slices.Index(c.triedValues, c.value)
}

// Cell returns the cross-validation error of the chosen candidate at the chosen value.
func (c *Choice) Cell() Cell {
	if i := c.chosenCellIndex(); i >= 0 {
		return c.cells[i]
	}
	return Cell{Failed: 1}
}

// Candidate returns the chosen candidate with the chosen value.
func (c *Choice) Candidate() Candidate {
	return c.grid.withValue(c.grid.candidates[c.candidateIndex], c.value)
}

// chosenGrid returns a grid that contains only the chosen candidate, with its Cell.Starts and Cell.Shift.
func (c *Choice) chosenGrid() *grid {
	b := c.grid.withCandidates(c.candidateIndex)
	if c.cells != nil {
		b.starts, b.shift = c.Cell().Starts, c.Cell().Shift
	}
	return b
}
