package setup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// programs are executables that the go command builds into one folder.
type programs struct {
	kind    string   // tools, renderer or gopls: the prefix of the folder's name, and the name of the lock
	dir     string   // the folder
	sources string   // fingerprint of the sources
	names   []string // file names

	// build builds the programs into the folder target.
	build func(ctx context.Context, target string) error
}

// builtFrom is the file beside the programs that holds the fingerprint of their sources.
const builtFrom = "built-from"

// isComplete reports whether the folder holds all programs, built from these sources.
func (p programs) isComplete() bool {
	sources, err := os.ReadFile(filepath.Join(p.dir, builtFrom))
	isMissing := func(name string) bool { return !pathExists(filepath.Join(p.dir, name)) }
	return err == nil && string(sources) == p.sources && !slices.ContainsFunc(p.names, isMissing)
}

// ensure builds the programs if the folder is not complete. If several processes need them at the same time, one builds
// them and the others wait.
func (p programs) ensure(ctx context.Context, cache string, say func(string)) error {
	if p.isComplete() {
		return nil
	}
	return withLock(ctx, cache, p.kind, say, func() error {
		if p.isComplete() { // another process has built them meanwhile
			return nil
		}
		return p.buildInto(ctx, cache)
	})
}

// buildInto builds the programs in a temporary folder inside parent and moves the result to p.dir.
func (p programs) buildInto(ctx context.Context, parent string) error {
	tmp := filepath.Join(parent, ".building-"+p.kind)
	if err := os.RemoveAll(tmp); err != nil { // a killed setup left it
		return cacheError(err)
	}
	defer os.RemoveAll(tmp)
	bin := filepath.Join(tmp, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return cacheError(err)
	}
	if err := p.build(ctx, bin); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(bin, builtFrom), []byte(p.sources)); err != nil {
		return err
	}
	if err := os.RemoveAll(p.dir); err != nil {
		return cacheError(err)
	}
	if err := os.Rename(bin, p.dir); err != nil {
		return cacheError(err)
	}
	return nil
}

// goBuild runs the go command with these variables and arguments, without cgo. product names the result in messages.
func goBuild(ctx context.Context, say func(string), product string, env []string, args ...string) error {
	path, err := goCommand(product)
	if err != nil {
		return err
	}
	say("building " + product + " (once)")
	start := time.Now()
	cmd := supervisedCommand(ctx, path, args...)
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0"), env...)
	if output, err := cmd.CombinedOutput(); err != nil {
		return commandError(ctx, "build "+product+" (the first time needs the network)", err, string(output))
	}
	say(product + " built in " + time.Since(start).Round(100*time.Millisecond).String())
	return nil
}

// goCommand returns the path of the go command. The error names product, the result that needs the command.
func goCommand(product string) (string, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("setup: build %s: the go command is not on PATH: %w; install Go", product, err)
	}
	return path, nil
}
