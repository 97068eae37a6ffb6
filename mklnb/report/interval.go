package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

// formatValues formats values of a metric alike: "12.9 %" for rates, otherwise as formatWithEqualDecimals does.
func formatValues(m model.Metric, v ...float64) []string {
	if isRate(m) {
		return formatPercent(v...)
	}
	return formatWithEqualDecimals(v...)
}

func isRate(m model.Metric) bool {
	return m == model.Accuracy || m == model.ErrorRate || m == model.Balanced
}

// intervalText returns a 95 % interval in words. lo and hi are its ends as formatValues returns them.
func intervalText(lo, hi string) string {
	return fmt.Sprintf("95 %% interval %s to %s", strings.TrimSuffix(lo, " %"), hi)
}

// differenceUnit returns the unit of a difference of a metric, after a space, or "" if it has none.
func differenceUnit(m model.Metric) string {
	if isRate(m) {
		return " percentage points"
	}
	return ""
}

// unsignedDifferenceText formats a difference and its interval in words, without plus signs, with the unit.
func unsignedDifferenceText(d compare.Difference) string {
	text := strings.ReplaceAll(differenceText(d), "+", "")
	if mean, interval, ok := strings.Cut(text, " ["); ok {
		return fmt.Sprintf("%s%s (95 %% interval %s)", mean, differenceUnit(d.Metric),
			strings.Replace(strings.TrimSuffix(interval, "]"), ",", " to", 1))
	}
	return text + differenceUnit(d.Metric)
}

// differenceText formats a difference with its sign, and its interval if there is one. All numbers have the same
// format, which depends on the largest magnitude among them:
//
//   - Rates are in percentage points with one decimal.
//   - A magnitude below 10⁻⁵, or of at least 10⁶, has three significant digits.
//   - A magnitude below 0.1 has as many decimals as it needs for three significant digits.
//   - Other magnitudes have three decimals, or none from 1,000 on.
func differenceText(d compare.Difference) string {
	v, magnitude := []float64{d.Mean}, math.Abs(d.Mean)
	if d.N > 1 {
		v = append(v, d.Lo, d.Hi)
		magnitude = max(magnitude, math.Abs(d.Lo), math.Abs(d.Hi))
	}
	format := "%+.3f"
	switch {
	case isRate(d.Metric):
		format = "%+.1f"
		for i := range v {
			v[i] *= 100
		}
	case magnitude > 0 && magnitude < 1e-5 || magnitude >= 1e6:
		format = "%+.3g"
	case magnitude > 0 && magnitude < 0.1:
		format = fmt.Sprintf("%%+.%df", 2-int(math.Floor(math.Log10(magnitude))))
	case viz.Decimals(magnitude) == 0:
		format = "%+.0f"
	}
	text := make([]string, len(v))
	for i := range v {
		text[i] = formatWithMinusSign(format, v[i])
		if strings.Trim(text[i], "+−0.") == "" {
			text[i] = strings.TrimLeft(text[i], "+−") // a number that is rounded to 0 has no sign
		}
	}
	if len(v) == 1 {
		return text[0]
	}
	return fmt.Sprintf("%s [%s, %s]", text[0], text[1], text[2])
}

// formatMetricCell returns a cell with the mean of a metric and its standard deviation over splits, which is omitted if
// it is NaN. Rates are in percent.
func formatMetricCell(m model.Metric, mean, sd float64) viz.Cell {
	if !isRate(m) {
		return meanAndSDCell(mean, sd)
	}
	return viz.MeanAndSD(100*mean, 100*sd, 1)
}

// meanAndSDCell returns a cell with a mean and a deviation. Both have three decimals, or none if the mean is at least
// 1,000. If the mean is so small or so large that these decimals would not help (below 0.01, or at least 1e6),
// formatWithEqualDecimals formats the mean, and the deviation has two significant digits. A NaN deviation is omitted.
func meanAndSDCell(mean, sd float64) viz.Cell {
	c := viz.MeanAndSD(mean, sd, viz.Decimals(math.Abs(mean)))
	if magnitude := math.Abs(mean); magnitude > 0 && magnitude < 0.01 || magnitude >= 1e6 {
		c.Text = formatWithEqualDecimals(mean)[0]
		if !math.IsNaN(sd) {
			c.Text += formatWithMinusSign(" ± %.2g", sd)
		}
	}
	return c
}
