package setup

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// requirements pins JupyterLab: every package with its version and the hashes of its files.
//
//go:embed requirements.txt
var requirements []byte

// probeScript is a Python program that describes its interpreter: version, path, whether it can make virtual
// environments, and which packages of a requirements file on its standard input are not installed.
//
//go:embed probe.py
var probeScript string

// minMajor and minMinor are the oldest supported version of Python.
const minMajor, minMinor = 3, 10

// interpreter is the output of probeScript.
type interpreter struct {
	Executable string   `json:"executable"` // the path, with links and shims of version managers resolved
	Version    [3]int   `json:"version"`
	Venv       bool     `json:"venv"`  // whether it can make a virtual environment with pip
	Lacks      []string `json:"lacks"` // required packages that are not installed in the required version
}

func (i interpreter) String() string {
	return fmt.Sprintf("Python %d.%d.%d (%s)", i.Version[0], i.Version[1], i.Version[2], i.Executable)
}

// isTooOld reports whether i is older than the oldest supported version.
func (i interpreter) isTooOld() bool {
	return i.Version[0] < minMajor || i.Version[0] == minMajor && i.Version[1] < minMinor
}

// inspectPython runs probeScript in the interpreter at path.
func inspectPython(ctx context.Context, path string, requirements []byte) (interpreter, error) {
	cmd := exec.CommandContext(ctx, path, "-c", probeScript)
	cmd.Stdin = bytes.NewReader(requirements)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		return interpreter{}, commandError(ctx, "ask "+path+" for its version", err, stderr.String())
	}
	var p interpreter
	if err := json.Unmarshal(output, &p); err != nil {
		return interpreter{}, fmt.Errorf("setup: %s is not Python: expected JSON, got %.80q: %w", path, output, err)
	}
	return p, nil
}

// pythonNames are the names of interpreters that are looked up on PATH, in this order.
var pythonNames = []string{"python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python"}

// findPython returns a usable interpreter: MKL_PYTHON if it is set, otherwise the first usable one on PATH. An
// interpreter is usable if it is not too old and either has every required package or can make a virtual environment.
// Otherwise the error describes the first one that is not usable.
func findPython(ctx context.Context, requirements []byte) (interpreter, error) {
	candidates, prefix := pythonNames, ""
	if p := os.Getenv("MKL_PYTHON"); p != "" {
		candidates, prefix = []string{p}, "MKL_PYTHON: "
	}
	var unusable error // the first interpreter that runs but is not usable
	for _, name := range candidates {
		path, err := exec.LookPath(name)
		if err != nil && prefix == "" {
			continue
		}
		if err != nil {
			return interpreter{}, fmt.Errorf("setup: MKL_PYTHON=%s is not a program: %w; use Python 3.10 or newer",
				name, err)
		}
		p, err := inspectPython(ctx, path, requirements)
		switch {
		case ctx.Err() != nil:
			return interpreter{}, fmt.Errorf("setup: look for Python: %w", ctx.Err())
		case err != nil && prefix != "":
			return interpreter{}, fmt.Errorf("%w; set MKL_PYTHON to Python 3.10 or newer", err)
		case err != nil: // for example, a shim of a version manager without a version
			continue
		case p.isTooOld():
			err = fmt.Errorf("setup: %s%v is too old; install Python 3.10 or newer, or set MKL_PYTHON to it", prefix, p)
		case !p.Venv && len(p.Lacks) > 0:
			err = fmt.Errorf("setup: %s%v cannot make virtual environments: its modules venv and ensurepip are not "+
				"installed; install them (Debian, Ubuntu: apt install python3-venv)", prefix, p)
		default:
			return p, nil
		}
		unusable = cmp.Or(unusable, err)
	}
	if unusable != nil {
		return interpreter{}, unusable
	}
	return interpreter{}, errors.New("setup: Python is not on PATH; install Python 3.10 or newer (Debian, Ubuntu: " +
		"apt install python3-venv), or set MKL_PYTHON to it")
}

// venvMarker is the file that is written last: if it exists, the virtual environment is complete.
const venvMarker = "complete"

// Python returns an interpreter that has every package of requirements, a requirements file with hashes. If the
// interpreter of MKL_PYTHON or PATH has all packages, as in an image, Python returns it. Otherwise it returns a virtual
// environment in the cache folder and makes it if necessary. name begins the name of its folder; product names the
// packages in messages.
func Python(ctx context.Context, name, product string, requirements []byte, say func(string)) (string, error) {
	say = nonNilSay(say)
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	f := newFingerprint()
	f.add("requirements.txt", requirements)
	f.add("system", []byte(runtime.GOOS+"/"+runtime.GOARCH))
	f.add("MKL_PYTHON", []byte(os.Getenv("MKL_PYTHON")))
	dir := filepath.Join(cache, name+"-"+f.String())
	path := filepath.Join(dir, "bin", "python")
	if isVenvComplete(ctx, dir, path) {
		return path, nil
	}
	base, err := findPython(ctx, requirements)
	if err != nil {
		return "", err
	}
	if len(base.Lacks) == 0 {
		return base.Executable, nil
	}
	err = withLock(ctx, cache, name, say, func() error {
		if isVenvComplete(ctx, dir, path) { // another process has made it meanwhile
			return nil
		}
		return makeVenv(ctx, base, dir, product, requirements, say)
	})
	return path, err
}

// isVenvComplete reports whether the virtual environment in dir is complete and its interpreter, which links to one
// outside dir, still runs.
func isVenvComplete(ctx context.Context, dir, path string) bool {
	return pathExists(filepath.Join(dir, venvMarker)) && exec.CommandContext(ctx, path, "-S", "-c", "").Run() == nil
}

// makeVenv makes a virtual environment in dir and installs the required packages: wheels only, hashes verified.
func makeVenv(ctx context.Context, base interpreter, dir, product string, requirements []byte, say func(string)) error {
	start := time.Now()
	say(fmt.Sprintf("making a virtual environment with %s from %v", product, base))
	if err := os.RemoveAll(dir); err != nil { // a killed setup left it
		return cacheError(err)
	}
	env := withoutVariables(os.Environ(), "PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_CONSTRAINT",
		"PIP_REQUIREMENT", "VIRTUAL_ENV")
	env = append(env, "PIP_USER=0", "PIP_NO_INPUT=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PYTHONUNBUFFERED=1")
	cmd := supervisedCommand(ctx, base.Executable, "-m", "venv", dir)
	cmd.Env = env
	if output, err := cmd.CombinedOutput(); err != nil {
		return commandError(ctx, fmt.Sprintf("make a virtual environment with %v", base), err, string(output))
	}
	file := filepath.Join(dir, "requirements.txt")
	if err := writeFile(file, requirements); err != nil {
		return err
	}
	cmd = supervisedCommand(ctx, filepath.Join(dir, "bin", "python"), "-m", "pip", "install", "--require-hashes",
		"--only-binary=:all:", "--retries", "2", "--progress-bar", "off", "--no-warn-script-location", "-r", file)
	cmd.Env = env
	if output, err := runWatched(cmd, pipProgress(requirements, say)); err != nil {
		return commandError(ctx, "install "+product+" (the first time needs the network)", err, output)
	}
	if err := writeFile(filepath.Join(dir, venvMarker), []byte(base.String()+"\n")); err != nil {
		return err
	}
	say("virtual environment ready in " + time.Since(start).Round(100*time.Millisecond).String())
	return nil
}

// pipProgress returns a function that reads the lines of pip and reports its progress, at most once in three seconds.
func pipProgress(requirements []byte, say func(string)) func(string) {
	total := bytes.Count(requirements, []byte("=="))
	collected, last := 0, time.Now()
	return func(line string) {
		if !strings.HasPrefix(line, "Collecting ") {
			return
		}
		collected++
		if time.Since(last) > 3*time.Second {
			last = time.Now()
			say(fmt.Sprintf("  %d of about %d packages", collected, total))
		}
	}
}
