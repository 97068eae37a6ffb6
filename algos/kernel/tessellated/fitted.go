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

// fitted computes K for a Family on n points, to which the box of integration and the scale are fitted. The q monomials
// are z^γ x^δ in the point x and the integration variable z. U is the n×q matrix of x^δ at the points.
type fitted struct {
	f         Family
	x         points.Points
	bindError error
	validate  func() error

	d                  int // features
	basis              monomialBasis
	q                  int
	boxLower, boxUpper []float64
	scale              *featureScaling
	p                  *preparedPoints
	boxIntegrals       []float64 // the integrals over the box of z^c, one for each c in basis.exponentSums
	centeredMonomials  []float64 // the matrix U of x^δ, n×q, minus the means of its columns; U itself with f.Uncentered
	monomialMeans      []float64 // the means of the q powers x^δ over the points; 0 with f.Uncentered

	volumesOnce      sync.Once
	volumes          []float64     // the volumes V(x_i, x_j) of the part of the box with z ≥ x_i and z ≥ x_j, for i ≤ j
	integralMeans    [][][]float64 // mean_j ∫z^c u(x_j) over z ≥ x_i and z ≥ x_j, for each c in exponentSums, block u
	rho              float64       // with Balanced, ρ in (ρZ·1{z ≥ x}, Z), Z the monomials; 1 for Plain
	kernelMultiplier float64       // all kernels are multiplied by this number; 1 unless f.UnitMeanDiagonal is set
}

// fitBoxAndScalesToPoints computes the box of integration, the scales, the monomials and their means, in O(nq).
func (g *fitted) fitBoxAndScalesToPoints() {
	x := g.x
	g.d = points.FeatureCount(x)
	g.basis = newBasis(g.f, g.d)
	g.q = g.basis.q
	if g.f.Lower != nil {
		g.boxLower, g.boxUpper = g.f.Lower, g.f.Upper
	} else {
		g.scale = newFeatureScaling(x)
		b := g.f.boxBoundOrDefault(g.d)
		g.boxLower, g.boxUpper = make([]float64, g.d), make([]float64, g.d)
		for j := range g.d {
			g.boxLower[j], g.boxUpper[j] = -b, 1+b
		}
	}
	for _, c := range g.basis.exponentSums {
		a := 1.0
		for j, e := range c {
			a *= (g.boxUpper[j] - g.boxLower[j]) * meanPower(e, g.boxLower[j], g.boxUpper[j])
		}
		g.boxIntegrals = append(g.boxIntegrals, a)
	}
	g.p = g.preparePoints(x)
	g.monomialMeans = make([]float64, g.q)
	g.centeredMonomials = g.p.u
	if !g.f.Uncentered {
		g.centeredMonomials = slices.Clone(g.p.u)
		centerColumns(g.monomialMeans, g.centeredMonomials, g.q)
	}
}

// boxBoundOrDefault returns the b of the box [−b, 1+b] in every scaled feature: f.BoxMargin, or its default.
func (f Family) boxBoundOrDefault(featureCount int) float64 {
	switch {
	case f.BoxMargin > 0:
		return f.BoxMargin
	case featureCount <= 15:
		return 0.5
	}
	return float64(featureCount) / 6
}

// centerColumns subtracts from each column of a, n×q, its mean and stores it in mean. Constant columns become exactly
// 0.
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

// checkFamilyAndPoints returns an error if the family or its points are invalid, or if volumes, monomials or the
// factors of Balanced and UnitMeanDiagonal may overflow or underflow.
func (g *fitted) checkFamilyAndPoints() error {
	if g.bindError != nil {
		return g.bindError
	}
	for _, a := range g.boxIntegrals {
		if math.IsInf(a, 0) || g.boxIntegrals[0] < 1e-290 {
			return fmt.Errorf("tessellated: the volume of the box is %.3g, beyond the range of numbers, with %d "+
				"features; choose a BoxMargin whose box has a volume nearer to 1", g.boxIntegrals[0], g.d)
		}
	}
	for i := range g.p.n {
		for _, v := range g.p.u[i*g.q : (i+1)*g.q] {
			if !(math.Abs(v) < 1e100) {
				return fmt.Errorf("tessellated: a monomial of point %d is %g; scale the features down", i+1, v)
			}
		}
	}
	g.computeVolumesAndScales(0)
	if g.f.TraceMetric == Balanced && !(g.rho > 0 && !math.IsInf(g.rho, 1)) {
		return errors.New("tessellated: Balanced divides by the volume of the box above each point, which is 0 for " +
			"all points; use a larger BoxMargin")
	}
	if g.f.UnitMeanDiagonal && !(g.kernelMultiplier > 0 && !math.IsInf(g.kernelMultiplier, 1)) {
		return errors.New("tessellated: UnitMeanDiagonal cannot scale a kernel whose mean diagonal is 0; pass " +
			"different points, or set UnitMeanDiagonal to false")
	}
	return nil
}

// computeVolumesAndScales computes once, in O(n²), volumes, integralMeans, and the factors rho and kernelMultiplier.
func (g *fitted) computeVolumesAndScales(threads linalg.ThreadLimit) {
	g.volumesOnce.Do(func() {
		n := g.p.n
		g.volumes = make([]float64, n*(n+1)/2)
		zeroExponents := g.basis.exponentSums[0]
		threads.Run(countRowTiles(n), func(t int) {
			for i := t * tileRows; i < min(n, (t+1)*tileRows); i++ {
				g.storeJointIntegrals(g.upperRowOfVolumes(i), zeroExponents, g.p, i, g.p, i)
			}
		})
		if !g.f.Uncentered {
			g.computeIntegralMeans(threads)
		}
		g.rho, g.kernelMultiplier = 1, 1
		if g.f.TraceMetric == Balanced {
			s := 0.0
			for i := range n {
				s += g.upperRowOfVolumes(i)[0]
			}
			g.rho = math.Sqrt(g.boxIntegrals[0] * float64(n) / s)
		}
		if g.f.UnitMeanDiagonal {
			k := g.newTransformedP()
			for i := range 2 * g.q {
				g.addToEntryOfP(k, i, i, 1/float64(2*g.q))
			}
			s := 0.0
			for _, v := range g.diagonalOfK(k) {
				s += v
			}
			g.kernelMultiplier = float64(n) / s
		}
	})
}

// tileRows is the number of rows of K in a tile. A thread computes one tile at a time.
const tileRows = 64

func countRowTiles(rowCount int) int { return (rowCount + tileRows - 1) / tileRows }

// upperRowOfVolumes returns V(x_i, x_j), the volume of the part of the box with z ≥ x_i and z ≥ x_j, for j = i, …, n−1.
func (g *fitted) upperRowOfVolumes(i int) []float64 {
	n := g.p.n
	at := i * (2*n - i + 1) / 2
	return g.volumes[at : at+n-i]
}

// storeRowOfJointIntegrals stores in dst the integrals of z^e = Π_k z_k^e_k over the part of the box with z ≥ x_i and
// z ≥ x_j, for j = i, i+1, … The exponents e are basis.exponentSums[exponentSumIndex].
func (g *fitted) storeRowOfJointIntegrals(dst []float64, exponentSumIndex, i int) {
	if exponentSumIndex == 0 {
		copy(dst, g.upperRowOfVolumes(i))
		return
	}
	g.storeJointIntegrals(dst, g.basis.exponentSums[exponentSumIndex], g.p, i, g.p, i)
}

// computeIntegralMeans computes, for each index c of basis.exponentSums and block b of monomials, the n×|b| numbers
//
//	ν(x_i) = mean_j vol_c(x_i, x_j) u_b(x_j),
//
// where vol_c(x, y) is the integral of z^e with e = basis.exponentSums[c] over z ≥ x and z ≥ y, and u_b are the
// monomials of block b. It stores them in integralMeans[c][b], nil if e is not a sum of the exponents of block b and of
// some block. The means of the rows of K then take O(nq²), or O(nq) for P = vvᵀ.
func (g *fitted) computeIntegralMeans(threads linalg.ThreadLimit) {
	n, q := g.p.n, g.q
	g.integralMeans = make([][][]float64, len(g.boxIntegrals))
	for c := range g.boxIntegrals {
		g.integralMeans[c] = make([][]float64, len(g.basis.blocks))
		for b, bl := range g.basis.blocks {
			if g.isExponentSumOfBlock(c, b) {
				g.integralMeans[c][b] = make([]float64, n*bl.len())
			}
		}
	}
	for b, bl := range g.basis.blocks {
		if g.isExponentSumOfBlock(0, b) {
			g.addMeansOfVolumeTimesMonomials(threads, g.integralMeans[0][b], bl)
		}
	}
	threads.Run(countRowTiles(n), func(t int) {
		i0, i1 := t*tileRows, min(n, (t+1)*tileRows)
		buf := make([]float64, (i1-i0)*n)
		for c := 1; c < len(g.boxIntegrals); c++ {
			for i := i0; i < i1; i++ {
				g.storeJointIntegrals(buf[(i-i0)*n:][:n], g.basis.exponentSums[c], g.p, i, g.p, 0)
			}
			for b, bl := range g.basis.blocks {
				if nu, w := g.integralMeans[c][b], bl.len(); nu != nil {
					linalg.ThreadLimit(1).Gemm(false, false, i1-i0, w, n, 1/float64(n), buf, n,
						g.p.u[bl.firstCol:], q, 0, nu[i0*w:], w)
				}
			}
		}
	})
}

// addMeansOfVolumeTimesMonomials adds mean_j V(x_i, x_j) u_b(x_j) to row i of dst, n×|b|. u_b are the monomials of
// block b. Only the upper triangle of V is stored. A tile, tileRows of its rows, gives the terms with j ≥ i, and the
// transposed tile those with j ≤ i. The diagonal is halved, because it belongs to the tile and the transposed tile.
func (g *fitted) addMeansOfVolumeTimesMonomials(threads linalg.ThreadLimit, dst []float64, b block) {
	n, q, w := g.p.n, g.q, b.len()
	buf, c := make([]float64, min(n, tileRows)*n), 1/float64(n)
	for i0 := 0; i0 < n; i0 += tileRows {
		i1 := min(n, i0+tileRows)
		for i := i0; i < i1; i++ {
			row := buf[(i-i0)*n : (i-i0+1)*n]
			clear(row[:i])
			copy(row[i:], g.upperRowOfVolumes(i))
			row[i] /= 2
		}
		threads.Gemm(false, false, i1-i0, w, n-i0, c, buf[i0:], n, g.p.u[i0*q+b.firstCol:], q, 1, dst[i0*w:], w)
		threads.Gemm(true, false, n-i0, w, i1-i0, c, buf[i0:], n, g.p.u[i0*q+b.firstCol:], q, 1, dst[i0*w:], w)
	}
}
