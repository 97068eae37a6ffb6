package datasets

import (
	"slices"
	"testing"

	"github.com/mklnb/mkl/data"
)

// SplitLabels are the labels of the dataset as Load returns it, whatever PositiveClass is, also where the class +1 of
// Load is not the alphabetically later one.
func TestSplitLabels(t *testing.T) {
	for _, name := range []string{"sonar", "credit-g", "breast-wisconsin"} {
		plain := must(Load(name))
		if !slices.Equal(plain.SplitLabels(), plain.Y) || plain.ClassesExchanged {
			t.Errorf("%s: SplitLabels are not Y", name)
		}
		for k, class := range plain.Classes {
			d := must(LoadWith(name, data.Options{PositiveClass: class}))
			if d.Classes[1] != class || !slices.Equal(d.SplitLabels(), plain.Y) || d.ClassesExchanged != (k == 0) {
				t.Errorf("%s, class +1 is %s: other SplitLabels, classes %q", name, class, d.Classes)
			}
			if half := must(d.Slice([]int{0, 1, 2})); !slices.Equal(half.SplitLabels(), plain.Y[:3]) {
				t.Errorf("%s: a slice has other SplitLabels", name)
			}
		}
	}
}
