package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
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
