package data

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// surveyed lines are enough to tell how a CSV file is written.
const surveyed = 100

// survey is how a CSV file is written, as its options and its first lines say.
type survey struct {
	comma   rune     // between cells; ' ' for runs of spaces and tabs
	width   int      // cells of a row; 0 if there is none
	decimal byte     // '.' or ','
	header  Header   // HeaderAuto if nothing but the kind of the cells decides
	short   bool     // the header lacks the name of the first column
	spare   bool     // every line ends in one separator more than it needs
	names   []string // from a comment before the first row
	named   int      // line of that comment
	notes   []string
}

// look surveys the beginning of a CSV file.
func look(text string, o *job, blank map[string]bool) (*survey, error) {
	s := &survey{comma: o.Comma, decimal: '.', header: o.Header}
	comment, at, rows := sampled(text)
	if s.comma == 0 {
		s.separator(rows, blank)
	}
	if len(rows) == 0 {
		return s, nil
	}
	cells := make([][]string, len(rows))
	for i, r := range rows {
		cells[i] = cut(r, s.comma)
	}
	s.width = len(cells[0])
	if len(cells) > 1 && shortHeader(cells) {
		s.short, s.width = true, s.width+1
	}
	s.spare = s.width > 2 && !s.short
	for _, c := range cells {
		s.spare = s.spare && len(c) == s.width && c[s.width-1] == ""
	}
	if s.spare {
		s.notes = append(s.notes, "the empty last column left out")
		for i := range cells {
			cells[i] = cells[i][:s.width-1]
		}
	}
	s.commas(cells, o)
	if o.Header != HeaderAuto {
		return s, nil
	}
	if comment != "" && s.width > 1 && !s.spare && anyNumber(cells[0], blank) {
		names := cut(strings.TrimLeft(comment, "# \t"), s.comma)
		if sign := cut(comment, s.comma); len(sign) > 0 && sign[0] == "#" && len(sign) == s.width {
			names = sign // the sign is the name of the first column
		}
		if len(names) == s.width && !anyNumber(names, blank) {
			s.names, s.named = names, at
			s.notes = append(s.notes, "names from the comment before the first row")
			return s, nil
		}
	}
	if o.like == nil {
		if err := s.counted(cells, blank, o); err != nil || s.header != HeaderAuto {
			return s, err
		}
		return s, s.stepped(cells, blank)
	}
	if o.like.Unnamed == 0 {
		s.header = HeaderYes
	}
	return s, nil
}

// sampled returns the first rows of a text, up to a quoted cell of several lines, and the comment that stands right
// before them, with its line, if there is one. Where every line begins with # they are rows.
func sampled(text string) (comment string, at int, rows []string) {
	var marked []string
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.TrimSpace(line) == "":
		case line[0] == '#':
			marked = append(marked, line)
			if len(rows) == 0 {
				comment, at = line, number
			}
		case strings.Count(line, `"`)%2 != 0:
			return comment, at, rows
		default:
			rows = append(rows, line)
		}
		if len(rows) == surveyed {
			break
		}
	}
	if len(rows) == 0 {
		return "", 0, marked[:min(len(marked), surveyed)]
	}
	return comment, at, rows
}

// cut returns the cells of a line, without spaces and quotes around them.
func cut(line string, comma rune) []string {
	if comma == ' ' {
		return strings.Fields(line)
	}
	r := csv.NewReader(strings.NewReader(line))
	r.Comma, r.LazyQuotes, r.TrimLeadingSpace = comma, true, comma != '\t'
	cells, err := r.Read()
	if err != nil {
		return nil
	}
	for j := range cells {
		cells[j] = clean(cells[j])
	}
	return cells
}

// separator finds what stands between cells: what cuts all lines into the same number of cells, at
// least two, and of such signs the one that leaves most numbers.
func (s *survey) separator(rows []string, blank map[string]bool) {
	s.comma = ','
	best := -1.0
	for _, comma := range []rune{',', ';', '\t', '|', ' '} {
		if comma == ' ' && best >= 0 {
			break
		}
		cells := make([][]string, len(rows))
		for i, r := range rows {
			cells[i] = cut(r, comma)
		}
		if len(cells) == 0 || !even(cells) {
			continue
		}
		body := cells
		if len(body) > 1 {
			body = body[1:]
		}
		numbers, all := 0, 0
		for _, c := range body {
			for _, v := range c {
				all++
				_, ok, _ := number(v)
				if !ok && !blank[v] {
					_, ok = decimalComma(v)
				}
				if ok || blank[v] {
					numbers++
				}
			}
		}
		share := float64(numbers) / float64(all)
		if comma == ' ' && share < 0.5 {
			continue // words of a text
		}
		if share > best {
			s.comma, best = comma, share
		}
	}
	switch s.comma {
	case ',':
	case ' ':
		s.notes = append(s.notes, "spaces between cells")
	default:
		s.notes = append(s.notes, fmt.Sprintf("%q between cells", s.comma))
	}
}

// even says whether all lines have the same number of cells, at least two; the first may lack one.
func even(cells [][]string) bool {
	want := len(cells[len(cells)-1])
	for i, c := range cells {
		if len(c) != want && !(i == 0 && shortHeader(cells)) {
			return false
		}
	}
	return want >= 2
}

// shortHeader says whether the first line names all columns but the first of each row, as R's
// write.table does.
func shortHeader(cells [][]string) bool {
	if len(cells) < 2 || len(cells[0])+1 != len(cells[1]) || len(cells[0]) < 2 {
		return false
	}
	for _, c := range cells[1:] {
		if len(c) != len(cells[1]) {
			return false
		}
	}
	return !anyNumber(cells[0], nil)
}

// anyNumber says whether a cell is a number, with a point or a comma before its decimals, or stands for a missing one.
func anyNumber(cells []string, blank map[string]bool) bool {
	for _, c := range cells {
		if _, ok, _ := number(c); ok || c != "" && blank[c] {
			return true
		}
		if _, ok := decimalComma(c); ok {
			return true
		}
	}
	return false
}

// commas finds whether a comma stands before decimals: in some cells, and a point in none. What could
// be thousands as well, 1,234, is left to be refused.
func (s *survey) commas(cells [][]string, o *job) {
	if o.Decimal != 0 {
		s.decimal = byte(o.Decimal)
		return
	}
	sure := false
	for _, c := range cells {
		for _, v := range c {
			if _, ok := decimalComma(v); ok {
				_, grouped := amount(v, '.')
				sure = sure || !grouped
			} else if _, ok, _ := number(v); ok && strings.IndexByte(v, '.') >= 0 {
				return
			}
		}
	}
	if sure {
		s.decimal = ','
		s.notes = append(s.notes, "decimal commas")
	}
}

// counted judges a first line of whole numbers that count, as a data frame without names of columns
// has: 0, 1, …, d−1, or these after an empty cell, or before names. It is a header where what stands
// below is of another kind, or where it is too long to be chance; it is refused where nothing tells.
func (s *survey) counted(cells [][]string, blank map[string]bool, o *job) error {
	first, from, k := cells[0], 0, 0
	if first[0] == "" && len(first) > 1 {
		from = 1
	}
	start, err := strconv.Atoi(first[from])
	for err == nil && from+k < len(first) && first[from+k] == strconv.Itoa(start+k) {
		k++
	}
	rest := first[from+k:]
	if k == 0 || k+len(rest) < 2 || anyNumber(rest, blank) || slices.Contains(rest, "") {
		return nil
	}
	what := "the first line counts, " + strings.Join(first[from:from+min(k, 3)], ", ")
	if k > 3 {
		what += ", …"
	}
	body := cells[1:]
	below := func(j int, is func(string) bool) bool { // a cell, and all that are not missing
		any := false
		for _, c := range body {
			if j >= len(c) || blank[c[j]] {
				continue
			}
			if !is(c[j]) {
				return false
			}
			any = true
		}
		return any
	}
	differs := false // a column has whole numbers on the first line alone
	for j := from; j < from+k; j++ {
		differs = differs || below(j, func(v string) bool { _, err := strconv.Atoi(v); return err != nil })
	}
	above := false // a name above numbers
	for j := from + k; j < len(first); j++ {
		above = above || below(j, func(v string) bool { _, ok, _ := number(v); return ok })
	}
	switch {
	case len(body) == 0:
	case above, from == 1 && start == 0 && below(0, func(string) bool { return true }),
		start == 0 && (k >= 5 && !o.matrix || k >= 3 && differs):
		return s.headed(what, true)
	case len(rest) > 0 || start != 0 && (k < 5 || !differs):
	case k >= 2:
		return s.headed(what, false)
	}
	return nil
}

// headed takes the first line for names where that is sure, else it is an error that asks.
func (s *survey) headed(what string, sure bool) error {
	if !sure {
		return fmt.Errorf("%s: are these names or a point? Options.Header: HeaderYes or HeaderNo says so", what)
	}
	s.header = HeaderYes
	s.notes = append(s.notes, what+": taken for names (Options.Header)")
	return nil
}

// stepped judges a first line of numbers in constant steps, such as wavelengths, 400, 410, …, as no other
// line has: at least four numbers, or three and one or two words that do not occur below them. Where a
// word stands above numbers it is a header; else it is refused, for nothing tells.
func (s *survey) stepped(cells [][]string, blank map[string]bool) error {
	value := func(v string) (float64, bool) {
		x, ok, err := numberWith(s.decimal, v)
		return x, ok && err == nil
	}
	first, body := cells[0], cells[1:]
	var at, words []int // columns of numbers, and of words
	for j, v := range first {
		if _, ok := value(v); ok {
			at = append(at, j)
		} else {
			words = append(words, j)
		}
	}
	even := func(c []string) bool {
		var last, step float64
		for k, j := range at {
			if j >= len(c) {
				return false
			}
			v, ok := value(c[j])
			switch d := v - last; {
			case !ok, k == 1 && d == 0, k > 1 && math.Abs(d-step) > 1e-6*math.Abs(step):
				return false
			case k == 1:
				step = d
			}
			last = v
		}
		return true
	}
	if len(body) == 0 || len(words) > 2 || len(at) < 4 && (len(at) < 3 || len(words) == 0) || !even(first) ||
		slices.ContainsFunc(body, even) {
		return nil
	}
	above := false
	for _, j := range words {
		numbers := true
		for _, c := range body {
			if j >= len(c) || c[j] == first[j] {
				return nil
			}
			_, ok := value(c[j])
			numbers = numbers && ok
		}
		if blank[first[j]] && first[j] != "" {
			return nil
		}
		above = above || numbers && first[j] != ""
	}
	return s.headed(fmt.Sprintf("the first line has numbers in constant steps, %s, %s, %s, "+
		"…", first[at[0]], first[at[1]],
		first[at[2]]), above)
}
