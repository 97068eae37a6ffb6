package setup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// toolsDir is the folder of the module of the tools, relative to the checkout. The module pins GoNB, which setup
// patches (gonbPatch), and goimports, which GoNB calls. It is a separate module so that the go.mod of the library does
// not require the modules of the tools.
const toolsDir = "mklnb/setup/tools"

// builtFrom is the name of a file beside the tools in a Docker image. It contains the hash of their sources.
const builtFrom = "built-from"

// ensureTools returns the folder of the tools. If a folder on PATH has the tools, built from the same sources, as in
// Docker images, it is that folder. Otherwise it is a cache folder, in which ensureTools builds the tools if necessary.
func ensureTools(ctx context.Context, root string, logLine func(string)) (string, error) {
	hash, err := hashTools(root)
	if err != nil {
		return "", err
	}
	if gonb, err := exec.LookPath("gonb"); err == nil {
		folder := filepath.Dir(gonb)
		if builtHash, err := os.ReadFile(filepath.Join(folder, builtFrom)); err == nil && string(builtHash) == hash {
			return folder, nil
		}
	}
	return ensureCacheFolder(ctx, "tools", hash, logLine,
		func(folder string) error { return installTools(ctx, root, folder, logLine) })
}

// BuildTools builds GoNB, pinned and patched, and its tools into a folder. In a Docker image, this folder is on PATH,
// and Ensure finds the tools there.
func BuildTools(ctx context.Context, folder string, logLine func(string)) error {
	root, err := FindCheckout()
	if err != nil {
		return err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	hash, err := hashTools(root)
	if err != nil {
		return err
	}
	if err := installTools(ctx, root, folder, logLine); err != nil {
		return err
	}
	return writeFile(filepath.Join(folder, builtFrom), []byte(hash))
}

// installTools builds GoNB and its tools, pinned in the checkout, into folder.
func installTools(ctx context.Context, checkoutRoot, folder string, logLine func(string)) error {
	sourceFolder, err := os.MkdirTemp("", "mkl-tools-*")
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	defer os.RemoveAll(sourceFolder)
	modfile, err := patchGoNB(ctx, checkoutRoot, sourceFolder)
	if err != nil {
		return err
	}
	return buildProgram(ctx, logLine, "GoNB and its tools", []string{"GOFLAGS=-mod=readonly", "GOBIN=" + folder},
		"install", "-C", filepath.Join(checkoutRoot, toolsDir), "-modfile="+modfile, "-ldflags=-s -w", "tool")
}

// goplsModule is the module path and version of gopls, which completes and explains names in cells.
const goplsModule = "golang.org/x/tools/gopls@v0.23.0"

// BuildGopls builds gopls into the folder of the tools. GoNB starts the gopls on its PATH, so a Jupyter kernel that
// starts later completes names.
func BuildGopls(ctx context.Context, folder string, logLine func(string)) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	return buildProgram(ctx, logLine, "gopls, which completes names in cells", []string{"GOFLAGS=", "GOBIN=" + folder},
		"install", "-ldflags=-s -w", goplsModule)
}
