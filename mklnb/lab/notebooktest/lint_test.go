package notebooks

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mklnb/mkl/mklnb/setup"
)

// TestLint holds the rules that need no run.
func TestLint(t *testing.T) {
	for _, n := range all(t) {
		complaints := lint(n)
		if name := strings.TrimSuffix(filepath.Base(n.Path), ".ipynb"); folder() == shipped {
			complaints = slices.Concat(complaints, lintMutations(n, mutations[name]), lintReading(n))
		}
		for _, complaint := range complaints {
			t.Errorf("%s: %s", n.Path, complaint)
		}
	}
}

// Patterns that a cell's source must not match, with the reason.
var forbidden = []struct {
	pattern *regexp.Regexp
	why     string
}{
	{regexp.MustCompile(`(?m)^\s*(import\s+)?\.\s+"`), "a dot import breaks every later cell that does not use it"},
	{regexp.MustCompile(`gonbui/(widgets|dom|comms)`), "widgets wait for a browser and hang a run without one"},
	{regexp.MustCompile(`RequestInput|os\.Stdin|fmt\.Scan`), "a cell that reads input hangs a run without a browser"},
	{regexp.MustCompile(`(?i)\bcdn\b|jsdelivr|unpkg|cdnjs|<script[^>]*\bsrc=`),
		"nothing is loaded from another server"},
	{regexp.MustCompile(`(?m)^\s*[!%](go|bash|\*go|sh)\b`), "a notebook has no set-up cells"},
	{regexp.MustCompile(`(?m)^%%(writefile|bash|sh)\b`), "cells are Go"},
}

// scriptBound is the most that one script of an output may weigh, in bytes: the options of a chart do, a library does
// not.
const scriptBound = 400_000

var (
	scriptElement = regexp.MustCompile(`(?s)<script\b([^>]*)>(.*?)</script>`)
	imageElement  = regexp.MustCompile(`<img\b[^>]*>`)
	altText       = regexp.MustCompile(`\balt="[^"]+"`)
	compileBox    = "gonb-err-location"
)

// longestCell is the most lines of a code cell that are not blank.
const longestCell = 15

// widestCell is the most columns of a line of a code cell, a tab of four.
const widestCell = 120

// codeLines counts the lines that are not blank.
func codeLines(source string) (n int) {
	for line := range strings.Lines(source) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// lint returns what a notebook does that it must not.
func lint(n *notebook) (complaints []string) {
	say := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	if n.Format != 4 {
		say("notebook format %d, expected 4", n.Format)
	}
	if k := n.Metadata.Kernel; k.Name != setup.KernelName || k.DisplayName != "Go (mkl)" {
		say("kernelspec is %q (%q), expected %q (%q)", k.Name, k.DisplayName, setup.KernelName, "Go (mkl)")
	}
	ids := map[string]bool{}
	for i, c := range n.Cells {
		if c.ID == "" || ids[c.ID] {
			say("cell at %d: id %q is empty or used twice", i, c.ID)
		}
		ids[c.ID] = true
		if c.Type != "code" {
			continue
		}
		mains := 0
		for line := range strings.Lines(string(c.Source)) {
			if separates(line) {
				mains++
			}
		}
		if mains > 1 {
			say("code cell %d: %d lines %%%%, expected at most one: a second one kills the kernel", c.Number, mains)
		}
		for _, f := range forbidden {
			if found := f.pattern.FindString(string(c.Source)); found != "" {
				say("code cell %d: %q: %s", c.Number, strings.TrimSpace(found), f.why)
			}
		}
		if lines := codeLines(string(c.Source)); lines > longestCell {
			say("code cell %d: %d lines, expected at most %d: plumbing belongs into a package of notebooks/papers",
				c.Number, lines, longestCell)
		}
		for line := range strings.Lines(string(c.Source)) {
			line = strings.TrimSuffix(line, "\n")
			if columns := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); columns > widestCell {
				say("code cell %d: %d columns, expected at most %d: %.40q", c.Number, columns, widestCell, line)
			}
		}
		for _, word := range c.Metadata.Expect {
			if word != "chart" {
				say("code cell %d: mkl_expect has %q, expected the word chart once for each chart", c.Number, word)
			}
		}
		for _, o := range c.Outputs {
			lintOutput(c, o, say)
		}
	}
	return complaints
}

// lintOutput looks at one stored output.
func lintOutput(c cell, o output, say func(string, ...any)) {
	page := o.form("text/html")
	if !slices.Contains(c.Metadata.Tags, "raises-exception") {
		if o.Type == "error" || strings.Contains(page, compileBox) {
			say("code cell %d: a failure is stored in its output", c.Number)
		}
	}
	for _, script := range scriptElement.FindAllStringSubmatch(page, -1) {
		switch {
		case strings.Contains(script[1], "src="):
			say("code cell %d: an output loads a script from elsewhere: <script%s>", c.Number, script[1])
		case len(script[2]) > scriptBound || strings.Contains(script[2], "Apache Software Foundation"):
			say("code cell %d: an output carries a script of %d bytes: a library", c.Number, len(script[2]))
		}
	}
	for _, image := range imageElement.FindAllString(page, -1) {
		if !altText.MatchString(image) {
			say("code cell %d: a picture without alt text: %.80s", c.Number, image)
		}
	}
}

// Bounds of the words of a markdown cell, and of the one under the heading Summary.
const (
	mostWords   = 120
	mostSummary = 250
)

var (
	// uncounted is no text that is read from end to end: code, what is folded, displayed formulas, comments, rows of
	// tables and headings.
	uncounted = regexp.MustCompile("(?s)```.*?```|<details.*?</details>|\\$\\$.*?\\$\\$|<!--.*?-->|(?m-s:^[ " +
		"\\t]*[|#].*$)")
	inTheLine = regexp.MustCompile(`\$[^$]+\$`) // a formula, which is one word
	word      = regexp.MustCompile(`\S*[\pL\pN]\S*`)
	section   = regexp.MustCompile(`(?m)^##+ +(.*)$`)
	repeats   = regexp.MustCompile(`[Ee]rrat|[Cc]laim|Paper says|Appendix`)
	summary   = regexp.MustCompile(`(?m)^#+ .*\bSummary\b`)
	chartName = regexp.MustCompile(`<title[^>]*>(.*?)</title>`)
	drawing   = regexp.MustCompile(`src="data:image/svg\+xml;base64,([^"]*)"`)
)

// countWords counts the words of a markdown cell.
func countWords(source string) int {
	return len(word.FindAllString(inTheLine.ReplaceAllString(uncounted.ReplaceAllString(source, ""), "x"), -1))
}

// manyLines is how many printed lines are a result.
const manyLines = 6

// lintReading says what is too long to be read, which results have no picture, and which pictures no sentence for a
// title. A section, from one heading to the next, has results where a cell shows a table or its cells print manyLines:
// checks are none, and claims and errata are of results shown elsewhere. What was shown stands in the outputs.
func lintReading(n *notebook) (complaints []string) {
	say := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	at, lines, tables, pictures := "the head", 0, 0, 0
	end := func(next string) {
		if pictures == 0 && (tables > 0 || lines >= manyLines) && !repeats.MatchString(at) {
			say("%q shows %d tables and prints %d lines, and has no picture", at, tables, lines)
		}
		at, lines, tables, pictures = next, 0, 0, 0
	}
	for i, c := range n.Cells {
		if c.Type == "markdown" {
			most := mostWords
			if summary.MatchString(string(c.Source)) {
				most = mostSummary
			}
			if words := countWords(string(c.Source)); words > most {
				say("markdown cell at %d: %d words, expected at most %d: %.40q", i, words, most, c.Source)
			}
			for _, heading := range section.FindAllStringSubmatch(string(c.Source), -1) {
				end(heading[1])
			}
			continue
		}
		for _, o := range c.Outputs {
			page := o.form("text/html")
			lines, tables = lines+strings.Count(string(o.Text), "\n"), tables+strings.Count(page, "<table")
			for _, picture := range drawing.FindAllStringSubmatch(page, -1) {
				pictures++
				svg := must(base64.StdEncoding.DecodeString(picture[1]))
				title := chartName.FindSubmatch(svg)
				if title == nil || len(word.FindAll(title[1], -1)) < 4 {
					say("code cell %d: the title of a picture is no sentence: %q", c.Number, title)
				}
			}
		}
	}
	end("")
	return complaints
}
