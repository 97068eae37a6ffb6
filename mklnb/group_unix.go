//go:build unix

package mklnb

import (
	"os/exec"
	"syscall"
)

// setOwnProcessGroup puts cmd into a separate process group. An interrupt from the terminal goes to the whole process
// group of this program and therefore does not reach cmd. cmd draws a picture; so it survives the stop button, and the
// result so far is still drawn.
func setOwnProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
