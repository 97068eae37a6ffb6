package data

import (
	"strings"
	"testing"
)

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
