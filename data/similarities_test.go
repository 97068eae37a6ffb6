package data

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

// Two matrices; one that is not symmetric is said to be, by how much and where, and becomes the mean.
func TestOpenSimilaritiesAsymmetric(t *testing.T) {
	d := must(Options{LabelFile: file(t, "y.csv", "u\nv\nu\n"), Name: "likes"}.OpenSimilarities(file(t, "a.csv",
		"1,1,0\n0.5,1,1\n0,2,1\n"), file(t, "b.csv", "1,0,0\n0,1,0\n0,0,1\n")))
	want := "a is not symmetric: the largest difference is 1, between 1 in row 2, column 3, and 2 in row 3, column " +
		"2; the mean of both is used"
	if len(d.Doubts) != 1 || d.Doubts[0] != want {
		t.Errorf("doubts %q, prepared %q", d.Doubts, d.Preparation)
	}
	if s := d.Similarities; len(s) != 2 || s[0].S[1] != 0.75 || s[0].S[7] != 1.5 || s[1].S[0] != 1 ||
		s[0].Matrix().At(1, 0) != 0.75 {
		t.Errorf("%v", s)
	}
	part, err := d.Slice([]int{2, 1})
	if err != nil || part.Validate() != nil || part.Digest() == d.Digest() {
		t.Errorf("%v, %v", part, err)
	}
}

// TestOpenSimilarities reads similarities of three points from CSV and NPY, with labels beside them.
func TestOpenSimilarities(t *testing.T) {
	want := []float64{1, 1, 0, 1, 1, 1, 0, 1, 1}
	y := file(t, "y.csv", "kind\nu\nv\nu\n")
	for name, r := range map[string]result{
		"csv": of(openSimilarities(y, file(t, "s.csv", "1,1,0\n1,1,1\n0,1,1\n"))),
		"npy": of(openSimilarities(file(t, "y.npy", npyOf(3, 1, 1, 2, 1)),
			file(t, "s.npy", npyOf(3, 3, want...)))),
		"header": of(Options{LabelFile: y, Header: HeaderYes}.OpenSimilarities(file(t, "s.csv",
			"a,b,c\n1,1,0\n1,1,1\n0,1,1\n"))),
		"rounded apart": of(openSimilarities(y, file(t, "s.csv", "1,1.000000001,0\n1,1,1\n0,1,1\n"))),
		"decimal commas": of(Options{LabelFile: y, Decimal: ','}.OpenSimilarities(file(t, "s.csv",
			"1,0;1,0;0,0\n1,0;1,0;1,0\n0,0;1,0;1,0\n"))),
	} {
		d := must(r.d, r.err)
		if len(d.Similarities) != 1 || d.Similarities[0].Name != "s" || d.Doubts != nil ||
			!slices.Equal(d.Y, []float64{-1, 1, -1}) {
			t.Errorf("%s: %v, %v, doubts %q", name, d, d.Y, d.Doubts)
		}
		for i, v := range d.Similarities[0].S {
			if math.Abs(v-want[i]) > 1e-8 {
				t.Errorf("%s: %v", name, d.Similarities[0].S)
			}
		}
		text := map[string]string{"decimal commas": "1;3;2\n4;6;5\n"}[name]
		path := file(t, "new.csv", cmp.Or(text, "1,3,2\n4,6,5\n"))
		z := must(pointsIn(reread(t, d.Encoding), path)).(points.KernelRows)
		if !slices.Equal(z.Data[0], []float64{1, 3, 2, 4, 6, 5}) || !slices.Equal(z.Names, []string{"s"}) {
			t.Errorf("%s: new points %v", name, z)
		}
	}
}

// TestOpenSimilaritiesRefuses: a file that is not a matrix of similarities is an error that names the place.
func TestOpenSimilaritiesRefuses(t *testing.T) {
	y := file(t, "y.csv", "u\nv\nu\n")
	good := file(t, "good.csv", "1,1,0\n1,1,1\n0,1,1\n")
	open := func(text string) result { return of(openSimilarities(y, file(t, "s.csv", text))) }
	for want, r := range map[string]result{
		"one file or more": of(openSimilarities(y)),
		"good.csv: a matrix holds no labels: set Options.LabelFile": of(Options{}.OpenSimilarities(good, good)),
		"Options.Missing: the option does not apply to Gram matrices and similarities": of(Options{LabelFile: y,
			Missing: Drop}.OpenSimilarities(good)),
		"3 rows and 4 columns of numbers; the matrix must be square": open("1,1,0,1\n1,1,1,0\n0,1,1,1\n"),
		"4 rows and 3 columns of numbers":                            open("1,1,0\n1,1,0\n1,1,1\n0,1,1\n"),
		`row 1 (line 2), column 2: "x" is not a number; write a`:     open("a,b,c\n1,x,0\n1,1,1\n0,1,1\n"),
		"row 1 (line 1), column 2: the cell is missing":              open("0,,1\n0,1,1\n1,1,1\n"),
		`named "a"`:                   open(",a,a,b\na,1,1,0\na,1,1,1\nb,0,1,1\n"),
		`named "d"`:                   open(",a,b,c\na,1,1,0\nd,1,1,1\nc,0,1,1\n"),
		"numbers have constant steps": open("0,1,2\n1,1,0\n1,1,1\n0,1,1\n"),
		`row 2 (line 2), column 1: "1O" is not a number`: open("1,1,0\n1O,1,1\n0,1,1\n"),
		"column 2": of(openSimilarities(y, file(t, "nan.npy", npyOf(3, 3, 1, 0, 0, 0, math.NaN(), 0, 0, 0, 1)))),
		"two.csv: the file has 2 columns, expected one": of(openSimilarities(file(t, "two.csv",
			"a,b\nb,c\na,b\n"), good)),
		"two matrices are named good": of(openSimilarities(y, good, good)),
		"is a label":                  of(openSimilarities(file(t, "y.csv", "0\n1\n0\n1\n"), good)),
	} {
		if r.d != nil {
			t.Errorf("%v, want an error with %s", r.d, want)
			continue
		}
		wantError(t, r.err, want)
	}
	if d, err := openSimilarities(file(t, "y.csv", "0\nu\nv\nu\n"), good); err != nil || d.Target != "0" ||
		d.Doubts != nil {
		t.Errorf("%v, %q, %v", d, d.Doubts, err) // no label is 0
	}
	for text, doubts := range map[string]int{"0,2,1\n2,0,3\n1,3,0\n": 1, "0,-1,-2\n-1,0,-3\n-2,-3,0\n": 0,
		"1,1,2\n1,0,3\n2,3,0\n": 0} {
		if d := must(openSimilarities(y, file(t, "d.csv", text))); len(d.Doubts) != doubts || doubts > 0 &&
			!strings.Contains(d.Doubts[0], "as distances do") {
			t.Errorf("%q: %v", text, d)
		}
	}
	wantError(t, errorOf(openGrams(y, good)), "OpenSimilarities")
}
