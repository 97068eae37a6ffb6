package data

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/points"
)

// readNPY reads a matrix that numpy.save has written (format 1.0 to 3.0), one point a row. The label is the last column
// unless Options.Unlabeled is set or Options.Labels names a file of labels. Elements are floats of 4 or 8 bytes,
// integers of 1 to 8 bytes or booleans, in either byte order, row-major or column-major. Object arrays (pickles),
// records, text and complex numbers are errors. A NaN is an error, not a missing cell. Archives of numpy.savez and
// savez_compressed hold one such array, or X and y.
func readNPY(raw []byte, o *job) (*Dataset, error) {
	x, y, _, err := o.readArrays(raw)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(x.Data, isTiny); i >= 0 {
		return nil, fmt.Errorf("row %d, column %d: %g %w; write 0", i/x.D+1, i%x.D+1, x.Data[i], errTiny)
	}
	column := "array y"
	isLast := o.Labels == "" && y.N == 0 // the last column holds the labels, unless Unlabeled is set
	if l := o.training; l != nil {
		switch {
		case x.D == l.Width && isLast:
			o.Unlabeled = true
		case x.D == l.Width:
		case x.D == l.Width+1 && isLast && l.Label != "":
			if o.Unlabeled {
				x, _ = splitLastColumn(x)
			}
		default:
			return nil, fmt.Errorf("%s, but the file learned from has %s of features", countText(x.D, "column"),
				countText(l.Width, "column"))
		}
	}
	r := reading{o: o, notes: []string{"numbers as they are in the file"}}
	if isLast && !o.Unlabeled {
		column = fmt.Sprintf("column %d", x.D)
		if x.D < 2 {
			return nil, fmt.Errorf("%s; a file needs at least one feature and the label (or Options.Labels)",
				countText(x.D, "column"))
		}
		x, y = splitLastColumn(x)
	}
	r.X = x
	switch {
	case o.Unlabeled:
	case o.Labels != "" && y.N > 0:
		return nil, errors.New("the archive has an array of labels; remove Options.Labels")
	case o.Labels != "":
		if _, err := r.addLabels(o.Labels, nil, ""); err != nil {
			return nil, fmt.Errorf("Options.Labels: %w", trimPrefix(err))
		}
		r.notes = append(r.notes, "labels of "+filepath.Base(o.Labels))
	default:
		if err := r.addNumbers(y, column); err != nil {
			return nil, err
		}
	}
	r.Encoding = &Encoding{Options: o.Options, Width: x.D}
	if r.Encoding.Options.Labels = ""; isLast && !o.Unlabeled {
		r.Encoding.Label = column
	}
	return r.dataset()
}

// splitLastColumn returns the columns of x except the last, and the last column. It overwrites x.
func splitLastColumn(x points.Rows) (rest, last points.Rows) {
	last = points.Rows{N: x.N, D: 1, Data: make([]float64, x.N)}
	d := x.D - 1
	for i := range x.N {
		last.Data[i] = x.Row(i)[d]
		copy(x.Data[i*d:(i+1)*d], x.Data[i*x.D:])
	}
	return points.Rows{N: x.N, D: d, Data: x.Data[:x.N*d]}, last
}

// readArray reads one array, also from an archive, and the unit roundoff of its numbers. An archive with a second array
// is an error unless Options.Unlabeled is set.
func (o *Options) readArray(raw []byte) (x points.Rows, roundoff float64, err error) {
	x, y, roundoff, err := o.readArrays(raw)
	if err == nil && y.N > 0 {
		err = errors.New("the archive holds X and y; save a single array")
	}
	return x, roundoff, err
}

// readArrays reads one array, or the arrays X and y of an archive. y is empty if there is no second array or
// Options.Unlabeled is set. roundoff is the unit roundoff of the numbers of x.
func (o *Options) readArrays(raw []byte) (x, y points.Rows, roundoff float64, err error) {
	if !bytes.HasPrefix(raw, []byte("PK\x03\x04")) {
		x, roundoff, err = parseNPY(raw)
		return x, y, roundoff, err
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return x, y, 0, fmt.Errorf("the archive is damaged: %w", err)
	}
	var names []string // names of all arrays
	nameX, nameY := "", ""
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, ".npy")
		names = append(names, shorten(name))
		switch name {
		case "X":
			nameX = f.Name
		case "y":
			nameY = f.Name
		}
	}
	switch {
	case len(z.File) == 1:
		nameX, nameY = z.File[0].Name, ""
	case nameX == "" || len(z.File) > 2 || nameY == "":
		return x, y, 0, fmt.Errorf("the archive holds %s; save one array, or arrays named X and y", listSome(names))
	}
	readOne := func(name string) (a points.Rows, roundoff float64, err error) {
		f, err := z.Open(name)
		if err == nil {
			defer f.Close()
			var array []byte
			if array, err = readAtMost(f, maxBytes, tooMany); err == nil {
				a, roundoff, err = parseNPY(array)
			}
		}
		if err != nil {
			err = fmt.Errorf("array %s: %w", quote(name), err)
		}
		return a, roundoff, err
	}
	if x, roundoff, err = readOne(nameX); err == nil && nameY != "" && !o.Unlabeled {
		y, _, err = readOne(nameY)
	}
	return x, y, roundoff, err
}

// parseNPY reads one array of one or two dimensions. An array of one dimension becomes a column. Memory is bounded by
// the number of bytes, not by the shape in the header. roundoff is 2⁻²⁴ for float32 and 0 otherwise.
func parseNPY(raw []byte) (x points.Rows, roundoff float64, err error) {
	var empty points.Rows
	if len(raw) < 12 {
		return empty, 0, errors.New("the file ends within its first 12 bytes")
	}
	if string(raw[:6]) != "\x93NUMPY" {
		return empty, 0, fmt.Errorf("the file begins with %q instead of \"\\x93NUMPY\"", raw[:6])
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
	rows, cols := 0, 1
	switch len(h.Shape) {
	case 1:
		rows = h.Shape[0]
	case 2:
		rows, cols = h.Shape[0], h.Shape[1]
	default:
		return empty, 0, fmt.Errorf("an array of %d dimensions; save a matrix", len(h.Shape))
	}
	if rows <= 0 || cols <= 0 {
		return empty, 0, fmt.Errorf("shape %v; at least one row and one column are needed", h.Shape)
	}
	if rows > math.MaxInt/8/cols {
		return empty, 0, fmt.Errorf("shape %v: more numbers than can be counted", h.Shape)
	}
	n := rows * cols
	width, roundoff, number, err := h.elementReader()
	if err != nil {
		return empty, 0, err
	}
	body := raw[headerStart+int(headerSize):]
	switch {
	case len(body)/width < n:
		return empty, 0, fmt.Errorf("the data end after %d of %d numbers (shape %v)", len(body)/width, n, h.Shape)
	case len(body) > n*width:
		return empty, 0, fmt.Errorf("there are bytes after the %d numbers of shape %v", n, h.Shape)
	}
	x = points.Rows{N: rows, D: cols, Data: make([]float64, n)}
	for i := range n {
		index := i // index in x.Data
		if h.Fortran {
			index = i%rows*cols + i/rows
		}
		v, ok := number(body[i*width:])
		if !ok {
			return empty, 0, fmt.Errorf("row %d, column %d: an integer of more than 53 bits, which a float64 does "+
				"not hold", index/cols+1, index%cols+1)
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return empty, 0, fmt.Errorf("row %d, column %d is %g, not a finite number", index/cols+1, index%cols+1, v)
		}
		if math.Abs(v) > largest {
			return empty, 0, fmt.Errorf("row %d, column %d: %g is above 1e100 in size, the largest number that is read",
				index/cols+1, index%cols+1, v)
		}
		x.Data[index] = v
	}
	return x, roundoff, nil
}

// npyHeader is the header of an NPY file: the type, the order and the shape of its numbers.
type npyHeader struct {
	Descr   string `json:"descr"`
	Fortran bool   `json:"fortran_order"`
	Shape   []int  `json:"shape"`
}

// parseHeader parses a Python literal such as {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }, which
// becomes JSON if quotes, brackets and truth values are replaced.
func parseHeader(s string) (h npyHeader, err error) {
	const want = "expected a header such as {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"
	if strings.Contains(s, "[") {
		return h, errors.New("an array of records, dates or times; save plain numbers")
	}
	// Python 2 wrote the integer 3 as 3L.
	text := strings.NewReplacer("'", `"`, "(", "[", ")", "]", "True", "true", "False", "false", "L", "", " ", "", "\n",
		"").Replace(s)
	text = strings.NewReplacer(",]", "]", ",}", "}").Replace(text)
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if strings.Count(text, `"`+key+`":`) != 1 {
			return h, fmt.Errorf("header %s, %s: the key '%s' once", quote(s), want, key)
		}
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err = d.Decode(&h); err != nil || d.More() {
		return h, fmt.Errorf("header %s, %s", quote(s), want)
	}
	return h, nil
}

// elementReader returns the number of bytes of one number, its unit roundoff (0 if numbers are exact), and a function
// that reads one number. ok is false for an integer of a magnitude above 2^53, because a float64 may not hold it.
func (h npyHeader) elementReader() (width int, roundoff float64, read func(b []byte) (v float64, ok bool), err error) {
	var order binary.ByteOrder = binary.LittleEndian
	d := h.Descr
	if d != "" && strings.IndexByte("<>|", d[0]) >= 0 {
		if d[0] == '>' {
			order = binary.BigEndian
		}
		d = d[1:]
	}
	kind, shift := byte(0), 0
	if len(d) == 2 {
		kind, width = d[0], int(d[1]-'0')
		shift = 64 - 8*width
	}
	readBits := map[int]func(b []byte) uint64{
		1: func(b []byte) uint64 { return uint64(b[0]) },
		2: func(b []byte) uint64 { return uint64(order.Uint16(b)) },
		4: func(b []byte) uint64 { return uint64(order.Uint32(b)) },
		8: order.Uint64,
	}[width]
	switch {
	case readBits == nil:
	case kind == 'f' && width == 8:
		read = func(b []byte) (float64, bool) { return math.Float64frombits(readBits(b)), true }
	case kind == 'f' && width == 4:
		roundoff = 0x1p-24
		read = func(b []byte) (float64, bool) { return float64(math.Float32frombits(uint32(readBits(b)))), true }
	case kind == 'i':
		read = func(b []byte) (float64, bool) {
			v := int64(readBits(b)<<shift) >> shift // extends the sign bit
			return float64(v), -1<<53 <= v && v <= 1<<53
		}
	case kind == 'u', kind == 'b' && width == 1:
		read = func(b []byte) (float64, bool) { return float64(readBits(b)), readBits(b) <= 1<<53 }
	}
	switch {
	case read != nil:
		return width, roundoff, read, nil
	case strings.HasPrefix(d, "O"):
		err = errors.New("an array of Python objects is a program to run, not data to read: save numbers")
	default:
		err = errors.New("floats f4 and f8, integers i1 to i8 and u1 to u8, and booleans b1 can be read, in byte " +
			"order < or >")
	}
	return 0, 0, nil, fmt.Errorf("type %s: %w", quote(h.Descr), err)
}
