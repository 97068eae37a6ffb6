package setup

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// maxOutputLines is the maximum number of lines of output in an error. They are the last ones.
const maxOutputLines = 20

// commandError returns the error of a command that failed, with the end of its output. action describes the command. If
// ctx has ended, the error states this instead.
func commandError(ctx context.Context, action string, err error, output string) error {
	if ctx.Err() != nil {
		return fmt.Errorf("setup: %s: %w", action, ctx.Err())
	}
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if len(lines) > maxOutputLines {
		lines = append([]string{"…"}, lines[len(lines)-maxOutputLines:]...)
	}
	return fmt.Errorf("setup: %s: %w:\n%s", action, err, strings.Join(lines, "\n"))
}

// runWatched runs cmd, passes each line of its output to watch, and returns the whole output.
func runWatched(cmd *exec.Cmd, watch func(string)) (string, error) {
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	var output strings.Builder
	done := make(chan struct{})
	go func() {
		defer close(done)
		lines := bufio.NewReader(r)
		for {
			line, err := lines.ReadString('\n')
			output.WriteString(line)
			if line != "" {
				watch(strings.TrimRight(line, "\r\n"))
			}
			if err != nil {
				return
			}
		}
	}()
	err := cmd.Run()
	w.Close()
	<-done
	return output.String(), err
}

// withoutVariables returns the environment env without the variables of these names.
func withoutVariables(env []string, names ...string) []string {
	var others []string
next:
	for _, entry := range env {
		for _, name := range names {
			if strings.HasPrefix(entry, name+"=") {
				continue next
			}
		}
		others = append(others, entry)
	}
	return others
}
