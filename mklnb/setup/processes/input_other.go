//go:build !linux

package processes

// CanAwaitRead reports whether AwaitRead works on this system.
func CanAwaitRead() bool { return false }

func isReading(int, bool) bool { return false }
