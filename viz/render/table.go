package render

import (
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// table is the body of a table: rules above and below the head and below the last row, none
// between columns.
type table struct {
	sheet  *viz.Sheet
	w      writer
	size   vg.Length // of the text
	head   [][]string
	cells  [][][]string // lines of each entry
	widths []vg.Length
	tall   []int // lines of each row
	notes  []string
	width  vg.Length // of the picture
}

const columnGap = 18 * px

// newTable fits the table into width: by breaking the heads, then long texts, then by smaller
// letters. What still does not fit makes the picture wider.
func newTable(s *viz.Sheet, w writer, width vg.Length) *table {
	t := &table{sheet: s, w: w, width: width}
	for _, size := range []vg.Length{labelSize, tickSize, noteSize, 10 * px} {
		t.size = size
		if t.fit(width - 2*margin) {
			break
		}
	}
	total := 2 * margin
	for j, cw := range t.widths {
		total += cw
		if j > 0 {
			total += columnGap
		}
	}
	t.width = max(t.width, total)
	for _, n := range s.Notes {
		t.notes = append(t.notes, w.wrap(n, face(noteSize, false), t.width-2*margin)...)
	}
	return t
}

// fit breaks the texts at the present size, and reports whether the columns fit.
func (t *table) fit(width vg.Length) bool {
	w, s := t.w, t.sheet
	n := len(s.Columns)
	t.widths = make([]vg.Length, n)
	least := make([]vg.Length, n) // the longest word
	width -= vg.Length(n-1) * columnGap
	for j, c := range s.Columns {
		for _, row := range s.Rows {
			t.widths[j] = max(t.widths[j], w.width(row[j].Text, face(t.size, row[j].Strong)))
			least[j] = max(least[j], t.longestWord(row[j].Text, row[j].Strong))
		}
		if c.Align == viz.AlignRight { // numbers are not broken
			least[j] = t.widths[j]
		}
		head := t.longestWord(c.Name, true)
		least[j] = max(least[j], min(head, 160*px))
		t.widths[j] = max(t.widths[j], min(head, 160*px))
	}
	// Room that is left goes to the heads, room that lacks is taken from the widest texts.
	sum := func() (total vg.Length) {
		for _, cw := range t.widths {
			total += cw
		}
		return total
	}
	for j, c := range s.Columns {
		full := min(w.width(c.Name, face(t.size, true)), 200*px)
		if more := full - t.widths[j]; more > 0 && sum()+more <= width {
			t.widths[j] = full
		}
	}
	for range 400 {
		if sum() <= width {
			break
		}
		k := -1
		for j := range t.widths {
			if t.widths[j] > least[j]+1*px && (k < 0 || t.widths[j] > t.widths[k]) {
				k = j
			}
		}
		if k < 0 {
			break
		}
		t.widths[k] = max(least[k], t.widths[k]-6*px)
	}
	t.head = nil
	for j, c := range s.Columns {
		t.head = append(t.head, w.wrap(c.Name, face(t.size, true), t.widths[j]+0.1*px))
	}
	t.cells, t.tall = nil, nil
	for _, row := range s.Rows {
		var lines [][]string
		tall := 1
		for j, c := range row {
			l := []string{c.Text}
			if s.Columns[j].Align != viz.AlignRight {
				l = w.wrap(c.Text, face(t.size, c.Strong), t.widths[j]+0.1*px)
			}
			lines = append(lines, l)
			tall = max(tall, len(l))
		}
		t.cells = append(t.cells, lines)
		t.tall = append(t.tall, tall)
	}
	return sum() <= width
}

func (t *table) longestWord(s string, bold bool) (longest vg.Length) {
	for _, word := range strings.Fields(s) {
		longest = max(longest, t.w.width(word, face(t.size, bold)))
	}
	return longest
}

// leading is the distance of two lines, and pad that of a row from its neighbours.
func (t *table) leading() vg.Length { return t.size * 1.25 }
func (t *table) pad() vg.Length     { return t.size * 0.45 }

func (t *table) headLines() int {
	n := 1
	for _, h := range t.head {
		n = max(n, len(h))
	}
	return n
}

// height is the height of the table with its notes.
func (t *table) height() vg.Length {
	h := 2*margin + vg.Length(t.headLines())*t.leading() + 2*t.pad()
	for _, n := range t.tall {
		h += vg.Length(n)*t.leading() + t.pad()
	}
	h += t.pad()
	if len(t.notes) > 0 {
		h += vg.Length(len(t.notes))*noteSize*lineHeight + 6*px
	}
	return h
}

// draw draws the table.
func (t *table) draw(p *pen) {
	left := p.Min.X + margin
	x := make([]vg.Length, len(t.widths))
	right := left
	for j, cw := range t.widths {
		x[j] = right
		right += cw + columnGap
	}
	right -= columnGap
	y := p.Max.Y - 2*px
	rule := func(width vg.Length) {
		p.StrokeLine2(stroke(rgb(viz.Ink), width, 0), left, y, right, y)
	}
	entry := func(j int, lines []string, bold bool, from, tall int) {
		sty := t.w.style(t.size, bold, viz.Ink)
		for k, line := range lines {
			base := y - vg.Length(from+k)*t.leading() - t.size
			switch t.sheet.Columns[j].Align {
			case viz.AlignRight:
				p.say(sty, draw.XRight, x[j]+t.widths[j], base, line)
			case viz.AlignCentre:
				p.say(sty, draw.XCenter, x[j]+t.widths[j]/2, base, line)
			default:
				p.say(sty, draw.XLeft, x[j], base, line)
			}
		}
	}
	rule(1.6 * px)
	y -= t.pad()
	n := t.headLines()
	for j, h := range t.head {
		entry(j, h, true, n-len(h), n)
	}
	y -= vg.Length(n)*t.leading() + t.pad()*0.6
	rule(0.9 * px)
	y -= t.pad()
	for i, row := range t.cells {
		for j, lines := range row {
			entry(j, lines, t.sheet.Rows[i][j].Strong, 0, t.tall[i])
		}
		y -= vg.Length(t.tall[i])*t.leading() + t.pad()
	}
	y += t.pad() * 0.4
	rule(1.6 * px)
	y -= 6 * px
	for k, line := range t.notes {
		p.say(t.w.style(noteSize, false, viz.Quiet), draw.XLeft, left, y-noteSize-vg.Length(k)*noteSize*lineHeight, line)
	}
}
