// Mkl-render draws a figure: it reads one viz.Figure as JSON from standard input and writes a
// viz.Picture as JSON to standard output.
//
//	{"kind": "lines", …}
//	{"width": 700, "height": 400, "svg": "<svg …", "png": "iVBO…", "option": {…}}
//
// A figure that cannot be drawn gives a picture that holds the error alone. Input that is no figure ends
// the program with status 1 and one line on standard error.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mklnb/mkl/viz"
	"github.com/mklnb/mkl/viz/render"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mkl-render:", err)
		os.Exit(1)
	}
}

// run draws the figure in r.
func run(r io.Reader, w io.Writer) error {
	var f viz.Figure
	in := json.NewDecoder(r)
	in.DisallowUnknownFields() // a program of another version, or a misspelt name
	if err := in.Decode(&f); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("nothing there")
		}
		return fmt.Errorf("read the figure: %w", err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return errors.New("read the figure: more follows it, expected one JSON object")
	}
	p, err := render.Render(f)
	if err != nil {
		p = viz.Picture{Error: err.Error()}
	}
	if err := json.NewEncoder(w).Encode(p); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	return nil
}
