// Mkl-render draws a figure by package viz/render: it reads one viz.Figure as JSON from standard input and writes a
// viz.Picture as JSON to standard output. Package setup builds it, so that the cells of a notebook need not be linked
// with the plotting libraries. Nobody calls it by hand.
//
//	{"kind": "lines", …}
//	{"width": 700, "height": 400, "svg": "<svg …", "png": "iVBO…", "option": {…}}
//
// If the figure cannot be drawn, the picture holds only the error. If the input is not a figure, the program writes one
// line to standard error and ends with status 1.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/mklnb/mkl/viz"
	"github.com/mklnb/mkl/viz/render"
)

func main() {
	if err := renderFigure(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mkl-render:", err)
		os.Exit(1)
	}
}

// renderFigure reads a figure from r and writes its picture to w.
func renderFigure(r io.Reader, w io.Writer) error {
	var f viz.Figure
	in := json.NewDecoder(r)
	in.DisallowUnknownFields() // unknown fields come from another version or are misspelled
	if err := in.Decode(&f); err != nil {
		return fmt.Errorf("cannot read the figure: %w", err)
	}
	p, err := render.Render(f)
	if err != nil {
		p = viz.Picture{Error: err.Error()}
	}
	if err := json.NewEncoder(w).Encode(p); err != nil {
		return fmt.Errorf("cannot write the picture: %w", err)
	}
	return nil
}
