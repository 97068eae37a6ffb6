package points

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/linalg"
)

// Step is one step of preprocessing. CenterRows and UnitRows change each point by its own features only. All other
// steps change columns: they are fitted to some points, and the fit is then applied to any points.
//
// If the entries of a column on the fitted points differ by at most 1e-13 of their largest magnitude, the column counts
// as constant. MinMax, CenterColumns, Standardize, StandardizeNumbers and Ranks then make it exactly 0, on new points
// too, because only rounding errors would remain. In the same way, CenterRows makes a point 0 if its features are equal
// up to rounding. UnitRows leaves a point of norm 0 unchanged.
//
// MaxAbs and UnitRows map 0 to 0. The other steps change zeros too. Ranks therefore refuses Sparse points.
type Step string

const (
	MinMax        Step = "min-max"        // x_ij ↦ (x_ij − min_j)/(max_j − min_j): [0,1] on the fitted points
	MaxAbs        Step = "max-abs"        // x_ij ↦ x_ij/max_i|x_ij|; keeps zeros
	CenterColumns Step = "center columns" // x_ij ↦ x_ij − mean_j
	Standardize   Step = "standardize"    // x_ij ↦ (x_ij − mean_j)/sd_j, sd_j² = mean_i (x_ij − mean_j)²
	// StandardizeNumbers standardizes the columns that contain a number other than 0 and 1 on the fitted points.
	// Columns of 0 and 1, which encode the levels of a categorical attribute, stay unchanged. If they were
	// standardized, a level that occurs in a share p of the points would add about 1/p to the squared distance of two
	// points, so that points with different rare levels would be far apart.
	StandardizeNumbers Step = "standardize numbers"
	Ranks              Step = "ranks"       // x_ij ↦ R_j(x_ij) in [0,1], the rank of x_ij in column j: see RankFunction
	CenterRows         Step = "center rows" // x_ij ↦ x_ij − mean over j of x_ij
	UnitRows           Step = "unit rows"   // x_i ↦ x_i/‖x_i‖₂; keeps zeros
)

// Preprocessing is a list of steps, which are applied in this order. Each step is fitted to the result of the step
// before.
type Preprocessing []Step

// String returns the names of the steps, separated by commas.
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
		steps := []Step{MinMax, MaxAbs, CenterColumns, Standardize, StandardizeNumbers, Ranks, CenterRows,
			UnitRows}
		if !slices.Contains(steps, s) {
			return fmt.Errorf("points: unknown step %q; use one of %q", s, steps)
		}
	}
	return nil
}

// CheckPoints returns an error if a step is unknown or if p cannot be applied to x.
func (p Preprocessing) CheckPoints(x Points) error {
	if err := p.Check(); err != nil || len(p) == 0 {
		return err
	}
	if FeatureCount(x) == 0 {
		return fmt.Errorf("points: %T has no features, which %v needs; use points.Rows or points.Sparse", x, p)
	}
	if slices.Contains(p, Ranks) && Is[Sparse](x) {
		return fmt.Errorf("points: the step %q would make zeros nonzero, and the points are sparse; use dense points "+
			"(points.ToRows), or the step %q", Ranks, MaxAbs)
	}
	return nil
}

// NeedsFit reports whether at least one step must be fitted to points.
func (p Preprocessing) NeedsFit() bool {
	return slices.ContainsFunc(p, func(s Step) bool { return s != CenterRows && s != UnitRows })
}

// FittedPreprocessing is a Preprocessing together with the numbers that were fitted to points. It is plain data.
type FittedPreprocessing struct {
	D     int // number of features of the points to which the preprocessing was fitted
	Steps []FittedStep
}

// FittedStep maps x_ij to (x_ij − Shift_j)·Scale_j. MaxAbs has no Shift. CenterRows and UnitRows have neither Shift nor
// Scale. Ranks has RankFunctions only, one for each column.
type FittedStep struct {
	Step          Step
	Shift, Scale  []float64
	RankFunctions []RankFunction
}

// Fit fits p to the points x, which must be valid, in O(nd) for each step. It returns an error if a step is unknown, or
// if x has no features.
func (p Preprocessing) Fit(x Points) (*FittedPreprocessing, error) {
	if err := p.CheckPoints(x); err != nil {
		return nil, err
	}
	f := &FittedPreprocessing{}
	if len(p) == 0 {
		return f, nil
	}
	r := cloneRows(x)
	f.D = r.D
	for _, s := range p {
		t := FittedStep{Step: s}
		switch s {
		case CenterRows, UnitRows:
		case Ranks:
			t.RankFunctions = fitRanks(r)
		default:
			t.Shift, t.Scale = fitColumns(s, r)
		}
		if err := t.checkFinite(); err != nil {
			return nil, err
		}
		t.applyToRows(r)
		f.Steps = append(f.Steps, t)
	}
	return f, nil
}

// Check returns an error if f is not a fit of p to points with as many features as x.
func (f *FittedPreprocessing) Check(p Preprocessing, x Points) error {
	if len(f.Steps) != len(p) {
		return fmt.Errorf("points: the fitted preprocessing has %d steps, but the preprocessing has %d; fit it again",
			len(f.Steps), len(p))
	}
	if len(p) == 0 {
		return nil
	}
	if d := FeatureCount(x); d != f.D {
		return fmt.Errorf("points: the points have %d features, but the preprocessing was fitted to %d", d, f.D)
	}
	for k, s := range f.Steps {
		if s.Step != p[k] {
			return fmt.Errorf("points: step %d of the fit is %q, but %q in the preprocessing; fit it again",
				k+1, s.Step, p[k])
		}
		shiftCount, scaleCount, functionCount := f.D, f.D, 0
		switch s.Step {
		case CenterRows, UnitRows:
			shiftCount, scaleCount = 0, 0
		case Ranks:
			shiftCount, scaleCount, functionCount = 0, 0, f.D
		case MaxAbs:
			shiftCount = 0
		}
		if len(s.Shift) != shiftCount || len(s.Scale) != scaleCount || len(s.RankFunctions) != functionCount {
			return fmt.Errorf("points: step %q has %d shifts, %d scales and %d rank functions; it needs %d, %d and %d",
				s.Step, len(s.Shift), len(s.Scale), len(s.RankFunctions), shiftCount, scaleCount, functionCount)
		}
		if err := s.checkFinite(); err != nil {
			return err
		}
	}
	return nil
}

// checkFinite returns an error if a fitted number is not finite, or if a rank function is not one.
func (t FittedStep) checkFinite() error {
	for _, v := range [][]float64{t.Shift, t.Scale} {
		if j := slices.IndexFunc(v, func(v float64) bool { return !isFinite(v) }); j >= 0 {
			return fmt.Errorf("points: step %q has the number %g for column %d; validate the points first", t.Step,
				v[j], j+1)
		}
	}
	if j := slices.IndexFunc(t.RankFunctions, func(f RankFunction) bool { return !f.isValid() }); j >= 0 {
		return fmt.Errorf("points: step %q has no ascending values and ranks for column %d; validate the points first",
			t.Step, j+1)
	}
	return nil
}

// Apply returns the points z after preprocessing. It panics if there is a step and z does not have as many features as
// the fitted points. It changes the features of Parts only. The result is Rows if z is Sparse, or if there is a step
// and z is not Parts. Otherwise it is z.
func (f *FittedPreprocessing) Apply(z Points) Points {
	if len(f.Steps) == 0 {
		if Is[Sparse](z) {
			return ToRows(z)
		}
		return z
	}
	if d := FeatureCount(z); d != f.D {
		panic(fmt.Sprintf("points: the points have %d features, but the preprocessing was fitted to %d", d, f.D))
	}
	r := cloneRows(z)
	for _, t := range f.Steps {
		t.applyToRows(r)
	}
	return WithRows(z, r)
}

// cloneRows returns a copy of x as Rows.
func cloneRows(x Points) Rows {
	r := ToRows(x)
	if !Is[Sparse](x) {
		r.Data = slices.Clone(r.Data)
	}
	return r
}

// fitColumns returns the shift and the scale of each column of x for the step s, which is not a step of rows. The shift
// of MaxAbs is nil.
func fitColumns(s Step, x Rows) (shift, scale []float64) {
	d, n := x.D, float64(x.N)
	smallest, largest := slices.Clone(x.Row(0)), slices.Clone(x.Row(0))
	mean, variance, hasNumber := make([]float64, d), make([]float64, d), make([]bool, d)
	for i := range x.N {
		for j, v := range x.Row(i) {
			smallest[j], largest[j] = math.Min(smallest[j], v), math.Max(largest[j], v)
			mean[j] += v / n
			hasNumber[j] = hasNumber[j] || v != 0 && v != 1
		}
	}
	if s == Standardize || s == StandardizeNumbers {
		for i := range x.N {
			for j, v := range x.Row(i) {
				v -= mean[j]
				variance[j] += v * v / n
			}
		}
	}
	scale = make([]float64, d)
	for j := range scale {
		divisor := 1.0
		switch s {
		case MaxAbs:
			if divisor = math.Max(largest[j], -smallest[j]); divisor > 0 {
				scale[j] = 1 / divisor
			}
			continue
		case MinMax:
			divisor = largest[j] - smallest[j]
		case Standardize, StandardizeNumbers:
			divisor = math.Sqrt(variance[j])
		}
		if s == StandardizeNumbers && !hasNumber[j] && smallest[j] < largest[j] {
			mean[j], divisor = 0, 1
		}
		if divisor > 0 && !isConstantColumn(smallest[j], largest[j]) {
			scale[j] = 1 / divisor
		}
	}
	switch s {
	case MaxAbs:
		return nil, scale
	case MinMax:
		return smallest, scale
	}
	return mean, scale
}

// isConstantColumn reports whether numbers between smallest and largest differ by rounding errors only: by at most
// 1e-13 of the largest magnitude.
func isConstantColumn(smallest, largest float64) bool {
	return largest-smallest <= 1e-13*math.Max(math.Abs(smallest), math.Abs(largest))
}

// applyToRows applies t to the rows of x in place.
func (t FittedStep) applyToRows(x Rows) {
	for i := range x.N {
		row := x.Row(i)
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
			for j := range row {
				row[j] *= t.Scale[j]
			}
		case Ranks:
			for j, v := range row {
				row[j] = t.RankFunctions[j].rank(v)
			}
		default:
			for j, v := range row {
				row[j] = (v - t.Shift[j]) * t.Scale[j]
			}
		}
	}
}

// centerRow subtracts the mean of row from row. A row whose entries are equal up to rounding becomes 0.
func centerRow(row []float64) {
	mean := 0.0
	for _, v := range row {
		mean += v / float64(len(row))
	}
	if isConstantColumn(slices.Min(row), slices.Max(row)) {
		clear(row)
		return
	}
	for j := range row {
		row[j] -= mean
	}
}
