package tkl_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/internal/testenv"
	"github.com/mklnb/mkl/notebooks/papers/tkl"
)

// report are means, standard deviations and numbers of splits of RBF, TKL d=0 and TKL d=1 balanced by an
// independent program, on its own splits.
var report = map[string]struct {
	splits int
	mean   [3]float64
	sd     [3]float64
}{
	"breast-wisconsin": {20, [3]float64{96.9, 96.8, 96.8}, [3]float64{1.0, 1.0, 1.0}},
	"pima":             {20, [3]float64{76.9, 77.1, 76.1}, [3]float64{3.6, 3.2, 3.0}},
	"ionosphere":       {30, [3]float64{94.4, 92.3, 92.6}, [3]float64{2.7, 2.6, 2.6}},
	"sonar":            {30, [3]float64{85.2, 86.7, 87.1}, [3]float64{5.0, 4.1, 5.0}},
}

// TestAccuracy makes the results again where MKL_SIZE=full, into the folder named by MKL_OUT if it is
// set, and compares what is kept with the report: 3·sd·√(2/splits) of each mean.
func TestAccuracy(t *testing.T) {
	kept := tkl.Kept()
	for name, want := range report {
		t.Run(name, func(t *testing.T) {
			s := kept[name]
			if testenv.Full() {
				d, err := data.Load(name)
				if err != nil {
					t.Fatal(err)
				}
				if s, err = tkl.Accuracy(t.Context(), name, d, tkl.Methods(d.Dim()), want.splits, 1); err != nil {
					t.Fatal(err)
				}
				if out := os.Getenv("MKL_OUT"); out != "" {
					b, err := json.Marshal(s)
					if err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(out, name+".json"), append(b, '\n'), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			if s == nil {
				t.Errorf("%s: no results are kept", name)
				return
			}
			for i, m := range []int{0, 2, 3} {
				mean, sd := s.Mean(m)
				allowed := 3 * want.sd[i] * math.Sqrt(2/float64(want.splits))
				t.Logf("%s, %s: %.1f ± %.1f of %d splits, the report has %.1f ± %.1f", name, s.Methods[m], mean, sd, len(s.Splits), want.mean[i], want.sd[i])
				if len(s.Splits) < want.splits || math.Abs(mean-want.mean[i]) > allowed {
					t.Errorf("%s, %s: %.1f of %d splits, want %.1f ± %.1f of %d", name, s.Methods[m], mean, len(s.Splits), want.mean[i], allowed, want.splits)
				}
			}
		})
	}
}
