//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package processes

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// start starts a shell command in a group. It returns the output, which ends when no process holds it.
func start(t *testing.T, command string) (group *exec.Cmd, release func(), output <-chan string) {
	t.Helper()
	group, release, err := Group(exec.Command("/bin/bash", "-c", command))
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	group.Stdout, group.Stderr = w, w
	if err := group.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	ended := make(chan string, 1)
	go func() {
		var b bytes.Buffer
		_, _ = b.ReadFrom(r)
		ended <- b.String()
	}()
	return group, release, ended
}

// TestGroup tests that a command in a group has the same output and exit status as without one, and leaves the group
// alone when it ends.
func TestGroup(t *testing.T) {
	group, release, output := start(t, `echo "$0"; echo b >&2; (sleep 0.5; echo late) & exit 3`)
	err := group.Wait()
	release()
	if code := group.ProcessState.ExitCode(); code != 3 {
		t.Errorf("exit status %d, %v", code, err)
	}
	if got := <-output; got != "/bin/bash\nb\nlate\n" {
		t.Errorf("output %q", got)
	}
}

// TestStop tests that Stop ends a command and what it started, also processes that ignore SIGINT or SIGTERM.
func TestStop(t *testing.T) {
	for _, command := range []string{"sleep 60", "sleep 60; echo not reached", "sleep 60 & wait",
		"(sleep 60 &); sleep 60", "bash -c 'bash -c \"sleep 60; true\"; true'"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			group, release, output := start(t, "echo started; "+command)
			defer release()
			time.Sleep(200 * time.Millisecond) // until the processes have started
			ended := make(chan struct{})
			defer close(ended)
			go Stop(group, ended)
			_ = group.Wait()
			if got := <-output; got != "started\n" || group.ProcessState.Success() {
				t.Errorf("output %q, %v", got, group.ProcessState)
			}
		})
	}
}

// TestGroupEnds tests that the group ends if the process that made it ends.
func TestGroupEnds(t *testing.T) {
	group, release, output := start(t, "trap '' TERM; sleep 60; echo not reached")
	time.Sleep(100 * time.Millisecond)
	release()
	_ = group.Wait()
	if got := <-output; strings.Contains(got, "reached") {
		t.Errorf("output %q", got)
	}
}

// TestAwaitRead tests that a command that reads standard input is recognized, also if a process that it started reads,
// and no other command.
func TestAwaitRead(t *testing.T) {
	if !CanAwaitRead() {
		t.Skip("this system does not show what a process waits for")
	}
	for command, want := range map[string]bool{
		"read x; echo $x": true, "sleep 0.2; head -n 1": true, "bash -c 'head -n 1; true'": true,
		"sleep 1": false, "sleep 1 | cat": false, "cat < /dev/null; sleep 1": false,
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			group, release, err := Group(exec.Command("/bin/bash", "-c", command))
			if err != nil {
				t.Fatal(err)
			}
			defer release()
			awaitRead(t, group, want)
		})
	}
	t.Run("without a group", func(t *testing.T) {
		t.Parallel()
		awaitRead(t, exec.Command("/bin/cat"), true)
	})
}

// awaitRead starts a command and tests the result of AwaitRead.
func awaitRead(t *testing.T, cmd *exec.Cmd, want bool) {
	t.Helper()
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended, failed := make(chan struct{}), error(nil)
	go func() {
		failed = cmd.Wait()
		close(ended)
	}()
	if got := AwaitRead(cmd, ended); got != want {
		t.Errorf("AwaitRead returns %v, expected %v", got, want)
	}
	_, _ = input.Write([]byte("line\n"))
	input.Close()
	if <-ended; failed != nil {
		t.Error(failed)
	}
}
