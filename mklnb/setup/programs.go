package setup

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// programs are built by the go command into a folder of their own, which is marked when all of them are there.
type programs struct {
	kind  string   // tools, renderer or gopls: begins the name of the folder, and of the lock
	dir   string   // the folder
	from  string   // what they are built from, for the mark
	names []string // of their files
	build func(ctx context.Context, to string, lock *os.File) error
}

// whole reports whether all of them are there as they were built.
func (p programs) whole() bool { return used(p.dir) && intact(p.dir, p.from, p.names) }

// ensure builds them into the cache folder where one is missing, damaged or stale: once for all processes that want
// them at the same time. Those of this kind that have long not been used are removed.
func (p programs) ensure(ctx context.Context, cache string, say func(string)) error {
	if p.whole() {
		return nil
	}
	return locked(ctx, cache, p.kind, say, func(lock *os.File) error {
		if p.whole() { // the process waited for has built them
			return nil
		}
		prune(cache, ".building-"+p.kind+"-", "", 0)
		if err := p.make(ctx, cache, lock); err != nil {
			return err
		}
		prune(cache, p.kind+"-", p.dir, unused)
		return nil
	})
}

// make builds them in a temporary folder of parent and moves them to their own. What it starts holds lock.
func (p programs) make(ctx context.Context, parent string, lock *os.File) error {
	tmp, err := os.MkdirTemp(parent, ".building-"+p.kind+"-*")
	if err != nil {
		return cacheError(err)
	}
	defer os.RemoveAll(tmp)
	if err := p.build(ctx, tmp, lock); err != nil {
		return err
	}
	return place(tmp, p.dir, p.from, p.names)
}

// goBuild has the go command build what, without cgo, by these arguments and variables. What it starts holds lock.
func goBuild(ctx context.Context, lock *os.File, say func(string), what string, env []string, args ...string) error {
	gotool, err := goCommand(what)
	if err != nil {
		return err
	}
	say("building " + what + " (once)")
	start := time.Now()
	cmd := command(ctx, lock, gotool, args...)
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0"), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return failure(ctx, "build "+what, "the Go modules of "+what, err, string(out), firstLines(string(out), 4))
	}
	say(what + " built in " + since(start))
	return nil
}

// goCommand is the path of the go command, which is to build what.
func goCommand(what string) (string, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("setup: %s must be built and the go command is not on PATH: %w", what, err)
	}
	return path, nil
}

// madeFrom is the file beside programs that says what they were built from and, of each, its size and its CRC-32.
const madeFrom = "made-from"

// programsMark is the content of that file for the programs of these names in dir.
func programsMark(dir, from string, names []string) (string, error) {
	mark := from + "\n"
	for _, name := range names {
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return "", fmt.Errorf("setup: %w", err)
		}
		sum := crc32.NewIEEE()
		size, err := io.Copy(sum, file)
		file.Close()
		if err != nil {
			return "", fmt.Errorf("setup: %w", err)
		}
		mark += fmt.Sprintf("%s %d %08x\n", name, size, sum.Sum32())
	}
	return mark, nil
}

// intact reports whether dir holds all of these programs as they were built from what from names.
func intact(dir, from string, names []string) bool {
	kept, err := os.ReadFile(filepath.Join(dir, madeFrom))
	if err != nil {
		return false
	}
	mark, err := programsMark(dir, from, names)
	return err == nil && mark == string(kept)
}

// place moves programs from the folder they were built in to dir, in the place of damaged ones, and marks them.
func place(built, dir, from string, names []string) error {
	mark, err := programsMark(built, from, names)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return cacheError(err)
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(built, name), filepath.Join(dir, name)); err != nil {
			return cacheError(err)
		}
	}
	return writeWhole(filepath.Join(dir, madeFrom), []byte(mark), 0o644)
}
