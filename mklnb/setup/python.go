package setup

import (
	"bytes"
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

	"github.com/mklnb/mkl/algos/store"
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

// interpreter describes a Python interpreter. probeScript prints these fields as JSON.
type interpreter struct {
	Executable      string   `json:"executable"` // the path, with links and shims of version managers resolved
	Version         [3]int   `json:"version"`
	HasVenv         bool     `json:"venv"`    // the interpreter can make a virtual environment with pip
	MissingPackages []string `json:"missing"` // required packages that are not installed in the required version
}

func (i interpreter) String() string {
	return fmt.Sprintf("Python %d.%d.%d (%s)", i.Version[0], i.Version[1], i.Version[2], i.Executable)
}

// inspectPython returns the description of the interpreter called name. An interpreter is usable if it is not too old
// and if it has every required package or can make a virtual environment. Otherwise inspectPython returns an error.
func inspectPython(ctx context.Context, name string, requirements []byte) (p interpreter, err error) {
	cmd := exec.CommandContext(ctx, name, "-c", probeScript)
	cmd.Stdin = bytes.NewReader(requirements)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		return p, commandError(ctx, "ask "+name+" for its version", err, stderr.String())
	}
	if err := json.Unmarshal(output, &p); err != nil {
		return p, fmt.Errorf("setup: %s is not Python: expected JSON, got %.80q: %w", name, output, err)
	}
	switch {
	case p.Version[0] < minMajor || p.Version[0] == minMajor && p.Version[1] < minMinor:
		return p, fmt.Errorf("setup: %v is too old; use Python %d.%d or newer", p, minMajor, minMinor)
	case !p.HasVenv && len(p.MissingPackages) > 0:
		return p, fmt.Errorf("setup: %v cannot make virtual environments: its modules venv and ensurepip are not "+
			"installed; install them (Debian, Ubuntu: python3-venv)", p)
	}
	return p, nil
}

// findPython returns an interpreter that inspectPython accepts: MKL_PYTHON if it is set, otherwise the first on PATH.
// The error states what is wrong with each interpreter.
func findPython(ctx context.Context, requirements []byte) (interpreter, error) {
	names := []string{"python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python"}
	if name := os.Getenv("MKL_PYTHON"); name != "" {
		names = []string{name}
	}
	reasons := []error{errors.New("setup: no usable Python; install Python 3.10 or newer (Debian, Ubuntu: apt " +
		"install python3-venv), or set MKL_PYTHON to it")}
	for _, name := range names {
		p, err := inspectPython(ctx, name, requirements)
		if err == nil {
			return p, nil
		}
		if ctx.Err() != nil {
			return p, fmt.Errorf("setup: look for Python: %w", ctx.Err())
		}
		if len(names) == 1 || !errors.Is(err, exec.ErrNotFound) {
			reasons = append(reasons, err)
		}
	}
	return interpreter{}, errors.Join(reasons...)
}

// venvMarker is the name of the file that setup writes last. If it exists, the virtual environment is complete.
const venvMarker = "complete"

// EnsureVenv returns an interpreter that has every package of requirements, a requirements file with hashes. If the
// interpreter of MKL_PYTHON or PATH has all packages, as in a Docker image, EnsureVenv returns it. Otherwise it returns
// a virtual environment in the cache folder and makes it if necessary. Its folder has a name that begins with name;
// packageNames is for messages.
func EnsureVenv(ctx context.Context, name, packageNames string, requirements []byte,
	logLine func(string)) (pythonPath string, err error) {
	cacheFolder, err := store.CacheDir()
	if err != nil {
		return "", fmt.Errorf("setup: %w", err)
	}
	dir := filepath.Join(cacheFolder, name+"-"+hashTexts(string(requirements), runtime.GOOS, runtime.GOARCH,
		os.Getenv("MKL_PYTHON")))
	path := filepath.Join(dir, "bin", "python")
	if isVenvComplete(ctx, dir, path) {
		return path, nil
	}
	basePython, err := findPython(ctx, requirements)
	if err != nil {
		return "", err
	}
	if len(basePython.MissingPackages) == 0 {
		return basePython.Executable, nil
	}
	return path, withLock(ctx, cacheFolder, name, logLine, func() error {
		if isVenvComplete(ctx, dir, path) { // another process has made the environment meanwhile
			return nil
		}
		return makeVenv(ctx, basePython, dir, packageNames, requirements, logLine)
	})
}

// isVenvComplete reports whether the virtual environment in dir is complete and its interpreter still runs. The
// interpreter is a link to another one, which may have been removed.
func isVenvComplete(ctx context.Context, dir, path string) bool {
	return pathExists(filepath.Join(dir, venvMarker)) && exec.CommandContext(ctx, path, "-S", "-c", "").Run() == nil
}

// makeVenv makes a virtual environment in dir and installs the required packages: wheels only, hashes verified.
func makeVenv(ctx context.Context, base interpreter, dir, packageNames string, requirements []byte,
	logLine func(string)) error {
	start := time.Now()
	logLine(fmt.Sprintf("making a virtual environment with %s from %v (usually a minute)", packageNames, base))
	if err := os.RemoveAll(dir); err != nil { // a killed setup may have left this folder
		return cacheError(err)
	}
	// Empty variables remove the effect of values of the user on Python and pip.
	env := append(os.Environ(), "PYTHONHOME=", "PYTHONPATH=", "PIP_TARGET=", "PIP_PREFIX=", "PIP_CONSTRAINT=",
		"PIP_REQUIREMENT=", "VIRTUAL_ENV=", "PIP_USER=0", "PIP_NO_INPUT=1", "PIP_DISABLE_PIP_VERSION_CHECK=1",
		"PYTHONUNBUFFERED=1")
	cmd := commandEndingWithParent(ctx, base.Executable, "-m", "venv", dir)
	cmd.Env = env
	if output, err := cmd.CombinedOutput(); err != nil {
		return commandError(ctx, fmt.Sprintf("make a virtual environment with %v", base), err, string(output))
	}
	file := filepath.Join(dir, "requirements.txt")
	if err := writeFile(file, requirements); err != nil {
		return err
	}
	cmd = commandEndingWithParent(ctx, filepath.Join(dir, "bin", "python"), "-m", "pip", "install", "--require-hashes",
		"--only-binary=:all:", "--retries", "2", "--progress-bar", "off", "--no-warn-script-location", "-r", file)
	cmd.Env = env
	if output, err := runWatched(cmd, newPipProgressLogger(requirements, logLine)); err != nil {
		return commandError(ctx, "install "+packageNames+" (the first time needs the network)", err, output)
	}
	if err := writeFile(filepath.Join(dir, venvMarker), []byte(base.String()+"\n")); err != nil {
		return err
	}
	logLine("virtual environment ready in " + time.Since(start).Round(100*time.Millisecond).String())
	return nil
}

// newPipProgressLogger returns a function for the lines that pip prints. The function logs the progress of pip, at most
// once in three seconds.
func newPipProgressLogger(requirements []byte, logLine func(string)) func(string) {
	total := bytes.Count(requirements, []byte("=="))
	collectedCount, lastLogTime := 0, time.Now()
	return func(line string) {
		if !strings.HasPrefix(line, "Collecting ") {
			return
		}
		collectedCount++
		if time.Since(lastLogTime) > 3*time.Second {
			lastLogTime = time.Now()
			logLine(fmt.Sprintf("  %d of about %d packages", collectedCount, total))
		}
	}
}
