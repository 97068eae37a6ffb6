package datasets

import (
	"bytes"
	"compress/gzip"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// wantError fails unless the error of a call of two results is one line that contains all of want.
func wantError(t *testing.T, err error, want ...string) {
	t.Helper()
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one with %q", err, w)
		}
	}
}

func errorOf(_ any, err error) error { return err }

// write writes a file of that name in a new folder.
func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	dir := t.TempDir()
	testenv.WriteFiles(t, dir, map[string]string{name: string(content)})
	return filepath.Join(dir, name)
}

func pack(b []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(b)
	w.Close()
	return z.Bytes()
}

// TestEmbedded compares every embedded dataset with published counts and with a digest. The digests were computed after
// a comparison of all cells with the file, read by a minimal parser.
func TestEmbedded(t *testing.T) {
	// Published numbers: points, attributes and classes by the UCI pages; complete rows where
	// cells are missing (16 in Wisconsin, 9 in Ljubljana); credit-g has 54 nominal values by its
	// declaration (4+5+10+5+5+4+3+4+3+3+4+2+2) and 7 numbers, Ljubljana 6+3+11+7+2+3+2+5+2.
	want := map[string]struct {
		n, d   int
		counts []int
		digest string
	}{
		"sonar":            {208, 60, []int{97, 111}, "dcc513af13238943"},
		"ionosphere":       {351, 34, []int{126, 225}, "77e5f18e4879c666"},
		"pima":             {768, 8, []int{500, 268}, "bead3cc10948750f"},
		"breast-wisconsin": {683, 9, []int{444, 239}, "4a75647153b4874f"},
		"breast-ljubljana": {277, 41, []int{196, 81}, "25ee5d654e48a59c"},
		"heart-statlog":    {270, 13, []int{150, 120}, "1c720e7e593e7264"},
		"credit-g":         {1000, 61, []int{700, 300}, "061fbcfc02ec6ae5"},
		"liver-bupa":       {345, 6, []int{145, 200}, "e78f5eae6a9551d9"},
		"votes84":          {435, 48, []int{267, 168}, "fd896a38d1e03dc1"},      // yea, nay and neither in each of 16
		"finefoods":        {5000, 5000, []int{1742, 3258}, "7fcaba978e34b0fd"}, // by the package
		"globins":          {45, 0, []int{19, 19, 7}, "e10232c85880544b"},
		"proteins":         {1838, 0, nil, "7fb1a16d134a56a5"},
	}
	if len(want) != len(List()) || !slices.IsSorted(Names(List())) {
		t.Fatalf("%q are embedded, expected %d", Names(List()), len(want))
	}
	for _, info := range List() {
		w, d := want[info.Name], must(Load(" "+strings.ToUpper(info.Name)))
		if d.Len() != w.n || info.N != w.n || info.D != w.d || d.Dim() != w.d ||
			w.counts != nil && !slices.Equal(d.ClassCounts(), w.counts) || d.Digest()[:16] != w.digest {
			t.Errorf("%v of digest %.16s, expected %d points of %d features, classes of %d and the digest %s", d,
				d.Digest(), w.n, w.d, w.counts, w.digest)
		}
		if d.Name != info.Name || d.SHA256 != info.SHA256 || d.Source == "" || d.License == "" || d.Title == "" ||
			d.Preparation == "" || d.Target == "" {
			t.Errorf("%s: provenance is incomplete: %+v", d.Name, info)
		}
	}
	if d := must(Load("globins")); !slices.Equal(d.Classes, []string{"alpha", "beta", "myoglobin"}) {
		t.Errorf("%q", d.Classes)
	}
	d := must(Load("proteins"))
	if n := d.ClassCounts(); len(n) != 55 || slices.Min(n) != 25 || slices.Max(n) != 94 {
		t.Errorf("%v", d)
	}
}

// TestLoadWith checks each option that applies to a dataset with a name.
func TestLoadWith(t *testing.T) {
	for _, c := range []struct {
		name  string
		o     data.Options
		n, d  int
		class string // +1
	}{
		{"votes84", data.Options{Missing: data.Drop}, 232, 32, "republican"}, // whole rows by the UCI page
		{"breast-wisconsin", data.Options{Missing: data.Fill}, 699, 9, "malignant"},
		{"ionosphere", data.Options{DropDuplicates: true}, 350, 34, "good"},
		{"liver-bupa", data.Options{Label: "drinks", Regression: true, DropColumns: []string{"selector"}}, 345, 5, ""},
		{"sonar", data.Options{PositiveClass: "R"}, 208, 60, "R"},
		{"heart-statlog", data.Options{Categorical: []string{"thal"}}, 270, 15, "present"},
		{"heart-statlog", data.Options{Label: "chest_pain", Regression: true, LogTargets: true}, 270, 13, ""},
		{"proteins", data.Options{Label: "group", Missing: data.Drop}, 931, 0, ""},
		{"globins", data.Options{Unlabeled: true}, 45, 0, ""},
	} {
		d := must(LoadWith(c.name, c.o))
		if d.Len() != c.n || d.Dim() != c.d || c.class != "" && d.Classes[1] != c.class ||
			d.LogTargets != c.o.LogTargets {
			t.Errorf("%s with %+v: %v, expected %d points of %d features and the class %s", c.name, c.o, d, c.n, c.d,
				c.class)
		}
	}
	// The missing cell becomes the mean of the 683 others, whose sum is 2421.
	x := must(LoadWith("breast-wisconsin", data.Options{Missing: data.Fill})).X.(points.Rows)
	if got := x.Row(23)[5]; math.Abs(got-2421.0/683) > 1e-12 { // rounding of a running mean
		t.Errorf("row 24 has Bare.nuclei %g, expected the mean %g", got, 2421.0/683)
	}
	for _, o := range []data.Options{{Format: data.NPY}, {KeepIndexColumn: true}, {MissingMarkers: []string{"0"}}} {
		wantError(t, errorOf(LoadWith("sonar", o)), "datasets: sonar: Options.", "the option does not apply to sonar")
	}
	wantError(t, errorOf(LoadWith("finefoods", data.Options{Missing: data.Drop})), "Options.Missing")
	wantError(t, errorOf(LoadWith("sonar", data.Options{DropColumns: []string{"V61"}})),
		`datasets: sonar: data: csv: Options.DropColumns: no column "V61": did you mean`)
	wantError(t, errorOf(Load("sonnar")), `no dataset "sonnar"`, "embedded: breast-ljubljana", "data.Open")
}

// TestDamaged changes one bit of a file.
func TestDamaged(t *testing.T) {
	s := must(findSet("sonar"))
	bad := slices.Clone(must(files.ReadFile("files/sonar.csv")))
	bad[len(bad)/2] ^= 1
	wantError(t, errorOf(s.load(bad, data.Options{})), "SHA-256", s.SHA256, "restore the file in data/datasets/files")
}

// SplitLabels are the labels of the dataset as Load returns it, whatever PositiveClass is, also where the class +1 of
// Load is not the alphabetically later one.
func TestSplitLabels(t *testing.T) {
	for _, name := range []string{"sonar", "credit-g", "breast-wisconsin"} {
		plain := must(Load(name))
		if !slices.Equal(plain.SplitLabels(), plain.Y) || plain.ClassesExchanged {
			t.Errorf("%s: SplitLabels are not Y", name)
		}
		for k, class := range plain.Classes {
			d := must(LoadWith(name, data.Options{PositiveClass: class}))
			if d.Classes[1] != class || !slices.Equal(d.SplitLabels(), plain.Y) || d.ClassesExchanged != (k == 0) {
				t.Errorf("%s, class +1 is %s: other SplitLabels, classes %q", name, class, d.Classes)
			}
			if half := must(d.Slice([]int{0, 1, 2})); !slices.Equal(half.SplitLabels(), plain.Y[:3]) {
				t.Errorf("%s: a slice has other SplitLabels", name)
			}
		}
	}
}
