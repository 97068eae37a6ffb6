package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

func TestCacheDir(t *testing.T) {
	t.Setenv("HOME", "/h")
	t.Setenv("XDG_CACHE_HOME", "/h/cache")
	here := must(filepath.Abs("here"))
	for value, want := range map[string]string{"/c": "/c", "here": here,
		"": filepath.Join(must(os.UserCacheDir()), "mkl")} {
		t.Setenv("MKL_CACHE", value)
		if got := must(CacheDir()); got != want {
			t.Errorf("MKL_CACHE=%s is %s, expected %s", value, got, want)
		}
	}
}

func TestRoot(t *testing.T) {
	root := must(Root())
	wd := must(os.Getwd())
	if want := filepath.Dir(filepath.Dir(wd)); root != want {
		t.Errorf("Root() = %s, expected %s", root, want)
	}
}

// TestRendererName: what may end in the program changes its name, and nothing else does.
func TestRendererName(t *testing.T) {
	dir := t.TempDir()
	testenv.Write(t, dir, map[string]string{
		"go.mod": "module m\n", "go.sum": "s\n", "viz/a.go": "package viz\n", "viz/render/b.go": "package render\n",
		"viz/a_test.go": "package viz\n", "viz/testdata/x.png": "x", "algos/c.go": "package algos\n",
	})
	name := func() string {
		t.Helper()
		got := must(rendererOf(dir))
		return got
	}
	before := name()
	if now := name(); now != before {
		t.Fatalf("the name is %s, then %s, of the same sources", before, now)
	}
	old := time.Now().Add(-time.Hour)
	try(os.Chtimes(filepath.Join(dir, "viz", "a.go"), old, old))
	// Emacs's lock leads nowhere
	if err := os.Symlink("someone@computer.1234", filepath.Join(dir, "viz", ".#a.go")); err != nil {
		t.Skip(err)
	}
	for _, file := range []string{
		"viz/a_test.go", "viz/testdata/x.png", "algos/c.go", "viz/_a.go", "viz/.a.go.swp", "viz/a.go~", "viz/#a.go#",
		"viz/4913", "viz/a.go.orig",
	} {
		testenv.Write(t, dir, map[string]string{file: "package other\n"})
		if now := name(); now != before {
			t.Errorf("a change of %s, which no program holds, changes the name", file)
		}
	}
	for _, file := range []string{"viz/a.go", "viz/render/b.go", "go.mod", "go.sum", "viz/new.go"} {
		testenv.Write(t, dir, map[string]string{file: "package changed\n"})
		now := name()
		if now == before {
			t.Errorf("a change of %s leaves the name", file)
		}
		before = now
	}
}

// TestVizEmbedsNothing: the name of the renderer takes in Go files alone.
func TestVizEmbedsNothing(t *testing.T) {
	embeds := regexp.MustCompile(`(?m)^//go:embed\s`)
	files := 0
	err := filepath.WalkDir("../../viz", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !goSource(d.Name()) {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		if embeds.Match(content) {
			t.Errorf("%s embeds a file: rendererOf is to take it in", path)
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files, %v", files, err)
	}
	if !embeds.MatchString("package a\n\n//go:embed x\n") {
		t.Error("an embedded file would not be found")
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

// TestRenderer builds the renderer as a cell does, and not again.
func TestRenderer(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a program with its plotting library is not linked")
	}
	t.Setenv("MKL_CACHE", t.TempDir())
	t.Setenv("MKL_RENDERER", "")
	t.Setenv("GOFLAGS", "-buildvcs=false \"-ldflags=-s -w\" -gcflags=all=-dwarf=false")
	path := must(Renderer(t.Context(), Quiet))
	if again := must(Renderer(t.Context(),
		func(line string) { t.Errorf("the second time it says %q", line) })); again != path {
		t.Errorf("the second time it is %s, expected %s", again, path)
	}
	cmd := exec.Command(path)
	cmd.Stdin = strings.NewReader("no request")
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Errorf("the renderer accepts what is no request and says %q", out)
	}
}

// TestLocked: never two at once, and the one that waits says so.
func TestLocked(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "not there yet")
	var inside, most, waited atomic.Int32
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			err := locked(t.Context(), cache, "work", func(string) { waited.Add(1) }, func(*os.File) error {
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
		t.Error("nobody said that it waits")
	}
	// Who waits is stopped.
	err := locked(t.Context(), cache, "work", Quiet, func(*os.File) error {
		ctx, cancel := context.WithCancel(t.Context())
		return locked(ctx, cache, "work", func(string) { cancel() }, func(*os.File) error { return nil })
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, expected that the wait was ended", err)
	}
	want := errors.New("of the work")
	if err := locked(t.Context(), cache, "work", Quiet, func(*os.File) error { return want }); err != want {
		t.Errorf("error is %v, expected that of the work", err)
	}
}

// TestRequirements: the lock pins what requirements.in asks for, and names no server; a test of docker looks at its
// hashes.
func TestRequirements(t *testing.T) {
	in := must(os.ReadFile("requirements.in"))
	lock := string(requirements)
	asked := 0
	for line := range strings.Lines(string(in)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		asked++
		if !strings.Contains(lock, "\n"+line+" \\\n") {
			t.Errorf("%s is not in the lock: write it anew, as requirements.in says", line)
		}
	}
	if asked == 0 {
		t.Error("requirements.in asks for nothing")
	}
	if found := regexp.MustCompile(`https?://|--(extra-)?index-url|--find-links \S|--trusted-host|file:`).FindString(lock); found != "" {
		t.Errorf("the lock names a place to fetch from: %s", found)
	}
}

// TestToolsNeedNetwork: without network and without modules there is one sentence, and nothing
// half made.
func TestToolsNeedNetwork(t *testing.T) {
	root := must(Root())
	cache := t.TempDir()
	for name, value := range map[string]string{"GOPROXY": "off", "GOMODCACHE": t.TempDir(), "GOFLAGS": "-modcacherw",
		"PATH": onlyGo(t)} {
		t.Setenv(name, value)
	}
	_, err := tools(t.Context(), root, cache, Quiet)
	if !errors.Is(err, ErrNoNetwork) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error is %v, expected one line that wraps ErrNoNetwork", err)
	}
	if left, err := filepath.Glob(filepath.Join(cache, "*tools-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// onlyGo is a PATH on which there is the go command and nothing else.
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

// TestSpec: the kernel spec of the checkout has what cells need.
func TestSpec(t *testing.T) {
	root := must(Root())
	s := must(readSpec(root))
	if s.DisplayName != "Go (mkl)" || s.Language != "go" || s.InterruptMode != "message" {
		t.Errorf("%+v, expected Go (mkl), go, message", s)
	}
	if !slices.Contains(s.Argv, "{connection_file}") || !slices.Contains(s.Argv,
		workFlag+"{resource_dir}/../../../..") {
		t.Errorf("argv is %q, expected the connection file and the checkout", s.Argv)
	}
	for name, want := range map[string]string{"GOPROXY": "off", "GOSUMDB": "off", "CGO_ENABLED": "0", "GOWORK": "",
		"GOFLAGS": `-buildvcs=false "-ldflags=-s -w" -gcflags=all=-dwarf=false`} {
		if got, ok := s.Env[name]; !ok || got != want {
			t.Errorf("%s=%q, expected %q", name, got, want)
		}
	}
}

// TestInstall: an installed spec stands on absolute paths and has its library beside it.
func TestInstall(t *testing.T) {
	root := must(Root())
	e := &Env{Root: root, Cache: "/c", Tools: "/opt/tools", Go: "/opt/go/bin/go"}
	dir := t.TempDir()
	to := must(e.Install(dir, func(line string) { t.Errorf("says %q", line) }))
	if want := filepath.Join(dir, "kernels", KernelName); to != want {
		t.Errorf("written to %s, expected %s", to, want)
	}
	content := must(os.ReadFile(filepath.Join(to, "kernel.json")))
	var s kernelSpec
	try(json.Unmarshal(content, &s))
	if s.Argv[0] != "/opt/tools/gonb" || !slices.Contains(s.Argv, workFlag+root) {
		t.Errorf("argv is %q, expected absolute paths of gonb and the checkout", s.Argv)
	}
	if got, want := s.Env["PATH"], "/opt/tools:/opt/go/bin:${PATH}"; got != want {
		t.Errorf("PATH=%s, expected %s", got, want)
	}
	if got := s.Env["MKL_CACHE"]; got != "/c" {
		t.Errorf("MKL_CACHE=%s, expected /c: a server started elsewhere does not know it", got)
	}
	if s.Env["GOPROXY"] != "off" {
		t.Errorf("GOPROXY=%q, expected off as in the checkout", s.Env["GOPROXY"])
	}
	if !exists(filepath.Join(to, "echarts.min.js")) {
		t.Error("the chart library was not copied")
	}
	again := func(want string) {
		t.Helper()
		var said []string
		if _, err := e.Install(dir, func(line string) { said = append(said, line) }); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(said, "\n"); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("says %q, expected it to hold %q", got, want)
		}
	}
	again("")
	testenv.Write(t, to, map[string]string{"kernel.json": strings.ReplaceAll(string(content), workFlag+root,
		workFlag+"/another/checkout")})
	again("/another/checkout")
	again("")
}

// TestInstalledTool: tools that an installed kernel spec names are not pruned, until it names others.
func TestInstalledTool(t *testing.T) {
	root := must(Root())
	cache := filepath.Join(t.TempDir(), "a [cache]")
	old := time.Now().Add(-2 * unused)
	left := func() string {
		t.Helper()
		for _, name := range []string{"tools-1", "tools-2"} {
			if dir := filepath.Join(cache, name); exists(dir) {
				try(os.Chtimes(dir, old, old))
			}
		}
		prune(cache, "tools-", "", unused)
		entries := must(os.ReadDir(cache))
		return fmt.Sprint(entries)
	}
	testenv.Write(t, cache, map[string]string{"tools-1/gonb": "", "tools-2/gonb": ""})
	e := &Env{Root: root, Cache: cache, Tools: filepath.Join(cache, "tools-1"), Go: "/opt/go/bin/go"}
	data := t.TempDir()
	if _, err := e.Install(data, nil); err != nil {
		t.Fatal(err)
	}
	if got := left(); got != "[d tools-1/]" {
		t.Errorf("%s is left, expected the installed tools", got)
	}
	testenv.Write(t, cache, map[string]string{"tools-2/gonb": ""})
	e.Tools = filepath.Join(cache, "tools-2")
	if _, err := e.Install(data, nil); err != nil {
		t.Fatal(err)
	}
	if got := left(); got != "[d tools-2/]" {
		t.Errorf("%s is left, expected the tools installed now", got)
	}
}

// TestFailure: what a command's error is.
func TestFailure(t *testing.T) {
	base := errors.New("exit status 1")
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx    context.Context
		err    error
		output string
		is     error
		says   string
	}{
		{stopped, base, "No space left on device", context.Canceled, "bake bread"},
		{t.Context(), base, "x\nwrite /a/b: no space left on device\ny", ErrDiskFull,
			"write /a/b: no space left on device"},
		{t.Context(), base, "ERROR: [Errno 28] No space left on device", ErrDiskFull, "the disk is full"},
		{t.Context(), &os.PathError{Op: "mkdir", Path: "/a", Err: syscall.ENOSPC}, "", ErrDiskFull, "the disk is full"},
		{t.Context(), base, "dial tcp: lookup x: no such host", ErrNoNetwork, "flour could not be fetched"},
		{t.Context(), base, "a mistake", base, "bake bread: exit status 1: its words"},
	} {
		got := failure(c.ctx, "bake bread", "flour", c.err, c.output, "its words")
		if !errors.Is(got, c.is) || !strings.Contains(got.Error(), c.says) || strings.Contains(got.Error(), "\n") {
			t.Errorf("%q is %v, expected one line with %q", c.output, got, c.says)
		}
	}
}

// TestWarm: what a kernel needs is made once; where a module or a compiled package has been removed, or the sources
// have changed, it is made again; the mark of another checkout stays.
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
	testenv.Write(t, cache, map[string]string{"warm-another-checkout": ""})
	warm := func(about string, want bool) {
		t.Helper()
		made := false
		if err := e.warm(t.Context(), func(line string) {
			made = made || strings.HasPrefix(line,
				"compiled")
		}); err != nil {
			t.Fatalf("%s: %v", about, err)
		}
		if made != want {
			t.Errorf("%s: made %v, expected %v", about, made, want)
		}
		if !exists(filepath.Join(cache, "warm-another-checkout")) {
			t.Errorf("%s: the mark of another checkout is gone", about)
		}
	}
	warm("the first time", true)
	warm("again", false)
	clean := func() {
		t.Helper()
		if out, err := exec.Command(gotool, "clean", "-modcache").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	clean()
	warm("without its modules", true)
	warm("again", false)
	testenv.Write(t, root, map[string]string{"viz/x.go": "package viz\n\nconst X = 1\n"})
	warm("after an edit", true)
	if marks, err := filepath.Glob(filepath.Join(cache, "warm-*")); err != nil || len(marks) != 2 {
		t.Errorf("marks are %q, %v, expected one of each checkout", marks, err)
	}
	clean()
	t.Setenv("GOPROXY", "off")
	if err := e.warm(t.Context(), Quiet); !errors.Is(err, ErrNoNetwork) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error is %v, expected one line that wraps ErrNoNetwork", err)
	}
}

func TestVars(t *testing.T) {
	e := &Env{Root: "/r", Cache: "/c", Python: "/c/python-1/bin/python", Tools: "/c/tools", Go: "/go/bin/go"}
	base := []string{"PATH=/bin", "HOME=/h", "JUPYTER_PATH=/mine", "GOWORK=off", "PYTHONPATH=/p", "PATH=/usr/bin"}
	got := e.vars(base, "/config")
	want := []string{
		"HOME=/h", "JUPYTER_RUNTIME_DIR=/c/jupyter/runtime", "JUPYTERLAB_WORKSPACES_DIR=/c/jupyter/workspaces",
		"PATH=/c/tools:/c/python-1/bin:/usr/bin:/go/bin", "JUPYTER_PATH=/r/notebooks/jupyter:/mine",
		"JUPYTER_CONFIG_PATH=/config", "MKL_CACHE=/c",
	}
	if runtime.GOOS != "windows" && !slices.Equal(got, want) {
		t.Errorf("vars:\n%q, expected\n%q", got, want)
	}
	if got := e.vars(append(base, "JUPYTER_RUNTIME_DIR=/tmp/mine"), "/config"); slices.Contains(got,
		"JUPYTER_RUNTIME_DIR=/c/jupyter/runtime") {
		t.Error("the user's JUPYTER_RUNTIME_DIR is not heeded")
	}
	e.Gopls, e.Vars = "/c/gopls", got
	if got := e.Lab(t.Context()).Env; got[len(got)-1] != "PATH=/c/tools:/c/python-1/bin:/usr/bin:/go/bin:/c/gopls" {
		t.Errorf("gopls is not on the PATH of a server: %q", got)
	}
	e.Python = "/usr/bin/python3"
	if !slices.Contains(e.vars(base, "/config"), "PYTHONPATH=/p") {
		t.Error("PYTHONPATH is dropped though the interpreter is not of the cache")
	}
}

// TestSpared: without room on the disk a set-up is not finished, though notebooks can do without a renderer; where the
// checkout does not compile they can.
func TestSpared(t *testing.T) {
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	full := failure(t.Context(), "build the renderer", "", errors.New("exit status 1"),
		"write /c: no space left on device", "")
	if spared(t.Context(), full) || spared(t.Context(), errNoNetwork("x", "")) || spared(stopped, errors.New("x")) {
		t.Error("a set-up goes on that has no room, no network, or was stopped")
	}
	if !spared(t.Context(), errors.New("setup: compile what cells import: x.go:1: syntax error")) {
		t.Error("a set-up ends where the checkout does not compile")
	}
}

// TestPrune: what is used is dated anew, and stays.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	testenv.Write(t, dir, map[string]string{"a-old/x": "", "a-used/x": "", "a-kept/x": "", "a-new/x": "",
		"b-old/x": ""})
	old := time.Now().Add(-48 * time.Hour)
	for _, name := range []string{"a-old", "a-used", "a-kept", "b-old"} {
		try(os.Chtimes(filepath.Join(dir, name), old, old))
	}
	if !used(filepath.Join(dir, "a-used")) || used(filepath.Join(dir, "nothing")) {
		t.Error("what is there is not used, or what is not there is")
	}
	prune(dir, "a-", filepath.Join(dir, "a-kept"), time.Minute)
	if got := fmt.Sprint(must(os.ReadDir(dir))); got != "[d a-kept/ d a-new/ d a-used/ d b-old/]" {
		t.Errorf("%s is left, expected all but a-old", got)
	}
}

// must is v, of a call that may not fail.
func must[T any](v T, err error) T {
	try(err)
	return v
}

// try ends the tests where there is an error.
func try(err error) {
	if err != nil {
		panic(err)
	}
}
