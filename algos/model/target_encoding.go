package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// TargetEncoding describes how labels become target columns, and how the predicted values of the columns become a
// class.
//
//	Classes            labels      columns                    class
//	0 (numbers)        a number    1, or Targets              –
//	2                  −1, +1      1                          the second class if f ≥ 0
//	K > 2              0 … K−1     K, ±1, one against the     the largest value
//	                               rest
//
// The zero value is one target that is a number.
type TargetEncoding struct {
	Classes int
	Targets int // number of regression targets if there are two or more, otherwise 0
}

// Columns returns the number of target columns.
func (c TargetEncoding) Columns() int {
	switch {
	case c.Classes == 0 && c.Targets > 1:
		return c.Targets
	case c.Classes <= 2:
		return 1
	}
	return c.Classes
}

// Validate returns an error unless y is a valid label or, for regression, a finite number.
func (c TargetEncoding) Validate(y float64) error {
	switch {
	case math.IsNaN(y) || math.IsInf(y, 0):
		return errors.New("labels and targets must be finite")
	case c.Classes == 2 && y != 1 && y != -1:
		return fmt.Errorf("label %g: the labels of two classes are −1 and +1", y)
	case c.Classes > 2 && !(y >= 0 && y < float64(c.Classes) && y == math.Trunc(y)):
		return fmt.Errorf("label %g: the labels of %d classes are integers from 0 to %d", y, c.Classes, c.Classes-1)
	}
	return nil
}

// ClassIndex returns the index of the class with the label y.
func (c TargetEncoding) ClassIndex(y float64) int {
	if c.Classes > 2 {
		return int(y)
	}
	if y > 0 {
		return 1
	}
	return 0
}

// Encode stores the target of each column for the label y in dst: 1 in the column of its class, −1 in the others. For
// regression and for two classes there is one column, with the target y.
func (c TargetEncoding) Encode(dst []float64, y float64) {
	if c.Classes <= 2 {
		dst[0] = y
		return
	}
	for j := range dst {
		dst[j] = -1
	}
	dst[c.ClassIndex(y)] = 1
}

// EncodeAll returns the targets of all labels y (Encode): all points for the first column, then for the second, … For
// regression and for two classes this is a copy of y.
func (c TargetEncoding) EncodeAll(y []float64) []float64 {
	if c.Classes <= 2 {
		return slices.Clone(y)
	}
	n, columns, pointTargets := len(y), make([]float64, len(y)*c.Columns()), make([]float64, c.Columns())
	for i, v := range y {
		c.Encode(pointTargets, v)
		for j, t := range pointTargets {
			columns[j*n+i] = t
		}
	}
	return columns
}

// PredictedClass returns the index of the predicted class, given the predicted values f of the columns. For two classes
// it is 1 if f[0] ≥ 0. For more it is the first class with the largest value.
func (c TargetEncoding) PredictedClass(f []float64) int {
	switch {
	case c.Classes > 2:
		return floats.MaxIdx(f)
	case f[0] >= 0:
		return 1
	}
	return 0
}
