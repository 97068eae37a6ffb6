package setup

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
)

// toolNames are the programs of the kernel: GoNB, pinned in tools/go.mod and patched (gonbPatch), and goimports, which
// GoNB calls.
var toolNames = []string{"gonb", "goimports"}

// toolsDir is the folder of the module of the tools, relative to the checkout. The tools have a separate module so that
// the go.mod of the library does not require their modules.
const toolsDir = "mklnb/setup/tools"

// toolsSources returns a fingerprint of the sources of the tools: the module and the patch, which are in one folder.
func toolsSources(root string) (string, error) {
	f := newFingerprint()
	if err := f.addTree(root, toolsDir, isNonTest); err != nil {
		return "", err
	}
	return f.String(), nil
}

// ensureTools returns the folder of the tools. If a folder on PATH has the tools, built from the same sources, as in an
// image, it is that folder. Otherwise it is a folder in the cache, in which ensureTools builds the tools if necessary.
func ensureTools(ctx context.Context, root, cache string, say func(string)) (string, error) {
	sources, err := toolsSources(root)
	if err != nil {
		return "", err
	}
	f := newFingerprint()
	f.add("go", []byte(runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH))
	f.add("tools", []byte(sources))
	p := toolPrograms(root, filepath.Join(cache, "tools-"+f.String()), sources, say)
	if gonb, err := exec.LookPath("gonb"); err == nil {
		if installed := toolPrograms(root, filepath.Dir(gonb), sources, say); installed.isComplete() {
			return installed.dir, nil
		}
	}
	return p.dir, p.ensure(ctx, cache, say)
}

// toolPrograms returns the tools in the folder dir. sources is the fingerprint of their sources.
func toolPrograms(root, dir, sources string, say func(string)) programs {
	return programs{kind: "tools", dir: dir, sources: sources, names: toolNames,
		build: func(ctx context.Context, to string) error { return installTools(ctx, root, to, say) }}
}

// BuildTools builds GoNB, pinned and patched, and its tools into the folder dir, which must not exist yet. An image has
// dir on its PATH, where Ensure finds the tools.
func BuildTools(ctx context.Context, dir string, say func(string)) error {
	root, err := Root()
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	if pathExists(dir) {
		return fmt.Errorf("setup: %s already exists; name a new folder", dir)
	}
	sources, err := toolsSources(root)
	if err != nil {
		return err
	}
	return toolPrograms(root, dir, sources, nonNilSay(say)).buildInto(ctx, filepath.Dir(dir))
}

// installTools builds the tools into the folder dir.
func installTools(ctx context.Context, root, dir string, say func(string)) error {
	const product = "GoNB and its tools"
	path, err := goCommand(product)
	if err != nil {
		return err
	}
	modfile, err := patchGoNB(ctx, path, root, filepath.Join(filepath.Dir(dir), "source"))
	if err != nil {
		return err
	}
	return goBuild(ctx, say, product, []string{"GOFLAGS=-mod=readonly", "GOBIN=" + dir, "GOOS=", "GOARCH="},
		"install", "-C", filepath.Join(root, toolsDir), "-modfile="+modfile, "-ldflags=-s -w", "tool")
}

// goplsModule is the module path and version of gopls, which completes and explains names in cells. GoNB starts the
// gopls on its PATH.
const goplsModule = "golang.org/x/tools/gopls@v0.23.0"

// goplsPrograms returns gopls in the cache folder.
func goplsPrograms(cache string, say func(string)) programs {
	name := "gopls-" + hashText(goplsModule+" "+runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH)
	return programs{kind: "gopls", dir: filepath.Join(cache, name), sources: goplsModule, names: []string{"gopls"},
		build: func(ctx context.Context, to string) error { return BuildGopls(ctx, to, say) }}
}

// EnsureGopls builds gopls into the cache folder if it is not there. Ensure then finds it.
func EnsureGopls(ctx context.Context, say func(string)) error {
	say = nonNilSay(say)
	cache, err := CacheDir()
	if err != nil {
		return err
	}
	return goplsPrograms(cache, say).ensure(ctx, cache, say)
}

// BuildGopls builds gopls into the folder dir. In an image, dir is the folder of the tools.
func BuildGopls(ctx context.Context, dir string, say func(string)) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	return goBuild(ctx, nonNilSay(say), "gopls, which completes names in cells",
		[]string{"GOFLAGS=", "GOBIN=" + dir, "GOOS=", "GOARCH="}, "install", "-ldflags=-s -w", goplsModule)
}
