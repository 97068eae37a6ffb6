package learn

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// version1 contains the models of files that Learn of version 0.1.0 learned from testdata/version1/plants.csv: of the
// column height with intervals, and of the classes of the column kind. Later versions read them.
var version1 = map[string]struct {
	options data.Options
	learn   []Option
}{
	"height": {data.Options{Label: "height", Regression: true, DropColumns: []string{"kind"}},
		[]Option{WithIntervals(0.9)}},
	"kind": {data.Options{Label: "kind", DropColumns: []string{"height"}}, nil},
}

// TestVersion1 tests that model files of version 0.1.0 predict what they predicted then. MKL_NEW_VERSION1=1 wrote the
// files; they must not be written again.
func TestVersion1(t *testing.T) {
	for name, c := range version1 {
		folder := filepath.Join("testdata", "version1")
		modelFile, predictions := filepath.Join(folder, name+".model"), filepath.Join(folder, name+".predictions.csv")
		if os.Getenv("MKL_NEW_VERSION1") != "" {
			c.options.Key, c.options.Missing = "id", data.Fill
			c.options.Dates = data.DateLayouts{"planted": "2006-01-02"}
			d := must(c.options.Open(filepath.Join(folder, "plants.csv")))
			l := must(Learn(t.Context(), d, append(c.learn, WithFolds(2))...))
			if err := l.Model.Save(modelFile); err != nil {
				t.Fatal(err)
			}
		}
		m, err := model.Load(modelFile)
		if err != nil {
			t.Fatal(err)
		}
		rows := filepath.Join(t.TempDir(), "plants.csv")
		if err := os.WriteFile(rows, must(os.ReadFile(filepath.Join(folder, "plants.csv"))), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := m.PredictFile(rows)
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("MKL_NEW_VERSION1") != "" {
			if err := os.WriteFile(predictions, must(os.ReadFile(f.Path)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		comparetest.CompareTables(t, string(must(os.ReadFile(f.Path))), string(must(os.ReadFile(predictions))), 1e-9, 0)
	}
}
