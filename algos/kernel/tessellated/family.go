// Package tessellated provides the tessellated kernels of Colbert and Peet, a family in which a whole positive
// semidefinite matrix P is learned instead of the weights of given kernels.
//
//	g := tessellated.Family{Degree: 1}.Bind(x)
//	p := &mkl.Problem{Grams: g, Set: set.Spectraplex{}, Loss: loss.Hinge{C: 1}, Y: y}
//	r, err := mkl.Solve(ctx, p, mkl.FrankWolfe{}, nil)
//
//	Family        the family: the degree of the monomials, the box, the Basis and the TraceMetric; θ is P, row by row
//	Grams         the family on points, with Matrix(θ), the P of a result, and Monomial, which names its rows
//
// The kernel is an integral over a box [a,b] that contains the points (Family.BoxMargin),
//
//	k_P(x,y) = ∫_{[a,b]} N(z,x)ᵀ P N(z,y) dz,   θ = vec P, P ⪰ 0 of 2q×2q,
//	N(z,x)   = (Z(z,x)·1{z ≥ x}, Z(z,x)·(1 − 1{z ≥ x})),   Z the q monomials of degree at most d,
//
// and 1{z ≥ x} is 1 if z_j ≥ x_j for every feature j, and 0 otherwise. The kernel is linear in P. Tessellated kernel
// learning minimizes over {P ⪰ 0, tr P = c} (set.Spectraplex) with mkl.FrankWolfe.
//
// The kernel of the default basis is, with P = [Q R; Rᵀ S],
//
//	V(x,y) u(x)ᵀ(Q−R−Rᵀ+S)u(y) + t(x) u(x)ᵀ(R−S)u(y) + u(x)ᵀ(Rᵀ−S)u(y) t(y) + A u(x)ᵀSu(y).
//
// Here u(x) are the q monomials in x. V(x,y) is the volume of the part of the box with z ≥ x and z ≥ y. t(x) is the
// volume of the part with z ≥ x, and A is the volume of the whole box. Only V depends on x and y together. Therefore
// the n×n array of V is computed once for every P, and the other terms together have rank 2q. The (2q)² matrices
// ∂K/∂P_ij are never built.
//
// References:
//   - B. Colbert, M. Peet, A convex parametrization of a new class of universal kernel functions, JMLR 21 (2020):
//     definition (7), Lemma 5, Corollary 13. In the last integral of Corollary 13, this package uses the transposed
//     t_ji(y,x) in place of t(y,x). For points outside the box, it restricts the integrals to the box.
//   - A. Talitckii, B. Colbert, M. Peet, Efficient convex algorithms for universal kernel learning, JMLR 25 (2024).
package tessellated

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// Basis selects the monomials of degree at most d that are the entries of Z(z,x), the vector in the integrand.
type Basis string

const (
	X  Basis = ""       // monomials in the point x: the binomial C(f+d, d) for f features and degree d
	ZX Basis = "(z, x)" // monomials in x and the integration variable z: the binomial C(2f+d, d); for few features f
)

// TraceMetric selects the basis in which the trace of P is measured. The kernels are the same for all metrics.
type TraceMetric string

const (
	// Plain measures the trace of the parameter matrix P itself. With many features, kernels learned under a bound on
	// this trace are close to polynomial kernels: the other terms contain the volume of the part z ≥ x of the box,
	// a fraction that decreases like 2^−f with the number of features f.
	Plain TraceMetric = ""
	// Balanced gives both halves of the integrand the same weight for any number of features. It measures the trace of
	// P' in k = ∫N'ᵀP'N' dz, N' = (ρ Z·1{z ≥ x}, Z), where Z(z,x) are the monomials, and ρ² is the volume of the box
	// divided by the mean volume of its part z ≥ x_i over the points.
	Balanced TraceMetric = "balanced"
)

// Family is the map from θ = vec P to the tessellated kernel k_P. Binding it to n points with f features and a basis of
// q monomials takes O(n²(f+q)) operations and stores n²/2 numbers.
//
// Each feature is scaled so that its smallest and largest value among the n points become 0 and 1. A constant feature
// becomes ½. New points are scaled in the same way, so they may lie outside the box. For such points integrals remain
// restricted to the box, but monomials in x continue to grow. Grams.CheckNewPoints finds these points.
type Family struct {
	Degree int // of the monomials, ≥ 0. With 0, nothing is learned: all data have the optimum P = (tr P/2)[1 −1; −1 1]
	Basis  Basis
	// BoxMargin is the b of the box of integration, [−b, 1+b] in every scaled feature. It acts as a length scale of the
	// kernel. The value 0 means ½ for at most 15 features, and f/6 for f > 15 features.
	BoxMargin float64
	// Lower and Upper, one number for each feature, are the limits of the box. If they are set, points are not scaled.
	Lower, Upper []float64
	TraceMetric  TraceMetric // the basis in which the trace of P is measured
	// UnitMeanDiagonal multiplies all kernels by one number, so that the mean diagonal entry of K over the n points is
	// 1 for P = I/2q, the center of {P ⪰ 0, tr P = 1}, of order 2q. The hyperparameter C of a loss then has a
	// comparable effect for any number of features, degree and box.
	UnitMeanDiagonal bool
	// Uncentered turns off centering in feature space, k(x,z) − mean_i k(x_i,z) − mean_j k(x,x_j) + mean_ij k(x_i,x_j).
	// A model with a bias makes the same predictions with and without centering. But without centering digits are lost:
	// for f features, the term of K with the volume of the box is nearly constant and about 2^f times the other terms.
	Uncentered bool
}

var _ kernel.Family = Family{}

// maxRows is the largest allowed number of rows of the parameter matrix P, which then has 25 million entries.
const maxRows = 5000

// Bind returns the Gram matrices of f on the points x, which must have features.
func (f Family) Bind(x points.Points) kernel.Grams {
	g := &fitted{f: f, x: x}
	g.bindError = f.validateForPoints(x)
	if g.bindError == nil {
		g.fitBoxAndScalesToPoints()
	}
	g.validate = sync.OnceValue(g.checkFamilyAndPoints)
	return &Grams{fitted: g}
}

func (f Family) validateForPoints(x points.Points) error {
	switch {
	case f.Degree < 0:
		return fmt.Errorf("tessellated: the degree is %d; use 0 or more", f.Degree)
	case f.Basis != X && f.Basis != ZX:
		return fmt.Errorf("tessellated: unknown basis %q; use %q or %q", f.Basis, X, ZX)
	case f.TraceMetric != Plain && f.TraceMetric != Balanced:
		return fmt.Errorf("tessellated: unknown metric %q; use %q or %q", f.TraceMetric, Plain, Balanced)
	case !(f.BoxMargin >= 0) || math.IsInf(f.BoxMargin, 1):
		return fmt.Errorf("tessellated: BoxMargin is %g; use a finite number > 0, or 0 for the default", f.BoxMargin)
	case x == nil:
		return errors.New("tessellated: the points are nil; pass points.Rows or points.Sparse")
	}
	if err := x.Validate(); err != nil {
		return err
	}
	d := points.FeatureCount(x)
	if d == 0 {
		return fmt.Errorf("tessellated: the points (%T) have no features; pass points.Rows or points.Sparse", x)
	}
	if (f.Lower != nil || f.Upper != nil) && (len(f.Lower) != d || len(f.Upper) != d) {
		return fmt.Errorf("tessellated: the box has %d lower and %d upper limits; pass %d of each, one per feature",
			len(f.Lower), len(f.Upper), d)
	}
	if (f.Lower != nil) && f.BoxMargin != 0 {
		return errors.New("tessellated: both BoxMargin and the limits Lower and Upper are set; set only one of them")
	}
	for j, a := range f.Lower {
		if b := f.Upper[j]; !(a < b) || math.IsInf(b-a, 0) {
			return fmt.Errorf("tessellated: the box is [%g, %g] in feature %d (%s); use lower < upper, both finite",
				a, b, j+1, points.FeatureName(x, j))
		}
	}
	if q := f.monomialCount(d); 2*q > maxRows {
		return fmt.Errorf("tessellated: with degree %d and %d features, the parameter matrix has more than %d rows; "+
			"use a smaller degree or fewer features", f.Degree, d, maxRows)
	}
	return nil
}

// monomialCount returns the number q of monomials for variableCount features, or maxRows if there are more.
func (f Family) monomialCount(variableCount int) int {
	if f.Basis == ZX {
		variableCount *= 2
	}
	q := 1.0
	for k := 1; k <= f.Degree; k++ {
		if q *= float64(variableCount+k) / float64(k); q > maxRows {
			return maxRows
		}
	}
	return int(math.Round(q))
}

// Grams computes the Gram matrices of a Family on n points. Family.Bind returns a *Grams.
type Grams struct {
	kernel.Defaults
	*fitted
	threads linalg.ThreadLimit // limits the number of threads
}

// Degree returns 1, because K is linear in the parameters θ, the entries of P.
func (g *Grams) Degree() int { return 1 }

// Dims returns the number m = (2q)² of parameters for q monomials, and the number n of points.
func (g *Grams) Dims() (m, n int) {
	rows, cols := g.ThetaShape()
	if g.x != nil {
		n = g.x.Len()
	}
	return rows * cols, n
}

// ThetaShape returns the shape of the parameter matrix P, 2q×2q for q monomials.
func (g *Grams) ThetaShape() (rows, cols int) { return 2 * g.q, 2 * g.q }

// Label returns the name of parameter k, an entry of P: its block (Q, R, Rᵀ or S) and the monomials of row and column.
func (g *Grams) Label(k int) string {
	i, j := k/(2*g.q), k%(2*g.q)
	blockName := [2][2]string{{"Q", "R"}, {"Rᵀ", "S"}}[i/g.q][j/g.q]
	return fmt.Sprintf("%s[%s, %s]", blockName, g.Monomial(i%g.q), g.Monomial(j%g.q))
}

// Validate returns an error if the points or the family are invalid.
func (g *Grams) Validate() error { return g.validate() }

// WithThreads returns g with a limit of n threads.
func (g *Grams) WithThreads(n int) kernel.Grams {
	return &Grams{fitted: g.fitted, threads: linalg.ThreadLimit(n)}
}

// Slice returns Grams equal to Bind(x[rows]): scales, centers and weights are fitted to x[rows].
func (g *Grams) Slice(rows []int) kernel.Grams {
	g.mustBeBound()
	if len(rows) == 0 {
		panic("tessellated: Slice got no rows; pass at least one")
	}
	return &Grams{fitted: g.f.Bind(g.x.Slice(rows)).(*Grams).fitted, threads: g.threads}
}

// Block returns K between x[rows] and x[cols]. Scales, centers and weights are fitted to x[cols].
func (g *Grams) Block(rows, cols []int) kernel.Cross {
	g.mustBeBound()
	return g.Slice(cols).(*Grams).Cross(g.x.Slice(rows))
}

func (g *fitted) mustBeBound() {
	if g.bindError != nil {
		panic(g.bindError)
	}
}

// KeptForm returns g as a kernel.Bound.
func (g *Grams) KeptForm() any {
	return kernel.Bound{Family: g.f, Points: g.x, Threads: int(g.threads)}
}
