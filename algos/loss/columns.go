package loss

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// Columns is a loss on several columns of targets with one K:
//
//	J(K) = Σ_j J_j(K),  y and w of length n·c, column after column.
//
// A sum of convex functions of K is one, and a maximum over all columns' α at once: whatever holds of
// a loss holds of it. A target that is NaN leaves its point out of that column: w_i is 0 there.
//
// One factorisation serves all columns of a Linear loss that have every point.
type Columns struct {
	Loss  Loss
	Count int // c
}

var _ Loss = Columns{}

// In returns l on c columns: l itself on one, else Columns.
func Repeat(l Loss, c int) Loss {
	if c == 1 {
		return l
	}
	return Columns{Loss: l, Count: c}
}

// Traits returns the traits of the loss of one column, with the number of columns.
func (l Columns) Traits() Traits {
	if l.Loss == nil { // as Validate says
		return Traits{Columns: l.Count}
	}
	t := l.Loss.Traits()
	t.Columns = l.Count
	return t
}

// Slice slices the loss of each column.
func (l Columns) Slice(rows []int) Loss {
	if l.Loss != nil { // else Validate says it
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

// Validate asks each column.
func (l Columns) Validate(y []float64) error {
	if l.Loss == nil || l.Count < 1 || len(y)%l.Count != 0 {
		return fmt.Errorf("loss: %d targets in %d columns of a %T, want a loss and columns of equal length", len(y),
			l.Count, l.Loss)
	}
	any := false
	for j := range l.Count {
		rows, part := present(l.column(y, j))
		if len(part) == 0 {
			continue
		}
		any = true
		if err := l.on(rows).Validate(part); err != nil {
			return fmt.Errorf("column %d: %w", j+1, err)
		}
	}
	if !any {
		return errors.New("loss: no targets in any column")
	}
	return nil
}

// on is the loss of a column whose targets are at rows, of all points if nil.
func (l Columns) on(rows []int) Loss {
	if rows == nil {
		return l.Loss
	}
	return l.Loss.Slice(rows)
}

// column is column j of x.
func (l Columns) column(x []float64, j int) []float64 {
	n := len(x) / l.Count
	return x[j*n : (j+1)*n]
}

// present returns the places of the targets that are no NaN, nil where all are there, and those targets.
func present(y []float64) (rows []int, part []float64) {
	if !floats.HasNaN(y) {
		return nil, y
	}
	rows, part = []int{}, []float64{}
	for i, v := range y {
		if !math.IsNaN(v) {
			rows, part = append(rows, i), append(part, v)
		}
	}
	return rows, part
}

// columnPart is one column of a problem, on the points that have a target there, and its solution.
type columnPart struct {
	Solution
	j    int
	loss Loss
	g    Gram
	rows []int // nil: all points
	y    []float64
	err  error
}

// Solve solves each column, from its part of s.W.
func (l Columns) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	w := s.W
	old, _ := s.Factor.(*columnsFactor)
	linear := l.Loss.Traits().Linear
	var shared Factor // of the columns that have every target
	return l.each(s, g, y, func(p *columnPart) {
		if shared != nil && p.rows == nil {
			p.W = make([]float64, len(p.y))
			shared.MulVec(p.W, p.y)
			p.loss.Evaluate(&p.Solution, p.g, p.y, nil)
			p.Factor, p.Iters = shared, 1
			return
		}
		if len(w) == len(y) {
			p.W = gather(l.column(w, p.j), p.rows)
		}
		if old != nil && len(old.parts) == l.Count && shared == nil {
			p.Factor = old.parts[p.j].Factor // its storage
		}
		p.err = p.loss.Solve(ctx, &p.Solution, p.g, p.y, tol)
		if linear && p.err == nil && p.rows == nil {
			shared = p.Factor
		}
	})
}

// Evaluate fills s for a given feasible s.W. It makes no use of kw.
func (l Columns) Evaluate(s *Solution, g Gram, y, _ []float64) {
	w := s.W
	l.each(s, g, y, func(p *columnPart) {
		p.W = gather(l.column(w, p.j), p.rows)
		p.loss.Evaluate(&p.Solution, p.g, p.y, nil)
	})
}

// each has f fill the Solution of each column and adds them up in s. An Inexact is that of all
// columns together. The columns of a Linear loss, which share a factor, come one after the other; others
// run beside each other, on as many threads as s has; their numbers do not depend on each other.
func (l Columns) each(s *Solution, g Gram, y []float64, f func(p *columnPart)) error {
	parts := make([]columnPart, l.Count)
	linear := l.Loss.Traits().Linear
	threads := s.Threads
	if !linear {
		if threads == 0 {
			threads = linalg.Threads()
		}
		threads = max(1, threads/l.Count)
	}
	h := hold(g, len(y)/l.Count)
	phi, inner := root(g)
	run := linalg.TileFunc(func(j int) {
		p := &parts[j]
		p.j, p.Threads = j, threads
		if p.rows, p.y = present(l.column(y, j)); len(p.y) > 0 {
			p.loss, p.g = l.on(p.rows), h.column(p.rows, phi, inner)
			f(p)
		}
	})
	if !linear {
		linalg.Bound(s.Threads).Run(run, l.Count)
	} else {
		for j := range l.Count {
			run(j)
		}
	}
	return l.add(s, parts, len(y))
}

// add stores the sum of the columns, of n targets together, in s.
func (l Columns) add(s *Solution, parts []columnPart, n int) error {
	sum := Solution{W: make([]float64, n), Biases: make([]float64, l.Count), Threads: s.Threads}
	sum.Rounding.Known = true
	factor := &columnsFactor{parts: make([]columnFactor, l.Count)}
	var failed *Inexact
	smooth := true
	for j := range parts {
		p := &parts[j]
		factor.parts[j] = columnFactor{p.Factor, p.rows}
		if len(p.y) == 0 {
			continue
		}
		if p.err != nil && !errors.As(p.err, &failed) {
			s.W, s.Factor = sum.W, nil // feasible: of a column that was not solved w is 0
			if len(p.W) == len(p.y) {
				scatter(l.column(s.W, j), p.W, p.rows)
			}
			return fmt.Errorf("column %d: %w", j+1, p.err)
		}
		if len(p.Block) > 0 {
			return errors.New("loss: several columns of a loss with block norms are not supported")
		}
		scatter(l.column(sum.W, j), p.W, p.rows)
		sum.Biases[j] = p.Bias
		sum.Linear += p.Linear
		sum.Quadratic += p.Quadratic
		sum.WKW += p.WKW
		sum.Primal += p.Primal
		sum.Iters += p.Iters
		sum.ShiftError += p.ShiftError
		a, b := &sum.Rounding, p.Rounding
		a.Linear += b.Linear
		a.Quadratic += b.Quadratic
		a.WKW += b.WKW
		a.Primal += b.Primal
		a.Sum += b.Sum
		a.Known = a.Known && b.Known
		smooth = smooth && p.Factor != nil
	}
	if r := &sum.Rounding; r.Known {
		e := float64(l.Count) * linalg.Epsilon // of the sums
		r.Linear, r.Quadratic, r.WKW = r.Linear+e*math.Abs(sum.Linear), r.Quadratic+e*sum.Quadratic, r.WKW+e*sum.WKW
		r.Primal += e * math.Abs(sum.Primal)
	} else {
		*r = Rounding{}
	}
	if smooth {
		sum.Factor = factor
	}
	*s = sum
	if failed != nil && !(s.Gap() <= failed.Target) { // one that fell short may be little of the sum
		return &Inexact{Gap: s.Gap(), Target: failed.Target, Iterations: failed.Iterations, Cause: failed.Cause}
	}
	return nil
}

// gather returns a copy of w at some rows, of all of it if nil.
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

// scatter stores a part of w at its rows, at all of them if nil.
func scatter(dst, part []float64, rows []int) {
	if rows == nil {
		copy(dst, part)
		return
	}
	for i, r := range rows {
		dst[r] = part[i]
	}
}

// columnsFactor is the Factor of Columns: R is block diagonal.
type columnsFactor struct{ parts []columnFactor }

// columnFactor is the Factor of one column, nil where it has no target.
type columnFactor struct {
	Factor
	rows []int // nil: all points
}

func (f *columnsFactor) MulVec(dst, e []float64) {
	n := len(e) / len(f.parts)
	for j, p := range f.parts {
		part := gather(e[j*n:(j+1)*n], p.rows)
		clear(dst[j*n : (j+1)*n])
		if p.Factor != nil {
			p.Factor.MulVec(part, part)
			scatter(dst[j*n:(j+1)*n], part, p.rows)
		}
	}
}

// Diag stores 0 where a point has no target.
func (f *columnsFactor) Diag(dst []float64) {
	n := len(dst) / len(f.parts)
	clear(dst)
	known := map[Factor][]float64{} // many columns share a factor
	for j, p := range f.parts {
		if p.Factor == nil {
			continue
		}
		d := known[p.Factor]
		if d == nil {
			d = gather(dst[j*n:(j+1)*n], p.rows)
			p.Factor.Diag(d)
			known[p.Factor] = d
		}
		scatter(dst[j*n:(j+1)*n], d, p.rows)
	}
}

// Release gives back the factors, a shared one once.
func (f *columnsFactor) Release() {
	var done []Factor
	for _, p := range f.parts {
		if p.Factor != nil && !slices.Contains(done, p.Factor) {
			done = append(done, p.Factor)
			p.Factor.Release()
		}
	}
	f.parts = nil
}
