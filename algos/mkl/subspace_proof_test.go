package mkl

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/floats"
)

// TestSubspaceProof draws problems of at most 54 points, and a tenth of 135 to 140, which are swept in three bands of
// rows: 40 problems, 500 with MKL_SIZE=full. It holds every bound of a run to 512 bits, for the entries that the sweep
// makes: no upper bound may be below the dual value at its θ of a feasible α, no lower bound above the primal value of
// any f. These come from matrices, and are near enough to the minimum that a bound a little more than the gap too good
// would be found out.
func TestSubspaceProof(t *testing.T) {
	draws := 40
	if testenv.Full() {
		draws = 500
	}
	certified, bounds := 0, 0
	for seed := range draws {
		p := drawSwept(rand.New(rand.NewPCG(uint64(seed), 41)))
		name := fmt.Sprintf("draw %d, %v, %v", seed, p.Loss, p.Set)
		e := newWide(must(p.MatrixFree()))
		best, err := Solve(context.Background(), p, SPG{}, &Settings{Gap: 1e-10})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		least := e.primal(best)
		watch := func(it *Iterate) bool {
			if it.K == 0 {
				return false
			}
			bounds += 2
			pt := p.NewPoint() // α of the θ of this step
			copy(pt.Theta, it.Theta)
			if err := pt.Evaluate(nil, 1e-10); err != nil {
				t.Errorf("%s: %v", name, err)
				return true
			}
			if d := e.dual(it.Theta, pt.W); d.Cmp(wide(it.Cert.Upper)) > 0 {
				t.Errorf("%s, step %d: upper bound %.17g of F = %.17g", name, it.K, it.Cert.Upper, d)
			}
			if least.Cmp(wide(it.Lower)) < 0 {
				t.Errorf("%s, step %d: lower bound %.17g, F is %.17g", name, it.K, it.Lower, least)
			}
			return false
		}
		r, err := Solve(context.Background(), p, Subspace{Landmarks: 1 + seed%20, Seed: uint64(seed)},
			&Settings{Gap: 1e-6, Iterations: 40, Watch: watch})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r.Status == Certified {
			certified++
			if least.Cmp(wide(r.Lower+2e-6*r.Upper)) > 0 {
				t.Errorf("%s: F = %.17g at the reference is above %.17g by more than gaps", name, least, r.Lower)
			}
		}
	}
	t.Logf("%d of %d certified at 1e-6, %d bounds", certified, draws, bounds)
	if certified < draws/2 {
		t.Errorf("%d of %d certified, want at least half: the bounds do not bite", certified, draws)
	}
}

// drawSwept is a problem of either loss with one to three columns.
func drawSwept(rng *rand.Rand) *Problem {
	n, d := 8+rng.IntN(53), 1+rng.IntN(3)
	if n > 54 {
		n += 80
	}
	x := normal(rng, n, d)
	floats.Scale(2, x.Data)
	all := kernel.List{kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 0.2}, kernel.RBF{Gamma: 3}, kernel.Linear{},
		kernel.Laplacian{Gamma: 0.5}, kernel.Polynomial{Degree: 2, Offset: 1}}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	f := kernel.Sum{Kernels: all[:1+rng.IntN(4)]}
	if rng.IntN(2) == 0 {
		f.Normalize = kernel.Cosine
	}
	columns, lambda := 1+rng.IntN(3), math.Pow(10, 4*rng.Float64()-3)
	hinge := rng.IntN(2) == 0
	var y []float64
	for j := range columns {
		for i := range n {
			v := math.Sin(x.Row(i)[0]+float64(j)) + 0.5*rng.NormFloat64()
			if hinge {
				if v = math.Copysign(1, v); i < 2 {
					v = float64(2*i - 1) // both classes
				}
			}
			y = append(y, v)
		}
	}
	p := &Problem{Grams: f.On(x), Set: set.Simplex{}, Loss: loss.Repeat(loss.Squared{Lambda: lambda}, columns), Y: y}
	if hinge {
		p.Loss = loss.Repeat(loss.SquaredHinge{Lambda: lambda}, columns)
	}
	if rng.IntN(2) == 0 {
		p.Set = set.Ball{Q: 2, Radius: 1}
	}
	return p
}

// normal are n points of d normal features.
func normal(rng *rand.Rand, n, d int) points.Rows {
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	return x
}

// must is for what cannot fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func wide(v float64) *big.Float { return new(big.Float).SetPrec(512).SetFloat64(v) }

// wideProblem evaluates a problem in 512 bits.
type wideProblem struct {
	p       *Problem
	entries [][][]float64 // n columns of the K_k, m×n
	lambda  *big.Float
	hinge   bool
}

func newWide(q *Problem) *wideProblem {
	g := q.Grams.(*matrixFree)
	m, n := g.Dims()
	e := &wideProblem{p: q, entries: make([][][]float64, n)}
	lambda, hinge, _ := ridgeLambda(q.Loss)
	e.lambda, e.hinge = wide(lambda), hinge
	unit := make([]float64, n)
	for j := range unit {
		unit[j], e.entries[j] = 1, zeroRows(m, n)
		if err := g.sweep.Images(context.Background(), e.entries[j], unit); err != nil {
			panic(err)
		}
		unit[j] = 0
	}
	return e
}

// times is K(θ)w.
func (e *wideProblem) times(theta, w []*big.Float) []*big.Float {
	kw := make([]*big.Float, len(w))
	for i := range kw {
		kw[i] = wide(0)
		for k, t := range theta {
			sum := wide(0)
			for j, v := range w {
				sum.Add(sum, wide(0).Mul(wide(e.entries[j][k][i]), v))
			}
			kw[i].Add(kw[i], sum.Mul(sum, t))
		}
	}
	return kw
}

// into is θ scaled into Θ.
func (e *wideProblem) into(theta []float64) []*big.Float {
	size, out := wide(0), make([]*big.Float, len(theta))
	_, simplex := e.p.Set.(set.Simplex)
	for k, v := range theta {
		if out[k] = wide(v); simplex {
			size.Add(size, out[k])
		} else {
			size.Add(size, wide(0).Mul(out[k], out[k]))
		}
	}
	if !simplex {
		if size.Cmp(wide(1)) <= 0 {
			return out
		}
		size.Sqrt(size)
	}
	for k := range out {
		out[k].Quo(out[k], size)
	}
	return out
}

// primal is the value of f = K(θ)w and the biases of r, θ in Θ: at least min F.
func (e *wideProblem) primal(r *Result) *big.Float {
	_, n := e.p.Grams.Dims()
	sum, theta := wide(0), e.into(r.Theta)
	for from := 0; from < len(r.W); from += n {
		w, bias := make([]*big.Float, n), r.Bias
		if r.Biases != nil {
			bias = r.Biases[from/n]
		}
		for i := range w {
			w[i] = wide(r.W[from+i])
		}
		for i, f := range e.times(theta, w) {
			rest := wide(0).Sub(wide(e.p.Y[from+i]), f)
			sum.Add(sum, wide(0).Mul(wide(0.5), f.Mul(f, w[i])))
			if e.hinge {
				if rest.Sub(rest, wide(bias)); rest.Sign() != wide(e.p.Y[from+i]).Sign() {
					continue
				}
			}
			rest.Mul(rest, rest).Quo(rest, e.lambda)
			sum.Add(sum, rest.Mul(rest, wide(0.5)))
		}
	}
	return sum
}

// dual is the value of w at θ, made feasible: at most F(θ).
func (e *wideProblem) dual(theta, w []float64) *big.Float {
	_, n := e.p.Grams.Dims()
	sum, at := wide(0), make([]*big.Float, len(theta))
	for k, v := range theta {
		at[k] = wide(v)
	}
	for from := 0; from < len(w); from += n {
		y, v := e.p.Y[from:from+n], make([]*big.Float, n)
		total := map[float64]*big.Float{-1: wide(0), 1: wide(0)} // Σ|w_i| of each label
		for i := range v {
			if v[i] = wide(w[from+i]); e.hinge {
				if v[i].Sign() != wide(y[i]).Sign() {
					v[i] = wide(0)
				}
				total[y[i]].Add(total[y[i]], wide(0).Abs(v[i]))
			}
		}
		for i := range v {
			if !e.hinge {
				break
			}
			if own, other := total[y[i]], total[-y[i]]; own.Cmp(other) > 0 {
				v[i].Mul(v[i], wide(0).Quo(other, own))
			}
		}
		for i, f := range e.times(at, v) {
			f.Add(f, wide(0).Mul(e.lambda, v[i]))
			f.Mul(f, wide(-0.5))
			f.Add(f, wide(y[i]))
			sum.Add(sum, f.Mul(f, v[i]))
		}
	}
	return sum
}

// TestNothingToClaim asks for an error of a Θ with θ < 0, of which K(θ) may be indefinite.
func TestNothingToClaim(t *testing.T) {
	x := points.NewRows([][]float64{{0}, {1}, {2}})
	narrow, wide := kernel.RBF{Gamma: 100}, kernel.RBF{Gamma: 1e-6}
	p := &Problem{Grams: kernel.List{narrow, wide, wide, narrow}.On(x), Set: set.Spectraplex{Trace: 1},
		Loss: loss.Squared{Lambda: 0.1}, Y: []float64{1, 1, 1}}
	if c, err := p.CertifyAt(context.Background(), []float64{0.5, -0.5, -0.5, 0.5}, make([]float64, 3)); err == nil {
		t.Errorf("[%g, %g] of an indefinite K(θ)", c.Lower, c.Upper)
	}
	const reason = "use a set of θ ≥ 0"
	if _, err := p.EvaluateAt(context.Background(), []float64{0.5, -0.5, -0.5, 0.5}, make([]float64, 3)); err == nil ||
		!strings.Contains(err.Error(), reason) {
		t.Errorf("EvaluateAt of vectors θ on a set of matrices: %v", err)
	}
	p.Set = set.Product{Factor: set.Spectraplex{Trace: 1}, Count: 4}
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("vectors θ on a product of sets of matrices: %v", err)
	}
}

// TestColumnWithoutViolations solves two columns of the squared hinge loss of which one is separated so far that no
// point violates the margin.
func TestColumnWithoutViolations(t *testing.T) {
	x := points.Rows{N: 6, D: 1, Data: []float64{-1e5, 2e5, -3e5, 4e5, -5e5, 6e5}}
	y := []float64{-1, 1, -1, 1, -1, 1, -1, -1, 1, 1, -1, -1}
	for landmarks := 1; landmarks <= 6; landmarks++ {
		for seed := range uint64(20) {
			p := &Problem{Grams: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}.On(x), Set: set.Simplex{},
				Loss: loss.Repeat(loss.SquaredHinge{Lambda: 1e-6}, 2), Y: y}
			r, err := Solve(context.Background(), p, Subspace{Landmarks: landmarks, Seed: seed}, nil)
			if err != nil || !(r.Lower <= r.Upper) {
				t.Fatalf("%d landmarks, seed %d: %v, %v", landmarks, seed, r, err)
			}
		}
	}
}
