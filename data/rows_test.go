package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

// Rows without a file become the points, unseen values included, that a file of these rows becomes.
func TestRowPoints(t *testing.T) {
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
			"rows": func() (points.Points, []string, error) { return e.RowPoints(test.columns, test.rows...) },
		} {
			got, u, err := read()
			if err != nil || fmt.Sprint(got) != fmt.Sprint(z) || !slices.Equal(u, unseen) {
				t.Errorf("%s, %s: %v, unseen %q, %v; the file has %v, unseen %q", name, how, got, u, err, z, unseen)
			}
		}
	}
}

func TestRowPointsErrors(t *testing.T) {
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
	_, _, err := e.RowPoints([]string{"color", "size"}, []string{"red"})
	wantError(t, err, "data: row 1 has 1 cell for 2 columns")
	_, _, err = e.RowPoints([]string{"color", "size"}, []string{"red", "NaN"})
	wantError(t, err, "data: ", "missing")
	_, _, err = e.RowPoints(nil, []string{"red", "1"})
	wantError(t, err, "data: no names of columns")
	_, _, err = e.ReadPoints(nil, "csv")
	wantError(t, err, "the reader is nil")

	unnamed := must(Options{Header: HeaderNo}.Open(file(t, "train.csv", "1,2,a\n2,1,b\n3,4,a\n5,5,b\n"))).Encoding
	z, _, err := unnamed.RowPoints(nil, []string{"7", "8"})
	if err != nil || fmt.Sprint(dense(z)) != "[7 8]" {
		t.Error(z, err)
	}
}
