package comparetest

import (
	"os"
	"strings"
	"testing"
	"time"
)

// Says fails the test if a text lacks one of some others.
func Says(t testing.TB, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in %q", w, text)
		}
	}
}

// StoredResults returns the names of the results in the folder of a store, and when each was written.
func StoredResults(folder string) map[string]time.Time {
	all := map[string]time.Time{}
	entries, _ := os.ReadDir(folder) // fails before the first result
	for _, f := range entries {
		if info, err := f.Info(); err == nil && f.Name()[0] != '.' && !f.IsDir() {
			all[f.Name()] = info.ModTime()
		}
	}
	return all
}
