package data

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSerialNumbers: a feature that numbers the rows is doubted, also if some rows occur twice.
func TestSerialNumbers(t *testing.T) {
	for last, doubted := range map[int]bool{10: true, 12: false} {
		for _, repeated := range [][]int{nil, {3}, {3, 5, 9}} {
			var rows []string
			for i := 1; i < 10; i++ {
				rows = append(rows, fmt.Sprintf("%d,%d,%d\n", i, i*i, i%2))
			}
			rows = append(rows, fmt.Sprintf("%d,0,1\n", last))
			for _, i := range repeated {
				rows = append(rows, rows[i])
			}
			d := mustRead(t, CSV, Options{}, "id,a,y\n"+strings.Join(rows, ""))
			got := strings.Contains(fmt.Sprint(d.Doubts), `DropColumns: []string{"id"}`)
			if got != doubted || len(d.Doubts) > 1 {
				t.Errorf("last row %d, repeated %v: doubts %q", last, repeated, d.Doubts)
			}
		}
	}
}

// TestConstantColumns: a feature with one value is doubted by name, in ten rows or more and unless it is 0.
func TestConstantColumns(t *testing.T) {
	for _, c := range []struct {
		cell    string
		n       int
		doubted bool
	}{{"2020", 10, true}, {"DE", 10, true}, {"2020", 9, false}, {"0", 10, false}} {
		text := "a,where,y\n"
		for i := range c.n {
			text += fmt.Sprintf("%d,%s,%d\n", i*i%7, c.cell, i%2)
		}
		d := mustRead(t, CSV, Options{}, text)
		if got := strings.Contains(fmt.Sprint(d.Doubts), "where"); got != c.doubted || len(d.Doubts) > 1 {
			t.Errorf("%+v: doubts %q", c, d.Doubts)
		}
	}
}

// personRows returns a table of several rows for each of the names, with a measurement and a label that differs between
// names only.
func personRows(rng *rand.Rand, names []string, isRegression bool) string {
	var rows []string
	for _, name := range names {
		y := fmt.Sprint(rng.IntN(2))
		if isRegression {
			y = fmt.Sprintf("%.2f", rng.NormFloat64())
		}
		for range 3 + rng.IntN(6) {
			rows = append(rows, fmt.Sprintf("%s,%.3f,%s\n", name, rng.Float64(), y))
		}
	}
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return "who,a,y\n" + strings.Join(rows, "")
}

// TestRowsOfOnePerson: a table in which all rows of each person have the same label is an error that names the column
// and the options, for names and for numbers of persons, classes and targets. With the options it is read.
func TestRowsOfOnePerson(t *testing.T) {
	for _, pattern := range []string{"%d", "P%02d", "P%d", "ann %d smith", "%03d"} {
		for _, isRegression := range []bool{false, true} {
			var names []string
			for i := range 40 {
				names = append(names, fmt.Sprintf(pattern, 100+i))
			}
			text := personRows(rand.New(rand.NewPCG(1, 1)), names, isRegression)
			o := Options{Regression: isRegression, Categorical: []string{"who"}}
			if pattern == "%d" {
				o.Categorical = nil
			}
			wantError(t, errorOf(read(CSV, o, text)), "(who)", "Options.Group", "Options.IndependentRows")
			o.IndependentRows = true
			if d := mustRead(t, CSV, o, text); strings.Contains(fmt.Sprint(d.Doubts), "amounts") {
				t.Errorf("%s: names of persons are no amounts: %q", pattern, d.Doubts)
			}
			o.Categorical, o.IndependentRows, o.Group = nil, false, "who"
			mustRead(t, CSV, o, text)
		}
	}
	// persons in the order of the file, and of the label
	text := "who,a,y\n"
	for i := range 120 {
		text += fmt.Sprintf("%d,%d,%d\n", 1+i/4, i*i%17, i/60)
	}
	wantError(t, errorOf(read(CSV, Options{}, text)), "Options.Group")
	wantError(t, errorOf(read(CSV, Options{DropColumns: []string{"who"}}, text)), "Options.Group")
	wantError(t, errorOf(read(CSV, Options{Group: "who", IndependentRows: true}, text)), "Options.IndependentRows")
}

// TestOrdinaryColumnsAreNoPersons: columns that predict the label well, and repeated rows, are accepted.
func TestOrdinaryColumnsAreNoPersons(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for name, row := range map[string]func(i int) string{
		"eight levels that determine the label": func(int) string {
			k := rng.IntN(8)
			return fmt.Sprintf("c%d,%d", k, k%2)
		},
		"a measurement that determines the label": func(int) string {
			v := rng.NormFloat64()
			return fmt.Sprintf("%.1f,%d", v, map[bool]int{true: 1}[v > 0])
		},
		"whole numbers that determine the label": func(int) string {
			age := 20 + rng.IntN(60)
			return fmt.Sprintf("%d,%d", age, age/40)
		},
		"a level with other labels": func(i int) string {
			k := rng.IntN(40)
			return fmt.Sprintf("city %d,%d", k, map[bool]int{true: k % 2, false: rng.IntN(2)}[k > 9])
		},
		"each row twice": func(i int) string { return fmt.Sprintf("%d,%d", i/2*7919%1000, i/2*31%5%2) },
	} {
		text := "v,b,y\n"
		for i := range 300 {
			v, y, _ := strings.Cut(row(i), ",")
			text += fmt.Sprintf("%s,%d,%s\n", v, i/2%2, y)
		}
		if _, err := read(CSV, Options{}, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMissingSpellings: what pandas takes for missing is missing, never a name.
func TestMissingSpellings(t *testing.T) {
	for _, s := range defaultMissingMarkers {
		d := mustRead(t, CSV, Options{Missing: Drop}, "a,b,y\n1,2,0\n"+s+",3,0\n4,5,1\n")
		if d.Len() != 2 || d.Dim() != 2 {
			t.Errorf("%q: %v", s, d)
		}
	}
	wantError(t, errorOf(read(CSV, Options{}, "a,b,y\n1,2,0\n1,n/a,0\n4,5,1\n")),
		`row 2 (line 3), column 2 (b): the cell "n/a" is missing`)
	wantError(t, errorOf(read(CSV, Options{}, "alcohol,b,y\nlow,2,0\nNone,3,0\nlow,5,1\n")), `"None" is missing`,
		"if the cell is a value, list only the true markers of missing values in Options.MissingMarkers")
}

// TestAdviceApplies: an error of a file names only options that apply to the file.
func TestAdviceApplies(t *testing.T) {
	for _, c := range []struct {
		f        Format
		o        Options
		in, want string
	}{
		{LIBSVM, Options{}, "1 1:2,5\n0 1:3\n", `row 1 (line 1), entry 1: the value "2,5" is not a number`},
		{ARFF, Options{}, "@attribute a numeric\n@attribute y {u,v}\n@data\n'2,5',u\n3,v\n", `"2,5" is not a number`},
		{ARFF, Options{}, "@attribute a numeric\n@attribute y {u,v}\n@data\n3,u\nx,v\n", `"x" is not a number`},
		{ARFF, Options{}, "@attribute a numeric\n@attribute a numeric\n@attribute y {u,v}\n@data\n3,2,u\n2,1,v\n",
			`named "a"`},
		{FASTA, Options{Label: "2", Regression: true}, ">a 2,5\nAC\n>b 3\nAC\n", `"2,5" is not a number`},
	} {
		_, err := read(c.f, c.o, c.in)
		wantError(t, err, c.want)
		for _, option := range []string{"Decimal", "Thousands", "MissingMarkers", "Header", "NumberRepeatedNames"} {
			if strings.Contains(err.Error(), option) {
				t.Errorf("%v: Options.%s does nothing: %v", c.f, option, err)
			}
		}
	}
}

// TestNotText: the error for a file that is not text names what it is.
func TestNotText(t *testing.T) {
	for in, want := range map[string]string{
		"\xFF\xFEa\x00": "but UTF-16", "\xFE\xFF\x00a": "but UTF-16",
		"a\x00,\x00y\x00\n\x001\x00": "UTF-16", "PK\x03\x04abc": "but a spreadsheet",
		string(pack(t, []byte("a,b\n"))): ".gz", npyOf(1, 1, 1): "NPY", "a,y\r1,0\r2,1\r": "lines end in CR alone",
	} {
		for _, f := range []Format{CSV, LIBSVM, ARFF} {
			wantError(t, errorOf(read(f, Options{}, in)), f.String()+": ", want)
		}
	}
	// a file that unpacks to more than the limit is an error, however small it is packed
	if _, err := gunzip(pack(t, make([]byte, 1001)), 1000); err == nil ||
		err.Error() != "the file holds more than 1000 bytes" {
		t.Error(err)
	}
}

// TestDoubtfulTables: files that two readings fit are errors that name the option; comments are never data.
func TestDoubtfulTables(t *testing.T) {
	for _, c := range []csvCase{
		{name: "decimal commas between blanks", text: "1,5 0\n2,5 1\n3,5 0\n",
			wrong: []string{"Options.Comma: ','", "Options.Decimal: ','"}},
		{name: "an integer with a fraction of zeros", text: "a,y\n9007199254740993.0,0\n1,1\n",
			wrong: []string{"above 2^53"}},
		{name: "pandas, columns that are integers", text: ",0,1,2,label\n0,5,7,6,u\n1,4,2,3,v\n",
			wrong: []string{"Options.Header"}},
		{name: "a comment at the end", text: "a,b,y\n1,2,0\n3,4,1\n# end\n", wrong: []string{"line 4 begins with #"}},
		{name: "a comment with the separators of a row", text: "a,b,y\nu,2,0\n# v, 4, 1\nv,4,1\n",
			wrong: []string{"line 3 begins with #"}},
		{name: "a short header above halves of numbers", text: "n,x,y\n1,2,5,p\n2,3,7,q\n3,4,1,p\n",
			wrong: []string{"one name less", "Options.Header", "Options.Comma", "Options.Decimal"}},
		{name: "the same, stated", options: Options{Header: HeaderYes}, text: "n,x,y\n1,2,5,p\n2,3,7,q\n3,4,1,p\n",
			wrong: []string{"may be the decimal mark", "Options.Decimal"}},
		{name: "a short header and separators at the end", options: Options{Label: "my label"},
			text:  "\"a\";\"temp\";\"my label\";\n\"1\";1.5;\"red\";\"0\";\n\"2\";2.5;\"blue\";\"1\";\n",
			wrong: []string{"line 1"}},
		{name: "an empty file", text: "\n\n", wrong: []string{"data: csv: no rows"}},
		{name: "pandas, saved twice", text: ",Unnamed: 0,a,y\n0,0,5,u\n1,1,6,v\n",
			wrong: []string{"Unnamed: 0", "Options.DropColumns"}},
		{name: "dates that are names", options: Options{Dates: DateLayouts{"a": "2006"}, Categorical: []string{"a"}},
			text: "a,y\n2001,0\n2002,1\n", wrong: []string{"Options.Dates"}},
		{name: "the end of a DOS file", text: "a,y\r\n1,0\r\n2,1\r\n\x1A", features: "a: 1 | 2", labels: "0 1"},
		{name: "a time zone", options: Options{Dates: DateLayouts{"a": "2006-01-02 MST"}},
			text: "a,y\n2006-01-02 CET,0\n2006-01-03 CET,1\n", wrong: []string{"Options.Dates", "zones as offsets"}},
	} {
		c.check(t)
	}
}

// TestTinyNumbers reads a number below 1e-100 as 0 in a matrix, and notes it. One above 1e100 is an error.
func TestTinyNumbers(t *testing.T) {
	const v = -4e-120
	for _, path := range []string{file(t, "k.csv", "1,-4e-120\n-4e-120,1\n"),
		file(t, "k.npy", npyOf(2, 2, 1, v, v, 1))} {
		if d := must(Options{Unlabeled: true}.OpenGrams(path)); !strings.Contains(d.Preparation,
			"2 numbers of k with magnitudes below 1e-100 read as 0") {
			t.Errorf("%s: prepared %q", path, d.Preparation)
		}
	}
	same(t, "[1 0]", must(Options{}.OpenMatrix(file(t, "k.csv", "1,-4e-120\n"))).Data)
	same(t, "[1 -4e-120]", must(Options{}.OpenMatrix(file(t, "k.npy", npyOf(1, 2, 1, v)))).Data)
	wantError(t, errorOf(Options{}.OpenMatrix(file(t, "k.csv", "1,1e101\n"))), "outside the range")
	for _, v := range []float64{1e-300, 1e300} {
		wantError(t, errorOf(Options{Unlabeled: true}.Open(file(t, "k.npy", npyOf(1, 2, 1, v)))),
			"row 1, column 2", "1e100")
	}
}

// TestTwoNumbers: two values that are read as numbers to predict may be classes; three values are no doubt.
func TestTwoNumbers(t *testing.T) {
	text := "x,y\n"
	for i := range 12 {
		text += fmt.Sprintf("%d.5,%d\n", i*i, i%2)
	}
	const want = "y has two values, 0 and 1, and is predicted as a number; if they are classes, remove " +
		"Options.Regression"
	if d := mustRead(t, CSV, Options{Regression: true}, text); !slices.Contains(d.Doubts, want) {
		t.Errorf("the doubts are %q", d.Doubts)
	}
	for text, o := range map[string]Options{text: {}, text + "7.5,2\n": {Regression: true}} {
		if d := mustRead(t, CSV, o, text); len(d.Doubts) > 0 {
			t.Errorf("with %+v the doubts are %q", o, d.Doubts)
		}
	}
}
