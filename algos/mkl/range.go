package mkl

import (
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// ErrRange reports numbers so large or so small that products of them overflow or vanish, so that nothing can be
// proved with them. The error says which numbers, how large they are, and what brings them near 1.
var ErrRange = errors.New("beyond the range in which bounds can be computed")

// widest bounds sizes whose squares, and sums of those, are numbers with all their digits; so does 1/widest.
const widest = 1e140

// cure is what brings sizes near 1.
const cure = "bring K(θ), the targets and λ or C near 1: rescale the features (kernel.Prepare) or normalise the " +
	"kernels (kernel.Sum.Normalize)"

// overflow is an ErrRange that explains another error, and is that too.
type overflow struct{ found, cause error }

func (e *overflow) Error() string   { return e.found.Error() }
func (e *overflow) Unwrap() []error { return []error{e.found, e.cause} }

// kernelInRange returns the largest K_ii of K(θ), to which the Gram has been moved, and an ErrRange where K overflows.
func (pt *Point) kernelInRange() (size float64, err error) {
	_, n := pt.p.Grams.Dims()
	diag, _ := loss.Diagonal(nil, pt.Gram, n)
	for i, v := range diag {
		if !(v <= widest*widest) {
			return v, fmt.Errorf("%w: K(θ) of point %d with itself is %.2g: %s", ErrRange, i+1, v, cure)
		}
		size = max(size, v)
	}
	return size, nil
}

// inRange is an ErrRange where what an evaluated point holds is no number, or where the products that bounds are made
// of would overflow or vanish.
func (pt *Point) inRange() error {
	size, err := pt.kernelInRange()
	if err != nil {
		return err
	}
	targets := 0.0
	for _, y := range pt.p.Y { // NaN is no target
		if y == y {
			targets = max(targets, math.Abs(y))
		}
	}
	far := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s, where K(θ) is as large as %.2g and targets as %.2g: %s", ErrRange,
			fmt.Sprintf(format, args...), size, targets, cure)
	}
	top := floats.Norm(pt.W, math.Inf(1))
	if top > 0 && top < 1/widest || !(top <= widest) {
		return far("dual coefficients are as large as %.2g", top)
	}
	for _, v := range [...]float64{pt.Lin, pt.Quad, pt.WKW, pt.Primal, pt.R} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return far("a part of F is %g", v)
		}
	}
	if steep := floats.Norm(pt.GradJ(), math.Inf(1)); !(steep <= widest*widest) {
		return far("the gradient of J is as large as %.2g", steep)
	}
	// ⟨∇J, θ⟩ is −½wᵀKw, times the degree
	if theta := floats.Norm(pt.Theta, 1); pt.WKW/theta < 1/widest/widest && pt.WKW > 0 {
		return far("the gradient of J at θ of size %.2g vanishes", theta)
	}
	return nil
}

// boundsInRange is an ErrRange where a bound is no number.
func (pt *Point) boundsInRange(c *Certificate) error {
	if math.IsNaN(c.Upper) || math.IsNaN(c.Lower) || math.IsNaN(c.Residual) || math.IsNaN(c.Lift) ||
		math.IsInf(c.Lower, 1) || math.IsInf(c.Upper, -1) {
		return fmt.Errorf("%w: the bounds of F = %.3g are %g and %g by %s: %s", ErrRange, pt.F(), c.Lower, c.Upper,
			c.By, cure)
	}
	return nil
}
