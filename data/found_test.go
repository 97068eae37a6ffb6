package data

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
		for _, f := range []Format{CSV, LIBSVM, ARFF} {
			wantError(t, errorOf(read(f, Options{}, in)), f.String()+": the file is not plain text, but", want)
		}
	}
}

// TestLIBSVMIndices: a file may count from 0.
func TestLIBSVMIndices(t *testing.T) {
	d := mustRead(t, LIBSVM, Options{}, "1 1:1 2:2\n-1 0:7 3:4\n")
	if !slices.Equal(dense(d.X), []float64{0, 1, 2, 0, 7, 0, 0, 4}) || !strings.Contains(d.Prepared,
		"indices start at 0, because line 2 has an index 0") {
		t.Errorf("%v: %v, %q", d, dense(d.X), d.Prepared)
	}
	d = mustRead(t, LIBSVM, Options{ZeroBased: true}, "1 0:1 1:5\n-1 0:2 1:6\n")
	if !slices.Equal(dense(d.X), []float64{1, 5, 2, 6}) {
		t.Errorf("%v: %v", d, dense(d.X))
	}
}

// TestCaps: a file that unpacks to more than the limit is an error, however small it is packed.
func TestCaps(t *testing.T) {
	_, err := gunzip(pack(t, make([]byte, 1001)), 1000, tooMany)
	if err == nil || err.Error() != "the file holds more than 1000 bytes" {
		t.Error(err)
	}
}

func zipped(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w := must(z.Create(files[i]))
		if _, err := io.WriteString(w, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestArrayPairs: X and y from an archive, from two files, from two files whose names say so.
func TestArrayPairs(t *testing.T) {
	x, y := npyOf(3, 2, 1, 2, 3, 4, 5, 6), npy(1, npyHeaderText("|i1", false, "(3,)"), []byte{0, 1, 1})
	want := mustRead(t, NPY, Options{}, npyOf(3, 3, 1, 2, 0, 3, 4, 1, 5, 6, 1))
	dir := t.TempDir()
	for name, content := range map[string]string{
		"X.npy": x, "y.npy": y, "points.npy": x, "few.npy": npyOf(2, 1, 0, 1),
		"a.npz": string(zipped(t, "X.npy", x, "y.npy", y)), "b.npz": string(zipped(t, "arr_0.npy",
			npyOf(3, 3, 1, 2, 0, 3, 4, 1, 5, 6, 1))),
		"c.npz": string(zipped(t, "arr_0.npy", x, "arr_1.npy", y)), "d.npz": string(zipped(t, "data.npy", x, "y.npy",
			y, "X.npy", x)),
		"e.npz": string(zipped(t, "X.npy", x[:len(x)-1])),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, o := range map[string]Options{"points.npy": {Labels: in("y.npy")},
		"a.npz": {}, "b.npz": {}} {
		d, err := o.Open(in(name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d.Digest() != want.Digest() {
			t.Errorf("%s: %v %v %v", name, d, dense(d.X), d.Y)
		}
	}
	d, err := Options{Unlabeled: true}.Open(in("X.npy"))
	if err != nil || d.Dim() != 2 || d.Y != nil {
		t.Errorf("unlabeled: %v, %v", d, err)
	}
	if d, err = (Options{Labels: in("y.npy")}).Open(in("X.npy")); err != nil ||
		!strings.Contains(d.Prepared, "labels of y.npy") ||
		d.Source != "file X.npy, labels from y.npy" {
		t.Errorf("prepared %q, source %q", d.Prepared, d.Source)
	}
	for name, want := range map[string]string{"c.npz": `the archive holds arr_0, arr_1; save one array, or arrays named X and y`, "d.npz": "save one array, or arrays named X and y", "e.npz": "the data end after"} {
		wantError(t, errorOf(Open(in(name))), name, want)
	}
	wantError(t, errorOf(Options{Labels: in("few.npy")}.Open(in("points.npy"))),
		"few.npy: label: the shape is (2, 1); give one label for each of 3 points")
	wantError(t, errorOf(Options{Labels: in("none.npy")}.Open(in("points.npy"))), "Options.Labels", "none.npy",
		"cannot open")
	m, err := Options{}.OpenMatrix(in("a.npz"))
	if err != nil || m.N != 3 || m.D != 2 {
		t.Errorf("X of the archive: %d×%d, %v", m.N, m.D, err)
	}
	_, err = Options{Labels: in("a.npz")}.Open(in("points.npy"))
	wantError(t, err, "the archive holds X and y; save a single array")
	if _, err := (Options{Labels: "y.npy"}).Read(strings.NewReader("")); err == nil {
		t.Error("no error without a format")
	}
}

// TestLineEnds: lines that end in CR alone are said; a file with a byte order mark and CRLF is read.
func TestLineEnds(t *testing.T) {
	want := mustRead(t, CSV, Options{}, "a,b,y\n1,2,0\n3,4,1\n")
	if d := mustRead(t, CSV, Options{}, "\uFEFFa\tb\ty\r\n1\t2\t0\r\n3\t4\t1\r\n"); d.Digest() != want.Digest() {
		t.Errorf("%v", d)
	}
	for _, f := range []Format{CSV, LIBSVM, ARFF} {
		wantError(t, errorOf(read(f, Options{}, "a,b,y\r1,2,0\r3,4,1\r")), "lines end in CR alone")
	}
	wantError(t, errorOf(read(CSV, Options{}, "class,a\nu,1.5\nv,2.5\nu,3.5\n")), "Options.Regression", "Options.Label")
}
