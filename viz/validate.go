package viz

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Validate returns an error if f cannot be drawn. The error names the part of f that is missing, not finite or of the
// wrong length, and its position.
func (f Figure) Validate() error {
	var err error
	switch {
	case f.Title == "":
		return fmt.Errorf("viz: a figure of kind %q has no title: state in a sentence what it shows", f.Kind)
	case strings.TrimSpace(f.Caption) == "":
		err = fmt.Errorf("no caption: state how to read the figure (data, n, seeds, the meaning of a band)")
	case strings.TrimSpace(f.Alt) == "":
		err = fmt.Errorf("no alt text: set Figure.Alt")
	case f.Kind == KindMultiples:
		err = f.validatePanels()
	default:
		err = f.validate()
	}
	if err != nil {
		return fmt.Errorf("viz: figure %q: %w", f.Title, err)
	}
	return nil
}

// validate checks the data of a figure without panels. The figure may be a panel itself, which needs no caption.
func (f Figure) validate() error {
	switch f.Kind {
	case KindLines:
		return f.validateLines()
	case KindBars:
		return f.validateBars()
	case KindHeat:
		return cmp.Or(f.validateCells(), f.validateSurface())
	case KindMatrix:
		return f.validateCells()
	case KindTable:
		return f.validateTable()
	case KindMultiples:
		return fmt.Errorf("a panel has panels of its own: pass those panels instead")
	}
	return fmt.Errorf("unknown kind %q: make the figure with a constructor, such as Lines", f.Kind)
}

// maxPoints is the largest number of points that a series without a line can have. A curve can have any number,
// because WithFewerPoints selects points of it.
const maxPoints = 2000

func (f Figure) validateLines() error {
	if len(f.Series) == 0 {
		return fmt.Errorf("no data: expected at least one series")
	}
	if len(f.Series) > maxSeries {
		return fmt.Errorf("%d series cannot be distinguished: expected at most %d; use Multiples", len(f.Series),
			maxSeries)
	}
	hasPositive := false
	for _, s := range f.Series {
		hasPositive = hasPositive || slices.ContainsFunc(s.Y, func(v float64) bool { return v > 0 })
		if n := len(s.Y); s.Mark == MarkPoints && n > maxPoints {
			return fmt.Errorf("series %q has %d points without a line: pass at most %d, such as one of every %d",
				s.Name, n, maxPoints, (n+maxPoints-1)/maxPoints)
		}
	}
	if err := cmp.Or(f.X.validate("x"), f.Y.validate("y"), f.validateSeries()); err != nil {
		return err
	}
	if f.Y.Log && !hasPositive {
		return fmt.Errorf("y is on a logarithmic axis but no value is positive: use a linear axis")
	}
	return f.validateBaselines()
}

func (f Figure) validateBars() error {
	switch {
	case len(f.Series) == 0 || len(f.Groups) == 0:
		return fmt.Errorf("no data: %d bars in each of %d groups; pass at least one bar and one group",
			len(f.Series), len(f.Groups))
	case len(f.Series) > len(Qualitative):
		return fmt.Errorf("%d bars in a group cannot be distinguished: expected at most %d", len(f.Series),
			len(Qualitative))
	case f.Y.Log:
		return fmt.Errorf("bars start at 0, which a logarithmic axis does not have: use Lines with MarkPoints")
	}
	for _, s := range f.Series {
		if len(s.Y) != len(f.Groups) {
			return fmt.Errorf("bar %q has %d values, expected one for each of %d groups", s.Name, len(s.Y),
				len(f.Groups))
		}
	}
	return cmp.Or(f.Y.validate("y"), f.validateSeries(), f.validateBaselines())
}

func (f Figure) validateBaselines() error {
	for _, b := range f.Baselines {
		switch {
		case b.Name == "":
			return fmt.Errorf("a baseline at %s has no name", FormatNumber(b.Value))
		case !isFinite(b.Value):
			return fmt.Errorf("baseline %q is %v, expected a finite number", b.Name, b.Value)
		case f.Y.Log && b.Value <= 0:
			return fmt.Errorf("baseline %q = %v on a logarithmic y axis: expected a value above 0", b.Name, b.Value)
		}
	}
	return nil
}

const maxMatrixSide = 200

func (f Figure) validateCells() error {
	c := f.Cells
	if c == nil || len(c.Z) == 0 || len(c.Z[0]) == 0 {
		return fmt.Errorf("no data: expected a matrix of at least one value")
	}
	if f.Z.Label == "" {
		return fmt.Errorf("no label explains the colors: set it by WithColorLabel")
	}
	n, m := len(c.Z), len(c.Z[0])
	if f.Kind == KindMatrix && max(n, m) > maxMatrixSide {
		return fmt.Errorf("a matrix of %d×%d values: expected at most %d rows and columns; pass a part of it", n, m,
			maxMatrixSide)
	}
	for i, row := range c.Z {
		if len(row) != m {
			return fmt.Errorf("row %d of the matrix has %d values, expected %d", i, len(row), m)
		}
		for j, v := range row {
			if !isFinite(v) {
				return fmt.Errorf("the value in row %d, column %d is %v: expected a finite number", i, j, v)
			}
		}
	}
	return cmp.Or(f.X.validate("x"), f.Y.validate("y"))
}

func (f Figure) validateSurface() error {
	c := f.Cells
	n, m := len(c.Z), len(c.Z[0])
	switch {
	case len(c.X) != m || len(c.Y) != n:
		return fmt.Errorf("%d x and %d y values for a %d×%d surface: expected an x for each column, a y for each row",
			len(c.X), len(c.Y), n, m)
	case n < 2 || m < 2:
		return fmt.Errorf("surface of %d×%d values: expected at least 2×2", n, m)
	case f.X.Log || f.Y.Log:
		return fmt.Errorf("the axes of a surface cannot be logarithmic: give the logarithm as coordinate")
	case len(f.Series) > len(Qualitative):
		return fmt.Errorf("%d series over a surface: expected at most %d", len(f.Series), len(Qualitative))
	}
	return cmp.Or(checkAscending("grid x", c.X), checkAscending("grid y", c.Y), f.validateSeries())
}

func (f Figure) validateTable() error {
	s := f.Sheet
	if s == nil || len(s.Columns) == 0 || len(s.Rows) == 0 {
		return fmt.Errorf("no data: expected columns and at least one row")
	}
	for i, row := range s.Rows {
		if len(row) != len(s.Columns) {
			return fmt.Errorf("row %d of the table has %d entries, expected %d", i, len(row), len(s.Columns))
		}
		for j, c := range row {
			if c.Value != nil && !isFinite(*c.Value) {
				return fmt.Errorf("entry of row %d, column %q is %v: expected a finite number; for other "+
					"entries set only Text", i, s.Columns[j].Name, *c.Value)
			}
		}
	}
	return nil
}

// validatePanels checks the panels of Multiples: they must be valid, of one kind and on the same scales.
func (f Figure) validatePanels() error {
	switch {
	case len(f.Panels) == 0:
		return fmt.Errorf("no panels: expected at least one")
	case f.Columns < 1 || f.Columns > 6:
		return fmt.Errorf("%d panels in a row: expected 1 to 6", f.Columns)
	}
	firstPanel := f.Panels[0]
	for i, p := range f.Panels {
		if p.Kind == KindTable || p.Kind != firstPanel.Kind {
			return fmt.Errorf("panel %d is of kind %s: expected one kind for all panels, and no tables", i, p.Kind)
		}
		if p.Title == "" {
			return fmt.Errorf("panel %d has no title", i)
		}
		if err := p.validate(); err != nil {
			return fmt.Errorf("panel %q: %w", p.Title, err)
		}
		differingPart := ""
		switch {
		case p.X.Log != firstPanel.X.Log || p.Y.Log != firstPanel.Y.Log || p.Horizontal != firstPanel.Horizontal:
			differingPart = "scale"
		case !slices.Equal(p.Groups, firstPanel.Groups):
			differingPart = "groups"
		}
		if differingPart != "" {
			return fmt.Errorf("panel %q and the first panel differ in their %s: panels share axes and colors", p.Title,
				differingPart)
		}
	}
	return nil
}

func (a Axis) validate(name string) error {
	if strings.TrimSpace(a.Label) == "" {
		return fmt.Errorf("the %s axis has no label: set it by WithAxes", name)
	}
	if r := a.Range; r != nil && (!isFinite(r[0]) || !isFinite(r[1]) || r[0] >= r[1] || a.Log && r[0] <= 0) {
		return fmt.Errorf("the %s axis ends at %v and %v: expected finite numbers, the smaller first, above 0 on a "+
			"logarithmic axis", name, r[0], r[1])
	}
	for _, v := range a.Ticks {
		if !isFinite(v) || a.Log && v <= 0 {
			return fmt.Errorf("the %s axis has a tick at %v: expected a finite number, above 0 on a logarithmic axis",
				name, v)
		}
	}
	return nil
}

// validateSeries checks the series of f. Each value of a series must be finite, and the series must have different
// names.
func (f Figure) validateSeries() error {
	seenNames := map[string]bool{}
	for _, s := range f.Series {
		switch {
		case s.Name == "":
			return fmt.Errorf("a series has no name: set the field Name of the Line or Bar")
		case seenNames[s.Name]:
			return fmt.Errorf("two series are named %q: use different names", s.Name)
		case len(s.Y) == 0:
			return fmt.Errorf("series %q is empty: expected at least one value", s.Name)
		case f.Kind != KindBars && len(s.X) != len(s.Y):
			return fmt.Errorf("series %q has %d x and %d y values: expected as many x as y", s.Name, len(s.X), len(s.Y))
		case len(s.Lo) != len(s.Hi) || len(s.Lo) != 0 && len(s.Lo) != len(s.Y):
			return fmt.Errorf("series %q of %d values has %d lower and %d upper ends", s.Name, len(s.Y), len(s.Lo),
				len(s.Hi))
		case len(s.Lo) > 0 && s.Band == "":
			return fmt.Errorf("series %q has a band without a meaning: set Band (\"quartiles of 20 splits\")", s.Name)
		case !slices.Contains([]Mark{MarkLine, MarkPoints, MarkBoth}, s.Mark):
			return fmt.Errorf("series %q has unknown mark %q", s.Name, s.Mark)
		}
		seenNames[s.Name] = true
		for k, values := range [][]float64{s.X, s.Y, s.Lo, s.Hi} {
			for i, v := range values {
				label := []string{"x", "y", "lower end", "upper end"}[k]
				switch {
				case !isFinite(v):
					return fmt.Errorf("%s[%d] of series %q is %v: expected a finite number", label, i, s.Name, v)
				case k == 0 && f.X.Log && v <= 0:
					return fmt.Errorf("x[%d] of series %q is %v on a logarithmic axis: expected > 0", i, s.Name, v)
				}
			}
		}
		for i := range s.Lo {
			if s.Lo[i] > s.Hi[i] {
				return fmt.Errorf("the band of series %q at index %d has Lo = %v above Hi = %v", s.Name, i, s.Lo[i],
					s.Hi[i])
			}
		}
	}
	return nil
}

// checkAscending returns an error unless all values are finite and each is greater than the value before it. The error
// names the values by label.
func checkAscending(label string, v []float64) error {
	for i, x := range v {
		if !isFinite(x) || i > 0 && x <= v[i-1] {
			return fmt.Errorf("%s[%d] = %v: expected finite ascending values", label, i, x)
		}
	}
	return nil
}
