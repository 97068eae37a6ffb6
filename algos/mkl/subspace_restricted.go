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

// restricted is the problem of Subspace on coordinates: with Φ their values, D² = diag θ of each coordinate's kernel,
//
//	F(θ) = min_u ½‖u‖² + (1/2λ)‖y − ΦDu‖²,   (DΦᵀΦD + λI)u = DΦᵀy.
type restricted struct {
	v      *spaces
	lambda float64
	set    set.Set
	theta  []float64

	y      []float64
	b      []float64 // Φᵀy
	factor linalg.Cholesky
	active []int     // coordinates with θ > 0, which are factorised
	u      []float64 // R
	value  float64   // F(θ)
	a      []float64 // Φᵀα, α = (y − ΦDu)/λ
}

// solve minimises over θ until ⟨∇F, θ⟩ − min_Θ⟨∇F, ·⟩ ≤ tol·F, by Newton's method: a step is the minimum of the model
// of second order on Θ, shortened until F falls.
func (p *restricted) solve(ctx context.Context, y []float64, tol float64) error {
	p.y, p.b = y, make([]float64, len(p.v.of))
	p.v.product(p.b, false, y)
	if err := p.at(p.theta); err != nil {
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
			if err := p.at(next); err != nil {
				return err
			}
			better = p.value <= value+1e-4*t*slope && p.value < value
		}
		if !better {
			return p.at(from)
		}
	}
	return nil
}

// at solves for u at θ.
func (p *restricted) at(theta []float64) error {
	p.theta, p.active = theta, p.active[:0]
	d := p.roots()
	for l, v := range d {
		if v > 0 {
			p.active = append(p.active, l)
		}
	}
	small := mat.NewSymDense(max(len(p.active), 1), nil)
	raw := small.RawSymmetric()
	for i, l := range p.active {
		for j := i; j < len(p.active); j++ {
			raw.Data[i*raw.Stride+j] = d[l] * d[p.active[j]] * p.v.gram[l*p.v.stride+p.active[j]]
		}
	}
	if !p.factor.Factorize(small, p.lambda) {
		return fmt.Errorf("%w: the restricted matrix + %.4g·I has no Cholesky factor", loss.ErrNotPSD, p.lambda)
	}
	x := make([]float64, raw.N)
	for i, l := range p.active {
		x[i] = d[l] * p.b[l]
	}
	p.factor.SolveVec(x, x)
	p.u = make([]float64, len(d))
	du := make([]float64, len(d))
	for i, l := range p.active {
		p.u[l], du[l] = x[i], d[l]*x[i]
	}
	p.value = (floats.Dot(p.y, p.y) - floats.Dot(p.b, du)) / (2 * p.lambda)
	p.a = make([]float64, len(d))
	if len(d) > 0 {
		linalg.SymMulVec(p.a, p.v.symmetric(), du)
	}
	for l, b := range p.b {
		p.a[l] = (b - p.a[l]) / p.lambda
	}
	return nil
}

// roots is √θ of each coordinate.
func (p *restricted) roots() []float64 {
	d := make([]float64, len(p.v.of))
	for l, k := range p.v.of {
		d[l] = math.Sqrt(p.theta[k])
	}
	return d
}

// gradient is −½‖Φ_kᵀα‖².
func (p *restricted) gradient() []float64 {
	grad := make([]float64, len(p.theta))
	for l, k := range p.v.of {
		grad[k] -= p.a[l] * p.a[l] / 2
	}
	return grad
}

// hessian is a_jᵀ(G − GD(DGD + λI)⁻¹DG)a_k/λ, G = ΦᵀΦ, a_k the part of Φᵀα of kernel k.
func (p *restricted) hessian() *mat.SymDense {
	m, all := len(p.theta), len(p.v.of)
	if all == 0 {
		return mat.NewSymDense(m, nil)
	}
	c := mat.NewDense(all, m, nil)
	own := mat.NewDense(all, m, nil)
	for l, k := range p.v.of {
		own.Set(l, k, p.a[l])
	}
	p.v.on.SymMul(c, p.v.symmetric(), own)
	d, h := p.roots(), mat.NewSymDense(m, nil)
	x, dc := make([]float64, len(p.active)), mat.NewDense(m, max(len(p.active), 1), nil)
	for k := range m {
		row := dc.RawRowView(k)
		for i, l := range p.active {
			row[i] = d[l] * c.At(l, k)
		}
	}
	for k := range m {
		copy(x, dc.RawRowView(k))
		if len(x) > 0 {
			p.factor.SolveVec(x, x)
		}
		for j := range k + 1 {
			v := -floats.Dot(x, dc.RawRowView(j)[:len(x)])
			for l, of := range p.v.of {
				if of == j {
					v += p.a[l] * c.At(l, k)
				}
			}
			h.SetSym(j, k, v/p.lambda)
		}
	}
	return h
}

// newtonStep returns d with θ + d the minimiser of ⟨g, d⟩ + ½dᵀHd on Θ, by accelerated projected gradients.
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

// values are f = ΦDu at the points.
func (p *restricted) values() []float64 {
	_, n := p.v.g.Dims()
	du, f := p.roots(), make([]float64, n)
	floats.Mul(du, p.u)
	p.v.product(f, true, du)
	return f
}

// combined is v_k = Σ_l u_lv_l/√θ_k over the coordinates of kernel k, with f = Σ_kθ_kK_kv_k, and what bounds it: f_k is
// at most size·√K_k,ii, and so is what it was rounded from; its coordinates make it off by at most off·√K_k,ii.
func (p *restricted) combined(k int) (v []float64, size, off float64) {
	v = make([]float64, len(p.v.landmarks)+len(p.v.alphas))
	scale := 1 / math.Sqrt(p.theta[k])
	for l, of := range p.v.of {
		if of == k {
			linalg.Axpy(scale*p.u[l], p.v.v[l], v)
			size += scale * math.Abs(p.u[l]) * p.v.size[l]
			off += scale * math.Abs(p.u[l]) * p.v.off[l]
		}
	}
	return v, size, off
}

// norm is Σ_kθ_kv_kᵀK_kv_k, at least the squared norm of f in the space of K(θ), and by how much it may be off. Rows of
// landmarks lack what the base matrices are lifted by.
func (p *restricted) norm() (sum, off float64) {
	_, n := p.v.g.Dims()
	r := len(p.v.landmarks)
	// of an entry, of a form of two α's, and of the sums of v's form
	e := p.v.g.error() + float64(part+n/part+2*(r+len(p.v.alphas))+64)*linalg.Epsilon
	for k, t := range p.theta {
		if t > 0 {
			v, size, _ := p.combined(k)
			sum += t * p.v.form(k, v)
			off += t * (4*e*size*size + 2*p.v.g.lift[k]*floats.Dot(v[:r], v[:r]))
		}
	}
	return sum, off
}

// errors bounds by how much each value of f may be off.
func (p *restricted) errors() []float64 {
	_, n := p.v.g.Dims()
	sums := float64(2*len(p.v.of)+16) * linalg.Epsilon // of coordinates: f, and v that it is held to
	off := make([]float64, n)
	for k, t := range p.theta {
		if t > 0 {
			v, size, e := p.combined(k)
			for i, d := range p.v.g.diagonals[k] {
				off[i] += 2 * t * (e + sums*size) * root(d)
			}
			for j, i := range p.v.landmarks {
				off[i] += 2 * t * p.v.g.lift[k] * math.Abs(v[j])
			}
		}
	}
	return off
}
