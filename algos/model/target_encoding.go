package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// TargetEncoding describes how labels become columns of targets, and how the values of the columns become a class.
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
	Targets int // the number of numbers to predict if it is two or more; 0 stands for one
}

// Columns returns the number of columns.
func (c TargetEncoding) Columns() int {
	switch {
	case c.Classes == 0 && c.Targets > 1:
		return c.Targets
	case c.Classes <= 2:
		return 1
	}
	return c.Classes
}

// Validate returns an error if y is not a label or, without classes, not a finite number.
func (c TargetEncoding) Validate(y float64) error {
	switch {
	case math.IsNaN(y) || math.IsInf(y, 0):
		return errors.New("it must be finite")
	case c.Classes == 2 && y != 1 && y != -1:
		return errors.New("the labels of two classes are −1 and +1")
	case c.Classes > 2 && !(y >= 0 && y < float64(c.Classes) && y == math.Trunc(y)):
		return fmt.Errorf("the labels of %d classes are 0 … %d", c.Classes, c.Classes-1)
	}
	return nil
}

// Class returns the index of the class of a label.
func (c TargetEncoding) Class(y float64) int {
	if c.Classes > 2 {
		return int(y)
	}
	if y > 0 {
		return 1
	}
	return 0
}

// Encode stores the target of each column in dst for the label y: 1 for its class and −1 for the others. For
// regression and for two classes the target is y.
func (c TargetEncoding) Encode(dst []float64, y float64) {
	if c.Classes <= 2 {
		dst[0] = y
		return
	}
	for j := range dst {
		dst[j] = -1
	}
	dst[c.Class(y)] = 1
}

// EncodeAll returns the targets of n labels: n·c numbers for c columns, column after column. See Encode. For
// regression and for two classes it returns a copy of y, which is in this order already.
func (c TargetEncoding) EncodeAll(y []float64) []float64 {
	if c.Classes <= 2 {
		return slices.Clone(y)
	}
	n, all, row := len(y), make([]float64, len(y)*c.Columns()), make([]float64, c.Columns())
	for i, v := range y {
		c.Encode(row, v)
		for j, t := range row {
			all[j*n+i] = t
		}
	}
	return all
}

// Decide returns the index of the predicted class, given the values f of the columns. For two classes it is the second
// class if f ≥ 0; for more it is the first class with the largest value.
func (c TargetEncoding) Decide(f []float64) int {
	switch {
	case c.Classes > 2:
		return floats.MaxIdx(f)
	case f[0] >= 0:
		return 1
	}
	return 0
}
