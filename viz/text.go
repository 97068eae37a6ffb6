package viz

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ID returns a short name made of f's content: equal figures have equal names, on every machine.
func (f Figure) ID() string {
	h := fnv.New64a()
	if err := json.NewEncoder(h).Encode(f); err != nil { // NaN: Validate says so
		fmt.Fprintf(h, "%+v", f)
	}
	return fmt.Sprintf("mkl-%016x", h.Sum64())
}

// FormatNumber writes v with four significant digits, as 0.1235, −12.5 or 1.2×10⁻⁷.
func FormatNumber(v float64) string {
	if !finite(v) {
		return fmt.Sprint(v)
	}
	s := strconv.FormatFloat(v, 'g', 4, 64)
	if a := math.Abs(v); a >= 1e4 && a < 1e6 && v == math.Trunc(v) {
		s = strconv.FormatFloat(v, 'f', 0, 64)
	}
	mantissa, exponent, ok := strings.Cut(s, "e")
	if !ok {
		return minus(s)
	}
	e, _ := strconv.Atoi(exponent)
	if mantissa == "1" {
		return "10" + Superscript(e)
	}
	return minus(mantissa) + "×10" + Superscript(e)
}

// Superscript writes n in raised digits: ⁻⁷.
func Superscript(n int) string {
	return strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(n))
}

// minus writes a leading hyphen as the sign it means.
func minus(s string) string {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return "−" + rest
	}
	return s
}

// Describe returns an alt text made of the data: the kind, the axes, and of each series where it
// begins and ends or between which values it lies.
func (f Figure) Describe() string {
	var b strings.Builder
	switch f.Kind {
	case KindLines:
		fmt.Fprintf(&b, "%s of %s%s.", count(len(f.Series), "curve"), axes(f.X, f.Y), logged(f))
		for _, s := range f.Series {
			if n := len(s.Y); n > 0 && len(s.X) == n {
				fmt.Fprintf(&b, " %s: from %s to %s over %s", s.Name, FormatNumber(s.Y[0]), FormatNumber(s.Y[n-1]), count(n, "point"))
				if len(s.Lo) == n {
					fmt.Fprintf(&b, ", with a band (%s)", s.Band)
				}
				b.WriteString(".")
			}
		}
	case KindScatter:
		fmt.Fprintf(&b, "Points, %s, of %s%s.", count(len(f.Series), "class"), axes(f.X, f.Y), logged(f))
		for _, s := range f.Series {
			if len(s.Y) > 0 && len(s.X) == len(s.Y) {
				fmt.Fprintf(&b, " %s: %s, x from %s to %s, y from %s to %s.", s.Name, count(len(s.Y), "point"),
					FormatNumber(slices.Min(s.X)), FormatNumber(slices.Max(s.X)), FormatNumber(slices.Min(s.Y)), FormatNumber(slices.Max(s.Y)))
			}
		}
	case KindBars:
		fmt.Fprintf(&b, "Bars of %s for %s.", or(f.Y.Label, "values"), count(len(f.Groups), "group"))
		for _, s := range f.Series {
			if len(s.Y) == 0 {
				continue
			}
			fmt.Fprintf(&b, " %s:", s.Name)
			if len(s.Y) <= 8 && len(s.Y) == len(f.Groups) {
				for i, v := range s.Y {
					fmt.Fprintf(&b, "%s %s %s", comma(i), f.Groups[i], FormatNumber(v))
				}
			} else {
				fmt.Fprintf(&b, " from %s to %s", FormatNumber(slices.Min(s.Y)), FormatNumber(slices.Max(s.Y)))
			}
			b.WriteString(".")
		}
	case KindHeat, KindMatrix:
		c := f.Cells
		if c == nil || len(c.Z) == 0 || len(c.Z[0]) == 0 {
			return "No data."
		}
		lo, hi := c.extremes()
		what := fmt.Sprintf("%d×%d matrix", len(c.Z), len(c.Z[0]))
		if f.Kind == KindHeat {
			what = fmt.Sprintf("Surface over %s on a %d×%d grid", axes(f.X, f.Y), len(c.X), len(c.Y))
		}
		fmt.Fprintf(&b, "%s: %s from %s at %s to %s at %s.", what, or(f.Z.Label, "values"),
			FormatNumber(c.Z[lo[0]][lo[1]]), f.place(lo), FormatNumber(c.Z[hi[0]][hi[1]]), f.place(hi))
		for _, r := range c.Regions {
			fmt.Fprintf(&b, " %s: %s of the grid.", r.Name, share(r.V))
		}
		for _, s := range f.Series {
			if n := len(s.Y); n > 0 && len(s.X) == n {
				fmt.Fprintf(&b, " %s: ends at (%s, %s).", s.Name, FormatNumber(s.X[n-1]), FormatNumber(s.Y[n-1]))
			}
		}
	case KindTable:
		if f.Sheet == nil {
			return "No data."
		}
		fmt.Fprintf(&b, "Table of %s:", count(len(f.Sheet.Rows), "row"))
		for j, c := range f.Sheet.Columns {
			fmt.Fprintf(&b, "%s %s", comma(j), or(c.Name, "names"))
		}
		b.WriteString(".")
	case KindMultiples:
		fmt.Fprintf(&b, "%s with the same axes.", count(len(f.Panels), "panel"))
		for _, p := range f.Panels {
			fmt.Fprintf(&b, " %s: %s", p.Title, p.Describe())
		}
	}
	return b.String()
}

// Numbers returns what f shows as a table: the head and the rows. Long series and large matrices
// are sampled or summed up. The numbers of Multiples are in its panels.
func (f Figure) Numbers() (head []string, rows [][]string) {
	switch f.Kind {
	case KindLines, KindScatter:
		return f.numbersOfPoints()
	case KindBars:
		head = []string{f.X.Label}
		for _, s := range f.Series {
			head = append(head, s.Name)
		}
		for i, g := range f.Groups {
			row := []string{g}
			for _, s := range f.Series {
				row = append(row, s.entry(i))
			}
			rows = append(rows, row)
		}
		for _, b := range f.Baselines {
			rows = append(rows, []string{b.Name, FormatNumber(b.Value)})
		}
	case KindHeat, KindMatrix:
		return f.numbersOfCells()
	case KindTable:
		if f.Sheet == nil {
			return nil, nil
		}
		for _, c := range f.Sheet.Columns {
			head = append(head, c.Name)
		}
		for _, r := range f.Sheet.Rows {
			var row []string
			for _, c := range r {
				text := c.Text
				if c.Strong {
					text = "*" + text + "*"
				}
				row = append(row, text)
			}
			rows = append(rows, row)
		}
	}
	return head, rows
}

// numbersOfPoints samples at most 12 points of series with the same x, else sums each series up.
func (f Figure) numbersOfPoints() (head []string, rows [][]string) {
	shared := len(f.Series) > 0 && f.Kind == KindLines
	for _, s := range f.Series {
		shared = shared && slices.Equal(s.X, f.Series[0].X) && len(s.Y) == len(s.X)
	}
	if shared {
		head = []string{or(f.X.Label, "x")}
		for _, s := range f.Series {
			head = append(head, s.Name)
		}
		n := len(f.Series[0].X)
		for _, i := range sample(n, 12) {
			row := []string{FormatNumber(f.Series[0].X[i])}
			for _, s := range f.Series {
				row = append(row, s.entry(i))
			}
			rows = append(rows, row)
		}
	} else {
		x, y := or(f.X.Label, "x"), or(f.Y.Label, "y")
		head = []string{"", "points", x + " from", "to", y + " first", "last", "least", "greatest"}
		for _, s := range f.Series {
			if len(s.Y) == 0 || len(s.X) != len(s.Y) {
				continue
			}
			rows = append(rows, []string{s.Name, strconv.Itoa(len(s.Y)), FormatNumber(slices.Min(s.X)), FormatNumber(slices.Max(s.X)),
				FormatNumber(s.Y[0]), FormatNumber(s.Y[len(s.Y)-1]), FormatNumber(slices.Min(s.Y)), FormatNumber(slices.Max(s.Y))})
		}
	}
	for _, b := range f.Baselines {
		rows = append(rows, []string{b.Name, FormatNumber(b.Value)})
	}
	return head, rows
}

// numbersOfCells gives a matrix of at most 10×10 whole, else its extremes.
func (f Figure) numbersOfCells() (head []string, rows [][]string) {
	c := f.Cells
	if c == nil || len(c.Z) == 0 || len(c.Z[0]) == 0 {
		return nil, nil
	}
	if f.Kind == KindMatrix && len(c.Z) <= 10 && len(c.Z[0]) <= 10 {
		head = []string{""}
		for j := range c.Z[0] {
			head = append(head, name(c.Cols, j))
		}
		for i, r := range c.Z {
			row := []string{name(c.Rows, i)}
			for _, v := range r {
				row = append(row, FormatNumber(v))
			}
			rows = append(rows, row)
		}
		return head, rows
	}
	lo, hi := c.extremes()
	head = []string{or(f.Z.Label, "value"), "", "at"}
	rows = [][]string{
		{"least", FormatNumber(c.Z[lo[0]][lo[1]]), f.place(lo)},
		{"greatest", FormatNumber(c.Z[hi[0]][hi[1]]), f.place(hi)},
	}
	for _, r := range c.Regions {
		rows = append(rows, []string{r.Name, share(r.V), "of the grid"})
	}
	for _, s := range f.Series {
		if n := len(s.Y); n > 0 && len(s.X) == n {
			rows = append(rows, []string{s.Name, count(n, "point"), fmt.Sprintf("ends at (%s, %s)", FormatNumber(s.X[n-1]), FormatNumber(s.Y[n-1]))})
		}
	}
	return head, rows
}

// Text returns f as plain text: title, numbers, notes, caption.
func (f Figure) Text() string {
	var b strings.Builder
	fmt.Fprintln(&b, f.Title)
	f.text(&b, "")
	if f.Caption != "" {
		fmt.Fprintln(&b, f.Caption)
	}
	return b.String()
}

func (f Figure) text(b *strings.Builder, indent string) {
	for _, p := range f.Panels {
		fmt.Fprintf(b, "%s%s\n", indent, p.Title)
		p.text(b, indent+"  ")
	}
	head, rows := f.Numbers()
	if len(rows) == 0 {
		return
	}
	width := make([]int, len(head))
	right := make([]bool, len(head))
	for j := range head {
		right[j] = j > 0
		if f.Sheet != nil {
			right[j] = f.Sheet.Columns[j].Align == AlignRight
		}
	}
	for _, row := range append([][]string{head}, rows...) {
		for j, s := range row {
			if j < len(width) {
				width[j] = max(width[j], utf8.RuneCountInString(s))
			}
		}
	}
	line := func(row []string) {
		var l strings.Builder
		for j, s := range row {
			if j >= len(width) {
				break
			}
			pad := strings.Repeat(" ", width[j]-utf8.RuneCountInString(s))
			if right[j] {
				s = pad + s
			} else {
				s += pad
			}
			l.WriteString(s + "  ")
		}
		fmt.Fprintf(b, "%s%s\n", indent, strings.TrimRight(l.String(), " "))
	}
	line(head)
	for _, row := range rows {
		line(row)
	}
	if f.Sheet != nil {
		for _, n := range f.Sheet.Notes {
			fmt.Fprintf(b, "%s%s\n", indent, n)
		}
	}
}

// escaper makes text safe between tags and in quoted attributes.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// Escape returns s as it can stand in HTML, between tags or in a quoted attribute.
func Escape(s string) string { return escaper.Replace(s) }

// HTMLTable returns f as an HTML table with its title as caption and its own caption below: what
// is shown of a Table, and of any figure where it cannot be drawn. It holds no script and needs no
// style sheet.
func (f Figure) HTMLTable() string {
	var b strings.Builder
	b.WriteString(`<div class="mkl-table" style="max-width:100%;overflow-x:auto;margin:6px 0">`)
	f.html(&b)
	if f.Caption != "" {
		fmt.Fprintf(&b, `<p style="max-width:700px">%s</p>`, Escape(f.Caption))
	}
	b.WriteString("</div>")
	return b.String()
}

func (f Figure) html(b *strings.Builder) {
	if len(f.Panels) > 0 {
		fmt.Fprintf(b, `<p><b>%s</b></p>`, Escape(f.Title))
	}
	for _, p := range f.Panels {
		p.html(b)
	}
	head, rows := f.Numbers()
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, `<table><caption style="text-align:left;font-weight:bold">%s</caption>`, Escape(f.Title))
	style := func(j int) string {
		a := "right"
		if f.Sheet != nil && j < len(f.Sheet.Columns) {
			a = map[Align]string{AlignLeft: "left", AlignRight: "right", AlignCentre: "center"}[f.Sheet.Columns[j].Align]
		} else if j == 0 {
			a = "left"
		}
		return "text-align:" + a
	}
	if strings.Join(head, "") != "" { // a head without a word would be read out as nothing
		b.WriteString("<thead><tr>")
		for j, h := range head {
			if h == "" {
				b.WriteString("<td></td>")
			} else {
				fmt.Fprintf(b, `<th scope="col" style="%s">%s</th>`, style(j), Escape(h))
			}
		}
		b.WriteString("</tr></thead>")
	}
	b.WriteString("<tbody>")
	for i, row := range rows {
		b.WriteString("<tr>")
		for j, s := range row {
			text := Escape(s)
			if f.Sheet != nil {
				text = Escape(f.Sheet.Rows[i][j].Text)
				if f.Sheet.Rows[i][j].Strong {
					text = "<b>" + text + "</b>"
				}
			}
			space := "nowrap" // a number and its spread stay in one line; long words of text need not
			if utf8.RuneCountInString(s) > 28 && style(j) == "text-align:left" {
				space = "normal"
			}
			if j == 0 && len(row) > 1 && s != "" { // the first entry says what the others are of
				fmt.Fprintf(b, `<th scope="row" style="%s;white-space:%s;font-weight:normal">%s</th>`, style(j), space, text)
			} else {
				fmt.Fprintf(b, `<td style="%s;white-space:%s">%s</td>`, style(j), space, text)
			}
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table>")
	if f.Sheet != nil {
		for _, n := range f.Sheet.Notes {
			fmt.Fprintf(b, `<p style="margin:0"><small>%s</small></p>`, Escape(n))
		}
	}
}

// Thin returns s with at most about n points. Of every stretch of points it keeps those where y is
// least and greatest, so that no peak is lost, and the first and the last of all.
func (s Series) Thin(n int) Series {
	if len(s.Y) <= n || n < 4 || len(s.X) != len(s.Y) {
		return s
	}
	var keep []int
	stretches := (n - 2) / 2
	for k := range stretches {
		from, to := 1+k*(len(s.Y)-2)/stretches, 1+(k+1)*(len(s.Y)-2)/stretches
		lo, hi := from, from
		for i := from; i < to; i++ {
			if s.Y[i] < s.Y[lo] {
				lo = i
			}
			if s.Y[i] > s.Y[hi] {
				hi = i
			}
		}
		keep = append(keep, min(lo, hi))
		if lo != hi {
			keep = append(keep, max(lo, hi))
		}
	}
	keep = append(append([]int{0}, keep...), len(s.Y)-1)
	pick := func(v []float64) []float64 {
		if len(v) == 0 {
			return nil
		}
		out := make([]float64, len(keep))
		for i, k := range keep {
			out[i] = v[k]
		}
		return out
	}
	s.X, s.Y, s.Lo, s.Hi = pick(s.X), pick(s.Y), pick(s.Lo), pick(s.Hi)
	return s
}

// entry writes value i with its band.
func (s Series) entry(i int) string {
	if i >= len(s.Y) {
		return ""
	}
	if i < len(s.Lo) && i < len(s.Hi) {
		return fmt.Sprintf("%s [%s, %s]", FormatNumber(s.Y[i]), FormatNumber(s.Lo[i]), FormatNumber(s.Hi[i]))
	}
	return FormatNumber(s.Y[i])
}

// extremes returns where Z is least and greatest.
func (c *Cells) extremes() (lo, hi [2]int) {
	for i, row := range c.Z {
		for j, v := range row {
			if v < c.Z[lo[0]][lo[1]] {
				lo = [2]int{i, j}
			}
			if v > c.Z[hi[0]][hi[1]] {
				hi = [2]int{i, j}
			}
		}
	}
	return lo, hi
}

// place names entry at of the cells.
func (f Figure) place(at [2]int) string {
	c := f.Cells
	if f.Kind == KindHeat && at[0] < len(c.Y) && at[1] < len(c.X) {
		return fmt.Sprintf("(%s, %s)", FormatNumber(c.X[at[1]]), FormatNumber(c.Y[at[0]]))
	}
	return fmt.Sprintf("(%s, %s)", name(c.Rows, at[0]), name(c.Cols, at[1]))
}

// share is the part of v that is ≥ 0.
func share(v [][]float64) string {
	n, in := 0, 0
	for _, row := range v {
		for _, x := range row {
			n++
			if x >= 0 {
				in++
			}
		}
	}
	return fmt.Sprintf("%.0f %%", 100*float64(in)/math.Max(1, float64(n)))
}

// sample returns at most k indices below n, spread evenly, first and last among them.
func sample(n, k int) []int {
	if n <= k {
		k = n
	}
	out := make([]int, k)
	for i := range out {
		if k > 1 {
			out[i] = i * (n - 1) / (k - 1)
		}
	}
	return out
}

func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return strconv.Itoa(i)
}

func axes(x, y Axis) string { return or(y.Label, "y") + " against " + or(x.Label, "x") }

func logged(f Figure) string {
	switch {
	case f.X.Log && f.Y.Log:
		return ", both on logarithmic axes"
	case f.X.Log:
		return ", x on a logarithmic axis"
	case f.Y.Log:
		return ", y on a logarithmic axis"
	}
	return ""
}

func count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func comma(i int) string {
	if i > 0 {
		return ","
	}
	return ""
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
