package cells

import (
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/types"
	"os"
	"regexp"
	"strings"
)

// pythonLines contains, for a line that is not Go, what a user who knows Python may mean by it.
var pythonLines = []struct {
	line *regexp.Regexp
	hint string
}{
	{regexp.MustCompile("^[^\"'`]*#"), "A comment begins with //."},
	{regexp.MustCompile(`^\s*(import|from)\s+\w`), "Packages are there without a line import: nb.Open(\"file.csv\") " +
		"reads a table, math.Sqrt(2) is a root. The path of another package has quotes: import \"path\"."},
	{regexp.MustCompile(`^\s*for\b.*(\bin\b|:)`), "A loop is for i, x := range xs { … }."},
	{regexp.MustCompile(`^\s*while\b`), "A loop with a condition is for x > 0 { … }."},
	{regexp.MustCompile(`^\s*(if|elif|else)\b.*:`), "A condition is if x > 0 { … } else { … }."},
	{regexp.MustCompile(`^\s*def\b`), "A function is func double(x float64) float64 { return 2 * x }."},
	{regexp.MustCompile(`\blambda\b`), "A function is func(x float64) float64 { return 2 * x }."},
	{regexp.MustCompile(`^\s*class\b`), "A type is type Point struct { X, Y float64 }."},
	{regexp.MustCompile(`^\s*(try|except|finally|with|raise)\b`), "An error of a call ends the cell; " +
		"v, err := f() keeps it."},
	{regexp.MustCompile(`^\s*print\s`), "nb.Show(x) shows a value."},
	{regexp.MustCompile(`^\s*del\b`), "%rm x removes a variable."},
	{regexp.MustCompile(`^\s*assert\b`), "A test is if x != 1 { panic(\"x is not 1\") }."},
	{regexp.MustCompile(`^\s*type\(`), "?x shows the type of a variable x."},
	{regexp.MustCompile(`\brange\(`), "A loop over numbers is for i := range 10 { … }."},
	{regexp.MustCompile(`\b[fF]["']`), "fmt.Sprintf(\"%v points\", n) puts values into a text."},
	{regexp.MustCompile(`'`), "A text has double quotes."},
	{regexp.MustCompile(`[=(,]\s*\[`), "A list is []float64{1, 2, 3}."},
	{regexp.MustCompile(`[=(,]\s*\{`), "A dictionary is map[string]float64{\"a\": 1}."},
	{regexp.MustCompile(`\b(and|or|not|is)\b`), "The words and, or, not, is are &&, ||, !, ==."},
	{regexp.MustCompile(`\(.*\w\s*=[^=]`), "Arguments have no names: ?f shows those of a function f."},
	{regexp.MustCompile(`\?\s*$`), "?x shows the documentation of x, alone in its cell."},
	{regexp.MustCompile(`:\s*$`), "A block is in braces: { … }."},
}

// Hint returns what to do about the errors of a cell that cannot be parsed.
func Hint(err error) string {
	var list scanner.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return ""
	}
	if list[0].Msg == "expected 1 expression" {
		return "\nnb.Show(a, b) shows several values.\n"
	}
	content, _ := os.ReadFile(list[0].Pos.Filename)
	lines := strings.Split(string(content), "\n")
	if n := list[0].Pos.Line; n <= len(lines) {
		for _, p := range pythonLines {
			if p.line.MatchString(lines[n-1]) {
				return "\n" + p.hint + "\n"
			}
		}
	}
	return ""
}

// pythonNames contains what Go has for names that Python has without a declaration, or by habit.
var pythonNames = map[string]string{
	"True": "true", "False": "false", "None": "nil", "help": "?x", "dir": "?x", "str": "fmt.Sprint(x)",
	"list": "[]float64{1, 2}", "dict": "map[string]float64{}", "sum": "floats.Sum(x)", "abs": "math.Abs(x)",
	"round": "math.Round(x)", "sorted": "slices.Sorted(slices.Values(x))", "enumerate": "for i, x := range xs { … }",
	"zip": "for i := range xs { … }", "pass": "{ }", "pd": "nb.Open(\"file.csv\")", "np": "package math or floats",
	"plt": "nb.Show(x)", "df": "d := nb.Open(\"file.csv\")",
}

// pythonMembers contains what Go has for members of Python's values; %s is the value.
var pythonMembers = map[string]string{
	"head": "nb.Show(%s)", "tail": "nb.Show(%s)", "describe": "nb.Show(%s)", "info": "nb.Show(%s)",
	"shape": "%s.Len() and %s.Dim()", "columns": "%s.Features()", "append": "%s = append(%s, value)",
	"predict": "%s.Model.PredictFile(\"new.csv\")", "fit": "nb.Learn(d)", "score": "nb.Score(%s.Model, d)",
}

// pythonHint returns what to do about an error of the compiler at a use of a name or a value as in Python.
func (r *rewriter) pythonHint(e types.Error, n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		if hint := pythonNames[n.Name]; hint != "" && n.Pos() == e.Pos && strings.HasPrefix(e.Msg, "undefined: ") {
			return " (in Go: " + hint + ")"
		}
	case *ast.SelectorExpr:
		if hint := pythonMembers[n.Sel.Name]; hint != "" && n.Sel.Pos() == e.Pos &&
			strings.Contains(e.Msg, "undefined") {
			return " (in Go: " + strings.ReplaceAll(hint, "%s", types.ExprString(n.X)) + ")"
		}
	case *ast.IndexExpr:
		if n.X.Pos() == e.Pos && strings.Contains(e.Msg, "cannot index") {
			return r.memberHint(n.X, "")
		} else if n.Index.Pos() == e.Pos && strings.Contains(e.Msg, "negative") {
			x := types.ExprString(n.X)
			return fmt.Sprintf(" (the last one is %s[len(%s)-1])", x, x)
		}
	case *ast.StarExpr:
		if n.X.Pos() == e.Pos && strings.Contains(e.Msg, "cannot indirect") {
			return " (a power is math.Pow(x, 2))"
		}
	case *ast.LabeledStmt:
		if n.Pos() == e.Pos && (n.Label.Name == "try" || n.Label.Name == "except") {
			return " (a block is in braces: { … })"
		}
	case *ast.AssignStmt:
		if n.TokPos == e.Pos && strings.HasPrefix(e.Msg, "no new variables") {
			return " (write = to change the variable)"
		}
	}
	return ""
}
