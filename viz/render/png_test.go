package render

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// TestEncode decodes what encode writes: few colours and many are kept to the bit, and rims of shades
// maxChange to frequent colours take a palette without moving a channel by more than maxChange.
func TestEncode(t *testing.T) {
	type rgb = [3]int
	grey := func(v int) rgb { return rgb{v, v, v} }
	for name, c := range map[string]struct {
		palette bool
		moved   int
		colour  func(x, y int) rgb
	}{
		"256 colours":         {true, 0, func(x, y int) rgb { return grey((x + y) % 256) }},
		"one colour":          {true, 0, func(x, y int) rgb { return grey(255) }},
		"every pixel its own": {false, 0, func(x, y int) rgb { return rgb{x % 256, y % 256, x / 8} }},
		"rare shades": {true, maxChange, func(x, y int) rgb {
			if y == 7 {
				return rgb{x / 2, x/2 + x%5, x / 2}
			}
			return grey(x * 256 / 400 &^ 1)
		}},
		"rare but not similar": {false, 0, func(x, y int) rgb {
			if y == 7 {
				return rgb{255, x % 256, x * 7 % 256}
			}
			return grey(x * 256 / 400)
		}},
	} {
		img := image.NewRGBA(image.Rect(0, 0, 400, 300))
		for i := range 400 * 300 {
			v := c.colour(i%400, i/400)
			img.SetRGBA(i%400, i/400, color.RGBA{uint8(v[0]), uint8(v[1]), uint8(v[2]), 255})
		}
		file, err := encodePNG(img)
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := got.(*image.Paletted); ok != c.palette {
			t.Errorf("%s: with a palette: %v, want %v", name, ok, c.palette)
		}
		moved := 0
		for i := range 400 * 300 {
			w, g := img.RGBAAt(i%400, i/400), color.RGBAModel.Convert(got.At(i%400, i/400)).(color.RGBA)
			for _, d := range []int{int(w.R) - int(g.R), int(w.G) - int(g.G), int(w.B) - int(g.B),
				int(w.A) - int(g.A)} {
				moved = max(moved, d, -d)
			}
		}
		if moved > c.moved {
			t.Errorf("%s: a channel moved by %d, want at most %d", name, moved, c.moved)
		}
		if again, _ := encodePNG(img); !bytes.Equal(file, again) {
			t.Errorf("%s: two files differ", name)
		}
	}
}
