package data

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

const physiology = "weight,chins,waist,situps,pulse\n191,5,36,162,50\n189,2,37,110,52\n193,12,38,101,58\n" +
	"162,12,35,105,62\n"

// Columns by name become targets in the order of the names, the others features.
func TestTargets(t *testing.T) {
	o := Options{Name: "club", Format: CSV, Targets: []string{"pulse", "weight", "waist"}}
	d := must(o.Read(strings.NewReader(physiology)))
	if got, want := d.AllY(), []float64{50, 52, 58, 62, 191, 189, 193, 162, 36, 37, 38, 35}; !slices.Equal(got, want) {
		t.Errorf("AllY %v, want %v", got, want)
	}
	if got, want := d.Targets(), o.Targets; !slices.Equal(got, want) {
		t.Errorf("Targets %q, want %q", got, want)
	}
	if got, want := d.Features(), []string{"chins", "situps"}; !slices.Equal(got, want) {
		t.Errorf("Features %q, want %q", got, want)
	}
	if s := d.String(); !strings.Contains(s, "3 real targets") {
		t.Error(s)
	}
	part, err := d.Slice([]int{3, 0})
	if err != nil || !slices.Equal(part.AllY(), []float64{62, 50, 162, 191, 35, 36}) {
		t.Errorf("Slice: %v, %v", part.AllY(), err)
	}
	other, err := Options{Name: "club", Format: CSV, Targets: []string{"pulse", "waist",
		"weight"}}.Read(strings.NewReader(physiology))
	if err != nil || other.Digest() == d.Digest() {
		t.Errorf("targets in another order have the same digest (%v)", err)
	}

	// a file like it: columns in another order, with the targets, without them, with some
	e := *d.Encoding
	like := func(text string) (*Dataset, error) {
		q, err := e.newReadOptions(Auto, false)
		if err != nil {
			return nil, err
		}
		return (&job{Options: q, training: &e}).read([]byte(text))
	}
	again, err := like("chins,waist,pulse,situps,weight\n5,36,50,162,191\n")
	if err != nil || !slices.Equal(again.AllY(), []float64{50, 191, 36}) ||
		!reflect.DeepEqual(again.X.(points.Rows).Data, []float64{5, 162}) {
		t.Errorf("like it: %v %v", again, err)
	}
	if again, err = like("chins,situps\n5,162\n"); err != nil || again.Y != nil || again.ExtraTargets != nil {
		t.Errorf("without targets: %v %v", again, err)
	}
	wantError(t, errorOf(prefixError(like("chins,situps,pulse\n5,162,50\n"))), "weight, waist")
}

// A row without one of several targets is dropped with all of them.
func TestTargetsDropped(t *testing.T) {
	d, err := Options{Format: CSV, Targets: []string{"b", "c"},
		Missing: Drop}.Read(strings.NewReader("a,b,c\n1,2,3\n1,2,\n2,,3\n4,5,6\n"))
	if err != nil || !slices.Equal(d.AllY(), []float64{2, 5, 3, 6}) {
		t.Errorf("Drop: %v %v", d, err)
	}
}

// labeled is a CSV file of n rows, two features and the given labels.
func labeled(name string, n int, label func(i int) string) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	fmt.Fprintf(&b, "a,b,%s\n", name)
	for i := range n {
		fmt.Fprintf(&b, "%.4f,%.4f,%s\n", rng.NormFloat64(), rng.NormFloat64(), label(i))
	}
	return b.String()
}

// TestAmountsAsClasses: more than ten numbers are no classes unless an option says so; fewer are doubted if they do not
// count from 0 or 1.
func TestAmountsAsClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	ages := func(int) string {
		return fmt.Sprint(49 + int(math.Round(15*math.Max(-2, math.Min(2, rng.NormFloat64())))))
	}
	quality := func(i int) string {
		return []string{"3", "4", "5", "5", "5", "6", "6", "6", "6", "7", "7", "8", "9"}[i%13]
	}
	for _, c := range []struct {
		what  string
		label func(i int) string
		n     int
		o     Options
		want  string // in the error, or "" of a dataset
		doubt string // in Doubts, or "" of none
	}{
		{"ages", ages, 300, Options{}, `Options.Categorical: []string{"age"}`, ""},
		{"ages as names", ages, 300, Options{Categorical: []string{"age"}}, "", ""},
		{"digits", func(i int) string { return fmt.Sprint(i * 7 % 10) }, 300, Options{}, "", ""},
		{"quality", quality, 1300, Options{}, "", "7 numbers from 3 to 9"},
		{"quality as names", quality, 1300, Options{Categorical: []string{"age"}}, "", ""},
		{"words", func(i int) string { return fmt.Sprintf("w%d", i%30) }, 90, Options{}, "", ""},
	} {
		d, err := read(CSV, c.o, labeled("age", c.n, c.label))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.what, err)
		case c.want == "":
			if all := strings.Join(d.Doubts, "; "); c.doubt == "" && all != "" || !strings.Contains(all, c.doubt) {
				t.Errorf("%s: doubts %q, want %q", c.what, all, c.doubt)
			}
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %v, want an error that says %s", c.what, err, c.want)
		}
	}
	// Files that name no columns call the label "label".
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "%s 1:%d\n", ages(i), i+1)
	}
	wantError(t, errorOf(read(LIBSVM, Options{}, b.String())), `Options.Categorical: []string{"label"}`)
	wantError(t, errorOf(read(LIBSVM, Options{Categorical: []string{"x"}}, b.String())), "Options.Categorical")
	if d := mustRead(t, LIBSVM, Options{Categorical: []string{"label"}}, b.String()); len(d.Classes) < 11 {
		t.Errorf("libsvm, with names: %v", d)
	}
}

// TestGroupColumn: the column that Options.Group names is no feature, its values are Dataset.Group, whatever becomes
// of rows.
// TestAdviceOnColumn tests that errors about labels advise Options.Label only for files with names of columns.
func TestAdviceOnColumn(t *testing.T) {
	for _, regression := range []bool{false, true} {
		csv, libsvm, y := "x,y\n", "", make([]float64, 9)
		for i := range y {
			if !regression {
				y[i] = float64(i) + 0.5
			}
			csv += fmt.Sprintf("%d,%g\n", i*i, y[i])
			libsvm += fmt.Sprintf("%g 1:%d\n", y[i], i*i)
		}
		for format, text := range map[Format]string{CSV: csv, LIBSVM: libsvm, NPY: npyOf(9, 1, y...)} {
			_, err := read(format, Options{Regression: regression}, text)
			if err == nil {
				t.Fatalf("%v, regression %v: no error", format, regression)
			}
			named := OptionsNamedIn(err.Error())
			if slices.ContainsFunc(named, func(o OptionText) bool { return o.Name == "Label" }) != (format == CSV) {
				t.Errorf("%v, regression %v: %v", format, regression, err)
			}
		}
	}
}

func TestGroupColumn(t *testing.T) {
	text := "user,a,b,y\nann,1,2,0\nbob,2,3,1\nann,1,2,0\ncid,,4,1\nbob,4,4,1\n,5,6,1\n" // of no user: left out
	d := must(read(CSV, Options{Group: "user", Missing: Drop, DropDuplicates: true}, text))
	if want := []string{"ann", "bob", "bob"}; !slices.Equal(d.Group, want) || !slices.Equal(d.Features(),
		[]string{"a", "b"}) {
		t.Errorf("groups %q of features %q, want %q of a and b", d.Group, d.Features(), want)
	}
	if len(d.Doubts) > 0 || !strings.Contains(d.Preparation, "user") {
		t.Errorf("doubts %q, prepared %q", d.Doubts, d.Preparation)
	}
	// Another file like it: with groups where it has the column, without where it has none, and points without them.
	for text, want := range map[string][]string{"b,a,user,y\n1,1,zoe,0\n2,2,yan,1\n": {"zoe", "yan"},
		"a,b,y\n1,1,0\n2,2,1\n": nil} {
		path := file(t, "new.csv", text)
		like, err := d.Encoding.Open(path)
		if err != nil || !slices.Equal(like.Group, want) {
			t.Errorf("like it: %v, %v, want %q", like, err, want)
		} else if strings.Contains(like.Preparation, "user") && strings.Contains(like.Preparation, "ignored") {
			t.Errorf("the groups are taken, not ignored: %q", like.Preparation)
		}
		if z, err := pointsIn(d.Encoding, path); err != nil || z.Len() != 2 {
			t.Errorf("points: %v, %v", z, err)
		}
	}
}

// TestLogTargets: logarithms are learned of positive targets alone, which stay what they are in the file.
func TestLogTargets(t *testing.T) {
	text := "a,b,price\n1,2,10\n2,3,1000\n3,1,0.5\n"
	d := must(read(CSV, Options{Regression: true, LogTargets: true}, text))
	want := []float64{math.Log(10), math.Log(1000), math.Log(0.5)}
	if !slices.Equal(d.Y, []float64{10, 1000, 0.5}) || !d.LogTargets || !slices.Equal(d.TransformedY(), want) {
		t.Errorf("%v: %v, learned %v", d, d.Y, d.TransformedY())
	}
	plain, err := read(CSV, Options{Regression: true}, text)
	if err != nil || plain.Digest() == d.Digest() || !slices.Equal(plain.TransformedY(), plain.Y) {
		t.Errorf("without logarithms: %v, %v, the same key: %v", plain, err, plain.Digest() == d.Digest())
	}
	two, err := read(CSV, Options{Targets: []string{"b", "price"}, LogTargets: true}, text)
	if err != nil || len(two.TransformedY()) != 6 || two.TransformedY()[3] != want[0] {
		t.Errorf("two targets: %v, %v", two, err)
	}
	bad := *d
	bad.Y = []float64{1, 2, -3}
	if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), "row 3") {
		t.Errorf("in memory: %v", err)
	}
	bad.LogTargets = false
	if err := bad.Validate(); err != nil {
		t.Error(err)
	}
}
