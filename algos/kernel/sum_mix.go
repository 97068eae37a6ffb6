package kernel

import "github.com/mklnb/mkl/algos/design"

// Mix sets θ of dst to sθ_a + tθ_b and K of dst to sK(θ_a) + tK(θ_b). For a degree above 1, it changes nothing and
// returns false.
func (g *sumGrams) Mix(dst Gram, s float64, a Gram, t float64, b Gram) bool {
	to, _ := dst.(*sumGram)
	x, _ := a.(*sumGram)
	y, _ := b.(*sumGram)
	if g.d != 1 || to == nil || x == nil || y == nil || to.g != g.fittedSum || x.g != to.g || y.g != to.g {
		return false
	}
	u, v := x.sum(), y.sum()
	mixed := design.Sized(&to.s, len(u))
	for i, p := range u {
		mixed[i] = s*p + t*v[i]
	}
	theta := make([]float64, to.m)
	for k := range theta {
		theta[k] = s*x.theta[k] + t*y.theta[k]
	}
	to.theta, to.hasS, to.hasK, to.mixed = theta, true, false, true
	to.matrix.Reset()
	return true
}
