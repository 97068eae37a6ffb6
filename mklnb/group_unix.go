//go:build unix

package mklnb

import (
	"os/exec"
	"syscall"
)

// setOwnGroup puts cmd into a separate process group. An interrupt from the terminal goes to the whole process group of
// this program and therefore does not reach cmd. The stop button ends the work, but the picture of its result is still
// drawn.
func setOwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
