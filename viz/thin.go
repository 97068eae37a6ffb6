package viz

// maxCurvePoints is the largest number of points that are drawn of one curve.
const maxCurvePoints = 1000

// Drawn returns f with at most 1,000 points of each curve, evenly spaced by index, both ends included.
func (f Figure) Drawn() Figure {
	f.Panels, f.Series = clone(f.Panels), clone(f.Series)
	for i, p := range f.Panels {
		f.Panels[i] = p.Drawn()
	}
	for i, s := range f.Series {
		if len(s.Y) <= maxCurvePoints || s.Mark == MarkPoints {
			continue
		}
		for _, v := range []*[]float64{&s.X, &s.Y, &s.Lo, &s.Hi} {
			var selected []float64
			for k := 0; k < maxCurvePoints && len(*v) > 0; k++ {
				selected = append(selected, (*v)[k*(len(*v)-1)/(maxCurvePoints-1)])
			}
			*v = selected
		}
		f.Series[i] = s
	}
	return f
}
