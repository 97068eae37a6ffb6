package render

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// TestEncode decodes what encode writes: few colours and many are kept to the bit, and rims of shades
// near to frequent colours take a palette without moving a channel by more than near.
func TestEncode(t *testing.T) {
	draw := func(at func(x, y int) color.RGBA) *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, 400, 300))
		for y := range 300 {
			for x := range 400 {
				img.SetRGBA(x, y, at(x, y))
			}
		}
		return img
	}
	grey := func(v int) color.RGBA { return color.RGBA{uint8(v), uint8(v), uint8(v), 255} }
	for _, c := range []struct {
		name    string
		palette bool
		moved   int
		img     *image.RGBA
	}{
		{"256 colours", true, 0, draw(func(x, y int) color.RGBA { return grey((x + y) % 256) })},
		{"one colour", true, 0, draw(func(x, y int) color.RGBA { return grey(255) })},
		{"every pixel its own", false, 0, draw(func(x, y int) color.RGBA {
			return color.RGBA{uint8(x), uint8(y), uint8(x / 8),
				255}
		})},
		{"rare shades", true, near, draw(func(x, y int) color.RGBA {
			if y == 7 {
				return color.RGBA{uint8(x / 2), uint8(x/2 + x%5), uint8(x / 2), 255}
			}
			return grey((x * 256 / 400) &^ 1)
		})},
		{"rare but far from all others", false, 0, draw(func(x, y int) color.RGBA {
			if y == 7 {
				return color.RGBA{255, uint8(x), uint8(x * 7), 255}
			}
			return grey(x * 256 / 400)
		})},
	} {
		b, err := encode(c.img)
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := got.(*image.Paletted); ok != c.palette {
			t.Errorf("%s: with a palette: %v, want %v", c.name, ok, c.palette)
		}
		moved := 0
		for y := range 300 {
			for x := range 400 {
				w := c.img.RGBAAt(x, y)
				g := color.RGBAModel.Convert(got.At(x, y)).(color.RGBA)
				for _, d := range []int{int(w.R) - int(g.R), int(w.G) - int(g.G), int(w.B) - int(g.B), int(w.A) - int(g.A)} {
					moved = max(moved, d, -d)
				}
			}
		}
		if moved > c.moved {
			t.Errorf("%s: a channel moved by %d, want at most %d", c.name, moved, c.moved)
		}
		again, _ := encode(c.img)
		if !bytes.Equal(b, again) {
			t.Errorf("%s: two files differ", c.name)
		}
	}
}
