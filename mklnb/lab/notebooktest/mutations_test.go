package notebooks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// mutation puts a misprint of the paper, or else a wrong sign or factor, into the cell of a check.
type mutation struct {
	check    string // the name of the check, as the cell writes it
	old, new string // in the source of the cell
}

// mutationsLVX are those of 02_learning_the_kernel.
var mutationsLVX = []mutation{
	{"(1) = (3): primal value at w = Σα_iφ_i", `2*pt.Primal, 2*pt.Dual()`, `2*pt.Primal, pt.Dual()`},
	{"(4), degree %d: the error of the expansion falls like h^%.2f", `nb.Must(check.Gradient(q, 7)),`, `check.Taylor{Order: 1, Slope: 1},`}, // as of a wrong gradient
	// as printed
	{"uᵀ∇²F u as read, against a second difference", `2*lvx.Sandwich(a, ku, v, ku)+uu`, `lvx.Sandwich(a, ku, v, ku)+uu`},
	{"uᵀ∇²F u against a second difference", `8*lvx.Sandwich(a, su, v, su) - 2*lvx`, `4*lvx.Sandwich(a, su, v, su) - lvx`},
	{"Euler: μᵀ∇F = −2αᵀKα", `-2*lvx.Form(a, lvx.Hadamard(s, s))`, `lvx.Form(a, lvx.Hadamard(s, s))`},
	{"(36) against a second difference along a great circle", `s.Hessian(h, theta, pt.Grad(), h, xi)`,
		`s.Tangent(h, theta, h)`},
	// as printed
	{"(37) as read: the distance from μ₀ is Λ", `s.Retract(theta, theta, xi)`, `theta = lvx.Outward(theta, xi)`},
	// as printed
	{"∂F/∂μ₁ as read, against a difference", `-read[0], difference`, `-printed[0], difference`},
}

// mutations has one or more for each check of 01_nkrr that names an equation, and for some that name none.
var mutations = []mutation{
	{"(9) α₁", `v := nkrr.Inverse(kmu, 1)`, `v := nkrr.Inverse(kmu, 2)`},
	{"(10) F", `nkrr.Form(y, v, y), g`, `nkrr.Form(y, v, y)/2, g`},
	{"(11) ∂F/∂μ%d", `-2 * nkrr.Form`, `2 * nkrr.Form`},
	{"(11) ∂F/∂μ%d", `-2 * nkrr.Form`, `-nkrr.Form`},
	{"(19) uᵀ∇²F u", `8*nkrr.Form(b, v, b) - 2*nkrr`, `4*nkrr.Form(b, v, b) - nkrr`}, // as printed
	{"(19) uᵀ∇²F u", `8*nkrr.Form(b, v, b) - 2*nkrr`, `8*nkrr.Form(b, v, b) + 2*nkrr`},
	{"(13) μᵀ∇F", `-2*nkrr.Form(alpha, kmu, alpha)`, `nkrr.Form(alpha, kmu, alpha)`}, // as printed
	{"(12) F at its stationary point 0", `floats.Dot(y, y), 1e-12`, `2*floats.Dot(y, y), 1e-12`},
	{"(22) S_ii where F becomes convex", `math.Sqrt(lambda/3)`, `math.Sqrt(lambda/2)`},
	// 4s² = s+λ: by the printed V
	{"(22) S_ii where F becomes convex", `math.Sqrt(lambda/3)`, `(1+math.Sqrt(1+16*lambda))/8`},
	{"(20) with V = (S∘S+λI)⁻¹", `read := 4*nkrr.Form(b, v, b) - q`, `read := printed`},  // as printed
	{"(19) by indices, as read", `4*read-second`, `4*printed-second`},                    // as printed
	{"(18) ⟨M, N − ẽ₁⟩", `nkrr.Outer(nkrr.Vec(v), one)`, `nkrr.Outer(one, nkrr.Vec(v))`}, // N as printed
	{"(18) ⟨M, N − ẽ₁⟩", `k == j && l == i`, `i == k && j == l`},                         // ẽ₁ as printed
	{"(4) an entry, by its terms", `2*mu[0]*mu[1]`, `mu[0]*mu[1]`},                       // (3)
	{"Lower by weak duality, step %d", `math.Pow(w, 1-q) / q`, `math.Pow(w, 1-q)`},
	{"Algorithm 1: F after %d steps", `8, 10, steps)`, `8, 20, steps)`},
}

// named finds the names of checks in the source of a cell.
var named = regexp.MustCompile(`nb\.Check(?:True)?\((?:fmt\.Sprintf\()?"([^"]*)"`)

// equation is the beginning of the name of a check of an equation.
var equation = regexp.MustCompile(`^\((\d+|[a-g])\)`)

// TestMutations: every check of a notebook that names an equation is right as the notebook reads the equation, and
// wrong with the misprint put back, or a wrong sign or factor put in.
func TestMutations(t *testing.T) {
	testenv.Long(t)
	t.Run("01_nkrr", func(t *testing.T) { mutate(t, "01_nkrr", mutations, 10) })
	t.Run("02_learning_the_kernel", func(t *testing.T) { mutate(t, "02_learning_the_kernel", mutationsLVX, 4) })
	t.Run("03_qn_pkl", func(t *testing.T) { mutate(t, "03_qn_pkl", mutationsQNPKL, 14) })
	t.Run("04_similarities", func(t *testing.T) { mutate(t, "04_similarities", mutationsESKL, 6) })
}

// mutate tries the mutations of one notebook, of which so many checks at least name an equation.
func mutate(t *testing.T, notebook string, mutations []mutation, least int) {
	n := must(read(filepath.Join(shipped, notebook+".ipynb")))
	at := map[string]int{} // of a check, the index of its cell
	for i, c := range n.Cells {
		for _, m := range named.FindAllStringSubmatch(string(c.Source), -1) {
			at[m[1]] = i
		}
	}
	covered := map[string]bool{}
	for _, m := range mutations {
		covered[m.check] = true
	}
	equations := 0
	for name := range at {
		if equation.MatchString(name) {
			if equations++; !covered[name] {
				t.Errorf("the check %q names an equation and has no mutation", name)
			}
		}
	}
	if equations < least {
		t.Errorf("%d checks name an equation, expected %d or more", equations, least)
	}

	var programs []program
	add := func(name string, cell int) {
		list := must(compose(n))
		for _, p := range list {
			if p.Name == fmt.Sprintf(notebook+"/cell_%02d", n.Cells[cell].Number) {
				programs = append(programs, program{name, p.Source})
			}
		}
	}
	right := map[string]bool{} // one program as it stands for each check
	for i, m := range mutations {
		cell, ok := at[m.check]
		if !ok {
			t.Errorf("there is no check %q", m.check)
			continue
		}
		source := n.Cells[cell].Source
		if strings.Count(string(source), m.old) != 1 {
			t.Errorf("the cell of %q has %q %d times, expected once", m.check, m.old, strings.Count(string(source), m.old))
			continue
		}
		if !right[m.check] {
			right[m.check] = true
			add(fmt.Sprintf("right_%02d", i), cell)
		}
		n.Cells[cell].Source = text(strings.Replace(string(source), m.old, m.new, 1))
		add(fmt.Sprintf("wrong_%02d", i), cell)
		n.Cells[cell].Source = source
	}
	bin := buildPrograms(t, programs)
	for _, p := range programs {
		kind, number, _ := strings.Cut(p.Name, "_")
		i, _ := strconv.Atoi(number)
		m := mutations[i]
		shown, _, _ := strings.Cut(m.check, "%")
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, p.Name))
		cmd.Env = append(os.Environ(), "MKL_SIZE=small", "MKL_OUT="+t.TempDir())
		out, err := cmd.CombinedOutput()
		switch {
		case kind == "right" && (err != nil || !strings.Contains(string(out), "✓ "+shown)):
			t.Errorf("%s, as the notebook has it: %v\n%s", m.check, err, out)
		case kind == "wrong" && (err == nil || !strings.Contains(string(out), "✗ "+shown)):
			t.Errorf("%s with %s in place of %s is not ✗: %v\n%s", m.check, m.new, m.old, err, out)
		}
	}
}

// buildPrograms builds the programs and returns the folder of the executables.
func buildPrograms(t *testing.T, programs []program) string {
	t.Helper()
	dir, goWork := workspace(t, programs)
	bin := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "./...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), goWork, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}
