package data

import (
	"slices"

	"github.com/mklnb/mkl/algos/points"
)

// New returns a dataset of points that are in memory. Numbers are real targets, and texts are the names of classes.
// Classes are ordered like those of a file: of two, the class +1 is the greater of two numbers or the alphabetically
// later of two words.
//
//	d, err := data.New("prices", points.NewRows(x), y)     // x [][]float64, y []float64
//	d, err := data.New("mines", points.FromMatrix(m), kind) // m mat.Matrix, kind []string
func New[T float64 | string](name string, x points.Points, targets []T) (*Dataset, error) {
	d := &Dataset{Name: name, X: x}
	var labels []string
	switch t := any(targets).(type) {
	case []float64:
		d.Y = slices.Clone(t)
	case []string:
		labels = t
	}
	if labels != nil {
		d.Classes = distinctNames(labels)
		sortClasses(d.Classes)
		d.Y = make([]float64, len(labels))
		for i, s := range labels {
			d.Y[i] = float64(slices.Index(d.Classes, s))
			if len(d.Classes) == 2 {
				d.Y[i] = 2*d.Y[i] - 1
			}
		}
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return d, nil
}
