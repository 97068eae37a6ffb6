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

// restricted is the restricted problem of Subspace: minimize F over θ ∈ Θ. Φ, n×R, holds the values of the coordinate
// functions (see spaces) at the points. D² is diagonal with the weight θ_k of the kernel of each coordinate. F is a sum
// over the columns y of targets,
//
//	F(θ) = min_u ½‖u‖² + (1/2λ)‖y − ΦDu‖²,   (DGD + λI)u = DΦᵀy,   G = ΦᵀΦ.
type restricted struct {
	v          *spaces
	lambda     float64         // λ
	set        set.Set         // Θ
	theta      []float64       // θ
	d          []float64       // length R: √θ of each coordinate
	active     []int           // indices of the coordinates with d > 0, which form the matrix to factorize
	gram       *mat.SymDense   // G, upper triangle
	factor     linalg.Cholesky // of DGD + λI
	factorData []float64       // storage of DGD for the active coordinates
	columns    []*column
	value      float64 // F(θ)
}

// column is the part of the problem for one column of targets.
type column struct {
	y         []float64 // length n: targets
	b         []float64 // length R: Φᵀy
	u, a      []float64 // length R: the minimizer u, and Φᵀw
	f         []float64 // length n: ΦDu, the values of the function
	residuals []float64 // length n: λw = y − f
}

func newRestricted(p *Problem, v *spaces, theta []float64) *restricted {
	_, n := p.Grams.Dims()
	r := &restricted{v: v, set: p.Set, theta: slices.Clone(theta), gram: new(mat.SymDense),
		factor: linalg.Cholesky{Threads: int(v.threads)}}
	r.lambda, _ = ridgeLambda(p.Loss)
	for y := range slices.Chunk(p.Y, n) {
		r.columns = append(r.columns, &column{y: y, residuals: make([]float64, n)})
	}
	return r
}

// solve minimizes over θ until ⟨∇F, θ⟩ − min_Θ⟨∇F, ·⟩ ≤ tol·F, by Newton's method. A step goes to the minimum of the
// second-order model on Θ, and is shortened until F falls.
func (p *restricted) solve(ctx context.Context, tol float64) error {
	if err := p.addCoordinates(ctx); err != nil {
		return err
	}
	if err := p.solveAt(p.theta); err != nil {
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
			if err := p.solveAt(next); err != nil {
				return err
			}
			better = p.value <= value+1e-4*t*slope && p.value < value
		}
		if !better {
			return p.solveAt(from)
		}
	}
	return nil
}

// addCoordinates extends the vectors and matrices to the coordinates that spaces has now.
func (p *restricted) addCoordinates(ctx context.Context) error {
	m, count := len(p.theta), len(p.v.kernelOf)
	for _, c := range p.columns {
		c.u = append(c.u, make([]float64, count-len(c.u))...)
		c.a, c.b = make([]float64, count), make([]float64, count)
		p.v.multiply(c.b, false, c.y)
	}
	oldCount := 0
	if !p.gram.IsEmpty() {
		oldCount = p.gram.SymmetricDim()
		p.gram = p.gram.GrowSym(count - oldCount).(*mat.SymDense) // appends zeros
	} else if count > 0 {
		p.gram = mat.NewSymDense(count+passCapacity*m*len(p.columns), nil).SliceSym(0, count).(*mat.SymDense)
	}
	return p.v.addGram(ctx, p.gram, oldCount)
}

// solveAt sets θ, and computes u of each column and F(θ).
func (p *restricted) solveAt(theta []float64) error {
	p.theta, p.d, p.active, p.value = theta, make([]float64, len(p.v.kernelOf)), p.active[:0], 0
	for l, k := range p.v.kernelOf {
		if p.d[l] = math.Sqrt(theta[k]); p.d[l] > 0 {
			p.active = append(p.active, l)
		}
	}
	if err := p.factorize(); err != nil {
		return err
	}
	for _, c := range p.columns {
		du := make([]float64, len(p.d))
		c.u = p.minimizer(c)
		floats.MulTo(du, p.d, c.u)
		p.value += (floats.Dot(c.y, c.y) - floats.Dot(c.b, du)) / (2 * p.lambda)
		if len(du) > 0 {
			linalg.SymMulVec(c.a, p.gram, du)
		}
		for l, b := range c.b {
			c.a[l] = (b - c.a[l]) / p.lambda
		}
	}
	return nil
}

// factorize factorizes DGD + λI for the active coordinates.
func (p *restricted) factorize() error {
	order := max(len(p.active), 1)
	p.factorData = slices.Grow(p.factorData[:0], order*order)[:order*order]
	small, gram := mat.NewSymDense(order, p.factorData), p.gram.RawSymmetric()
	raw := small.RawSymmetric()
	for i, l := range p.active {
		to, row := raw.Data[i*raw.Stride:], gram.Data[l*gram.Stride:]
		for j, k := range p.active[i:] {
			to[i+j] = p.d[l] * p.d[k] * row[k]
		}
	}
	if len(p.active) == 0 {
		p.factorData[0] = 0
	}
	if !p.factor.Factorize(small, p.lambda) {
		return fmt.Errorf("%w: the restricted matrix + %.4g·I has no Cholesky factor", loss.ErrNotPSD, p.lambda)
	}
	return nil
}

// minimizer returns the u with (DGD + λI)u = Db, computed with the factor of DGD + λI.
func (p *restricted) minimizer(c *column) []float64 {
	x, u := make([]float64, max(len(p.active), 1)), make([]float64, len(p.d))
	for i, l := range p.active {
		x[i] = p.d[l] * c.b[l]
	}
	p.factor.SolveVec(x, x)
	for i, l := range p.active {
		u[l] = x[i]
	}
	return u
}

// computeResiduals computes f = ΦDu of the column and its residuals.
func (p *restricted) computeResiduals(c *column) {
	du := slices.Clone(c.u)
	floats.Mul(du, p.d)
	c.f = make([]float64, len(c.y))
	p.v.multiply(c.f, true, du)
	floats.SubTo(c.residuals, c.y, c.f)
}

// gradient returns ∂F/∂θ_k = −½‖Φ_kᵀw‖² for each k, summed over the columns. Φ_k are the columns of Φ for kernel k.
func (p *restricted) gradient() []float64 {
	grad := make([]float64, len(p.theta))
	for _, c := range p.columns {
		for l, k := range p.v.kernelOf {
			grad[k] -= c.a[l] * c.a[l] / 2
		}
	}
	return grad
}

// hessian returns ∇²F(θ), m×m, with the entries a_jᵀ(G − GD(DGD + λI)⁻¹DG)a_k/λ, summed over the columns. a_k is Φᵀw
// with 0 in the coordinates of all kernels except k.
func (p *restricted) hessian() *mat.SymDense {
	m, all, order := len(p.theta), len(p.v.kernelOf), max(len(p.active), 1)
	h := make([]float64, m*m)
	for _, c := range p.columns {
		if all == 0 {
			break
		}
		parts, ga := mat.NewDense(all, m, nil), mat.NewDense(all, m, nil)
		for l, k := range p.v.kernelOf {
			parts.Set(l, k, c.a[l])
		}
		p.addGramTimesParts(ga, c.a)
		dga, x := mat.NewDense(order, m, nil), mat.NewDense(order, m, nil)
		for i, l := range p.active {
			floats.ScaleTo(dga.RawRowView(i), p.d[l], ga.RawRowView(l))
		}
		p.factor.Solve(x, dga)
		for _, term := range []struct {
			by   float64
			a, b *mat.Dense
		}{{1, parts, ga}, {-1, dga, x}} {
			a, b := term.a.RawMatrix(), term.b.RawMatrix()
			p.v.threads.Gemm(true, false, m, m, a.Rows, term.by/p.lambda, a.Data, m, b.Data, m, 1, h, m)
		}
	}
	return mat.NewSymDense(m, h)
}

// addGramTimesParts adds G·parts to ga, where column k of parts contains the entries of a of kernel k. It takes as many
// multiplications as G has entries.
func (p *restricted) addGramTimesParts(ga *mat.Dense, a []float64) {
	g := p.gram.RawSymmetric() // upper triangle
	for i, k := range p.v.kernelOf {
		row, to := g.Data[i*g.Stride:], ga.RawRowView(i)
		for j := i; j < len(p.v.kernelOf); j++ {
			to[p.v.kernelOf[j]] += row[j] * a[j]
			if j > i {
				ga.RawRowView(j)[k] += row[j] * a[i]
			}
		}
	}
}

// newtonStep returns the d that minimizes ⟨g, d⟩ + ½dᵀHd subject to θ + d ∈ Θ. It uses accelerated projected gradients.
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
		change := 0.0
		for k, v := range w {
			z[k] = v + (q-1)/next*(v-t[k])
			change = math.Max(change, math.Abs(v-t[k]))
		}
		q = next
		copy(t, w)
		if change < 1e-15*(1+floats.Norm(t, math.Inf(1))) {
			break
		}
	}
	floats.SubTo(d, t, theta)
	return d
}
