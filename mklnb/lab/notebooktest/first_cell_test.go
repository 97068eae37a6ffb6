package notebooks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFirstCell follows the instructions above the first cell to the letter, with files of a reader that have other
// columns: one with a number to predict, and one with classes.
func TestFirstCell(t *testing.T) {
	environment(t)
	folder := t.TempDir()
	var numbers, classes strings.Builder
	numbers.WriteString("rooms,price\n")
	classes.WriteString("length,kind\n")
	for i := range 40 {
		fmt.Fprintf(&numbers, "%d,%g\n", i, 2.5*float64(i))
		fmt.Fprintf(&classes, "%d,%s\n", i, []string{"cat", "dog"}[i%4/2])
	}
	try(os.WriteFile(filepath.Join(folder, "numbers.csv"), []byte(numbers.String()), 0o600))
	try(os.WriteFile(filepath.Join(folder, "classes.csv"), []byte(classes.String()), 0o600))
	source := string(must(read(filepath.Join(shipped, "00_start_here.ipynb"))).code()[0].Source)
	first, rest, _ := strings.Cut(source, "\n")
	second, rest, _ := strings.Cut(rest, "\n")
	if !strings.HasPrefix(first, "path := ") || !strings.HasPrefix(second, "label := ") ||
		!strings.Contains(rest, "Regression: true, ") {
		t.Fatalf("the first cell has other lines than its instructions: %s", source)
	}
	cell := func(file, label, rest string) string {
		return "path := \"" + filepath.Join(folder, file) + "\"\nlabel := \"" + label + "\"\n" + rest
	}
	for i, a := range ask(t, cell("numbers.csv", "price", rest),
		cell("classes.csv", "kind", strings.Replace(rest, "Regression: true, ", "", 1))) {
		if a.Status != "ok" || !strings.Contains(a.Output, []string{"RMSE", "Error rate"}[i]) {
			t.Errorf("cell %d: %s %s\n%s", i+1, a.Status, a.Error, a.Output)
		}
	}
}
