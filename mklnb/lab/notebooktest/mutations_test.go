package notebooks

import (
	"fmt"
	"go/ast"
	"go/token"
	"hash/crc32"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup/cells"
)

// mutation is a change of a notebook's code with which a check must fail (✗): a misprint of the paper, a wrong sign or
// factor, an algorithm that stops early, or a function for which the checked statement is false.
type mutation struct {
	check string // the first string in the name of the check, as in the source of the cell: "(8) with %v"
	// old occurs exactly once in the cell of the check. If it does not occur there, it occurs exactly once in the cells
	// before.
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
		top, main := split(c)
		for _, source := range []string{top, "func main() {\n" + main + "\n}"} {
			ast.Inspect(syntax(source), func(node ast.Node) bool {
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

// mutated returns a cell with old replaced by new, and its index: the given cell, or one before it.
func (n *notebook) mutated(cell int, old, new string) (source string, at int, err error) {
	times, at := strings.Count(string(n.Cells[cell].Source), old), cell
	if times == 0 {
		for i, c := range n.Cells[:cell] {
			if k := strings.Count(string(c.Source), old); k > 0 && c.Number > 0 {
				times, at = times+k, i
			}
		}
	}
	if times != 1 {
		return "", 0, fmt.Errorf("occurs %d times in code cell %d or in the cells before, expected once", times,
			n.Cells[cell].Number)
	}
	return strings.Replace(string(n.Cells[at].Source), old, new, 1), at, nil
}

// missingMutations returns which checks have no mutation, and which mutations do not fit their notebook.
func (n *notebook) missingMutations() []string {
	checks, complaints := n.checks()
	covered := map[string]bool{}
	for _, m := range mutations[n.name()] {
		at := slices.IndexFunc(checks, func(c named) bool { return c.name == m.check })
		if at < 0 {
			complaints = append(complaints, fmt.Sprintf("a mutation names the check %q, which does not exist", m.check))
			continue
		}
		if _, _, err := n.mutated(checks[at].cell, m.old, m.new); err != nil {
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
	reportFaults(t, (*notebook).missingMutations)
}

// TestMutations tests that every check of a notebook succeeds (✓), and fails (✗) with each of its mutations. With
// MKL_MUTATIONS=k it tests a third of the notebooks, with one of k mutations. The code of all notebooks determines
// which.
func TestMutations(t *testing.T) {
	testenv.SkipUnlessLong(t)
	every, first := 1, 0
	notebooks := all(t)
	if s := os.Getenv("MKL_MUTATIONS"); s != "" {
		code := ""
		for _, n := range notebooks {
			code += n.Metadata.MKL.OutputsOf
		}
		every, first = must(strconv.Atoi(s)), int(crc32.ChecksumIEEE([]byte(code)))
	}
	for i, n := range notebooks {
		if every == 1 || (i+first)%3 == 0 {
			t.Run(n.name(), func(t *testing.T) {
				mutate(t, n, func(k int) bool { return (k+first/3)%every == 0 })
			})
		}
	}
}

// mutate runs a notebook in one kernel. After each cell it runs the chosen mutations of the checks of this cell, then
// the cells that they changed as they are.
func mutate(t *testing.T, n *notebook, isChosen func(k int) bool) {
	list := mutations[n.name()]
	if list == nil {
		t.Skip("the notebook has no mutations")
	}
	vars := map[string]string{"MKL_SIZE": "small", "MKL_OUT": t.TempDir()} // of the kernel
	var steps []step
	judge := map[int]func(answer){} // by step
	run := func(source string, f func(answer)) {
		judge[len(steps)] = f
		steps = append(steps, step{Cell: source})
	}
	again := func(from, to int) { // the cells after from that can have other variables now
		for i := from; i <= to; i++ {
			if c := n.Cells[i]; c.Number > 0 && (i == from || cells.Split(c.lines(), c.isCommand) != nil) {
				run(string(c.Source), nil)
			}
		}
	}
	checks, _ := n.checks()
	for i, c := range n.Cells {
		if c.Number == 0 {
			continue
		}
		run(string(c.Source), func(a answer) {
			for _, check := range checks {
				if check.cell == i && (a.Status != "ok" || !shows(a.Plain, "✓", check.name)) {
					t.Errorf("%s, without a mutation, is not ✓: %s\n%s", check.name, a.Error, a.Plain)
				}
			}
		})
		isChanged := false
		for _, check := range checks {
			for k, m := range list {
				if check.cell != i || m.check != check.name || !isChosen(k) {
					continue
				}
				source, at, err := n.mutated(i, m.old, m.new)
				if err != nil { // TestMutationOfEachCheck reports it
					continue
				}
				judgeMutation := func(a answer) {
					if a.Status == "ok" || !shows(a.Plain, "✗", m.check) {
						t.Errorf("%s with %s instead of %s is not ✗: %s\n%s", m.check, m.new, m.old, a.Error, a.Plain)
					}
				}
				if at == i {
					run(source, judgeMutation)
					isChanged = true
					continue
				}
				run(source, nil)
				again(at+1, i-1)
				run(string(c.Source), judgeMutation)
				again(at, i)
			}
		}
		if isChanged {
			again(i, i)
		}
	}
	for i, a := range runSteps(t, map[string]any{"steps": steps, "stop": false, "at once": false, "vars": vars}) {
		if judge[i] != nil {
			judge[i](a)
		}
	}
	t.Logf("%d checks, %d mutations in all, %d runs of cells", len(checks), len(list), len(steps))
}

// verb matches a part of a name that Sprintf replaces, also %%.
var verb = regexp.MustCompile(`%[-+#0-9.]*[a-z%]`)

// shows reports whether the output of a cell contains the mark before a check with this name.
func shows(out, mark, name string) bool {
	parts := verb.Split(name, -1)
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return regexp.MustCompile("(?m)^" + mark + ".*" + strings.Join(parts, ".*")).MatchString(out)
}
