package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestTools runs the tests of the module of the tools, which is not part of this one. They need its
// modules, which a set-up has fetched.
func TestTools(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	// The test cache sees what this process reads, not what its child does.
	if err := newFingerprint().addTree(root, toolsDir, func(string) bool { return true }); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-C", filepath.Join(root, toolsDir), "./...")
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly")
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
	case needsNetwork(string(out)) && os.Getenv("MKL_REQUIRE") != "all":
		t.Skip("no network and no modules of the tools: " + networkLine(string(out)))
	default:
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestInstalledTools takes the tools of a folder on PATH, as in an image, and none of them
// where one is missing.
func TestInstalledTools(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	cache, err := CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	built, err := filepath.Glob(filepath.Join(cache, "tools-*"))
	if err != nil || len(built) == 0 {
		t.Skip("no tools were built in " + cache)
	}
	slices.SortFunc(built, func(a, b string) int { return made(a).Compare(made(b)) }) // the last is of this checkout
	dir := t.TempDir()
	for _, tool := range kernelTools {
		content, err := os.ReadFile(filepath.Join(built[len(built)-1], tool.name))
		if err != nil {
			t.Skip(err)
		}
		if err := os.WriteFile(filepath.Join(dir, tool.name), content, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", onlyGo(t)+string(os.PathListSeparator)+dir)
	if got, ok := installedTools(root); !ok || got != dir {
		t.Errorf("the tools on PATH are in %q, %v, want %s", got, ok, dir)
	}
	if err := os.Remove(filepath.Join(dir, "goimports")); err != nil {
		t.Fatal(err)
	}
	if got, ok := installedTools(root); ok {
		t.Errorf("the tools on PATH are in %q without goimports", got)
	}
}

// made is when a file was written.
func made(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
