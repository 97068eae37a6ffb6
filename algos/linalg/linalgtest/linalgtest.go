// Package linalgtest imports package openblas, so that the tests of a package that imports linalgtest compute with a
// library if the machine has one. It also checks that the backend is the one that the environment variable MKL_BLAS
// selects.
package linalgtest

import (
	"os"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"
	_ "github.com/mklnb/mkl/algos/linalg/openblas" // see the package comment
	"github.com/mklnb/mkl/algos/testenv"
)

// Backend checks that linalg.Backend is the one that MKL_BLAS selects: pure Go for "go", a library for any other value.
// If MKL_BLAS is not set and no library is found, it skips the test with the reason, or fails if MKL_REQUIRE=all.
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

// Library skips the test with the reason if pure Go computes the large operations. If MKL_REQUIRE=all and MKL_BLAS does
// not select pure Go, the test fails instead.
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
