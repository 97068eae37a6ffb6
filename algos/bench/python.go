package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/mklnb/mkl/mklnb/setup"
)

// The locks of the environments: every package with its version and the hashes of its files.
var (
	//go:embed requirements.txt
	numpyLock []byte
	//go:embed himalaya.txt
	himalayaLock []byte
)

// environment is an interpreter with the packages of a peer, found or made when first asked for.
type environment struct {
	once   sync.Once
	make   func(ctx context.Context) (python string, err error)
	python string
	err    error
}

func (e *environment) get(ctx context.Context) (string, error) {
	e.once.Do(func() { e.python, e.err = e.make(ctx) })
	return e.python, e.err
}

// environmentsOf are the environments of these names: debian is the system's own Python and numpy,
// on the system's BLAS; numpy and himalaya are virtual environments with locked packages.
func environmentsOf(names []string, say func(string)) (map[string]*environment, error) {
	envs := map[string]*environment{}
	for _, name := range names {
		e := &environment{}
		switch name {
		case "debian":
			e.make = debian
		case "numpy":
			e.make = func(ctx context.Context) (string, error) { return venv(ctx, name, numpyLock, say) }
		case "himalaya":
			e.make = func(ctx context.Context) (string, error) { return venv(ctx, name, himalayaLock, say) }
		case "":
			continue
		default:
			return nil, fmt.Errorf("bench: -peers: there is no peer %q, expected debian, numpy or himalaya", name)
		}
		envs[name] = e
	}
	return envs, nil
}

// debian is the system's interpreter, if it has the distribution's numpy.
func debian(ctx context.Context) (string, error) {
	const python = "/usr/bin/python3"
	out, err := exec.CommandContext(ctx, python, "-I", "-c", "import numpy; print(numpy.__file__)").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s has no numpy (apt-get install python3-numpy python3-scipy): %s", python, lastLine(string(out)))
	}
	if file := strings.TrimSpace(string(out)); !strings.HasPrefix(file, "/usr/lib/") {
		return "", fmt.Errorf("the numpy of %s is %s, which is not the distribution's", python, file)
	}
	return python, nil
}

// venv is the interpreter of a virtual environment with exactly the packages of lock, in the cache
// folder under a hash of it. It is made beside its place and then renamed, so that there are whole
// ones only.
func venv(ctx context.Context, name string, lock []byte, say func(string)) (string, error) {
	cache, err := setup.CacheDir()
	if err != nil {
		return "", err
	}
	base, err := basePython(ctx)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s/%s\n%s", base, runtime.GOOS, runtime.GOARCH, lock)
	dir := filepath.Join(cache, fmt.Sprintf("bench-%s-%x", name, sum.Sum(nil)[:6]))
	python := filepath.Join(dir, "bin", "python")
	if exec.CommandContext(ctx, python, "-S", "-c", "").Run() == nil {
		return python, nil
	}
	say("making a virtual environment for " + name)
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", fmt.Errorf("bench: cache folder: %w; set MKL_CACHE", err)
	}
	tmp, err := os.MkdirTemp(cache, "bench-making-*")
	if err != nil {
		return "", fmt.Errorf("bench: cache folder: %w; set MKL_CACHE", err)
	}
	defer os.RemoveAll(tmp)
	file := filepath.Join(tmp, "requirements.txt")
	if err := os.WriteFile(file, lock, 0o644); err != nil {
		return "", fmt.Errorf("bench: %w", err)
	}
	for _, step := range [][]string{
		{base, "-m", "venv", filepath.Join(tmp, "env")},
		{filepath.Join(tmp, "env", "bin", "python"), "-m", "pip", "install", "--require-hashes", "--only-binary=:all:", "--retries", "2", "--progress-bar", "off", "-r", file},
	} {
		cmd := exec.CommandContext(ctx, step[0], step[1:]...)
		cmd.Env = append(without(os.Environ(), "PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_CONSTRAINT", "PIP_REQUIREMENT", "VIRTUAL_ENV"),
			"PIP_USER=0", "PIP_NO_INPUT=1", "PIP_DISABLE_PIP_VERSION_CHECK=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("bench: python %s: %w: %s", strings.Join(step[1:3], " "), err, lastLine(string(out)))
		}
	}
	os.RemoveAll(dir) // one whose base is gone
	if err := os.Rename(filepath.Join(tmp, "env"), dir); err != nil && exec.CommandContext(ctx, python, "-S", "-c", "").Run() != nil {
		return "", fmt.Errorf("bench: %w", err)
	}
	return python, nil
}

// basePython is the first interpreter that can make virtual environments and is new enough:
// MKL_PYTHON where it is set, else one on PATH.
func basePython(ctx context.Context) (string, error) {
	names := []string{"python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10"}
	if p := os.Getenv("MKL_PYTHON"); p != "" {
		names = []string{p}
	}
	for _, name := range names {
		out, err := exec.CommandContext(ctx, name, "-I", "-c", "import ensurepip, sys, venv; assert sys.version_info >= (3, 10); print(sys.executable)").Output()
		if err == nil {
			return strings.TrimSpace(string(out)), nil
		}
	}
	return "", errors.New("no Python of at least 3.10 with venv: install it (Debian, Ubuntu: apt install python3-venv), or name it by MKL_PYTHON")
}
