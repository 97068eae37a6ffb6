package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/design"
	"github.com/mklnb/mkl/algos/polynomial"
)

// featureRoot holds Φ, which featureGram.phi defines, and working storage.
type featureRoot struct {
	phi      mat.Dense
	data     []float64
	active   []int             // the features with θ_k > 0
	mono     *polynomial.Terms // the monomials of degree d in monoSize features
	monoSize int
	row, x   []float64
	scale    []float64 // √(c_eθ^e), if all features are active and d > 1; otherwise empty
}

// phi returns Φ, n×r, such that K(θ) = ΦΦᵀ. It has one column for each of the r monomials of degree d in the features
// with θ_k > 0. The monomial with exponents e has
//
//	Φ_ie = √(c_eθ^e)·x_i^e,  |e| = d.
//
// If r > n/2 or an entry of θ is negative, phi returns nil. It takes O(nr). g.matrix stores the result.
func (g *featureGram) phi() *mat.Dense {
	g.root.moveTo(g.theta, g.g)
	if g.root.phi.IsEmpty() {
		return nil
	}
	return &g.root.phi
}

// inner stores ΦᵀΦ in dst and returns true if every θ_k > 0 and d > 1. Entry (e, f) of ΦᵀΦ is √(c_eθ^e) P_ef √(c_fθ^f).
// P, the result of monomialProducts, does not depend on θ. Otherwise inner returns false.
func (g *featureGram) inner(dst *mat.SymDense) bool {
	if g.matrix.Root() == nil || len(g.root.scale) == 0 {
		return false
	}
	s, to := g.root.scale, dst.RawSymmetric()
	r := len(s)
	p := g.g.monomialProducts(g.On)
	for e := range r {
		row, in := to.Data[e*to.Stride:e*to.Stride+r], p[e*r:(e+1)*r]
		for f := e; f < r; f++ {
			row[f] = s[e] * in[f] * s[f]
		}
	}
	return true
}

// moveTo computes Φ for θ. It leaves phi empty if featureGram.phi must return nil.
func (f *featureRoot) moveTo(theta []float64, g *fittedFeatures) {
	f.phi.Reset()
	f.active, f.scale = f.active[:0], f.scale[:0]
	for k, t := range theta {
		if t < 0 {
			return
		}
		if t > 0 {
			f.active = append(f.active, k)
		}
	}
	n, d, a := g.n, g.d, len(f.active)
	r := max(polynomial.Count(a, d, n/2), 1) // at θ = 0, one column of zeros
	if r > n/2 {
		return
	}
	if d > 1 && a == g.m {
		f.scaleAll(theta, g, r)
		return
	}
	if d > 1 && a > 0 && (f.mono == nil || f.monoSize != a) {
		f.mono, f.monoSize = polynomial.New(a, d), a
	}
	phi, row, x := design.Sized(&f.data, n*r), design.Sized(&f.row, g.m), design.Sized(&f.x, a)
	for i := range n {
		out := phi[i*r : (i+1)*r]
		src := g.design.DenseRow(row, i)
		for t, k := range f.active {
			x[t] = math.Sqrt(theta[k]) * src[k]
		}
		switch {
		case a == 0:
			clear(out)
		case d == 1:
			copy(out, x)
		default:
			f.mono.Evaluate(out, x)
			for e, c := range f.mono.Coef {
				out[e] *= math.Sqrt(c)
			}
		}
	}
	f.phi = *mat.NewDense(n, r, phi)
}

// scaleAll computes Φ if every θ_k > 0. It scales the values of the monomials, which fittedFeatures stores.
func (f *featureRoot) scaleAll(theta []float64, g *fittedFeatures, r int) {
	p, values := g.monomials()
	for e := range r {
		f.scale = append(f.scale, math.Sqrt(p.TermWithout(e, -1, -1, theta)))
	}
	phi := design.Sized(&f.data, g.n*r)
	for i := range g.n {
		out, in := phi[i*r:(i+1)*r], values[i*r:(i+1)*r]
		for e, s := range f.scale {
			out[e] = s * in[e]
		}
	}
	f.phi = *mat.NewDense(g.n, r, phi)
}
