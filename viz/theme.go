package viz

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Colour is a colour as sRGB in hexadecimal, "#0072b2".
type Colour string

const badColour = "viz: a colour is not of the form #rrggbb"

// RGB returns the components of c.
func (c Colour) RGB() (r, g, b uint8) {
	v, err := strconv.ParseUint(strings.TrimPrefix(string(c), "#"), 16, 24)
	if err != nil {
		panic(badColour)
	}
	return uint8(v >> 16), uint8(v >> 8), uint8(v)
}

// Qualitative are the six colours of series: hues of Okabe and Ito, yellow left out and the others
// made darker or lighter until the contrast to white is at least 3:1, what WCAG 2.1 (1.4.11) asks of
// graphics, and until any two differ by at least 20 in CIE 1976 ΔE for readers with normal sight,
// protanopia and deuteranopia (14 with tritanopia).
//
// References:
//   - M. Okabe, K. Ito, Color Universal Design, 2008.
//   - G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, A physiologically-based model for
//     simulation of color vision deficiency, IEEE TVCG 15(6), 2009, Table 1 at severity 1.
var Qualitative = [6]Colour{
	"#0a70aa", // blue
	"#b84600", // vermilion
	"#009e73", // bluish green
	"#6e1b4c", // purple
	"#e87300", // orange
	"#598cf0", // sky blue
}

// Ink, Quiet and Faint are the colours of text, of baselines and notes, and of grid lines.
const (
	Ink   Colour = "#222222"
	Quiet Colour = "#5c5c5c"
	Faint Colour = "#e4e4e4"
)

// Style is how a series is drawn, unlike the others of its figure.
type Style struct {
	Colour Colour
	Dash   int // 0 solid, 1 dashed, 2 dotted
	Glyph  int // 0 … 5: disc, square, triangle, diamond, plus, cross
}

// known are the colours, as indices into Qualitative, of the project's solvers and what they are compared with, by
// their names in lower case: the same in every figure.
var known = map[string]int{
	"spg": 0, "pgd": 1, "iia": 2, "learned": 0, "uniform": 4, "uniform weights": 4,
	"best single": 2, "best single kernel": 2, "trustregion": 3, "frankwolfe": 5, "frank–wolfe": 5,
	"train": 0, "test": 1, "0 or more": 0, "negative": 1,
}

// MaxSeries is the largest number of series in one figure: six colours, each solid and dashed. Bars
// and classes of points have no dash, and at most six.
const MaxSeries = 2 * len(Qualitative)

// Styles returns a style for each name, no two alike for at most MaxSeries names. Solvers and what they are compared
// with have a colour of their own, dashed where another series has it solid already; "x, paper" has
// the colour of "x", dashed and with another glyph; the others take the free colours in order.
func Styles(names []string) []Style {
	out := make([]Style, len(names))
	used := map[[2]int]bool{}
	set := func(i, colour int) {
		dash := 0
		for used[[2]int{colour, dash}] && dash < 2 {
			dash++
		}
		used[[2]int{colour, dash}] = true
		out[i] = Style{Colour: Qualitative[colour], Dash: dash, Glyph: colour}
	}
	var rest []int
	for i, name := range names {
		if _, of := ours(names, name); of {
			continue
		}
		if k, ok := known[strings.ToLower(name)]; ok {
			set(i, k)
		} else {
			rest = append(rest, i)
		}
	}
	for _, i := range rest {
		set(i, firstFree(used))
	}
	for i, name := range names {
		if k, of := ours(names, name); of {
			out[i] = Style{Colour: out[k].Colour, Dash: out[k].Dash + 1, Glyph: (out[k].Glyph + 3) % len(Qualitative)}
		}
	}
	return out
}

// ours is the place of "x" for the name "x, paper", if it is among the names.
func ours(names []string, name string) (place int, of bool) {
	x, of := strings.CutSuffix(name, ", paper")
	place = slices.Index(names, x)
	return place, of && place >= 0
}

// firstFree is the first colour that is used with the fewest dashes.
func firstFree(used map[[2]int]bool) int {
	for dash := range 3 {
		for k := range Qualitative {
			if !used[[2]int{k, dash}] {
				return k
			}
		}
	}
	return 0
}

// Sequential is the colour map of values of one sign, dark to light, as stops at equal distances:
// viridis of matplotlib, whose lightness grows evenly.
var Sequential = []Colour{
	"#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725",
}

// Diverging is the colour map of values of both signs, white at 0: blue for negative ones, red for
// positive ones (RdBu of ColorBrewer).
var Diverging = []Colour{
	"#053061", "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582", "#d6604d",
	"#b2182b", "#67001f",
}

// At returns the colour of the map at t, 0 ≤ t ≤ 1, linear between its stops.
func At(stops []Colour, t float64) (r, g, b uint8) {
	t = math.Min(math.Max(t, 0), 1) * float64(len(stops)-1)
	k := min(int(t), len(stops)-2)
	s := t - float64(k)
	r0, g0, b0 := stops[k].RGB()
	r1, g1, b1 := stops[k+1].RGB()
	mix := func(a, b uint8) uint8 { return uint8(math.Round((1-s)*float64(a) + s*float64(b))) }
	return mix(r0, r1), mix(g0, g1), mix(b0, b1)
}
