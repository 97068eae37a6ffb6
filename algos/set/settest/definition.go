package settest

import (
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Violation returns by how much θ violates the definition of s: 0, up to rounding, if θ is in s. It takes the
// definition from s.Traits() and does not call the other methods of s. It panics if the Traits do not determine the
// set.
func Violation(s set.Set, theta []float64) float64 { return violationOf(s.Traits())(theta) }

// violationOf returns a function that measures by how much θ violates the definition of the set with these Traits. It
// returns nil if the Traits do not determine the set.
func violationOf(t set.Traits) func(theta []float64) float64 {
	switch {
	case t.Matrices && t.Cone: // the violation is divided by max(1, largest |eigenvalue|)
		return func(theta []float64) float64 {
			worst, size := asymmetry(theta), 1.0
			for _, l := range eigenvalues(theta) {
				worst, size = max(worst, -l), max(size, math.Abs(l))
			}
			return worst / size
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
			return max(0, -floats.Min(theta), normQ(subtractCenter(*t.Ball, theta), t.Ball.Q)-t.Ball.Radius)
		}
	}
	return nil
}

// samplerOf returns a function that draws random points of the set with these Traits, of m numbers, without calling the
// set. It returns nil if the Traits do not determine the set.
func samplerOf(t set.Traits) func(r *rand.Rand, m int) []float64 {
	switch {
	case t.Matrices && (t.Cone || t.Sum > 0):
		return func(r *rand.Rand, m int) []float64 { return randomPSD(r, matrixOrder(m), t.Sum) }
	case t.Orthant():
		return nonnegativeNumbers
	case t.Simplex():
		return func(r *rand.Rand, m int) []float64 {
			p := nonnegativeNumbers(r, m)
			if floats.Sum(p) == 0 {
				p[0] = 1
			}
			floats.Scale(t.Sum/floats.Sum(p), p)
			return p
		}
	case t.Ball != nil:
		return func(r *rand.Rand, m int) []float64 {
			p := nonnegativeNumbers(r, m)
			for k := range p {
				p[k] *= r.NormFloat64()
			}
			if n := normQ(p, t.Ball.Q); n > 0 {
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

// nonnegativeNumbers returns m random numbers ≥ 0. Each is 0 with probability ¼.
func nonnegativeNumbers(r *rand.Rand, m int) []float64 {
	p := make([]float64, m)
	for k := range p {
		p[k] = r.ExpFloat64() * float64(r.IntN(4))
	}
	return p
}

// randomPSD returns AAᵀ as n² numbers, for a random A of n rows and 1 to n columns. If trace > 0, the matrix is scaled
// to this trace.
func randomPSD(r *rand.Rand, n int, trace float64) []float64 {
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

// Symmetric replaces the n×n matrix X that x stores row by row by (X + Xᵀ)/2.
func Symmetric(x []float64) {
	n := matrixOrder(len(x))
	for i := range n {
		for j := range i {
			v := (x[i*n+j] + x[j*n+i]) / 2
			x[i*n+j], x[j*n+i] = v, v
		}
	}
}

// matrixOrder returns the order n of a matrix with m = n² entries.
func matrixOrder(m int) int { return int(math.Round(math.Sqrt(float64(m)))) }

// asymmetry returns max |θ_ij − θ_ji|.
func asymmetry(theta []float64) (largest float64) {
	n := matrixOrder(len(theta))
	for i := range n {
		for j := range i {
			largest = max(largest, math.Abs(theta[i*n+j]-theta[j*n+i]))
		}
	}
	return largest
}

// eigenvalues returns the eigenvalues of the matrix θ in ascending order.
func eigenvalues(theta []float64) []float64 {
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(matrixOrder(len(theta)), append([]float64(nil), theta...)), false) {
		panic("settest: no eigenvalues")
	}
	return e.Values(nil)
}

// subtractCenter returns θ − μ₀, where μ₀ is the center of b.
func subtractCenter(b set.Ball, theta []float64) []float64 {
	u := append([]float64(nil), theta...)
	if b.Center != nil {
		floats.Sub(u, b.Center)
	}
	return u
}

// norm2 returns ‖x‖₂.
func norm2(x []float64) float64 { return floats.Norm(x, 2) }

// normQ returns ‖u‖_q without overflow or underflow, for every q ≥ 1 and ∞.
func normQ(u []float64, q float64) float64 {
	largest := floats.Norm(u, math.Inf(1))
	if largest == 0 || math.IsInf(q, 1) {
		return largest
	}
	scaled := append([]float64(nil), u...)
	floats.Scale(1/largest, scaled)
	return largest * floats.Norm(scaled, q)
}
