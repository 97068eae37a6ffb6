package data

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/store"
)

// WriteMatrix writes m, such as a Gram matrix or weights, to a file. If its name ends in .npy, the file is an array of
// float64 that numpy.load reads; a mat.Vector becomes an array of one dimension. If the name ends in .csv, the file has
// one line for each row. Numbers read back bit for bit. The file is written completely or not at all.
func WriteMatrix(path string, m mat.Matrix) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("data: write %s: "+format, append([]any{filepath.Base(path)}, args...)...)
	}
	if m == nil {
		return fail("nothing to write (nil)")
	}
	r, c := m.Dims()
	if r == 0 || c == 0 {
		return fail("an empty matrix, %d×%d", r, c)
	}
	var b []byte
	switch strings.ToLower(filepath.Ext(path)) {
	case ".npy":
		shape := fmt.Sprintf("(%d, %d)", r, c)
		if _, ok := m.(mat.Vector); ok {
			shape = fmt.Sprintf("(%d,)", r)
		}
		head := "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }"
		head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n" // to a multiple of 64 bytes
		b = append(b, "\x93NUMPY\x01\x00"...)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(head)))
		b = append(b, head...)
		for i := range r {
			for j := range c {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.At(i, j)))
			}
		}
	case ".csv":
		for i := range r {
			for j := range c {
				if j > 0 {
					b = append(b, ',')
				}
				b = appendNumber(b, m.At(i, j))
			}
			b = append(b, '\n')
		}
	default:
		return fail("unknown format; choose a name that ends in .npy or .csv")
	}
	if err := store.WriteFile(path, b, 0o644); err != nil {
		return fail("%w", err)
	}
	return nil
}

// formatNumber returns the shortest text that reads back as v.
func formatNumber(v float64) string { return string(appendNumber(nil, v)) }

// appendNumber appends the shortest text that reads back as v.
func appendNumber(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }
