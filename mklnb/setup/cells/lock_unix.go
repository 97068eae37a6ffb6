//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cells

import (
	"os"
	"syscall"
)

// lockFile locks f for this process, or returns an error if another process holds the lock.
func lockFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
