package data

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

// Similarities of three points, with least eigenvalue 1−√2, in every way that a file may hold them.
func TestOpenSimilarities(t *testing.T) {
	want := []float64{1, 1, 0, 1, 1, 1, 0, 1, 1}
	y := file(t, "y.csv", "kind\nu\nv\nu\n")
	plain := "1,1,0\n1,1,1\n0,1,1\n"
	inside := func(text, label string) result { // the file of the matrix holds the labels too
		path, header := file(t, "s.csv", text), HeaderAuto
		if label == "x4" {
			header = HeaderNo
		}
		return of(Options{Labels: path, Label: label, DropColumns: []string{label},
			Header: header}.OpenSimilarities(path))
	}
	for name, r := range map[string]result{
		"csv": of(openSimilarities(y, file(t, "s.csv", plain))),
		"npy": of(openSimilarities(y, file(t, "s.npy", npyOf(3, 3, want...)))),
		"npy, labels too": of(openSimilarities(file(t, "y.npy", npyOf(3, 1, 1, 2, 1)),
			file(t, "s.npy", npyOf(3, 3, want...)))),
		"label inside":    inside("1,1,0,u\n1,1,1,v\n0,1,1,u\n", "x4"),
		"named label":     inside("kind,a,b,c\nu,1,1,0\nv,1,1,1\nu,0,1,1\n", "kind"),
		"index and label": inside(",a,b,c,kind\n0,1,1,0,u\n1,1,1,1,v\n2,0,1,1,u\n", "kind"),
		"index beside":    of(openSimilarities(y, file(t, "s.csv", ",a,b,c\n0,1,1,0\n1,1,1,1\n2,0,1,1\n"))),
		"rows have names, labels beside": of(openSimilarities(y,
			file(t, "s.csv", ",a,b,c\nAda,1,1,0\nBob,1,1,1\nCyd,0,1,1\n"))),
		"labels that are names of columns": inside("kind,u,v,w\nu,1,1,0\nv,1,1,1\nu,0,1,1\n", "kind"),
		"header by shape": of(Options{Labels: y}.OpenSimilarities(file(t, "s.csv",
			"0,1,2\n1,1,0\n1,1,1\n0,1,1\n"))),
		"rounded apart": of(openSimilarities(y, file(t, "s.csv", "1,1.000000001,0\n1,1,1\n0,1,1\n"))),
		"decimals, commas": of(Options{Labels: y, Decimal: ','}.OpenSimilarities(file(t, "s.csv",
			"a;b;c\n1,0;1,0;0,0\n1,0;1,0;1,0\n0,0;1,0;1,0\n"))),
	} {
		d, err := r.d, r.err
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(d.Similarities) != 1 || d.Similarities[0].Name != "s" || d.Doubts != nil ||
			!slices.Equal(d.Y, []float64{-1, 1, -1}) {
			t.Errorf("%s: %v, %v, doubts %q", name, d, d.Y, d.Doubts)
			continue
		}
		for i, v := range d.Similarities[0].S {
			if math.Abs(v-want[i]) > 1e-8 {
				t.Errorf("%s: %v", name, d.Similarities[0].S)
				break
			}
		}
		rows := map[string]string{"decimals, commas": "1;3;2\n4;6;5\n",
			"header by shape": "0,1,2\n1,3,2\n4,6,5\n"}[name]
		z, err := pointsIn(reread(t, d.Encoding), file(t, "new.csv", cmp.Or(rows, "1,3,2\n4,6,5\n")))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r := z.(points.KernelRows)
		if r.Len() != 2 || !slices.Equal(r.Names, []string{"s"}) {
			t.Errorf("%s: new points %v", name, r)
		}
	}
}

// TestRelatedByName: columns of new points have the names of the training points, in their order, or no names.
func TestRelatedByName(t *testing.T) {
	y := file(t, "y.csv", "u\nv\nu\n")
	d := must(openSimilarities(y, file(t, "s.csv", ",a,b,c\nAda,1,1,0\nBob,1,1,1\nCyd,0,1,1\n")))
	plain := must(openSimilarities(y, file(t, "s.csv", "1,1,0\n1,1,1\n0,1,1\n")))
	grams := must(Options{Labels: y}.OpenGrams(file(t, "k.csv", "a,b,c\n2,1,0\n1,2,1\n0,1,2\n")))
	for text, from := range map[string][]*Dataset{
		"1,3,2\n4,6,5\n":         {d, plain, grams},
		"a,b,c\n1,3,2\n4,6,5\n":  {d, grams},
		"Dan,1,3,2\nEve,4,6,5\n": {d, plain, grams},
	} {
		for _, f := range from {
			z, err := pointsIn(reread(t, f.Encoding), file(t, "new.csv", text))
			if err != nil || !slices.Equal(z.(points.KernelRows).Data[0], []float64{1, 3, 2, 4, 6, 5}) {
				t.Errorf("%s, %q: %v, %v", f.Name, text, z, err)
			}
		}
	}
	wantError(t, errorOf(pointsIn(plain.Encoding, file(t, "new.csv", ",p,q,r\nDan,1,3,2\nEve,4,6,5\n"))),
		"new.csv: the first line names the columns, but the training file names no points")
	if z, err := pointsIn(d.Encoding, file(t, "new.csv", ",c,a,b\nDan,3,,2\n")); err == nil ||
		!strings.HasSuffix(err.Error(), "row 1 (line 2), column 3 (a): the cell is missing") {
		t.Errorf("%v, %v", z, err)
	}
	for _, text := range []string{"0,1,2\n1,3,2\n", "who,0,1,2\nDan,1,3,2\n",
		"\"c\";\"a\";\"b\"\n3,0;1,0;2,0\n6,0;4,0;5,0\n"} { // numbers that may be names; another decimal mark
		for _, f := range []*Dataset{d, plain, grams} {
			if z, err := pointsIn(f.Encoding, file(t, "new.csv", text)); err == nil {
				t.Errorf("%s, %q: %v", f.Name, text, z)
			}
		}
	}
	for text, want := range map[string]string{"a,b,z\n1,2,3\n": `new.csv: no point "c", which is number 3 in`,
		",c,a,b\nDan,2,1,3\n": `new.csv: point "a" is number 2, but 1 in the training files`,
		"p,q,r\n1,2,3\n":      `new.csv: no point "a"`, "a,b,c,kind\n1,2,3,4\n": "got 4 columns; give 3"} {
		for _, f := range []*Dataset{d, grams} {
			wantError(t, errorOf(pointsIn(reread(t, f.Encoding), file(t, "new.csv", text))), want)
		}
	}
	if d, err := openSimilarities(y, file(t, "s.csv", "a,b,c\n1,1,0\n1,1,1\n0,1,1\n"),
		file(t, "r.csv", "b,a,c\n1,1,1\n1,1,0\n1,0,1\n")); err == nil || !strings.Contains(err.Error(),
		`r.csv: point "a" is number 2, but 1 in s.csv: pass the same points in the same order`) {
		t.Errorf("%v, %v", d, err)
	}
	if d, err := openSimilarities(y, file(t, "s.csv", "a,b,c\n1,1,0\n1,1,1\n0,1,1\n"),
		file(t, "r.csv", "a,b,d\n1,1,1\n1,1,0\n1,0,1\n")); err == nil || !strings.Contains(err.Error(),
		`r.csv: no point "c", which is number 3 in s.csv: pass the same points in the same order`) {
		t.Errorf("%v, %v", d, err)
	}
}

// Two matrices; one that is not symmetric is said to be, by how much and where, and becomes the mean.
func TestOpenSimilaritiesAsymmetric(t *testing.T) {
	d := must(Options{Labels: file(t, "y.csv", "u\nv\nu\n"), Name: "likes"}.OpenSimilarities(file(t, "a.csv",
		"1,1,0\n0.5,1,1\n0,2,1\n"), file(t, "b.csv", "1,0,0\n0,1,0\n0,0,1\n")))
	want := "a is not symmetric: the largest difference is 1, between 1 in row 2, column 3, and 2 in row 3, column " +
		"2; the mean of both is used"
	if len(d.Doubts) != 1 || d.Doubts[0] != want {
		t.Errorf("doubts %q, prepared %q", d.Doubts, d.Prepared)
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

// What is no matrix of similarities is an error that says where.
func TestOpenSimilaritiesRefuses(t *testing.T) {
	y := file(t, "y.csv", "u\nv\nu\n")
	good := file(t, "good.csv", "1,1,0\n1,1,1\n0,1,1\n")
	named := file(t, "named.csv", ",a,b,c\na,1,1,0\nb,1,1,1\nc,0,1,1\n")
	for want, r := range map[string]result{
		"one file or more": of(openSimilarities(y)),
		"good.csv: a matrix holds no labels: set Options.Labels": of(Options{}.OpenSimilarities(good, good)),
		"Options.Missing: it does not apply to Gram matrices and similarities": of(Options{Labels: y,
			Missing: Drop}.OpenSimilarities(good)),
		"w.csv: 3 rows and 4 columns of numbers; the matrix must be square": of(openSimilarities(y, file(t, "w.csv",
			"1,1,0,1\n1,1,1,0\n0,1,1,1\n"))),
		"x.csv: 4 rows and 3 columns of numbers": of(openSimilarities(y, file(t, "x.csv",
			"1,1,0\n1,1,0\n1,1,1\n0,1,1\n"))),
		"line 1 may name the columns": of(openSimilarities(y, file(t, "u.csv", "1,1O,0\n1,1,1\n0,1,1\n"))),
		"row 2 (line 2), column 3 (x3): the cell is missing": of(openSimilarities(y,
			file(t, "m.csv", "1,1,0\n1,1,\n0,1,1\n"))),
		`row 2 (line 2), column 1 (x1): "1O" is not a number`: of(openSimilarities(y,
			file(t, "t.csv", "1,1,0\n1O,1,1\n0,1,1\n"))),
		"column 2": of(openSimilarities(y, file(t, "nan.npy", npyOf(3, 3, 1, 0, 0, 0, math.NaN(), 0, 0, 0, 1)))),
		`data: two.csv: 2 columns; Options.Label and Options.Group name columns`: of(openSimilarities(file(t, "two.csv",
			"a,b\nb,c\na,b\n"), good)),
		"two matrices are named good": of(openSimilarities(y, good, good)),
		`data: turned.csv: row 1 is named "c", which is column 3 of the numbers: rows and columns must have the same order`: of(openSimilarities(y, file(t, "turned.csv", ",a,b,c\nc,0,1,1\nb,1,1,1\na,1,1,0\n"))),
		`data: numbered.csv: row 1 is named "2", which is column 3 of the numbers`:                                          of(openSimilarities(y, file(t, "numbered.csv", ",0,1,2\n2,0,1,1\n1,1,1,1\n0,1,1,0\n"))),
		`data: other.csv: point "a" is number 2, but 1 in named.csv`: of(Options{Unlabeled: true}.OpenSimilarities(named,
			file(t, "other.csv", ",b,a,c\nb,1,0,1\na,0,1,1\nc,1,1,1\n"))),
		`data: kinds.csv: point "a" is number 3, but 1 in named.csv`: of(openSimilarities(file(t, "kinds.csv",
			"c,u\nb,v\na,u\n"), named)),
		`data: kinds.csv: no point "c", which is number 3 in named.csv`: of(openSimilarities(file(t, "kinds.csv",
			",kind\na,u\nb,v\nd,u\n"), named)),
	} {
		if d, err := r.d, r.err; d != nil || err == nil || !strings.Contains(err.Error()+"$", want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	for _, labels := range []string{"0\n1\n0\n1\n", "g,cls\nu,p,x\nv,q,x\nw,p,z\n"} {
		if d, err := openSimilarities(file(t, "y.csv", labels), good); err == nil {
			t.Errorf("labels %q are read as %q", labels, d.Labels())
		}
	}
	if d, err := openSimilarities(file(t, "y.csv", "0\nu\nv\nu\n"), good); err != nil || d.Target != "0" ||
		d.Doubts != nil {
		t.Errorf("%v, %q, %v", d, d.Doubts, err) // no label is 0
	}
	for text, doubts := range map[string]int{"0,2,1\n2,0,3\n1,3,0\n": 1, "0,-1,-2\n-1,0,-3\n-2,-3,0\n": 0,
		"1,1,2\n1,0,3\n2,3,0\n": 0} {
		if d, err := openSimilarities(y, file(t, "d.csv", text)); err != nil || len(d.Doubts) != doubts || doubts > 0 &&
			!strings.Contains(d.Doubts[0], "as distances do") {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
	// those who open it as something else are told
	if _, err := openGrams(y, good); !errors.Is(err, kernel.ErrNotPSD) || !strings.Contains(err.Error(),
		"OpenSimilarities") {
		t.Errorf("%v", err)
	}
}

// TestNamesOfPoints: names in the first column of a matrix or in the file of labels name the training points; a header
// of a file of labels is not a class.
func TestNamesOfPoints(t *testing.T) {
	const plain, rows = "3,1,0\n1,3,1\n0,1,3\n", "a,3,1,0\nb,1,3,1\nc,0,1,3\n"
	y := file(t, "y.csv", "p\nq\np\n")
	for _, d := range []*Dataset{must(openGrams(y, file(t, "k.csv", rows))), must(openSimilarities(y, file(t, "k.csv",
		rows))),
		must(openGrams(file(t, "z.csv", ",cls\na,p\nb,q\nc,p\n"), file(t, "k.csv", plain)))} {
		z := must(pointsIn(reread(t, d.Encoding), file(t, "new.csv", "a,b,c\n1,2,3\n")))
		if got := points.MustAs[points.KernelRows](z).Data[0]; !slices.Equal(got, []float64{1, 2, 3}) {
			t.Errorf("columns %v", got)
		}
		wantError(t, errorOf(pointsIn(d.Encoding, file(t, "new.csv", "b,a,c\n2,1,3\n"))), `point "a" is number 2`)
	}
	counted := file(t, "k.csv", ",0,1,2\n0,3,1,0\n1,1,3,1\n2,0,1,3\n")
	for _, name := range []string{"", "id"} {
		labels := file(t, "y.csv", name+",cls\n2,p\n0,q\n1,p\n")
		wantError(t, errorOf(openGrams(labels, counted)), `y.csv: point "0" is number 2, but 1 in k.csv`)
	}
	d := must(openGrams(y, file(t, "k.csv", plain)))
	wantError(t, errorOf(d.Encoding.Open(file(t, "new.csv", "1,2,4\n3,1,2\n2,1,3\n"), file(t, "new_y.csv",
		"p\nq\nq\nq\n"))),
		"new_y.csv: got 4 rows; give one label for each of 3 points")
}
