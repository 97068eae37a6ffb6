package tkl

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// Integrand is N(z,x)ᵀPN(z,y) of the definition, with P 2q×2q stored by rows and the monomials z^γ_i x^δ_i.
type Integrand struct {
	Delta, Gamma [][]int
	P            []float64
	Orthant      bool // the second half is 1{z ≤ x} instead of 1 − 1{z ≥ x}
	Printed      bool // exchanges x and y in the monomials of the third term of the closed form, as printed
}

// NewIntegrand returns the integrand of f with P in d features.
func NewIntegrand(f tessellated.Family, p []float64, d int) Integrand {
	g := f.On(points.Rows{N: 1, D: d, Data: make([]float64, d)}).(*tessellated.Grams)
	delta, gamma := g.Exponents()
	return Integrand{delta, gamma, p, f.Variant == tessellated.Orthant, false}
}

// AsPrinted returns k with Printed set.
func (k Integrand) AsPrinted() Integrand {
	k.Printed = true
	return k
}

// at returns the value of the integrand.
func (k Integrand) valueAt(z, x, y []float64) (v float64) {
	mx, my := x, y
	if k.Printed && !isAbove(z, x) && isAbove(z, y) {
		mx, my = y, x
	}
	a, b := k.vectorN(z, x, mx), k.vectorN(z, y, my)
	for i, s := range a {
		for j, t := range b {
			v += s * k.P[i*len(a)+j] * t
		}
	}
	return v
}

// above reports whether z ≥ x.
func isAbove(z, x []float64) bool {
	for j := range z {
		if z[j] < x[j] {
			return false
		}
	}
	return true
}

// n returns N(z,x) with the monomials of m.
func (k Integrand) vectorN(z, x, m []float64) []float64 {
	up := isAbove(z, x)
	down := !up
	if k.Orthant {
		down = isAbove(x, z)
	}
	q := len(k.Delta)
	v := make([]float64, 2*q)
	for i := range q {
		u := monomial(m, k.Delta[i]) * monomial(z, k.Gamma[i])
		if up {
			v[i] = u
		}
		if down {
			v[q+i] = u
		}
	}
	return v
}

func monomial(x []float64, e []int) float64 {
	v := 1.0
	for j, p := range e {
		v *= math.Pow(x[j], float64(p))
	}
	return v
}

// Over returns the integral over the box [a,b]^d by Gauss–Legendre quadrature on the cells between a, x, y and b. It
// does not use the closed form.
func (k Integrand) Over(a, b float64, x, y []float64) float64 {
	z, nodes, weights := make([]float64, len(x)), make([]float64, 4), make([]float64, 4) // exact up to degree 7
	quad.Legendre{}.FixedLocations(nodes, weights, -1, 1)
	var over func(j int, w float64) float64
	over = func(j int, w float64) (s float64) {
		if j == len(x) {
			return w * k.valueAt(z, x, y)
		}
		cuts := []float64{a, min(x[j], y[j]), max(x[j], y[j]), b}
		for c := range 3 {
			l, u := min(max(cuts[c], a), b), min(max(cuts[c+1], a), b)
			for g, node := range nodes {
				z[j] = (l+u)/2 + (u-l)/2*node
				if u > l {
					s += over(j+1, w*(u-l)/2*weights[g])
				}
			}
		}
		return s
	}
	return over(0, 1)
}

// Value returns k_P(x, y) by the closed form of the library for the box [a,b]^d, not centered.
func Value(f tessellated.Family, p []float64, a, b float64, x, y []float64) float64 {
	f.Uncentred, f.Bound = true, 0
	f.Lower, f.Upper = slices.Repeat([]float64{a}, len(x)), slices.Repeat([]float64{b}, len(x))
	k := mat.NewDense(1, 1, nil)
	f.On(points.NewRows([][]float64{y})).Cross(points.NewRows([][]float64{x})).Gram(k, p)
	return k.At(0, 0)
}

// RandomP returns AAᵀ for a 2q×rank matrix A of standard normal numbers, with the q of f in d features.
func RandomP(f tessellated.Family, d, rank int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 'P'))
	m, _ := f.On(points.Rows{N: 1, D: d, Data: make([]float64, d)}).Dims()
	q := int(math.Round(math.Sqrt(float64(m))))
	a := mat.NewDense(q, rank, nil)
	a.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, a)
	var p mat.Dense
	p.Mul(a, a.T())
	return p.RawMatrix().Data
}

// RandomPoint returns a random point of the unit cube.
func RandomPoint(d int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 'x'))
	x := make([]float64, d)
	for j := range x {
		x[j] = r.Float64()
	}
	return x
}

// PolynomialP returns P = [M M; M M]. The indicators cancel, so the kernel is polynomial, |X| u(x)ᵀMu(y).
func PolynomialP(m []float64) []float64 {
	q := int(math.Round(math.Sqrt(float64(len(m)))))
	p := make([]float64, 4*q*q)
	for i := range 2 * q {
		for j := range 2 * q {
			p[i*2*q+j] = m[i%q*q+j%q]
		}
	}
	return p
}

// MatchingM returns the M of Corner for which the kernel matrix of degree len(x) − 1 on the numbers x is target, over a
// box of this length: M = U⁻¹ target U⁻ᵀ/length, where U contains the powers of x.
func MatchingM(x []float64, target mat.Symmetric, length float64) []float64 {
	n := len(x)
	u := mat.NewDense(n, n, nil)
	for i, v := range x {
		for j := range n {
			u.Set(i, j, math.Pow(v, float64(j)))
		}
	}
	var inv, m mat.Dense
	if err := inv.Inverse(u); err != nil && !errors.As(err, new(mat.Condition)) {
		panic(err)
	}
	m.Product(&inv, target, inv.T())
	m.Scale(1/length, &m)
	return m.RawMatrix().Data
}

// SineDistance returns the root mean squared distance on [0, 1] of sin 9x from the nearest function Σ_i c_i k(·, x_i),
// for one feature and degree 1 over [−½, 1½], with m evenly spaced centers x_i.
func SineDistance(p []float64, m int) float64 {
	f, rows := tessellated.Family{Degree: 1}, 201
	a, y := mat.NewDense(rows, m, nil), mat.NewDense(rows, 1, nil)
	for i := range rows {
		x := float64(i) / float64(rows-1)
		y.Set(i, 0, math.Sin(9*x))
		for j := range m {
			a.Set(i, j, Value(f, p, -0.5, 1.5, []float64{x}, []float64{(float64(j) + 0.5) / float64(m)}))
		}
	}
	var svd mat.SVD
	var c, fit mat.Dense
	if !svd.Factorize(a, mat.SVDThin) {
		return math.NaN()
	}
	svd.SolveTo(&c, y, svd.Rank(1e-12))
	fit.Mul(a, &c)
	fit.Sub(y, &fit)
	return mat.Norm(&fit, 2) / math.Sqrt(float64(rows))
}

// Root returns the positive semidefinite square root of a symmetric positive semidefinite matrix.
func Root(g *mat.SymDense) *mat.SymDense {
	n := g.SymmetricDim()
	var e mat.EigenSym
	if !e.Factorize(g, true) {
		return nil
	}
	var v mat.Dense
	e.VectorsTo(&v)
	root := mat.NewSymDense(n, nil)
	for i, l := range e.Values(nil) {
		root.SymRankOne(root, math.Sqrt(max(l, 0)), v.ColView(i))
	}
	return root
}

// Identity returns the n×n identity, stored by rows.
func Identity(n int) []float64 {
	p := make([]float64, n*n)
	for i := range n {
		p[i*n+i] = 1
	}
	return p
}

// ScaleTrace returns P scaled to this trace.
func ScaleTrace(p []float64, trace float64) []float64 {
	n := int(math.Round(math.Sqrt(float64(len(p)))))
	return floats.ScaleTo(make([]float64, len(p)), trace/mat.Trace(mat.NewDense(n, n, p)), p)
}
