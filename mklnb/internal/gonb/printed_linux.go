package gonb

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// printed waits until the kernel has read what was printed to f, for a tenth of a second at most: a line printed
// before a chart then stands before it. A kernel reads f and the display pipe apart, each as soon as it can.
func printed(f *os.File) {
	for range 100 {
		var unread int32
		_, _, failed := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCINQ, uintptr(unsafe.Pointer(&unread)))
		if failed != 0 || unread == 0 { // it is no pipe, or empty
			return
		}
		time.Sleep(time.Millisecond)
	}
}
