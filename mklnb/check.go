package mklnb

import (
	"fmt"
	"html"
	"math"
	"strings"
	"sync"

	"github.com/mklnb/mkl/mklnb/internal/gonb"
)

// Check shows a line with got, want and a mark: ✓ if |got − want| ≤ tol, ✗ otherwise. After ✗ the program of the cell
// ends with exit status 1. NaN always gives ✗. After the stop button, Check shows – (not checked) instead of ✗ and does
// not end the cell, because the number may come from unfinished work. In a notebook, the lines with ✓ of a cell are
// folded into one, as "✓ 12 checks passed".
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
	line := page{text: fmt.Sprintf("%s %s: %s", mark, name, detail),
		html: fmt.Sprintf(`<div class="mkl-check"><b style="color:%s">%s</b> %s: %s</div>`, color, mark,
			html.EscapeString(name), html.EscapeString(detail))}
	if ok && gonb.InNotebook() {
		passed.add(line)
		return
	}
	showPage(line)
	if mark == "✗" {
		exit(1)
	}
}

// passedChecks is one output with the checks of a cell that passed. It is shown with the first of them and replaced
// after each, so that nothing is lost however the program ends.
type passedChecks struct {
	mu    sync.Mutex
	id    string
	lines []string
}

var passed passedChecks

// maxFolded is the number of checks in one output. Each check sends the output again, and Jupyter drops outputs if a
// cell sends more than a megabyte a second.
const maxFolded = 50

// add shows the line of a check that passed.
func (c *passedChecks) add(line page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lines)%maxFolded == 0 {
		c.id, c.lines = gonb.NewID(), nil
	}
	c.lines = append(c.lines, line.html)
	count := "1 check passed"
	if n := len(c.lines); n > 1 {
		count = fmt.Sprintf("%d checks passed", n)
	}
	endIfNotShown(display().update(c.id, page{text: "✓ " + count,
		html: `<details class="mkl-checks"><summary><b style="color:#009e73">✓</b> ` + count + `</summary>` +
			strings.Join(c.lines, "") + `</details>`}))
}

// shortNumber formats v with six significant digits.
func shortNumber(v float64) string { return fmt.Sprintf("%.6g", v) }
