package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestKill runs a study with five kills at random moments, and once more from the start where it has ended before there
// were enough. The file of a finished split is not written again.
func TestKill(t *testing.T) {
	const kills = 5
	_, file := sonar(t, 24, false)
	want, began := table(t, file), time.Now()
	rounds, cut := 0, 0
	for done := 0; done < kills; rounds++ {
		store := t.TempDir()
		var kept map[string]time.Time
		finished := 0 // number of splits
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
			changed := 0
			for name, written := range kept {
				if !now[name].Equal(written) {
					changed++
				}
			}
			if changed > len(kept)-finished {
				t.Errorf("%d of %d files were written again, but %d splits were finished", changed, len(kept), finished)
			}
			list, _ := command("list", "-store", store, file).Output()
			finished = strings.Count(string(list), "done\t")
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
