// Package npy reads one array of numbers from a file that numpy.save has written (.npy, format 1.0 to 3.0). Package
// data reads features and matrices by it.
//
//	x, unitRoundoff, err := npy.Read(raw) // raw is the content of the file; x has the shape n×d, or n×1
package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// Read reads one array of one or two dimensions. An array of one dimension becomes a column. Memory is bounded by
// the number of bytes, not by the shape in the header. unitRoundoff is 2⁻²⁴ for float32 and 0 otherwise.
func Read(raw []byte) (x points.Rows, unitRoundoff float64, err error) {
	var empty points.Rows
	if len(raw) < 12 {
		return empty, 0, errors.New("the file ends within its first 12 bytes")
	}
	if string(raw[:4]) == "PK\x03\x04" {
		return empty, 0, errors.New("the file is an archive of arrays; save each array alone by numpy.save")
	}
	if string(raw[:6]) != "\x93NUMPY" {
		return empty, 0, fmt.Errorf("the file begins with %q instead of \"\\x93NUMPY\"; use numpy.save", raw[:6])
	}
	headerStart, headerSize := 10, uint64(binary.LittleEndian.Uint16(raw[8:]))
	switch raw[6] {
	case 1:
	case 2, 3:
		headerStart, headerSize = 12, uint64(binary.LittleEndian.Uint32(raw[8:]))
	default:
		return empty, 0, fmt.Errorf("unknown format version %d.%d; versions 1.0, 2.0 and 3.0 can be read", raw[6],
			raw[7])
	}
	if headerSize > uint64(len(raw)-headerStart) {
		return empty, 0, fmt.Errorf("the file ends within its header of %d bytes", headerSize)
	}
	h, err := parseHeader(string(raw[headerStart : headerStart+int(headerSize)]))
	if err != nil {
		return empty, 0, err
	}
	if len(h.Shape) < 1 || len(h.Shape) > 2 {
		return empty, 0, fmt.Errorf("the array has %d dimensions; save a matrix", len(h.Shape))
	}
	rows, cols := h.Shape[0], 1
	if len(h.Shape) == 2 {
		cols = h.Shape[1]
	}
	if rows <= 0 || cols <= 0 {
		return empty, 0, fmt.Errorf("the shape is %v; at least one row and one column are needed", h.Shape)
	}
	if rows > math.MaxInt/8/cols {
		return empty, 0, fmt.Errorf("the shape %v has more numbers than a file can hold", h.Shape)
	}
	elementType := strings.TrimLeft(h.Descr, "<>|")
	v, err := h.decodeNumbers(elementType, raw[headerStart+int(headerSize):], rows*cols)
	if err != nil {
		return empty, 0, err
	}
	x = points.Rows{N: rows, D: cols, Data: v}
	if h.IsFortranOrder {
		x.Data = make([]float64, len(v))
		for i := range v {
			x.Data[i%rows*cols+i/rows] = v[i]
		}
	}
	for i, v := range x.Data {
		switch {
		case elementType[0] != 'f' && math.Abs(v) >= sheet.LargestInteger:
			err = errors.New("an integer of more than 53 bits, which a float64 does not hold")
		case math.IsNaN(v) || math.IsInf(v, 0):
			err = fmt.Errorf("%g is not a finite number", v)
		case math.Abs(v) > sheet.LargestMagnitude:
			err = fmt.Errorf("%g is outside the range of numbers, ±1e100", v)
		}
		if err != nil {
			return empty, 0, fmt.Errorf("row %d, column %d: %w", i/cols+1, i%cols+1, err)
		}
	}
	if elementType == "f4" {
		unitRoundoff = 0x1p-24
	}
	return x, unitRoundoff, nil
}

// header is the header of an NPY file: the type, the order and the shape of its numbers.
type header struct {
	Descr          string
	IsFortranOrder bool
	Shape          []int
}

// headerPattern matches a Python literal as numpy.save writes it. Python 2 wrote the integer 3 as 3L.
var headerPattern = regexp.MustCompile(
	`^{'descr': *'([^']*)', *'fortran_order': *(True|False), *'shape': *\(([0-9L, ]*)\),? *}\s*$`)

func parseHeader(s string) (h header, err error) {
	m := headerPattern.FindStringSubmatch(s)
	if m == nil {
		return h, fmt.Errorf("header %s, expected a header such as {'descr': '<f8', 'fortran_order': False, 'shape': "+
			"(3, 4), }; save a matrix of plain numbers", sheet.Quote(s))
	}
	h.Descr, h.IsFortranOrder = m[1], m[2] == "True"
	for _, word := range strings.FieldsFunc(m[3], func(r rune) bool { return strings.ContainsRune(", L", r) }) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return h, err
		}
		h.Shape = append(h.Shape, n)
	}
	return h, nil
}

// decoders are functions that decode n numbers of a type, for the name of the type in a header.
var decoders = map[string]func(body []byte, order binary.ByteOrder, n int) ([]float64, error){
	"f8": decodeAs[float64], "f4": decodeAs[float32], "i8": decodeAs[int64], "i4": decodeAs[int32],
	"i2": decodeAs[int16], "i1": decodeAs[int8], "u8": decodeAs[uint64], "u4": decodeAs[uint32], "u2": decodeAs[uint16],
	"u1": decodeAs[uint8], "b1": decodeAs[uint8],
}

func (h header) decodeNumbers(elementType string, body []byte, count int) ([]float64, error) {
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(h.Descr, ">") {
		order = binary.BigEndian
	}
	switch {
	case decoders[elementType] != nil:
		return decoders[elementType](body, order, count)
	case strings.HasPrefix(elementType, "O"):
		return nil, fmt.Errorf("type %s: an array of Python objects can run code and is not read; save an array "+
			"of numbers", sheet.Quote(h.Descr))
	}
	return nil, fmt.Errorf("type %s: floats f4 and f8, integers i1 to i8 and u1 to u8, and booleans b1 can be read, "+
		"in byte order < or >", sheet.Quote(h.Descr))
}

// decodeAs decodes n numbers of type T, which must be all of body.
func decodeAs[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](body []byte,
	order binary.ByteOrder, n int) ([]float64, error) {
	byteWidth := int(reflect.TypeFor[T]().Size())
	switch {
	case len(body)/byteWidth < n:
		return nil, fmt.Errorf("the file ends after %d of %d numbers", len(body)/byteWidth, n)
	case len(body) > n*byteWidth:
		return nil, fmt.Errorf("more bytes follow the %d numbers of the array; write the file again", n)
	}
	decoded, v := make([]T, n), make([]float64, n)
	if _, err := binary.Decode(body, order, decoded); err != nil {
		return nil, err
	}
	for i := range decoded {
		v[i] = float64(decoded[i])
	}
	return v, nil
}
