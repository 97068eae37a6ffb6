package loss

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
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
	Of    Loss
	Count int // c
}

var _ Loss = Columns{}

// In returns l on c columns: l itself on one, else Columns.
func In(l Loss, c int) Loss {
	if c == 1 {
		return l
	}
	return Columns{Of: l, Count: c}
}

// Traits are those of one column, and how many there are.
func (l Columns) Traits() Traits {
	t := l.Of.Traits()
	t.Columns = l.Count
	return t
}

// Slice slices the loss of each column.
func (l Columns) Slice(rows []int) Loss {
	l.Of = l.Of.Slice(rows)
	return l
}

func (l Columns) String() string {
	if s, ok := l.Of.(fmt.Stringer); ok {
		return fmt.Sprintf("%v of %d columns", s, l.Count)
	}
	return fmt.Sprintf("%T of %d columns", l.Of, l.Count)
}

// Validate asks each column.
func (l Columns) Validate(y []float64) error {
	if l.Of == nil || l.Count < 1 || len(y)%l.Count != 0 {
		return fmt.Errorf("loss: %d targets in %d columns of a %T, want a loss and columns of equal length", len(y), l.Count, l.Of)
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
		return l.Of
	}
	return l.Of.Slice(rows)
}

// column is a column of x.
func (l Columns) column(x []float64, j int) []float64 {
	n := len(x) / l.Count
	return x[j*n : (j+1)*n]
}

// present is the places of the targets that are there, nil where all are, and those targets.
func present(y []float64) (rows []int, part []float64) {
	count := 0
	for _, v := range y {
		if v == v {
			count++
		}
	}
	if count == len(y) {
		return nil, y
	}
	rows, part = make([]int, 0, count), make([]float64, 0, count)
	for i, v := range y {
		if v == v {
			rows, part = append(rows, i), append(part, v)
		}
	}
	return rows, part
}

// Solve solves each column, from its part of s.W.
func (l Columns) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	w := s.W
	if len(w) != len(y) {
		w = nil
	}
	linear := l.Of.Traits().Linear
	var shared Factor
	return l.each(s, g, y, func(p *Solution, j int, rows []int, g Gram, y []float64) error {
		if shared != nil && rows == nil {
			p.W = make([]float64, len(y))
			shared.Respond(p.W, y)
			l.Of.Judge(p, g, y, nil)
			p.Factor, p.Iters = shared, 1
			return nil
		}
		if w != nil {
			p.W = gather(l.column(w, j), rows, len(y))
		}
		if old, ok := s.Factor.(*columnsFactor); ok && len(old.parts) == l.Count && shared == nil {
			p.Factor = old.parts[j].Factor // its storage
		}
		err := l.on(rows).Solve(ctx, p, g, y, tol)
		if err == nil && rows == nil && linear {
			shared = p.Factor
		}
		return err
	})
}

// Judge fills s for a given feasible s.W. It makes no use of kw.
func (l Columns) Judge(s *Solution, g Gram, y, _ []float64) {
	w := s.W
	l.each(s, g, y, func(p *Solution, j int, rows []int, g Gram, y []float64) error {
		p.W = gather(l.column(w, j), rows, len(y))
		l.on(rows).Judge(p, g, y, nil)
		return nil
	})
}

// each has the Solution of each column filled by f and adds them up in s. An Inexact is that of all
// columns together. Columns of losses that share no factor run beside each other, on as many threads
// as s has; their numbers, and so the bits of what comes out, do not depend on each other.
func (l Columns) each(s *Solution, g Gram, y []float64, f func(p *Solution, j int, rows []int, g Gram, y []float64) error) error {
	c := &columnRun{of: l, g: g, y: y, f: f, parts: make([]columnPart, l.Count), threads: s.Threads}
	if l.Of.Traits().Linear {
		for j := range l.Count {
			c.Tile(j)
			if err := c.parts[j].err; err != nil && !errors.As(err, new(*Inexact)) {
				break
			}
		}
	} else {
		held := hold(g, len(y)/l.Count)
		c.g = held
		threads := s.Threads
		if threads == 0 {
			threads = linalg.Threads()
		}
		c.threads, c.reuse = max(1, threads/l.Count), true
		linalg.Bound(s.Threads).Run(c, l.Count)
	}
	sum := Solution{W: make([]float64, len(y)), Biases: make([]float64, l.Count), Threads: s.Threads}
	factor := &columnsFactor{count: l.Count, parts: make([]columnFactor, l.Count)}
	var failed *Inexact
	known, smooth := true, true
	for j := range c.parts {
		part := &c.parts[j]
		if part.n == 0 {
			factor.parts[j] = columnFactor{none: true}
			continue
		}
		p, rows, err := part.s, part.rows, part.err
		if err != nil && !errors.As(err, &failed) {
			s.W, s.Factor = sum.W, nil // feasible: of a column that was not solved w is 0
			if len(p.W) == part.n {
				scatter(l.column(s.W, j), p.W, rows)
			}
			return fmt.Errorf("column %d: %w", j+1, err)
		}
		if len(p.Block) > 0 {
			return errors.New("loss: several columns of a loss with block norms are not supported")
		}
		scatter(l.column(sum.W, j), p.W, rows)
		sum.Biases[j] = p.Bias
		sum.Lin, sum.Quad, sum.WKW, sum.Primal = sum.Lin+p.Lin, sum.Quad+p.Quad, sum.WKW+p.WKW, sum.Primal+p.Primal
		known = known && p.Rounding.Known
		r := &sum.Rounding
		r.Sum += p.Rounding.Sum
		r.Lin, r.Quad, r.WKW, r.Primal = r.Lin+p.Rounding.Lin, r.Quad+p.Rounding.Quad, r.WKW+p.Rounding.WKW, r.Primal+p.Rounding.Primal
		sum.Iters += p.Iters
		factor.parts[j] = columnFactor{p.Factor, rows, false}
		smooth = smooth && p.Factor != nil
		sum.Lift += p.Lift
	}
	if known {
		c := float64(l.Count) * linalg.Epsilon // of the sums
		r := &sum.Rounding
		r.Known = true
		r.Lin, r.Quad, r.WKW, r.Primal = r.Lin+c*math.Abs(sum.Lin), r.Quad+c*sum.Quad, r.WKW+c*sum.WKW, r.Primal+c*math.Abs(sum.Primal)
	} else {
		sum.Rounding = Rounding{}
	}
	if smooth {
		sum.Factor = factor
	}
	*s = sum
	if failed != nil && !(s.Gap() <= failed.Want) { // one that fell short may be little of the sum
		return &Inexact{Gap: s.Gap(), Want: failed.Want, Iterations: failed.Iterations, Cause: failed.Cause}
	}
	return nil
}

// columnRun computes a Solution for each column.
type columnRun struct {
	of      Columns
	g       Gram
	y       []float64
	f       func(p *Solution, j int, rows []int, g Gram, y []float64) error
	parts   []columnPart
	threads int
	reuse   bool // nothing keeps a Gram
}

// columnPart is what is known of a column, of n points.
type columnPart struct {
	s    Solution
	rows []int
	n    int
	err  error
}

// Tile computes that of column j.
func (c *columnRun) Tile(j int) {
	rows, y := present(c.of.column(c.y, j))
	part := &c.parts[j]
	part.rows, part.n = rows, len(y)
	if part.n == 0 {
		return
	}
	part.s.Threads = c.threads
	g := c.g
	if rows != nil {
		cut := cut(g, rows)
		g = cut
		if c.reuse {
			defer cut.release()
		}
	}
	part.err = c.f(&part.s, j, rows, g, y)
}

// gather is the part of w at some rows, all of n if nil.
func gather(w []float64, rows []int, n int) []float64 {
	part := make([]float64, n)
	if rows == nil {
		copy(part, w)
		return part
	}
	for i, r := range rows {
		part[i] = w[r]
	}
	return part
}

// scatter stores a part of w at its rows.
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
type columnsFactor struct {
	count int
	parts []columnFactor
}

// columnFactor is that of a column; none has no target.
type columnFactor struct {
	Factor
	rows []int // nil: all
	none bool
}

func (f *columnsFactor) Respond(dst, e []float64) {
	n := len(e) / f.count
	for j, p := range f.parts {
		d, e := dst[j*n:(j+1)*n], e[j*n:(j+1)*n]
		if p.none || p.rows != nil {
			part := gather(e, p.rows, len(p.rows))
			clear(d)
			if !p.none {
				p.Factor.Respond(part, part)
				scatter(d, part, p.rows)
			}
			continue
		}
		p.Factor.Respond(d, e)
	}
}

func (f *columnsFactor) Diag(dst []float64) {
	n := len(dst) / f.count
	for j, p := range f.parts {
		d := dst[j*n : (j+1)*n]
		switch {
		case p.none:
			clear(d)
		case p.rows != nil:
			part := make([]float64, len(p.rows))
			p.Factor.Diag(part)
			clear(d)
			scatter(d, part, p.rows)
		case j > 0 && f.parts[j-1].Factor == p.Factor: // many columns share one
			copy(d, dst[(j-1)*n:j*n])
		default:
			p.Factor.Diag(d)
		}
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

// hold is g, of n points, at its θ, for several readers at once: all of it is computed now, but for a K of which
// there is the triangle.
func hold(g Gram, n int) *heldGram {
	h := &heldGram{upper: upper(g, n)}
	if h.k = sync.OnceValue(g.K); h.upper.full != nil {
		h.k = func() *mat.SymDense { return h.upper.full } // a second call of K might write what others read
	}
	if r, ok := g.(Rooted); ok {
		h.root = r.Root()
	}
	h.u, h.shift = unsaid, 0
	if a, ok := g.(Accurate); ok {
		h.u, h.shift, h.lift = a.Accuracy()
	} else {
		for i := range n {
			h.shift += h.u * math.Max(h.upper.at(i, i), 0) // as magnitude has it
		}
	}
	return h
}

// heldGram is a Gram that does not change.
type heldGram struct {
	upper          triangle
	k              func() *mat.SymDense
	root           *mat.Dense
	u, shift, lift float64
}

func (h *heldGram) K() *mat.SymDense                   { return h.k() }
func (h *heldGram) Triangle() []float64                { return h.upper.packed() }
func (h *heldGram) Root() *mat.Dense                   { return h.root }
func (h *heldGram) Accuracy() (u, shift, lift float64) { return h.u, h.shift, h.lift }

// cut is g on some points.
func cut(g Gram, rows []int) *cutGram {
	c := cuts.Get().(*cutGram)
	c.of, c.rows, c.k, c.root = g, rows, nil, nil
	if r, ok := g.(Rooted); ok {
		if phi := r.Root(); phi != nil {
			_, cols := phi.Dims()
			if cols < len(rows) {
				c.root = mat.NewDense(len(rows), cols, nil)
				for i, row := range rows {
					c.root.SetRow(i, phi.RawRowView(row))
				}
			}
		}
	}
	return c
}

// cuts keep their storage for later ones.
var cuts = sync.Pool{New: func() any { return new(cutGram) }}

// cutGram is the Gram of some points; K is copied when first asked for.
type cutGram struct {
	of    Gram
	rows  []int
	root  *mat.Dense
	k     *mat.SymDense
	store []float64
}

func (c *cutGram) release() {
	c.of, c.rows, c.k, c.root = nil, nil, nil, nil
	cuts.Put(c)
}

// Root is the rows of the root, nil where those are no more than its columns.
func (c *cutGram) Root() *mat.Dense { return c.root }

func (c *cutGram) K() *mat.SymDense {
	if c.k != nil {
		return c.k
	}
	n, all := len(c.rows), c.whole()
	c.store = resize(c.store, n*n)
	for i, a := range c.rows { // which ascend
		line, to := all.data[all.start(a):], c.store[i*n:(i+1)*n]
		for j, b := range c.rows[i:] {
			to[i+j] = line[b]
		}
	}
	c.k = mat.NewSymDense(n, c.store)
	return c.k
}

func (c *cutGram) whole() triangle {
	if h, ok := c.of.(*heldGram); ok {
		return h.upper
	}
	return triangleOf(c.of.K())
}

// Accuracy is that of the whole, or what magnitude takes for it.
func (c *cutGram) Accuracy() (entries, shift, lift float64) {
	if a, ok := c.of.(Accurate); ok {
		return a.Accuracy()
	}
	k := c.K()
	for i := range c.rows {
		shift += unsaid * math.Max(k.At(i, i), 0)
	}
	return unsaid, shift, 0
}
