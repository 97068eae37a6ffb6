package kernel

import (
	"fmt"
	"math"
)

// tiny is what values of kernels count as nothing below: products of such numbers have lost their digits.
const tiny = 1e-290

// rescale is what helps where features overflow or vanish.
const rescale = "rescale the features (Prepare: kernel.Standardize)"

// columnsInRange names a column of points whose entries are not all 0 but have squares that vanish.
func columnsInRange(d design, label func(k int) string) error {
	n, m := d.size()
	top, row := make([]float64, m), make([]float64, m)
	for i := range n {
		for k, v := range d.row(row, i) {
			top[k] = max(top[k], math.Abs(v))
		}
	}
	for k, v := range top {
		if v > 0 && v*v < tiny {
			return fmt.Errorf("kernel: feature %s is at most %.2g in size, too small to be squared: %s",
				label(k), v, rescale)
		}
	}
	return nil
}

// valuesInRange refuses a kernel that is too large or too small to compute with on points x; dst, of their number,
// becomes its diagonal, which bounds the rest of a positive semidefinite matrix.
func valuesInRange(k Kernel, dst []float64, x Points) error {
	diagonal(k, dst, x)
	top := 0.0
	for i, v := range dst {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("kernel: %v of point %d with itself is %g: the features are too large: %s",
				k, i+1, v, rescale)
		}
		top = max(top, v)
	}
	if top < tiny && (top > 0 || vanished(k, dst, x)) {
		return fmt.Errorf("kernel: %v of a point with itself is %.2g at most, too small to compute with: %s or the "+
			"matrix", k, top, rescale)
	}
	return nil
}

// vanished reports whether a kernel whose diagonal is 0 is that for its rounding: an inner product of features that
// are not 0, or a Product of which no factor is 0 everywhere, or one has vanished. It writes to scratch.
func vanished(k Kernel, scratch []float64, x Points) bool {
	if p, ok := k.(multiplied); ok {
		zero := false
		for i, f := range p.product().Kernels {
			if p.product().Exponents[i] == 0 {
				continue
			}
			top := 0.0
			diagonal(f, scratch, x)
			for _, v := range scratch {
				top = max(top, v)
			}
			if top == 0 && vanished(f, scratch, x) {
				return true
			}
			zero = zero || top == 0
		}
		return !zero
	}
	g, ok := pairs(k)
	if !ok {
		return false
	}
	t, columns := g.pairwise()
	if t != innerProduct {
		return false
	}
	d := mustVectors(x, columns).design()
	n, m := d.size()
	row := make([]float64, m)
	for i := range n {
		for _, v := range d.row(row, i) {
			if v != 0 {
				return true
			}
		}
	}
	return false
}
