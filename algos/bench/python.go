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

// locked are the virtual environments with locked packages, by name: what they hold, and their locks.
var locked = map[string]struct {
	holds string
	lock  []byte
}{
	"numpy": {"numpy and scikit-learn", numpyLock}, "biopython": {"Biopython and parasail", biopythonLock},
	"himalaya": {"himalaya", himalayaLock}, "mklpy": {"MKLpy and torch, 6 GB", mklpyLock},
}

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

// environmentsOf are the environments of these names: debian, the system's own Python and numpy, on the system's BLAS,
// and the locked ones.
func environmentsOf(names []string, say func(string)) (map[string]*environment, error) {
	envs := map[string]*environment{}
	for _, name := range names {
		l, ok := locked[name]
		switch {
		case name == "":
		case name == "debian":
			envs[name] = &environment{make: debian}
		case ok:
			envs[name] = &environment{make: func(ctx context.Context) (string, error) {
				return setup.Python(ctx, "bench-"+name, l.holds, l.lock, say)
			}}
		default:
			return nil, fmt.Errorf("bench: -peers: there is no peer %q, expected debian, numpy, biopython, himalaya or mklpy",
				name)
		}
	}
	return envs, nil
}

// debian is the system's interpreter, if it has the distribution's numpy.
func debian(ctx context.Context) (string, error) {
	const python = "/usr/bin/python3"
	out, err := exec.CommandContext(ctx, python, "-I", "-c", "import numpy; print(numpy.__file__)").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s has no numpy (apt-get install python3-numpy python3-scipy): %s", python,
			lastLine(string(out)))
	}
	if file := strings.TrimSpace(string(out)); !strings.HasPrefix(file, "/usr/lib/") {
		return "", fmt.Errorf("the numpy of %s is %s, which is not the distribution's", python, file)
	}
	return python, nil
}
