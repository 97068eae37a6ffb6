package eskl

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// RandomSet returns a Set of n points in two classes with m indefinite similarities. A similarity is 0.2·y_iy_j plus
// symmetric noise off the diagonal, and 1 plus noise on the diagonal.
func RandomSet(n, m int, seed uint64) Set {
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
		s.S, s.Names = append(s.S, a), append(s.Names, "random")
	}
	return s
}

// RandomDefinite returns a random positive definite n×n matrix of trace n.
func RandomDefinite(n int, seed uint64) *mat.SymDense {
	r := rand.New(rand.NewPCG(seed, 9))
	a := mat.NewDense(n, n, nil)
	a.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, a)
	k := mat.NewSymDense(n, nil)
	k.SymOuterK(1, a)
	k.ScaleSym(float64(n)/mat.Trace(k), k)
	return k
}

// Clipped returns the matrix K* of equation (3) of Kundu et al.: S + wwᵀ/4ρ with its negative eigenvalues set to 0.
func Clipped(s *mat.SymDense, w []float64, rho float64) *mat.SymDense {
	n := len(w)
	x := mat.NewSymDense(n, nil)
	x.SymRankOne(s, 1/(4*rho), mat.NewVecDense(n, w))
	return projectMatrix(set.PSD{}, x)
}

func projectMatrix(matrices set.Set, x *mat.SymDense) *mat.SymDense {
	theta := similarity.Vec(x)
	matrices.Project(theta, theta)
	return SymmetricMatrix(theta, x.SymmetricDim())
}

// Distance returns the Frobenius norm ‖K−S‖ and its gradient by K, (K−S)/‖K−S‖.
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

// Dual returns the dual objective φ of IndSVM at w = y∘α: 1ᵀα − ½wᵀK*w + ρ‖K*−S‖², where K* is the matrix of
// equation (3) of Kundu et al., which minimizes this expression.
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

// Derivative returns F'(θ; e), the derivative of F at θ along e, by a central difference.
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

// SolveBlock solves the inner problem (10) for the fixed matrices ks to a relative gap of 1e-10.
func SolveBlock(ks []*mat.SymDense, y []float64, c float64) (loss.Solution, error) {
	var f blocks.Family
	for _, k := range ks {
		f.Families = append(f.Families, kernel.List{kernel.Precomputed{N: len(y), Data: similarity.Vec(k)}})
	}
	return solveInner(f, loss.BlockNorm{Loss: loss.Hinge{C: c}}, len(ks), y)
}

// solveInner solves the problem of the loss l for a family of m matrices, all with weight 1, to a relative gap of
// 1e-10.
func solveInner(f kernel.Family, l loss.Loss, m int, y []float64) (s loss.Solution, err error) {
	g := f.Bind(points.AllIndices(len(y))).New()
	g.SetTheta(slices.Repeat([]float64{1}, m))
	err = l.Solve(context.Background(), &s, g, y, 1e-10)
	return s, err
}

// RandomDirection returns a random direction: m symmetric n×n matrices of trace 0, one after the other and row by row.
func RandomDirection(n, m int, seed uint64) (e []float64) {
	for b := range m {
		k := RandomDefinite(n, seed+uint64(b))
		for i := range n {
			k.SetSym(i, i, k.At(i, i)-1)
		}
		for excess, i := mat.Trace(k)/float64(n), 0; i < n; i++ { // remove the trace that rounding leaves
			k.SetSym(i, i, k.At(i, i)-excess)
		}
		e = append(e, similarity.Vec(k)...)
	}
	return e
}

// Lipschitz returns the constant L of Proposition 3.1 for matrices of trace n: ½nC² plus ρ times the sum of the
// Lipschitz constants of the distances, which are n for L1, 1 for L2 and 2(n + ‖S_i‖) for L3.
func Lipschitz(s Set, d reg.Distance, c, rho float64) float64 {
	n, sum := float64(s.N()), 0.0
	for _, t := range s.targetVectors() {
		sum += map[reg.Distance]float64{reg.L1: n, reg.L2: 1, reg.L3: 2 * (n + floats.Norm(t, 2))}[d]
	}
	return n*c*c/2 + rho*sum
}

// WeightedSum returns Σ_i K_i/γ_i.
func WeightedSum(ks []*mat.SymDense, gamma []float64) *mat.SymDense {
	sum := mat.NewSymDense(ks[0].SymmetricDim(), nil)
	for i, k := range ks {
		var part mat.SymDense
		part.ScaleSym(1/gamma[i], k)
		sum.AddSym(sum, &part)
	}
	return sum
}

// HardSet returns 8 points with m equal similarities S_i = 2vvᵀ − yyᵀ, where v is orthogonal to the labels y. If C ≤
// 1/(8m²) and ρ is negligible, all α are at C, and F decreases linearly from K_i = I to K_i = yyᵀ. y is the eigenvector
// of the least eigenvalue of S_i.
func HardSet(m int) Set {
	s := Set{Name: "worst", Y: []float64{1, -1, 1, -1, 1, -1, 1, -1}}
	for range m {
		k := mat.NewSymDense(8, nil)
		k.SymRankOne(k, 2, mat.NewVecDense(8, []float64{1, 1, -1, -1, 1, 1, -1, -1}))
		k.SymRankOne(k, -1, mat.NewVecDense(8, s.Y))
		s.S, s.Names = append(s.S, k), append(s.Names, "worst")
	}
	return s
}

// SoftmaxSpectrum returns the n numbers n·exp(−g_j)/Σ_l exp(−g_l), whose sum is n.
func SoftmaxSpectrum(g []float64) []float64 {
	mu, least := make([]float64, len(g)), floats.Min(g)
	for j, v := range g {
		mu[j] = math.Exp(least - v)
	}
	floats.Scale(float64(len(g))/floats.Sum(mu), mu)
	return mu
}

// FromSpectra returns, for each spectrum with the eigenvectors V_i, the matrix V_i diag(μ_i) V_iᵀ.
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

// SquaredProjections returns (v_jᵀw)² for each eigenvector v_j of a spectrum.
func SquaredProjections(e *similarity.Spectrum, w []float64) []float64 {
	var v mat.VecDense
	v.MulVec(e.Vectors.T(), mat.NewVecDense(len(w), w))
	q := v.RawVector().Data
	floats.Mul(q, q)
	return q
}

// SmallestF returns the smallest F in the first steps of a run, without its start. The run must have at least one step.
func SmallestF(r *mkl.Result, steps int) float64 {
	f := math.Inf(1)
	for _, row := range r.Trace[1:min(steps+1, len(r.Trace))] {
		f = min(f, row.F)
	}
	return f
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Omega returns the optimum ω(K) of the support vector machine with the kernel matrix K, solved to a relative gap of
// 1e-10, and its solution α as w = y∘α.
func Omega(k *mat.SymDense, y []float64, c float64) (value float64, w []float64) {
	f := kernel.List{kernel.Precomputed{N: len(y), Data: similarity.Vec(k)}}
	s := must(solveInner(f, loss.Hinge{C: c}, 1, y))
	return s.Dual(), s.W
}

// Identities returns, for each similarity of s, the identity matrix times scale.
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

// EigenStart returns the eigendecompositions of the similarities and the start of the algorithm for REKL: g_i = 0 and
// all μ_ij = 1, for each similarity i.
func EigenStart(s Set) (spectra []*similarity.Spectrum, g, mu [][]float64) {
	for _, m := range s.S {
		zero := make([]float64, s.N())
		spectra = append(spectra, must(similarity.Decompose(m)))
		g, mu = append(g, zero), append(mu, SoftmaxSpectrum(zero))
	}
	return spectra, g, mu
}

// LowerBound returns the lower bound 1ᵀα − ⟨Z,S⟩ + n·λ_min(Z − ½wwᵀ) of min F of ESKL, for feasible α and a symmetric Z
// with |Z_ij| ≤ ρ (L1) or ‖Z‖ ≤ ρ (L2). All n points have labels, and α_i = y_iw_i. S is the first similarity matrix of
// s; the distances from the others are at least 0. λ_min is the smallest eigenvalue.
func LowerBound(s Set, z *mat.SymDense, w *mat.VecDense) float64 {
	var m mat.SymDense
	m.SymRankOne(z, -0.5, w)
	linear := floats.Dot(w.RawVector().Data, s.Y) - floats.Dot(similarity.Vec(z), similarity.Vec(s.S[0]))
	return linear + float64(s.N())*must(similarity.Decompose(&m)).Values[0]
}

// ChordGap draws count pairs of random positive definite matrices of trace n. It returns the largest shared.ChordGap of
// f over the pairs.
func ChordGap(n, count int, f func(*mat.SymDense) float64) float64 {
	largest := math.Inf(-1)
	for seed := range uint64(count) {
		a, b := similarity.Vec(RandomDefinite(n, 2*seed)), similarity.Vec(RandomDefinite(n, 2*seed+1))
		largest = max(largest, shared.ChordGap(func(v []float64) float64 { return f(SymmetricMatrix(v, n)) }, a, b))
	}
	return largest
}
