package data

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// New returns a dataset of points that are in memory. Numbers are real targets, and texts are the names of classes.
// Classes are ordered like the classes of a file: of two, the class +1 is the greater of two numbers or the
// alphabetically later of two words.
//
//	d, err := data.New("prices", points.NewRows(x), y)     // x [][]float64, y []float64
//	d, err := data.New("mines", points.FromMatrix(m), kind) // m mat.Matrix, kind []string
func New[T float64 | string](name string, x points.Points, targets []T) (*Dataset, error) {
	d := &Dataset{Name: name, X: x}
	switch t := any(targets).(type) {
	case []float64:
		d.Y = slices.Clone(t)
	case []string:
		d.Classes = sheet.SortedUnique(t)
		sortClasses(d.Classes)
		labels := target{classNames: t}
		for i := range t {
			labels.y = append(labels.y, float64(i))
		}
		d.Y = labels.encodeWithClasses(d.Classes)
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return d, nil
}

// FromGrams returns a dataset of n points that are given by Gram matrices in memory, with n targets as in New. Each
// matrix, n×n, becomes a base kernel (Dataset.Kernels). The kernels are named "matrix 1", "matrix 2", ….
//
//	d, err := data.FromGrams("proteins", y, k1, k2)
//	l, err := learn.Learn(ctx, d)
//	z, err := d.KernelRows(c1, c2) // c1, c2: a row for each new point, a column for each of the n points
//	values, err := l.Model.Values(z)
func FromGrams[T float64 | string](name string, targets []T, grams ...mat.Matrix) (*Dataset, error) {
	d, err := New(name, points.AllIndices(len(targets)), targets)
	if err == nil && len(grams) == 0 {
		err = fmt.Errorf("data: %s: there are no matrices; pass one or more", name)
	}
	for k, g := range grams {
		if err != nil {
			break
		}
		m := kernel.Precomputed{Name: fmt.Sprintf("matrix %d", k+1), N: len(targets)}
		if r, c := g.Dims(); r != m.N || c != m.N {
			return nil, fmt.Errorf("data: %s: %s is %d×%d; it must be %d×%[5]d, for %[5]d targets", name, m.Name, r,
				c, m.N)
		}
		m.Data = mat.DenseCopyOf(g).RawMatrix().Data
		d.Kernels, err = append(d.Kernels, m), m.Validate()
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// KernelRows returns new points of a dataset that is given by Gram matrices. For each of its matrices, in their order,
// a matrix of values has the kernel values of each new point (row) with each point of the Gram matrix (column).
func (d *Dataset) KernelRows(values ...mat.Matrix) (points.KernelRows, error) {
	z := points.KernelRows{}
	for _, k := range d.Kernels {
		if k, ok := k.(kernel.Precomputed); ok {
			z.N, z.Names = k.N, append(z.Names, cmp.Or(k.KernelRowsName, k.Name))
		}
	}
	if len(z.Names) == 0 || len(values) != len(z.Names) {
		return z, fmt.Errorf("data: %s has %d Gram matrices, but there are %d matrices of new points; pass one for "+
			"each", d.Name, len(z.Names), len(values))
	}
	for k, v := range values {
		if _, c := v.Dims(); c != z.N {
			return z, fmt.Errorf("data: %s: the values of %s have %d columns; give %d, one for each of its points",
				d.Name, z.Names[k], c, z.N)
		}
		z.Data = append(z.Data, mat.DenseCopyOf(v).RawMatrix().Data)
	}
	return z, z.Validate()
}
