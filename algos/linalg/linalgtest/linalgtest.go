// Package linalgtest lets the tests of a package compute with a library where there is one, and
// checks that it is the one that the environment variable MKL_BLAS asks for.
package linalgtest

import (
	"os"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"
	_ "github.com/mklnb/mkl/algos/linalg/openblas" // so that the tests of a package that imports this one have it
	"github.com/mklnb/mkl/algos/testenv"
)

// Backend checks that linalg.Backend is what MKL_BLAS asks for: pure Go for "go", a library for any
// other value. Where MKL_BLAS is not set and no library is found, it skips the test with the reason,
// or fails where MKL_REQUIRE=all.
func Backend(t *testing.T) {
	t.Helper()
	info, choice := linalg.Backend(), os.Getenv("MKL_BLAS")
	t.Logf("MKL_BLAS=%s: %s", choice, info)
	switch {
	case info.Choice != choice && !strings.Contains(info.Reason, "is not opened on"):
		t.Errorf("the backend was chosen by MKL_BLAS=%q, the environment has %q", info.Choice, choice)
	case (info.Name == "go") != (info.Reason != ""):
		t.Errorf("%q with the reason %q: pure Go has a reason, a library has none", info.Name, info.Reason)
	case info.Name != "go" && (info.Version == "" || info.File == ""):
		t.Errorf("a library without version or file: %+v", info)
	case choice == "go" && info.Name != "go":
		t.Errorf("the backend is %s, MKL_BLAS=go", info)
	case choice != "go" && choice != "" && info.Name != "openblas":
		t.Errorf("the backend is %s, MKL_BLAS=%s", info, choice)
	}
	if choice == "" {
		Library(t)
	}
}

// Library returns if a library serves the large operations, and skips the test if none does; where
// MKL_REQUIRE=all and nobody asked for pure Go, it fails.
func Library(t *testing.T) {
	t.Helper()
	info := linalg.Backend()
	switch {
	case info.Name != "go":
	case info.Choice == "go":
		t.Skip("no library: " + info.Reason)
	default:
		testenv.Lacks(t, "no library: "+info.Reason)
	}
}
