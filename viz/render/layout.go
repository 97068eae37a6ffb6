package render

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// chart is the layout of a figure. From top to bottom it has a header (the title and the legend), then one panel or
// several panels that share their axes, then the label of the x axis. The label of the y axis is on the left. The names
// of lines, or the color bar, are on the right.
type chart struct {
	figure                  viz.Figure
	writer                  textWriter
	title                   []string     // lines of the title
	legend                  [][]entry    // rows of the legend
	headerHeight            vg.Length    // height of the title and the legend together
	panels                  []viz.Figure // the panels, which share axes, colors and names
	x, y                    scale
	styles                  map[string]viz.Style
	entries                 []entry
	columnCount, rowCount   int
	width, height           vg.Length
	leftMargin, rightMargin vg.Length // room for the label of y (left), for names at line ends or the color bar (right)
	bottomMargin            vg.Length // room for the label of the x axis
	panelTitleHeight        vg.Length // room for the title above each panel
	panelSize               vg.Point  // size of a panel, its ticks and their labels included
	endLabels               []endLabel
	colorBar                *colorBar
	xTicks                  []plot.Tick
	yTicks                  []plot.Tick
	isHorizontal            bool // bars are horizontal
}

// newChart returns the layout of f. If namesAtLineEnds is true and findEndLabels finds room for the names of the lines,
// each name stands at the right end of its line. Otherwise the legend contains the names.
func newChart(f viz.Figure, w textWriter, namesAtLineEnds bool) *chart {
	f = f.WithFewerPoints()
	c := &chart{figure: f, writer: w, panels: []viz.Figure{f}, width: Width * px, columnCount: 1, rowCount: 1}
	if f.IsSquare {
		c.width = squareWidth * px
	}
	if f.Kind == viz.KindMultiples {
		c.panels = f.Panels
		c.panelTitleHeight = labelSize*lineHeight + 4*px
		c.columnCount = min(len(f.Panels), f.Columns)
		c.rowCount = (len(c.panels) + c.columnCount - 1) / c.columnCount
	}
	first := c.panels[0]
	c.x, c.y = axisScales(c.panels)
	c.styles = seriesStyles(c.panels)
	c.isHorizontal = first.Kind == viz.KindBars && first.Horizontal

	if first.Cells != nil {
		c.colorBar = newColorBar(c.panels, w)
		c.rightMargin = c.colorBar.width
	}
	if namesAtLineEnds {
		c.endLabels = c.findEndLabels()
	}
	for _, e := range c.endLabels {
		c.rightMargin = max(c.rightMargin, w.textWidth(e.name, textFont(tickSize, false))+12*px)
	}
	c.entries = c.legendEntries()
	if !namesAtLineEnds { // the interactive legend has no notes: see interactiveLegend
		c.entries = slices.DeleteFunc(c.entries, func(e entry) bool { return e.isNote })
	}

	xLabel, yLabel := c.axisLabels()
	c.leftMargin, c.rightMargin, c.bottomMargin = margin, c.rightMargin+margin+4*px, margin
	if yLabel != "" {
		c.leftMargin += labelSize*lineHeight + 5*px
	}
	if xLabel != "" {
		c.bottomMargin += labelSize*lineHeight + 2*px
	}
	c.panelSize.X = (c.width - c.leftMargin - c.rightMargin - vg.Length(c.columnCount-1)*gap) / vg.Length(c.columnCount)
	c.chooseTicks()
	c.panelSize.Y = c.panelHeight()

	c.title = w.wrapLines(f.Title, textFont(titleSize, true), c.width-2*margin)
	c.legend = arrangeEntriesInRows(c.entries, w, c.width-2*margin)
	c.headerHeight = margin + vg.Length(len(c.title))*titleSize*1.25 + 3*px
	if n := len(c.legend); n > 0 {
		c.headerHeight += vg.Length(n)*entryHeight + 4*px
	}
	rowHeight := c.panelSize.Y + c.panelTitleHeight
	heightBelowHeader := vg.Length(c.rowCount)*rowHeight + vg.Length(c.rowCount-1)*gap + c.bottomMargin
	c.height = vg.Length(math.Ceil(float64((c.headerHeight+heightBelowHeader)/px))) * px
	c.bottomMargin += c.height - c.headerHeight - heightBelowHeader
	return c
}

func seriesStyles(panels []viz.Figure) map[string]viz.Style {
	var names []string
	for _, p := range panels {
		for _, s := range p.Series {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	styleOfName := map[string]viz.Style{}
	for i, s := range viz.Styles(names) {
		styleOfName[names[i]] = s
	}
	return styleOfName
}

// axisLabels returns the labels of the lower and of the left axis.
func (c *chart) axisLabels() (x, y string) {
	f := c.panels[0]
	if c.isHorizontal {
		return f.Y.Label, f.X.Label
	}
	return f.X.Label, f.Y.Label
}

func (c *chart) chooseTicks() {
	xTickCount, yTickCount := max(4, int(c.panelSize.X/(85*px))), 6
	if len(c.panels) > 1 {
		yTickCount = 5
	}
	switch f := c.panels[0]; {
	case f.IsSquare:
		c.xTicks, c.yTicks = c.x.ticks(4), c.y.ticks(4)
	case f.Kind == viz.KindMatrix:
		c.setMatrixTicks()
	case c.isHorizontal:
		c.xTicks, c.yTicks = c.y.ticks(xTickCount), c.categoryTicks(f.Groups, c.panelSize.X*0.4)
		removeExcessLabels(c.yTicks, int(c.barsHeight()/(14*px)))
	case f.Kind == viz.KindBars:
		room := (c.panelSize.X - 45*px) / vg.Length(len(f.Groups))
		c.xTicks, c.yTicks = c.categoryTicks(f.Groups, max(room-6*px, 12*px)), c.y.ticks(yTickCount)
	default:
		c.xTicks, c.yTicks = c.x.ticks(xTickCount), c.y.ticks(yTickCount)
	}
}

// barsHeight returns the height of the area of horizontal bars.
func (c *chart) barsHeight() vg.Length {
	f := c.panels[0]
	groupHeight := 14 * px * vg.Length(len(f.Series))
	if f.ShowsValues {
		groupHeight += 6 * px
	}
	return min(max(120*px, vg.Length(len(f.Groups))*(10*px+groupHeight)), 900*px)
}

// panelHeight returns the height of a panel, its ticks and their labels included. For a matrix it also reduces the
// panel width c.panelSize.X until the cells are square.
func (c *chart) panelHeight() vg.Length {
	const anyHeight = 1000 * px // the room for the ticks does not depend on the height
	plotArea := c.plotAreaSize(anyHeight)
	first := c.panels[0]
	dataHeight := 330 * px
	switch {
	case first.Kind == viz.KindMatrix:
		rows, cols := vg.Length(len(first.Cells.Z)), vg.Length(len(first.Cells.Z[0]))
		side := min(plotArea.X/cols, 420*px/rows, 60*px)
		for range 3 { // the room for labels at the edges depends on the width, and the width on that room
			widthReduction := c.plotAreaSize(anyHeight).X - side*cols
			c.panelSize.X -= widthReduction
			c.rightMargin += widthReduction * vg.Length(c.columnCount)
		}
		dataHeight = side * rows
	case first.Kind == viz.KindHeat:
		dataHeight = 400 * px
		if c.columnCount > 1 {
			dataHeight = min(plotArea.X*0.9, dataHeight)
		}
	case c.isHorizontal:
		dataHeight = c.barsHeight()
	case first.IsSquare:
		dataHeight = plotArea.X
	case c.columnCount == 2:
		dataHeight = 230 * px
	case c.columnCount > 2:
		dataHeight = 185 * px
	}
	return dataHeight + anyHeight - plotArea.Y
}

// plotAreaSize returns the size of the area inside the axes of a panel. height is the height of the panel, its ticks
// included.
func (c *chart) plotAreaSize(height vg.Length) vg.Point {
	cv := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: c.panelSize.X, Y: height}}}
	d := c.emptyPlot().DataCanvas(cv)
	return d.Size()
}

// panelArea returns the area of panel i, its ticks included, in a chart that fills cv. All panels have the same axes,
// so the areas inside their axes have equal sizes.
func (c *chart) panelArea(i int, cv draw.Canvas) draw.Canvas {
	t := draw.Tiles{Cols: c.columnCount, Rows: c.rowCount, PadLeft: c.leftMargin, PadRight: c.rightMargin,
		PadTop: c.panelTitleHeight, PadBottom: c.bottomMargin, PadX: gap, PadY: gap + c.panelTitleHeight}
	return t.At(draw.Crop(cv, 0, 0, 0, -c.headerHeight), i%c.columnCount, i/c.columnCount)
}

// emptyPlot returns the axes of a panel without data and without axis labels. draw writes the axis labels once for all
// panels.
func (c *chart) emptyPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	xs, ys := c.x, c.y
	if c.isHorizontal {
		xs, ys = ys, xs
	}
	style := func(a *plot.Axis, s scale, ticks []plot.Tick) {
		a.Min, a.Max = s.min, s.max
		if s.isLog {
			a.Scale = plot.LogScale{}
		}
		a.Tick.Marker = plot.ConstantTicks(ticks)
		a.Tick.Label.Handler = c.writer
		a.Tick.Label.Font = textFont(tickSize, false)
		a.Tick.Label.Color = toNRGBA(viz.Ink)
		a.Tick.Length = 5 * px
		a.Tick.LineStyle = solidLine(toNRGBA(viz.Quiet), 1*px)
		a.LineStyle = solidLine(toNRGBA(viz.Quiet), 1*px)
		a.Padding = 0
		if s.isCategorical { // an axis of names has room for ticks but no tick lines
			a.Tick.Length = 4 * px
			a.Tick.LineStyle = solidLine(white, 0.1*px)
		}
	}
	style(&p.X, xs, c.xTicks)
	style(&p.Y, ys, c.yTicks)
	// The y axis of matrices and of horizontal bars runs downwards: the first row or group is on top.
	if isMatrix := c.panels[0].Kind == viz.KindMatrix; isMatrix || c.isHorizontal {
		p.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
		if isMatrix {
			p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
		}
	}
	return p
}

func (c *chart) newPanelPlot(f viz.Figure) *plot.Plot {
	p := c.emptyPlot()
	switch f.Kind {
	case viz.KindHeat:
		c.addHeat(p, f)
		c.addLines(p, f)
	case viz.KindMatrix:
		c.addMatrix(p, f)
	case viz.KindBars:
		c.addGrid(p)
		if hasDots(f) { // the values cover the baseline
			c.addBaselines(p, f)
		}
		c.addBars(p, f)
		if !hasDots(f) {
			c.addBaselines(p, f)
		}
	default:
		c.addGrid(p)
		c.addBands(p, f)
		c.addBaselines(p, f)
		c.addLines(p, f)
	}
	return p
}

// draw draws the title, the legend, the panels, the labels, and the names or the color bar on the right.
func (c *chart) draw(cv draw.Canvas) {
	cv.SetColor(white)
	cv.Fill(cv.Rectangle.Path())
	y := cv.Max.Y - margin
	for _, line := range c.title {
		writeLine(cv, c.writer.textStyle(titleSize, true, viz.Ink), cv.Min.X+margin, y-titleSize, line)
		y -= titleSize * 1.25
	}
	y -= 3 * px
	for _, row := range c.legend {
		x := cv.Min.X + margin
		for _, e := range row {
			e.draw(cv, c.writer, x, y-entryHeight/2)
			x += e.totalWidth(c.writer)
		}
		y -= entryHeight
	}
	var area vg.Rectangle // the data areas of all panels together
	for i, f := range c.panels {
		tile := c.panelArea(i, cv)
		p := c.newPanelPlot(f)
		p.Draw(tile)
		dataCanvas := p.DataCanvas(tile)
		area = unionRect(area, dataCanvas.Rectangle)
		if c.panelTitleHeight > 0 {
			titleStyle := c.writer.textStyle(labelSize, true, viz.Ink)
			title := c.writer.shorten(f.Title, titleStyle.Font, dataCanvas.Max.X-dataCanvas.Min.X)
			writeLine(cv, titleStyle, dataCanvas.Min.X, tile.Max.Y+3*px, title)
		}
		if i == 0 {
			c.drawEndLabels(cv, p, dataCanvas)
		}
	}
	xLabel, yLabel := c.axisLabels()
	labelStyle := c.writer.textStyle(labelSize, false, viz.Ink)
	mid := area.Min.Add(area.Max).Scale(0.5)
	yLabel = c.shortenLabel(yLabel, mid.Y-cv.Min.Y, c.height-c.headerHeight, 2*px)
	writeUpwards(cv, labelStyle, cv.Min.X+margin, mid.Y, yLabel)
	labelStyle.XAlign = draw.XCenter
	writeLine(cv, labelStyle, mid.X, cv.Min.Y+margin+3*px, c.shortenLabel(xLabel, mid.X, c.width, margin))
	if c.colorBar != nil {
		c.colorBar.draw(cv, area.Max.X+gap, area.Min.Y, area.Max.Y)
	}
}

// shortenLabel shortens an axis label that is centered at center so that it stays between margin and axisEnd − margin.
func (c *chart) shortenLabel(label string, center, axisEnd, margin vg.Length) string {
	return c.writer.shorten(label, textFont(labelSize, false), 2*(min(center, axisEnd-center)-margin))
}

// unionRect returns the smallest rectangle that contains a and b. If a is the zero rectangle, it returns b.
func unionRect(a, b vg.Rectangle) vg.Rectangle {
	if a == (vg.Rectangle{}) {
		return b
	}
	return vg.Rectangle{Min: vg.Point{X: min(a.Min.X, b.Min.X), Y: min(a.Min.Y, b.Min.Y)},
		Max: vg.Point{X: max(a.Max.X, b.Max.X), Y: max(a.Max.Y, b.Max.Y)}}
}
