package comparetest

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
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

// CompareTables fails the test unless two CSV texts have equal cells, or numbers that differ by at most the tolerance
// times the larger of smallestSize and the size of the number that is wanted. It returns the largest of these relative
// differences.
func CompareTables(t testing.TB, got, want string, tolerance, smallestSize float64) (largest float64) {
	t.Helper()
	gotRows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	wantRows, err2 := csv.NewReader(strings.NewReader(want)).ReadAll()
	if err != nil || err2 != nil || len(gotRows) != len(wantRows) || len(wantRows) < 2 ||
		len(gotRows[0]) != len(wantRows[0]) {
		t.Fatalf("%v, %v; the table is\n%s\nwant\n%s", err, err2, got, want)
	}
	for i, row := range wantRows {
		for j, cell := range row {
			x, errX := strconv.ParseFloat(gotRows[i][j], 64)
			y, errY := strconv.ParseFloat(cell, 64)
			areNumbers, difference := errX == nil && errY == nil, 0.0
			if areNumbers && x != y {
				difference = math.Abs(x-y) / max(smallestSize, math.Abs(y))
				largest = max(largest, difference)
			}
			if gotRows[i][j] != cell && !(areNumbers && difference <= tolerance) {
				t.Errorf("row %d, column %s: %s, want %s", i, wantRows[0][j], gotRows[i][j], cell)
			}
		}
	}
	return largest
}
