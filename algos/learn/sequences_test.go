package learn

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/words"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data/datasets"
)

// TestLearnSequences: Learn takes sequences as they are, tells the globins apart, and its model, saved and
// restored, predicts the same, also from a FASTA file.
func TestLearnSequences(t *testing.T) {
	all := must(datasets.Load("globins"))
	var rows []int // a third, with the classes of the whole
	for i := 0; i < all.Len(); i += 3 {
		rows = append(rows, i)
	}
	d := must(all.Slice(rows))
	l := learn(t, d, WithLambda(0.1, 1), WithSplits(must(fit.Holdout(d.Y, 0.25, 1, 1))))
	file, m := filepath.Join(t.TempDir(), "new.fasta"), reloaded(t, l.Model)
	names := must(m.Classify(d.X))
	if !slices.Equal(names, d.Labels()) || !slices.Equal(must(l.Model.Classify(d.X)), names) {
		t.Errorf("the globins are %v", names)
	}
	x := d.X.(points.Sequences)
	if err := os.WriteFile(file, []byte(">a\n"+x[0]+"\n>b\n"+strings.ToLower(x[len(x)-1])+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := string(must(os.ReadFile(must(m.PredictFile(file)).Path)))
	says(t, b, "\n1,a,"+names[0]+",", "\n2,b,"+names[len(x)-1]+",")
	says(t, testenv.ErrorText(m.Classify(points.Sequences{"A-C"})), "character 2")
	if _, err := m.Classify(points.Rows{N: 1, D: 1, Data: []float64{1}}); err == nil {
		t.Error("rows of numbers are taken for sequences")
	}
	for alphabet, x := range map[string]points.Sequences{"": {"ACDEFGHIK", "WWWW"}, "ACGT": {"ACGTTACG", "ggtnca"}} {
		f := must(kernelsForPoints(x))
		if k := f.sumFamily.(kernel.Sum).Kernels[0].(words.Spectrum); k.Alphabet != alphabet ||
			f.sumFamily.Bind(x).Validate() != nil {
			t.Errorf("%v: %v", x, f)
		}
	}
}
