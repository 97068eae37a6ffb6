//go:build unix

package mklnb

import (
	"os/exec"
	"syscall"
)

// ownGroup puts cmd into a separate process group, so that an interrupt of the terminal, which goes to a whole process
// group, does not reach it. The stop button is for the work, not for the picture of its result.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
