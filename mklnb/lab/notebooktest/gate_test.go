package notebooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
	"github.com/mklnb/mkl/mklnb/setup/cells"
)

// TestCompile composes the program of every cell of every notebook and of the README as the kernel does, and tests that
// it compiles and passes go vet, and that the notebook names the kernel of this checkout. The programs can import the
// standard library, the checkout and the modules that it requires.
func TestCompile(t *testing.T) {
	setKernelEnv(t)
	list := all(t)
	for _, n := range list {
		if k := n.Metadata.Kernel; k.Name != setup.KernelName || k.DisplayName != "Go (mkl)" {
			t.Errorf("%s: kernelspec is %q (%q), expected %q (Go (mkl))", n.Path, k.Name, k.DisplayName,
				setup.KernelName)
		}
	}
	readme, programs := readReadme()
	for _, n := range append(list, readme) {
		composed, err := compose(t, n)
		if err != nil {
			t.Error(err)
		}
		programs = append(programs, composed...)
	}
	if err := vet(t, programs); err != nil {
		t.Error(err)
	}
	t.Logf("%d programs", len(programs))
}

// readReadme returns the README's cells as a notebook, and its programs.
func readReadme() (n *notebook, programs []program) {
	n = &notebook{Path: filepath.Join(shipped, "..", "README.md")}
	content := string(must(os.ReadFile(n.Path)))
	for i, block := range strings.Split(content, "```go\n")[1:] {
		source, _, _ := strings.Cut(block, "```")
		if strings.HasPrefix(source, "package main") {
			programs = append(programs, program{Name: "readme", Source: source})
		} else {
			n.Cells = append(n.Cells, cell{Number: i + 1, Source: text(source)})
		}
	}
	return n, programs
}

// program is the program that the kernel composes for one cell.
type program struct {
	Name   string // 00_start_here/cell_03
	Source string
	Glue   string // a second file, "" if there is none
}

// declaration is a top-level declaration or an import, which the kernel stores.
type declaration struct {
	names    []string // a later declaration of one of them replaces it; the name of an import begins with "import "
	text     string
	cell     int // the number of its cell
	isImport bool
}

// without returns the declarations that declare none of the names. The name _ is that of no declaration.
func without(list []declaration, names []string) []declaration {
	return slices.DeleteFunc(list, func(d declaration) bool {
		return slices.ContainsFunc(d.names, func(name string) bool {
			return name != "_" && slices.Contains(names, name)
		})
	})
}

// compose returns the program of every code cell: the declarations until this cell, of which the last one of each name
// counts, and a function main with the statements of the cell, whose variables last. It omits command lines (%, !). The
// error names the cells that do not compile; the cells after them are composed without them, as in the kernel.
func compose(t *testing.T, n *notebook) (programs []program, err error) {
	session := newSession(t)
	var stored []declaration
	var errs []error
	for _, c := range n.code() {
		label := fmt.Sprintf("%s:cell%d", filepath.Base(n.Path), c.Number)
		top, main := split(c)
		own, err := declarations(label, top, c.Number)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, d := range own {
			stored = append(without(stored, d.names), d)
		}
		prepared, adopted, err := prepare(session, c.Number, stored, main)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", label, err))
			continue
		}
		stored = without(stored, adopted)
		name := fmt.Sprintf("%s/cell_%02d", n.name(), c.Number)
		programs = append(programs, program{name, prepared.Main, prepared.Glue})
	}
	return programs, errors.Join(errs...)
}

// newSession returns a session of cells that can import what the checkout can.
func newSession(t *testing.T) *cells.Session {
	t.Helper()
	return must(cells.NewSession(newModule(t), map[string]string{"nb": "github.com/mklnb/mkl/mklnb"}))
}

// storedVariable matches a variable that the second file of a program stores or reads.
var storedVariable = regexp.MustCompile(`kept__\.Var\([^,]*, &([\pL\pN_]+)\)`)

// prepare returns the program of a cell with these declarations and these statements in main. The session then knows
// the variables of the cell, although the program does not run. adopted names those that declarations make.
func prepare(session *cells.Session, number int, stored []declaration, main string) (prepared *cells.Program,
	adopted []string, err error) {
	source := cells.Source{Cell: number, IsBody: true}
	add := func(text string, cell int) {
		source.Text += text + "\n"
		source.Cells = append(source.Cells, slices.Repeat([]int{cell}, strings.Count(text, "\n")+1)...)
	}
	addStored := func(imports bool) {
		for _, d := range stored {
			if d.isImport == imports {
				add(d.text, d.cell)
			}
		}
	}
	add("package main\n\nimport (", -1)
	addStored(true)
	add(")", -1)
	addStored(false)
	add("func main() {\n"+main+"\n}", number)
	if prepared, err = session.Prepare(source); err != nil {
		return nil, nil, err
	}
	files := map[string]string{}
	for _, m := range storedVariable.FindAllStringSubmatch(prepared.Glue, -1) {
		files[m[1]] = m[1]
	}
	end := map[string]any{"Files": files, "Reasons": map[string]string{}, "Made": slices.Collect(maps.Keys(files))}
	try(os.WriteFile(filepath.Join(session.Folder(), "end.json"), must(json.Marshal(end)), 0o600))
	session.Built(prepared)
	adopted, _ = session.Finish(prepared)
	return prepared, adopted, nil
}

// lines returns the lines of a cell.
func (c cell) lines() []string { return strings.Split(string(c.Source), "\n") }

// isCommand reports whether a line of a cell is a command of the kernel.
func (c cell) isCommand(line int) bool {
	if !cells.IsCommand(c.lines()[line]) {
		return false
	}
	_, isText := cells.TextLines(c.lines())[line]
	return !isText
}

// split divides a cell into declarations and statements of main, as the kernel does, without command lines.
func split(c cell) (top, main string) {
	program := cells.Split(c.lines(), c.isCommand)
	if program == nil { // without statements
		lines := c.lines()
		for i := range lines {
			if c.isCommand(i) {
				lines[i] = ""
			}
		}
		return packageLine.ReplaceAllString(strings.Join(lines, "\n"), ""), ""
	}
	inMain := false
	for _, line := range program[:len(program)-1] {
		switch {
		case line.From < 0:
			inMain = true
		case inMain:
			main += line.Text + "\n"
		default:
			top += line.Text + "\n"
		}
	}
	return top, main
}

// syntax returns the syntax tree of declarations. It is empty if they do not parse, which TestCompile reports.
func syntax(declarations string) *ast.File {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package main;"+declarations, parser.SkipObjectResolution)
	if err != nil {
		return &ast.File{Name: ast.NewIdent("main")}
	}
	return file
}

var (
	packageLine = regexp.MustCompile(`(?m)^package main\b`)
	goLine      = regexp.MustCompile(`(?m)^go \S+$`)
)

// declarations parses the declarations of the cell with this number.
func declarations(label, top string, number int) (list []declaration, err error) {
	source := "package main;" + top // on the first line, so that lines keep their numbers
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, label, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, s := range file.Imports {
		text := source[set.Position(s.Pos()).Offset:set.Position(s.End()).Offset]
		name := path.Base(strings.Trim(s.Path.Value, "\"`"))
		if s.Name != nil {
			name = s.Name.Name
		}
		list = append(list, declaration{[]string{"import " + name}, text, number, true})
	}
	for _, d := range file.Decls {
		names := declaredBy(d)
		if names != nil {
			text := source[set.Position(d.Pos()).Offset:set.Position(d.End()).Offset]
			list = append(list, declaration{names, text, number, false})
		}
	}
	return list, nil
}

// declaredBy returns the names that a declaration declares: "T.M" for a method, none for an import.
func declaredBy(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil && len(d.Recv.List) == 1 {
			name = strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + name
		}
		return []string{name}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, id := range s.Names {
					names = append(names, id.Name)
				}
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			}
		}
	}
	return names
}

// newModule returns a new folder whose programs can import the standard library, the checkout and the modules that it
// requires, as in the kernel.
func newModule(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	checkout := must(setup.FindCheckout())
	language := goLine.FindString(string(must(os.ReadFile(filepath.Join(checkout, "go.mod")))))
	testenv.WriteFiles(t, folder, map[string]string{"go.mod": "module cells\n\n" + language + "\n",
		"go.work": language + "\n\nuse (\n\t.\n\t" + strconv.Quote(checkout) + "\n)\n"})
	return folder
}

// vet runs go vet on all programs, which also compiles them. The caller has called setKernelEnv.
func vet(t *testing.T, programs []program) error {
	t.Helper()
	files := map[string]string{}
	for _, p := range programs {
		files[p.Name+"/main.go"] = p.Source
		if p.Glue != "" {
			files[p.Name+"/kept.go"] = p.Glue
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "vet", "./...")
	cmd.Dir = newModule(t)
	testenv.WriteFiles(t, cmd.Dir, files)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("go vet: %w\n%s", err, out)
	}
	return nil
}

// setKernelEnv sets the variables of the kernel spec by which the go command finds the programs' workspace, and those
// that belong to the keys of the build cache, so that it compiles no package twice, in an image either.
func setKernelEnv(t *testing.T) {
	t.Helper()
	content := must(os.ReadFile(filepath.Join(shipped, "jupyter", "kernels", setup.KernelName, "kernel.json")))
	var spec struct{ Env map[string]string }
	try(json.Unmarshal(content, &spec))
	for _, name := range []string{"CGO_ENABLED", "GOFLAGS", "GOWORK"} {
		t.Setenv(name, spec.Env[name])
	}
}
