//go:build !unix

package store

import (
	"io/fs"
	"os"
)

// chown does nothing: a file belongs to who makes it.
func chown(*os.File, fs.FileInfo) error { return nil }
