package compare

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/viz"
)

// Text returns the mean and its interval with as many digits as the interval has: "0.957, 95 % interval [0.941,
// 0.973]".
func (s Summary) Text() string {
	switch {
	case s.Note != "":
		return s.Note
	case s.N == 0:
		return "no split was finished"
	}
	return within(s.Mean, s.Lo, s.Hi)
}

// OneSplit is the result of a comparison on one split.
const OneSplit = "One split decides nothing"

// within returns the mean and its interval, if there is one.
func within(mean, lo, hi float64) string {
	if math.IsNaN(lo) {
		return viz.Digits(mean)[0] + " on one split, which decides nothing"
	}
	d := viz.Digits(mean, lo, hi)
	return fmt.Sprintf("%s, 95 %% interval [%s, %s]", d[0], d[1], d[2])
}

func (s Summary) String() string { return fmt.Sprintf("%s: %s %s", s.Method, s.Metric, s.Text()) }

// Interval returns the mean and its 95 % interval, if there is one.
func (d Difference) Interval() string { return within(d.Mean, d.Lo, d.Hi) }

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

// numbers returns the mean and its interval, if there is one, in the given format. If the largest of the numbers is
// below 0.001 or at least 1e6, they have three significant digits instead; if it is at least 1,000, they have no
// decimals.
func (d Difference) numbers(f string) string {
	size := math.Abs(d.Mean)
	if d.N > 1 {
		size = max(size, math.Abs(d.Lo), math.Abs(d.Hi))
	}
	switch {
	case size > 0 && size < 0.001 || size >= 1e6:
		f = "%+.3g"
	case viz.Decimals(size) == 0:
		f = "%+.0f"
	}
	if d.N < 2 {
		return viz.FormatSigned(f, d.Mean)
	}
	return viz.FormatSigned(f+" ["+f+", "+f+"]", d.Mean, d.Lo, d.Hi)
}
