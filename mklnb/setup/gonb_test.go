package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPatch tests that the patch fits the pinned version of GoNB, but not a version that contains it already.
func TestPatch(t *testing.T) {
	read := func(name string) string {
		t.Helper()
		content := must(os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name))))
		return string(content)
	}

	// The name of the copy's folder contains a space. The go command reads the go.mod that names the copy, and the
	// checkout's own go.mod and go.sum do not change.
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	root, dir := must(filepath.Abs("../..")), filepath.Join(t.TempDir(), "a folder")
	before := read(toolsDir+"/go.mod") + read(toolsDir+"/go.sum")
	modfile, err := patchGoNB(t.Context(), root, dir)
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

// TestUpstream tests that upstream.md has an issue for each part of the patch, and for no part that is not for GoNB.
func TestUpstream(t *testing.T) {
	patch := string(must(os.ReadFile("tools/gonb.patch")))
	issues := string(must(os.ReadFile("upstream.md")))
	parts := regexp.MustCompile(`(?m)^(Part \d+)\. (.*)$`).FindAllStringSubmatch(patch, -1)
	for _, part := range parts {
		if strings.Contains(part[2], "not for GoNB") == strings.Contains(issues, "Patch: "+part[1]+" ") {
			t.Errorf("%s (%s): an issue is missing, or is one too many", part[1], part[2])
		}
	}
	if len(parts) == 0 {
		t.Error("the patch has no parts")
	}
}
