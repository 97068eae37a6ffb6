package setup

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// requirements is the lock of JupyterLab: every package with its version and the hashes of its files.
//
//go:embed requirements.txt
var requirements []byte

// probe asks an interpreter what it is, and which packages of a lock (on its standard
// input, as in requirements.txt) it lacks. Markers are evaluated by package packaging, which
// Jupyter brings and pip carries; where neither is there, nothing locked is.
//
//go:embed probe.py
var probe string

// Least version of Python.
const leastMajor, leastMinor = 3, 10

// interpreter is what probe says.
type interpreter struct {
	Executable string   `json:"executable"` // real path, behind shims and links of version managers
	Version    [3]int   `json:"version"`
	Venv       bool     `json:"venv"`  // can make a virtual environment with pip in it
	Lacks      []string `json:"lacks"` // locked packages not installed in the locked version
}

func (p interpreter) String() string {
	return fmt.Sprintf("Python %d.%d.%d (%s)", p.Version[0], p.Version[1], p.Version[2], p.Executable)
}

// old reports whether p is older than the least version.
func (p interpreter) old() bool {
	return p.Version[0] < leastMajor || p.Version[0] == leastMajor && p.Version[1] < leastMinor
}

// examine runs probe in the interpreter at path.
func examine(ctx context.Context, path string, lock []byte) (interpreter, error) {
	cmd := exec.CommandContext(ctx, path, "-c", probe)
	cmd.Stdin = bytes.NewReader(lock)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return interpreter{}, fmt.Errorf("setup: run %s: %w: %s", path, err, lastLine(stderr.String()))
	}
	var p interpreter
	if err := json.Unmarshal(out, &p); err != nil {
		return interpreter{}, fmt.Errorf("setup: run %s: expected JSON, got %q: %w", path, out, err)
	}
	return p, nil
}

// pythonNames are tried in this order on PATH.
var pythonNames = []string{"python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python"}

// findPython returns the first interpreter that suits: MKL_PYTHON when set and nothing else,
// otherwise those on PATH. Suits: least version, and either every locked package or the means
// to make a virtual environment. The error is one sentence about the best that was found.
func findPython(ctx context.Context, lock []byte) (interpreter, error) {
	names, chosen := pythonNames, ""
	if p := os.Getenv("MKL_PYTHON"); p != "" {
		names, chosen = []string{p}, "MKL_PYTHON: "
	}
	var old, bare *interpreter
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			if chosen != "" {
				return interpreter{}, fmt.Errorf("setup: MKL_PYTHON=%s is not a program: %w", name, err)
			}
			continue
		}
		if chosen != "" { // another program would do with the probe whatever it does
			said, _ := exec.CommandContext(ctx, path, "--version").CombinedOutput()
			if line, _, _ := strings.Cut(string(said), "\n"); !strings.HasPrefix(line, "Python ") && ctx.Err() == nil {
				return interpreter{}, fmt.Errorf("setup: MKL_PYTHON=%s is not Python: its --version says %.80q", name,
					line)
			}
		}
		p, err := examine(ctx, path, lock)
		switch {
		case ctx.Err() != nil:
			return interpreter{}, fmt.Errorf("setup: look for Python: %w", ctx.Err())
		case err != nil && chosen != "":
			return interpreter{}, err
		case err != nil: // a shim without a version behind it, say
			continue
		case p.old():
			if old == nil {
				old = &p
			}
		case !p.Venv && len(p.Lacks) > 0:
			if bare == nil {
				bare = &p
			}
		default:
			return p, nil
		}
	}
	switch {
	case bare != nil:
		return interpreter{}, fmt.Errorf("setup: %s%v cannot make virtual environments: its modules venv and "+
			"ensurepip are not installed (Debian, Ubuntu: apt install python3-venv)", chosen, *bare)
	case old != nil:
		return interpreter{}, fmt.Errorf("setup: %sPython 3.10 or newer is needed and %v is what there is; "+
			"install a newer one, or name it by MKL_PYTHON", chosen, *old)
	}
	return interpreter{}, errors.New("setup: Python 3.10 or newer is needed and there is none on PATH: install it " +
		"(Debian, Ubuntu: apt install python3-venv), or name it by MKL_PYTHON")
}

// venvMarker is written last: its presence says that the environment is whole.
const venvMarker = "complete"

// Python returns an interpreter that has every package of lock, a requirements file with hashes: that
// of MKL_PYTHON or of PATH when it has them all (as in an image), otherwise that of a virtual
// environment in the cache folder under a fingerprint of the lock, made now if need be. What says in
// a few words what the packages are, and name, a word, what the folder is called.
func Python(ctx context.Context, name, what string, lock []byte, say func(string)) (string, error) {
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	return packages(ctx, cache, name, what, lock, orQuiet(say))
}

func packages(ctx context.Context, cache, name, what string, requirements []byte, say func(string)) (string, error) {
	f := newFingerprint()
	f.add("requirements.txt", requirements)
	f.add("system", []byte(runtime.GOOS+"/"+runtime.GOARCH))
	f.add("MKL_PYTHON", []byte(os.Getenv("MKL_PYTHON")))
	dir := filepath.Join(cache, name+"-"+f.String())
	path := filepath.Join(dir, "bin", "python")
	if whole(ctx, dir, path) {
		return path, nil
	}
	base, err := findPython(ctx, requirements)
	if err != nil {
		return "", err
	}
	if len(base.Lacks) == 0 {
		return base.Executable, nil
	}
	err = locked(ctx, cache, name, say, func(lock *os.File) error {
		if whole(ctx, dir, path) {
			return nil
		}
		return makeVenv(ctx, base, dir, path, what, requirements, lock, say)
	})
	if err != nil {
		return "", err
	}
	prune(cache, name+"-", dir, unused)
	return path, nil
}

// whole reports whether the environment in dir was finished and its interpreter, which lies
// outside, still runs.
func whole(ctx context.Context, dir, path string) bool {
	return exists(filepath.Join(dir, venvMarker)) && used(dir) && exec.CommandContext(ctx, path, "-S", "-c",
		"").Run() == nil
}

// makeVenv makes the environment and installs the locked packages, wheels only, hashes checked. What it starts holds
// lock.
func makeVenv(ctx context.Context, base interpreter, dir, path, what string, requirements []byte, lock *os.File,
	say func(string)) error {
	start := time.Now()
	say(fmt.Sprintf("making a virtual environment with %s from %v", what, base))
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("setup: remove an unfinished environment: %w", err)
	}
	env := without(os.Environ(), "PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_CONSTRAINT",
		"PIP_REQUIREMENT", "VIRTUAL_ENV")
	env = append(env, "PIP_USER=0", "PIP_NO_INPUT=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PYTHONUNBUFFERED=1")
	cmd := command(ctx, lock, base.Executable, "-m", "venv", dir)
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		return failure(ctx, fmt.Sprintf("make a virtual environment with %v", base), "pip", err, string(out),
			lastLine(string(out)))
	}
	file := filepath.Join(dir, "requirements.txt")
	if err := writeWhole(file, requirements, 0o644); err != nil {
		return err
	}
	cmd = command(ctx, lock, path, "-m", "pip", "install", "--require-hashes", "--only-binary=:all:", "--retries", "2",
		"--progress-bar", "off", "--no-warn-script-location", "-r", file)
	cmd.Env = env
	if out, err := runWatched(cmd, pipProgress(requirements, say)); err != nil {
		return failure(ctx, "install "+what, "the Python packages of "+what, err, out, lastLine(out))
	}
	if err := writeWhole(filepath.Join(dir, venvMarker), []byte(base.String()+"\n"), 0o644); err != nil {
		return err
	}
	say("virtual environment ready in " + since(start))
	return nil
}

// pipProgress tells how far pip is, at most once in three seconds.
func pipProgress(lock []byte, say func(string)) func(string) {
	total := bytes.Count(lock, []byte("=="))
	collected, last := 0, time.Now()
	return func(line string) {
		switch {
		case strings.HasPrefix(line, "Collecting "):
			collected++
			if time.Since(last) > 3*time.Second {
				last = time.Now()
				say(fmt.Sprintf("  %d of about %d packages", collected, total))
			}
		case strings.HasPrefix(line, "Installing collected"):
			say(fmt.Sprintf("  %d packages fetched, installing", collected))
		}
	}
}

// runWatched runs cmd, hands every line it prints to watch, and returns all it printed.
func runWatched(cmd *exec.Cmd, watch func(string)) (string, error) {
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	var all strings.Builder
	done := make(chan struct{})
	go func() {
		defer close(done)
		lines := bufio.NewReader(r)
		for {
			line, err := lines.ReadString('\n')
			all.WriteString(line)
			if line != "" {
				watch(strings.TrimRight(line, "\r\n"))
			}
			if err != nil {
				return
			}
		}
	}()
	err := cmd.Run()
	w.Close()
	<-done
	return all.String(), err
}

// lastLine is the last line of output that says something, the usual place of the reason.
func lastLine(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		if line != "" && !strings.HasPrefix(line, "[notice]") {
			return line
		}
	}
	return "no output"
}

// without is the environment env less the variables of these names.
func without(env []string, names ...string) []string {
	var kept []string
next:
	for _, kv := range env {
		for _, name := range names {
			if strings.HasPrefix(kv, name+"=") {
				continue next
			}
		}
		kept = append(kept, kv)
	}
	return kept
}
