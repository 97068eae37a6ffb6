package setup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// toolNames are the tools of the kernel: GoNB as pinned in tools/go.mod and edited (gonbPatch), and the goimports that
// it calls.
var toolNames = []string{"gonb", "goimports"}

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
			return buildTools(ctx, root, to, lock, say)
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
	return goBuild(ctx, lock, say, "gopls, which completes names in cells",
		[]string{"GOFLAGS=", "GOBIN=" + dir, "GOOS=",
			"GOARCH="}, "install", "-ldflags=-s -w", goplsModule)
}

// buildTools installs the tools of the pinned module into the folder to. What it starts holds lock.
func buildTools(ctx context.Context, root, to string, lock *os.File, say func(string)) error {
	const what = "GoNB and its tools"
	gotool, err := goCommand(what)
	if err != nil {
		return err
	}
	source := filepath.Join(to, "source") // removed with what else is not a tool
	if err := os.Mkdir(source, 0o755); err != nil {
		return cacheError(err)
	}
	modfile, err := patchedGoNB(ctx, gotool, root, source)
	if err != nil {
		return failure(ctx, "build "+what, "the Go modules of GoNB", err, err.Error(), lastLine(err.Error()))
	}
	return goBuild(ctx, lock, say, what, []string{"GOFLAGS=-mod=readonly", "GOBIN=" + to, "GOOS=", "GOARCH="},
		"install", "-C", filepath.Join(root, toolsDir), "-modfile="+modfile, "-ldflags=-s -w", "tool")
}
