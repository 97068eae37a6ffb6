package study

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// TestLearnSequences: Learn takes sequences as they are, tells the globins apart, and its model, saved and
// restored, predicts the same, also from a FASTA file.
func TestLearnSequences(t *testing.T) {
	d, dir := must(data.Load("globins")), t.TempDir()
	l := learn(t, d, WithSplits(must(Holdout(d.Y, 0.25, 2, 1))))
	path, file := filepath.Join(dir, "globins"), filepath.Join(dir, "new.fasta")
	if err := l.Model.Save(path); err != nil {
		t.Fatal(err)
	}
	m := must(model.Load(path))
	names := must(m.Classify(d.X))
	if !slices.Equal(names, d.Labels()) || !slices.Equal(must(l.Model.Classify(d.X)), names) {
		t.Errorf("the globins are %v", names)
	}
	x := d.X.(kernel.Sequences)
	if err := os.WriteFile(file, []byte(">a\n"+x[0]+"\n>b\n"+strings.ToLower(x[30])+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := string(must(os.ReadFile(must(m.PredictFile(file)))))
	if !strings.Contains(b, "\n1,"+names[0]+",") || !strings.Contains(b, "\n2,"+names[30]+",") {
		t.Errorf("of a file %s, want %s and %s", b, names[0], names[30])
	}
	if _, err := m.Classify(kernel.Sequences{"A-C"}); err == nil || !strings.Contains(err.Error(), "character 2") {
		t.Errorf("a gap: %v", err)
	}
	if _, err := m.Classify(kernel.Rows{N: 1, D: 1, Data: []float64{1}}); err == nil {
		t.Error("rows of numbers are taken for sequences")
	}
	for want, x := range map[string]kernel.Sequences{"amino acids": {"ACDEFGHIK", "WWWW"}, "DNA": {"ACGTTACG", "ggtnca"}} {
		f := must(defaultFamily(x))
		if !strings.Contains(f.words, want) || f.learned.On(x).Validate() != nil {
			t.Errorf("%v: %v", x, f)
		}
	}
}
