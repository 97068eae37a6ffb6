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

// pictures are the figures drawn already.
var pictures = map[string]image.Image{}

// drawn is the picture of f.
func drawn(t *testing.T, f viz.Figure) image.Image {
	t.Helper()
	if img, ok := pictures[f.ID()]; ok {
		return img
	}
	raw, err := render.PNG(f)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	pictures[f.ID()] = img
	return img
}

func TestGoldenImages(t *testing.T) {
	all := samples()
	kinds := map[viz.Kind]bool{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		kinds[all[name].Kind] = true
		img := half(drawn(t, all[name]))
		file := filepath.Join("testdata", name+".png")
		if *regen {
			var buf bytes.Buffer
			if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&buf, img); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, buf.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v (go test -run Golden -regen ./viz/render writes it)", err)
			continue
		}
		want, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if d := differing(img, want); d > pixelTolerance {
			t.Errorf("%s: %.2f %% of the pixels differ from %s, expected at most %.2f %%", name, 100*d, file, 100*pixelTolerance)
		}
	}
	if len(kinds) != 7 {
		t.Errorf("golden images of %d kinds, expected all 7 that are drawn", len(kinds))
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.png"))
	if err != nil || len(files) != len(all) {
		t.Errorf("%d golden images of %d figures (%v)", len(files), len(all), err)
	}
}

func TestGoldenToleranceIsStrict(t *testing.T) {
	f := samples()["bars"]
	before := half(drawn(t, f))
	f.Series = slices.Clone(f.Series)
	f.Series[2].Y = slices.Clone(f.Series[2].Y)
	f.Series[2].Y[1] -= 2 // of 100
	if d := differing(before, half(drawn(t, f))); d <= pixelTolerance {
		t.Errorf("a bar lower by two per cent differs in %v of the pixels only: no golden image would notice", d)
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
		base := viz.Lines(name, name, line).WithAxes(name, name).WithBaseline(name+".", 1.5)
		out = append(out, base,
			viz.Scatter(name, name, line).WithAxes(name, name),
			viz.Bars(name, name, []string{name, name + "2"}, viz.Bar{Name: name, Values: []float64{1, 2}},
				viz.Bar{Name: "b", Values: []float64{1, 2}}).WithAxes(name, name),
			viz.Heat(name, name, grid, grid, z).WithAxes(name, name).WithColour(name).WithRegion(name,
				z).WithLines(viz.Line{Name: name, XYs: xy}),
			viz.Matrix(name, name, viz.Rows(z)).WithColour(name).WithLabels([]string{name, "b", "c"}, []string{name, "b", "c"}),
			viz.Multiples(name, name, 0, base, base), viz.Frames(name, name, base, base))
	}
	return out
}

func TestNamesStayText(t *testing.T) {
	n := 0
	for _, f := range hostile() {
		svg, err := render.SVG(f)
		if err != nil {
			t.Fatalf("%s: %v", f.Kind, err)
		}
		text := ""
		d := xml.NewDecoder(bytes.NewReader(svg))
		for {
			tok, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s, %.30q: the SVG is no XML: %v", f.Kind, f.Title, err)
			}
			switch tok := tok.(type) {
			case xml.StartElement:
				if tok.Name.Local == "script" || tok.Name.Local == "foreignObject" {
					t.Errorf("%s: the SVG holds <%s>", f.Kind, tok.Name.Local)
				}
				for _, a := range tok.Attr {
					if strings.HasPrefix(a.Name.Local, "on") {
						t.Errorf("%s: the SVG holds %s=", f.Kind, a.Name.Local)
					}
				}
			case xml.CharData:
				text += string(tok)
			}
		}
		opt, err := render.Option(f)
		if err != nil {
			t.Fatalf("%s: %v", f.Kind, err)
		}
		if strings.ContainsAny(string(opt), "<>&\u2028\u2029") {
			t.Errorf("%s: the option is not script-safe", f.Kind)
		}
		if strings.HasPrefix(f.Title, "</script>") {
			n++
			if !strings.Contains(text, f.Title) {
				t.Errorf("%s: the SVG lost its title", f.Kind)
			}
			if raw, _ := json.Marshal(f.Title); len(opt) > 0 && !bytes.Contains(opt, raw[1:len(raw)-1]) {
				t.Errorf("%s: the option lost its title", f.Kind)
			}
		}
	}
	if n != 7 {
		t.Errorf("%d figures with markup in their names, expected 7", n)
	}
}

// An SVG viewer drops the space that begins a text element, as the one after a raised digit does.
func TestSpacesAfterRaisedDigitsStay(t *testing.T) {
	f := viz.Lines("Over t = μ² it is convex", "c", viz.Line{Name: "a", XYs: viz.Values{1, 2}}).WithAxes("x", "y")
	svg, err := render.SVG(f)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(svg, []byte(">\u00a0it is convex<")) || bytes.Contains(svg, []byte("> ")) {
		t.Errorf("a text of the SVG begins with a space that is dropped")
	}
}

// Text that left the picture would leave ink on its border.
func TestNothingIsClipped(t *testing.T) {
	figures := slices.Collect(maps.Values(samples()))
	for _, f := range append(figures, hostile()...) {
		img := drawn(t, f)
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

func TestWhatIsNotFiniteIsAnError(t *testing.T) {
	bad := viz.Lines("t", "c", viz.Line{Name: "a", XYs: viz.Values{1, math.NaN()}}).WithAxes("x", "y")
	if _, err := render.SVG(bad); err == nil || !strings.Contains(err.Error(), `y[1] of series "a" is NaN`) {
		t.Errorf("SVG: %v", err)
	}
	if _, err := render.PNG(bad); err == nil {
		t.Error("PNG draws NaN")
	}
	if _, err := render.Option(bad); err == nil {
		t.Error("Option draws NaN")
	}
	table := viz.Table("t", "c", []string{"a"}, []any{1})
	if _, err := render.Render(table, viz.FormSVG); err == nil || !strings.Contains(err.Error(), `the table "t" has no picture`) {
		t.Errorf("a table: %v", err)
	}
	if _, err := render.Render(samples()["bars"], "pdf"); err == nil || !strings.Contains(err.Error(), `"pdf"`) {
		t.Errorf("unknown form: %v", err)
	}
}

// Values whose axes have no natural length.
func TestDegenerateDataAreDrawn(t *testing.T) {
	one := viz.Points{X: []float64{3}, Y: []float64{0}}
	flat := viz.Tabulate([]float64{0, 1}, []float64{0, 1}, func(x, y float64) float64 { return 0 })
	tiny := viz.Points{X: []float64{1, 1 + 1e-13}, Y: []float64{1e-300, 2e-300}}
	huge := viz.Points{X: []float64{-1e300, 1e300}, Y: []float64{1e300, -1e300}}
	drawnFigures := 0
	for name, f := range map[string]viz.Figure{
		"one point":    viz.Lines("t", "c", viz.Line{Name: "a", XYs: one}).WithAxes("x", "y"),
		"one positive": viz.LogLines("t", "c", viz.Line{Name: "a", XYs: viz.Values{0, 1, 0}}).WithAxes("x", "y"),
		"tiny":         viz.Lines("t", "c", viz.Line{Name: "a", XYs: tiny}).WithAxes("x", "y"),
		"tiny, log":    viz.LogLines("t", "c", viz.Line{Name: "a", XYs: tiny}).WithAxes("x", "y"),
		"huge":         viz.Scatter("t", "c", viz.Line{Name: "a", XYs: huge}).WithAxes("x", "y"),
		"zeros": viz.Bars("t", "c", []string{"a", "b"}, viz.Bar{Name: "w", Values: []float64{0, 0}}).WithAxes("",
			"y"),
		"negative bars": viz.Bars("t", "c", []string{"a", "b"}, viz.Bar{Name: "w", Values: []float64{-1, -2}}).WithAxes("",
			"y"),
		"flat surface": viz.Heat("t", "c", []float64{0, 1}, []float64{0, 1}, flat).WithAxes("x", "y").WithColour("z"),
		"one entry":    viz.Signed("t", "c", viz.Rows{{0}}).WithColour("z"),
		"a row":        viz.Matrix("t", "c", viz.Rows{{1, 2, 3, 4, 5, 6, 7, 8, 9}}).WithColour("z"),
		"a column":     viz.Matrix("t", "c", viz.Rows{{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}}).WithColour("z"),
		"outside its axis": viz.Lines("t", "c", viz.Line{Name: "a", XYs: viz.Values{5, 6}}).WithAxes("x", "y").WithRange(0,
			1),
	} {
		p, err := render.Render(f, viz.FormSVG, viz.FormPNG, viz.FormOption)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if strings.Contains(p.SVG, "NaN") || strings.Contains(p.SVG, "Inf") || !json.Valid(p.Option) || len(p.PNG) == 0 {
			t.Errorf("%s: not drawn", name)
		}
		drawnFigures++
	}
	if drawnFigures != 12 {
		t.Errorf("%d of 12 drawn", drawnFigures)
	}
}

func TestPicturesAreDeterministicAndNamed(t *testing.T) {
	seen := map[string]string{}
	images := 0
	for name, f := range samples() {
		a, err := render.SVG(f)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := render.SVG(f)
		o, _ := render.Option(f)
		q, _ := render.Option(f)
		if !bytes.Equal(a, b) || !bytes.Equal(o, q) {
			t.Errorf("%s: two drawings differ", name)
		}
		d := xml.NewDecoder(bytes.NewReader(a))
		ids := 0
		for {
			tok, err := d.Token()
			if err != nil {
				break
			}
			if e, ok := tok.(xml.StartElement); ok {
				if e.Name.Local == "image" {
					images++
					if !slices.ContainsFunc(e.Attr, func(a xml.Attr) bool {
						return a.Name.Local == "preserveAspectRatio" &&
							a.Value == "none"
					}) {
						t.Errorf("%s: an image keeps its own sides and does not fill its area", name)
					}
				}
				for _, at := range e.Attr {
					if at.Name.Local == "id" {
						ids++
						if !strings.HasPrefix(at.Value, f.ID()) {
							t.Errorf("%s: id %q does not begin with %q", name, at.Value, f.ID())
						}
						if other, ok := seen[at.Value]; ok {
							t.Errorf("id %q in %s and %s", at.Value, name, other)
						}
						seen[at.Value] = name
					}
				}
			}
		}
		if ids < 3 {
			t.Errorf("%s: %d ids", name, ids)
		}
	}
	if images < 5 {
		t.Errorf("%d images", images)
	}
}

func TestPanelsShareTheirAxes(t *testing.T) {
	for _, name := range []string{"multilines", "multiheat"} {
		f := samples()[name]
		raw, err := render.Option(f)
		if err != nil {
			t.Fatal(err)
		}
		var opt struct {
			Grid []struct {
				Left, Top, Width, Height float64
			}
			XAxis, YAxis []struct {
				Type     string
				Show     *bool
				Min, Max float64
			}
			Animation bool
		}
		if err := json.Unmarshal(raw, &opt); err != nil {
			t.Fatal(err)
		}
		if len(opt.Grid) != len(f.Panels) || opt.Animation {
			t.Fatalf("%s: %d grids for %d panels", name, len(opt.Grid), len(f.Panels))
		}
		p, err := render.Render(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range opt.Grid {
			if math.Abs(g.Width-opt.Grid[0].Width) > 0.2 || math.Abs(g.Height-opt.Grid[0].Height) > 0.2 {
				t.Errorf("%s: panel %d is %v×%v, the first %v×%v", name, i, g.Width, g.Height, opt.Grid[0].Width,
					opt.Grid[0].Height)
			}
			if g.Left < 0 || g.Top < 0 || g.Left+g.Width > float64(p.Width) || g.Top+g.Height > float64(p.Height) {
				t.Errorf("%s: panel %d lies outside", name, i)
			}
		}
		checked := 0
		for i, a := range opt.XAxis {
			if a.Type == "category" {
				continue
			}
			checked++
			first := len(opt.XAxis)/len(f.Panels) - 1
			if a.Min != opt.XAxis[first].Min || a.Max != opt.XAxis[first].Max || opt.YAxis[i].Min != opt.YAxis[first].Min ||
				opt.YAxis[i].Max != opt.YAxis[first].Max {
				t.Errorf("%s: axes %d differ from the first", name, i)
			}
		}
		if checked != len(f.Panels) {
			t.Errorf("%s: %d axes checked", name, checked)
		}
	}
}

// Hovering shows the values themselves: every one is in the option, rounded as it is shown.
func TestOptionHoldsTheValues(t *testing.T) {
	for name, f := range samples() {
		opt, err := render.Option(f)
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(opt) {
			t.Fatalf("%s: no JSON", name)
		}
		n := 0
		for _, s := range f.Series {
			if f.Kind == viz.KindHeat {
				continue
			}
			for _, v := range s.Y {
				n++
				if !bytes.Contains(opt, []byte(viz.FormatNumber(v))) {
					t.Errorf("%s: %s = %s is nowhere", name, s.Name, viz.FormatNumber(v))
				}
			}
		}
		if n == 0 && len(f.Series) > 0 && f.Kind != viz.KindHeat {
			t.Errorf("%s: no value checked", name)
		}
	}
}

// TestBlocksOnAxes: of blocks of a large matrix the axes have the first rows alone, which do not overlap; where a cell
// is says the whole range, which ends with the matrix.
func TestBlocksOnAxes(t *testing.T) {
	z := make(viz.Rows, 163)
	for i := range z {
		z[i] = make([]float64, len(z))
		z[i][i] = 1
	}
	opt, err := render.Option(viz.Matrix("Ones on the diagonal", "A matrix.", z).WithColour("entry"))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(opt); strings.Count(got, `["0","3","6",`) != 2 || !strings.Contains(got, `"0–2, 0–2"`) || !strings.Contains(got, `"162–162, 0–2"`) {
		t.Errorf("%.600s", got)
	}
}

func TestLongLinesAreThinned(t *testing.T) {
	v := make(viz.Values, 20000)
	for i := range v {
		v[i] = math.Sin(float64(i) / 500)
	}
	v[7777] = 5
	f := viz.Lines("t", "c", viz.Line{Name: "a", XYs: v}).WithAxes("x", "y")
	svg, err := render.SVG(f)
	if err != nil {
		t.Fatal(err)
	}
	opt, err := render.Option(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(svg) > 60_000 || len(opt) > 100_000 { // 1000 points at about 20 and 40 bytes, and the frame
		t.Errorf("SVG %d bytes, option %d bytes", len(svg), len(opt))
	}
	if !bytes.Contains(opt, []byte("[7777,5,")) {
		t.Error("the peak is lost")
	}
}

func ExampleSVG() {
	f := viz.LogLines("The gap falls by a factor of four in each step", "Simulated.",
		viz.Line{Name: "SPG", XYs: viz.Values{1, 0.25, 0.0625}}).WithAxes("iteration", "relative gap")
	svg, err := render.SVG(f)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bytes.HasPrefix(svg, []byte("<svg xmlns=")), bytes.Contains(svg, []byte("relative gap</text>")))
	// Output: true true
}
