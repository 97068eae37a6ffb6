package points

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/linalg"
)

// Step is one step of preprocessing. A step of columns is fitted to some points and is then applied to new points
// unchanged. A step of rows uses one point alone.
//
// A column that is constant on the fitted points, up to 1e-13 of its largest entry, would leave rounding errors only.
// MinMax, CenterColumns, Standardize and StandardizeNumbers make it exactly 0, on new points too. In the same way,
// CenterRows makes a constant point 0. In UnitRows, a point of norm 0 stays 0.
//
// Sparse points take MaxAbs and UnitRows. The other steps subtract a number from each entry, zeros included, so that
// the points would not stay sparse. They are an error.
type Step string

const (
	MinMax        Step = "min-max"        // x_ij ↦ (x_ij − min_j)/(max_j − min_j): [0,1] on the fitted points
	MaxAbs        Step = "max-abs"        // x_ij ↦ x_ij/max_i|x_ij|; keeps zeros
	CenterColumns Step = "center columns" // x_ij ↦ x_ij − mean_j
	Standardize   Step = "standardize"    // x_ij ↦ (x_ij − mean_j)/sd_j, sd with 1/n
	// StandardizeNumbers standardizes the columns that contain a number other than 0 and 1 on the fitted points. The
	// levels of a categorical attribute stay 0 and 1. If they were standardized, two points with different rare levels
	// would be far apart: 1/p in squared distance for a level of share p.
	StandardizeNumbers Step = "standardize numbers"
	CenterRows         Step = "center rows" // x_ij ↦ x_ij − mean over j of x_ij
	UnitRows           Step = "unit rows"   // x_i ↦ x_i/‖x_i‖₂; keeps zeros
)

// keepsZeros reports whether s maps 0 to 0, so that sparse points stay sparse.
func (s Step) keepsZeros() bool { return s == MaxAbs || s == UnitRows }

// Preprocessing is a list of steps. Each step is fitted to the result of the step before.
type Preprocessing []Step

// String lists the steps.
func (p Preprocessing) String() string {
	s := make([]string, len(p))
	for i, t := range p {
		s[i] = string(t)
	}
	return strings.Join(s, ", ")
}

// Check returns an error that names the first unknown step.
func (p Preprocessing) Check() error {
	for _, s := range p {
		all := []Step{MinMax, MaxAbs, CenterColumns, Standardize, StandardizeNumbers, CenterRows, UnitRows}
		if !slices.Contains(all, s) {
			return fmt.Errorf("points: unknown step %q; use one of %q", s, all)
		}
	}
	return nil
}

// CheckPoints returns an error if a step is unknown or if p cannot be applied to x.
func (p Preprocessing) CheckPoints(x Points) error {
	if err := p.Check(); err != nil || len(p) == 0 {
		return err
	}
	if Width(x) == 0 {
		return fmt.Errorf("points: %v needs points with features; %T has none", p, x)
	}
	if i := slices.IndexFunc(p, func(s Step) bool { return !s.keepsZeros() }); i >= 0 {
		if _, ok := x.(Sparse); ok {
			return fmt.Errorf("points: %q would fill sparse points: use %q or %q, which keep zeros, or dense points "+
				"(points.Rows)", p[i], MaxAbs, UnitRows)
		}
	}
	return nil
}

// Fits reports whether a step is fitted to points.
func (p Preprocessing) Fits() bool {
	return slices.ContainsFunc(p, func(s Step) bool { return s != CenterRows && s != UnitRows })
}

// FittedPreprocessing is a Preprocessing that is fitted to points, as plain data.
type FittedPreprocessing struct {
	D     int // features of the points
	Steps []FittedStep
}

// FittedStep is x_ij ↦ (x_ij − Shift_j)·Scale_j, without Shift in MaxAbs. A step of rows has neither.
type FittedStep struct {
	Step         Step
	Shift, Scale []float64
}

// Fit fits p to x, which Validate must accept. It takes O(nd) for each step, O(nonzeros + d) on sparse points. Unknown
// steps and points that a step cannot be applied to are an error.
func (p Preprocessing) Fit(x Points) (*FittedPreprocessing, error) {
	if err := p.CheckPoints(x); err != nil {
		return nil, err
	}
	f := &FittedPreprocessing{}
	if len(p) == 0 {
		return f, nil
	}
	var cols [][]int // the columns of the numbers in vals
	var vals [][]float64
	if sparse, ok := x.(Sparse); ok {
		_, cols, vals = sparse.clone()
	} else {
		cols, vals = ToRows(x).clone()
	}
	f.D = Width(x)
	for _, s := range p {
		t := FittedStep{Step: s}
		switch s {
		case MaxAbs:
			t.Scale = maxAbs(f.D, cols, vals)
		case MinMax, CenterColumns, Standardize, StandardizeNumbers:
			t.Shift, t.Scale = fitColumns(s, f.D, vals)
		}
		if err := t.checkFinite(); err != nil {
			return nil, err
		}
		t.apply(cols, vals)
		f.Steps = append(f.Steps, t)
	}
	return f, nil
}

// Check returns an error if f is not a fit of p to points with as many features as x.
func (f *FittedPreprocessing) Check(p Preprocessing, x Points) error {
	if len(f.Steps) != len(p) {
		return fmt.Errorf("points: %d steps are fitted, the preprocessing has %d", len(f.Steps), len(p))
	}
	if len(p) == 0 {
		return nil
	}
	if d := Width(x); d != f.D {
		return fmt.Errorf("points: the points have %d features, the preprocessing was fitted to %d", d, f.D)
	}
	for k, s := range f.Steps {
		if s.Step != p[k] {
			return fmt.Errorf("points: fitted step %d is %q, the preprocessing has %q", k+1, s.Step, p[k])
		}
		shifts, scales := f.D, f.D
		switch s.Step {
		case CenterRows, UnitRows:
			shifts, scales = 0, 0
		case MaxAbs:
			shifts = 0
		}
		if len(s.Shift) != shifts || len(s.Scale) != scales {
			return fmt.Errorf("points: %q has %d fitted shifts and %d fitted scales for %d features",
				s.Step, len(s.Shift), len(s.Scale), f.D)
		}
		if err := s.checkFinite(); err != nil {
			return err
		}
	}
	return nil
}

// checkFinite returns an error if a fitted number is not finite.
func (t FittedStep) checkFinite() error {
	for _, v := range [][]float64{t.Shift, t.Scale} {
		if j := slices.IndexFunc(v, func(v float64) bool { return !isFinite(v) }); j >= 0 {
			return fmt.Errorf("points: %q fitted to column %d is %g: validate the points first", t.Step, j+1, v[j])
		}
	}
	return nil
}

// Apply returns z after preprocessing. It panics unless z has as many features as the fitted points. Sparse points stay
// Sparse if each step keeps zeros; the result is Rows if not.
func (f *FittedPreprocessing) Apply(z Points) Points {
	if len(f.Steps) == 0 {
		return z
	}
	if d := Width(z); d != f.D {
		panic(fmt.Sprintf("points: the points have %d features, the preprocessing was fitted to %d", d, f.D))
	}
	s, isSparse := z.(Sparse)
	if isSparse && !slices.ContainsFunc(f.Steps, func(t FittedStep) bool { return !t.Step.keepsZeros() }) {
		c, cols, vals := s.clone()
		for _, t := range f.Steps {
			t.apply(cols, vals)
		}
		return c
	}
	c := ToRows(z)
	if !isSparse {
		c.Data = slices.Clone(c.Data)
	}
	for _, t := range f.Steps {
		for i := range c.N {
			t.applyRow(nil, c.Row(i))
		}
	}
	return c
}

// maxAbs returns the scale of each column: 1/max_i|x_ij|, and 0 for a column of zeros.
func maxAbs(d int, cols [][]int, vals [][]float64) []float64 {
	scale := make([]float64, d)
	for i, row := range vals {
		for t, v := range row {
			scale[cols[i][t]] = math.Max(scale[cols[i][t]], math.Abs(v))
		}
	}
	for j, largest := range scale {
		if largest > 0 {
			scale[j] = 1 / largest
		}
	}
	return scale
}

// fitColumns returns the shift and scale of each column of dense rows.
func fitColumns(s Step, d int, rows [][]float64) (shift, scale []float64) {
	low, high := slices.Clone(rows[0]), slices.Clone(rows[0])
	mean, square, hasNumber := make([]float64, d), make([]float64, d), make([]bool, d)
	n := float64(len(rows))
	for _, row := range rows {
		for j, v := range row {
			low[j], high[j] = math.Min(low[j], v), math.Max(high[j], v)
			mean[j] += v / n
			hasNumber[j] = hasNumber[j] || v != 0 && v != 1
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
		if s == StandardizeNumbers && !hasNumber[j] && low[j] < high[j] {
			mean[j], spread = 0, 1
		}
		if spread > 0 && !isConstant(low[j], high[j]) {
			scale[j] = 1 / spread
		}
	}
	if s == MinMax {
		return low, scale
	}
	return mean, scale
}

// isConstant reports whether numbers from low to high differ by rounding only.
func isConstant(low, high float64) bool {
	return high-low <= 1e-13*math.Max(math.Abs(low), math.Abs(high))
}

// apply changes the rows in place.
func (t FittedStep) apply(cols [][]int, vals [][]float64) {
	for i, row := range vals {
		t.applyRow(cols[i], row)
	}
}

// applyRow changes a row in place, given the columns of its numbers. If cols is nil, the row has a number in each
// column.
func (t FittedStep) applyRow(cols []int, row []float64) {
	switch t.Step {
	case CenterRows:
		centerRow(row)
	case UnitRows:
		if s := linalg.Dot(row, row); s > 0 {
			s = 1 / math.Sqrt(s)
			for j := range row {
				row[j] *= s
			}
		}
	case MaxAbs:
		for p := range row {
			j := p
			if cols != nil {
				j = cols[p]
			}
			row[p] *= t.Scale[j]
		}
	default:
		for j, v := range row {
			row[j] = (v - t.Shift[j]) * t.Scale[j]
		}
	}
}

// centerRow subtracts the mean. A constant row becomes 0.
func centerRow(row []float64) {
	mean := 0.0
	for _, v := range row {
		mean += v / float64(len(row))
	}
	if isConstant(slices.Min(row), slices.Max(row)) {
		clear(row)
		return
	}
	for j := range row {
		row[j] -= mean
	}
}
