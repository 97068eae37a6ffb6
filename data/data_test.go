package data

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

func toy() *Dataset {
	return &Dataset{
		Name: "toy", Title: "A toy",
		X:       points.Rows{N: 3, D: 2, Data: []float64{1, 2, 3, 4, 5, 6}, Names: []string{"a", "b"}},
		Y:       []float64{-1, 1, 1},
		Classes: []string{"no", "yes"},
	}
}

func toySparse() *Dataset {
	d := toy()
	d.X = points.Sparse{D: 3, Ptr: []int{0, 2, 2, 4}, Col: []int{0, 2, 1, 2}, Val: []float64{1, 2, 3, 4}}
	return d
}

func TestValidate(t *testing.T) {
	for _, d := range []*Dataset{toy(), toySparse()} {
		if err := d.Validate(); err != nil {
			t.Fatalf("%v: %v", d, err)
		}
	}
	for _, c := range []struct {
		break_ func(d *Dataset)
		want   string
	}{
		{func(d *Dataset) { d.X = nil }, "X is nil"},
		{func(d *Dataset) { d.Y = d.Y[:2] }, "2 labels for 3 points"},
		{func(d *Dataset) { d.Y[1] = 2 }, "row 2 is 2; labels of two classes are −1 or +1"},
		{func(d *Dataset) { d.Y[2] = math.NaN() }, "row 3 is NaN; labels and targets must be finite"},
		{func(d *Dataset) { d.Group = []string{"a", "b"} }, "2 groups for 3 points"},
		{func(d *Dataset) { d.Classes = d.Classes[:1] }, `Classes is ["no"]`},
		{func(d *Dataset) { d.Y = []float64{1, 1, 1} }, "at least two classes"},
		{func(d *Dataset) { d.X.(points.Rows).Data[3] = math.Inf(1) }, "row 2, column 2 (b) is +Inf"},
	} {
		d := toy()
		c.break_(d)
		if err := d.Validate(); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "data: ") {
			t.Errorf("got error %v, want one with %q", err, c.want)
		}
	}
}

func TestSliceAndColumnsLeaveTheReceiver(t *testing.T) {
	for _, d := range []*Dataset{toy(), toySparse()} {
		before := d.Digest()
		s, c := must(d.Slice([]int{2, 0, 2})), must(d.Columns(1, 0))
		if s.Len() != 3 || !slices.Equal(s.Y, []float64{1, -1, 1}) || s.Preparation == "" || c.Preparation == "" ||
			!slices.Equal(c.Features(), []string{d.Features()[1], d.Features()[0]}) || c.X.Validate() != nil {
			t.Errorf("%v: slice %v with labels %v, columns %v", d, s, s.Y, c.Features())
		}
		if s.Y[0], c.Name = 7, "other"; d.Digest() != before {
			t.Errorf("%v changed", d)
		}
	}
	if got := dense(must(toy().Columns(1)).X); !slices.Equal(got, []float64{2, 4, 6}) {
		t.Errorf("column 1 is %v", got)
	}
	if got := dense(must(toySparse().Columns(2, 1)).X); !slices.Equal(got, []float64{2, 0, 0, 0, 4, 3}) {
		t.Errorf("sparse columns are %v", got)
	}
	for want, r := range map[string]result{
		"feature 2 (entry 1 of the indices) is not between 0 and 1":  of(toy().Columns(2)),
		"feature -1 (entry 2 of the indices) is not between 0 and 1": of(toy().Columns(0, -1)),
		"no feature selected; pass at least one of 2 features":       of(toy().FirstFeatures(-1)),
		"a feature is selected twice":                                of(toySparse().Columns(1, 1)),
		"row 99 (entry 2 of the indices) is not between 0 and":       of(toy().Slice([]int{0, 99})),
		"no row selected; pass at least one of 3 rows":               of(toy().Slice(nil)),
		"feature 0 (entry 1 of the indices) is not between 0 and -1": of(new(Dataset).Columns(0)),
		"the reader is nil": of(Options{Format: CSV}.Read(nil)),
	} {
		wantError(t, r.err, "data: ", want)
	}
	if s := new(Dataset).String(); !strings.Contains(s, "0 points") {
		t.Errorf("an empty dataset is %q", s)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// result is what a reader returned.
type result struct {
	d   *Dataset
	err error
}

func of(d *Dataset, err error) result { return result{d, err} }

// errorOf is the error of a call of two results.
func errorOf(_ any, err error) error { return err }

// dense writes all numbers out, row by row.
func dense(x points.Points) []float64 {
	switch x := x.(type) {
	case points.Sparse:
		all := make([]float64, x.Len()*x.D)
		for i := range x.Len() {
			cols, values := x.Row(i)
			for k, j := range cols {
				all[i*x.D+j] = values[k]
			}
		}
		return all
	case points.Rows:
		return x.Data
	}
	panic("kind of points")
}

func TestSelect(t *testing.T) {
	d, err := toy().Select("b")
	if err != nil || d.Dim() != 1 || d.X.(points.Rows).Data[0] != 2 {
		t.Errorf("Select(b) = %v, %v", d, err)
	}
	wantError(t, errorOf(toy().Select("bb")), `no feature "bb": did you mean "b"?`)
	wantError(t, errorOf(toy().Select()), "no feature selected")
}

// same fails unless the values print as want.
func same(t *testing.T, want string, got ...any) {
	t.Helper()
	if s := strings.TrimSpace(fmt.Sprintln(got...)); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

func wantError(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", want)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q, want one with %q", err, w)
		}
	}
	if s := err.Error(); !strings.HasPrefix(s, "data: ") || strings.Count(s, "data: ") != 1 ||
		strings.Contains(s, "\n") {
		t.Errorf("error %q, want one line with one prefix data:", s)
	}
}

// TestDigest changes one thing at a time: every one changes the digest, provenance does not.
func TestDigest(t *testing.T) {
	base := toy().Digest()
	for name, change := range map[string]func(d *Dataset){
		"value":   func(d *Dataset) { d.X.(points.Rows).Data[0] = math.Nextafter(1, 2) },
		"label":   func(d *Dataset) { d.Y[0] = 1 },
		"name":    func(d *Dataset) { d.X.(points.Rows).Names[0] = "c" },
		"names":   func(d *Dataset) { d.X.(points.Rows).Names[0], d.X.(points.Rows).Names[1] = "ab", "" },
		"classes": func(d *Dataset) { d.Classes[0], d.Classes[1] = "noy", "es" },
		"kind":    func(d *Dataset) { d.X = toySparse().X },
		"fewer":   func(d *Dataset) { *d = *must(d.Slice([]int{0, 1})) },
	} {
		d := toy()
		change(d)
		if d.Digest() == base {
			t.Errorf("%s: the digest is the same", name)
		}
	}
	d := toy()
	d.Note, d.Source, d.Preparation, d.Name = "n", "s", "p", "other"
	if d.Digest() != base {
		t.Error("the digest depends on provenance")
	}
}

// matrixOf reads a matrix from a text.
func matrixOf(o Options, text string) (points.Rows, error) {
	path := filepath.Join(os.TempDir(), "matrix")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return points.Rows{}, err
	}
	defer os.Remove(path)
	return o.OpenMatrix(path)
}
