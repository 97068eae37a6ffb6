package data

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// readARFF reads the attribute-relation file format of WEKA: a header that declares attributes
//
//	@relation NAME
//	@attribute NAME numeric | real | integer | {VALUE, VALUE, …}
//	@data
//
// then one point a line, dense or sparse ({index value, …}, indices from 0; what is not written is
// 0, or the first declared value). ? is missing. Names and values may be quoted by ' or ", with \
// before a quote. Attributes of type string, date or relational, and instance weights, are refused;
// Options.Leave leaves such an attribute out.
func readARFF(r io.Reader, o *job) (*Dataset, error) {
	b, err := plain(r)
	if err != nil {
		return nil, fmt.Errorf("data: arff: %w", err)
	}
	s := newLines(b, o)
	fail := func(format string, args ...any) (*Dataset, error) {
		return nil, fmt.Errorf("data: arff: line %d: %s", s.line, fmt.Sprintf(format, args...))
	}
	var attrs []attribute
	for {
		if !s.next() {
			if err := s.err(); err != nil {
				return nil, fmt.Errorf("data: arff: %w", err)
			}
			return fail("the file ends before @data")
		}
		text := strings.TrimSpace(s.text())
		if text == "" || text[0] == '%' {
			continue
		}
		word, rest := cutWord(text)
		switch strings.ToLower(word) {
		case "@relation":
			continue
		case "@attribute":
			a, err := parseAttribute(rest)
			if err != nil {
				return fail("attribute %d: %v", len(attrs)+1, err)
			}
			if len(attrs) == maxColumns {
				return fail("more than %d attributes", maxColumns)
			}
			a.line = s.line
			attrs = append(attrs, a)
			continue
		case "@data":
		default:
			return fail("%s, want @relation, @attribute or @data", clip(word))
		}
		break
	}
	if len(attrs) == 0 {
		return fail("@data before any @attribute")
	}
	names := make([]string, len(attrs))
	for j, a := range attrs {
		names[j] = a.name
	}
	t, err := newTable(o, ARFF, names)
	if err != nil {
		return nil, err
	}
	for j, a := range attrs {
		c := t.cols[j]
		switch {
		case c.kind == left || c.kind == label && a.kind != undecided:
			continue
		case a.kind == undecided:
			return nil, fmt.Errorf("data: arff: line %d, attribute %d (%s) is of type %s, want numeric or a list of values: Options.Leave leaves it out", a.line, j+1, brief(a.name), clip(a.typ))
		case c.fitted != nil:
		case a.kind == numbers && c.kind == undecided:
			c.kind = numbers
		case a.kind == nominal:
			c.kind, c.order = nominal, true
			for _, v := range a.values {
				c.level(v)
			}
			if len(c.levels) > o.levels() {
				return nil, fmt.Errorf("data: arff: line %d, attribute %d (%s) has %d values, want at most %d: Options.Leave leaves it out, MaxLevels allows more", a.line, j+1, brief(a.name), len(c.levels), o.levels())
			}
		}
	}
	given := 0 // cells written in the file
	for s.next() {
		text := strings.TrimSpace(s.text())
		if text == "" || text[0] == '%' {
			continue
		}
		t.begin(s.line)
		row := t.lines.n
		if text[0] == '{' {
			n, err := sparseRow(t, attrs, text)
			if err != nil {
				return nil, fmt.Errorf("data: arff: %w", trim(err))
			}
			given += n
			if row > freeNumbers/len(attrs) && (row > maxNumbers/len(attrs) || row*len(attrs)/maxSpread > given) {
				return fail("%d sparse points of %d attributes with %d cells: too thin to be read densely", row, len(attrs), given)
			}
			continue
		}
		cells, err := splitCells(text, ',')
		if err != nil {
			return fail("row %d: %v", row, err)
		}
		if len(cells) != len(attrs) {
			return fail("row %d: %s, want %d, one for each attribute", row, count(len(cells), "cell"), len(attrs))
		}
		given += len(cells)
		for j, c := range cells {
			if err := t.arff(j, c, &attrs[j]); err != nil {
				return nil, err
			}
		}
	}
	if err := s.err(); err != nil {
		return nil, fmt.Errorf("data: arff: %w", err)
	}
	return t.dataset()
}

// attribute is one declaration.
type attribute struct {
	name, typ string
	kind      kind // numbers or nominal; undecided if it cannot be read
	values    []string
	line      int
}

// text is a piece of a line, with the quotes taken off.
type text struct {
	s      string
	quoted bool
}

// parseAttribute reads what follows @attribute.
func parseAttribute(s string) (attribute, error) {
	var a attribute
	name, rest, err := cutQuoted(s)
	if err != nil {
		return a, err
	}
	if name.s == "" {
		return a, fmt.Errorf("no name")
	}
	a.name = strings.Clone(name.s)
	rest = strings.TrimSpace(rest)
	switch {
	case rest == "":
		return a, fmt.Errorf("%s has no type, want numeric or {value, …}", clip(a.name))
	case rest[0] == '{':
		if rest[len(rest)-1] != '}' {
			return a, fmt.Errorf("%s: the list of values is not closed by }", clip(a.name))
		}
		values, err := splitCells(rest[1:len(rest)-1], ',')
		if err != nil {
			return a, fmt.Errorf("%s: %w", clip(a.name), err)
		}
		seen := make(map[string]bool, len(values))
		for _, v := range values {
			switch {
			case v.s == "" && !v.quoted:
				return a, fmt.Errorf("%s: an empty value in the list", clip(a.name))
			case seen[v.s]:
				return a, fmt.Errorf("%s: the value %s is declared twice", clip(a.name), clip(v.s))
			}
			seen[v.s] = true
			a.values = append(a.values, v.s)
		}
		a.kind = nominal
		return a, nil
	}
	a.typ, _ = cutWord(rest)
	switch strings.ToLower(a.typ) {
	case "numeric", "real", "integer":
		a.kind = numbers
	}
	return a, nil
}

// arff takes one cell: of the label against its declaration, of the others as in any table.
func (t *table) arff(j int, c text, a *attribute) error {
	if !c.quoted && c.s == "?" {
		return t.blank(j, c.s)
	}
	if c.s == "" && !c.quoted && t.cols[j].kind != left {
		return t.errorf("%s: the cell is empty, want a value or ?", t.where(t.lines.n-1, j))
	}
	if t.cols[j].kind == label && a.kind == nominal {
		for _, v := range a.values {
			if v == c.s {
				return t.cell(j, c.s)
			}
		}
		return t.errorf("%s: %s is not among the declared values %s", t.where(t.lines.n-1, j), clip(c.s), some(a.values))
	}
	return t.cell(j, c.s)
}

// sparseRow takes a row {index value, …} and returns the number of cells written.
func sparseRow(t *table, attrs []attribute, s string) (given int, err error) {
	row := t.lines.n
	fail := func(format string, args ...any) (int, error) {
		return 0, fmt.Errorf("row %d (line %d): %s", row, t.lines.at(row-1), fmt.Sprintf(format, args...))
	}
	if s[len(s)-1] != '}' {
		return fail("the sparse row is not closed by } (instance weights are not read)")
	}
	body := strings.TrimSpace(s[1 : len(s)-1])
	next := 0
	zero := func(to int) error { // the cells from next to to−1 are not written
		for ; next < to; next++ {
			z := text{s: "0"}
			if attrs[next].kind == nominal {
				z = text{attrs[next].values[0], true}
			}
			if err := t.arff(next, z, &attrs[next]); err != nil {
				return err
			}
		}
		return nil
	}
	for k := 1; body != ""; k++ {
		word, rest := cutWord(body)
		j, err := strconv.Atoi(word)
		if err != nil || j < 0 || j >= len(attrs) {
			return fail("entry %d: %s, want an index from 0 to %d and a value", k, clip(word), len(attrs)-1)
		}
		if j < next {
			return fail("entry %d: index %d after %d, want them ascending", k, j, next-1)
		}
		if err := zero(j); err != nil {
			return 0, err
		}
		v, rest, err := cutQuoted(rest)
		if err != nil {
			return fail("entry %d: %v", k, err)
		}
		if err := t.arff(j, v, &attrs[j]); err != nil {
			return 0, err
		}
		next++
		given++
		body = strings.TrimSpace(rest)
		if body == "" {
			break
		}
		if body[0] != ',' {
			return fail("entry %d: %s, want a comma or }", k, clip(body))
		}
		if body = strings.TrimSpace(body[1:]); body == "" {
			return fail("entry %d: nothing after the comma", k)
		}
	}
	return given, zero(len(attrs))
}

// splitCells cuts s at every sep that is not quoted. An empty s is one empty cell.
func splitCells(s string, sep byte) ([]text, error) {
	var cells []text
	for {
		c, rest, err := cutQuoted(s)
		if err != nil {
			return nil, err
		}
		rest = strings.TrimLeft(rest, " \t")
		if !c.quoted { // a bare value may hold spaces
			i := strings.IndexByte(s, sep)
			if i < 0 {
				i = len(s)
			}
			c.s, rest = clean(s[:i]), s[i:]
		}
		cells = append(cells, c)
		if rest == "" {
			return cells, nil
		}
		if rest[0] != sep {
			return nil, fmt.Errorf("%s after the quoted %s, want %q", clip(rest), clip(c.s), sep)
		}
		s = rest[1:]
	}
}

// cutQuoted cuts the first word off s: to the closing quote if it begins with one, else to a space,
// a comma or a brace.
func cutQuoted(s string) (text, string, error) {
	s = strings.TrimLeft(s, " \t")
	if s == "" {
		return text{}, "", nil
	}
	q := s[0]
	if q != '\'' && q != '"' {
		i := strings.IndexAny(s, " \t,{}")
		if i < 0 {
			i = len(s)
		}
		return text{clean(s[:i]), false}, s[i:], nil
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case c == q:
			return text{clean(b.String()), true}, s[i+1:], nil
		default:
			b.WriteByte(c)
		}
	}
	return text{}, "", fmt.Errorf("the quote %c is not closed: %s", q, clip(s))
}
