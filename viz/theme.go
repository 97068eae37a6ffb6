package viz

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Color is a color in sRGB as a hexadecimal string, "#0072b2".
type Color string

// RGB returns the components of c.
func (c Color) RGB() (r, g, b uint8) {
	v, err := strconv.ParseUint(strings.TrimPrefix(string(c), "#"), 16, 24)
	if err != nil {
		panic("viz: color " + strconv.Quote(string(c)) + " is not of the form #rrggbb")
	}
	return uint8(v >> 16), uint8(v >> 8), uint8(v)
}

// Qualitative holds the six colors of series. They are hues of Okabe and Ito without yellow, each made darker or
// lighter to satisfy two conditions. The contrast to white is at least 3:1, as WCAG 2.1 (1.4.11) requires for graphics.
// Any two colors differ by at least 20 in CIE 1976 ΔE for readers with normal sight, protanopia and deuteranopia (14
// with tritanopia).
//
// References:
//   - M. Okabe, K. Ito, Color Universal Design, 2008.
//   - G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, A physiologically-based model for simulation of color
//     vision deficiency, IEEE TVCG 15(6), 2009, Table 1 at severity 1.
var Qualitative = [6]Color{
	"#0a70aa", // blue
	"#b84600", // vermilion
	"#009e73", // bluish green
	"#6e1b4c", // purple
	"#e87300", // orange
	"#598cf0", // sky blue
}

// Ink, Quiet and Faint are the colors of text, of baselines and notes, and of grid lines.
const (
	Ink   Color = "#222222"
	Quiet Color = "#5c5c5c"
	Faint Color = "#e4e4e4"
)

// Style is the color, the dash pattern and the glyph of a series. Together they distinguish it from the other series of
// its figure.
type Style struct {
	Color       Color
	DashPattern int // 0 is solid, 1 is dashed, 2 is dotted
	Glyph       int // 0 to 5: disc, square, triangle, diamond, plus, cross
}

// fixedColors maps names in lower case to colors, which are indices into Qualitative. It holds the solvers of the
// project and the methods that they are compared with, so that each has the same color in every figure.
var fixedColors = map[string]int{
	"spg": 0, "pgd": 1, "iia": 2, "learned": 0, "uniform": 4, "uniform weights": 4,
	"best single": 2, "best single kernel": 2, "trustregion": 3, "frankwolfe": 5, "frank–wolfe": 5,
	"train": 0, "test": 1,
}

// maxSeries is the largest number of series in one figure: six colors, each solid and dashed. Bars have no dashes, so
// a figure has at most six bars in a group.
const maxSeries = 2 * len(Qualitative)

// Styles returns a style for each name. If there are at most 12 names, all styles differ. Some solvers and methods,
// such as SPG, learned, uniform and best single, have a fixed color. Their line is dashed if another series of the
// figure already uses this color with a solid line. The other names get the free colors in order.
func Styles(names []string) []Style {
	out := make([]Style, len(names))
	var uses [len(Qualitative)]int // the number of series that have each color
	assignStyle := func(i, color int) {
		out[i] = Style{Color: Qualitative[color], DashPattern: min(uses[color], 2), Glyph: color}
		uses[color]++
	}
	var rest []int
	for i, name := range names {
		if k, ok := fixedColors[strings.ToLower(name)]; ok {
			assignStyle(i, k)
		} else {
			rest = append(rest, i)
		}
	}
	for _, i := range rest {
		assignStyle(i, slices.Index(uses[:], slices.Min(uses[:])))
	}
	return out
}

// Sequential is the color map for values of one sign, from dark to light, as equally spaced stops. It is viridis of
// matplotlib, whose lightness grows evenly.
var Sequential = []Color{
	"#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725",
}

// Diverging is the color map for values of both signs: white at 0, blue for negative values, red for positive values
// (RdBu of ColorBrewer).
var Diverging = []Color{
	"#053061", "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582", "#d6604d",
	"#b2182b", "#67001f",
}

// ColorAt returns the color at position t of the color map, 0 ≤ t ≤ 1. stops are its equally spaced colors; between
// them ColorAt interpolates linearly.
func ColorAt(stops []Color, t float64) (r, g, b uint8) {
	t = math.Min(math.Max(t, 0), 1) * float64(len(stops)-1)
	k := min(int(t), len(stops)-2)
	s := t - float64(k)
	r0, g0, b0 := stops[k].RGB()
	r1, g1, b1 := stops[k+1].RGB()
	interpolate := func(a, b uint8) uint8 { return uint8(math.Round((1-s)*float64(a) + s*float64(b))) }
	return interpolate(r0, r1), interpolate(g0, g1), interpolate(b0, b1)
}
