package loss_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"

	"gonum.org/v1/gonum/mat"
)

// fixedBlocks is a Gram of fixed matrices, with what BlockNorm asks of a kernel.Blocked.
type fixedBlocks struct {
	kernel.Blocked
	of  []*mat.SymDense
	sum *mat.SymDense
}

func newBlocks(of ...*mat.SymDense) *fixedBlocks {
	b := &fixedBlocks{of: of, sum: mat.NewSymDense(of[0].SymmetricDim(), nil)}
	c := make([]float64, len(of))
	for i := range c {
		c[i] = 1
	}
	b.Weigh(c)
	return b
}

func (b *fixedBlocks) K() *kernel.Matrix { return kernel.DenseMatrix(b.sum) }
func (b *fixedBlocks) Blocks() []int     { return make([]int, len(b.of)+1) }

func (b *fixedBlocks) Weigh(c []float64) {
	b.sum.Zero()
	var t mat.SymDense
	for i, k := range b.of {
		t.Reset()
		t.ScaleSym(c[i], k)
		b.sum.AddSym(b.sum, &t)
	}
}

func (b *fixedBlocks) Forms(dst, w []float64) {
	v := mat.NewVecDense(len(w), w)
	for i, k := range b.of {
		dst[i] = mat.Inner(v, k, v)
	}
}

// powers is ΦΦᵀ and its entrywise powers 2 and 3.
func powers(phi *mat.Dense) loss.Gram {
	a := losstest.Dense(phi).K().Dense()
	n := a.SymmetricDim()
	b, c := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			v := a.At(i, j)
			b.SetSym(i, j, v*v)
			c.SetSym(i, j, v*v*v)
		}
	}
	return newBlocks(mat.NewSymDense(n, append([]float64(nil), a.RawSymmetric().Data...)), b, c)
}

func TestBlockNorm(t *testing.T) {
	for _, c := range []float64{0.1, 10} {
		losstest.TestLoss(t, loss.BlockNorm{Loss: loss.Hinge{C: c}}, losstest.Options{
			Inputs: losstest.Inputs(4, true)[1:], Feasible: signed(c), Gram: []func(*mat.Dense) loss.Gram{powers},
		})
	}
	losstest.TestLoss(t, loss.BlockNorm{Loss: loss.Squared{Lambda: 0.7}}, losstest.Options{
		Inputs: losstest.Inputs(4, false), Feasible: func(w, y []float64) {},
		Gram: []func(*mat.Dense) loss.Gram{powers},
	})
}

// twoClasses draws n points of two classes: their targets, and three matrices, to the diagonals of which lift is added.
func twoClasses(r *rand.Rand, n int, lift float64) (y []float64, g *fixedBlocks) {
	y = make([]float64, n)
	phi := mat.NewDense(n, 3, nil)
	for i := range y {
		y[i] = float64(1 - 2*(i%2))
		for j := range 3 {
			phi.Set(i, j, r.NormFloat64()+0.4*y[i])
		}
	}
	g = powers(phi).(*fixedBlocks)
	for _, k := range g.of {
		for i := range n {
			k.SetSym(i, i, k.At(i, i)+lift)
		}
	}
	return y, g
}

// TestBlockNormSweep: the optimum is the greatest over γ of the plain machine on Σ K_i/γ_i; the problem is concave in
// γ. Equal matrices are one, m² as large.
func TestBlockNormSweep(t *testing.T) {
	ctx, r := context.Background(), rand.New(rand.NewPCG(2, 2))
	n := 14
	y, g := twoClasses(r, n, 0.3)
	two := newBlocks(g.of[:2]...)
	l := loss.Hinge{C: 1}
	value := func(b *fixedBlocks) float64 {
		var s loss.Solution
		if err := (loss.BlockNorm{Loss: l}).Solve(ctx, &s, b, y, 1e-10); err != nil {
			t.Fatal(err)
		}
		if s.Iters == 0 || len(s.Block) != len(b.of) {
			t.Errorf("%d iterations, weights %v", s.Iters, s.Block)
		}
		return s.Dual()
	}
	best, at := math.Inf(-1), 0
	sweep := make([]float64, 199)
	for i := range sweep {
		gamma := float64(i+1) / 200
		two.Weigh([]float64{1 / gamma, 1 / (1 - gamma)})
		var s loss.Solution
		if err := l.Solve(ctx, &s, two, y, 1e-11); err != nil {
			t.Fatal(err)
		}
		sweep[i] = s.Dual()
		if sweep[i] > best {
			best, at = sweep[i], i
		}
	}
	got := value(two)
	if got < best*(1-1e-10) || got > best*(1+1e-3) || at == 0 || at == 198 {
		t.Errorf("J = %.10g, the best of a sweep is %.10g at γ = %g", got, best, float64(at+1)/200)
	}
	for i := 1; i < 198; i++ {
		if d := sweep[i-1] - 2*sweep[i] + sweep[i+1]; d > 1e-9*best {
			t.Errorf("second difference %g at γ = %g, want ≤ 0", d, float64(i+1)/200)
		}
	}
	var nine mat.SymDense
	nine.ScaleSym(9, g.of[0])
	var s loss.Solution
	if err := l.Solve(ctx, &s, kernel.DenseMatrix(&nine), y, 1e-11); err != nil {
		t.Fatal(err)
	}
	if got := value(newBlocks(g.of[0], g.of[0], g.of[0])); math.Abs(got-s.Dual()) > 1e-9*got {
		t.Errorf("three equal matrices: %.12g, nine times one %.12g", got, s.Dual())
	}
}

// TestBlockNormProx: proximal steps from anywhere end at the optimum of Solve; each is better by its own measure than
// where it began and than weights drawn at random.
func TestBlockNormProx(t *testing.T) {
	ctx, r := t.Context(), rand.New(rand.NewPCG(5, 2))
	n := 14
	y, g := twoClasses(r, n, 0.3)
	l := loss.BlockNorm{Loss: loss.Hinge{C: 1}}
	var best loss.Solution
	if err := l.Solve(ctx, &best, g, y, 1e-11); err != nil {
		t.Fatal(err)
	}
	for _, tau := range []float64{0.1, 10, 1e6} {
		w, c := make([]float64, n), []float64{20, 1.5, 1 / (1 - 1/20. - 1/1.5)}
		q := make([]float64, 3)
		value := func(w, c, w0, c0 []float64) (v float64) {
			g.Forms(q, w)
			for i, x := range w {
				v += x * y[i]
			}
			for i := range c {
				v -= c[i] * q[i] / 2
				for j := range w {
					d := math.Sqrt(c[i])*w[j] - math.Sqrt(c0[i])*w0[j]
					v -= d * d / (2 * tau)
				}
			}
			return v
		}
		steps := 3
		if tau < 1 {
			steps = 3000
		} else if tau < 100 {
			steps = 300
		}
		for step := range steps {
			w0, c0 := append([]float64(nil), w...), append([]float64(nil), c...)
			if err := l.Prox(ctx, w, c, g, y, tau, 1e-12); err != nil {
				t.Fatal(err)
			}
			share, sum := 0.0, 0.0
			for _, v := range c {
				share += 1 / v
			}
			for _, v := range w {
				sum += v
			}
			if share > 1+1e-9 || math.Abs(sum) > 1e-9 {
				t.Fatalf("τ = %g: Σ1/c = %g, Σw = %g", tau, share, sum)
			}
			got := value(w, c, w0, c0)
			if was := value(w0, c0, w0, c0); got < was-1e-10*math.Abs(was) {
				t.Fatalf("τ = %g, step %d: %.12g after %.12g", tau, step, got, was)
			}
			if step > 5 {
				continue
			}
			for range 200 {
				other := make([]float64, 3)
				total := 0.0
				for i := range other {
					other[i] = math.Exp(0.3*r.NormFloat64()) / c[i]
					total += other[i]
				}
				for i, v := range other {
					other[i] = max(total, 1) / v
				}
				if v := value(w, other, w0, c0); v > got+1e-4*math.Abs(got) {
					t.Fatalf("τ = %g: weights %v give %.12g, %v give %.12g", tau, other, v, c, got)
				}
			}
		}
		s := loss.Solution{W: w, Block: c}
		if l.Evaluate(&s, g, y, nil); s.Dual() < best.Dual()*(1-1e-6) || s.Dual() > best.Primal*(1+1e-9) {
			t.Errorf("τ = %g: %d steps end at %.10g, the optimum is %.10g", tau, steps, s.Dual(), best.Dual())
		}
	}
	w := make([]float64, n)
	if err := (loss.BlockNorm{Loss: loss.Squared{Lambda: 1}}).Prox(ctx, w, []float64{3, 3, 3}, g, y, 1,
		1e-6); err == nil {
		t.Error("a loss without a proximal step is accepted")
	}
}

func TestBlockNormRefuses(t *testing.T) {
	g := kernel.DenseMatrix(mat.NewSymDense(2, nil))
	y := []float64{1, -1}
	if err := (loss.BlockNorm{Loss: loss.Hinge{C: 1}}).Solve(t.Context(), &loss.Solution{}, g, y, 1e-3); err == nil {
		t.Error("a Gram without blocks is accepted")
	}
}
