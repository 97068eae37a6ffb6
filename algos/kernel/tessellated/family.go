// Package tessellated provides the family of tessellated kernels,
//
//	k_P(x,y) = ∫_{[a,b]} N(z,x)ᵀ P N(z,y) dz,   θ = vec P, P ⪰ 0 of 2q×2q,
//	N(z,x)   = (Z(z,x)·1{z ≥ x}, Z(z,x)·(1 − 1{z ≥ x})),   Z the q monomials of degree at most d,
//
// The kernel is linear in P. Tessellated kernel learning learns P over {P ⪰ 0, tr P = c} (set.Spectraplex) with
// mkl.FrankWolfe.
//
// V, t and A are the integrals of 1 over z ≥ max(x,y), over z ≥ x and over the whole box. u are the monomials in x,
// and P = [Q R; Rᵀ S]. The kernel of the default basis is
//
//	V(x,y) u(x)ᵀ(Q−R−Rᵀ+S)u(y) + t(x) u(x)ᵀ(R−S)u(y) + u(x)ᵀ(Rᵀ−S)u(y) t(y) + A u(x)ᵀSu(y).
//
// Only V couples x and y. Hence one n×n array serves every P, and the other terms together have rank 2q. The (2q)²
// matrices ∂K/∂P_ij are never built.
//
// References:
//   - B. Colbert, M. Peet, A convex parametrization of a new class of universal kernel functions, JMLR
//     21 (2020): definition (7), Lemma 5, Corollary 13. This package reads the last integral there, t(y,x), as the
//     transposed t_ji(y,x). It restricts the integrals to the box for points outside the box.
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

// Basis selects the monomials in Z(z,x).
type Basis string

const (
	X  Basis = ""       // monomials in x, q = C(f+d, d) for f features
	ZX Basis = "(z, x)" // monomials in z and x of total degree at most d, q = C(2f+d, d): only for small f
)

// Variant selects the region in which the second half of N(z,x) is not 0.
type Variant string

const (
	Complement Variant = ""        // 1 − 1{z ≥ x}: the rest of the box
	Orthant    Variant = "orthant" // 1{z ≤ x}: the same for one feature, a much smaller part of the box for more
)

// Metric selects the coordinates in which tr P is measured. The set of kernels is the same.
type Metric string

const (
	// Plain uses N of the package comment. The share of V falls like 2^−f. With many features f, kernels learned under
	// a trace constraint are therefore polynomial kernels.
	Plain Metric = ""
	// Balanced uses N' = (ρ Z·1{z ≥ x}, Z) with ρ² = A/mean_i V(x_i,x_i). Both halves then have the same weight for
	// any number of features. Only the variant Complement has it.
	Balanced Metric = "balanced"
)

// Family is θ ↦ k_P. Binding it to n points of f features takes O(n²(f+q)) operations and stores n²/2 numbers.
//
// The smallest and the largest value of each feature among the fixed points become 0 and 1. A constant feature becomes
// ½. New points are scaled in the same way, so they may lie outside the box. Integrals remain restricted to the box for
// such points, but monomials in x continue to grow (Grams.CheckNew).
type Family struct {
	Degree  int // d ≥ 0. With d = 0 the best P of trace c is (c/2)[1 −1; −1 1] for all data
	Basis   Basis
	Variant Variant
	// Bound makes [−Bound, 1+Bound] the box in every feature. It acts as a length scale. The value 0 means ½ for at
	// most 15 features, and f/6 for f > 15 features.
	Bound float64
	// Lower and Upper, f numbers each, are the limits of a box. If they are set, points are not scaled.
	Lower, Upper []float64
	Metric       Metric
	// Unit scales all kernels by one number. With it, the mean of K(θ)_ii over the fixed points is 1 at the center of
	// the spectraplex of trace 1. C of a loss then means the same for any f, d and box.
	Unit bool
	// Uncentred turns off centering in feature space, k(x,z) − mean_i k(x_i,z) − mean_j k(x,x_j) +
	// mean_ij k(x_i,x_j). Centering is done term by term. A machine with a bias learns the same either way. Without
	// centering, digits are lost: A is 2^f times larger than V, and its term is a constant.
	Uncentred bool
}

var _ kernel.Family = Family{}

// most is the largest allowed 2q. P then has 25 million entries.
const most = 5000

// On binds f to x. The points must have features.
func (f Family) On(x points.Points) kernel.Grams {
	g := &fitted{f: f, x: x}
	g.bad = f.check(x)
	if g.bad == nil {
		g.bind()
	}
	g.validate = sync.OnceValue(g.judge)
	return &Grams{fitted: g}
}

// check returns an error if f or x is invalid.
func (f Family) check(x points.Points) error {
	switch {
	case f.Degree < 0:
		return fmt.Errorf("tessellated: the degree is %d; use 0 or more", f.Degree)
	case f.Basis != X && f.Basis != ZX:
		return fmt.Errorf("tessellated: unknown basis %q; use %q or %q", f.Basis, X, ZX)
	case f.Variant != Complement && f.Variant != Orthant:
		return fmt.Errorf("tessellated: unknown variant %q; use %q or %q", f.Variant, Complement, Orthant)
	case f.Metric != Plain && f.Metric != Balanced:
		return fmt.Errorf("tessellated: unknown metric %q; use %q or %q", f.Metric, Plain, Balanced)
	case f.Metric == Balanced && f.Variant == Orthant:
		return errors.New("tessellated: the balanced metric is one of the complement variant")
	case !(f.Bound >= 0) || math.IsInf(f.Bound, 1):
		return fmt.Errorf("tessellated: the bound is %g; use a finite number > 0, or 0 for the default", f.Bound)
	case x == nil:
		return errors.New("tessellated: no points (nil)")
	}
	if err := x.Validate(); err != nil {
		return err
	}
	d := points.Width(x)
	if d == 0 {
		return fmt.Errorf("tessellated: the points (%T) have no features; pass points.Rows or points.Sparse", x)
	}
	if (f.Lower != nil || f.Upper != nil) && (len(f.Lower) != d || len(f.Upper) != d) {
		return fmt.Errorf("tessellated: a box of %d and %d limits for %d features", len(f.Lower), len(f.Upper), d)
	}
	if (f.Lower != nil) && f.Bound != 0 {
		return errors.New("tessellated: got both the limits of a box and a bound; pass one of them")
	}
	for j, a := range f.Lower {
		if b := f.Upper[j]; !(a < b) || math.IsInf(b-a, 0) {
			return fmt.Errorf("tessellated: the box is [%g, %g] in feature %d (%s); use lower < upper, both finite",
				a, b, j+1, points.FeatureName(x, j))
		}
	}
	if q := f.monomials(d); 2*q > most {
		return fmt.Errorf("tessellated: degree %d of %d features makes P of more than %d rows: take a smaller "+
			"degree, or fewer features", f.Degree, d, most)
	}
	return nil
}

// monomials returns q for d features, or most if q is larger than most.
func (f Family) monomials(d int) int {
	if f.Basis == ZX {
		d *= 2
	}
	q := 1.0
	for k := 1; k <= f.Degree; k++ {
		if q *= float64(d+k) / float64(k); q > most {
			return most
		}
	}
	return int(math.Round(q))
}

// Grams is a Family on fixed points with a limit on the number of threads. On returns it.
type Grams struct {
	kernel.Defaults
	*fitted
	on linalg.Bound
}

// Degree returns 1, because K is linear in P.
func (g *Grams) Degree() int { return 1 }

// Dims returns m = (2q)² and the number of points.
func (g *Grams) Dims() (m, n int) {
	rows, cols := g.Shape()
	if g.x != nil {
		n = g.x.Len()
	}
	return rows * cols, n
}

// Shape returns 2q, 2q.
func (g *Grams) Shape() (rows, cols int) { return 2 * g.q, 2 * g.q }

// Label returns the name of entry k of P: its block and two monomials.
func (g *Grams) Label(k int) string {
	i, j := k/(2*g.q), k%(2*g.q)
	block := [2][2]string{{"Q", "R"}, {"Rᵀ", "S"}}[i/g.q][j/g.q]
	return fmt.Sprintf("%s[%s, %s]", block, g.Monomial(i%g.q), g.Monomial(j%g.q))
}

// Validate returns an error if the points or the family are invalid.
func (g *Grams) Validate() error { return g.validate() }

// Threads returns g with a limit of n threads.
func (g *Grams) Threads(n int) kernel.Grams { return &Grams{fitted: g.fitted, on: linalg.Bound(n)} }

// Slice returns On(x[rows]). Scaling, centering, ρ and the unit are fitted again.
func (g *Grams) Slice(rows []int) kernel.Grams {
	g.must()
	if len(rows) == 0 {
		panic("tessellated: Slice of no rows")
	}
	return &Grams{fitted: g.f.On(g.x.Slice(rows)).(*Grams).fitted, on: g.on}
}

// Block returns K between x[rows] and x[cols], fitted on cols.
func (g *Grams) Block(rows, cols []int) kernel.Cross {
	g.must()
	return g.Slice(cols).(*Grams).Cross(g.x.Slice(rows))
}

// must panics with the error of check if the points cannot be evaluated.
func (g *fitted) must() {
	if g.bad != nil {
		panic(g.bad)
	}
}
