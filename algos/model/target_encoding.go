package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// TargetEncoding describes how labels become columns of targets, and how the values of the columns become a class.
//
//	Classes            labels      columns                    class
//	0 (numbers)        a number    1, or Targets              –
//	2                  −1, +1      1                          the second class if f ≥ 0
//	K > 2              0 … K−1     K, ±1, one against the     the largest value
//	                               rest
//	K > 2 with Pairs   0 … K−1     K(K−1)/2, ±1, in the       the class with the most columns for it; of several
//	                               order (0, 1), (0, 2) …     such classes, the one with the largest sum of values
//
// With Pairs, a column is +1 for the second of its two classes. The zero value is one target that is a number.
type TargetEncoding struct {
	Classes int
	Pairs   bool
	Targets int // the number of numbers to predict if it is two or more; 0 stands for one
}

// Columns returns the number of columns.
func (c TargetEncoding) Columns() int {
	switch {
	case c.Classes == 0 && c.Targets > 1:
		return c.Targets
	case c.Classes <= 2:
		return 1
	case c.Pairs:
		return c.Classes * (c.Classes - 1) / 2
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

// Encode stores the target of each column in dst for the label y: ±1, or NaN in a column of two other classes. Without
// classes, and for two classes, the target is y.
func (c TargetEncoding) Encode(dst []float64, y float64) {
	if c.Classes <= 2 {
		dst[0] = y
		return
	}
	k := c.Class(y)
	if !c.Pairs {
		for j := range dst {
			dst[j] = -1
		}
		dst[k] = 1
		return
	}
	j := 0
	for a := range c.Classes {
		for b := a + 1; b < c.Classes; b++ {
			switch k {
			case a:
				dst[j] = -1
			case b:
				dst[j] = 1
			default:
				dst[j] = math.NaN()
			}
			j++
		}
	}
}

// EncodeAll returns the targets of n labels: n·c numbers for c columns, column after column. See Encode. Without
// classes it returns a copy of y, which is in this order already.
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

// ClassValues stores one number for each class in dst, given the values f of the columns. Decide returns the first
// class with the largest number. For two classes the numbers are −f and f. For one class against the rest they are f.
//
// With Pairs, each column votes for one of its two classes. The number of a class is its count of votes plus
// s/(3(|s|+1)), where s is the sum of the values for this class minus the values against it. This term is between −⅓
// and ⅓, so it only decides between classes with equal counts.
func (c TargetEncoding) ClassValues(dst, f []float64) {
	switch {
	case c.Classes <= 2:
		dst[0], dst[1] = -f[0], f[0]
	case !c.Pairs:
		copy(dst, f)
	default:
		sum := make([]float64, c.Classes)
		clear(dst)
		j := 0
		for a := range c.Classes {
			for b := a + 1; b < c.Classes; b++ {
				sum[a] -= f[j]
				sum[b] += f[j]
				if f[j] >= 0 {
					dst[b]++
				} else {
					dst[a]++
				}
				j++
			}
		}
		for k, s := range sum {
			dst[k] += s / (3 * (math.Abs(s) + 1))
		}
	}
}

// Decide returns the index of the predicted class, given the values f of the columns. For two classes it is the second
// class if f ≥ 0; for more it is the class with the largest of ClassValues.
func (c TargetEncoding) Decide(f []float64) int {
	if c.Classes <= 2 {
		if f[0] >= 0 {
			return 1
		}
		return 0
	}
	v, best := make([]float64, c.Classes), 0
	c.ClassValues(v, f)
	for k := range v {
		if v[k] > v[best] {
			best = k
		}
	}
	return best
}

// String describes how labels become columns.
func (c TargetEncoding) String() string {
	switch {
	case c.Classes == 0 && c.Targets > 1:
		return fmt.Sprintf("%d targets", c.Targets)
	case c.Classes == 0:
		return "numbers"
	case c.Classes == 2:
		return "two classes"
	case c.Pairs:
		return fmt.Sprintf("one against one, %d pairs of %d classes", c.Columns(), c.Classes)
	}
	return fmt.Sprintf("one against the rest, %d classes", c.Classes)
}
