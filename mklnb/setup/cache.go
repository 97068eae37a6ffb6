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

	"github.com/gofrs/flock"

	"github.com/mklnb/mkl/algos/store"
)

const module = "github.com/mklnb/mkl"

// CacheDir returns the cache folder: store.CacheDir.
func CacheDir() (string, error) {
	dir, err := store.CacheDir()
	if err != nil {
		return "", fmt.Errorf("setup: %w", err)
	}
	return dir, nil
}

// Root returns the folder of the checkout from which this package was compiled. The compiler records the folder; Root
// verifies the module line of its go.mod. It returns an error if the program was built with -trimpath or if the
// checkout has moved since.
func Root() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return "", fmt.Errorf("setup: this program does not contain the path of the checkout (recorded: %q); "+
			"build it without -trimpath", file)
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(filepath.FromSlash(file))))
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("setup: the checkout from which this program was built is no longer at %s: %w; build "+
			"the program again", root, err)
	}
	if line := "module " + module + "\n"; !strings.HasPrefix(string(mod), line) {
		return "", fmt.Errorf("setup: %s does not begin with %q; build the program again in its checkout",
			filepath.Join(root, "go.mod"), line)
	}
	return root, nil
}

// fingerprint is a hash of named inputs: 128 bits of FNV-1a. It detects changes, but it does not resist deliberate
// collisions. FNV-1a needs no package of crypto, which would be linked into every cell.
type fingerprint struct{ h hash.Hash }

func newFingerprint() fingerprint { return fingerprint{fnv.New128a()} }

// hashText returns the fingerprint of a text as 16 hexadecimal digits, for the name of a file.
func hashText(text string) string {
	f := newFingerprint()
	f.add("text", []byte(text))
	return f.String()
}

// add adds one named input to the hash. It also hashes the lengths, which distinguish ("ab", "c") from ("a", "bc").
func (f fingerprint) add(name string, content []byte) {
	fmt.Fprintf(f.h, "%d %d\n%s\n", len(name), len(content), name)
	f.h.Write(content)
}

// addFile adds the file at the path rel, which is relative to root, to the hash. The name of the input is rel.
func (f fingerprint) addFile(root, rel string) error {
	content, err := os.ReadFile(filepath.Join(root, rel))
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	f.add(filepath.ToSlash(rel), content)
	return nil
}

// addTree adds every file below root/rel for whose name accept returns true. Like the go command, it skips folders
// named testdata, and folders and files whose name begins with a dot (such as .#x.go, an editor's lock) or an
// underscore.
func (f fingerprint) addTree(root, rel string, accept func(name string) bool) error {
	start := filepath.Join(root, rel)
	return filepath.WalkDir(start, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("setup: %w", err)
		}
		name := d.Name()
		isHidden := path != start && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"))
		switch {
		case d.IsDir() && (isHidden || name == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || isHidden || !accept(name):
			return nil
		}
		r, err := filepath.Rel(root, path)
		if err != nil {
			return fmt.Errorf("setup: %w", err)
		}
		return f.addFile(root, r)
	})
}

// String returns the first 16 of 32 hexadecimal digits, enough for a folder of a few dozen entries.
func (f fingerprint) String() string { return fmt.Sprintf("%x", f.h.Sum(nil))[:16] }

// isNonTest reports whether a file is not a Go test. Only such files can be part of a program.
func isNonTest(name string) bool { return !strings.HasSuffix(name, "_test.go") }

// withLock calls f while no other process holds the lock of this name in the cache folder. If it has to wait, it calls
// say once. Waiting ends with ctx. The system frees the lock when the process ends, even if it is killed.
func withLock(ctx context.Context, cache, name string, say func(string), f func() error) error {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return cacheError(err)
	}
	lock := flock.New(filepath.Join(cache, name+".lock"), flock.SetPermissions(0o644))
	locked, err := lock.TryLock()
	if err == nil && !locked {
		say("waiting for another setup, which works on " + name)
		_, err = lock.TryLockContext(ctx, 100*time.Millisecond)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("setup: wait for another setup: %w", ctx.Err())
	}
	if err != nil {
		return cacheError(err)
	}
	defer lock.Unlock()
	return f()
}

// cacheError returns the error of an operation in the cache folder.
func cacheError(err error) error {
	return fmt.Errorf("setup: cache folder: %w; set MKL_CACHE to a folder that is writable and has room", err)
}

// pathExists reports whether path exists. It returns false for any error, such as a folder that cannot be read.
func pathExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// writeFile writes a file, completely or not at all, and makes its folder.
func writeFile(path string, content []byte) error {
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = store.WriteFile(path, content, 0o644)
	}
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	return nil
}

// nonNilSay returns say, or a function that does nothing if say is nil.
func nonNilSay(say func(string)) func(string) {
	if say == nil {
		return func(string) {}
	}
	return say
}
