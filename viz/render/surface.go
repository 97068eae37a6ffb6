package render

import (
	"image"
	"image/color"
	"math"
	"sort"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// shade maps values to colours.
type shade struct {
	min, max float64
	log      bool
	stops    []viz.Colour
}

// shadeOf is the map that the cells of all panels share.
func shadeOf(panels []viz.Figure) shade {
	s := shade{min: math.Inf(1), max: math.Inf(-1), log: panels[0].Z.Log, stops: viz.Sequential}
	diverging := false
	for _, f := range panels {
		diverging = diverging || f.Cells.Diverging
		for _, row := range f.Cells.Z {
			for _, v := range row {
				s.min, s.max = math.Min(s.min, v), math.Max(s.max, v)
			}
		}
	}
	if diverging {
		s.stops = viz.Diverging
		s.max = math.Max(math.Abs(s.min), math.Abs(s.max))
		s.min = -s.max
	}
	if s.min == s.max {
		if s.log {
			s.min, s.max = s.min/2, s.max*2
		} else {
			d := math.Max(math.Abs(s.min)*0.1, 1e-12)
			if s.min == 0 {
				d = 1
			}
			s.min, s.max = s.min-d, s.max+d
		}
	}
	return s
}

// at is where v lies between the ends of the map.
func (s shade) at(v float64) float64 {
	if s.log {
		return (math.Log(v) - math.Log(s.min)) / (math.Log(s.max) - math.Log(s.min))
	}
	return (v - s.min) / (s.max - s.min)
}

// value is what lies at t, the inverse of at.
func (s shade) value(t float64) float64 {
	if s.log {
		return math.Exp((1-t)*math.Log(s.min) + t*math.Log(s.max))
	}
	return s.min + t*(s.max-s.min)
}

// of is the colour of v.
func (s shade) of(v float64) color.NRGBA {
	r, g, b := viz.At(s.stops, s.at(v))
	return color.NRGBA{R: r, G: g, B: b, A: 255}
}

// over is a colour legible over that of v: its contrast is at least 4.5, which below a luminance of 0.18
// white alone has, above it black, and above 0.25 Ink too.
func (s shade) over(v float64) color.NRGBA {
	switch l := luminance(s.of(v)); {
	case l > 0.25:
		return rgb(viz.Ink)
	case l > 0.18:
		return rgb("#000000")
	}
	return rgb("#ffffff")
}

// luminance is the relative luminance of WCAG 2.1.
func luminance(c color.NRGBA) float64 {
	lin := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}

// colourBar explains the colours at the right of the panels.
type colourBar struct {
	shade  shade
	label  string
	levels []float64
	ticks  []plot.Tick
	w      writer
	width  vg.Length
}

func newColourBar(panels []viz.Figure, w writer) *colourBar {
	s := shadeOf(panels)
	b := &colourBar{shade: s, label: panels[0].Z.Label, w: w}
	if len(panels) == 1 {
		b.levels = panels[0].Cells.Levels
	}
	b.ticks = scale{min: s.min, max: s.max, log: s.log}.ticks(6)
	var widest vg.Length
	for _, t := range b.ticks {
		widest = max(widest, w.width(t.Label, face(tickSize, false)))
	}
	b.width = (14+14+6+6)*px + widest + labelSize*lineHeight
	return b
}

// draw draws the bar from (x, y0) upwards to y1.
func (b *colourBar) draw(p *pen, x, y0, y1 vg.Length) {
	if y1-y0 > 400*px {
		y0 = y1 - 400*px
	}
	if y1-y0 < 90*px {
		y0 = y1 - 90*px
	}
	x1 := x + 14*px
	const n = 256
	img := image.NewNRGBA(image.Rect(0, 0, 1, n))
	for i := range n {
		r, g, bl := viz.At(b.shade.stops, 1-(float64(i)+0.5)/n)
		img.SetNRGBA(0, i, color.NRGBA{R: r, G: g, B: bl, A: 255})
	}
	wide := image.NewNRGBA(image.Rect(0, 0, 8, n))
	for i := range n {
		for j := range 8 {
			wide.SetNRGBA(j, i, img.NRGBAAt(0, i))
		}
	}
	p.DrawImage(vg.Rectangle{Min: vg.Point{X: x, Y: y0}, Max: vg.Point{X: x1, Y: y1}}, wide)
	for _, l := range b.levels {
		if t := b.shade.at(l); t >= 0 && t <= 1 {
			y := y0 + vg.Length(t)*(y1-y0)
			p.StrokeLine2(stroke(b.shade.over(l), 1*px, 0), x, y, x1, y)
		}
	}
	sty := b.w.style(tickSize, false, viz.Ink)
	for _, tick := range b.ticks {
		t := b.shade.at(tick.Value)
		if t < -1e-9 || t > 1+1e-9 || tick.Label == "" {
			continue
		}
		y := y0 + vg.Length(t)*(y1-y0)
		p.StrokeLine2(stroke(rgb(viz.Quiet), 1*px, 0), x1, y, x1+4*px, y)
		p.say(sty, draw.XLeft, x1+6*px, y-4*px, tick.Label)
	}
	lab := b.w.style(labelSize, false, viz.Ink)
	lab.Rotation = math.Pi / 2
	lab.XAlign, lab.YAlign = draw.XCenter, draw.YTop
	at := vg.Point{X: x + b.width - labelSize*lineHeight - 8*px, Y: (y0 + y1) / 2}
	room := max(y1-y0, 150*px)
	p.FillText(lab, at, b.w.cut(b.label, lab.Font, room))
}

// locate returns k and t such that v = (1−t)·grid[k] + t·grid[k+1].
func locate(grid []float64, v float64) (k int, t float64) {
	k = sort.SearchFloat64s(grid, v) - 1
	k = min(max(k, 0), len(grid)-2)
	return k, (v - grid[k]) / (grid[k+1] - grid[k])
}

// bilinear is z between the points of its grid.
func bilinear(c *viz.Cells, z [][]float64, x, y float64) float64 {
	j, s := locate(c.X, x)
	i, t := locate(c.Y, y)
	return (1-t)*((1-s)*z[i][j]+s*z[i][j+1]) + t*((1-s)*z[i+1][j]+s*z[i+1][j+1])
}

// addHeat adds the surface, its regions, contours, and what lies over it.
func (c *chart) addHeat(p *plot.Plot, f viz.Figure) {
	cells := f.Cells
	p.Add(plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&cv)
		x0, x1 := cells.X[0], cells.X[len(cells.X)-1]
		y0, y1 := cells.Y[0], cells.Y[len(cells.Y)-1]
		// One pixel of the PNG each, in few colours: even areas keep the file small.
		const shades = 72
		size := cv.Size()
		w, h := int(math.Ceil(float64(size.X/vg.Inch*resolution))), int(math.Ceil(float64(size.Y/vg.Inch*resolution)))
		var colours [shades]color.NRGBA
		for k := range colours {
			colours[k] = c.bar.shade.of(c.bar.shade.value((float64(k) + 0.5) / shades))
		}
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		for i := range h {
			y := y1 + (y0-y1)*(float64(i)+0.5)/float64(h)
			for j := range w {
				x := x0 + (x1-x0)*(float64(j)+0.5)/float64(w)
				k := int(shades * c.bar.shade.at(bilinear(cells, cells.Z, x, y)))
				img.SetNRGBA(j, i, colours[min(max(k, 0), shades-1)])
			}
		}
		cv.DrawImage(vg.Rectangle{Min: vg.Point{X: tx(x0), Y: ty(y0)}, Max: vg.Point{X: tx(x1), Y: ty(y1)}}, img)
		for _, r := range cells.Regions {
			for _, s := range hatch(cells, r.V, 9*float64(px/(cv.Max.X-cv.Min.X)), float64((cv.Max.X-cv.Min.X)/(cv.Max.Y-cv.Min.Y))) {
				cv.StrokeLine2(stroke(pale("#ffffff", 0.7), 1*px, 0), tx(s[0].x), ty(s[0].y), tx(s[1].x), ty(s[1].y))
			}
			for _, line := range contours(cells.X, cells.Y, r.V, 0) {
				cv.StrokeLines(stroke(rgb("#ffffff"), 2.2*px, 0), points(line, tx, ty))
			}
		}
		var boxes []vg.Rectangle
		sty := c.w.style(noteSize, false, viz.Ink)
		for _, level := range cells.Levels {
			col := c.bar.shade.over(level)
			lines := contours(cells.X, cells.Y, cells.Z, level)
			for _, line := range lines {
				cv.StrokeLines(stroke(col, 0.9*px, 0), points(line, tx, ty))
			}
			if len(c.panels) > 1 {
				continue
			}
			text := viz.FormatNumber(level)
			tw := c.w.width(text, sty.Font)
			if at, ok := labelPlace(lines, tx, ty, tw, cv.Rectangle, boxes); ok {
				box := labelBox(at, tw)
				boxes = append(boxes, box)
				cv.FillPolygon(c.bar.shade.of(level), []vg.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}})
				sty.Color = col
				pn := pen{cv, c.w}
				pn.say(sty, draw.XCenter, at.X, at.Y-4*px, text)
			}
		}
	}))
	c.addSeries(p, f, true)
}

// points are the points of a contour on the canvas.
func points(line []point, tx, ty func(float64) vg.Length) []vg.Point {
	out := make([]vg.Point, len(line))
	for i, q := range line {
		out[i] = vg.Point{X: tx(q.x), Y: ty(q.y)}
	}
	return out
}

// labelBox is the room of a label of width tw centred at a point.
func labelBox(at vg.Point, tw vg.Length) vg.Rectangle {
	half := vg.Point{X: tw/2 + 2*px, Y: 6.5 * px}
	return vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)}
}

// labelPlace finds a point of the longest contour where a label of width tw lies inside and clear
// of the labels before it, nearest to the middle of the contour.
func labelPlace(lines [][]point, tx, ty func(float64) vg.Length, tw vg.Length, area vg.Rectangle, taken []vg.Rectangle) (vg.Point, bool) {
	var best []vg.Point
	var longest vg.Length
	for _, line := range lines {
		pts := points(line, tx, ty)
		var l vg.Length
		for i := 1; i < len(pts); i++ {
			l += vg.Length(math.Hypot(float64(pts[i].X-pts[i-1].X), float64(pts[i].Y-pts[i-1].Y)))
		}
		if l > longest {
			best, longest = pts, l
		}
	}
	if longest < 2*tw {
		return vg.Point{}, false
	}
	mid := len(best) / 2
	for d := range len(best) {
		k := mid + (d+1)/2*(1-2*(d%2))
		if k < 0 || k >= len(best) {
			continue
		}
		at := best[k]
		ok := at.X-tw/2 > area.Min.X+4*px && at.X+tw/2 < area.Max.X-4*px && at.Y > area.Min.Y+10*px && at.Y < area.Max.Y-10*px
		for _, b := range taken {
			if at.X+tw/2+3*px > b.Min.X-2*px && at.X-tw/2-3*px < b.Max.X+2*px && at.Y+9*px > b.Min.Y && at.Y-9*px < b.Max.Y {
				ok = false
			}
		}
		if ok {
			return at, true
		}
	}
	return vg.Point{}, false
}

// point is a point of a surface's domain.
type point struct{ x, y float64 }

// contours returns the lines {z = level} of z on the grid, bilinear between its points, by marching
// squares: a saddle is parted by the mean of its corners. O(rc).
func contours(xs, ys []float64, z [][]float64, level float64) [][]point {
	// An edge is named by its lower left grid point and its direction, 0 along x and 1 along y.
	type edge struct{ i, j, dir int }
	where := func(e edge) point {
		i, j := e.i, e.j
		if e.dir == 0 {
			t := (level - z[i][j]) / (z[i][j+1] - z[i][j])
			return point{xs[j] + t*(xs[j+1]-xs[j]), ys[i]}
		}
		t := (level - z[i][j]) / (z[i+1][j] - z[i][j])
		return point{xs[j], ys[i] + t*(ys[i+1]-ys[i])}
	}
	next := map[edge][]edge{}
	var order []edge
	join := func(a, b edge) {
		for _, e := range []edge{a, b} {
			if _, ok := next[e]; !ok {
				order = append(order, e)
			}
		}
		next[a] = append(next[a], b)
		next[b] = append(next[b], a)
	}
	for i := range len(ys) - 1 {
		for j := range len(xs) - 1 {
			s, e, n, w := edge{i, j, 0}, edge{i, j + 1, 1}, edge{i + 1, j, 0}, edge{i, j, 1}
			var k int
			for b, v := range []float64{z[i][j], z[i][j+1], z[i+1][j+1], z[i+1][j]} {
				if v >= level {
					k |= 1 << b
				}
			}
			switch k {
			case 1, 14:
				join(w, s)
			case 2, 13:
				join(s, e)
			case 4, 11:
				join(e, n)
			case 8, 7:
				join(n, w)
			case 3, 12:
				join(w, e)
			case 6, 9:
				join(s, n)
			case 5, 10:
				high := (z[i][j]+z[i][j+1]+z[i+1][j+1]+z[i+1][j])/4 >= level
				if high == (k == 5) {
					join(w, n)
					join(s, e)
				} else {
					join(w, s)
					join(e, n)
				}
			}
		}
	}
	used := map[[2]edge]bool{}
	follow := func(from edge) []point {
		line := []point{where(from)}
		for at := from; ; {
			moved := false
			for _, to := range next[at] {
				if !used[[2]edge{at, to}] {
					used[[2]edge{at, to}], used[[2]edge{to, at}] = true, true
					line = append(line, where(to))
					at, moved = to, true
					break
				}
			}
			if !moved {
				return line
			}
		}
	}
	var out [][]point
	for _, open := range []bool{true, false} { // lines that end at the border first, then closed ones
		for _, e := range order {
			if (len(next[e]) == 1) == open {
				if line := follow(e); len(line) > 1 {
					out = append(out, line)
				}
			}
		}
	}
	return out
}

// hatch returns the parts in {v ≥ 0} of lines that rise at 45° in a picture of the given aspect
// (width over height), apart by that share of its width.
func hatch(c *viz.Cells, v [][]float64, apart, aspect float64) (out [][2]point) {
	x0, x1 := c.X[0], c.X[len(c.X)-1]
	y0, y1 := c.Y[0], c.Y[len(c.Y)-1]
	at := func(u, w float64) point { return point{x0 + u*(x1-x0), y0 + w*(y1-y0)} }
	apart *= math.Sqrt2
	for offset := -1 / aspect; offset < 1; offset += apart {
		// (u, w) = (offset + s, s·aspect), inside for 0 ≤ u ≤ 1, 0 ≤ w ≤ 1
		const n = 240
		lo, hi := math.Max(0, -offset), math.Min(1/aspect, 1-offset)
		var start, last point
		in := false
		for k := range n + 1 {
			s := lo + (hi-lo)*float64(k)/n
			q := at(math.Min(math.Max(offset+s, 0), 1), math.Min(s*aspect, 1))
			inside := bilinear(c, v, q.x, q.y) >= 0
			if inside && !in {
				start = q
			}
			if in && !inside {
				out = append(out, [2]point{start, last})
			}
			in, last = inside, q
		}
		if in {
			out = append(out, [2]point{start, last})
		}
	}
	return out
}

// matrixTicks names rows and columns, as many as there is room for.
func (c *chart) matrixTicks() {
	cells := c.panels[0].Cells
	rows, cols := len(cells.Z), len(cells.Z[0])
	c.x = scale{min: -0.5, max: float64(cols) - 0.5, names: []string{}}
	c.y = scale{min: -0.5, max: float64(rows) - 0.5, names: []string{}}
	label := func(names []string, n int, block int) []plot.Tick {
		out := make([]plot.Tick, n)
		for i := range out {
			out[i] = plot.Tick{Value: float64(i), Label: strconv.Itoa(i * max(1, block))}
			if names != nil {
				out[i].Label = c.w.cut(names[i], face(tickSize, false), 110*px)
			}
		}
		return out
	}
	c.xTicks, c.yTicks = label(cells.Cols, cols, cells.Block), label(cells.Rows, rows, cells.Block)
	// The side of a cell, about: labels of rows and the colour bar have been reckoned at most.
	side := min((c.cell.X-c.widest(c.yTicks)-6*px)/vg.Length(cols), 420*px/vg.Length(rows), 60*px)
	if len(cells.Cols) > 0 {
		if c.widest(c.xTicks) > side-4*px {
			c.turned = true
			c.xTicks = every(c.xTicks, max(1, int(side*vg.Length(cols)/(14*px))))
			for i := range c.xTicks {
				c.xTicks[i].Label += turnedSpace
			}
		}
	} else {
		c.xTicks = round(c.xTicks, int(side*vg.Length(cols)/(40*px)))
	}
	if len(cells.Rows) > 0 {
		c.yTicks = every(c.yTicks, max(1, int(side*vg.Length(rows)/(14*px))))
	} else {
		c.yTicks = round(c.yTicks, int(side*vg.Length(rows)/(24*px)))
	}
}

// round keeps at most limit of the ticks of numbered rows: every 1, 2, 5, 10, 20 …
func round(ticks []plot.Tick, limit int) []plot.Tick {
	limit = max(limit, 1)
	step := 1
	for unit := 1; ; unit *= 10 {
		for _, k := range []int{1, 2, 5} {
			if step = k * unit; len(ticks) <= step*limit {
				var out []plot.Tick
				for i := 0; i < len(ticks); i += step {
					out = append(out, ticks[i])
				}
				return out
			}
		}
	}
}

// addMatrix adds the cells, and their values if there are few.
func (c *chart) addMatrix(p *plot.Plot, f viz.Figure) {
	cells := f.Cells
	rows, cols := len(cells.Z), len(cells.Z[0])
	p.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
	p.Add(plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		side := (cv.Max.X - cv.Min.X) / vg.Length(cols)
		high := (cv.Max.Y - cv.Min.Y) / vg.Length(rows) // side, but for rounding
		rect := func(i, j int) vg.Rectangle {
			return vg.Rectangle{
				Min: vg.Point{X: cv.Min.X + vg.Length(j)*side, Y: cv.Max.Y - vg.Length(i+1)*high},
				Max: vg.Point{X: cv.Min.X + vg.Length(j+1)*side, Y: cv.Max.Y - vg.Length(i)*high},
			}
		}
		if rows <= 24 && cols <= 24 {
			for i, row := range cells.Z {
				for j, v := range row {
					r := rect(i, j)
					r.Max.X += 0.4 * px // no seams
					r.Min.Y -= 0.4 * px
					r.Max.X, r.Min.Y = min(r.Max.X, cv.Max.X), max(r.Min.Y, cv.Min.Y)
					cv.SetColor(c.bar.shade.of(v))
					cv.Fill(r.Path())
				}
			}
		} else {
			k := max(1, 900/max(rows, cols))
			img := image.NewNRGBA(image.Rect(0, 0, cols*k, rows*k))
			for i, row := range cells.Z {
				for j, v := range row {
					col := c.bar.shade.of(v)
					for a := range k {
						for b := range k {
							img.SetNRGBA(j*k+b, i*k+a, col)
						}
					}
				}
			}
			cv.DrawImage(cv.Rectangle, img)
		}
		if side >= 34*px {
			pn := pen{cv, c.w}
			sty := c.w.style(noteSize, false, viz.Ink)
			for i, row := range cells.Z {
				for j, v := range row {
					text := short(v)
					if c.w.width(text, sty.Font) > side-2*px {
						continue
					}
					r := rect(i, j)
					sty.Color = c.bar.shade.over(v)
					pn.say(sty, draw.XCenter, (r.Min.X+r.Max.X)/2, (r.Min.Y+r.Max.Y)/2-4*px, text)
				}
			}
		}
		frame := cv.Rectangle.Path()
		cv.SetLineStyle(stroke(rgb(viz.Quiet), 0.8*px, 0))
		cv.Stroke(frame)
	}))
}

// short writes v with two significant digits, three if it is 1 or more.
func short(v float64) string {
	digits := 2
	if math.Abs(v) >= 1 {
		digits = 3
	}
	if v == 0 {
		return "0"
	}
	scale := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(math.Abs(v))))
	return viz.FormatNumber(math.Round(v*scale) / scale)
}
