package kernel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Diagonal is a Kernel that knows k(z_i, z_i) without the rest of the matrix. Others are asked
// one point at a time.
type Diagonal interface {
	// Diag stores k(z_i, z_i) in dst, of length z.Len().
	Diag(dst []float64, z Points)
}

// diag stores k(z_i, z_i) in dst.
func diag(k Kernel, dst []float64, z Points) {
	if d, ok := k.(Diagonal); ok {
		d.Diag(dst, z)
		return
	}
	one := mat.NewDense(1, 1, nil)
	for i := range dst {
		p := z.Slice([]int{i})
		k.Cross(one, p, p)
		dst[i] = one.At(0, 0)
	}
}

// ground is what a vector kernel is a function of; kernels of the same columns share it.
type ground int

const (
	products  ground = iota // ⟨x,z⟩
	squares                 // ‖x−z‖²
	absolutes               // ‖x−z‖₁
)

// between stores the ground matrix of a and b, l×n.
func (g ground) between(dst []float64, stride int, a, b *vectors) {
	switch g {
	case products:
		inner(dst, stride, a, b, nil)
	case squares:
		squaredDistances(dst, stride, a, b)
	case absolutes:
		absoluteDistances(dst, stride, a, b, false)
	}
}

// within stores the upper triangle of the ground matrix of x with itself, n×n.
func (g ground) within(dst []float64, x *vectors) {
	var c columnwise
	if !x.isDense() {
		c = byColumns(x.z)
	}
	switch g {
	case products:
		innerSelf(dst, x, &c, nil, new(workspace))
	case squares:
		selfDistances(dst, x, &c)
	case absolutes:
		absoluteDistances(dst, x.n, x, x, true)
	}
}

// grounded is a vector kernel k(x,z) = f(ground).
type grounded interface {
	Kernel
	ground() (ground, []int)  // and the columns, nil for all
	apply(dst, src []float64) // f of each entry; dst may be src
	plain() string            // what it is called but for the columns
}

// Linear is k(x,z) = ⟨x,z⟩, on Rows or Sparse.
type Linear struct {
	Columns []int // the features it sees, from 0; nil for all
}

// Polynomial is k(x,z) = (γ⟨x,z⟩ + c)^p, on Rows or Sparse.
type Polynomial struct {
	Degree  int     // p ≥ 1
	Gamma   float64 // γ > 0; 0 means 1
	Offset  float64 // c ≥ 0
	Columns []int   // the features it sees, from 0; nil for all
}

// RBF is the Gaussian kernel k(x,z) = exp(−γ‖x−z‖²), on Rows or Sparse.
type RBF struct {
	Gamma   float64 // γ > 0, that is 1/(2σ²)
	Columns []int   // the features it sees, from 0; nil for all
}

// Laplacian is k(x,z) = exp(−γ‖x−z‖₁), on Rows or Sparse.
type Laplacian struct {
	Gamma   float64 // γ > 0
	Columns []int   // the features it sees, from 0; nil for all
}

var (
	_ grounded = Linear{}
	_ grounded = Polynomial{}
	_ grounded = RBF{}
	_ grounded = Laplacian{}
	_ Diagonal = Linear{}
	_ Diagonal = Polynomial{}
	_ Diagonal = RBF{}
	_ Diagonal = Laplacian{}
)

func (k Linear) ground() (ground, []int)     { return products, k.Columns }
func (k Polynomial) ground() (ground, []int) { return products, k.Columns }
func (k RBF) ground() (ground, []int)        { return squares, k.Columns }
func (k Laplacian) ground() (ground, []int)  { return absolutes, k.Columns }

func (k Linear) apply(dst, src []float64) { copy(dst, src) }

func (k Polynomial) gamma() float64 {
	if k.Gamma == 0 {
		return 1
	}
	return k.Gamma
}

func (k Polynomial) apply(dst, src []float64) {
	g := k.gamma()
	for i, v := range src {
		dst[i] = integerPower(g*v+k.Offset, k.Degree)
	}
}

// integerPower is x^p for p ≥ 0 by squaring.
func integerPower(x float64, p int) float64 {
	r := 1.0
	for ; p > 0; p >>= 1 {
		if p&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

func (k RBF) apply(dst, src []float64) {
	for i, v := range src {
		dst[i] = math.Exp(-k.Gamma * v)
	}
}

func (k Laplacian) apply(dst, src []float64) {
	for i, v := range src {
		dst[i] = math.Exp(-k.Gamma * v)
	}
}

// check judges the points, then what is said of the parameters.
func check(k grounded, x Points, wrong string) error {
	if wrong != "" {
		return fmt.Errorf("kernel: %v: %s", k, wrong)
	}
	_, columns := k.ground()
	if _, err := vectorsOf(x, columns); err != nil {
		return fmt.Errorf("kernel: %v: %s", k, strings.TrimPrefix(err.Error(), "kernel: "))
	}
	return nil
}

func badGamma(g float64) string {
	if !(g > 0) || math.IsInf(g, 0) {
		return fmt.Sprintf("γ = %g, want a positive number", g)
	}
	return ""
}

// Check refuses points other than Rows and Sparse, and columns they do not have.
func (k Linear) Check(x Points) error { return check(k, x, "") }

// Check refuses a degree below 1, γ or c below 0, points other than Rows and Sparse, and columns
// they do not have.
func (k Polynomial) Check(x Points) error {
	wrong := badGamma(k.gamma())
	if k.Degree < 1 {
		wrong = fmt.Sprintf("degree %d, want 1 or more", k.Degree)
	}
	if !(k.Offset >= 0) || math.IsInf(k.Offset, 0) {
		wrong = fmt.Sprintf("offset %g, want 0 or more: it is not positive semidefinite else", k.Offset)
	}
	return check(k, x, wrong)
}

// Check refuses γ ≤ 0, points other than Rows and Sparse, and columns they do not have.
func (k RBF) Check(x Points) error { return check(k, x, badGamma(k.Gamma)) }

// Check refuses γ ≤ 0, points other than Rows and Sparse, and columns they do not have.
func (k Laplacian) Check(x Points) error { return check(k, x, badGamma(k.Gamma)) }

// pair is the given columns of z and of x, which k is between.
func pair(k Kernel, z, x Points, columns []int) (a, b vectors) {
	a, err := vectorsOf(z, columns)
	if err != nil {
		panic(err)
	}
	if b, err = vectorsOf(x, columns); err != nil {
		panic(err)
	}
	if a.d != b.d {
		panic(fmt.Sprintf("kernel: %v between points of %d and of %d features", k, a.d, b.d))
	}
	return a, b
}

// cross is Cross of a vector kernel.
func cross(k grounded, dst *mat.Dense, z, x Points) {
	g, columns := k.ground()
	a, b := pair(k, z, x, columns)
	if r, c := dst.Dims(); r != a.n || c != b.n {
		panic(fmt.Sprintf("kernel: %v: destination is %d×%d, want %d×%d", k, r, c, a.n, b.n))
	}
	m := dst.RawMatrix()
	g.between(m.Data, m.Stride, &a, &b)
	for i := range a.n {
		row := m.Data[i*m.Stride : i*m.Stride+b.n]
		k.apply(row, row)
	}
}

// Cross stores k(z_i, x_j) in O(l·n·d). It panics where Check would have refused.
func (k Linear) Cross(dst *mat.Dense, z, x Points) { cross(k, dst, z, x) }

// Cross stores k(z_i, x_j) in O(l·n·d). It panics where Check would have refused.
func (k Polynomial) Cross(dst *mat.Dense, z, x Points) { cross(k, dst, z, x) }

// Cross stores k(z_i, x_j) in O(l·n·d). It panics where Check would have refused.
func (k RBF) Cross(dst *mat.Dense, z, x Points) { cross(k, dst, z, x) }

// Cross stores k(z_i, x_j) in O(l·n·d). It panics where Check would have refused.
func (k Laplacian) Cross(dst *mat.Dense, z, x Points) { cross(k, dst, z, x) }

func productDiag(k grounded, dst []float64, z Points) {
	_, columns := k.ground()
	v, err := vectorsOf(z, columns)
	if err != nil {
		panic(err)
	}
	k.apply(dst, v.norms())
}

// Diag stores ‖z_i‖².
func (k Linear) Diag(dst []float64, z Points) { productDiag(k, dst, z) }

// Diag stores (γ‖z_i‖² + c)^p.
func (k Polynomial) Diag(dst []float64, z Points) { productDiag(k, dst, z) }

// Diag stores ones.
func (k RBF) Diag(dst []float64, _ Points) { ones(dst) }

// Diag stores ones.
func (k Laplacian) Diag(dst []float64, _ Points) { ones(dst) }

func ones(dst []float64) {
	for i := range dst {
		dst[i] = 1
	}
}

// of is " of x3, x5" for columns, nothing for all of them.
func of(columns []int, names []string) string {
	if columns == nil {
		return ""
	}
	c := slices.Clone(columns)
	slices.Sort(c)
	s := make([]string, len(c))
	for i, j := range c {
		s[i] = name(names, j)
	}
	return " of " + strings.Join(s, ", ")
}

func (k Linear) plain() string { return "linear" }
func (k Polynomial) plain() string {
	s := "⟨x,z⟩"
	if k.gamma() != 1 {
		s = fmt.Sprintf("%.4g%s", k.gamma(), s)
	}
	if k.Offset != 0 {
		s = fmt.Sprintf("%s+%.4g", s, k.Offset)
	}
	return fmt.Sprintf("polynomial((%s)^%d)", s, k.Degree)
}
func (k RBF) plain() string       { return fmt.Sprintf("RBF(γ=%.4g)", k.Gamma) }
func (k Laplacian) plain() string { return fmt.Sprintf("Laplacian(γ=%.4g)", k.Gamma) }

// String is "linear", with " of x1, x2" where it sees some features only.
func (k Linear) String() string { return k.plain() + of(k.Columns, nil) }

// String is "polynomial((⟨x,z⟩+1)^2)".
func (k Polynomial) String() string { return k.plain() + of(k.Columns, nil) }

// String is "RBF(γ=0.5)".
func (k RBF) String() string { return k.plain() + of(k.Columns, nil) }

// String is "Laplacian(γ=0.5)".
func (k Laplacian) String() string { return k.plain() + of(k.Columns, nil) }
