// Mkl-render draws figures: it reads one viz.Request as JSON from standard input and writes one
// viz.Reply as JSON to standard output.
//
//	{"figures": [{"kind": "lines", …}], "want": ["svg", "png", "option"]}
//	{"pictures": [{"width": 700, "height": 400, "svg": "<svg …", "png": "iVBO…", "option": {…}}]}
//
// A figure that cannot be drawn gives a picture that holds the error alone; the others are drawn. A
// request that cannot be read, or that asks for an unknown form, ends the program with status 1 and
// one line on standard error.
package main

import (
	"bufio"
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

// run answers the one request in r.
func run(r io.Reader, w io.Writer) error {
	var req viz.Request
	in := json.NewDecoder(bufio.NewReader(r))
	in.DisallowUnknownFields() // a program of another version, or a misspelt name
	if err := in.Decode(&req); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("nothing there")
		}
		return fmt.Errorf("read the request: %w", err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return errors.New("read the request: more follows it, expected one JSON object")
	}
	if len(req.Want) == 0 {
		return errors.New(`the request wants nothing: expected "want" with svg, png or option`)
	}
	for _, form := range req.Want {
		switch form {
		case viz.FormSVG, viz.FormPNG, viz.FormOption:
		default:
			return fmt.Errorf("the request wants %q: expected svg, png or option", form)
		}
	}
	reply := viz.Reply{Pictures: make([]viz.Picture, len(req.Figures))}
	for i, f := range req.Figures {
		p, err := render.Render(f, req.Want...)
		if err != nil {
			p = viz.Picture{Error: err.Error()}
		}
		reply.Pictures[i] = p
	}
	out := bufio.NewWriter(w)
	if err := json.NewEncoder(out).Encode(reply); err != nil {
		return fmt.Errorf("write the reply: %w", err)
	}
	return out.Flush()
}
