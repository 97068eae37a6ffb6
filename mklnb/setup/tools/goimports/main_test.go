package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/imports"
)

// importsOf are the import lines of src, sorted.
func importsOf(t *testing.T, src []byte) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "main.go", src, parser.ImportsOnly)
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	var lines []string
	for _, s := range f.Imports {
		line := s.Path.Value
		if s.Name != nil {
			line = s.Name.Name + " " + line
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// cells are programs as GoNB composes them; quick says whether they are mended by reading alone.
var cells = []struct {
	name  string
	quick bool
	src   string
}{
	{"flag is missing", true, "package main\n\nimport (\n\t\"fmt\"\n)\n\nfunc main() {\n\tflag.Parse()\n\tfmt.Println(1)\n}\n"},
	{"nothing is missing", true, "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n"},
	{"unused in a group", true, "package main\n\nimport (\n\t\"fmt\" // printing\n\t\"math\"\n\t\"os\"\n)\n\nfunc main() {\n\tflag.Parse()\n\tfmt.Println(1)\n}\n"},
	{"unused alone", true, "package main\n\nimport \"math\"\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n"},
	{"all unused", true, "package main\n\nimport (\n\t\"fmt\"\n\t\"math\"\n)\n\nfunc main() { flag.Parse() }\n"},
	{"no imports", true, "package main\n\nfunc main() { flag.Parse() }\n"},
	{"another name", true, "package main\n\nimport f \"fmt\"\nimport m \"math\"\n\nfunc main() { f.Println(1) }\n"},
	{"for its effects", true, "package main\n\nimport _ \"image/png\"\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n"},
	{"a variable of a package's name", true, "package main\n\nimport \"math\"\n\ntype t struct{ Pi int }\n\nfunc main() { math := t{}; println(math.Pi) }\n"},
	{"a function later in the file", true, "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(x.y) }\n\nvar x struct{ y int }\n"},
	{"two use one", true, "package main\n\nimport \"fmt\"\n\nfunc a() { fmt.Println(1) }\n\nfunc main() { a(); fmt.Println(2) }\n"},
	{"another package is missing", false, "package main\n\nfunc main() { flag.Parse(); fmt.Println(strings.ToUpper(\"a\")) }\n"},
	{"the path ends in a version", false, "package main\n\nimport \"math/rand/v2\"\n\nfunc main() { println(rand.IntN(3)) }\n"},
	{"a dot", false, "package main\n\nimport . \"fmt\"\n\nfunc main() { Println(1) }\n"},
	{"embed", false, "package main\n\nimport _ \"embed\"\n\n//go:embed main.go\nvar s string\n\nfunc main() { println(s) }\n"},
}

// TestCells holds the imports equal to those of the original, whoever mends the file.
func TestCells(t *testing.T) {
	for _, c := range cells {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(c.src), 0o600); err != nil {
				t.Fatal(err)
			}
			want, err := imports.Process(file, []byte(c.src), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := quick(file, []byte(c.src)); ok != c.quick {
				t.Errorf("mended by reading alone: %v, want %v", ok, c.quick)
			}
			if err := mend(file); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := importsOf(t, got), importsOf(t, want); !slices.Equal(a, b) {
				t.Errorf("imports %v, the original says %v\n%s", a, b, got)
			}
		})
	}
}

// TestBeside leaves a name that another file of the folder may declare to the original.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	main := filepath.Join(dir, "main.go")
	for name, src := range map[string]string{
		"main.go":  "package main\n\nfunc main() { flag.Parse() }\n",
		"other.go": "package main\n\nvar flag struct{ Parse func() }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := mend(main); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(main)
	if err != nil {
		t.Fatal(err)
	}
	if lines := importsOf(t, got); len(lines) > 0 {
		t.Errorf("imports %v although the other file declares flag", lines)
	}
}

// TestBroken reports a file that does not parse as the original does, and leaves it.
func TestBroken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "main.go")
	const src = "package main\n\nfunc main() { flag.Parse( }\n"
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	err := mend(file)
	if err == nil || !strings.Contains(err.Error(), "main.go:3:") {
		t.Errorf("error %v, want one that names line 3", err)
	}
	if got, _ := os.ReadFile(file); string(got) != src {
		t.Errorf("the file became\n%s", got)
	}
}
