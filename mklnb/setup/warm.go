package setup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// cellFolders contain the packages that cells import.
var cellFolders = []string{"mklnb", "algos", "data", "viz"}

// cellPatterns are the packages that cells import, for go build. Commands and package viz/render, which cells do not
// link, are excluded.
var cellPatterns = []string{"./mklnb", "./algos/...", "./data", "./viz"}

// warmCaches fills the caches of the go command: it fetches the modules of the checkout and compiles the packages that
// cells import, with the variables of the kernel. The first cell is then as fast as the second and needs no network.
// All modules of go.mod are fetched, because a cell may import any of them.
//
// A marker file contains a fingerprint of the sources and of the go command, and a list of module folders and compiled
// packages. If the fingerprint is the same and all of these exist, nothing is fetched or compiled.
func (e *Env) warmCaches(ctx context.Context, say func(string)) error {
	spec, err := readSpec(e.Root)
	if err != nil {
		return err
	}
	variables := []string{"GOWORK=off", "CGO_ENABLED=" + spec.Env["CGO_ENABLED"], "GOFLAGS=" + spec.Env["GOFLAGS"]}
	run := func(args ...string) (string, error) {
		cmd := supervisedCommand(ctx, e.Go, args...)
		cmd.Dir, cmd.Env = e.Root, append(os.Environ(), variables...)
		output, err := cmd.CombinedOutput()
		if err != nil {
			return "", commandError(ctx, "compile the packages that cells import (the first time needs the "+
				"network): go "+
				args[0], err, string(output))
		}
		return string(output), nil
	}
	version, err := run("env", "GOVERSION", "GOOS", "GOARCH", "GOAMD64", "GOMODCACHE")
	if err != nil {
		return err
	}
	fingerprint, err := cellSources(e.Root, version+strings.Join(variables, "\n"))
	if err != nil {
		return err
	}
	marker := filepath.Join(e.Cache, "warm-"+hashText(e.Root))
	if isMarkerCurrent(marker, fingerprint) {
		return nil
	}
	return withLock(ctx, e.Cache, "warm", say, func() error {
		if isMarkerCurrent(marker, fingerprint) { // another process has compiled them meanwhile
			return nil
		}
		say("fetching modules and compiling the packages that cells import")
		start := time.Now()
		if _, err := run("mod", "download"); err != nil {
			return err
		}
		if _, err := run(append([]string{"build"}, cellPatterns...)...); err != nil {
			return err
		}
		const format = "{{with .Module}}{{.Dir}}{{end}}\n{{.Export}}"
		listed, err := run(append([]string{"list", "-deps", "-export", "-f", format}, cellPatterns...)...)
		if err != nil {
			return err
		}
		paths := strings.Split(listed, "\n")
		slices.Sort(paths)
		content := fingerprint + "\n" + strings.Join(slices.Compact(paths), "\n")
		say("compiled in " + elapsedText(start))
		return writeFile(marker, []byte(content))
	})
}

// cellSources returns a fingerprint of the go command and of the sources that cells import.
func cellSources(root, goCommand string) (string, error) {
	f := newFingerprint()
	f.add("go", []byte(goCommand))
	for _, rel := range []string{"go.mod", "go.sum"} {
		if err := f.addFile(root, rel); err != nil {
			return "", err
		}
	}
	for _, folder := range cellFolders {
		if err := f.addTree(root, folder, isGoSource); err != nil {
			return "", err
		}
	}
	return f.String(), nil
}

// isMarkerCurrent reports whether the marker file contains the fingerprint, and every path that it lists exists.
func isMarkerCurrent(marker, fingerprint string) bool {
	content, err := os.ReadFile(marker)
	if err != nil {
		return false
	}
	first, paths, _ := strings.Cut(string(content), "\n")
	if first != fingerprint || paths == "" {
		return false
	}
	for path := range strings.Lines(paths) {
		if path = strings.TrimSpace(path); path != "" && !pathExists(path) {
			return false
		}
	}
	return true
}
