package mkl

import (
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// APD is the accelerated primal-dual method for the saddle φ(θ, α) = D(α) − ½wᵀK(θ)w:
//
//	θ_{k+1} = P_Θ(θ_k − σ_k((1+ϑ_k)G_k − ϑ_kG_{k−1})),   G_k = ∇_θφ(·, α_k)
//	α_{k+1} = argmax φ(θ_{k+1}, α) − ‖w(α) − w(α_k)‖²/(2τ_k)
//	γ_{k+1} = γ_k(1+μτ_k),  τ_{k+1} = τ_k√(γ_k/γ_{k+1}),  σ_k = γ_kτ_k,  ϑ_k = σ_{k−1}/σ_k.
//
// It never maximises over α: a step costs a projection and one proximal problem, and K once. A family
// linear in θ, a bounded set, a loss.Proximal. It is here to be compared with: with steps that are sure
// to converge, τσL² = 1, it takes several times as many steps as FrankWolfe.
//
// References:
//   - E. Hamedani, N. Aybat, A primal-dual algorithm with line search for general convex-concave saddle
//     point problems, SIAM J. Optim. 31 (2021), Algorithm 2.1.
//   - B. Colbert, M. Peet, Efficient convex algorithms for universal kernel learning, JMLR 25 (2024).
type APD struct {
	// Scale is τσL² at the start, L an estimate of the Lipschitz constant of the coupling. If 0, it
	// is 1; more is faster and need not converge.
	Scale float64
	// Mu is μ. If 0, it is 1e-4.
	Mu float64
}

var _ Solver = APD{}

func (a APD) String() string {
	var parts []string
	if a.Scale != 0 {
		parts = append(parts, fmt.Sprintf("scale=%g", a.Scale))
	}
	if a.Mu != 0 {
		parts = append(parts, fmt.Sprintf("mu=%g", a.Mu))
	}
	if parts == nil {
		return "APD"
	}
	return "APD(" + strings.Join(parts, ", ") + ")"
}

// Uses asks for a loss that has a proximal step.
func (a APD) Uses(p *Problem) (Use, error) {
	_, ok := p.Loss.(loss.Proximal)
	return Use{}, unsuited(a,
		need(a.Scale >= 0 && a.Mu >= 0, "a scale and a μ of 0 or more"),
		need(linear(p), "a family linear in θ"),
		need(p.bounded(), "a bounded set"),
		need(p.Reg == nil, "no regulariser"),
		need(ok, "a loss with a proximal step"))
}

// Start returns one run.
func (a APD) Start(*Problem) Stepper {
	if a.Scale == 0 {
		a.Scale = 1
	}
	if a.Mu == 0 {
		a.Mu = 1e-4
	}
	return &apd{APD: a}
}

// apd is one run.
type apd struct {
	APD
	old                   []float64 // G_{k−1}
	w                     []float64
	gamma, tau, sigmaLast float64
}

func (a *apd) Step(it *Iterate) error {
	if entered, err := enter(it); entered {
		return err
	}
	g, t := it.Grad(), it.Spare()
	if a.old == nil {
		a.old = append(a.old, g...)
		// L = 2√(λ_max(K) max_Θ⟨−2G, ·⟩/max tr), with the trace of K for its largest eigenvalue
		_, n := it.p.Grams.Dims()
		diag, _ := loss.Diagonal(nil, it.Gram, n)
		size := math.Max(floats.Norm(it.W, 2), 1e-12)
		theta := math.Max(floats.Norm(it.Theta, 2), 1e-300)
		l := math.Sqrt(floats.Sum(diag)*2*floats.Norm(g, 2)) / math.Sqrt(theta)
		a.gamma = (theta / size) * (theta / size) // balances the two diameters
		a.tau = math.Sqrt(a.Scale/a.gamma) / math.Max(l, 1e-300)
		a.sigmaLast = a.gamma * a.tau
	}
	sigma := a.gamma * a.tau
	turn := a.sigmaLast / sigma
	for k, v := range g {
		t.Theta[k] = it.Theta[k] - sigma*((1+turn)*v-turn*a.old[k])
	}
	copy(a.old, g)
	it.p.Set.Project(t.Theta, t.Theta)
	t.Gram.At(t.Theta)
	a.w = append(a.w[:0], it.W...)
	if err := it.p.Loss.(loss.Proximal).Prox(it.ctx, a.w, t.Gram, it.p.Y, a.tau, 1e-8); err != nil {
		return fmt.Errorf("mkl: proximal step: %w", err)
	}
	it.Evals++
	t.Judge(a.w)
	it.Accept()
	next := a.gamma * (1 + a.Mu*a.tau)
	a.tau *= math.Sqrt(a.gamma / next)
	a.gamma, a.sigmaLast = next, sigma
	return nil
}
