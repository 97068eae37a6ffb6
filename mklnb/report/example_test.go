package report_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/mklnb/report"
)

// Text returns the text of the report of any value that has one: here of a dataset.
func ExampleText() {
	d, err := datasets.Load("sonar")
	if err != nil {
		panic(err)
	}
	first, _, _ := strings.Cut(report.Text(d), "\n")
	fmt.Println(first)
	// Output: Sonar, mines against rocks: 208 points, 60 features
}

// TestReadme tests that the program of README.md prints what README.md and the package comment show.
func TestReadme(t *testing.T) {
	content, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, want, _ := strings.Cut(strings.ReplaceAll(string(content), "\r\n", "\n"), "```text\n")
	want, _, isFound := strings.Cut(want, "```")
	d, err := datasets.Load("ionosphere")
	if err != nil {
		t.Fatal(err)
	}
	l, err := learn.Learn(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if got := report.Text(l); !isFound || !strings.HasPrefix(got, want) {
		t.Errorf("README.md shows\n%s\nthe program prints\n%s", want, got)
	}
	source, err := os.ReadFile("report.go")
	first := strings.SplitAfterN(want, "\n", 3)
	if err != nil || !strings.Contains(strings.ReplaceAll(string(source), "\r\n", "\n"),
		"//\t"+first[0]+"//\t"+first[1]) {
		t.Errorf("the package comment does not show %q: %v", first[:2], err)
	}
}
