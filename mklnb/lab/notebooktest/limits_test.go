package notebooks

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mklnb/mkl/mklnb/setup/cells"
)

// Limits of a notebook. Lines are those of code that are not blank and not folded. Words are those of a Markdown cell
// outside tables; a formula or a name in backquotes is one word, and text that a reader must unfold is not counted.
const (
	maxCellLines    = 12
	maxListingLines = 25 // of a cell tagged listing, which contains an algorithm
	maxLines        = 250
	maxLinesOfFirst = 60 // of 00_start_here
	maxWords        = 120
	maxSummaryWords = 250
)

// TestLimits tests that a reader meets ideas before code: cells are short, checks and drawing are folded below a title,
// and the kernel's help is used.
func TestLimits(t *testing.T) {
	reportFaults(t, (*notebook).limitFaults)
}

// limitFaults returns what the tests of this file find in a notebook.
func (n *notebook) limitFaults() []string {
	return slices.Concat(n.tooLong(), n.unneeded(), n.unknownNames(), n.repeatedIDs())
}

// repeatedIDs returns the cells with the id of a cell before, which the notebook format forbids.
func (n *notebook) repeatedIDs() (faults []string) {
	first := map[string]int{}
	for i, c := range n.Cells {
		if k, isRepeated := first[c.ID]; isRepeated {
			faults = append(faults, fmt.Sprintf("cell %d has the id of cell %d, %q", i, k, c.ID))
		} else {
			first[c.ID] = i
		}
	}
	return faults
}

// tooLong returns the cells that are longer than the limits, and cells that are folded without a title.
func (n *notebook) tooLong() (faults []string) {
	sum := 0
	for i, c := range n.Cells {
		source := string(c.Source)
		if c.Type == "markdown" {
			limit := maxWords
			if strings.HasPrefix(source, "## Summary") {
				limit = maxSummaryWords
			}
			if words := countWords(source); words > limit {
				faults = append(faults, fmt.Sprintf("cell %d has %d words, more than %d", i, words, limit))
			}
			continue
		}
		if c.isFolded() {
			if !strings.HasPrefix(source, "// ") {
				faults = append(faults, fmt.Sprintf("cell %d is folded; begin it with a comment, its title", i))
			}
			continue
		}
		limit := maxCellLines
		if slices.Contains(c.Metadata.Tags, "listing") {
			limit = maxListingLines
		}
		lines := len(codeLine.FindAllString(source, -1))
		if lines > limit {
			faults = append(faults, fmt.Sprintf("cell %d has %d lines of code, more than %d", i, lines, limit))
		}
		sum += lines
	}
	limit := maxLines
	if strings.HasPrefix(n.name(), "00_") {
		limit = maxLinesOfFirst
	}
	if sum > limit {
		faults = append(faults, fmt.Sprintf("%d lines of code are visible, more than %d", sum, limit))
	}
	return faults
}

var (
	codeLine = regexp.MustCompile(`(?m)^.*\S.*$`)
	tableRow = regexp.MustCompile(`(?m)^\|.*$`)
	unfolded = regexp.MustCompile(`(?s)<details>.*?</details>`)
	oneWord  = regexp.MustCompile("(?s)\\$\\$.*?\\$\\$|\\$[^$]*\\$|`[^`]*`")
	wordPart = regexp.MustCompile(`\pL`)
)

func countWords(markdown string) (count int) {
	text := tableRow.ReplaceAllString(unfolded.ReplaceAllString(markdown, ""), "")
	for word := range strings.FieldsSeq(oneWord.ReplaceAllString(text, "x")) {
		if wordPart.MatchString(word) {
			count++
		}
	}
	return count
}

// unneeded returns what the kernel adds by itself: %%, nb.Must of statements, and cells of imports.
func (n *notebook) unneeded() (faults []string) {
	for i, c := range n.Cells {
		if c.Number == 0 {
			continue
		}
		say := func(text string) { faults = append(faults, fmt.Sprintf("cell %d: %s", i, text)) }
		if slices.ContainsFunc(c.lines(), cells.StartsMain) {
			say("it has a line %%; leave it out")
			continue
		}
		top, main := split(c)
		if strings.TrimSpace(main) == "" && !strings.Contains(top, "func ") && importLine.MatchString(top) {
			say("it only imports; the kernel adds imports")
		}
		ast.Inspect(syntax("func main() {\n"+main+"\n}"), func(node ast.Node) bool {
			if s, ok := node.(*ast.SelectorExpr); ok && types.ExprString(s) == "nb.Must" {
				say("nb.Must is outside a function; write v := f() alone")
			}
			_, isFunction := node.(*ast.FuncLit)
			return !isFunction
		})
	}
	return faults
}

var importLine = regexp.MustCompile(`(?m)^import\b`)

// noCode contains the words in backquotes of the notebooks that are no code.
var noCode = []string{"Shift", "Enter", "MKL_SIZE", "default"}

var (
	quoted     = regexp.MustCompile("`([^`\n]+)`")
	identifier = regexp.MustCompile(`(?:(\pL[\pL\pN_]*)\.)?(\pL[\pL\pN_]*)`)
)

// unknownNames returns the words in backquotes that neither the library, nor a cell, an output or a file contains. A
// name after that of a package must be declared in that package.
func (n *notebook) unknownNames() (faults []string) {
	onPage := map[string]bool{}
	for _, c := range n.code() {
		texts := []string{commentText.ReplaceAllString(string(c.Source), "")}
		for _, o := range c.Outputs {
			for _, text := range o.texts() {
				texts = append(texts, text)
			}
		}
		for _, word := range words.FindAllString(strings.Join(texts, "\n"), -1) {
			onPage[word] = true
		}
	}
	names := declaredNames()
	for i, c := range n.Cells {
		if c.Type != "markdown" {
			continue
		}
		for _, q := range quoted.FindAllStringSubmatch(string(c.Source), -1) {
			for _, m := range identifier.FindAllStringSubmatch(q[1], -1) {
				of := names[m[1]]
				if m[1] == "nb" {
					of = names["mklnb"]
				}
				if of == nil {
					of = names[""]
				}
				if !of[m[2]] && !onPage[m[2]] && !slices.Contains(noCode, m[2]) {
					faults = append(faults, fmt.Sprintf("cell %d: `%s`: no code contains %s", i, q[1], m[0]))
				}
			}
		}
	}
	return faults
}

var (
	commentText = regexp.MustCompile(`(?m)//.*$`)
	words       = regexp.MustCompile(`\pL[\pL\pN_]*`)
)

// declaredNames returns the names that the packages of the checkout declare, by package, and in "" all of them and the
// parts of the names of files.
var declaredNames = sync.OnceValue(func() map[string]map[string]bool {
	names := map[string]map[string]bool{"": {}}
	root := filepath.Join(shipped, "..")
	try(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), ".") && d.Name() != ".." {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		for _, word := range words.FindAllString(d.Name(), -1) {
			names[""][word] = true
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			addNames(names, must(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)))
		}
		return nil
	}))
	return names
})

// addNames adds the names that a file declares: of its package, types, functions, methods, fields, constants and
// variables.
func addNames(names map[string]map[string]bool, file *ast.File) {
	of := names[file.Name.Name]
	if of == nil {
		of = map[string]bool{}
		names[file.Name.Name] = of
	}
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			of[id.Name], names[""][id.Name] = true, true
		}
	}
	add(file.Name)
	ast.Inspect(file, func(node ast.Node) bool {
		switch d := node.(type) {
		case *ast.FuncDecl:
			add(d.Name)
		case *ast.TypeSpec:
			add(d.Name)
		case *ast.ValueSpec:
			add(d.Names...)
		case *ast.Field:
			add(d.Names...)
		}
		return true
	})
}

// TestLimitFaults tests that each fault of a notebook is found, and that a notebook without a fault has none.
func TestLimitFaults(t *testing.T) {
	markdown := func(source string) cell { return cell{Type: "markdown", Source: text(source)} }
	code := func(source string, tags ...string) cell {
		c := cell{Type: "code", Number: 1, Source: text(source)}
		c.Metadata.Tags = tags
		return c
	}
	folded := func(source string) cell {
		c := code(source)
		c.Metadata.Fold.Source = true
		return c
	}
	lines := func(count int) string { return strings.Repeat("x++\n", count) }
	for _, c := range []struct {
		name  string
		cells []cell
		want  string // "" for none
	}{
		{"all that is right", []cell{markdown("# Q\n\n`nb.Learn`, `Radius`, `mine`, `set.Ball`\n\n|" +
			strings.Repeat(" a", 200)), code(lines(12) + "\n\n"), code(lines(25), "listing"),
			code("mine := func() { nb.Must(f()) }"), folded("// Checks: all\n" + lines(100))}, ""},
		{"a long cell", []cell{code(lines(13))}, "13 lines"},
		{"a long listing", []cell{code(lines(26), "listing")}, "26 lines"},
		{"many lines", slices.Repeat([]cell{code(lines(12))}, 6), "72 lines"},
		{"many words", []cell{markdown(strings.Repeat("word ", 121))}, "121 words"},
		{"no title", []cell{folded("x++")}, "title"},
		{"a marked cell", []cell{code("%%\nx++")}, "%%"},
		{"nb.Must", []cell{code("x := 1\ny := f(nb.Must(g(x)))")}, "nb.Must"},
		{"imports", []cell{code("import \"fmt\"")}, "imports"},
		{"a name that does not exist", []cell{markdown("`Forse`")}, "Forse"},
		{"a name of another package", []cell{markdown("`set.RBF`")}, "set.RBF"},
		{"a repeated id", []cell{markdown("a"), markdown("b")}, "has the id of cell 0"},
		{"a name in a comment only", []cell{markdown("`Forse`"), code("x++ // Forse")}, "Forse"},
	} {
		for i := range c.cells {
			if c.name != "a repeated id" {
				c.cells[i].ID = fmt.Sprint(i)
			}
		}
		n := &notebook{Path: "00_n.ipynb", Cells: c.cells}
		faults := strings.Join(n.limitFaults(), "\n")
		if c.want == "" && faults != "" || !strings.Contains(faults, c.want) || strings.Contains(faults, "\n") {
			t.Errorf("%s: the faults are %q, expected one with %q", c.name, faults, c.want)
		}
	}
}
