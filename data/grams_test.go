package data

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// A matrix that was written is read bit for bit.
func TestWriteMatrix(t *testing.T) {
	m := mat.NewDense(2, 3, []float64{1, -0.1, 1e100, 5e-100, math.Copysign(0, -1), 1.0 / 3})
	for _, name := range []string{"m.npy", "m.csv"} {
		path := filepath.Join(t.TempDir(), name)
		if err := WriteMatrix(path, m); err != nil {
			t.Fatal(err)
		}
		x, err := Options{}.OpenMatrix(path)
		if err != nil || x.N != 2 || x.D != 3 || fmt.Sprint(x.Data) != fmt.Sprint(m.RawMatrix().Data) {
			t.Errorf("%s: %v, %v", name, x, err)
		}
	}
	path := filepath.Join(t.TempDir(), "v.npy")
	if err := WriteMatrix(path, mat.NewVecDense(3, []float64{1, 2, 3})); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(path)
	if !strings.Contains(string(b), "'shape': (3,)") || len(b) != 128+24 {
		t.Errorf("%q", b)
	}
	for name, m := range map[string]mat.Matrix{"a.txt": m, "b.npy": nil, "c.csv": &mat.Dense{}} {
		if err := WriteMatrix(filepath.Join(t.TempDir(), name), m); err == nil || !strings.Contains(err.Error(),
			"data: write "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Points given by Gram matrices: labels from CSV with and without a name, and NPY; matrices of 32 bits.
func openGrams(labels string, paths ...string) (*Dataset, error) {
	return Options{LabelFile: labels}.OpenGrams(paths...)
}

func openSimilarities(labels string, paths ...string) (*Dataset, error) {
	return Options{LabelFile: labels}.OpenSimilarities(paths...)
}

func TestOpenGrams(t *testing.T) {
	a := file(t, "a.csv", "2,1,0\n1,2,1\n0,1,2\n")
	b := file(t, "b.npy", npyOf(3, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1))
	for name, text := range map[string]string{"y.csv": "u\nv\nu\n", "named.csv": "kind\nu\nv\nu\n",
		"quoted.txt": "\"u\"\n\"v\"\n\"u\"\n"} {
		d := must(openGrams(file(t, name, text), a, b))
		same(t, "3 [u v u] [a b]", d.Len(), d.Labels(), d.Kernels)
		e := reread(t, d.Encoding)
		z := must(pointsIn(e, file(t, "a_test.csv", "1,2,4\n4,5,6\n"),
			file(t, "b_test.npy", npyOf(2, 3, 1, 2, 4, 4, 5, 6)))).(points.KernelRows)
		same(t, "2 [a b] [[1 2 4 4 5 6] [1 2 4 4 5 6]]", z.Len(), z.Names, z.Data)
		for want, paths := range map[string][]string{
			"got 1 file; pass 2 matrices of new points × training points, one for each of a, b": {a},
			"got 2 columns; give 3, one for": {file(t, "n.csv", "1,3\n3,4\n3,1\n"), b},
			"3 points, but 1 in n.csv":       {file(t, "n.csv", "1,2,3\n"), b},
		} {
			wantError(t, errorOf(pointsIn(e, paths...)), want)
		}
	}
	y := file(t, "y.npy", npyOf(3, 1, 1.5, 2.5, -1))
	d := must(Options{LabelFile: y, Regression: true}.OpenGrams(a))
	same(t, "[1.5 2.5 -1] []", d.Y, d.Classes)
	for want, r := range map[string]result{
		"holds no labels": of(Options{}.OpenGrams(a)),
		"2 rows and 3 columns of numbers; the matrix must be square": of(openGrams(y, file(t, "r.csv",
			"1,2,4\n4,5,6\n"))),
		"is not symmetric":                               of(openGrams(y, file(t, "s.csv", "1,0.5,0\n0,1,0\n0,0,1\n"))),
		"not positive semidefinite":                      of(openGrams(y, file(t, "i.csv", "1,2,0\n2,1,0\n0,0,1\n"))),
		"2 points, but 3 in a.csv":                       of(openGrams(y, a, file(t, "c.csv", "1,0\n0,1\n"))),
		"2 rows of labels; give one label for each":      of(openGrams(file(t, "y.csv", "1\n2\n"), a)),
		"a blank line before line 4":                     of(openGrams(file(t, "y.csv", "kind\nu\n\nv\n\n"), a)),
		"the file has 2 columns, expected one; name the": of(openGrams(file(t, "y.csv", "1,2\n2,1\n1,1\n"), a)),
	} {
		if d, err := r.d, r.err; d != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// A Gram matrix computed in 32 bits is taken, and what was done to it is said.
func TestOpenGramsOfFloat32(t *testing.T) {
	const n = 6
	v := make([]float64, n*n)
	for i := range n {
		for j := range n {
			v[i*n+j] = float64(float32(math.Sin(float64(i)*0.7)*math.Sin(float64(j)*0.7) +
				math.Cos(float64(i))*math.Cos(float64(j))))
		}
	}
	b := []byte(strings.Split(npyOf(n, n, v...), "\n")[0] + "\n")
	b = bytes.Replace(b, []byte("<f8"), []byte("<f4"), 1)
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	// the same numbers as float64 are exact
	if d, err := (Options{Unlabeled: true}).OpenGrams(file(t, "k.npy", npyOf(n, n, v...))); d != nil ||
		!errors.Is(err, kernel.ErrNotPSD) || !strings.Contains(err.Error(), "its least eigenvalue is -") &&
		!strings.Contains(err.Error(), "float32") {
		t.Errorf("%v, %v", d, err)
	}
	d, err := Options{Unlabeled: true}.OpenGrams(file(t, "k.npy", string(b)))
	if err != nil || !strings.Contains(d.Preparation, "the diagonal of k raised by ") {
		t.Errorf("%v, %v", d, err)
	}
}

// Views by names and patterns, and of several files.
func TestViews(t *testing.T) {
	d := must(Open(file(t, "my.csv", "s1,s2,age,sex,y\n1,2,30,m,0\n3,4,40,f,1\n5,6,50,m,1\n")))
	v := must(d.View(Views{"spectrum": {"s[0-9]"}, "clinic": {"age", "sex"}}))
	if got := fmt.Sprint(v.Views); got != "[{clinic [2 3 4]} {spectrum [0 1]}]" {
		t.Error(got)
	}
	w, err := v.Columns(4, 1)
	if err != nil || fmt.Sprint(w.Views) != "[{clinic [0]} {spectrum [1]}]" {
		t.Errorf("%v, %v", w.Views, err)
	}
	for want, views := range map[string]Views{
		`view "a": no feature "agee": did you mean "age"?`:   {"a": {"agee"}},
		`feature age is in the views "a" and "b"; a feature`: {"a": {"age"}, "b": {"a*"}},
		`view "a" has no features`:                           {"a": nil},
		`no views`:                                           {},
		`view "a": the pattern "[": syntax error in pattern`: {"a": {"["}},
	} {
		wantError(t, errorOf(d.View(views)), want)
	}
	arrays := must(Open(file(t, "arrays.csv", "a1,a[1],b[,c,c=1,y\n1,2,3,u,5,0\n4,5,6,v,7,1\n")))
	for name, features := range map[string]string{`a\[1]`: "[1]", "a1": "[0]", "b[": "[2]", "a*": "[0 1]",
		"c": "[3 4]", "c=1": "[5]"} {
		same(t, "[{v "+features+"}]", must(arrays.View(Views{"v": {name}})).Views)
	}
	units := must(Open(file(t, "units.csv", "conc,conc mg/l,kg/l,y\n1,2,3,0\n4,5,6,1\n")))
	for pattern, features := range map[string]string{"conc*": "[0 1]", "*": "[0 1 2]", "*mg?l": "[1]",
		"k*\\/l": "[2]"} {
		same(t, "[{v "+features+"}]", must(units.View(Views{"v": {pattern}})).Views)
	}
	wantError(t, errorOf(arrays.View(Views{"v": {"a[1]"}})), `view "v": "a[1]" is a name`, `it matches "a1"`)

	a := must(Options{Name: "a"}.Open(file(t, "1.csv", "x,y\n1,0\n2,1\n3,1\n")))
	b := must(Options{Unlabeled: true, Name: "b"}.Open(file(t, "2.csv", "x,kind\n7,u\n8,v\n9,u\n")))
	j := must(Join(a, b))
	same(t, "[a.x b.x b.kind=u b.kind=v] [{a [0]} {b [1 2 3]}] [-1 1 1] [1 7 1 0 2 8 0 1 3 9 1 0]",
		j.Features(), j.Views, j.Y, dense(j.X))
	first, second := file(t, "3.csv", "x\n5\n"), file(t, "4.csv", "kind,x\nv,6\n")
	same(t, "[5 6 0 1]", dense(must(reread(t, j.Encoding).Open(first, second)).X))
	same(t, "[6]", dense(must(must(j.Select("b.x")).Encoding.Open(first, second)).X))
	wantError(t, errorOf(j.Encoding.Open("3.csv")), "got 1 file; pass 2, one for each of a, b")
	short := must(a.Slice([]int{0, 1}))
	short.Name = "c"
	for want, ds := range map[string][]*Dataset{
		"a has 3 points, but c has 2": {a, short}, "two datasets are named a": {a, a}, "got 1 dataset": {a},
		"dataset 2 is nil": {a, nil},
	} {
		wantError(t, errorOf(Join(ds...)), want)
	}
}

// Rows are matched by their place: a file that lost some is refused. Doubts and checksums of all parts are kept.
func TestJoinOfDropped(t *testing.T) {
	open := func(o Options, name, text string) *Dataset {
		o.Missing = Drop
		return must(o.Open(file(t, name, text)))
	}
	whole := open(Options{}, "a.csv", "x,y\n1,0\n2,1\n3,1\n")
	other := open(Options{Unlabeled: true}, "b.csv", "id,z\n1,5\n2,7\n3,6\n")
	other.Doubts = []string{"id counts the rows"}
	j := must(Join(whole, other))
	same(t, whole.SHA256+" "+other.SHA256, j.SHA256)
	same(t, "b: id counts the rows", j.Doubts[len(j.Doubts)-1])
	a := open(Options{}, "a.csv", "x,y\n1,0\n?,1\n3,1\n4,0\n")
	b := open(Options{Unlabeled: true}, "b.csv", "z\n5\n6\n?\n8\n")
	wantError(t, errorOf(Join(a, b)), "join: a left 1 point of its file out")
	part := must(b.Slice([]int{0, 1}))
	twice := open(Options{Unlabeled: true, DropDuplicates: true}, "c.csv", "z\n5\n5\n6\n7\n")
	for _, d := range []*Dataset{b, twice} {
		wantError(t, errorOf(Join(whole, d)), d.Name+" left 1 point of its file out")
	}
	second := *part
	second.Name = "d"
	wantError(t, errorOf(Join(part, &second)), "left 1 point")
}

// TestOrderOfMatrixFiles tests that files of new points may be in any order if their names tell which matrix each
// belongs to, and that they are taken in the given order otherwise.
func TestOrderOfMatrixFiles(t *testing.T) {
	const one, two = "2,1\n1,2\n", "3,0\n0,3\n"
	for _, c := range []struct {
		training, files string
		want            float64 // the first number of the first matrix: 7 is in the first file and 8 in the second
	}{
		{"text.csv noise.csv", "text_test.csv noise_test.csv", 7},
		{"text.csv noise.csv", "noise_test.csv text_test.csv", 8},
		{"K_train_text.csv K_train_noise.csv", "noise.csv text.csv", 8},
		{"K_train_text.csv K_train_noise.csv", "K-new-Noise.csv K-new-Text.csv", 8},
		{"view1.csv view2.csv", "new_view2.csv new_view1.csv", 8},
		{"text.csv noise.csv", "first.csv second.csv", 7},
		{"text.csv noise.csv", "noise_test.csv other_test.csv", 7}, // only one name tells it
		{"text.csv noise.csv", "noise_a.csv text_b.csv", 7},        // a and b are not words of a matrix
	} {
		training, files := strings.Fields(c.training), strings.Fields(c.files)
		e := must(openGrams(file(t, "y.csv", "1\n2\n"), file(t, training[0], one), file(t, training[1], two))).Encoding
		d := must(e.OpenPoints(file(t, files[0], "7,7\n"), file(t, files[1], "8,8\n")))
		if z := d.X.(points.KernelRows); z.Data[0][0] != c.want || z.Data[1][0] != 15-c.want {
			t.Errorf("%s for %s: %v", c.files, c.training, z.Data)
		}
		d = must(e.Open(file(t, files[0], "7,7\n"), file(t, files[1], "8,8\n"), file(t, "y.csv", "2\n")))
		if z := d.X.(points.KernelRows); z.Data[0][0] != c.want || d.Y[0] != 1 {
			t.Errorf("%s for %s: %v, labels %v", c.files, c.training, z.Data, d.Y)
		}
	}
}

// TestMissingLabelOfNewMatrices tests that a file of labels with a header and a label less than there are points is an
// error that names the counts, not an unknown class.
func TestMissingLabelOfNewMatrices(t *testing.T) {
	e := must(openGrams(file(t, "y.csv", "label\nu\nv\nu\n"), file(t, "k.csv", "2,1,0\n1,2,1\n0,1,2\n"))).Encoding
	rows := file(t, "new.csv", "3,1,0\n1,0,1\n0,1,0\n")
	_, err := e.Open(rows, file(t, "y2.csv", "label\nu\nv\n"))
	wantError(t, err, "data: y2.csv: line 1: ", "got 2 labels for 3 points")
	if d, err := e.Open(rows, file(t, "y2.csv", "label\nu\nv\nv\n")); err != nil || d.Y[2] != 1 {
		t.Error(d, err)
	}
}
