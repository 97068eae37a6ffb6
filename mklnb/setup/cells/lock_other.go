//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cells

import (
	"errors"
	"os"
)

// lockFile returns an error: the kernel does not run on this system.
func lockFile(*os.File) error { return errors.New("cells: files cannot be locked on this system") }
