//go:build unix

package qnpkl

import (
	"syscall"
	"testing"
	"time"
)

// processor returns the processor time of this process in seconds.
func processor(t *testing.T) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
