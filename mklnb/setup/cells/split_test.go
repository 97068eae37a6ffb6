package cells

import (
	"strings"
	"testing"
)

// TestSplit tests which lines of a cell become declarations and which become statements, and that each keeps its line
// and column.
func TestSplit(t *testing.T) {
	for cell, want := range map[string]string{
		"x := 1":                                "main{ x := 1 }",
		"func f() {}\nx := 1":                   "func f() {} main{ x := 1 }",
		"x := 1; func f() {}":                   "func f() {} main{ x := 1; }",
		"x := 1\ntype T int // c\ny := T(x)":    "type T int // c main{ x := 1 y := T(x) }",
		"func() {}()":                           "main{ func() {}() }",
		"func(a int) T { return 1 }(3)":         "main{ func(a int) T { return 1 }(3) }",
		"func (t T) m() {}\nfor {}":             "func (t T) m() {} main{ for {} }",
		"func g[T any](x T) {}\ng(1)":           "func g[T any](x T) {} main{ g(1) }",
		"for i := 0; i < 3; i++ {\n}\nx++":      "main{ for i := 0; i < 3; i++ { } x++ }",
		"if v := f(); v > 0 {\n} else {\n}; g":  "main{ if v := f(); v > 0 { } else { }; g }",
		"L:\nfor {\nbreak L }":                  "main{ L: for { break L } }",
		"s := `\nfunc f() {}\n`":                "main{ s := ` func f() {} ` }",
		"/*\nfunc main() {}\n*/ x":              "main{ /* func main() {} */ x }",
		"var a = 1\na":                          "main{ var a = 1 a }",
		"package main\nimport \"fmt\"\nfmt.P()": "import \"fmt\" main{ fmt.P() }",
		"[]int{1}":                              "main{ []int{1} }",
		"x := []int{\n1,\n}\nconst c = 2":       "const c = 2 main{ x := []int{ 1, } }",
		"switch x := 1; x {\ncase 1: f()\n}":    "main{ switch x := 1; x { case 1: f() } }",
		"mainly()":                              "main{ mainly() }",
		// without statements
		"var a = 1\nfunc f() {}": "", "": "", "// only a comment": "", "func main() {}\nx := 1": "",
		"func main () { x }": "",
	} {
		lines := strings.Split(cell, "\n")
		var got []string
		program := Split(lines, func(int) bool { return false })
		for _, l := range program {
			got = append(got, l.Text)
			if l.From >= 0 && strings.TrimSpace(l.Text) != "" &&
				!strings.HasPrefix(strings.TrimLeft(lines[l.From][l.Column:], " "), strings.TrimLeft(l.Text, " ")) {
				t.Errorf("%q: the line %q is not line %d, column %d", cell, l.Text, l.From, l.Column)
			}
		}
		text := strings.Join(strings.Fields(strings.Join(got, "\n")), " ")
		if text = strings.Replace(text, "func main() {", "main{", 1); text != want {
			t.Errorf("%q becomes %q, expected %q", cell, text, want)
		}
	}
	if got := Split([]string{"%env A b", "x := 1"}, func(i int) bool { return i == 0 }); len(got) != 4 ||
		got[2].From != 1 {
		t.Errorf("with a command the program is %v", got)
	}
}
