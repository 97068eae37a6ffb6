package data

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
)

// raw reads an embedded file without the package's reader: no set has a quote in it.
func raw(t *testing.T, name string) (head []string, rows [][]string) {
	t.Helper()
	b := must(files.ReadFile("sets/" + name + ".csv"))
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	for i, l := range lines {
		cells := strings.Split(l, ",")
		if i == 0 {
			head = cells
			continue
		}
		rows = append(rows, cells)
	}
	return head, rows
}

// TestEmbedded compares every embedded set with counts published with it and with its file read in
// the plainest way.
func TestEmbedded(t *testing.T) {
	// Published numbers: points, attributes and classes by the UCI pages; complete rows where
	// cells are missing (16 in Wisconsin, 9 in Ljubljana); credit-g has 54 nominal values by its
	// declaration (4+5+10+5+5+4+3+4+3+3+4+2+2) and 7 numbers, Ljubljana 6+3+11+7+2+3+2+5+2.
	want := map[string]struct {
		n, d  int
		plus  string // in the file
		pos   int
		whole int // rows of the file
	}{
		"sonar":            {208, 60, "M", 111, 208},
		"ionosphere":       {351, 34, "good", 225, 351},
		"pima":             {768, 8, "pos", 268, 768},
		"breast-wisconsin": {683, 9, "malignant", 239, 699},
		"breast-ljubljana": {277, 41, "recurrence-events", 81, 286},
		"heart-statlog":    {270, 13, "2", 120, 270},
		"credit-g":         {1000, 61, "bad", 300, 1000},
		"liver-bupa":       {345, 6, "2", 200, 345},
		"votes84":          {435, 48, "republican", 168, 435}, // yea, nay and neither in each of 16
		"finefoods":        {5000, 5000, "great", 3258, 5000}, // 3258 and 1742 by the package
	}
	if sequences := 2; len(want)+sequences != len(Names()) {
		t.Fatalf("%d sets are embedded, want %d", len(Names()), len(want)+sequences)
	}
	for _, info := range List() {
		if info.D == 0 { // TestSequenceSets
			continue
		}
		w, ok := want[info.Name]
		if !ok {
			t.Errorf("%s is not in the table of this test", info.Name)
			continue
		}
		d, err := Load(info.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		if n := d.Counts(); d.Len() != w.n || d.Dim() != w.d || n[1] != w.pos || n[0] != w.n-w.pos {
			t.Errorf("%v, want %d points of %d features, %d of them +1", d, w.n, w.d, w.pos)
		}
		if d.SHA256 != info.SHA256 || d.Source == "" || d.Licence == "" || d.Title == "" || d.Prepared == "" || d.Target == "" {
			t.Errorf("%s: provenance is incomplete: %+v", d.Name, info)
		}
		if err := d.Validate(); err != nil {
			t.Error(err)
		}
		if info.Name == "finefoods" { // TestFineFoods
			continue
		}
		head, rows := raw(t, info.Name)
		if len(rows) != w.whole {
			t.Errorf("%s: the file has %d rows, want %d", info.Name, len(rows), w.whole)
		}
		x := d.X.(kernel.Rows)
		column := make(map[string]int)
		for j, name := range x.Names {
			column[name] = j
		}
		i, cells := 0, 0
		for _, row := range rows {
			if slices.Contains(row, "?") || slices.Contains(row, "") {
				if info.Name != "votes84" {
					continue
				}
				for j, cell := range row {
					if cell == "" {
						row[j] = "?"
					}
				}
			}
			for j, name := range head {
				if j == len(head)-1 {
					if (row[j] == w.plus) != (d.Y[i] == 1) {
						t.Errorf("%s: row %d: label %s is %g", d.Name, i+1, row[j], d.Y[i])
					}
					continue
				}
				if k, ok := column[name]; ok {
					v, err := strconv.ParseFloat(row[j], 64)
					if err != nil || v != x.Row(i)[k] {
						t.Errorf("%s: row %d, %s is %g, want %s", d.Name, i+1, name, x.Row(i)[k], row[j])
					}
					cells++
				} else if k, ok := column[name+"="+row[j]]; ok {
					if x.Row(i)[k] != 1 {
						t.Errorf("%s: row %d: %s=%s is %g, want 1", d.Name, i+1, name, row[j], x.Row(i)[k])
					}
					cells++
				} else if name != "id" {
					t.Errorf("%s: no column for %s = %s", d.Name, name, row[j])
				}
			}
			i++
		}
		if i != d.Len() || cells == 0 {
			t.Errorf("%s: %d complete rows in the file, %d points", d.Name, i, d.Len())
		}
		// Every attribute has one 1 among its columns.
		for i := range x.N {
			ones := make(map[string]float64)
			for j, name := range x.Names {
				if attr, _, ok := strings.Cut(name, "="); ok {
					ones[attr] += x.Row(i)[j]
				}
			}
			for attr, sum := range ones {
				if sum != 1 {
					t.Errorf("%s: row %d: the columns of %s sum to %g", d.Name, i+1, attr, sum)
				}
			}
		}
	}
}

func TestLoadSaysWhatIsKnown(t *testing.T) {
	for name, want := range map[string]string{
		"ionosphere":       "1 constant column kept (V2); 1 duplicate point kept",
		"breast-wisconsin": "16 points with missing cells left out of 699; left out: id",
		"breast-ljubljana": "9 nominal attributes, each value a column 0/1 named attribute=value (41 columns); 9 points with missing cells left out of 286; 14 duplicate points kept",
		"liver-bupa":       "4 duplicate points kept",
		"credit-g":         "7 numbers and 13 nominal attributes, each value a column 0/1 named attribute=value (54 columns); nothing missing",
	} {
		d, err := Load(name)
		if err != nil {
			t.Error(err)
			continue
		}
		first, _, _ := strings.Cut(d.Describe(), "\n")
		if !strings.Contains(first, want) {
			t.Errorf("the first line about %s is %q, want %q in it", name, first, want)
		}
	}
	if d, err := Load("votes"); err != nil || !strings.Contains(d.Prepared, "392 missing cells filled in") {
		t.Errorf("votes84: %v, %v, want 392 missing cells", d, err)
	}
	// 232 whole rows by the UCI page
	if d, err := (Options{Missing: Drop}).Load("votes84"); err != nil || d.Len() != 232 || d.Dim() != 32 {
		t.Errorf("whole rows of votes84: %v, %v, want 232 of 32 columns", d, err)
	}
	if d, _ := Load("liver"); !strings.Contains(d.Note, "NOT a diagnosis") {
		t.Errorf("the note on liver-bupa is %q", d.Note)
	}
	if d, _ := Load("heart"); !slices.Equal(d.Classes, []string{"absent", "present"}) {
		t.Errorf("the classes of heart are %q", d.Classes)
	}
}

// TestPimaZeros recounts the zeros that the note calls missing.
func TestPimaZeros(t *testing.T) {
	d := must(Load("pima"))
	x := d.X.(kernel.Rows)
	for j, name := range x.Names {
		zeros := 0
		for i := range x.N {
			if x.Row(i)[j] == 0 {
				zeros++
			}
		}
		// 111 zeros of pregnant are real.
		if want := map[string]int{"pregnant": 111, "glucose": 5, "pressure": 35, "triceps": 227, "insulin": 374, "mass": 11}[name]; zeros != want {
			t.Errorf("%s has %d zeros, want %d", name, zeros, want)
		}
	}
}

func TestLoadOptions(t *testing.T) {
	d := must(Options{Missing: Fill}.Load("breast-wisconsin"))
	if !slices.Equal(d.Counts(), []int{458, 241}) {
		t.Errorf("filled: %v, want 699 points, 458 and 241", d)
	}
	// The cell filled in is the mean of the 683 present ones.
	_, rows := raw(t, "breast-wisconsin")
	sum, first := 0.0, -1
	for i, r := range rows {
		v, err := strconv.ParseFloat(r[6], 64)
		if err != nil && first < 0 {
			first = i
		}
		sum += v
	}
	if got := d.X.(kernel.Rows).Row(first)[5]; math.Abs(got-sum/683) > 1e-12 { // rounding of a running mean
		t.Errorf("row %d has Bare.nuclei %g, want the mean %g", first+1, got, sum/683)
	}

	d = must((Options{Missing: Fill}).Load("breast-ljubljana"))
	if d.Len() != 286 || d.Dim() != 43 || !slices.Contains(d.Features(), "node-caps=?") || !slices.Contains(d.Features(), "breast-quad=?") {
		t.Errorf("filled: %v with %v, want 286 points of 43 features", d, d.Features())
	}
	caps := must(d.Select("node-caps=?"))
	missing := 0.0
	for _, v := range caps.X.(kernel.Rows).Data {
		missing += v
	}
	if missing != 8 {
		t.Errorf("node-caps is missing in %g points, want 8", missing)
	}

	d = must((Options{Constant: Drop, Duplicate: Drop}).Load("ionosphere"))
	if d.Len() != 350 || d.Dim() != 33 || slices.Contains(d.Features(), "V2") {
		t.Errorf("%v, want 350 points of 33 features", d)
	}

	d = must((Options{Label: "drinks", Regression: true, Leave: []string{"selector"}}).Load("bupa"))
	if d.Dim() != 5 || d.Classes != nil || d.Target != "drinks" || slices.Max(d.Y) != 20 {
		t.Errorf("%v, want drinks (0 to 20) from 5 features", d)
	}

	d = must((Options{Positive: "R"}).Load("sonar"))
	if n := d.Counts(); n[1] != 97 || d.Classes[1] != "R" {
		t.Errorf("%v, want R to be +1", d)
	}

	d = must((Options{Nominal: []string{"thal"}}).Load("heart"))
	if d.Dim() != 15 || !slices.Contains(d.Features(), "thal=7") {
		t.Errorf("%v with %v, want 12 numbers and three values of thal", d, d.Features())
	}

	wantError(t, errorOf(Options{Missing: Refuse}.Load("breast-wisconsin")), "row 24 (line 25), column 7 (Bare.nuclei)", "missing")
	for _, o := range []Options{{Format: NPY}, {Dense: true}, {KeepIndex: true}, {Blank: []string{"0"}}, {MaxBytes: 1}} {
		wantError(t, errorOf(o.Load("sonar")), "describe a file")
	}
	wantError(t, errorOf(Options{Leave: []string{"V61"}}.Load("sonar")), `data: sonar: csv: Options.Leave: no column "V61": did you mean`)
}

func TestLoadUnknown(t *testing.T) {
	wantError(t, errorOf(Load("sonnar")), `no dataset "sonnar"`, `did you mean "sonar"?`, "there are breast-ljubljana")
	_, err := Load("breast")
	if err != nil {
		t.Errorf("the alias: %v", err)
	}
	for _, path := range []string{"../sonar", "sonar.csv", `C:\sonar`, "x.npy.gz"} {
		wantError(t, errorOf(Load(path)), "no dataset", "Load takes a name", "Open("+strconv.Quote(path)+") reads a file")
	}
	_, err = Load("")
	wantError(t, err, `no dataset ""`, "sonar")
	if d, err := Load(" SONAR "); err != nil || d.Name != "sonar" {
		t.Errorf("upper case: %v, %v", d, err)
	}
	seen := make(map[string]bool)
	for _, info := range append(List(), Doors()...) {
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

// TestDamaged changes one bit of a file, and one number of what is known of it.
func TestDamaged(t *testing.T) {
	s := must(find("sonar"))
	good := must(files.ReadFile("sets/sonar.csv"))
	bad := slices.Clone(good)
	bad[len(bad)/2] ^= 1
	wantError(t, errorOf(Options{}.load(s, func() ([]byte, error) { return bad, nil })), "sha256", s.SHA256)
	wantError(t, errorOf(Options{}.load(s, func() ([]byte, error) { return nil, errors.New("no such file") })), "no such file")
	for want, change := range map[string]func(*set){
		"208 points of 60 features, want 209 of 60": func(s *set) { s.N++ },
		"of 61":                  func(s *set) { s.D++ },
		"want [R M] of [97 112]": func(s *set) { s.Counts[1]++ },
		"want [M R]":             func(s *set) { s.Classes = [2]string{"M", "R"} },
	} {
		c := *s
		change(&c)
		wantError(t, errorOf(Options{}.load(&c, func() ([]byte, error) { return good, nil })), want)
	}
}

// TestLoadTwice: two calls give equal sets that share nothing.
func TestLoadTwice(t *testing.T) {
	a := must(Load("sonar"))
	before := a.Digest()
	a.Y[0], a.X.(kernel.Rows).Data[0], a.Classes[0] = 7, 7, "changed"
	b := must(Load("sonar"))
	if b.Digest() != before {
		t.Error("a changed set changes the next one loaded")
	}
	if a.Digest() == before {
		t.Error("the digest misses the change")
	}
}
