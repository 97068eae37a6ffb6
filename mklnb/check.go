package mklnb

import (
	"fmt"
	"html"
	"math"
)

// Check shows whether |got − want| ≤ tol, with both numbers. It marks the line with ✓, or with ✗ and ends the cell with
// status 1. NaN is never right. After the stop button, Check marks a ✗ as not checked instead, because the number may
// come from unfinished work.
func Check(name string, got, want, tol float64) {
	if !(tol >= 0) {
		fail(fmt.Errorf("mklnb: check %q: tolerance %g; use one ≥ 0", name, tol))
	}
	ok := math.Abs(got-want) <= tol || got == want // the latter for infinities
	judge(name, ok, fmt.Sprintf("got %s, expected %s ± %s", number(got), number(want), number(tol)))
}

// CheckTrue is like Check, for a condition.
func CheckTrue(name string, ok bool) {
	judge(name, ok, fmt.Sprintf("got %v, expected true", ok))
}

func judge(name string, ok bool, what string) {
	mark, colour := "✓", "#009e73"
	switch {
	case ok:
	case stopped():
		mark, colour, what = "–", "#767676", what+": not judged, the cell was stopped"
	default:
		mark, colour = "✗", "#b84600"
	}
	put(page{text: fmt.Sprintf("%s %s: %s", mark, name, what),
		html: fmt.Sprintf(`<div class="mkl-check"><b style="color:%s">%s</b> %s: %s</div>`, colour, mark,
			html.EscapeString(name), html.EscapeString(what))})
	if mark == "✗" {
		exit(1)
	}
}

// number formats v with six significant digits.
func number(v float64) string { return fmt.Sprintf("%.6g", v) }
