package kernel

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/points"
)

// pairKind is the kind of a number t(x,z), the inner product or a distance of two points. Many kernels are
// functions k(x,z) = f(t(x,z)). Kernels with the same t on the same features are computed from the same matrix of t.
type pairKind int

const (
	innerProduct     pairKind = iota // ⟨x,z⟩
	squaredDistance                  // ‖x−z‖²
	absoluteDistance                 // ‖x−z‖₁
)

// pairwiseKernel is a kernel k(x,z) = f(t(x,z)), where t is the inner product or a distance of two points.
type pairwiseKernel interface {
	Kernel
	// pairKindAndColumns returns the kind of the number t(x,z), and the features that t uses, or nil for all features.
	pairKindAndColumns() (kind pairKind, columns []int)
	// storeKernelValues stores f(t) in dst[i], for t = productsOrDistances[i]. dst may be that slice too.
	storeKernelValues(dst, productsOrDistances []float64)
	// name returns the name of the kernel without its features.
	name() string
}

// asPairwise returns k as a pairwiseKernel and reports whether it is one. It returns false for a type of another
// package that embeds a pairwiseKernel, because its Cross may differ.
func asPairwise(k Kernel) (pairwiseKernel, bool) {
	g, ok := k.(pairwiseKernel)
	if !ok || reflect.TypeOf(k).PkgPath() != reflect.TypeFor[Kernel]().PkgPath() {
		return nil, false
	}
	return g, true
}

// checkPairwise returns an error if parameterProblem is not empty, or if x does not have the features of k.
// parameterProblem describes an invalid parameter of k.
func checkPairwise(k pairwiseKernel, x points.Points, parameterProblem string) error {
	if parameterProblem != "" {
		return fmt.Errorf("kernel: %v: %s", k, parameterProblem)
	}
	_, featureColumns := k.pairKindAndColumns()
	if _, err := points.SelectColumns(x, featureColumns); err != nil {
		return fmt.Errorf("kernel: %v: %s", k, strings.TrimPrefix(err.Error(), "points: "))
	}
	return nil
}

// describeInvalidGamma returns a text that explains why a parameter γ is invalid, or "" if it is valid.
func describeInvalidGamma(gamma float64) string {
	if !(gamma > 0) || math.IsInf(gamma, 0) {
		return fmt.Sprintf("γ is %g; use a positive number", gamma)
	}
	return ""
}

// storePairwiseCross stores k(z_i, x_j) in dst: it implements Cross for all pairwise kernels.
func storePairwiseCross(k pairwiseKernel, dst *mat.Dense, z, x points.Points) {
	t, featureColumns := k.pairKindAndColumns()
	if r, c := dst.Dims(); r != z.Len() || c != x.Len() {
		panic(fmt.Sprintf("kernel: %v: the destination is %d×%d; it must be %d×%d", k, r, c, z.Len(), x.Len()))
	}
	m := dst.RawMatrix()
	q := newKernelGroup(t, design.FromPoints(x, featureColumns))
	q.storeProductsOrDistances(m.Data, m.Stride, design.FromPoints(z, featureColumns), new(design.Scratch))
	for i := range m.Rows {
		row := m.Data[i*m.Stride : i*m.Stride+m.Cols]
		k.storeKernelValues(row, row)
	}
}

// storeDiagonal stores k(z_i, z_i) in dst, for any kernel. For a kernel that is neither pairwise nor a product, it
// calls Cross for one point at a time.
func storeDiagonal(k Kernel, dst []float64, z points.Points) {
	if p, ok := k.(product); ok {
		p.storeDiagonal(dst, z)
		return
	}
	if g, ok := asPairwise(k); ok {
		clear(dst) // the distance of a point to itself is 0
		if t, columns := g.pairKindAndColumns(); t == innerProduct {
			copy(dst, design.FromPoints(z, columns).SquaredRowNorms())
		}
		g.storeKernelValues(dst, dst)
		return
	}
	entry := mat.NewDense(1, 1, nil)
	for i := range dst {
		p := z.Slice([]int{i})
		k.Cross(entry, p, p)
		dst[i] = entry.At(0, 0)
	}
}

// kernelTitle returns the name of the kernel. If k uses only some features, it appends their names in x, such as " of
// x3, x5".
func kernelTitle(k pairwiseKernel, x points.Points) string {
	_, featureColumns := k.pairKindAndColumns()
	if featureColumns == nil {
		return k.name()
	}
	c := slices.Sorted(slices.Values(featureColumns))
	s := make([]string, len(c))
	for i, j := range c {
		s[i] = points.FeatureName(x, j)
	}
	return k.name() + " of " + strings.Join(s, ", ")
}

// kernelLabel returns the name of a kernel, with the names in x of the features if the kernel uses only some of them.
func kernelLabel(k Kernel, x points.Points) string {
	if v, ok := asPairwise(k); ok {
		return kernelTitle(v, x)
	}
	return k.String()
}
