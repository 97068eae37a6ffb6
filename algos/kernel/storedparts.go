package kernel

import (
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

// storedParts holds the matrices of the kernels on parts without features, such as sequences, of all points to which a
// Sum was bound. These kernels do not depend on what is fitted to points, so that each result of Slice reads their
// entries, although it fits the preprocessing of features again. The parts of its points become points.Indices.
type storedParts struct {
	kernels []*storedPart // nil for a kernel on features, and for one whose part is points.Indices already
}

// storedPart is a kernel on all points of a part. Its matrix is computed when it is first needed.
type storedPart struct {
	Kernel
	all    points.Points
	matrix func() *mat.Dense
}

var (
	_ NewPointChecker = (*storedPart)(nil)
	_ Freezer         = (*storedPart)(nil)
)

// newStoredParts returns the storedParts of f for the points x, or nil if there is nothing to store.
func newStoredParts(f Sum, x points.Points) *storedParts {
	p, ok := x.(points.Parts)
	if n := x.Len(); !ok || f.FittedTransforms != nil || 2*len(f.Kernels)*packedOffset(n, n) > maxShared {
		return nil
	}
	s := &storedParts{make([]*storedPart, len(f.Kernels))}
	for k, b := range f.Kernels {
		b, ok := b.(OnPart)
		if !ok {
			continue
		}
		all := b.mustPart(p)
		if _, isShifted := b.Kernel.(Shifted); isShifted || points.Is[points.Indices](all) {
			continue
		}
		s.kernels[k] = &storedPart{b.Kernel, all, sync.OnceValue(func() *mat.Dense {
			m := mat.NewDense(all.Len(), all.Len(), nil)
			b.Kernel.Cross(m, all, all)
			return m
		})}
	}
	return s
}

// replace puts the stored kernels into kernels. It returns x, the points of the given rows of all points, with their
// parts replaced by these rows. rows is nil for all points.
func (s *storedParts) replace(kernels List, x points.Points, rows []int) points.Points {
	if s == nil {
		return x
	}
	if rows == nil {
		rows = points.AllIndices(x.Len())
	}
	for k, stored := range s.kernels {
		if stored == nil {
			continue
		}
		b := kernels[k].(OnPart)
		b.Kernel = stored
		kernels[k], x = b, x.(points.Parts).WithPart(b.Part, points.Indices(rows))
	}
	return x
}

// Check accepts points.Indices: the points themselves were checked before.
func (k *storedPart) Check(points.Points) error { return nil }

// CheckNewPoints returns an error if the kernel cannot be evaluated at z. It accepts points.Indices.
func (k *storedPart) CheckNewPoints(z points.Points) error {
	if points.Is[points.Indices](z) {
		return nil
	}
	return checkNewPoints(k.Kernel, z)
}

// Freeze returns the kernel of points that are not points.Indices.
func (k *storedPart) Freeze() Kernel { return freeze(k.Kernel) }

// Cross reads the stored matrix if z and x are points.Indices, and computes the kernel otherwise.
func (k *storedPart) Cross(dst *mat.Dense, z, x points.Points) {
	columns, err := points.As[points.Indices](x)
	if err == nil && !points.Is[points.Indices](z) {
		x = k.all.Slice(columns)
	}
	if !points.Is[points.Indices](z) {
		k.Kernel.Cross(dst, z, x)
		return
	}
	rows, m := points.MustAs[points.Indices](z), k.matrix()
	for i, r := range rows {
		for j, c := range columns {
			dst.Set(i, j, m.At(r, c))
		}
	}
}
