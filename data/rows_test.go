package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

// Rows without a file become the points, unseen values included, that a file of these rows becomes.
func TestEncodeRows(t *testing.T) {
	for name, test := range map[string]struct {
		o          Options
		train      string
		csv, json  string
		columns    []string
		rows       [][]string
		wantUnseen bool
	}{
		"mixed": {o: Options{Missing: Fill}, train: mixed,
			csv: "size,note,color,age\n3,x,blue,\n2.5,y,,20\n",
			json: `{"size": 3, "note": "x", "color": "blue", "age": null}` + "\n\n" +
				`{"age": 20, "size": 2.5, "note": "y"}`,
			columns: []string{"size", "note", "color", "age"},
			rows:    [][]string{{"3", "x", " blue", ""}, {"2.5", "y", "", "20"}}},
		"unseen": {train: "color,size,y\nred,1,a\nblue,2,b\nred,3,a\nblue,4,b\n",
			csv:     "color,size\nmauve,1\nred,2e0\n",
			json:    `{"color": "mauve", "size": 1}` + "\n" + `{"color":"red","size":2e0}`,
			columns: []string{"color", "size"}, rows: [][]string{{"mauve", "1"}, {"red", "2e0"}}, wantUnseen: true},
		"decimal commas": {o: Options{Comma: ';', Decimal: ','},
			train: "a;b;y\n1,5;2;no\n2,5;1;yes\n3,5;0;no\n4;5;yes\n",
			csv:   "a;b\n0,25;7\n",
			json:  `{"a": 0.25, "b": 7}`, columns: []string{"b", "a"}, rows: [][]string{{"7", "0,25"}}},
	} {
		e := reread(t, must(test.o.Open(file(t, "train.csv", test.train))).Encoding)
		z, unseen, err := e.PointsAndUnseen(file(t, "new.csv", test.csv))
		if err != nil || (unseen != nil) != test.wantUnseen {
			t.Fatal(name, unseen, err)
		}
		for how, read := range map[string]func() (points.Points, []string, error){
			"csv": func() (points.Points, []string, error) { return e.ReadPoints(strings.NewReader(test.csv), "csv") },
			"json": func() (points.Points, []string, error) {
				return e.ReadPoints(strings.NewReader(test.json), "json")
			},
			"rows": func() (points.Points, []string, error) { return e.EncodeRows(test.columns, test.rows...) },
		} {
			got, u, err := read()
			if err != nil || fmt.Sprint(got) != fmt.Sprint(z) || !slices.Equal(u, unseen) {
				t.Errorf("%s, %s: %v, unseen %q, %v; the file has %v, unseen %q", name, how, got, u, err, z, unseen)
			}
		}
	}
}

func TestEncodeRowsErrors(t *testing.T) {
	e := must(Open(file(t, "train.csv", "color,size,y\nred,1,a\nblue,2,b\nred,3,a\nblue,4,b\n"))).Encoding
	for _, test := range []struct{ format, text, want string }{
		{"json", `{"color": "red"}`, "no column size"},
		{"json", `{"color": "red", "size": null}`, "row 1 (line 1), column 2 (size): the cell is missing"},
		{"json", `{"color": "red", "size": [1]}`, "row 1: a key occurs twice, or a value is a list or an object"},
		{"json", `{"color": "red", "size": 1} 2`, "row 2: "},
		{"json", `{"size": 1, "size": 2}`, "row 1: a key occurs twice"},
		{"json", "", "no rows"},
		{"csv", "color,size\nred\n", "cell"},
		{"libsvm", "1 1:2\n", "the format is libsvm"},
		{"xml", "", `unknown format "xml"`},
	} {
		_, _, err := e.ReadPoints(strings.NewReader(test.text), test.format)
		wantError(t, err, "data: ", test.want)
	}
	german := must(Options{Comma: ';', Decimal: ',', Thousands: '.', MissingMarkers: []string{"-9,5"}, Missing: Fill,
		Categorical: []string{"c"}, Dates: DateLayouts{"d": "02.01.2006"}}.Open(file(t, "train.csv",
		"a;d;c;y\n1,5;02.01.1970;1,5;no\n1.234;03.01.1970;u;yes\n-9,5;03.01.1970;u;no\n"))).Encoding
	strict := must(Options{MissingMarkers: []string{}}.Open(file(t, "train.csv",
		"a,b,y\n1,u,0\n3,,1\n2,u,1\n"))).Encoding
	for _, test := range []struct {
		e          *Encoding
		text, want string
	}{
		{german, `{"a": "1.234", "d": "02.01.1970", "c": "u"}`, `row 1, key "a": the text "1.234"`},
		{german, `{"a": "1,5", "d": "02.01.1970", "c": "u"}`, "Options.Decimal"},
		{german, `{"a": 1e400, "d": "02.01.1970", "c": "u"}`, `column 1 (a): "1e400" is outside the range of numbers`},
		{strict, `{"a": 1, "b": null}`, `row 1, key "b": the value is missing, but Options.MissingMarkers`},
		{strict, `{"a": 1}`, "no column b"},
		{strict, `{"a": 1, "b": "u"} {"a": 1}`, `row 2, key "b": the value is missing`},
	} {
		_, _, err := test.e.ReadPoints(strings.NewReader(test.text), "json")
		wantError(t, err, "data: ", test.want)
	}
	for text, want := range map[string]string{
		`{"a": 1.234, "d": "03.01.1970", "c": "u", "note": null}`: "[1.234 2 0 1]",
		`{"a": "7", "d": "02.01.1970", "c": "1,5"}`:               "[7 1 1 0]",
		`{"a": -9.5, "d": "02.01.1970", "c": 1.5}`:                "[617.75 1 1 0]", // a missing cell is the mean
	} {
		z, _, err := german.ReadPoints(strings.NewReader(text), "json")
		if err != nil || fmt.Sprint(dense(z)) != want {
			t.Errorf("%s: %v, %v", text, z, err)
		}
	}
	z, _, err := strict.ReadPoints(strings.NewReader(`{"a": 1, "b": "", "note": null}`), "json")
	if err != nil || fmt.Sprint(dense(z)) != "[1 1 0]" {
		t.Error(z, err)
	}
	_, _, err = e.EncodeRows([]string{"color", "size"}, []string{"red"})
	wantError(t, err, "data: row 1 has 1 cell for 2 columns")
	_, _, err = e.EncodeRows([]string{"color", "size"}, []string{"red", "NaN"})
	wantError(t, err, "data: ", "missing")
	_, _, err = e.EncodeRows(nil, []string{"red", "1"})
	wantError(t, err, "data: no names of columns")
	_, _, err = e.ReadPoints(nil, "csv")
	wantError(t, err, "the reader is nil")

	unnamed := must(Options{Header: HeaderNo}.Open(file(t, "train.csv", "1,2,a\n2,1,b\n3,4,a\n5,5,b\n"))).Encoding
	z, _, err = unnamed.EncodeRows(nil, []string{"7", "8"})
	if err != nil || fmt.Sprint(dense(z)) != "[7 8]" {
		t.Error(z, err)
	}
	words := must(Options{Header: HeaderNo}.Open(file(t, "train.csv", "u,True,a\nv,False,b\nu,False,a\n"))).Encoding
	lines := must(Open(file(t, "train.csv", "a,b,y\n\"u\nv\",2,0\nu,3,1\n\"u\nv\",4,0\n"))).Encoding
	for _, test := range []struct {
		e          *Encoding
		text, want string
	}{
		{unnamed, `{"x2": 8, "x1": 7, "x3": "a"}`, "[7 8]"}, {words, `{"x1": "v", "x2": true}`, "[0 1 0 1]"},
		{words, `{"x1": "u", "x2": false}`, "[1 0 1 0]"}, {lines, `{"a": "u\nv", "b": 5}`, "[0 1 5]"},
	} {
		z, unseen, err := test.e.ReadPoints(strings.NewReader(test.text), "json")
		if err != nil || unseen != nil || fmt.Sprint(dense(z)) != test.want {
			t.Errorf("%s: %v, unseen %q, %v", test.text, z, unseen, err)
		}
	}
}
