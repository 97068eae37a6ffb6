package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mklnb/mkl/viz"
)

func TestRun(t *testing.T) {
	line := viz.Lines("t", "c", viz.Line{Name: "a", XYs: viz.Values{1, 2}})
	for want, f := range map[string]viz.Figure{
		"": line.WithAxes("x", "y"), "x axis has no label": line, "has no picture": viz.Table("t", "c", []string{"a"},
			[]any{1}),
	} {
		raw, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := renderFigure(bytes.NewReader(raw), &out); err != nil {
			t.Fatal(err)
		}
		var p viz.Picture
		if err := json.Unmarshal(out.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		if want != "" {
			if !strings.Contains(p.Error, want) || p.SVG != "" {
				t.Errorf("error %q, expected one with %q", p.Error, want)
			}
			continue
		}
		if p.Error != "" || !strings.HasPrefix(p.SVG, "<svg") || !bytes.HasPrefix(p.PNG, []byte("\x89PNG")) ||
			!json.Valid(p.Option) ||
			p.Width != 700 || p.Height < 100 {
			t.Errorf("error %q, %d×%d, %d %d %d bytes", p.Error, p.Width, p.Height, len(p.SVG), len(p.PNG),
				len(p.Option))
		}
	}
}

func TestBadInput(t *testing.T) {
	for in, want := range map[string]string{
		"{":                           "unexpected EOF",
		`{"kind": 3}`:                 "cannot unmarshal",
		`{"kind": "bars", "bars": 2}`: `unknown field "bars"`,
	} {
		var out bytes.Buffer
		err := renderFigure(strings.NewReader(in), &out)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || out.Len() > 0 {
			t.Errorf("%q: error %v, wrote %q; expected one line with %q", in, err, &out, want)
		}
	}
}
