package setup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// The tools of the kernel, by the package of each: GoNB as pinned in tools/go.mod and edited
// (gonbPatch), and the goimports that it calls.
var kernelTools = []struct{ name, path string }{
	{"gonb", gonbPath},
	{"goimports", "golang.org/x/tools/cmd/goimports"},
}

// toolNames are the files that they are.
var toolNames = []string{kernelTools[0].name, kernelTools[1].name}

// toolsDir is the module of the tools, relative to the checkout: a module of its own, so that
// what they need is not what the library needs.
const toolsDir = "mklnb/setup/tools"

// toolsName is a name for what the tools are built from: module and edits, which lie in one folder.
func toolsName(root string) (string, error) {
	f := newFingerprint()
	if err := f.addTree(root, toolsDir, compiled); err != nil {
		return "", err
	}
	return f.String(), nil
}

// tools returns the folder that holds them: that of the
// PATH when it does (as in an image), otherwise one in the cache folder, built now if need be.
func tools(ctx context.Context, root, cache string, say func(string)) (string, error) {
	name, err := toolsName(root)
	if err != nil {
		return "", err
	}
	f := newFingerprint()
	f.add("go", []byte(runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH))
	f.add("tools", []byte(name))
	p := toolPrograms(root, filepath.Join(cache, "tools-"+f.String()), name, say)
	if !p.whole() {
		if dir, ok := installedTools(root); ok {
			return dir, nil
		}
	}
	return p.dir, p.ensure(ctx, cache, say)
}

// toolPrograms are the tools in the folder dir, built from what is called name.
func toolPrograms(root, dir, name string, say func(string)) programs {
	return programs{kind: "tools", dir: dir, from: name, names: toolNames,
		build: func(ctx context.Context, to string, lock *os.File) error {
			return buildTools(ctx, root, to, lock,
				say)
		}}
}

// installedTools is the folder of PATH that holds GoNB, if every tool in it is what Tools built there from the sources
// of this checkout.
func installedTools(root string) (string, bool) {
	gonb, err := exec.LookPath("gonb")
	if err != nil {
		return "", false
	}
	dir := filepath.Dir(gonb)
	name, err := toolsName(root)
	return dir, err == nil && intact(dir, name, toolNames)
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
	name, err := toolsName(root)
	if err != nil {
		return err
	}
	return toolPrograms(root, dir, name, say).make(ctx, filepath.Dir(dir), nil)
}

// goplsModule is what completes names in cells, and says what they are. GoNB starts the one on its PATH.
const goplsModule = "golang.org/x/tools/gopls@v0.23.0"

// goplsPrograms is gopls in the cache folder.
func goplsPrograms(cache string, say func(string)) programs {
	name := "gopls-" + checksum(goplsModule+" "+runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH)
	return programs{kind: "gopls", dir: filepath.Join(cache, name), from: goplsModule, names: []string{"gopls"},
		build: func(ctx context.Context, to string, lock *os.File) error { return Gopls(ctx, to, lock, say) }}
}

// Completion builds gopls into the cache folder, where Ensure finds it from then on.
func Completion(ctx context.Context, say func(string)) error {
	say = orQuiet(say)
	cache, err := CacheDir()
	if err != nil {
		return err
	}
	return goplsPrograms(cache, say).ensure(ctx, cache, say)
}

// Gopls builds gopls into the folder dir: an image has it beside its tools. What it starts holds lock, which may be
// nil.
func Gopls(ctx context.Context, dir string, lock *os.File, say func(string)) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	gotool, err := goCommand("gopls")
	if err != nil {
		return err
	}
	say("building gopls, which completes names in cells (once)")
	start := time.Now()
	cmd := command(ctx, lock, gotool, "install", "-ldflags=-s -w", goplsModule)
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=", "GOBIN="+dir, "GOOS=", "GOARCH=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return failure(ctx, "build gopls", "the Go modules of gopls", err, string(out), lastLine(string(out)))
	}
	say("gopls built in " + since(start))
	return nil
}

// buildTools installs the tools of the pinned module into the folder to. What it starts holds lock.
func buildTools(ctx context.Context, root, to string, lock *os.File, say func(string)) error {
	gotool, err := goCommand("the kernel GoNB")
	if err != nil {
		return err
	}
	say("building GoNB and its tools (once)")
	start := time.Now()
	failed := func(err error, out string) error {
		return failure(ctx, "build GoNB", "the Go modules of GoNB", err, out, lastLine(out))
	}
	source := filepath.Join(to, "source") // removed with what else is not a tool
	if err := os.Mkdir(source, 0o755); err != nil {
		return cacheError(err)
	}
	modfile, err := patchedGoNB(ctx, gotool, root, source)
	if err != nil {
		return failed(err, err.Error())
	}
	cmd := command(ctx, lock, gotool, "install", "-C", filepath.Join(root, toolsDir), "-modfile="+modfile,
		"-ldflags=-s -w", "tool")
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOBIN="+to, "GOOS=",
		"GOARCH=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return failed(err, string(out))
	}
	for _, tool := range kernelTools {
		if !exists(filepath.Join(to, tool.name)) {
			return fmt.Errorf("setup: build GoNB: %s was not built: has %s lost its tool line?", tool.name,
				filepath.Join(toolsDir, "go.mod"))
		}
	}
	say("GoNB and its tools built in " + since(start))
	return nil
}
