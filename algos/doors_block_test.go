package algos_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/registry"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// blockNorm is the squared loss with a block norm of the matrices K_i of its Gram,
//
//	J = max_α  yᵀα − ½λ‖α‖² − ½ (Σ_i √(αᵀK_iα))²,
//
// of which the primal is min ½ max_i ‖f_i‖² + (1/2λ) Σ_j (Σ_i f_i(x_j) − y_j)². With
// (Σ_i √q_i)² = min {Σ_i c_iq_i : Σ_i 1/c_i = 1} it is ridge regression with Σ c_iK_i, solved in turn for
// α and c, c_i = Σ_j √q_j/√q_i.
type blockNorm struct {
	Lambda float64
	Most   int // turns; if 0, 20000
}

var _ loss.Loss = blockNorm{}

func init() { registry.Register(blockNorm{}); registry.Register(blocks{}) }

func (l blockNorm) String() string { return fmt.Sprintf("squared loss, block norm, λ=%.4g", l.Lambda) }

func (l blockNorm) ridge() loss.Squared { return loss.Squared{Lambda: l.Lambda} }

func (l blockNorm) Validate(y []float64) error { return l.ridge().Validate(y) }

// Solve starts at the c of s.Block.
func (l blockNorm) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	b, ok := g.(kernel.Blocked)
	if !ok {
		return fmt.Errorf("block norm: %T has no blocks", g)
	}
	n := b.Blocks()
	c := slices.Clone(s.Block)
	if len(c) != n {
		c = make([]float64, n)
		for i := range c {
			c[i] = float64(n)
		}
	}
	most := l.Most
	if most == 0 {
		most = 20000
	}
	for turn := 1; ; turn++ {
		b.Weigh(c)
		if err := l.ridge().Solve(ctx, s, g, y, tol); err != nil {
			return err
		}
		l.Judge(s, g, y, nil)
		s.Iters = turn
		if s.Gap() <= tol {
			return nil
		}
		if err := ctx.Err(); err != nil || turn >= most || slices.Equal(c, s.Block) {
			return &loss.Inexact{Gap: s.Gap(), Want: tol, Cause: err}
		}
		copy(c, s.Block)
	}
}

// Judge sets the c that is best for w. With any c, f_i = c_iK_iw is feasible in the primal, and
// ‖f_i‖² = c_i²q_i.
func (blockNorm) Traits() loss.Traits     { return loss.Traits{} }
func (l blockNorm) Slice([]int) loss.Loss { return l }

func (l blockNorm) Judge(s *loss.Solution, g loss.Gram, y, _ []float64) {
	b := g.(kernel.Blocked)
	q, c := make([]float64, b.Blocks()), make([]float64, b.Blocks())
	b.Forms(q, s.W)
	total := 0.0
	for i := range q {
		c[i] = math.Sqrt(max(q[i], 0))
		total += c[i]
	}
	sum := 0.0
	for i, v := range c { // 1/c_i, none quite 0
		if total > 0 {
			v /= total
		}
		c[i] = max(v, 1e-9)
		sum += c[i]
	}
	top := 0.0
	for i := range c {
		c[i] = sum / c[i] * (1 + 1e-15) // so that Σ 1/c_i ≤ 1
		top = max(top, c[i]*c[i]*q[i])
	}
	b.Weigh(c)
	l.ridge().Judge(s, g, y, nil)
	s.Primal += (top - s.WKW) / 2
	s.Rounding.Primal += slices.Max(c) * s.Rounding.WKW
	s.Block, s.Factor = c, nil // the Factor of ridge is for a fixed c
}

// blocks is a family of two sums of base kernels, θ = (θ_1, θ_2), K = c_1K_1(θ_1) + c_2K_2(θ_2).
type blocks struct{ First, Second kernel.List }

func (f blocks) On(x kernel.Points) kernel.Grams {
	return &blockGrams{first: f.First.On(x), second: f.Second.On(x)}
}

type blockGrams struct {
	kernel.Defaults
	first, second kernel.Grams
}

var (
	_ kernel.Blocked = (*blockGram)(nil)
)

func (g *blockGrams) cut() int { m, _ := g.first.Dims(); return m }

func (g *blockGrams) Dims() (m, n int) {
	m, n = g.second.Dims()
	return g.cut() + m, n
}

func (g *blockGrams) Label(k int) string {
	if m := g.cut(); k >= m {
		return "second " + g.second.Label(k-m)
	}
	return "first " + g.first.Label(k)
}

func (g *blockGrams) Degree() int { return 1 }

func (g *blockGrams) Validate() error {
	return errors.Join(g.first.Validate(), g.second.Validate())
}

func (g *blockGrams) Threads(n int) kernel.Grams {
	return &blockGrams{first: g.first.Threads(n), second: g.second.Threads(n)}
}

func (g *blockGrams) Slice(rows []int) kernel.Grams {
	return &blockGrams{first: g.first.Slice(rows), second: g.second.Slice(rows)}
}

func (g *blockGrams) Block(rows, cols []int) kernel.Cross {
	return &blockCross{g.first.Block(rows, cols), g.second.Block(rows, cols), g.cut()}
}

func (g *blockGrams) Cross(z kernel.Points) kernel.Cross {
	return &blockCross{g.first.Cross(z), g.second.Cross(z), g.cut()}
}

// blockCross predicts with the weights in θ: see Scaled.
type blockCross struct {
	first, second kernel.Cross
	cut           int
}

func (c *blockCross) Gram(dst *mat.Dense, theta []float64) {
	r, n := dst.Dims()
	other := mat.NewDense(r, n, nil)
	c.first.Gram(dst, theta[:c.cut])
	c.second.Gram(other, theta[c.cut:])
	dst.Add(dst, other)
}

func (g *blockGrams) New() kernel.Gram {
	return &blockGram{part: [2]kernel.Gram{g.first.New(), g.second.New()}, cut: g.cut()}
}

type blockGram struct {
	part [2]kernel.Gram
	cut  int
	c    [2]float64
	k    mat.SymDense
}

func (g *blockGram) At(theta []float64) {
	g.part[0].At(theta[:g.cut])
	g.part[1].At(theta[g.cut:])
	g.c = [2]float64{1, 1}
}

func (g *blockGram) Release() {}

func (g *blockGram) K() *mat.SymDense {
	var t mat.SymDense
	g.k.Reset()
	g.k.ScaleSym(g.c[0], g.part[0].K())
	t.ScaleSym(g.c[1], g.part[1].K())
	g.k.AddSym(&g.k, &t)
	return &g.k
}

func (g *blockGram) Gradient(dst, w []float64) {
	for i, d := range [][]float64{dst[:g.cut], dst[g.cut:]} {
		g.part[i].Gradient(d, w)
		floats.Scale(g.c[i], d)
	}
}

func (g *blockGram) Blocks() int       { return 2 }
func (g *blockGram) Weigh(c []float64) { g.c = [2]float64(c) }

func (g *blockGram) Forms(dst, w []float64) {
	for i := range dst {
		v := mat.NewVecDense(len(w), w)
		dst[i] = mat.Inner(v, g.part[i].K(), v)
	}
}

func (g *blockGram) Scaled(dst, theta []float64) {
	floats.ScaleTo(dst[:g.cut], g.c[0], theta[:g.cut])
	floats.ScaleTo(dst[g.cut:], g.c[1], theta[g.cut:])
}

// fixed is a Gram of two fixed matrices.
type fixed struct{ a, b, sum *mat.SymDense }

func (f fixed) K() *mat.SymDense            { return f.sum }
func (f fixed) Blocks() int                 { return 2 }
func (f fixed) Scaled(dst, theta []float64) { copy(dst, theta) }

func (f fixed) Weigh(c []float64) {
	var t mat.SymDense
	f.sum.ScaleSym(c[0], f.a)
	t.ScaleSym(c[1], f.b)
	f.sum.AddSym(f.sum, &t)
}

func (f fixed) Forms(dst, w []float64) {
	v := mat.NewVecDense(len(w), w)
	dst[0], dst[1] = mat.Inner(v, f.a, v), mat.Inner(v, f.b, v)
}

// pairOf is ΦΦᵀ and its square by entries.
func pairOf(phi *mat.Dense) loss.Gram {
	a := losstest.Dense(phi).K()
	n := a.SymmetricDim()
	f := fixed{a, mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)}
	for i := range n {
		for j := i; j < n; j++ {
			f.b.SetSym(i, j, a.At(i, j)*a.At(i, j))
		}
	}
	f.Weigh([]float64{1, 1})
	return f
}

func TestBlockNorm(t *testing.T) {
	losstest.TestLoss(t, blockNorm{Lambda: 0.7}, losstest.Options{
		Inputs:   losstest.Inputs(4, false),
		Feasible: func(w, y []float64) {}, // A = Rⁿ
		Gram:     []func(*mat.Dense) loss.Gram{pairOf},
	})
	if err := (blockNorm{Lambda: 1}).Solve(ctx, &loss.Solution{}, losstest.Gram{Sym: mat.NewSymDense(1, []float64{1})}, []float64{1}, 1e-3); err == nil {
		t.Error("a Gram without blocks is accepted")
	}
}

func TestBlocks(t *testing.T) {
	x, _ := mkltest.Points(8, 2, 1)
	f := blocks{kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}, kernel.List{kernel.RBF{Gamma: 0.1}}}
	kerneltest.TestFamily(t, f, x)
	// Weigh and Forms: K follows c, the form of K is Σ c_i wᵀK_iw, and At resets c
	g := f.On(x).New().(*blockGram)
	theta, w, c := []float64{0.3, 0.5, 0.2}, []float64{1, -2, 3, 0, 1, -1, 2, 5}, []float64{2.5, 0.7}
	g.At(theta)
	v := mat.NewVecDense(8, w)
	q, grad, scaled := make([]float64, 2), make([]float64, 3), make([]float64, 3)
	before := mat.Inner(v, g.K(), v)
	g.Weigh(c)
	g.Forms(q, w)
	g.Gradient(grad, w)
	g.Scaled(scaled, theta)
	form := mat.Inner(v, g.K(), v)
	if math.Abs(floats.Dot(c, q)-form) > 1e-12*form || math.Abs(floats.Dot(grad, theta)-form) > 1e-12*form {
		t.Errorf("Σ c_iq_i = %g, ⟨Gradient,θ⟩ = %g, wᵀKw = %g", floats.Dot(c, q), floats.Dot(grad, theta), form)
	}
	g.At(scaled)
	if got := mat.Inner(v, g.K(), v); math.Abs(got-form) > 1e-12*form {
		t.Errorf("wᵀKw at the scaled θ is %g, want %g", got, form)
	}
	if g.At(theta); mat.Inner(v, g.K(), v) != before {
		t.Error("At does not reset the weights")
	}
}
