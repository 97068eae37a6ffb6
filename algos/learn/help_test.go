package learn

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/viz"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// normal are n points of d standard normal features.
func normal(n, d int, rng *rand.Rand) points.Rows {
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	return x
}

// failure is what an error says; "" where there is none.
func failure[T any](_ T, err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// says fails where a text lacks one of some others.
func says(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in %q", w, text)
		}
	}
}

// drawn fails where a figure cannot be drawn.
func drawn(t *testing.T, figures ...viz.Figure) {
	t.Helper()
	for _, f := range figures {
		if err := f.Validate(); err != nil {
			t.Errorf("figure %q: %v", f.Title, err)
		}
	}
}

// reloaded is m from a file of its own.
func reloaded(t *testing.T, m *model.Model) *model.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.json")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	return must(model.Load(path))
}
