package setup

import (
	"context"
	"fmt"
	"hash"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/store"
)

// module is the module path of the checkout.
const module = "github.com/mklnb/mkl"

// CacheDir is the folder for everything made or fetched: store.CacheDir.
func CacheDir() (string, error) {
	dir, err := store.CacheDir()
	if err != nil {
		return "", fmt.Errorf("setup: %w", err)
	}
	return dir, nil
}

// Root is the folder of the checkout this package was compiled from, as the compiler recorded
// it; the module line of its go.mod is read to be sure. A program built with -trimpath, or a
// checkout that has moved since, is an error.
func Root() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return "", fmt.Errorf("setup: the path of the checkout is not in this program (recorded: %q): build "+
			"it without -trimpath", file)
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(filepath.FromSlash(file))))
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("setup: the checkout this program was built from is not at %s any more: %w", root, err)
	}
	for line := range strings.Lines(string(mod)) {
		if name, ok := strings.CutPrefix(line, "module"); ok {
			if got := strings.Trim(strings.TrimSpace(name), `"`); got != module {
				return "", fmt.Errorf("setup: %s is module %s, expected %s", root, got, module)
			}
			return root, nil
		}
	}
	return "", fmt.Errorf("setup: %s has no module line, expected module %s", filepath.Join(root, "go.mod"), module)
}

// fingerprint names a set of inputs: 128 bits of FNV-1a over names and contents. It detects
// change, it does not withstand an adversary, and it links nothing of package crypto.
type fingerprint struct{ h hash.Hash }

func newFingerprint() fingerprint { return fingerprint{fnv.New128a()} }

// add takes one named piece in. Lengths keep ("ab", "c") and ("a", "bc") apart.
func (f fingerprint) add(name string, content []byte) {
	fmt.Fprintf(f.h, "%d %d\n%s\n", len(name), len(content), name)
	f.h.Write(content)
}

// addFile takes a file of the folder root in, under its path relative to root.
func (f fingerprint) addFile(root, rel string) error {
	content, err := os.ReadFile(filepath.Join(root, rel))
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	f.add(filepath.ToSlash(rel), content)
	return nil
}

// addTree takes in every file below root/rel that keep accepts; folders named testdata, and
// folders and files (an editor's lock .#x.go) whose name begins with a dot or an underscore, are passed over as the go
// command does.
func (f fingerprint) addTree(root, rel string, keep func(name string) bool) error {
	return filepath.WalkDir(filepath.Join(root, rel), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("setup: %w", err)
		}
		name := d.Name()
		hidden := path != filepath.Join(root, rel) && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"))
		switch {
		case d.IsDir() && (hidden || name == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || hidden || !keep(name):
			return nil
		}
		r, err := filepath.Rel(root, path)
		if err != nil {
			return fmt.Errorf("setup: %w", err)
		}
		return f.addFile(root, r)
	})
}

// String is the name: 16 hexadecimal digits of 32, enough for a folder of a few dozen entries.
func (f fingerprint) String() string { return fmt.Sprintf("%x", f.h.Sum(nil))[:16] }

// goSource accepts Go files that are not tests.
func goSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// compiled accepts every file that may end in a program: all but Go tests.
func compiled(name string) bool { return !strings.HasSuffix(name, "_test.go") }

// locked runs f while no other process runs one under the same name in the cache folder.
// Where the wait is longer than a moment, say is told once; it ends with ctx. The lock is handed to f for what it
// starts (command).
func locked(ctx context.Context, cache, name string, say func(string), f func(lock *os.File) error) error {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return cacheError(err)
	}
	file, err := os.OpenFile(filepath.Join(cache, name+".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return cacheError(err)
	}
	defer file.Close() // closing releases the lock, when what f started has ended too
	if !tryLock(file) {
		say("another set-up is at work on " + name + ", waiting for it")
		for !tryLock(file) {
			select {
			case <-ctx.Done():
				return fmt.Errorf("setup: wait for another set-up: %w", ctx.Err())
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
	return f(file)
}

// cacheError is err, which came up in the cache folder.
func cacheError(err error) error {
	if diskFull(err, "") {
		return errDiskFull(err.Error())
	}
	return fmt.Errorf("setup: cache folder: %w; set MKL_CACHE to a folder that can be written", err)
}

// unused is how long what was made stays without having been used.
const unused = 90 * 24 * time.Hour

// used reports whether path is there, and dates it anew, once a day, so that prune knows what is in use.
func used(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > 24*time.Hour {
		os.Chtimes(path, now, now) // it may belong to another user
	}
	return true
}

// prune removes the entries of dir that begin with prefix, are not keep, and were last made or used longer
// ago than age, but for those that an installed kernel spec names. What cannot be removed stays: it is only room on a
// disk.
func prune(dir, prefix, keep string, age time.Duration) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil || path == keep || !strings.HasPrefix(e.Name(), prefix) || time.Since(info.ModTime()) < age ||
			installed(path) {
			continue
		}
		os.RemoveAll(path)
	}
}

// exists reports whether path is there; whatever else is wrong with it shows when it is used.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// writeWhole writes a file whole or not at all, and makes its folder.
func writeWhole(path string, content []byte, mode os.FileMode) error {
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = store.WriteFile(path, content, mode)
	}
	if diskFull(err, "") {
		return errDiskFull(err.Error())
	}
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	return nil
}

// Quiet is a say that says nothing.
func Quiet(string) {}

// orQuiet makes a nil say usable.
func orQuiet(say func(string)) func(string) {
	if say == nil {
		return Quiet
	}
	return say
}

// since is the time passed, rounded for a reader.
func since(start time.Time) string {
	d := time.Since(start)
	if d < time.Second {
		return d.Round(10 * time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}
