// Package viz describes figures as plain data. A figure holds the data and the texts, but neither the method of drawing
// nor the origin of the data.
//
// A constructor makes a [Figure] from data of a simple shape ([XYer], [Grid], slices):
//
//	f := viz.LogLines("The gap falls a decade every four steps", "Relative gap after each step; sonar, n = 208.",
//		viz.Line{Name: "SPG", XYs: viz.Points{X: steps, Y: gaps}}).WithAxes("step", "relative gap")
//	p, err := render.Render(f) // p.SVG, p.PNG
//
// The title is a sentence that states what the figure shows. The caption explains how to read it: the data, n, the
// seeds, and the meaning of a band or an error bar. Caption, alt text, labels of axes and of colors are required;
// [Figure.Validate] returns an error that names a missing one. The constructors write an alt text from the data; a text
// in the field Alt of the finished figure replaces it.
//
// # Kinds
//
//	Lines, LogLines          curves and sets of points, with bands and baselines
//	Bars, Dots               grouped bars with error bars; dots if 0 has no meaning
//	Heat                     a surface on a grid with contours, and curves over it
//	Matrix, SortedMatrices   matrices; if there are negative entries, the colors are symmetric about 0
//	Table                    text and numbers, emphasized cells
//	Multiples                panels of one kind that share their axes
//	FormatNumber, FormatCount, FormatDuration, Decimals   numbers as text, as in figures
//
// # Your own curve
//
// An [XYer] is a set of points: [Points] from two slices, [Pairs] from a [][2]float64 such as Trace.Gaps of package
// mkl, [Values] from one slice, [Curve] from a function.
//
// # Drawing
//
// The package imports only the standard library, so that a notebook cell that builds a figure links no plotting
// library. Package viz/render turns figures into SVG, PNG and interactive charts. The command viz/render/cmd/mkl-render
// draws in a separate process: it reads a [Figure] and writes a [Picture]. If neither is available, [Figure.Text] and
// [Figure.HTMLTable] show a table, and the alt text of a chart.
//
// # Colors
//
// There are six qualitative colors, safe for color-blind readers. [Styles] gives the same solver the same color in
// every figure. Two color maps, [Sequential] and [Diverging], serve surfaces and matrices.
package viz
