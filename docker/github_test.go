//go:build unix

package docker

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// linter is the checker of workflows, which the go command fetches and builds outside the module.
const linter = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"

// lint runs the linter, without the programs that it would call if they were there.
func lint(args ...string) (string, error) {
	cmd := exec.Command("go", append([]string{"run", linter, "-no-color", "-shellcheck=", "-pyflakes="}, args...)...)
	cmd.Dir, cmd.Env = "..", append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// workflows are the files of .github/workflows.
func workflows(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../.github/workflows/*")
	if err != nil || len(list) == 0 {
		t.Fatalf("no workflow found (%v)", err)
	}
	return list
}

// TestActionlint: the workflows are what GitHub reads; a job without its runs-on is found.
func TestActionlint(t *testing.T) {
	testenv.Long(t)
	if out, err := lint("-version"); err != nil {
		testenv.Lacks(t, "actionlint is not here and cannot be fetched: "+out)
	}
	for _, path := range workflows(t) {
		if out, err := lint(strings.TrimPrefix(path, "../")); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		broken := filepath.Join(t.TempDir(), "broken.yml")
		text := regexp.MustCompile(`(?m)^ +runs-on: .*\n`).ReplaceAllString(read(t, path), "")
		try(os.WriteFile(broken, []byte(text), 0o644))
		if out, err := lint(broken); err == nil || !strings.Contains(out, `"runs-on" section is missing`) {
			t.Errorf("%s without runs-on: %v: %s", path, err, out)
		}
	}
}

var action = regexp.MustCompile(`uses: +[a-z-]+/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)

// TestWorkflows: what others wrote is taken by its commit, with its version beside it; ci runs the README's second
// command, and vets for six pairs of system and architecture.
func TestWorkflows(t *testing.T) {
	for _, path := range workflows(t) {
		for line := range strings.Lines(read(t, path)) {
			if strings.Contains(line, "uses:") && !action.MatchString(strings.TrimSpace(line)) {
				t.Errorf("%s: %q, expected owner/name@ and 40 digits # v and the version", path,
					strings.TrimSpace(line))
			}
		}
	}
	ci := read(t, "../.github/workflows/ci.yml")
	second := regexp.MustCompile(`(?m)^go test .*?\./\.\.\.`).FindString(read(t, "../README.md"))
	if second == "" {
		t.Error("the README has no line that begins with go test and ends with ./...")
	}
	for _, want := range []string{
		"\n      - run: " + second + "\n", "os: [ubuntu-24.04, ubuntu-24.04-arm, macos-15]",
		"goos: [linux, darwin, windows]", "goarch: [amd64, arm64]", "\n      - run: go vet ./...\n",
		"-f .binder/Dockerfile",
		"-le 950\n",
	} {
		if !strings.Contains(ci, want) {
			t.Errorf("ci.yml has no %q", want)
		}
	}
}

// TestPin: docker/pin writes the digests that the registry says into both files, again where they have changed, and
// nothing where an answer is none.
func TestPin(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not on PATH")
	}
	dir := t.TempDir()
	put := func(name, content string, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(dir, name)
		try(os.MkdirAll(filepath.Dir(path), 0o755))
		try(os.WriteFile(path, []byte(content), mode))
	}
	plain := unpinned(read(t, "Dockerfile"))
	put("docker/Dockerfile", plain, 0o644)
	put(".binder/Dockerfile", plain, 0o644)
	put("docker/pin", read(t, "pin"), 0o755)
	run := func(answer string) (dockerfile string, err error) {
		t.Helper()
		put("bin/docker", "#!/bin/sh\ncase \"$4\" in *@*) exit 1;; esac\n"+answer+"\n", 0o755)
		cmd := exec.Command("bash", filepath.Join(dir, "docker", "pin"))
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
		_, err = cmd.CombinedOutput()
		content := read(t, filepath.Join(dir, "docker", "Dockerfile"))
		if content != read(t, filepath.Join(dir, ".binder", "Dockerfile")) {
			t.Errorf("%s: the two files differ", answer)
		}
		return content, err
	}
	for _, digit := range []string{"a", "b"} { // the second time over the first
		digest := "sha256:" + strings.Repeat(digit, 64)
		got, err := run("echo " + digest)
		if n := strings.Count(got, "@"+digest+"\n"); err != nil || n != 2 || unpinned(got) != plain {
			t.Errorf("%d digests of %s are in the file, %v, expected 2", n, digit, err)
		}
		for _, fault := range faults(got, moduleGo(t)) {
			t.Errorf("pinned: %s", fault)
		}
	}
	before := read(t, filepath.Join(dir, "docker", "Dockerfile"))
	for _, answer := range []string{"echo none", "exit 1", "case \"$4\" in golang*) echo sha256:" +
		strings.Repeat("c", 64) + ";; *) echo;; esac"} {
		if got, err := run(answer); err == nil || got != before {
			t.Errorf("%s: %v, expected an error and the files as they were", answer, err)
		}
	}
}
