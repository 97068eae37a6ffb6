package data

import (
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

// TestDoubtfulTables: files that two readings fit are errors that name the option; comments are never data.
func TestDoubtfulTables(t *testing.T) {
	for _, c := range []csvCase{
		{name: "decimal commas between blanks", text: "1,5 0\n2,5 1\n3,5 0\n",
			wrong: []string{"Options.Comma: ','", "Options.Decimal: ','"}},
		{name: "the same, given", options: Options{Decimal: ',', Header: HeaderNo}, text: "1,5 0\n2,5 1\n3,5 0\n",
			features: "x1: 1.5 | 2.5 | 3.5", labels: "0 1 0"},
		{name: "commas and blanks", text: "a, b, y\n1, 2, 0\n3, 4, 1\n", features: "a b: 1 2 | 3 4", labels: "0 1"},
		{name: "an integer with a fraction of zeros", text: "a,y\n9007199254740993.0,0\n1,1\n",
			wrong: []string{"above 2^53"}},
		{name: "pandas, columns that are integers", text: ",0,1,2,label\n0,5,7,6,u\n1,4,2,3,v\n",
			features: "0 1 2: 5 7 6 | 4 2 3", labels: "u v"},
		{name: "numbers that do not count", text: ",3,1,label\n0,5,7,u\n1,4,2,v\n", wrong: []string{"Options.Header"}},
		{name: "a comment at the end", text: "a,b,y\n1,2,0\n3,4,1\n# end\n", features: "a b: 1 2 | 3 4", labels: "0 1",
			noted: "1 comment below the first row skipped"},
		{name: "a comment at the end of one column", options: Options{Unlabeled: true},
			text: "kind\nred\nblue\nred\n# end\n", wrong: []string{"no separator fits"}},
		{name: "a comment with the separators of a row", text: "a,b,y\nu,2,0\n# v, 4, 1\nv,4,1\n",
			wrong: []string{"line 3 begins with #"}},
		{name: "a comment above the rows", options: Options{Header: HeaderNo}, text: "# k,b,y\nu,2,0\nv,4,1\n",
			features: "x1=u x1=v x2: 1 0 2 | 0 1 4", labels: "0 1", noted: "1 comment skipped"},
		{name: "the end of a DOS file", text: "a,y\r\n1,0\r\n2,1\r\n\x1A", features: "a: 1 | 2", labels: "0 1"},
		{name: "a zero byte", text: "a,y\n1,u\n2,v\x00\n", wrong: []string{"line 3", "0x0"}},
		{name: "a year of two digits", options: Options{Dates: DateLayouts{"a": "02.01.06"}},
			text: "a,y\n01.01.70,0\n02.01.70,1\n", wrong: []string{"Options.Dates", "two digits"}},
		{name: "a time zone", options: Options{Dates: DateLayouts{"a": "2006-01-02 MST"}},
			text: "a,y\n2006-01-02 CET,0\n2006-01-03 CET,1\n", wrong: []string{"Options.Dates", "time zone"}},
	} {
		if c.name == "the same, given" {
			c.options.Comma = ' '
		}
		c.check(t)
	}
}

// TestLabelsThatAreNames reads labels as names in ARFF files: 1, 1.0 and 01 differ.
func TestLabelsThatAreNames(t *testing.T) {
	for _, kind := range []string{"{1,1.0,01}", "numeric"} {
		d := must(read(ARFF, Options{Categorical: []string{"y"}},
			"@attribute a numeric\n@attribute y "+kind+"\n@data\n1,1\n2,1.0\n3,01\n4,1\n5,1.0\n6,01\n"))
		if !slices.Equal(d.Labels(), []string{"1", "1.0", "01", "1", "1.0", "01"}) {
			t.Errorf("%s: labels %q", kind, d.Labels())
		}
		again := must(d.Encoding.Open(file(t, "new.arff",
			"@attribute a numeric\n@attribute y "+kind+"\n@data\n1,01\n2,1\n")))
		if !slices.Equal(again.Labels(), []string{"01", "1"}) {
			t.Errorf("%s: labels of a new file %q", kind, again.Labels())
		}
	}
}

// TestTinyNumbers reads a number below 1e-100 as 0 in a matrix, and notes it. One above 1e100 is an error.
func TestTinyNumbers(t *testing.T) {
	d := must(Options{Unlabeled: true}.OpenGrams(file(t, "k.csv", "1,4e-120\n4e-120,1\n")))
	if !strings.Contains(d.Prepared, "2 numbers of k below 1e-100 read as 0") {
		t.Errorf("prepared %q", d.Prepared)
	}
	x := must(OpenMatrix(file(t, "k.csv", "1,-4e-120\n")))
	if !slices.Equal(x.Data, []float64{1, 0}) {
		t.Errorf("%v", x.Data)
	}
	wantError(t, errorOf(OpenMatrix(file(t, "k.csv", "1,1e101\n"))), "outside the range")
}

// TestSequencesWithoutHeader predicts for a file of sequences that names no columns.
func TestSequencesWithoutHeader(t *testing.T) {
	d := must(Options{Sequence: "x1", Header: HeaderNo}.Open(file(t, "s.csv", "ACD,u\nWWW,v\nACE,u\n")))
	for text, labels := range map[string][]string{"WW\nAC\n": nil, "WW,v\nAC,u\n": {"v", "u"}} {
		path := file(t, "new.csv", text)
		x, err := reread(t, d.Encoding).Points(path)
		if err != nil || !slices.Equal(points.MustAs[points.Sequences](x), points.Sequences{"WW", "AC"}) {
			t.Errorf("%q: %v, %v", text, x, err)
		}
		if again, err := d.Encoding.Open(path); err != nil || !slices.Equal(again.Labels(), labels) {
			t.Errorf("%q: %v, %v", text, again, err)
		}
	}
}
