//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package setup

import (
	"os"
	"os/exec"
)

// Without flock two set-ups at once do the work twice; renaming keeps the outcome whole.

func hold(*exec.Cmd, *os.File) {}

func tryLock(*os.File) bool { return true }

func lock(*os.File) error { return nil }
