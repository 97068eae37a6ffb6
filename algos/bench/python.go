package main

import (
	"context"
	_ "embed"
	"fmt"
	"os/exec"
	"strings"
	"sync"

	"github.com/mklnb/mkl/mklnb/setup"
)

// The locks of the environments: every package with its version and the hashes of its files.
var (
	//go:embed requirements.txt
	numpyLock []byte
	//go:embed biopython.txt
	biopythonLock []byte
	//go:embed himalaya.txt
	himalayaLock []byte
	//go:embed mklpy.txt
	mklpyLock []byte
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
// on the system's BLAS; numpy, biopython, himalaya and mklpy are virtual environments with locked packages.
func environmentsOf(names []string, say func(string)) (map[string]*environment, error) {
	envs := map[string]*environment{}
	for _, name := range names {
		e := &environment{}
		switch name {
		case "debian":
			e.make = debian
		case "numpy":
			e.make = func(ctx context.Context) (string, error) {
				return setup.Python(ctx, "bench-numpy", "numpy and scikit-learn", numpyLock, say)
			}
		case "biopython":
			e.make = func(ctx context.Context) (string, error) {
				return setup.Python(ctx, "bench-biopython", "Biopython and parasail", biopythonLock, say)
			}
		case "himalaya":
			e.make = func(ctx context.Context) (string, error) {
				return setup.Python(ctx, "bench-himalaya", "himalaya", himalayaLock, say)
			}
		case "mklpy":
			e.make = func(ctx context.Context) (string, error) {
				return setup.Python(ctx, "bench-mklpy", "MKLpy and torch, 6 GB", mklpyLock, say)
			}
		case "":
			continue
		default:
			return nil, fmt.Errorf("bench: -peers: there is no peer %q, expected debian, numpy, biopython, himalaya or mklpy", name)
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
