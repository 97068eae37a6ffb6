//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is also the program that TestEndWithGoRun starts: it runs until its parent has ended.
func TestMain(m *testing.M) {
	if os.Getenv("MKL_TEST_ORPHAN") == "" {
		os.Exit(m.Run())
	}
	ctx := endWithGoRun(context.Background())
	fmt.Println(os.Getpid())
	select {
	case <-ctx.Done():
		fmt.Println("orphaned")
	case <-time.After(4 * time.Second):
		fmt.Println("continues")
	}
}

// TestEndWithGoRun tests that a program in a folder of go run ends when its parent is killed, even at once, and that a
// program in another folder continues.
func TestEndWithGoRun(t *testing.T) {
	for folder, want := range map[string]string{
		filepath.Join("cache", "ab", strings.Repeat("ab", 32)+"-d"): "orphaned",
		filepath.Join("go-build123", "b001", "exe"):                 "orphaned",
		"bin": "continues",
	} {
		for _, script := range []string{`"$0"; :`, `"$0" & kill -KILL $$`} {
			t.Run(want+" "+filepath.Base(folder)+" "+script, func(t *testing.T) {
				t.Parallel()
				exe := filepath.Join(t.TempDir(), folder, "lab")
				try(os.MkdirAll(filepath.Dir(exe), 0o755))
				self := must(os.Executable())
				if err := os.Link(self, exe); err != nil {
					try(exec.Command("cp", self, exe).Run())
				}
				parent := exec.Command("/bin/sh", "-c", script, exe)
				parent.Env = append(os.Environ(), "MKL_TEST_ORPHAN=1")
				parent.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // as a shell starts a job
				out := must(parent.StdoutPipe())
				try(parent.Start())
				lines := bufio.NewScanner(out)
				if !lines.Scan() { // it watches its parent now
					t.Fatal("the program prints nothing")
				}
				parent.Process.Kill()
				if !lines.Scan() || lines.Text() != want {
					t.Errorf("it prints %q, expected %q", lines.Text(), want)
				}
				parent.Wait()
			})
		}
	}
}
