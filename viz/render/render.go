package render

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/mklnb/mkl/viz"
)

// Width is the width of a picture in CSS pixels.
const Width = 700

// drawable says why f has no picture.
func drawable(f viz.Figure) error {
	if err := f.Validate(); err != nil {
		return err
	}
	if f.Kind == viz.KindTable {
		return fmt.Errorf("render: the table %q has no picture: expected a chart; HTMLTable and Text write tables", f.Title)
	}
	return nil
}

// Render draws f in each of the wanted forms, at the same time.
func Render(f viz.Figure, want ...viz.Form) (viz.Picture, error) {
	if err := drawable(f); err != nil {
		return viz.Picture{}, err
	}
	c := newChart(f.Still(), newWriter(true), true)
	p := viz.Picture{Width: Width, Height: whole(c.height), Live: whole(c.height)}
	if f.Kind == viz.KindFrames {
		p.Live = whole(liveChart(f).height)
	}
	want = slices.Compact(slices.Sorted(slices.Values(want)))
	errs := make([]error, len(want))
	var all sync.WaitGroup
	for i, form := range want {
		all.Go(func() {
			switch form { // each fills its own field
			case viz.FormSVG:
				var svg []byte
				svg, errs[i] = SVG(f)
				p.SVG = string(svg)
			case viz.FormPNG:
				p.PNG, errs[i] = PNG(f)
			case viz.FormOption:
				p.Option, errs[i] = Option(f)
			default:
				errs[i] = fmt.Errorf("render: unknown form %q, expected svg, png or option", form)
			}
		})
	}
	all.Wait()
	if err := cmp.Or(errs...); err != nil {
		return viz.Picture{}, err
	}
	return p, nil
}
