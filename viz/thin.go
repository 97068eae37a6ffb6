package viz

import "slices"

// maxCurvePoints is the approximate largest number of points that are drawn of one curve.
const maxCurvePoints = 1000

// WithFewerPoints returns f without the points that a reader could not distinguish. It divides a long curve into
// stretches of consecutive points and selects, of each stretch, the points with the least and the greatest y, so that
// no peak is lost. It also selects the first and the last point.
func (f Figure) WithFewerPoints() Figure {
	f.Panels, f.Series = clone(f.Panels), clone(f.Series)
	for i, p := range f.Panels {
		f.Panels[i] = p.WithFewerPoints()
	}
	for i := range f.Series {
		if s := &f.Series[i]; len(s.Y) > maxCurvePoints && len(s.X) == len(s.Y) && s.Mark != MarkPoints {
			s.removeDensePoints()
		}
	}
	return f
}

// removeDensePoints replaces the points of s by about maxCurvePoints of them, selected as WithFewerPoints states.
func (s *Series) removeDensePoints() {
	n := len(s.Y)
	stretch := (2*n + maxCurvePoints - 1) / maxCurvePoints
	selected := []int{0, n - 1}
	for from := 0; from < n; from += stretch {
		lo, hi := from, from
		for i := from; i < min(from+stretch, n); i++ {
			if s.Y[i] < s.Y[lo] {
				lo = i
			}
			if s.Y[i] > s.Y[hi] {
				hi = i
			}
		}
		selected = append(selected, lo, hi)
	}
	slices.Sort(selected)
	selected = slices.Compact(selected)
	for _, v := range []*[]float64{&s.X, &s.Y, &s.Lo, &s.Hi} {
		if len(*v) == n {
			drawn := make([]float64, len(selected))
			for k, i := range selected {
				drawn[k] = (*v)[i]
			}
			*v = drawn
		}
	}
}
