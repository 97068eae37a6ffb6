package mklnb

import (
	"fmt"
	"html"
	"os"
	"strings"

	"github.com/mklnb/mkl/mklnb/internal/gonb"
	"github.com/mklnb/mkl/mklnb/kept"
)

// exit ends the program, after its variables are written. Tests replace it by a function that does not return either.
var exit = kept.Exit

// init makes an error that a statement of a cell drops look like one of this package, and lets work of this package
// handle the stop button first.
func init() {
	kept.OnFailure(fail)
	kept.OnInterrupt(func() bool { return interrupt.claim() })
}

// Must returns v, or ends the cell with the error.
//
//	t := nb.Must(check.Gradient(p, 7))
func Must[T any](v T, err error) T {
	if err != nil {
		fail(err)
	}
	return v
}

// Try ends the cell with the error unless it is nil.
//
//	nb.Try(problem.Validate())
func Try(err error) {
	if err != nil {
		fail(err)
	}
}

// fail shows the error on one line, outside a notebook on stderr, and ends the program with status 1.
func fail(err error) {
	text := oneLine(err)
	if gonb.InNotebook() {
		p := page{text: "error: " + text,
			html: `<div class="mkl-error" role="alert" style="border-left:4px solid #b84600;padding:2px 8px"><b>error:</b> ` +
				html.EscapeString(text) + `</div>`}
		if display().show(p) == nil {
			exit(1)
		}
	}
	fmt.Fprintln(os.Stderr, text)
	exit(1)
}

// oneLine returns the text of an error on one line.
func oneLine(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
