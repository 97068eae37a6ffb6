package mklnb

import (
	"errors"
	"fmt"
	"html"
	"math"
	"sync"

	"github.com/mklnb/mkl/viz"
)

var checks struct {
	sync.Mutex
	done int
}

// Check shows whether |got − want| ≤ tol, with both numbers: ✓, or ✗, which ends the cell with
// status 1. NaN is never right. After the stop button, what would be ✗ is marked as not judged
// instead, because it may be of something half done.
func Check(name string, got, want, tol float64) {
	if !(tol >= 0) {
		fail(fmt.Errorf("mklnb: check %q: tolerance %g, want ≥ 0", name, tol))
	}
	ok := math.Abs(got-want) <= tol || got == want // the latter for infinities
	judge(name, ok, fmt.Sprintf("got %s, want %s ± %s", number(got), number(want), number(tol)))
}

// CheckTrue is Check of a statement.
func CheckTrue(name string, ok bool) {
	judge(name, ok, fmt.Sprintf("got %v, want true", ok))
}

// Checks shows how many checks of this cell were right. Each cell is a program of its own; one without a
// check ends with an error.
func Checks() {
	checks.Lock()
	n := checks.done
	checks.Unlock()
	if n == 0 && !stopped() {
		fail(errors.New("mklnb: Checks in a cell without a check: each cell is a program of its own, and " +
			"counts its own " + "checks"))
	}
	put(note(fmt.Sprintf("✓ %s of this cell, none failed", viz.Count(n, "check"))))
}

func judge(name string, ok bool, what string) {
	mark, colour := "✓", "#009e73"
	switch {
	case ok:
		checks.Lock()
		checks.done++
		checks.Unlock()
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

// number writes v shortly, with all the digits that a check may depend on.
func number(v float64) string { return fmt.Sprintf("%.6g", v) }
