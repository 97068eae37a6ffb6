//go:build !((linux && !android) || darwin) || !(amd64 || arm64) || faketime

package openblas

import (
	"runtime"

	"github.com/mklnb/mkl/algos/linalg"
)

func init() { linalg.Install(unsupported{}) }

// unsupported is the library on systems on which OpenBLAS is not supported. Open returns false, so its operations are
// never called.
type unsupported struct{ linalg.Library }

// Open returns false.
func (unsupported) Open() bool { return false }

// Info gives the reason for pure Go.
func (unsupported) Info() linalg.Info {
	return linalg.Info{Name: "go", PureGoReason: "OpenBLAS is not opened on " + runtime.GOOS + "/" + runtime.GOARCH}
}
