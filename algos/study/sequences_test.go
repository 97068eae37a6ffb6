package study

import (
	"context"
	"math"
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
	d := must(data.Load("globins"))
	splits := must(Holdout(d.Y, 0.25, 2, 1))
	l := must(Learn(context.Background(), d, WithSplits(splits)))
	names := must(l.Model.Classify(d.X))
	if !slices.Equal(names, d.Labels()) {
		t.Errorf("the globins are %v", names)
	}
	path := filepath.Join(t.TempDir(), "globins")
	if err := l.Model.Save(path); err != nil {
		t.Fatal(err)
	}
	m := must(model.Load(path))
	again, err := m.Classify(d.X)
	if err != nil || !slices.Equal(again, names) {
		t.Errorf("restored it says %v, %v", again, err)
	}
	file := filepath.Join(t.TempDir(), "new.fasta")
	x := d.X.(kernel.Sequences)
	if err := os.WriteFile(file, []byte(">a\n"+x[0]+"\n>b\n"+strings.ToLower(x[30])+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := must(m.PredictFile(file))
	b, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(b), "\n1,"+names[0]+",") || !strings.Contains(string(b), "\n2,"+names[30]+",") {
		t.Errorf("of a file %s, %v, want %s and %s", b, err, names[0], names[30])
	}
	if _, err := m.Classify(kernel.Sequences{"A-C"}); err == nil || !strings.Contains(err.Error(), "character 2") {
		t.Errorf("a gap: %v", err)
	}
	if _, err := m.Classify(kernel.Rows{N: 1, D: 1, Data: []float64{1}}); err == nil {
		t.Error("rows of numbers are taken for sequences")
	}
	for _, c := range []struct {
		x    kernel.Sequences
		want string
	}{{kernel.Sequences{"ACDEFGHIK", "WWWW"}, "amino acids"}, {kernel.Sequences{"ACGTTACG", "ggtnca"}, "DNA"}} {
		f, err := defaultFamily(c.x)
		if err != nil || !strings.Contains(f.words, c.want) {
			t.Fatalf("%v: %v", f, err)
		}
		g := f.learned.On(c.x)
		if err := g.Validate(); err != nil {
			t.Error(err)
		}
		k := g.New()
		m, _ := g.Dims()
		theta := make([]float64, m)
		theta[0] = 1
		k.At(theta)
		if v := k.K().At(0, 0); math.Abs(v-1) > 1e-9 {
			t.Errorf("normalised to %g", v)
		}
	}
}
