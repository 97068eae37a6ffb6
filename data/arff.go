package data

import (
	"errors"
	"fmt"
	"strings"
)

// readARFF reads the attribute-relation file format of WEKA: a header that declares attributes
//
//	@relation NAME
//	@attribute NAME numeric | real | integer | {VALUE, VALUE, …}
//	@data
//
// then one point a line. ? is a missing cell. Names and values may be quoted by ' or ". Inside quotes, \n, \r and \t
// are control characters, and \ before any other character yields this character. Attributes of type string, date or
// relational are errors unless Options.DropColumns names them. Sparse rows and instance weights are errors.
func readARFF(raw []byte, o *job) (*Dataset, error) {
	content, err := textOf(raw)
	if err != nil {
		return nil, err
	}
	t := &table{o: o, isMissing: map[string]bool{"": true}}
	var attrs []attribute
	inData := false
	lineNumber := 0 // line of the file, from 1
	for line := range strings.Lines(content) {
		lineNumber++
		line = strings.TrimSpace(line)
		switch word, rest := cutWord(line); {
		case line == "" || line[0] == '%':
		case inData:
			if err := t.addARFFRow(lineNumber, line); err != nil {
				return nil, err
			}
		case strings.EqualFold(word, "@relation"):
		case strings.EqualFold(word, "@attribute"):
			a, err := parseAttribute(rest)
			if err != nil {
				return nil, fmt.Errorf("line %d: attribute %d: %w", lineNumber, len(attrs)+1, err)
			}
			if len(attrs) == maxColumns {
				return nil, fmt.Errorf("line %d: more than %d attributes", lineNumber, maxColumns)
			}
			a.line = lineNumber
			attrs = append(attrs, a)
		case strings.EqualFold(word, "@data"):
			inData = true
			if len(attrs) == 0 {
				return nil, fmt.Errorf("line %d: @data before any @attribute", lineNumber)
			}
			if err := t.declareColumns(attrs); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("line %d: got %s; the header consists of @relation, @attribute and @data",
				lineNumber,
				quote(word))
		}
	}
	if !inData {
		return nil, fmt.Errorf("line %d: the file ends before @data", lineNumber)
	}
	return t.dataset()
}

// declareColumns creates one column for each attribute, of the declared kind.
func (t *table) declareColumns(attrs []attribute) error {
	names := make([]string, len(attrs))
	for j, a := range attrs {
		names[j] = a.name
	}
	if err := t.applyOptions(names); err != nil {
		return err
	}
	for j, a := range attrs {
		c := t.cols[j]
		switch {
		case !c.isFeature() && (c.kind != label || a.kind == numbers):
		case a.kind == undecided:
			return fmt.Errorf("line %d: attribute %d (%s) has the type %s; only numeric attributes and lists of "+
				"values can be read: drop it with Options.DropColumns", a.line, j+1, shorten(a.name), quote(a.typ))
		case c.isFeature() && c.fitted == nil && len(a.values) > maxLevels:
			return fmt.Errorf("line %d: attribute %d (%s) has %d values, at most %d are allowed: drop it with "+
				"Options.DropColumns", a.line, j+1, shorten(a.name), len(a.values), maxLevels)
		default:
			if c.declared = a.values; c.kind == undecided {
				c.kind = a.kind
			}
		}
	}
	return nil
}

// attribute is one @attribute declaration of an ARFF file.
type attribute struct {
	name, typ string
	kind      kind     // numbers or nominal; undecided if the type cannot be read
	values    []string // declared values of a nominal attribute
	line      int
}

// quotableText is a name or a value of a line that may be in quotes.
type quotableText struct {
	s      string // the text without quotes
	quoted bool   // the file has quotes around the text
}

// parseAttribute parses the text after @attribute.
func parseAttribute(s string) (attribute, error) {
	var a attribute
	name, rest, err := cutQuoted(s)
	if err != nil {
		return a, err
	}
	if name.s == "" {
		return a, fmt.Errorf("no name")
	}
	a.name = name.s
	rest = strings.TrimSpace(rest)
	switch {
	case rest == "":
		return a, fmt.Errorf("%s has no type; write numeric or {value, …} after the name", quote(a.name))
	case rest[0] == '{':
		values, after, err := cutCells(rest[1:], ',', '}')
		if err == nil && after == "" {
			err = errors.New("the list of values is not closed by }")
		}
		if err != nil {
			return a, fmt.Errorf("%s: %w", quote(a.name), err)
		}
		if after = strings.TrimSpace(after[1:]); after != "" && after[0] != '%' {
			return a, fmt.Errorf("%s: %s follows the list of values; only a comment (%%) may", quote(a.name),
				quote(after))
		}
		seen := make(map[string]bool, len(values))
		for _, v := range values {
			switch {
			case v.s == "" && !v.quoted:
				return a, fmt.Errorf("%s: an empty value in the list", quote(a.name))
			case seen[v.s]:
				return a, fmt.Errorf("%s: the value %s is declared twice", quote(a.name), quote(v.s))
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

// addARFFRow parses the text of a line below @data and appends it to the rows.
func (t *table) addARFFRow(line int, text string) error {
	r := record{number: len(t.rows) + 1, line: line, cells: make([]string, len(t.cols))}
	if text[0] == '{' {
		return fmt.Errorf("%v: sparse rows are not read; save the file with dense rows, or as LIBSVM", r)
	}
	cells, _, err := cutCells(text, ',', 0)
	if err != nil {
		return fmt.Errorf("line %d: row %d: %w", line, r.number, err)
	}
	if len(cells) != len(t.cols) {
		return fmt.Errorf("line %d: row %d: %s for %d attributes", line, r.number, countText(len(cells), "cell"),
			len(t.cols))
	}
	for j, c := range cells {
		switch {
		case c.quoted || c.s != "" && c.s != "?":
			r.cells[j] = c.s
		case c.s == "" && t.cols[j].kind != dropped:
			return fmt.Errorf("%s: the cell is empty; write ? for a missing value", t.position(r, j))
		}
	}
	t.rows = append(t.rows, r)
	return nil
}

// cutCells splits s into cells at every unquoted separator. It stops at the first unquoted byte end, or at the end of s
// if end is 0. rest is the text from this byte on. An empty s is one empty cell.
func cutCells(s string, separator, end byte) (cells []quotableText, rest string, err error) {
	for {
		c, rest, err := cutQuoted(s)
		if err != nil {
			return nil, "", err
		}
		rest = strings.TrimLeft(rest, " \t")
		if !c.quoted { // a bare value may hold spaces
			i := 0
			for i < len(s) && s[i] != separator && (s[i] != end || end == 0) {
				i++
			}
			c.s, rest = cleanText(s[:i]), s[i:]
		}
		cells = append(cells, c)
		switch {
		case rest == "" || rest[0] == end && end != 0:
			return cells, rest, nil
		case rest[0] != separator:
			return nil, "", fmt.Errorf("%s follows the quoted %s; separate values by %q", quote(rest), quote(c.s),
				separator)
		}
		s = rest[1:]
	}
}

// cutQuoted returns the first word of s, and the text after it. A word that begins with a quote ends at the closing
// quote. Any other word ends before a space, a tab, a comma or a brace.
func cutQuoted(s string) (quotableText, string, error) {
	s = strings.TrimLeft(s, " \t")
	if s == "" {
		return quotableText{}, "", nil
	}
	q := s[0]
	if q != '\'' && q != '"' {
		i := strings.IndexAny(s, " \t,{}")
		if i < 0 {
			i = len(s)
		}
		return quotableText{cleanText(s[:i]), false}, s[i:], nil
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			if escaped := strings.IndexByte("nrt", s[i]); escaped >= 0 {
				b.WriteByte("\n\r\t"[escaped])
			} else {
				b.WriteByte(s[i])
			}
		case c == q:
			return quotableText{strings.ToValidUTF8(b.String(), "\uFFFD"), true}, s[i+1:], nil
		default:
			b.WriteByte(c)
		}
	}
	return quotableText{}, "", fmt.Errorf("the quote %c is not closed: %s", q, quote(s))
}
