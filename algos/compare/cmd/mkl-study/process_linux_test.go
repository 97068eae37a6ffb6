package main

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

// kill runs a study with kills at random moments, and once more from the start where it has ended before there were
// enough. Nothing that was kept is computed again.
func kill(t *testing.T, kills int) {
	_, file := sonar(t, 24, false)
	want, began := table(t, file), time.Now()
	rounds, cut := 0, 0
	for done := 0; done < kills; rounds++ {
		store := t.TempDir()
		var kept map[string]time.Time
		for end := false; !end; {
			cmd := command("run", "-store", store, file)
			var out bytes.Buffer
			cmd.Stderr = &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			if done < kills {
				for done%3 > 0 && len(files(store)) == len(kept) && len(ended) == 0 { // every third at any moment
					time.Sleep(time.Millisecond)
				}
				time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
				cmd.Process.Kill() // it may have ended
			}
			err := <-ended
			var exit *exec.ExitError
			switch {
			case err == nil:
				end = true
			case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL:
				done++
			default:
				t.Fatalf("%v: %s", err, &out)
			}
			now := files(store)
			for name, written := range kept {
				if !now[name].Equal(written) {
					t.Errorf("%s was kept at %v, and again at %v", name, written, now[name])
				}
			}
			if !end && len(now) > len(kept) {
				cut++
			}
			kept = now
		}
		if got := shown(t, store, file); got != want {
			t.Fatalf("after kills:\n%s\nwant\n%s", got, want)
		}
	}
	if cut == 0 {
		t.Error("no kill came between two results: the test asks nothing")
	}
	t.Logf("%d kills, %d of them between results, in %d studies, %v", kills, cut, rounds, time.Since(began))
}

// A study that is killed goes on where it was.
func TestKill(t *testing.T) { kill(t, 5) }

func TestKillOften(t *testing.T) {
	testenv.Long(t)
	kill(t, 100)
}

// Two programs at once, one store: one table, and no result that is half.
func TestTwo(t *testing.T) {
	_, file := sonar(t, 6, true)
	store := t.TempDir()
	first := command("run", "-store", store, file)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	if out, err := command("run", "-store", store, file).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if err := first.Wait(); err != nil {
		t.Error(err)
	}
	if got, want := shown(t, store, file), table(t, file); got != want {
		t.Errorf("of two programs\n%s\nwant\n%s", got, want)
	}
}

// SIGINT and SIGTERM end a run with what is finished, and it says so.
func TestStop(t *testing.T) {
	_, file := sonar(t, 200, false)
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		store := t.TempDir()
		cmd := command("run", "-store", store, file)
		var out bytes.Buffer
		cmd.Stderr = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for began := time.Now(); len(files(store)) < 3 && time.Since(began) < time.Minute; {
			time.Sleep(time.Millisecond)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 3 || !strings.Contains(out.String(),
			"splits left; finished results are stored: run it again") {
			t.Errorf("%v: %v\n%s", signal, err, &out)
		}
		if left, _ := filepath.Glob(filepath.Join(store, ".*")); len(left) > 0 {
			t.Errorf("%v: left behind %v", signal, left)
		}
		before := len(files(store))
		list, _ := command("list", "-store", store, file).Output()
		if done := strings.Count(string(list), "done\t"); before < 3 || done == 200 {
			t.Errorf("%v: %d results, %d splits done", signal, before, done)
		}
	}
}

// A full disk: the shard fails and says why, what was kept is there, and with room it goes on.
func TestFullDisk(t *testing.T) {
	_, file := sonar(t, 6, false)
	store := t.TempDir()
	if err := syscall.Mount("none", store, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip(err) // nobody but root mounts
	}
	defer syscall.Unmount(store, 0)
	cmd := command("run", "-store", store, file)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "no space left on device") ||
		!strings.Contains(string(out), "splits left, since results cannot be stored") {
		t.Errorf("%v: %s", err, out)
	}
	kept := files(store)
	if len(kept) == 0 {
		t.Error("nothing was kept")
	}
	if err := syscall.Mount("none", store, "tmpfs", syscall.MS_REMOUNT, "size=8m"); err != nil {
		t.Fatal(err)
	}
	if out, err := command("run", "-store", store, file).CombinedOutput(); err != nil {
		t.Errorf("with room: %v: %s", err, out)
	}
	if now := files(store); !slices.ContainsFunc(slices.Collect(maps.Keys(kept)), func(name string) bool {
		return now[name].Equal(kept[name])
	}) {
		t.Error("what was kept was computed again")
	}
	if got, want := shown(t, store, file), table(t, file); got != want {
		t.Errorf("after a full disk\n%s\nwant\n%s", got, want)
	}
}
