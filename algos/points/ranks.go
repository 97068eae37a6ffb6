package points

import (
	"slices"
	"sort"
)

// RankFunction is the fit of the step Ranks to one column. Let n be the number of fitted points. The rank of a number v
// that occurs among them is
//
//	R(v) = (number of entries below v + (number of entries equal to v − 1)/2) / (n − 1),
//
// so that n different entries have the ranks 0, 1/(n−1), …, 1, and equal entries have the mean of such ranks. Between
// two such numbers, R is linear. Below the smallest and above the largest number, R is constant.
//
// Values are the ascending numbers at which R is stored, and Ranks are their ranks. If a column has more than 256
// different numbers, R is stored at 256 of them, at equal distances in their order, with the smallest and the largest.
//
// A constant column has one value of rank 0. A column of zeros and ones has no values: R(v) = v.
type RankFunction struct {
	Values, Ranks []float64
}

const maxRankValues = 256

// fitRanks returns the rank function of each column of x.
func fitRanks(x Rows) []RankFunction {
	functions, column := make([]RankFunction, x.D), make([]float64, x.N)
	for j := range functions {
		for i := range column {
			column[i] = x.Row(i)[j]
		}
		slices.Sort(column)
		functions[j] = newRankFunction(column)
	}
	return functions
}

// newRankFunction returns the rank function of a column, whose entries are given in ascending order.
func newRankFunction(sorted []float64) (f RankFunction) {
	n := len(sorted)
	if isConstantColumn(sorted[0], sorted[n-1]) {
		return RankFunction{Values: sorted[:1:1], Ranks: []float64{0}}
	}
	for start, end := 0, 0; start < n; start = end {
		for end = start; end < n && sorted[end] == sorted[start]; end++ {
		}
		f.Values = append(f.Values, sorted[start])
		f.Ranks = append(f.Ranks, (float64(start)+float64(end-start-1)/2)/float64(n-1))
	}
	if slices.Equal(f.Values, []float64{0, 1}) {
		return RankFunction{}
	}
	if last := len(f.Values) - 1; last >= maxRankValues {
		for k := range maxRankValues {
			at := k * last / (maxRankValues - 1)
			f.Values[k], f.Ranks[k] = f.Values[at], f.Ranks[at]
		}
		f.Values, f.Ranks = f.Values[:maxRankValues], f.Ranks[:maxRankValues]
	}
	return f
}

// rank returns R(v).
func (f RankFunction) rank(v float64) float64 {
	last := len(f.Values) - 1
	switch {
	case last < 0:
		return v
	case v <= f.Values[0]:
		return f.Ranks[0]
	case v >= f.Values[last]:
		return f.Ranks[last]
	}
	k := sort.SearchFloat64s(f.Values, v) // Values[k−1] < v ≤ Values[k]
	t := (v - f.Values[k-1]) / (f.Values[k] - f.Values[k-1])
	return f.Ranks[k-1] + t*(f.Ranks[k]-f.Ranks[k-1])
}

// isValid reports whether the values of f are finite and ascending, with a rank in [0,1] for each.
func (f RankFunction) isValid() bool {
	n := len(f.Values)
	return len(f.Ranks) == n && (n == 0 || slices.IsSorted(f.Values) && slices.IsSorted(f.Ranks) &&
		len(slices.Compact(slices.Clone(f.Values))) == n && !slices.ContainsFunc(f.Values, func(v float64) bool {
		return !isFinite(v)
	}) && f.Ranks[0] >= 0 && f.Ranks[n-1] <= 1)
}
