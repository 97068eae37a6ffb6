//go:build unix

package setup

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// parentScript starts a process, prints its id and waits for it.
const parentScript = `sleep 60 & echo $!; wait`

// waitForEnd fails the test if a process does not end within 5 s.
func waitForEnd(t *testing.T, pid string) {
	t.Helper()
	n := must(strconv.Atoi(strings.TrimSpace(pid)))
	for range 50 {
		if errors.Is(syscall.Kill(n, 0), syscall.ESRCH) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	syscall.Kill(n, syscall.SIGKILL)
	t.Errorf("process %d still runs after 5 s", n)
}

// TestCommand tests that command passes on arguments, output and status, and that the processes of a command end when
// ctx ends and when this process is killed.
func TestCommand(t *testing.T) {
	if os.Getenv("MKL_TEST_COMMAND") != "" { // the process to kill
		cmd := commandEndingWithParent(t.Context(), "/bin/sh", "-c", parentScript)
		cmd.Stdout = os.Stdout
		t.Fatal(cmd.Run())
	}
	cmd := commandEndingWithParent(t.Context(), "/bin/sh", "-c", `cat; echo "$0 $1"; echo words >&2; exit 3`, "a b", "c")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if string(out) != "a b c\nwords\n" || !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("%q, %v, expected its output and status 3", out, err)
	}

	first := func(cmd *exec.Cmd) string {
		t.Helper()
		r := must(cmd.StdoutPipe())
		try(cmd.Start())
		line := must(bufio.NewReader(r).ReadString('\n'))
		return line
	}
	ctx, cancel := context.WithCancel(t.Context())
	cmd = commandEndingWithParent(ctx, "/bin/sh", "-c", parentScript)
	pid := first(cmd)
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Error("a stopped command returned no error")
	}
	waitForEnd(t, pid)

	cmd = exec.Command(os.Args[0], "-test.run=^TestCommand$")
	cmd.Env = append(os.Environ(), "MKL_TEST_COMMAND=1")
	pid = first(cmd)
	cmd.Process.Kill()
	cmd.Wait()
	waitForEnd(t, pid)
}
