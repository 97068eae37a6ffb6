package data

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// sample is how many bytes of a text are looked at before it is read.
const sample = 64 << 10

// magics begin what is not text, and say what to do with it.
var magics = []struct{ begin, what string }{
	{"\xFF\xFE", "UTF-16: save it as UTF-8"},
	{"\xFE\xFF", "UTF-16: save it as UTF-8"},
	{"\x1F\x8B", "packed by gzip: give its name the ending .gz"},
	{"PK\x03\x04", "a spreadsheet or zip archive: save the sheet as CSV, or read an archive of NumPy as .npz"},
	{"\xD0\xCF\x11\xE0", "an old spreadsheet: save the sheet as CSV"},
	{"\x93NUMPY", "an array of NumPy: its format is NPY"},
	{"PAR1", "Parquet: save it as CSV"},
	{"\x89HDF", "HDF5: save it as CSV or NPY"},
	{"SQLite format 3", "a database: save a table of it as CSV"},
}

// plain takes the byte order mark off the beginning of a text, and says what a file is that is not
// text. At least sample bytes of what it returns can be looked at.
func plain(r io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(r, sample)
	head, err := b.Peek(sample)
	if err != nil && err != io.EOF {
		return nil, err
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.begin)) {
			return nil, fmt.Errorf("the file is not plain text, but %s", m.what)
		}
	}
	if n := len(head) &^ 1; n >= 4 { // UTF-16 of Latin letters without its mark
		var zeros [2]int
		for i, c := range head[:n] {
			if c == 0 {
				zeros[i&1]++
			}
		}
		if zeros[0]+zeros[1] > 0 && max(zeros[0], zeros[1]) >= n/4 && min(zeros[0], zeros[1]) == 0 {
			return nil, errors.New("the file is not plain text, but UTF-16 without its mark: save it as UTF-8")
		}
	}
	if i := bytes.IndexByte(head, '\r'); i >= 0 && i+1 < len(head) && bytes.IndexByte(head, '\n') < 0 && len(bytes.TrimSpace(head[i:])) > 0 {
		return nil, errors.New("its lines end in CR alone, as on old Macintoshs: save it with LF or CRLF")
	}
	if bytes.HasPrefix(head, []byte("\uFEFF")) {
		_, err = b.Discard(3)
		return b, err
	}
	return b, nil
}

// lines reads a text line by line and counts them.
type lines struct {
	r    *bufio.Reader
	most int // bytes of a line
	buf  []byte
	line int
	fail error
}

func newLines(r *bufio.Reader, o *job) *lines {
	most := o.MaxLine
	if most == 0 {
		most = maxLine
	}
	return &lines{r: r, most: most}
}

// next moves to the next line. It is false at the end and where reading fails.
func (l *lines) next() bool {
	if l.fail != nil {
		return false
	}
	l.buf = l.buf[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		size := len(l.buf) + len(part)
		if err == nil {
			size-- // the line's end
		}
		if size > l.most {
			l.fail = fmt.Errorf("line %d is longer than %d bytes: Options.MaxLine allows more", l.line+1, l.most)
			return false
		}
		l.buf = append(l.buf, part...)
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF:
			l.fail = err
			if len(l.buf) == 0 {
				return false
			}
		case err != nil:
			l.fail = fmt.Errorf("line %d: %w", l.line+1, err)
			return false
		}
		l.line++
		if !utf8.Valid(l.buf) {
			i := 0
			for r, n := utf8.DecodeRune(l.buf); r != utf8.RuneError || n > 1; r, n = utf8.DecodeRune(l.buf[i:]) {
				i += n
			}
			l.fail = fmt.Errorf("line %d, byte %d: %#x is not UTF-8: save the file as UTF-8", l.line, i+1, l.buf[i])
			return false
		}
		return true
	}
}

// text is the line without its end.
func (l *lines) text() string { return strings.TrimRight(string(l.buf), "\r\n") }

func (l *lines) err() error {
	if l.fail == io.EOF {
		return nil
	}
	return l.fail
}

// cutWord cuts the first word off s.
func cutWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t\r\v\f")
	if i := strings.IndexAny(s, " \t\r\v\f"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// places are the lines on which the rows of a file stand, from 1. They take memory where lines that
// are no rows lie between, not for every row.
type places struct {
	n     int
	steps []step
}

// step says that the rows from row on stand on line row+shift, up to the next step.
type step struct{ row, shift int }

func (p *places) add(line int) {
	if k := len(p.steps); k == 0 || p.steps[k-1].shift != line-p.n {
		p.steps = append(p.steps, step{p.n, line - p.n})
	}
	p.n++
}

// at returns the line of the row, counted from 0; 0 where there is no such row.
func (p *places) at(row int) int {
	if row >= p.n {
		return 0
	}
	lo, hi := 0, len(p.steps) // steps[lo].row ≤ row < steps[hi].row
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; p.steps[mid].row <= row {
			lo = mid
		} else {
			hi = mid
		}
	}
	return row + p.steps[lo].shift
}
