package render

import (
	"image/color"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// Measures of what is drawn.
const (
	lineWidth   = 2 * px
	baseWidth   = 1.4 * px
	pointRadius = 3 * px
	bandAlpha   = 0.22
	gap         = 14 * px // between panels
	titleGap    = 4 * px  // above their titles
	lineHeight  = 1.3     // of a text, in its size
)

// chart is the body of every figure with axes: one panel or several that share them.
type chart struct {
	f             viz.Figure
	w             writer
	panels        []viz.Figure
	x, y          scale
	styles        map[string]viz.Style
	entries       []entry
	columns, rows int
	width, height vg.Length
	left, right   vg.Length // room for the label of y; for end labels or the colour bar
	bottom        vg.Length // room for the label of x
	top           vg.Length // room for a panel's title
	cell          vg.Point  // a panel with its ticks
	ends          []endLabel
	bar           *colourBar
	xTicks        []plot.Tick
	yTicks        []plot.Tick
	turned        bool // names of groups or columns are written upwards
	lying         bool // bars lie
}

// newChart lays f out at the given width.
func newChart(f viz.Figure, w writer, width vg.Length, ends bool) *chart {
	c := &chart{f: f, w: w, panels: []viz.Figure{f}, width: width, columns: 1, rows: 1}
	if f.Kind == viz.KindMultiples {
		c.panels = f.Panels
		c.columns = columnsOf(f)
		c.rows = (len(c.panels) + c.columns - 1) / c.columns
		c.top = titleGap + labelSize*lineHeight
	}
	first := c.panels[0]
	for i, p := range c.panels {
		if p.Kind == viz.KindLines {
			p.Series = slices.Clone(p.Series)
			for k, s := range p.Series {
				p.Series[k] = s.Thin(thinned)
			}
		}
		c.panels[i] = p
	}
	c.x, c.y = scales(c.panels)
	c.styles = stylesOf(c.panels)
	c.lying = first.Kind == viz.KindBars && first.Flipped

	if first.Kind == viz.KindHeat || first.Kind == viz.KindMatrix {
		c.bar = newColourBar(c.panels, w)
		c.right = c.bar.width
	}
	if ends {
		c.ends = c.endLabels()
	}
	for _, e := range c.ends {
		c.right = max(c.right, w.width(e.name, face(tickSize, false))+12*px)
	}
	c.entries = c.legend()

	xLabel, yLabel := first.X.Label, first.Y.Label
	if c.lying {
		xLabel, yLabel = yLabel, xLabel
	}
	c.left, c.right = c.left+margin, c.right+margin+4*px
	if yLabel != "" {
		c.left += labelSize*lineHeight + 5*px
	}
	c.bottom = margin
	if xLabel != "" {
		c.bottom += labelSize*lineHeight + 2*px
	}
	c.cell.X = (width - c.left - c.right - vg.Length(c.columns-1)*gap) / vg.Length(c.columns)
	c.ticks()
	c.cell.Y = c.panelHeight()
	c.height = vg.Length(c.rows)*(c.cell.Y+c.top) + vg.Length(c.rows-1)*gap + c.bottom
	return c
}

// columnsOf is the number of panels in a row.
func columnsOf(f viz.Figure) int {
	n := len(f.Panels)
	if f.Columns > 0 {
		return min(n, f.Columns, 6)
	}
	switch {
	case n <= 3:
		return n
	case n == 4:
		return 2
	}
	return 3
}

// stylesOf gives every name that occurs in any panel one style.
func stylesOf(panels []viz.Figure) map[string]viz.Style {
	var names []string
	for _, p := range panels {
		for _, s := range p.Series {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	styles := viz.Default().Styles(names)
	out := map[string]viz.Style{}
	for i, n := range names {
		out[n] = styles[i]
	}
	return out
}

// ticks chooses the ticks of both axes, and whether names stand upright.
func (c *chart) ticks() {
	first := c.panels[0]
	wantX := max(4, int(c.cell.X/(85*px)))
	wantY := 6
	if c.rows > 1 || c.columns > 1 {
		wantY = 5
	}
	if first.Kind == viz.KindMatrix {
		c.matrixTicks()
		return
	}
	c.xTicks, c.yTicks = c.x.ticks(wantX), c.y.ticks(wantY)
	if first.Kind != viz.KindBars {
		return
	}
	if c.lying {
		c.xTicks, c.yTicks = c.y.ticks(wantX), c.x.ticks(0)
		for i, t := range c.yTicks {
			c.yTicks[i].Label = c.w.cut(t.Label, face(tickSize, false), c.cell.X*0.4)
		}
		return
	}
	room := (c.cell.X - 45*px) / vg.Length(len(c.x.names))
	if c.widest(c.xTicks) > room-6*px {
		c.turned = true
		for i, t := range c.xTicks {
			c.xTicks[i].Label = c.w.cut(t.Label, face(tickSize, false), 130*px) + turnedSpace
		}
		c.xTicks = every(c.xTicks, int((c.cell.X-45*px)/(14*px)))
	}
}

// turnedSpace ends names that are written upwards: their ends would touch the axis.
const turnedSpace = "  "

// widest is the width of the widest label.
func (c *chart) widest(ticks []plot.Tick) (w vg.Length) {
	for _, t := range ticks {
		w = max(w, c.w.width(t.Label, face(tickSize, false)))
	}
	return w
}

// panelHeight is the height of a panel with its ticks.
func (c *chart) panelHeight() vg.Length {
	first := c.panels[0]
	data := 330 * px
	switch {
	case first.Kind == viz.KindMatrix:
		rows, cols := vg.Length(len(first.Cells.Z)), vg.Length(len(first.Cells.Z[0]))
		side := min(c.inner(1000*px).X/cols, 420*px/rows, 60*px)
		for range 3 { // labels at the edges take room that depends on the width
			c.cell.X -= c.inner(1000*px).X - side*cols
		}
		data = side * rows
	case first.Kind == viz.KindHeat:
		data = min(c.inner(1000*px).X*0.9, 400*px)
		if c.columns == 1 {
			data = 400 * px
		}
	case c.lying:
		n := vg.Length(len(c.x.names))
		data = max(120*px, n*(10*px+14*px*vg.Length(len(first.Series))))
		data = min(data, 900*px)
	case c.columns == 2:
		data = 230 * px
	case c.columns > 2:
		data = 185 * px
	}
	return data + (1000*px - c.inner(1000*px).Y)
}

// inner is the size of the data's area of a panel of the given height.
func (c *chart) inner(height vg.Length) vg.Point {
	cv := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: c.cell.X, Y: height}}}
	p := c.plot(c.panels[0])
	d := p.DataCanvas(cv)
	return d.Size()
}

// plot is panel f as a gonum plot without labels: those stand once for all panels.
func (c *chart) plot(f viz.Figure) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	xs, ys := c.x, c.y
	if c.lying {
		xs, ys = ys, xs
	}
	for _, a := range []struct {
		axis  *plot.Axis
		scale scale
		ticks []plot.Tick
	}{{&p.X, xs, c.xTicks}, {&p.Y, ys, c.yTicks}} {
		a.axis.Min, a.axis.Max = a.scale.min, a.scale.max
		if a.scale.log {
			a.axis.Scale = plot.LogScale{}
		}
		a.axis.Tick.Marker = plot.ConstantTicks(a.ticks)
		a.axis.Tick.Label.Handler = c.w
		a.axis.Tick.Label.Font = face(tickSize, false)
		a.axis.Tick.Label.Color = rgb(viz.Ink)
		a.axis.Tick.Length = 5 * px
		a.axis.Tick.LineStyle = stroke(rgb(viz.Quiet), 1*px, 0)
		a.axis.LineStyle = stroke(rgb(viz.Quiet), 1*px, 0)
		a.axis.Padding = 0
		if a.scale.names != nil {
			a.axis.Tick.Length = 4 * px
			a.axis.Tick.LineStyle = stroke(color.Transparent, 0.1*px, 0) // room without lines
		}
	}
	if c.turned {
		p.X.Tick.Label.Rotation = math.Pi / 2
		p.X.Tick.Label.XAlign = draw.XRight
		p.X.Tick.Label.YAlign = draw.YCenter
	}
	switch f.Kind {
	case viz.KindHeat:
		c.addHeat(p, f)
	case viz.KindMatrix:
		c.addMatrix(p, f)
	case viz.KindBars:
		c.addGrid(p)
		c.addBars(p, f)
		c.addBaselines(p, f)
	default:
		c.addGrid(p)
		c.addBands(p, f)
		c.addBaselines(p, f)
		c.addSeries(p, f, false)
	}
	return p
}

// place is where panel i stands with its ticks, of a body that fills box.
func (c *chart) place(i int, box vg.Rectangle) vg.Rectangle {
	x := box.Min.X + c.left + vg.Length(i%c.columns)*(c.cell.X+gap)
	y := box.Max.Y - vg.Length(i/c.columns)*(c.cell.Y+c.top+gap) - c.top
	return vg.Rectangle{Min: vg.Point{X: x, Y: y - c.cell.Y}, Max: vg.Point{X: x + c.cell.X, Y: y}}
}

// draw draws the panels, the labels, what stands at the right.
func (c *chart) draw(p *pen) {
	first := c.panels[0]
	var data draw.Canvas
	area := vg.Rectangle{Min: vg.Point{X: math.MaxFloat32, Y: math.MaxFloat32}, Max: vg.Point{X: -math.MaxFloat32, Y: -math.MaxFloat32}}
	for i, f := range c.panels {
		sub := p.Canvas
		sub.Rectangle = c.place(i, p.Rectangle)
		y := sub.Max.Y + c.top
		pl := c.plot(f)
		pl.Draw(sub)
		data = pl.DataCanvas(sub)
		area.Min.X, area.Min.Y = min(area.Min.X, data.Min.X), min(area.Min.Y, data.Min.Y)
		area.Max.X, area.Max.Y = max(area.Max.X, data.Max.X), max(area.Max.Y, data.Max.Y)
		if c.top > 0 {
			p.say(c.w.style(labelSize, true, viz.Ink), draw.XLeft, data.Min.X, y-titleGap-labelSize-1*px,
				c.w.cut(f.Title, face(labelSize, true), data.Max.X-data.Min.X))
		}
		if i == 0 && len(c.ends) > 0 {
			c.drawEnds(p, pl, data)
		}
	}
	xLabel, yLabel := first.X.Label, first.Y.Label
	if c.lying {
		xLabel, yLabel = yLabel, xLabel
	}
	sty := c.w.style(labelSize, false, viz.Ink)
	if xLabel != "" {
		mid := (area.Min.X + area.Max.X) / 2
		p.say(sty, draw.XCenter, mid, p.Min.Y+margin+3*px, c.w.cut(xLabel, sty.Font, c.xRoom(mid)))
	}
	if yLabel != "" {
		mid := (area.Min.Y + area.Max.Y) / 2
		sty.Rotation = math.Pi / 2
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
		p.FillText(sty, vg.Point{X: p.Min.X + margin, Y: mid}, c.w.cut(yLabel, sty.Font, c.yRoom(mid-p.Min.Y)))
	}
	if c.bar != nil {
		c.bar.draw(p, area.Max.X+14*px, area.Min.Y, area.Max.Y)
	}
}

// xRoom and yRoom are the lengths of labels that, centred so far from the body's left or lower end,
// stay inside.
func (c *chart) xRoom(mid vg.Length) vg.Length { return 2 * (min(mid, c.width-mid) - margin) }
func (c *chart) yRoom(mid vg.Length) vg.Length { return 2 * (min(mid, c.height-mid) - 2*px) }

// legend lists what the panels hold, once each.
func (c *chart) legend() (out []entry) {
	first := c.panels[0]
	add := func(e entry) {
		for _, o := range out {
			if o.name == e.name && o.swatch == e.swatch {
				return
			}
		}
		out = append(out, e)
	}
	atEnd := len(c.ends) > 0
	bands := map[string]bool{}
	below := false
	for _, f := range c.panels {
		for _, s := range f.Series {
			e := entry{name: s.Name, style: c.styles[s.Name], band: len(s.Lo) > 0 && f.Kind == viz.KindLines}
			switch {
			case f.Kind == viz.KindBars:
				e.swatch = swatchBlock
			case s.Mark == viz.MarkPoints || f.Kind == viz.KindScatter:
				e.swatch = swatchPoint
			case s.Mark == viz.MarkBoth:
				e.swatch = swatchBoth
			}
			if !atEnd && (len(f.Series) > 1 || len(c.panels) > 1 || f.Kind != viz.KindBars) {
				add(e)
			}
			if s.Band != "" && len(s.Lo) > 0 {
				bands[s.Band] = true
			}
			for _, v := range s.Y {
				below = below || first.Y.Log && v <= 0
			}
		}
	}
	for _, f := range c.panels {
		for _, b := range f.Baselines {
			if !atEnd || b.Vertical {
				add(entry{name: b.Name, swatch: swatchBase})
			}
		}
		if f.Cells != nil {
			for _, r := range f.Cells.Regions {
				add(entry{name: r.Name, swatch: swatchHatch})
			}
		}
	}
	var names []string
	for b := range bands {
		names = append(names, b)
	}
	sort.Strings(names)
	for _, b := range names {
		e := entry{name: b, swatch: swatchBand}
		if first.Kind != viz.KindLines {
			e.swatch = swatchError
		}
		add(e)
	}
	if below {
		add(entry{name: "zero or less", swatch: swatchBelow})
	}
	return out
}

// addGrid adds light lines at the labelled ticks, of the axes that hold numbers.
func (c *chart) addGrid(p *plot.Plot) {
	p.Add(plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		sty := stroke(rgb(viz.Faint), 1*px, 0)
		names := c.panels[0].Kind == viz.KindBars
		if !names || c.lying {
			for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
				if x := cv.X(p.X.Norm(t.Value)); t.Label != "" && cv.ContainsX(x) {
					cv.StrokeLine2(sty, x, cv.Min.Y, x, cv.Max.Y)
				}
			}
		}
		if !names || !c.lying {
			for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
				if y := cv.Y(p.Y.Norm(t.Value)); t.Label != "" && cv.ContainsY(y) {
					cv.StrokeLine2(sty, cv.Min.X, y, cv.Max.X, y)
				}
			}
		}
	}))
}

// addBands adds the bands of lines.
func (c *chart) addBands(p *plot.Plot, f viz.Figure) {
	p.Add(plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&cv)
		for _, s := range f.Series {
			if len(s.Lo) == 0 || f.Kind != viz.KindLines {
				continue
			}
			var pts []vg.Point
			for i := range s.X {
				pts = append(pts, vg.Point{X: tx(s.X[i]), Y: ty(c.y.at(s.Hi[i]))})
			}
			for i := len(s.X) - 1; i >= 0; i-- {
				pts = append(pts, vg.Point{X: tx(s.X[i]), Y: ty(c.y.at(s.Lo[i]))})
			}
			cv.FillPolygon(pale(c.styles[s.Name].Colour, bandAlpha), cv.ClipPolygonXY(pts))
		}
	}))
}

// addBaselines adds the dashed lines to compare with.
func (c *chart) addBaselines(p *plot.Plot, f viz.Figure) {
	p.Add(plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		sty := stroke(rgb(viz.Quiet), baseWidth, 1)
		for _, b := range f.Baselines {
			if b.Vertical != c.lying {
				if x := cv.X(p.X.Norm(b.Value)); cv.ContainsX(x) {
					cv.StrokeLine2(sty, x, cv.Min.Y, x, cv.Max.Y)
				}
			} else if y := cv.Y(p.Y.Norm(b.Value)); cv.ContainsY(y) {
				cv.StrokeLine2(sty, cv.Min.X, y, cv.Max.X, y)
			}
		}
	}))
}

// addSeries adds lines and points; over a surface they have a white rim.
func (c *chart) addSeries(p *plot.Plot, f viz.Figure, rim bool) {
	p.Add(plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&cv)
		for _, s := range f.Series {
			style := c.styles[s.Name]
			pts := make([]vg.Point, len(s.X))
			for i := range pts {
				pts[i] = vg.Point{X: tx(s.X[i]), Y: ty(c.y.at(s.Y[i]))}
			}
			line := pts
			if s.Mark == viz.MarkStep {
				line = nil
				for i, q := range pts {
					if i > 0 {
						line = append(line, vg.Point{X: q.X, Y: pts[i-1].Y})
					}
					line = append(line, q)
				}
			}
			points := s.Mark == viz.MarkPoints || s.Mark == viz.MarkBoth || f.Kind == viz.KindScatter || len(pts) == 1
			lined := s.Mark != viz.MarkPoints && f.Kind != viz.KindScatter
			if lined {
				clipped := cv.ClipLinesXY(line)
				if rim {
					cv.StrokeLines(stroke(rgb("#ffffff"), lineWidth+2.4*px, 0), clipped...)
				}
				cv.StrokeLines(stroke(rgb(style.Colour), lineWidth, style.Dash), clipped...)
			}
			if (f.Kind == viz.KindScatter || s.Mark == viz.MarkPoints) && len(s.Lo) > 0 {
				for i := range pts {
					errorBar(cv, rgb(style.Colour), pts[i].X, ty(c.y.at(s.Lo[i])), ty(c.y.at(s.Hi[i])), 3*px, false)
				}
			}
			for i, q := range pts {
				low := c.y.floor > 0 && s.Y[i] <= 0
				inside := cv.ContainsX(q.X) && cv.ContainsY(q.Y)
				switch {
				case low:
					below(cv, style.Colour, vg.Point{X: q.X, Y: cv.Min.Y + 5*px})
				case points && inside:
					r := pointRadius
					if len(pts) > 400 {
						r = 2 * px
					}
					if rim || f.Kind == viz.KindScatter {
						white := style
						white.Colour = "#ffffff"
						cv.DrawGlyphNoClip(glyph(white, r+1*px), q)
					}
					cv.DrawGlyphNoClip(glyph(style, r), q)
				}
			}
		}
	}))
}

// below draws a triangle that points down: the value lies below the axis.
func below(cv draw.Canvas, colour viz.Colour, at vg.Point) {
	r := 4 * px
	cv.SetColor(rgb(colour))
	var path vg.Path
	path.Move(vg.Point{X: at.X - r, Y: at.Y + r})
	path.Line(vg.Point{X: at.X + r, Y: at.Y + r})
	path.Line(vg.Point{X: at.X, Y: at.Y - r})
	path.Close()
	cv.Fill(path)
}

// errorBar draws a bar from lo to hi at x with caps; lying, from lo to hi at y = x.
func errorBar(cv draw.Canvas, colour color.Color, x, lo, hi, cap vg.Length, lying bool) {
	sty := stroke(colour, 1.2*px, 0)
	if lying {
		cv.StrokeLine2(sty, lo, x, hi, x)
		cv.StrokeLine2(sty, lo, x-cap, lo, x+cap)
		cv.StrokeLine2(sty, hi, x-cap, hi, x+cap)
		return
	}
	cv.StrokeLine2(sty, x, lo, x, hi)
	cv.StrokeLine2(sty, x-cap, lo, x+cap, lo)
	cv.StrokeLine2(sty, x-cap, hi, x+cap, hi)
}

// Shares of a group's room that its bars take, and of a bar's width between the bars of a group.
const (
	groupShare = 0.78
	barGap     = 0.06
)

// slot returns centre and width of bar k of n in a group at 0 of width 1.
func slot(k, n int) (centre, width float64) {
	width = groupShare / (float64(n) + float64(n-1)*barGap)
	centre = -groupShare/2 + width/2 + float64(k)*width*(1+barGap)
	return centre, width
}

// addBars adds grouped bars with their error bars.
func (c *chart) addBars(p *plot.Plot, f viz.Figure) {
	p.Add(plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&cv)
		at, val := tx, ty
		if c.lying {
			at, val = ty, tx
		}
		point := func(a, v vg.Length) vg.Point {
			if c.lying {
				a, v = v, a
			}
			return vg.Point{X: a, Y: v}
		}
		for k, s := range f.Series {
			centre, width := slot(k, len(f.Series))
			if len(f.Series) == 1 {
				width = math.Min(width, 0.6)
			}
			for i, v := range s.Y {
				a := float64(i) + centre
				a0, a1 := at(a-width/2), at(a+width/2)
				v0, v1 := val(math.Max(0, c.y.min)), val(v)
				box := []vg.Point{point(a0, v0), point(a1, v0), point(a1, v1), point(a0, v1)}
				cv.FillPolygon(rgb(c.styles[s.Name].Colour), cv.ClipPolygonXY(box))
				if len(s.Lo) > 0 {
					errorBar(cv, rgb(viz.Ink), at(a), val(s.Lo[i]), val(s.Hi[i]), min(3*px, (a1-a0)/3), c.lying)
				}
			}
		}
		zero := val(math.Max(0, c.y.min))
		if c.lying {
			cv.StrokeLine2(stroke(rgb(viz.Quiet), 1*px, 0), zero, cv.Min.Y, zero, cv.Max.Y)
		} else {
			cv.StrokeLine2(stroke(rgb(viz.Quiet), 1*px, 0), cv.Min.X, zero, cv.Max.X, zero)
		}
	}))
	if c.lying {
		p.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}} // the first group on top
	}
}

// endLabel names a line at its end, in place of a legend.
type endLabel struct {
	name   string
	colour viz.Colour
	x, y   float64 // where the line ends
}

// endLabels returns the labels of few lines that all end at the right, or nil.
func (c *chart) endLabels() []endLabel {
	f := c.panels[0]
	if f.Kind != viz.KindLines || len(c.panels) > 1 || len(f.Series) > 4 || len(f.Series)+len(f.Baselines) > 6 {
		return nil
	}
	var out []endLabel
	for _, s := range f.Series {
		n := len(s.X)
		x := s.X[n-1]
		share := (c.x.max - x) / (c.x.max - c.x.min)
		if c.x.log {
			share = (math.Log(c.x.max) - math.Log(x)) / (math.Log(c.x.max) - math.Log(c.x.min))
		}
		if share > 0.06 || s.Mark == viz.MarkPoints {
			return nil
		}
		out = append(out, endLabel{s.Name, c.styles[s.Name].Colour, x, s.Y[n-1]})
	}
	for _, b := range f.Baselines {
		if !b.Vertical {
			out = append(out, endLabel{b.Name, viz.Quiet, c.x.max, b.Value})
		}
	}
	for _, e := range out {
		if c.w.width(e.name, face(tickSize, false)) > 150*px {
			return nil
		}
	}
	return out
}

// drawEnds writes the end labels beside the data, moved apart where they would overlap.
func (c *chart) drawEnds(p *pen, pl *plot.Plot, data draw.Canvas) {
	type placed struct {
		endLabel
		at, want vg.Length
	}
	all := make([]placed, len(c.ends))
	for i, e := range c.ends {
		y := data.Y(pl.Y.Norm(c.y.at(e.y)))
		y = min(max(y, data.Min.Y), data.Max.Y)
		all[i] = placed{e, y, y}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].want < all[j].want })
	const apart = tickSize * 1.2
	for range 50 {
		moved := false
		for i := 1; i < len(all); i++ {
			if d := apart - (all[i].at - all[i-1].at); d > 0.01 {
				all[i].at += d / 2
				all[i-1].at -= d / 2
				moved = true
			}
		}
		for i := range all {
			lo, hi := data.Min.Y+vg.Length(i)*apart*0.5, data.Max.Y-vg.Length(len(all)-1-i)*apart*0.5
			if len(all) > 0 && hi > lo {
				all[i].at = min(max(all[i].at, lo), hi)
			}
		}
		if !moved {
			break
		}
	}
	for _, e := range all {
		p.say(c.w.style(tickSize, false, e.colour), draw.XLeft, data.Max.X+8*px, e.at-4*px, e.name)
		if d := e.at - e.want; d > 2*px || d < -2*px {
			p.StrokeLine2(stroke(rgb(e.colour), 0.7*px, 0), data.Max.X, e.want, data.Max.X+6*px, e.at)
		}
	}
}
