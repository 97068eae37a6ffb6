package render_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/viz"
	"github.com/mklnb/mkl/viz/render"
)

var regen = flag.Bool("regen", false, "rewrite the golden images in testdata")

// Two images are alike if at most 0.1 % of their pixels differ by more than 24 of 255 in a channel:
// an architecture that fuses multiplications moves the edges of letters and lines by a rounding of
// the rasteriser, while a bar or a curve that is elsewhere moves more (TestGoldenToleranceIsStrict).
const (
	channelTolerance = 24
	pixelTolerance   = 0.001
)

// half returns the image at half its size, each pixel the mean of four. Golden images are kept so.
func half(img image.Image) *image.RGBA {
	b := img.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dx()/2, b.Dy()/2))
	for y := range b.Dy() / 2 {
		for x := range b.Dx() / 2 {
			var sum [3]uint32
			for k := range 4 {
				r, g, bl, _ := img.At(b.Min.X+2*x+k%2, b.Min.Y+2*y+k/2).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+r>>8, sum[1]+g>>8, sum[2]+bl>>8
			}
			out.SetRGBA(x, y, color.RGBA{uint8(sum[0] / 4), uint8(sum[1] / 4), uint8(sum[2] / 4), 255})
		}
	}
	return out
}

// differing is the share of pixels in which a and b differ, 1 if their sizes do.
func differing(a, b image.Image) float64 {
	if a.Bounds().Size() != b.Bounds().Size() {
		return 1
	}
	size := a.Bounds().Size()
	n := 0
	for y := range size.Y {
		for x := range size.X {
			r0, g0, b0, _ := a.At(x, y).RGBA()
			r1, g1, b1, _ := b.At(x, y).RGBA()
			for _, d := range [][2]uint32{{r0, r1}, {g0, g1}, {b0, b1}} {
				if math.Abs(float64(d[0]>>8)-float64(d[1]>>8)) > channelTolerance {
					n++
					break
				}
			}
		}
	}
	return float64(n) / float64(size.X*size.Y)
}

// rendered are the pictures of the figures drawn already, by their IDs.
var rendered = map[string]viz.Picture{}

// drawn is the picture of f in every form.
func drawn(t *testing.T, f viz.Figure) (viz.Picture, image.Image) {
	t.Helper()
	p, ok := rendered[f.ID()]
	if !ok {
		var err error
		if p, err = render.Render(f); err != nil {
			t.Fatalf("%s %.40q: %v", f.Kind, f.Title, err)
		}
		rendered[f.ID()] = p
	}
	img, err := png.Decode(bytes.NewReader(p.PNG))
	if err != nil {
		t.Fatal(err)
	}
	return p, img
}

func TestGoldenImages(t *testing.T) {
	all := samples()
	kinds := map[viz.Kind]bool{}
	for name, f := range all {
		kinds[f.Kind] = true
		_, img := drawn(t, f)
		img = half(img)
		file := filepath.Join("testdata", name+".png")
		if *regen {
			var buf bytes.Buffer
			if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&buf, img); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, buf.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v (go test -run Golden -regen ./viz/render writes it)", err)
			continue
		}
		want, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if d := differing(img, want); d > pixelTolerance {
			t.Errorf("%s: %.2f %% of the pixels differ from %s, expected at most %.2f %%", name, 100*d, file,
				100*pixelTolerance)
		}
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.png"))
	if err != nil || len(files) != len(all) || len(kinds) != 5 {
		t.Errorf("%d golden images of %d figures of %d kinds, expected all 5 that are drawn (%v)", len(files), len(all),
			len(kinds), err)
	}
}

func TestGoldenToleranceIsStrict(t *testing.T) {
	f := samples()["bars"]
	_, before := drawn(t, f)
	f.Series = slices.Clone(f.Series)
	f.Series[2].Y = slices.Clone(f.Series[2].Y)
	f.Series[2].Y[1] -= 2 // of 100
	if _, after := drawn(t, f); differing(half(before), half(after)) <= pixelTolerance {
		t.Error("no golden image would notice a bar that is lower by two percent")
	}
}

// hostile is samples with names that are long, markup, or not even text.
func hostile() []viz.Figure {
	const script = `</script><script>alert(1)</script>`
	long := strings.Repeat("a name without end ", 20) + strings.Repeat("x", 200)
	xy := viz.Points{X: []float64{1, 2}, Y: []float64{1, 2}}
	grid := []float64{0, 1, 2}
	z := viz.Tabulate(grid, grid, func(x, y float64) float64 { return x - y })
	var out []viz.Figure
	for _, name := range []string{script, long, "λ ≥ 0\x00\x1b[31m\xff ⁻¹²\u2028", "{a|b} {b} {c} %s ${x}"} {
		line := viz.Line{Name: name, XYs: xy, Lo: []float64{0, 1}, Hi: []float64{2, 3}, Band: name}
		points := line
		points.Mark = viz.MarkPoints
		base := viz.Lines(name, name, line).WithAxes(name, name).WithBaseline(name+".", 1.5)
		out = append(out, base,
			viz.Lines(name, name, points).WithAxes(name, name),
			viz.Bars(name, name, []string{name, name + "2"}, viz.Bar{Name: name, Values: []float64{1, 2}},
				viz.Bar{Name: "b", Values: []float64{1, 2}}).WithAxes(name, name),
			viz.Heat(name, name, grid, grid, z).WithAxes(name, name).WithColorLabel(name).
				WithLines(viz.Line{Name: name, XYs: xy}),
			viz.Matrix(name, name, z).WithColorLabel(name),
			viz.Multiples(name, name, 2, base, base))
	}
	return out
}

// parse calls element with every element of an SVG, and returns its text.
func parse(t *testing.T, svg string, element func(xml.StartElement)) (text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		switch token, err := d.Token(); e := token.(type) {
		case xml.StartElement:
			element(e)
		case xml.CharData:
			text += string(e)
		default:
			if errors.Is(err, io.EOF) {
				return text
			}
			if err != nil {
				t.Fatalf("the SVG is no XML: %v", err)
			}
		}
	}
}

func TestNamesStayText(t *testing.T) {
	n := 0
	for _, f := range hostile() {
		p, _ := drawn(t, f)
		text := parse(t, p.SVG, func(e xml.StartElement) {
			if e.Name.Local == "script" || e.Name.Local == "foreignObject" {
				t.Errorf("%s: the SVG holds <%s>", f.Kind, e.Name.Local)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Name.Local, "on") {
					t.Errorf("%s: the SVG holds %s=", f.Kind, a.Name.Local)
				}
			}
		})
		if strings.ContainsAny(string(p.Option), "<>&\u2028\u2029") {
			t.Errorf("%s: the option is not script-safe", f.Kind)
		}
		if strings.HasPrefix(f.Title, "</script>") {
			n++
			raw, _ := json.Marshal(f.Title)
			if !strings.Contains(text, f.Title) || !bytes.Contains(p.Option, raw[1:len(raw)-1]) {
				t.Errorf("%s: the SVG or the option lost its title", f.Kind)
			}
		}
	}
	if n != 6 {
		t.Errorf("%d figures with markup in their names, expected 6", n)
	}
}

// An SVG viewer drops the space that begins a text element, as the one after a raised digit does.
func TestSpacesAfterRaisedDigitsStay(t *testing.T) {
	p, _ := drawn(t, viz.Lines("Over t = μ² it is convex", "c", viz.Line{Name: "a", XYs: viz.Values{1, 2}}).
		WithAxes("x", "y"))
	if !strings.Contains(p.SVG, `xml:space="preserve"`) || !strings.Contains(p.SVG, "> it is convex<") {
		t.Errorf("the SVG lost the space after a raised digit")
	}
}

// Text that left the picture would leave ink on its border.
func TestNothingIsClipped(t *testing.T) {
	for _, f := range append(slices.Collect(maps.Values(samples())), hostile()...) {
		_, img := drawn(t, f)
		b := img.Bounds()
		if b.Dx() != render.Width {
			t.Errorf("%s: %d px wide, expected %d", f.Kind, b.Dx(), render.Width)
		}
		ink := 0
		for x := range b.Dx() {
			for y := range b.Dy() {
				if x > 1 && y > 1 && x < b.Dx()-2 && y < b.Dy()-2 {
					continue
				}
				if r, g, bl, _ := img.At(x, y).RGBA(); min(r, g, bl) < 0xe000 {
					ink++
				}
			}
		}
		if ink > 0 {
			t.Errorf("%s %.40q: %d pixels of ink on the border", f.Kind, f.Title, ink)
		}
	}
}

// Values whose axes have no natural length.
func TestDegenerateDataAreDrawn(t *testing.T) {
	line := func(p viz.XYer) viz.Line { return viz.Line{Name: "a", XYs: p} }
	bars := func(v ...float64) viz.Figure {
		return viz.Bars("t", "c", []string{"a", "b"}, viz.Bar{Name: "w", Values: v}).WithAxes("", "y")
	}
	flat := viz.Tabulate([]float64{0, 1}, []float64{0, 1}, func(x, y float64) float64 { return 0 })
	tiny := viz.Points{X: []float64{1, 1 + 1e-13}, Y: []float64{1e-300, 2e-300}}
	huge := viz.Points{X: []float64{-1e300, 1e300}, Y: []float64{1e300, -1e300}}
	for name, f := range map[string]viz.Figure{
		"one point":     viz.Lines("t", "c", line(viz.Pairs{{3, 0}})).WithAxes("x", "y"),
		"one positive":  viz.LogLines("t", "c", line(viz.Values{0, 1, 0})).WithAxes("x", "y"),
		"tiny":          viz.Lines("t", "c", line(tiny)).WithAxes("x", "y"),
		"tiny, log":     viz.LogLines("t", "c", line(tiny)).WithAxes("x", "y"),
		"huge":          viz.Lines("t", "c", line(huge)).WithAxes("x", "y"),
		"zeros":         bars(0, 0),
		"negative bars": bars(-1, -2),
		"flat surface": viz.Heat("t", "c", []float64{0, 1}, []float64{0, 1}, flat).WithAxes("x", "y").
			WithColorLabel("z"),
		"one entry": viz.Matrix("t", "c", [][]float64{{0}}).WithColorLabel("z"),
		"a row":     viz.Matrix("t", "c", [][]float64{{1, 2, 3, 4, 5, 6, 7, 8, 9}}).WithColorLabel("z"),
		"a column": viz.Matrix("t", "c",
			[][]float64{{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}}).WithColorLabel("z"),
		"outside its axis": viz.Lines("t", "c", line(viz.Values{5, 6})).WithAxes("x", "y").WithRange(0, 1),
	} {
		if p, _ := drawn(t, f); strings.Contains(p.SVG, "NaN") || strings.Contains(p.SVG, "Inf") ||
			!json.Valid(p.Option) {
			t.Errorf("%s: not drawn", name)
		}
	}
}

// TestPicturesAreDeterministicAndNamed: two drawings are equal, ids are unique and begin with that of the figure, and
// images fill their area.
func TestPicturesAreDeterministicAndNamed(t *testing.T) {
	seen := map[string]string{}
	images := 0
	for name, f := range samples() {
		p, _ := drawn(t, f)
		again, err := render.Render(f)
		if err != nil || again.SVG != p.SVG || !bytes.Equal(again.Option, p.Option) {
			t.Errorf("%s: two drawings differ (%v)", name, err)
		}
		ids := 0
		parse(t, p.SVG, func(e xml.StartElement) {
			fills := false
			for _, a := range e.Attr {
				fills = fills || a.Name.Local == "preserveAspectRatio" && a.Value == "none"
				if a.Name.Local != "id" {
					continue
				}
				ids++
				if other, ok := seen[a.Value]; ok || !strings.HasPrefix(a.Value, f.ID()) {
					t.Errorf("id %q in %s, whose own is %q, and in %q", a.Value, name, f.ID(), other)
				}
				seen[a.Value] = name
			}
			if e.Name.Local == "image" {
				if images++; !fills {
					t.Errorf("%s: an image keeps its own sides and does not fill its area", name)
				}
			}
		})
		if ids < 3 {
			t.Errorf("%s: %d ids", name, ids)
		}
	}
	if images < 5 {
		t.Errorf("%d images", images)
	}
}

func TestPanelsHaveOneSize(t *testing.T) {
	for _, name := range []string{"multilines", "multiheat"} {
		f := samples()[name]
		p, _ := drawn(t, f)
		var opt struct {
			Grid []struct{ Left, Top, Width, Height float64 }
		}
		if err := json.Unmarshal(p.Option, &opt); err != nil {
			t.Fatal(err)
		}
		for i, g := range opt.Grid {
			if first := opt.Grid[0]; math.Abs(g.Width-first.Width) > 0.2 || math.Abs(g.Height-first.Height) > 0.2 {
				t.Errorf("%s: panel %d is %v×%v, the first %v×%v", name, i, g.Width, g.Height,
					first.Width, first.Height)
			}
			if g.Left < 0 || g.Top < 0 || g.Left+g.Width > float64(p.Width) || g.Top+g.Height > float64(p.Height) {
				t.Errorf("%s: panel %d lies outside", name, i)
			}
		}
		if len(opt.Grid) != len(f.Panels) {
			t.Errorf("%s: %d grids of %d panels", name, len(opt.Grid), len(f.Panels))
		}
	}
}

// Hovering shows the values themselves: every one is in the option, rounded as it is shown.
func TestOptionHoldsTheValues(t *testing.T) {
	n := 0
	for name, f := range samples() {
		p, _ := drawn(t, f)
		for _, s := range f.Series {
			for _, v := range s.Y {
				if n++; f.Kind != viz.KindHeat && !bytes.Contains(p.Option, []byte(viz.FormatNumber(v))) {
					t.Errorf("%s: %s = %s is nowhere", name, s.Name, viz.FormatNumber(v))
				}
			}
		}
	}
	if n < 200 {
		t.Errorf("%d values", n)
	}
}

// A least value of 7.67e-10 is no end of a color bar up to 1: its label has no room beside the bar.
func TestColorBarEndsAreRoundedOutward(t *testing.T) {
	z := [][]float64{{1, 7.67e-10}, {0.2, 1}}
	p, _ := drawn(t, viz.Matrix("A kernel", "Made by hand.", z).WithColorLabel("entry"))
	var option struct{ VisualMap struct{ Min, Max float64 } }
	if err := json.Unmarshal(p.Option, &option); err != nil {
		t.Fatal(err)
	}
	if m := option.VisualMap; m.Min != 0 || m.Max != 1 {
		t.Errorf("ends %v, want 0 and 1", m)
	}
}

func ExampleRender() {
	f := viz.LogLines("The gap falls by a factor of four in each step", "Simulated.",
		viz.Line{Name: "SPG", XYs: viz.Values{1, 0.25, 0.0625}}).WithAxes("iteration", "relative gap")
	p, err := render.Render(f)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.HasPrefix(p.SVG, "<svg xmlns="), strings.Contains(p.SVG, "relative gap</text>"))
	// Output: true true
}
