//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package setup

import (
	"os"
	"os/exec"
	"syscall"
)

// tryLock takes the lock of an open file when it is free.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// hold lets cmd, and what it starts, keep the lock of an open file: when this process is killed and pip, say, goes on,
// another set-up waits for it.
func hold(cmd *exec.Cmd, f *os.File) {
	if f != nil {
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
	}
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
