package viz_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/viz"
)

// evil is text that must stay text wherever it is shown.
const evil = `</script><script>alert(1)</script>"'&`

// figures is a figure of every kind, its names given.
func figures(name string) []viz.Figure {
	xy := viz.Points{X: []float64{1, 2, 3}, Y: []float64{4, 5, 6}}
	grid := []float64{0, 1, 2}
	z := viz.Tabulate(grid, grid, func(x, y float64) float64 { return x*x - y })
	lines := viz.LogLines(name, name, viz.Line{Name: name, XYs: xy, Lo: []float64{3, 4, 5}, Hi: []float64{5, 6, 7},
		Band: name}).
		WithAxes(name, name).WithBaseline(name, 5)
	return []viz.Figure{
		lines,
		viz.Lines(name, name, viz.Line{Name: name, XYs: xy, Mark: viz.MarkPoints}).WithAxes(name, name).WithLogX().
			WithRange(0, 9),
		viz.Bars(name, name, []string{name, "b"}, viz.Bar{Name: name, Values: []float64{1, 2}, Lo: []float64{0, 1},
			Hi: []float64{2, 3}, Band: name}).WithAxes(name, name),
		viz.Heat(name, name, grid, grid, z).WithAxes(name, name).WithColorLabel(name).
			WithLines(viz.Line{Name: name, XYs: xy}).
			WithMarkedPoints("marked", func(i, j int) bool { return i == j }),
		viz.Dots(name, name, []string{name}, viz.Bar{Name: name, Values: []float64{1}}).WithAxes(name, name),
		viz.Matrix(name, name, z).WithColorLabel(name),
		viz.Table(name, name, []string{name, "n"}, []any{name, 3}, []any{viz.Emphasize(viz.Number(2, 1)),
			"–"}),
		viz.Multiples(name, name, 2, lines, lines).WithAxes(name, name),
	}
}

func TestFiguresAreValidAndPlainData(t *testing.T) {
	kinds := map[viz.Kind]bool{}
	for _, f := range figures("a title") {
		kinds[f.Kind] = true
		if err := f.Validate(); err != nil {
			t.Errorf("%s: %v", f.Kind, err)
		}
		raw, err := json.Marshal(f)
		if err != nil {
			t.Fatalf("%s: %v", f.Kind, err)
		}
		var back viz.Figure
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatalf("%s: %v", f.Kind, err)
		}
		if !reflect.DeepEqual(f, back) {
			t.Errorf("%s: read back\n%+v\nexpected\n%+v", f.Kind, back, f)
		}
		back.Alt = "another"
		if f.ID() == back.ID() {
			t.Errorf("%s: another figure has the same ID %s", f.Kind, back.ID())
		}
	}
	if len(kinds) != 6 {
		t.Errorf("%d kinds tested, expected all 6", len(kinds))
	}
}

func TestValidateNamesWhatIsWrong(t *testing.T) {
	type v = []float64
	type vv = [][]float64
	nan := math.NaN()
	xy := func(x, y v) viz.Line { return viz.Line{Name: "SPG", XYs: viz.Points{X: x, Y: y}} }
	band := func(lo, hi v) viz.Line {
		return viz.Line{Name: "a", XYs: viz.Values{3, 4}, Lo: lo, Hi: hi, Band: "b"}
	}
	lines := func(l ...viz.Line) viz.Figure { return viz.Lines("t", "c", l...).WithAxes("x", "y") }
	logarithmic := func(f viz.Figure) viz.Figure {
		f.Y.Log = true
		return f
	}
	ok := lines(xy(v{1, 2}, v{3, 4}))
	bar := viz.Bar{Name: "b", Values: v{1, 2}}
	bars := func(b viz.Bar) viz.Figure { return viz.Bars("t", "c", []string{"a", "b"}, b).WithAxes("", "y") }
	heat := func(x v, z vv) viz.Figure {
		return viz.Heat("t", "c", x, v{0, 1}, z).WithAxes("x", "y").WithColorLabel("z")
	}
	surface := func(z vv) viz.Figure { return heat(v{0, 1}, z) }
	matrix := func(rows ...[]float64) viz.Figure { return viz.Matrix("t", "c", rows).WithColorLabel("z") }
	square := vv{{1, 2}, {3, 4}}
	many := make([]viz.Line, 13)
	for i := range many {
		many[i] = viz.Line{Name: fmt.Sprint(i), XYs: viz.Values{1}}
	}
	nameless, captionless, altless := ok, ok, ok
	nameless.Title, captionless.Caption, altless.Alt = "", " ", ""
	for want, f := range map[string]viz.Figure{
		"no title":            nameless,
		"no caption":          captionless,
		"no alt text":         altless,
		"x axis has no label": ok.WithAxes("", "y"),
		"y axis has no label": bars(bar).WithAxes("", ""),
		`unknown kind "pie"`:  {Kind: "pie", Title: "t", Caption: "c", Alt: "a"},

		"no data":                      lines(),
		`series "SPG" has 1 x and 2 y`: lines(xy(v{1}, v{1, 2})),
		`y[1] of series "SPG" is NaN`:  lines(xy(v{1, 2}, v{1, nan})),
		`series "a" has 2001 points without a line: pass at most 2000, such as one of every 2`: lines(viz.Line{
			Name: "a", XYs: make(viz.Values, 2001), Mark: viz.MarkPoints}),
		"13 series cannot be distinguished":  lines(many...),
		"two series are named":               lines(many[0], many[0]),
		"a series has no name":               lines(viz.Line{XYs: viz.Values{1}}),
		`series "SPG" is empty`:              lines(xy(nil, nil)),
		`baseline "b" is NaN`:                ok.WithBaseline("b", nan),
		"has a band without a meaning":       lines(viz.Line{Name: "a", XYs: viz.Values{1}, Lo: v{1}, Hi: v{9}}),
		"at index 1 has Lo = 9 above Hi = 1": lines(band(v{1, 9}, v{9, 1})),
		"1 lower and 2 upper ends":           lines(band(v{1}, v{9, 9})),
		`unknown mark "dots"`:                lines(viz.Line{Name: "a", XYs: viz.Values{1}, Mark: "dots"}),
		"no value is positive":               logarithmic(lines(xy(v{1, 2}, v{-1, 0}))),
		"is -1 on a logarithmic axis":        lines(xy(v{-1, 2}, v{1, 1})).WithLogX(),

		`baseline "b" = 0 on a logarithmic y`: logarithmic(ok).WithBaseline("b", 0),
		"the smaller first":                   ok.WithRange(2, 1),

		`bar "b" has 1 values, expected one for each`: bars(viz.Bar{Name: "b", Values: v{1}}),
		"bars start at 0": logarithmic(bars(bar)),

		"the x axis has no label":                 matrix(square...).WithAxes("", "y"),
		"no label explains the colors":            matrix(square...).WithColorLabel(""),
		"the value in row 1, column 0 is NaN":     matrix(v{1, 2}, v{nan, 3}),
		"expected a matrix of at least one value": matrix(),
		"a matrix of 201×1 values":                matrix(slices.Repeat(vv{{1}}, 201)...),

		"grid x[1] = 0: expected finite ascending": heat(v{1, 0}, square),
		"3 x and 2 y values for a 2×2 surface":     heat(v{0, 1, 2}, square),

		"row 0 of the table has 1 entries, expected 2": viz.Table("t", "c", []string{"a", "b"}, []any{"x"}),
		`entry of row 0, column "b" is NaN`:            viz.Table("t", "c", []string{"a", "b"}, []any{"x", nan}),
		"columns and at least one row":                 viz.Table("t", "c", []string{"a"}),

		"no panels":                        viz.Multiples("t", "c", 2),
		"expected one kind for all panels": viz.Multiples("t", "c", 2, ok, bars(bar)),
		"differ in their scale":            viz.Multiples("t", "c", 2, ok, logarithmic(ok)),
		"a panel has panels of its own":    viz.Multiples("t", "c", 2, viz.Multiples("p", "c", 0, ok)),
	} {
		err := f.Validate()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "viz: ") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("Validate says %v, expected one line with %q", err, want)
		}
	}
	for _, f := range []viz.Figure{ok, bars(bar), surface(square), matrix(square...)} {
		if err := f.Validate(); err != nil { // what the cases above are changed from
			t.Error(err)
		}
	}
}

// TestTextAndTable: names stay text, and who hears a table is told the column and the row of every entry: each has a
// head that says something.
func TestTextAndTable(t *testing.T) {
	for _, f := range append(figures(evil), viz.Table(evil, evil, []string{"", ""}, []any{"size", "3 points"})) {
		page, text := f.HTMLTable(), f.Text()
		if strings.Contains(page, "<script") || strings.Contains(page, "</script") || strings.Contains(page, `"'&`) {
			t.Errorf("%s: markup in the table: %s", f.Kind, page)
		}
		if !strings.Contains(page, html.EscapeString(evil)) || strings.Count(text, evil) < 2 { // title and caption
			t.Errorf("%s: a name is lost: %s\n%s", f.Kind, page, text)
		}
		if strings.Contains(page, "<table") != strings.Contains(page, "<caption") || strings.Contains(page, `"></th>`) ||
			strings.Count(page, `<th `) != strings.Count(page, `<th scope=`) {
			t.Errorf("%s: a table without a caption, or a head without a word or scope: %s", f.Kind, page)
		}
		for row := range strings.SplitSeq(page, "<tr>") {
			if strings.Contains(row, "<td") && !strings.Contains(row, `scope="`) {
				t.Errorf("%s: a row without a head: %s", f.Kind, row)
			}
		}
	}
}

func TestDescribeFollowsTheFigure(t *testing.T) {
	f := viz.Lines("t", "c", viz.Line{Name: "SPG", XYs: viz.Values{1, 0.5, 0.25}})
	if !strings.Contains(f.Alt, "from 1 to 0.25 over 3 points") {
		t.Errorf("alt text %q", f.Alt)
	}
	if g := f.WithAxes("iteration", "gap"); !strings.Contains(g.Alt, "gap against iteration") {
		t.Errorf("alt text %q after WithAxes", g.Alt)
	}
	own := f
	own.Alt = "mine"
	if g := own.WithAxes("iteration", "gap"); g.Alt != "mine" {
		t.Errorf("alt text %q, expected the one given", g.Alt)
	}
	if f.X.Label != "" {
		t.Errorf("WithAxes changed its receiver")
	}
	m := viz.Multiples("t", "c", 2, f, f)
	_ = m.WithAxes("iteration", "gap").WithBaseline("b", 1)
	if m.Panels[0].X.Label != "" || len(m.Panels[0].Baselines) != 0 {
		t.Errorf("With… changed the panels of its receiver")
	}
}

// TestDrawnLines: of a long curve about 1,000 points are drawn, the peak and the ends among them.
func TestDrawnLines(t *testing.T) {
	v := make(viz.Values, 5000)
	v[777], v[778], v[4999] = 5, -7, 1
	f := viz.Lines("t", "c", viz.Line{Name: "a", XYs: v, Lo: v, Hi: v, Band: "b"})
	got := f.WithFewerPoints().Series[0]
	if n := len(got.Y); n > 1002 || n < 500 || len(got.X) != n || len(got.Lo) != n || len(f.Series[0].Y) != 5000 ||
		slices.Max(got.Y) != 5 || slices.Min(got.Y) != -7 || got.X[0] != 0 || got.X[n-1] != 4999 {
		t.Errorf("%d points from %v to %v", n, got.X[0], got.X[n-1])
	}
	for i, x := range got.X {
		if got.Y[i] != v[int(x)] {
			t.Fatalf("point %d is not on the curve", i)
		}
	}
}

// TestNumbersStayOnOneLine tests that a browser does not break the numbers of a table.
func TestNumbersStayOnOneLine(t *testing.T) {
	table := viz.Table("t", "c", []string{"set", "accuracy"}, []any{"a b", viz.MeanAndSD(75.9, 3.3, 1)}).HTMLTable()
	if !strings.Contains(table, "75.9\u00a0±\u00a03.3<") || !strings.Contains(table, "a b<") {
		t.Errorf("numbers can break, or names cannot: %s", table)
	}
}

// TestNumber tests that a number that is rounded to 0 has no sign.
func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{-0.04: "0.0", 0.04: "0.0", -0.06: "−0.1", -10: "−10.0"} {
		if got := viz.Number(v, 1).Text; got != want {
			t.Errorf("Number(%v, 1) is %q, expected %q", v, got, want)
		}
	}
}

func TestFormatNumber(t *testing.T) {
	for want, v := range map[string]float64{
		"0": math.Copysign(0, -1), "1": 1, "−12.5": -12.5,
		"0.1235": 0.12345, "1.2×10⁻⁷": 1.2e-7, "10⁻⁶": 1e-6, "−2.5×10¹²": -2.5e12,
		"12345": 12345, "0.0001": 1e-4, "1.235×10⁷": 12345678, "NaN": math.NaN(),
	} {
		if got := viz.FormatNumber(v); got != want {
			t.Errorf("FormatNumber(%v) = %q, expected %q", v, got, want)
		}
	}
	for want, v := range map[string][]float64{
		"13.3 14.0 46.5": {13.3, 14, 46.5}, "0.600 0.634 1.692": {0.5996, 0.634, 1.692}, "0.5 0.0": {0.5, -1e-9},
		"1.2×10⁻⁷ 0": {1.2e-7, 0}, "1 2": {1, 2}, "12345 1": {12345, 1.4},
	} {
		if got := strings.Join(viz.FormatNumbers(v), " "); got != want {
			t.Errorf("FormatNumbers(%v) = %q, expected %q", v, got, want)
		}
	}
	for want, c := range map[string]viz.Cell{
		"0.861 ± 0.026": viz.MeanAndSD(0.8612, 0.0257, 3), "0.861": viz.MeanAndSD(0.8612, math.NaN(), 3),
		"−1.0 ± 0.5": viz.MeanAndSD(-1, 0.5, 1),
	} {
		if c.Text != want || c.Value == nil {
			t.Errorf("%+v, expected %s with its value", c, want)
		}
	}
}

func TestFormatDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		300 * time.Millisecond: "1 s", 4400 * time.Millisecond: "4 s", 63 * time.Second: "65 s",
		3 * time.Minute:  "3 min",
		89 * time.Minute: "89 min",
		2 * time.Hour:    "2.0 h",
	} {
		if got := viz.FormatDuration(d); got != want {
			t.Errorf("%v in words is %q, want %q", d, got, want)
		}
	}
}

// TestStyles: a solver has its color among others too, whatever the order, and no two of twelve names look alike.
func TestStyles(t *testing.T) {
	alone := viz.Styles([]string{"PGD"})[0]
	names := []string{"a", "b", "PGD", "c", "SPG", "d", "e", "f", "g", "h", "i", "j"}
	styles := viz.Styles(names)
	if styles[2] != alone {
		t.Errorf("PGD is %v among others, %v alone", styles[2], alone)
	}
	seen := map[viz.Style]string{}
	for i, s := range styles {
		if other, ok := seen[s]; ok || s.DashPattern > 1 {
			t.Errorf("%s looks like %q: %v", names[i], other, s)
		}
		seen[s] = names[i]
	}
	u, l := viz.Styles([]string{"uniform weights", "learned"}), viz.Styles([]string{"learned", "Uniform weights"})
	if u[0] != l[1] || u[1] != l[0] {
		t.Errorf("the order of names changes colors: %v, %v", u, l)
	}
}

// linear is the sRGB transfer function inverted.
func linear(c viz.Color) [3]float64 {
	r, g, b := c.RGB()
	var out [3]float64
	for i, v := range []uint8{r, g, b} {
		x := float64(v) / 255
		if x <= 0.04045 {
			out[i] = x / 12.92
		} else {
			out[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return out
}

func apply(m [3][3]float64, v [3]float64) (out [3]float64) {
	for i := range m {
		for j := range v {
			out[i] += m[i][j] * v[j]
		}
		out[i] = min(max(out[i], 0), 1)
	}
	return out
}

// lab is CIE L*a*b* for D65 of linear sRGB.
func lab(v [3]float64) [3]float64 {
	var f [3]float64
	white := [3]float64{0.95047, 1, 1.08883}
	for i, row := range [3][3]float64{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750},
		{0.0193339, 0.1191920, 0.9503041}} {
		x := (row[0]*v[0] + row[1]*v[1] + row[2]*v[2]) / white[i]
		if x > 216.0/24389 {
			f[i] = math.Cbrt(x)
		} else {
			f[i] = (24389.0/27*x + 16) / 116
		}
	}
	return [3]float64{116*f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])}
}

// The matrices are those of Machado, Oliveira and Fernandes (2009), Table 1, severity 1. The least ΔE is
// what theme.go promises; with tritanopia, which one reader in ten thousand has, it is
// smaller: the shapes of points and the names at lines help. ΔE = 2.3 is just noticeable.
var sight = map[string]struct {
	least  float64
	matrix [3][3]float64
}{
	"normal": {20, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	"protanopia": {20, [3][3]float64{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
		{-0.003882, -0.048116, 1.051998}}},
	"deuteranopia": {20, [3][3]float64{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881}}},
	"tritanopia": {14, [3][3]float64{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602},
		{0.004733, 0.691367, 0.303900}}},
}

// contrast is the ratio of WCAG 2.1.
func contrast(a, b viz.Color) float64 {
	luminance := func(c viz.Color) float64 {
		l := linear(c)
		return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Charts stand on white whatever the page is like: 3 is what WCAG 2.1 asks of graphics (1.4.11), 4.5 of
// text (1.4.3).
func TestQualitativeColorsAreSafe(t *testing.T) {
	for i, c := range viz.Qualitative {
		if got := contrast(c, "#ffffff"); got < 3 {
			t.Errorf("contrast of color %d to white is %.2f, expected at least 3", i, got)
		}
		for j := range i {
			for reader, s := range sight {
				a, b := lab(apply(s.matrix, linear(c))), lab(apply(s.matrix, linear(viz.Qualitative[j])))
				if d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]); d < s.least {
					t.Errorf("colors %d and %d differ by ΔE = %.1f with %s, expected at least %v", j, i, d,
						reader, s.least)
				}
			}
		}
	}
	for name, c := range map[string]viz.Color{"Ink": viz.Ink, "Quiet": viz.Quiet} {
		if got := contrast(c, "#ffffff"); got < 4.5 {
			t.Errorf("contrast of %s to white is %.2f, expected at least 4.5", name, got)
		}
	}
}

func ExampleTable() {
	f := viz.Table("Learned weights win on sonar", "Errors in percent: mean ± sd of 30 halves.",
		[]string{"dataset", "uniform", "learned"},
		[]any{"sonar", viz.MeanAndSD(17.9, 3.1, 1), viz.Emphasize(viz.MeanAndSD(15.1, 2.6, 1))},
		[]any{"breast", viz.MeanAndSD(3.81, 0.8, 1), viz.MeanAndSD(3.85, 0.7, 1)})
	fmt.Print(f.Text())
	// Output:
	// Learned weights win on sonar
	// dataset     uniform       learned
	// sonar    17.9 ± 3.1  *15.1 ± 2.6*
	// breast    3.8 ± 0.8     3.9 ± 0.7
	// Errors in percent: mean ± sd of 30 halves.
}

func Example() {
	steps, gaps := []float64{0, 4, 8}, []float64{1, 0.1, 0.01}
	f := viz.LogLines("The certified gap falls a decade every four steps",
		"Relative gap after each iteration; sonar, n = 208, seed 7.",
		viz.Line{Name: "SPG", XYs: viz.Points{X: steps, Y: gaps}}).
		WithAxes("iteration", "relative gap")
	fmt.Println(f.Validate())
	// Output: <nil>
}

func TestCurvesOfOnesOwn(t *testing.T) {
	a := viz.Lines("t", "c", viz.Line{Name: "a", XYs: viz.Points{X: []float64{1, 2}, Y: []float64{3, 4}}})
	b := viz.Lines("t", "c", viz.Line{Name: "a", XYs: viz.Pairs{{1, 3}, {2, 4}}})
	p := viz.Curve(func(x float64) float64 { return x * x }, -1, 3)
	if !reflect.DeepEqual(a, b) || p.Len() != 201 || p.X[0] != -1 || p.X[200] != 3 || p.Y[200] != 9 ||
		!slices.IsSorted(p.X) {
		t.Errorf("pairs are %+v; a curve of %d points from %v to %v", b, p.Len(), p.X[0], p.X[200])
	}
}

type rows [][]float64

func (r rows) Dims() (n, m int)    { return len(r), len(r) }
func (r rows) At(i, j int) float64 { return r[i][j] }

// TestSorted: rows and columns are sorted by class, and one matrix is no panel.
func TestSorted(t *testing.T) {
	z := rows{{1, -0.5, 2}, {-0.5, 3, 0}, {2, 0, 4}}
	f := viz.SortedMatrices("t", "c", []float64{1, -1, 1}, []string{"a"}, z)
	if got := f.Cells.Z; f.Kind != viz.KindMatrix || got[0][0] != 3 || got[0][1] != -0.5 || got[1][2] != 2 ||
		f.Title != "t" || f.Validate() != nil || f.X.Label != "point, sorted by class" || f.Y.Label != f.X.Label {
		t.Errorf("%+v, axes %q and %q, %v", f.Cells, f.X.Label, f.Y.Label, f.Validate())
	}
	f = viz.SortedMatrices("t", "c", nil, []string{"a", "b"}, rows{{1, 0}, {0, 1}}, rows{{1, -1}, {-1, 1}})
	if len(f.Panels) != 2 || f.Panels[1].Title != "b" || f.Panels[1].X.Label != "point" || f.Validate() != nil {
		t.Errorf("%+v, %v", f, f.Validate())
	}
}
