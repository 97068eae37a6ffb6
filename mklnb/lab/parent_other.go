//go:build !unix

package main

// isInGroup is not called, because setup does not support this system.
func isInGroup(int) bool { return true }
