package data

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/data/internal/sheet"
)

// field returns the path of an input that recreates a public bug report.
func field(name string) string { return "testdata/field/" + name }

// TestJoinByKey joins two files of the same points in different orders: rows are matched by the column of keys, in new
// files too. Without keys the groups show the wrong order.
func TestJoinByKey(t *testing.T) {
	open := func(o Options, name string) *Dataset { return must(o.Open(field(name))) }
	a := open(Options{Regression: true, Key: "id"}, "va.csv")
	ordered := must(Join(a, open(Options{Unlabeled: true, Key: "id"}, "vb.csv")))
	shuffled := open(Options{Unlabeled: true, Key: "id"}, "vb_shuf.csv")
	shuffled.Name = "vb"
	j := must(Join(a, shuffled))
	if !slices.Equal(dense(j.X), dense(ordered.X)) || !slices.Equal(j.Y, a.Y) || !slices.Equal(j.Keys, a.Keys) {
		t.Error("the shuffled file is not matched by its keys")
	}
	if j.Dim() != 5 || j.Keys[1] != "pt001" || !strings.Contains(j.Preparation, "matched by their keys") {
		t.Errorf("%d features, key %s, %s", j.Dim(), j.Keys[1], j.Preparation)
	}
	z, err := pointsIn(reread(t, j.Encoding), field("va.csv"), field("vb_shuf.csv"))
	if err != nil || !slices.Equal(dense(z), dense(j.X)) {
		t.Errorf("new files are not matched by their keys: %v", err)
	}

	grouped := open(Options{Regression: true, Group: "id"}, "va.csv")
	wantError(t, errorOf(Join(grouped, open(Options{Unlabeled: true, Group: "id"}, "vb_shuf.csv"))),
		`row 1 has the group "pt000" in va, but "pt022" in vb_shuf: pass the same points in the same order`)
	j = must(Join(grouped, open(Options{Unlabeled: true, Group: "id"}, "vb.csv")))
	wantError(t, errorOf(pointsIn(j.Encoding, field("va.csv"), field("vb_shuf.csv"))), `row 1 has the group "pt000"`)
	wantError(t, errorOf(Join(a, open(Options{Unlabeled: true, Group: "id"}, "vb.csv"))),
		"va has a key or names of rows, but another dataset has none")
	a.Keys = nil
	if j = must(Join(a, open(Options{Unlabeled: true, Group: "id"},
		"vb.csv"))); len(sheet.SortedUnique(j.Group)) != 60 {
		t.Errorf("%d groups of the second view, 60 expected", len(sheet.SortedUnique(j.Group)))
	}
}

// TestJoinByRowNames matches rows by the names that the files give them.
func TestJoinByRowNames(t *testing.T) {
	a := must(Open(file(t, "a.csv", ",x,y\nu,1.5,0\nv,2.5,1\nw,3.5,0\n")))
	open := func(text string) *Dataset { return must(Options{Unlabeled: true}.Open(file(t, "b.csv", text))) }
	b := open(",z\nw,7\nv,8\nu,9\n")
	if j := must(Join(a, b)); !slices.Equal(dense(j.X), []float64{1.5, 9, 2.5, 8, 3.5, 7}) {
		t.Errorf("joined as %v", dense(j.X))
	}
	wantError(t, errorOf(Join(a, open("z,k\n7,1\n8,2\n9,2\n"))),
		"a has a key or names of rows, but another dataset has none",
		"Options.Key")
	wantError(t, errorOf(Join(a, open(",z\nw,7\nv,8\nt,9\n"))), "no row with the key")
	counted := must(Open(file(t, "c.csv", ",x,y\n0,1.5,0\n1,2.5,1\n2,3.5,0\n")))
	if j := must(Join(counted, open("z,k\n7,1\n8,2\n9,2\n"))); j.Dim() != 3 {
		t.Errorf("%d features", j.Dim())
	}
}

// TestDuplicatesOfGroups: points with different keys or groups are not duplicates.
func TestDuplicatesOfGroups(t *testing.T) {
	const text = "k,a,b,y\n1,5,6,u\n2,5,6,u\n3,7,7,v\n4,,5,v\n5,,5,v\n"
	for _, c := range []struct {
		options Options
		n       int
	}{{Options{Key: "k"}, 5}, {Options{Group: "k"}, 5}, {Options{DropColumns: []string{"k"}}, 3}} {
		c.options.Missing, c.options.DropDuplicates = Fill, true
		if d := mustRead(t, CSV, c.options, text); d.Len() != c.n {
			t.Errorf("%+v: %d points, expected %d", c.options, d.Len(), c.n)
		}
	}
}

// TestKeys checks the errors about keys.
func TestKeys(t *testing.T) {
	open := func(name, text string) *Dataset {
		return must(Options{Unlabeled: true, Key: "id"}.Open(file(t, name, text)))
	}
	a, b := open("a.csv", "id,x\np,1\nq,2\n"), open("b.csv", "id,z\nq,1\np,2\nr,3\n")
	wantError(t, errorOf(Join(a, b)), "b has 3 keys, but a has 2")
	wantError(t, errorOf(Join(b, a)), `a has no row with the key "r", which is row 3 of b`)
	if j := must(Join(a, must(b.Slice([]int{0, 1})))); fmt.Sprint(dense(j.X)) != "[1 2 2 1]" {
		t.Errorf("%v", dense(j.X))
	}
	wantError(t, errorOf(Join(a, must(b.Slice([]int{0, 1, 1})))), `b has the key "p" in rows 2 and 3`)
	for want, o := range map[string]Options{
		`row 3 (line 4), column 1 (id): the key "p" is also the key of row 1 (line 2)`: {Key: "id"},
		`Options.Key: column 3 (y) is already a label`:                                 {Key: "y"},
		`Options.Key: no column "ID"`:                                                  {Key: "ID"},
	} {
		wantError(t, errorOf(o.Open(file(t, "k.csv", "id,x,y\np,1,u\nq,2,v\np,3,u\n"))), want)
	}
	wantError(t, errorOf(Options{Key: "id"}.Open(file(t, "k.csv", "id,x,y\np,1,u\nNA,2,v\nr,3,u\n"))),
		"the key \"NA\" is missing")
}

// TestUnusedOptions sets each option that a kind of input does not use: it is an error that names the option.
func TestUnusedOptions(t *testing.T) {
	set := func(name string) (o Options) {
		f := reflect.ValueOf(&o).Elem().FieldByName(name)
		switch f.Kind() {
		case reflect.String:
			f.SetString("a")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"a", "b"}))
		case reflect.Map:
			f.Set(reflect.ValueOf(map[string]string{"a": "2006"}))
		default: // Drop is not a default
			f.Set(reflect.ValueOf(int64(Drop)).Convert(f.Type()))
		}
		return o
	}
	labels := file(t, "y.csv", "u\nv\nu\n")
	checked, names := 0, reflect.TypeFor[Options]()
	kindsOf := map[string]inputKind{}
	for _, rule := range optionTable {
		kindsOf[rule.field] = rule.kinds
	}
	for i := range names.NumField() {
		name := names.Field(i).Name
		if slices.Contains([]string{"Name", "Title", "Format"}, name) {
			continue
		}
		if kindsOf[name] == 0 {
			t.Errorf("no kind of input uses Options.%s", name)
		}
		type opening struct {
			r    inputKind
			open func(o Options) error
		}
		openings := []opening{
			{csvMatrices, func(o Options) error { return errorOf(o.OpenMatrix(file(t, "p.csv", "1,2\n"))) }},
			{npyMatrices, func(o Options) error { return errorOf(o.OpenMatrix(file(t, "p.npy", ""))) }},
			{csvSquareMatrices, func(o Options) error {
				o.LabelFile = labels
				return errorOf(o.OpenGrams(file(t, "k.csv", "1,0\n0,1\n")))
			}},
			{npySquareMatrices, func(o Options) error {
				o.LabelFile = strings.TrimSuffix(labels, "csv") + "npy"
				return errorOf(o.OpenSimilarities(file(t, "k.npy", "")))
			}},
		}
		for suffix, r := range map[string]inputKind{"csv": csvFiles, "arff": arffFiles, "libsvm": libsvmFiles,
			"npy": npyFiles, "fasta": fastaFiles} {
			openings = append(openings, opening{r, func(o Options) error {
				return errorOf(o.Open(file(t, "p."+suffix, "a,b\n1,u\n")))
			}})
		}
		for _, c := range openings {
			o := set(name)
			if c.r == csvFiles && name == "Sequence" || name == "LabelFile" && c.r == npySquareMatrices ||
				kindsOf[name]&c.r != 0 {
				continue
			}
			checked++
			wantError(t, c.open(o), "Options."+name+": the option does not apply to "+c.r.names()[0])
		}
	}
	if checked < 100 {
		t.Errorf("only %d options checked", checked)
	}
}

// TestGroupsOfMatrices opens matrices with a file of labels and groups. Labels that are random by patient must not look
// learnable because the groups are dropped.
func TestGroupsOfMatrices(t *testing.T) {
	labels := Options{LabelFile: field("pat_labels.csv"), Label: "state", Group: "patient"}
	k := field("pat.npy")
	x := must(Options{}.OpenMatrix(k))
	csv := t.TempDir() + "/pat.csv"
	if err := WriteMatrix(csv, mat.NewDense(x.N, x.D, x.Data)); err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Dataset{must(labels.OpenGrams(k)), must(labels.OpenGrams(csv)),
		must(labels.OpenSimilarities(k))} {
		same(t, "80 80 20 P1 [fit ill] 1 state", d.Len(), len(d.Group), len(sheet.SortedUnique(d.Group)), d.Group[4],
			d.Classes, d.Y[0], d.Target)
	}
	same(t, "state", must(Options{LabelFile: labels.LabelFile, Group: "patient"}.OpenGrams(k)).Target)
	wantError(t, errorOf(Options{LabelFile: field("pat_y.csv"), Group: "patient"}.OpenGrams(k)),
		`data: pat_y.csv: Options.Group: no column "patient"`)
	wantError(t, errorOf(Options{Unlabeled: true, Group: "patient"}.OpenGrams(k)),
		"Options.Label, Group, Key and Targets: these options name columns of the file of labels; set "+
			"Options.LabelFile")
	wantError(t, errorOf(labels.OpenGrams(file(t, "k.csv", "1,0\n0,1\n"))),
		"81 rows of labels; give one label for each of 2 points")
	labels.Group = "state"
	wantError(t, errorOf(labels.OpenGrams(k)), "Options.Group: column 2 (state) is already a label")
}

// TestZeroMatrix opens a matrix of zeros beside another one: it is a doubt.
func TestZeroMatrix(t *testing.T) {
	y, k := file(t, "y.csv", "u\nv\n"), file(t, "k.csv", "1,0\n0,1\n")
	zero := file(t, "zero.csv", "0,0\n0,0\n")
	for _, d := range []*Dataset{must(openGrams(y, k, zero)), must(openSimilarities(y, k, zero))} {
		if fmt.Sprint(d.Doubts) != "[all numbers of zero are 0, so it carries no information]" {
			t.Errorf("doubts %q, prepared %q", d.Doubts, d.Preparation)
		}
	}
}

// TestLabelsOfNewMatrices opens test matrices with their labels in a last file.
func TestLabelsOfNewMatrices(t *testing.T) {
	a, b := file(t, "a.csv", "2,1,0\n1,2,0\n0,0,1\n"), file(t, "b.csv", "1,0,0\n0,1,0\n0,0,1\n")
	y := file(t, "y.csv", "u\nv\nu\n")
	za, zb, zy := file(t, "a_new.csv", "1,2,4\n4,5,6\n"), file(t, "b_new.csv", "0,1,0\n1,1,1\n"), file(t, "z.csv",
		"v\nu\n")
	d := must(openGrams(y, a, b))
	n := must(reread(t, d.Encoding).Open(za, zb, zy))
	same(t, "[1 -1] [u v]", n.Y, n.Classes)
	wantError(t, errorOf(d.Encoding.Open(za, zb, file(t, "w.csv", "w\nu\n"))),
		`w.csv: line 1: "w" is not a class`)
	wantError(t, errorOf(d.Encoding.Open(za, zb, y)), "y.csv: got 3 rows; give one label for each of 2 points")
	wantError(t, errorOf(pointsIn(d.Encoding, za, zb, zy)), "got 3 files; pass 2 matrices")

	both := file(t, "both.csv", "who,kind\np,u\nq,v\np,u\n")
	d = must(Options{LabelFile: both, Group: "who"}.OpenSimilarities(a))
	e := reread(t, d.Encoding)
	for text, want := range map[string]string{
		"kind,site\nv,3\nu,4\n": "[1 -1] []", "kind,who\nv,r\nu,s\n": "[1 -1] [r s]",
	} {
		n := must(e.Open(za, file(t, "new_labels.csv", text)))
		same(t, want, n.Y, n.Group)
	}
}

// TestPrecomputedLIBSVM refuses precomputed kernels, also those of a subset or in another order, unless an option says
// that index 0 is a feature.
func TestPrecomputedLIBSVM(t *testing.T) {
	const subset = "1 0:7 1:4 2:6 3:1\n-1 0:8 1:6 2:18 3:0\n1 0:9 1:1 2:0 3:1\n"
	for _, path := range []string{field("s5.libsvm"), file(t, "s5b.libsvm", subset)} {
		wantError(t, errorOf(Open(path)), "precomputed kernels of LIBSVM", "Options.ZeroBased")
		if d, err := (Options{ZeroBased: true}).Open(path); err != nil || d.Dim() != 4 {
			t.Errorf("%v, %v", d, err)
		}
	}
	if d, err := Open(file(t, "z.libsvm", "1 0:0.5 1:4\n-1 0:2 1:6\n1 0:1 1:1\n")); err != nil || d.Dim() != 2 {
		t.Errorf("features with indices from 0: %v, %v", d, err)
	}
}

// TestJoinRepeatedKeys: a key that a slice repeats in the first dataset is an error, also if the counts agree.
func TestJoinRepeatedKeys(t *testing.T) {
	open := func(name string) *Dataset {
		o := Options{Key: "id", Unlabeled: true, Name: name, Format: CSV}
		d, err := o.Read(strings.NewReader("id,z\na,1.5\nb,3.5\nc,4.5\n"))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	repeated, err := open("first").Slice([]int{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Join(repeated, open("second"))
	if err == nil || !strings.Contains(err.Error(), `key "a" in rows 1 and 2`) {
		t.Errorf("error %v", err)
	}
}
