package loss

import (
	"math"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// triangle is the upper triangle of a symmetric matrix, stored in a full matrix or packed by rows.
type triangle struct {
	data []float64
	n    int
	full *mat.SymDense // nil if the triangle is packed
}

// upper returns the upper triangle of the K of n points, and the indices in it of the points of g. The indices are nil,
// which means all points, unless g is a columnGram. K is formed only if g does not store it packed.
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

// start returns the offset of row i: K_ij with i ≤ j is at start(i) + j.
func (t triangle) start(i int) int {
	if t.full != nil {
		return i * t.full.RawSymmetric().Stride
	}
	return i * (2*t.n - i - 1) / 2
}

// at returns K_ij for i ≤ j.
func (t triangle) at(i, j int) float64 { return t.data[t.start(i)+j] }

// copyTo copies the triangle for the points at places to the upper triangle of k. Places are ascending, or nil for all
// points.
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

// root returns Φ with K = ΦΦᵀ, and a function that stores ΦᵀΦ if this is cheaper than the product. Both may be nil.
func root(g Gram) (phi *mat.Dense, inner func(dst *mat.SymDense) bool) {
	if c, ok := g.(*columnGram); ok {
		return c.root, c.inner
	}
	if r, ok := g.(kernel.Rooted); ok {
		return r.Root(), r.Inner
	}
	return nil, nil
}

// mulRoot stores Kw in dst if this does not need K: g is a kernel.MatrixFree or has a root. It reports whether it
// stored Kw.
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

// Diagonal returns the n numbers K_ii, none of them below 0, in the storage of dst or in new storage. It does not form
// K if the Gram can compute the diagonal without it, or has a root. columns is the number of columns of the root, or 0
// if no root was used.
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

// unsaid is the assumed relative accuracy of the entries of a Gram that is not kernel.Accurate: a few operations.
const unsaid = 16 * linalg.Epsilon

// accuracy returns the result of kernel.Accurate. For a Gram that is not Accurate, it returns an estimate from the
// given diagonal.
func accuracy(g Gram, diag []float64) (entries, shift, lift float64) {
	if c, ok := g.(*columnGram); ok && c.all.known {
		return c.all.entries, c.all.shift, c.all.lift
	}
	if a, ok := g.(kernel.Accurate); ok {
		return a.Accuracy()
	}
	return unsaid, unsaid * floats.Sum(diag), 0
}

// magnitude stores √(K_ii + δ) in s.root. It returns c with |fl(Kw)_i − (K(θ)w)_i| ≤ c √K_ii Σ_j √K_jj|w_j|, with the
// stored roots for √K_ii; shift, a δ ≥ 0 for which K(θ) + δI is positive semidefinite; and lift, an upper bound of the
// diagonal shift that K(θ) contains.
func (s *Solution) magnitude(g Gram) (c, shift, lift float64) {
	diag, columns := Diagonal(s.root, g, len(s.W))
	u, shift, lift := accuracy(g, diag)
	for i, v := range diag {
		diag[i] = math.Sqrt(v + shift)
	}
	s.root = diag
	return float64(len(diag)+columns+4)*linalg.Epsilon + u, shift, lift
}

// held is a Gram at its θ for the losses of several columns, which may read it concurrently. The Gram computes K and
// its accuracy in its internal storage, so held requests each at most once.
type held struct {
	upper func() triangle
	whole func() *mat.SymDense

	gram                 Gram
	n                    int
	known                bool // the Gram is kernel.Accurate; if false, entries, shift and lift are not set
	entries, shift, lift float64
}

// hold returns a held for g, which has n points, at its θ.
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
			return t.full // a second call of K might write to storage that others read
		}
		return g.K()
	})
	return h
}

// columnGram is a Gram on the points that have a target in a column.
type columnGram struct {
	all   *held
	rows  []int      // ascending; nil: all points
	root  *mat.Dense // the rows of the root at these points; nil if their number is at most its number of columns
	inner func(dst *mat.SymDense) bool
	k     *mat.SymDense // made by the first call of K
}

// column returns h on the points in rows. phi and inner are the root of h.
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

// free returns the Gram f that multiplies by K without forming it, or nil if K must be formed. g has n points and f has
// all points. The points of g have the indices places in f. The indices are nil, which means all points, unless g is a
// columnGram.
func free(g Gram, n int) (f kernel.MatrixFree, all int, places []int) {
	if c, ok := g.(*columnGram); ok {
		g, n, places = c.all.gram, c.all.n, c.rows
	}
	f, _ = g.(kernel.MatrixFree)
	return f, n, places
}

// K returns the matrix of the points. It is a copy unless these are all points.
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
