package learn

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
)

var (
	gaussians = kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}},
		Center: true, Normalize: kernel.MeanDiagonal, Prepare: points.Preprocessing{points.Standardize}}
	features = kernel.Features{Degree: 2, Constant: true, Prepare: points.Preprocessing{points.Standardize}}
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var says = comparetest.CheckContains

// reloaded is m from a file of its own.
func reloaded(t *testing.T, m *model.Model) *model.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.json")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	return must(model.Load(path))
}

// timeless sets the times in a table to 0.
func timeless(t *compare.Table) {
	t.TotalSeconds = 0
	for i := range t.Rows {
		for j := range t.Rows[i].Runs {
			t.Rows[i].Runs[j].Seconds = 0
		}
	}
}

// kernelKind returns the label of a kernel without its parameters.
func kernelKind(label string) string {
	kind, _, _ := strings.Cut(label, "(")
	return kind
}
