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
	if !(tol >= 0) || math.IsInf(tol, 1) {
		fail(fmt.Errorf("mklnb: check %q: tolerance %g; use a finite one ≥ 0", name, tol))
	}
	ok := math.Abs(got-want) <= tol || got == want // the latter for infinities
	showCheck(name, ok, fmt.Sprintf("got %s, expected %s ± %s", number(got), number(want), number(tol)))
}

// CheckTrue is like Check, for a condition.
func CheckTrue(name string, ok bool) {
	showCheck(name, ok, fmt.Sprintf("got %v, expected true", ok))
}

// showCheck shows a line with ✓ or ✗, and ends the cell at ✗. After the stop button, ✗ becomes –.
func showCheck(name string, ok bool, what string) {
	mark, color := "✓", "#009e73"
	switch {
	case ok:
	case stopped():
		mark, color, what = "–", "#767676", what+": not checked, the cell was stopped"
	default:
		mark, color = "✗", "#b84600"
	}
	put(page{text: fmt.Sprintf("%s %s: %s", mark, name, what),
		html: fmt.Sprintf(`<div class="mkl-check"><b style="color:%s">%s</b> %s: %s</div>`, color, mark,
			html.EscapeString(name), html.EscapeString(what))})
	if mark == "✗" {
		exit(1)
	}
}

// number formats v with six significant digits.
func number(v float64) string { return fmt.Sprintf("%.6g", v) }
