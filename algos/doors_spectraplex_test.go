package algos_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/set/settest"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// spectraplex is Θ = {P ⪰ 0, tr P = Trace}, θ = vec P with both triangles. Its oracles cost one
// eigendecomposition.
type spectraplex struct{ Trace float64 }

var (
	_ set.Set = spectraplex{}
)

func (s spectraplex) Traits() set.Traits { return set.Traits{Matrices: true, Sum: s.Trace} }

func init() { registry.Register(spectraplex{}) }

// oracles counts the calls of Minimize of spectraplexes.
var oracles atomic.Int64

// order is q of a q×q matrix.
func order(m int) int { return int(math.Round(math.Sqrt(float64(m)))) }

// symmetric is the symmetric part of x as a matrix, in storage of its own.
func symmetric(x []float64) *mat.SymDense {
	q := order(len(x))
	a := mat.NewSymDense(q, nil)
	for i := range q {
		for j := i; j < q; j++ {
			a.SetSym(i, j, (x[i*q+j]+x[j*q+i])/2)
		}
	}
	return a
}

// least finds λ_min of the symmetric part of x; with v also an eigenvector. Its storage, of the size of
// x, is kept for the next.
func least(x, v []float64) float64 {
	var e *decomposition
	select {
	case e = <-kept:
	default:
		e = new(decomposition)
	}
	if q := order(len(x)); e.a == nil || e.a.SymmetricDim() != q {
		e.a = mat.NewSymDense(q, nil)
	}
	q := order(len(x))
	for i := range q {
		for j := i; j < q; j++ {
			e.a.SetSym(i, j, (x[i*q+j]+x[j*q+i])/2)
		}
	}
	l := math.NaN()
	if e.Part(e.a, 1, v != nil) {
		l = e.Values()[0]
		if v != nil {
			copy(v, e.Vector(0))
		}
	}
	select {
	case kept <- e:
	default:
	}
	return l
}

type decomposition struct {
	linalg.Spectral
	a *mat.SymDense
}

var kept = make(chan *decomposition, 4)

// compose stores Σ_i λ_i v_iv_iᵀ, symmetric to the last bit, leaving out the λ_i that are 0.
func compose(dst, values []float64, v *mat.Dense) {
	q := len(values)
	clear(dst)
	for k, l := range values {
		if l == 0 {
			continue
		}
		for i := range q {
			for j := i; j < q; j++ {
				dst[i*q+j] += l * v.At(i, k) * v.At(j, k)
			}
		}
	}
	for i := range q {
		for j := range i {
			dst[i*q+j] = dst[j*q+i]
		}
	}
}

func (s spectraplex) Validate(m int) error {
	if !(s.Trace > 0) || math.IsInf(s.Trace, 1) {
		return fmt.Errorf("spectraplex of trace %g, want a finite number > 0", s.Trace)
	}
	if q := order(m); q < 1 || q*q != m {
		return fmt.Errorf("spectraplex of %d parameters, want a square", m)
	}
	return nil
}

// Start stores (Trace/q)·I: every eigenvalue can move.
func (s spectraplex) Start(dst []float64) {
	q := order(len(dst))
	clear(dst)
	for i := range q {
		dst[i*q+i] = s.Trace / float64(q)
	}
}

// Project projects the eigenvalues onto the simplex.
func (s spectraplex) Project(dst, x []float64) {
	values, v := linalg.Eigen(symmetric(x), true)
	set.Simplex{Sum: s.Trace}.Project(values, values)
	compose(dst, values, v)
}

// Minimize is Trace·λ_min(G), at Trace·vvᵀ.
func (s spectraplex) Minimize(dst, g []float64) float64 {
	oracles.Add(1)
	q := order(len(g))
	v := make([]float64, q)
	l := least(g, v) // the same computation with and without dst
	if dst != nil {
		for i := range q {
			for j := range q {
				dst[i*q+j] = s.Trace * (v[i] * v[j])
			}
		}
	}
	return s.Trace * l
}

// Contains allows what q additions and an eigendecomposition round.
func (s spectraplex) Contains(theta []float64) bool {
	q, trace := order(len(theta)), 0.0
	tol := 32 * float64(q+8) * linalg.Epsilon * s.Trace
	for i := range q {
		trace += theta[i*q+i]
		for j := range i {
			if !(math.Abs(theta[i*q+j]-theta[j*q+i]) <= tol) {
				return false
			}
		}
	}
	return math.Abs(trace-s.Trace) <= tol && least(theta, nil) >= -tol
}

// Spread: |P_ij| ≤ (P_ii + P_jj)/2 for P ⪰ 0, so Σ e_ij|P_ij| ≤ Σ_i P_ii r_i ≤ Trace·max r, r_i the mean
// of the sums of row and column i of e.
func (s spectraplex) Spread(e []float64) float64 {
	q, top := order(len(e)), 0.0
	for i := range q {
		r := 0.0
		for j := range q {
			r += (e[i*q+j] + e[j*q+i]) / 2
		}
		top = max(top, r)
	}
	return s.Trace * top
}

// gram draws AAᵀ with A q×rank normal: positive semidefinite.
func gram(r *rand.Rand, q, rank int) []float64 {
	a := mat.NewDense(q, rank, nil)
	for i := range q {
		for j := range rank {
			a.Set(i, j, r.NormFloat64())
		}
	}
	var p mat.SymDense
	p.SymOuterK(1, a)
	out := make([]float64, q*q)
	for i := range out {
		out[i] = p.At(i/q, i%q)
	}
	return out
}

// psd draws a positive semidefinite matrix of any rank, for kerneltest.
func psd(r *rand.Rand, m int) []float64 { q := order(m); return gram(r, q, 1+r.IntN(q)) }

// negative is −λ_min(P), or 0.
func negative(theta []float64) float64 {
	return max(0, -least(theta, nil))
}

func TestSpectraplex(t *testing.T) {
	for _, s := range []spectraplex{{1}, {50}} {
		for _, q := range []int{1, 2, 5} {
			settest.TestSet(t, s, q*q, settest.Options{
				Outside: func(theta []float64) float64 {
					return max(negative(theta), math.Abs(mat.Trace(symmetric(theta))-s.Trace))
				},
				Sample: func(r *rand.Rand, m int) []float64 {
					p := psd(r, m)
					floats.Scale(s.Trace/mat.Trace(symmetric(p)), p)
					return p
				},
			})
		}
	}
	if (spectraplex{1}).Validate(5) == nil || (spectraplex{}).Validate(4) == nil {
		t.Error("an invalid spectraplex is accepted")
	}
}

// entropic is matrix exponentiated gradient on a spectraplex:
//
//	P_{k+1} = Trace · exp(L_{k+1})/tr exp(L_{k+1}),  L_{k+1} = log P_k − η_k ∇F(P_k),
//
// mirror descent with the von Neumann entropy. η_k is halved until
//
//	F(P_{k+1}) ≤ F(P_k) + ⟨∇F, P_{k+1}−P_k⟩ + ⟨P_{k+1}, log P_{k+1} − log P_k⟩/η_k
//
// and doubled from step to step, in units of the spread λ_max − λ_min of ∇F. Its eigenvalues give the
// oracle's minimum, which the step hands over.
//
// References:
//   - K. Tsuda, G. Rätsch and M. Warmuth, Matrix exponentiated gradient updates for on-line
//     learning and Bregman projection, JMLR 6 (2005), eq. (3.4).
//   - A. Beck and M. Teboulle, Mirror descent and nonlinear projected subgradient methods, Oper.
//     Res. Lett. 31 (2003).
type entropic struct{}

var _ mkl.Solver = entropic{}

func (entropic) String() string { return "Entropic" }

func (entropic) Uses(p *mkl.Problem) (mkl.Use, error) {
	_, ok := p.Set.(spectraplex)
	switch {
	case !ok:
		return mkl.Use{}, errors.New("entropic steps need a spectraplex")
	case p.Degree() != 1:
		return mkl.Use{}, errors.New("entropic steps need a family linear in θ")
	case !p.Differentiable():
		return mkl.Use{}, errors.New("the line search needs a strictly concave dual")
	}
	return mkl.Use{}, nil
}

func (entropic) Start(p *mkl.Problem) mkl.Stepper {
	return &entropicRun{set: p.Set.(spectraplex)}
}

type entropicRun struct {
	set    spectraplex
	l      []float64 // log P
	eta    float64   // times spread is the step
	spread float64
	next   []float64
}

// exp stores Trace·exp(L)/tr exp(L) in p and makes l its logarithm.
func (e *entropicRun) exp(p, l []float64) {
	values, v := linalg.Eigen(symmetric(l), true)
	top, sum := floats.Max(values), 0.0
	for i := range values {
		values[i] = math.Exp(values[i] - top)
		sum += values[i]
	}
	floats.Scale(e.set.Trace/sum, values)
	compose(p, values, v)
	q := len(values)
	for i := range q {
		l[i*q+i] += math.Log(e.set.Trace/sum) - top
	}
}

// log starts a run at P, whose eigenvalues below 1e-9·Trace are raised to that.
func (e *entropicRun) log(p []float64) {
	values, v := linalg.Eigen(symmetric(p), true)
	for i := range values {
		values[i] = math.Log(max(values[i], 1e-9*e.set.Trace))
	}
	e.l, e.next = make([]float64, len(p)), make([]float64, len(p))
	compose(e.l, values, v)
}

// accept hands over the oracle's minimum at the trial, Trace·λ_min(∇F), and takes it.
func (e *entropicRun) accept(it *mkl.Iterate) {
	t := it.Spare()
	values, _ := linalg.Eigen(symmetric(t.Grad()), false)
	e.spread = values[len(values)-1] - values[0]
	t.SetOracle(mkl.Vertex{Min: e.set.Trace * values[0]})
	it.Accept()
}

func (e *entropicRun) Step(it *mkl.Iterate) error {
	t := it.Spare()
	if e.l == nil { // L of the start, and onto Θ where it is outside
		e.log(it.Theta)
		e.eta = 1
		values, _ := linalg.Eigen(symmetric(it.Grad()), false)
		e.spread = values[len(values)-1] - values[0]
		if !e.set.Contains(it.Theta) {
			e.exp(t.Theta, e.l)
			if _, err := it.Try(); err != nil {
				return err
			}
			e.accept(it)
			return nil
		}
	}
	if e.spread == 0 {
		return mkl.ErrStalled
	}
	g := it.Grad()
	for ; e.eta > 1e-12; e.eta /= 2 {
		eta := e.eta / e.spread
		floats.AddScaledTo(e.next, e.l, -eta, g)
		e.exp(t.Theta, e.next)
		if _, err := it.Try(); err != nil {
			return err
		}
		slope, divergence := 0.0, 0.0
		for i, v := range t.Theta {
			slope += g[i] * (v - it.Theta[i])
			divergence += v * (e.next[i] - e.l[i])
		}
		if t.F() <= it.F()+slope+divergence/eta+1e-12*math.Abs(it.F()) {
			e.l, e.next = e.next, e.l
			e.eta = min(2*e.eta, 1e3)
			e.accept(it)
			return nil
		}
	}
	return mkl.ErrStalled
}
