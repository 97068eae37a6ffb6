package loss

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
)

// Columns is a loss on several columns of targets with one K, for several classes or several numbers to predict:
//
//	J(K) = Σ_j J_j(K),  y and w of length n·c for n points and c columns, column after column.
//
// J_j is the J of Loss for the targets of column j. A column in which every target is NaN is not fitted: its J_j, w and
// bias are 0. If Traits of Loss reports LinearInTargets, one factorization serves all columns.
type Columns struct {
	Loss  Loss
	Count int // number c ≥ 1 of columns
}

var _ Loss = Columns{}

// Repeat returns l on several columns of targets: l itself for one column, and Columns otherwise.
func Repeat(l Loss, columns int) Loss {
	if columns == 1 {
		return l
	}
	return Columns{Loss: l, Count: columns}
}

// Traits returns the traits of Loss, with the number Count of columns of targets.
func (l Columns) Traits() Traits {
	if l.Loss == nil { // a nil Loss must not panic here; Validate rejects it
		return Traits{Columns: l.Count}
	}
	t := l.Loss.Traits()
	t.Columns = l.Count
	return t
}

// Slice returns the loss for the points with the given rows. It keeps all columns of targets.
func (l Columns) Slice(rows []int) Loss {
	if l.Loss != nil { // a nil Loss must not panic here; Validate rejects it
		l.Loss = l.Loss.Slice(rows)
	}
	return l
}

// PointWeights returns the weights of Loss.
func (l Columns) PointWeights() []float64 { return PointWeights(l.Loss) }

func (l Columns) String() string { return fmt.Sprintf("%v for each of %d columns", l.Loss, l.Count) }

// Validate requires columns of equal length, at least one column with targets, and valid targets in each such column.
func (l Columns) Validate(y []float64) error {
	if l.Loss == nil || l.Count < 1 || len(y)%l.Count != 0 {
		return fmt.Errorf("loss: Columns has Loss %T, Count %d and %d targets; set Loss, and pass Count columns of "+
			"equal length", l.Loss, l.Count, len(y))
	}
	if _, isNested := l.Loss.(Columns); isNested {
		return errors.New("loss: the Loss of Columns is a Columns; use one Columns with the total Count")
	}
	if p, ok := l.Loss.(Pinball); ok && p.Taus != nil && (len(p.Taus) != l.Count || !slices.IsSorted(p.Taus)) {
		return fmt.Errorf("loss: pinball loss has the Taus %g for %d columns; pass one for each column, ascending",
			p.Taus, l.Count)
	}
	if !hasAnyTarget(y) {
		return errors.New("loss: there are no targets in any column; pass at least one column of numbers")
	}
	for j := range l.Count {
		if targets := l.column(y, j); hasAnyTarget(targets) {
			if err := ForColumn(l.Loss, j).Validate(targets); err != nil {
				return fmt.Errorf("column %d: %w", j+1, err)
			}
		}
	}
	return nil
}

// column returns column j of x, which has Count columns, one after another.
func (l Columns) column(x []float64, j int) []float64 {
	n := len(x) / l.Count
	return x[j*n : (j+1)*n]
}

// hasAnyTarget reports whether y has a number that is not NaN.
func hasAnyTarget(y []float64) bool {
	return slices.ContainsFunc(y, func(v float64) bool { return !math.IsNaN(v) })
}

// targetColumn is the problem of one column of targets and its solution.
type targetColumn struct {
	Solution
	columnIndex int
	y           []float64
	err         error // the error that Solve returned for this column
}

// Solve solves the problem of each column j, starting from column j of s.W, until each gap is at most tol.
func (l Columns) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	w, k := s.W, g.K()
	oldFactors, _ := s.Factor.(columnFactors)
	isLinear := l.Loss.Traits().LinearInTargets
	var sharedFactor Factor // the Factor of all columns, if the loss is LinearInTargets
	return l.forEachColumn(s, y, func(p *targetColumn) {
		if sharedFactor != nil {
			p.W = make([]float64, len(p.y))
			sharedFactor.MulVec(p.W, p.y)
			l.Loss.Evaluate(&p.Solution, k, p.y, nil)
			p.Factor, p.Iters = sharedFactor, 1
			return
		}
		if len(w) == len(y) {
			p.W = slices.Clone(l.column(w, p.columnIndex))
		}
		if len(oldFactors) == l.Count {
			p.Factor = oldFactors[p.columnIndex] // Solve reuses the storage of the old factor
		}
		p.err = ForColumn(l.Loss, p.columnIndex).Solve(ctx, &p.Solution, k, p.y, tol)
		if isLinear && p.err == nil {
			sharedFactor = p.Factor
		}
	})
}

// Evaluate stores in s the bounds of the optimal value J that s.W proves. It computes Kw and ignores its last argument.
func (l Columns) Evaluate(s *Solution, g Gram, y, _ []float64) {
	w, k := s.W, g.K()
	l.forEachColumn(s, y, func(p *targetColumn) {
		p.W = slices.Clone(l.column(w, p.columnIndex))
		ForColumn(l.Loss, p.columnIndex).Evaluate(&p.Solution, k, p.y, nil)
	})
}

// forEachColumn calls solveColumn to fill the Solution of each column that has targets, and stores the sum of the
// solutions in s. An *Inexact error holds the gap of the sum. If the loss is LinearInTargets, the columns share a
// factorization and run one after another. Otherwise they run in parallel on s.Threads threads.
func (l Columns) forEachColumn(s *Solution, y []float64, solveColumn func(p *targetColumn)) error {
	columns := make([]targetColumn, l.Count)
	threadsPerColumn, parallelColumns := s.Threads, linalg.ThreadLimit(1)
	if !l.Loss.Traits().LinearInTargets {
		parallelColumns = linalg.ThreadLimit(s.Threads)
		threadsPerColumn = max(1, cmp.Or(threadsPerColumn, linalg.Threads())/l.Count)
	}
	parallelColumns.Run(l.Count, func(j int) {
		p := &columns[j]
		p.columnIndex, p.Threads = j, threadsPerColumn
		if targets := l.column(y, j); hasAnyTarget(targets) {
			p.y = targets
			solveColumn(p)
		}
	})
	return l.storeSumOfSolutions(s, columns, len(y))
}

// storeSumOfSolutions stores in s the sum of the solutions of the columns. targetCount is the length of y.
func (l Columns) storeSumOfSolutions(s *Solution, columns []targetColumn, targetCount int) error {
	totalSolution := Solution{W: make([]float64, targetCount), Biases: make([]float64, l.Count), Threads: s.Threads}
	totalSolution.Rounding.HasBounds = true
	factors := make(columnFactors, l.Count)
	var inexact *Inexact
	isSmooth := true
	for j := range columns {
		p := &columns[j]
		factors[j] = p.Factor
		if p.y == nil {
			continue
		}
		if p.err != nil && !errors.As(p.err, &inexact) {
			s.W, s.Factor = totalSolution.W, nil // w = 0 is feasible: columns without a solution keep it
			if len(p.W) == len(p.y) {
				copy(l.column(s.W, j), p.W)
			}
			return fmt.Errorf("column %d: %w", j+1, p.err)
		}
		if len(p.BlockWeights) > 0 {
			return fmt.Errorf("loss: BlockNorm has one column of targets, got %d; use another loss", l.Count)
		}
		copy(l.column(totalSolution.W, j), p.W)
		totalSolution.Biases[j] = p.Bias
		totalSolution.LinearTerm += p.LinearTerm
		totalSolution.QuadraticTerm += p.QuadraticTerm
		totalSolution.WKW += p.WKW
		totalSolution.Primal += p.Primal
		totalSolution.Iters += p.Iters
		totalSolution.ShiftError += p.ShiftError
		totalRounding, columnRounding := &totalSolution.Rounding, p.Rounding
		totalRounding.LinearTerm += columnRounding.LinearTerm
		totalRounding.QuadraticTerm += columnRounding.QuadraticTerm
		totalRounding.WKW += columnRounding.WKW
		totalRounding.Primal += columnRounding.Primal
		totalRounding.SumOfW += columnRounding.SumOfW
		totalRounding.HasBounds = totalRounding.HasBounds && columnRounding.HasBounds
		isSmooth = isSmooth && p.Factor != nil
	}
	if r := &totalSolution.Rounding; r.HasBounds {
		e := linalg.RoundingFactor(l.Count) // rounding of the sums over the columns
		r.LinearTerm += e * math.Abs(totalSolution.LinearTerm)
		r.QuadraticTerm += e * totalSolution.QuadraticTerm
		r.WKW += e * totalSolution.WKW
		r.Primal += e * math.Abs(totalSolution.Primal)
	} else {
		*r = Rounding{}
	}
	if isSmooth {
		totalSolution.Factor = factors
	}
	*s = totalSolution
	// the total gap may be small enough although one column missed its gap
	if inexact != nil && !(s.Gap() <= inexact.TargetGap) {
		e := *inexact
		e.Gap = s.Gap()
		return &e
	}
	return nil
}

// columnFactors is the Factor of Columns: one Factor for each column, or nil if the column has no targets. Its matrix
// R, the sensitivity of w to K, is block diagonal.
type columnFactors []Factor

// MulVec stores R·e in dst: the sensitivity R of the w of each column times its part of e, or 0 without targets.
func (f columnFactors) MulVec(dst, e []float64) {
	n := len(e) / len(f)
	for j, r := range f {
		if columnDst := dst[j*n : (j+1)*n]; r == nil {
			clear(columnDst)
		} else {
			r.MulVec(columnDst, e[j*n:(j+1)*n])
		}
	}
}

// Release releases the factor of each column. It releases a factor that several columns share only once.
func (f columnFactors) Release() {
	for j, r := range f {
		if r != nil && !slices.Contains(f[:j], r) {
			r.Release()
		}
	}
}
