package report

import (
	"strings"
	"testing"

	"github.com/mklnb/mkl/viz"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// says fails if a text lacks one of some others.
func says(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in %q", w, text)
		}
	}
}

// drawn fails if a figure cannot be drawn.
func drawn(t *testing.T, figures ...viz.Figure) {
	t.Helper()
	for _, f := range figures {
		if err := f.Validate(); err != nil {
			t.Errorf("figure %q: %v", f.Title, err)
		}
	}
}
