package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// example is the text of a file of examples.
func example(t *testing.T, name string) string {
	t.Helper()
	return string(must(os.ReadFile(filepath.Join("examples", name))))
}

// sh runs a script with the command in PATH, in a folder.
func sh(t *testing.T, dir, script string, env ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append(env, "PATH="+program+":"+os.Getenv("PATH"))...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// The job array, each task as SLURM calls it: the variables, and its signal before the time is up.
func TestSLURM(t *testing.T) {
	_, file := sonar(t, 3, true)
	store, script := t.TempDir(), example(t, "slurm.sh")
	for i := range 3 {
		if out, err := sh(t, ".", script, fmt.Sprint("SLURM_ARRAY_TASK_ID=", i), "SLURM_ARRAY_TASK_COUNT=3",
			"STORE="+store, "STUDY="+file); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if got, want := shown(t, store, file), table(t, file); got != want {
		t.Errorf("of the array\n%s\nwant\n%s", got, want)
	}
	_, long := sonar(t, 500, false)
	again := filepath.Join(t.TempDir(), "requeued")
	stop := fmt.Sprintf(`scontrol() { echo "$@" > %s; }; (while [[ $(ls "$STORE" | wc -l) -lt 3 ]]; do sleep 0.01; done;`+
		` kill -TERM $$) & `, again)
	out, err := sh(t, ".", stop+script, "SLURM_ARRAY_TASK_ID=0", "SLURM_ARRAY_TASK_COUNT=2", "SLURM_JOB_ID=77",
		"STORE="+t.TempDir(), "STUDY="+long)
	exit, ok := err.(*exec.ExitError)
	if b, _ := os.ReadFile(again); !ok || exit.ExitCode() != 3 || string(b) != "requeue 77\n" {
		t.Errorf("stopped: %v, requeued %q: %s", err, b, out)
	}
}

// The Job's command, with the index that Kubernetes sets; what it builds is built here already.
func TestKubernetes(t *testing.T) {
	_, file := sonar(t, 3, true)
	text := example(t, "kubernetes.yaml")
	_, command, ok := strings.Cut(text, ">-\n")
	command, _, end := strings.Cut(command, "          env:\n")
	if !ok || !end {
		t.Fatalf("no command in\n%s", text)
	}
	command = strings.Join(strings.Fields(command), " ")
	const build = "go build -o /tmp/mkl-study ./algos/compare/cmd/mkl-study && exec /tmp/"
	if !strings.HasPrefix(command, build) {
		t.Fatalf("the command is %q", command)
	}
	command = strings.TrimPrefix(command, build)
	completions := regexp.MustCompile(`completions: (\d+)`).FindStringSubmatch(text)
	shards := regexp.MustCompile(`name: SHARDS\s+value: "(\d+)"`).FindStringSubmatch(text)
	if completions == nil || shards == nil || completions[1] != shards[1] {
		t.Errorf("completions %v, SHARDS %v: want the same number", completions, shards)
	}
	store := t.TempDir()
	for i := range 3 {
		if out, err := sh(t, ".", command, fmt.Sprint("JOB_COMPLETION_INDEX=", i), "SHARDS=3", "STORE="+store,
			"STUDY="+file); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if got, want := shown(t, store, file), table(t, file); got != want {
		t.Errorf("of the Job\n%s\nwant\n%s", got, want)
	}
	if out, err := sh(t, ".", `python3 -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))["spec"]`+
		`["completionMode"])' examples/kubernetes.yaml`); err == nil && out != "Indexed\n" {
		t.Errorf("read as YAML: %s", out)
	}
}

// The rules' shell lines, their wildcards filled in as Snakemake does.
func TestSnakemake(t *testing.T) {
	_, file := sonar(t, 3, false)
	lines := regexp.MustCompile(`shell:\s+"(.*)"`).FindAllStringSubmatch(example(t, "Snakefile"), -1)
	if len(lines) != 2 {
		t.Fatalf("%d shell lines", len(lines))
	}
	dir := t.TempDir()
	for i := range 3 {
		fill := strings.NewReplacer("{wildcards.i}", fmt.Sprint(i), "{SHARDS}", "3", "{threads}", "2", "{STUDY}", file)
		if out, err := sh(t, dir, fill.Replace(lines[1][1])); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	fill := strings.NewReplacer("{STUDY}", file, "{output}", "table.txt")
	if out, err := sh(t, dir, fill.Replace(lines[0][1])); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := string(must(os.ReadFile(filepath.Join(dir, "table.txt")))); !strings.Contains(got, "learned") ||
		shown(t, filepath.Join(dir, "results"), file) != table(t, file) {
		t.Errorf("of the rules\n%s\nwant\n%s", got, table(t, file))
	}
}
