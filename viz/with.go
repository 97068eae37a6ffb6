package viz

import "strings"

// WithAxes returns f with labels of its axes. A label should state the unit. For Multiples it labels the axes of every
// panel.
func (f Figure) WithAxes(x, y string) Figure {
	return f.applyToCopy(func(f *Figure) { f.X.Label, f.Y.Label = x, y })
}

// WithColorLabel returns f with a label that explains the colors of a Heat or Matrix figure.
func (f Figure) WithColorLabel(label string) Figure {
	return f.applyToCopy(func(f *Figure) { f.Z.Label = label })
}

// WithDetails returns f with more sentences for its caption. A page shows them after a click.
func (f Figure) WithDetails(text string) Figure {
	return f.applyToCopy(func(f *Figure) { f.Details = strings.TrimSpace(text) })
}

// WithLogX returns f with x on a logarithmic axis.
func (f Figure) WithLogX() Figure { return f.applyToCopy(func(f *Figure) { f.X.Log = true }) }

// WithValues returns f with a number above each dot, and above each mark of a line with MarkBoth.
func (f Figure) WithValues() Figure { return f.applyToCopy(func(f *Figure) { f.ShowsValues = true }) }

// AsSquare returns f as a small square in which x and y have the same scale, for curves or points.
func (f Figure) AsSquare() Figure { return f.applyToCopy(func(f *Figure) { f.IsSquare = true }) }

// WithRange returns f with a y axis from lo to hi.
func (f Figure) WithRange(lo, hi float64) Figure {
	return f.applyToCopy(func(f *Figure) { f.Y.Range = &[2]float64{lo, hi} })
}

// WithTicks returns f with these values as the labels of its x axis and of its y axis. If one is nil, round numbers
// label that axis.
func (f Figure) WithTicks(x, y []float64) Figure {
	return f.applyToCopy(func(f *Figure) { f.X.Ticks, f.Y.Ticks = cloneSlice(x), cloneSlice(y) })
}

// WithBaseline returns f with one more reference value, such as uniform weights or a published result.
func (f Figure) WithBaseline(name string, value float64) Figure {
	return f.applyToCopy(func(f *Figure) {
		f.Baselines = append(cloneSlice(f.Baselines), Baseline{Name: name, Value: value})
	})
}

// WithLines returns f with additional curves or points, such as the path of a solver over a surface.
func (f Figure) WithLines(lines ...Line) Figure {
	return f.applyToCopy(func(f *Figure) {
		f.Series = cloneSlice(f.Series)
		for _, l := range lines {
			f.Series = append(f.Series, l.toSeries())
		}
	})
}

// WithMarkedPoints returns a Heat figure with marks at the grid points (x[j], y[i]) for which isMarked(i, j) is true.
// It tests about 14 evenly spaced rows and columns, so that marks stay apart. If no point is marked, it returns f.
func (f Figure) WithMarkedPoints(name string, isMarked func(i, j int) bool) Figure {
	var p Points
	step := (len(f.Cells.X) + 13) / 14
	for i := step / 2; i < len(f.Cells.Y); i += step {
		for j := step / 2; j < len(f.Cells.X); j += step {
			if isMarked(i, j) {
				p.X, p.Y = append(p.X, f.Cells.X[j]), append(p.Y, f.Cells.Y[i])
			}
		}
	}
	if p.Len() == 0 {
		return f
	}
	return f.WithLines(Line{Name: name, XYs: p, Mark: MarkPoints})
}

// applyToCopy returns a copy of f to which change was applied. If the alt text of f was made from the data, applyToCopy
// makes it again. For Multiples, change applies to every panel, and the copy itself has no axes, baselines or series:
// only panels show them.
func (f Figure) applyToCopy(change func(*Figure)) Figure {
	hasAutomaticAlt := f.Alt == f.describe()
	change(&f)
	if f.Kind == KindMultiples {
		f.Panels = cloneSlice(f.Panels)
		for i, p := range f.Panels {
			f.Panels[i] = p.applyToCopy(change)
		}
		f.X, f.Y, f.Z, f.Baselines, f.Series = Axis{}, Axis{}, Axis{}, nil, nil
	}
	if hasAutomaticAlt {
		f.Alt = f.describe()
	}
	return f
}

func (f Figure) withGeneratedAlt() Figure {
	f.Alt = f.describe()
	return f
}
