package setup

import (
	"context"
	"path/filepath"
	"time"
)

// warmGoCaches fills the caches of the go command: it fetches the modules of the checkout and compiles the packages
// that cells import, with the environment variables of the Jupyter kernel. The first cell is then as fast as the second
// and needs no network. If nothing has changed, the go command takes less than a second.
//
// All modules of go.mod are fetched, because a cell may import any of them, but only if the module cache is missing or
// there is no marker file for go.mod and go.sum, with their hash in its name. A Docker image has this file, so nothing
// is fetched there, although some modules are missing.
func (e *Env) warmGoCaches(ctx context.Context, logLine func(string)) error {
	spec, err := readKernelSpec(e.CheckoutFolder)
	if err != nil {
		return err
	}
	vars := []string{"CGO_ENABLED=" + spec.Env["CGO_ENABLED"], "GOFLAGS=" + spec.Env["GOFLAGS"]}
	const action = "compile the packages that cells import"
	moduleCache, err := runGo(ctx, e.CheckoutFolder, action, vars, "env", "GOMODCACHE")
	if err != nil {
		return err
	}
	hash, err := hashSources(e.CheckoutFolder, "go.mod", "go.sum")
	if err != nil {
		return err
	}
	start, marker := time.Now(), filepath.Join(e.CacheFolder, "warm-"+hash)
	isFetched := pathExists(marker) && pathExists(filepath.Join(moduleCache, "cache", "download"))
	if !isFetched {
		logLine("fetching modules and compiling the packages that cells import (usually one to two minutes)")
		if _, err := runGo(ctx, e.CheckoutFolder, action, vars, "mod", "download"); err != nil {
			return err
		}
	}
	// viz/render is not compiled here, because cells do not link it.
	if _, err := runGo(ctx, e.CheckoutFolder, action, vars, "list", "-deps", "-export", "-f", "", "./mklnb",
		"./algos/...", "./data", "./viz"); err != nil {
		return err
	}
	if !isFetched || time.Since(start) > 10*time.Second {
		logLine("compiled in " + time.Since(start).Round(100*time.Millisecond).String())
	}
	return writeFile(marker, nil)
}
