package mklnb

import (
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// sine is a plot of gonum.
func sine(t *testing.T) *plot.Plot {
	t.Helper()
	p := plot.New()
	p.Title.Text = "A <sine>"
	p.Add(plotter.NewFunction(math.Sin))
	p.X.Max, p.Y.Min, p.Y.Max = 6, -1, 1
	return p
}

// TestShowPictures: a plot of gonum, an image and HTML are pages with their pictures inside, files in a terminal.
func TestShowPictures(t *testing.T) {
	for name, c := range map[string]struct {
		x         any
		text      string
		html      []string
		svg, png  bool
		wantFiles string // in a terminal
	}{
		"plot":  {sine(t), "A <sine>.", []string{`<img alt="A &lt;sine&gt;"`, "data:image/svg+xml;base64,"}, true, true, "01-a-sine.svg 01-a-sine.png 01-a-sine.html"},
		"image": {image.NewGray(image.Rect(0, 0, 30, 20)), "An image of 30 × 20 pixels.", []string{"data:image/png;base64,iVBOR"}, false, true, "01-an-image-of-30-20-pixels.png 01-an-image-of-30-20-pixels.html"},
		"html":  {HTML("<b>x & y</b>"), "<b>x & y</b>", []string{"<b>x & y</b>"}, false, false, "01-html.html"},
	} {
		r, status := record(t, func() { Show(c.x) })
		if status != -1 || len(r.shown) != 1 || len(r.shown[0].pictures) != 1 {
			t.Errorf("%s: status %d, shown %v", name, status, r.shown)
			continue
		}
		p := r.shown[0]
		if p.text != c.text || !containsEvery(p.html, c.html...) || strings.HasPrefix(p.pictures[0].SVG, "<?xml") != c.svg || strings.HasPrefix(string(p.pictures[0].PNG), "\x89PNG") != c.png {
			t.Errorf("%s: %q\n%.300s", name, p.text, p.html)
		}
		var out strings.Builder
		edge := &terminal{out: &out, folder: t.TempDir()}
		if err := edge.show(p); err != nil {
			t.Error(err)
		}
		for file := range strings.FieldsSeq(c.wantFiles) {
			if info, err := os.Stat(filepath.Join(edge.folder, file)); err != nil || info.Size() == 0 || !strings.Contains(out.String(), file) {
				t.Errorf("%s: %v, and the terminal says %q", name, err, out.String())
			}
		}
	}
}

// TestShowNothing: what cannot be shown ends with status 1 and one line.
func TestShowNothing(t *testing.T) {
	bad := sine(t)
	bad.X.Scale, bad.X.Min = plot.LogScale{}, -1
	var none *plot.Plot
	for name, c := range map[string]struct {
		x    any
		want string
	}{
		"a plot of −1 on a logarithmic axis": {bad, "a *plot.Plot that cannot be shown: Values must be greater than 0 for a log scale."},
		"no plot":                            {none, "a nil *plot.Plot"},
		"an image of no pixels":              {image.NewGray(image.Rectangle{}), "a *image.Gray of (0,0)-(0,0): png: invalid format: invalid image size: 0x0"},
		"an empty spectrum":                  {&similarity.Spectrum{}, "an empty similarity.Spectrum, want what Decompose returned"},
		"runs without scores":                {&study.Table{Rows: []study.Row{{Method: "a", Runs: make([]study.Run, 2)}, {Method: "b", Runs: make([]study.Run, 1)}}}, "a *study.Table"},
		"a String that panics":               {panics{}, "a mklnb.panics that cannot be shown: no text"},
	} {
		text, status := stderr(t, func() int {
			_, status := record(t, func() { Show(c.x) })
			return status
		})
		if status != 1 || strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "mklnb: show: ") || !strings.Contains(text, c.want) {
			t.Errorf("%s ended with %d and %q, want 1 and a line with %q", name, status, text, c.want)
		}
	}
	r, status := record(t, func() { Show([]viz.Figure{}) })
	if status != -1 || len(r.shown) != 1 || r.shown[0].text != "No figures." {
		t.Errorf("no figures: status %d, %v", status, r.shown)
	}
}

type panics struct{}

func (panics) String() string { panic("no text") }

// TestShowManyPoints: the page of a hundred thousand points says that it is thinned, and how many are drawn.
func TestShowManyPoints(t *testing.T) {
	x := make(viz.Values, 100_000)
	for i := range x {
		x[i] = math.Sin(float64(i))
	}
	r, status := record(t, func() { Show(viz.Scatter("t", "c.", viz.Line{Name: "a", XYs: x}).WithAxes("x", "y")) })
	if status != -1 || len(r.shown) != 1 {
		t.Fatalf("status %d", status)
	}
	var drawn, all int
	_, said, _ := strings.Cut(r.shown[0].html, "Drawn are ")
	if _, err := fmt.Sscanf(said, "%d of %d points", &drawn, &all); err != nil || drawn > 2000 || drawn < 500 || all != len(x) || !strings.Contains(r.shown[0].text, said[:20]) {
		t.Errorf("%d of %d points, %v: %s", drawn, all, err, r.shown[0].text)
	}
	if !containsEvery(r.shown[0].text, "100000") {
		t.Errorf("the numbers are not of all points: %s", r.shown[0].text)
	}
}
