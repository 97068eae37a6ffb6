package data

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

func read(f Format, o Options, s string) (*Dataset, error) {
	o.Format = f
	return o.Read(strings.NewReader(s))
}

func mustRead(t *testing.T, f Format, o Options, s string) *Dataset {
	t.Helper()
	d := must(read(f, o, s))
	return d
}

// npyFile is a file as numpy.save writes it.
func npyFile(version byte, header string, body []byte) string {
	b := []byte("\x93NUMPY")
	b = append(b, version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	return string(append(append(b, header...), body...))
}

func npyHeaderText(descr string, fortran bool, shape string) string {
	order := "False"
	if fortran {
		order = "True"
	}
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }          \n", descr, order, shape)
}

func f8(v ...float64) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

func npyOf(rows, cols int, v ...float64) string {
	return npyFile(1, npyHeaderText("<f8", false, fmt.Sprintf("(%d, %d)", rows, cols)), f8(v...))
}

// TestReadErrors has one case for every error of every format: what, where, and what was expected.
func TestReadErrors(t *testing.T) {
	const users = "user,a,y\nann,1,0\nbob,,1\n"
	cases := []struct {
		f    Format
		o    Options
		in   string
		want []string
	}{
		// CSV
		{CSV, Options{}, "", []string{"csv: no rows"}},
		{CSV, Options{}, "a,b,y\n1,2,0\n3,x,1\n", []string{"row 2 (line 3), column 2 (b)", `"x" is not a number`,
			"line 2 is", "Categorical"}},
		{CSV, Options{Missing: Fill}, "a,b,y\n1,2,0\n1,4,?\n", []string{"row 2 (line 3), column 3 (y)",
			"label is missing"}},
		{CSV, Options{Missing: Drop}, "a,b,y\n?,2,0\n1,NA,1\n", []string{"each of 2 rows has a missing cell"}},
		{CSV, Options{PositiveClass: "2"}, "a,y\n1,2\n3,4\n5,9\n", []string{`third class "9" after "2"`,
			"applies to two classes"}},
		{CSV, Options{}, "a,y\n1,2\n3,4\n5,9\n6,9\n7,4\n",
			[]string{`3 different labels in 5 rows, such as "2", "4", "9"`,
				"Regression"}},
		{CSV, Options{PositiveClass: "5"}, "a,y\n1,2\n3,4\n", []string{`no label is "5"`, `"2" and "4"`}},
		{CSV, Options{DropColumns: []string{"y"}}, "a,y\n1,2\n3,4\n",
			[]string{"Options.Label: column 2 (y) is already a dropped column"}},
		{CSV, Options{DropColumns: []string{"a"}}, "a,y\n1,2\n3,4\n", []string{"no feature beside the label"}},
		{CSV, Options{}, "a,a,y\n1,2,3\n", []string{`columns 1 and 2 are both named "a"`}},
		{CSV, Options{}, "a,y\n1\"1,2\n", []string{"line 2, character 2"}},
		{CSV, Options{}, "id,a,y\na,1,0\nb,1,0\nc,1,0\nd,1,0\ne,1,0\nf,1,1\ng,1,0\nh,1,0\ni,1,0\nj,1,0\nk,1,0\n",
			[]string{"column 1 (id) is text, different in each of 11 rows", "DropColumns"}},
		{CSV, Options{}, strings.Repeat("1,", sheet.MaxColumns+1), []string{"columns; at most"}},
		// Options
		{CSV, Options{Regression: true, PositiveClass: "a"}, "", []string{"Options.Regression"}},
		{Auto, Options{}, "", []string{"unknown format"}},
		{Format(77), Options{}, "", []string{"unknown format (format 77)"}},
		// LIBSVM
		{LIBSVM, Options{}, "+1\n-1\n", []string{"2 rows have no pair index:value"}},
		{LIBSVM, Options{}, "1:2 3:4\n", []string{"row 1 (line 1)",
			`it begins with "1:2"; the first word must be the label`}},
		{LIBSVM, Options{}, "1 1:2\n\n-1 2\n", []string{"row 2 (line 3), entry 1",
			`"2" is not of the form index:value`}},
		{LIBSVM, Options{}, "1 qid:7 1:2\n", []string{"entry 1", `the index "qid" is not a whole number`}},
		// NPY
		{NPY, Options{}, "", []string{"npy: the file ends within its first 12 bytes"}},
		{NPY, Options{}, "PK\x03\x04 this is a zip", []string{"the file is an archive of arrays"}},
		{NPY, Options{}, "\x93NUMPY\x09\x00\x10\x00{}", []string{"format version 9.0"}},
		{NPY, Options{}, "\x93NUMPY\x01\x00\x10\x00{}", []string{"ends within its header of 16 bytes"}},
		{NPY, Options{}, npyFile(1, "hello", nil), []string{`header "hello", expected a header such as {'descr'`}},
		{NPY, Options{}, npyFile(1, "{'descr': '<f8', 'shape': (1, 2)}", nil), []string{"expected a header"}},
		{NPY, Options{}, npyFile(1, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 2)}", nil),
			[]string{"save a matrix of plain numbers"}},
		{NPY, Options{}, npyFile(1, npyHeaderText("|O", false, "(1, 2)"), nil), []string{`type "|O"`, "Python objects"}},
		{NPY, Options{}, npyFile(1, npyHeaderText("<c16", false, "(1, 2)"), nil), []string{`type "<c16"`,
			"floats f4 and f8"}},
		{NPY, Options{}, npyFile(1, npyHeaderText("<f8", false, "(4294967296, 4294967296)"), nil),
			[]string{"more numbers than a file can hold"}},
		{NPY, Options{}, npyOf(2, 2, 1, 0, math.NaN(), 1), []string{"row 2, column 1: NaN is not a finite number"}},
		{NPY, Options{}, npyFile(1, npyHeaderText("<i8", false, "(1, 2)"), binary.LittleEndian.AppendUint64(f8(0),
			1<<60)),
			[]string{"row 1, column 2: an integer of more than 53 bits"}},
		// several targets, sequences, indices
		{CSV, Options{Targets: []string{"pulse", "pulse"}}, physiology,
			[]string{"Options.Targets: column 5 (pulse) is already a label"}},
		{CSV, Options{Targets: []string{"pulse"}}, physiology, []string{"the option names one column"}},
		{FASTA, Options{Label: "2"}, ">a x\n>b y\nA\n", []string{"line 1: no sequence follows"}},
		{FASTA, Options{Label: "2"}, ">a x\nAC\nA-C\n", []string{"line 3: character 2"}},
		{CSV, Options{Sequence: "s", Label: "y"}, "s,y\nA,p\n,q\n",
			[]string{"row 2 (line 3), column 1 (s): the sequence is missing"}},
		{CSV, Options{Sequence: "s", Label: "s"}, "s,y\n",
			[]string{"Options.Sequence: column 1 (s) is already a label"}},
		// groups, logarithms, other encodings
		{CSV, Options{Group: "a"}, users, []string{"row 2 (line 3), column 2 (a): the group is missing"}},
		{CSV, Options{Regression: true, LogTargets: true}, "a,price\n1,2\n2,0\n",
			[]string{"row 2 (line 3)", "Options.LogTargets"}},
		{CSV, Options{}, "a,y\n1,Baer\n2,B\xe4r\n", []string{"line 3, byte 4: 0xe4 is not UTF-8"}},
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%v/%.30q", c.f, c.in), func(t *testing.T) {
			wantError(t, errorOf(read(c.f, c.o, c.in)), c.want...)
		})
	}
}

// TestSameInAllFormats writes one random dataset in three formats and reads it back.
func TestSameInAllFormats(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n, d = 40, 5
	csv, svm := "a,b,c,d,e,y\n", ""
	var want, y, rows []float64
	columns := make([]float64, n*(d+1))
	for i := range n {
		y = append(y, float64(2*(i%2)-1))
		svm += sheet.FormatNumber(y[i])
		for j := range d {
			v := rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20))
			svm += fmt.Sprintf(" %d:%s", j+1, sheet.FormatNumber(v))
			csv += sheet.FormatNumber(v) + ","
			want, rows, columns[j*n+i] = append(want, v), append(rows, v), v
		}
		rows, columns[d*n+i] = append(rows, y[i]), y[i]
		svm, csv = svm+"\n", csv+sheet.FormatNumber(y[i])+"\n"
	}
	shape := fmt.Sprintf("(%d, %d)", n, d+1)
	for name, g := range map[string]*Dataset{
		"csv":         mustRead(t, CSV, Options{}, csv),
		"libsvm":      mustRead(t, LIBSVM, Options{}, svm),
		"npy":         mustRead(t, NPY, Options{}, npyFile(1, npyHeaderText("<f8", false, shape), f8(rows...))),
		"npy 2":       mustRead(t, NPY, Options{}, npyFile(2, npyHeaderText("<f8", false, shape), f8(rows...))),
		"npy fortran": mustRead(t, NPY, Options{}, npyFile(3, npyHeaderText("<f8", true, shape), f8(columns...))),
	} {
		if g.Len() != n || g.Dim() != d || !slices.Equal(g.Y, y) || !slices.Equal(dense(g.X), want) ||
			!slices.Equal(g.Classes, []string{"-1", "1"}) {
			t.Errorf("%s: %v differs from what was written", name, g)
		}
	}
}

// TestCSV reads quotes, a label in any column, identifiers, missing cells and duplicates.
func TestCSV(t *testing.T) {
	const (
		ids   = "id,a,y\na,1,0\nb,1,0\nc,1,0\nd,1,0\ne,1,0\nf,1,1\ng,1,0\nh,1,0\ni,1,0\nj,1,0\n"
		gaps  = "id,a,c,y\n,1,u,0\n2,?,v,1\n3,3,NA,1\n4,5,u,1\n"
		twice = "a,k,b,y\n2,7,1,0\n1,7,1,1\n2,7,1,0\n2,7,1,1\n1,7,1,1\n1,7,0,1\n"
	)
	drop := []string{"id"}
	for _, c := range []csvCase{
		{name: "quotes, a number as a name", options: Options{Label: "sick", DropColumns: drop,
			Categorical: []string{"ward"}},
			text:     "id, age ,\"size, cm\",ward,sick\n\nu1,30, 1.5e2 ,7,no\nu2,40,160,12,yes\n",
			features: "age size, cm ward=12 ward=7: 30 150 0 1 | 40 160 1 0", labels: "no yes",
			noted: "2 numbers and 1 nominal attribute, each value a column 0/1 named attribute=value (2 columns); " +
				"nothing missing; left out: id; 1 empty row skipped"},
		{name: "the label first", options: Options{Label: "a"}, text: "a,b\n0,5\n1,6\n", features: "b: 5 | 6",
			labels: "0 1"},
		{name: "no labels", options: Options{Unlabeled: true}, text: "a\n1\n2\n", features: "a: 1 | 2"},
		{name: "an identifier", text: ids + "k,1,0\n", wrong: []string{"column 1 (id) is text, different in each"}},
		{name: "gaps dropped", options: Options{Missing: Drop, DropColumns: drop}, text: gaps,
			features: "a c=u: 1 1 | 5 1", labels: "0 1"},
		{name: "a missing label", options: Options{Missing: Drop, DropColumns: drop},
			text: strings.ReplaceAll(gaps, "5,u,1", "5,u,?"), wrong: []string{"all 1 labels"}},
		{name: "gaps filled", options: Options{Missing: Fill, DropColumns: drop}, text: gaps,
			features: "a c=u c=v c=?: 1 1 0 0 | 3 0 1 0 | 3 0 0 1 | 5 1 0 0", labels: "0 1 1 1",
			noted: "2 missing cells filled in"},
		{name: "another marker", options: Options{Missing: Drop, MissingMarkers: []string{"-9"}},
			text: "a,y\n-9,0\n1,0\n2,1\n", features: "a: 1 | 2", labels: "0 1"},
		{name: "no marker", options: Options{MissingMarkers: []string{}, Categorical: []string{"a"}},
			text: "a,y\n?,0\n1,1\n", features: "a=1 a=?: 0 1 | 1 0", labels: "0 1"},
		{name: "duplicates", text: twice, features: "a k b: 2 7 1 | 1 7 1 | 2 7 1 | 2 7 1 | 1 7 1 | 1 7 0",
			labels: "0 1 0 1 1 1", noted: "2 duplicate points kept"},
		{name: "duplicates dropped", options: Options{DropDuplicates: true}, text: twice,
			features: "a k b: 2 7 1 | 1 7 1 | 2 7 1 | 1 7 0", labels: "0 1 1 1", noted: "2 duplicate points left out"},
	} {
		c.check(t)
	}
	for text, o := range map[string]Options{ids: {}, ids + "k,1,0\n": {Categorical: drop}} {
		if d := mustRead(t, CSV, o, text); d.Dim() != strings.Count(text, "\n") {
			t.Errorf("%v of %q", d, text)
		}
	}
	if d := mustRead(t, CSV, Options{Missing: Fill}, gaps); !strings.HasPrefix(fmt.Sprint(d.Doubts),
		"[2 missing numbers (id, a) filled with the mean of all points") {
		t.Errorf("doubts %q", d.Doubts)
	}
}

func TestClasses(t *testing.T) {
	for _, c := range []struct {
		o       Options
		labels  string
		classes []string
		y       []float64
	}{
		{Options{}, "1 2 1", []string{"1", "2"}, []float64{-1, 1, -1}},
		{Options{}, "+1 -1 1.0", []string{"-1", "1"}, []float64{1, -1, 1}},
		{Options{}, "10 9 9", []string{"9", "10"}, []float64{1, -1, -1}}, // as numbers, not as words
		{Options{}, "b a b", []string{"a", "b"}, []float64{1, -1, 1}},
		{Options{PositiveClass: "a"}, "b a b", []string{"b", "a"}, []float64{-1, 1, -1}},
		{Options{PositiveClass: "1"}, "2 1.0 2", []string{"2", "1"}, []float64{-1, 1, -1}},
		{Options{}, "b c a a b c", []string{"a", "b", "c"}, []float64{1, 2, 0, 0, 1, 2}},
		{Options{}, "10 9 2.0 2 9 +10 2", []string{"2", "9", "10"}, []float64{2, 1, 0, 0, 1, 2, 0}},
		{Options{}, "x 2 1 x 1 2", []string{"1", "2", "x"}, []float64{2, 1, 0, 2, 0, 1}},
		{Options{Regression: true}, "1 2.5 -3", nil, []float64{1, 2.5, -3}},
	} {
		var in strings.Builder
		in.WriteString("x,label\n")
		for i, l := range strings.Fields(c.labels) {
			fmt.Fprintf(&in, "%d,%s\n", i, l)
		}
		d := mustRead(t, CSV, c.o, in.String())
		if !slices.Equal(d.Classes, c.classes) || !slices.Equal(d.Y, c.y) {
			t.Errorf("%s: classes %q, y = %v, want %q, %v", c.labels, d.Classes, d.Y, c.classes, c.y)
		}
	}
}

func TestLIBSVM(t *testing.T) {
	for _, c := range []struct {
		options    Options
		text, want string
	}{
		{Options{}, "# head\n+1 1:0.5 3:-2 # tail\r\n\n-1\t2:1e-3 4:0\n+1\n",
			"[0.5 0 -2 0 0 0.001 0 0 0 0 0 0] [1 -1 1]"},
		{Options{Regression: true}, "1.5 1:1\n-2.5 1:2\n7 1:3", "[1 2 3] [1.5 -2.5 7]"},
		{Options{Unlabeled: true}, "what 1:1\n0 1:2\n", "[1 2] []"},
		{Options{}, "1 1:1 2:2\n-1 0:7 3:4\n", "[0 1 2 0 7 0 0 4] [1 -1]"},
		{Options{ZeroBased: true}, "1 0:1 1:5\n-1 0:2 1:6\n", "[1 5 2 6] [1 -1]"},
	} {
		d := mustRead(t, LIBSVM, c.options, c.text)
		if got := fmt.Sprint(dense(d.X), d.Y); got != c.want {
			t.Errorf("%q: %s, expected %s", c.text, got, c.want)
		}
		if slices.Contains(d.X.(points.Sparse).Val, 0) {
			t.Errorf("%q: an explicit zero", c.text)
		}
		isNoted := strings.Contains(d.Preparation, "indices start at 0, because line 2")
		if isNoted != strings.Contains(c.text, " 0:7") {
			t.Errorf("%q: prepared %q", c.text, d.Preparation)
		}
	}
}

// TestNPYTypes writes the numbers 3 to 7, the last column alternating, and −7, in every type and byte order.
func TestNPYTypes(t *testing.T) {
	for descr, v := range map[string]any{
		"f8": []float64{3, 0, 5, 1, -7, 0}, "f4": []float32{3, 0, 5, 1, -7, 0}, "i8": []int64{3, 0, 5, 1, -7, 0},
		"i4": []int32{3, 0, 5, 1, -7, 0}, "i2": []int16{3, 0, 5, 1, -7, 0}, "i1": []int8{3, 0, 5, 1, -7, 0},
		"u8": []uint64{3, 0, 5, 1, 7, 0}, "u4": []uint32{3, 0, 5, 1, 7, 0}, "u2": []uint16{3, 0, 5, 1, 7, 0},
		"u1": []uint8{3, 0, 5, 1, 7, 0}, "b1": []uint8{3, 0, 5, 1, 7, 0},
	} {
		for sign, order := range map[string]binary.ByteOrder{"<": binary.LittleEndian, ">": binary.BigEndian} {
			b := must(binary.Append(nil, order, v))
			d := mustRead(t, NPY, Options{}, npyFile(1, npyHeaderText(sign+descr, false, "(3, 2)"), b))
			want := []float64{3, 5, -7}
			if descr[0] == 'u' || descr[0] == 'b' {
				want[2] = 7
			}
			if !slices.Equal(dense(d.X), want) || !slices.Equal(d.Y, []float64{-1, 1, -1}) {
				t.Errorf("%s%s: %v, %v", sign, descr, dense(d.X), d.Y)
			}
		}
	}
	x, err := matrixOf(Options{Format: NPY}, npyFile(1, npyHeaderText("<f8", false, "(3L,)"),
		f8(1, 2, 3)))
	if err != nil || x.N != 3 || x.D != 1 || !slices.Equal(x.Data, []float64{1, 2, 3}) {
		t.Errorf("a vector is a column: %v, %v", x, err)
	}
}

func TestMatrices(t *testing.T) {
	x, err := matrixOf(Options{Format: CSV, Header: HeaderYes}, "s1,s2\n1,0.5\n0.5,1\n")
	if err != nil || x.N != 2 || x.D != 2 || !slices.Equal(x.Data, []float64{1, 0.5, 0.5, 1}) {
		t.Errorf("%v, %v", x, err)
	}
	if x, err := matrixOf(Options{Format: CSV, Thousands: ' '}, "1 200 0\n3 500 1\n"); err == nil {
		t.Errorf("blanks that may be in numbers separate cells: %v", x)
	}
	for _, named := range []string{",0,1\n0,2,1\n1,1,3\n", "Unnamed: 0,a,b\n0,2,1\n1,1,3\n", "a,b\na,2,1\nb,1,3\n",
		"id,7,5\n7,2,1\n5,1,3\n", "a,b\n2,1\n1,3\n", "a,2,1\nb,1,3\n", "\"a\" \"b\"\n\"a\" 2 1\n\"b\" 1 3\n"} {
		o := Options{Format: CSV}
		if strings.HasPrefix(named, "a,b\na") {
			o.Header = HeaderYes
		}
		if x, err := matrixOf(o, named); err != nil || !slices.Equal(x.Data, []float64{2, 1, 1, 3}) {
			t.Errorf("a matrix with names, %q, is read as %v, %v", named, x, err)
		}
	}
	for _, c := range []struct {
		o    Options
		in   string
		want string
	}{
		{Options{Format: CSV}, "5,2\n1,u\n", `row 2 (line 2), column 2: "u" is not a number; write a number`},
		{Options{Format: CSV}, "1,3\n1,\n", "row 2 (line 2), column 2: the cell is missing"},
		{Options{Format: CSV}, "5,2\n1,3,4\n2,4,1\n", "line 2 has 3 cells, but line 1 has 2"},
		{Options{Format: CSV}, "400,402,404\n0.1,0.9,0.3\n", "Options.Header"},
		{Options{Format: CSV, Missing: Fill}, "", "Options.Missing: the option does not apply to matrices in csv"},
		{Options{Format: LIBSVM}, "", "a matrix is read from csv or npy"},
		{Options{Format: NPY}, npyOf(1, 2, 1, math.NaN()), "npy: row 1, column 2: NaN is"},
		{Options{Format: NPY}, npyOf(1, 2, 1), "the file ends after"},
		{Options{Format: NPY, Regression: true}, "", "Options.Regression: the option does not apply"},
	} {
		wantError(t, errorOf(matrixOf(c.o, c.in)), c.want)
	}
}
