// Package viz holds figures as plain data: what is drawn, how it reads, and nothing about how it
// is drawn or where it came from.
//
// A [Figure] is made by a constructor that takes shapes ([XYer], [Grid], slices) and returns a
// value:
//
//	f := viz.LogLines("The certified gap falls a decade every four steps",
//		"Relative gap after each iteration; sonar, n = 208, seed 7.",
//		viz.Line{Name: "SPG", XYs: viz.Points{X: steps, Y: gaps}}).
//		WithAxes("iteration", "relative gap")
//
// The title is a sentence that says what the figure shows. The caption says how to read it: the
// data, n, the seeds, what a band or an error bar is. Caption, alt text and axis labels are
// obligatory; [Figure.Validate] names what is missing. The constructors write an alt text from the
// data, which [Figure.WithAlt] replaces.
//
// # Kinds
//
//	Lines, LogLines   curves with bands, points, baselines
//	Scatter           points in classes
//	Bars, Dots        grouped bars with error bars; dots, where 0 says nothing
//	Heat              a surface on a grid with contours, regions and curves over it
//	Matrix, Signed    a matrix; signed is symmetric about 0, as a centred Gram matrix is
//	Table             text and numbers, emphasised cells, footnotes
//	Multiples         panels of one kind that share their axes
//
// # One's own curve
//
// An [XYer] is points in whatever form one has them: a solver's trace, [Points] of two slices,
// [Pairs] of a [][2]float64, [Values] of one slice, [Curve] of a function.
//
//	f := viz.Lines("A sine", "201 points.", viz.Line{Name: "sin", XYs: viz.Curve(math.Sin, 0, 6)}).
//		WithAxes("x", "sin x")
//
// # Drawing
//
// The package imports the standard library only, so that a cell that builds a figure links no
// plotting library. Package viz/render turns figures into SVG, PNG and interactive charts, and the
// command viz/render/cmd/mkl-render does so in a process of its own: it reads a [Figure] and
// writes a [Picture]. Where neither is there, [Figure.Text] and [Figure.HTMLTable] show the
// numbers.
//
// # Colours
//
// There are six qualitative colours, safe for colour-blind readers, and [Styles] gives the same
// solver the same colour in every figure. Two colour maps, [Sequential] and [Diverging], serve
// surfaces and matrices.
package viz
