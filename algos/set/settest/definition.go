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
func Violation(s set.Set, theta []float64) float64 { return definitionOf(s.Traits()).violation(theta) }

// definition is the definition of a set. It does not call the methods of the set. Both functions are nil if the Traits
// do not determine the set.
type definition struct {
	violation func(theta []float64) float64               // by how much θ violates the definition
	sample    func(r *rand.Rand, m int) (theta []float64) // a random point of Θ
}

// definitionOf returns the definition of the set with these Traits.
func definitionOf(t set.Traits) definition {
	randomMatrix := func(r *rand.Rand, m int) []float64 { return randomPSD(r, matrixOrder(m), t.Sum) }
	switch {
	case t.Matrices && t.Cone: // the violation is divided by max(1, largest |eigenvalue|)
		return definition{func(theta []float64) float64 {
			l := eigenvalues(theta)
			return max(asymmetry(theta), -l[0]) / max(1, -l[0], l[len(l)-1])
		}, randomMatrix}
	case t.Spectraplex():
		return definition{func(theta []float64) float64 {
			l := eigenvalues(theta)
			return max(asymmetry(theta), -l[0], math.Abs(floats.Sum(l)-t.Sum))
		}, randomMatrix}
	case t.Orthant():
		return definition{func(theta []float64) float64 { return max(0, -floats.Min(theta)) }, nonnegativeNumbers}
	case t.Simplex():
		return definition{func(theta []float64) float64 {
			return max(-floats.Min(theta), math.Abs(floats.Sum(theta)-t.Sum))
		}, func(r *rand.Rand, m int) []float64 {
			p := nonnegativeNumbers(r, m)
			p[r.IntN(m)]++
			floats.Scale(t.Sum/floats.Sum(p), p)
			return p
		}}
	case t.Ball != nil:
		return definition{func(theta []float64) float64 {
			return max(0, -floats.Min(theta), normQ(subtractCenter(*t.Ball, theta), t.Ball.Q)-t.Ball.Radius)
		}, func(r *rand.Rand, m int) []float64 { return randomBallPoint(r, m, *t.Ball) }}
	}
	return definition{}
}

// nonnegativeNumbers returns m random numbers ≥ 0. Each is 0 with probability ¼.
func nonnegativeNumbers(r *rand.Rand, m int) []float64 {
	p := make([]float64, m)
	for k := range p {
		p[k] = r.ExpFloat64() * float64(r.IntN(4))
	}
	return p
}

// randomBallPoint returns a random point of b.
func randomBallPoint(r *rand.Rand, m int, b set.Ball) []float64 {
	p := nonnegativeNumbers(r, m)
	for k := range p {
		p[k] *= r.NormFloat64()
	}
	if n := normQ(p, b.Q); n > 0 {
		floats.Scale(b.Radius/n*min(1, 2*r.Float64())*(1-1e-15), p) // half of the points are on the sphere
	}
	for k := range p {
		if b.Center != nil {
			p[k] += b.Center[k]
		}
		p[k] = max(0, p[k])
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
