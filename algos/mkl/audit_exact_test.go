package mkl_test

import (
	"math"
	"math/big"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
)

// precision is that of all exact evaluations, in bits. Condition numbers of the draws reach 1e70,
// 230 bits; where they are larger it is more.
var precision uint = 512

func bigf(v float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(v) }
func zero() *big.Float          { return new(big.Float).SetPrec(precision) }

func bigs(v []float64) []*big.Float {
	out := make([]*big.Float, len(v))
	for i, x := range v {
		out[i] = bigf(x)
	}
	return out
}

func floats64(v []*big.Float) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i], _ = x.Float64()
	}
	return out
}

// exact evaluates the F of a draw for its stored numbers.
type exact struct {
	d     *draw
	n, m  int
	base  [][]*big.Float // m packed lower triangles
	y     []*big.Float
	ridge []*big.Float // λ/v_i of the points with the weights v_i
	psd   bool         // every base matrix is positive semidefinite by construction

	t1, t2 *big.Float
	a      []*big.Float // packed lower triangle, K + λV⁻¹ and then its factor
	s      []*big.Float // S
}

func low(i, j int) int { return i*(i+1)/2 + j }

func newExact(d *draw) *exact {
	m, n := d.p.Grams.Dims()
	e := &exact{d: d, n: n, m: m, y: bigs(d.p.Y), t1: zero(), t2: zero(), psd: d.base == nil}
	l := d.p.Loss.(loss.Squared)
	for i := range n {
		e.ridge = append(e.ridge, bigf(l.Lambda))
		if l.Weights != nil {
			e.ridge[i].Quo(e.ridge[i], bigf(l.Weights[i]))
		}
	}
	e.base = make([][]*big.Float, m)
	size := n * (n + 1) / 2
	e.a, e.s = make([]*big.Float, size), make([]*big.Float, size)
	for k := range e.base {
		e.base[k] = make([]*big.Float, size)
		for i := range n {
			for j := range i + 1 {
				if d.base != nil {
					e.base[k][low(i, j)] = bigf(d.base[k][i*n+j])
				} else {
					e.base[k][low(i, j)] = zero().Mul(bigf(d.x[i][k]), bigf(d.x[j][k]))
				}
			}
		}
	}
	for i := range e.a {
		e.a[i], e.s[i] = zero(), zero()
	}
	return e
}

// add is dst += a·b.
func (e *exact) add(dst, a, b *big.Float) {
	if a.Sign() != 0 && b.Sign() != 0 {
		dst.Add(dst, e.t1.Mul(a, b))
	}
}

// sub is dst −= a·b.
func (e *exact) sub(dst, a, b *big.Float) {
	if a.Sign() != 0 && b.Sign() != 0 {
		dst.Sub(dst, e.t1.Mul(a, b))
	}
}

// raise stores s^p.
func (e *exact) raise(dst, s *big.Float, p int) {
	dst.SetInt64(1)
	for range p {
		dst.Mul(dst, s)
	}
}

// sum stores S(θ).
func (e *exact) sum(theta []*big.Float) {
	for i := range e.s {
		e.s[i].SetInt64(0)
	}
	for k, t := range theta {
		for i, b := range e.base[k] {
			e.add(e.s[i], t, b)
		}
	}
}

// at is F(θ) and its maximizer w; nil where K(θ) + λI is not positive definite: F = +∞.
func (e *exact) at(theta []*big.Float) (f *big.Float, w []*big.Float) {
	e.sum(theta)
	for i := range e.n {
		for j := range i + 1 {
			e.raise(e.a[low(i, j)], e.s[low(i, j)], e.d.degree)
		}
		e.a[low(i, i)].Add(e.a[low(i, i)], e.ridge[i])
	}
	// LDLᵀ, L below the diagonal
	l := make([]*big.Float, e.n)
	for i := range l {
		l[i] = zero()
	}
	for k := range e.n {
		piv := e.a[low(k, k)]
		if piv.Sign() <= 0 {
			return nil, nil
		}
		for i := k + 1; i < e.n; i++ {
			l[i].Quo(e.a[low(i, k)], piv)
		}
		for i := k + 1; i < e.n; i++ {
			for j := k + 1; j <= i; j++ {
				e.sub(e.a[low(i, j)], l[i], e.a[low(j, k)])
			}
		}
		for i := k + 1; i < e.n; i++ {
			e.a[low(i, k)].Set(l[i])
		}
	}
	w = make([]*big.Float, e.n)
	for i := range w {
		w[i] = zero().Set(e.y[i])
		for j := range i {
			e.sub(w[i], e.a[low(i, j)], w[j])
		}
	}
	for i := range w {
		w[i].Quo(w[i], e.a[low(i, i)])
	}
	for i := e.n - 1; i >= 0; i-- {
		for j := i + 1; j < e.n; j++ {
			e.sub(w[i], e.a[low(j, i)], w[j])
		}
	}
	f = e.dot(e.y, w)
	f.Quo(f, bigf(2))
	return f.Add(f, e.reg(nil, theta)), w
}

func (e *exact) dot(a, b []*big.Float) *big.Float {
	s := zero()
	for i := range a {
		e.add(s, a[i], b[i])
	}
	return s
}

// ridgeForm is Σ (λ/v_i)w_i².
func (e *exact) ridgeForm(w []*big.Float) *big.Float {
	s := zero()
	for i := range w {
		e.add(s, e.ridge[i], zero().Mul(w[i], w[i]))
	}
	return s
}

// reg is r(θ); it adds ∇r to grad unless that is nil.
func (e *exact) reg(grad, theta []*big.Float) *big.Float {
	r := zero()
	var a float64
	var c []float64
	switch g := e.d.p.Reg.(type) {
	case nil:
		return r
	case slant:
		for k, t := range theta {
			e.add(r, bigf(g.c[k]), t)
			if grad != nil {
				grad[k].Add(grad[k], bigf(g.c[k]))
			}
		}
		return r
	case reg.Ridge:
		a = g.Beta
		c = make([]float64, e.m)
	case around:
		a, c = g.a, g.c
		r.SetFloat64(g.k)
	}
	for k, t := range theta {
		d := zero().Sub(t, bigf(c[k]))
		v := zero().Mul(bigf(a), d)
		e.add(r, v, d)
		if grad != nil {
			grad[k].Add(grad[k], v.Mul(v, bigf(2)))
		}
	}
	return r
}

// forms are v_k = wᵀ(∂K/∂θ_k)w at the θ of the last at.
func (e *exact) forms(w []*big.Float) []*big.Float {
	p := make([]*big.Float, len(e.s))
	for i := range e.n {
		for j := range i + 1 {
			q := zero()
			e.raise(q, e.s[low(i, j)], e.d.degree-1)
			q.Mul(q, w[i]).Mul(q, w[j]).Mul(q, bigf(float64(e.d.degree)))
			if i != j {
				q.Mul(q, bigf(2))
			}
			p[low(i, j)] = q
		}
	}
	v := make([]*big.Float, e.m)
	for k := range v {
		v[k] = e.dot(p, e.base[k])
	}
	return v
}

// grad is ∇F at the θ of the last at.
func (e *exact) grad(theta, v []*big.Float) []*big.Float {
	g := make([]*big.Float, e.m)
	for k := range g {
		g[k] = zero().Mul(v[k], bigf(-0.5))
	}
	e.reg(g, theta)
	return g
}

// quadratic is wᵀKw at the θ of the last at, by Euler: K is homogeneous of degree d.
func (e *exact) quadratic(theta, v []*big.Float) *big.Float {
	q := e.dot(theta, v)
	return q.Quo(q, bigf(float64(e.d.degree)))
}

// root is x^{1/p}, x ≥ 0.
func root(x *big.Float, p int) *big.Float {
	if x.Sign() <= 0 {
		return zero()
	}
	var mant big.Float
	exp := x.MantExp(&mant)
	shift := ((exp % p) + p) % p
	f, _ := mant.Float64()
	r := bigf(math.Pow(math.Ldexp(f, shift), 1/float64(p)))
	r.SetMantExp(r, (exp-shift)/p)
	for range 6 { // Newton: 50 bits, 100, …
		t := bigf(1)
		for range p - 1 {
			t.Mul(t, r)
		}
		t.Quo(x, t)
		r.Mul(r, bigf(float64(p-1))).Add(r, t).Quo(r, bigf(float64(p)))
	}
	return r
}

// fraction is q as a/b.
func fraction(q float64) (a, b int) {
	if q == math.Trunc(q) {
		return int(q), 1
	}
	return int(2 * q), 2
}

// power is x^{a/b}, x ≥ 0.
func power(x *big.Float, a, b int) *big.Float {
	if b > 1 {
		x = root(x, b)
	}
	r := bigf(1)
	for range a {
		r.Mul(r, x)
	}
	return r
}

// support is an upper bound of max_Θ ⟨v,θ⟩, sharp for v ≥ 0; nil if unbounded.
func (e *exact) support(v []*big.Float) *big.Float {
	v = append([]*big.Float(nil), v...)
	top := zero()
	for k := range v {
		if v[k].Sign() < 0 {
			v[k] = zero() // θ ≥ 0
		}
		if v[k].Cmp(top) > 0 {
			top = v[k]
		}
	}
	switch s := e.d.p.Set.(type) {
	case set.Simplex:
		return top // Σθ = 1
	case set.Ball:
		out := zero()
		for k, c := range s.Center {
			e.add(out, v[k], bigf(c))
		}
		norm := zero()
		switch {
		case s.Q == 1:
			norm = top
		default: // ‖v‖ of the conjugate exponent a/(a−b) for q = a/b
			a, b := fraction(s.Q)
			for _, x := range v {
				norm.Add(norm, power(x, a, a-b))
			}
			norm = power(norm, a-b, a)
		}
		e.add(out, bigf(s.Radius), norm)
		return out
	}
	return nil
}

// dual is a lower bound of min F that w proves at the θ of the last at, where exact arithmetic has
// one for the stored numbers: duality for degree 1, hidden convexity for features on a ball with
// q ≥ d. It is nil where there is none.
func (e *exact) dual(theta, w, v []*big.Float) *big.Float {
	lin, quad := e.dot(e.y, w), e.ridgeForm(w)
	base := zero()
	var curv *big.Float // QuadraticTerm + sup wᵀKw
	switch r := e.d.p.Reg.(type) {
	case nil:
		switch {
		case e.d.degree == 1:
			curv = e.support(v)
		case e.psd:
			curv = e.tangent(theta, v)
		}
		if curv == nil {
			return nil
		}
		curv.Add(curv, quad)
	case reg.Ridge:
		if e.d.degree > 1 {
			return nil
		}
		// min over all θ ≥ 0 of β‖θ‖² − ½⟨v,θ⟩
		for _, x := range v {
			if x.Sign() > 0 {
				e.sub(base, x, zero().Quo(x, bigf(16*r.Beta)))
			}
		}
		base.Add(base, lin)
		return base.Sub(base, quad.Quo(quad, bigf(2)))
	default:
		return nil
	}
	if lin.Sign() <= 0 {
		return zero()
	}
	if curv.Cmp(lin) > 0 { // s = lin/curv
		lin.Mul(lin, lin).Quo(lin, curv)
		return lin.Quo(lin, bigf(2))
	}
	return lin.Sub(lin, curv.Quo(curv, bigf(2)))
}

// tangent is the bound of sup_Θ wᵀKw by hidden convexity, nil where it does not apply.
func (e *exact) tangent(theta, v []*big.Float) *big.Float {
	b, ok := e.d.p.Set.(set.Ball)
	if !ok || b.Q < float64(e.d.degree) {
		return nil
	}
	q := int(b.Q)
	top, sum := zero(), zero()
	for k, x := range v {
		u := zero().Set(theta[k])
		if b.Center != nil {
			u.Sub(u, bigf(b.Center[k]))
		}
		if u.Sign() <= 0 {
			return nil
		}
		c := zero().Quo(bigf(b.Radius), u)
		c = power(c, q-1, 1)
		c.Mul(c, bigf(b.Radius)).Mul(c, x).Quo(c, bigf(float64(2*q)))
		if c.Cmp(top) > 0 {
			top = c
		}
		sum.Add(sum, zero().Quo(zero().Mul(x, u), bigf(float64(2*q))))
	}
	top.Sub(top, sum).Mul(top, bigf(2))
	return top.Add(top, e.quadratic(theta, v))
}

// into is θ moved into Θ in high precision, onto its sphere where it is near that: K grows with θ.
func (e *exact) into(theta []float64) []*big.Float {
	t := bigs(theta)
	for k := range t {
		if t[k].Sign() < 0 {
			t[k] = zero()
		}
	}
	switch s := e.d.p.Set.(type) {
	case set.Simplex:
		sum := zero()
		for _, x := range t {
			sum.Add(sum, x)
		}
		for k := range t {
			if sum.Sign() == 0 { // not of the simplex at all
				t[k] = zero().Quo(bigf(1), bigf(float64(e.m)))
				continue
			}
			t[k].Quo(t[k], sum)
		}
	case set.Ball:
		for range 60 {
			x := e.excess(s, t)
			if x.Sign() == 0 {
				return t
			}
			// with x = (‖u‖/Λ)^q − 1: by Bernoulli (1 − x/q)^q ≥ 1 − x, and for x < 0 (1 − x/q)^q ≤ 1/(1 + x)
			if x.Sign() < 0 {
				if v, _ := x.Float64(); v < -0.01 || e.d.p.Reg != nil {
					return t
				}
			}
			x.Quo(x, bigf(s.Q))
			f := bigf(1)
			f.Sub(f, x)
			if v, _ := x.Float64(); v > 0.5 || f.Sign() <= 0 {
				f = bigf(0.5)
			}
			if x.Sign() > 0 { // a little more, so that it ends
				f.Mul(f, zero().Sub(bigf(1), bigf(math.Ldexp(1, -400))))
			}
			for k := range t {
				c := zero()
				if s.Center != nil {
					c = bigf(s.Center[k])
				}
				t[k].Sub(t[k], c).Mul(t[k], f).Add(t[k], c)
			}
			if v, _ := x.Float64(); x.Sign() < 0 && v > -1e-100 {
				return t
			}
			if x.Sign() < 0 && e.excess(s, t).Sign() <= 0 {
				return t
			}
		}
		panic("audit: θ was not moved into the ball")
	}
	return t
}

// excess is (‖θ−μ₀‖_q/Λ)^q − 1.
func (e *exact) excess(s set.Ball, t []*big.Float) *big.Float {
	sum := zero()
	a, b := fraction(s.Q)
	for k, x := range t {
		u := zero().Set(x)
		if s.Center != nil {
			u.Sub(u, bigf(s.Center[k]))
		}
		u.Abs(u).Quo(u, bigf(s.Radius))
		sum.Add(sum, power(u, a, b))
	}
	return sum.Sub(sum, bigf(1))
}

// outside is how far θ is from Θ, relative: 0 for a θ of Θ.
func (e *exact) outside(theta []float64) float64 {
	for _, v := range theta {
		if !(v >= 0) {
			return math.Inf(1)
		}
	}
	switch s := e.d.p.Set.(type) {
	case set.Simplex:
		sum := bigf(-1)
		for _, v := range theta {
			sum.Add(sum, bigf(v))
		}
		v, _ := sum.Float64()
		return math.Abs(v)
	case set.Ball:
		x := e.excess(s, bigs(theta))
		v, _ := x.Float64()
		top := 0.0
		for k := range theta {
			top = max(top, theta[k])
		}
		return math.Max(0, v/s.Q) * s.Radius / math.Max(s.Radius, top)
	}
	return 0
}

// reference is what is known of min F: F at a point of Θ and, where there is one, a proved bound.
type reference struct {
	f     *big.Float // nil: +∞
	theta []*big.Float
	dual  *big.Float // nil: none
	steps int
}

// reference looks for a θ with F(θ) < goal until it has one, or the dual bound shows that there is
// none, or for so many steps: projected gradient with the exact gradient and exact values of F.
func (e *exact) reference(goal *big.Float, starts [][]float64, steps int) (r reference) {
	var w []*big.Float
	try := func(theta []*big.Float) bool {
		f, u := e.at(theta)
		if f == nil || r.f != nil && f.Cmp(r.f) >= 0 {
			return false
		}
		r.f, r.theta, w = f, theta, u
		return true
	}
	for _, s := range starts {
		try(e.into(s))
	}
	if r.f == nil {
		return r
	}
	m := e.m
	var last, lastG []float64
	eta, stuck := 0.0, 0
	for ; r.steps < steps; r.steps++ {
		e.at(r.theta) // S of this θ
		v := e.forms(w)
		if d := e.dual(r.theta, w, v); d != nil && (r.dual == nil || d.Cmp(r.dual) > 0) {
			r.dual = d
		}
		if r.f.Cmp(goal) < 0 || r.dual != nil && r.dual.Cmp(goal) >= 0 {
			return r
		}
		g, at := floats64(e.grad(r.theta, v)), floats64(r.theta)
		norm, size := 0.0, 0.0
		for k := range g {
			norm += g[k] * g[k]
			size += at[k] * at[k]
		}
		if norm == 0 {
			return r
		}
		if last != nil {
			ss, sz := 0.0, 0.0
			for k := range g {
				ss += (at[k] - last[k]) * (at[k] - last[k])
				sz += (at[k] - last[k]) * (g[k] - lastG[k])
			}
			if sz > 0 && ss > 0 {
				eta = ss / sz
			}
		} else {
			eta = math.Sqrt(size/norm) + 1e-3/math.Sqrt(norm)
		}
		last, lastG = at, g
		next, moved := make([]float64, m), false
		for range 12 {
			for k := range next {
				next[k] = at[k] - eta*g[k]
			}
			e.d.p.Set.Project(next, next)
			if finite(next) && try(e.into(next)) {
				moved = true
				break
			}
			eta /= 8
		}
		if !moved {
			if stuck++; stuck > 1 {
				return r
			}
			last, eta = nil, 0
		}
	}
	return r
}

func finite(v []float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// candidates are points of Θ where F may be small: the start, the corners, what other runs find.
func (d *draw) candidates(deep bool) [][]float64 {
	m, _ := d.p.Grams.Dims()
	point := func() []float64 { return make([]float64, m) }
	var out [][]float64
	s := point()
	d.p.Set.Start(s)
	out = append(out, s)
	for k := range m {
		g, t := point(), point()
		g[k] = -1
		if v := d.p.Set.Minimize(t, g); !math.IsInf(v, -1) {
			out = append(out, t)
		} else {
			t[k] = 1
			out = append(out, t)
		}
	}
	if !deep {
		return out
	}
	for _, s := range []mkl.Solver{mkl.SPG{}, mkl.PGD{}} {
		if r, err := mkl.Solve(ctx, d.p, s, &mkl.Settings{Gap: 1e-14, Iterations: 1000}); err == nil &&
			r.Theta != nil && finite(r.Theta) {
			out = append(out, r.Theta)
		}
	}
	return out
}
