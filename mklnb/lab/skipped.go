package main

import (
	"os"
	"os/exec"
	"strings"

	"github.com/mklnb/mkl/mklnb/setup"
)

// browsers are the names under which tests look for one (viz/render/rendertest).
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// openBLAS looks for the library as algos/linalg/openblas does, which this program does not link: it ends well where
// there is one.
const openBLAS = `import ctypes, sys
for name in ["libopenblas.so.0", "libopenblasp.so.0", "libopenblas.so", "libopenblasp.so", "libopenblas.dylib",
             "libopenblas.0.dylib", "/opt/homebrew/opt/openblas/lib/libopenblas.dylib",
             "/usr/local/opt/openblas/lib/libopenblas.dylib", "/opt/local/lib/libopenblas.dylib"]:
    try:
        ctypes.CDLL(name)
        sys.exit(0)
    except OSError:
        pass
sys.exit(1)`

// skipped says which tests this machine will skip, which go test does not say without -v, and what to install for them.
func skipped(env *setup.Env) string {
	var lines []string
	if !hasBrowser() {
		lines = append(lines, "\n  those in a browser: install chromium, or name one by MKL_BROWSER")
	}
	if !hasOpenBLAS(env.Python) {
		lines = append(lines, "\n  those with OpenBLAS: install it (Debian, Ubuntu: apt install libopenblas0)")
	}
	if lines == nil {
		return "go test ./... skips nothing for want of a program; what takes long or fetches more waits for " +
			"MKL_TESTS=all, MKL_SIZE=full and MKL_IMAGE=1"
	}
	return "go test ./... will skip, without a word unless -v is given:" + strings.Join(lines, "")
}

func hasBrowser() bool {
	names := browsers
	if name := os.Getenv("MKL_BROWSER"); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		if _, err := exec.LookPath(name); err == nil {
			return true
		}
	}
	return false
}

func hasOpenBLAS(python string) bool { return exec.Command(python, "-c", openBLAS).Run() == nil }
