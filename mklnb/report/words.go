package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/viz"
)

// formatWithEqualDecimals returns the numbers as texts that all have the same number of decimals. There are three
// decimals, or none if the largest magnitude is at least 1,000. If the last number is larger than the number before it,
// there are enough decimals to show two digits of their difference, but at most eight. If the largest magnitude is
// below 0.01 or at least 10⁶, the numbers have three to eight significant digits instead, as with %g.
func formatWithEqualDecimals(v ...float64) []string {
	largestMagnitude, differenceOfLastTwoValues := 0.0, math.Inf(1)
	for _, x := range v {
		largestMagnitude = math.Max(largestMagnitude, math.Abs(x))
	}
	if n := len(v); n > 1 && v[n-1] > v[n-2] {
		differenceOfLastTwoValues = v[n-1] - v[n-2]
	}
	decimals := viz.Decimals(largestMagnitude)
	if !math.IsInf(differenceOfLastTwoValues, 1) {
		decimals = max(decimals, min(8, 1-int(math.Floor(math.Log10(differenceOfLastTwoValues)))))
	}
	format := func(x float64) string { return fmt.Sprintf("%.*f", decimals, x) }
	if largestMagnitude > 0 && (largestMagnitude < 0.01 || largestMagnitude >= 1e6) {
		smallest := math.Min(differenceOfLastTwoValues, largestMagnitude)
		digits := max(3, min(8, 2+int(math.Ceil(math.Log10(largestMagnitude/smallest)))))
		format = func(x float64) string { return fmt.Sprintf("%.*g", digits, x) }
	}
	s := make([]string, len(v))
	for i, x := range v {
		s[i] = strings.ReplaceAll(format(x), "-", "−")
	}
	return s
}

// formatPercent returns rates as texts in percent with one decimal, or with two if the last rate minus the rate before
// it is less than 0.01.
func formatPercent(v ...float64) []string {
	decimals := 1
	if n := len(v); n > 1 && v[n-1]-v[n-2] < 0.01 {
		decimals = 2
	}
	s := make([]string, len(v))
	for i, x := range v {
		s[i] = fmt.Sprintf("%.*f %%", decimals, 100*x)
	}
	return s
}

// formatWithMinusSign formats like fmt.Sprintf, but writes − (U+2212) for each hyphen, as the charts do.
func formatWithMinusSign(format string, v ...any) string {
	return strings.ReplaceAll(fmt.Sprintf(format, v...), "-", "−")
}

func capitalize(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}

// joinNames returns the names as "a, b and c". For more than eleven names it returns the first ten and "n others".
func joinNames(names []string) string {
	if n := len(names); n > 11 {
		names = append(names[:10:10], fmt.Sprintf("%d others", n-10))
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}
