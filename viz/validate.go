package viz

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// Validate says what keeps f from being drawn: what is missing, of unequal length, or not finite,
// and where.
func (f Figure) Validate() error {
	if f.Title == "" {
		return fmt.Errorf("viz: a figure of kind %q has no title: say in a sentence what it shows", f.Kind)
	}
	if err := f.validate(""); err != nil {
		return fmt.Errorf("viz: figure %q: %w", f.Title, err)
	}
	return nil
}

// validate judges f, a panel if panel names it.
func (f Figure) validate(panel string) error {
	if panel == "" {
		if strings.TrimSpace(f.Caption) == "" {
			return fmt.Errorf("no caption: say how to read it (data, n, seeds, what a band is)")
		}
		if strings.TrimSpace(f.Alt) == "" {
			return fmt.Errorf("no alt text (WithAlt)")
		}
	}
	switch f.Kind {
	case KindLines, KindScatter:
		return f.validatePoints()
	case KindBars:
		return f.validateBars()
	case KindHeat, KindMatrix:
		return f.validateCells()
	case KindTable:
		return f.validateSheet()
	case KindMultiples, KindFrames:
		return f.validatePanels(panel)
	default:
		return fmt.Errorf("unknown kind %q", f.Kind)
	}
}

func (f Figure) validatePoints() error {
	if len(f.Series) == 0 {
		return fmt.Errorf("no data: expected at least one series")
	}
	limit := MaxSeries
	if f.Kind == KindScatter {
		limit = len(Qualitative)
	}
	if len(f.Series) > limit {
		return fmt.Errorf("%d series cannot be told apart: expected at most %d; use Multiples", len(f.Series), limit)
	}
	if err := f.X.validate("x"); err != nil {
		return err
	}
	if err := f.Y.validate("y"); err != nil {
		return err
	}
	positive := false
	for _, s := range f.Series {
		if err := s.validate(f.X, true); err != nil {
			return err
		}
		positive = positive || slices.ContainsFunc(s.Y, func(v float64) bool { return v > 0 })
	}
	if f.Y.Log && !positive {
		return fmt.Errorf("y is on a logarithmic axis but no value is positive")
	}
	if err := unique(f.Series); err != nil {
		return err
	}
	return f.validateBaselines()
}

func (f Figure) validateBars() error {
	if len(f.Series) == 0 || len(f.Groups) == 0 {
		return fmt.Errorf("no data: %d bars for each of %d groups", len(f.Series), len(f.Groups))
	}
	if len(f.Series) > len(Qualitative) {
		return fmt.Errorf("%d bars in a group cannot be told apart: expected at most %d", len(f.Series), len(Qualitative))
	}
	if f.Y.Log {
		return fmt.Errorf("bars stand on 0, which a logarithmic axis does not have: use Lines with points")
	}
	if err := f.Y.validate("y"); err != nil {
		return err
	}
	for _, s := range f.Series {
		if len(s.Y) != len(f.Groups) {
			return fmt.Errorf("bar %q has %d values, expected one for each of %d groups", s.Name, len(s.Y), len(f.Groups))
		}
		if err := s.validate(Axis{}, false); err != nil {
			return err
		}
	}
	if err := unique(f.Series); err != nil {
		return err
	}
	return f.validateBaselines()
}

func (f Figure) validateBaselines() error {
	for _, b := range f.Baselines {
		axis, log := "y", f.Y.Log
		if b.Vertical {
			axis, log = "x", f.X.Log
			if f.Kind == KindBars {
				return fmt.Errorf("baseline %q of bars cannot be vertical: it is a value", b.Name)
			}
		}
		switch {
		case b.Name == "":
			return fmt.Errorf("a baseline at %s has no name", FormatNumber(b.Value))
		case !finite(b.Value):
			return fmt.Errorf("baseline %q is %v, expected a finite number", b.Name, b.Value)
		case log && b.Value <= 0:
			return fmt.Errorf("baseline %q = %v on a logarithmic %s axis", b.Name, b.Value, axis)
		}
	}
	return nil
}

func (f Figure) validateCells() error {
	c := f.Cells
	if c == nil || len(c.Z) == 0 || len(c.Z[0]) == 0 {
		return fmt.Errorf("no data: expected a matrix of at least one value")
	}
	if f.Z.Label == "" {
		return fmt.Errorf("nothing says what a colour means (WithColour)")
	}
	n, m := len(c.Z), len(c.Z[0])
	if err := full("value", c.Z, n, m); err != nil {
		return err
	}
	if f.Z.Log {
		for i, row := range c.Z {
			for j, v := range row {
				if v <= 0 {
					return fmt.Errorf("value (%d, %d) = %v on a logarithmic colour scale", i, j, v)
				}
			}
		}
	}
	for _, g := range []struct {
		name string
		axis Axis
	}{{"x", f.X}, {"y", f.Y}} {
		if err := g.axis.validate(g.name); err != nil {
			return err
		}
	}
	if f.Kind == KindMatrix {
		if c.Rows != nil && len(c.Rows) != n || c.Cols != nil && len(c.Cols) != m {
			return fmt.Errorf("%d row and %d column names for a %d×%d matrix", len(c.Rows), len(c.Cols), n, m)
		}
		return nil
	}
	if len(c.X) != m || len(c.Y) != n {
		return fmt.Errorf("grid of %d x and %d y values for a %d×%d surface", len(c.X), len(c.Y), n, m)
	}
	if n < 2 || m < 2 {
		return fmt.Errorf("surface of %d×%d values: expected at least 2×2", n, m)
	}
	for _, g := range []struct {
		name string
		axis Axis
		v    []float64
	}{{"x", f.X, c.X}, {"y", f.Y, c.Y}} {
		if g.axis.Log {
			return fmt.Errorf("the %s axis of a surface cannot be logarithmic: give the logarithm as coordinate", g.name)
		}
		for i, v := range g.v {
			if !finite(v) || i > 0 && v <= g.v[i-1] {
				return fmt.Errorf("grid %s[%d] = %v: expected finite ascending values", g.name, i, v)
			}
		}
	}
	for i, l := range c.Levels {
		if !finite(l) || i > 0 && l <= c.Levels[i-1] {
			return fmt.Errorf("contour level %d = %v: expected finite ascending values", i, l)
		}
	}
	if k := len(c.Classes); k > 0 {
		if k == 1 || k > len(Qualitative) {
			return fmt.Errorf("%d classes: expected 2 to %d", k, len(Qualitative))
		}
		if slices.Contains(c.Classes, "") {
			return fmt.Errorf("a class has no name")
		}
		for i, row := range c.Z {
			for j, v := range row {
				if v != math.Trunc(v) || v < 0 || v >= float64(k) {
					return fmt.Errorf("value (%d, %d) = %v of a surface of %d classes: expected 0, 1, … %d", i, j, v, k, k-1)
				}
			}
		}
	}
	for _, r := range c.Regions {
		if r.Name == "" {
			return fmt.Errorf("a region has no name")
		}
		if len(r.V) != n {
			return fmt.Errorf("region %q has %d rows, the surface %d", r.Name, len(r.V), n)
		}
		if err := full("region "+fmt.Sprintf("%q", r.Name), r.V, n, m); err != nil {
			return err
		}
	}
	for _, s := range f.Series {
		if err := s.validate(f.X, true); err != nil {
			return err
		}
	}
	if len(f.Series) > len(Qualitative) {
		return fmt.Errorf("%d series over a surface: expected at most %d", len(f.Series), len(Qualitative))
	}
	return unique(f.Series)
}

func (f Figure) validateSheet() error {
	s := f.Sheet
	if s == nil || len(s.Columns) == 0 || len(s.Rows) == 0 {
		return fmt.Errorf("no data: expected columns and at least one row")
	}
	for j, c := range s.Columns {
		switch c.Align {
		case AlignLeft, AlignRight, AlignCentre:
		default:
			return fmt.Errorf("column %d (%q) has unknown alignment %q", j, c.Name, c.Align)
		}
	}
	for i, row := range s.Rows {
		if len(row) != len(s.Columns) {
			return fmt.Errorf("row %d has %d entries, expected %d", i, len(row), len(s.Columns))
		}
		for j, c := range row {
			if c.Value != nil && !finite(*c.Value) {
				return fmt.Errorf("entry of row %d, column %q is %v: expected a finite number, or a text that says why there is none", i, s.Columns[j].Name, *c.Value)
			}
		}
	}
	return nil
}

func (f Figure) validatePanels(panel string) error {
	if panel != "" {
		return fmt.Errorf("panels within a panel")
	}
	if len(f.Panels) == 0 {
		return fmt.Errorf("no panels")
	}
	if f.Kind == KindFrames && len(f.Panels) < 2 {
		return fmt.Errorf("1 frame: a slider needs at least 2")
	}
	if f.Columns < 0 {
		return fmt.Errorf("%d panels in a row", f.Columns)
	}
	for i, p := range f.Panels {
		if p.Kind == KindTable || p.Kind != f.Panels[0].Kind {
			return fmt.Errorf("panel %d is of kind %s: expected one kind for all that has axes", i, p.Kind)
		}
		if p.Title == "" {
			return fmt.Errorf("panel %d has no title", i)
		}
		if err := p.validate(p.Title); err != nil {
			return fmt.Errorf("panel %q: %w", p.Title, err)
		}
		if a := f.Panels[0]; p.X.Log != a.X.Log || p.Y.Log != a.Y.Log || p.Z.Log != a.Z.Log || p.Flipped != a.Flipped {
			return fmt.Errorf("panel %q has another scale than the first: panels share their axes", p.Title)
		}
		if a := f.Panels[0]; p.Kind == KindBars && !slices.Equal(p.Groups, a.Groups) {
			return fmt.Errorf("panel %q has other groups than the first: panels share their axes", p.Title)
		}
		if a := f.Panels[0].Cells; p.Cells != nil && !slices.Equal(p.Cells.Classes, a.Classes) {
			return fmt.Errorf("panel %q has other classes than the first: panels share their colours", p.Title)
		}
		if f.Kind == KindFrames && p.Cells != nil {
			if c, a := p.Cells, f.Panels[0].Cells; len(c.Z) != len(a.Z) || len(c.Z[0]) != len(a.Z[0]) || !slices.Equal(c.X, a.X) || !slices.Equal(c.Y, a.Y) ||
				!slices.Equal(c.Rows, a.Rows) || !slices.Equal(c.Cols, a.Cols) {
				return fmt.Errorf("frame %q has another grid than the first: frames share their axes", p.Title)
			}
		}
	}
	return nil
}

// validate judges an axis that needs a label.
func (a Axis) validate(name string) error {
	if strings.TrimSpace(a.Label) == "" {
		return fmt.Errorf("the %s axis has no label (WithAxes)", name)
	}
	for _, end := range []*float64{a.Min, a.Max} {
		if end != nil && (!finite(*end) || a.Log && *end <= 0) {
			return fmt.Errorf("the %s axis ends at %v", name, *end)
		}
	}
	if a.Min != nil && a.Max != nil && *a.Min >= *a.Max {
		return fmt.Errorf("the %s axis ends at %v and %v: expected the lesser first", name, *a.Min, *a.Max)
	}
	return nil
}

// validate judges a series, of points or of bars.
func (s Series) validate(x Axis, points bool) error {
	if s.Name == "" {
		return fmt.Errorf("a series has no name")
	}
	if len(s.Y) == 0 {
		return fmt.Errorf("series %q is empty", s.Name)
	}
	if points && len(s.X) != len(s.Y) {
		return fmt.Errorf("series %q has %d x and %d y values", s.Name, len(s.X), len(s.Y))
	}
	if len(s.Lo) != len(s.Hi) || len(s.Lo) != 0 && len(s.Lo) != len(s.Y) {
		return fmt.Errorf("series %q of %d values has %d lower and %d upper ends", s.Name, len(s.Y), len(s.Lo), len(s.Hi))
	}
	if len(s.Lo) > 0 && s.Band == "" {
		return fmt.Errorf("series %q does not say what its band is (Band: \"quartiles of 20 splits\")", s.Name)
	}
	switch s.Mark {
	case MarkLine, MarkPoints, MarkBoth, MarkStep:
	default:
		return fmt.Errorf("series %q has unknown mark %q", s.Name, s.Mark)
	}
	for _, c := range []struct {
		name string
		v    []float64
	}{{"x", s.X}, {"y", s.Y}, {"lower end", s.Lo}, {"upper end", s.Hi}} {
		for i, v := range c.v {
			if !finite(v) {
				return fmt.Errorf("%s[%d] of series %q is %v: expected a finite number", c.name, i, s.Name, v)
			}
		}
	}
	for i := range s.Lo {
		if s.Lo[i] > s.Hi[i] {
			return fmt.Errorf("the band of series %q is upside down at %d: from %v to %v", s.Name, i, s.Lo[i], s.Hi[i])
		}
	}
	if x.Log {
		for i, v := range s.X {
			if v <= 0 {
				return fmt.Errorf("x[%d] of series %q is %v on a logarithmic axis", i, s.Name, v)
			}
		}
	}
	return nil
}

// full judges a matrix that should be n×m and finite.
func full(what string, z [][]float64, n, m int) error {
	for i, row := range z {
		if len(row) != m {
			return fmt.Errorf("%s: row %d has %d entries, expected %d", what, i, len(row), m)
		}
		for j, v := range row {
			if !finite(v) {
				return fmt.Errorf("%s (%d, %d) is %v: expected a finite number", what, i, j, v)
			}
		}
	}
	return nil
}

// unique refuses two series of one name.
func unique(series []Series) error {
	seen := map[string]bool{}
	for _, s := range series {
		if seen[s.Name] {
			return fmt.Errorf("two series are named %q", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}

// quantileLevels returns at most k distinct values that part the finite entries of z into equal
// numbers, rounded to three significant digits.
func quantileLevels(z [][]float64, k int) []float64 {
	var all []float64
	for _, row := range z {
		for _, v := range row {
			if finite(v) {
				all = append(all, v)
			}
		}
	}
	sort.Float64s(all)
	var levels []float64
	for i := 1; i <= k && len(all) > 1; i++ {
		v := all[i*(len(all)-1)/(k+1)]
		if v != 0 {
			scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(v))))
			v = math.Round(v*scale) / scale
		}
		if v > all[0] && v < all[len(all)-1] && finite(v) && (len(levels) == 0 || v > levels[len(levels)-1]) {
			levels = append(levels, v)
		}
	}
	return levels
}
