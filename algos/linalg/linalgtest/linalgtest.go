// Package linalgtest lets the tests of a package compute with OpenBLAS if the machine has it: a test file imports it,
// and it imports package openblas.
//
//	func TestBackend(t *testing.T) { linalgtest.CheckBackend(t) } // the backend is the one that MKL_BLAS selects
//
// RequireLibrary skips a test, or fails it if MKL_REQUIRE=all, on a machine without the library.
package linalgtest

import (
	"os"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"
	_ "github.com/mklnb/mkl/algos/linalg/openblas" // installs OpenBLAS, if the machine has it
	"github.com/mklnb/mkl/algos/testenv"
)

// CheckBackend checks that linalg.Backend is the one that MKL_BLAS selects: pure Go for "go", a library for any
// other value. If MKL_BLAS is not set and no library is found, it skips the test with the reason, or fails if
// MKL_REQUIRE=all.
func CheckBackend(t *testing.T) {
	t.Helper()
	info, requested := linalg.Backend(), os.Getenv("MKL_BLAS")
	t.Logf("MKL_BLAS=%s: %s", requested, info)
	switch {
	case info.EnvValue != requested && !strings.Contains(info.PureGoReason, "is not opened on"):
		t.Errorf("the program started with MKL_BLAS=%q, but the environment now has %q", info.EnvValue, requested)
	case (info.Name == "go") != (info.PureGoReason != ""):
		t.Errorf("backend %q has PureGoReason %q; want a reason only for pure Go", info.Name, info.PureGoReason)
	case info.Name != "go" && (info.Version == "" || info.File == ""):
		t.Errorf("the library has no version or no file: %+v", info)
	case requested == "go" && info.Name != "go":
		t.Errorf("the backend is %s although MKL_BLAS=go", info)
	case requested != "go" && requested != "" && info.Name != "openblas":
		t.Errorf("the backend is %s although MKL_BLAS=%s", info, requested)
	}
	if requested == "" {
		RequireLibrary(t)
	}
}

// RequireLibrary skips the test if no BLAS library is loaded, and says why. If MKL_REQUIRE=all and MKL_BLAS does not
// select pure Go, the test fails instead.
func RequireLibrary(t *testing.T) {
	t.Helper()
	info := linalg.Backend()
	switch {
	case info.Name != "go":
	case info.EnvValue == "go":
		t.Skip("no library: " + info.PureGoReason)
	default:
		testenv.SkipWithout(t, "no library: "+info.PureGoReason)
	}
}
