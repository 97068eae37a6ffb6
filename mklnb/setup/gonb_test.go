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

// TestEdits: an edit that does not fit its file is refused, so that another version of GoNB cannot lose one
// unseen; those of the pinned version are applied when it is built.
func TestEdits(t *testing.T) {
	e := edit{7, "a.go", "old\n", "new\n"}
	for content, want := range map[string]string{"1\nold\n2\n": "1\nnew\n2\n", "1\n": "", "old\nold\n": ""} {
		got, err := e.apply(content)
		if got != want || (err == nil) != (want != "") || err != nil &&
			!strings.Contains(err.Error(), gonbPatch+":7: a.go of GoNB holds") {
			t.Errorf("%q becomes %q, %v, expected %q", content, got, err, want)
		}
	}
}

// TestReadEdits: a diff is read as git and patch read it, and one that is cut or miscounted is refused with its line.
func TestReadEdits(t *testing.T) {
	const good = "why\n--- a/x/y.go\n+++ b/x/y.go\n@@ -1,3 +1,3 @@ func f\n \n-old\n+new\n after\n\nmore words\n" +
		"@@ -9,1 +9,2 @@\n last\n+added\n"
	want := []edit{{4, "x/y.go", "\nold\nafter\n", "\nnew\nafter\n"}, {11, "x/y.go", "last\n", "last\nadded\n"}}
	if got, err := edits(good); err != nil || !slices.Equal(got, want) {
		t.Errorf("read %+v, %v, expected %+v", got, err, want)
	}
	for text, want := range map[string]string{
		"words alone\n": "has no hunk whole",
		strings.Replace(good, "-9,1 +9,2", "-9,1 +9,4", 1): "not a line of the hunk of line 11",
		// an editor took the space
		strings.Replace(good, "\n \n", "\n\n", 1):            ":5: not a line of the hunk of line 4",
		strings.TrimSuffix(good, "+added\n"):                 ":13: not a line of the hunk of line 11",
		strings.Replace(good, "-9,1 +9,2", "-9,2 +9,3", 1):   ":14: not a line",
		strings.Replace(good, "-1,3 +1,3", "-1,2 +1,3", 1):   ":8: not a line of the hunk of line 4",
		strings.Replace(good, "-1,3 +1,3", "-1 +1", 1):       ":4: ",
		strings.Replace(good, "+++ b/x/y.go", "+++ y.go", 1): ":4: ",
	} {
		if got, err := edits(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: read %+v, %v, expected an error with %q", text, got, err, want)
		}
	}
}

// TestPatch: every part of the edits of GoNB says why it is there and what happens without it, and names what it
// edits; where git is, git reads them as we do.
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
			t.Errorf("part %d is headed %q", i+1, title)
		}
		words, _, found := strings.Cut(part, "\n--- a/")
		if !found || !strings.Contains(words, "\nWhy: ") || !strings.Contains(words, "\nWithout: ") {
			t.Errorf("part %s: expected Why: and Without: before its first --- a/", title)
		}
		if ours := strings.Contains(title, "(not for GoNB)"); ours == strings.Contains(offer,
			fmt.Sprintf("Part %d of", i+1)) {
			t.Errorf("part %s: one that is not for GoNB is not in upstream.md, and every other is", title)
		}
	}
	if len(parts) == 0 {
		t.Error("no part in the patch")
	}

	// The copy stands in a folder whose name has a space, the go command reads the go.mod that names it, and the
	// checkout's own stay as they were.
	root, dir := must(filepath.Abs("../..")), filepath.Join(t.TempDir(), "a folder")
	try(os.Mkdir(dir, 0o755))
	before := read(toolsDir+"/go.mod") + read(toolsDir+"/go.sum")
	modfile, err := patchedGoNB(t.Context(), "go", root, dir)
	if err != nil && strings.Contains(err.Error(), "go mod download") {
		t.Skip(err) // without a network and without the module
	}
	try(err)
	cmd := exec.Command("go", "list", "-modfile="+modfile, "-m", "-f", "{{.Dir}}", gonbPath)
	cmd.Dir = filepath.Join(root, toolsDir)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	out, err := cmd.CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != filepath.Join(dir, "gonb") {
		t.Errorf("GoNB is taken from %s, %v", got, err)
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
	list := must(edits(patch))
	apply(patch, "--reverse")
	for _, e := range list {
		content, err := os.ReadFile(filepath.Join(dir, "gonb", filepath.FromSlash(e.file)))
		if err != nil || strings.Contains(string(content), e.new) {
			t.Errorf("%s:%d: taken back by git, %s holds the edit still (%v)", gonbPatch, e.line, e.file, err)
		}
	}
}
