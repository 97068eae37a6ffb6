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
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Random returns n points in two classes with m indefinite similarities: a label part plus symmetric noise.
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

// Definite returns a random positive definite n×n matrix of trace n.
func Definite(n int, seed uint64) *mat.SymDense {
	r := rand.New(rand.NewPCG(seed, 9))
	a := mat.NewDense(n, n, nil)
	a.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, a)
	k := mat.NewSymDense(n, nil)
	k.SymOuterK(1, a)
	k.ScaleSym(float64(n)/mat.Trace(k), k)
	return k
}

// Clipped returns (S + wwᵀ/4ρ)₊ of (3).
func Clipped(s *mat.SymDense, w []float64, rho float64) *mat.SymDense {
	n := len(w)
	x := mat.NewSymDense(n, nil)
	x.SymRankOne(s, 1/(4*rho), mat.NewVecDense(n, w))
	return project(set.PSD{}, x)
}

// projected returns the projection of x onto a set of matrices.
func project(onto set.Set, x *mat.SymDense) *mat.SymDense {
	theta := similarity.Vec(x)
	onto.Project(theta, theta)
	return Matrix(theta, x.SymmetricDim())
}

// Distance returns ‖K−S‖ and its gradient in K, (K−S)/‖K−S‖.
func Distance(k, s *mat.SymDense) (norm float64, gradient *mat.SymDense) {
	gradient = mat.NewSymDense(k.SymmetricDim(), nil)
	gradient.ScaleSym(-1, s)
	gradient.AddSym(k, gradient)
	norm = mat.Norm(gradient, 2)
	gradient.ScaleSym(1/norm, gradient)
	return norm, gradient
}

// AddStep adds a·gradient − ½b·wwᵀ to g.
func AddStep(g, gradient *mat.SymDense, a float64, w []float64, b float64) {
	var step mat.SymDense
	step.ScaleSym(a, gradient)
	step.SymRankOne(&step, -b/2, mat.NewVecDense(len(w), w))
	g.AddSym(g, &step)
}

// Dual returns φ of IndSVM at w = y∘α: 1ᵀα − ½wᵀK*w + ρ‖K*−S‖² with K* of (3), which minimizes it.
func Dual(s Set, w []float64, rho float64) float64 {
	k, v := Clipped(s.S[0], w, rho), mat.NewVecDense(len(w), w)
	norm, _ := Distance(k, s.S[0])
	return floats.Dot(w, s.Y) - mat.Inner(v, k, v)/2 + rho*norm*norm
}

// MulVec returns e·w for a matrix e stored by rows.
func MulVec(e, w []float64) []float64 {
	out := make([]float64, len(w))
	for i := range out {
		out[i] = floats.Dot(e[i*len(w):(i+1)*len(w)], w)
	}
	return out
}

// Derivative returns F'(θ; e), the derivative along e, by a central difference.
func Derivative(p *mkl.Problem, theta, e []float64) (float64, error) {
	f := func(h float64) (*mkl.Point, error) {
		pt := p.NewPoint()
		floats.AddScaledTo(pt.Theta, theta, h, e)
		return pt, pt.Evaluate(nil, 1e-12)
	}
	const h = 1e-5
	up, err1 := f(h)
	down, err2 := f(-h)
	if err := errors.Join(err1, err2); err != nil {
		return 0, err
	}
	return (up.F() - down.F()) / (2 * h), nil
}

// SolveBlock solves the inner problem (10) for fixed matrices to a relative gap of 1e-10.
func SolveBlock(ks []*mat.SymDense, y []float64, c float64) (loss.Solution, error) {
	var f kernel.Blocks
	for _, k := range ks {
		f.Of = append(f.Of, kernel.List{kernel.Precomputed{N: len(y), Data: similarity.Vec(k)}})
	}
	return solveInner(f, loss.BlockNorm{Loss: loss.Hinge{C: c}}, len(ks), y)
}

// machine solves the problem of a loss for m matrices of weight 1.
func solveInner(f kernel.Family, l loss.Loss, m int, y []float64) (s loss.Solution, err error) {
	g := f.On(points.AllIndices(len(y))).New()
	g.At(slices.Repeat([]float64{1}, m))
	err = l.Solve(context.Background(), &s, g, y, 1e-10)
	return s, err
}

// Direction returns a random symmetric direction of trace 0 in each of m blocks of n×n matrices.
func Direction(n, m int, seed uint64) (e []float64) {
	for b := range m {
		k := Definite(n, seed+uint64(b))
		for i := range n {
			k.SetSym(i, i, k.At(i, i)-1)
		}
		for shift, i := mat.Trace(k)/float64(n), 0; i < n; i++ { // removes the trace that rounding leaves
			k.SetSym(i, i, k.At(i, i)-shift)
		}
		e = append(e, similarity.Vec(k)...)
	}
	return e
}

// Lipschitz returns L of Proposition 3.1: ½nC² plus ρ times the Lipschitz constants of the distances.
func Lipschitz(s Set, d reg.Distance, c, rho float64) float64 {
	n := float64(s.N())
	return n*c*c/2 + reg.DistancePenalty{Rho: rho, Distance: d, Targets: s.targets()}.Lipschitz(n)
}

// WeightedSum returns Σ K_i/γ_i.
func WeightedSum(ks []*mat.SymDense, gamma []float64) *mat.SymDense {
	sum := mat.NewSymDense(ks[0].SymmetricDim(), nil)
	for i, k := range ks {
		var part mat.SymDense
		part.ScaleSym(1/gamma[i], k)
		sum.AddSym(sum, &part)
	}
	return sum
}

// ChordGap returns the largest excess of f over its chord at the midpoint, for count pairs of random positive definite
// matrices of trace n. Up to rounding, it is not positive if f is convex.
func ChordGap(n, count int, f func(*mat.SymDense) float64) float64 {
	most := math.Inf(-1)
	for seed := range uint64(count) {
		a, b := Definite(n, 2*seed), Definite(n, 2*seed+1)
		var middle mat.SymDense
		middle.AddSym(a, b)
		middle.ScaleSym(0.5, &middle)
		most = max(most, f(&middle)-(f(a)+f(b))/2)
	}
	return most
}

// HardSet returns 8 points with m similarities 2vvᵀ − yyᵀ, v orthogonal to y. With C ≤ 1/8m² and a negligible ρ, all α
// are at C, and F falls linearly from K_i = I to K_i = yyᵀ, where S_i is smallest.
func HardSet(m int) Set {
	s := Set{Name: "worst", Y: []float64{1, -1, 1, -1, 1, -1, 1, -1}}
	for range m {
		k := mat.NewSymDense(8, nil)
		k.SymRankOne(k, 2, mat.NewVecDense(8, []float64{1, 1, -1, -1, 1, 1, -1, -1}))
		k.SymRankOne(k, -1, mat.NewVecDense(8, s.Y))
		s.S, s.Of = append(s.S, k), append(s.Of, "worst")
	}
	return s
}

// SoftmaxSpectrum returns n exp(−g_j)/Σ exp(−g_l) for all j.
func SoftmaxSpectrum(g []float64) []float64 {
	mu, least := make([]float64, len(g)), floats.Min(g)
	for j, v := range g {
		mu[j] = math.Exp(least - v)
	}
	floats.Scale(float64(len(g))/floats.Sum(mu), mu)
	return mu
}

// FromSpectra returns V_i diag(μ_i) V_iᵀ for each spectrum.
func FromSpectra(spectra []*similarity.Spectrum, mu [][]float64) (ks []*mat.SymDense) {
	for i, e := range spectra {
		k := mat.NewSymDense(len(e.Values), nil)
		for j, v := range mu[i] {
			k.SymRankOne(k, v, e.Vectors.ColView(j))
		}
		ks = append(ks, k)
	}
	return ks
}

// SquaredProjections returns (v_jᵀw)² for each eigenvector v_j.
func SquaredProjections(e *similarity.Spectrum, w []float64) []float64 {
	var v mat.VecDense
	v.MulVec(e.Vectors.T(), mat.NewVecDense(len(w), w))
	q := v.RawVector().Data
	floats.Mul(q, q)
	return q
}

// SmallestF returns the smallest F of the first steps of a run, at least one, without the start.
func SmallestF(r *mkl.Result, steps int) float64 {
	f := math.Inf(1)
	for _, row := range r.Trace[1:min(steps+1, len(r.Trace))] {
		f = min(f, row.F)
	}
	return f
}

// must returns v. It panics if err is not nil.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Omega returns ω(K), solved to a relative gap of 1e-10, and its α as w = y∘α.
func Omega(k *mat.SymDense, y []float64, c float64) (value float64, w []float64) {
	f := kernel.List{kernel.Precomputed{N: len(y), Data: similarity.Vec(k)}}
	s := must(solveInner(f, loss.Hinge{C: c}, 1, y))
	return s.Dual(), s.W
}

// Identities returns scale times the identity for each similarity.
func Identities(s Set, scale float64) (all []*mat.SymDense) {
	for range s.S {
		k := mat.NewSymDense(s.N(), nil)
		for i := range s.Y {
			k.SetSym(i, i, scale)
		}
		all = append(all, k)
	}
	return all
}

// EigenStart returns the eigendecompositions of the similarities and the start of REKL: G_i = 0, all μ_ij = 1.
func EigenStart(s Set) (spectra []*similarity.Spectrum, g, mu [][]float64) {
	for _, m := range s.S {
		zero := make([]float64, s.N())
		spectra = append(spectra, must(similarity.Decompose(m)))
		g, mu = append(g, zero), append(mu, SoftmaxSpectrum(zero))
	}
	return spectra, g, mu
}

// LowerBound returns 1ᵀα − ⟨Z,S⟩ + n λ_min(Z − ½wwᵀ) for one similarity, with α_i = y_iw_i.
func LowerBound(s Set, z *mat.SymDense, w *mat.VecDense) float64 {
	var m mat.SymDense
	m.SymRankOne(z, -0.5, w)
	linear := floats.Dot(w.RawVector().Data, s.Y) - floats.Dot(similarity.Vec(z), similarity.Vec(s.S[0]))
	return linear + float64(s.N())*must(similarity.Decompose(&m)).Values[0]
}

// AsPrinted runs Algorithm 1 with L2 and η = √(2 log n/t)/l as printed and returns all values of f. The next K has the
// eigenvectors v of the gradient, with eigenvalues d in ascending order, and the eigenvalues of K times exp(−ηd). These
// are taken in "ascending" or "descending" order, or as vᵀKv.
func AsPrinted(s Set, c, rho, l float64, steps int, pairing string) (f []float64) {
	n, k := float64(s.N()), Identities(s, 1)[0]
	for t := 1.0; t <= float64(steps); t++ {
		omega, w := Omega(k, s.Y, c)
		norm, of := Distance(k, s.S[0])
		f = append(f, omega+rho*norm)
		gradient := mat.NewSymDense(s.N(), nil)
		AddStep(gradient, of, rho, w, 1)
		spectrum, values := must(similarity.Decompose(gradient)), slices.Clone(must(similarity.Decompose(k)).Values)
		if pairing == "descending" {
			slices.Reverse(values)
		}
		next := mat.NewSymDense(s.N(), nil)
		for j, d := range spectrum.Values {
			v := spectrum.Vectors.ColView(j)
			if pairing == "vᵀKv" {
				values[j] = mat.Inner(v, k, v)
			}
			eta := math.Sqrt(2*math.Log(n)/t) / l
			next.SymRankOne(next, values[j]*math.Exp(eta*(spectrum.Values[0]-d)), v)
		}
		next.ScaleSym(n/mat.Trace(next), next)
		k = next
	}
	return f
}
