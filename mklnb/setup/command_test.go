//go:build unix

package setup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

// started is a program that starts another, says the number of that, and waits for it.
const started = `sleep 60 & echo $!; wait`

// gone waits for the end of a process.
func gone(t *testing.T, pid string) {
	t.Helper()
	n := must(strconv.Atoi(strings.TrimSpace(pid)))
	for range 50 {
		if errors.Is(syscall.Kill(n, 0), syscall.ESRCH) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	syscall.Kill(n, syscall.SIGKILL)
	t.Errorf("process %d is there after 5 s", n)
}

// TestCommand: a command does what it did, and its end, that of ctx and that of this process end what it started.
func TestCommand(t *testing.T) {
	if os.Getenv("MKL_TEST_COMMAND") != "" { // the process that is killed
		cmd := command(t.Context(), nil, "/bin/sh", "-c", started)
		cmd.Stdout = os.Stdout
		t.Fatal(cmd.Run())
	}
	cmd := command(t.Context(), nil, "/bin/sh", "-c", `cat; echo "$0 $1"; echo words >&2; exit 3`, "a b", "c")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if string(out) != "a b c\nwords\n" || !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("%q, %v, expected what it says and status 3", out, err)
	}

	first := func(cmd *exec.Cmd) string {
		t.Helper()
		r := must(cmd.StdoutPipe())
		try(cmd.Start())
		line := must(bufio.NewReader(r).ReadString('\n'))
		return line
	}
	ctx, cancel := context.WithCancel(t.Context())
	cmd = command(ctx, nil, "/bin/sh", "-c", started)
	pid := first(cmd)
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Error("a command that was stopped ended well")
	}
	gone(t, pid)

	cmd = exec.Command(os.Args[0], "-test.run=^TestCommand$")
	cmd.Env = append(os.Environ(), "MKL_TEST_COMMAND=1")
	pid = first(cmd)
	cmd.Process.Kill()
	cmd.Wait()
	gone(t, pid)
}

// TestCommandStubborn: what does not heed SIGTERM is killed.
func TestCommandStubborn(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cmd := command(ctx, nil, "/bin/sh", "-c", `trap "" TERM; sleep 60 & echo $!; wait`)
	r := must(cmd.StdoutPipe())
	try(cmd.Start())
	var pid int
	if _, err := fmt.Fscan(r, &pid); err != nil {
		t.Fatal(err)
	}
	cancel()
	io.Copy(io.Discard, r) // nobody holds it any more
	cmd.Wait()
	gone(t, fmt.Sprint(pid))
}
