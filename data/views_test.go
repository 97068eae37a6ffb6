package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// field returns the path of an input that recreates a public bug report.
func field(name string) string { return "testdata/field/" + name }

// TestJoinByKey joins two files of the same points in different orders: rows are matched by the column of keys, in new
// files too. Without keys the groups show the wrong order.
func TestJoinByKey(t *testing.T) {
	open := func(o Options, name string) *Dataset { return must(o.Open(field(name))) }
	a := open(Options{Regression: true, Key: "id"}, "va.csv")
	ordered := must(Join(a, open(Options{Unlabelled: true, Key: "id"}, "vb.csv")))
	shuffled := open(Options{Unlabelled: true, Key: "id"}, "vb_shuf.csv")
	shuffled.Name = "vb"
	j := must(Join(a, shuffled))
	if !slices.Equal(dense(j.X), dense(ordered.X)) || !slices.Equal(j.Y, a.Y) || !slices.Equal(j.Key, a.Key) {
		t.Error("the shuffled file is not matched by its keys")
	}
	if j.Dim() != 5 || j.Key[1] != "pt001" || !strings.Contains(j.Prepared, "matched by their keys") {
		t.Errorf("%d features, key %s, %s", j.Dim(), j.Key[1], j.Prepared)
	}
	z, err := reread(t, j.Encoding).Points(field("va.csv"), field("vb_shuf.csv"))
	if err != nil || !slices.Equal(dense(z), dense(j.X)) {
		t.Errorf("new files are not matched by their keys: %v", err)
	}

	grouped := open(Options{Regression: true, Group: "id"}, "va.csv")
	wantError(t, errorOf(Join(grouped, open(Options{Unlabelled: true, Group: "id"}, "vb_shuf.csv"))),
		`row 1 has the group "pt000" in va, but "pt022" in vb_shuf: pass the same points in the same order`)
	j = must(Join(grouped, open(Options{Unlabelled: true, Group: "id"}, "vb.csv")))
	wantError(t, errorOf(j.Encoding.Points(field("va.csv"), field("vb_shuf.csv"))), `row 1 has the group "pt000"`)
	a.Key = nil
	if j = must(Join(a, open(Options{Unlabelled: true, Group: "id"}, "vb.csv"))); len(different(j.Group)) != 60 {
		t.Errorf("%d groups of the second view, 60 expected", len(different(j.Group)))
	}
}

// TestKeys checks the errors about keys.
func TestKeys(t *testing.T) {
	open := func(name, text string) *Dataset {
		return must(Options{Unlabelled: true, Key: "id"}.Open(file(t, name, text)))
	}
	a, b := open("a.csv", "id,x\np,1\nq,2\n"), open("b.csv", "id,z\nq,1\np,2\nr,3\n")
	wantError(t, errorOf(Join(a, b)), `a has no row with the key "r", which is row 3 of b`)
	wantError(t, errorOf(Join(b, a)), `a has no row with the key "r", which is row 3 of b`)
	if j := must(Join(a, must(b.Slice([]int{0, 1})))); fmt.Sprint(dense(j.X)) != "[1 2 2 1]" {
		t.Errorf("%v", dense(j.X))
	}
	wantError(t, errorOf(Join(a, must(b.Slice([]int{0, 1, 1})))), `b has the key "p" in rows 2 and 3`)
	for want, o := range map[string]Options{
		`row 3 (line 4), column 1 (id): the key "p" is that of row 1 (line 2) too`: {Key: "id"},
		`Options.Key: column 3 (y) is the label or the group`:                      {Key: "y"},
		`Options.Key: no column "ID"`:                                              {Key: "ID"},
	} {
		wantError(t, errorOf(o.Open(file(t, "k.csv", "id,x,y\np,1,u\nq,2,v\np,3,u\n"))), want)
	}
	wantError(t, errorOf(Options{Key: "id"}.Open(file(t, "k.csv", "id,x,y\np,1,u\nNA,2,v\nr,3,u\n"))),
		"the key \"NA\" is missing")
}
