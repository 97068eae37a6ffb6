package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// improvePrimal computes an upper bound of F(θ) from the restricted solution f, the objective of f in the function
// space of K(θ). If it is smaller than the upper bound of pt, it replaces Primal, its rounding error and ShiftError of
// pt.
func (p *restricted) improvePrimal(pt *Point) {
	n, norm, normErr := 0.0, 0.0, 0.0
	sumSquares, sumSquaresErr := 0.0, 0.0
	for _, c := range p.columns {
		square, squareErr, values := p.functionNorm(c)
		norm, normErr = norm+square, normErr+squareErr
		n += float64(len(c.f))
		for i, r := range c.residuals {
			valueErr := values[i] + linalg.Gamma(2)*(math.Abs(c.y[i])+math.Abs(c.f[i]))
			sumSquares += r * r
			sumSquaresErr += 2*math.Abs(r)*valueErr + valueErr*valueErr
		}
	}
	sumSquaresErr += linalg.Gamma(n+8) * sumSquares
	primal := norm/2 + sumSquares/(2*p.lambda)
	rounding := normErr/2 + sumSquaresErr/(2*p.lambda) + linalg.Gamma(8+len(p.columns))*primal
	if !(primal+rounding < pt.Primal+pt.Rounding.Primal) {
		return
	}
	pt.Primal, pt.Rounding.Primal = primal, rounding
	// for K(θ) − δI, δ = shift, the objective is at most the objective with λ − δ in place of λ: see loss.Squared
	_, _, shift := pt.Gram.(*matrixFreeGram).Bounds()
	if pt.ShiftError = math.Inf(1); shift < p.lambda {
		loss := (sumSquares + sumSquaresErr) / (2 * p.lambda)
		pt.ShiftError = loss * (shift / (p.lambda - shift)) * (1 + linalg.Gamma(16))
	}
}

// functionNorm returns norm = Σ_kθ_kv_kᵀK_kv_k for the function f = Σ_kθ_kK_kv_k of one column of targets. v_k = Σ_l
// u_lv_l/√θ_k is a sum over the coordinates l of kernel k, with u of column and v_l of spaces. norm is at least the
// squared norm of f in the function space of K(θ). normErr bounds the rounding error of norm, and valueErrs[i] the
// error of the value of f at point i. The value of f_k at point i, and the terms it is summed from, are at most
// size·√K_k,ii. The rounding of the coordinate functions in f_k is at most err·√K_k,ii. The stored rows of K_k at
// landmarks do not contain the diagonal shift of K_k, which the bounds therefore add.
func (p *restricted) functionNorm(c *column) (norm, normErr float64, valueErrs []float64) {
	_, n := p.v.g.Dims()
	r := len(p.v.landmarks)
	// entryErr bounds the relative errors of an entry of K_k, of a product αᵀK_kα', and of the sums in v_kᵀK_kv_k
	entryErr := p.v.g.sweep.Error() + linalg.Gamma(sumBlock+n/sumBlock+2*(r+len(p.v.alphas))+64)
	sumErr := linalg.Gamma(2*len(p.v.kernelOf) + 16) // relative error of the sums over coordinates in f and in v_k
	valueErrs = make([]float64, n)
	for k, t := range p.theta {
		if t == 0 {
			continue
		}
		v, size, err := p.combineCoordinates(c, k)
		norm += t * p.v.quadraticForm(k, v)
		normErr += t * (4*entryErr*size*size + 2*p.v.g.shifts[k]*floats.Dot(v[:r], v[:r]))
		for i, d := range p.v.g.diagonals[k] {
			valueErrs[i] += 2 * t * (err + sumErr*size) * math.Sqrt(max(d, 0))
		}
		for j, i := range p.v.landmarks {
			valueErrs[i] += 2 * t * p.v.g.shifts[k] * math.Abs(v[j])
		}
	}
	return norm, normErr, valueErrs
}

// combineCoordinates returns v_k, and size and err in the comment of functionNorm.
func (p *restricted) combineCoordinates(c *column, k int) (v []float64, size, err float64) {
	v = make([]float64, len(p.v.landmarks)+len(p.v.alphas))
	scale := 1 / math.Sqrt(p.theta[k])
	for l, kernelIndex := range p.v.kernelOf {
		if kernelIndex == k {
			u := scale * c.u[l]
			linalg.Axpy(u, p.v.v[l], v)
			size += math.Abs(u) * p.v.size[l]
			err += math.Abs(u) * p.v.valueErr[l]
		}
	}
	return v, size, err
}
