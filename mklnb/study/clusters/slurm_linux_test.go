package clusters

import (
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// slurm is a controller of Slurm and two nodes of two processors each on this machine.
type slurm struct {
	machine
	bin string // folder of mkl-study
}

// configuration is slurm.conf. Its verbs are the folder, the host, the user, the ports of the controller and of the
// nodes.
const configuration = `ClusterName=test
SlurmctldHost=%[2]s(127.0.0.1)
SlurmUser=%[3]s
SlurmdUser=%[3]s
AuthType=auth/munge
AuthInfo=socket=%[1]s/munge/socket,cred_expire=5
SlurmctldPort=%[4]d
StateSaveLocation=%[1]s/state
SlurmdSpoolDir=%[1]s/spool-%%n
SlurmctldPidFile=%[1]s/controller.pid
SlurmdPidFile=%[1]s/node-%%n.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=5
KillWait=5
ReturnToService=2
NodeName=n1 NodeHostname=%[2]s NodeAddr=127.0.0.1 Port=%[5]d CPUs=2 State=UNKNOWN
NodeName=n2 NodeHostname=%[2]s NodeAddr=127.0.0.1 Port=%[6]d CPUs=2 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
`

// startSlurm starts a controller and two nodes. It skips the test if Slurm is not installed.
func startSlurm(t *testing.T) *slurm {
	t.Helper()
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(program); err != nil {
			testenv.SkipWithout(t, "no "+program+" in PATH; install Slurm: apt-get install slurm-wlm munge")
		}
	}
	s := &slurm{machine: newMachine(t)}
	s.bin = filepath.Join(s.dir, "bin")
	for _, folder := range []string{"bin", "munge", "state", "spool-n1", "spool-n2"} {
		if err := os.Mkdir(filepath.Join(s.dir, folder), 0o711); err != nil {
			t.Fatal(err)
		}
	}
	key := make([]byte, 128)
	_, _ = rand.Read(key)
	write(t, filepath.Join(s.dir, "munge", "key"), string(key))
	write(t, filepath.Join(s.dir, "slurm.conf"), fmt.Sprintf(configuration, s.dir, must(os.Hostname()),
		must(user.Current()).Username, freePort(t), freePort(t), freePort(t)))
	munge := func(name string) string { return filepath.Join(s.dir, "munge", name) }
	s.daemon(t, "munged", "--foreground", "--force", "--key-file="+munge("key"), "--socket="+munge("socket"),
		"--pid-file="+munge("pid"), "--log-file="+munge("log"), "--seed-file="+munge("seed"))
	wait(t, "munged", func() bool { _, err := os.Stat(munge("socket")); return err == nil })
	s.daemon(t, "slurmctld", "-D")
	s.startNode(t, "n1")
	s.startNode(t, "n2")
	return s
}

// nodeMark is in the environment of every process of a node, except those of jobs.
func (s *slurm) nodeMark(name string) string { return s.mark + "/" + name }

// startNode starts a node and waits until it is idle.
func (s *slurm) startNode(t *testing.T, name string) {
	t.Helper()
	node := machine{s.dir, s.nodeMark(name)}
	cmd := s.command("slurmd", "-D", "-N", name)
	cmd.Env = append(cmd.Env, node.mark)
	s.start(t, cmd, filepath.Join(s.dir, name+".log"))
	wait(t, name, func() bool { return strings.HasPrefix(s.call("sinfo", "-h", "-n", name, "-o", "%t"), "idle\n") })
}

// killNode kills the daemon of a node and all that it runs.
func (s *slurm) killNode(t *testing.T, name string) {
	t.Helper()
	jobs := findProcesses("SLURMD_NODENAME="+name, "mkl-study")
	if len(jobs) == 0 {
		t.Errorf("%s runs nothing", name)
	}
	kill(append(findProcesses(s.nodeMark(name), ""), jobs...))
}

// command returns a command that belongs to the cluster.
func (s *slurm) command(name string, args ...string) *exec.Cmd {
	cmd := s.machine.command(name, args...)
	cmd.Env = append(cmd.Env, "SLURM_CONF="+filepath.Join(s.dir, "slurm.conf"),
		"PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return cmd
}

// daemon starts a program of Slurm.
func (s *slurm) daemon(t *testing.T, name string, args ...string) {
	t.Helper()
	s.start(t, s.command(name, args...), filepath.Join(s.dir, name+".log"))
}

// call returns the output of a command of Slurm.
func (s *slurm) call(name string, args ...string) string {
	out, _ := s.command(name, args...).CombinedOutput()
	return string(out)
}

// submit submits the study as a job of twelve shards of one processor each, and returns the number of the job.
func (s *slurm) submit(t *testing.T, x *fixture, store string) (job string) {
	t.Helper()
	cmd := s.command("sbatch", "--parsable", "--array=0-11", "--cpus-per-task=1",
		"--output="+filepath.Join(s.dir, "shard-%A-%a.log"), "slurm.sh")
	cmd.Env = append(cmd.Env, "STUDY="+x.path, "STORE="+store)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// end waits for the end of all jobs.
func (s *slurm) end(t *testing.T) {
	t.Helper()
	wait(t, "the end of all jobs", func() bool { return s.call("squeue", "-h") == "" })
	wait(t, "the end of all shards", func() bool { return len(s.processes("mkl-study\x00run")) == 0 })
}

// TestSlurm runs a study on two nodes. It compares each table with the table of goroutines.
func TestSlurm(t *testing.T) {
	testenv.SkipUnlessLong(t)
	s := startSlurm(t)
	program := filepath.Join(s.bin, "mkl-study")
	if out, err := exec.Command("go", "build", "-o", program, "../mkl-study").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	x := newFixture(t, program, 240, false)
	begin := func(t *testing.T) (job, store string) {
		t.Helper()
		store = t.TempDir()
		job = s.submit(t, x, store)
		wait(t, "a quarter of the results", func() bool { return len(files(store)) > x.results/4 })
		return job, store
	}
	t.Run("a shard runs out of time", func(t *testing.T) { // Slurm sends this signal before the limit
		job, store := begin(t)
		wait(t, "shards that all run", func() bool { // a script that has just begun has no trap yet
			running := strings.Count(s.call("squeue", "-h", "-r", "-t", "running"), "\n")
			return running > 0 && len(s.processes("mkl-study\x00run")) == running
		})
		s.call("scancel", "--signal=USR1", "--batch", job)
		s.end(t)
		x.compare(t, store)
	})
	t.Run("the job is canceled and submitted again", func(t *testing.T) {
		job, store := begin(t)
		s.call("scancel", job)
		s.end(t)
		if n := len(files(store)); n == x.results {
			t.Errorf("all %d results were there", n)
		}
		s.submit(t, x, store)
		s.end(t)
		x.compare(t, store)
	})
	t.Run("a node is killed", func(t *testing.T) {
		_, store := begin(t)
		s.killNode(t, "n2")
		s.end(t) // the other node runs its shards again
		x.compare(t, store)
	})
}
