package loss_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"

	"gonum.org/v1/gonum/floats"
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
	b.SetBlockWeights(c)
	return b
}

func (b *fixedBlocks) K() *kernel.Matrix  { return kernel.DenseMatrix(b.sum) }
func (b *fixedBlocks) BlockStarts() []int { return make([]int, len(b.of)+1) }

func (b *fixedBlocks) SetBlockWeights(c []float64) {
	b.sum.Zero()
	var t mat.SymDense
	for i, k := range b.of {
		t.Reset()
		t.ScaleSym(c[i], k)
		b.sum.AddSym(b.sum, &t)
	}
}

func (b *fixedBlocks) BlockQuadraticForms(dst, w []float64) {
	v := mat.NewVecDense(len(w), w)
	for i, k := range b.of {
		dst[i] = mat.Inner(v, k, v)
	}
}

// powers is ΦΦᵀ and its entrywise powers 2 and 3.
func powers(phi *mat.Dense) loss.Gram {
	a := losstest.DenseGram(phi).K().Dense()
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
			Inputs: losstest.RandomInputs(4, true)[1:], MakeFeasible: signed(c),
			Grams: []func(*mat.Dense) loss.Gram{powers}})
	}
	losstest.TestLoss(t, loss.BlockNorm{Loss: loss.Squared{Lambda: 0.7}}, losstest.Options{
		Inputs: losstest.RandomInputs(4, false), MakeFeasible: func(w, y []float64) {},
		Grams: []func(*mat.Dense) loss.Gram{powers},
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

// TestBlockNormSweep tests that the optimum is the largest J over γ of the plain machine on Σ K_i/γ_i. Three equal
// matrices act like nine times one of them.
func TestBlockNormSweep(t *testing.T) {
	y, g := twoClasses(rand.New(rand.NewPCG(2, 2)), 14, 0.3)
	solve := func(l loss.Loss, g loss.Gram) float64 {
		var s loss.Solution
		if err := l.Solve(t.Context(), &s, g, y, 1e-10); err != nil {
			t.Fatal(err)
		}
		return s.Dual()
	}
	hinge := loss.Hinge{C: 1}
	two := newBlocks(g.of[:2]...)
	got, best := solve(loss.BlockNorm{Loss: hinge}, two), math.Inf(-1)
	for i := 1; i < 200; i++ {
		gamma := float64(i) / 200
		two.SetBlockWeights([]float64{1 / gamma, 1 / (1 - gamma)})
		best = max(best, solve(hinge, two))
	}
	if got < best*(1-1e-10) || got > best*(1+1e-3) {
		t.Errorf("J = %.10g, the best of a sweep is %.10g", got, best)
	}
	var nine mat.SymDense
	nine.ScaleSym(9, g.of[0])
	got, want := solve(loss.BlockNorm{Loss: hinge}, newBlocks(g.of[0], g.of[0], g.of[0])), solve(hinge,
		kernel.DenseMatrix(&nine))
	if math.Abs(got-want) > 1e-9*got {
		t.Errorf("three equal matrices: %.12g, nine times one %.12g", got, want)
	}
}

// TestBlockNormProx tests that proximal steps never lower the dual value and end at the optimum of Solve, for short and
// long steps.
func TestBlockNormProx(t *testing.T) {
	const n = 14
	y, g := twoClasses(rand.New(rand.NewPCG(5, 2)), n, 0.3)
	l := loss.BlockNorm{Loss: loss.Hinge{C: 1}}
	var best loss.Solution
	if err := l.Solve(t.Context(), &best, g, y, 1e-11); err != nil {
		t.Fatal(err)
	}
	for tau, steps := range map[float64]int{0.1: 3000, 10: 300, 1e6: 3} {
		w, c, q := make([]float64, n), []float64{20, 1.5, 1 / (1 - 1/20. - 1/1.5)}, make([]float64, 3)
		last := math.Inf(-1)
		for step := range steps {
			if err := l.Prox(t.Context(), w, c, g, y, tau, 1e-12); err != nil {
				t.Fatal(err)
			}
			g.BlockQuadraticForms(q, w)
			value := floats.Dot(w, y) - floats.Dot(c, q)/2
			share := 1/c[0] + 1/c[1] + 1/c[2]
			if share > 1+1e-9 || math.Abs(floats.Sum(w)) > 1e-9 || value < last-1e-10*math.Abs(last) {
				t.Fatalf("τ = %g, step %d: %.12g after %.12g, Σ1/c = %g", tau, step, value, last, share)
			}
			last = value
		}
		s := loss.Solution{W: w, BlockWeights: c}
		if l.Evaluate(&s, g, y, nil); s.Dual() < best.Dual()*(1-1e-6) || s.Dual() > best.Primal*(1+1e-9) {
			t.Errorf("τ = %g: %d steps end at %.10g, the optimum is %.10g", tau, steps, s.Dual(), best.Dual())
		}
	}
	if err := (loss.BlockNorm{Loss: loss.Squared{Lambda: 1}}).Prox(t.Context(), make([]float64, n),
		[]float64{3, 3, 3}, g, y, 1, 1e-6); err == nil {
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
