package eskl

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Random are n points in two classes with m similarities of mixed sign: what labels would make, and symmetric noise.
func Random(n, m int, seed uint64) Set {
	r := rand.New(rand.NewPCG(seed, 8))
	s := Set{Name: "random"}
	for i := range n {
		s.Y = append(s.Y, float64(1-2*(i%2)))
	}
	for range m {
		a := mat.NewSymDense(n, nil)
		for i := range n {
			a.SetSym(i, i, 1+0.3*r.NormFloat64())
			for j := range i {
				a.SetSym(j, i, 0.2*s.Y[i]*s.Y[j]+0.5*r.NormFloat64())
			}
		}
		s.S, s.Of = append(s.S, a), append(s.Of, "random")
	}
	return s
}

// Definite is a random positive definite n×n matrix of trace n.
func Definite(n int, seed uint64) *mat.SymDense {
	r := rand.New(rand.NewPCG(seed, 9))
	a := mat.NewDense(n, n, nil)
	a.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, a)
	k := mat.NewSymDense(n, nil)
	k.SymOuterK(1, a)
	k.ScaleSym(float64(n)/mat.Trace(k), k)
	return k
}

// Clipped is (S + wwᵀ/4ρ)₊ of (3).
func Clipped(s *mat.SymDense, w []float64, rho float64) *mat.SymDense {
	n := len(w)
	x := mat.NewSymDense(n, nil)
	x.SymRankOne(s, 1/(4*rho), mat.NewVecDense(n, w))
	return projected(set.PSD{}, x)
}

func projected(onto set.Set, x *mat.SymDense) *mat.SymDense {
	theta := similarity.Vec(x)
	onto.Project(theta, theta)
	return Matrix(theta, x.SymmetricDim())
}

// Inner is −½wᵀKw + ρ‖K−S‖², what (3) is to minimise.
func Inner(k, s *mat.SymDense, w []float64, rho float64) float64 {
	v := mat.NewVecDense(len(w), w)
	var d mat.Dense
	d.Sub(k, s)
	f := mat.Norm(&d, 2)
	return -mat.Inner(v, k, v)/2 + rho*f*f
}

// Dual is φ of IndSVM at α, w = y∘α, with its slope in α: 1 − y∘K*w.
func Dual(s Set, alpha []float64, rho float64) (value float64, slope []float64) {
	w := make([]float64, len(alpha))
	floats.MulTo(w, alpha, s.Y)
	k := Clipped(s.S[0], w, rho)
	f := mat.NewVecDense(len(w), nil)
	f.MulVec(k, mat.NewVecDense(len(w), w))
	slope = make([]float64, len(w))
	for i, y := range s.Y {
		slope[i] = 1 - y*f.AtVec(i)
	}
	return floats.Sum(alpha) + Inner(k, s.S[0], w, rho), slope
}

// Times is e·w, e a matrix row by row.
func Times(e, w []float64) []float64 {
	out := make([]float64, len(w))
	for i := range out {
		out[i] = floats.Dot(e[i*len(w):(i+1)*len(w)], w)
	}
	return out
}

// Slope is F'(θ; e), the derivative along e, by a central difference, and ⟨∇F,e⟩.
func Slope(p *mkl.Problem, theta, e []float64) (difference, inner float64, err error) {
	f := func(h float64) (*mkl.Point, error) {
		pt := p.NewPoint()
		floats.AddScaledTo(pt.Theta, theta, h, e)
		return pt, pt.Evaluate(nil, 1e-12)
	}
	const h = 1e-5
	up, err1 := f(h)
	down, err2 := f(-h)
	at, err3 := f(0)
	if err := errors.Join(err1, err2, err3); err != nil {
		return 0, 0, err
	}
	return (up.F() - down.F()) / (2 * h), floats.Dot(at.Grad(), e), nil
}

// Block is the inner problem (10) of fixed matrices, to ten digits.
func Block(ks []*mat.SymDense, y []float64, c float64) (loss.Solution, error) {
	var f kernel.Blocks
	for _, k := range ks {
		f.Of = append(f.Of, kernel.List{kernel.Precomputed{N: len(y), Data: similarity.Vec(k)}})
	}
	return machine(f, loss.BlockNorm{Of: loss.Hinge{C: c}}, len(ks), y)
}

// Omega is ω(K) to ten digits, with its α as w = y∘α.
func Omega(k *mat.SymDense, y []float64, c float64) (value float64, w []float64) {
	f := kernel.List{kernel.Precomputed{N: len(y), Data: similarity.Vec(k)}}
	s, err := machine(f, loss.Hinge{C: c}, 1, y)
	if err != nil {
		panic(err)
	}
	return s.Dual(), s.W
}

// machine solves the problem of a loss on m matrices of weight 1.
func machine(f kernel.Family, l loss.Loss, m int, y []float64) (s loss.Solution, err error) {
	g := f.On(kernel.AllPlaces(len(y))).New()
	g.At(slices.Repeat([]float64{1}, m))
	err = l.Solve(context.Background(), &s, g, y, 1e-10)
	return s, err
}

// Mix is a/γ + b/(1−γ).
func Mix(a, b *mat.SymDense, gamma float64) *mat.SymDense {
	var x, y mat.SymDense
	x.ScaleSym(1/gamma, a)
	y.ScaleSym(1/(1-gamma), b)
	x.AddSym(&x, &y)
	return &x
}

// Farther is how much more of the given it is, at the least of count steps from k towards random positive
// semidefinite matrices of the same trace: > 0 where k minimises it.
func Farther(k *mat.SymDense, count int, of func(*mat.SymDense) float64) float64 {
	n, least := k.SymmetricDim(), math.Inf(1)
	for seed := range uint64(count) {
		var step, other mat.SymDense
		step.ScaleSym(0.01*mat.Trace(k)/float64(n), Definite(n, seed))
		other.ScaleSym(0.99, k)
		other.AddSym(&other, &step)
		least = min(least, of(&other)-of(k))
	}
	return least
}

// Direction is a random symmetric direction of trace 0 in each of m blocks of n×n matrices.
func Direction(n, m int, seed uint64) (e []float64) {
	for b := range m {
		k := Definite(n, seed+uint64(b))
		for i := range n {
			k.SetSym(i, i, k.At(i, i)-1)
		}
		for shift, i := mat.Trace(k)/float64(n), 0; i < n; i++ { // what rounding left
			k.SetSym(i, i, k.At(i, i)-shift)
		}
		e = append(e, similarity.Vec(k)...)
	}
	return e
}

// Entropic is τ exp(−G)/tr exp(−G).
func Entropic(g *mat.SymDense, tau float64) *mat.SymDense {
	theta := similarity.Vec(g)
	set.Spectraplex{Trace: tau}.Mirror(theta, theta)
	return Matrix(theta, g.SymmetricDim())
}

// Entropy is ψ, Σ λ log λ.
func Entropy(k *mat.SymDense) (v float64) {
	s, err := similarity.Decompose(k)
	if err != nil {
		panic(err)
	}
	for _, l := range s.Values {
		if l > 0 {
			v += l * math.Log(l)
		}
	}
	return v
}

// Lipschitz is L of Proposition 3.1, ½nC² + ρ Σ of what the distances have.
func Lipschitz(s Set, d reg.Distance, c, rho float64) float64 {
	n := float64(s.N())
	return n*c*c/2 + reg.Near{Rho: rho, Distance: d, Targets: s.targets()}.Lipschitz(n)
}

// StepsTo is the step of a run at which its certified relative gap first was eps or less; 0 where it never was.
func StepsTo(r *mkl.Result, eps float64) int {
	up, low := math.Inf(1), math.Inf(-1)
	for _, row := range r.Trace {
		if up, low = min(up, row.Upper), max(low, row.Lower); up-low <= eps*math.Abs(up) {
			return row.Iter
		}
	}
	return 0
}

// First is s with its first m similarities alone.
func (s Set) First(m int) Set {
	s.S, s.Of = s.S[:m], s.Of[:m]
	return s
}

// Value is F at θ.
func Value(p *mkl.Problem, theta []float64) (float64, error) {
	pt := p.NewPoint()
	copy(pt.Theta, theta)
	err := pt.Evaluate(nil, 1e-8)
	return pt.F(), err
}
