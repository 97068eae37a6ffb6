package data

import (
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
