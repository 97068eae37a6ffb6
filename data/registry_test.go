package data

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

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
	if len(want) != len(Names()) {
		t.Fatalf("%d sets are embedded, expected %d", len(Names()), len(want))
	}
	for _, info := range List() {
		w, d := want[info.Name], must(Load(info.Name))
		if d.Len() != w.n || info.N != w.n || info.D != w.d || d.Dim() != w.d ||
			w.counts != nil && !slices.Equal(d.Counts(), w.counts) ||
			d.Digest()[:16] != w.digest {
			t.Errorf("%v of digest %.16s, expected %d points of %d features, classes of %d and the digest %s", d,
				d.Digest(), w.n, w.d, w.counts, w.digest)
		}
		if d.SHA256 != info.SHA256 || d.Source == "" || d.License == "" || d.Title == "" || d.Prepared == "" ||
			d.Target == "" {
			t.Errorf("%s: provenance is incomplete: %+v", d.Name, info)
		}
	}
}

// TestLoadDescribes checks what Load reports about the preparation of a dataset.
func TestLoadDescribes(t *testing.T) {
	if d, err := Load("votes"); err != nil || !strings.Contains(d.Prepared, "392 missing cells filled in") {
		t.Errorf("votes84: %v, %v, expected 392 missing cells", d, err)
	}
	// 232 whole rows by the UCI page
	if d, err := (Options{Missing: Drop}).Load("votes84"); err != nil || d.Len() != 232 || d.Dim() != 32 {
		t.Errorf("whole rows of votes84: %v, %v, expected 232 of 32 columns", d, err)
	}
	if d, _ := Load("liver"); !strings.Contains(d.Note, "NOT a diagnosis") {
		t.Errorf("the note on liver-bupa is %q", d.Note)
	}
	if d, _ := Load("heart"); !slices.Equal(d.Classes, []string{"absent", "present"}) {
		t.Errorf("the classes of heart are %q", d.Classes)
	}
}

func TestLoadOptions(t *testing.T) {
	d := must(Options{Missing: Fill}.Load("breast-wisconsin"))
	if !slices.Equal(d.Counts(), []int{458, 241}) {
		t.Errorf("filled: %v, expected 699 points, 458 and 241", d)
	}
	// The missing cell becomes the mean of the 683 others, whose sum is 2421.
	if got := d.X.(points.Rows).Row(23)[5]; math.Abs(got-2421.0/683) > 1e-12 { // rounding of a running mean
		t.Errorf("row 24 has Bare.nuclei %g, expected the mean %g", got, 2421.0/683)
	}

	d = must((Options{DropDuplicates: true}).Load("ionosphere"))
	if d.Len() != 350 || d.Dim() != 34 {
		t.Errorf("%v, expected 350 points of 34 features", d)
	}

	d = must((Options{Label: "drinks", Regression: true, DropColumns: []string{"selector"}}).Load("bupa"))
	if d.Dim() != 5 || d.Classes != nil || d.Target != "drinks" || slices.Max(d.Y) != 20 {
		t.Errorf("%v, expected drinks (0 to 20) from 5 features", d)
	}

	d = must((Options{Positive: "R"}).Load("sonar"))
	if n := d.Counts(); n[1] != 97 || d.Classes[1] != "R" {
		t.Errorf("%v, expected R to be +1", d)
	}

	d = must((Options{Categorical: []string{"thal"}}).Load("heart"))
	if d.Dim() != 15 || !slices.Contains(d.Features(), "thal=7") {
		t.Errorf("%v with %v, expected 12 numbers and three values of thal", d, d.Features())
	}

	for _, o := range []Options{{Format: NPY}, {KeepIndex: true}, {MissingMarkers: []string{"0"}}} {
		wantError(t, errorOf(o.Load("sonar")), "it does not apply to registered datasets")
	}
	wantError(t, errorOf(Options{DropColumns: []string{"V61"}}.Load("sonar")),
		`data: sonar: csv: Options.DropColumns: no column "V61": did you mean`)
}

func TestLoadUnknown(t *testing.T) {
	wantError(t, errorOf(Load("sonnar")), `no dataset "sonnar"`, "embedded: breast-ljubljana")
	_, err := Load("breast")
	if err != nil {
		t.Errorf("the alias: %v", err)
	}
	for _, path := range []string{"../sonar", "sonar.csv", `C:\sonar`, "x.npy.gz"} {
		wantError(t, errorOf(Load(path)), "no dataset", "Load takes a name",
			"call Open("+strconv.Quote(path)+")")
	}
	_, err = Load("")
	wantError(t, err, `no dataset ""`, "sonar")
	if d, err := Load(" SONAR "); err != nil || d.Name != "sonar" {
		t.Errorf("upper case: %v, %v", d, err)
	}
	seen := make(map[string]bool)
	for _, info := range append(List(), ExternalDatasets()...) {
		for _, n := range append(info.Aliases, info.Name) {
			if seen[n] {
				t.Errorf("two sets answer to %q", n)
			}
			seen[n] = true
		}
	}
	if !slices.IsSorted(Names()) {
		t.Errorf("names are not sorted: %v", Names())
	}
}

// TestDamaged changes one bit of a file.
func TestDamaged(t *testing.T) {
	s := must(findSet("sonar"))
	good := must(files.ReadFile("sets/sonar.csv"))
	bad := slices.Clone(good)
	bad[len(bad)/2] ^= 1
	wantError(t, errorOf(Options{}.load(s, bad)), "SHA-256", s.SHA256, "restore the file in data/sets")
}
