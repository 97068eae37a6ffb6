package setup

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEdits: an edit that does not fit its file is refused, so that another version of GoNB cannot lose one
// unseen; those of the pinned version are applied when it is built.
func TestEdits(t *testing.T) {
	e := edit{"a.go", "old\n", "new\n"}
	for content, want := range map[string]string{"1\nold\n2\n": "1\nnew\n2\n", "1\n": "", "old\nold\n": ""} {
		got, err := e.apply(content)
		if got != want || (err == nil) != (want != "") || err != nil && !strings.Contains(err.Error(), "a.go of GoNB holds") {
			t.Errorf("%q becomes %q, %v, expected %q", content, got, err, want)
		}
	}
}

// TestPatchedGoNB: the copy stands in a folder whose name has a space, the go command reads the go.mod that
// names it, and the checkout's own go.mod and go.sum stay as they were.
func TestPatchedGoNB(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	read := func() (all string) {
		for _, name := range []string{"go.mod", "go.sum"} {
			b, err := os.ReadFile(filepath.Join(root, toolsDir, name))
			if err != nil {
				t.Fatal(err)
			}
			all += string(b)
		}
		return all
	}
	before := read()
	dir := filepath.Join(t.TempDir(), "a folder")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	modfile, err := patchedGoNB(t.Context(), "go", root, dir)
	if err != nil {
		if strings.Contains(err.Error(), "go mod download") {
			t.Skip(err) // without a network and without the module
		}
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-modfile="+modfile, "-m", "-f", "{{.Dir}}", gonbPath)
	cmd.Dir = filepath.Join(root, toolsDir)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	out, err := cmd.CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != filepath.Join(dir, "gonb") {
		t.Errorf("GoNB is taken from %s, %v", got, err)
	}
	if read() != before {
		t.Error("go.mod or go.sum of the checkout has changed")
	}
}

// TestDownloaded: a failure of the go command is an error in its words.
func TestDownloaded(t *testing.T) {
	failure := errors.New("exit status 1")
	for _, c := range []struct {
		out, stderr string
		err         error
		want        string
	}{
		{`{"Dir": "/d"}`, "", nil, ""},
		{`{"Dir": "/d"}`, "no space left", failure, "exit status 1: no space left"},
		{`{"Error": "no such version"}`, "", failure, "exit status 1: no such version"},
		{`{"Error": "no such version"}`, "", nil, "no such version"},
		{"", "go: bad go.mod", failure, "exit status 1: go: bad go.mod"},
		{"", "", failure, "exit status 1"},
		{"", "", nil, "its answer: "},
		{"{}", "", nil, "it names no folder"},
	} {
		dir, err := downloaded([]byte(c.out), c.stderr, c.err)
		if c.want == "" && (dir != "/d" || err != nil) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "nil")) {
			t.Errorf("%+v: %q, %v", c, dir, err)
		}
	}
}
