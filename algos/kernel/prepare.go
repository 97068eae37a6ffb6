package kernel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/linalg"
)

// Step is one preprocessing of features. Those of columns are fitted on the fixed points and give
// new points exactly that fit; those of rows look at one point alone. What would be left of it is
// rounding, so a column that is constant on the fixed points (to 1e-13 of its largest entry)
// becomes exactly 0 in MinMax, CentreColumns, Standardize and StandardizeNumbers, on new points too; so does a constant
// point in CentreRows, and a point of norm 0 stays 0 in UnitRows.
//
// Sparse points take MaxAbs and UnitRows. The others subtract something of every entry, zeros
// included, so that nothing would stay sparse: they are errors.
type Step string

const (
	MinMax        Step = "min-max"        // x_ij ↦ (x_ij − min_j)/(max_j − min_j): [0,1] on the fixed points
	MaxAbs        Step = "max-abs"        // x_ij ↦ x_ij/max_i|x_ij|; keeps zeros
	CentreColumns Step = "centre columns" // x_ij ↦ x_ij − mean_j
	Standardize   Step = "standardize"    // x_ij ↦ (x_ij − mean_j)/sd_j, sd with 1/n
	// StandardizeNumbers is Standardize of the columns that hold, on the fixed points, another number
	// than 0 and 1. The levels of a nominal attribute stay 0 and 1: standardized, two points of
	// different rare levels would be far apart, 1/p in squared distance for a level of share p.
	StandardizeNumbers Step = "standardize numbers"
	CentreRows         Step = "centre rows" // x_ij ↦ x_ij − mean over j of x_ij
	UnitRows           Step = "unit rows"   // x_i ↦ x_i/‖x_i‖₂; keeps zeros
)

// Prepare is steps in that order, each fitted on what the one before makes of the fixed points.
type Prepare []Step

// String lists the steps.
func (p Prepare) String() string {
	s := make([]string, len(p))
	for i, t := range p {
		s[i] = string(t)
	}
	return strings.Join(s, ", ")
}

// Check names a step that is none.
func (p Prepare) Check() error {
	for _, s := range p {
		all := []Step{MinMax, MaxAbs, CentreColumns, Standardize, StandardizeNumbers, CentreRows, UnitRows}
		if !slices.Contains(all, s) {
			return fmt.Errorf("kernel: no step is called %q; there are %q", s, all)
		}
	}
	return nil
}

// check also refuses points that p cannot be applied to.
func (p Prepare) check(x Points) error {
	if err := p.Check(); err != nil || len(p) == 0 {
		return err
	}
	if _, err := vectorsOf(x, nil); err != nil {
		return fmt.Errorf("kernel: %v before the kernels: %w", p, err)
	}
	if i := slices.IndexFunc(p, Step.shifts); i >= 0 {
		if _, ok := x.(Sparse); ok {
			return fmt.Errorf("kernel: %q would fill sparse points: use %q or %q, which keep zeros, or dense points "+
				"(kernel.Rows)", p[i], MaxAbs, UnitRows)
		}
	}
	return nil
}

// shifts says that s does not keep zeros.
func (s Step) shifts() bool { return s != MaxAbs && s != UnitRows }

// Fits says that p learns something from the fixed points.
func (p Prepare) Fits() bool {
	return slices.ContainsFunc(p, func(s Step) bool { return s != CentreRows && s != UnitRows })
}

// Prepared is a Prepare fitted to points.
type Prepared struct {
	d     int
	steps []FittedStep
}

// Fit fits p to x, in O(nd) for each step, O(nonzeros + d) on sparse points. It returns an error for
// steps that are none or that x does not take.
func (p Prepare) Fit(x Points) (*Prepared, error) {
	if err := x.Validate(); err != nil {
		return nil, err
	}
	if err := p.check(x); err != nil {
		return nil, err
	}
	f, _ := p.fit(x)
	return f, nil
}

// fit also returns what it makes of x, which check has accepted.
func (p Prepare) fit(x Points) (*Prepared, Points) {
	f := &Prepared{}
	if len(p) == 0 {
		return f, x
	}
	v := mustVectors(x, nil)
	f.d, _ = v.Features()
	c, cols, vals := v.clone()
	for _, s := range p {
		t := FittedStep{Step: s}
		switch s {
		case MaxAbs:
			t.Scale = maxAbs(f.d, cols, vals)
		case MinMax, CentreColumns, Standardize, StandardizeNumbers:
			t.Shift, t.Scale = columnFit(s, f.d, vals)
		}
		t.apply(cols, vals)
		f.steps = append(f.steps, t)
	}
	return f, c
}

// Apply returns z prepared by the fit. z is Rows or Sparse of as many features as were fitted; it
// panics otherwise. Sparse points come back as Sparse unless a step shifts.
func (f *Prepared) Apply(z Points) Points {
	if len(f.steps) == 0 {
		return z
	}
	v := mustVectors(z, nil)
	if d, _ := v.Features(); d != f.d {
		panic(fmt.Sprintf("kernel: points of %d features, the fit is of %d", d, f.d))
	}
	if slices.ContainsFunc(f.steps, func(t FittedStep) bool { return t.Step.shifts() }) {
		v = denseRows(v)
	}
	c, cols, vals := v.clone()
	for _, t := range f.steps {
		t.apply(cols, vals)
	}
	return c
}

// maxAbs returns the scale of each column: 1/max_i|x_ij|, 0 for a column of zeros.
func maxAbs(d int, cols [][]int, vals [][]float64) []float64 {
	scale := make([]float64, d)
	for i, row := range vals {
		for t, v := range row {
			scale[cols[i][t]] = math.Max(scale[cols[i][t]], math.Abs(v))
		}
	}
	for j, top := range scale {
		if top > 0 {
			scale[j] = 1 / top
		}
	}
	return scale
}

// columnFit returns the shift and scale of each column of dense rows.
func columnFit(s Step, d int, rows [][]float64) (shift, scale []float64) {
	low, high := slices.Clone(rows[0]), slices.Clone(rows[0])
	mean, square, number := make([]float64, d), make([]float64, d), make([]bool, d)
	n := float64(len(rows))
	for _, row := range rows {
		for j, v := range row {
			low[j], high[j] = math.Min(low[j], v), math.Max(high[j], v)
			mean[j] += v / n
			number[j] = number[j] || v != 0 && v != 1
		}
	}
	if s == Standardize || s == StandardizeNumbers {
		for _, row := range rows {
			for j, v := range row {
				v -= mean[j]
				square[j] += v * v / n
			}
		}
	}
	scale = make([]float64, d)
	for j := range scale {
		spread := 1.0
		switch s {
		case MinMax:
			spread = high[j] - low[j]
		case Standardize, StandardizeNumbers:
			spread = math.Sqrt(square[j])
		}
		if s == StandardizeNumbers && !number[j] && low[j] < high[j] {
			mean[j], spread = 0, 1
		}
		if spread > 0 && !constant(low[j], high[j]) {
			scale[j] = 1 / spread
		}
	}
	if s == MinMax {
		return low, scale
	}
	return mean, scale
}

// constant says that the entries of a column or row between low and high differ by rounding only.
func constant(low, high float64) bool {
	return high-low <= 1e-13*math.Max(math.Abs(low), math.Abs(high))
}

// apply changes the rows in place.
func (t FittedStep) apply(cols [][]int, vals [][]float64) {
	for i, row := range vals {
		switch t.Step {
		case CentreRows:
			centreRow(row)
		case UnitRows:
			if s := linalg.Dot(row, row); s > 0 {
				s = 1 / math.Sqrt(s)
				for j := range row {
					row[j] *= s
				}
			}
		case MaxAbs:
			for p, j := range cols[i] {
				row[p] *= t.Scale[j]
			}
		default:
			for j, v := range row {
				row[j] = (v - t.Shift[j]) * t.Scale[j]
			}
		}
	}
}

// centreRow subtracts the mean; of a constant row 0 is left.
func centreRow(row []float64) {
	mean := 0.0
	for _, v := range row {
		mean += v / float64(len(row))
	}
	if constant(slices.Min(row), slices.Max(row)) {
		clear(row)
		return
	}
	for j := range row {
		row[j] -= mean
	}
}
