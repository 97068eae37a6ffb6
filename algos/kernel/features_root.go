package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// featureRoot holds Φ of the features with θ_k > 0, and its storage.
type featureRoot struct {
	phi      mat.Dense
	data     []float64
	active   []int
	mono     *monomials // monomials of as many features as were active when it was created: of
	monoSize int
	row, x   []float64
	scale    []float64 // √(c_eθ^e), if all features are active and d > 1; otherwise empty
}

// phi returns Φ of the monomials of the features with θ_k > 0,
//
//	Φ_ie = √(c_eθ^e)·x_i^e,  |e| = d,
//
// if there are at most n/2 of them and θ ≥ 0, and nil otherwise. It takes O(nr).
func (g *featureGram) phi() *mat.Dense {
	if !g.hasRoot {
		g.root.moveTo(g.theta, g.g)
		g.hasRoot = true
	}
	if g.root.phi.IsEmpty() {
		return nil
	}
	return &g.root.phi
}

// inner stores ΦᵀΦ if every θ_k > 0 and d > 1. Its entries are √(c_eθ^e) P_ef √(c_fθ^f), where P are the products of
// the monomials' values, which do not depend on θ.
func (g *featureGram) inner(dst *mat.SymDense) bool {
	if g.phi() == nil || len(g.root.scale) == 0 {
		return false
	}
	s, to := g.root.scale, dst.RawSymmetric()
	r := len(s)
	p := g.g.monomialProducts(g.on)
	for e := range r {
		row, in := to.Data[e*to.Stride:e*to.Stride+r], p[e*r:(e+1)*r]
		for f := e; f < r; f++ {
			row[f] = s[e] * in[f] * s[f]
		}
	}
	return true
}

// moveTo moves to θ. It leaves phi empty if it is not worthwhile to replace K.
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
	r := max(countMonomials(a, d, n/2), 1) // at θ = 0, one column of zeros
	if r > n/2 {
		return
	}
	if d > 1 && a == g.m {
		f.scaleAll(theta, g, r)
		return
	}
	if d > 1 && a > 0 && (f.mono == nil || f.monoSize != a) {
		f.mono, f.monoSize = newMonomials(a, d), a
	}
	phi, row, x := sized(&f.data, n*r), sized(&f.row, g.m), sized(&f.x, a)
	for i := range n {
		out := phi[i*r : (i+1)*r]
		src := g.design.row(row, i)
		for t, k := range f.active {
			x[t] = math.Sqrt(theta[k]) * src[k]
		}
		switch {
		case a == 0:
			clear(out)
		case d == 1:
			copy(out, x)
		default:
			f.mono.evaluate(out, x)
			for e, c := range f.mono.coef {
				out[e] *= math.Sqrt(c)
			}
		}
	}
	f.phi = *mat.NewDense(n, r, phi)
}

// scaleAll implements at if every feature is active. It scales the values of the monomials, which are stored with the
// points.
func (f *featureRoot) scaleAll(theta []float64, g *fittedFeatures, r int) {
	p, values := g.monomials()
	for e := range r {
		f.scale = append(f.scale, math.Sqrt(p.termWithout(e, -1, -1, theta)))
	}
	phi := sized(&f.data, g.n*r)
	for i := range g.n {
		out, in := phi[i*r:(i+1)*r], values[i*r:(i+1)*r]
		for e, s := range f.scale {
			out[e] = s * in[e]
		}
	}
	f.phi = *mat.NewDense(g.n, r, phi)
}
