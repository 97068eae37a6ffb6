package data

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// oddTable is a table that was written with one oddity, with what a person knows about the oddity.
type oddTable struct {
	oddity string
	table  drawnTable // what must be read
	text   string
	header bool

	marker    string      // a word that stands for a missing value
	layouts   DateLayouts // of the column of dates
	isUnknown bool        // a comment without a blank after its mark may be a row, such as #f00,1
	isDoubted bool        // the text is read as another table, and a doubt must say so
}

// oddities are kinds of oddities, by name.
var oddities = []string{"comments", "title", "title with empty cells", "footer", "total", "unit line", "word among " +
	"dates",
	"word among amounts", "equal names", "unit", "spellings", "decimal commas in quotes", "clean"}

// insertColumn adds a column of numbers before the others.
func (d *drawnTable) insertColumn(name string, numbers []float64) {
	d.names = append([]string{name}, d.names...)
	d.numeric = append([]bool{true}, d.numeric...)
	d.numbers = append([][]float64{numbers}, d.numbers...)
	d.words = append([][]string{nil}, d.words...)
}

// pick returns one of the words.
func pick(rng *rand.Rand, words ...string) string { return words[rng.IntN(len(words))] }

// drawOddTable draws a table and writes it in a dialect with one oddity. ok is false if the oddity needs another table.
func drawOddTable(rng *rand.Rand) (o oddTable, d dialect, ok bool) {
	schema := drawSchema(rng)
	o.oddity = oddities[rng.IntN(len(oddities))]
	o.table = drawTable(rng, schema, 12+rng.IntN(40))
	d = drawDialect(rng)
	if d.thousands == '.' && !o.table.hasFraction() {
		d.thousands = 0
	}
	if slices.Contains([]string{"comments", "title", "title with empty cells", "footer", "total", "unit line"},
		o.oddity) {
		ok = o.writeBesideRows(rng, &d)
	} else {
		ok = o.writeInRows(rng, &d)
	}
	o.header = d.header
	return o, d, ok
}

// writeBesideRows writes the table with lines that are no rows. It returns false if the oddity needs another table.
func (o *oddTable) writeBesideRows(rng *rand.Rand, d *dialect) bool {
	lines := func(s string) []string { return strings.SplitAfter(s, d.end) }
	width := len(o.table.names)
	if o.text = d.write(o.table, rng); width < 2 || d.mark || strings.Contains(o.text, "line\nbreak") {
		return false
	}
	switch o.oddity {
	case "comments":
		rows := lines(strings.TrimSuffix(o.text, d.end) + d.end)
		mark := pick(rng, "# ", "% ", "// ", "#")
		for range 1 + rng.IntN(2) {
			at := rng.IntN(len(rows))
			comment := pick(rng, "by hand", "measured in May, twice", "v1")
			o.isUnknown = o.isUnknown || mark == "#" && strings.Count(comment, string(d.comma)) == width+d.trailing-1
			rows = slices.Insert(rows, at, mark+comment+d.end)
		}
		o.text = strings.Join(rows, "")
	case "title":
		o.text = pick(rng, "Report 2020", "Weights of all mice", "Extract of: table 3") + d.end + pick(rng, "", d.end) +
			o.text
	case "title with empty cells":
		if d.header = true; width < 3 || d.trailing > 0 || d.index > 0 {
			return false
		}
		o.text = "Report" + strings.Repeat(string(d.comma), width-1) + d.end + d.write(o.table, rng)
	case "footer":
		o.text = strings.TrimSuffix(o.text, d.end) + d.end + pick(rng, "Source: us", "---", "(3 rows affected)",
			"end") +
			d.end
	case "total":
		j := slices.Index(o.table.numeric[:width-1], false)
		if j < 0 || d.index > 0 || d.trailing > 0 {
			return false
		}
		cells := make([]string, width)
		for k := range cells {
			if cells[k] = "7"; !o.table.numeric[k] {
				cells[k] = d.quote(o.table.words[k][0], true)
			}
		}
		cells[j] = pick(rng, "Total", "Sum", "Mean", "TOTAL", "Average")
		o.text = strings.TrimSuffix(o.text, d.end) + d.end + strings.Join(cells, string(d.comma)) + d.end
	case "unit line":
		if d.header, d.index = true, 0; !slices.Contains(o.table.numeric, true) || d.mark || d.trailing > 0 {
			return false
		}
		for j := range o.table.names {
			if strings.ContainsAny(o.table.names[j], "\n") {
				return false
			}
		}
		var units []string
		for range width {
			units = append(units, pick(rng, "cm", "kg", "EUR", "text", "y/n", "(m)"))
		}
		rows := lines(d.write(o.table, rng))
		o.text = strings.Join(slices.Insert(rows, 1, strings.Join(units, string(d.comma))+d.end), "")
	}
	return true
}

// writeInRows writes the table with cells or names that differ from a plain table. It returns false if the oddity needs
// another table.
func (o *oddTable) writeInRows(rng *rand.Rand, d *dialect) bool {
	n, width := o.table.rows(), len(o.table.names)
	switch o.oddity {
	case "word among dates", "word among amounts":
		o.marker = pick(rng, "unknown", "-", "n.a.", "none", "*", ".", "missing", "—", "TBD", "low")
		layout := pick(rng, "2006-01-02", "02.01.2006", "2006/01/02", "2-Jan-2006", "2006-01-02T15:04:05")
		spelling := pick(rng, "%d kg", "%d%%", "$%d", "%d €", "%d/min", "%d°C")
		numbers, texts := make([]float64, n), make([]string, n)
		for i := range n {
			day := float64(18000 + rng.IntN(300))
			numbers[i], texts[i] = day, formatDay(layout, day)
			if o.oddity == "word among amounts" {
				numbers[i] = float64(1 + rng.IntN(90))
				texts[i] = fmt.Sprintf(spelling, int(numbers[i]))
			}
			if i == 3 || i == 7 {
				numbers[i], texts[i] = math.NaN(), o.marker
			}
		}
		isWord := func(words []string) bool { return slices.Contains(words, o.marker) }
		if d.header = true; slices.ContainsFunc(o.table.words, isWord) || strings.ContainsRune(layout, d.comma) {
			return false
		}
		o.table.insertColumn("odd", numbers)
		if o.oddity == "word among dates" {
			o.layouts = DateLayouts{"odd": layout}
		}
		d.cellText = func(j, i int) string { return map[bool]string{true: texts[i]}[j == 0] }
		o.text = d.write(o.table, rng)
	case "equal names":
		if d.header = true; width < 3 {
			return false
		}
		d.writtenNames = slices.Clone(o.table.names)
		d.writtenNames[1] = d.writtenNames[0]
		o.table.names[1] = sheet.Clean(o.table.names[0]) + ".1"
		o.text = d.write(o.table, rng)
	case "unit":
		spelling := pick(rng, "%s kg", "%s%%", "$%s", "%s €", "%s°C", "EUR %s", "%scm")
		numbers := make([]float64, n)
		for i := range n {
			numbers[i] = math.Round(rng.Float64()*5000) / 10
		}
		d.header = true
		o.table.insertColumn("odd", numbers)
		d.cellText = func(j, i int) string {
			return map[bool]string{true: fmt.Sprintf(spelling, d.number(numbers[i]))}[j == 0]
		}
		o.text = d.write(o.table, rng)
	case "spellings":
		j := slices.Index(o.table.numeric, false)
		if j < 0 {
			return false
		}
		odd := strings.NewReplacer("red", "red\u200b", "Old Town", "Old\u00a0Town", "yes", "Yes", "A", "a", "no", "no ",
			"green", "Green", "B", "B.")
		for i, s := range o.table.words[j] {
			if t := odd.Replace(s); t != s && strings.TrimSpace(t) != s && i%2 == 1 && slices.Contains([]string{"red",
				"Old Town", "yes", "A", "green", "B"}, s) {
				o.table.words[j][i] = t
			}
		}
		for _, s := range o.table.words[j] {
			o.isDoubted = o.isDoubted || odd.Replace(s) != s && slices.Contains(o.table.words[j], odd.Replace(s)) &&
				strings.TrimSpace(odd.Replace(s)) != s
		}
		o.text = d.write(o.table, rng)
	case "decimal commas in quotes":
		d.comma, d.decimal, d.thousands, d.quoting = ',', ',', 0, 2
		if !o.table.hasFraction() || d.index > 1 {
			return false
		}
		o.text = d.write(o.table, rng)
	default:
		o.text = d.write(o.table, rng)
	}
	return true
}

// formatDay writes the number of days since 1970-01-01 as a date.
func formatDay(layout string, day float64) string {
	return time.Unix(0, 0).UTC().AddDate(0, 0, int(day)).Format(layout)
}

var (
	namedNumber = regexp.MustCompile(`Options\.(SkipRows|SkipFooter): (\d+)`)
	namedMark   = regexp.MustCompile(`Options\.Comment: ("[^"]+")`)
	namedUnit   = regexp.MustCompile(`data\.Units\{("[^"]+"): ("[^"]+")\}`)
)

// follow sets the options that an error names, as a person does who knows the table, and reports whether it set one.
func (o oddTable) follow(options *Options, err error) bool {
	before, message := fmt.Sprintf("%+v", *options), err.Error()
	for _, m := range namedNumber.FindAllStringSubmatch(message, -1) {
		n, _ := strconv.Atoi(m[2])
		if m[1] == "SkipRows" {
			options.SkipRows = n
		} else {
			options.SkipFooter = n
		}
	}
	if m := namedMark.FindStringSubmatch(message); m != nil {
		options.Comment, _ = strconv.Unquote(m[1])
	}
	if strings.Contains(message, "Options.UnitLine") && o.oddity == "unit line" {
		options.UnitLine = true
	}
	options.NumberRepeatedNames = options.NumberRepeatedNames || strings.Contains(message,
		"Options.NumberRepeatedNames")
	if strings.Contains(message, "Options.MissingMarkers") && o.marker != "" && options.MissingMarkers == nil {
		options.MissingMarkers = append(slices.Clone(defaultMissingMarkers), o.marker)
	} else if m := namedUnit.FindStringSubmatch(message); m != nil && options.Units == nil {
		column, _ := strconv.Unquote(m[1])
		unit, _ := strconv.Unquote(m[2])
		options.Units = Units{column: unit}
	} else if strings.Contains(message, "Options.Dates") && o.layouts != nil {
		options.Dates = o.layouts
	}
	if strings.Contains(message, "Options.Decimal: ','") {
		options.Decimal = ','
	}
	return fmt.Sprintf("%+v", *options) != before
}

// checkOddities draws tables with one oddity. None may be read as another table without a doubt, and of those that are
// read if the oddity is absent, at least 95 % must be read right with the options that the errors name.
func checkOddities(t *testing.T, draws int) {
	total, right, doubted, failed := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	unknown := 0
	for seed := range draws {
		rng := rand.New(rand.NewPCG(uint64(seed), 54))
		o, d, ok := drawOddTable(rng)
		if !ok {
			continue
		}
		options := d.options()
		if options.Regression = o.table.numeric[len(o.table.names)-1]; o.oddity == "decimal commas in quotes" {
			options.Comma, options.Decimal = 0, 0
		}
		options.IndependentRows = true
		mean := o.table.means(o.header)
		total[o.oddity]++
		for step := 0; ; step++ {
			got, err := options.Read(strings.NewReader(o.text))
			if err != nil {
				if step < 5 && o.follow(&options, err) {
					continue
				}
				failed[o.oddity]++
				if failed[o.oddity] <= 2 {
					t.Logf("seed %d, %s: %v\n%.200q", seed, o.oddity, err, o.text)
				}
				break
			}
			why := o.table.difference(got, o.header, mean)
			hasDoubt := strings.Contains(strings.Join(got.Doubts, " "), "look alike")
			switch {
			case o.isDoubted && !hasDoubt:
				t.Errorf("seed %d, %s: no doubt\n%.300q", seed, o.oddity, o.text)
			case why == "":
				right[o.oddity]++
			case len(got.Doubts) > 0:
				doubted[o.oddity]++
			case o.isUnknown:
				unknown++
			default:
				t.Errorf("seed %d, %s, options %+v: read as different: %s\n%.300q", seed, o.oddity, options, why,
					o.text)
			}
			break
		}
		if t.Failed() && seed > 200 {
			break
		}
	}
	count, rightCount := 0, 0
	for _, oddity := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%-25s %5d tables: %5d right, %d with a doubt, %d rejected", oddity, total[oddity], right[oddity],
			doubted[oddity], failed[oddity])
		if oddity != "clean" {
			count, rightCount = count+total[oddity], rightCount+right[oddity]
		}
	}
	if t.Logf("%d of %d tables with an oddity are read right, %d cannot be known", rightCount, count,
		unknown); 100*rightCount < 95*count {
		t.Errorf("%d of %d tables with an oddity are read right, want 95 %%", rightCount, count)
	}
}
