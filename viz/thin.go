package viz

// Thin returns s with at most about n points. Of every stretch of points it keeps those where y is
// least and greatest, so that no peak is lost, and the first and the last of all.
func (s Series) Thin(n int) Series {
	if len(s.Y) <= n || n < 4 || len(s.X) != len(s.Y) {
		return s
	}
	var keep []int
	stretches := (n - 2) / 2
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
		keep = append(keep, min(lo, hi))
		if lo != hi {
			keep = append(keep, max(lo, hi))
		}
	}
	keep = append(append([]int{0}, keep...), len(s.Y)-1)
	pick := func(v []float64) []float64 {
		if len(v) == 0 {
			return nil
		}
		out := make([]float64, len(keep))
		for i, k := range keep {
			out[i] = v[k]
		}
		return out
	}
	s.X, s.Y, s.Lo, s.Hi = pick(s.X), pick(s.Y), pick(s.Lo), pick(s.Hi)
	return s
}
