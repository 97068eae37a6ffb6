package mkl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// restricted is the restricted problem of Subspace. With Φ the values of the coordinates, and D² = diag θ of each
// coordinate's kernel, it is a sum over the columns of targets of
//
//	F(θ) = min_u ½‖u‖² + (1/2λ)‖y − ΦDu‖²,   (DGD + λI)u = DΦᵀy,   G = ΦᵀΦ.
//
// For the squared hinge loss y, Φ and G contain only the points that violate the margin, and their means are
// subtracted, because b is optimal.
type restricted struct {
	v       *spaces
	lambda  float64
	hinge   bool
	set     set.Set
	theta   []float64
	d       []float64 // R: √θ of each coordinate
	active  []int     // coordinates with θ > 0, the only ones to factorize
	columns []*column
	value   float64   // F(θ)
	small   []float64 // storage of DGD
}

// column is the part of the problem for one column of targets.
type column struct {
	y      []float64        // n
	gram   *mat.SymDense    // G + sum·sumᵀ, upper triangle: shared by the columns of the squared loss
	factor *linalg.Cholesky // of DGD + λI, shared like gram
	b      []float64        // R: Φᵀy
	u, a   []float64        // R: u, and Φᵀα
	f      []float64        // n: ΦDu
	rest   []float64        // n: λw = y − f − b, 0 for points beyond their margin
	bias   float64
	value  float64 // contribution to F(θ)

	points []int     // points in gram: all, or for the squared hinge loss the violators when gram was made
	sum    []float64 // R: for the squared hinge loss Σ Φ over points, over the root of their number; otherwise 0
}

func newRestricted(p *Problem, v *spaces, theta []float64) *restricted {
	_, n := p.Grams.Dims()
	r := &restricted{v: v, set: p.Set, theta: slices.Clone(theta)}
	r.lambda, r.hinge, _ = ridge(p.Loss)
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for y := range slices.Chunk(p.Y, n) {
		c := &column{y: y, gram: new(mat.SymDense), factor: &linalg.Cholesky{Threads: int(v.on)},
			rest: make([]float64, n)}
		if r.columns = append(r.columns, c); !r.hinge {
			c.factor, c.points = r.columns[0].factor, all
		}
	}
	return r
}

// solve minimizes over θ until ⟨∇F, θ⟩ − min_Θ⟨∇F, ·⟩ ≤ tol·F, by Newton's method. A step goes to the minimum of the
// second-order model on Θ, and is shortened until F falls.
func (p *restricted) solve(ctx context.Context, tol float64) error {
	if err := p.grow(ctx); err != nil {
		return err
	}
	if err := p.at(ctx, p.theta); err != nil {
		return err
	}
	for range 100 {
		if err := ctx.Err(); err != nil {
			return err
		}
		grad := p.gradient()
		if floats.Dot(grad, p.theta)-p.set.Minimize(nil, grad) <= tol*p.value {
			return nil
		}
		from, value := p.theta, p.value
		d := newtonStep(p.set, from, grad, p.hessian())
		slope, better := floats.Dot(grad, d), false
		for t := 1.0; t > 1e-4 && !better; t /= 3 {
			next := slices.Clone(from)
			floats.AddScaled(next, t, d)
			for k, v := range next {
				next[k] = math.Max(v, 0)
			}
			if err := p.at(ctx, next); err != nil {
				return err
			}
			better = p.value <= value+1e-4*t*slope && p.value < value
		}
		if !better {
			return p.at(ctx, from)
		}
	}
	return nil
}

// grow extends the columns to all current coordinates.
func (p *restricted) grow(ctx context.Context) error {
	m, all := len(p.theta), len(p.v.of)
	for i, c := range p.columns {
		from := len(c.u)
		c.u, c.a, c.b = append(c.u, make([]float64, all-from)...), make([]float64, all), make([]float64, all)
		switch {
		case i > 0 && !p.hinge:
			c.gram = p.columns[0].gram
		case c.gram.IsEmpty() && all > 0:
			c.gram = mat.NewSymDense(all+room*m*len(p.columns), nil).SliceSym(0, all).(*mat.SymDense)
		default:
			c.gram = c.gram.GrowSym(all - from).(*mat.SymDense) // appends zeros
		}
		if c.sum = nil; !p.hinge {
			c.sum = make([]float64, all)
			p.v.product(c.b, false, c.y)
		}
		if i == 0 || p.hinge {
			if err := p.v.add(ctx, c.gram, from, 1, c.points); err != nil {
				return err
			}
		}
	}
	return nil
}

// at computes u and F at θ.
func (p *restricted) at(ctx context.Context, theta []float64) error {
	p.theta, p.d, p.active, p.value = theta, make([]float64, len(p.v.of)), p.active[:0], 0
	for l, k := range p.v.of {
		if p.d[l] = math.Sqrt(theta[k]); p.d[l] > 0 {
			p.active = append(p.active, l)
		}
	}
	for i, c := range p.columns {
		if p.hinge {
			if err := p.fitHinge(ctx, c); err != nil {
				return err
			}
			continue
		}
		if i == 0 {
			if err := p.factorize(c); err != nil {
				return err
			}
		}
		du := make([]float64, len(p.d))
		c.u = p.minimizer(c)
		floats.MulTo(du, p.d, c.u)
		p.value += (floats.Dot(c.y, c.y) - floats.Dot(c.b, du)) / (2 * p.lambda)
		if len(du) > 0 {
			linalg.SymMulVec(c.a, c.gram, du)
		}
		for l, b := range c.b {
			c.a[l] = (b - c.a[l]) / p.lambda
		}
	}
	return nil
}

// factorize factorizes DGD + λI for the active coordinates.
func (p *restricted) factorize(c *column) error {
	order := max(len(p.active), 1)
	p.small = slices.Grow(p.small[:0], order*order)[:order*order]
	small, gram := mat.NewSymDense(order, p.small), c.gram.RawSymmetric()
	raw := small.RawSymmetric()
	for i, l := range p.active {
		to, row := raw.Data[i*raw.Stride:], gram.Data[l*gram.Stride:]
		for j, k := range p.active[i:] {
			to[i+j] = p.d[l] * p.d[k] * (row[k] - c.sum[l]*c.sum[k])
		}
	}
	if len(p.active) == 0 {
		p.small[0] = 0
	}
	if !c.factor.Factorize(small, p.lambda) {
		return fmt.Errorf("%w: the restricted matrix + %.4g·I has no Cholesky factor", loss.ErrNotPSD, p.lambda)
	}
	return nil
}

// minimizer computes u with the factor.
func (p *restricted) minimizer(c *column) []float64 {
	x, u := make([]float64, max(len(p.active), 1)), make([]float64, len(p.d))
	for i, l := range p.active {
		x[i] = p.d[l] * c.b[l]
	}
	c.factor.SolveVec(x, x)
	for i, l := range p.active {
		u[l] = x[i]
	}
	return u
}

// times returns ΦDu.
func (p *restricted) times(u []float64) []float64 {
	_, n := p.v.g.Dims()
	du, f := slices.Clone(u), make([]float64, n)
	floats.Mul(du, p.d)
	p.v.product(f, true, du)
	return f
}

// move sets u, its values f, and the optimal bias.
func (p *restricted) move(c *column, u, f []float64) {
	c.u, c.f = u, f
	if p.hinge {
		c.bias = loss.SquaredHinge{Lambda: p.lambda}.Bias(c.y, f)
	}
	for i, y := range c.y {
		if c.rest[i] = y - f[i] - c.bias; p.hinge && c.rest[i]*y <= 0 {
			c.rest[i] = 0
		}
	}
	c.value = floats.Dot(u, u)/2 + floats.Dot(c.rest, c.rest)/(2*p.lambda)
}

// gradient returns −½‖Φ_kᵀα‖² for each k, summed over the columns.
func (p *restricted) gradient() []float64 {
	grad := make([]float64, len(p.theta))
	for _, c := range p.columns {
		for l, k := range p.v.of {
			grad[k] -= c.a[l] * c.a[l] / 2
		}
	}
	return grad
}

// hessian returns the matrix of a_jᵀ(G − GD(DGD + λI)⁻¹DG)a_k/λ, summed over the columns, where a_k is the part of Φᵀα
// for kernel k.
func (p *restricted) hessian() *mat.SymDense {
	m, all, order := len(p.theta), len(p.v.of), max(len(p.active), 1)
	h := make([]float64, m*m)
	for _, c := range p.columns {
		if all == 0 {
			break
		}
		own, ga := mat.NewDense(all, m, nil), mat.NewDense(all, m, nil)
		for l, k := range p.v.of {
			own.Set(l, k, c.a[l])
		}
		p.v.on.SymMul(ga, c.gram, own)
		sum, of := mat.NewVecDense(all, c.sum), new(mat.VecDense)
		of.MulVec(own.T(), sum)
		ga.RankOne(ga, -1, sum, of)
		dga, x := mat.NewDense(order, m, nil), mat.NewDense(order, m, nil)
		for i, l := range p.active {
			floats.ScaleTo(dga.RawRowView(i), p.d[l], ga.RawRowView(l))
		}
		c.factor.Solve(x, dga)
		for _, t := range []struct {
			by   float64
			a, b *mat.Dense
		}{{1, own, ga}, {-1, dga, x}} {
			a, b := t.a.RawMatrix(), t.b.RawMatrix()
			p.v.on.Gemm(true, false, m, m, a.Rows, t.by/p.lambda, a.Data, m, b.Data, m, 1, h, m)
		}
	}
	return mat.NewSymDense(m, h)
}

// newtonStep returns d such that θ + d minimizes ⟨g, d⟩ + ½dᵀHd on Θ, by accelerated projected gradients.
func newtonStep(on set.Set, theta, g []float64, h *mat.SymDense) (d []float64) {
	m := len(theta)
	length, trace := 0.0, mat.Trace(h)
	for i := range m { // ‖H‖ is at most its largest row sum
		sum := 0.0
		for j := range m {
			sum += math.Abs(h.At(i, j))
		}
		length = math.Max(length, sum)
	}
	length += 1e-12*trace + math.SmallestNonzeroFloat64
	t, z := slices.Clone(theta), slices.Clone(theta)
	w, slope := make([]float64, m), make([]float64, m)
	d = make([]float64, m)
	q := 1.0
	for range 3000 {
		floats.SubTo(d, z, theta)
		linalg.SymMulVec(slope, h, d)
		for k := range w {
			w[k] = z[k] - (g[k]+slope[k])/length
		}
		on.Project(w, w)
		next := (1 + math.Sqrt(1+4*q*q)) / 2
		far := 0.0
		for k, v := range w {
			z[k] = v + (q-1)/next*(v-t[k])
			far = math.Max(far, math.Abs(v-t[k]))
		}
		q = next
		copy(t, w)
		if far < 1e-15*(1+floats.Norm(t, math.Inf(1))) {
			break
		}
	}
	floats.SubTo(d, t, theta)
	return d
}
