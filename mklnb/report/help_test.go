package report

import (
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/viz"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var says = comparetest.CheckContains

// drawn fails if a figure cannot be drawn.
func drawn(t *testing.T, figures ...viz.Figure) {
	t.Helper()
	for _, f := range figures {
		if err := f.Validate(); err != nil {
			t.Errorf("figure %q: %v", f.Title, err)
		}
	}
}
