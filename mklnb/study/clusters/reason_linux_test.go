package clusters

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// stubs replaces pyspark, and defines the arguments a of the job.
const stubs = `import sys, time, types
from unittest import mock
sys.modules["py4j"] = types.ModuleType("py4j")
sys.modules["py4j.protocol"] = types.SimpleNamespace(Py4JError=KeyError)
context = types.SimpleNamespace(get=lambda: types.SimpleNamespace(cpus=lambda: 1))
sys.modules["pyspark"] = types.SimpleNamespace(SparkConf=mock.MagicMock(), SparkContext=mock.MagicMock(),
                                               TaskContext=context,
                                               SparkFiles=types.SimpleNamespace(get=lambda name: "./" + name))
import mkl_study_spark as job
a = types.SimpleNamespace(store="store", program="program", study="study.jsonl", conf=[], master="",
                          interval=0.01)
`

// runPython runs a script after stubs in a folder, and returns its output.
func runPython(t *testing.T, dir, script string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(testenv.PythonCommand(), "-B", "-c", stubs+script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHONPATH="+must(filepath.Abs(".")))
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &log)
	}
	return string(out), log.String()
}

// TestFailingList: the job goes on if the driver cannot list the results for a while.
func TestFailingList(t *testing.T) {
	out, _ := runPython(t, t.TempDir(), `
calls = []
def list_splits(a):
    calls.append(1)
    if len(calls) < 3:
        sys.exit("the store is away")
    return [("split 1", True)]
job.list_splits = list_splits
def run_job(*_):
    for _ in range(500):  # an end, so that a job that was canceled fails and does not wait
        if len(calls) < 4:
            time.sleep(0.01)
job.run_job = run_job
print(job.run_splits(a, [("split 1", False)]))
`)
	if strings.Count(out, "the store is away") != 2 || !strings.Contains(out, "splits done: 1, left: 0") {
		t.Errorf("the job printed %q", out)
	}
}

// TestStuckShard: the time left is not printed again and again if no split finishes for long.
func TestStuckShard(t *testing.T) {
	out, _ := runPython(t, t.TempDir(), `
calls = []
job.time = types.SimpleNamespace(monotonic=lambda: 10.0 * len(calls))
def list_splits(a):
    calls.append(1)
    return [(f"split {i}", i < min(len(calls), 3)) for i in range(4)]
job.list_splits = list_splits
def run_job(*_):
    for _ in range(500):
        if len(calls) < 30:
            time.sleep(0.01)
job.run_job = run_job
job.run_splits(a, [(f"split {i}", False) for i in range(4)])
`)
	lines, want := strings.Split(out, "\n"), "no split has finished for"
	if len(lines) < 30 || !strings.Contains(lines[3], "s left") || !strings.Contains(lines[25], want) {
		t.Errorf("the job printed %q", out)
	}
}

// TestReason: the error of a failing shard contains the first and the last line of the program, the shard, its splits
// and the host, and the log of the executor contains all lines. Go prints the message of a panic before its traces.
func TestReason(t *testing.T) {
	dir := t.TempDir()
	program := "#!/bin/sh\necho panic: bad luck >&2\nseq 2000 >&2\necho the end >&2\nexit 2\n"
	if err := os.WriteFile(filepath.Join(dir, "program"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	out, log := runPython(t, dir, `
try:
    job.make_task(a, 9)((7, "split 8, split 17"))
except RuntimeError as e:
    print(e)
`)
	for _, want := range []string{"shard 7 ", "split 8, split 17", must(os.Hostname()), "panic: bad luck\n",
		"\nthe end"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in the error %q", want, out)
		}
	}
	if !strings.Contains(log, "\n1000\n") || strings.Contains(out, "\n1000\n") {
		t.Error("the log of the executor lacks a line, or the error has all of them")
	}
}
