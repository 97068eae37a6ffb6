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
// For matrices it is the ESKL algorithm of Kundu et al., with the step that their proof analyzes: K_{t+1} = τ
// exp(−G_t)/tr exp(−G_t), which costs one eigendecomposition. With F_s = F(θ_s), the steps also bound min F:
//
//	min F ≥ [Σ η_s(F_s − ⟨F'_s,θ_s⟩) + min_Θ ⟨G_t,·⟩] / Σ η_s.
//
// The gap min_{s≤t} F_s − min F is of the order of √(log n/t) for n weights or eigenvalues. DualAscent and ADMM need
// far less time. For matrices a step costs one evaluation of F, the eigendecomposition of G_t, and the eigenvalues of
// F'. Of the start of a run, only its subgradient F' is used: the second θ is the mirror step from the center of Θ.
//
// The step lengths are, with L ≥ ‖F'‖ and h_t half the range of the eigenvalues of F'(θ_t):
//
//	η_t = √(2 log n/t)/h_t   the default; it adapts to the scale of F
//	η_t = √(2 log n/t)/L     with SubgradientBound = L: Proposition 3.1
//	η_t = √(2 log n/T)/L     also with Horizon, for a run of T steps: the proved bound is τL√(2 log n/T);
//	                         the decreasing steps of the Proposition have a bound about ½ log T times larger
//
// References:
//   - A. Kundu, V. Tankasali, C. Bhattacharyya and A. Ben-Tal, Efficient algorithms for learning kernels from
//     multiple similarity matrices with general convex loss functions, NIPS 2010, Algorithm 1, Proposition 3.1.
//   - A. Beck and M. Teboulle, Mirror descent and nonlinear projected subgradient methods for convex optimization,
//     Oper. Res. Lett. 31 (2003), Theorem 4.2.
type MirrorDescent struct {
	// SubgradientBound is L ≥ ‖F'(θ)‖ on Θ, the constant of Proposition 3.1. If 0, a step uses half the range of the
	// eigenvalues of its subgradient F' instead.
	SubgradientBound float64
	// Horizon is T, which replaces t in the step lengths η_t, so that they do not fall with t. If 0, they fall.
	Horizon int
	// AsPrinted takes the steps of Algorithms 1 to 3 as printed in Kundu et al., for study.
	//
	// Algorithm 1, on a set.Spectraplex: the step multiplies each eigenvalue of K_t by exp(−η_t d_j), with d_j the
	// eigenvalues of F'(K_t), both in ascending order. It combines the products with the eigenvectors of F'(K_t). The
	// two matrices commute in the first step only. After that the step is not a mirror step, and the method stalls.
	//
	// Algorithms 2 (EMKL) and 3 (REKL), on a set.Product of M Spectraplexes or Simplexes with a reg.Separable of
	// reg.DistancePenalty: the printed subgradient of the distance to the similarity matrix S_i lacks the weight ρ of
	// the distance, and the printed steps are shorter by √M. Algorithm 2 takes the step of Algorithm 1 in each matrix.
	// The step of Algorithm 3, on spectra, is a mirror step for ρ = 1, and tends to the minimum of that F.
	AsPrinted bool
}

var _ Solver = MirrorDescent{}

func (s MirrorDescent) String() string {
	var options []string
	if s.SubgradientBound != 0 {
		options = append(options, fmt.Sprintf("L=%.4g", s.SubgradientBound))
	}
	if s.Horizon != 0 {
		options = append(options, fmt.Sprintf("T=%d", s.Horizon))
	}
	if s.AsPrinted {
		options = append(options, "as printed")
	}
	if options == nil {
		return "MirrorDescent"
	}
	return "MirrorDescent(" + strings.Join(options, ", ") + ")"
}

// Requirements requires a convex F on a set with the entropy that the mirror step uses (set.Mirror).
func (s MirrorDescent) Requirements(p *Problem) (Requirements, error) {
	_, ok := p.Set.(set.Mirror)
	_, isPrintedFormSupported := p.regularizerAsPrinted()
	return Requirements{ProjectsStart: true, MaxInnerGap: 1e-3}, unsuitedError(s,
		require(s.SubgradientBound >= 0 && !math.IsInf(s.SubgradientBound, 1) && s.Horizon >= 0,
			"SubgradientBound ≥ 0 and Horizon ≥ 0"),
		require(isLinearFamily(p), "a kernel family linear in θ"),
		require(ok, "a set with an entropy (set.Mirror): set.Simplex, set.Spectraplex"),
		require(!s.AsPrinted || isPrintedFormSupported,
			"AsPrinted = false, a set.Spectraplex, or both a set.Product of set.Spectraplex or set.Simplex and the "+
				"regularizer reg.Separable of reg.DistancePenalty"))
}

// regularizerAsPrinted returns the regularizer of which the algorithms printed in Kundu et al. take subgradients:
// p.Reg, which may be nil, for Algorithm 1, and p.Reg with Rho = 1 for 2 and 3. ok is false if p fits no algorithm.
func (p *Problem) regularizerAsPrinted() (printedReg reg.Reg, ok bool) {
	t := p.Set.Traits()
	if t.FactorCount == 0 {
		return p.Reg, t.IsSpectraplex()
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

func (s MirrorDescent) Start(p *Problem) Stepper {
	m, _ := p.Grams.Dims()
	return &mirrorDescent{MirrorDescent: s, set: p.Set.(set.Mirror),
		cuts: affineBound{grad: make([]float64, m), gradErr: make([]float64, m)}}
}

type mirrorDescent struct {
	MirrorDescent
	set       set.Mirror
	stepScale float64     // η_t√t for the gradient at the current point, see stepLength; 0 before the first step
	cuts      affineBound // Σ η_s(F_s + ⟨F'_s,θ−θ_s⟩) over the steps s, with the gradient G_t
}

func (s *mirrorDescent) Step(it *Iterate) error {
	if s.stepScale == 0 {
		s.stepScale, _ = s.set.StepScale(it.Grad())
	}
	t := it.TrialPoint()
	if eta := s.stepLength(it); s.AsPrinted {
		s.storeStepAsPrinted(t.Theta, it, eta)
	} else {
		tangent := it.tangent()
		s.cuts.add(eta, &tangent)
		minimum := s.set.Mirror(t.Theta, s.cuts.grad)
		if err := it.tightenLower("a mean of cuts", &s.cuts, minimum); err != nil {
			return err
		}
	}
	if _, err := it.EvaluateTrial(); err != nil {
		return err
	}
	v := &Vertex{}
	s.stepScale, v.Minimum = s.set.StepScale(t.Grad())
	t.minimizingVertex = v // the certificate then does not compute it again
	it.AcceptTrial()
	return nil
}

// stepLength returns the step length η_t: √(2 log n)/h divided by √t, for n entries or eigenvalues of the gradient and
// half their range h. If SubgradientBound is set, it replaces h. If Horizon is set, it replaces t.
func (s *mirrorDescent) stepLength(it *Iterate) float64 {
	stepScale, t := s.stepScale, float64(it.K+1)
	if s.SubgradientBound > 0 {
		stepScale = math.Sqrt(2*math.Log(entropyTermCountPerPart(s.set, len(it.Theta)))) / s.SubgradientBound
	}
	if s.Horizon > 0 {
		t = float64(s.Horizon)
	}
	return stepScale / math.Sqrt(t)
}

// entropyTermCountPerPart returns the number of entries, or of eigenvalues of a matrix, in each part of θ, m entries.
func entropyTermCountPerPart(s set.Set, m int) float64 {
	switch t := s.Traits(); {
	case t.FactorCount > 0:
		return entropyTermCountPerPart(t.Factor, m/t.FactorCount)
	case t.Semidefinite:
		return math.Sqrt(float64(m))
	}
	return float64(m)
}

// storeStepAsPrinted stores in dst the θ after one step of the algorithm as printed in Kundu et al., from it.Theta.
func (s *mirrorDescent) storeStepAsPrinted(dst []float64, it *Iterate, eta float64) {
	productTraits := s.set.Traits()
	if productTraits.FactorCount == 0 {
		storeMatrixStepAsPrinted(dst, it.Theta, it.Grad(), eta, it.Threads)
		return
	}
	g := slices.Clone(it.GradJ())
	r, _ := it.p.regularizerAsPrinted()
	r.Value(g, it.Theta)
	if s.SubgradientBound == 0 {
		s.stepScale, _ = s.set.StepScale(g)
		eta = s.stepLength(it)
	}
	m, storeFactorStep := len(dst)/productTraits.FactorCount, storeMatrixStepAsPrinted
	if productTraits.Factor.Traits().IsSimplex() {
		storeFactorStep = storeSpectrumStepAsPrinted
	}
	for lo := 0; lo < len(dst); lo += m {
		storeFactorStep(dst[lo:lo+m], it.Theta[lo:lo+m], g[lo:lo+m], eta/math.Sqrt(float64(productTraits.FactorCount)),
			it.Threads)
	}
}

// storeSpectrumStepAsPrinted stores in dst the spectrum after one step of Algorithm 3 with the subgradient g.
func storeSpectrumStepAsPrinted(dst, spectrum, g []float64, eta float64, _ int) {
	muSum := floats.Sum(spectrum)
	sumOfScaledEigenvalues := multiplyByExp(dst, spectrum, g, eta)
	for j, v := range dst {
		dst[j] = muSum * (v / sumOfScaledEigenvalues)
	}
}

// multiplyByExp stores c·v_j exp(−ηg_j) for v ≥ 0 in dst, and returns their sum. The factor c makes the largest
// exponential with v_j > 0 equal to 1, so that not all numbers underflow.
func multiplyByExp(dst, v, g []float64, eta float64) (sum float64) {
	minSlope := math.Inf(1)
	for j, x := range v {
		if x > 0 {
			minSlope = min(minSlope, g[j])
		}
	}
	for j, x := range v {
		if dst[j] = 0; x > 0 {
			dst[j] = x * math.Exp(eta*(minSlope-g[j]))
		}
		sum += dst[j]
	}
	return sum
}

// storeMatrixStepAsPrinted stores in dst the matrix after one step of Algorithm 1 or 2 with the subgradient g.
func storeMatrixStepAsPrinted(dst, theta, g []float64, eta float64, threads int) {
	n := int(math.Round(math.Sqrt(float64(len(dst)))))
	sp := linalg.Spectral{Threads: threads}
	if !sp.Factorize(mat.NewSymDense(n, slices.Clone(theta)), false) {
		return
	}
	lambda := slices.Clone(sp.Values())
	if !sp.Factorize(mat.NewSymDense(n, slices.Clone(g)), true) {
		return
	}
	sumOfScaledEigenvalues := multiplyByExp(lambda, lambda, sp.Values(), eta)
	trace := floats.Sum(diagonalOf(theta, n))
	j := 0
	k := mat.NewSymDense(n, dst)
	sp.Apply(k, func(float64) float64 { // Apply calls this function for the eigenvalues in ascending order
		j++
		return trace * (lambda[j-1] / sumOfScaledEigenvalues)
	})
	for i := range n {
		for j := range i {
			dst[i*n+j] = dst[j*n+i]
		}
	}
}

func diagonalOf(theta []float64, n int) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = theta[i*n+i]
	}
	return d
}
