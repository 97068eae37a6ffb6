package cells

import (
	"slices"
	"strings"
	"testing"
)

// TestNearest tests that a name with at most two mistakes is found, and no other one.
func TestNearest(t *testing.T) {
	list := []string{"Learn", "LearningCurve", "Load", "Show", "At"}
	for wrong, want := range map[string]string{"Learm": "Learn", "Lern": "Learn", "Laern": "Learn", "Shwo": "Show",
		"learn": "Learn", "LerningCurv": "LearningCurve", "Nothing": "", "X": "", "Io": "",
		"Split": "", "Snow": "Show", "Sew": ""} {
		if got := nearest(wrong, list); got != want {
			t.Errorf("the name nearest to %s is %q, expected %q", wrong, got, want)
		}
	}
}

// TestIsComplete tests cells that can run and cells that need another line.
func TestIsComplete(t *testing.T) {
	for cell, want := range map[string]bool{
		"": true, "x := 1": true, "func f() {": false, "func f() {\n}": true, "f(1,": false, "s := `a": false,
		"s := `a {\nb`": true, "/* a": false, "// (": true, "s := \"(\"": true, "}": true, "!ls (": true,
		"!ls \\": false, "%%\nf(": false, "x := '('": true,
	} {
		if got := IsComplete(cell); got != want {
			t.Errorf("%q: %v, expected %v", cell, got, want)
		}
	}
}

// TestMark tests that the sign is below its column, with tabs and letters of several bytes before it.
func TestMark(t *testing.T) {
	for _, c := range []struct {
		line   string
		column int
		want   string
	}{{"\tθ := x", 8, "\n    θ := x\n         ^"}, {"x\ty", 3, "\n    x y\n      ^"}, {"x", 9, "\n    x\n     ^"},
		{"\t\tx", -1, "\n    x\n    ^"}} {
		if got := Mark(c.line, c.column); got != c.want {
			t.Errorf("%q, %d: %q, expected %q", c.line, c.column, got, c.want)
		}
	}
}

// TestNames tests completion, documentation and corrections of names of packages, of variables and of their members.
func TestNames(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: packages are compiled")
	}
	n := newNotebook(t)
	n.vars["b"] = &variable{Type: `*"bytes".Buffer`, File: "x"}
	n.vars["number"] = &variable{Type: "int", File: "x"}
	n.vars["gone"] = &variable{Type: "func()", Reason: "it is a function"}
	imports := map[string]string{"str": "strings"}
	for before, want := range map[string]string{"strings.CutP": "CutPrefix", "f(strings.cutp": "CutPrefix",
		"str.CutP": "CutPrefix", "import s \"strings\"\n%%\ns.CutP": "CutPrefix", "b.Trunc": "Truncate",
		"numb": "number", "x := numb": "number", "datas": "datasets", "f(strco": "strconv", "nb": "nb",
		"x.b.Trunc": "", "": "",
		"gon": "gonum", "strings.Xyz": "", "nothing.A": "", "rand.NewPC": "NewPCG"} {
		if got, length := n.Complete(before, imports); strings.Join(got, " ") != want ||
			want != "" && !strings.EqualFold(want[:length], before[len(before)-length:]) {
			t.Errorf("%q is completed by %v, expected %q", before, got, want)
		}
	}
	for cell, want := range map[string]string{"strings.Cut?": "go doc Cut", " ??str.Cut\n": "go doc Cut",
		"?str": "go doc ",
		"?b":   "go doc Buffer", "b.Len?": "go doc Buffer.Len", "?number": "of type int", "?gone": "it is a function",
		"strings.Cut()": "", "?": "", "?strings.Cutt": "strings.Cut?", "?strings.Nothing": "?strings ",
		"?nothing.Learn": "no package"} {
		got, err := n.Documentation(cell, imports)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || (want == "") != (got == "") ||
			(err == nil) != strings.HasPrefix(got+"!", "!") {
			t.Errorf("the cell %s runs %q, %v, expected %q", cell, got, err, want)
		}
	}
	for line, want := range map[string]string{"x := strings.Cu|t()": "func Cut(", "strings.Cut(1, |)": "func Cut(",
		"|":      "",
		"x := |": "", "b.Le|n()": "func (b *Buffer) Len", "strings.Cutt|": ""} {
		before, after, _ := strings.Cut(line, "|")
		got := n.Describe(before+after, len(before), imports)
		if !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, expected %q", line, got, want)
		}
	}
}

// TestTextLines tests which lines are text although they look like commands.
func TestTextLines(t *testing.T) {
	for cell, want := range map[string][]int{"s := `\n%%\n!ls`\n%%": {1, 2}, "/*\n! */ x := `a`\n!ls": {1},
		"!echo `\n%%": nil, "!echo \\\n/* \n%%": nil, "x := '`'\n%%": nil, "// `\n%%": nil, "%env A \"`\n`\n!x`": {2}} {
		var got []int
		for i := range TextLines(strings.Split(cell, "\n")) {
			got = append(got, i)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("of %q the lines %v are text, expected %v", cell, got, want)
		}
	}
}
