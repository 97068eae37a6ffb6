package datasets

import (
	"embed"

	"github.com/mklnb/mkl/algos/store"
)

// sources holds the Go files of this package without its tests. Keys of stored results depend on them.
//
//go:embed [^._]*[^t].go sets.json
var sources embed.FS

func init() { store.AddSources("data/datasets", sources) }
