package data

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// frame is a table of n rows as pandas writes one: a name above each column, or three columns without names.
func frame(sep string, names []string, n int, cell func(i, j int) string) string {
	var b strings.Builder
	width := 3
	if names != nil {
		width = len(names)
		b.WriteString(strings.Join(names, sep) + "\n")
	}
	for i := range n {
		row := make([]string, width)
		for j := range row {
			row[j] = cell(i, j)
		}
		b.WriteString(strings.Join(row, sep) + "\n")
	}
	return b.String()
}

// TestIndexColumn: the index that a data frame is written with is no feature.
func TestIndexColumn(t *testing.T) {
	const n = 20
	numbers := func(from int) func(i, j int) string {
		return func(i, j int) string {
			switch j {
			case 0:
				return fmt.Sprint(i + from)
			case 1:
				return fmt.Sprintf("%.2f", float64(i*7%n)+0.25)
			}
			return fmt.Sprint(i % 2)
		}
	}
	shuffled := func(i, j int) string {
		if j == 0 {
			return fmt.Sprint((i*7 + 3) % 101)
		}
		return numbers(0)(i, j)
	}
	for _, c := range []struct {
		in   string
		o    Options
		want []string // features
		note string
	}{
		{frame(",", []string{"", "a", "y"}, n, numbers(0)), Options{}, []string{"a"},
			"column 1, without a name, counts 0, 1, …: an index, left out (Options.KeepIndex keeps it)"},
		{frame(",", []string{`""`, `"a"`, `"y"`}, n, numbers(1)), Options{}, []string{"a"},
			"counts 1, 2, …: an index, left out"},
		{frame(",", []string{"Unnamed: 0", "a", "y"}, n, numbers(0)), Options{}, []string{"a"}, "an index, left out"},
		{frame(",", []string{"", "a", "y"}, n, shuffled), Options{}, []string{"a"},
			"holds a different whole number in each row: an index, left out"},
		{frame(",", []string{"", "a", "y"}, n, numbers(0)), Options{KeepIndex: true}, []string{"x1", "a"}, "numbers"},
		{frame(",", []string{"", "a", "y"}, n, numbers(3)), Options{KeepIndex: true}, []string{"x1", "a"}, "numbers"},
		{frame(",", []string{"", "a", "y"}, n, numbers(0)), Options{Leave: []string{"x1"}}, []string{"a"},
			"left out: x1"},
		{frame(",", []string{"id", "a", "y"}, n, numbers(1)), Options{}, []string{"id", "a"},
			"column 1 (id) counts the rows (Options.Leave leaves it out)"},
		{frame(",", []string{"a", "y"}, n, func(i, j int) string { return numbers(0)(i, j+1) }), Options{},
			[]string{"a"}, "numbers as they are in the file"},
		// R's write.table
		{strings.Replace(frame(" ", []string{"-", "a", "y"}, n, numbers(1)), "- a", "a", 1), Options{}, []string{"a"},
			"an index, left out"},
		// the first column alone is the only feature there is
		{",y\n0,0\n1,1\n2,1\n", Options{}, []string{"x1"}, "numbers"},
	} {
		d := mustRead(t, CSV, c.o, c.in)
		if got := d.Features(); !slices.Equal(got, c.want) || !strings.Contains(d.Prepared, c.note) {
			t.Errorf("%q: features %q, prepared %q; want %q and %q", brief(c.in), got, d.Prepared, c.want, c.note)
		}
	}
}

// TestCountingHeader: a first line 0, 1, …, d−1 is names where that can be told, and refused else.
func TestCountingHeader(t *testing.T) {
	float := func(i, j int) string { return fmt.Sprintf("%d.%d", i, j+1) }
	label := func(last int, cell func(i, j int) string) func(i, j int) string {
		return func(i, j int) string {
			if j == last {
				return fmt.Sprint(i % 2)
			}
			return cell(i, j)
		}
	}
	whole := func(i, j int) string { return fmt.Sprint((i*5 + j*3) % 17) }
	count := func(d int) (names []string) {
		for j := range d {
			names = append(names, fmt.Sprint(j))
		}
		return names
	}
	for _, c := range []struct {
		in   string
		n, d int // 0 where it is refused
	}{
		{frame(",", count(11), 12, label(10, float)), 12, 10},
		{frame(",", count(11), 12, label(10, whole)), 12, 10},
		{frame(",", count(3), 12, label(2, float)), 12, 2},
		{frame(",", count(3), 12, label(2, whole)), 0, 0},
		{frame(",", append([]string{""}, count(4)...), 12, label(4, func(i, j int) string {
			if j == 0 {
				return fmt.Sprint(i)
			}
			return whole(i, j)
		})), 12, 3},
		{frame(",", append(count(2), "target"), 12, label(2, whole)), 12, 2},
		{frame(",", append(count(4), "target"), 12, label(4, float)), 12, 4},
		{frame(",", nil, 12, label(2, float)), 12, 2},
		{"2,3,0\n5,1,1\n4,4,1\n", 3, 2},
	} {
		d, err := read(CSV, Options{}, c.in)
		switch {
		case c.n == 0:
			wantError(t, err, "the first line counts, 0, 1, 2: are these names or a point? Options.Header")
			for h, n := range map[Header]int{HeaderYes: 12, HeaderNo: 13} {
				if d, err := read(CSV, Options{Header: h, Regression: true}, c.in); err != nil || d.Len() != n {
					t.Errorf("header %d: %v, %v, want %d points", h, d, err, n)
				}
			}
		case err != nil:
			t.Errorf("%q: %v", brief(c.in), err)
		case d.Len() != c.n || d.Dim() != c.d:
			t.Errorf("%q: %v, want %d points of %d features", brief(c.in), d, c.n, c.d)
		}
	}
	d := mustRead(t, CSV, Options{}, frame(",", count(11), 12, label(10, float)))
	if !strings.Contains(d.Prepared, "the first line counts, 0, 1, 2, …: taken for names (Options.Header)") ||
		d.Features()[3] != "3" {
		t.Errorf("prepared %q, features %q", d.Prepared, d.Features())
	}
	// A matrix of distances |i − j| has such a first row: nothing is guessed.
	var m strings.Builder
	for i := range 6 {
		for j := range 6 {
			fmt.Fprintf(&m, "%d,", max(i-j, j-i))
		}
		fmt.Fprintf(&m, "%d\n", 6-i)
	}
	wantError(t, errorOf(Options{Format: CSV}.ReadMatrix(strings.NewReader(m.String()))), "the first line counts")
	x, err := Options{Format: CSV, Header: HeaderNo}.ReadMatrix(strings.NewReader(m.String()))
	if err != nil || x.N != 6 || x.D != 7 {
		t.Errorf("%d×%d, %v", x.N, x.D, err)
	}
}

// TestSeparators: the same table with each sign between cells is the same dataset.
func TestSeparators(t *testing.T) {
	names := []string{"a", "b", "y"}
	cell := func(i, j int) string {
		return []string{fmt.Sprintf("%.1f", float64(i)+0.5), fmt.Sprint(3 * i), fmt.Sprint(i % 2)}[j]
	}
	want := mustRead(t, CSV, Options{}, frame(",", names, 9, cell))
	for sep, note := range map[string]string{
		",": "nothing missing", ";": "';' between cells", "\t": `'\t' between cells`, "|": "'|' between cells",
		" ": "spaces between cells", "    ": "spaces between cells",
	} {
		for _, end := range []string{"", "   \n", "\n\n", " \r\n"} {
			d := mustRead(t, CSV, Options{}, "# made by hand, with care\n\n"+frame(sep, names, 9, cell)+end)
			if d.Digest() != want.Digest() || !strings.HasSuffix(d.Prepared, note) {
				t.Errorf("%q, end %q: %v, prepared %q", sep, end, d, d.Prepared)
			}
		}
	}
	// One sign that is named is not doubted, and a cell of words does not decide.
	if d := mustRead(t, CSV, Options{}, "t,a,y\nu;v,1,0\nw;x,2,1\n"); d.Dim() != 3 {
		t.Errorf("%q", d.Features())
	}
	if d := mustRead(t, CSV, Options{Comma: ','}, "a;b,y\n1,0\n2,1\n"); d.Dim() != 1 || d.Features()[0] != "a;b" {
		t.Errorf("%q", d.Features())
	}
}

// TestNumbersAsWritten: decimal commas are read where the file shows them; amounts and dates are
// refused with column and option, and read with it.
func TestNumbersAsWritten(t *testing.T) {
	d := mustRead(t, CSV, Options{}, "a;b;y\n1,5;-2,25;0\n3;0,5e1;1\n")
	if got, want := dense(d.X), []float64{1.5, -2.25, 3, 5}; !slices.Equal(got, want) || !strings.Contains(d.Prepared,
		"decimal commas") {
		t.Errorf("%v, want %v; prepared %q", got, want, d.Prepared)
	}
	d = mustRead(t, CSV, Options{}, "a;b;y\n0,346;1;0\n-1,234;2;1\n") // no thousands begin with 0
	if got, want := dense(d.X), []float64{0.346, 1, -1.234, 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	d = mustRead(t, CSV, Options{}, "1,5;-2,25;u\n3,5;0,5e1;v\n2,5;0,25;u\n") // the first line is a point, not names
	if got, want := dense(d.X), []float64{1.5, -2.25, 3.5, 5, 2.5, 0.25}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	d = mustRead(t, CSV, Options{Regression: true}, "a,y\n\"1,5\",\"2,25\"\n\"3,5\",4\n")
	if !slices.Equal(dense(d.X), []float64{1.5, 3.5}) || !slices.Equal(d.Y, []float64{2.25, 4}) {
		t.Errorf("%v, %v", dense(d.X), d.Y)
	}
	d = mustRead(t, CSV, Options{Amounts: []string{"a", "b"}, Dates: []string{"c"}},
		"a,b,c,y\n\"$1,234.50\",12%,1970-01-02,0\n($3),-0.5 %,2000-02-29T12:00:00,1\n")
	if got, want := dense(d.X), []float64{1234.5, 12, 1, -3, -0.5, 11016.5}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	d = mustRead(t, CSV, Options{Amounts: []string{"a"}, Decimal: ','}, "a;y\n1.234,5 €;0\n-2.000.000;1\n")
	if got, want := dense(d.X), []float64{1234.5, -2000000}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for in, want := range map[string][]string{
		"a;b;y\n1;1,234;0\n2;2,345;1\n": {"row 1 (line 2), column 2 (b)",
			`"1,234" is a number with a decimal comma or with groups`, "Options.Decimal: ','", "Amounts"},
		"a;b;y\n1.5;1,25;0\n2;2,345;1\n": {"column 2 (b)", `"1,25" is a number with a decimal comma`,
			"Options.Decimal"},
		"a,b,y\n1,$3.50,0\n2,$4,1\n": {"row 1 (line 2), column 2 (b)",
			`"$3.50" is a number with a sign of a currency`, "Options.Amounts"},
		"a,b,y\n1,12%,0\n2,13%,1\n":             {"column 2 (b)", `"12%"`, "Options.Amounts"},
		"a,b,y\n1,\"1,234,567\",0\n2,3,1\n":     {"column 2 (b)", "groups of digits", "Options.Amounts"},
		"a,b,y\n1,7,0\n2,\"1,234\",1\n":         {"row 2 (line 3), column 2 (b)", "Options.Decimal", "Amounts"},
		"a,b,y\n1,2024-01-31,0\n2,2024-02-1,1":  {"column 2 (b)", `"2024-01-31" is a date`, "Options.Dates"},
		"a,b,y\n1,31/01/2024,0\n2,2/1/2024,1\n": {"column 2 (b)", `"31/01/2024" is a date, with day or month first`},
	} {
		wantError(t, errorOf(read(CSV, Options{}, in)), want...)
	}
	wantError(t, errorOf(read(CSV, Options{Regression: true}, "a,y\n1,\"$1,200.50\"\n2,$4\n")),
		`"$1,200.50" is not a number`, "Options.Amounts")
	wantError(t, errorOf(read(CSV, Options{Amounts: []string{"a"}}, "a,y\n$1,0\nten,1\n")),
		"row 2 (line 3), column 1 (a)", `"ten" is not an amount`)
	for in, want := range map[string][]string{
		"a,y\n$1,0\n2,1\n€3,0\n": {"row 3 (line 4), column 1 (a)",
			`"€3" is in €, that on line 2 in $: want one unit in a column`},
		"a,y\n1 €,0\n-2 £,1\n":      {"row 2 (line 3), column 1 (a)", `"-2 £" is in £, that on line 2 in €`},
		"a,y\n12%,0\n0.13,1\n":      {"row 2 (line 3), column 1 (a)", `"0.13" is without a unit, that on line 2 in %`},
		"a,y\n0.12,0\n13%,1\n":      {"row 2 (line 3), column 1 (a)", `"13%" is in %, that on line 2 without a unit`},
		"a,y\n$12,0\n13%,1\n":       {"column 1 (a)", `"13%" is in %, that on line 2 in $`},
		"a,y\n$12,$3\n1,€4\n$7,8\n": {"row 2 (line 3), column 2 (y)", `"€4" is in €, that on line 2 in $`},
	} {
		wantError(t, errorOf(read(CSV, Options{Amounts: []string{"a", "y"}, Regression: true}, in)), want...)
	}
	d = mustRead(t, CSV, Options{Amounts: []string{"a"}}, "a,y\n12%,0\n0,1\n")
	if got, want := dense(d.X), []float64{12, 0}; !slices.Equal(got, want) {
		t.Errorf("a share of 0 needs no sign: %v, want %v", got, want)
	}
	wantError(t, errorOf(read(CSV, Options{Dates: []string{"y"}, Regression: true}, "a,y\n1,2024-01-01\n2,soon\n")),
		"row 2 (line 3), column 2 (y)", `"soon" is not a date`)
	// Names are names where that is said, and ranges of ages are no dates.
	if d = mustRead(t, CSV, Options{Nominal: []string{"a"}}, "a,b,y\n12%,10-14,0\n13%,15-19,1\n"); d.Dim() != 4 {
		t.Errorf("%q", d.Features())
	}
}

// TestMissingSpellings: what pandas takes for missing is missing, never a name.
func TestMissingSpellings(t *testing.T) {
	for _, s := range missing {
		d, err := read(CSV, Options{Missing: Drop}, "a,b,y\n1,2,0\n"+s+",3,0\n4,5,1\n")
		if err != nil || d.Len() != 2 || d.Dim() != 2 {
			t.Errorf("%q: %v, %v", s, d, err)
		}
	}
	wantError(t, errorOf(read(CSV, Options{}, "a,b,y\n1,2,0\n1,n/a,0\n4,5,1\n")),
		`row 2 (line 3), column 2 (b): the cell "n/a" is missing`)
}

// TestComments: a line that begins with # is a comment unless it is a row; one above the rows may name
// the columns.
func TestComments(t *testing.T) {
	for in, want := range map[string][]string{
		"# first\n#second, of two\na,b,y\n1,2,0\n# between\n3,4,1\n":    {"a", "b"},
		"# a,b,y\n1,2,0\n3,4,1\n":                                       {"a", "b"}, // numpy.savetxt
		"# one\n# a b y\n1 2 0\n3 4 1\n":                                {"a", "b"},
		"#,b,y\n1,2,0\n5,4,1\n":                                         {"#", "b"},
		"1,2,0\n3,4,1\n# that is all\n":                                 {"x1", "x2"},
		"#f00,2,0\n#0f0,4,1\n":                                          {"x1=#0f0", "x1=#f00", "x2"},
		"hue,b,y\n#f00,2,0\n# and\n\"#0f0\",4,1\n#not \"closed\n":       {"hue=#0f0", "hue=#f00", "b"},
		"a,t,y\n1,\"two\n# lines, here\",0\n2,\"two\n# lines, here\",1": {"a", "t=two # lines, here"},
	} {
		o := Options{}
		if strings.HasPrefix(in, "#f00") {
			o.Header = HeaderNo
		}
		d, err := read(CSV, o, in)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if got := d.Features(); !slices.Equal(got, want) || d.Len() != 2 {
			t.Errorf("%q: %d points with %q, want 2 with %q", in, d.Len(), got, want)
		}
	}
}

// TestNotText: what is not text is named.
func TestNotText(t *testing.T) {
	wide := func(mark bool, big bool) string {
		var b []byte
		u := utf16.Encode([]rune("a,b,y\n1,2,0\n"))
		if mark {
			u = append([]uint16{0xFEFF}, u...)
		}
		for _, c := range u {
			if big {
				b = append(b, byte(c>>8), byte(c))
			} else {
				b = append(b, byte(c), byte(c>>8))
			}
		}
		return string(b)
	}
	for in, want := range map[string]string{
		wide(true, false): "UTF-16", wide(true, true): "UTF-16", wide(false, false): "UTF-16 without its mark",
		wide(false, true): "UTF-16 without its mark",
		"PK\x03\x04abc":   "spreadsheet", string(pack(t, []byte("a,b\n"))): ".gz", npyOf(1, 1, 1): "NPY",
	} {
		for _, f := range []Format{CSV, LIBSVM, ARFF} {
			wantError(t, errorOf(read(f, Options{}, in)), f.String()+": the file is not plain text, but", want)
		}
	}
}

// TestLIBSVMIndices: a file may lack the last features of another, and count from 0.
func TestLIBSVMIndices(t *testing.T) {
	d := mustRead(t, LIBSVM, Options{Features: 5}, "1 1:1 2:2\n-1 3:4\n")
	if d.Dim() != 5 || !slices.Equal(dense(d.X), []float64{1, 2, 0, 0, 0, 0, 0, 4, 0, 0}) {
		t.Errorf("%v: %v", d, dense(d.X))
	}
	full := ""
	for i := range 20 {
		full += fmt.Sprintf("%d 1:%d 2:2\n", i%2, i+1)
	}
	if d = mustRead(t, LIBSVM, Options{}, full); len(d.Doubts) != 1 || !strings.Contains(d.Doubts[0],
		"100 % of the entries are not 0: Options.Dense") {
		t.Errorf("doubts %q", d.Doubts)
	}
	for in, o := range map[string]Options{full: {Dense: true}, full + "1 9:1\n": {}} {
		if d = mustRead(t, LIBSVM, o, in); d.Doubts != nil {
			t.Errorf("doubts %q", d.Doubts)
		}
	}
	d = mustRead(t, LIBSVM, Options{}, "1 1:1 2:2\n-1 0:7 3:4\n")
	if !slices.Equal(dense(d.X), []float64{0, 1, 2, 0, 7, 0, 0, 4}) || !strings.Contains(d.Prepared,
		"indices from 0, as on line 2") {
		t.Errorf("%v: %v, %q", d, dense(d.X), d.Prepared)
	}
	d = mustRead(t, LIBSVM, Options{ZeroBased: true, Features: 4}, "1 1:1 2:2\n-1 2:4\n")
	if !slices.Equal(dense(d.X), []float64{0, 1, 2, 0, 0, 0, 4, 0}) {
		t.Errorf("%v: %v", d, dense(d.X))
	}
	d = mustRead(t, LIBSVM, Options{ZeroBased: true}, "1 0:1 1:5\n-1 0:2 1:6\n")
	if !slices.Equal(dense(d.X), []float64{1, 5, 2, 6}) {
		t.Errorf("%v: %v", d, dense(d.X))
	}
}

// TestCaps: what is too long, or unpacks to too much, is refused: 17 MiB of the same rows are 20 KiB packed.
func TestCaps(t *testing.T) {
	wantError(t, errorOf(read(CSV, Options{MaxBytes: 10}, "a,y\n1,0\n1,1\n")),
		"the file holds more than 10 bytes: Options.MaxBytes")
	bomb := pack(t, bytes.Repeat([]byte("1,0\n2,1\n"), 17<<17))
	wantError(t, errorOf(Open(write(t, "bomb.csv.gz", bomb))), "bomb.csv.gz",
		"unpacks to more than 200 times its packed size", "Options.MaxBytes")
}

// TestHalf compares floats of 16 bits with known ones.
func TestHalf(t *testing.T) {
	for b, want := range map[uint16]float64{0: 0, 0x3C00: 1, 0xC000: -2, 0x7BFF: 65504, 0x0400: 1.0 / (1 << 14),
		0x0001: 1.0 / (1 << 24), 0x3555: 0.333251953125} {
		if got := half(b); got != want {
			t.Errorf("half(%#x) = %v, want %v", b, got, want)
		}
	}
	x, err := Options{Format: NPY}.ReadMatrix(strings.NewReader(npy(1, npyHeaderText("<f2", false, "(2,)"),
		[]byte{0, 0x3C, 0, 0xC0})))
	if err != nil || !slices.Equal(x.Data, []float64{1, -2}) {
		t.Errorf("%v, %v", x.Data, err)
	}
	wantError(t, errorOf(Options{Format: NPY}.ReadMatrix(strings.NewReader(npy(1, npyHeaderText("<f2", false, "(1,)"),
		[]byte{0, 0x7C})))), "+Inf, want a finite number")
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
		"X.npy": x, "y.npy": y, "X_train.npy": x, "y_train.npy": y, "points.npy": x, "few.npy": npyOf(2, 1, 0, 1),
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
	for name, o := range map[string]Options{"X.npy": {}, "X_train.npy": {}, "points.npy": {Labels: in("y.npy")},
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
	d, err := Options{Unlabelled: true}.Open(in("X.npy"))
	if err != nil || d.Dim() != 2 || d.Y != nil {
		t.Errorf("unlabelled: %v, %v", d, err)
	}
	if d, err = Open(in("X.npy")); err != nil || !strings.Contains(d.Prepared, "labels of y.npy") ||
		d.Source != "file X.npy, labels from y.npy" {
		t.Errorf("prepared %q, source %q", d.Prepared, d.Source)
	}
	for name, want := range map[string]string{"c.npz": `the archive holds arr_0, arr_1, want one array, or arrays X and y`, "d.npz": "two arrays of points", "e.npz": "the data end after"} {
		wantError(t, errorOf(Open(in(name))), name, want)
	}
	wantError(t, errorOf(Options{Labels: in("few.npy")}.Open(in("points.npy"))),
		"labels of few.npy: shape (2, 1), want one label for each of 3 points")
	wantError(t, errorOf(Options{Labels: in("none.npy")}.Open(in("points.npy"))), "Options.Labels", "none.npy",
		"cannot open")
	m, err := OpenMatrix(in("a.npz"))
	if err != nil || m.N != 3 || m.D != 2 {
		t.Errorf("X of the archive: %d×%d, %v", m.N, m.D, err)
	}
	_, err = Options{Labels: in("a.npz")}.Open(in("points.npy"))
	wantError(t, err, "the archive holds X and y, want one array")
	if _, err := (Options{Labels: "y.npy"}).Read(strings.NewReader("")); err == nil {
		t.Error("no error without a format")
	}
}

// TestSpreadsheets: separators at the end of every line and rows without a cell are no column and no
// points; lines that end in CR alone are said.
func TestSpreadsheets(t *testing.T) {
	want := mustRead(t, CSV, Options{}, "a,b,y\n1,2,0\n3,4,1\n")
	for in, note := range map[string]string{
		"a,b,y,\n1,2,0,\n3,4,1,\n":                "the empty last column left out",
		"a,b,y\n1,2,0\n,,\n3,4,1\n,,\n,,\n":       "3 empty rows skipped",
		"a;b;y;\n\n1;2;0;\n3;4;1;\n;;;\n   \n":    "1 empty row skipped",
		"\uFEFFa\tb\ty\r\n1\t2\t0\r\n3\t4\t1\r\n": "nothing missing",
	} {
		d := mustRead(t, CSV, Options{}, in)
		if d.Digest() != want.Digest() || !strings.Contains(d.Prepared, note) {
			t.Errorf("%q: %v, prepared %q", in, d, d.Prepared)
		}
	}
	_, err := read(CSV, Options{}, "a,b,y,\n1,2,0,\n3,4,1,7\n")
	if err == nil {
		t.Error("a cell in a column without a name is no error")
	}
	for _, f := range []Format{CSV, LIBSVM, ARFF} {
		wantError(t, errorOf(read(f, Options{}, "a,b,y\r1,2,0\r3,4,1\r")), "lines end in CR alone")
	}
	wantError(t, errorOf(read(CSV, Options{}, "class,a\nu,1.5\nv,2.5\nu,3.5\n")), "Regression", "Label another column")
}
