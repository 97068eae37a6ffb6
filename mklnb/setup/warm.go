package setup

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

// cellPatterns are the packages that cells import, for go list. Package viz/render, which cells do not link, is
// excluded.
var cellPatterns = []string{"./mklnb", "./algos/...", "./data", "./viz"}

// warmCaches fills the caches of the go command: it fetches the modules of the checkout and compiles the packages that
// cells import, with the variables of the kernel. The first cell is then as fast as the second and needs no network.
// All modules of go.mod are fetched, because a cell may import any of them. If nothing has changed, the go command
// takes less than a second. A marker file records that this checkout was compiled before; then nothing is reported, or
// only the end if it took more than 10 s.
func (e *Env) warmCaches(ctx context.Context, say func(string)) error {
	spec, err := readSpec(e.Root)
	if err != nil {
		return err
	}
	marker, start := filepath.Join(e.Cache, "warm-"+hashText(e.Root)), time.Now()
	isFirst := !pathExists(marker)
	if isFirst {
		say("fetching modules and compiling the packages that cells import")
	}
	compile := append([]string{"list", "-deps", "-export", "-f", ""}, cellPatterns...)
	for _, args := range [][]string{{"mod", "download"}, compile} {
		cmd := supervisedCommand(ctx, e.Go, args...)
		cmd.Dir = e.Root
		cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED="+spec.Env["CGO_ENABLED"],
			"GOFLAGS="+spec.Env["GOFLAGS"])
		if output, err := cmd.CombinedOutput(); err != nil {
			return commandError(ctx, "compile the packages that cells import (the first time needs the network): go "+
				args[0], err, string(output))
		}
	}
	if isFirst || time.Since(start) > 10*time.Second {
		say("compiled in " + time.Since(start).Round(100*time.Millisecond).String())
	}
	if !isFirst {
		return nil
	}
	return writeFile(marker, nil)
}
