package setup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// The tools of the kernel, by the package each is: GoNB as pinned in tools/go.mod and edited (gonbEdits), and a
// goimports of that module itself, which asks the go command for less than the program of that name.
var kernelTools = []struct{ name, path string }{
	{"gonb", gonbPath},
	{"goimports", module + "/" + toolsDir + "/goimports"},
}

// toolsDir is the module of the tools, relative to the checkout: a module of its own, so that
// what they need is not what the library needs.
const toolsDir = "mklnb/setup/tools"

// tools returns the folder that holds them: that of the
// PATH when it does (as in an image), otherwise one in the cache folder, built now if need be.
func tools(ctx context.Context, root, cache string, say func(string)) (string, error) {
	f := newFingerprint()
	f.add("go", []byte(runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH))
	if err := f.addTree(root, toolsDir, compiled); err != nil {
		return "", err
	}
	f.add("edits", fmt.Append(nil, gonbEdits))
	dir := filepath.Join(cache, "tools-"+f.String())
	if exists(dir) { // renamed into place when whole
		return dir, nil
	}
	if dir, ok := installedTools(root); ok {
		return dir, nil
	}
	err := locked(cache, "tools", say, func() error {
		if exists(dir) {
			return nil
		}
		return buildTools(ctx, root, dir, say)
	})
	if err != nil {
		return "", err
	}
	prune(cache, "tools-", dir, 90*24*time.Hour)
	return dir, nil
}

// installedTools is the folder of PATH that holds GoNB, if every tool is in it, and their build
// information says that they are those, and GoNB in the pinned version, edited.
func installedTools(root string) (string, bool) {
	pinned, err := os.ReadFile(filepath.Join(root, toolsDir, "go.mod"))
	if err != nil {
		return "", false
	}
	gonb, err := exec.LookPath("gonb")
	if err != nil {
		return "", false
	}
	dir := filepath.Dir(gonb)
	for _, tool := range kernelTools {
		built, version, edited := builtFrom(filepath.Join(dir, tool.name))
		if built != tool.path || tool.name == "gonb" && !(edited && pins(string(pinned), tool.path, version)) {
			return "", false
		}
	}
	return dir, true
}

// builtFrom is the package that the program at path was built from, the version of its module and whether
// that was replaced by another folder, by its build information. The go command reads it: package debug/buildinfo would bring eight more into
// every cell, which links this package for Renderer.
func builtFrom(path string) (pkg, version string, replaced bool) {
	out, err := exec.Command("go", "version", "-m", path).Output()
	if err != nil {
		return "", "", false
	}
	for line := range strings.Lines(string(out)) {
		switch words := strings.Fields(line); {
		case len(words) >= 2 && words[0] == "path":
			pkg = words[1]
		case len(words) >= 3 && words[0] == "mod":
			version = words[2]
		case len(words) >= 2 && words[0] == "=>":
			replaced = true
		}
	}
	return pkg, version, replaced
}

// pins reports whether the module file mod requires module in exactly that version.
func pins(mod, module, version string) bool {
	for line := range strings.Lines(mod) {
		words := strings.Fields(line)
		if len(words) > 0 && words[0] == "require" {
			words = words[1:]
		}
		if len(words) >= 2 && words[0] == module {
			return words[1] == version
		}
	}
	return false
}

// Tools builds GoNB, as pinned and edited, and its tools into the folder dir, which may not be there yet: an image
// has it on its PATH, where Ensure finds it.
func Tools(ctx context.Context, dir string, say func(string)) error {
	root, err := Root()
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	if exists(dir) {
		return fmt.Errorf("setup: %s is there already, expected a new folder", dir)
	}
	return buildTools(ctx, root, dir, say)
}

// buildTools installs the tools of the pinned module into dir, all or nothing.
func buildTools(ctx context.Context, root, dir string, say func(string)) error {
	gotool, err := exec.LookPath("go")
	if err != nil {
		return fmt.Errorf("setup: the kernel GoNB must be built and the go command is not on PATH: %w", err)
	}
	say("building GoNB and its tools (once)")
	start := time.Now()
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".building-tools-*")
	if err != nil {
		return fmt.Errorf("setup: cache folder: %w", err)
	}
	defer os.RemoveAll(tmp)
	failed := func(err error, out string) error {
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("setup: build GoNB: %w", ctx.Err())
		case needsNetwork(out):
			return errNoNetwork("the Go modules of GoNB", out)
		}
		return fmt.Errorf("setup: build GoNB: %w: %s", err, lastLine(out))
	}
	src, err := os.MkdirTemp(filepath.Dir(dir), ".building-gonb-*")
	if err != nil {
		return fmt.Errorf("setup: cache folder: %w", err)
	}
	defer os.RemoveAll(src)
	modfile, err := patchedGoNB(ctx, gotool, root, src)
	if err != nil {
		return failed(err, err.Error())
	}
	cmd := exec.CommandContext(ctx, gotool, "install", "-C", filepath.Join(root, toolsDir), "-modfile="+modfile, "-ldflags=-s -w", "tool")
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOBIN="+tmp, "GOOS=", "GOARCH=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return failed(err, string(out))
	}
	for _, tool := range kernelTools {
		if !exists(filepath.Join(tmp, tool.name)) {
			return fmt.Errorf("setup: build GoNB: %s was not built: has %s lost its tool line?", tool.name, filepath.Join(toolsDir, "go.mod"))
		}
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return fmt.Errorf("setup: build GoNB: %w", err)
	}
	if err := os.Rename(tmp, dir); err != nil {
		return fmt.Errorf("setup: build GoNB: %w", err)
	}
	say("GoNB and its tools built in " + since(start))
	return nil
}
