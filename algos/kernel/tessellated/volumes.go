package tessellated

import (
	"math"

	"github.com/mklnb/mkl/algos/points"
)

// preparedPoints holds n scaled points, clipped to the box, with their monomials and integrals over the box.
type preparedPoints struct {
	n int
	x []float64   // the points clipped to the box of integration: n numbers for each feature
	h []float64   // distances b − x to the upper limit b of the box, in the order of field x
	u []float64   // n×q, the values of the q monomials at the points before clipping
	t [][]float64 // the integral of z^c over z ≥ x, n numbers for each vector of exponents c in basis.exponentSums
}

// featureScaling maps feature j to (x_j − minimum_j)/width_j, or to ½ if width_j is 0. If nil, it changes nothing.
type featureScaling struct{ minimum, width []float64 }

// newFeatureScaling returns the scaling of the smallest and the largest value of each feature of x to 0 and 1.
func newFeatureScaling(x points.Points) *featureScaling {
	d, _ := x.Features()
	s := &featureScaling{make([]float64, d), make([]float64, d)}
	smallest, largest, row := make([]float64, d), make([]float64, d), make([]float64, d)
	for i := range x.Len() {
		x.StoreFeatures(row, i)
		for j, v := range row {
			if i == 0 || v < smallest[j] {
				smallest[j] = v
			}
			if i == 0 || v > largest[j] {
				largest[j] = v
			}
		}
	}
	for j := range d {
		s.minimum[j], s.width[j] = smallest[j], largest[j]-smallest[j]
	}
	return s
}

func (s *featureScaling) scaleRow(row []float64) {
	if s == nil {
		return
	}
	for j, v := range row {
		if s.width[j] == 0 { // constant in the points that s was fitted to; any value becomes ½
			row[j] = 0.5
			continue
		}
		row[j] = (v - s.minimum[j]) / s.width[j]
	}
}

// preparePoints scales the points x and computes their monomials and the integrals of z^c over z ≥ x in the box.
func (g *fitted) preparePoints(x points.Points) *preparedPoints {
	n, d, q := x.Len(), g.d, g.q
	p := &preparedPoints{n: n, x: make([]float64, d*n), h: make([]float64, d*n), u: make([]float64, n*q)}
	row := make([]float64, d)
	for i := range n {
		x.StoreFeatures(row, i)
		g.scale.scaleRow(row)
		g.basis.evaluateMonomials(p.u[i*q:(i+1)*q], row)
		for j, v := range row {
			v = min(max(v, g.boxLower[j]), g.boxUpper[j])
			p.x[j*n+i], p.h[j*n+i] = v, g.boxUpper[j]-v
		}
	}
	for _, c := range g.basis.exponentSums {
		t := make([]float64, n)
		for i := range t {
			t[i] = 1
		}
		for j, e := range c {
			for i, v := range p.h[j*n : (j+1)*n] {
				t[i] *= v * meanPower(e, p.x[j*n+i], g.boxUpper[j])
			}
		}
		p.t = append(p.t, t)
	}
	return p
}

// meanPower returns the mean of z^e over lower ≤ z ≤ upper for e = exponent: Σ_k lower^k upper^{e−k}/(e+1).
func meanPower(exponent int, lower, upper float64) float64 {
	if exponent == 0 {
		return 1
	}
	s, p := 0.0, 1.0
	for range exponent + 1 {
		s, p = s*upper+p, p*lower
	}
	return s / float64(exponent+1)
}

// storeJointIntegrals stores in dst the integrals of z^exponents over the part of the box with z ≥ x and z ≥ y, for the
// point x with index leftIndex in left and the points y with indices firstRightIndex, firstRightIndex+1, … in right.
func (g *fitted) storeJointIntegrals(dst []float64, exponents []int, left *preparedPoints, leftIndex int,
	right *preparedPoints, firstRightIndex int) {
	for j := range dst {
		dst[j] = 1
	}
	for f := range g.d {
		boxUpper, hi, xi := g.boxUpper[f], left.h[f*left.n+leftIndex], left.x[f*left.n+leftIndex]
		hs, xs := right.h[f*right.n+firstRightIndex:][:len(dst)], right.x[f*right.n+firstRightIndex:][:len(dst)]
		if e := exponents[f]; e > 0 {
			for j, x := range xs {
				l := math.Max(xi, x)
				dst[j] *= max(0, boxUpper-l) * meanPower(e, l, boxUpper)
			}
			continue
		}
		for j, h := range hs {
			dst[j] *= min(hi, h)
		}
	}
}
