package setup

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// cellPatterns are the packages that cells import, for go list. Package viz/render, which cells do not link, is
// excluded.
var cellPatterns = []string{"./mklnb", "./algos/...", "./data", "./viz"}

// warmCaches fills the caches of the go command: it fetches the modules of the checkout and compiles the packages that
// cells import, with the variables of the kernel. The first cell is then as fast as the second and needs no network. If
// nothing has changed, the go command takes less than a second.
//
// All modules of go.mod are fetched, because a cell may import any of them, but only if go.mod, go.sum or the module
// cache has changed: a marker file contains the fingerprint of the two files. An image contains only some modules.
func (e *Env) warmCaches(ctx context.Context, say func(string)) error {
	spec, err := readSpec(e.Root)
	if err != nil {
		return err
	}
	run := func(args ...string) (string, error) {
		cmd := supervisedCommand(ctx, e.Go, args...)
		cmd.Dir = e.Root
		cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED="+spec.Env["CGO_ENABLED"],
			"GOFLAGS="+spec.Env["GOFLAGS"])
		output, err := cmd.CombinedOutput()
		if err != nil {
			err = commandError(ctx, "compile the packages that cells import (the first time needs the network): go "+
				args[0], err, string(output))
		}
		return strings.TrimSpace(string(output)), err
	}
	f, start := newFingerprint(), time.Now()
	for _, rel := range []string{"go.mod", "go.sum"} {
		if err := f.addFile(e.Root, rel); err != nil {
			return err
		}
	}
	modules, err := run("env", "GOMODCACHE")
	if err != nil {
		return err
	}
	marker := filepath.Join(e.Cache, "warm-"+hashText(e.Root))
	content, _ := os.ReadFile(marker) // an error means that there is no marker
	isFetched := string(content) == f.String() && pathExists(filepath.Join(modules, "cache", "download"))
	if !isFetched {
		say("fetching modules and compiling the packages that cells import")
		if _, err := run("mod", "download"); err != nil {
			return err
		}
	}
	if _, err := run(append([]string{"list", "-deps", "-export", "-f", ""}, cellPatterns...)...); err != nil {
		return err
	}
	if !isFetched || time.Since(start) > 10*time.Second {
		say("compiled in " + time.Since(start).Round(100*time.Millisecond).String())
	}
	if isFetched {
		return nil
	}
	return writeFile(marker, []byte(f.String()))
}
