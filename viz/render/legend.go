package render

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

const entryHeight = 19 * px

// wideSample is the width of the sample of a line or an area in a legend. narrowSample is the width of the sample of a
// point or a bar.
const (
	wideSample   = 24 * px
	narrowSample = 13 * px
)

// lineIcons are lines as SVG paths, indexed by viz.Style.DashPattern. ECharts would draw a disc on each of them.
var lineIcons = [...]string{"path://M0-1H24V1H0Z", "path://M0-1H6V1H0ZM9-1H15V1H9ZM18-1H24V1H18Z",
	"path://M0-1H3V1H0ZM7-1H10V1H7ZM14-1H17V1H14ZM21-1H24V1H21Z"}

// entry is one entry of the legend: a sample of the line, area or mark, and its name.
type entry struct {
	name        string
	sample      []plot.Thumbnailer // parts of the sample, in the order in which they are drawn
	sampleWidth vg.Length
	isNote      bool   // the entry explains a band or a mark; it is not a series of the interactive chart
	icon        string // for the interactive chart, an SVG path; if empty, the icon of the series with this name
}

// totalWidth returns the width of the entry: its sample, its name, and the gap to the next entry.
func (e entry) totalWidth(w textWriter) vg.Length {
	return e.sampleWidth + w.textWidth(e.name, textFont(tickSize, false)) + 26*px
}

// draw draws the entry. Its left end is at x; its sample is vertically centered on y.
func (e entry) draw(c draw.Canvas, w textWriter, x, y vg.Length) {
	sampleArea := c
	sampleArea.Rectangle = vg.Rectangle{Min: vg.Point{X: x, Y: y - 5*px},
		Max: vg.Point{X: x + e.sampleWidth, Y: y + 5*px}}
	for _, s := range e.sample {
		s.Thumbnail(&sampleArea)
	}
	writeLine(c, w.textStyle(tickSize, false, viz.Ink), sampleArea.Max.X+6*px, y-4*px, e.name)
}

// arrangeEntriesInRows divides the entries into rows of at most maxWidth.
func arrangeEntriesInRows(entries []entry, w textWriter, maxWidth vg.Length) (rows [][]entry) {
	var x vg.Length
	for _, e := range entries {
		e.name = w.shorten(e.name, textFont(tickSize, false), maxWidth-e.sampleWidth-30*px)
		if x += e.totalWidth(w); len(rows) == 0 || x-20*px > maxWidth {
			rows = append(rows, nil)
			x = e.totalWidth(w)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
	}
	return rows
}

// legendEntries returns the entries of all panels, without duplicates. The lines of dots beside a baseline have no
// entry: the name of the baseline or the caption explains them.
func (c *chart) legendEntries() (entries []entry) {
	addEntry := func(e entry) {
		if !slices.ContainsFunc(entries, func(o entry) bool { return o.name == e.name && o.isNote == e.isNote }) {
			entries = append(entries, e)
		}
	}
	var notes []entry
	for _, f := range c.panels {
		for _, s := range f.Series {
			if len(s.Lo) > 0 && s.Band != "" && !(hasDots(f) && len(f.Baselines) > 0) {
				n := entry{name: s.Band, sampleWidth: wideSample, isNote: true,
					sample: []plot.Thumbnailer{areaSample(viz.Quiet, bandAlpha)}}
				if f.Kind == viz.KindBars || s.Mark == viz.MarkPoints {
					n.sampleWidth, n.sample = narrowSample, []plot.Thumbnailer{thumbnail(drawErrorBarSample)}
				}
				notes = append(notes, n)
			}
			if len(c.endLabels) == 0 && (len(f.Series) > 1 || len(c.panels) > 1 || f.Kind != viz.KindBars) {
				addEntry(seriesEntry(f, s, c.styles[s.Name]))
			}
		}
	}
	for _, f := range c.panels {
		for _, b := range f.Baselines {
			if len(c.endLabels) == 0 {
				addEntry(entry{name: b.Name, sampleWidth: wideSample,
					sample: []plot.Thumbnailer{&plotter.Line{LineStyle: baselineStyle}},
					icon:   lineIcons[1]})
			}
		}
	}
	for _, n := range notes {
		addEntry(n)
	}
	if c.y.drawnValueOfNonPositive > 0 {
		addEntry(entry{name: "zero or less", sampleWidth: narrowSample, isNote: true,
			sample: []plot.Thumbnailer{&plotter.Scatter{GlyphStyle: nonPositiveGlyph(viz.Quiet)}}})
	}
	return entries
}

func seriesEntry(f viz.Figure, s viz.Series, style viz.Style) entry {
	point := &plotter.Scatter{GlyphStyle: glyphStyle(style, pointRadius)}
	switch {
	case f.Kind == viz.KindBars && !hasDots(f):
		return entry{name: s.Name, sampleWidth: narrowSample, sample: []plot.Thumbnailer{areaSample(style.Color, 1)}}
	case s.Mark == viz.MarkPoints:
		point.Radius *= 1.2
		return entry{name: s.Name, sampleWidth: narrowSample, sample: []plot.Thumbnailer{point}}
	}
	e := entry{name: s.Name, sampleWidth: wideSample}
	if s.Mark == viz.MarkLine {
		e.icon = lineIcons[style.DashPattern]
	}
	if len(s.Lo) > 0 && f.Kind == viz.KindLines {
		e.sample = append(e.sample, areaSample(style.Color, bandAlpha))
	}
	e.sample = append(e.sample, &plotter.Line{LineStyle: lineStyle(style)})
	if s.Mark == viz.MarkBoth {
		e.sample = append(e.sample, point)
	}
	return e
}

func areaSample(c viz.Color, alpha float64) plot.Thumbnailer {
	return &plotter.Polygon{Color: withOpacity(c, alpha)}
}

// thumbnail is a function that draws a legend sample. It implements plot.Thumbnailer.
type thumbnail func(c *draw.Canvas)

// Thumbnail calls t.
func (t thumbnail) Thumbnail(c *draw.Canvas) { t(c) }
