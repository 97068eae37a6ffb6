package render

import (
	"bytes"
	"image"
	"image/color"
	"maps"
	"slices"
)

const (
	exact = 200  // of the most frequent of more than 256 colours, none of which is changed
	rare  = 0.03 // the largest share of the pixels that the others may have
	near  = 12   // of 255: the largest change of a channel, which nobody sees on the rim of a letter
)

// indexed is img with a palette, or nil where 256 colours are too few for it.
func indexed(img *image.RGBA) *image.Paletted {
	count := map[[4]byte]int{}
	last, run := [4]byte{}, 0
	for p := range eachPixel(img) {
		if p != last && run > 0 {
			count[last] += run
			run = 0
		}
		last = p
		run++
	}
	count[last] += run
	colours := slices.SortedFunc(maps.Keys(count), func(a, b [4]byte) int {
		if d := count[b] - count[a]; d != 0 {
			return d
		}
		return bytes.Compare(a[:], b[:]) // the same file every time
	})
	keep, others := exact, 0
	if len(colours) <= 256 {
		keep = len(colours)
	}
	for _, c := range colours[keep:] {
		others += count[c]
	}
	if float64(others) > rare*float64(img.Rect.Dx()*img.Rect.Dy()) {
		return nil
	}
	var palette [][4]byte
	index := make(map[[4]byte]uint8, len(colours))
	for _, c := range colours {
		i := -1
		if len(palette) >= keep {
			i = slices.IndexFunc(palette, func(p [4]byte) bool { return alike(p, c) })
		}
		if i < 0 {
			if i = len(palette); i == 256 {
				return nil
			}
			palette = append(palette, c)
		}
		index[c] = uint8(i)
	}
	out := image.NewPaletted(img.Bounds(), make(color.Palette, len(palette)))
	for i, c := range palette {
		out.Palette[i] = color.RGBA{c[0], c[1], c[2], c[3]}
	}
	i, last, at := 0, colours[0], index[colours[0]]
	for p := range eachPixel(img) {
		if p != last {
			last, at = p, index[p]
		}
		out.Pix[i] = at
		i++
	}
	return out
}

// alike reports whether a and b differ by at most near in every channel.
func alike(a, b [4]byte) bool {
	for i := range a {
		if d := int(a[i]) - int(b[i]); d < -near || d > near {
			return false
		}
	}
	return true
}

// eachPixel yields the pixels of img, row by row.
func eachPixel(img *image.RGBA) func(yield func([4]byte) bool) {
	width := 4 * img.Rect.Dx()
	return func(yield func([4]byte) bool) {
		for y := range img.Rect.Dy() {
			row := img.Pix[y*img.Stride:][:width]
			for x := 0; x < width; x += 4 {
				if !yield([4]byte(row[x:])) {
					return
				}
			}
		}
	}
}
