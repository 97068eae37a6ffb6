package names

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// example returns a module with two packages.
func example(t *testing.T) Modules {
	t.Helper()
	dir := t.TempDir()
	testenv.WriteFiles(t, dir, map[string]string{
		"go.mod": "module example.com/m\n",
		"top.go": "package top\n\nimport \"example.com/m/sub\"\n\nfunc Learn() *sub.Learned { return nil }\n\n" +
			"var hidden = 1\n",
		"top_test.go": "package top\n\nfunc TestOnly() {}\n",
		"sub/learned.go": "package sub\n\nimport \"bytes\"\n\ntype Base struct{ Seed, size int }\n\n" +
			"type Other = Base\n",
		"sub/more.go": "package sub\n\nimport b \"bytes\"\n\n" +
			"type Learned struct {\n\tLabel string\n\tBase\n\t*b.Buffer\n}\n\n" +
			"func (l *Learned) Model() int { return 0 }\n\nfunc (l *List[E]) Unrelated() {}\n\n" +
			"type List[E any] []E\n\nconst Limit = 3\n",
	})
	return Modules{"example.com/m": dir}
}

// TestExported tests the names of a package and of its types, with embedded types, generic types and aliases.
func TestExported(t *testing.T) {
	m := example(t)
	for _, c := range []struct{ path, typeName, want string }{
		{"example.com/m", "", "Learn"},
		{"example.com/m/sub", "", "Base Learned Limit List Other"},
		{"example.com/m/sub", "Base", "Seed"},
		{"example.com/m/sub", "Other", "Base Seed"},
		{"example.com/m/sub", "List", "Unrelated"},
		{"example.com/m/nowhere", "", ""},
	} {
		if got := strings.Join(m.Exported(c.path, c.typeName), " "); got != c.want {
			t.Errorf("%s %s: %s, expected %s", c.path, c.typeName, got, c.want)
		}
	}
	got := m.Exported("example.com/m/sub", "Learned")
	for _, name := range []string{"Base", "Buffer", "Label", "Model", "Seed", "WriteString"} {
		if !slices.Contains(got, name) {
			t.Errorf("Learned has no %s, only %v", name, got)
		}
	}
	if slices.Contains(got, "Unrelated") || filepath.Base(m.Folder("strings")) != "strings" {
		t.Errorf("Learned has %v; strings is in %q", got, m.Folder("strings"))
	}
}

// TestNearest tests that a name with at most two mistakes is found, and no other one.
func TestNearest(t *testing.T) {
	list := []string{"Learn", "LearningCurve", "Load", "Show", "At"}
	for wrong, want := range map[string]string{"Learm": "Learn", "Lern": "Learn", "Laern": "Learn", "Shwo": "Show",
		"learn": "Learn", "LerningCurv": "LearningCurve", "Nothing": "", "X": "", "Io": ""} {
		if got := Nearest(wrong, list); got != want {
			t.Errorf("the name nearest to %s is %q, expected %q", wrong, got, want)
		}
	}
}

// TestCorrections tests the lines for the messages of the compiler.
func TestCorrections(t *testing.T) {
	m := example(t)
	const source = "package main\n\nimport (\n\tnb \"example.com/m\"\n\t\"strings\"\n)\n\nfunc main() {"
	for _, c := range []struct{ message, want string }{
		{"undefined: nb.Lern", "Did you mean nb.Learn?"},
		{"undefined: nb.Nothing", "Package nb has no Nothing: the cell ?nb lists its names."},
		{"undefined: strings.Cutt", "Did you mean strings.Cut?"},
		{"undefined: nothing", ""},
		{"l.Modle undefined (type *sub.Learned has no field or method Modle)", "Did you mean Model?"},
		{"nb.Learn().Lable undefined (type *sub.Learned has no field or method Lable)", "Did you mean Label?"},
		{"x.Modle undefined (type *\"example.com/m/sub\".Learned has no field or method Modle)", "Did you mean Model?"},
		{"unknown field Sede in struct literal of type sub.Base", "Did you mean Seed?"},
		{"unknown field Nothing in struct literal of type sub.Base", "sub.Base has Seed."},
		{"s.Unrelatd undefined (type sub.List[int] has no field or method Unrelatd)", "Did you mean Unrelated?"},
		{"l.model undefined (type *sub.Learned has no field or method model, but does have method Model)", ""},
		{"y.Modle undefined (type T has no field or method Modle)", ""},
	} {
		messages := "./main.go:7:2: " + c.message + "\n./main.go:8:2: " + c.message + "\n"
		if got := strings.TrimSpace(m.Corrections(messages, source)); got != c.want {
			t.Errorf("%s: %q, expected %q", c.message, got, c.want)
		}
	}
}

// TestDocumentation tests the commands for cells that ask for documentation.
func TestDocumentation(t *testing.T) {
	m := example(t)
	imports := map[string]string{"nb": "example.com/m", "other": "example.com/other"}
	for cell, want := range map[string]string{
		"?Learn": "go doc Learn", "nb.Learn?": "go doc Learn", " ??nb.Learn\n": "go doc Learn", "?nb": "go doc ",
		"strings.Cut?": "go doc Cut", "?sub.Learned.Model": "go doc Learned.Model",
		"?other.F": "go doc example.com/other.F", "nb.Learn()": "", "?": "", "?nb.Lern": "nb.Learn?",
		"Lern?": "nb.Learn?", "?nb.Nothing": "?nb ", "?l": "no package", "?strings.cut": "strings.Cut?",
	} {
		got, err := m.Documentation(cell, imports)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || (want == "") != (got == "") ||
			(err == nil) != strings.HasPrefix(got+"!", "!") {
			t.Errorf("the cell %s runs %q, %v, expected %q", cell, got, err, want)
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

// TestComplete tests the names that complete the end of a cell.
func TestComplete(t *testing.T) {
	m := example(t)
	imports := map[string]string{"nb": "example.com/m"}
	for before, want := range map[string]string{
		"nb.": "Learn", "x := nb.Le": "Learn", "f(nb.le": "Learn", "nb.X": "", "nb": "", "x.nb.Le": "", "l.Le": "",
		"sub.L": "Learned Limit List", "import s \"example.com/m/sub\"\n%%\ns.Lea": "Learned",
		"import (\n\t\"example.com/m/sub\"\n)\n%%\nsub.Lea": "Learned", "strings.CutP": "CutPrefix", "": "",
	} {
		matches, length := m.Complete(before, imports)
		start := before[len(before)-length:]
		if got := strings.Join(matches, " "); got != want || got != "" && !strings.HasSuffix(before, "."+start) {
			t.Errorf("%q: %s (%d), expected %s", before, got, length, want)
		}
	}
}

// TestDescribe tests the documentation of the name at the cursor, and of the function of a call.
func TestDescribe(t *testing.T) {
	m := example(t)
	imports := map[string]string{"nb": "example.com/m"}
	for line, want := range map[string]string{
		"x := nb.Le|arn()": "func Learn() ", "nb.Learn(|": "func Learn() ", "nb.Learn(1, |)": "func Learn() ",
		"l|":           "",
		"strings|.Cut": "package strings", "x := |": "", "|": "", "nb.Lern|": "",
	} {
		column := strings.Index(line, "|")
		got := m.Describe(line[:column]+line[column+1:], column, imports)
		if !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, expected %q", line, got, want)
		}
	}
}
