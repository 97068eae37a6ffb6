package render

import (
	"cmp"
	"fmt"
	"sync"

	"github.com/mklnb/mkl/viz"
)

// Width is the width of a picture in CSS pixels.
const Width = 700

// checkDrawable returns an error if f is not valid or is a table: a table has no picture.
func checkDrawable(f viz.Figure) error {
	if err := f.Validate(); err != nil {
		return err
	}
	if f.Kind == viz.KindTable {
		return fmt.Errorf("render: the table %q has no picture: expected a chart; HTMLTable and Text write tables",
			f.Title)
	}
	return nil
}

// Render draws f as SVG, as PNG and as an ECharts option, concurrently.
func Render(f viz.Figure) (viz.Picture, error) {
	if err := checkDrawable(f); err != nil {
		return viz.Picture{}, err
	}
	c := newChart(f, newWriter(true), true)
	p := viz.Picture{Width: Width, Height: wholePixels(c.height)}
	var svg []byte
	var errs [3]error
	var all sync.WaitGroup
	all.Go(func() { svg, errs[0] = SVG(f) })
	all.Go(func() { p.PNG, errs[1] = PNG(f) })
	all.Go(func() { p.Option, errs[2] = Option(f) })
	all.Wait()
	if err := cmp.Or(errs[:]...); err != nil {
		return viz.Picture{}, err
	}
	p.SVG = string(svg)
	return p, nil
}
