// Package render draws the figures of package viz. It draws SVG and PNG with gonum/plot. It also writes options (JSON)
// of interactive charts, with the styles of go-echarts; ECharts draws them in the browser of the reader.
//
//	p, err := render.Render(f)
//	p.SVG       // an SVG document, 700 px wide, white background
//	p.PNG       // the same picture, with the same width
//	p.Option    // a JSON object for echarts.init(div).setOption(…)
//
// Title, axes and legend are part of the picture. The program that shows the picture writes the caption below it.
// Render returns an error for a table; package viz writes tables as text or HTML. The same figure gives the same bytes.
//
// A program that only builds figures need not link this package: the command in cmd/mkl-render draws in a separate
// process.
package render
