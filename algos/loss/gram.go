package loss

import (
	"math"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// triangle is the upper triangle of a symmetric matrix, in a full one or packed by rows.
type triangle struct {
	data []float64
	n    int
	full *mat.SymDense // nil where the triangle is packed
}

// upper returns the upper triangle of K, of n points, and the places in it of the points of g: nil, all of them, unless
// g is a column's. K is formed only where g does not keep it packed.
func upper(g Gram, n int) (t triangle, places []int) {
	if c, ok := g.(*columnGram); ok {
		return c.all.upper(), c.rows
	}
	if p, ok := g.(kernel.Packed); ok {
		if a := p.Triangle(); a != nil {
			return triangle{data: a, n: n}, nil
		}
	}
	k := g.K()
	return triangle{k.RawSymmetric().Data, n, k}, nil
}

// start is where row i would start: K_ij of i ≤ j is at start(i) + j.
func (t triangle) start(i int) int {
	if t.full != nil {
		return i * t.full.RawSymmetric().Stride
	}
	return i * (2*t.n - i - 1) / 2
}

// at is K_ij, i ≤ j.
func (t triangle) at(i, j int) float64 { return t.data[t.start(i)+j] }

// copyTo stores the triangle between some points, ascending or nil for all, in that of k.
func (t triangle) copyTo(k *mat.SymDense, places []int) {
	r := k.RawSymmetric()
	for i := range r.N {
		to := r.Data[i*r.Stride : i*r.Stride+r.N]
		if places == nil {
			copy(to[i:], t.data[t.start(i)+i:])
			continue
		}
		line := t.data[t.start(places[i]):]
		for j := i; j < r.N; j++ {
			to[j] = line[places[j]]
		}
	}
}

// mulVec stores Kx in dst. Each sum has n terms.
func (t triangle) mulVec(dst, x []float64) {
	if t.full != nil {
		linalg.SymMulVec(dst, t.full, x)
		return
	}
	linalg.PackedMulVec(dst, t.data, x)
}

// root returns Φ with K = ΦΦᵀ, and what stores ΦᵀΦ where that is known at less than its product; both may be nil.
func root(g Gram) (phi *mat.Dense, inner func(dst *mat.SymDense) bool) {
	if c, ok := g.(*columnGram); ok {
		return c.root, c.inner
	}
	if r, ok := g.(kernel.Rooted); ok {
		return r.Root(), r.Inner
	}
	return nil, nil
}

// mulRoot stores Kw in dst, where that takes no K: of a kernel.MatrixFree, or by a root. It returns whether it has.
func mulRoot(dst []float64, g Gram, w []float64) bool {
	if f, n, places := free(g, len(w)); f != nil {
		full, kw := make([]float64, n), make([]float64, n)
		scatter(full, w, places)
		f.Times(kw, full)
		copy(dst, gather(kw, places))
		return true
	}
	phi, _ := root(g)
	if phi == nil {
		return false
	}
	_, c := phi.Dims()
	t := make([]float64, c)
	linalg.MulVec(t, true, phi, w)
	linalg.MulVec(dst, false, phi, t)
	return true
}

// Diagonal stores K_ii, n of them and none below 0, in dst or in new storage, without forming K where the Gram can, or
// has a root; columns is then the number of the root's, else 0.
func Diagonal(dst []float64, g Gram, n int) (diag []float64, columns int) {
	if f, all, places := free(g, n); f != nil {
		diag = make([]float64, all)
		f.Diagonal(diag)
		return gather(diag, places), 0
	}
	diag = resize(dst, n)
	if phi, _ := root(g); phi != nil {
		_, columns = phi.Dims()
		for i := range diag {
			row := phi.RawRowView(i)
			diag[i] = floats.Dot(row, row)
		}
		return diag, columns
	}
	k, places := upper(g, n)
	for i := range diag {
		p := i
		if places != nil {
			p = places[i]
		}
		diag[i] = math.Max(k.at(p, p), 0)
	}
	return diag, 0
}

// unsaid is the accuracy of the entries of a Gram that does not say it: a few operations.
const unsaid = 16 * linalg.Epsilon

// accuracy returns what kernel.Accurate does, for a Gram of the given diagonal that does not say it an estimate.
func accuracy(g Gram, diag []float64) (entries, shift, lift float64) {
	if c, ok := g.(*columnGram); ok && c.all.known {
		return c.all.entries, c.all.shift, c.all.lift
	}
	if a, ok := g.(kernel.Accurate); ok {
		return a.Accuracy()
	}
	return unsaid, unsaid * floats.Sum(diag), 0
}

// magnitude stores √K_ii in s.root and returns c with |fl(Kw)_i − (K(θ)w)_i| ≤ c √K_ii Σ_j √K_jj|w_j|,
// δ with K(θ) + δI positive semidefinite, and by how much K(θ) was lifted.
func (s *Solution) magnitude(g Gram) (c, shift, lift float64) {
	diag, columns := Diagonal(s.root, g, len(s.W))
	u, shift, lift := accuracy(g, diag)
	for i, v := range diag {
		diag[i] = math.Sqrt(v + shift)
	}
	s.root = diag
	return float64(len(diag)+columns+4)*linalg.Epsilon + u, shift, lift
}

// held is a Gram at its θ for the losses of several columns, which may read it at once: what it computes in storage of
// its own, K and its accuracy, it is asked for at most once.
type held struct {
	upper func() triangle
	whole func() *mat.SymDense

	gram                 Gram
	n                    int
	known                bool // the Gram is kernel.Accurate, and says
	entries, shift, lift float64
}

// hold holds g, of n points, at its θ.
func hold(g Gram, n int) *held {
	h := &held{gram: g, n: n}
	if a, ok := g.(kernel.Accurate); ok {
		h.known = true
		h.entries, h.shift, h.lift = a.Accuracy()
	}
	h.upper = sync.OnceValue(func() triangle {
		t, _ := upper(g, n)
		return t
	})
	h.whole = sync.OnceValue(func() *mat.SymDense {
		if t := h.upper(); t.full != nil {
			return t.full // a second call of K might write what others read
		}
		return g.K()
	})
	return h
}

// columnGram is a Gram on the points that have a target in a column.
type columnGram struct {
	all   *held
	rows  []int      // ascending; nil: all
	root  *mat.Dense // its rows at these points; nil where those are no more than its columns
	inner func(dst *mat.SymDense) bool
	k     *mat.SymDense // made when it is first asked for
}

// column returns h, of which phi and inner are the root, on some points.
func (h *held) column(rows []int, phi *mat.Dense, inner func(dst *mat.SymDense) bool) *columnGram {
	if rows == nil {
		return &columnGram{all: h, root: phi, inner: inner}
	}
	c := &columnGram{all: h, rows: rows}
	if phi != nil {
		if _, cols := phi.Dims(); cols < len(rows) {
			c.root = mat.NewDense(len(rows), cols, nil)
			for i, row := range rows {
				c.root.SetRow(i, phi.RawRowView(row))
			}
		}
	}
	return c
}

// free returns the Gram that multiplies by K of the points of g, n of them, without forming it, nil where that is
// formed. It is of all points, and those of g are at places of them: nil, all of them, unless g is a column's.
func free(g Gram, n int) (f kernel.MatrixFree, all int, places []int) {
	if c, ok := g.(*columnGram); ok {
		g, n, places = c.all.gram, c.all.n, c.rows
	}
	f, _ = g.(kernel.MatrixFree)
	return f, n, places
}

// K copies the matrix of the points, unless they are all.
func (c *columnGram) K() *mat.SymDense {
	if c.rows == nil {
		return c.all.whole()
	}
	if c.k == nil {
		c.k = mat.NewSymDense(len(c.rows), nil)
		c.all.upper().copyTo(c.k, c.rows)
	}
	return c.k
}
