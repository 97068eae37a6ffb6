package data

import (
	"strings"
	"testing"
)

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
