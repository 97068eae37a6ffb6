package notebooks

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mklnb/mkl/mklnb/setup"
)

// Limits of the cells of a notebook.
const (
	maxCodeLines    = 15  // of a code cell, without blank lines; longer code belongs to a package of notebooks/papers
	maxColumns      = 120 // of a line of a code cell; a tab counts as 4
	maxWords        = 120 // of a Markdown cell
	maxSummaryWords = 250 // of the Markdown cell with the heading Summary
)

var (
	// uncounted matches parts of a Markdown cell that are not running text: code, folded parts, displayed formulas,
	// comments, table rows and headings.
	uncounted = regexp.MustCompile("(?s)```.*?```|<details.*?</details>|\\$\\$.*?\\$\\$|<!--.*?-->|(?m-s:^[ " +
		"\\t]*[|#].*$)")
	inlineFormula = regexp.MustCompile(`\$[^$]+\$`) // counts as one word
	word          = regexp.MustCompile(`\S*[\pL\pN]\S*`)
	summary       = regexp.MustCompile(`(?m)^#+ .*\bSummary\b`)
)

// countWords returns the number of words of a Markdown cell.
func countWords(source string) int {
	return len(word.FindAllString(inlineFormula.ReplaceAllString(uncounted.ReplaceAllString(source, ""), "x"), -1))
}

// exceeded returns the limits that the cells of a notebook exceed.
func exceeded(n *notebook) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	for i, c := range n.Cells {
		if c.Type == "markdown" {
			limit := maxWords
			if summary.MatchString(string(c.Source)) {
				limit = maxSummaryWords
			}
			if words := countWords(string(c.Source)); words > limit {
				complain("cell at %d: %d words, expected at most %d: %.40q", i, words, limit, c.Source)
			}
			continue
		}
		lines := 0
		for line := range strings.Lines(string(c.Source)) {
			line = strings.TrimSuffix(line, "\n")
			if strings.TrimSpace(line) != "" {
				lines++
			}
			if columns := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); columns > maxColumns {
				complain("code cell %d: %d columns, expected at most %d: %.40q", c.Number, columns, maxColumns, line)
			}
		}
		if lines > maxCodeLines {
			complain("code cell %d: %d lines, expected at most %d", c.Number, lines, maxCodeLines)
		}
	}
	return complaints
}

// TestLimits tests that every notebook names the kernel of this checkout and keeps the limits of its cells.
func TestLimits(t *testing.T) {
	for _, n := range all(t) {
		if k := n.Metadata.Kernel; k.Name != setup.KernelName || k.DisplayName != "Go (mkl)" {
			t.Errorf("%s: kernelspec is %q (%q), expected %q (%q)", n.Path, k.Name, k.DisplayName, setup.KernelName,
				"Go (mkl)")
		}
		for _, complaint := range exceeded(n) {
			t.Errorf("%s: %s", n.Path, complaint)
		}
	}
	code := func(source string) cell { return cell{Number: 1, Type: "code", Source: text(source)} }
	markdown := func(source string) cell { return cell{Type: "markdown", Source: text(source)} }
	words := func(n int) string { return strings.Repeat("word ", n) }
	for _, c := range []struct {
		cell cell
		want int
	}{
		{code(strings.Repeat("f()\n\n", maxCodeLines)), 0},
		{code(strings.Repeat("f()\n", maxCodeLines+1)), 1},
		{code("\t" + strings.Repeat("é", maxColumns-4)), 0},
		{code("\t" + strings.Repeat("é", maxColumns-3)), 1},
		{markdown(words(maxWords-1) + "$a + b$\n\n# Heading\n\n$$c$$\n"), 0},
		{markdown(words(maxWords + 1)), 1},
		{markdown("## Summary\n" + words(maxSummaryWords)), 0},
		{markdown("## Summary\n" + words(maxSummaryWords+1)), 1},
	} {
		if got := exceeded(&notebook{Cells: []cell{c.cell}}); len(got) != c.want {
			t.Errorf("%.40q exceeds the limits %q, expected %d of them", c.cell.Source, got, c.want)
		}
	}
}
