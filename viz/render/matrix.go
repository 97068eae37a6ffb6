package render

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// legibleSide is the smallest side of a cell in which its value is written.
const legibleSide = 34 * px

// setMatrixTicks sets the ticks of the axes of a matrix: the names of its rows and columns, or their numbers if they
// have no names, as many as fit.
func (c *chart) setMatrixTicks() {
	cells := c.panels[0].Cells
	rows, cols := len(cells.Z), len(cells.Z[0])
	c.xTicks, c.yTicks = c.nameTicks(cells.Cols, 110*px), c.nameTicks(cells.Rows, 110*px)
	// The approximate side of a cell. The exact room for the labels of the rows is not known yet.
	side := min((c.cell.X-c.widestLabel(c.yTicks)-20*px)/vg.Length(cols), 420*px/vg.Length(rows), 60*px)
	width, height := side*vg.Length(cols), side*vg.Length(rows)
	if len(cells.Cols) == 0 {
		c.xTicks = numberTicks(cols, int(width/(40*px)))
	} else if c.widestLabel(c.xTicks) > side-4*px {
		c.makeNamesVertical(width)
	}
	if len(cells.Rows) == 0 {
		c.yTicks = numberTicks(rows, int(height/(24*px)))
	} else {
		c.yTicks = thinLabels(c.yTicks, int(height/(14*px)))
	}
}

// addMatrix adds the cells of the matrix f to p, and their values if the cells are large enough.
func (c *chart) addMatrix(p *plot.Plot, f viz.Figure) {
	z := f.Cells.Z
	rows, cols := len(z), len(z[0])
	addPlotters(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		k := max(1, 900/max(rows, cols)) // width and height of a cell in pixels; large cells keep their edges sharp
		cv.DrawImage(cv.Rectangle, c.colorBar.colors.image(cols*k, rows*k, 255,
			func(i, j int) float64 { return z[i/k][j/k] }))
		size := cv.Size()
		if side := size.X / vg.Length(cols); side >= legibleSide {
			var values plotter.Labels
			for i, row := range z {
				for j, v := range row {
					sty := c.w.textStyle(noteSize, false, viz.Ink)
					sty.XAlign, sty.YAlign, sty.Color = draw.XCenter, draw.YCenter, c.colorBar.colors.textColorOn(v)
					if text := shortNumber(v); c.w.textWidth(text, sty.Font) <= side-2*px {
						values.XYs = append(values.XYs, plotter.XY{X: float64(j), Y: float64(i)})
						values.Labels, values.TextStyle = append(values.Labels, text), append(values.TextStyle, sty)
					}
				}
			}
			values.Plot(cv, p)
		}
		cv.SetLineStyle(solidLine(toNRGBA(viz.Quiet), 0.8*px))
		cv.Stroke(cv.Rectangle.Path())
	}))
}

// shortNumber returns v as text with two significant digits, or three if |v| ≥ 1.
func shortNumber(v float64) string {
	if math.Abs(v) >= 1 {
		return viz.FormatNumber(viz.Rounded(v, 3))
	}
	return viz.FormatNumber(viz.Rounded(v, 2))
}
