//go:build !unix

package mklnb

import "os/exec"

// ownGroup does nothing, because this system lacks process groups.
func ownGroup(*exec.Cmd) {}
