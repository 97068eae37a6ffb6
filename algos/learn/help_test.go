package learn

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
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
