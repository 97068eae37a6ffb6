package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

func TestRoot(t *testing.T) {
	root := must(Root())
	wd := must(os.Getwd())
	if want := filepath.Dir(filepath.Dir(wd)); root != want {
		t.Errorf("Root() = %s, expected %s", root, want)
	}
}

// TestRendererName tests that a change of a source changes the name of the renderer's folder, and that no other change
// does.
func TestRendererName(t *testing.T) {
	dir := t.TempDir()
	testenv.Write(t, dir, map[string]string{
		"go.mod": "module m\n", "go.sum": "s\n", "viz/a.go": "package viz\n", "viz/render/b.go": "package render\n",
		"viz/a_test.go": "package viz\n", "viz/testdata/x.png": "x", "algos/c.go": "package algos\n",
	})
	name := func() string {
		t.Helper()
		return must(rendererSources(dir))
	}
	before := name()
	if now := name(); now != before {
		t.Fatalf("the name of the same sources is %s, then %s", before, now)
	}
	old := time.Now().Add(-time.Hour)
	try(os.Chtimes(filepath.Join(dir, "viz", "a.go"), old, old))
	// A lock of Emacs is a link to a file that does not exist.
	if err := os.Symlink("someone@computer.1234", filepath.Join(dir, "viz", ".#a.go")); err != nil {
		t.Skip(err)
	}
	for _, file := range []string{
		"viz/a_test.go", "viz/testdata/x.png", "algos/c.go", "viz/_a.go", "viz/.a.go.swp",
	} {
		testenv.Write(t, dir, map[string]string{file: "package other\n"})
		if now := name(); now != before {
			t.Errorf("a change of %s, which is not a source, changes the name", file)
		}
	}
	for _, file := range []string{"viz/a.go", "viz/render/b.go", "go.mod", "go.sum", "viz/new.go"} {
		testenv.Write(t, dir, map[string]string{file: "package changed\n"})
		now := name()
		if now == before {
			t.Errorf("a change of %s does not change the name", file)
		}
		before = now
	}
}

func TestRendererOverride(t *testing.T) {
	t.Setenv("MKL_RENDERER", filepath.Join(t.TempDir(), "nothing"))
	if _, err := Renderer(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "MKL_RENDERER") {
		t.Errorf("error is %v, expected one that names MKL_RENDERER", err)
	}
	self := must(os.Executable())
	t.Setenv("MKL_RENDERER", self)
	if got, err := Renderer(t.Context(), nil); err != nil || got != self {
		t.Errorf("Renderer() = %s, %v, expected MKL_RENDERER = %s", got, err, self)
	}
}

// TestRenderer builds the renderer as a cell does. A second call builds nothing.
func TestRenderer(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a program with its plotting library is not linked")
	}
	t.Setenv("MKL_CACHE", t.TempDir())
	t.Setenv("MKL_RENDERER", "")
	t.Setenv("GOFLAGS", "-buildvcs=false \"-ldflags=-s -w\" -gcflags=all=-dwarf=false")
	path := must(Renderer(t.Context(), quiet))
	if again := must(Renderer(t.Context(),
		func(line string) { t.Errorf("the second call reports %q", line) })); again != path {
		t.Errorf("the second call returns %s, expected %s", again, path)
	}
	cmd := exec.Command(path)
	cmd.Stdin = strings.NewReader("not a request")
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Errorf("the renderer accepts an invalid request and prints %q", out)
	}
}

// TestWithLock tests that one process at a time holds the lock, that a process reports that it waits, and that waiting
// ends with ctx.
func TestWithLock(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "not there yet")
	var inside, most, waited atomic.Int32
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			err := withLock(t.Context(), cache, "work", func(string) { waited.Add(1) }, func() error {
				most.Store(max(most.Load(), inside.Add(1)))
				time.Sleep(20 * time.Millisecond)
				inside.Add(-1)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != 1 {
		t.Errorf("%d at once, expected 1", most.Load())
	}
	if waited.Load() == 0 {
		t.Error("no caller reported that it waits")
	}
	err := withLock(t.Context(), cache, "work", quiet, func() error {
		ctx, cancel := context.WithCancel(t.Context())
		return withLock(ctx, cache, "work", func(string) { cancel() }, func() error { return nil })
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, expected context.Canceled", err)
	}
	want := errors.New("an error of the function")
	if err := withLock(t.Context(), cache, "work", quiet, func() error { return want }); err != want {
		t.Errorf("error is %v, expected that of the function", err)
	}
}

// TestToolsNeedNetwork tests that without a network and without modules, the error contains the output of the go
// command, and that no unfinished folder remains.
func TestToolsNeedNetwork(t *testing.T) {
	root := must(Root())
	cache := t.TempDir()
	for name, value := range map[string]string{"GOPROXY": "off", "GOMODCACHE": t.TempDir(), "GOFLAGS": "-modcacherw",
		"PATH": onlyGo(t)} {
		t.Setenv(name, value)
	}
	_, err := ensureTools(t.Context(), root, cache, quiet)
	if err == nil || !strings.Contains(err.Error(), "needs the network") ||
		!strings.Contains(err.Error(), "module lookup disabled by GOPROXY=off") {
		t.Errorf("error is %v, expected the output of the go command", err)
	}
	if entries := fmt.Sprint(must(os.ReadDir(cache))); entries != "[- tools.lock]" {
		t.Errorf("the cache contains %s", entries)
	}
}

// onlyGo returns a folder for PATH that contains only the go command.
func onlyGo(t *testing.T) string {
	t.Helper()
	gotool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command: " + err.Error())
	}
	dir := t.TempDir()
	if err := os.Symlink(gotool, filepath.Join(dir, "go")); err != nil {
		t.Skip("no links: " + err.Error())
	}
	return dir
}

// TestInstall tests that an installed spec replaces an older one and contains absolute paths, and that the chart
// library is beside it.
func TestInstall(t *testing.T) {
	root := must(Root())
	e := &Env{Root: root, Cache: "/c", Tools: "/opt/tools", Go: "/opt/go/bin/go"}
	dir := t.TempDir()
	testenv.Write(t, dir, map[string]string{"kernels/mkl/kernel.json": "a spec of another checkout"})
	to := must(e.Install(dir))
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
	testenv.Write(t, root, map[string]string{
		"go.mod":     "module example.com/checkout\n\ngo 1.26\n\nrequire example.com/hello v1.2.3\n",
		"mklnb/a.go": "package mklnb\n\nimport \"example.com/hello\"\n\nconst W = hello.Word\n",
		"algos/x.go": "package algos\n", "data/x.go": "package data\n", "viz/x.go": "package viz\n",
		"notebooks/jupyter/kernels/mkl/kernel.json": `{"argv": ["gonb"], "env": {"CGO_ENABLED": "0", "GOFLAGS": "-modcacherw"}}`,
	})
	proxy := testenv.ModuleProxy(t, "package hello\n\nconst Word = 1\n")
	for name, value := range map[string]string{"GOPROXY": proxy, "GOSUMDB": "off", "GOMODCACHE": modules,
		"GOFLAGS": "-modcacherw"} {
		t.Setenv(name, value)
	}
	cmd := exec.Command(gotool, "mod", "tidy") // for go.sum
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	e := &Env{Root: root, Cache: cache, Go: gotool}
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
		try(e.warmCaches(t.Context(), func(line string) { reports = append(reports, line) }))
		if isThere := pathExists(filepath.Join(modules, "example.com", "hello@v1.2.3")); !isThere ||
			(len(reports) > 0) != want {
			t.Errorf("call %d reports %q, expected a report: %v; the module exists: %v", call+1, reports, want, isThere)
		}
	}
	testenv.Write(t, root, map[string]string{"viz/x.go": "package viz\n\nconst X int = \"text\"\n"})
	if err := e.warmCaches(t.Context(), quiet); err == nil || !strings.Contains(err.Error(), "cannot use \"text\"") {
		t.Errorf("error is %v, expected the output of the compiler", err)
	}
	clean()
	t.Setenv("GOPROXY", "off")
	if err := e.warmCaches(t.Context(), quiet); err == nil ||
		!strings.Contains(err.Error(), "module lookup disabled by GOPROXY=off") {
		t.Errorf("error is %v, expected the output of the go command", err)
	}
}

func TestVars(t *testing.T) {
	e := &Env{Root: "/r", Cache: "/c", Python: "/c/python-1/bin/python", Tools: "/c/tools", Go: "/go/bin/go"}
	base := []string{"PATH=/bin", "HOME=/h", "JUPYTER_PATH=/mine", "GOWORK=off", "PYTHONPATH=/p", "PATH=/usr/bin"}
	got := e.environment(base, "/config")
	want := []string{
		"HOME=/h", "JUPYTER_RUNTIME_DIR=/c/jupyter/runtime", "JUPYTERLAB_WORKSPACES_DIR=/c/jupyter/workspaces",
		"PATH=/c/tools:/c/python-1/bin:/usr/bin:/go/bin", "JUPYTER_PATH=/r/notebooks/jupyter:/mine",
		"JUPYTER_CONFIG_PATH=/config", "MKL_CACHE=/c",
	}
	if runtime.GOOS != "windows" && !slices.Equal(got, want) {
		t.Errorf("vars:\n%q, expected\n%q", got, want)
	}
	if got := e.environment(append(base, "JUPYTER_RUNTIME_DIR=/tmp/mine"), "/config"); slices.Contains(got,
		"JUPYTER_RUNTIME_DIR=/c/jupyter/runtime") {
		t.Error("the user's JUPYTER_RUNTIME_DIR is ignored")
	}
	e.Gopls, e.Vars = "/c/gopls", got
	if got := e.LabCommand(t.Context()).Env; got[len(
		got)-1] != "PATH=/c/tools:/c/python-1/bin:/usr/bin:/go/bin:/c/gopls" {
		t.Errorf("gopls is not on the PATH of a server: %q", got)
	}
	e.Python = "/usr/bin/python3"
	if !slices.Contains(e.environment(base, "/config"), "PYTHONPATH=/p") {
		t.Error("PYTHONPATH is removed although the interpreter is not in the cache")
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
