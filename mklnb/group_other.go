//go:build !unix

package mklnb

import "os/exec"

// setOwnGroup does nothing, because this system lacks process groups.
func setOwnGroup(*exec.Cmd) {}
