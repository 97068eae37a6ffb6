package data

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
)

// readNPY reads a matrix as numpy.save writes it (format 1.0 to 3.0): one point a row, the label in
// the last column unless Options.Unlabelled or Labels, a file of its own. Elements are floats of 2, 4 or 8
// bytes, integers of 1 to 8 or booleans, in either byte order, in rows or in columns. Object arrays
// (pickles), records, text and complex numbers are refused. A NaN is an error, not a missing cell.
// Of numpy.savez and savez_compressed it reads archives of one such array, or of X and y.
func readNPY(r io.Reader, o *job) (*Dataset, error) {
	fail := func(format string, args ...any) (*Dataset, error) {
		return nil, fmt.Errorf("data: npy: "+format, args...)
	}
	x, y, _, err := o.arrays(r)
	if err == nil {
		err = finiteNPY(x)
	}
	if err != nil {
		return fail("%w", err)
	}
	done := []string{"numbers as they are in the file"}
	column := fmt.Sprintf("column %d", x.D)
	if o.Labels != "" {
		if y.N > 0 {
			return fail("the archive has an array of labels, and there is Options.Labels")
		}
		if _, err := o.with(o.Labels, func(r io.Reader) (err error) {
			y, _, err = o.array(o.cap(r))
			return err
		}); err != nil {
			return nil, fmt.Errorf("data: Options.Labels: %w", trim(err))
		}
		column = "labels of " + filepath.Base(o.Labels)
		done = append(done, column)
	} else if y.N > 0 {
		column = "array y"
	}
	last := o.Labels == "" && y.N == 0 // where labels are, if there are any
	if l := o.like; l != nil {
		switch {
		case x.D == l.Width && last:
			o.Unlabelled = true
		case x.D == l.Width:
		case x.D == l.Width+1 && last && l.Label != "":
			if o.Unlabelled {
				x, _ = cutLast(x)
			}
		default:
			return fail("%s, the file learned from has %s of features", count(x.D, "column"), count(l.Width, "column"))
		}
	}
	gram := last && symmetric(x)
	var t *target
	switch {
	case o.Unlabelled:
	case y.N > 0:
		if y.N != x.N || y.D != 1 {
			return fail("%s: shape (%d, %d), want one label for each of %d points", column, y.N, y.D, x.N)
		}
	case x.D < 2:
		return fail("%d columns, want at least one feature and the label (or Options.Labels)", x.D)
	default:
		x, y = cutLast(x)
	}
	if !o.Unlabelled {
		t = newTarget(o, column)
		for i, v := range y.Data {
			if err := t.add(strconv.FormatFloat(v, 'g', -1, 64), func() string { return fmt.Sprintf("row %d, %s", i+1, column) }); err != nil {
				if gram {
					err = fmt.Errorf("%w; %s", err, squareSymmetric)
				}
				return fail("%w", err)
			}
		}
	}
	e := &Encoding{Options: o.Options}
	e.Options.Format, e.Options.Labels, e.Width = NPY, "", x.D
	if last && !o.Unlabelled {
		e.Label = column
	}
	var doubts []string
	if gram {
		doubts, done = append(doubts, squareSymmetric), append(done, squareSymmetric)
	}
	rd := reading{o: o, format: NPY, x: x, encoding: e, doubts: doubts, target: t, done: done,
		where: func(i int) string { return fmt.Sprintf("row %d", i+1) }}
	return rd.dataset()
}

// squareSymmetric is a doubt about a file of points.
const squareSymmetric = "the matrix is square and symmetric: Gram matrices are read by OpenGrams, similarities by OpenSimilarities, other matrices by OpenMatrix"

// symmetric says whether x is a symmetric matrix of more than two rows.
func symmetric(x kernel.Rows) bool {
	if x.N != x.D || x.N < 3 {
		return false
	}
	for i := range x.N {
		for j := range i {
			if x.Data[i*x.D+j] != x.Data[j*x.D+i] {
				return false
			}
		}
	}
	return true
}

// cutLast parts x into all columns but the last, and the last. It overwrites x.
func cutLast(x kernel.Rows) (rest, last kernel.Rows) {
	last = kernel.Rows{N: x.N, D: 1, Data: make([]float64, x.N)}
	d := x.D - 1
	for i := range x.N {
		last.Data[i] = x.Row(i)[d]
		copy(x.Data[i*d:(i+1)*d], x.Data[i*x.D:])
	}
	return kernel.Rows{N: x.N, D: d, Data: x.Data[:x.N*d]}, last
}

func finiteNPY(x kernel.Rows) error {
	for i, v := range x.Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("row %d, column %d is %g, want a finite number", i/x.D+1, i%x.D+1, v)
		}
	}
	return nil
}

// array reads one array, from an archive too, and the unit roundoff of its numbers.
func (o *Options) array(r io.Reader) (kernel.Rows, float64, error) {
	x, y, u, err := o.arrays(r)
	if err == nil && y.N > 0 {
		err = errors.New("the archive holds X and y, want one array")
	}
	return x, u, err
}

// arrays reads one array, or those named X and y of an archive; u is the unit roundoff of the first.
func (o *Options) arrays(r io.Reader) (x, y kernel.Rows, u float64, err error) {
	b := bufio.NewReader(r)
	if magic, err := b.Peek(4); err != nil || string(magic) != "PK\x03\x04" {
		x, u, err = parseNPY(b)
		return x, y, u, err
	}
	all, err := io.ReadAll(b)
	if err != nil {
		return x, y, u, err
	}
	z, err := zip.NewReader(bytes.NewReader(all), int64(len(all)))
	if err != nil {
		return x, y, u, fmt.Errorf("the archive is damaged: %w", err)
	}
	var xs, ys *zip.File
	var names []string
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, ".npy")
		names = append(names, brief(clean(name)))
		switch strings.ToLower(name) {
		case "x", "data", "features":
			if xs != nil {
				return x, y, u, fmt.Errorf("the archive holds two arrays of points, %s and %s, want one", clip(xs.Name), clip(f.Name))
			}
			xs = f
		case "y", "label", "labels", "target", "targets":
			if ys != nil {
				return x, y, u, fmt.Errorf("the archive holds two arrays of labels, %s and %s, want one", clip(ys.Name), clip(f.Name))
			}
			ys = f
		}
	}
	if len(z.File) == 1 {
		xs, ys = z.File[0], nil
	}
	if xs == nil {
		return x, y, u, fmt.Errorf("the archive holds %s, want one array, or arrays X and y", some(names))
	}
	get := func(f *zip.File) (kernel.Rows, float64, error) {
		c, err := f.Open()
		if err != nil {
			return kernel.Rows{}, 0, fmt.Errorf("array %s: %w", clip(f.Name), err)
		}
		defer c.Close()
		packed := int64(len(all))
		a, u, err := parseNPY(o.unpacked(c, &packed))
		if err == nil {
			_, err = io.Copy(io.Discard, c) // the checksum
		}
		if err != nil {
			err = fmt.Errorf("array %s: %w", clip(f.Name), err)
		}
		return a, u, err
	}
	if x, u, err = get(xs); err == nil && ys != nil && !o.Unlabelled {
		y, _, err = get(ys)
	}
	return x, y, u, err
}

const maxHeader = 1 << 16

// parseNPY reads one array of one or two dimensions; one of one dimension is a column. The numbers
// the header promises are made only as their bytes arrive. roundoff is 2⁻¹¹ of float16, 2⁻²⁴ of float32,
// else 0.
func parseNPY(r io.Reader) (x kernel.Rows, roundoff float64, err error) {
	var none kernel.Rows
	var head [12]byte
	if _, err := io.ReadFull(r, head[:10]); err != nil {
		return none, 0, short(err, "the file ends within its first 10 bytes")
	}
	if string(head[:6]) != "\x93NUMPY" {
		return none, 0, fmt.Errorf("the file begins with %q, want \"\\x93NUMPY\"", head[:6])
	}
	size := int(binary.LittleEndian.Uint16(head[8:]))
	switch head[6] {
	case 1:
	case 2, 3:
		if _, err := io.ReadFull(r, head[10:12]); err != nil {
			return none, 0, short(err, "the file ends within its first 12 bytes")
		}
		n := binary.LittleEndian.Uint32(head[8:])
		if n > maxHeader {
			return none, 0, fmt.Errorf("a header of %d bytes, want at most %d", n, maxHeader)
		}
		size = int(n)
	default:
		return none, 0, fmt.Errorf("format version %d.%d, want 1.0, 2.0 or 3.0", head[6], head[7])
	}
	buf := make([]byte, size)
	if _, err := io.ReadFull(r, buf); err != nil {
		return none, 0, short(err, fmt.Sprintf("the file ends within its header of %d bytes", size))
	}
	h, err := parseHeader(string(buf))
	if err != nil {
		return none, 0, fmt.Errorf("header: %w", err)
	}
	el, err := h.element()
	if err != nil {
		return none, 0, err
	}
	rows, cols := 0, 1
	switch len(h.shape) {
	case 1:
		rows = h.shape[0]
	case 2:
		rows, cols = h.shape[0], h.shape[1]
	default:
		return none, 0, fmt.Errorf("an array of %d dimensions, want a matrix", len(h.shape))
	}
	if rows == 0 || cols == 0 {
		return none, 0, fmt.Errorf("shape %v, want at least one row and one column", h.shape)
	}
	if rows > math.MaxInt/8/cols {
		return none, 0, fmt.Errorf("shape %v: more numbers than can be counted", h.shape)
	}
	n := rows * cols

	x = kernel.Rows{N: rows, D: cols}
	chunk := make([]byte, min(n, 1<<13)*el.size)
	for len(x.Data) < n {
		k := min(n-len(x.Data), 1<<13)
		b := chunk[:k*el.size]
		if got, err := io.ReadFull(r, b); err != nil {
			return none, 0, short(err, fmt.Sprintf("the data end after %d of %d numbers (shape %v)", len(x.Data)+got/el.size, n, h.shape))
		}
		for i := range k {
			v, ok := el.value(b[i*el.size:])
			if !ok {
				at := len(x.Data)
				row, col := at/cols+1, at%cols+1
				if h.fortran {
					row, col = at%rows+1, at/rows+1
				}
				return none, 0, fmt.Errorf("row %d, column %d: an integer of more than 53 bits, which a float64 does not hold", row, col)
			}
			x.Data = append(x.Data, v)
		}
	}
	if k, err := io.ReadFull(r, head[:1]); k > 0 {
		return none, 0, fmt.Errorf("there are bytes after the %d numbers of shape %v", n, h.shape)
	} else if err != io.EOF {
		return none, 0, err
	}
	if h.fortran && rows > 1 && cols > 1 {
		t := make([]float64, n)
		for i := range rows {
			for j := range cols {
				t[i*cols+j] = x.Data[j*rows+i]
			}
		}
		x.Data = t
	}
	return x, el.roundoff, nil
}

// short is err, or what where the bytes ended too early.
func short(err error, what string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New(what)
	}
	return err
}

// npyHeader is the dictionary at the head of the file.
type npyHeader struct {
	descr   string
	fortran bool
	shape   []int
}

// parseHeader reads the literal {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } with
// its three keys in any order.
func parseHeader(s string) (h npyHeader, err error) {
	rest := strings.TrimSpace(s)
	eat := func(token string) bool {
		after, ok := strings.CutPrefix(rest, token)
		if ok {
			rest = strings.TrimLeft(after, " \t\n")
		}
		return ok
	}
	quoted := func() (string, bool) {
		if rest == "" || rest[0] != '\'' && rest[0] != '"' {
			return "", false
		}
		i := strings.IndexByte(rest[1:], rest[0])
		if i < 0 {
			return "", false
		}
		v := rest[1 : 1+i]
		rest = strings.TrimLeft(rest[i+2:], " \t\n")
		return v, true
	}
	bad := func(want string) (npyHeader, error) {
		return h, fmt.Errorf("%s, want %s", clip(rest), want)
	}
	if !eat("{") {
		return bad("{")
	}
	seen := map[string]bool{}
	for !eat("}") {
		key, ok := quoted()
		if !ok {
			return bad("a quoted key")
		}
		if seen[key] {
			return h, fmt.Errorf("the key %s stands twice", clip(key))
		}
		seen[key] = true
		if !eat(":") {
			return bad(": after a key")
		}
		switch key {
		case "descr":
			if strings.HasPrefix(rest, "[") {
				return h, errors.New("an array of records, want plain numbers")
			}
			if h.descr, ok = quoted(); !ok {
				return bad("a quoted type")
			}
		case "fortran_order":
			switch {
			case eat("True"):
				h.fortran = true
			case eat("False"):
			default:
				return bad("True or False")
			}
		case "shape":
			if !eat("(") {
				return bad("the shape, as (3, 4)")
			}
			for !eat(")") {
				i := 0
				for i < len(rest) && '0' <= rest[i] && rest[i] <= '9' {
					i++
				}
				n, err := strconv.Atoi(rest[:i])
				if err != nil {
					return bad("a whole number in the shape")
				}
				if len(h.shape) == 8 {
					return h, errors.New("a shape of more than 8 dimensions")
				}
				h.shape = append(h.shape, n)
				rest = strings.TrimLeft(rest[i:], "L \t\n") // Python 2 wrote 3L
				if !eat(",") && !strings.HasPrefix(rest, ")") {
					return bad(", or ) in the shape")
				}
			}
		default:
			return h, fmt.Errorf("unknown key %s", clip(key))
		}
		if !eat(",") && !strings.HasPrefix(rest, "}") {
			return bad(", or }")
		}
	}
	if rest != "" {
		return bad("nothing after }")
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return h, fmt.Errorf("no key '%s'", key)
		}
	}
	return h, nil
}

// element reads one number of an array.
type element struct {
	size     int
	roundoff float64                             // 0 where the numbers are exact
	value    func(b []byte) (v float64, ok bool) // ok is false for an integer a float64 does not hold
}

// element returns the reader of the header's type.
func (h npyHeader) element() (element, error) {
	var order binary.ByteOrder = binary.LittleEndian
	d := h.descr
	if d != "" && strings.IndexByte("<>|=", d[0]) >= 0 {
		if d[0] == '>' {
			order = binary.BigEndian
		}
		if d[0] == '=' {
			return element{}, fmt.Errorf("type %s: the byte order is that of another machine, want < or >", clip(h.descr))
		}
		d = d[1:]
	}
	signed := func(v int64) (float64, bool) { return float64(v), -1<<53 <= v && v <= 1<<53 }
	unsigned := func(v uint64) (float64, bool) { return float64(v), v <= 1<<53 }
	switch d {
	case "f8":
		return element{8, 0, func(b []byte) (float64, bool) { return math.Float64frombits(order.Uint64(b)), true }}, nil
	case "f2":
		return element{2, 0x1p-11, func(b []byte) (float64, bool) { return half(order.Uint16(b)), true }}, nil
	case "f4":
		return element{4, 0x1p-24, func(b []byte) (float64, bool) { return float64(math.Float32frombits(order.Uint32(b))), true }}, nil
	case "i8":
		return element{8, 0, func(b []byte) (float64, bool) { return signed(int64(order.Uint64(b))) }}, nil
	case "i4":
		return element{4, 0, func(b []byte) (float64, bool) { return signed(int64(int32(order.Uint32(b)))) }}, nil
	case "i2":
		return element{2, 0, func(b []byte) (float64, bool) { return signed(int64(int16(order.Uint16(b)))) }}, nil
	case "i1":
		return element{1, 0, func(b []byte) (float64, bool) { return signed(int64(int8(b[0]))) }}, nil
	case "u8":
		return element{8, 0, func(b []byte) (float64, bool) { return unsigned(order.Uint64(b)) }}, nil
	case "u4":
		return element{4, 0, func(b []byte) (float64, bool) { return unsigned(uint64(order.Uint32(b))) }}, nil
	case "u2":
		return element{2, 0, func(b []byte) (float64, bool) { return unsigned(uint64(order.Uint16(b))) }}, nil
	case "u1", "b1":
		return element{1, 0, func(b []byte) (float64, bool) { return unsigned(uint64(b[0])) }}, nil
	}
	why := "want floats f2, f4 or f8, integers i1 to i8 or u1 to u8, or booleans b1"
	if strings.HasPrefix(d, "O") {
		why = "an array of Python objects is a program to run, not data to read: save numbers"
	}
	return element{}, fmt.Errorf("type %s: %s", clip(h.descr), why)
}

// half is the number of a float of 16 bits: a sign, five bits of exponent, ten of fraction.
func half(b uint16) float64 {
	v := 0.0
	switch e, f := int(b>>10&31), float64(b&1023); {
	case e == 0:
		v = math.Ldexp(f, -24)
	case e < 31:
		v = math.Ldexp(1024+f, e-25)
	case f == 0:
		v = math.Inf(1)
	default:
		v = math.NaN()
	}
	if b>>15 != 0 {
		v = -v
	}
	return v
}
