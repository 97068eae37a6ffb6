package clusters

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

// machine starts processes and finds them again.
type machine struct {
	dir, mark string // mark is in the environment of every process
}

// newMachine returns a machine without processes. At the end of the test, all its processes are killed.
func newMachine(t *testing.T) machine {
	dir := t.TempDir()
	m := machine{dir, "MKL_CLUSTER_TEST=" + dir}
	t.Cleanup(func() {
		kill(m.processes(""))
		wait(t, "the end of all processes", func() bool { return len(m.processes("")) == 0 })
	})
	return m
}

// cluster is a standalone cluster of Spark on this machine: a master and workers of one core each.
type cluster struct {
	machine
	home, python string // folder of the package pyspark, and the Python that has it
	master       string // address
	workers      int
}

// startMaster starts a cluster without workers. It skips the test if there is no Java or no pyspark.
func startMaster(t *testing.T) *cluster {
	t.Helper()
	python := testenv.PythonCommand()
	out, err := exec.Command(python, "-c", "import os, pyspark, sys; print(os.path.dirname(pyspark.__file__)); "+
		"print(sys.executable)").Output()
	found := strings.Fields(string(out))
	if err != nil || len(found) != 2 {
		testenv.SkipWithout(t, python+" has no pyspark; pip install pyspark==3.5.9, and set MKL_PYTHON to its Python")
	}
	if _, err := exec.LookPath("java"); err != nil {
		testenv.SkipWithout(t, "no java in PATH; install Java 17: apt-get install openjdk-17-jre-headless")
	}
	c := &cluster{machine: newMachine(t), home: found[0], python: found[1]}
	log := c.daemon(t, "master", "org.apache.spark.deploy.master.Master", "--port", "0")
	address := regexp.MustCompile(`Starting Spark master at (spark://\S+)`)
	wait(t, "the master", func() bool { return address.Match(read(t, log)) })
	c.master = string(address.FindSubmatch(read(t, log))[1])
	return c
}

// startWorker adds a worker and waits until the master knows it.
func (c *cluster) startWorker(t *testing.T) {
	t.Helper()
	c.workers++
	name := fmt.Sprint("worker", c.workers)
	log := c.daemon(t, name, "org.apache.spark.deploy.worker.Worker", "-c", "1", "-m", "512m", "-d",
		filepath.Join(c.dir, name), c.master)
	wait(t, name, func() bool { return bytes.Contains(read(t, log), []byte("Successfully registered with master")) })
}

// daemon starts a Java process of the cluster, and returns the path of its log.
func (c *cluster) daemon(t *testing.T, name, class string, args ...string) string {
	t.Helper()
	log := filepath.Join(c.dir, name+".log")
	args = append([]string{class, "--host", "127.0.0.1", "--webui-port", "0"}, args...)
	c.start(t, c.command(filepath.Join(c.home, "bin", "spark-class"), args...), log)
	return log
}

// command returns a command in the environment of the cluster.
func (c *cluster) command(name string, args ...string) *exec.Cmd {
	cmd := c.machine.command(name, args...)
	cmd.Env = append(cmd.Env, "SPARK_HOME="+c.home, "PYSPARK_PYTHON="+c.python,
		"SPARK_LOCAL_IP=127.0.0.1", "SPARK_DAEMON_MEMORY=256m", "SPARK_LOCAL_DIRS="+c.dir,
		"JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC") // short programs: less work for the compiler
	return cmd
}

// command returns a command whose process, and those that it starts, have the mark.
func (m machine) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), m.mark)
	return cmd
}

// start starts a command as a process group of its own, which writes to a log.
func (machine) start(t *testing.T, cmd *exec.Cmd, log string) (ended chan error) {
	t.Helper()
	f := must(os.Create(log))
	defer f.Close()
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = f, f, &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended = make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return ended
}

// processes returns the processes with the mark whose command line contains a text.
func (m machine) processes(text string) []int { return findProcesses(m.mark, text) }

// findProcesses returns the processes whose environment contains a mark, and whose command line contains a text.
func findProcesses(mark, text string) (pids []int) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		environment, _ := os.ReadFile(filepath.Join(folder, "environ")) // empty if the process has ended
		line, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil && bytes.Contains(environment, []byte(mark)) &&
			bytes.Contains(line, []byte(text)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// executors returns the Java processes that run tasks.
func (c *cluster) executors() []int { return c.processes("CoarseGrainedExecutorBackend") }

// kill sends SIGKILL to processes, which may have ended.
func kill(pids []int) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// wait waits until a condition is true, and fails after five minutes.
func wait(t *testing.T, what string, isTrue func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !isTrue(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited five minutes for %s", what)
		}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	return must(os.ReadFile(path))
}

// must returns v, or panics.
// write writes a file that only its owner may read.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// freePort returns a port that nothing listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
