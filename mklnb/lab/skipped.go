package main

import (
	"os"
	"os/exec"
	"strings"

	"github.com/mklnb/mkl/mklnb/setup"
)

// browsers are the names of the browsers that tests use (viz/render/rendertest).
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// openBLAS is a Python program that looks for OpenBLAS in the same places as package algos/linalg/openblas. It ends
// with status 0 if the library exists. This program does not link that package.
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

// skippedTests returns a text with the tests that this machine will skip, and what to install for them. go test lists
// them only with -v.
func skippedTests(env *setup.Env) string {
	var lines []string
	if !hasBrowser() {
		lines = append(lines, "\n  tests in a browser: install chromium, or set MKL_BROWSER to a browser")
	}
	if !hasOpenBLAS(env.Python) {
		lines = append(lines, "\n  tests with OpenBLAS: install it (Debian, Ubuntu: apt install libopenblas0)")
	}
	if lines == nil {
		return "go test ./... finds all programs that it needs; tests that are slow or use the network run with " +
			"MKL_TESTS=all, MKL_SIZE=full and MKL_IMAGE=1"
	}
	return "go test ./... will skip these tests (it lists them only with -v):" + strings.Join(lines, "")
}

// hasBrowser reports whether the browser in MKL_BROWSER or, if it is not set, one of browsers is on PATH.
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

// hasOpenBLAS reports whether the given Python interpreter finds OpenBLAS.
func hasOpenBLAS(python string) bool { return exec.Command(python, "-c", openBLAS).Run() == nil }
