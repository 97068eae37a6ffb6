package viz

// WithAxes returns f with labels of its axes. A label should state the unit. For Multiples it labels the axes of every
// panel.
func (f Figure) WithAxes(x, y string) Figure {
	return f.applyToCopy(func(f *Figure) { f.X.Label, f.Y.Label = x, y })
}

// WithColor returns f with a label that explains the colors of a Heat or Matrix figure.
func (f Figure) WithColor(label string) Figure {
	return f.applyToCopy(func(f *Figure) { f.Z.Label = label })
}

// WithLogX returns f with x on a logarithmic axis.
func (f Figure) WithLogX() Figure { return f.applyToCopy(func(f *Figure) { f.X.Log = true }) }

// WithRange returns f with a y axis from lo to hi.
func (f Figure) WithRange(lo, hi float64) Figure {
	return f.applyToCopy(func(f *Figure) { f.Y.Range = &[2]float64{lo, hi} })
}

// WithBaseline returns f with one more reference value, such as uniform weights or a published result.
func (f Figure) WithBaseline(name string, value float64) Figure {
	return f.applyToCopy(func(f *Figure) {
		f.Baselines = append(clone(f.Baselines), Baseline{Name: name, Value: value})
	})
}

// WithLabels returns a matrix with names of its rows and columns. Give one name for each, or none.
func (f Figure) WithLabels(rows, cols []string) Figure {
	return f.applyToCells(func(c *Cells) { c.Rows, c.Cols = clone(rows), clone(cols) })
}

// WithClasses returns a surface whose values 0, 1, … are classes with these names. It has no contours.
func (f Figure) WithClasses(names ...string) Figure {
	return f.applyToCells(func(c *Cells) { c.Classes, c.Levels = clone(names), nil })
}

// WithRegion returns a surface with one more hatched region, {v ≥ 0}. The matrix v holds a value for each point of the
// grid.
func (f Figure) WithRegion(name string, v [][]float64) Figure {
	return f.applyToCells(func(c *Cells) { c.Regions = append(clone(c.Regions), Region{Name: name, V: v}) })
}

// WithLines returns f with additional curves or points, such as the path of a solver over a surface.
func (f Figure) WithLines(lines ...Line) Figure {
	return f.applyToCopy(func(f *Figure) {
		f.Series = clone(f.Series)
		for _, l := range lines {
			f.Series = append(f.Series, l.toSeries())
		}
	})
}

// applyToCopy returns a copy of f to which change was applied. If the alt text of f was made from the data, applyToCopy
// makes it again. For Multiples, change applies to every panel too, and the axes, baselines and series of f itself are
// cleared.
func (f Figure) applyToCopy(change func(*Figure)) Figure {
	hasAutomaticAlt := f.Alt == f.describe()
	change(&f)
	if f.Kind == KindMultiples {
		f.Panels = clone(f.Panels)
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

func (f Figure) applyToCells(change func(*Cells)) Figure {
	return f.applyToCopy(func(f *Figure) {
		if f.Cells != nil {
			c := *f.Cells
			change(&c)
			f.Cells = &c
		}
	})
}

func (f Figure) withDescription() Figure {
	f.Alt = f.describe()
	return f
}
