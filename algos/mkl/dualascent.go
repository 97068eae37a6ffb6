package mkl

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/reg"

	"gonum.org/v1/gonum/floats"
)

// DualAscent minimises F = J + r, r quadratic, from the side of the dual, which then is smooth: with r(θ) = a‖θ−c‖² + k
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
// in every step of a run: F does not grow. What bounds min F then is a cut.
//
// Of several matrices under a block norm (loss.BlockNorm) φ is a function of w and of the weights c, jointly concave, of
// which K_i sees u_i = √c_i w; a step moves both, by loss.BlockNorm's Prox, with μ for the u_i.
//
// A family linear in θ, a loss with a proximal step; Θ need not be bounded. A step of a run is a few of those above,
// each an eigendecomposition where θ is a matrix, and one evaluation.
//
// References:
//   - R. Luss and A. d'Aspremont, Support vector machine classification with indefinite kernels, Math. Program.
//     Comput. 1 (2009), (5) to (8).
type DualAscent struct {
	// Every is how many ascents of φ there are between two evaluations of F, at most. If 0, it is 5.
	Every int
}

var _ Solver = DualAscent{}

func (s DualAscent) String() string {
	if s.Every != 0 {
		return fmt.Sprintf("DualAscent(every=%d)", s.Every)
	}
	return "DualAscent"
}

// Uses asks for a quadratic r, or one below quadratics.
func (s DualAscent) Uses(p *Problem) (Use, error) {
	m, _ := p.Grams.Dims()
	ok := p.Reg != nil && p.Reg.Validate(m) == nil
	if ok {
		_, ok = p.above(make([]float64, m))
	}
	return Use{OneGradient: true}, unsuited(s,
		need(s.Every >= 0, "1 ascent or more between evaluations"),
		need(linear(p), "a family linear in θ"),
		need(ok, "a regulariser that is quadratic or has quadratics above it (reg.Near with L3 or L2)"),
		need(p.proximal(), "a loss with a proximal step"))
}

// single is the loss for fixed weights of a block norm, else the loss.
func (p *Problem) single() loss.Loss {
	if b, ok := p.Loss.(loss.BlockNorm); ok {
		return b.Of
	}
	return p.Loss
}

// proximal reports whether α can be moved by a proximal step.
func (p *Problem) proximal() bool {
	_, ok := p.single().(loss.Proximal)
	return ok && p.columns() == 1
}

// quadratic is a‖θ−c‖² + k.
type quadratic struct {
	a, k float64
	c    []float64
}

// above is r, or a quadratic that touches it at θ from above.
func (p *Problem) above(theta []float64) (q quadratic, ok bool) {
	if q.a, q.c, q.k, ok = p.quadratic(); ok {
		return q, true
	}
	if r, is := p.Reg.(reg.Majorized); is {
		q.a, q.c, q.k, ok = r.Majorize(theta)
	}
	return q, ok
}

// Start returns one run.
func (s DualAscent) Start(p *Problem) Stepper {
	if s.Every == 0 {
		s.Every = 5
	}
	_, _, _, exact := p.quadratic()
	return &dualAscent{DualAscent: s, exact: exact}
}

// dualAscent is one run.
type dualAscent struct {
	DualAscent
	exact   bool // r is quadratic
	q       quadratic
	mu      float64
	tol     float64 // relative gap of proximal steps
	step    float64 // length of the last step whose gain was lost in rounding
	at, try *dualPoint
	own     *Point // whose θ and Gram at begins a step with; those of try are the run's spare
	g       []float64
}

// finest is the smallest relative gap of proximal steps.
const finest = 1e-13

// dualPoint is φ at w, and at the weights c of a block norm, with θ(α) and the Gram there. The Point is of the problem
// with Σ_i c_iK_i for K, whose F is nowhere above that of the block norm.
type dualPoint struct {
	*Point
	c     []float64 // nil without a block norm
	value float64
}

// move moves the Gram, with the weights.
func (pt *dualPoint) move(theta []float64) {
	pt.Gram.At(theta)
	pt.weigh()
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

// distance is that of the u_i.
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
	p := it.p
	if d.exact && d.q.c == nil || !d.exact {
		d.q, _ = p.above(it.Theta)
	}
	if d.at == nil {
		d.start(it)
		d.tol = 1e-4
	}
	d.borrow(it)
	d.tol, d.step = math.Max(math.Min(d.tol, it.Gap()/100), finest), math.Inf(1)
	d.evaluate(d.at)
	gained := false
	for range d.Every {
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
	d.at.Judge(d.at.W)
	it.Lower = math.Max(it.Lower, d.at.p.Certify(d.at.Point, false).Lower)
	copy(it.Spare().Theta, d.at.Theta)
	before := it.Best - it.Lower
	if _, err := it.Try(); err != nil {
		return err
	}
	it.Accept()
	if !gained && !(it.Upper()-it.Lower < before) {
		return ErrStalled
	}
	return nil
}

// start begins at the α of it.
func (d *dualAscent) start(it *Iterate) {
	d.own, d.g = it.p.NewPoint(), make([]float64, len(it.Theta))
	d.at, d.try = d.point(it), d.point(it)
	d.borrow(it)
	d.at.from(it.W, it.Block)
	d.at.move(it.Theta)
}

// borrow gives at and try a θ and a Gram each, at any θ.
func (d *dualAscent) borrow(it *Iterate) {
	t := it.Spare()
	d.at.Theta, d.at.Gram, d.try.Theta, d.try.Gram = d.own.Theta, d.own.Gram, t.Theta, t.Gram
}

func (d *dualAscent) point(it *Iterate) *dualPoint {
	p := *it.p
	p.Loss = p.single()
	pt := &Point{p: &p, ctx: it.ctx}
	pt.Threads = it.Threads
	pt.join(it.common)
	return &dualPoint{Point: pt}
}

// evaluate is φ at pt.W, whose Gram may be at any θ.
func (d *dualAscent) evaluate(pt *dualPoint) {
	pt.weigh()
	pt.Gram.Gradient(d.g, pt.W)
	floats.Scale(-0.5, d.g)
	pt.value = pt.p.best(pt.Theta, d.g, d.q.a, d.q.c, d.q.k)
	pt.move(pt.Theta)
	pt.Judge(pt.W)
	pt.value += pt.Lin - pt.Quad/2
}

// ascend is a step from at; it reports whether φ grew.
func (d *dualAscent) ascend(it *Iterate) (bool, error) {
	size := floats.Dot(d.at.W, d.at.W) * d.at.greatest()
	most := size / d.q.a * d.scale(d.at)
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
		d.try.move(d.at.Theta)
		d.try.Judge(d.try.W) // at θ of at: the model without its proximal term
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
		return b.Prox(it.ctx, d.try.W, d.try.c, g.(loss.Blocked), it.p.Y, 1/d.mu, d.tol)
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
