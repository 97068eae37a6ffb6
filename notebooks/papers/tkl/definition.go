package tkl

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/tessellated"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// Integrand is N(z,x)ᵀPN(z,y) of the definition, P 2q×2q row by row, the monomials z^γ_i x^δ_i.
type Integrand struct {
	Delta, Gamma [][]int
	P            []float64
	Orthant      bool // the second half is 1{z ≤ x}, else 1 − 1{z ≥ x}
}

// Of is the integrand of f with P in d features.
func Of(f tessellated.Family, p []float64, d int) Integrand {
	g := f.On(kernel.Rows{N: 1, D: d, Data: make([]float64, d)}).(*tessellated.Grams)
	delta, gamma := g.Exponents()
	return Integrand{delta, gamma, p, f.Variant == tessellated.Orthant}
}

// At is its value.
func (k Integrand) At(z, x, y []float64) (v float64) {
	a, b := k.n(z, x), k.n(z, y)
	for i, s := range a {
		for j, t := range b {
			v += s * k.P[i*len(a)+j] * t
		}
	}
	return v
}

// n is N(z,x).
func (k Integrand) n(z, x []float64) []float64 {
	up, down := true, true
	for j := range z {
		up, down = up && z[j] >= x[j], down && z[j] <= x[j]
	}
	if !k.Orthant {
		down = !up
	}
	q := len(k.Delta)
	v := make([]float64, 2*q)
	for i := range q {
		m := monomial(x, k.Delta[i]) * monomial(z, k.Gamma[i])
		if up {
			v[i] = m
		}
		if down {
			v[q+i] = m
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

// Over is its integral over the box [a,b]^d, by Gauss and Legendre on the cells between a, x, y and b: no
// closed form is used.
func (k Integrand) Over(a, b float64, x, y []float64) float64 {
	z, nodes, weights := make([]float64, len(x)), make([]float64, 4), make([]float64, 4) // exact to degree 7
	quad.Legendre{}.FixedLocations(nodes, weights, -1, 1)
	var over func(j int, w float64) float64
	over = func(j int, w float64) (s float64) {
		if j == len(x) {
			return w * k.At(z, x, y)
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

// Printed is the closed form of the introduction, R^T_ij t_ij(y,x) included, for the box [a,b]^d.
func (k Integrand) Printed(a, b float64, x, y []float64) (v float64) {
	q, d := len(k.Delta), len(x)
	t := func(from []float64, i, j int) float64 { // T(from, b, γ_i+γ_j+1)
		v := 1.0
		for m := range d {
			e := float64(k.Gamma[i][m] + k.Gamma[j][m] + 1)
			v *= (math.Pow(b, e) - math.Pow(from[m], e)) / e
		}
		return v
	}
	low, top := make([]float64, d), make([]float64, d)
	for m := range d {
		low[m], top[m] = a, max(x[m], y[m])
	}
	for i := range q {
		for j := range q {
			xy := monomial(x, k.Delta[i]) * monomial(y, k.Delta[j])
			yx := monomial(y, k.Delta[i]) * monomial(x, k.Delta[j])
			g := xy * t(top, i, j)
			t1, t2 := xy*t(x, i, j)-g, yx*t(y, i, j)-yx*t(top, i, j) // t_ij(x,y), t_ij(y,x)
			h := xy*t(low, i, j) - g - t1 - t2
			at := func(i, j int) float64 { return k.P[i*2*q+j] }
			v += at(i, j)*g + at(i, q+j)*t1 + at(j, q+i)*t2 + at(q+i, q+j)*h
		}
	}
	return v
}

// boxed is f for the box [a,b]^d, not centred.
func boxed(f tessellated.Family, a, b float64, d int) tessellated.Family {
	f.Uncentred, f.Bound = true, 0
	f.Lower, f.Upper = slices.Repeat([]float64{a}, d), slices.Repeat([]float64{b}, d)
	return f
}

// Value is k_P(x, y) by the library's closed form, for the box [a,b]^d, not centred.
func Value(f tessellated.Family, p []float64, a, b float64, x, y []float64) float64 {
	k := mat.NewDense(1, 1, nil)
	boxed(f, a, b, len(x)).On(kernel.NewRows([][]float64{y})).Cross(kernel.NewRows([][]float64{x})).Gram(k, p)
	return k.At(0, 0)
}

// RandomP is AAᵀ of 2q×rank normal numbers, q that of f in d features.
func RandomP(f tessellated.Family, d, rank int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 'P'))
	m, _ := f.On(kernel.Rows{N: 1, D: d, Data: make([]float64, d)}).Dims()
	q := int(math.Round(math.Sqrt(float64(m))))
	a := mat.NewDense(q, rank, nil)
	a.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, a)
	var p mat.Dense
	p.Mul(a, a.T())
	return p.RawMatrix().Data
}

// RandomPoint is one of the unit cube, with a seed of its own.
func RandomPoint(d int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 'x'))
	x := make([]float64, d)
	for j := range x {
		x[j] = r.Float64()
	}
	return x
}

// Corner is P = [M M; M M]: the indicators cancel, and the kernel is that of polynomials, |X| u(x)ᵀMu(y).
func Corner(m []float64) []float64 {
	q := int(math.Round(math.Sqrt(float64(len(m)))))
	p := make([]float64, 4*q*q)
	for i := range 2 * q {
		for j := range 2 * q {
			p[i*2*q+j] = m[i%q*q+j%q]
		}
	}
	return p
}

// Matched is the M of Corner with which the kernel of degree len(x) − 1 on the numbers x is the matrix
// target, whatever it is, over a box of this length: M = U⁻¹ target U⁻ᵀ/length, U the powers of x.
func Matched(x []float64, target mat.Symmetric, length float64) []float64 {
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

// Gram is K(P) on x over the box [a,b]^d, not centred.
func Gram(f tessellated.Family, p []float64, a, b float64, x kernel.Rows) *mat.SymDense {
	g := boxed(f, a, b, x.D).On(x).New()
	g.At(p)
	return g.K()
}

// Rank is the number of eigenvalues above 1e-9 of the largest.
func Rank(k *mat.SymDense) (n int) {
	var e mat.EigenSym
	if !e.Factorize(k, false) {
		return -1
	}
	l := e.Values(nil)
	for _, v := range l {
		if v > 1e-9*l[len(l)-1] {
			n++
		}
	}
	return n
}

// Uniform are n points of the unit cube.
func Uniform(n, d int, seed uint64) kernel.Rows {
	x := kernel.Rows{N: n, D: d}
	for i := range n {
		x.Data = append(x.Data, RandomPoint(d, seed*1000+uint64(i))...)
	}
	return x
}

// Eye is the identity of n×n, row by row.
func Eye(n int) []float64 {
	p := make([]float64, n*n)
	for i := range n {
		p[i*n+i] = 1
	}
	return p
}

// OfTrace is P scaled to this trace.
func OfTrace(p []float64, trace float64) []float64 {
	n := int(math.Round(math.Sqrt(float64(len(p)))))
	return floats.ScaleTo(make([]float64, len(p)), trace/mat.Trace(mat.NewDense(n, n, p)), p)
}
