package tessellated

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// cross is K between l new points and the points of g.
type cross struct {
	g                 *fitted
	threads           linalg.ThreadLimit
	z                 *preparedPoints
	centeredMonomials []float64 // the monomials of z minus their means over the points of g
}

// Cross returns K between z and the points of g. It scales z with the scales that were fitted to these points.
func (g *Grams) Cross(z points.Points) kernel.Cross {
	g.mustBeBound()
	g.panicUnlessFeaturesMatch(z)
	g.computeVolumesAndScales(g.threads)
	c := &cross{g: g.fitted, threads: g.threads, z: g.preparePoints(z)}
	c.centeredMonomials = c.z.u
	if !g.f.Uncentered {
		c.centeredMonomials = make([]float64, len(c.z.u))
		for i := range c.z.n {
			floats.SubTo(c.centeredMonomials[i*g.q:(i+1)*g.q], c.z.u[i*g.q:(i+1)*g.q], g.monomialMeans)
		}
	}
	return c
}

// checkFeatures returns an error if z does not have as many features as the points of g.
func (g *fitted) checkFeatures(z points.Points) error {
	if d := points.FeatureCount(z); d != g.d {
		return fmt.Errorf("tessellated: the new points (%T) have %d features; the fixed points have %d", z, d, g.d)
	}
	return nil
}

func (g *fitted) panicUnlessFeaturesMatch(z points.Points) {
	if err := g.checkFeatures(z); err != nil {
		panic(err)
	}
}

// StoreMatrix stores K for θ = vec P between l new and n fixed points in dst, l×n, in O(lnq + (l+n)q²) for q monomials.
func (c *cross) StoreMatrix(dst *mat.Dense, theta []float64) {
	g := c.g
	l, n, q := c.z.n, g.p.n, g.q
	if rows, cols := dst.Dims(); rows != l || cols != n {
		panic(fmt.Sprintf("tessellated: dst of Cross.StoreMatrix is %d×%d; it must be %d×%d", rows, cols, l, n))
	}
	if len(theta) != 4*q*q {
		panic(fmt.Sprintf(badTheta, len(theta), 4*q*q))
	}
	k := g.newTransformedP()
	g.storeTransformedP(k, theta)
	jointTerms := g.computeJointTerms(k, c.z, g.p)
	mean := make([]float64, q)
	fx := g.computeLowRankFactor(k, g.p, g.centeredMonomials, mean, true)
	fz := g.computeLowRankFactor(k, c.z, c.centeredMonomials, mean, false)
	var r []float64
	grandMean := 0.0
	if !g.f.Uncentered {
		r = g.computeRowMeansOfJointTerms(k)
		grandMean = floats.Sum(r) / float64(n)
	}
	raw := dst.RawMatrix()
	singleThread := linalg.ThreadLimit(1)
	c.threads.Run(countRowTiles(l), func(t int) {
		i0, i1 := t*tileRows, min(l, (t+1)*tileRows)
		b, integrals := make([]float64, (i1-i0)*n), make([]float64, n)
		for i := i0; i < i1; i++ {
			clear(raw.Data[i*raw.Stride:][:n])
		}
		for _, p := range jointTerms {
			beta := 0.0
			for j, f := range p.leftFactors {
				singleThread.Gemm(false, true, i1-i0, n, f.w, 1, f.entriesFromRow(i0), f.ld,
					p.rightFactors[j].entries, p.rightFactors[j].ld,
					beta, b, n)
				beta = 1
			}
			for i := i0; i < i1; i++ {
				g.storeJointIntegrals(integrals, g.basis.exponentSums[p.exponentSumIndex], c.z, i, g.p, 0)
				row, a := raw.Data[i*raw.Stride:][:n], b[(i-i0)*n:(i-i0+1)*n]
				for j, v := range integrals {
					row[j] += v * a[j]
				}
			}
		}
		if r != nil {
			for i := i0; i < i1; i++ {
				row := raw.Data[i*raw.Stride:][:n]
				mean := floats.Sum(row) / float64(n)
				for j, v := range r {
					row[j] += grandMean - mean - v
				}
			}
		}
		singleThread.Gemm(false, true, i1-i0, n, q, 1, fz[i0*q:], q, g.centeredMonomials, q, 1,
			raw.Data[i0*raw.Stride:], raw.Stride)
		singleThread.Gemm(false, true, i1-i0, n, q, 1, c.centeredMonomials[i0*q:], q, fx, q, 1,
			raw.Data[i0*raw.Stride:], raw.Stride)
	})
}

// CheckNewPoints returns the indices of the points of z that lie outside the box after scaling. It returns an error if
// z does not have as many features as the points of g.
func (g *Grams) CheckNewPoints(z points.Points) (out kernel.OutOfDomain, err error) {
	if g.bindError != nil {
		return out, g.bindError
	}
	if err := g.checkFeatures(z); err != nil {
		return out, err
	}
	row := make([]float64, g.d)
	for i := range z.Len() {
		z.StoreFeatures(row, i)
		g.scale.scaleRow(row)
		for j, v := range row {
			if v < g.boxLower[j] || v > g.boxUpper[j] {
				out.PointIndices = append(out.PointIndices, i)
				break
			}
		}
	}
	out.HandlingText = "points outside the box are moved to its nearest face in integrals, but not in monomials"
	return out, nil
}

// Box returns the limits of the box of integration in each feature, in the units of the features before scaling.
func (g *Grams) Box() (lower, upper []float64) {
	g.mustBeBound()
	lower, upper = make([]float64, g.d), make([]float64, g.d)
	for j := range g.d {
		lower[j], upper[j] = g.boxLower[j], g.boxUpper[j]
		if s := g.scale; s != nil && s.width[j] != 0 {
			lower[j], upper[j] = s.minimum[j]+lower[j]*s.width[j], s.minimum[j]+upper[j]*s.width[j]
		}
	}
	return lower, upper
}

// ScaledFeatures returns the features of z as the kernel uses them: with the scales of the points of g.
func (g *Grams) ScaledFeatures(z points.Points) [][]float64 {
	g.mustBeBound()
	g.panicUnlessFeaturesMatch(z)
	rows := make([][]float64, z.Len())
	for i := range rows {
		rows[i] = make([]float64, g.d)
		z.StoreFeatures(rows[i], i)
		g.scale.scaleRow(rows[i])
	}
	return rows
}

// Matrix returns the 2q×2q matrix P of the kernel k_P(x,y) = ∫N(z,x)ᵀPN(z,y)dz at theta. Up to the factor of
// UnitMeanDiagonal, θ = vec P with Plain. With Balanced, θ = vec P', P' = [Q R; Rᵀ S] is the matrix for (ρN₁, N₁ + N₂),
// N = (N₁, N₂), and P = [ρ²Q+ρ(R+Rᵀ)+S, ρR+S; ρRᵀ+S, S]. ρ² is the volume of the box divided by the mean volume of its
// part z ≥ x_i.
func (g *Grams) Matrix(theta []float64) (parameter *mat.SymDense) {
	g.mustBeBound()
	g.computeVolumesAndScales(g.threads)
	q := g.q
	if len(theta) != 4*q*q {
		panic(fmt.Sprintf(badTheta, len(theta), 4*q*q))
	}
	p := mat.NewSymDense(2*q, nil)
	at := func(i, j int) float64 { return g.kernelMultiplier * (theta[i*2*q+j] + theta[j*2*q+i]) / 2 }
	for i := range q {
		for j := range q {
			a, b, bt, c := at(i, j), at(i, q+j), at(q+i, j), at(q+i, q+j)
			if g.f.TraceMetric == Balanced { // P from the blocks of P' = [Q R; Rᵀ S]
				a, b, bt = g.rho*g.rho*a, g.rho*b, g.rho*bt
				a, b = a+b+bt+c, b+c
			}
			if i <= j {
				p.SetSym(i, j, a)
				p.SetSym(q+i, q+j, c)
			}
			p.SetSym(i, q+j, b)
		}
	}
	return p
}
