// Package render draws the figures of package viz: as SVG and PNG with gonum/plot, and as options
// (JSON) of interactive charts, with the styles of go-echarts, which ECharts draws in the reader's browser.
//
//	svg, err := render.SVG(f)       // an SVG document, 700 px wide, white background
//	png, err := render.PNG(f)       // the same picture, as wide
//	opt, err := render.Option(f)    // a JSON object for echarts.init(div).setOption(…)
//
// Every function validates the figure first. Title, axes and legend are part of the picture; the
// caption is not, whoever shows the picture writes it below. A table has no picture: its text and its
// HTML are viz's own. The same figure gives the same bytes.
//
// Programs that only build figures need not link this package: the command in cmd/mkl-render does
// the drawing in a process of its own.
package render
