package data

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/data/internal/sheet"
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
	content, err := sheet.Decode(raw)
	if err != nil {
		return nil, err
	}
	t := &table{o: o, isMissing: map[string]bool{"": true}, format: sheet.NumberFormat{IsPrescribed: true}}
	var attrs []attribute
	inData := false
	lineNumber := 0 // line of the file, from 1
	for line := range strings.Lines(content) {
		lineNumber++
		line = strings.TrimSpace(line)
		switch word, rest := cutWord(line); {
		case line == "" || line[0] == '%':
		case inData:
			err = t.addARFFRow(attrs, lineNumber, line)
		case strings.EqualFold(word, "@relation"):
		case strings.EqualFold(word, "@attribute"):
			a, e := parseAttribute(rest)
			if err = e; err != nil {
				err = fmt.Errorf("line %d: attribute %d: %w", lineNumber, len(attrs)+1, err)
			}
			attrs = append(attrs, a)
		case strings.EqualFold(word, "@data") && attrs != nil:
			inData = true
			err = t.declareColumns(attrs)
		default:
			err = fmt.Errorf("line %d: got %s; the header consists of @relation, @attribute and then @data", lineNumber,
				sheet.Quote(word))
		}
		if err != nil {
			return nil, err
		}
	}
	if !inData {
		return nil, fmt.Errorf("line %d: the file ends before @data", lineNumber)
	}
	return t.buildDataset()
}

// declareColumns creates one column for each attribute, of the declared kind.
func (t *table) declareColumns(attrs []attribute) error {
	names := make([]string, len(attrs))
	for j, a := range attrs {
		names[j] = a.name
	}
	if len(attrs) > sheet.MaxColumns {
		return fmt.Errorf("got %d attributes; at most %d can be read", len(attrs), sheet.MaxColumns)
	}
	if err := t.applyOptions(names); err != nil {
		return err
	}
	for j, a := range attrs {
		c := t.columns[j]
		switch {
		case !c.isFeature() && c.kind != label:
		case a.kind == undecided:
			return fmt.Errorf("attribute %d (%s) has the type %s; only numeric attributes and lists of values can be "+
				"read: drop it with Options.DropColumns", j+1, sheet.Shorten(a.name), sheet.Quote(a.typ))
		case c.kind == undecided:
			c.kind, c.isCategoricalByOption = a.kind, a.kind == nominal
		}
	}
	return nil
}

// attribute is one @attribute declaration of an ARFF file.
type attribute struct {
	name, typ string
	kind      kind     // numbers or nominal; undecided if this package cannot read the type
	values    []string // declared values of a nominal attribute
}

// quotableText is a name or a value in a line of the file, in quotes or not.
type quotableText struct {
	s        string // the name or value, without its quotes
	isQuoted bool   // the file has quotes around the text
}

// parseAttribute parses the text after @attribute.
func parseAttribute(s string) (attribute, error) {
	name, rest, err := cutQuoted(s)
	a := attribute{name: name.s}
	rest = strings.TrimSpace(rest)
	switch {
	case err != nil:
		return a, err
	case a.name == "" || rest == "":
		return a, fmt.Errorf("%s has no name or no type; write @attribute NAME numeric, or {value, …} for numeric",
			sheet.Quote(a.name))
	case rest[0] != '{':
		a.typ, _ = cutWord(rest)
		switch strings.ToLower(a.typ) {
		case "numeric", "real", "integer":
			a.kind = numbers
		}
		return a, nil
	}
	values, after, err := cutCells(rest[1:], '}')
	switch {
	case err != nil:
		return a, fmt.Errorf("%s: %w", sheet.Quote(a.name), err)
	case after == "":
		return a, fmt.Errorf("%s: the list of values is not closed by }", sheet.Quote(a.name))
	}
	if after = strings.TrimSpace(after[1:]); after != "" && after[0] != '%' {
		return a, fmt.Errorf("%s: %s follows the list of values; only a comment (%%) may", sheet.Quote(a.name),
			sheet.Quote(after))
	}
	a.kind = nominal
	for _, v := range values {
		if v.s == "" && !v.isQuoted || slices.Contains(a.values, v.s) {
			return a, fmt.Errorf("%s: the value %s is empty or declared twice", sheet.Quote(a.name), sheet.Quote(v.s))
		}
		a.values = append(a.values, v.s)
	}
	return a, nil
}

// addARFFRow parses a line below @data and appends the row.
func (t *table) addARFFRow(attrs []attribute, line int, text string) error {
	r := sheet.Record{RowNumber: len(t.rows) + 1, LineNumber: line, Cells: make([]string, len(t.columns))}
	if text[0] == '{' {
		return fmt.Errorf("%v: sparse rows are not read; save the file with dense rows, or as LIBSVM", r)
	}
	cells, _, err := cutCells(text, 0)
	if err == nil && len(cells) != len(t.columns) {
		err = fmt.Errorf("%s for %d attributes", sheet.Count(len(cells), "cell"), len(t.columns))
	}
	if err != nil {
		return fmt.Errorf("%v: %w", r, err)
	}
	for j, c := range cells {
		isMissing := !c.isQuoted && (c.s == "" || c.s == "?")
		switch {
		case !isMissing && attrs[j].values != nil && !slices.Contains(attrs[j].values, c.s):
			return fmt.Errorf("%s: %s is not among the declared values %s", t.cellPosition(r, j), sheet.Quote(c.s),
				sheet.List(attrs[j].values))
		case !isMissing:
			r.Cells[j] = c.s
		case c.s == "" && t.columns[j].kind != dropped:
			return fmt.Errorf("%s: the cell is empty; write ? for a missing value", t.cellPosition(r, j))
		}
	}
	t.rows = append(t.rows, r)
	return nil
}

// cutCells splits s into cells at every unquoted comma. It stops at the first unquoted endByte, or at the end of s if
// endByte is 0. rest is the text from this byte on. An empty s is one empty cell.
func cutCells(s string, endByte byte) (cells []quotableText, rest string, err error) {
	for {
		c, rest, err := cutQuoted(s)
		if err != nil {
			return nil, "", err
		}
		rest = strings.TrimLeft(rest, " \t")
		if !c.isQuoted { // a value without quotes may contain spaces
			i := strings.IndexFunc(s, func(r rune) bool { return r == ',' || r == rune(endByte) && endByte != 0 })
			if i < 0 {
				i = len(s)
			}
			c.s, rest = sheet.Clean(s[:i]), s[i:]
		}
		cells = append(cells, c)
		switch {
		case rest == "" || rest[0] == endByte && endByte != 0:
			return cells, rest, nil
		case rest[0] != ',':
			return nil, "", fmt.Errorf("%s follows the quoted %s; separate values by commas", sheet.Quote(rest),
				sheet.Quote(c.s))
		}
		s = rest[1:]
	}
}

// cutQuoted returns the first word of s and the text after the word. A word that begins with a quote ends at the
// closing quote. Any other word ends before a space, a tab, a comma or a brace.
func cutQuoted(s string) (word quotableText, rest string, err error) {
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
		return quotableText{sheet.Clean(s[:i]), false}, s[i:], nil
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			if escapeIndex := strings.IndexByte("nrt", s[i]); escapeIndex >= 0 {
				b.WriteByte("\n\r\t"[escapeIndex])
			} else {
				b.WriteByte(s[i])
			}
		case c == q:
			return quotableText{strings.ToValidUTF8(b.String(), "\uFFFD"), true}, s[i+1:], nil
		default:
			b.WriteByte(c)
		}
	}
	return quotableText{}, "", fmt.Errorf("the quote %c is not closed: %s", q, sheet.Quote(s))
}
