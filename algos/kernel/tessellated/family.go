// Package tessellated is the family of tessellated kernels,
//
//	k_P(x,y) = ∫_{[a,b]} N(z,x)ᵀ P N(z,y) dz,   θ = vec P, P ⪰ 0 of 2q×2q,
//	N(z,x)   = (Z(z,x)·1{z ≥ x}, Z(z,x)·(1 − 1{z ≥ x})),   Z the q monomials of degree at most d,
//
// which is linear in P. Learned over {P ⪰ 0, tr P = c} (set.Spectraplex) by mkl.FrankWolfe it is
// tessellated kernel learning.
//
// With V, t and A integrals of 1 over z ≥ max(x,y), z ≥ x and the whole box, u the monomials in x, and
// P = [Q R; Rᵀ S], the kernel of the default basis is
//
//	V(x,y) u(x)ᵀ(Q−R−Rᵀ+S)u(y) + t(x) u(x)ᵀ(R−S)u(y) + u(x)ᵀ(Rᵀ−S)u(y) t(y) + A u(x)ᵀSu(y).
//
// V alone couples x and y, so one n×n array serves every P, and all the rest has rank 2q. The (2q)²
// matrices ∂K/∂P_ij are never built.
//
// References:
//   - B. Colbert, M. Peet, A convex parametrization of a new class of universal kernel functions, JMLR
//     21 (2020): definition (7), Lemma 5, Corollary 13. Its last integral t(y,x) is read as the
//     transposed t_ji(y,x), and integrals are cut to the box for points outside.
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

// Basis says what Z(z,x) holds.
type Basis string

const (
	X  Basis = ""       // monomials in x, q = C(f+d, d) for f features
	ZX Basis = "(z, x)" // monomials in z and x of total degree at most d, q = C(2f+d, d): of small f only
)

// Variant says where the second half of N(z,x) lives.
type Variant string

const (
	Complement Variant = ""        // 1 − 1{z ≥ x}: wherever the first half does not
	Orthant    Variant = "orthant" // 1{z ≤ x}: the same for one feature, much less of the box for more
)

// Metric says in which coordinates tr P is measured. The kernels are the same.
type Metric string

const (
	// Plain is N as it is defined. The share of V falls like 2^−f, so that kernels learned under a
	// trace are those of polynomials where there are many features f.
	Plain Metric = ""
	// Balanced is N' = (ρ Z·1{z ≥ x}, Z) with ρ² = A/mean_i V(x_i,x_i), in which both halves weigh as
	// much for any number of features. Of Complement only.
	Balanced Metric = "balanced"
)

// Family is θ ↦ k_P. On binds it in O(n²(f+q)) for n points of f features, and n²/2 numbers.
//
// Points are scaled to [0,1] by the least and greatest value of each feature among the fixed ones, a
// constant feature to ½; new points get that scaling. They may then lie outside the box: integrals
// remain those over the box, monomials in x go on growing (Grams.Meets).
type Family struct {
	Degree  int // d ≥ 0. With 0 the best P is that of trace c for all data: (c/2)[1 −1; −1 1]
	Basis   Basis
	Variant Variant
	// Bound makes [−Bound, 1+Bound] the box in every feature. It acts as a length scale. If 0, it is ½
	// up to 15 features, and a sixth of their number above.
	Bound float64
	// Lower and Upper, f numbers each, are a box for points that are used as they are.
	Lower, Upper []float64
	Metric       Metric
	// Unit multiplies all kernels by the number that makes the mean of K(θ)_ii 1 on the fixed points
	// at the centre of the spectraplex of trace 1: C of a loss then means the same for any f, d and box.
	Unit bool
	// Uncentred leaves out the centring in feature space, k(x,z) − mean_i k(x_i,z) − mean_j k(x,x_j) +
	// mean_ij k(x_i,x_j), which is done term by term. A machine with a bias learns the same either way,
	// but without it numbers are lost: A is 2^f times larger than V, and stands for a constant.
	Uncentred bool
}

var _ kernel.Family = Family{}

// most is the largest 2q: P then has 25 million entries.
const most = 5000

// On binds f to x, points with features.
func (f Family) On(x points.Points) kernel.Grams {
	g := &fitted{f: f, x: x}
	g.bad = f.check(x)
	if g.bad == nil {
		g.bind()
	}
	g.validate = sync.OnceValue(g.judge)
	return &Grams{fitted: g}
}

// check says what is wrong with f or with x.
func (f Family) check(x points.Points) error {
	switch {
	case f.Degree < 0:
		return fmt.Errorf("tessellated: degree %d, want 0 or more", f.Degree)
	case f.Basis != X && f.Basis != ZX:
		return fmt.Errorf("tessellated: basis %q, want %q or %q", f.Basis, X, ZX)
	case f.Variant != Complement && f.Variant != Orthant:
		return fmt.Errorf("tessellated: variant %q, want %q or %q", f.Variant, Complement, Orthant)
	case f.Metric != Plain && f.Metric != Balanced:
		return fmt.Errorf("tessellated: metric %q, want %q or %q", f.Metric, Plain, Balanced)
	case f.Metric == Balanced && f.Variant == Orthant:
		return errors.New("tessellated: the balanced metric is one of the complement variant")
	case !(f.Bound >= 0) || math.IsInf(f.Bound, 1):
		return fmt.Errorf("tessellated: bound %g, want a finite number > 0, or 0 for its default", f.Bound)
	case x == nil:
		return errors.New("tessellated: no points (nil)")
	}
	if err := x.Validate(); err != nil {
		return err
	}
	v, ok := x.(points.Featured)
	if !ok {
		return fmt.Errorf("tessellated: points are %T, want points with features (points.Rows, points.Sparse)", x)
	}
	d, _ := v.Features()
	if (f.Lower != nil || f.Upper != nil) && (len(f.Lower) != d || len(f.Upper) != d) {
		return fmt.Errorf("tessellated: a box of %d and %d limits for %d features", len(f.Lower), len(f.Upper), d)
	}
	if (f.Lower != nil) && f.Bound != 0 {
		return errors.New("tessellated: limits of a box and a bound, want one of them")
	}
	for j, a := range f.Lower {
		if b := f.Upper[j]; !(a < b) || math.IsInf(b-a, 0) {
			return fmt.Errorf("tessellated: the box is [%g, %g] in feature %d (%s), want lower < upper, both finite",
				a, b, j+1, points.FeatureName(x, j))
		}
	}
	if q := f.monomials(d); 2*q > most {
		return fmt.Errorf("tessellated: degree %d of %d features makes P of more than %d rows: take a smaller "+
			"degree, or fewer features", f.Degree, d, most)
	}
	return nil
}

// monomials is q for d features, or a number above most.
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

// Grams is a Family on fixed points for a number of threads: what On returns.
type Grams struct {
	kernel.Defaults
	*fitted
	on linalg.Bound
}

// Degree is 1: K is linear in P.
func (g *Grams) Degree() int { return 1 }

// Dims returns m = (2q)² and the number of points.
func (g *Grams) Dims() (m, n int) {
	rows, cols := g.Shape()
	if g.x != nil {
		n = g.x.Len()
	}
	return rows * cols, n
}

// Shape returns 2q twice.
func (g *Grams) Shape() (rows, cols int) { return 2 * g.q, 2 * g.q }

// Label names entry k of P: its block and two monomials.
func (g *Grams) Label(k int) string {
	i, j := k/(2*g.q), k%(2*g.q)
	block := [2][2]string{{"Q", "R"}, {"Rᵀ", "S"}}[i/g.q][j/g.q]
	return fmt.Sprintf("%s[%s, %s]", block, g.Monomial(i%g.q), g.Monomial(j%g.q))
}

// Validate judges the points and the family.
func (g *Grams) Validate() error { return g.validate() }

// Threads returns g for at most n threads.
func (g *Grams) Threads(n int) kernel.Grams { return &Grams{fitted: g.fitted, on: linalg.Bound(n)} }

// Slice equals On(x[rows]): scaling, centring, ρ and the unit are fitted again.
func (g *Grams) Slice(rows []int) kernel.Grams {
	g.must()
	if len(rows) == 0 {
		panic("tessellated: Slice of no rows")
	}
	return &Grams{fitted: g.f.On(g.x.Slice(rows)).(*Grams).fitted, on: g.on}
}

// Block is K between x[rows] and x[cols], fitted on cols.
func (g *Grams) Block(rows, cols []int) kernel.Cross {
	g.must()
	return g.Slice(cols).(*Grams).Cross(g.x.Slice(rows))
}

// must panics with what Validate says of points that cannot be evaluated.
func (g *fitted) must() {
	if g.bad != nil {
		panic(g.bad)
	}
}
