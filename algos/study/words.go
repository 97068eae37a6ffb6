package study

import (
	"fmt"
	"math"
	"strings"
)

// Text is the mean and its interval with as many digits as the interval has: "0.957, 95 % interval
// [0.941, 0.973]".
func (s Summary) Text() string {
	switch {
	case s.Note != "":
		return s.Note
	case s.N == 0:
		return "no split was finished"
	}
	return within(s.Mean, s.Lo, s.Hi)
}

// within is a mean and its interval, if there is one.
func within(mean, lo, hi float64) string {
	if math.IsNaN(lo) {
		return digits(mean)[0] + " on one split, which decides nothing"
	}
	d := digits(mean, lo, hi)
	return fmt.Sprintf("%s, 95 %% interval [%s, %s]", d[0], d[1], d[2])
}

func (s Summary) String() string { return fmt.Sprintf("%s: %s %s", s.Method, s.Metric, s.Text()) }

// meanOver says of which targets a score is the mean; "" of one.
func meanOver(targets []string) string {
	if len(targets) < 2 {
		return ""
	}
	return fmt.Sprintf(" Scores are means over %s, each in its own unit: large numbers count most.", listed(targets))
}

// digits writes numbers with the same decimals: at least three, none from 1,000 on, and enough for two digits of
// the difference between the last two; numbers that are small or large with an exponent.
func digits(v ...float64) []string {
	size, width := 0.0, math.Inf(1)
	for _, x := range v {
		size = math.Max(size, math.Abs(x))
	}
	if n := len(v); n > 1 && v[n-1] > v[n-2] {
		width = v[n-1] - v[n-2]
	}
	decimals := places(size)
	if !math.IsInf(width, 1) {
		decimals = max(decimals, min(8, 1-int(math.Floor(math.Log10(width)))))
	}
	format := func(x float64) string { return fmt.Sprintf("%.*f", decimals, x) }
	if size > 0 && (size < 0.01 || size >= 1e6) {
		most := max(3, min(8, 2+int(math.Ceil(math.Log10(size/math.Min(width, size))))))
		format = func(x float64) string { return fmt.Sprintf("%.*g", most, x) }
	}
	s := make([]string, len(v))
	for i, x := range v {
		s[i] = strings.ReplaceAll(format(x), "-", "−")
	}
	return s
}

// places are the decimals of numbers of this size: three, and none where these are of 1,000 or more.
func places(size float64) int {
	if size >= 1000 {
		return 0
	}
	return 3
}

func (d Difference) String() string {
	text := fmt.Sprintf("%s %s", d.Metric, d.numbers("%+.4f"))
	switch {
	case d.Note != "":
		text = d.Note
	case d.N == 0:
		text = "no split was finished"
	case d.N == 1:
		text += "; one split decides nothing"
	}
	return fmt.Sprintf("%s − %s: %s", d.Method, d.Baseline, text)
}

// numbers is the mean and its interval, if there is one, in the format, or to three digits where the
// targets are so small or so large that it would say nothing.
func (d Difference) numbers(f string) string {
	size := math.Abs(d.Mean)
	if d.N > 1 {
		size = max(size, math.Abs(d.Lo), math.Abs(d.Hi))
	}
	switch {
	case size > 0 && size < 0.001 || size >= 1e6:
		f = "%+.3g"
	case places(size) == 0:
		f = "%+.0f"
	}
	if d.N < 2 {
		return signed(f, d.Mean)
	}
	return signed(f+" ["+f+", "+f+"]", d.Mean, d.Lo, d.Hi)
}

// signed are numbers with the minus sign that figures have.
func signed(format string, v ...any) string {
	return strings.ReplaceAll(fmt.Sprintf(format, v...), "-", "−")
}

// percent writes rates, with as many decimals as the difference of the last two asks for.
func percent(v ...float64) []string {
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

// sentence is s with a capital first letter.
func sentence(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}
