//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package setup

import (
	"os"
	"syscall"
)

// tryLock takes the lock of an open file when it is free.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// lock waits for the lock of an open file; the system frees it when its holder ends, however.
func lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if err != syscall.EINTR {
			return err
		}
	}
}
