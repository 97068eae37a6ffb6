package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

func TestRoot(t *testing.T) {
	if root, want := must(FindCheckout()), must(filepath.Abs("../..")); root != want {
		t.Errorf("Root() = %s, expected %s", root, want)
	}
}

// TestHashSources tests that a change of a source changes the hash, and that no other change does.
func TestHashSources(t *testing.T) {
	dir := t.TempDir()
	testenv.WriteFiles(t, dir, map[string]string{"go.mod": "module m\n", "viz/a.go": "package viz\n"})
	hash := func() string { return must(hashSources(dir, "go.mod", "viz")) }
	before := hash()
	// A lock of Emacs is a link to a file that does not exist.
	if err := os.Symlink("someone@computer.1234", filepath.Join(dir, "viz", ".#a.go")); err != nil {
		t.Skip(err)
	}
	for _, file := range []string{"viz/a_test.go", "viz/testdata/x.png", "algos/c.go", "viz/_a.go", "viz/a.go"} {
		testenv.WriteFiles(t, dir, map[string]string{file: "package other\n"})
		if isSource := file == "viz/a.go"; (hash() != before) != isSource {
			t.Errorf("after a change of %s the hash has changed: %v", file, !isSource)
		}
	}
}

// TestRenderer builds the renderer as a cell does. A second call builds nothing. MKL_RENDERER names another program.
func TestRenderer(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a program with its plotting library is not linked")
	}
	t.Setenv("MKL_CACHE", t.TempDir())
	t.Setenv("MKL_RENDERER", "")
	t.Setenv("GOFLAGS", "-buildvcs=false \"-ldflags=-s -w\" -gcflags=all=-dwarf=false")
	path := must(EnsureRenderer(t.Context(), quiet))
	if again := must(EnsureRenderer(t.Context(),
		func(line string) { t.Errorf("the second call reports %q", line) })); again != path {
		t.Errorf("the second call returns %s, expected %s", again, path)
	}
	cmd := exec.Command(path)
	cmd.Stdin = strings.NewReader("not a request")
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Errorf("the renderer accepts an invalid request and prints %q", out)
	}
	t.Setenv("MKL_RENDERER", "nothing")
	if _, err := EnsureRenderer(t.Context(), quiet); err == nil || !strings.Contains(err.Error(), "MKL_RENDERER") {
		t.Errorf("error is %v, expected one that names MKL_RENDERER", err)
	}
}

// TestEnsureFolder tests that a folder is made once for several callers at the same time, that callers report that they
// wait, that waiting ends with ctx, and that a failed or killed setup leaves no folder.
func TestEnsureFolder(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "a [cache]")
	t.Setenv("MKL_CACHE", cache)
	testenv.WriteFiles(t, cache, map[string]string{".building-tools/a": "of a killed setup"})
	want := errors.New("an error of the function")
	if _, err := ensureCacheFolder(t.Context(), "tools", "1", quiet, func(string) error { return want }); err != want {
		t.Errorf("error is %v, expected that of the function", err)
	}
	var built, waited atomic.Int32
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			logLine := func(string) { waited.Add(1) }
			_, err := ensureCacheFolder(t.Context(), "tools", "1", logLine, func(folder string) error {
				built.Add(1)
				time.Sleep(100 * time.Millisecond)
				testenv.WriteFiles(t, folder, map[string]string{"b": "a program"})
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	entries := fmt.Sprint(must(os.ReadDir(cache)), must(os.ReadDir(filepath.Join(cache, "tools-1"))))
	if built.Load() != 1 || waited.Load() == 0 || entries != "[d tools-1/ - tools.lock] [- b]" {
		t.Errorf("built %d times, %d waited; the cache contains %s", built.Load(), waited.Load(), entries)
	}
	err := withLock(t.Context(), cache, "tools", quiet, func() error {
		ctx, cancel := context.WithCancel(t.Context())
		return withLock(ctx, cache, "tools", func(string) { cancel() }, func() error { return nil })
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, expected context.Canceled", err)
	}
}

// TestTools tests that tools on PATH, as in an image, are used if they were built from the sources of this checkout.
// Otherwise setup builds the tools; without a network and without modules, the error contains the output of the go
// command, and no folder remains.
func TestTools(t *testing.T) {
	root, dir, cache := must(FindCheckout()), t.TempDir(), t.TempDir()
	for name, value := range map[string]string{"MKL_CACHE": cache, "GOPROXY": "off", "GOMODCACHE": t.TempDir(),
		"GOFLAGS": "-modcacherw", "PATH": dir + string(os.PathListSeparator) + os.Getenv("PATH")} {
		t.Setenv(name, value)
	}
	testenv.WriteFiles(t, dir, map[string]string{"gonb": "#!/bin/sh\n", builtFrom: must(hashTools(root))})
	if got, err := ensureTools(t.Context(), root, quiet); err != nil || got != dir {
		t.Errorf("the tools are in %q, %v, expected %s", got, err, dir)
	}
	testenv.WriteFiles(t, dir, map[string]string{builtFrom: "other sources"})
	_, err := ensureTools(t.Context(), root, quiet)
	if err == nil || !strings.Contains(err.Error(), "needs the network") ||
		!strings.Contains(err.Error(), "module lookup disabled by GOPROXY=off") {
		t.Errorf("error is %v, expected the output of the go command", err)
	}
	if entries := fmt.Sprint(must(os.ReadDir(cache))); entries != "[- tools.lock]" {
		t.Errorf("the cache contains %s", entries)
	}
}

// TestInstall tests that an installed spec replaces an older one and contains absolute paths, and that the chart
// library is beside it.
func TestInstall(t *testing.T) {
	root := must(FindCheckout())
	e := &Env{CheckoutFolder: root, CacheFolder: "/c", ToolsFolder: "/opt/tools", Go: "/opt/go/bin/go"}
	dir := t.TempDir()
	testenv.WriteFiles(t, dir, map[string]string{"kernels/mkl/kernel.json": "a spec of another checkout"})
	to := must(e.InstallKernelSpec(dir))
	if want := filepath.Join(dir, "kernels", KernelName); to != want {
		t.Errorf("written to %s, expected %s", to, want)
	}
	content := must(os.ReadFile(filepath.Join(to, "kernel.json")))
	var s kernelSpec
	try(json.Unmarshal(content, &s))
	if s.Argv[0] != "/opt/tools/gonb" || !slices.Contains(s.Argv, goWorkFlag+root) {
		t.Errorf("argv is %q, expected absolute paths of gonb and the checkout", s.Argv)
	}
	if got, want := s.Env["PATH"], "/opt/tools:/opt/go/bin:${PATH}"; got != want {
		t.Errorf("PATH=%s, expected %s", got, want)
	}
	if got := s.Env["MKL_CACHE"]; got != "/c" {
		t.Errorf("MKL_CACHE=%s, expected /c: a server that this setup did not start does not set it", got)
	}
	if s.Env["GOPROXY"] != "off" {
		t.Errorf("GOPROXY=%q, expected off as in the checkout", s.Env["GOPROXY"])
	}
	if !pathExists(filepath.Join(to, "echarts.min.js")) {
		t.Error("the chart library was not copied")
	}
}

// TestWarm tests that modules are fetched, packages are compiled and this is reported, and again if the modules were
// removed. An error contains the output of the go command.
func TestWarm(t *testing.T) {
	gotool, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	root, cache, modules := t.TempDir(), t.TempDir(), t.TempDir()
	testenv.WriteFiles(t, root, map[string]string{
		"go.mod":     "module example.com/checkout\n\ngo 1.26\n\nrequire example.com/hello v1.2.3\n",
		"mklnb/a.go": "package mklnb\n\nimport \"example.com/hello\"\n\nconst W = hello.Word\n",
		"algos/x.go": "package algos\n", "data/x.go": "package data\n", "viz/x.go": "package viz\n",
		"notebooks/jupyter/kernels/mkl/kernel.json": `{"argv": ["gonb"], "env": {"CGO_ENABLED": "0", "GOFLAGS": "-modcacherw"}}`,
	})
	proxy := testenv.CreateModuleProxy(t, "package hello\n\nconst Word = 1\n")
	for name, value := range map[string]string{"GOPROXY": proxy, "GOSUMDB": "off", "GOMODCACHE": modules,
		"GOFLAGS": "-modcacherw"} {
		t.Setenv(name, value)
	}
	cmd := exec.Command(gotool, "mod", "tidy") // for go.sum
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	e := &Env{CheckoutFolder: root, CacheFolder: cache, Go: gotool}
	clean := func() {
		t.Helper()
		if out, err := exec.Command(gotool, "clean", "-modcache").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for call, want := range []bool{true, false, true} { // the third time without the modules
		var reports []string
		if call != 1 {
			clean()
		}
		try(e.warmGoCaches(t.Context(), func(line string) { reports = append(reports, line) }))
		if isThere := pathExists(filepath.Join(modules, "example.com", "hello@v1.2.3")); !isThere ||
			(len(reports) > 0) != want {
			t.Errorf("call %d reports %q, expected a report: %v; the module exists: %v", call+1, reports, want, isThere)
		}
	}
	testenv.WriteFiles(t, root, map[string]string{"viz/x.go": "package viz\n\nconst X int = \"text\"\n"})
	if err := e.warmGoCaches(t.Context(), quiet); err == nil || !strings.Contains(err.Error(), "cannot use \"text\"") {
		t.Errorf("error is %v, expected the output of the compiler", err)
	}
	clean()
	t.Setenv("GOPROXY", "off")
	if err := e.warmGoCaches(t.Context(), quiet); err == nil ||
		!strings.Contains(err.Error(), "module lookup disabled by GOPROXY=off") {
		t.Errorf("error is %v, expected the output of the go command", err)
	}
}

// TestEnvironment tests the variables of Jupyter.
func TestEnvironment(t *testing.T) {
	e := &Env{CheckoutFolder: "/r", CacheFolder: "/c", PythonPath: "/c/python-1/bin/python", ToolsFolder: "/c/tools",
		Go: "/go/bin/go"}
	for name, value := range map[string]string{"PATH": "/usr/bin", "JUPYTER_PATH": "/mine", "JUPYTER_CONFIG_PATH": "",
		"JUPYTER_RUNTIME_DIR": "/mine/runtime", "JUPYTERLAB_WORKSPACES_DIR": "", "PYTHONPATH": "/p"} {
		t.Setenv(name, value)
	}
	cmd := exec.Command("/usr/bin/env")
	cmd.Env = e.environment()
	got := strings.Split(string(must(cmd.Output())), "\n")
	for _, want := range []string{"JUPYTER_RUNTIME_DIR=/mine/runtime",
		"JUPYTERLAB_WORKSPACES_DIR=/c/jupyter/workspaces",
		"PATH=/c/tools:/c/python-1/bin:/usr/bin:/go/bin", "JUPYTER_PATH=/r/notebooks/jupyter:/mine",
		"JUPYTER_CONFIG_PATH=/c/jupyter", "MKL_CACHE=/c", "PYTHONPATH="} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
}

// quiet ignores the progress of setup.
func quiet(string) {}

// must returns v and panics on an error.
func must[T any](v T, err error) T {
	try(err)
	return v
}

// try panics on an error.
func try(err error) {
	if err != nil {
		panic(err)
	}
}
