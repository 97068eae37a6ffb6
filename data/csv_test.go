package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

// csvCase is a file and what must become of it: the names and numbers of its features, its labels, and words in
// Prepared; or an error with words in it.
type csvCase struct {
	name     string
	options  Options
	text     string
	features string // "a b: 1 2 | 3 4": names, then rows
	labels   string // "u v", classes by name or numbers
	noted    string
	wrong    []string
}

func (c csvCase) check(t *testing.T) {
	t.Helper()
	d, err := read(CSV, c.options, c.text)
	if c.wrong != nil {
		if err == nil {
			t.Errorf("%s: read as %v, %v", c.name, d.Features(), dense(d.X))
			return
		}
		wantError(t, err, c.wrong...)
		return
	}
	if err != nil {
		t.Errorf("%s: %v", c.name, err)
		return
	}
	var rows []string
	x := d.X.(points.Rows)
	for i := range x.N {
		rows = append(rows, strings.Trim(fmt.Sprint(x.Row(i)), "[]"))
	}
	if got := strings.Join(d.Features(), " ") + ": " + strings.Join(rows, " | "); got != c.features {
		t.Errorf("%s: features %q, expected %q", c.name, got, c.features)
	}
	labels := strings.Join(d.Labels(), " ")
	if d.Classes == nil {
		labels = strings.Trim(fmt.Sprint(d.Y), "[]")
	}
	if labels != c.labels {
		t.Errorf("%s: labels %q, expected %q", c.name, labels, c.labels)
	}
	if !strings.Contains(d.Preparation, c.noted) {
		t.Errorf("%s: prepared %q, expected %q in it", c.name, d.Preparation, c.noted)
	}
}

// TestSeparators: one candidate must fit; a candidate in every row that does not fit is an error.
func TestSeparators(t *testing.T) {
	const same, labels = "a b: 1.5 0 | 2.5 3 | 3.5 6", "0 1 0"
	for sep, noted := range map[string]string{",": "nothing missing", ";": "';' separates cells",
		"\t": `'\t' separates`,
		"|":  "'|' separates cells", " ": "runs of blanks separate cells", "    ": "runs of blanks separate cells"} {
		for _, end := range []string{"", "   \n", "\n\n", " \r\n"} {
			text := strings.ReplaceAll("\n\na,b,y\n1.5,0,0\n2.5,3,1\n3.5,6,0", ",", sep) + end
			csvCase{name: fmt.Sprintf("%q, end %q", sep, end), text: text, features: same, labels: labels,
				noted: noted}.check(t)
		}
	}
	for _, c := range []csvCase{
		{name: "two fit", text: "1,5;2\n3,5;4\n2,5;2\n", wrong: []string{"several separators fit",
			"',' gives 2 columns",
			"';' gives 2 columns", "Options.Comma"}},
		{name: "the first line decides", text: "sep=;\na;b,c;y\n1;2;0\n3;4;1\n", features: "a b,c: 1 2 | 3 4",
			labels: "0 1"},
		{name: "the first line against the option", options: Options{Comma: ','}, text: "sep=;\na;y\n1;0\n",
			wrong: []string{"line 1", "Options.Comma"}},
		{name: "ragged", text: "a,b,y\n1,2,0\n3,4\n", wrong: []string{"line 3 has 2 cells, but line 2 has 3", "','"}},
		{name: "ragged where another fits", text: "a;b,y\n1;2,0\n3;4,5,1\n2;2,0\n", wrong: []string{"line 3", "','"}},
		{name: "in some rows only", text: "a,b\n1,2\n3\n",
			wrong: []string{"no separator fits", "',' is not in line 3",
				"Options.Comma"}},
		{name: "quoted separators", text: "t,a,y\n\"u;v, w\",1,0\n\"x;z, w\",2,1\n\"u;v, w\",3,1\n",
			features: "t=u;v, w t=x;z, w a: 1 0 1 | 0 1 2 | 1 0 3", labels: "0 1 1"},
		{name: "a column of decimal commas", options: Options{Decimal: ',', Unlabeled: true}, text: "1,5\n2,5\n3,7\n",
			features: "x1: 1.5 | 2.5 | 3.7"},
		{name: "decimal commas between blanks, stated", options: Options{Decimal: ','},
			text: "a b y\n1,5 2,5 u\n3,5 4,5 v\n", features: "a b: 1.5 2.5 | 3.5 4.5", labels: "u v"},
		{name: "blanks in numbers and between them", options: Options{Comma: ' ', Thousands: ' '},
			text: "a y\n1 0\n2 1\n", wrong: []string{"Options.Thousands"}},
		{name: "libsvm", text: "1 1:2 3:1\n0 2:1\n", wrong: []string{"Options.Format: data.LIBSVM"}},
		{name: "auto-mpg", text: "18.0   8   307.0\t\"chevrolet\"\n15.0   8   350.0\t\"buick\"\n16.0   8   " +
			"304.0\t\"buick\"\n",
			options: Options{Header: HeaderNo}, wrong: []string{"Options.Comma: ' '"}},
	} {
		c.check(t)
	}
}

// TestColumnsWithoutName: separators at the end of rows are no columns; a first column without a name holds names of
// rows.
func TestColumnsWithoutName(t *testing.T) {
	for _, c := range []csvCase{
		{name: "header and rows", text: "a,b,y,\n1,2,0,\n3,4,1,\n", features: "a b: 1 2 | 3 4", labels: "0 1",
			noted: "left out 1 empty column without a name"},
		{name: "rows alone, several", text: "a,b,y\n1,2,0,,\n3,4,1,,\n", features: "a b: 1 2 | 3 4", labels: "0 1"},
		{name: "a cell in it", text: "a,b,y,\n1,2,0,\n3,4,1,7\n", wrong: []string{"Options.Header"}},
		{name: "a named column", text: "a,b,y\n1,,0\n3,,1\n", options: Options{Missing: Fill},
			wrong: []string{"column 2 (b)",
				"all 2 cells are missing"}},
		{name: "pandas", text: ",a,y\n0,5.5,u\n1,6.5,v\n2,7.5,u\n", features: "a: 5.5 | 6.5 | 7.5", labels: "u v u",
			noted: "column 1, without a name and different in each row, left out (Options.KeepIndexColumn keeps it)"},
		{name: "R's write.table", text: "\"a\" \"y\"\n\"1\" 5.5 \"u\"\n\"2\" 6.5 \"v\"\n", features: "a: 5.5 | 6.5",
			labels: "u v"},
		{name: "kept", options: Options{KeepIndexColumn: true}, text: ",x1,y\n3,5.5,u\n1,6.5,v\n",
			features: "column 1 x1: 3 5.5 | 1 6.5",
			labels:   "u v"},
		{name: "repeated", text: ",a,y\n1,5.5,u\n1,6.5,v\n", wrong: []string{"column 1 has no name",
			"Options.KeepIndexColumn"}},
	} {
		c.check(t)
	}
}

// TestHeaders: the first line is a header or a row if its cells prove it, else an error names the option.
func TestHeaders(t *testing.T) {
	undecided := []string{"line 1", "set Options.Header: HeaderYes or HeaderNo"}
	for _, c := range []csvCase{
		{name: "names", text: "a,b,y\n1,2,0\n3,4,1\n", features: "a b: 1 2 | 3 4", labels: "0 1"},
		{name: "numbers and words that recur",
			text:     "39,Private,<=50K\n50,Self,>50K\n38,Private,<=50K\n28,Self,>50K\n",
			features: "x1 x2=Private x2=Self: 39 1 0 | 50 0 1 | 38 1 0 | 28 0 1", labels: "<=50K >50K <=50K >50K"},
		{name: "a word that does not recur", text: "39,Private,u\n50,Self,v\n38,Self,u\n28,Self,v\n",
			wrong: undecided},
		{name: "words alone", text: "YELLOW,SMALL,T\nYELLOW,LARGE,F\nYELLOW,SMALL,T\n", wrong: undecided},
		{name: "a counting line", text: "0,1,2\n5,3,0\n4,2,1\n", wrong: undecided},
		{name: "wavelengths", text: "400.5,401.5,402.5,class\n5,3,2,0\n4,2,1,1\n", wrong: undecided},
		{name: "years above decimals", text: "2010,2015,2018\n5.5,3.5,0.5\n4.5,2.5,1.5\n", wrong: undecided},
		{name: "a year above names of rows", options: Options{Missing: Fill, Regression: true},
			text:  ",2020\nu,8\nv,1\nu,3\n",
			wrong: append(undecided, "only its first cell is empty")},
		{name: "the same, stated", options: Options{Missing: Fill, Regression: true, Header: HeaderNo},
			text: ",2020\nu,8\nv,1\nu,3\n", features: "x1=u x1=v x1=?: 0 0 1 | 1 0 0 | 0 1 0 | 1 0 0",
			labels: "2020 8 1 3"},
		{name: "a first cell that is missing, and words that recur", text: ",no,u\n3,no,v\n4,yes,u\n",
			wrong: undecided},
		{name: "a marker", text: "?,red,u\n5,blue,v\n6,red,u\n", wrong: undecided[1:]},
		{name: "from numpy", text: "# a,b,y\n1,2,0\n3,4,1\n", wrong: []string{"line 1 begins with #"}},
		{name: "a comment or names", text: "#a,b,y\n1,2,0\n3,4,1\n", wrong: append(undecided, "begins with #")},
		{name: "names that begin with the sign", text: "#a,b,y\n1,2,0\n3,4,1\n", options: Options{Header: HeaderYes},
			features: "#a b: 1 2 | 3 4", labels: "0 1"},
		{name: "two lines of names", text: "a,b,y\nmm,kg,class\n1,2,0\n3,4,1\n",
			wrong: []string{"lines 1 and 2 have only words", "Options.UnitLine"}},
		{name: "words above a column of words", text: "a,b,y\nu,v,yes\nv,u,no\n", wrong: undecided},
		{name: "a second line of names", text: "a,b,y\nmm,kg,class\n1,2,0\n3,4,1\n5,6,0\n7,8,1\n",
			options: Options{Label: "y"}, wrong: []string{"row 1 (line 2), column 1 (a)", "Options.Categorical"}},
		{name: "a second line of names above codes", text: "a,y\ncode,class\n1,0\n3,1\n1,0\n3,1\n",
			options: Options{Header: HeaderYes, Categorical: []string{"a"}},
			wrong:   []string{"row 1 (line 2), column 2 (y)", `"class"`, `Options.Categorical: []string{"y"}`}},
		{name: "a class that is a word", text: "a,y\n0,other\n1,1\n3,2\n1,1\n3,2\n",
			options:  Options{Header: HeaderYes, Categorical: []string{"y"}},
			features: "a: 0 | 1 | 3 | 1 | 3", labels: "other 1 2 1 2"},
		{name: "rows begin with the sign", text: "#f00,2,0\n#0f0,4,1\n#f00,5,1\n", options: Options{Header: HeaderNo},
			features: "x1=#0f0 x1=#f00 x2: 0 1 2 | 1 0 4 | 0 1 5", labels: "0 1 1"},
	} {
		c.check(t)
	}
}

// TestNumbers: one decimal mark, no groups of digits without an option, no codes and no other spellings.
func TestNumbers(t *testing.T) {
	for _, c := range []csvCase{
		{name: "plain", text: "a,b,y\n-1.5e3,+.5,0\n2.,1E-2,1\n", features: "a b: -1500 0.5 | 2 0.01", labels: "0 1"},
		{name: "groups", options: Options{Thousands: ','}, text: "a;y\n1,234.5;0\n12,345,678;1\n-9;1\n",
			features: "a: 1234.5 | 1.2345678e+07 | -9", labels: "0 1 1"},
		{name: "groups between spaces", options: Options{Thousands: ' '}, text: "a;y\n1 234;0\n1\u00A0234;1\n",
			features: "a: 1234 | 1234", labels: "0 1"},
		{name: "a tab between groups", options: Options{Thousands: ' '}, text: "a;y\n1\t234;0\n5 234;1\n",
			wrong: []string{"row 1 (line 2), column 1 (a)", "not a number"}},
		{name: "a line break between groups", options: Options{Thousands: ' '}, text: "a;y\n\"1\n234\";0\n2;1\n",
			wrong: []string{"row 1 (line 2), column 1 (a)", "not a number"}},
		{name: "days", options: Options{Dates: DateLayouts{"d": "02.01.2006"}},
			text:     "d,a,y\n02.01.1970,5,0\n01.03.2000,6,1\n",
			features: "d a: 1 5 | 11017 6", labels: "0 1"},
	} {
		c.check(t)
	}
	names := "Options.Categorical reads the column as names, Options.DropColumns leaves it out"
	for cell, want := range map[string][]string{
		"1,5":              {`"1,5" is not a number`, "Options.Decimal: ','"},
		"1,234":            {"Options.Decimal: ','", "Options.Thousands: ','"},
		"1,234,567":        {"Options.Thousands: ','"},
		"1.234.567":        {"Options.Thousands: '.'"},
		"1 234":            {"Options.Thousands: ' '"},
		"1'234.5":          {`Options.Thousands: '\''`},
		"007":              {"leading zero", names},
		"00.5":             {"leading zero", names},
		"9007199254740993": {"above 2^53", names},
		"1e101":            {"outside the range of numbers"},
		"1e-101":           {"outside the range of numbers"},
		"1e999":            {"outside the range of numbers"},
		"-Inf":             {"not a finite number"},
		"12%":              {"begins like a number", names, "Options.Dates"},
		"$3.50":            {"begins like a number", names},
		"0x1F":             {"begins like a number"},
		"1.0D+00":          {"begins like a number"},
		"70 kg":            {"begins like a number"},
		"<0.5":             {"begins like a number"},
		"±0.5":             {"begins like a number"},
		"≈ 70":             {"begins like a number"},
		"2024-01-31":       {"begins like a number", "Options.Dates"},
		"5-Jan-20":         {"begins like a number", "Options.Dates"},
		"Jan 5, 2020":      {"begins like a number", "Options.Dates"},
		"12:30:00":         {"begins like a number", "Options.Dates"},
		"\uFF11\uFF12":     {"begins like a number"},
	} {
		for _, text := range []string{"a;y\n" + cell + ";0\n" + cell + ";1\n", "a;y\n" + cell + ";0\n3;1\n"} {
			o := Options{Header: HeaderYes}
			_, err := read(CSV, o, text)
			if err == nil {
				t.Errorf("%q is read", text)
				continue
			}
			if !strings.Contains(text, "3;1") || !strings.HasPrefix(want[0], "begins") {
				wantError(t, err, append([]string{"row 1 (line 2), column 1 (a)"}, want...)...)
			}
		}
		// The same function reads labels, classes, several targets, matrices and new files.
		if strings.HasPrefix(want[0], "begins") {
			continue
		}
		for _, o := range []Options{{Header: HeaderYes}, {Header: HeaderYes, Regression: true}, {Targets: []string{"y",
			"z"}}} {
			if _, err := read(CSV, o, "a;z;y\n1;2;"+cell+"\n2;1;3\n3;1;3\n"); err == nil {
				t.Errorf("%q is read as a label, options %+v", cell, o)
			}
		}
		if _, err := matrixOf(Options{Format: CSV}, "1.5;"+cell+"\n2;3\n"); err == nil && cell != "1e-101" {
			t.Errorf("%q is read in a matrix", cell)
		}
		model := mustRead(t, CSV, Options{}, "a,b,y\n1.5,2,0\n2.5,3,1\n")
		if _, err := pointsIn(model.Encoding, file(t, "new.csv", "a,b\n\""+cell+"\",2\n")); err == nil {
			t.Errorf("%q is read in a new file", cell)
		}
	}
	dated := mustRead(t, CSV, Options{Dates: DateLayouts{"d": "02.01.2006"}}, "d,a,y\n02.01.1970,5,0\n03.01.1970,6,1\n")
	if c := dated.FileColumns(); c[0].FormatDate(1) != "02.01.1970" || c[1].DateLayout != "" {
		t.Errorf("columns %+v", c)
	}
	if z := must(pointsIn(reread(t, dated.Encoding), file(t, "new.csv", "d,a\n05.01.1970,7\n"))); dense(z)[0] != 4 {
		t.Errorf("a date in a new file is %v", dense(z))
	}
	wantError(t, errorOf(read(CSV, Options{Dates: DateLayouts{"a": "dd.mm.yyyy"}}, "a,y\n1.1.2000,0\n")),
		"Options.Dates",
		"does not determine a date", `"02.01.2006"`)
	wantError(t, errorOf(read(CSV, Options{Dates: DateLayouts{"a": "02.01.2006"}},
		"a,b,y\n01.01.2000,1,0\nsoon,2,1\n")),
		"row 2 (line 3), column 1 (a)", `"soon" is not a date of the layout`)
}

// TestNewFilesKeepTheDialect: a new file is read as the training file was written, never in a third way.
func TestNewFilesKeepTheDialect(t *testing.T) {
	for _, c := range []struct {
		learned string
		options Options
		new     string
		want    string // numbers, or words of an error after "error: "
	}{
		{"a,b,y\n1.5,2,0\n2.5,3,1\n", Options{}, "a;b\n3;4\n", "error: 1 column"},
		{"a;b;y\n1,5;2;0\n2,5;3;1\n", Options{Decimal: ','}, "a;b\n1,25;4\n", "[1.25 4]"},
		{"a;b;y\n1,5;2;0\n2,5;3;1\n", Options{Decimal: ','}, "a;b\n1.250;4\n", "error: Options.Thousands: '.'"},
		{"a;b;y\n1,5;2;0\n2,5;3;1\n", Options{Decimal: ',', Thousands: '.'}, "a;b\n1.250;4\n", "[1250 4]"},
		{"a,b,y\n\"1,234.5\",2,0\n\"2,345\",3,1\n", Options{Thousands: ','}, "a,b\n\"3,456\",4\n", "[3456 4]"},
		{"a,b,c,y\n1,100,1000,1\n2,110,1100,2\n", Options{Missing: Fill}, "a,b,c\n1,107,1005,\n2,103,1010,\n",
			"[1 107 1005 2 103 1010]"},
		{"1.5,2,u\n2.5,3,v\n2,3,v\n4,5,u\n", Options{}, "1.5,2\n2.5,3\n", "[1.5 2 2.5 3]"},
		{"1.5,2,u\n2.5,3,v\n2,3,v\n4,5,u\n", Options{}, "a,b\n2.5,3\n", "error: line 1"},
		{"a,b,y\n1.5,2,0\n2.5,3,1\n", Options{Missing: Fill}, "a,b\n,\n2.5,3\n", "[2 2.5 2.5 3]"},
		// each row is a point
	} {
		d := mustRead(t, CSV, c.options, c.learned)
		z, err := pointsIn(d.Encoding, file(t, "new.csv", c.new))
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = fmt.Sprint(dense(z))
		}
		if words, isError := strings.CutPrefix(c.want, "error: "); got != c.want && !(isError && err != nil &&
			strings.Contains(got, words)) {
			t.Errorf("learned %q, new %q: %s, expected %s", c.learned, c.new, got, c.want)
		}
	}
}

// TestSentinels: a whole number that repeats far from all others is doubted.
func TestSentinels(t *testing.T) {
	for text, doubted := range map[string]bool{
		"a,y\n-999,0\n5,1\n7,0\n-999,1\n6.5,0\n": true, "a,y\n99999,0\n5,1\n7,0\n99999,1\n6.5,0\n": true,
		"a,y\n-999,0\n5,1\n7,0\n6,1\n6.5,0\n": true, "a,y\n-9,0\n5,1\n7,0\n6,1\n6.5,0\n": false,
		"a,y\n999,0\n500,1\n700,0\n601,1\n650,0\n": false, "a,y\n0,0\n5,1\n7,0\n0,1\n9.5,0\n": false,
		"a,y\n1,0\n2,1\n3,0\n4,1\n1,0\n": false, "a,y\n3,0\n6,1\n7,0\n3,1\n6,0\n": false,
		"a,y\n1,0\n2,1\n9,0\n9,1\n2,0\n": true, "a,y\n1,0\n2,1\n4,0\n4,1\n2,0\n": false,
	} {
		d := mustRead(t, CSV, Options{}, text)
		r := mustRead(t, CSV, Options{Regression: true, Label: "a"}, text)
		if strings.Contains(fmt.Sprint(r.Doubts), `[]string{"", "NA", "`) != doubted {
			t.Errorf("%q, target a: doubts %q", text, r.Doubts)
		}
		if got := slices.ContainsFunc(d.Doubts, func(s string) bool {
			return strings.Contains(s,
				", far from its other numbers")
		}); got != doubted {
			t.Errorf("%q: doubts %q", text, d.Doubts)
		}
	}
}

// TestAmounts: a column of many amounts after the same word is doubted, unless Options.Categorical names it.
func TestAmounts(t *testing.T) {
	for _, c := range []struct {
		word, other string
		levels      int
		options     Options
		isDoubted   bool
	}{
		{"DEM ", "DEM ", 11, Options{}, true}, {"FRF -", "FRF ", 300 / 2, Options{IndependentRows: true}, true},
		{"DEM ", "DEM ", 10, Options{}, false}, {"DEM ", "FRF ", 11, Options{}, false},
		{"zone ", "zone ", 11, Options{Categorical: []string{"a"}}, false},
	} {
		text := "a,b,y\n"
		for i := range 2 * c.levels {
			word := c.word
			if i%c.levels == 0 {
				word = c.other
			}
			text += fmt.Sprintf("%s%d.50,%d,%d\n", word, i%c.levels+1, i*i, i%2)
		}
		d := mustRead(t, CSV, c.options, text)
		doubt := fmt.Sprintf("column 1 (a) was used as names, %d in all (data.Options{Categorical: []string{\"a\"}} "+
			"accepts this); each value is %q before a number", c.levels, strings.TrimRight(c.word, " -"))
		if strings.Contains(strings.Join(d.Doubts, " "), doubt) != c.isDoubted {
			t.Errorf("%+v: doubts %q", c, d.Doubts)
		}
	}
	for rows, want := range map[int]string{11: "different in each of 11 rows", 300: "at most 256 are allowed"} {
		text := "a,b,y\n"
		for i := range rows {
			text += fmt.Sprintf("DEM %d,%d,%d\n", i+1, i*i, i%2)
		}
		err := errorOf(read(CSV, Options{}, text))
		wantError(t, err, want, `data.Units{"a": "DEM"}`)
		if !slices.Contains(OptionsNamedIn(err.Error()), OptionText{"DropColumns", "a"}) {
			t.Errorf("no value for DropColumns: %v", err)
		}
	}
}

// TestLabelsThatSayNothing: a constant target is an error by name; classes that differ in case are doubted.
func TestLabelsThatSayNothing(t *testing.T) {
	wantError(t, errorOf(read(CSV, Options{Regression: true}, "a,cost\n1,2.5\n2,2.5\n3,2.5\n")), "all 3 numbers",
		`"cost"`, "2.5")
	wantError(t, errorOf(read(CSV, Options{Targets: []string{"s", "t"}}, "a,s,t\n1,2,3\n2,5,3\n3,2,3\n")), `"t"`)
	d := mustRead(t, CSV, Options{}, "a,y\n1,Sick\n2,sick\n3,Sick\n4,sick\n")
	if len(d.Doubts) != 1 || !strings.Contains(d.Doubts[0], "upper and lower case") {
		t.Errorf("doubts %q", d.Doubts)
	}
}

// TestFilesOfAnAdversary: files that were read as other numbers or names are errors now, or read as they are.
func TestFilesOfAnAdversary(t *testing.T) {
	for _, c := range []csvCase{
		{name: "names of rows or separators", text: "\"a\",\"b\",\"y\"\n\"1\",5.1,3.5,\n\"2\",4.9,3.0,\n",
			wrong: []string{"line 1", "separator"}},
		{name: "a marker of SAS", text: ".,up\n0.3,down\n0.2,up\n0.1,down\n", wrong: []string{"Options.Header"}},
		{name: "a line without the separator", text: "Weights, Berlin\n1,5;a\n2,1;b\n3,5;a\n",
			wrong: []string{"';' is in every row except the first", "Options.Comma"}},
		{name: "commas below a header with a tab", text: "weight\tclass\n70 kg,1\n80 kg,0\n",
			wrong: []string{"',' is in every row except the first"}},
		{name: "a marker in another spelling", options: Options{MissingMarkers: []string{"-999"}, Missing: Drop},
			text: "a,y\n-999.0,0\n1,0\n2,1\n,1\n", features: "a: 1 | 2", labels: "0 1"},
	} {
		c.check(t)
	}
	for _, c := range []struct {
		learned string
		options Options
		new     string
		wrong   string
	}{
		{"5.1,3.5,1.4,p\n4.9,3.0,1.4,q\n5.2,3.1,1.3,p\n4.8,3.2,1.5,q\n", Options{}, "0,1,2\n5.1,3.5,1.4\n",
			"line 1 looks like a header"},
		{"age,weight,y\n30,70.5,0\n31,80.5,1\n", Options{}, "age,weight\n30,70,0\n30,80,1\n", "one name less"},
		{"x1,x2,y\n1.5,2,0\n2.5,3,1\n", Options{}, ",x2\n17,0.5\n18,0.6\n", "no column x1"},
		{"a,b,y\n1,2,0\n3,4,1\n", Options{}, "a,b\n1,4,0\n2,5,1\n", "no names of rows"},
		{"a,b,y\n1,2,0\n3,4,1\n", Options{}, "\"a\",\"b\"\n\"u\",4,0\n\"v\",5,1\n", "no names of rows"},
		{",a,b,y\n0,1,2,0\n1,3,4,1\n", Options{}, "a,b\n0,4,0\n1,5,1\n", "one name less"},
		{"x,y\n1,0\n2,1\n", Options{}, "", "no rows"},
		{"x,y\n1,0\n2,1\n", Options{}, "x\n1\n\n2\n", "a blank line before line 4"},
		{"x,y\n1,0\n2,1\n", Options{}, "x\n1\n\"\"\n3\n", "row 2"},
	} {
		d := mustRead(t, CSV, c.options, c.learned)
		z, err := pointsIn(d.Encoding, file(t, "new.csv", c.new))
		if err == nil || !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("learned %q, new %q: %v, %v; expected an error with %q", c.learned, c.new, z, err, c.wrong)
		}
	}
	d := mustRead(t, CSV, Options{Missing: Fill}, "c,a,y\nu,1,0\nv,2,1\nu,3,1\n")
	if fresh, err := d.Encoding.OpenPoints(file(t, "new.csv", "c,a\nNA,1\nu,2\n")); err != nil ||
		len(fresh.UnseenValues) != 2 || fresh.UnseenValues[0] == "" {
		t.Errorf("a missing name: %v, %v", fresh, err)
	}
	s := mustRead(t, CSV, Options{Sequence: "s", Label: "t", Regression: true, Decimal: ',', Thousands: '.'},
		"s;t\nACD;1.234\nACE;1,5\n")
	if !slices.Equal(s.Y, []float64{1234, 1.5}) {
		t.Errorf("labels of sequences %v", s.Y)
	}
	grams := file(t, "k.csv", "2,1,0\n1,2,1\n0,1,2\n")
	for _, labels := range []string{"a\nNA\nb\n", "class\n1\n0\n"} {
		if d, err := openGrams(file(t, "y.csv", labels), grams); err == nil {
			t.Errorf("labels %q are read as %q", labels, d.Labels())
		}
	}
}

// TestEverydayFiles: files as pandas, R, Excel and UCI write them are read without an option.
func TestEverydayFiles(t *testing.T) {
	for _, c := range []csvCase{
		{name: "pandas", text: "age,sex,income\n39.0,male,low\n50.0,female,high\n38.0,male,low\n",
			features: "age sex=female sex=male: 39 0 1 | 50 1 0 | 38 0 1", labels: "low high low"},
		{name: "pandas with its index", text: ",age,sex,income\n0,39,male,low\n1,50,female,high\n2,38,male,low\n",
			features: "age sex=female sex=male: 39 0 1 | 50 1 0 | 38 0 1", labels: "low high low"},
		{name: "R's write.csv",
			text:     "\"\",\"age\",\"sex\",\"income\"\n\"1\",39,\"male\",\"low\"\n\"2\",50,\"female\",\"high\"\n",
			features: "age sex=female sex=male: 39 0 1 | 50 1 0", labels: "low high"},
		{name: "Excel, US", text: "\uFEFFage,sex,income,\r\n39,male,low,\r\n50,female,high,\r\n,,,\r\n",
			features: "age sex=female sex=male: 39 0 1 | 50 1 0", labels: "low high"},
		{name: "UCI adult", text: "39, State-gov, 77516, <=50K\n50, Private, 83311, >50K\n38, Private, 215646, " +
			"<=50K\n53, State-gov, 234721, >50K\n",
			features: "x1 x2=Private x2=State-gov x3: 39 0 1 77516 | 50 1 0 83311 | 38 1 0 215646 | 53 0 1 234721",
			labels:   "<=50K >50K <=50K >50K"},
		{name: "texts in quotes", text: "age,note,y\n39,\"a, b; c\",0\n50,\"d; e\",1\n38,\"a, b; c\",0\n",
			features: "age note=a, b; c note=d; e: 39 1 0 | 50 0 1 | 38 1 0", labels: "0 1 0"},
		{name: "integer codes", text: "zone,kind,y\n3,1,0\n1,2,1\n2,1,0\n", features: "zone kind: 3 1 | 1 2 | 2 1",
			labels: "0 1 0"},
	} {
		c.check(t)
	}
	for _, text := range []string{"age;income\r\n39,5;10,25\r\n50,0;11,5\r\n",
		"\"\";\"age\";\"income\"\n\"1\";39,5;10,25\n\"2\";50;11,5\n"} {
		wantError(t, errorOf(read(CSV, Options{Regression: true}, text)), "Options.Decimal: ','")
		csvCase{name: "Excel or R, German", options: Options{Regression: true, Decimal: ','}, text: text,
			features: "age: 39.5 | 50", labels: "10.25 11.5"}.check(t)
	}
}
