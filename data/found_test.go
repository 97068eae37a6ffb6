package data

import "testing"

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
}

// TestNotText: the error for a file that is not text names what it is.
func TestNotText(t *testing.T) {
	for in, want := range map[string]string{
		"\xFF\xFEa\x00": "but UTF-16", "\xFE\xFF\x00a": "but UTF-16", "PK\x03\x04abc": "but a spreadsheet",
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
