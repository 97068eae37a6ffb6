package cells

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// notebook runs cells as the kernel does, without its store of declarations.
type notebook struct {
	*Session
	folder string
	cell   int
}

func newNotebook(t *testing.T) *notebook {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "gonb_test")
	checkout, err := filepath.Abs("../../..")
	if err == nil {
		err = os.Mkdir(folder, 0o700)
	}
	for name, content := range map[string]string{"go.mod": "module cell\n\ngo 1.26.0\n",
		"go.work": "go 1.26.0\n\nuse (\n\t.\n\t" + strconv.Quote(checkout) + "\n)\n"} {
		err = errors.Join(err, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
	}
	s, sessionErr := NewSession(folder, map[string]string{"nb": nbPath})
	if err = errors.Join(err, sessionErr); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MKL_KEPT", s.Folder())
	return &notebook{s, folder, 0}
}

// run returns what a cell prints, with its notes, or its error.
func (n *notebook) run(cell string) (string, error) {
	n.cell++
	source := Source{Cell: n.cell, IsBody: true, Text: "package main\n\n"}
	for _, line := range Split(strings.Split(cell, "\n"), func(int) bool { return false }) {
		source.Text += line.Text + "\n"
	}
	for range strings.Count(source.Text, "\n") {
		source.Cells = append(source.Cells, n.cell)
	}
	p, err := n.Prepare(source)
	if err != nil {
		return "", err
	}
	os.Remove(filepath.Join(n.folder, "kept.go"))
	files := map[string]string{"main.go": p.Main}
	if p.Glue != "" {
		files["kept.go"] = p.Glue
	}
	for name, content := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(n.folder, name), []byte(content), 0o600))
	}
	build := exec.Command("go", "build", "-o", "program")
	build.Dir = n.folder
	if output, buildErr := build.CombinedOutput(); buildErr != nil {
		return "", errors.Join(err, buildErr, errors.New(string(output)+p.Main+p.Glue))
	}
	n.Built(p)
	output, err := exec.Command(filepath.Join(n.folder, "program")).Output()
	_, notes := n.Finish(p)
	return strings.TrimSpace(string(output) + strings.Join(notes, "\n")), err
}

// TestProgram tests that the programs of cells compile, hand on their variables and show their last expressions, and
// that the error of a cell is the compiler's, with its line. The live kernel has many more cases (notebooktest).
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: programs are built")
	}
	n := newNotebook(t)
	for _, c := range []struct{ cell, want, fault string }{
		{"x, s := 1, []int{1, 2}", "", ""},
		{"x++\ns[0] = 7\nx", "2", ""},
		{"s", "[7 2]", ""},
		{"v := strconv.Atoi(\"5\")\nv + x", "7", ""},
		{"x := fmt.Sprint(x)\nx + \"a\"", "2a", ""},
		{"f := func() {}\nos.Exit(0)", "", ""},
		{"println(1)\nf()", "", "./main.go:5:1: undefined: f (a variable of cell [6] that ended with it"},
		{"y := 1 +\n\"a\"", "", "./main.go:4:6: invalid operation"},
		{"z := undefined()", "", "undefined: undefined"},
		{"println(w)\nw := 1", "", "undefined: w"},
		{"x", "2", ""},
	} {
		got, err := n.run(c.cell)
		var fault *Error
		switch errors.As(err, &fault); {
		case c.fault == "" && (err != nil || got != c.want):
			t.Errorf("%q shows %q, %v, expected %q", c.cell, got, err, c.want)
		case c.fault != "" && (fault == nil || !strings.Contains(fault.Text, c.fault)):
			t.Errorf("%q ends with %v, expected %q", c.cell, err, c.fault)
		}
	}
	if names := strings.Join(n.Names(), " "); names != "s v x" {
		t.Errorf("the variables are %s", names)
	}
	if list, _ := n.Complete("fmt.Println(", nil); list != nil {
		t.Errorf("nothing is completed to %q", list)
	}
	if list, length := n.Complete("println(v", nil); strings.Join(list, " ") != "v" || length != 1 {
		t.Errorf("v is completed to %q", list)
	}
}
