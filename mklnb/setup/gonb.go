package setup

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
)

const gonbPath = "github.com/janpfeifer/gonb"

// gonbPatch is the path of a unified diff of the sources of the pinned GoNB. It is in the folder of the go.mod
// that pins GoNB. Each part of the diff states why it is needed and what happens without it.
const gonbPatch = toolsDir + "/gonb.patch"

// gonbPackages contains the packages of this checkout that the patched GoNB imports, from its own folder internal. They
// import only the standard library and golang.org/x/sys, which GoNB requires.
var gonbPackages = []string{"mklnb/setup/cells", "mklnb/setup/processes"}

// hashTools returns a hash of the sources of the tools.
func hashTools(root string) (string, error) {
	return hashSources(root, append([]string{toolsDir}, gonbPackages...)...)
}

// patchGoNB copies the GoNB that the checkout pins to outputFolder/gonb, adds gonbPackages and applies gonbPatch. It
// returns the path of a go.mod in outputFolder. With this go.mod, the go command builds the tools from the copy.
func patchGoNB(ctx context.Context, checkoutRoot, outputFolder string) (modfile string, err error) {
	tools := filepath.Join(checkoutRoot, toolsDir)
	modFiles := map[string][]byte{}
	for _, name := range []string{"go.sum", "go.mod"} { // copies, because the go command may add lines
		if modFiles[name], err = os.ReadFile(filepath.Join(tools, name)); err != nil {
			return "", fmt.Errorf("setup: %w", err)
		}
		if err := writeFile(filepath.Join(outputFolder, name), modFiles[name]); err != nil {
			return "", err
		}
	}
	modfile = filepath.Join(outputFolder, "go.mod")
	const action = "fetch GoNB"
	vars := []string{"GOFLAGS="}
	if _, err := runGo(ctx, tools, action, vars, "mod", "download", "-modfile="+modfile, gonbPath); err != nil {
		return "", err
	}
	moduleFolder, err := runGo(ctx, tools, action, vars, "list", "-m", "-modfile="+modfile, "-f", "{{.Dir}}", gonbPath)
	if err != nil {
		return "", err
	}
	gonbFolder := filepath.Join(outputFolder, "gonb")
	if err := os.CopyFS(gonbFolder, os.DirFS(moduleFolder)); err != nil {
		return "", fmt.Errorf("setup: cannot copy GoNB: %w", err)
	}
	for _, name := range gonbPackages {
		source := os.DirFS(filepath.Join(checkoutRoot, filepath.FromSlash(name)))
		if err := os.CopyFS(filepath.Join(gonbFolder, "internal", path.Base(name)), source); err != nil {
			return "", fmt.Errorf("setup: cannot copy %s: %w", name, err)
		}
	}
	if err := applyPatch(ctx, checkoutRoot, gonbFolder); err != nil {
		return "", err
	}
	replaceLine := "\nreplace " + gonbPath + " => " + strconv.Quote(gonbFolder) + "\n" // a path may contain spaces
	return modfile, writeFile(modfile, append(modFiles["go.mod"], replaceLine...))
}

// applyPatch applies gonbPatch of the checkout root to the copy of GoNB in dir. If a hunk does not fit, tools/go.mod
// may pin another version of GoNB.
func applyPatch(ctx context.Context, root, dir string) error {
	cmd := commandEndingWithParent(ctx, "git", "apply", filepath.Join(root, filepath.FromSlash(gonbPatch)))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir)) // git ignores repositories above dir
	if output, err := cmd.CombinedOutput(); err != nil {
		return commandError(ctx, "apply "+gonbPatch+" by git to the version of GoNB in "+toolsDir+"/go.mod", err,
			string(output))
	}
	return nil
}
