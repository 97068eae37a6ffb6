package viz

// maxCurvePoints is the approximate largest number of points that are drawn of one curve.
const maxCurvePoints = 1000

// Drawn returns f without the points that a reader could not distinguish. It divides a long curve into stretches of
// consecutive points and selects, of each stretch, the points with the least and the greatest y, so that no peak is
// lost. It also selects the first and the last point.
func (f Figure) Drawn() Figure {
	f.Panels, f.Series = clone(f.Panels), clone(f.Series)
	for i, p := range f.Panels {
		f.Panels[i] = p.Drawn()
	}
	for i, s := range f.Series {
		if len(s.Y) > maxCurvePoints && len(s.X) == len(s.Y) && s.Mark != MarkPoints {
			f.Series[i] = s.withoutDensePoints()
		}
	}
	return f
}

// withoutDensePoints returns s with about maxCurvePoints points, selected as Drawn states.
func (s Series) withoutDensePoints() Series {
	const stretches = (maxCurvePoints - 2) / 2
	keep := make([]bool, len(s.Y))
	keep[0], keep[len(keep)-1] = true, true
	for k := range stretches {
		from, to := 1+k*(len(s.Y)-2)/stretches, 1+(k+1)*(len(s.Y)-2)/stretches
		lo, hi := from, from
		for i := from; i < to; i++ {
			if s.Y[i] < s.Y[lo] {
				lo = i
			}
			if s.Y[i] > s.Y[hi] {
				hi = i
			}
		}
		keep[lo], keep[hi] = true, true
	}
	for _, v := range []*[]float64{&s.X, &s.Y, &s.Lo, &s.Hi} {
		var selected []float64
		for i, x := range *v {
			if keep[i] {
				selected = append(selected, x)
			}
		}
		*v = selected
	}
	return s
}
