//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package processes

import (
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Shown reads a pipe. After a read it holds its lock until the next read. While the lock is free, everything that was
// read has been shown.
type Shown struct {
	file   *os.File
	mu     sync.Mutex
	locked bool // by Read
	read   int  // bytes
}

// NewShown returns a reader of a pipe.
func NewShown(file *os.File) *Shown { return &Shown{file: file} }

func (p *Shown) Read(b []byte) (n int, err error) {
	p.unlock()
	if p.file.SetReadDeadline(time.Time{}) != nil { // this system cannot wait for a pipe without reading it
		return p.file.Read(b)
	}
	conn, err := p.file.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = conn.Read(func(fd uintptr) bool {
		p.mu.Lock()
		p.locked = true
		for n, failed = syscall.Read(int(fd), b); failed == syscall.EINTR; {
			n, failed = syscall.Read(int(fd), b)
		}
		if n > 0 {
			p.read += n
			return true
		}
		p.unlock()
		return failed != syscall.EAGAIN
	})
	if err == nil {
		err = failed
	}
	if err == nil && n == 0 && len(b) > 0 {
		err = io.EOF
	}
	return max(n, 0), err
}

func (p *Shown) unlock() {
	if p.locked {
		p.locked = false
		p.mu.Unlock()
	}
}

// Wait returns when the contents of the pipe (at most 64 KiB) have been shown, or after about ten seconds.
func (p *Shown) Wait() {
	conn, err := p.file.SyscallConn()
	if err != nil {
		return
	}
	begin := -1
	for range 100_000 {
		if p.mu.TryLock() {
			if begin < 0 {
				begin = p.read
			}
			done := p.read-begin >= 1<<16
			err := conn.Control(func(fd uintptr) {
				ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
				_, err := unix.Poll(ready, 0)
				done = done || err == nil && ready[0].Revents&unix.POLLIN == 0
			})
			p.mu.Unlock()
			if done || err != nil {
				return
			}
		}
		time.Sleep(100 * time.Microsecond)
	}
}
