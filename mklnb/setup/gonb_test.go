package setup

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestApply tests that an edit that does not fit its file is an error, so that another version of GoNB cannot silently
// lose one.
func TestApply(t *testing.T) {
	e := edit{7, "a.go", "old\n", "new\n"}
	for content, want := range map[string]string{"1\nold\n2\n": "1\nnew\n2\n", "1\n": "", "old\nold\n": ""} {
		got, err := e.apply(content)
		if got != want || (err == nil) != (want != "") || err != nil &&
			!strings.Contains(err.Error(), gonbPatch+":7: the old text of this hunk occurs") {
			t.Errorf("%q becomes %q, %v, expected %q", content, got, err, want)
		}
	}
}

// TestParseDiff tests that a diff is read as by git, and that a truncated or miscounted one is an error with its line.
func TestParseDiff(t *testing.T) {
	const good = "why\n--- a/x/y.go\n+++ b/x/y.go\n@@ -1,3 +1,3 @@ func f\n \n-old\n+new\n after\n\nmore words\n" +
		"@@ -9,1 +9,2 @@\n last\n+added\n"
	want := []edit{{4, "x/y.go", "\nold\nafter\n", "\nnew\nafter\n"}, {11, "x/y.go", "last\n", "last\nadded\n"}}
	if got, err := parseDiff(good); err != nil || !slices.Equal(got, want) {
		t.Errorf("read %+v, %v, expected %+v", got, err, want)
	}
	for text, want := range map[string]string{
		"words alone\n": "the last hunk is incomplete, or there is none",
		strings.Replace(good, "-9,1 +9,2", "-9,1 +9,4", 1): "not a line of the hunk of line 11",
		// an editor took the space
		strings.Replace(good, "\n \n", "\n\n", 1):            ":5: not a line of the hunk of line 4",
		strings.TrimSuffix(good, "+added\n"):                 ":13: not a line of the hunk of line 11",
		strings.Replace(good, "-9,1 +9,2", "-9,2 +9,3", 1):   ":14: not a line",
		strings.Replace(good, "-1,3 +1,3", "-1,2 +1,3", 1):   ":8: not a line of the hunk of line 4",
		strings.Replace(good, "-1,3 +1,3", "-1 +1", 1):       ":4: ",
		strings.Replace(good, "+++ b/x/y.go", "+++ y.go", 1): ":4: ",
	} {
		if got, err := parseDiff(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: read %+v, %v, expected an error with %q", text, got, err, want)
		}
	}
}

// TestPatch tests that every part of the patch states why it is needed and what happens without it, that the patch fits
// the pinned version of GoNB, and that git, if it is installed, reverts it.
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

	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	apply := func(input string, args ...string) {
		t.Helper()
		cmd := exec.Command(git, append([]string{"apply"}, args...)...)
		cmd.Dir, cmd.Stdin = filepath.Join(dir, "gonb"), strings.NewReader(input)
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("git apply %q: %v: %s", args, err, out)
		}
	}
	list := must(parseDiff(patch))
	apply(patch, "--reverse")
	for _, e := range list {
		content, err := os.ReadFile(filepath.Join(dir, "gonb", filepath.FromSlash(e.file)))
		if err != nil || strings.Contains(string(content), e.new) {
			t.Errorf("%s:%d: after git apply --reverse, %s still contains the edit (%v)", gonbPatch, e.line, e.file, err)
		}
	}
}
