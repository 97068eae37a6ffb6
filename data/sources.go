package data

import (
	"embed"

	"github.com/mklnb/mkl/algos/store"
)

// sources holds the Go files of this package without its tests.
//
//go:embed [^._]*[^t].go [^._]*[^s]t.go
var sources embed.FS

// init makes the keys of stored results depend on sources.
func init() { store.AddSources("data", sources) }
