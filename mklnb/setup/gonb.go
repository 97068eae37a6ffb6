package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

const gonbPath = "github.com/janpfeifer/gonb"

// gonbPatch is the path of a unified diff of the sources of the pinned GoNB. It is in the folder of the go.mod
// that pins GoNB. Each part of the diff states why it is needed and what happens without it.
const gonbPatch = toolsDir + "/gonb.patch"

// patchGoNB copies the pinned GoNB to dir/gonb and applies gonbPatch to the copy. It returns the path of a go.mod in
// dir. With this go.mod, the go command builds the tools from the copy.
func patchGoNB(ctx context.Context, root, dir string) (modfile string, err error) {
	tools := filepath.Join(root, toolsDir)
	modFiles := map[string][]byte{}
	for _, name := range []string{"go.sum", "go.mod"} { // the go command may add lines to these copies
		if modFiles[name], err = os.ReadFile(filepath.Join(tools, name)); err != nil {
			return "", fmt.Errorf("setup: %w", err)
		}
		if err := writeFile(filepath.Join(dir, name), modFiles[name]); err != nil {
			return "", err
		}
	}
	modfile = filepath.Join(dir, "go.mod")
	const action = "fetch GoNB"
	vars := []string{"GOFLAGS="}
	if _, err := runGo(ctx, tools, action, vars, "mod", "download", "-modfile="+modfile, gonbPath); err != nil {
		return "", err
	}
	moduleFolder, err := runGo(ctx, tools, action, vars, "list", "-m", "-modfile="+modfile, "-f", "{{.Dir}}", gonbPath)
	if err != nil {
		return "", err
	}
	gonb := filepath.Join(dir, "gonb")
	if err := os.CopyFS(gonb, os.DirFS(moduleFolder)); err != nil {
		return "", fmt.Errorf("setup: cannot copy GoNB: %w", err)
	}
	if err := applyPatch(ctx, root, gonb); err != nil {
		return "", err
	}
	replaceLine := "\nreplace " + gonbPath + " => " + strconv.Quote(gonb) + "\n" // a path may contain spaces
	return modfile, writeFile(modfile, append(modFiles["go.mod"], replaceLine...))
}

// applyPatch applies gonbPatch of the checkout root to the copy of GoNB in dir. If a hunk does not fit, tools/go.mod
// may pin another version of GoNB.
func applyPatch(ctx context.Context, root, dir string) error {
	cmd := supervisedCommand(ctx, "git", "apply", filepath.Join(root, filepath.FromSlash(gonbPatch)))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir)) // git must ignore repositories above
	if output, err := cmd.CombinedOutput(); err != nil {
		return commandError(ctx, "apply "+gonbPatch+" by git to the version of GoNB in "+toolsDir+"/go.mod", err,
			string(output))
	}
	return nil
}
