//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package setup

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// supervisorScript is a shell script that runs a command. When its standard input closes, the script ends its process
// group: first by SIGTERM, so that a server can stop its kernels, then by SIGKILL when the command has ended, at most
// ten seconds later. The script ignores SIGPIPE, because the shell may print a message when the reader of its output
// has ended.
const supervisorScript = `exec 9<&0 </dev/null
trap stopped=1 TERM
trap : PIPE
{ trap "" TERM; read -r _ <&9; kill -TERM 0; sleep 10; kill -KILL 0; } >/dev/null 2>&1 &
"$@" 9<&-
status=$?
[ "$stopped" ] && kill -KILL 0
kill -KILL $!
exit $status`

// commandEndingWithParent returns a command that ends, with all processes that it starts, when ctx ends or when this
// process ends, even if it is killed. Then supervisorScript, whose input closes, ends them.
func commandEndingWithParent(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", supervisorScript, "sh", path}, args...)...)
	pipe, err := cmd.StdinPipe()
	if err != nil {
		cmd.Err = err
		return cmd
	}
	cmd.Cancel, cmd.WaitDelay = pipe.Close, 15*time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}
