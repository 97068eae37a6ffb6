package data

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// drawnTable is a table of random cells, the last column of which is the label.
type drawnTable struct {
	names   []string
	numeric []bool
	numbers [][]float64 // of each column, NaN if missing; nil of words
	words   [][]string  // of each column, "" if missing; nil of numbers
}

func (d drawnTable) rows() int {
	return max(len(d.numbers[0]), len(d.words[0]))
}

// hasFraction reports whether a number is not whole.
func (d drawnTable) hasFraction() bool {
	return slices.ContainsFunc(slices.Concat(d.numbers...), func(v float64) bool {
		return !math.IsNaN(v) && v != math.Trunc(v)
	})
}

// vocabulary are words that contain separators, quotes, line breaks and blanks.
var vocabulary = []string{"red", "green", "blue", "Old Town", "a,b", "x;y", "one|two", "5\" pipe", "line\nbreak",
	"Ünal", "k-9",
	"no. 3", "tab\tinside", "'quoted'", "semi; colon, comma", "#1 choice", "A", "B", "yes", "no", "1st", "-", "+",
	"v1.5"}

// drawTable draws a table of n rows. Columns of words have two to five levels, each of them at least once.
func drawTable(rng *rand.Rand, schema drawnTable, n int) drawnTable {
	t := schema
	t.numbers, t.words = make([][]float64, len(t.names)), make([][]string, len(t.names))
	for j := range t.names {
		isLabel := j == len(t.names)-1
		missing := 0.0
		if !isLabel && rng.IntN(3) == 0 {
			missing = 0.1
		}
		if t.numeric[j] {
			decimals := []int{0, 0, 1, 2, 3}[rng.IntN(5)]
			size := []float64{2, 10, 500, 30000, 2e6}[rng.IntN(5)]
			for i := range n {
				v := math.Round((rng.Float64()*1.5-0.5)*size*math.Pow10(decimals)) / math.Pow10(decimals)
				if i > 0 && rng.Float64() < missing {
					v = math.NaN()
				}
				t.numbers[j] = append(t.numbers[j], v+0)
			}
			continue
		}
		levels := schema.words[j]
		for i := range n {
			s := levels[rng.IntN(len(levels))]
			if i < len(levels) {
				s = levels[i]
			}
			if i > len(levels) && rng.Float64() < missing {
				s = ""
			}
			t.words[j] = append(t.words[j], s)
		}
	}
	return t
}

// drawSchema draws names and kinds of columns, and the levels of those of words.
func drawSchema(rng *rand.Rand) drawnTable {
	var t drawnTable
	names := []string{"age", "height, cm", "city", "price;EUR", "n", "a b", "c|d", "x1", "x2", "weight \"net\"", "kind",
		"T"}
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	t.names = names[:2+rng.IntN(6)]
	t.words = make([][]string, len(t.names))
	for j := range t.names {
		t.numeric = append(t.numeric, rng.IntN(5) < 3)
		if !t.numeric[j] {
			words := slices.Clone(vocabulary)
			rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			t.words[j] = words[:2+rng.IntN(4)]
		}
	}
	return t
}

// dialect is how a table is written.
type dialect struct {
	comma, decimal, thousands rune
	quoting                   int // 0 where needed, 1 words, 2 everything
	header                    bool
	index                     int // 0 none, 1 pandas, 2 R's write.csv, 3 R's write.table with a short header
	trailing                  int // separators at the end of each row
	trailingHeader            bool
	end                       string
	mark                      bool // a byte order mark
	missing                   string

	writtenNames []string              // the names in the header, if they differ from those of the table
	cellText     func(j, i int) string // the text of a cell if it is not "" and the table does not state the cell
}

func drawDialect(rng *rand.Rand) dialect {
	pick := func(r ...rune) rune { return r[rng.IntN(len(r))] }
	d := dialect{comma: pick(',', ',', ';', '\t', '|'), decimal: pick('.', '.', ','), quoting: rng.IntN(3),
		header: rng.IntN(4) > 0, end: []string{"\n", "\r\n"}[rng.IntN(2)], mark: rng.IntN(4) == 0,
		missing: []string{"", "NA", "?", "NaN"}[rng.IntN(4)]}
	if d.comma == ',' {
		d.decimal = '.'
	}
	if rng.IntN(4) == 0 {
		d.trailing = 1 + rng.IntN(2)
		d.trailingHeader = rng.IntN(2) == 0 || d.trailing > 1
	}
	if d.header && rng.IntN(3) == 0 {
		d.index = 1 + rng.IntN(3)
	}
	if d.index == 3 {
		d.trailing = 0
	}
	if rng.IntN(4) == 0 {
		for d.thousands == 0 || d.thousands == d.decimal || d.thousands == d.comma {
			d.thousands = pick(',', '.', ' ', '\'', '\u00A0')
		}
	}
	return d
}

// options returns the options that say how a dialect is written.
func (d dialect) options() Options {
	o := Options{Format: CSV, Comma: d.comma, Decimal: d.decimal, Thousands: d.thousands, Header: HeaderNo,
		Missing: Fill}
	if d.thousands == '\u00A0' {
		o.Thousands = ' '
	}
	if d.header {
		o.Header = HeaderYes
	}
	return o
}

func (d dialect) number(v float64) string {
	if math.IsNaN(v) {
		return d.missing
	}
	s := strconv.FormatFloat(math.Abs(v), 'f', -1, 64)
	whole, fraction, has := strings.Cut(s, ".")
	if d.thousands != 0 {
		for k := len(whole) - 3; k > 0; k -= 3 {
			whole = whole[:k] + string(d.thousands) + whole[k:]
		}
	}
	if has {
		whole += string(d.decimal) + fraction
	}
	if v < 0 {
		whole = "-" + whole
	}
	return whole
}

func (d dialect) quote(s string, isWord bool) string {
	if s == "" && d.quoting < 2 {
		return s
	}
	needs := strings.ContainsAny(s, "\"\n\r"+string(d.comma)) || strings.TrimSpace(s) != s
	if needs || d.quoting == 2 || d.quoting == 1 && isWord {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// write writes a table in a dialect.
func (d dialect) write(t drawnTable, rng *rand.Rand) string {
	var b strings.Builder
	if d.mark {
		b.WriteString("\uFEFF")
	}
	line := func(cells []string, trailing int) {
		b.WriteString(strings.Join(cells, string(d.comma)) + strings.Repeat(string(d.comma), trailing) + d.end)
	}
	if d.header {
		var cells []string
		if d.index == 1 || d.index == 2 {
			cells = append(cells, d.quote("", true))
		}
		names := t.names
		if d.writtenNames != nil {
			names = d.writtenNames
		}
		for _, s := range names {
			cells = append(cells, d.quote(s, true))
		}
		trailing := 0
		if d.trailingHeader {
			trailing = d.trailing
		}
		line(cells, trailing)
	}
	order := rng.Perm(t.rows())
	for i := range t.rows() {
		var cells []string
		switch d.index {
		case 1:
			cells = append(cells, fmt.Sprint(order[i]))
		case 2, 3:
			cells = append(cells, d.quote(fmt.Sprint(i+1), true))
		}
		for j := range t.names {
			text := ""
			if d.cellText != nil {
				text = d.cellText(j, i)
			}
			switch {
			case text != "":
				cells = append(cells, d.quote(text, true))
			case t.numeric[j]:
				cells = append(cells, d.quote(d.number(t.numbers[j][i]), false))
			case t.words[j][i] == "":
				cells = append(cells, d.missing)
			default:
				cells = append(cells, d.quote(t.words[j][i], true))
			}
		}
		line(cells, d.trailing)
	}
	s := b.String()
	if rng.IntN(5) == 0 {
		s = strings.TrimSuffix(s, d.end)
	}
	return s
}

// difference returns how a dataset differs from the table that was written; "" if it does not.
func (t drawnTable) difference(d *Dataset, header bool, mean map[string]float64) string {
	n := t.rows()
	if d.Len() != n {
		return fmt.Sprintf("%d points, %d rows were written", d.Len(), n)
	}
	x, features, labels := d.X.(points.Rows), d.Features(), d.Labels()
	last := len(t.names) - 1
	at := 0
	for j, name := range t.names[:last] {
		if name = sheet.Clean(name); !header {
			name = fmt.Sprintf("x%d", j+1)
		}
		if t.numeric[j] {
			if at >= x.D || features[at] != name {
				return fmt.Sprintf("feature %d of %q, %q was written", at, features, name)
			}
			for i, v := range t.numbers[j] {
				if math.IsNaN(v) {
					v = mean[name]
				}
				if got := x.Row(i)[at]; got != v && !(math.IsNaN(t.numbers[j][i]) &&
					math.Abs(got-v) < 1e-9*(1+math.Abs(v))) {
					return fmt.Sprintf("row %d, %s: %v, %v was written", i+1, name, got, v)
				}
			}
			at++
			continue
		}
		from := at
		for at < x.D && strings.HasPrefix(features[at], name+"=") {
			at++
		}
		if at == from {
			return fmt.Sprintf("feature %d of %q, words %q were written", at, features, name)
		}
		for i, s := range t.words[j] {
			want := name + "=" + sheet.Clean(s)
			if s == "" {
				want = name + "=?"
			}
			for k := from; k < at; k++ {
				if (x.Row(i)[k] == 1) != (features[k] == want) {
					return fmt.Sprintf("row %d: %s = %g, %q was written", i+1, features[k], x.Row(i)[k], s)
				}
			}
		}
	}
	if at != x.D {
		return fmt.Sprintf("%d features %q, %d were written", x.D, features, at)
	}
	if d.Y == nil {
		return ""
	}
	for i := range n {
		got, want := "", ""
		if d.Classes != nil {
			got = labels[i]
		} else {
			got = sheet.FormatNumber(d.Y[i])
		}
		if want = sheet.FormatNumber(0); t.numeric[last] {
			want = sheet.FormatNumber(t.numbers[last][i])
			if d.Classes != nil {
				want = canonicalLabel(want)
			}
		} else {
			want = sheet.Clean(t.words[last][i])
		}
		if got != want {
			return fmt.Sprintf("label of row %d: %s, %s was written", i+1, got, want)
		}
	}
	return ""
}

// means returns the mean of the numbers of each column that is not missing, by the name that the column gets.
func (t drawnTable) means(header bool) map[string]float64 {
	mean := map[string]float64{}
	for j, v := range t.numbers {
		sum, k := 0.0, 0.0
		for _, x := range v {
			if !math.IsNaN(x) {
				sum, k = sum+x, k+1
			}
		}
		name := sheet.Clean(t.names[j])
		if !header {
			name = fmt.Sprintf("x%d", j+1)
		}
		mean[name] = sum / k
	}
	return mean
}

// TestDialects writes random tables in random dialects of CSV and reads them back: with default options, with the
// options of the dialect, and as a new file for a model. Nothing may be read as different numbers or names; with the
// options of the dialect, at most 1 % of the tables may be rejected.
func TestDialects(t *testing.T) {
	checkDialects(t, 2000)
	checkOddities(t, 600)
}

// TestManyDialects is TestDialects with ten times as many tables.
func TestManyDialects(t *testing.T) {
	testenv.SkipUnlessLong(t)
	checkDialects(t, 20000)
	checkOddities(t, 20000)
}

func checkDialects(t *testing.T, draws int) {
	rejected, read := map[string]int{}, 0
	byDefault := 0
	for seed := range draws {
		rng := rand.New(rand.NewPCG(uint64(seed), 40))
		schema := drawSchema(rng)
		table := drawTable(rng, schema, 8+rng.IntN([]int{20, 60, 293}[rng.IntN(3)]))
		d := drawDialect(rng)
		if d.thousands == '.' && !table.hasFraction() {
			d.thousands = 0 // 1.234 is a number with a decimal point, and no cell says otherwise
		}
		text := d.write(table, rng)
		last := len(table.names) - 1
		isNumber := table.numeric[last]
		o := d.options()
		o.Regression = isNumber
		mean := table.means(d.header)
		for _, how := range []Options{{Format: CSV}, {Format: CSV, Missing: Fill, Regression: isNumber}} {
			if got, err := how.Read(strings.NewReader(text)); err == nil {
				byDefault++
				if why := table.difference(got, d.header, mean); why != "" {
					t.Errorf("seed %d, options %+v: read as different: %s\n%+v\n%.400q", seed, how, why, d, text)
				}
			}
		}
		first, err := o.Read(strings.NewReader(text))
		read++
		if err != nil {
			rejected[err.Error()]++
			continue
		}
		if why := table.difference(first, d.header, mean); why != "" {
			t.Errorf("seed %d, options of the dialect: read as different: %s\n%+v\n%.400q", seed, why, d, text)
			continue
		}
		again := drawTable(rng, schema, 8+rng.IntN(20))
		for k := range 2 {
			e := d
			if k == 1 {
				if e = drawDialect(rng); e.thousands == d.decimal {
					e.thousands = 0 // 1,234 is a number where the training file has decimal commas
				}
			}
			how := must(first.Encoding.newReadOptions(CSV, k == 0))
			got, err := (&job{Options: how, training: first.Encoding}).read([]byte(e.write(again, rng)))
			if err != nil {
				if k == 0 && e.index != 3 && !strings.Contains(err.Error(), "missing") &&
					!strings.Contains(err.Error(), "names of the rows") {
					t.Errorf("seed %d: a new file of the same dialect: %v\n%+v", seed, err, d)
				}
				continue
			}
			if len(got.UnseenValues) > 0 {
				continue
			}
			if why := again.difference(got, d.header, mean); why != "" {
				t.Errorf("seed %d: a new file read as different: %s\n%+v\n%+v\n%.300q", seed, why, d, e, e.write(again,
					rng))
			}
		}
		if t.Failed() && seed > 100 {
			break
		}
	}
	n := 0
	for _, k := range maps.All(rejected) {
		n += k
	}
	t.Logf("%d tables; with the options of the dialect %d rejected; without or with few options %d of %d read", read, n,
		byDefault, 2*read)
	for why := range rejected {
		t.Log(why)
	}
	if 100*n > read {
		t.Errorf("%d of %d well-posed tables are rejected", n, read)
	}
}
