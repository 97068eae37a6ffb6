//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package setup

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// tryLock takes the lock of an open file when it is free; the system frees it when its holders end, however.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// keeper runs a command, and ends all of its process group when the pipe that is its standard input ends: by SIGTERM,
// which lets a server stop its kernels, and ten seconds later, or when the command has ended, by SIGKILL.
// (A shell says that its command was terminated, and nobody may be there to read it: hence PIPE.)
const keeper = `exec 9<&0 </dev/null
trap stopped=1 TERM
trap : PIPE
{ trap "" TERM; read -r _ <&9; kill -TERM 0; sleep 10; kill -KILL 0; } >/dev/null 2>&1 &
"$@" 9<&-
status=$?
[ "$stopped" ] && kill -KILL 0
kill -KILL $!
exit $status`

// command is a command that ends, with all that it starts, when ctx does and when this process does, however: the pipe
// to its keeper ends with either. What it starts holds lock, so that another set-up waits for what is left of a
// killed one.
func command(ctx context.Context, lock *os.File, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", keeper, "sh", path}, args...)...)
	pipe, err := cmd.StdinPipe()
	if err != nil {
		cmd.Err = err
		return cmd
	}
	cmd.Cancel, cmd.WaitDelay = pipe.Close, 15*time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if lock != nil {
		cmd.ExtraFiles = append(cmd.ExtraFiles, lock)
	}
	return cmd
}
