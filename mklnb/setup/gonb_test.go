package setup

import (
	"strings"
	"testing"
)

// TestEdits: an edit that does not fit its file is refused, so that another version of GoNB cannot lose one
// unseen; those of the pinned version are applied when it is built.
func TestEdits(t *testing.T) {
	e := edit{"a.go", "old\n", "new\n"}
	for content, want := range map[string]string{"1\nold\n2\n": "1\nnew\n2\n", "1\n": "", "old\nold\n": ""} {
		got, err := e.apply(content)
		if got != want || (err == nil) != (want != "") || err != nil && !strings.Contains(err.Error(), "a.go of GoNB holds") {
			t.Errorf("%q becomes %q, %v, expected %q", content, got, err, want)
		}
	}
}
