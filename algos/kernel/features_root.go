package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// featureRoot is Φ of the features with θ_k > 0, with its storage.
type featureRoot struct {
	phi    mat.Dense
	data   []float64
	active []int
	mono   *monomials // of as many features as are active
	row, x []float64
}

// Root returns Φ of the monomials of the features with θ_k > 0,
//
//	Φ_ie = √(c_eθ^e)·x_i^e,  |e| = d,
//
// where there are at most n/2 of them and θ ≥ 0; else nil. O(nr).
func (g *featureGram) Root() *mat.Dense {
	g.evaluated()
	if !g.hasRoot {
		g.root.at(g.theta, g.g)
		g.hasRoot = true
	}
	if g.root.phi.IsEmpty() {
		return nil
	}
	return &g.root.phi
}

// at moves to θ; phi is empty where K is not worth replacing.
func (f *featureRoot) at(theta []float64, g *fittedFeatures) {
	f.phi.Reset()
	f.active = f.active[:0]
	for k, t := range theta {
		if t < 0 {
			return
		}
		if t > 0 {
			f.active = append(f.active, k)
		}
	}
	n, d, a := g.n, g.d, len(f.active)
	r := max(countMonomials(a, d, n/2), 1) // θ = 0: a column of zeros
	if r > n/2 {
		return
	}
	if d > 1 && a > 0 && (f.mono == nil || f.mono.m != a) {
		f.mono = newMonomials(a, d)
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
			f.mono.of(out, x)
			for e, c := range f.mono.coef {
				out[e] *= math.Sqrt(c)
			}
		}
	}
	f.phi = *mat.NewDense(n, r, phi)
}
