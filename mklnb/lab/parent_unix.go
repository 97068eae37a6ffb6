//go:build unix

package main

import "syscall"

// together reports whether a process is of our process group, as go run is, and who takes the orphans is not.
func together(pid int) bool {
	group, err := syscall.Getpgid(pid)
	return err == nil && group == syscall.Getpgrp()
}
