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

// Spectra is the family of several matrices with given eigenvectors,
//
//	K(θ) = Σ_i V_i diag(μ_i) V_iᵀ,  θ = (μ_1, …, μ_M) ≥ 0, M·N parameters,
//
// on Places: the rows of the V_i. No matrix of the sum is formed. K(θ) costs M·N·n², its derivative 2M·N·n; beside K
// there are n·N numbers of work, for all Grams on the same points, and M·N·n of eigenvectors, which are those of Vectors
// where the points are all N in their order.
//
// It is Blocked: under a block norm the M matrices have weights c_i that the loss sets. With loss.BlockNorm,
// set.Product of set.Simplex and reg.Near on spectra it is the problem REKL of Kundu et al. (14).
type Spectra struct {
	N       int
	Vectors [][]float64 // M of N×N, row-major: V_i, whose column j belongs to μ_ij
}

var _ Family = Spectra{}

// Validate refuses no matrices, wrong sizes, and entries that are not finite.
func (f Spectra) Validate() error {
	if len(f.Vectors) == 0 || f.N < 1 {
		return fmt.Errorf("kernel: spectra of %d matrices of %d places, want at least one of each", len(f.Vectors), f.N)
	}
	for i, v := range f.Vectors {
		if len(v)%f.N != 0 || len(v)/f.N != f.N {
			return fmt.Errorf("kernel: eigenvectors %d of spectra have %d numbers, want %d rows of %[3]d", i+1, len(v), f.N)
		}
		for k, x := range v {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("kernel: eigenvectors %d of spectra: row %d, column %d is %g, want a finite number", i+1, k/f.N+1, k%f.N+1, x)
			}
		}
	}
	return nil
}

// check judges points for an f that is valid.
func (f Spectra) check(x Points) error {
	p, ok := x.(Places)
	switch {
	case x == nil:
		return errors.New("kernel: no points (nil)")
	case !ok:
		return fmt.Errorf("kernel: spectra take kernel.Places, the points are %T", x)
	}
	if err := p.Validate(); err != nil {
		return err
	}
	for i, v := range p {
		if v >= f.N {
			return fmt.Errorf("kernel: point %d has place %d, the spectra have places 0 to %d", i+1, v, f.N-1)
		}
	}
	return nil
}

// On gathers the rows of the eigenvectors at x.
func (f Spectra) On(x Points) Grams {
	g := &spectraGrams{f: f, work: &sync.Pool{New: func() any { return new([]float64) }}}
	if g.bad = f.Validate(); g.bad == nil {
		g.bad = f.check(x)
	}
	if g.bad == nil {
		g.x = x.(Places)
		g.rows = f.rows(g.x)
	} else if x != nil {
		g.missing = x.Len()
	}
	return g
}

// rows are those of V_i at p, side by side; V_i itself where p is all of them.
func (f Spectra) rows(p Places) []*mat.Dense {
	all := make([]*mat.Dense, len(f.Vectors))
	whole := slices.Equal(p, AllPlaces(f.N))
	for i, v := range f.Vectors {
		if whole {
			all[i] = mat.NewDense(f.N, f.N, v)
			continue
		}
		all[i] = mat.NewDense(len(p), f.N, nil)
		for j, r := range p {
			copy(all[i].RawRowView(j), v[r*f.N:(r+1)*f.N])
		}
	}
	return all
}

type spectraGrams struct {
	f       Spectra
	x       Places
	rows    []*mat.Dense // n×N each
	bad     error
	missing int // points that are bad
	on      linalg.Bound
	work    *sync.Pool // of *[]float64
}

var (
	_ Blocked  = (*spectraGram)(nil)
	_ Accurate = (*spectraGram)(nil)
)

func (g *spectraGrams) Dims() (m, n int) {
	return len(g.f.Vectors) * g.f.N, len(g.x) + g.missing
}

// Label is that of μ_ij, both from 1.
func (g *spectraGrams) Label(k int) string {
	return fmt.Sprintf("μ%d[%d]", k/g.f.N+1, k%g.f.N+1)
}

func (g *spectraGrams) Degree() int             { return 1 }
func (g *spectraGrams) Shape() (rows, cols int) { return len(g.f.Vectors), g.f.N }
func (g *spectraGrams) Validate() error         { return g.bad }

func (g *spectraGrams) Threads(n int) Grams {
	s := *g
	s.on = linalg.Bound(n)
	return &s
}

func (g *spectraGrams) mustEvaluate() {
	if g.bad != nil {
		panic(g.bad)
	}
}

func (g *spectraGrams) Slice(rows []int) Grams {
	g.mustEvaluate()
	if len(rows) == 0 {
		panic(noRows)
	}
	return g.f.On(g.x.Slice(rows)).(*spectraGrams).Threads(int(g.on))
}

func (g *spectraGrams) Block(rows, cols []int) Cross {
	return g.Slice(cols).(*spectraGrams).Cross(g.x.Slice(rows))
}

func (g *spectraGrams) Cross(z Points) Cross {
	g.mustEvaluate()
	if err := g.f.check(z); err != nil {
		panic(err)
	}
	return &spectraCross{g: g, rows: g.f.rows(z.(Places))}
}

// spectraCross is K between new places and those of g.
type spectraCross struct {
	g    *spectraGrams
	rows []*mat.Dense
}

func (c *spectraCross) Gram(dst *mat.Dense, theta []float64) {
	m, n := c.g.Dims()
	l, _ := c.rows[0].Dims()
	checkCross(dst, l, n, theta, m)
	size := c.g.f.N
	out := dst.RawMatrix()
	scaled := make([]float64, l*size)
	for i, v := range c.rows {
		for r := range l {
			row := scaled[r*size : (r+1)*size]
			for j, x := range v.RawRowView(r) {
				row[j] = x * theta[i*size+j]
			}
		}
		beta := 1.0
		if i == 0 {
			beta = 0
		}
		x := c.g.rows[i].RawMatrix()
		c.g.on.Gemm(false, true, l, n, size, 1, scaled, size, x.Data, x.Stride, beta, out.Data, out.Stride)
	}
}

func (g *spectraGrams) New() Gram {
	m, n := g.Dims()
	return &spectraGram{g: g, evaluation: evaluation{m: m, n: n, scratch: scratch{on: g.on}}, c: make([]float64, len(g.f.Vectors))}
}

type spectraGram struct {
	evaluation
	g *spectraGrams
	c []float64 // weights of the blocks
}

func (g *spectraGram) At(theta []float64) {
	g.g.mustEvaluate()
	g.move(theta)
	for i := range g.c {
		g.c[i] = 1
	}
}

// Release gives nothing back.
func (g *spectraGram) Release() {}

func (g *spectraGram) Blocks() int { return len(g.c) }

func (g *spectraGram) Weigh(c []float64) {
	if len(c) != len(g.c) {
		panic(badLength)
	}
	copy(g.c, c)
	g.hasK = false
}

// K adds up S_iS_iᵀ with S_i = V_i diag(c_iμ_i)^½; what is negative is taken away by itself.
func (g *spectraGram) K() *mat.SymDense {
	g.evaluated()
	data := g.storage()
	if g.hasK {
		return g.k
	}
	clear(data)
	size := g.g.f.N
	work := g.g.work.Get().(*[]float64)
	defer g.g.work.Put(work)
	part, scale := sized(work, g.n*size), sized(&g.strip, size)
	for _, sign := range []float64{1, -1} {
		for i, v := range g.g.rows {
			any := false
			for j, mu := range g.theta[i*size : (i+1)*size] {
				scale[j] = math.Sqrt(max(0, sign*g.c[i]*mu))
				any = any || scale[j] > 0
			}
			if !any {
				continue
			}
			for r := range g.n {
				row := part[r*size : (r+1)*size]
				for j, x := range v.RawRowView(r) {
					row[j] = x * scale[j]
				}
			}
			g.on.Syrk(false, g.n, size, sign, part, size, 1, data, g.n)
		}
	}
	g.hasK = true
	return g.k
}

// along stores V_iᵀw.
func (g *spectraGram) along(i int, w []float64) []float64 {
	z := sized(&g.strip, g.g.f.N)
	linalg.MulVec(z, true, g.g.rows[i], w)
	return z
}

// Forms stores Σ_j μ_ij z_ij², z_i = V_iᵀw.
func (g *spectraGram) Forms(dst, w []float64) {
	g.check(w, w, g.theta)
	size := g.g.f.N
	for i := range g.c {
		dst[i] = 0
		for j, z := range g.along(i, w) {
			dst[i] += g.theta[i*size+j] * z * z
		}
	}
}

// Gradient stores c_i z_ij².
func (g *spectraGram) Gradient(dst, w []float64) {
	g.check(w, w, dst)
	size := g.g.f.N
	for i, c := range g.c {
		for j, z := range g.along(i, w) {
			dst[i*size+j] = c * z * z
		}
	}
}

// Scaled stores c_iμ_i.
func (g *spectraGram) Scaled(dst, theta []float64) {
	size := g.g.f.N
	for k, v := range theta {
		dst[k] = g.c[k/size] * v
	}
}

// Accuracy: K_ij is a sum of MN products of factors with √(c_iμ_i), and Σ_k |s_iks_jk| ≤ √(K_iiK_jj).
func (g *spectraGram) Accuracy() (entries, shift, lift float64) {
	return float64(g.m+8) * linalg.Epsilon, 0, 0
}

// GradientError bounds what the n terms of z_ij lose.
func (g *spectraGram) GradientError(dst, w []float64) {
	size := g.g.f.N
	lost := make([]float64, size)
	for i, c := range g.c {
		clear(lost)
		for r, v := range w {
			for j, x := range g.g.rows[i].RawRowView(r) {
				lost[j] += math.Abs(x * v)
			}
		}
		for j, z := range g.along(i, w) {
			e := float64(g.n+4) * linalg.Epsilon * lost[j]
			dst[i*size+j] = c * (2*math.Abs(z)*e + e*e + 4*linalg.Epsilon*z*z)
		}
	}
}
