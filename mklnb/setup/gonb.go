package setup

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

const gonbPath = "github.com/janpfeifer/gonb"

// gonbPatch is the path of a unified diff that changes the pinned version of GoNB. It is in the folder of the go.mod
// that pins GoNB. Each part of the diff states why it is needed and what happens without it.
const gonbPatch = toolsDir + "/gonb.patch"

// patchGoNB makes the folder dir, copies the pinned GoNB to dir/gonb, and applies gonbPatch to the copy. It returns the
// path of a go.mod in dir. With this go.mod, the go command, at the path goTool, builds the tools from the copy.
func patchGoNB(ctx context.Context, goTool, root, dir string) (modfile string, err error) {
	tools := filepath.Join(root, toolsDir)
	for _, name := range []string{"go.mod", "go.sum"} { // the go command may add lines to these copies
		content, err := os.ReadFile(filepath.Join(tools, name))
		if err != nil {
			return "", fmt.Errorf("setup: %w", err)
		}
		if err := writeFile(filepath.Join(dir, name), content); err != nil {
			return "", err
		}
	}
	modfile = filepath.Join(dir, "go.mod")
	run := func(args ...string) (string, error) {
		cmd := supervisedCommand(ctx, goTool, args...)
		cmd.Dir = tools
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		output, err := cmd.Output()
		if err != nil {
			return "", commandError(ctx, "fetch GoNB (the first time needs the network): go "+args[0], err,
				stderr.String())
		}
		return strings.TrimSpace(string(output)), nil
	}
	if _, err := run("mod", "download", "-modfile="+modfile, gonbPath); err != nil {
		return "", err
	}
	source, err := run("list", "-m", "-modfile="+modfile, "-f", "{{.Dir}}", gonbPath)
	if err != nil {
		return "", err
	}
	copyDir := filepath.Join(dir, "gonb")
	if err := os.CopyFS(copyDir, os.DirFS(source)); err != nil {
		return "", fmt.Errorf("setup: copy GoNB: %w", err)
	}
	if err := applyPatch(ctx, root, copyDir); err != nil {
		return "", err
	}
	mod, err := os.ReadFile(modfile)
	if err != nil {
		return "", fmt.Errorf("setup: %w", err)
	}
	// The name of a folder may contain spaces.
	replaceLine := "\nreplace " + gonbPath + " => " + strconv.Quote(copyDir) + "\n"
	return modfile, writeFile(modfile, []byte(string(mod)+replaceLine))
}

// applyPatch applies gonbPatch of the checkout root to the copy of GoNB in dir. If a hunk does not fit, tools/go.mod
// may pin another version of GoNB.
func applyPatch(ctx context.Context, root, dir string) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o644) // the module cache is read-only
	})
	if err != nil {
		return fmt.Errorf("setup: copy GoNB: %w", err)
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return fmt.Errorf("setup: git, which patches GoNB, is not on PATH: %w; install it", err)
	}
	cmd := supervisedCommand(ctx, git, "apply", filepath.Join(root, filepath.FromSlash(gonbPatch)))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir)) // dir may be inside a repository
	if output, err := cmd.CombinedOutput(); err != nil {
		return commandError(ctx, "apply "+gonbPatch+" to the version of GoNB in "+toolsDir+"/go.mod", err,
			string(output))
	}
	return nil
}
