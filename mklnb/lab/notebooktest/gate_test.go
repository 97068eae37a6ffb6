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

// TestCompile composes the program of every cell of every notebook as GoNB does, and tests that it compiles and passes
// go vet, and that the notebook names the kernel of this checkout. The programs can import the standard library, the
// checkout and the modules that it requires.
func TestCompile(t *testing.T) {
	checkout := must(setup.FindCheckout())
	setKernelEnv(t, checkout)
	var programs []program
	for _, n := range all(t) {
		if k := n.Metadata.Kernel; k.Name != setup.KernelName || k.DisplayName != "Go (mkl)" {
			t.Errorf("%s: kernelspec is %q (%q), expected %q (Go (mkl))", n.Path, k.Name, k.DisplayName,
				setup.KernelName)
		}
		list, err := compose(t, n)
		if err != nil {
			t.Errorf("%v", err)
		}
		programs = append(programs, list...)
	}
	if len(programs) == 0 {
		t.Fatal("the notebooks contain no program")
	}
	content := must(os.ReadFile(filepath.Join(checkout, "README.md")))
	session := newSession(t)
	blocks := strings.Split(string(content), "```go\n")[1:]
	for i, source := range blocks {
		source, _, _ = strings.Cut(source, "```")
		if strings.HasPrefix(source, "package main") {
			programs = append(programs, program{Name: "readme", Source: source})
		} else {
			compileCell(t, session, i+1, source)
		}
	}
	if err := vet(t, programs); err != nil {
		t.Error(err)
	}
	t.Logf("%d programs", len(programs))
}

// compileCell tests that a cell without %% compiles.
func compileCell(t *testing.T, session *cells.Session, number int, source string) {
	t.Helper()
	var program strings.Builder
	program.WriteString("package main\n\n")
	for _, line := range cells.Split(strings.Split(source, "\n"), func(int) bool { return false }) {
		program.WriteString(line.Text + "\n")
	}
	if _, err := session.Prepare(cells.Source{Text: program.String(), Cell: number, IsBody: true}); err != nil {
		t.Errorf("README.md, block %d: %v", number, err)
	}
}

// program is the program that GoNB composes for one cell.
type program struct {
	Name   string // 00_start_here/cell_03
	Source string
	Glue   string // a second file, "" if there is none
}

// declaration is a top-level declaration, which GoNB stores.
type declaration struct {
	names []string // a later declaration of one of them replaces it
	text  string   // after a line directive
}

// imported is one import, which GoNB stores.
type imported struct{ alias, path string }

// name returns the name of the package in a program: the alias, or the name that the path suggests.
func (i imported) name() string {
	if i.alias != "" {
		return i.alias
	}
	name := path.Base(i.path)
	if version.MatchString(name) {
		name = path.Base(path.Dir(i.path))
	}
	return strings.TrimPrefix(name, "go-")
}

var (
	version     = regexp.MustCompile(`^v\d+$`)
	packageLine = regexp.MustCompile(`(?m)^package main\b`)
	goLine      = regexp.MustCompile(`(?m)^go (\S+)$`)
)

// compose returns the program of every code cell: the declarations until this cell, of which the last one of each name
// counts, the imports that the program uses, and a function main with the statements of the cell. In a notebook with a
// cell that has statements and no %%, variables last, as in the kernel. compose omits command lines (%, !). The error
// names the cells that do not parse; the cells after them are composed without them, as in GoNB.
func compose(t *testing.T, n *notebook) ([]program, error) {
	base := strings.TrimSuffix(filepath.Base(n.Path), ".ipynb")
	var decls []declaration
	imports := map[string]imported{}
	var programs []program
	var errs []error
	var session *cells.Session
	if slices.ContainsFunc(n.code(), func(c cell) bool { return cells.Split(c.lines(), c.isCommand) != nil }) {
		session = newSession(t)
	}
	for _, c := range n.code() {
		label := fmt.Sprintf("%s:cell%d", filepath.Base(n.Path), c.Number)
		top, main, mainLine := split(c)
		list, imps, own, err := declarations(label, top)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, i := range imps {
			imports[i.name()] = i
		}
		replace := func(names []string) {
			decls = slices.DeleteFunc(decls, func(old declaration) bool {
				return slices.ContainsFunc(names, func(name string) bool {
					return name != "_" && slices.Contains(old.names, name)
				})
			})
		}
		for _, d := range list {
			replace(d.names)
			decls = append(decls, d)
		}
		body := own
		if body == "" {
			body = fmt.Sprintf("func main() {\n//line %s:%d\n%s\n}\n", label, mainLine, main)
			if session == nil {
				body = strings.Replace(body, "{", "{\nflag.Parse()", 1)
			}
		}
		source, err := assemble(label, decls, imports, body)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		p := program{Name: fmt.Sprintf("%s/cell_%02d", base, c.Number), Source: source}
		if session != nil {
			var adopted []string
			if adopted, err = p.keepVariables(session, c.Number); err != nil {
				errs = append(errs, fmt.Errorf("%s:1: %w", label, err))
				continue
			}
			replace(adopted)
		}
		programs = append(programs, p)
	}
	return programs, errors.Join(errs...)
}

// newSession returns a session of cells that can import what the checkout can.
func newSession(t *testing.T) *cells.Session {
	folder := t.TempDir()
	checkout := must(setup.FindCheckout())
	testenv.WriteFiles(t, folder, map[string]string{"go.mod": "module cells\n\ngo 1.26.0\n",
		"go.work": "go 1.26.0\n\nuse (\n\t.\n\t" + strconv.Quote(checkout) + "\n)\n"})
	return must(cells.NewSession(folder, map[string]string{"nb": "github.com/mklnb/mkl/mklnb"}))
}

// lineDirective matches a directive and in it the number of the cell.
var lineDirective = regexp.MustCompile(`^//line .*:cell(\d+):\d+$`)

// storedVariable matches a variable that the second file of a program stores or reads.
var storedVariable = regexp.MustCompile(`kept__\.Var\([^,]*, &([\pL\pN_]+)\)`)

// keepVariables turns the program of a cell into one that reads and writes variables. The session then knows the
// variables of the cell, although the program does not run. adopted names those that declarations make.
func (p *program) keepVariables(session *cells.Session, number int) (adopted []string, err error) {
	source := cells.Source{Cell: number, IsBody: true}
	of := -1
	for line := range strings.Lines(p.Source) {
		if m := lineDirective.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			of = must(strconv.Atoi(m[1]))
			continue
		}
		source.Text += line
		source.Cells = append(source.Cells, of)
	}
	prepared, err := session.Prepare(source)
	if err != nil {
		return nil, err
	}
	p.Source, p.Glue = prepared.Main, prepared.Glue
	files := map[string]string{}
	for _, m := range storedVariable.FindAllStringSubmatch(p.Glue, -1) {
		files[m[1]] = m[1]
	}
	end := map[string]any{"Files": files, "Reasons": map[string]string{}, "Made": slices.Collect(maps.Keys(files))}
	try(os.WriteFile(filepath.Join(session.Folder(), "end.json"), must(json.Marshal(end)), 0o600))
	session.Built(prepared)
	adopted, _ = session.Finish(prepared)
	return adopted, nil
}

// lines returns the lines of a cell.
func (c cell) lines() []string { return strings.Split(string(c.Source), "\n") }

// isCommand reports whether a line of a cell is a command of the kernel.
func (c cell) isCommand(line int) bool {
	_, isText := cells.TextLines(c.lines())[line]
	return !isText && cells.IsCommand(c.lines()[line])
}

// startsMain reports whether a line starts the function main of its cell.
func startsMain(line string) bool {
	line = strings.TrimPrefix(strings.TrimSpace(line), "//gonb:")
	return line == "%%" || line == "%main" || strings.HasPrefix(line, "%% ") || strings.HasPrefix(line, "%main ")
}

// split divides a cell into declarations and main: at its %%, or as the kernel does if it has none. Command lines
// become blank, so that lines keep their numbers. mainLine is the number of the first line of main.
func split(c cell) (top, main string, mainLine int) {
	if program := cells.Split(c.lines(), c.isCommand); program != nil {
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
		return top, main, 1
	}
	lines := c.lines()
	at := len(lines)
	for i, line := range lines {
		if startsMain(line) {
			at = min(at, i)
		}
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") || startsMain(line) {
			lines[i] = ""
		}
	}
	if at == len(lines) {
		return strings.Join(lines, "\n"), "", 1
	}
	return strings.Join(lines[:at], "\n"), strings.Join(lines[at+1:], "\n"), at + 2
}

// declarations parses the declarations of a cell. If they contain func main, it returns this function as main.
func declarations(label, top string) (list []declaration, imports []imported, main string, err error) {
	top = packageLine.ReplaceAllString(top, "")
	source := "package main;" + top // on the first line, so that lines keep their numbers
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, label, source, parser.ParseComments)
	if err != nil {
		return nil, nil, "", err
	}
	cut := func(from, to token.Pos) string {
		p := set.Position(from)
		return fmt.Sprintf("//line %s:%d\n%s\n", label, p.Line, source[p.Offset:set.Position(to).Offset])
	}
	for _, spec := range file.Imports {
		i := imported{}
		if i.path, err = strconv.Unquote(spec.Path.Value); err != nil {
			return nil, nil, "", fmt.Errorf("%s: import %s: %w", label, spec.Path.Value, err)
		}
		if spec.Name != nil {
			i.alias = spec.Name.Name
		}
		imports = append(imports, i)
	}
	for _, d := range file.Decls {
		text := cut(d.Pos(), d.End())
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv == nil && name == "main" {
				main = text
				continue
			}
			if d.Recv != nil && len(d.Recv.List) == 1 {
				name = strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + name
			}
			list = append(list, declaration{[]string{name}, text})
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				list = append(list, declaration{specNames(d.Specs), text})
			}
		}
	}
	return list, imports, main, nil
}

func specNames(specs []ast.Spec) (names []string) {
	for _, s := range specs {
		switch s := s.(type) {
		case *ast.ValueSpec:
			for _, id := range s.Names {
				names = append(names, id.Name)
			}
		case *ast.TypeSpec:
			names = append(names, s.Name.Name)
		}
	}
	return names
}

// assemble returns the source of a program, without the imports that it does not use, as goimports does.
func assemble(label string, decls []declaration, imports map[string]imported, main string) (string, error) {
	var body strings.Builder
	for _, d := range decls {
		body.WriteString(d.text)
	}
	body.WriteString(main)
	file, err := parser.ParseFile(token.NewFileSet(), label, "package main\n"+body.String(),
		parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	used := map[string]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		if s, ok := node.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	if _, ok := imports["flag"]; !ok && used["flag"] {
		imports["flag"] = imported{path: "flag"}
	}
	var lines []string
	for name, i := range imports {
		if used[name] || i.alias == "_" || i.alias == "." {
			lines = append(lines, fmt.Sprintf("import %s %q\n", i.alias, i.path))
		}
	}
	slices.Sort(lines)
	return "package main\n\n" + strings.Join(lines, "") + "\n" + body.String(), nil
}

// workspace returns a folder with the programs, and the variable of a workspace that contains the folder and the
// checkout. As in the kernel, programs can import the standard library, the checkout and the modules that it requires.
func workspace(t *testing.T, programs []program) (dir, goWork string) {
	t.Helper()
	root := must(setup.FindCheckout())
	dir = t.TempDir()
	language := "go " + goVersion(t, root) + "\n"
	files := map[string]string{
		"go.mod":  "module cells\n\n" + language,
		"go.work": language + "\nuse (\n\t.\n\t" + strconv.Quote(root) + "\n)\n",
	}
	for _, p := range programs {
		files[p.Name+"/main.go"] = p.Source
		if p.Glue != "" {
			files[p.Name+"/kept.go"] = p.Glue
		}
	}
	testenv.WriteFiles(t, dir, files)
	return dir, "GOWORK=" + filepath.Join(dir, "go.work")
}

// vet runs go vet on all programs, which also compiles them. The caller has called setKernelEnv.
func vet(t *testing.T, programs []program) error {
	t.Helper()
	dir, goWork := workspace(t, programs)
	cmd := exec.CommandContext(t.Context(), "go", "vet", "./...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), goWork)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("go vet: %w\n%s", err, out)
	}
	return nil
}

// goVersion returns the version in the go line of the checkout's go.mod.
func goVersion(t *testing.T, root string) string {
	t.Helper()
	mod := must(os.ReadFile(filepath.Join(root, "go.mod")))
	found := goLine.FindSubmatch(mod)
	if found == nil {
		t.Fatalf("%s has no go line", filepath.Join(root, "go.mod"))
	}
	return string(found[1])
}

// setKernelEnv sets the variables of the kernel spec that belong to the keys of the build cache, so that the go command
// compiles no package twice, in an image either.
func setKernelEnv(t *testing.T, root string) {
	t.Helper()
	content := must(os.ReadFile(filepath.Join(root, "notebooks", "jupyter", "kernels", setup.KernelName,
		"kernel.json")))
	var spec struct{ Env map[string]string }
	try(json.Unmarshal(content, &spec))
	for _, name := range []string{"CGO_ENABLED", "GOFLAGS"} {
		t.Setenv(name, spec.Env[name])
	}
}
