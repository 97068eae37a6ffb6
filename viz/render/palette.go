package render

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"maps"
	"slices"
)

const (
	exact = 200  // if there are more than 256 colors: the number of most frequent colors that do not change
	rare  = 0.03 // the largest share of pixels with other colors
	near  = 12   // of 255: the largest change of a channel; it is invisible on the rim of a letter
)

// indexed returns img with a palette, or nil if 256 colors are too few. The rows of img must follow each other without
// a gap.
func indexed(img *image.RGBA) *image.Paletted {
	count := map[[4]byte]int{}
	for i := 0; i < len(img.Pix); i += 4 {
		count[[4]byte(img.Pix[i:])]++
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b [4]byte) int { // for a reproducible file
		return cmp.Or(cmp.Compare(count[b], count[a]), bytes.Compare(a[:], b[:]))
	})
	keep, others := len(colours), 0
	if keep > 256 {
		keep = exact
	}
	for _, c := range colours[keep:] {
		others += count[c]
	}
	if float64(others) > rare*float64(len(img.Pix)/4) {
		return nil
	}
	palette, index := slices.Clone(colours[:keep]), map[[4]byte]uint8{}
	for i, c := range colours {
		if i >= keep {
			if i = slices.IndexFunc(palette, func(p [4]byte) bool { return alike(p, c) }); i < 0 {
				i, palette = len(palette), append(palette, c)
			}
		}
		if i == 256 {
			return nil
		}
		index[c] = uint8(i)
	}
	out := image.NewPaletted(img.Bounds(), make(color.Palette, len(palette)))
	for i, c := range palette {
		out.Palette[i] = color.RGBA{c[0], c[1], c[2], c[3]}
	}
	for i := range out.Pix {
		out.Pix[i] = index[[4]byte(img.Pix[4*i:])]
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
