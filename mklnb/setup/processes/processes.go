//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package processes

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// groupScript runs a command in a shell that leads a process group. When file 3 ends, because the process that made the
// group has ended or was killed, the group ends. Otherwise, what the command leaves behind lives on.
const groupScript = `{ trap "" INT TERM; read -r -u 3 _; kill -KILL 0; } </dev/null >/dev/null 2>&1 &
trap : INT TERM
"$0" "$@" 3<&-
status=$?
{ kill -KILL $!; wait $!; } 2>/dev/null
exit $status`

// Group returns a command like cmd, which has not been started, in a process group of its own. Call release when it has
// ended.
func Group(cmd *exec.Cmd) (group *exec.Cmd, release func(), err error) {
	alive, aliveWriter, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	group = exec.Command("/bin/bash", append([]string{"-c", groupScript}, cmd.Args...)...)
	group.ExtraFiles = []*os.File{alive}
	group.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return group, func() { alive.Close(); aliveWriter.Close() }, nil
}

// terminateAfter and killAfter are the times after which Stop sends further signals.
const terminateAfter, killAfter = 500 * time.Millisecond, 5 * time.Second

// Stop ends all processes of a group that has been started: by SIGINT; by SIGTERM, because what a shell runs in the
// background ignores SIGINT; by SIGKILL. It returns when ended is closed, or after the last signal.
func Stop(group *exec.Cmd, ended <-chan struct{}) {
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGINT, terminateAfter}, {syscall.SIGTERM, killAfter - terminateAfter}, {syscall.SIGKILL, 0}} {
		_ = syscall.Kill(-group.Process.Pid, step.signal) // an error means that no process is left
		select {
		case <-ended:
			return
		case <-time.After(step.wait):
		}
	}
}

// AwaitRead returns true when a command that has been started, or a process of its group, waits for standard input. It
// returns false when ended is closed.
func AwaitRead(cmd *exec.Cmd, ended <-chan struct{}) bool {
	isGroup := cmd.SysProcAttr != nil && cmd.SysProcAttr.Setpgid
	// Twice, because a program that has just got its input may not have taken it yet.
	for times := 0; times < 2; {
		select {
		case <-ended:
			return false
		case <-time.After(100 * time.Millisecond):
		}
		if times++; !isReading(cmd.Process.Pid, isGroup) {
			times = 0
		}
	}
	return true
}
