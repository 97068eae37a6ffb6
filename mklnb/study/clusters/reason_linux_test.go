package clusters

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// TestReason: the error of a failing shard contains the first and the last line of the program, the shard and the host,
// and the log of the executor contains all lines. Go prints the message of a panic before its traces.
func TestReason(t *testing.T) {
	dir := t.TempDir()
	const stubs = `import sys, types
sys.modules["py4j"] = types.ModuleType("py4j")
sys.modules["py4j.protocol"] = types.SimpleNamespace(Py4JError=Exception)
context = types.SimpleNamespace(get=lambda: types.SimpleNamespace(cpus=lambda: 1))
sys.modules["pyspark"] = types.SimpleNamespace(SparkConf=None, SparkContext=None, TaskContext=context,
                                               SparkFiles=types.SimpleNamespace(get=lambda name: "./" + name))
import mkl_study_spark as job
a = types.SimpleNamespace(store="store", program="program", data=None, study="study.json")
try:
    job.make_task(a, 9)(7)
except RuntimeError as e:
    print(e)
`
	for name, text := range map[string]string{"stubs.py": stubs, "program": "#!/bin/sh\necho panic: bad luck >&2\n" +
		"seq 2000 >&2\necho the end >&2\nexit 2\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(testenv.PythonCommand(), "-B", "stubs.py")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHONPATH="+must(filepath.Abs(".")))
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &log)
	}
	for _, want := range []string{"shard 7 ", must(os.Hostname()), "panic: bad luck\n", "\nthe end"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in the error %q", want, out)
		}
	}
	if !strings.Contains(log.String(), "\n1000\n") || strings.Contains(string(out), "\n1000\n") {
		t.Error("the log of the executor lacks a line, or the error has all of them")
	}
}
