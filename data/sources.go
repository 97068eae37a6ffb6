package data

import (
	"embed"

	"github.com/mklnb/mkl/algos/store"
)

// sources holds the Go files of this package and of internal without their tests.
//
//go:embed [^._]*[^t].go [^._]*[^s]t.go internal/npy/*.go internal/sheet/*.go
var sources embed.FS

// init registers sources: results on disk that depend on them are computed again after a change of the code.
func init() { store.AddSources("data", sources) }
