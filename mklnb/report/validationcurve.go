package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/viz"
)

// ValidationCurve returns a chart of the cross-validation error against the hyperparameter of the loss, with one line
// for each combination of the other choices.
func ValidationCurve(c *compare.Curve) viz.Figure {
	var lines []viz.Line
	var curves []viz.Points
	unfinished := 0
	for _, cell := range c.Cells {
		name := cell.Label
		if name == "" {
			name = "cross-validation"
		}
		if n := len(lines); n == 0 || lines[n-1].Name != name {
			lines, curves = append(lines, viz.Line{Name: name}), append(curves, viz.Points{})
		}
		unfinished += cell.Early
		if e := c.Error(cell); cell.Failed == 0 && !math.IsNaN(e) {
			p := &curves[len(curves)-1]
			p.X, p.Y = append(p.X, cell.Value), append(p.Y, e)
		}
	}
	for i := range lines {
		lines[i].XYs = curves[i]
	}
	lines = slices.DeleteFunc(lines, func(l viz.Line) bool { return l.XYs.Len() == 0 }) // all its candidates failed
	b := c.Cells[c.Best]
	title := fmt.Sprintf("The cross-validation %s is smallest at %s = %.3g", c.By, c.Constant, b.Value)
	if b.Label != "" {
		title += ", " + b.Label
	}
	caption := fmt.Sprintf("%s of %d held-out predictions, against %s.", viz.Capitalize(string(c.By)), b.N, c.Constant)
	if unfinished > 0 {
		caption += fmt.Sprintf(" %d solves ended before they reached the requested gap.", unfinished)
	}
	return viz.Lines(title, caption, lines...).WithAxes(c.Constant, string(c.By)).WithLogX()
}
