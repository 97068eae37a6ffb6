package data

import (
	"strings"
	"testing"
)

const twoGlobins = ">HBA_X human alpha\nVLSPA\nDKTNV kaa\n\n; a remark\n>MYG_Y whale other\nGLSDG*\n"

// TestSequenceFiles reads FASTA and CSV, and reads other files by its encoding as the same kind of points.
func TestSequenceFiles(t *testing.T) {
	const want, table = "[VLSPADKTNVKAA GLSDG*]", "id,kind,protein,length\n1,a,vlspadktnvkaa,12\n2,b,GLSDG*,6\n"
	fa := must(Options{Label: "2"}.Open(file(t, "two.fasta.gz", string(pack(t, []byte(twoGlobins))))))
	same(t, want+" [human whale] word 2", fa.X, fa.Labels(), fa.Target)
	same(t, want+" []", must(Open(file(t, "two.fa", twoGlobins))).X, must(Open(file(t, "two.fa", twoGlobins))).Y)
	cs := must(Options{Sequence: "protein", Label: "kind"}.Open(file(t, "two.csv", table)))
	same(t, want+" [a b] true", cs.X, cs.Labels(), strings.Contains(cs.Preparation, "id, length"))
	same(t, "length", must(Options{Sequence: "protein"}.Open(file(t, "two.csv", table))).Target)
	for _, d := range []*Dataset{fa, cs} {
		same(t, "[WWW]", must(pointsIn(reread(t, d.Encoding), file(t, "new.fa", ">q\nWWW\n"))))
	}
	same(t, "[WWW]", must(pointsIn(cs.Encoding, file(t, "new.csv", "protein\nWWW\n"))))
	wantError(t, errorOf(prefixError(fa.Encoding.open([]string{file(t, "new.csv", "protein\nWWW\n")},
		true))), "format")
	same(t, "[AC CA]", must(Options{DropDuplicates: true}.Open(file(t, "d.fa", ">a\nAC\n>b\nCA\n>c\nac\n"))).X)

	unnamed := must(Options{Sequence: "x1", Header: HeaderNo}.Open(file(t, "s.csv", "ACD,u\nWWW,v\nACE,u\n")))
	for text, labels := range map[string]string{"WW\nAC\n": "[]", "WW,v\nAC,u\n": "[v u]"} {
		d := must(reread(t, unnamed.Encoding).Open(file(t, "new.csv", text)))
		same(t, "[WW AC] "+labels, d.X, d.Labels())
	}
}

// TestNamesOfSequences: the first words of FASTA headers are keys if they differ; a name that occurs twice is doubted.
func TestNamesOfSequences(t *testing.T) {
	d := mustRead(t, FASTA, Options{Label: "2"}, ">p u\nAC\n>q v\nACG\n")
	if strings.Join(d.Keys, " ") != "p q" || d.Doubts != nil {
		t.Errorf("keys %q, doubts %q", d.Keys, d.Doubts)
	}
	d = mustRead(t, FASTA, Options{Label: "2"}, ">p u\nAC\n>p v\nACG\n")
	if d.Keys != nil || !strings.Contains(strings.Join(d.Doubts, " "), `"p"`) {
		t.Errorf("keys %q, doubts %q", d.Keys, d.Doubts)
	}
}
