package data

import (
	"slices"

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
