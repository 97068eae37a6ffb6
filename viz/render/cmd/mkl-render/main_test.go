package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mklnb/mkl/viz"
)

func TestRun(t *testing.T) {
	good := viz.Lines("t", "c", viz.Line{Name: "a", XYs: viz.Values{1, 2}}).WithAxes("x", "y")
	bad := viz.Lines("t", "c", viz.Line{Name: "a", XYs: viz.Values{1, 2}}) // no labels
	table := viz.Table("t", "c", []string{"a"}, []any{1})
	raw, err := json.Marshal(viz.Request{Figures: []viz.Figure{good, bad, table},
		Want: []viz.Form{viz.FormSVG, viz.FormPNG, viz.FormOption}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(bytes.NewReader(raw), &out); err != nil {
		t.Fatal(err)
	}
	var reply viz.Reply
	if err := json.Unmarshal(out.Bytes(), &reply); err != nil {
		t.Fatal(err)
	}
	if len(reply.Pictures) != 3 {
		t.Fatalf("%d pictures of 3 figures", len(reply.Pictures))
	}
	p, q, r := reply.Pictures[0], reply.Pictures[1], reply.Pictures[2]
	if p.Error != "" || !strings.HasPrefix(p.SVG, "<svg") || !bytes.HasPrefix(p.PNG, []byte("\x89PNG")) ||
		!json.Valid(p.Option) || p.Width != 700 || p.Height < 100 {
		t.Errorf("first picture: error %q, %d×%d, %d %d %d bytes", p.Error, p.Width, p.Height, len(p.SVG), len(p.PNG),
			len(p.Option))
	}
	if !strings.Contains(q.Error, "x axis has no label") || q.SVG != "" {
		t.Errorf("second picture: %+v", q)
	}
	if !strings.Contains(r.Error, "has no picture") || r.SVG != "" {
		t.Errorf("a table: %+v", r)
	}
}

func TestBadRequests(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "nothing there",
		"{":                               "unexpected EOF",
		`{"figures": 3, "want": ["svg"]}`: "cannot unmarshal",
		`{"figures": [], "wants": []}`:    `unknown field "wants"`,
		`{"figures": []}`:                 "wants nothing",
		`{"want": ["pdf"]}`:               `wants "pdf"`,
		`{"want": ["svg"]} {}`:            "more follows",
	} {
		var out bytes.Buffer
		err := run(strings.NewReader(in), &out)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || out.Len() > 0 {
			t.Errorf("%q: error %v, wrote %q; expected one line with %q", in, err, &out, want)
		}
	}
}
