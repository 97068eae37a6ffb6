package mkl

import (
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// part is a part of θ with a set and a regulariser of its own: Θ is the product of the sets, r the sum of the
// regularisers. Where θ is several large matrices, what is asked of F is asked part by part, so that nobody holds
// gradients as large as θ.
type part struct {
	i, lo, hi int // θ[lo:hi], the i-th
	set       set.Set
	reg       reg.Reg // nil is 0
}

// of are the coordinates of the part.
func (s part) of(x []float64) []float64 { return x[s.lo:s.hi] }

// parts cuts θ into the factors of a set.Product whose regulariser is as many terms (reg.Separable) or none; any other
// problem has one part, all of θ.
func (p *Problem) parts() []part {
	m, _ := p.Grams.Dims()
	product := p.Set.Traits()
	r, separable := p.Reg.(reg.Separable)
	if product.Parts == 0 || p.Reg != nil && (!separable || len(r.Of) != product.Parts) {
		return []part{{hi: m, set: p.Set, reg: p.Reg}}
	}
	all, m := make([]part, product.Parts), m/product.Parts
	for i := range all {
		all[i] = part{i: i, lo: i * m, hi: (i + 1) * m, set: product.Of}
		if separable {
			all[i].reg = r.Of[i]
		}
	}
	return all
}

// quadratic is a‖θ−c‖² + k; with σ > 0 a‖θ−c+w/σ‖² + k.
type quadratic struct {
	a, k  float64
	c     []float64
	sigma float64
	w     []float64
}

// quadratic is r of the part.
func (s part) quadratic() (q quadratic, ok bool) {
	q, exact, _ := s.touching(make([]float64, s.hi-s.lo))
	return q, exact
}

// above is r of the part, or a quadratic that touches it at θ, of the part, from above.
func (s part) above(theta []float64) (q quadratic, ok bool) {
	q, _, ok = s.touching(theta)
	return q, ok
}

// touching is a quadratic that touches r of the part from above at θ, and whether it is r itself.
func (s part) touching(theta []float64) (q quadratic, exact, ok bool) {
	r, ok := s.reg.(reg.Majorized)
	if !ok {
		return q, false, false
	}
	v, ok := r.Majorize(theta)
	return quadratic{a: v.A, c: v.C, k: v.K}, ok && v.Exact, ok
}

// best stores argmin ⟨tg,θ⟩ + q(θ) over the part's set in dst, which may not be g, and returns the minimum.
func (s part) best(dst, g []float64, t float64, q quadratic) float64 {
	c := q.centre()
	for k, v := range g {
		dst[k] = c[k] - t*v/(2*q.a)
	}
	s.set.Project(dst, dst)
	sum := q.k
	for k, v := range g {
		d := dst[k] - c[k]
		sum += t*v*dst[k] + q.a*d*d
	}
	return sum
}

// centre is c − w/σ, read-only.
func (q quadratic) centre() []float64 {
	if q.sigma == 0 {
		return q.c
	}
	c := make([]float64, len(q.c))
	for k, v := range q.c {
		c[k] = v - q.w[k]/q.sigma
	}
	return c
}

// quadratics are r by parts, if all are.
func (p *Problem) quadratics() ([]quadratic, bool) { return p.each(part.quadratic) }

// above are quadratics that touch r at θ from above, part by part.
func (p *Problem) above(theta []float64) ([]quadratic, bool) {
	return p.each(func(s part) (quadratic, bool) { return s.above(s.of(theta)) })
}

func (p *Problem) each(f func(part) (quadratic, bool)) (all []quadratic, ok bool) {
	for _, s := range p.parts() {
		q, ok := f(s)
		if !ok {
			return nil, false
		}
		all = append(all, q)
	}
	return all, true
}

// sums are a few numbers of a part, or their sums over all.
type sums [4]float64

// total calls f for every part, for all of them at once, and adds up what it returns in their order.
func (pt *Point) total(f func(s part) sums) (sum sums) {
	if pt.parts == nil {
		pt.parts = pt.p.parts()
	}
	each := make([]sums, len(pt.parts))
	linalg.Bound(pt.Threads).Run(tiles(func(i int) { each[i] = f(pt.parts[i]) }), len(each))
	for _, v := range each {
		for i, x := range v {
			sum[i] += x
		}
	}
	return sum
}

// tiles makes a function of the number of a tile a linalg.Tiled.
type tiles func(i int)

func (t tiles) Tile(i int) { t(i) }

// parted is the Gram, where its matrices are those of the parts, of which there are several; else nil.
func (pt *Point) parted() kernel.Blocked {
	if pt.parts == nil {
		pt.parts = pt.p.parts()
	}
	g, ok := pt.Gram.(kernel.Blocked)
	if !ok || len(pt.parts) == 1 {
		return nil
	}
	at := g.Blocks()
	if len(at) != len(pt.parts)+1 {
		return nil
	}
	for i, s := range pt.parts {
		if at[i] != s.lo || at[i+1] != s.hi {
			return nil
		}
	}
	return g
}

// slopes makes ready what functions called by total ask for: of a Gram without parts ∇J, ∇F where r counts, and the
// bound of the error, which are then kept.
func (pt *Point) slopes(r, err bool) {
	if pt.parted() != nil {
		return
	}
	pt.GradJ()
	if r {
		pt.Grad()
	}
	if err {
		pt.gradError()
	}
}

// gradJPart is ∇J in a part, read-only; slopes is called before.
func (pt *Point) gradJPart(s part) []float64 {
	g := pt.parted()
	if g == nil {
		return s.of(pt.GradJ())
	}
	dst := make([]float64, s.hi-s.lo)
	pt.sum(dst, func(dst, w []float64) { g.GradientPart(dst, w, s.i) })
	floats.Scale(-0.5, dst)
	return dst
}

// gradPart is ∇F in a part, read-only; slopes is called before.
func (pt *Point) gradPart(s part) []float64 {
	if pt.parted() == nil {
		return s.of(pt.Grad())
	}
	dst := pt.gradJPart(s)
	if s.reg != nil {
		s.reg.Value(dst, s.of(pt.Theta))
	}
	return dst
}

// errorPart bounds the rounding error of ∇J in a part, read-only; slopes is called before.
func (pt *Point) errorPart(s part) []float64 {
	g := pt.parted()
	if g == nil {
		return s.of(pt.gradError())
	}
	dst := make([]float64, s.hi-s.lo)
	pt.sum(dst, func(dst, w []float64) { g.ErrorPart(dst, w, s.i) })
	floats.Scale(0.5, dst)
	return dst
}
