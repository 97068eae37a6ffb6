package data

import (
	"embed"

	"github.com/mklnb/mkl/algos/store"
)

// sources holds the Go files of this package without its tests. Keys of stored results depend on them.
//
//go:embed [^._]*[^t].go [^._]*[^s]t.go
var sources embed.FS

func init() { store.AddSources("data", sources) }
