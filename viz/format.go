package viz

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// FormatNumber returns v with four significant digits, as 0.1235, −12.5 or 1.2×10⁻⁷. Whole numbers below 10⁶ in
// magnitude keep all their digits.
func FormatNumber(v float64) string {
	switch {
	case v == 0: // −0 is written as 0 too
		return "0"
	case !isFinite(v):
		return fmt.Sprint(v)
	}
	s := strconv.FormatFloat(v, 'g', 4, 64)
	if a := math.Abs(v); a >= 1e4 && a < 1e6 && v == math.Trunc(v) {
		s = strconv.FormatFloat(v, 'f', 0, 64)
	}
	mantissa, exponent, ok := strings.Cut(s, "e")
	if !ok {
		return withMinusSign(s)
	}
	e, _ := strconv.Atoi(exponent)
	if mantissa == "1" {
		return "10" + Superscript(e)
	}
	return withMinusSign(mantissa) + "×10" + Superscript(e)
}

// FormatNumbers returns numbers for one chart, all with the same number of decimals: as many as FormatNumber writes,
// but at most Decimals of the largest magnitude. If the largest magnitude is below 0.01 or at least 10⁶, it returns
// each as FormatNumber does.
func FormatNumbers(v []float64) (texts []string) {
	largest, decimals := 0.0, 0
	for i, x := range v {
		texts, largest = append(texts, FormatNumber(x)), math.Max(largest, math.Abs(x))
		_, fraction, _ := strings.Cut(texts[i], ".")
		decimals = max(decimals, len(fraction))
	}
	if largest >= 0.01 && largest < 1e6 {
		decimals = min(decimals, Decimals(largest))
		for i, x := range v {
			if texts[i] = strconv.FormatFloat(x, 'f', decimals, 64); strings.Trim(texts[i], "-0.") == "" {
				texts[i] = strings.TrimPrefix(texts[i], "-") // it is rounded to 0
			}
			texts[i] = withMinusSign(texts[i])
		}
	}
	return texts
}

// Decimals returns the number of decimals for numbers of this magnitude: three below 10, then so many that there are
// four digits, and none from 1,000 on.
func Decimals(magnitude float64) (decimals int) {
	for limit := 1000.0; magnitude < limit && decimals < 3; limit /= 10 {
		decimals++
	}
	return decimals
}

// Superscript returns n in raised digits: ⁻⁷.
func Superscript(n int) string {
	return strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(n))
}

// withMinusSign returns s with a leading hyphen replaced by the minus sign.
func withMinusSign(s string) string {
	if absolute, ok := strings.CutPrefix(s, "-"); ok {
		return "−" + absolute
	}
	return s
}

// RoundSignificant returns v rounded to the given number of significant digits.
func RoundSignificant(v float64, digits int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return r
}

// FormatCount returns n with the noun in the singular or the plural: "1 point", "2 points", "3 classes".
func FormatCount(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// FormatDuration returns d as text: "4 s", "3 min", "2.0 h". It rounds to whole seconds (at least 1) below 10 s,
// to multiples of 5 s below 100 s, up to the next whole minute below 90 min, and to tenths of an hour above.
func FormatDuration(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 1.5:
		return "1 s"
	case s < 10:
		return fmt.Sprintf("%.0f s", s)
	case s < 100:
		return fmt.Sprintf("%.0f s", math.Round(s/5)*5)
	case s < 5400:
		return fmt.Sprintf("%.0f min", math.Ceil(s/60))
	default:
		return fmt.Sprintf("%.1f h", s/3600)
	}
}
