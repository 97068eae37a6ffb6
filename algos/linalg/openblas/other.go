//go:build !((linux && !android) || darwin) || !(amd64 || arm64) || faketime

package openblas

import (
	"runtime"

	"github.com/mklnb/mkl/algos/linalg"
)

func init() { linalg.Install(none{}) }

// none is the library of systems where none can be opened. No operation reaches it.
type none struct{ linalg.Library }

func (none) Open() bool { return false }

func (none) Info() linalg.Info {
	return linalg.Info{Name: "go", Reason: "OpenBLAS is not opened on " + runtime.GOOS + "/" + runtime.GOARCH}
}
