//go:build unix

package main

import "syscall"

// isInGroup reports whether a process belongs to the process group of this program. go run belongs to it. The process
// that becomes the parent after the end of go run does not.
func isInGroup(pid int) bool {
	group, err := syscall.Getpgid(pid)
	return err == nil && group == syscall.Getpgrp()
}
