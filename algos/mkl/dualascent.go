package mkl

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// DualAscent minimizes F = J + r with a quadratic r by maximizing the dual, which is then smooth. With
// r(θ) = a‖θ−c‖² + k,
//
//	φ(α) = D(α) + min_{θ∈Θ} −½wᵀK(θ)w + r(θ) ≤ min F,   attained at θ(α) = P_Θ(c + v/4a), v_k = wᵀK_kw,
//	∇_w φ = ∇D − K(θ(α))w.
//
// This is the method of Luss and d'Aspremont for one indefinite similarity matrix S, with K(α) = (S + wwᵀ/4ρ)₊. It also
// solves problem (4) of Kundu et al. with the distance L3. An ascent is a Newton step on φ. It uses K(θ(α)) for the
// curvature of J and a multiple of I for the curvature of the projection,
//
//	w' = argmax_A  D(w) − ½wᵀK(θ(α))w − ½μ‖w − w(α)‖²,
//
// which is a support vector machine with K + μI. μ grows if φ rises less than predicted, and falls if φ rises as
// predicted. The projection moves θ by at most ‖w‖‖dw‖/2a·√2. Therefore μ = ‖w‖²/a is always enough, and about a tenth
// of it usually is.
//
// If r is not quadratic but has a quadratic upper bound that touches it (reg.Majorized, such as ρ‖K−S‖, L2), each step
// of a run replaces r once by this bound at the last θ, so that F does not grow. The lower bound of min F is then a
// cut. If θ tends to S itself, where L2 has its kink, the quadratics become too steep; use ADMM.
//
// For several matrices under a block norm (loss.BlockNorm), φ is a jointly concave function of w and the weights c, and
// K_i enters only through u_i = √c_i w. An ascent moves w and c by the Prox of loss.BlockNorm, with μ for the u_i.
//
// The solver needs a family linear in θ and a loss with a proximal step. Θ need not be bounded. A step of a run makes
// at most five ascents and one evaluation of F. An ascent costs a projection, which is an eigendecomposition if θ is a
// matrix. A rejected ascent costs one more projection.
//
// A run stores one θ. It stores w and c of its points, and computes θ(α) from them again when needed. For M learned
// matrices of n points (kernel.Blocks of similarity.Learned that are bound to all their points in order), it holds
// (M + 1)n² numbers between steps: θ and K. A step uses about 3M·n² more for gradients and their errors, and
// Result.Kernel is M·n² more at the end.
//
// References:
//   - R. Luss and A. d'Aspremont, Support vector machine classification with indefinite kernels, Math. Program.
//     Comput. 1 (2009), (5) to (8).
type DualAscent struct{}

var _ Solver = DualAscent{}

func (DualAscent) String() string { return "DualAscent" }

// Requirements requires a quadratic r, or an r with quadratic upper bounds that touch it.
func (s DualAscent) Requirements(p *Problem) (Requirements, error) {
	m, _ := p.Grams.Dims()
	ok := p.Reg != nil && p.Reg.Validate(m) == nil
	if ok {
		q, _ := p.above(make([]float64, m))
		ok = q != nil
	}
	return Requirements{OnePoint: true}, unsuited(s,
		need(isLinear(p), "a family linear in θ"),
		need(ok, "a regularizer that is quadratic or has quadratics above it (reg.DistancePenalty with L3 or L2)"),
		need(p.proximal(), "a loss with a proximal step"))
}

// single returns the loss for fixed weights: the Loss of a block norm, or the loss itself if it is not a block norm.
func (p *Problem) single() loss.Loss {
	if b, ok := p.Loss.(loss.BlockNorm); ok {
		return b.Loss
	}
	return p.Loss
}

// proximal reports whether a proximal step can move α.
func (p *Problem) proximal() bool {
	_, ok := p.single().(loss.Proximal)
	return ok && p.columns() == 1
}

// Start returns the state of one run.
func (DualAscent) Start(p *Problem) Stepper {
	_, exact := p.quadratic()
	return &dualAscent{exact: exact}
}

// dualAscent is the state of one run. Its points share θ and the Gram with the run unless apart is set. It stores w and
// c of each point, and computes θ(α) from them again when needed. Between calls of its methods, θ is θ(α) of at.
type dualAscent struct {
	exact   bool // r is quadratic
	q       quadratics
	mu      float64
	tol     float64 // relative gap of proximal steps
	step    float64 // length of the last step whose gain in φ was lost in rounding
	at, try *dualPoint
	apart   bool // try has a separate θ and Gram: a return to at costs no decomposition
}

// ascents is the largest number of ascents of φ between two evaluations of F.
const ascents = 5

// finest is the smallest relative gap of proximal steps.
const finest = 1e-13

// dualPoint holds φ at w and, under a block norm, at the weights c. Its Point belongs to the problem with
// K = Σ_i c_iK_i, whose F is at most the F of the block norm at every θ.
type dualPoint struct {
	*Point
	c     []float64 // nil without a block norm
	value float64
}

func (pt *dualPoint) weigh() {
	if pt.c != nil {
		pt.Gram.(kernel.Blocked).Weigh(pt.c)
	}
}

// from copies the dual coefficients w and the weights c of another point to pt.
func (pt *dualPoint) from(w, c []float64) {
	pt.W = append(pt.W[:0], w...)
	pt.c = append(pt.c[:0], c...)
}

// greatest returns the largest weight, or 1 without a block norm.
func (pt *dualPoint) greatest() float64 {
	if pt.c == nil {
		return 1
	}
	return floats.Max(pt.c)
}

// distance returns the Euclidean distance between the dual variables u of two points: the u_i, or w without a block
// norm.
func (pt *dualPoint) distance(other *dualPoint) float64 {
	if pt.c == nil {
		return floats.Distance(pt.W, other.W, 2)
	}
	sum := 0.0
	for i, c := range pt.c {
		a, b := math.Sqrt(c), math.Sqrt(other.c[i])
		for j, w := range pt.W {
			d := a*w - b*other.W[j]
			sum += d * d
		}
	}
	return math.Sqrt(sum)
}

func (d *dualAscent) Step(it *Iterate) error {
	first := d.at == nil
	if first || !d.exact {
		d.q, _ = it.p.above(it.Theta)
	}
	if first {
		d.start(it)
		d.tol = 1e-4
	}
	d.tol, d.step = math.Max(math.Min(d.tol, it.Gap()/100), finest), math.Inf(1)
	if first || !d.exact {
		d.evaluate(d.at)
	} else { // θ is already θ(α) of at
		d.at.weigh()
	}
	gained := false
	for range ascents {
		rose, err := d.ascend(it)
		if err != nil {
			return err
		}
		gained = gained || rose
		if !rose {
			break
		}
	}
	d.at.weigh()
	d.at.judge(d.at.W)
	if c, err := d.at.p.Certify(d.at.Point, false); err == nil {
		it.Lower = math.Max(it.Lower, c.Lower)
	}
	d.at.forget()
	before := it.Best - it.Lower
	if _, err := it.Try(); err != nil {
		return err
	}
	it.Accept()
	it.remake = d.remake()
	if !gained && !(it.Upper()-it.Lower < before) {
		return ErrStalled
	}
	return nil
}

// remake returns a function that moves θ to θ(α) of the current at again.
func (d *dualAscent) remake() func() {
	w, c, q := slices.Clone(d.at.W), slices.Clone(d.at.c), d.q
	return func() {
		d.q = q
		d.at.from(w, c)
		d.place(d.at)
	}
}

// start creates both points and sets at to the α of it.
func (d *dualAscent) start(it *Iterate) {
	d.at, d.try = d.point(it), d.point(it)
	d.at.from(it.W, it.Block)
	d.at.level()
}

// level limits each weight to at most 100 times the value of equal weights. If wᵀK_iw = 0, which can happen at the
// start of a run, the weight has no bound, and steps of u_i = √c_i w from there are lost in rounding.
func (pt *dualPoint) level() {
	sum, m := 0.0, float64(len(pt.c))
	for i, c := range pt.c {
		pt.c[i] = min(c, 100*m)
		sum += 1 / pt.c[i]
	}
	if sum > 1 {
		floats.Scale(sum*(1+1e-15), pt.c)
	}
}

// point returns a point of the problem with fixed weights. It shares θ and the Gram of the run, because a run has only
// one of each.
func (d *dualAscent) point(it *Iterate) *dualPoint {
	p := *it.p
	p.Loss = p.single()
	pt := &Point{p: &p, ctx: it.ctx, Theta: it.Theta, Gram: it.Gram}
	pt.Threads = it.Threads
	return &dualPoint{Point: pt}
}

// place moves θ and the Gram from any position to θ(α) of pt and returns min_{θ∈Θ} −½wᵀK(θ)w + r(θ).
func (d *dualAscent) place(pt *dualPoint) float64 {
	pt.weigh()
	pt.reset()
	least := pt.p.minimize(pt.Theta, pt.GradJ(), 1, d.q)
	pt.forget()
	pt.Gram.At(pt.Theta)
	pt.weigh()
	return least
}

// evaluate computes φ at pt.W and moves θ and the Gram to θ(α).
func (d *dualAscent) evaluate(pt *dualPoint) {
	least := d.place(pt)
	pt.judge(pt.W)
	pt.value = least + pt.Linear - pt.Quadratic/2
}

// ascend makes one ascent from at. It reports whether at moved.
func (d *dualAscent) ascend(it *Iterate) (bool, error) {
	size := floats.Dot(d.at.W, d.at.W) * d.at.greatest()
	least := math.Inf(1) // smallest A
	for _, q := range d.q {
		least = min(least, q.A)
	}
	most := size / least * d.scale(d.at)
	if !(most > 0) {
		most = d.top(d.at) * 1e-6
	}
	if d.mu == 0 {
		d.mu = most / 10
	}
	for range 60 {
		d.try.from(d.at.W, d.at.c)
		if err := d.prox(it); err != nil {
			return false, err
		}
		own := d.try.Gram
		d.try.Gram = d.at.Gram
		d.try.weigh()
		d.try.judge(d.try.W) // the model of φ without its proximal term
		d.try.Gram = own
		model := d.try.Dual() - d.at.Dual()
		step := d.try.distance(d.at)
		foretold := model - d.mu*step*step/2
		if !(foretold > 1e-13*math.Abs(d.at.value)) {
			// Rounding hides the gain in φ. The length of the step in w still shows progress, and it matters because
			// F(θ(α)) is not a smooth function of w.
			if d.tol > finest {
				d.tol = math.Max(d.tol/100, finest)
				continue
			}
			if !(step < 0.7*d.step) {
				return false, nil
			}
			d.step = step
			d.evaluate(d.try)
			d.at, d.try = d.try, d.at
			return true, nil
		}
		d.evaluate(d.try)
		switch gain := d.try.value - d.at.value; {
		case gain >= 0.9*foretold:
			d.mu /= 3
		case gain >= 0.3*foretold:
		default:
			d.mu *= 4
			if !d.apart {
				d.place(d.at)
			}
			continue
		}
		d.at, d.try = d.try, d.at
		return true, nil
	}
	return false, nil
}

// prox moves w and c of try by a proximal step, with the matrices of at.
func (d *dualAscent) prox(it *Iterate) error {
	g := d.at.Gram
	defer d.at.weigh()
	if b, ok := it.p.Loss.(loss.BlockNorm); ok {
		return b.Prox(it.ctx, d.try.W, d.try.c, g, it.p.Y, 1/d.mu, d.tol)
	}
	return it.p.Loss.(loss.Proximal).Prox(it.ctx, d.try.W, g, it.p.Y, 1/d.mu, d.tol)
}

// scale returns an estimate of the ratio of wᵀK_kw to w_iw_j: the square of the largest diagonal entry of K divided by
// ‖θ‖_∞ and by the largest weight. It is 1 if K is θ.
func (d *dualAscent) scale(pt *dualPoint) float64 {
	t := floats.Norm(pt.Theta, math.Inf(1))
	if t == 0 {
		return 1
	}
	s := d.top(pt) / (t * pt.greatest())
	return s * s
}

// top returns the largest diagonal entry of K, or a tiny positive number if that is larger.
func (d *dualAscent) top(pt *dualPoint) float64 {
	diag := make([]float64, len(pt.p.Y))
	pt.Gram.K().Diagonal(diag)
	return math.Max(floats.Max(diag), math.SmallestNonzeroFloat64*1e20)
}
