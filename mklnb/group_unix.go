//go:build unix

package mklnb

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps an interrupt of a terminal, which goes to a whole process group, from cmd: the stop
// button is for the work, not for the picture of its result.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
