package comparetest

import (
	"os"
	"strings"
	"testing"
	"time"
)

// CheckContains fails the test unless text contains every text in want.
func CheckContains(t testing.TB, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in %q", w, text)
		}
	}
}

// StoredResultTimes returns the names and the modification times of the result files in the folder of a store.
func StoredResultTimes(folder string) map[string]time.Time {
	writeTimes := map[string]time.Time{}
	entries, _ := os.ReadDir(folder) // without a result there may be no folder
	for _, f := range entries {
		if info, err := f.Info(); err == nil && f.Name()[0] != '.' && !f.IsDir() {
			writeTimes[f.Name()] = info.ModTime()
		}
	}
	return writeTimes
}
