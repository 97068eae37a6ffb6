package settest

import (
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Violation returns by how much θ is outside of s, by the definition of the set that its Traits say it is and not by
// its oracles. It panics where they do not say.
func Violation(s set.Set, theta []float64) float64 { return definition(s.Traits())(theta) }

// definition returns how to measure by how much θ is outside of a set of these Traits, nil where they do not say.
func definition(t set.Traits) func(theta []float64) float64 {
	switch {
	case t.Matrices && t.Cone: // of a cone, in the length of θ
		return func(theta []float64) float64 {
			by, size := asymmetry(theta), 1.0
			for _, l := range eigenvalues(theta) {
				by, size = max(by, -l), max(size, math.Abs(l))
			}
			return by / size
		}
	case t.Spectraplex():
		return func(theta []float64) float64 {
			l := eigenvalues(theta)
			return max(asymmetry(theta), -floats.Min(l), math.Abs(floats.Sum(l)-t.Sum))
		}
	case t.Orthant():
		return func(theta []float64) float64 { return -min(0, floats.Min(theta)) }
	case t.Simplex():
		return func(theta []float64) float64 { return max(-floats.Min(theta), math.Abs(floats.Sum(theta)-t.Sum)) }
	case t.Ball != nil:
		return func(theta []float64) float64 {
			return max(0, -floats.Min(theta), qnorm(offset(*t.Ball, theta), t.Ball.Q)-t.Ball.Radius)
		}
	}
	return nil
}

// sampler returns how to draw points of a set of these Traits without its oracles, nil where they do not say.
func sampler(t set.Traits) func(r *rand.Rand, m int) []float64 {
	switch {
	case t.Matrices && (t.Cone || t.Sum > 0):
		return func(r *rand.Rand, m int) []float64 { return product(r, order(m), t.Sum) }
	case t.Orthant():
		return some
	case t.Simplex():
		return func(r *rand.Rand, m int) []float64 {
			p := some(r, m)
			if floats.Sum(p) == 0 {
				p[0] = 1
			}
			floats.Scale(t.Sum/floats.Sum(p), p)
			return p
		}
	case t.Ball != nil:
		return func(r *rand.Rand, m int) []float64 {
			p := some(r, m)
			for k := range p {
				p[k] *= r.NormFloat64()
			}
			if n := qnorm(p, t.Ball.Q); n > 0 {
				floats.Scale(t.Ball.Radius/n*math.Sqrt(r.Float64())*(1-1e-15), p)
			}
			if t.Ball.Center != nil {
				floats.Add(p, t.Ball.Center)
			}
			for k, v := range p {
				p[k] = max(0, v)
			}
			return p
		}
	}
	return nil
}

// some draws numbers ≥ 0, of which some are 0.
func some(r *rand.Rand, m int) []float64 {
	p := make([]float64, m)
	for k := range p {
		p[k] = r.ExpFloat64() * float64(r.IntN(4))
	}
	return p
}

// product draws AAᵀ, n×n, A of few columns; of a trace, unless that is 0.
func product(r *rand.Rand, n int, trace float64) []float64 {
	a := mat.NewDense(n, 1+r.IntN(n), nil)
	a.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, a)
	p := make([]float64, n*n)
	aa := mat.NewDense(n, n, p)
	aa.Mul(a, a.T())
	if trace > 0 {
		aa.Scale(trace/mat.Trace(aa), aa)
	}
	Symmetric(p)
	return p
}

// Symmetric makes x, which stands for an n×n matrix, symmetric.
func Symmetric(x []float64) {
	n := order(len(x))
	for i := range n {
		for j := range i {
			v := (x[i*n+j] + x[j*n+i]) / 2
			x[i*n+j], x[j*n+i] = v, v
		}
	}
}

// order returns n of an n×n matrix of m entries.
func order(m int) int { return int(math.Round(math.Sqrt(float64(m)))) }

// asymmetry is max |θ_ij − θ_ji|.
func asymmetry(theta []float64) (by float64) {
	n := order(len(theta))
	for i := range n {
		for j := range i {
			by = max(by, math.Abs(theta[i*n+j]-theta[j*n+i]))
		}
	}
	return by
}

// eigenvalues returns those of the matrix θ, ascending.
func eigenvalues(theta []float64) []float64 {
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(order(len(theta)), append([]float64(nil), theta...)), false) {
		panic("settest: no eigenvalues")
	}
	return e.Values(nil)
}

// offset is θ − μ₀.
func offset(b set.Ball, theta []float64) []float64 {
	u := append([]float64(nil), theta...)
	if b.Center != nil {
		floats.Sub(u, b.Center)
	}
	return u
}

// norm returns ‖x‖₂.
func norm(x []float64) float64 { return floats.Norm(x, 2) }

// qnorm returns ‖u‖_q, of any size and for any q.
func qnorm(u []float64, q float64) float64 {
	top := floats.Norm(u, math.Inf(1))
	if top == 0 || math.IsInf(q, 1) {
		return top
	}
	scaled := append([]float64(nil), u...)
	floats.Scale(1/top, scaled)
	return top * floats.Norm(scaled, q)
}
