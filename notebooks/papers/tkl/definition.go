package tkl

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// Integrand is the function N(z,x)ᵀPN(z,y) of z whose integral over a box is the kernel k_P(x, y). N(z,x) has 2q
// entries: q monomials z^γ_i x^δ_i times the indicator 1{z ≥ x}, then the same monomials times 1 − 1{z ≥ x}.
type Integrand struct {
	ExponentsOfX, ExponentsOfZ [][]int   // exponents δ_i of x and γ_i of z
	P                          []float64 // the 2q×2q matrix P, row by row
	Orthant                    bool      // the second half of N(z,x) has the indicator 1{z ≤ x} instead of 1 − 1{z ≥ x}
	asPrinted                  bool      // N(z,x) has monomials of y, N(z,y) of x, if z ≥ y but not z ≥ x: an error
}

// NewIntegrand returns the integrand of the kernel of the family f with the matrix P, for points with d features.
func NewIntegrand(f tessellated.Family, p []float64, d int) Integrand {
	g := f.Bind(points.Rows{N: 1, D: d, Data: make([]float64, d)}).(*tessellated.Grams)
	exponentsOfX, exponentsOfZ := g.Exponents()
	return Integrand{ExponentsOfX: exponentsOfX, ExponentsOfZ: exponentsOfZ, P: p}
}

// AsPrinted returns a copy of k with the error of the paper's closed form, which exchanges x and y in some parts.
func (k Integrand) AsPrinted() Integrand {
	k.asPrinted = true
	return k
}

// valueAt returns the value of the integrand at z.
func (k Integrand) valueAt(z, x, y []float64) (v float64) {
	mx, my := x, y
	if k.asPrinted && !isAtLeast(z, x) && isAtLeast(z, y) {
		mx, my = y, x
	}
	a, b := k.featuresAtZ(z, x, mx), k.featuresAtZ(z, y, my)
	for i, s := range a {
		for j, t := range b {
			v += s * k.P[i*len(a)+j] * t
		}
	}
	return v
}

// isAtLeast reports whether z ≥ x in each coordinate.
func isAtLeast(z, x []float64) bool {
	for j := range z {
		if z[j] < x[j] {
			return false
		}
	}
	return true
}

// featuresAtZ returns N(z,x): indicators at x, monomials at pointOfMonomials, which is x except for the error of
// AsPrinted.
func (k Integrand) featuresAtZ(z, x, pointOfMonomials []float64) []float64 {
	firstIndicator := isAtLeast(z, x)
	secondIndicator := !firstIndicator
	if k.Orthant {
		secondIndicator = isAtLeast(x, z)
	}
	q := len(k.ExponentsOfX)
	v := make([]float64, 2*q)
	for i := range q {
		u := monomial(pointOfMonomials, k.ExponentsOfX[i]) * monomial(z, k.ExponentsOfZ[i])
		if firstIndicator {
			v[i] = u
		}
		if secondIndicator {
			v[q+i] = u
		}
	}
	return v
}

// monomial returns Π_j x_j^e_j.
func monomial(x []float64, e []int) float64 {
	v := 1.0
	for j, p := range e {
		v *= math.Pow(x[j], float64(p))
	}
	return v
}

// Integral returns the integral of k over z in the box [a,b]^d, by Gauss–Legendre quadrature on the cells into which x
// and y divide the box. It does not use the closed form. The quadrature is exact for polynomials up to degree 7.
func (k Integrand) Integral(a, b float64, x, y []float64) float64 {
	z, nodes, weights := make([]float64, len(x)), make([]float64, 4), make([]float64, 4)
	quad.Legendre{}.FixedLocations(nodes, weights, -1, 1)
	// integrate returns w times the integral of the integrand over z[j], z[j+1], …, with fixed coordinates before j.
	var integrate func(j int, w float64) float64
	integrate = func(j int, w float64) (s float64) {
		if j == len(x) {
			return w * k.valueAt(z, x, y)
		}
		cutPoints := []float64{a, min(x[j], y[j]), max(x[j], y[j]), b}
		for c := range 3 {
			l, u := min(max(cutPoints[c], a), b), min(max(cutPoints[c+1], a), b)
			for g, node := range nodes {
				z[j] = (l+u)/2 + (u-l)/2*node
				if u > l {
					s += integrate(j+1, w*(u-l)/2*weights[g])
				}
			}
		}
		return s
	}
	return integrate(0, 1)
}

// Value returns the uncentered kernel k_P(x, y) for the box [lower,upper]^d, by the closed form of the library.
func Value(f tessellated.Family, matrixP []float64, lower, upper float64, x, y []float64) (kernelValue float64) {
	f.Uncentered, f.BoxMargin = true, 0
	f.Lower, f.Upper = slices.Repeat([]float64{lower}, len(x)), slices.Repeat([]float64{upper}, len(x))
	k := mat.NewDense(1, 1, nil)
	f.Bind(points.NewRows([][]float64{y})).Cross(points.NewRows([][]float64{x})).StoreMatrix(k, matrixP)
	return k.At(0, 0)
}

// RandomP returns AAᵀ for a random 2q×rank matrix A of standard normal numbers. q is the number of monomials of f for
// points with d features.
func RandomP(f tessellated.Family, d, rank int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 'P'))
	m, _ := f.Bind(points.Rows{N: 1, D: d, Data: make([]float64, d)}).Dims()
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

// PolynomialP returns the P of a tessellated kernel that equals a polynomial kernel: P = [M M; M M], where coefficients
// holds the q×q matrix M row by row. The indicators in the integrand cancel, so the kernel is |X| u(x)ᵀMu(y), where |X|
// is the volume of the box and u(x) holds the monomials of x.
func PolynomialP(coefficients []float64) []float64 {
	q := int(math.Round(math.Sqrt(float64(len(coefficients)))))
	p := make([]float64, 4*q*q)
	for i := range 2 * q {
		for j := range 2 * q {
			p[i*2*q+j] = coefficients[i%q*q+j%q]
		}
	}
	return p
}

// MatchingM returns the coefficients M of the polynomial kernel boxLength·u(x)ᵀMu(y) of degree len(x) − 1 (see
// PolynomialP) whose kernel matrix on the numbers x is target: M = U⁻¹ target U⁻ᵀ/boxLength; row i of U is u(x_i).
func MatchingM(x []float64, target mat.Symmetric, boxLength float64) (coefficients []float64) {
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
	m.Scale(1/boxLength, &m)
	return m.RawMatrix().Data
}

// SineDistance returns the root mean squared distance on [0, 1] of sin 9x from the nearest function Σ_i c_i k(x, x_i),
// with centerCount evenly spaced centers x_i. The kernel has one feature, degree 1, the matrix P, and the box [−½, 1½].
func SineDistance(matrixP []float64, centerCount int) (rootMeanSquare float64) {
	f, pointCount := tessellated.Family{Degree: 1}, 201
	a, y := mat.NewDense(pointCount, centerCount, nil), mat.NewDense(pointCount, 1, nil)
	for i := range pointCount {
		x := float64(i) / float64(pointCount-1)
		y.Set(i, 0, math.Sin(9*x))
		for j := range centerCount {
			center := (float64(j) + 0.5) / float64(centerCount)
			a.Set(i, j, Value(f, matrixP, -0.5, 1.5, []float64{x}, []float64{center}))
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
	return mat.Norm(&fit, 2) / math.Sqrt(float64(pointCount))
}

// Identity returns the n×n identity matrix row by row.
func Identity(n int) []float64 {
	p := make([]float64, n*n)
	for i := range n {
		p[i*n+i] = 1
	}
	return p
}
