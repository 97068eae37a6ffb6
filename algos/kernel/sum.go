package kernel

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// ErrNotPSD is wrapped by the error that names a base matrix with a negative eigenvalue.
var ErrNotPSD = errors.New("kernel: not positive semidefinite")

// Normalization says how a base kernel is scaled.
type Normalization string

const (
	None         Normalization = ""              // not at all
	Cosine       Normalization = "cosine"        // k(x,z)/√(k(x,x)k(z,z)): every point on the unit sphere
	MeanDiagonal Normalization = "mean diagonal" // divided by the mean of k(x_i,x_i) over the fixed points
)

// What of a diagonal counts as 0, because it is rounding: this part of what it was before centring,
// this part of the largest entry over the fixed points before centring.
const (
	zeroDiagonal = 1e-12
	zeroPoint    = 1e-14
)

// List is the linear family Σ_k θ_k k_k of base kernels as they are.
type List []Kernel

// Sum is the family
//
//	k_θ(x,z) = (Σ_k θ_k k̃_k(x,z))^d
//
// of base kernels k̃_k = k_k prepared, centred and normalised, in that order. K(θ) is the
// elementwise power of the sum; with θ ≥ 0 it is positive semidefinite (Schur).
//
// Base matrices are computed once, when first asked for, and kept as upper triangles: 4mn² bytes,
// twice that with Centre or Normalize where slices are taken. At costs O(mn²), and so does each
// derivative.
type Sum struct {
	Kernels List
	// Degree is d, from 1 to 4; 0 means 1.
	Degree int
	// Prepare is applied to Rows and Sparse before the kernels see them.
	Prepare Prepare
	// Centre moves each base kernel's feature map to mean 0 over the fixed points:
	//	k̃(x,z) = k(x,z) − mean_i k(x_i,z) − mean_j k(x,x_j) + mean_ij k(x_i,x_j).
	Centre bool
	// Normalize scales each base kernel after that. Where a diagonal entry is 0 (to 1e-12 of what
	// it was before centring, or 1e-14 of the largest), as a constant kernel's is once centred, the
	// normalised kernel is 0.
	Normalize Normalization
}

var (
	_ Family = List{}
	_ Family = Sum{}
)

// On binds l to x.
func (l List) On(x Points) Grams { return Sum{Kernels: l}.On(x) }

// On binds f to x. The base matrices are computed when they are first needed.
func (f Sum) On(x Points) Grams {
	g := &sumGrams{f: f, x: x, d: max(f.Degree, 1), verdict: new(verdict)}
	g.verdict.judge = g.judge
	if g.bad = f.check(x); g.bad != nil {
		return g
	}
	g.prepare()
	return g
}

// check is what On needs to be able to go on.
func (f Sum) check(x Points) error {
	if len(f.Kernels) == 0 {
		return errors.New("kernel: a sum of no kernels, want at least one")
	}
	if err := checkDegree(f.Degree); err != nil {
		return err
	}
	if f.Normalize != None && f.Normalize != Cosine && f.Normalize != MeanDiagonal {
		return fmt.Errorf("kernel: normalization %q, want %q, %q or %q", f.Normalize, None, Cosine, MeanDiagonal)
	}
	if err := f.Prepare.Check(); err != nil {
		return err
	}
	if x == nil {
		return errors.New("kernel: no points (nil)")
	}
	if err := x.Validate(); err != nil {
		return err
	}
	if len(f.Prepare) > 0 {
		if _, err := vectorsOf(x, nil); err != nil {
			return fmt.Errorf("kernel: %v before the kernels: %w", f.Prepare, err)
		}
	}
	for k, b := range f.Kernels {
		if b == nil {
			return fmt.Errorf("kernel: kernel %d of the sum is nil", k+1)
		}
		if err := b.Check(x); err != nil {
			return err
		}
	}
	return nil
}

func checkDegree(d int) error {
	if d < 0 || d > 4 {
		return fmt.Errorf("kernel: degree %d, want 1 to 4", d)
	}
	return nil
}

// verdict is the judgement of points and family, given once and shared with slices.
type verdict struct {
	once  sync.Once
	judge func() error
	err   error
}

func (v *verdict) say() error {
	v.once.Do(func() { v.err = v.judge() })
	return v.err
}

// bases are the base matrices of prepared points, before centring and normalising, shared by
// slices.
type bases struct {
	kernels List
	x       Points
	once    sync.Once
	k       [][]float64 // upper triangles, packed by rows
}

// tri is the place of (i, i) in the packed upper triangle of an n×n matrix.
func tri(n, i int) int { return i * (2*n - i + 1) / 2 }

// at is the place of (i, j).
func at(n, i, j int) int {
	if i > j {
		i, j = j, i
	}
	return tri(n, i) + j - i
}

func (b *bases) matrices() [][]float64 {
	b.once.Do(func() {
		n := b.x.Len()
		b.k = make([][]float64, len(b.kernels))
		var full []float64
		pack := func(k int) {
			b.k[k] = make([]float64, tri(n, n))
			for i := range n {
				copy(b.k[k][tri(n, i):tri(n, i+1)], full[i*n+i:(i+1)*n])
			}
		}
		for k, f := range b.kernels {
			if b.k[k] != nil {
				continue
			}
			if full == nil {
				full = make([]float64, n*n)
			}
			g, ok := f.(grounded)
			if !ok {
				f.Cross(mat.NewDense(n, n, full), b.x, b.x)
				pack(k)
				continue
			}
			kind, columns := g.ground()
			v, err := vectorsOf(b.x, columns)
			if err != nil {
				panic(err)
			}
			kind.within(full, &v)
			var same []int // all that are functions of the same matrix
			for l := k; l < len(b.kernels); l++ {
				if h, ok := b.kernels[l].(grounded); ok && b.k[l] == nil && sameGround(g, h) {
					same = append(same, l)
				}
			}
			linalg.Run(each(func(i int) {
				l := same[i]
				pack(l)
				b.kernels[l].(grounded).apply(b.k[l], b.k[l])
			}), len(same))
		}
	})
	return b.k
}

func sameGround(a, b grounded) bool {
	s, c := a.ground()
	t, d := b.ground()
	return s == t && (c == nil) == (d == nil) && slices.Equal(c, d)
}

// sumGrams is a Sum on fixed points.
type sumGrams struct {
	f       Sum
	x       Points
	d       int
	bad     error // why it cannot be evaluated
	verdict *verdict

	prepared *Prepared
	base     *bases // its own or those of what it is a slice of
	rows     []int  // of base; nil for all

	once sync.Once
	k    [][]float64 // the base matrices, centred and normalised
	fits []baseFit

	spare sync.Pool // of Grams that were released
}

// baseFit is what centring and normalising learn of one base kernel.
type baseFit struct {
	mean  []float64 // mean_j k(x_i, x_j), length n; nil unless centred
	grand float64
	top   float64   // the largest k(x_i, x_i)
	inv   []float64 // 1/√k̃(x_i,x_i) of Cosine, 0 where that is 0
	scale float64   // of MeanDiagonal, else 1
}

var (
	_ Graded    = (*sumGrams)(nil)
	_ Validated = (*sumGrams)(nil)
	_ Crossed   = (*sumGrams)(nil)
	_ Sliced    = (*sumGrams)(nil)
)

func (g *sumGrams) prepare() {
	x := g.x
	g.prepared = &Prepared{}
	if len(g.f.Prepare) > 0 {
		v, err := vectorsOf(x, nil)
		if err != nil {
			panic(err)
		}
		f, p := g.f.Prepare.fit(v)
		g.prepared, x = f, p.points()
	}
	g.base = &bases{kernels: g.f.Kernels, x: x}
}

// judge is Validate, done once.
func (g *sumGrams) judge() error {
	if g.bad != nil {
		return g.bad
	}
	dst := make([]float64, g.x.Len())
	for _, k := range g.f.Kernels {
		if v, ok := k.(Validated); ok {
			if err := v.Validate(); err != nil {
				return err
			}
		}
		if err := k.Check(g.base.x); err != nil {
			return fmt.Errorf("kernel: prepared points: %w", err)
		}
		diag(k, dst, g.base.x)
		for i, v := range dst { // bounds the rest of a positive semidefinite matrix
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("kernel: %v of point %d with itself is %g: the features are too large", k, i+1, v)
			}
		}
	}
	return nil
}

// Dims returns the number of base kernels and of points.
func (g *sumGrams) Dims() (m, n int) {
	if g.x != nil {
		n = g.x.Len()
	}
	return len(g.f.Kernels), n
}

// Label is the kernel's String, with the features' names where it sees columns that have some.
func (g *sumGrams) Label(k int) string {
	f := g.f.Kernels[k]
	v, ok := f.(grounded)
	if !ok {
		return f.String()
	}
	var names []string
	switch x := g.x.(type) {
	case Rows:
		names = x.Names
	case Sparse:
		names = x.Names
	}
	if _, c := v.ground(); c != nil && names != nil {
		return v.plain() + of(c, names)
	}
	return f.String()
}

// Degree returns d.
func (g *sumGrams) Degree() int { return g.d }

// Validate judges points, parameters and precomputed matrices, once for it and its slices.
func (g *sumGrams) Validate() error { return g.verdict.say() }

// Slice equals On(x[rows]). Base matrices are taken from g's where Prepare learns nothing of the
// points.
func (g *sumGrams) Slice(rows []int) Grams { return g.slice(rows) }

func (g *sumGrams) slice(rows []int) *sumGrams {
	s := &sumGrams{f: g.f, d: g.d, bad: g.bad, verdict: g.verdict}
	if g.bad != nil {
		return s
	}
	if len(rows) == 0 {
		panic(noRows)
	}
	s.x = g.x.Slice(rows)
	if g.f.Prepare.fits() {
		s.prepare()
		return s
	}
	s.prepared, s.base, s.rows = g.prepared, g.base, g.places(rows)
	return s
}

const noRows = "kernel: Slice of no rows"

// places are the rows of base that the given rows of g are.
func (g *sumGrams) places(rows []int) []int {
	p := slices.Clone(rows)
	if g.rows != nil {
		for i, r := range rows {
			p[i] = g.rows[r]
		}
	}
	return p
}

// matrices are the fitted base matrices, computed once.
func (g *sumGrams) matrices() ([][]float64, []baseFit) {
	g.once.Do(func() {
		if g.bad != nil {
			panic(g.bad)
		}
		raw := g.base.matrices()
		_, n := g.Dims()
		g.k, g.fits = make([][]float64, len(raw)), make([]baseFit, len(raw))
		linalg.Run(each(func(k int) {
			src := raw[k]
			g.k[k] = src
			switch {
			case g.rows != nil:
				big := g.base.x.Len()
				g.k[k] = make([]float64, tri(n, n))
				for i, r := range g.rows {
					row := g.k[k][tri(n, i):tri(n, i+1)]
					for j := range row {
						row[j] = src[at(big, r, g.rows[i+j])]
					}
				}
			case g.f.Centre || g.f.Normalize != None:
				g.k[k] = slices.Clone(src)
			}
			g.fits[k] = g.f.fit(g.k[k], n)
		}), len(raw))
	})
	return g.k, g.fits
}

// each is a function of the number of a tile.
type each func(i int)

func (f each) Tile(i int) { f(i) }

// fit centres and normalises a packed base matrix in place.
func (f Sum) fit(a []float64, n int) baseFit {
	fit := baseFit{scale: 1}
	before := make([]float64, n)
	for i := range before {
		before[i] = a[tri(n, i)]
		fit.top = math.Max(fit.top, before[i])
	}
	if f.Centre {
		fit.mean = make([]float64, n)
		for i := range n {
			row := a[tri(n, i):tri(n, i+1)]
			fit.mean[i] += row[0]
			for j, v := range row[1:] {
				fit.mean[i] += v
				fit.mean[i+1+j] += v
			}
		}
		for i := range n {
			fit.mean[i] /= float64(n)
			fit.grand += fit.mean[i] / float64(n)
		}
		for i := range n {
			row := a[tri(n, i):tri(n, i+1)]
			for j := range row {
				row[j] += fit.grand - fit.mean[i] - fit.mean[i+j]
			}
		}
	}
	switch f.Normalize {
	case Cosine:
		fit.inv = make([]float64, n)
		for i := range n {
			fit.inv[i] = fit.inverse(a[tri(n, i)], before[i])
		}
		for i := range n {
			row := a[tri(n, i):tri(n, i+1)]
			for j := range row {
				row[j] *= fit.inv[i] * fit.inv[i+j]
			}
			if fit.inv[i] > 0 {
				row[0] = 1
			}
		}
	case MeanDiagonal:
		sum, was := 0.0, 0.0
		for i := range n {
			sum += a[tri(n, i)]
			was += before[i]
		}
		fit.scale = 0
		if sum > zeroDiagonal*was {
			fit.scale = float64(n) / sum
		}
		for i := range a {
			a[i] *= fit.scale
		}
	}
	return fit
}

// inverse is 1/√v of a diagonal entry v that was before centring, 0 where v is 0 up to rounding.
func (f *baseFit) inverse(v, before float64) float64 {
	if v <= zeroPoint*f.top || v <= zeroDiagonal*math.Max(before, math.Abs(f.grand)) && f.mean != nil {
		return 0
	}
	return 1 / math.Sqrt(v)
}

// Cross prepares, centres and normalises z by the fit of the fixed points.
func (g *sumGrams) Cross(z Points) Cross {
	if g.bad != nil {
		panic(g.bad)
	}
	if len(g.f.Prepare) > 0 {
		z = g.prepared.Apply(z)
	}
	x := g.base.x
	if g.rows != nil {
		x = x.Slice(g.rows)
	}
	return &sumCross{g: g, l: z.Len(), raw: func(theta []float64, lo, hi int) (blocks, diags [][]float64) {
		part := z
		if lo > 0 || hi < z.Len() {
			rows := make([]int, hi-lo)
			for i := range rows {
				rows[i] = lo + i
			}
			part = z.Slice(rows)
		}
		return crossBases(g.f.Kernels, theta, part, x), diagBases(g.f, theta, part)
	}}
}

// crossBases are the base kernels between z and x, l×n each, but for those with θ_k = 0.
func crossBases(kernels List, theta []float64, z, x Points) [][]float64 {
	l, n := z.Len(), x.Len()
	out := make([][]float64, len(kernels))
	for k, f := range kernels {
		if out[k] != nil || l == 0 || theta[k] == 0 {
			continue
		}
		out[k] = make([]float64, l*n)
		g, ok := f.(grounded)
		if !ok {
			f.Cross(mat.NewDense(l, n, out[k]), z, x)
			continue
		}
		kind, columns := g.ground()
		a, b := pair(f, z, x, columns)
		kind.between(out[k], n, &a, &b)
		for t := k + 1; t < len(kernels); t++ { // before out[k] itself is changed
			if h, ok := kernels[t].(grounded); ok && out[t] == nil && theta[t] != 0 && sameGround(g, h) {
				out[t] = make([]float64, l*n)
				h.apply(out[t], out[k])
			}
		}
		g.apply(out[k], out[k])
	}
	return out
}

// diagBases are k(z_i, z_i), where normalising asks for them.
func diagBases(f Sum, theta []float64, z Points) [][]float64 {
	out := make([][]float64, len(f.Kernels))
	for k, b := range f.Kernels {
		if f.Normalize == Cosine && theta[k] != 0 {
			out[k] = make([]float64, z.Len())
			diag(b, out[k], z)
		}
	}
	return out
}

// Block is K between x[rows] and x[cols], everything fitted on cols.
func (g *sumGrams) Block(rows, cols []int) Cross {
	s := g.slice(cols)
	if g.bad != nil {
		panic(g.bad)
	}
	if g.f.Prepare.fits() {
		return s.Cross(g.x.Slice(rows))
	}
	p := g.places(rows)
	return &sumCross{g: s, l: len(p), raw: func(theta []float64, lo, hi int) (blocks, diags [][]float64) {
		big := g.base.x.Len()
		blocks, diags = make([][]float64, len(theta)), make([][]float64, len(theta))
		for k, src := range g.base.matrices() {
			if theta[k] == 0 {
				continue
			}
			diags[k] = make([]float64, 0, hi-lo)
			blocks[k] = make([]float64, 0, (hi-lo)*len(s.rows))
			for _, r := range p[lo:hi] {
				diags[k] = append(diags[k], src[tri(big, r)])
				for _, c := range s.rows {
					blocks[k] = append(blocks[k], src[at(big, r, c)])
				}
			}
		}
		return blocks, diags
	}}
}

// kept is how many numbers a Cross keeps for the next θ: 128 MB.
const kept = 1 << 24

// sumCross is a Sum between l new points and the fixed ones. Where they are few it keeps the
// fitted base kernels for the next θ; else it computes them for a part of the points at a time.
type sumCross struct {
	g    *sumGrams
	l    int
	raw  func(theta []float64, lo, hi int) (blocks, diags [][]float64) // nil where θ_k = 0
	once sync.Once
	k    [][]float64
}

// matrices are the base kernels of new points lo to hi−1, centred and normalised.
func (c *sumCross) matrices(theta []float64, lo, hi int) [][]float64 {
	_, fits := c.g.matrices()
	_, n := c.g.Dims()
	blocks, diags := c.raw(theta, lo, hi)
	for k, a := range blocks {
		if a == nil {
			continue
		}
		fit := &fits[k]
		for i := range hi - lo {
			row := a[i*n : (i+1)*n]
			mean := 0.0
			if fit.mean != nil {
				for _, v := range row {
					mean += v
				}
				mean /= float64(n)
				for j := range row {
					row[j] += fit.grand - mean - fit.mean[j]
				}
			}
			s := fit.scale
			if fit.inv != nil {
				before := diags[k][i]
				after := before
				if fit.mean != nil {
					after += fit.grand - 2*mean
				}
				s = fit.inverse(after, before)
				for j := range row {
					row[j] *= fit.inv[j]
				}
			}
			if s != 1 {
				for j := range row {
					row[j] *= s
				}
			}
		}
	}
	return blocks
}

// Gram stores (Σ_k θ_k K_k)^d in dst, l×n, in O(mln).
func (c *sumCross) Gram(dst *mat.Dense, theta []float64) {
	_, n := c.g.Dims()
	if r, s := dst.Dims(); r != c.l || s != n {
		panic(fmt.Sprintf("kernel: destination of a cross Gram is %d×%d, want %d×%d", r, s, c.l, n))
	}
	if len(theta) != len(c.g.f.Kernels) {
		panic(badTheta)
	}
	m := len(theta)
	part := c.l
	if c.l*n*m > kept {
		part = max(1, kept/8/(n*m))
	} else {
		c.once.Do(func() {
			all := make([]float64, m)
			ones(all)
			c.k = c.matrices(all, 0, c.l)
		})
	}
	r := dst.RawMatrix()
	for lo := 0; lo < c.l; lo += part {
		hi := min(lo+part, c.l)
		k := c.k
		if k == nil {
			k = c.matrices(theta, lo, hi)
		}
		for i := lo; i < hi; i++ {
			row := r.Data[i*r.Stride : i*r.Stride+n]
			clear(row)
			for j, t := range theta {
				if t != 0 {
					linalg.Axpy(t, k[j][(i-lo)*n:(i-lo+1)*n], row)
				}
			}
			power(row, row, c.g.d)
		}
	}
}

const (
	badTheta  = "kernel: length of θ is not the number of parameters"
	notAtAll  = "kernel: a Gram that At has not moved to any θ"
	badLength = "kernel: a vector's length is neither the number of points nor of parameters it stands for"
)

// power stores src^d entrywise; dst may be src.
func power(dst, src []float64, d int) {
	switch d {
	case 1:
		copy(dst, src)
	case 2:
		for i, v := range src {
			dst[i] = v * v
		}
	case 3:
		for i, v := range src {
			dst[i] = v * v * v
		}
	case 4:
		for i, v := range src {
			dst[i] = v * v * (v * v)
		}
	}
}

// slope is d·s^{d−1}, bend is d(d−1)·s^{d−2}.
func slope(s float64, d int) float64 {
	switch d {
	case 1:
		return 1
	case 2:
		return 2 * s
	case 3:
		return 3 * s * s
	}
	return 4 * s * s * s
}

func bend(s float64, d int) float64 {
	switch d {
	case 1:
		return 0
	case 2:
		return 2
	case 3:
		return 6 * s
	}
	return 12 * s * s
}

// New returns an unevaluated Gram. That of degree 2 is Quadratic.
func (g *sumGrams) New() Gram {
	if old := g.spare.Get(); old != nil {
		return old.(Gram)
	}
	if g.d == 2 {
		return &quadraticSum{sumGram{g: g}}
	}
	return &sumGram{g: g}
}

// reuse makes old, of which g is the whole or a part, the next that New returns.
func (g *sumGram) reuse(old Gram) {
	g.theta = nil
	g.g.spare.Put(old)
}

func (g *sumGram) Release()      { g.reuse(g) }
func (g *quadraticSum) Release() { g.reuse(g) }

// sumGram is K(θ). Everything symmetric is kept as an upper triangle packed by rows, so that with
// A the m×n(n+1)/2 matrix of the base matrices S = Aᵀθ, and every derivative is A times a vector.
type sumGram struct {
	g     *sumGrams
	theta []float64
	s     []float64 // packed S
	hasS  bool
	k     *mat.SymDense
	hasK  bool
	p, t  []float64 // scratch, packed
	buf   []float64
	c     combination
	j     projection
	part  []float64 // of j
}

// quadraticSum is sumGram of degree 2.
type quadraticSum struct{ sumGram }

var (
	_ Curved    = (*sumGram)(nil)
	_ Curved    = (*quadraticSum)(nil)
	_ Quadratic = (*quadraticSum)(nil)
	_ Pooled    = (*sumGram)(nil)
	_ Pooled    = (*quadraticSum)(nil)
)

// chunk is how much of a packed triangle is held in the first-level cache at once.
const chunk = 2048

// grain is how many multiplications a thread does at a stretch, about a quarter of a millisecond.
const grain = 1 << 20

// combination is dst = Aᵀθ, in tiles of so many entries of dst.
type combination struct {
	dst, theta []float64
	a          [][]float64
	size       int
}

func (c *combination) Tile(t int) {
	end := min((t+1)*c.size, len(c.dst))
	for b := t * c.size; b < end; b += chunk {
		e := min(b+chunk, end)
		clear(c.dst[b:e])
		for k, t := range c.theta {
			if t != 0 {
				linalg.Axpy(t, c.a[k][b:e], c.dst[b:e])
			}
		}
	}
}

// combine stores Aᵀθ.
func (g *sumGram) combine(dst, theta []float64) {
	g.c = combination{dst, theta, g.g.k, chunk * tiles(grain, chunk*len(theta))}
	linalg.Run(&g.c, tiles(len(dst), g.c.size))
}

// projection is Ap, in tiles of so many entries of p: tile t adds up its part of row k at part[t·m+k].
type projection struct {
	part, p []float64
	a       [][]float64
	size    int
}

func (j *projection) Tile(t int) {
	m := len(j.a)
	part := j.part[t*m : (t+1)*m]
	clear(part)
	end := min((t+1)*j.size, len(j.p))
	for b := t * j.size; b < end; b += chunk {
		e := min(b+chunk, end)
		for k, a := range j.a {
			part[k] += linalg.Dot(j.p[b:e], a[b:e])
		}
	}
}

// project stores Ap.
func (g *sumGram) project(dst []float64) {
	m, size := len(dst), chunk*tiles(grain, chunk*len(dst))
	count := tiles(len(g.p), size)
	g.j = projection{sized(&g.part, count*m), g.p, g.g.k, size}
	linalg.Run(&g.j, count)
	copy(dst, g.part[:m])
	for t := 1; t < count; t++ {
		linalg.Axpy(1, g.part[t*m:(t+1)*m], dst)
	}
}

// tiles is how many of that size, at least 1, hold n.
func tiles(n, size int) int { return max(1, (n+size-1)/max(1, size)) }

// At moves to θ; nothing is computed before it is asked for.
func (g *sumGram) At(theta []float64) {
	if m, _ := g.g.Dims(); len(theta) != m {
		panic(badTheta)
	}
	g.g.matrices()
	g.theta = append(g.theta[:0], theta...)
	g.hasS, g.hasK = false, false
}

func (g *sumGram) sum() []float64 {
	if g.theta == nil {
		panic(notAtAll)
	}
	if !g.hasS {
		_, n := g.g.Dims()
		if g.s == nil {
			g.s = make([]float64, tri(n, n))
		}
		g.combine(g.s, g.theta)
		g.hasS = true
	}
	return g.s
}

// K forms K(θ) when first asked for at θ, in O(mn²).
func (g *sumGram) K() *mat.SymDense {
	if g.hasK {
		return g.k
	}
	s := g.sum()
	_, n := g.g.Dims()
	if g.k == nil {
		g.k = mat.NewSymDense(n, nil)
	}
	data := g.k.RawSymmetric().Data
	for i := range n {
		power(data[i*n+i:(i+1)*n], s[tri(n, i):tri(n, i+1)], g.g.d)
	}
	g.hasK = true
	return g.k
}

// pairs stores the packed P with wᵀMv + vᵀMw = 2ΣP∘M: v_iw_i on the diagonal, v_iw_j + v_jw_i off
// it.
func pairs(p, v, w []float64) {
	n := len(v)
	for i := range n {
		row := p[tri(n, i):tri(n, i+1)]
		vi, wi := v[i], w[i]
		row[0] = vi * wi
		vs, ws := v[i+1:], w[i+1:]
		for j := range row[1:] {
			row[j+1] = vi*ws[j] + wi*vs[j]
		}
	}
}

func (g *sumGram) scratch() {
	if g.theta == nil {
		panic(notAtAll)
	}
	_, n := g.g.Dims()
	if g.p == nil {
		g.p = make([]float64, tri(n, n))
	}
}

// Gradient stores d·wᵀ(S^{d−1}∘K_k)w in O(mn²).
func (g *sumGram) Gradient(dst, w []float64) { g.Pair(dst, w, w) }

// Pair stores d·vᵀ(S^{d−1}∘K_k)w in O(mn²).
func (g *sumGram) Pair(dst, v, w []float64) {
	g.lengths(v, w, dst)
	g.scratch()
	pairs(g.p, v, w)
	if d := g.g.d; d > 1 {
		for i, s := range g.sum() {
			g.p[i] *= slope(s, d)
		}
	}
	g.project(dst)
}

func (g *sumGram) lengths(v, w, u []float64) {
	if m, n := g.g.Dims(); len(v) != n || len(w) != n || len(u) != m {
		panic(badLength)
	}
}

// along stores Σ_k u_kK_k packed.
func (g *sumGram) along(u []float64) []float64 {
	if g.t == nil {
		g.t = make([]float64, len(g.g.k[0]))
	}
	g.combine(g.t, u)
	return g.t
}

// Along stores d(S^{d−1}∘Σ_k u_kK_k)w in O(mn²).
func (g *sumGram) Along(dst, u, w []float64) {
	g.lengths(dst, w, u)
	g.scratch()
	t := g.along(u)
	if d := g.g.d; d > 1 {
		for i, s := range g.sum() {
			t[i] *= slope(s, d)
		}
	}
	n := len(w)
	clear(dst)
	for i := range n {
		row := t[tri(n, i):tri(n, i+1)]
		dst[i] += linalg.Dot(row, w[i:])
		linalg.Axpy(w[i], row[1:], dst[i+1:])
	}
}

// Second stores d(d−1)·wᵀ(S^{d−2}∘K_k∘Σ_l u_lK_l)w in O(mn²).
func (g *sumGram) Second(dst, u, w []float64) {
	g.lengths(w, w, u)
	g.scratch()
	d := g.g.d
	if d == 1 {
		clear(dst)
		return
	}
	pairs(g.p, w, w)
	t := g.along(u)
	for i, s := range g.sum() {
		g.p[i] *= t[i] * bend(s, d)
	}
	g.project(dst)
}

// Form stores Q_jk = wᵀ(K_j∘K_k)w in O(m²n²).
func (g *quadraticSum) Form(dst *mat.SymDense, w []float64) {
	m, _ := g.g.Dims()
	g.scratch()
	pairs(g.p, w, w)
	q, stride := target(dst, m)
	buf := sized(&g.buf, chunk)
	for b := 0; b < len(g.p); b += chunk {
		e := min(b+chunk, len(g.p))
		x := buf[:e-b]
		for j := range m {
			for i, v := range g.g.k[j][b:e] {
				x[i] = v * g.p[b+i]
			}
			for k := j; k < m; k++ {
				q[j*stride+k] += linalg.Dot(x, g.g.k[k][b:])
			}
		}
	}
}

// target is the zeroed upper triangle of an m×m dst, made so if it is empty.
func target(dst *mat.SymDense, m int) (data []float64, stride int) {
	if dst.IsEmpty() {
		dst.ReuseAsSym(m)
	}
	if dst.SymmetricDim() != m {
		panic(fmt.Sprintf("kernel: Form into a matrix of %d rows, want %d", dst.SymmetricDim(), m))
	}
	dst.Zero()
	r := dst.RawSymmetric()
	return r.Data, r.Stride
}
