package loss

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// Columns is a loss on several columns of targets with one K, for several classes or several numbers to predict:
//
//	J(K) = Σ_j J_j(K),  y and w of length n·c, column after column.
//
// J_j is the J of Loss for the targets of column j. A target that is NaN removes its point from that column, and w is 0
// there. If Traits of Loss reports Linear, one factorization serves all columns that have a target for every point.
type Columns struct {
	Loss  Loss
	Count int // c ≥ 1
}

var _ Loss = Columns{}

// Repeat returns l on c columns of targets: l itself for c = 1, and Columns otherwise.
func Repeat(l Loss, c int) Loss {
	if c == 1 {
		return l
	}
	return Columns{Loss: l, Count: c}
}

// Traits returns the traits of the loss of one column, with the number of columns.
func (l Columns) Traits() Traits {
	if l.Loss == nil { // Validate rejects it
		return Traits{Columns: l.Count}
	}
	t := l.Loss.Traits()
	t.Columns = l.Count
	return t
}

// Slice returns the loss for the points with the given rows, in every column.
func (l Columns) Slice(rows []int) Loss {
	if l.Loss != nil { // Validate rejects nil
		l.Loss = l.Loss.Slice(rows)
	}
	return l
}

func (l Columns) String() string {
	if s, ok := l.Loss.(fmt.Stringer); ok {
		return fmt.Sprintf("%v of %d columns", s, l.Count)
	}
	return fmt.Sprintf("%T of %d columns", l.Loss, l.Count)
}

// Validate requires columns of equal length, at least one target, and valid targets in each column.
func (l Columns) Validate(y []float64) error {
	if l.Loss == nil || l.Count < 1 || len(y)%l.Count != 0 {
		return fmt.Errorf("loss: %d targets in %d columns of the loss %T; set a Loss, and use columns of equal length",
			len(y), l.Count, l.Loss)
	}
	hasTarget := false
	for j := range l.Count {
		rows, targets := presentTargets(l.column(y, j))
		if len(targets) == 0 {
			continue
		}
		hasTarget = true
		if err := l.lossForRows(rows).Validate(targets); err != nil {
			return fmt.Errorf("column %d: %w", j+1, err)
		}
	}
	if !hasTarget {
		return errors.New("loss: there are no targets in any column")
	}
	return nil
}

// lossForRows returns the loss of a column that has targets at the given rows, or at all points if rows is nil.
func (l Columns) lossForRows(rows []int) Loss {
	if rows == nil {
		return l.Loss
	}
	return l.Loss.Slice(rows)
}

// column returns column j of x, which has Count columns, one after another.
func (l Columns) column(x []float64, j int) []float64 {
	n := len(x) / l.Count
	return x[j*n : (j+1)*n]
}

// presentTargets returns the rows of the targets that are not NaN, and these targets. rows is nil if no target is NaN.
func presentTargets(y []float64) (rows []int, targets []float64) {
	if !floats.HasNaN(y) {
		return nil, y
	}
	rows, targets = []int{}, []float64{}
	for i, v := range y {
		if !math.IsNaN(v) {
			rows, targets = append(rows, i), append(targets, v)
		}
	}
	return rows, targets
}

// targetColumn is the problem of one column of targets and its solution. It has only the points with a target in that
// column.
type targetColumn struct {
	Solution
	j    int // index of the column
	loss Loss
	k    *kernel.Matrix
	rows []int // rows of the points; nil means all points
	y    []float64
	err  error // the error of Solve
}

// Solve solves the problem of each column, starting from column j of s.W, until the gap of each is at most tol.
func (l Columns) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	w := s.W
	old, _ := s.Factor.(*columnsFactor)
	linear := l.Loss.Traits().Linear
	var shared Factor // the Factor of the columns that have a target for every point
	return l.forEachColumn(s, g, y, func(p *targetColumn) {
		if shared != nil && p.rows == nil {
			p.W = make([]float64, len(p.y))
			shared.MulVec(p.W, p.y)
			p.loss.Evaluate(&p.Solution, p.k, p.y, nil)
			p.Factor, p.Iters = shared, 1
			return
		}
		if len(w) == len(y) {
			p.W = gather(l.column(w, p.j), p.rows)
		}
		if old != nil && len(old.columns) == l.Count && shared == nil {
			p.Factor = old.columns[p.j].Factor // its storage is reused
		}
		p.err = p.loss.Solve(ctx, &p.Solution, p.k, p.y, tol)
		if linear && p.err == nil && p.rows == nil {
			shared = p.Factor
		}
	})
}

// Evaluate fills s with the lower and upper bound of J that follow from s.W, column by column. It does not use kw.
func (l Columns) Evaluate(s *Solution, g Gram, y, _ []float64) {
	w := s.W
	l.forEachColumn(s, g, y, func(p *targetColumn) {
		p.W = gather(l.column(w, p.j), p.rows)
		p.loss.Evaluate(&p.Solution, p.k, p.y, nil)
	})
}

// forEachColumn calls f to fill the Solution of each column, and stores the sum of the solutions in s. If it returns an
// *Inexact, its gap is the gap of the sum. The columns of a Linear loss share a factor and run one after another. Other
// columns run in parallel on s.Threads threads.
func (l Columns) forEachColumn(s *Solution, g Gram, y []float64, f func(p *targetColumn)) error {
	parts := make([]targetColumn, l.Count)
	linear := l.Loss.Traits().Linear
	threads := s.Threads
	if !linear {
		if threads == 0 {
			threads = linalg.Threads()
		}
		threads = max(1, threads/l.Count)
	}
	k := g.K()
	run := func(j int) {
		p := &parts[j]
		p.j, p.Threads = j, threads
		if p.rows, p.y = presentTargets(l.column(y, j)); len(p.y) > 0 {
			p.loss, p.k = l.lossForRows(p.rows), k.Part(p.rows)
			f(p)
		}
	}
	if !linear {
		linalg.Bound(s.Threads).Run(l.Count, run)
	} else {
		for j := range l.Count {
			run(j)
		}
	}
	return l.sumColumns(s, parts, len(y))
}

// sumColumns stores the sum of the solutions of the columns in s. n is the total number of targets, NaN included.
func (l Columns) sumColumns(s *Solution, parts []targetColumn, n int) error {
	total := Solution{W: make([]float64, n), Biases: make([]float64, l.Count), Threads: s.Threads}
	total.Rounding.Known = true
	factor := &columnsFactor{columns: make([]columnFactor, l.Count)}
	var failed *Inexact
	smooth := true
	for j := range parts {
		p := &parts[j]
		factor.columns[j] = columnFactor{p.Factor, p.rows}
		if len(p.y) == 0 {
			continue
		}
		if p.err != nil && !errors.As(p.err, &failed) {
			s.W, s.Factor = total.W, nil // feasible: w is 0 in a column that was not solved
			if len(p.W) == len(p.y) {
				scatter(l.column(s.W, j), p.W, p.rows)
			}
			return fmt.Errorf("column %d: %w", j+1, p.err)
		}
		if len(p.Block) > 0 {
			return errors.New("loss: BlockNorm does not support several columns")
		}
		scatter(l.column(total.W, j), p.W, p.rows)
		total.Biases[j] = p.Bias
		total.Linear += p.Linear
		total.Quadratic += p.Quadratic
		total.WKW += p.WKW
		total.Primal += p.Primal
		total.Iters += p.Iters
		total.ShiftError += p.ShiftError
		a, b := &total.Rounding, p.Rounding
		a.Linear += b.Linear
		a.Quadratic += b.Quadratic
		a.WKW += b.WKW
		a.Primal += b.Primal
		a.Sum += b.Sum
		a.Known = a.Known && b.Known
		smooth = smooth && p.Factor != nil
	}
	if r := &total.Rounding; r.Known {
		e := linalg.Gamma(l.Count) // rounding of the sums
		r.Linear += e * math.Abs(total.Linear)
		r.Quadratic += e * total.Quadratic
		r.WKW += e * total.WKW
		r.Primal += e * math.Abs(total.Primal)
	} else {
		*r = Rounding{}
	}
	if smooth {
		total.Factor = factor
	}
	*s = total
	if failed != nil && !(s.Gap() <= failed.Target) { // the gap of the sum may be reached although a column missed it
		return &Inexact{Gap: s.Gap(), Target: failed.Target, Iterations: failed.Iterations, Cause: failed.Cause}
	}
	return nil
}

// gather returns a copy of w at the given rows, or of all of w if rows is nil.
func gather(w []float64, rows []int) []float64 {
	if rows == nil {
		return slices.Clone(w)
	}
	part := make([]float64, len(rows))
	for i, r := range rows {
		part[i] = w[r]
	}
	return part
}

// scatter stores part at the given rows of dst, or at all rows if rows is nil.
func scatter(dst, part []float64, rows []int) {
	if rows == nil {
		copy(dst, part)
		return
	}
	for i, r := range rows {
		dst[r] = part[i]
	}
}

// columnsFactor is the Factor of Columns. Its R is block diagonal, with one block for each column.
type columnsFactor struct{ columns []columnFactor }

// columnFactor is the Factor of one column. Factor is nil if the column has no targets.
type columnFactor struct {
	Factor
	rows []int // rows of the points with a target; nil means all points
}

// MulVec stores R·e in dst (Factor). It stores 0 for points without a target.
func (f *columnsFactor) MulVec(dst, e []float64) {
	n := len(e) / len(f.columns)
	for j, p := range f.columns {
		part := gather(e[j*n:(j+1)*n], p.rows)
		clear(dst[j*n : (j+1)*n])
		if p.Factor != nil {
			p.Factor.MulVec(part, part)
			scatter(dst[j*n:(j+1)*n], part, p.rows)
		}
	}
}

// Release releases the factor of each column, a shared factor only once.
func (f *columnsFactor) Release() {
	var released []Factor
	for _, p := range f.columns {
		if p.Factor != nil && !slices.Contains(released, p.Factor) {
			released = append(released, p.Factor)
			p.Factor.Release()
		}
	}
	f.columns = nil
}
