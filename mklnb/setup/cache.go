package setup

import (
	"context"
	"crypto/sha256"
	"fmt"
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

// FindCheckout returns the folder of the checkout from which this package was compiled. The compiler records the
// folder; FindCheckout verifies the module line of its go.mod. It returns an error if the program was built with
// -trimpath or if the checkout has moved since.
func FindCheckout() (string, error) {
	_, thisFile, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(thisFile) {
		return "", fmt.Errorf("setup: this program does not contain the path of the checkout (recorded: %q); "+
			"build it without -trimpath", thisFile)
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(filepath.FromSlash(thisFile))))
	goMod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("setup: the checkout from which this program was built is no longer at %s: %w; build "+
			"the program again", root, err)
	}
	if moduleLine := "module " + module + "\n"; !strings.HasPrefix(string(goMod), moduleLine) {
		return "", fmt.Errorf("setup: %s does not begin with %q; build the program in a checkout of the repository",
			filepath.Join(root, "go.mod"), moduleLine)
	}
	return root, nil
}

// hashTexts returns the first 16 hexadecimal digits of a SHA-256 of the texts, for the name of a file or a folder.
func hashTexts(texts ...string) string {
	return fmt.Sprintf("%.8x", sha256.Sum256(fmt.Appendf(nil, "%q", texts)))
}

// hashSources returns a hash of the system, of the release of Go, and of files of the checkout root: of the given files
// and of all files in the given folders. Like the go command, it omits tests, folders named testdata, and files and
// folders whose name begins with a dot (such as .#x.go, an editor's lock) or an underscore.
func hashSources(root string, paths ...string) (string, error) {
	texts := []string{runtime.GOOS, runtime.GOARCH, runtime.Version()}
	for _, path := range paths {
		err := fs.WalkDir(os.DirFS(root), path, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := d.Name()
			isOmitted := name[0] == '.' || name[0] == '_' || name == "testdata" || strings.HasSuffix(name, "_test.go")
			switch {
			case isOmitted && d.IsDir():
				return fs.SkipDir
			case isOmitted || d.IsDir():
				return nil
			}
			content, err := os.ReadFile(filepath.Join(root, file))
			texts = append(texts, file, string(content))
			return err
		})
		if err != nil {
			return "", fmt.Errorf("setup: %w", err)
		}
	}
	return hashTexts(texts...), nil
}

// ensureCacheFolder returns the folder kind-hash in the cache folder. If the folder does not exist, build fills a
// temporary folder, which then gets this name, so that the folder is always complete. If several processes need the
// folder at the same time, one builds it and the others wait.
func ensureCacheFolder(ctx context.Context, kind, hash string, logLine func(string),
	build func(folder string) error) (folder string, err error) {
	cacheFolder, err := store.CacheDir()
	if err != nil {
		return "", fmt.Errorf("setup: %w", err)
	}
	folder = filepath.Join(cacheFolder, kind+"-"+hash)
	if pathExists(folder) {
		return folder, nil
	}
	return folder, withLock(ctx, cacheFolder, kind, logLine, func() error {
		if pathExists(folder) { // another process has built the folder meanwhile
			return nil
		}
		buildFolder := filepath.Join(cacheFolder, ".building-"+kind)
		if err := os.RemoveAll(buildFolder); err != nil { // a killed setup may have left this folder
			return cacheError(err)
		}
		defer os.RemoveAll(buildFolder)
		if err := os.Mkdir(buildFolder, 0o755); err != nil {
			return cacheError(err)
		}
		if err := build(buildFolder); err != nil {
			return err
		}
		if err := os.Rename(buildFolder, folder); err != nil {
			return cacheError(err)
		}
		return nil
	})
}

// withLock calls f while no other process holds the lock of this name in the cache folder. If it has to wait, it calls
// logLine once. Waiting ends with ctx. The system frees the lock when the process ends, even if it is killed.
func withLock(ctx context.Context, cacheFolder, lockName string, logLine func(string), f func() error) error {
	if err := os.MkdirAll(cacheFolder, 0o755); err != nil {
		return cacheError(err)
	}
	lock := flock.New(filepath.Join(cacheFolder, lockName+".lock"), flock.SetPermissions(0o644))
	hasLock, err := lock.TryLock()
	if err == nil && !hasLock {
		logLine("waiting for another setup, which works on " + lockName)
		_, err = lock.TryLockContext(ctx, 100*time.Millisecond)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("setup: cannot wait for another setup: %w", ctx.Err())
	}
	if err != nil {
		return cacheError(err)
	}
	defer lock.Unlock()
	return f()
}

// cacheError adds the remedy to an error of an operation in the cache folder.
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
