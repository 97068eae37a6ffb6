package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"
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
		want, err := e.OpenPoints(file(t, "new.csv", test.csv))
		if err != nil || (want.UnseenValues != nil) != test.wantUnseen {
			t.Fatal(name, want, err)
		}
		list := "\uFEFF [" + strings.NewReplacer("}\n\n{", "},{", "}\n{", "},{").Replace(test.json) + "]"
		for how, read := range map[string]func() (*Dataset, error){
			"csv":        func() (*Dataset, error) { return e.ReadPoints(strings.NewReader(test.csv), "csv") },
			"json":       func() (*Dataset, error) { return e.ReadPoints(strings.NewReader(test.json), "json") },
			"json array": func() (*Dataset, error) { return e.ReadPoints(strings.NewReader(list), "json") },
			"rows":       func() (*Dataset, error) { return e.EncodeRows(test.columns, test.rows...) },
		} {
			got, err := read()
			if err != nil || fmt.Sprint(got.X) != fmt.Sprint(want.X) || !slices.Equal(got.UnseenValues,
				want.UnseenValues) || !slices.Equal(got.FilledColumns, want.FilledColumns) {
				t.Errorf("%s, %s: %+v, %v; the file has %+v", name, how, got, err, want)
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
		{"json", "[]", "no rows"},
		{"json", `[{"color": "red", "size": 1}, [2]]`, `row 2: "[2]" is not an object`},
		{"json", `[{"color": "red", "size": 1}, null]`, `row 2: "null" is not an object`},
		{"json", `[{"color": "red", "size": 1}`, "row 1: "},
		{"csv", "color,size\nred\n", "cell"},
		{"libsvm", "1 1:2\n", "the format is libsvm"},
		{"xml", "", `unknown format "xml"`},
	} {
		_, err := e.ReadPoints(strings.NewReader(test.text), test.format)
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
		_, err := test.e.ReadPoints(strings.NewReader(test.text), "json")
		wantError(t, err, "data: ", test.want)
	}
	for text, want := range map[string]string{
		`{"a": 1.234, "d": "03.01.1970", "c": "u", "note": null}`: "[1.234 2 0 1]",
		`{"a": "7", "d": "02.01.1970", "c": "1,5"}`:               "[7 1 1 0]",
		`{"a": -9.5, "d": "02.01.1970", "c": 1.5}`:                "[617.75 1 1 0]", // a missing cell is the mean
	} {
		wantPoints(t, text, want)(german.ReadPoints(strings.NewReader(text), "json"))
	}
	wantPoints(t, "empty text", "[1 1 0]")(strict.ReadPoints(strings.NewReader(`{"a": 1, "b": "", "note": null}`),
		"json"))
	_, err := e.EncodeRows([]string{"color", "size"}, []string{"red"})
	wantError(t, err, "data: row 1 has 1 cell for 2 columns")
	_, err = e.EncodeRows([]string{"color", "size"}, []string{"red", "NaN"})
	wantError(t, err, "data: ", "missing")
	_, err = e.EncodeRows(nil, []string{"red", "1"})
	wantError(t, err, "data: no names of columns")
	_, err = e.ReadPoints(nil, "csv")
	wantError(t, err, "the reader is nil")

	unnamed := must(Options{Header: HeaderNo}.Open(file(t, "train.csv", "1,2,a\n2,1,b\n3,4,a\n5,5,b\n"))).Encoding
	wantPoints(t, "no names", "[7 8]")(unnamed.EncodeRows(nil, []string{"7", "8"}))
	words := must(Options{Header: HeaderNo}.Open(file(t, "train.csv", "u,True,a\nv,False,b\nu,False,a\n"))).Encoding
	lines := must(Open(file(t, "train.csv", "a,b,y\n\"u\nv\",2,0\nu,3,1\n\"u\nv\",4,0\n"))).Encoding
	for _, test := range []struct {
		e          *Encoding
		text, want string
	}{
		{unnamed, `{"x2": 8, "x1": 7, "x3": "a"}`, "[7 8]"}, {words, `{"x1": "v", "x2": true}`, "[0 1 0 1]"},
		{words, `{"x1": "u", "x2": false}`, "[1 0 1 0]"}, {lines, `{"a": "u\nv", "b": 5}`, "[0 1 5]"},
	} {
		wantPoints(t, test.text, test.want)(test.e.ReadPoints(strings.NewReader(test.text), "json"))
	}
}

// wantPoints returns a function that tests that a dataset has these points and no unseen values.
func wantPoints(t *testing.T, name, want string) func(*Dataset, error) {
	return func(d *Dataset, err error) {
		t.Helper()
		if err != nil || d.UnseenValues != nil || fmt.Sprint(dense(d.X)) != want {
			t.Errorf("%s: %+v, %v, want %s", name, d, err, want)
		}
	}
}

// TestJSONNumbersOfNominalColumns tests that a JSON number is the value of a nominal column that is the same number, if
// there is only one.
func TestJSONNumbersOfNominalColumns(t *testing.T) {
	e := must(Options{Categorical: []string{"zip", "code"}, Regression: true}.Open(file(t, "train.csv",
		"zip,code,y\n1067,1,1\n80331,1.0,2\n1067,007,3\n"))).Encoding
	for text, want := range map[string]string{ // the features zip=1067, zip=80331, code=007, code=1, code=1.0
		`[{"zip": 1067.0, "code": 1}]`:     "[1 0 0 1 0]",
		`{"zip": 8.0331e4, "code": 1.0}`:   "[0 1 0 0 1]",
		`{"zip": "1067", "code": "007"}`:   "[1 0 1 0 0]",
		`{"zip": 1067.5, "code": 1.00}`:    "unseen zip=1067.5, code=1.00", // 1.00 is 1 and 1.0
		`{"zip": "1067.0", "code": "1.0"}`: "unseen zip=1067.0",            // a text is no number
		`{"zip": 1067, "code": 7}`:         "unseen code=7",
	} {
		d, err := e.ReadPoints(strings.NewReader(text), "json")
		if unseen, isUnseen := strings.CutPrefix(want, "unseen "); !isUnseen {
			wantPoints(t, text, want)(d, err)
		} else if err != nil || fmt.Sprint(d.UnseenValues) != "["+unseen+"]" {
			t.Errorf("%s: %v, unseen %q, want %s", text, err, d.UnseenValues, unseen)
		}
	}
}

// TestEncodeRowsOfJoinedFiles tests that rows with the cells of all joined files become the points of the files.
func TestEncodeRowsOfJoinedFiles(t *testing.T) {
	clinic := must(Options{Key: "id", Missing: Fill, Regression: true}.Open(file(t, "clinic.csv",
		"id,age,sex,note,y\np,30,f,1,1\nq,50,m,2,2\nr,40,f,5,3\n")))
	lab := must(Options{Key: "id", Unlabeled: true, Comma: ';', Decimal: ',', Missing: Fill}.Open(file(t, "lab.csv",
		"id;crp;note\nr;1,5;u\np;2,5;v\nq;4;u\n")))
	e := reread(t, must(must(Join(clinic, lab)).Select("clinic.age", "lab.crp", "lab.note=u", "clinic.sex=m")).Encoding)
	want := must(e.OpenPoints(file(t, "new.csv", "id,age,sex,note\nz,60,x,9\nw,,m,\n"),
		file(t, "new_lab.csv", "id;crp;note\nw;0,25;v\nz;;w\n")))
	if fmt.Sprint(dense(want.X)) != "[60 2.6666666666666665 0 0 40 0.25 0 1]" {
		t.Fatal(want.X)
	}
	columns := []string{"clinic.sex", "lab.note", "crp", "id", "clinic.note", "age"}
	rows, err := e.EncodeRows(columns, []string{"x", "w", "", "z", "9", "60"}, []string{"m", "v", "0,25", "w", "", ""})
	list, err2 := e.ReadPoints(strings.NewReader(`[{"sex": "x", "lab.note": "w", "id": "z", "clinic.note": 9.0,
		"age": 60}, {"clinic.sex": "m", "lab.note": "v", "lab.crp": 0.25, "sex": "m", "id": "w", "age": null}]`), "json")
	if err != nil || err2 == nil {
		t.Error(err, err2) // sex and clinic.sex are one column
	}
	list, err = e.ReadPoints(strings.NewReader(`[{"sex": "x", "lab.note": "w", "id": "z", "clinic.note": 9.0,
		"age": 60}, {"sex": "m", "lab.note": "v", "lab.crp": 0.25, "id": "w", "age": null}]`), "json")
	for name, got := range map[string]*Dataset{"rows": rows, "json": list} {
		if err != nil || fmt.Sprint(got.X) != fmt.Sprint(want.X) || !slices.Equal(got.Keys, want.Keys) ||
			!slices.Equal(got.UnseenValues, want.UnseenValues) || !slices.Equal(got.FilledColumns, want.FilledColumns) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, want)
		}
	}
	_, err = e.EncodeRows([]string{"age", "sex", "note", "crp"}, []string{"1", "f", "2", "3"})
	wantError(t, err, "data: ", `"lab.note"`)
	_, err = e.EncodeRows([]string{"age", "clinic.note", "lab.note", "crp"}, []string{"1", "2", "u", "3"})
	wantError(t, err, "data: clinic: ", "sex")
	_, err = e.ReadPoints(strings.NewReader("age\n1\n"), "csv")
	wantError(t, err, "data: ", "EncodeRows")
}

// TestRowsWithUnits: a JSON number has the unit of its column, and a text has it as in the file. A line of units is
// skipped in files only.
func TestRowsWithUnits(t *testing.T) {
	d := mustRead(t, CSV, Options{Units: Units{"w": "kg"}, UnitLine: true}, "w,c,y\n(kg),(word),(y/n)\n5 "+
		"kg,u,0\n6kg,v,1\n")
	e := reread(t, d.Encoding)
	for in, want := range map[string]string{`{"w": 7.5, "c": "u"}`: "[7.5 1 0]", `{"w": "8 kg", "c": "v"}`: "[8 0 1]"} {
		same(t, want, dense(must(e.ReadPoints(strings.NewReader(in), "json")).X))
	}
	wantError(t, errorOf(e.ReadPoints(strings.NewReader(`{"w": "8", "c": "v"}`), "json")), "Options.Units")
	for _, units := range []string{"", "(kg),(word)\n"} {
		z := must(e.ReadPoints(strings.NewReader("w,c\n"+units+"9 kg,v\n"), "csv"))
		same(t, "[9 0 1]", dense(z.X))
	}
}
