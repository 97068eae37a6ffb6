package tessellated

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// fitted is a Family bound to points. It computes K in the basis (Z·1{z ≥ x}, Z), see the package comment; core is the
// matrix P in this basis. U denotes the n×q matrix of the monomials x^δ of the points, in the order of basis.column.
type fitted struct {
	f         Family
	x         points.Points
	bindError error
	validate  func() error

	d             int // features
	basis         basis
	q             int
	lower, upper  []float64
	scale         *scale
	p             *preparedPoints
	boxIntegrals  []float64 // for each sum of powers c of basis.powerSums, the integral of z^c over the box
	uCentered     []float64 // U minus its column means, n×q; U itself with f.Uncentered
	monomialMeans []float64 // the column means of U, q; 0 with f.Uncentered

	once       sync.Once
	v          []float64   // V(x_i, x_j) for i ≤ j: see volumeRow
	nu         [][]float64 // see computeMeans
	rho        float64     // ρ of Balanced; 1 for Plain
	unitFactor float64     // the number by which all kernels are multiplied; 1 unless f.Unit is set
}

// bindPoints computes the box, the scale, the monomials of the points and their means, in O(nq).
func (g *fitted) bindPoints() {
	x := g.x
	g.d = points.Width(x)
	g.basis = newBasis(g.f, g.d)
	g.q = g.basis.q
	if g.f.Lower != nil {
		g.lower, g.upper = g.f.Lower, g.f.Upper
	} else {
		g.scale = newScale(x)
		b := g.f.boundOrDefault(g.d)
		g.lower, g.upper = make([]float64, g.d), make([]float64, g.d)
		for j := range g.d {
			g.lower[j], g.upper[j] = -b, 1+b
		}
	}
	for _, c := range g.basis.powerSums {
		a := 1.0
		for j, e := range c {
			a *= (g.upper[j] - g.lower[j]) * meanPower(e, g.lower[j], g.upper[j])
		}
		g.boxIntegrals = append(g.boxIntegrals, a)
	}
	g.p = g.preparePoints(x)
	g.monomialMeans = make([]float64, g.q)
	g.uCentered = g.p.u
	if !g.f.Uncentered {
		g.uCentered = slices.Clone(g.p.u)
		centerColumns(g.monomialMeans, g.uCentered, g.q)
	}
}

// boundOrDefault returns Bound, or its default for this number of features.
func (f Family) boundOrDefault(featureCount int) float64 {
	switch {
	case f.Bound > 0:
		return f.Bound
	case featureCount <= 15:
		return 0.5
	}
	return float64(featureCount) / 6
}

// centerColumns subtracts the mean of each column of a, n×q, from the column, and stores the means in mean. A constant
// column becomes exactly 0.
func centerColumns(mean, a []float64, q int) {
	n := len(a) / q
	for k := range q {
		s, smallest, largest := 0.0, a[k], a[k]
		for i := range n {
			v := a[i*q+k]
			s += v
			smallest, largest = min(smallest, v), max(largest, v)
		}
		if mean[k] = s / float64(n); smallest == largest {
			mean[k] = smallest
		}
		for i := range n {
			a[i*q+k] -= mean[k]
		}
	}
}

// runValidation computes the result of Validate: the error of Family.check, or an error if volumes, monomials, ρ or
// unitFactor are out of range.
func (g *fitted) runValidation() error {
	if g.bindError != nil {
		return g.bindError
	}
	for _, a := range g.boxIntegrals {
		if math.IsInf(a, 0) || g.boxIntegrals[0] < 1e-290 {
			return fmt.Errorf("tessellated: the volume of the box is %.3g, beyond the range of numbers, with %d "+
				"features; choose a Bound whose box has a volume nearer to 1", g.boxIntegrals[0], g.d)
		}
	}
	for i := range g.p.n {
		for _, v := range g.p.u[i*g.q : (i+1)*g.q] {
			if !(math.Abs(v) < 1e100) {
				return fmt.Errorf("tessellated: a monomial of point %d is %g; scale the features down", i+1, v)
			}
		}
	}
	g.computeVolumes(0)
	if g.f.Metric == Balanced && !(g.rho > 0 && !math.IsInf(g.rho, 1)) {
		return errors.New("tessellated: Balanced cannot scale a kernel with V(x_i,x_i) = 0 for all points; use a " +
			"larger Bound")
	}
	if g.f.Unit && !(g.unitFactor > 0 && !math.IsInf(g.unitFactor, 1)) {
		return errors.New("tessellated: Unit cannot scale a kernel whose mean diagonal is 0; pass different points, " +
			"or set Unit to false")
	}
	return nil
}

// computeVolumes computes the fields v, nu, rho and unitFactor in O(n²), with the given limit on threads. Only the
// first call does so.
func (g *fitted) computeVolumes(threads linalg.ThreadLimit) {
	g.once.Do(func() {
		n := g.p.n
		g.v = make([]float64, n*(n+1)/2)
		zeroPowers := g.basis.powerSums[0]
		threads.Run(tileCount(n), func(t int) {
			for i := t * tileRows; i < min(n, (t+1)*tileRows); i++ {
				g.storeVolumes(g.volumeRow(i), zeroPowers, g.p, i, g.p, i)
			}
		})
		if !g.f.Uncentered {
			g.computeMeans(threads)
		}
		g.rho, g.unitFactor = 1, 1
		if g.f.Metric == Balanced {
			s := 0.0
			for i := range n {
				s += g.volumeRow(i)[0]
			}
			g.rho = math.Sqrt(g.boxIntegrals[0] * float64(n) / s)
		}
		if g.f.Unit {
			k := g.newCore()
			for i := range 2 * g.q {
				g.addEntry(k, i, i, 1/float64(2*g.q))
			}
			s := 0.0
			for _, v := range g.diagonalOfK(k) {
				s += v
			}
			g.unitFactor = float64(n) / s
		}
	})
}

// tileRows is the number of rows of K in a tile.
const tileRows = 64

// tileCount returns the number of tiles for n rows.
func tileCount(n int) int { return (n + tileRows - 1) / tileRows }

// volumeRow returns V(x_i, x_j) for j = i, …, n−1. V(x_i, x_j) is the volume of the part of the box with z ≥ x_i and z
// ≥ x_j.
func (g *fitted) volumeRow(i int) []float64 {
	n := g.p.n
	at := i * (2*n - i + 1) / 2
	return g.v[at : at+n-i]
}

// storeIntegralRow stores in dst the integrals of z^e over the part of the box with z ≥ x_i and z ≥ x_j, for j = i,
// i+1, … The exponents e are basis.powerSums[sumIndex].
func (g *fitted) storeIntegralRow(dst []float64, sumIndex, i int) {
	if sumIndex == 0 {
		copy(dst, g.volumeRow(i))
		return
	}
	g.storeVolumes(dst, g.basis.powerSums[sumIndex], g.p, i, g.p, i)
}

// computeMeans computes, for each index c of basis.powerSums and block b, the n×|b| numbers
//
//	ν(x_i) = mean_j vol_c(x_i, x_j) u_b(x_j),
//
// and stores them in nu[meanIndex(c, b)]. vol_c(x, y) is the integral of z^e with e = basis.powerSums[c] over z ≥ x and
// z ≥ y, and u_b are the monomials of block b. rowMeans computes the means of the rows of K(θ) from them in O(nq²), or
// rankOneMeans in O(nq). An entry of nu is nil if hasPartnerBlock(c, b) is false.
func (g *fitted) computeMeans(threads linalg.ThreadLimit) {
	n, q := g.p.n, g.q
	g.nu = make([][]float64, len(g.boxIntegrals)*len(g.basis.blocks))
	for c := range g.boxIntegrals {
		for b, bl := range g.basis.blocks {
			if g.hasPartnerBlock(c, b) {
				g.nu[g.meanIndex(c, b)] = make([]float64, n*bl.len())
			}
		}
	}
	for b, bl := range g.basis.blocks {
		if g.hasPartnerBlock(0, b) {
			g.addMeansOfV(threads, g.nu[g.meanIndex(0, b)], bl)
		}
	}
	threads.Run(tileCount(n), func(t int) {
		i0, i1 := t*tileRows, min(n, (t+1)*tileRows)
		buf := make([]float64, (i1-i0)*n)
		for c := 1; c < len(g.boxIntegrals); c++ {
			for i := i0; i < i1; i++ {
				g.storeVolumes(buf[(i-i0)*n:][:n], g.basis.powerSums[c], g.p, i, g.p, 0)
			}
			for b, bl := range g.basis.blocks {
				if nu, w := g.nu[g.meanIndex(c, b)], bl.len(); nu != nil {
					linalg.ThreadLimit(1).Gemm(false, false, i1-i0, w, n, 1/float64(n), buf, n, g.p.u[bl.first:], q, 0,
						nu[i0*w:], w)
				}
			}
		}
	})
}

// addMeansOfV adds mean_j V(x_i, x_j) u_b(x_j) to row i of dst, n×|b|. V(x_i, x_j) is stored for i ≤ j (volumeRow), and
// u_b are the monomials of block b. A tile of rows of the upper triangle of V gives the terms with j ≥ i of its rows,
// and the transposed tile terms with j ≤ i. The diagonal is halved, because it is in both.
func (g *fitted) addMeansOfV(threads linalg.ThreadLimit, dst []float64, b block) {
	n, q, w := g.p.n, g.q, b.len()
	buf, c := make([]float64, min(n, tileRows)*n), 1/float64(n)
	for i0 := 0; i0 < n; i0 += tileRows {
		i1 := min(n, i0+tileRows)
		for i := i0; i < i1; i++ {
			row := buf[(i-i0)*n : (i-i0+1)*n]
			clear(row[:i])
			copy(row[i:], g.volumeRow(i))
			row[i] /= 2
		}
		threads.Gemm(false, false, i1-i0, w, n-i0, c, buf[i0:], n, g.p.u[i0*q+b.first:], q, 1, dst[i0*w:], w)
		threads.Gemm(true, false, n-i0, w, i1-i0, c, buf[i0:], n, g.p.u[i0*q+b.first:], q, 1, dst[i0*w:], w)
	}
}

// meanIndex returns the index in nu for an index of basis.powerSums and the index of a block.
func (g *fitted) meanIndex(sumIndex, block int) int { return sumIndex*len(g.basis.blocks) + block }
