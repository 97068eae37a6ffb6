package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// TestKilled: where go run, or lab itself, is killed at a random moment of -setup or of a running server, no process is
// left five seconds later, and the set-up that follows is whole.
func TestKilled(t *testing.T) {
	if !testenv.Full() {
		t.Skip("MKL_SIZE is not full: this kills for a quarter of an hour")
	}
	env := must(setup.Ensure(t.Context(), nil))
	mark := fmt.Sprintf("MKL_TEST_MARK=%x", rand.Uint64())
	start := func(cache string, args ...string) (*exec.Cmd, *bytes.Buffer) {
		var said bytes.Buffer
		cmd := exec.Command("go", append([]string{"run", "./mklnb/lab"}, args...)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = env.Root, &said, &said
		cmd.Env = append(os.Environ(), mark, "MKL_CACHE="+cache)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.WaitDelay = time.Second
		try(cmd.Start())
		return cmd, &said
	}
	cold := filepath.Join(t.TempDir(), "cache")
	var cut, whole int
	for i := range 50 {
		args, cache, limit := []string{"--", "--no-browser", "--ServerApp.port=0"}, env.Cache, 5.0
		switch i % 4 {
		case 0: // all of the set-up, then, with Python there, its later steps
			args, cache, limit = []string{"-setup"}, cold, 15
		case 2:
			args, cache, limit = []string{"-setup"}, cold, 6
			os.RemoveAll(cold)
			try(os.MkdirAll(cold, 0o755))
			python := filepath.Dir(filepath.Dir(env.Python))
			if out, err := exec.Command("cp", "-al", python, cold).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		moment := time.Duration(rand.Float64() * limit * float64(time.Second))
		cmd, said := start(cache, args...)
		time.Sleep(moment)
		who, signal := "go run", syscall.SIGKILL
		switch victim := cmd.Process.Pid; i % 3 {
		case 0:
			for _, p := range marked(mark) {
				if p.parent == victim && strings.HasSuffix(p.exe, "/lab") {
					who = "lab"
					syscall.Kill(p.pid, signal)
				}
			}
			if who == "go run" {
				syscall.Kill(victim, signal)
			}
		case 1:
			syscall.Kill(victim, signal)
		case 2:
			signal = syscall.SIGTERM
			syscall.Kill(victim, signal)
		}
		end := time.Now().Add(5 * time.Second)
		if cmd.Wait() == nil {
			whole++
			os.RemoveAll(cold)
		} else {
			cut++
		}
		left := marked(mark)
		for len(left) > 0 && time.Now().Before(end) {
			time.Sleep(100 * time.Millisecond)
			left = marked(mark)
		}
		t.Logf("%v %v: %s, %v: %d left; said %.200q", args, moment.Round(time.Millisecond), who, signal, len(left), said)
		for _, p := range left {
			t.Errorf("%v, %s killed by %v after %v: process %d is left: %s", args, who, signal, moment, p.pid, p.line)
			syscall.Kill(p.pid, syscall.SIGKILL)
		}
	}
	t.Logf("%d were cut off, %d had ended before", cut, whole)
	if cut < 25 {
		t.Error("hardly one was killed in time")
	}
	for range 2 {
		cmd, said := start(cold, "-setup")
		if err := cmd.Wait(); err != nil || !strings.Contains(said.String(), "everything is there") {
			t.Fatalf("the set-up that follows: %v: %s", err, said)
		}
	}
}

// process is one of this system.
type process struct {
	pid, parent int
	exe, line   string
}

// marked are the processes with this variable in their environment, this one apart, and those that have ended.
func marked(variable string) (list []process) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		environ, err := os.ReadFile(filepath.Join(folder, "environ"))
		if err != nil || !bytes.Contains(environ, []byte(variable)) {
			continue
		}
		p := process{}
		p.pid, _ = strconv.Atoi(filepath.Base(folder))
		p.exe, _ = os.Readlink(filepath.Join(folder, "exe"))
		line, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		p.line = strings.ReplaceAll(string(line), "\x00", " ")
		stat, _ := os.ReadFile(filepath.Join(folder, "stat"))
		if _, rest, ok := strings.Cut(string(stat), ") "); ok {
			var state string
			fmt.Sscan(rest, &state, &p.parent)
			if state != "Z" {
				list = append(list, p)
			}
		}
	}
	return list
}
