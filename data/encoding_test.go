package data

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/testenv"
)

// file writes text to a file of that name in a new folder.
func file(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	testenv.WriteFiles(t, dir, map[string]string{name: text})
	return filepath.Join(dir, name)
}

// reread is e after it was written and read.
func reread(t *testing.T, e *Encoding) *Encoding {
	t.Helper()
	b := must(registry.Marshal(*e))
	got := must(registry.Unmarshal[Encoding](b))
	return &got
}

// pointsIn returns the points in files that are like those that e was fitted to.
func pointsIn(e *Encoding, paths ...string) (points.Points, error) {
	d, err := e.OpenPoints(paths...)
	if err != nil {
		return nil, err
	}
	return d.X, nil
}

const mixed = ",age,color,size,y\n0,20,red,1.5,no\n1,30,,2.5,yes\n2,,blue,3,no\n3,40,red,4,yes\n"

// One row of a file with a text column, a missing cell and an index has the features that it had in the
// training file, whatever stands around it.
func TestEncodingOneRow(t *testing.T) {
	d := must(Options{Missing: Fill}.Open(file(t, "train.csv", mixed)))
	if got := strings.Join(d.Features(), " "); got != "age color=blue color=red color=? size" {
		t.Fatal(got)
	}
	e := reread(t, d.Encoding)
	for _, test := range []struct{ name, text, want string }{
		{"same.csv", ",age,color,size,y\n7,30,,2.5,yes\n", "[30 0 0 1 2.5]"},
		{"reordered, more, unlabeled.csv", "size,note,color,age\n3,x,blue,\n", "[30 1 0 0 3]"},
		{"unseen.csv", "size,age,color\n3.5,1,mauve\n", "[1 0 0 0 3.5]"},
	} {
		path := file(t, test.name, test.text)
		x, err := pointsIn(e, path)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := fmt.Sprint(dense(x)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if o, err := e.Open(path); err != nil || !slices.Equal(dense(o.X), dense(x)) ||
			(o.Y != nil) != (test.name == "same.csv") {
			t.Errorf("%s: Open gives %v, %v", test.name, o, err)
		}
	}
	o, err := e.Open(file(t, "unseen.csv", "size,color,age\n1,mauve,2\n1,mauve,3\n1,red,\n"))
	if err != nil || !slices.Equal(o.Doubts, []string{"column 2 (color): 2 rows of 3 with a value that did not " +
		"occur in the training file, so its features are 0 (mauve)"}) ||
		!strings.Contains(o.Preparation, "1 missing cell filled in, as in the training file") {
		t.Errorf("%q, %v", o.Preparation, err)
	}
	if !slices.Equal(o.UnseenValues, []string{"color=mauve", "color=mauve", ""}) {
		t.Errorf("doubts %q, unseen %q", o.Doubts, o.UnseenValues)
	}
	if s, err := o.Slice([]int{2, 1}); err != nil || !slices.Equal(s.UnseenValues, []string{"", "color=mauve"}) {
		t.Errorf("unseen of a slice %q, %v", s.UnseenValues, err)
	}
	if o, err = e.Open(file(t, "known.csv", "size,color,age\n1,red,2\n")); err != nil || o.UnseenValues != nil ||
		o.Doubts != nil {
		t.Errorf("of a file without new values: doubts %q, unseen %q, %v", o.Doubts, o.UnseenValues, err)
	}
}

// Unseen values of joined files are named with their view.
func TestUnseenOfViews(t *testing.T) {
	open := func(name, text string, o Options) *Dataset {
		d := must(o.Open(file(t, name, text)))
		return d
	}
	d := must(Join(open("a.csv", "size,y\n1,u\n2,v\n", Options{}), open("b.csv", "color,shape\nred,round\nblue,flat\n",
		Options{Unlabeled: true, Header: HeaderYes})))
	fresh, err := d.Encoding.OpenPoints(file(t, "a2.csv", "size\n3\n4\n"),
		file(t, "b2.csv", "color,shape\nred,flat\nmauve,long\n"))
	if err != nil || !slices.Equal(fresh.UnseenValues, []string{"", "b: color=mauve, shape=long"}) {
		t.Errorf("%v, %v", fresh, err)
	}
}

// What a new file lacks, or has that is not known, is an error that names it.
func TestEncodingErrors(t *testing.T) {
	open := func(o Options) *Encoding {
		d := must(o.Open(file(t, "train.csv", mixed)))
		return reread(t, d.Encoding)
	}
	fill, drop := open(Options{Missing: Fill}), open(Options{Missing: Drop})
	for _, test := range []struct {
		e    *Encoding
		text string
		want string
	}{
		{fill, "age,size\n1,2\n", `no column color, which the training file has: there are "age", "size"`},
		{fill, "Age,size,color\n1,2,red\n", `no column age, which the training file has: did you mean "Age"?`},
		{fill, "age,size,color\nred,2,red\n", `row 1 (line 2), column 1 (age): "red" is not a number, but the column needs numbers`},
		{fill, "age,size,color,y\n1,2,red,maybe\n", `row 1 (line 2), column 4 (y): the label "maybe" did not occur in the training file, which has no, yes`},
		{drop, "age,size,color\n,2,red\n", `row 1 (line 2), column 1 (age): the cell is missing; learn with Options.Missing: Fill, or leave the row out`},
	} {
		var err error
		if strings.Contains(test.text, "maybe") {
			_, err = test.e.Open(file(t, "new.csv", test.text))
		} else {
			_, err = pointsIn(test.e, file(t, "new.csv", test.text))
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(),
			"data: new.csv: ") {
			t.Errorf("%q: error %v, want %s", test.text, err, test.want)
		}
	}
	wantError(t, errorOf(fill.Open("a.csv", "b.csv")), "got 2 files; pass one file")
	wantError(t, errorOf(pointsIn(fill, file(t, "a.libsvm", "1 1:2\n"))),
		"the format is libsvm, but the training file has csv")
	bad := *fill
	bad.Keep = []int{99}
	if _, err := pointsIn(&bad, file(t, "new.csv", mixed)); err == nil {
		t.Error("feature 99 is kept")
	}
}

// Labels are those of the training file, whichever of them occur.
func TestEncodingLabels(t *testing.T) {
	d := must(Open(file(t, "train.csv", "a,y\n1,u\n2,v\n3,w\n4,u\n5,v\n6,w\n")))
	n := must(d.Encoding.Open(file(t, "test.csv", "y,a\nw,1\nw,2\n")))
	same(t, "[2 2] [u v w]", n.Y, n.Classes)
	two := must(Options{PositiveClass: "1"}.Open(file(t, "two.csv", "a,y\n1,1\n2,2\n3,1\n4,2\n")))
	same(t, "[-1 1]", must(two.Encoding.Open(file(t, "test.csv", "a,y\n5,2.0\n7,1\n"))).Y)
	real := must(Options{Regression: true}.Open(file(t, "real.csv", "2,1,3.5\n5,4,6.5\n")))
	for text, want := range map[string]string{"7,8\n": "[7 8] []", "7,8,9\n": "[7 8] [9]"} {
		n := must(real.Encoding.Open(file(t, "test.csv", text)))
		same(t, want, dense(n.X), n.Y)
	}
	wantError(t, errorOf(real.Encoding.Open(file(t, "test.csv", "7\n"))),
		"got 1 column without a header, as in the training file; give 3, or 2 without the label")
}

// Features that were taken of a dataset are those of its encoding.
func TestEncodingOfSelection(t *testing.T) {
	d := must(Options{Missing: Fill}.Open(file(t, "train.csv",
		"age,color,size,y\n20,red,1.5,no\n30,,2.5,yes\n5,blue,3,no\n")))
	s := must(d.Select("size", "color=red"))
	s = must(s.Columns(1, 0))
	x, err := pointsIn(reread(t, s.Encoding), file(t, "new.csv", "size,color,age\n9,red,1\n8,mauve,1\n"))
	if err != nil || !slices.Equal(dense(x), []float64{1, 9, 0, 8}) {
		t.Errorf("%v, %v", x, err)
	}
	if f := x.(points.Rows).Names; !slices.Equal(f, []string{"color=red", "size"}) {
		t.Errorf("features %v", f)
	}
}

// A LIBSVM file whose greatest index is smaller has the features of the training file, and a greater one is an
// error; so with the columns of arrays.
func TestEncodingWidth(t *testing.T) {
	d := must(Open(file(t, "train.libsvm", "1 1:1 5:2\n2 2:1\n")))
	n := must(d.Encoding.Open(file(t, "test.libsvm", "1 1:3\n")))
	same(t, "5 [-1]", n.Dim(), n.Y)
	wantError(t, errorOf(d.Encoding.Open(file(t, "test.libsvm", "1 6:3\n"))),
		"index 6 is greater than 5, the greatest index of the training file")
	wantError(t, errorOf(d.Encoding.Open(file(t, "test.libsvm", "1 0:3\n"))), "start at 1")
	same(t, "2", must(pointsIn(d.Encoding, file(t, "test.libsvm", "0.5 1:3\n7 2:1\n"))).Len())
	a := must(Options{Regression: true}.Open(file(t, "train.npy", npyOf(2, 3, 1, 2, 0.5, 3, 4, 1.5))))
	for _, text := range []string{npyOf(1, 2, 7, 8), npyOf(1, 3, 7, 8, 9)} {
		same(t, "[7 8]", dense(must(pointsIn(a.Encoding, file(t, "test.npy", text)))))
	}
	same(t, "[9]", must(a.Encoding.Open(file(t, "test.npy", npyOf(1, 3, 7, 8, 9)))).Y)
	wantError(t, errorOf(a.Encoding.Open(file(t, "test.npy", npyOf(1, 5, 7, 8, 9, 1, 2)))),
		"5 columns, but the training file has 2 columns of features")
}

// The errors of a file for a model, which is read without options, advise no option of reading.
func TestMissingCellsInFileForModel(t *testing.T) {
	d := must(Open(file(t, "train.csv", "age,size,class\n1,2,a\n2,3,b\n3,1,a\n4,1,b\n")))
	for _, cells := range []string{"1,2,", ",2,a"} {
		_, err := d.Encoding.Open(file(t, "new.csv", "age,size,class\n5,5,a\n"+cells+"\n6,6,b\n"))
		wantError(t, err, "leave the row out")
		if err != nil && strings.Contains(err.Error(), "; set Options") {
			t.Errorf("%q: %v", cells, err)
		}
	}
}
