package data

import (
	"testing"
	"unicode/utf16"
)

// TestMissingSpellings: what pandas takes for missing is missing, never a name.
func TestMissingSpellings(t *testing.T) {
	for _, s := range defaultMissingMarkers {
		d, err := read(CSV, Options{Missing: Drop}, "a,b,y\n1,2,0\n"+s+",3,0\n4,5,1\n")
		if err != nil || d.Len() != 2 || d.Dim() != 2 {
			t.Errorf("%q: %v, %v", s, d, err)
		}
	}
	wantError(t, errorOf(read(CSV, Options{}, "a,b,y\n1,2,0\n1,n/a,0\n4,5,1\n")),
		`row 2 (line 3), column 2 (b): the cell "n/a" is missing`)
}

// TestNotText: what is not text is named.
func TestNotText(t *testing.T) {
	wide := func(big bool) string {
		var b []byte
		for _, c := range utf16.Encode([]rune("\uFEFFa,b,y\n1,2,0\n")) {
			if big {
				b = append(b, byte(c>>8), byte(c))
			} else {
				b = append(b, byte(c), byte(c>>8))
			}
		}
		return string(b)
	}
	for in, want := range map[string]string{
		wide(false): "UTF-16", wide(true): "UTF-16",
		"PK\x03\x04abc": "spreadsheet", string(pack(t, []byte("a,b\n"))): ".gz", npyOf(1, 1, 1): "NPY",
	} {
		for _, f := range []Format{CSV, LIBSVM} {
			wantError(t, errorOf(read(f, Options{}, in)), f.String()+": the file is not plain text, but", want)
		}
	}
}

// TestCaps: a file that unpacks to more than the limit is an error, however small it is packed.
func TestCaps(t *testing.T) {
	_, err := gunzip(pack(t, make([]byte, 1001)), 1000)
	if err == nil || err.Error() != "the file holds more than 1000 bytes" {
		t.Error(err)
	}
}

// TestLineEnds: lines that end in CR alone are said; a file with a byte order mark and CRLF is read.
func TestLineEnds(t *testing.T) {
	want := mustRead(t, CSV, Options{}, "a,b,y\n1,2,0\n3,4,1\n")
	if d := mustRead(t, CSV, Options{}, "\uFEFFa\tb\ty\r\n1\t2\t0\r\n3\t4\t1\r\n"); d.Digest() != want.Digest() {
		t.Errorf("%v", d)
	}
	for _, f := range []Format{CSV, LIBSVM} {
		wantError(t, errorOf(read(f, Options{}, "a,b,y\r1,2,0\r3,4,1\r")), "lines end in CR alone")
	}
	wantError(t, errorOf(read(CSV, Options{}, "class,a\nu,1.5\nv,2.5\nu,3.5\n")), "Options.Regression", "Options.Label")
}
