//go:build !unix

package mklnb

import "os/exec"

// setOwnProcessGroup does nothing, because this system lacks process groups.
func setOwnProcessGroup(*exec.Cmd) {}
