package mklnb

import (
	"fmt"
	"html"
	"math"
)

// Check shows a line with got, want and a mark: ✓ if |got − want| ≤ tol, ✗ otherwise. After ✗ the program of the cell
// ends with exit status 1. NaN always gives ✗. After the stop button, Check shows – (not checked) instead of ✗ and does
// not end the cell, because the number may come from unfinished work.
func Check(name string, got, want, tol float64) {
	if !(tol >= 0) || math.IsInf(tol, 1) {
		fail(fmt.Errorf("mklnb: check %q: the tolerance is %g; use a finite number ≥ 0", name, tol))
	}
	ok := math.Abs(got-want) <= tol || got == want // equal infinities have a difference of NaN
	showCheck(name, ok, fmt.Sprintf("got %s, expected %s ± %s", shortNumber(got), shortNumber(want), shortNumber(tol)))
}

// CheckTrue shows a line with name and the mark ✓ if ok is true. Otherwise it shows ✗ and ends the cell as Check does.
func CheckTrue(name string, ok bool) {
	showCheck(name, ok, fmt.Sprintf("got %v, expected true", ok))
}

// showCheck shows a line with ✓ if ok is true. Otherwise it shows ✗ and ends the cell. After the stop button, it shows
// – instead of ✗ and does not end the cell.
func showCheck(name string, ok bool, detail string) {
	mark, color := "✓", "#009e73"
	switch {
	case ok:
	case isStopped():
		mark, color, detail = "–", "#767676", detail+": not checked, the cell was stopped"
	default:
		mark, color = "✗", "#b84600"
	}
	showPage(page{text: fmt.Sprintf("%s %s: %s", mark, name, detail),
		html: fmt.Sprintf(`<div class="mkl-check"><b style="color:%s">%s</b> %s: %s</div>`, color, mark,
			html.EscapeString(name), html.EscapeString(detail))})
	if mark == "✗" {
		exit(1)
	}
}

// shortNumber formats v with six significant digits.
func shortNumber(v float64) string { return fmt.Sprintf("%.6g", v) }
