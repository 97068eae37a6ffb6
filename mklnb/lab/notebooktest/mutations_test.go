package notebooks

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

// mutation is a change of a notebook's code with which a check must fail (✗): a misprint of the paper, a wrong sign or
// factor, an algorithm that stops early, or a function for which the checked statement is false.
type mutation struct {
	check string // the first string in the name of the check, as in the source of the cell: "(8) with %v"
	// old occurs exactly once in the cell of the check. If it does not occur there, it occurs exactly once in the
	// declarations of the cells before.
	old, new string
}

// mutations contains at least one mutation for every check of a notebook (TestMutationOfEachCheck).
var mutations = map[string][]mutation{
	"00_start_here":          mutationsStart,
	"01_nkrr":                mutationsNKRR,
	"02_learning_the_kernel": mutationsLVX,
	"03_qn_pkl":              mutationsQNPKL,
	"04_similarities":        mutationsESKL,
	"05_tessellated":         mutationsTKL,
}

// named is a check of a notebook and its cell.
type named struct {
	name string // the first string in its name
	cell int    // index of its cell
}

// checks returns the calls of nb.Check and nb.CheckTrue, and complaints about those without a unique name.
func (n *notebook) checks() (list []named, complaints []string) {
	for i, c := range n.Cells {
		if c.Number == 0 {
			continue
		}
		say := func(format string, args ...any) {
			complaints = append(complaints, fmt.Sprintf("code cell %d: ", c.Number)+fmt.Sprintf(format, args...))
		}
		top, main, _ := split(string(c.Source))
		for _, source := range []string{packageLine.ReplaceAllString(top, ""), "func main() {\n" + main + "\n}"} {
			file, err := parser.ParseFile(token.NewFileSet(), "", "package main;"+source, parser.SkipObjectResolution)
			if err != nil {
				continue // TestCompile reports it
			}
			ast.Inspect(file, func(node ast.Node) bool {
				name, ok := checkName(node)
				switch {
				case !ok:
				case name == "":
					say("the name of a check contains no string")
				case slices.ContainsFunc(list, func(other named) bool { return other.name == name }):
					say("another check is named %q too", name)
				default:
					list = append(list, named{name, i})
				}
				return true
			})
		}
	}
	return list, complaints
}

// checkName returns the first string in the name of a check. ok reports whether node is the call of a check.
func checkName(node ast.Node) (name string, ok bool) {
	call, ok := node.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return "", false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "Check" && f.Sel.Name != "CheckTrue" {
		return "", false
	}
	ast.Inspect(call.Args[0], func(node ast.Node) bool {
		if l, ok := node.(*ast.BasicLit); ok && l.Kind == token.STRING && name == "" {
			name = must(strconv.Unquote(l.Value))
		}
		return name == ""
	})
	return name, true
}

// mutated returns the notebook up to a cell, with old replaced by new. Of the cells before it, only declarations
// remain.
func (n *notebook) mutated(cell int, old, new string) (*notebook, error) {
	cells := slices.Clone(n.Cells[:cell+1])
	times, at := strings.Count(string(cells[cell].Source), old), cell
	own := times > 0
	for i, c := range cells[:cell] {
		if c.Number == 0 {
			continue
		}
		top, _, _ := split(string(c.Source))
		cells[i].Source = text(top)
		if k := strings.Count(top, old); k > 0 && !own {
			times, at = times+k, i
		}
	}
	if times != 1 {
		return nil, fmt.Errorf("occurs %d times in code cell %d or in the declarations of the cells before, "+
			"expected once",
			times, n.Cells[cell].Number)
	}
	cells[at].Source = text(strings.Replace(string(cells[at].Source), old, new, 1))
	return &notebook{Path: n.Path, Cells: cells}, nil
}

// missingMutations returns which checks have no mutation, and which mutations do not fit their notebook.
func missingMutations(n *notebook, list []mutation) []string {
	checks, complaints := n.checks()
	covered := map[string]bool{}
	for _, m := range list {
		at := slices.IndexFunc(checks, func(c named) bool { return c.name == m.check })
		if at < 0 {
			complaints = append(complaints, fmt.Sprintf("a mutation names the check %q, which does not exist", m.check))
			continue
		}
		if _, err := n.mutated(checks[at].cell, m.old, m.new); err != nil {
			complaints = append(complaints, fmt.Sprintf("a mutation of the check %q: %q %v", m.check, m.old, err))
			continue
		}
		covered[m.check] = true
	}
	for _, c := range checks {
		if !covered[c.name] {
			complaints = append(complaints, fmt.Sprintf("code cell %d: the check %q has no mutation",
				n.Cells[c.cell].Number, c.name))
		}
	}
	return complaints
}

// TestMutationOfEachCheck tests that every check of a notebook has a mutation and a name that identifies it.
func TestMutationOfEachCheck(t *testing.T) {
	for _, n := range all(t) {
		for _, complaint := range missingMutations(n, mutations[strings.TrimSuffix(filepath.Base(n.Path), ".ipynb")]) {
			t.Errorf("%s: %s", n.Path, complaint)
		}
	}
}

// TestMutations tests that every check of a notebook succeeds (✓), and fails (✗) with each of its mutations.
func TestMutations(t *testing.T) {
	testenv.SkipUnlessLong(t)
	for _, n := range all(t) {
		name := strings.TrimSuffix(filepath.Base(n.Path), ".ipynb")
		t.Run(name, func(t *testing.T) { mutate(t, n, mutations[name]) })
	}
}

// trial is a program to run: the cell of a check, unchanged or with a mutation.
type trial struct {
	mutation
	cell  int
	right bool
}

// mutate tests the mutations of one notebook. It builds all programs in one call and runs two at a time. An unchanged
// cell runs once for all its checks.
func mutate(t *testing.T, n *notebook, list []mutation) {
	checks, _ := n.checks()
	var trials []trial
	var programs []program
	add := func(trial trial) {
		if m, err := n.mutated(trial.cell, trial.old,
			trial.new); err == nil { // TestMutationOfEachCheck reports the others
			composed := must(compose(m))
			name := fmt.Sprintf("trial_%03d", len(trials))
			programs = append(programs, program{name, composed[len(composed)-1].Source})
			trials = append(trials, trial)
		}
	}
	for _, c := range checks {
		for _, m := range list {
			if m.check != c.name {
				continue
			}
			if !slices.ContainsFunc(trials, func(other trial) bool { return other.cell == c.cell }) {
				add(trial{mutation{old: m.old, new: m.old}, c.cell, true})
			}
			add(trial{m, c.cell, false})
		}
	}
	if programs == nil {
		t.Skip("the notebook has no mutations")
	}
	saveCount := 0 // programs that save a model, which those of later cells load
	for _, p := range must(compose(n)) {
		if strings.Contains(p.Source, "nb.Save(") {
			programs = append(programs, program{fmt.Sprintf("save_%d", saveCount), p.Source})
			saveCount++
		}
	}
	folder := t.TempDir()
	bin, spent := buildPrograms(t, programs)
	building := spent
	for _, p := range programs[len(trials):] {
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, p.Name))
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "MKL_SIZE=small", "MKL_OUT="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", p.Name, err, out)
		}
	}
	var mu sync.Mutex
	var running sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i, trial := range trials {
		running.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			ctx, cancel := context.WithTimeout(t.Context(), notebookTimeout)
			defer cancel()
			cmd := exec.CommandContext(ctx, filepath.Join(bin, programs[i].Name))
			cmd.Dir, cmd.Env = folder, append(os.Environ(), "MKL_SIZE=small", "MKL_OUT="+t.TempDir())
			out, err := cmd.CombinedOutput()
			mu.Lock()
			defer mu.Unlock()
			spent += cpu(cmd)
			if !trial.right && (err == nil || !shows(out, "✗", trial.check)) {
				t.Errorf("%s with %s instead of %s is not ✗: %v\n%s", trial.check, trial.new, trial.old, err, out)
			}
			for _, c := range checks {
				if trial.right && c.cell == trial.cell && (err != nil || !shows(out, "✓", c.name)) {
					t.Errorf("%s, without a mutation, is not ✓: %v\n%s", c.name, err, out)
				}
			}
		})
	}
	running.Wait()
	t.Logf("%d checks, %d mutations; %.0f s of the processor, %.0f of them to build", len(checks), len(list),
		spent.Seconds(), building.Seconds())
}

// verb matches a part of a name that Sprintf replaces.
var verb = regexp.MustCompile(`%[-+#0-9.]*[a-z]`)

// shows reports whether the output of a program contains the mark before a check with this name.
func shows(out []byte, mark, name string) bool {
	parts := verb.Split(name, -1)
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return regexp.MustCompile("(?m)^" + mark + ".*" + strings.Join(parts, ".*")).Match(out)
}

// cpu returns the processor time of a program.
func cpu(cmd *exec.Cmd) time.Duration {
	if cmd.ProcessState == nil {
		return 0
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// buildPrograms builds the programs and returns the folder of the executables and the processor time.
func buildPrograms(t *testing.T, programs []program) (bin string, took time.Duration) {
	t.Helper()
	dir, goWork := workspace(t, programs)
	bin = t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", bin, "./...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), goWork, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin, cpu(cmd)
}
