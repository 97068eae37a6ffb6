package compare

import (
	"strings"
	"testing"
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
