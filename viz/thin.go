package viz

import "slices"

// maxCurvePoints is the approximate largest number of points that are drawn of one curve.
const maxCurvePoints = 1000

// WithFewerPoints returns f without the points that a reader could not distinguish. It divides a long curve into
// intervals of consecutive points and selects, of each interval, the points with the least and the greatest y, so that
// no peak is lost. It also selects the first and the last point.
func (f Figure) WithFewerPoints() Figure {
	f.Panels, f.Series = cloneSlice(f.Panels), cloneSlice(f.Series)
	for i, p := range f.Panels {
		f.Panels[i] = p.WithFewerPoints()
	}
	for i := range f.Series {
		if s := &f.Series[i]; len(s.Y) > maxCurvePoints && len(s.X) == len(s.Y) && s.Mark != MarkPoints {
			s.thinCurve()
		}
	}
	return f
}

// thinCurve replaces the points of s by about maxCurvePoints of them that keep every peak of the curve.
func (s *Series) thinCurve() {
	n := len(s.Y)
	pointsPerInterval := (2*n + maxCurvePoints - 1) / maxCurvePoints
	selectedIndices := []int{0, n - 1}
	for intervalStart := 0; intervalStart < n; intervalStart += pointsPerInterval {
		lo, hi := intervalStart, intervalStart
		for i := intervalStart; i < min(intervalStart+pointsPerInterval, n); i++ {
			if s.Y[i] < s.Y[lo] {
				lo = i
			}
			if s.Y[i] > s.Y[hi] {
				hi = i
			}
		}
		selectedIndices = append(selectedIndices, lo, hi)
	}
	slices.Sort(selectedIndices)
	selectedIndices = slices.Compact(selectedIndices)
	for _, v := range []*[]float64{&s.X, &s.Y, &s.Lo, &s.Hi} {
		if len(*v) == n {
			selectedValues := make([]float64, len(selectedIndices))
			for k, i := range selectedIndices {
				selectedValues[k] = (*v)[i]
			}
			*v = selectedValues
		}
	}
}
