//go:build unix

package store

import (
	"io/fs"
	"os"
	"syscall"
)

// chown gives f the owner and the group of old.
func chown(f *os.File, old fs.FileInfo) error {
	if s, ok := old.Sys().(*syscall.Stat_t); ok {
		return f.Chown(int(s.Uid), int(s.Gid))
	}
	return nil
}
