package mkl

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// DualAscent minimizes F = J + r, r quadratic, from the side of the dual, which then is smooth: with r(θ) = a‖θ−c‖² + k
//
//	φ(α) = D(α) + min_{θ∈Θ} −½wᵀK(θ)w + r(θ) ≤ min F,   attained at θ(α) = P_Θ(c + v/4a), v_k = wᵀK_kw,
//	∇_w φ = ∇D − K(θ(α))w.
//
// It is the way of Luss and d'Aspremont with one indefinite similarity matrix S, where K(α) = (S + wwᵀ/4ρ)₊, and of
// (4) of Kundu et al. with L3. A step is Newton's with K(θ(α)) for the curvature of J and a multiple of I for that of
// the projection,
//
//	w' = argmax_A  D(w) − ½wᵀK(θ(α))w − ½μ‖w − w(α)‖²,
//
// a support vector machine with K + μI; μ grows where φ did not as foretold, and falls where it did. The projection
// moves θ by at most ‖w‖‖dw‖/2a·√2: μ = ‖w‖²/a is always enough, and about a tenth usually.
//
// An r that a quadratic touches from above (reg.Majorized, such as ρ‖K−S‖, L2) is replaced by that of the last θ, once
// in every step of a run: F does not grow. What bounds min F then is a cut. Where θ tends to S itself, the kink of
// L2, the quadratics grow too steep: ADMM is for that.
//
// Of several matrices under a block norm (loss.BlockNorm) φ is a function of w and of the weights c, jointly concave,
// of which K_i sees u_i = √c_i w; a step moves both, by loss.BlockNorm's Prox, with μ for the u_i.
//
// A family linear in θ, a loss with a proximal step; Θ need not be bounded. A step of a run is a few of those above,
// each an eigendecomposition where θ is a matrix, and one evaluation; a rejected ascent costs a projection more.
//
// A run has one θ: what it keeps is w and c, of which θ(α) is made anew. Of M learned matrices of n points
// (kernel.Blocks of similarity.Learned that are bound to all their points in order) it holds (M + 1)n² numbers between
// steps, which are θ and K; a step works with some 3M·n² more, for gradients and their errors, and Result.Kernel is
// M·n² more at the end.
//
// References:
//   - R. Luss and A. d'Aspremont, Support vector machine classification with indefinite kernels, Math. Program.
//     Comput. 1 (2009), (5) to (8).
type DualAscent struct{}

var _ Solver = DualAscent{}

func (DualAscent) String() string { return "DualAscent" }

// Requirements asks for a quadratic r, or one below quadratics.
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

// single is the loss for fixed weights of a block norm, else the loss.
func (p *Problem) single() loss.Loss {
	if b, ok := p.Loss.(loss.BlockNorm); ok {
		return b.Loss
	}
	return p.Loss
}

// proximal reports whether α can be moved by a proximal step.
func (p *Problem) proximal() bool {
	_, ok := p.single().(loss.Proximal)
	return ok && p.columns() == 1
}

// Start returns one run.
func (DualAscent) Start(p *Problem) Stepper {
	_, exact := p.quadratic()
	return &dualAscent{exact: exact}
}

// dualAscent is one run. Its points share θ and the Gram with the run's, unless they are apart: what it keeps is w
// and c of each, of which θ(α) is made anew. Between its methods θ is θ(α) of at.
type dualAscent struct {
	exact   bool // r is quadratic
	q       quadratics
	mu      float64
	tol     float64 // relative gap of proximal steps
	step    float64 // length of the last step whose gain was lost in rounding
	at, try *dualPoint
	apart   bool // try has θ and a Gram of its own: a step back costs no decomposition
}

// ascents is how many ascents of φ there are between two evaluations of F, at most.
const ascents = 5

// finest is the smallest relative gap of proximal steps.
const finest = 1e-13

// dualPoint is φ at w, and at the weights c of a block norm. The Point is of the problem
// with Σ_i c_iK_i for K, whose F is nowhere above that of the block norm.
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

// from starts pt at the dual coefficients and weights of another.
func (pt *dualPoint) from(w, c []float64) {
	pt.W = append(pt.W[:0], w...)
	pt.c = append(pt.c[:0], c...)
}

// greatest is the largest weight.
func (pt *dualPoint) greatest() float64 {
	if pt.c == nil {
		return 1
	}
	return floats.Max(pt.c)
}

// distance returns the Euclidean distance between the dual variables u of two points.
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
	} else { // θ is θ(α) of at
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

// remake returns what makes θ(α) of at once more.
func (d *dualAscent) remake() func() {
	w, c, q := slices.Clone(d.at.W), slices.Clone(d.at.c), d.q
	return func() {
		d.q = q
		d.at.from(w, c)
		d.place(d.at)
	}
}

// start begins at the α of it.
func (d *dualAscent) start(it *Iterate) {
	d.at, d.try = d.point(it), d.point(it)
	d.at.from(it.W, it.Block)
	d.at.level()
}

// level makes no weight more than a hundred times what equal ones are: where wᵀK_iw = 0, as it may be where a run
// begins, the weight is without bound, and steps of u_i = √c_i w that begin there are lost in the rounding.
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

// point is one of the problem with fixed weights, with θ and Gram of the run, of which there are one alone.
func (d *dualAscent) point(it *Iterate) *dualPoint {
	p := *it.p
	p.Loss = p.single()
	pt := &Point{p: &p, ctx: it.ctx, Theta: it.Theta, Gram: it.Gram}
	pt.Threads = it.Threads
	return &dualPoint{Point: pt}
}

// place moves θ and the Gram, which may be anywhere, to θ(α) of pt and returns min_{θ∈Θ} −½wᵀK(θ)w + r(θ).
func (d *dualAscent) place(pt *dualPoint) float64 {
	pt.weigh()
	pt.reset()
	least := pt.p.minimize(pt.Theta, pt.GradJ(), 1, d.q)
	pt.forget()
	pt.Gram.At(pt.Theta)
	pt.weigh()
	return least
}

// evaluate is φ at pt.W, with θ and the Gram at θ(α).
func (d *dualAscent) evaluate(pt *dualPoint) {
	least := d.place(pt)
	pt.judge(pt.W)
	pt.value = least + pt.Linear - pt.Quadratic/2
}

// ascend is a step from at; it reports whether φ grew.
func (d *dualAscent) ascend(it *Iterate) (bool, error) {
	size := floats.Dot(d.at.W, d.at.W) * d.at.greatest()
	least := math.Inf(1) // A
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
		d.try.judge(d.try.W) // the model without its proximal term
		d.try.Gram = own
		model := d.try.Dual() - d.at.Dual()
		step := d.try.distance(d.at)
		foretold := model - d.mu*step*step/2
		if !(foretold > 1e-13*math.Abs(d.at.value)) {
			// φ cannot tell any more; w can, of which F of θ(α) is no smooth function
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

// scale is how far wᵀK_kw is from w_iw_j: the square of the largest diagonal entry of K over that of θ. Of a K that is
// θ it is 1.
func (d *dualAscent) scale(pt *dualPoint) float64 {
	t := floats.Norm(pt.Theta, math.Inf(1))
	if t == 0 {
		return 1
	}
	s := d.top(pt) / (t * pt.greatest())
	return s * s
}

// top is the largest diagonal entry of K.
func (d *dualAscent) top(pt *dualPoint) float64 {
	diag, _ := loss.Diagonal(nil, pt.Gram, len(pt.p.Y))
	return math.Max(floats.Max(diag), math.SmallestNonzeroFloat64*1e20)
}
