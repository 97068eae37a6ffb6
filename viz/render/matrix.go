package render

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mklnb/mkl/viz"
)

// setMatrixTicks sets the ticks of the axes of a matrix: the numbers of its rows and columns, as many as fit.
func (c *chart) setMatrixTicks() {
	cells := c.panels[0].Cells
	rows, cols := len(cells.Z), len(cells.Z[0])
	// The approximate side of a cell. The exact room for the labels of the rows is not known yet.
	cellSide := min((c.panelSize.X-40*px)/vg.Length(cols), 420*px/vg.Length(rows), 60*px)
	c.xTicks = indexTicks(cols, int(cellSide*vg.Length(cols)/(40*px)))
	c.yTicks = indexTicks(rows, int(cellSide*vg.Length(rows)/(24*px)))
}

// indexTicks returns about tickCount ticks for an axis of indexCount rows or columns, labeled with their numbers.
func indexTicks(indexCount, tickCount int) []plot.Tick {
	ticks := linearTicks(0, float64(max(indexCount-1, 2)), max(tickCount, 1), true)
	return slices.DeleteFunc(ticks, func(t plot.Tick) bool { return t.Value > float64(indexCount-1) })
}

func (c *chart) addMatrix(p *plot.Plot, f viz.Figure) {
	z := f.Cells.Z
	rows, cols := len(z), len(z[0])
	addPlotters(p, plotterFunc(func(cv draw.Canvas, p *plot.Plot) {
		k := max(1, 900/max(rows, cols)) // the side of a cell in pixels; large cells keep their edges sharp
		cv.DrawImage(cv.Rectangle, c.colorBar.colors.newImage(cols*k, rows*k, 255,
			func(i, j int) float64 { return z[i/k][j/k] }))
		cv.SetLineStyle(solidLine(toNRGBA(viz.Quiet), 0.8*px))
		cv.Stroke(cv.Rectangle.Path())
	}))
}
