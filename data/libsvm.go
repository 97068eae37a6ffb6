package data

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
)

// readLIBSVM reads the text format of LIBSVM and SVMlight,
//
//	label index:value index:value …      # comment
//
// one point a line, indices from 1 and ascending; what is not written is 0. D is the greatest
// index. Points become kernel.Sparse, without explicit zeros, or kernel.Rows with Options.Dense.
func readLIBSVM(r io.Reader, o *Options) (*Dataset, error) {
	r, err := header(r)
	if err != nil {
		return nil, fmt.Errorf("data: libsvm: %w", err)
	}
	most := o.MaxIndex
	if most == 0 {
		most = maxIndex
	}
	x := kernel.Sparse{Ptr: []int{0}}
	var t *target
	if !o.Unlabelled {
		t = newTarget(o, "")
	}
	var lines []int
	last := 0 // line of the greatest index
	s := newLines(r)
	for s.next() {
		text, _, _ := strings.Cut(s.text(), "#")
		row := len(lines) + 1
		fail := func(place, format string, args ...any) error {
			return fmt.Errorf("data: libsvm: row %d (line %d)%s: %s", row, s.line, place, fmt.Sprintf(format, args...))
		}
		word, text := cutWord(text)
		if word == "" {
			continue
		}
		if strings.Contains(word, ":") {
			return nil, fail("", "it begins with %s, want the label", clip(word))
		}
		if t != nil {
			if _, ok, _ := number(word); !ok {
				return nil, fail("", "the label %s is not a number, want one", clip(word))
			}
			line := s.line
			if err := t.add(word, func() string { return fmt.Sprintf("row %d (line %d)", row, line) }); err != nil {
				return nil, fmt.Errorf("data: libsvm: %w", err)
			}
		}
		before := 0
		for k := 1; ; k++ {
			if word, text = cutWord(text); word == "" {
				break
			}
			place := fmt.Sprintf(", entry %d", k)
			index, value, ok := strings.Cut(word, ":")
			if !ok {
				return nil, fail(place, "%s, want index:value", clip(word))
			}
			if index == "qid" {
				return nil, fail(place, "%s: a file for ranking, want two classes or targets", clip(word))
			}
			j, err := strconv.Atoi(index)
			switch {
			case err != nil:
				return nil, fail(place, "the index %s is not a whole number, want 1 to %d", clip(index), most)
			case j == 0:
				return nil, fail(place, "index 0, want 1 or more (a precomputed kernel, or indices from 0?)")
			case j < 0 || j > most:
				return nil, fail(place, "index %d, want 1 to %d: Options.MaxIndex allows more", j, most)
			case j <= before:
				return nil, fail(place, "index %d after %d, want them ascending", j, before)
			}
			v, ok, err := number(value)
			switch {
			case err != nil:
				return nil, fail(fmt.Sprintf(", column %d", j), "the value is %v", err)
			case !ok:
				return nil, fail(fmt.Sprintf(", column %d", j), "the value %s is not a number", clip(value))
			}
			before = j
			if j > x.D {
				x.D, last = j, s.line
			}
			if v != 0 {
				x.Col, x.Val = append(x.Col, j-1), append(x.Val, v)
			}
		}
		x.Ptr = append(x.Ptr, len(x.Col))
		lines = append(lines, s.line)
	}
	if err := s.err(); err != nil {
		return nil, fmt.Errorf("data: libsvm: line %d: %w", s.line+1, err)
	}
	switch {
	case len(lines) == 0:
		return nil, fmt.Errorf("data: libsvm: no rows")
	case x.D == 0:
		return nil, fmt.Errorf("data: libsvm: no index:value in %s", count(len(lines), "row"))
	}
	done := []string{"numbers as they are in the file, sparse"}
	p := kernel.Points(x)
	if o.Dense {
		n := len(lines)
		if n > freeNumbers/x.D && (n > maxNumbers/x.D || n*x.D/maxSpread > len(x.Col)) {
			return nil, fmt.Errorf("data: libsvm: %d points of %d features (the greatest index, on line %d) with %d entries: too thin for Options.Dense", n, x.D, last, len(x.Col))
		}
		p, done[0] = densify(x), "numbers as they are in the file"
	}
	rd := reading{o: o, format: LIBSVM, x: p, target: t, done: done,
		where: func(i int) string { return fmt.Sprintf("row %d (line %d)", i+1, lines[i]) }}
	return rd.dataset()
}

// densify returns the same points with their zeros written out.
func densify(x kernel.Sparse) kernel.Rows {
	r := kernel.Rows{N: x.Len(), D: x.D, Data: make([]float64, x.Len()*x.D), Names: slices.Clone(x.Names)}
	for i := range r.N {
		row := r.Row(i)
		cols, vals := x.Row(i)
		for t, j := range cols {
			row[j] = vals[t]
		}
	}
	return r
}

// cutWord cuts the first word off s.
func cutWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t\r\v\f")
	if i := strings.IndexAny(s, " \t\r\v\f"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// lines reads a text line by line and counts them. A line may be as long as the file.
type lines struct {
	r    *bufio.Reader
	buf  []byte
	line int
	fail error
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReader(r)} }

// next moves to the next line. It is false at the end and where reading fails.
func (l *lines) next() bool {
	if l.fail != nil {
		return false
	}
	l.buf = l.buf[:0]
	for {
		part, err := l.r.ReadSlice('\n')
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
			l.fail = err
			return false
		}
		l.line++
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
