package comparetest

import (
	"os"
	"strings"
	"testing"
	"time"
)

// CheckContains fails the test if text does not contain one of the texts in want.
func CheckContains(t testing.TB, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in %q", w, text)
		}
	}
}

// StoredResultTimes returns the names of the result files in the folder of a store, with the time when each was
// written.
func StoredResultTimes(folder string) map[string]time.Time {
	times := map[string]time.Time{}
	entries, _ := os.ReadDir(folder) // without a result there may be no folder
	for _, f := range entries {
		if info, err := f.Info(); err == nil && f.Name()[0] != '.' && !f.IsDir() {
			times[f.Name()] = info.ModTime()
		}
	}
	return times
}
