package model

import (
	"fmt"
	"math"
	"slices"
)

// Code says how classes become columns of targets ±1, and how their values decide. The zero value is
// a target that is a number; of several, Targets, each is a column. Labels of two classes are −1 and +1, of K > 2
// classes their numbers 0 … K−1.
//
// One column is for two classes. More are one against the rest, K columns, of which the largest value
// decides; or, with Pairs, one class against another, K(K−1)/2 columns in the order (0, 1), (0, 2) …,
// each +1 for the second of its two, of which the class with the most columns for it is taken, of
// several the one for which the values add up to more.
type Code struct {
	Classes int
	Pairs   bool
	Targets int // numbers to predict, two or more; 0 is one
}

// Columns is the number of columns.
func (c Code) Columns() int {
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

// Wrong says why y is not a label, as "want −1 or +1"; "" where it is one.
func (c Code) Wrong(y float64) string {
	switch {
	case math.IsNaN(y) || math.IsInf(y, 0):
		return "want a finite number"
	case c.Classes == 2 && y != 1 && y != -1:
		return "want −1 or +1"
	case c.Classes > 2 && !(y >= 0 && y < float64(c.Classes) && y == math.Trunc(y)):
		return fmt.Sprintf("want the number of a class, 0 … %d", c.Classes-1)
	}
	return ""
}

// Class is the number of the class of a label.
func (c Code) Class(y float64) int {
	if c.Classes > 2 {
		return int(y)
	}
	if y > 0 {
		return 1
	}
	return 0
}

// Encode stores the targets of a label in dst, one for each column: ±1, and NaN in the columns of
// other pairs. A number is its own target.
func (c Code) Encode(dst []float64, y float64) {
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

// Spread returns the targets of n labels, n·c numbers, column after column: see Encode. Several numbers
// to predict come so already, and are copied.
func (c Code) Spread(y []float64) []float64 {
	if c.Classes <= 2 {
		return slices.Clone(y)
	}
	n, all, at := len(y), make([]float64, len(y)*c.Columns()), make([]float64, c.Columns())
	for i, v := range y {
		c.Encode(at, v)
		for j, t := range at {
			all[j*n+i] = t
		}
	}
	return all
}

// Values stores one number for each class, made of the values of the columns; of several classes the
// first of the largest is decided on. Of pairs it is the number of columns for the class, and less
// than a third of one by the sum s of their values for it, s/3(|s|+1), which separates equal ones. Of
// two classes it is −f and f.
func (c Code) Values(dst, f []float64) {
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

// Decide is the number of the class that the values of the columns decide on: of two classes the
// second where f ≥ 0.
func (c Code) Decide(f []float64) int {
	if c.Classes <= 2 {
		if f[0] >= 0 {
			return 1
		}
		return 0
	}
	v, best := make([]float64, c.Classes), 0
	c.Values(v, f)
	for k := range v {
		if v[k] > v[best] {
			best = k
		}
	}
	return best
}

// String is how classes become columns.
func (c Code) String() string {
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
