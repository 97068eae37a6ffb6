package kernel

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

// pairwise is the quantity t(x,z) that a kernel k = f(t) is a function of. Kernels of the same
// quantity of the same columns share its matrix.
type pairwise int

const (
	innerProduct     pairwise = iota // ⟨x,z⟩
	squaredDistance                  // ‖x−z‖²
	absoluteDistance                 // ‖x−z‖₁
)

// pairwiseKernel is a kernel k(x,z) = f(t(x,z)) of Rows and Sparse.
type pairwiseKernel interface {
	Kernel
	pairwise() (t pairwise, columns []int) // columns nil for all
	apply(dst, src []float64)              // f of each entry; dst may be src
	name() string                          // what it is called but for the columns
}

// between stores t(z_i, x_j), l×n.
func (t pairwise) between(dst []float64, stride int, z, x design, s *scratch) {
	switch t {
	case innerProduct:
		x.cross(dst, stride, z, nil, s)
	case squaredDistance:
		squaredDistances(dst, stride, z, x, s)
	case absoluteDistance:
		x.absoluteDistances(dst, stride, z, s)
	}
}

// pairs is k as a pairwiseKernel. A user's type that embeds one is none: its Cross may be another.
func pairs(k Kernel) (pairwiseKernel, bool) {
	if g, ok := k.(pairwiseKernel); ok && !foreign(k) {
		return g, true
	}
	return nil, false
}

// foreign says that k, or a factor of it, is of another package, and need not be safe for two goroutines.
func foreign(k Kernel) bool {
	if p, ok := k.(product); ok {
		return slices.ContainsFunc(p.Kernels, foreign)
	}
	return reflect.TypeOf(k).PkgPath() != reflect.TypeFor[Kernel]().PkgPath()
}

// samePairwise says that a and b are functions of the same matrix.
func samePairwise(a pairwiseKernel, b Kernel) bool {
	h, ok := pairs(b)
	if !ok {
		return false
	}
	s, c := a.pairwise()
	t, d := h.pairwise()
	return s == t && (c == nil) == (d == nil) && slices.Equal(c, d)
}

// check judges the points, then what is said of the parameters.
func check(k pairwiseKernel, x points.Points, wrong string) error {
	if wrong != "" {
		return fmt.Errorf("kernel: %v: %s", k, wrong)
	}
	_, columns := k.pairwise()
	if _, err := points.Vectors(x, columns); err != nil {
		return fmt.Errorf("kernel: %v: %s", k, strings.TrimPrefix(err.Error(), "points: "))
	}
	return nil
}

// badGamma says what is wrong with a parameter γ, "" if nothing.
func badGamma(g float64) string {
	if !(g > 0) || math.IsInf(g, 0) {
		return fmt.Sprintf("γ is %g; use a positive number", g)
	}
	return ""
}

// pairOf is the given columns of z and of x, which k is between.
func pairOf(k Kernel, z, x points.Points, columns []int) (a, b design) {
	a, b = designs(mustVectors(z, columns), mustVectors(x, columns))
	_, l := a.size()
	if _, d := b.size(); d != l {
		panic(fmt.Sprintf("kernel: %v between points of %d and of %d features", k, l, d))
	}
	return a, b
}

// cross is Cross of a pairwise kernel.
func cross(k pairwiseKernel, dst *mat.Dense, z, x points.Points) {
	t, columns := k.pairwise()
	a, b := pairOf(k, z, x, columns)
	if r, c := dst.Dims(); r != z.Len() || c != x.Len() {
		panic(fmt.Sprintf("kernel: %v: destination is %d×%d, want %d×%d", k, r, c, z.Len(), x.Len()))
	}
	m := dst.RawMatrix()
	t.between(m.Data, m.Stride, a, b, new(scratch))
	for i := range m.Rows {
		row := m.Data[i*m.Stride : i*m.Stride+m.Cols]
		k.apply(row, row)
	}
}

// Diagonal is a Kernel that knows k(z_i, z_i) without the rest of the matrix. Those of this package
// do; others are asked one point at a time. One that embeds a Precomputed or a Spectrum and has a Cross of
// its own has a Diag of its own.
type Diagonal interface {
	// Diag stores k(z_i, z_i) in dst, of length z.Len().
	Diag(dst []float64, z points.Points)
}

// diagonal stores k(z_i, z_i) in dst.
func diagonal(k Kernel, dst []float64, z points.Points) {
	if d, ok := k.(Diagonal); ok {
		d.Diag(dst, z)
		return
	}
	if g, ok := pairs(k); ok {
		clear(dst) // a distance is 0
		if t, columns := g.pairwise(); t == innerProduct {
			copy(dst, designOf(mustVectors(z, columns)).norms())
		}
		g.apply(dst, dst)
		return
	}
	one := mat.NewDense(1, 1, nil)
	for i := range dst {
		p := z.Slice([]int{i})
		k.Cross(one, p, p)
		dst[i] = one.At(0, 0)
	}
}

// title is the kernel's name and, where it sees some columns only, " of x3, x5".
func title(k pairwiseKernel, x points.Points) string {
	_, columns := k.pairwise()
	if columns == nil {
		return k.name()
	}
	c := slices.Sorted(slices.Values(columns))
	s := make([]string, len(c))
	for i, j := range c {
		s[i] = points.FeatureName(x, j)
	}
	return k.name() + " of " + strings.Join(s, ", ")
}
