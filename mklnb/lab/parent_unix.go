//go:build unix

package main

import "syscall"

// isInGroup reports whether a process belongs to the process group of this program. go run does; the process that
// adopts this program after the end of go run does not.
func isInGroup(pid int) bool {
	group, err := syscall.Getpgid(pid)
	return err == nil && group == syscall.Getpgrp()
}
