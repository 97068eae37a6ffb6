package mkl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// MirrorDescent is entropic mirror descent for convex F with kinks, on a simplex or on {K ⪰ 0, tr K = τ}:
//
//	θ_{t+1} = argmin_Θ ⟨G_t,θ⟩ + ψ(θ),  G_t = Σ_{s≤t} η_s F'(θ_s),  ψ the entropy of θ or of its eigenvalues.
//
// For matrices it is the ESKL algorithm of Kundu et al., with the step that their proof analyzes:
// K_{t+1} = τ exp(−G_t)/tr exp(−G_t), one eigendecomposition. The steps also bound min F:
//
//	min F ≥ [Σ η_s(F_s − ⟨F'_s,θ_s⟩) + min_Θ ⟨G_t,·⟩] / Σ η_s.
//
// The gap min_{s≤t} F_s − min F is of the order of √(log n/t). On 208 points, 300 steps certified a gap of 26 % with
// L3, and of 41 % with L1 and L2. There DualAscent and ADMM certify 1 % in the time of 5, 66 and 18 of these steps (one
// run, CPU time).
//
// A step costs one evaluation, the decomposition, and the eigenvalues of F'. A run holds three arrays of the length of
// θ: θ, G and the best θ so far. The run uses only the cut at its start: the second θ is the step of steepest descent
// from the center.
//
// The step lengths are, with L ≥ ‖F'‖ and h_t half the range of the eigenvalues of F'(θ_t):
//
//	η_t = √(2 log n/t)/h_t   the default, whatever the scale of F
//	η_t = √(2 log n/t)/L     with Lipschitz: Proposition 3.1
//	η_t = √(2 log n/T)/L     with Horizon and Lipschitz, for a run of T steps: the proved bound is τL√(2 log n/T);
//	                         the decreasing steps of the Proposition need a factor of about ½ log T more
//
// References:
//   - A. Kundu, V. Tankasali, C. Bhattacharyya and A. Ben-Tal, Efficient algorithms for learning kernels from
//     multiple similarity matrices with general convex loss functions, NIPS 2010, Algorithm 1, Proposition 3.1.
//   - A. Beck and M. Teboulle, Mirror descent and nonlinear projected subgradient methods for convex optimization,
//     Oper. Res. Lett. 31 (2003), Theorem 4.2.
type MirrorDescent struct {
	// Lipschitz is L, for the steps of the theorem. If 0, every step uses its h_t.
	Lipschitz float64
	// Horizon is T, which replaces t in η_t, so that the steps do not decrease with t. If 0, they decrease.
	Horizon int
	// AsPrinted takes the steps of Algorithms 1 to 3 as printed, for study.
	//
	// Algorithm 1, on a set.Spectraplex: the step multiplies each eigenvalue of K_t by exp(−η_t d_j), with d_j the
	// eigenvalues of F'(K_t), both in ascending order. It combines the products with the eigenvectors of F'(K_t). The
	// two matrices commute in the first step only. After that the step is not a mirror step, and the method stalls.
	//
	// Algorithms 2 (EMKL) and 3 (REKL), on a set.Product of M Spectraplexes or Simplexes with a reg.Separable of
	// reg.DistancePenalty: the slope of L_i lacks the factor ρ, and the steps are shorter by the factor √M. Algorithm 2
	// takes the step of Algorithm 1 in each matrix. On spectra the printed step is a mirror step, but for another
	// problem: Algorithm 3 tends to the minimum of the F with ρ = 1.
	AsPrinted bool
}

var _ Solver = MirrorDescent{}

func (s MirrorDescent) String() string {
	var o []string
	if s.Lipschitz != 0 {
		o = append(o, fmt.Sprintf("L=%.4g", s.Lipschitz))
	}
	if s.Horizon != 0 {
		o = append(o, fmt.Sprintf("T=%d", s.Horizon))
	}
	if s.AsPrinted {
		o = append(o, "as printed")
	}
	if o == nil {
		return "MirrorDescent"
	}
	return "MirrorDescent(" + strings.Join(o, ", ") + ")"
}

// Requirements asks for a convex F on a set with an entropy.
func (s MirrorDescent) Requirements(p *Problem) (Requirements, error) {
	_, ok := p.Set.(set.Mirror)
	_, printed := p.printed()
	return Requirements{Enter: true, Inner: 1e-3, OnePoint: true}, unsuited(s,
		need(s.Lipschitz >= 0 && !math.IsInf(s.Lipschitz, 1) && s.Horizon >= 0,
			"a Lipschitz constant and a horizon of 0 or more"),
		need(isLinear(p), "a family linear in θ"),
		need(ok, "a set with an entropy (set.Mirror): set.Simplex, set.Spectraplex"),
		need(!s.AsPrinted || printed,
			"for the steps as printed a set.Spectraplex, or a set.Product of them or of simplexes with a "+
				"reg.Separable of reg.DistancePenalty"))
}

// printed returns the r whose slopes Algorithms 1 to 3 use, which may be nil. It returns false if the algorithms do not
// apply to p.
func (p *Problem) printed() (reg.Reg, bool) {
	t := p.Set.Traits()
	if t.FactorCount == 0 {
		return p.Reg, t.Spectraplex()
	}
	if t.Factor.Traits().Sum == 0 {
		return nil, false
	}
	r, ok := p.Reg.(reg.Separable)
	if !ok {
		return nil, false
	}
	r.Parts = slices.Clone(r.Parts)
	for i, part := range r.Parts {
		n, ok := part.(reg.DistancePenalty)
		if !ok {
			return nil, false
		}
		n.Rho = 1
		r.Parts[i] = n
	}
	return r, true
}

// Start returns one run.
func (s MirrorDescent) Start(p *Problem) Stepper {
	m, _ := p.Grams.Dims()
	return &mirrorDescent{MirrorDescent: s, set: p.Set.(set.Mirror), sum: aggregate{g: make([]float64, m)}}
}

// mirrorDescent is one run.
type mirrorDescent struct {
	MirrorDescent
	set  set.Mirror
	rate float64 // of the current point
	sum  aggregate
}

// aggregate is the sum of cuts with weights η_s: F ≥ (at + ⟨g,θ⟩)/eta on Θ.
type aggregate struct {
	eta, at       float64
	etaErr, atErr float64 // bound the errors of eta and at: a step rounds the whole sum, similar steps with one sign
	g             []float64
	spread        float64 // bounds the change of ⟨g,θ⟩ on Θ by the error of g
}

// add adds the cut at pt.
func (a *aggregate) add(pt *Point, eta float64) {
	at, err := pt.cutAt()
	a.eta += eta
	a.etaErr += linalg.Epsilon * a.eta
	v := eta * (at - err)
	a.at += v
	a.atErr += linalg.Epsilon * (2*math.Abs(v) + math.Abs(a.at))
	g, e, size := pt.Grad(), pt.gradError(), make([]float64, len(a.g))
	floats.AddScaled(a.g, eta, g)
	for k, v := range g { // errors of this sum, of r and of the oracle
		size[k] = eta*e[k] + linalg.Epsilon*(eta*float64(len(a.g)+256)*math.Abs(v)+math.Abs(a.g[k]))
	}
	a.spread += (1 + linalg.Gamma(4)) * set.SupportAbs(pt.p.Set, size)
	a.spread *= 1 + linalg.Gamma(2)
}

// lower returns the lower bound of min F that a proves. least is the computed min_Θ ⟨g,·⟩.
func (a *aggregate) lower(least float64) float64 {
	if !(a.eta > 0) {
		return math.Inf(-1)
	}
	size := math.Abs(a.at) + math.Abs(least)
	sum := a.at + least - a.spread - a.atErr - linalg.Gamma(64)*size
	if math.IsNaN(sum) { // overflow
		return math.Inf(-1)
	}
	return sum / (a.eta + math.Copysign(a.etaErr, sum))
}

func (s *mirrorDescent) Step(it *Iterate) error {
	if s.rate == 0 {
		s.rate, _ = s.set.StepScale(it.Grad())
	}
	t := it.Trial()
	if eta := s.eta(it); s.AsPrinted {
		s.stepPrinted(t.Theta, it, eta)
	} else {
		s.sum.add(it.Point, eta)
		least := s.set.Mirror(t.Theta, s.sum.g)
		it.Lower = math.Max(it.Lower, s.sum.lower(least))
	}
	if _, err := it.Try(); err != nil {
		return err
	}
	v := Vertex{}
	s.rate, v.Min = s.set.StepScale(t.Grad())
	t.SetOracle(v)
	it.Accept()
	return nil
}

// eta returns η_t.
func (s *mirrorDescent) eta(it *Iterate) float64 {
	rate, t := s.rate, float64(it.K+1)
	if s.Lipschitz > 0 {
		rate = math.Sqrt(2*math.Log(order(s.set, len(it.Theta)))) / s.Lipschitz
	}
	if s.Horizon > 0 {
		t = float64(s.Horizon)
	}
	return rate / math.Sqrt(t)
}

// order returns n of the entropy: the number of entries, or of eigenvalues, in each part of θ.
func order(s set.Set, m int) float64 {
	switch t := s.Traits(); {
	case t.FactorCount > 0:
		return order(t.Factor, m/t.FactorCount)
	case t.Matrices:
		return math.Sqrt(float64(m))
	}
	return float64(m)
}

// stepPrinted stores the step as printed in dst.
func (s *mirrorDescent) stepPrinted(dst []float64, it *Iterate, eta float64) {
	product := s.set.Traits()
	if product.FactorCount == 0 {
		printedMatrix(dst, it.Theta, it.Grad(), eta, it.Threads)
		return
	}
	g := slices.Clone(it.GradJ())
	r, _ := it.p.printed()
	r.Value(g, it.Theta)
	if s.Lipschitz == 0 {
		s.rate, _ = s.set.StepScale(g)
		eta = s.eta(it)
	}
	m, step := len(dst)/product.FactorCount, printedMatrix
	if product.Factor.Traits().Simplex() {
		step = printedSpectrum
	}
	for lo := 0; lo < len(dst); lo += m {
		step(dst[lo:lo+m], it.Theta[lo:lo+m], g[lo:lo+m], eta/math.Sqrt(float64(product.FactorCount)), it.Threads)
	}
}

// printedSpectrum stores the step of Algorithm 3 for one spectrum in dst.
func printedSpectrum(dst, mu, g []float64, eta float64, _ int) {
	total := floats.Sum(mu)
	sum := tilt(dst, mu, g, eta)
	for j, v := range dst {
		dst[j] = total * (v / sum)
	}
}

// tilt stores v_j exp(−ηg_j) for v ≥ 0 in dst, times one common factor, and returns the sum. The factor makes the
// exponential of the least g_j with v_j > 0 equal to 1, so that not all numbers vanish.
func tilt(dst, v, g []float64, eta float64) (sum float64) {
	least := math.Inf(1)
	for j, x := range v {
		if x > 0 {
			least = min(least, g[j])
		}
	}
	for j, x := range v {
		if dst[j] = 0; x > 0 {
			dst[j] = x * math.Exp(eta*(least-g[j]))
		}
		sum += dst[j]
	}
	return sum
}

// printedMatrix stores the step of Algorithms 1 and 2 for one matrix in dst.
func printedMatrix(dst, theta, g []float64, eta float64, threads int) {
	n := int(math.Round(math.Sqrt(float64(len(dst)))))
	sp := linalg.Spectral{Threads: threads}
	if !sp.Factorize(mat.NewSymDense(n, slices.Clone(theta)), false) {
		return
	}
	lambda := slices.Clone(sp.Values())
	if !sp.Factorize(mat.NewSymDense(n, slices.Clone(g)), true) {
		return
	}
	sum := tilt(lambda, lambda, sp.Values(), eta)
	trace := floats.Sum(diagonalOf(theta, n))
	j := 0
	k := mat.NewSymDense(n, dst)
	sp.Apply(k, func(float64) float64 { // called in ascending order of the eigenvalues
		j++
		return trace * (lambda[j-1] / sum)
	})
	for i := range n {
		for j := range i {
			dst[i*n+j] = dst[j*n+i]
		}
	}
}

// diagonalOf returns the diagonal of the n×n matrix theta, which is stored row by row.
func diagonalOf(theta []float64, n int) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = theta[i*n+i]
	}
	return d
}
