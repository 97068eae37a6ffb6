package setup

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPatch tests that every part of the patch states why it is needed and what happens without it, and that the
// patch fits the pinned version of GoNB, but not a version that contains it already.
func TestPatch(t *testing.T) {
	read := func(name string) string {
		t.Helper()
		content := must(os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name))))
		return string(content)
	}
	patch, offer := read(gonbPatch), read("mklnb/setup/upstream.md")
	parts := strings.Split(patch, "\nPart ")[1:]
	for i, part := range parts {
		title, _, _ := strings.Cut(part, "\n")
		if !strings.HasPrefix(title, fmt.Sprint(i+1, ". ")) {
			t.Errorf("part %d has the title %q", i+1, title)
		}
		words, _, found := strings.Cut(part, "\n--- a/")
		if !found || !strings.Contains(words, "\nWhy: ") || !strings.Contains(words, "\nWithout: ") {
			t.Errorf("part %s: expected Why: and Without: before its first --- a/", title)
		}
		if ours := strings.Contains(title, "(not for GoNB)"); ours == strings.Contains(offer,
			fmt.Sprintf("Part %d of", i+1)) {
			t.Errorf("part %s: upstream.md must contain all parts except those marked (not for GoNB)", title)
		}
	}
	if len(parts) == 0 {
		t.Error("no part in the patch")
	}

	// The name of the copy's folder contains a space. The go command reads the go.mod that names the copy, and the
	// checkout's own go.mod and go.sum do not change.
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	root, dir := must(filepath.Abs("../..")), filepath.Join(t.TempDir(), "a folder")
	before := read(toolsDir+"/go.mod") + read(toolsDir+"/go.sum")
	modfile, err := patchGoNB(t.Context(), "go", root, dir)
	if err != nil && strings.Contains(err.Error(), "go mod") {
		t.Skip(err) // without a network and without the module
	}
	try(err)
	cmd := exec.Command("go", "list", "-modfile="+modfile, "-m", "-f", "{{.Dir}}", gonbPath)
	cmd.Dir = filepath.Join(root, toolsDir)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	out, err := cmd.CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != filepath.Join(dir, "gonb") {
		t.Errorf("the go command takes GoNB from %s, %v", got, err)
	}
	if read(toolsDir+"/go.mod")+read(toolsDir+"/go.sum") != before {
		t.Error("go.mod or go.sum of the checkout has changed")
	}

	// A patch that does not fit is an error with the output of git.
	if err := applyPatch(t.Context(), root, filepath.Join(dir, "gonb")); err == nil ||
		!strings.Contains(err.Error(), "patch does not apply") {
		t.Errorf("applied twice, the error is %v, expected that the patch does not apply", err)
	}
}
