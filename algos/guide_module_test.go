package algos_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// TestGuideModule compiles the examples of the guides and the programs as a module of its own that requires this one,
// as a user has them. With MKL_TESTS=all it also runs them there.
func TestGuideModule(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("guide_*_test.go")
	if err != nil || len(files) < 7 {
		t.Fatalf("%d files of guides, %v", len(files), err)
	}
	const module = "module github.com/mklnb/mkl\n"
	contents := map[string]string{}
	for _, path := range append(files, "programs_test.go", "../go.mod", "../go.sum") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		contents[filepath.Base(path)] = string(b)
	}
	delete(contents, "guide_module_test.go")
	if !strings.Contains(contents["go.mod"], module) {
		t.Fatal("go.mod has no line with the module")
	}
	contents["go.mod"] = strings.Replace(contents["go.mod"], module, "module example.com/own\n\n"+
		"require github.com/mklnb/mkl v0.0.0\n\nreplace github.com/mklnb/mkl => "+strconv.Quote(root)+"\n", 1)
	dir := t.TempDir()
	testenv.WriteFiles(t, dir, contents)
	run := func(args ...string) {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	run("vet", "./...")
	testenv.SkipUnlessLong(t)
	run("test", "./...")
}
