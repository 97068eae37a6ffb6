package setup

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// maxOutputLines is the maximum number of lines of output in an error. The error has the last lines.
const maxOutputLines = 20

// commandError returns the error of a command that failed, with the end of its output. action describes the command. If
// ctx has ended, the error states this instead.
func commandError(ctx context.Context, action string, err error, output string) error {
	if ctx.Err() != nil {
		return fmt.Errorf("setup: %s: %w", action, ctx.Err())
	}
	if output = strings.TrimSpace(output); output == "" {
		return fmt.Errorf("setup: %s: %w", action, err)
	}
	lines := strings.Split(output, "\n")
	if len(lines) > maxOutputLines {
		lines = append([]string{"…"}, lines[len(lines)-maxOutputLines:]...)
	}
	return fmt.Errorf("setup: %s: %w:\n%s", action, err, strings.Join(lines, "\n"))
}

// runGo runs the go command in a folder, with variables added to the environment, and returns what it prints to its
// standard output. action describes the purpose in the error.
func runGo(ctx context.Context, folder, action string, vars []string, args ...string) (output string, err error) {
	cmd := commandEndingWithParent(ctx, "go", args...)
	cmd.Dir = folder
	cmd.Env = append(append(os.Environ(), "GOWORK=off"), vars...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", commandError(ctx, action+" by go "+args[0]+" (needs the network once)", err, stderr.String())
	}
	return strings.TrimSpace(stdout.String()), nil
}

// buildProgram runs go install or go build with these environment variables and arguments. Its messages contain
// programNames, the names of the programs that are built.
func buildProgram(ctx context.Context, logLine func(string), programNames string, env []string, args ...string) error {
	logLine("building " + programNames + " (once; usually less than a minute)")
	start := time.Now()
	env = append([]string{"CGO_ENABLED=0", "GOOS=", "GOARCH="}, env...)
	if _, err := runGo(ctx, "", "build "+programNames, env, args...); err != nil {
		return err
	}
	logLine(programNames + " built in " + time.Since(start).Round(100*time.Millisecond).String())
	return nil
}

// runWatched runs cmd, passes each line of its output to onLine, and returns the whole output.
func runWatched(cmd *exec.Cmd, onLine func(string)) (string, error) {
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	var output strings.Builder
	readerEnded := make(chan struct{})
	go func() {
		defer close(readerEnded)
		reader := bufio.NewReader(r)
		for {
			line, err := reader.ReadString('\n')
			output.WriteString(line)
			if line != "" {
				onLine(strings.TrimRight(line, "\r\n"))
			}
			if err != nil {
				return
			}
		}
	}()
	err := cmd.Run()
	w.Close()
	<-readerEnded
	return output.String(), err
}
