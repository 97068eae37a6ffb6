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
	unchangedColors = 200  // the number of most frequent colors that do not change if an image has more than 256
	maxOtherShare   = 0.03 // the largest share of pixels with other colors
	maxChange       = 12   // largest change of a color channel (0 to 255); it is invisible on the rim of a letter
)

// toPaletted returns img with a palette of at most 256 colors, or nil if that would change it visibly. An image with at
// most 256 colors does not change. Otherwise the most frequent colors (unchangedColors of them) do not change. Each
// other color is replaced by a color of the palette that is close to it, or is added to the palette if there is none;
// at most the share maxOtherShare of the pixels has other colors. The rows of img must follow each other without a gap.
func toPaletted(img *image.RGBA) *image.Paletted {
	count := map[[4]byte]int{}
	for i := 0; i < len(img.Pix); i += 4 {
		count[[4]byte(img.Pix[i:])]++
	}
	// The colors are sorted, so that the same image gives the same file.
	colors := slices.SortedFunc(maps.Keys(count), func(a, b [4]byte) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), bytes.Compare(a[:], b[:]))
	})
	keep, others := len(colors), 0
	if keep > 256 {
		keep = unchangedColors
	}
	for _, c := range colors[keep:] {
		others += count[c]
	}
	if float64(others) > maxOtherShare*float64(len(img.Pix)/4) {
		return nil
	}
	palette, index := slices.Clone(colors[:keep]), map[[4]byte]uint8{}
	for i, c := range colors {
		if i >= keep {
			if i = slices.IndexFunc(palette, func(p [4]byte) bool { return isClose(p, c) }); i < 0 {
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

// isClose reports whether the colors a and b differ by at most maxChange in every channel.
func isClose(a, b [4]byte) bool {
	for i := range a {
		if d := int(a[i]) - int(b[i]); d < -maxChange || d > maxChange {
			return false
		}
	}
	return true
}
