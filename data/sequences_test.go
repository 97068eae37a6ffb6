package data

import (
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

const twoGlobins = ">HBA_X human alpha\nVLSPA\nDKTNV kaa\n\n; a remark\n>MYG_Y whale other\nGLSDG*\n"

// TestSequenceFiles reads FASTA and CSV, writes nothing, and finds the same points by its encoding.
func TestSequenceFiles(t *testing.T) {
	want := points.Sequences{"VLSPADKTNVKAA", "GLSDG*"}
	fa, err := Options{Label: "2"}.Open(write(t, "two.fasta.gz", pack(t, []byte(twoGlobins))))
	if err != nil || !slices.Equal(fa.X.(points.Sequences), want) || !slices.Equal(fa.Labels(),
		[]string{"human", "whale"}) || fa.Target != "word 2" {
		t.Fatalf("%v %v, %v", fa, fa.X, err)
	}
	if d, err := Open(file(t, "two.fa", twoGlobins)); err != nil || d.Y != nil ||
		!slices.Equal(d.X.(points.Sequences), want) {
		t.Errorf("without a label: %v, %v", d, err)
	}
	table := "id,kind,protein,length\n1,a,vlspadktnvkaa,12\n2,b,GLSDG*,6\n"
	cs, err := Options{Sequence: "protein", Label: "kind"}.Open(file(t, "two.csv", table))
	if err != nil || !slices.Equal(cs.X.(points.Sequences), want) || !slices.Equal(cs.Labels(), []string{"a", "b"}) ||
		!strings.Contains(cs.Prepared, "id, length") {
		t.Fatalf("%v %v, %v", cs, cs.X, err)
	}
	if d, err := (Options{Sequence: "protein"}).Open(file(t, "two.csv", table)); err != nil || d.Target != "length" {
		t.Errorf("%v, %v, want the last column as label", d, err)
	}
	// The encoding, also restored from its file form, reads other files as the same kind of points.
	for _, d := range []*Dataset{fa, cs} {
		x, err := pointsIn(reread(t, d.Encoding), file(t, "new.fa", ">q\nWWW\n"))
		if err != nil || !slices.Equal(x.(points.Sequences), points.Sequences{"WWW"}) {
			t.Errorf("%v, %v", x, err)
		}
	}
	if x, err := pointsIn(cs.Encoding, file(t, "new.csv", "protein\nWWW\n")); err != nil || x.Len() != 1 {
		t.Errorf("%v, %v", x, err)
	}
	if _, err := pointsIn(fa.Encoding, file(t, "new.csv", "protein\nWWW\n")); err == nil {
		t.Error("a table is read like FASTA")
	}
	part, err := fa.Slice([]int{1, 1})
	if err != nil || part.Digest() == fa.Digest() || part.X.Len() != 2 {
		t.Errorf("%v, %v", part, err)
	}
	if d, err := (Options{DropDuplicates: true}).Open(file(t, "d.fa", ">a\nAC\n>b\nCA\n>c\nac\n")); err != nil ||
		d.Len() != 2 {
		t.Errorf("%v, %v", d, err)
	}
}
