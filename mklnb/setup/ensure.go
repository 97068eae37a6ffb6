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
	"time"
)

// KernelName is the name of the kernel spec and of notebooks' kernelspec.
const KernelName = "mkl"

// Env is a finished set-up.
type Env struct {
	Root     string   // the checkout
	Cache    string   // where everything made lies
	Python   string   // an interpreter that has JupyterLab, nbclient and nbconvert
	Tools    string   // the folder of gonb and goimports
	Go       string   // the go command
	Renderer string   // the program that draws figures, "" where it could not be built
	Gopls    string   // the folder of gopls, which completes names in cells, "" where Completion has not been asked for
	Vars     []string // the environment for Jupyter, whole, as in os.Environ

	// Missing is what could not be made and cells may do without: the checkout under work does not compile, say.
	Missing error
}

// Ensure finds or makes what notebooks need, in this order: Python with the locked packages,
// GoNB and its tools, the build cache of what cells import, the renderer. What it does, and how
// long each thing took, it tells say; the second time there is nothing to do and nothing to say.
// A checkout under work that does not compile is told and Missing, but no error: a cell that imports the
// broken package says the same, and others run.
//
// Neither the checkout nor the user's own Jupyter is written to: the kernel spec
// of the checkout is found by JUPYTER_PATH, the answer to JupyterLab's question about news by
// JUPYTER_CONFIG_PATH; what a server keeps lies in the cache folder (vars).
func Ensure(ctx context.Context, say func(string)) (*Env, error) {
	say = orQuiet(say)
	if runtime.GOOS == "windows" {
		return nil, fmt.Errorf("setup: the kernel GoNB does not run on Windows itself: use WSL or the image")
	}
	e := &Env{}
	var err error
	if e.Root, err = Root(); err != nil {
		return nil, err
	}
	if e.Cache, err = CacheDir(); err != nil {
		return nil, err
	}
	if e.Go, err = exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("setup: cells are compiled when they run and the go command is not on PATH: %w", err)
	}
	if e.Python, err = packages(ctx, e.Cache, "python", "JupyterLab", requirements, say); err != nil {
		return nil, err
	}
	if e.Tools, err = tools(ctx, e.Root, e.Cache, say); err != nil {
		return nil, err
	}
	config := filepath.Join(e.Cache, "jupyter")
	if err := writeLabConfig(config); err != nil {
		return nil, err
	}
	if gopls := goplsPrograms(e.Cache, say); gopls.whole() {
		e.Gopls = gopls.dir
	}
	e.Vars = e.vars(os.Environ(), config)
	err = e.warm(ctx, say)
	if err == nil || spared(ctx, err) {
		e.Missing = err
		e.Renderer, err = Renderer(ctx, say)
	}
	if err != nil && !spared(ctx, err) {
		return nil, err
	}
	if e.Missing = errors.Join(e.Missing, err); e.Missing != nil {
		say(e.Missing.Error())
	}
	return e, nil
}

// spared reports whether notebooks can do without what failed with err: not where a later step would fail too.
func spared(ctx context.Context, err error) bool {
	return ctx.Err() == nil && !errors.Is(err, ErrNoNetwork) && !errors.Is(err, ErrDiskFull)
}

// vars is the environment base with the tools first on PATH and Jupyter's folders.
func (e *Env) vars(base []string, config string) []string {
	get := func(name string) (value string) {
		for _, kv := range base { // the last one counts, as in os/exec
			if v, ok := strings.CutPrefix(kv, name+"="); ok {
				value = v
			}
		}
		return value
	}
	list := func(parts ...string) string {
		kept := parts[:0]
		for _, p := range parts {
			if p != "" {
				kept = append(kept, p)
			}
		}
		return strings.Join(kept, string(os.PathListSeparator))
	}
	env := without(base, "PATH", "JUPYTER_PATH", "JUPYTER_CONFIG_PATH", "MKL_CACHE", "GOWORK", "PYTHONHOME",
		"VIRTUAL_ENV")
	if strings.HasPrefix(e.Python, e.Cache+string(filepath.Separator)) {
		env = without(env, "PYTHONPATH") // the environment is whole in itself
	}
	if get("JUPYTER_RUNTIME_DIR") == "" {
		// the secret of its cookies
		env = append(env, "JUPYTER_RUNTIME_DIR="+filepath.Join(e.Cache, "jupyter", "runtime"))
	}
	if get("JUPYTERLAB_WORKSPACES_DIR") == "" {
		// which files are open
		env = append(env, "JUPYTERLAB_WORKSPACES_DIR="+filepath.Join(e.Cache, "jupyter", "workspaces"))
	}
	return append(env,
		"PATH="+list(e.Tools, filepath.Dir(e.Python), get("PATH"), filepath.Dir(e.Go)),
		"JUPYTER_PATH="+list(filepath.Join(e.Root, "notebooks", "jupyter"), get("JUPYTER_PATH")),
		"JUPYTER_CONFIG_PATH="+list(config, get("JUPYTER_CONFIG_PATH")),
		"MKL_CACHE="+e.Cache,
	)
}

// writeLabConfig writes JupyterLab's overrides of default settings: no question about news, no
// look for updates at start. They are defaults: what a user has set is stronger.
func writeLabConfig(config string) error {
	path := filepath.Join(config, "labconfig", "default_setting_overrides.json")
	if exists(path) {
		return nil
	}
	content, err := json.MarshalIndent(map[string]any{
		"@jupyterlab/apputils-extension:notification": map[string]any{
			"fetchNews": "false", "checkForUpdates": false, "doNotDisturbMode": false,
		},
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	return writeWhole(path, append(content, '\n'), 0o644)
}

// cellFolders hold the packages that cells import.
var cellFolders = []string{"mklnb", "algos", "data", "viz"}

// cellPatterns are the packages that cells import, for go build; commands and drawing, which
// no cell links, are not among them.
var cellPatterns = []string{"./mklnb", "./algos/...", "./data", "./viz"}

// warm fetches the modules of the checkout and compiles what cells import, with the variables of
// the kernel, so that the first cell is as quick as the second and needs no network. All of go.mod
// is fetched: a cell may import any of it. A marker, named by the checkout, the sources and the go command, lists the
// folders of the modules and the compiled packages; while all of them are there the go command is not asked.
func (e *Env) warm(ctx context.Context, say func(string)) error {
	spec, err := readSpec(e.Root)
	if err != nil {
		return err
	}
	f := newFingerprint()
	env := append(os.Environ(), "GOWORK=off", "CGO_ENABLED="+spec.Env["CGO_ENABLED"], "GOFLAGS="+spec.Env["GOFLAGS"])
	golang := func(args ...string) (string, error) {
		cmd := command(ctx, nil, e.Go, args...)
		cmd.Dir, cmd.Env = e.Root, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "", failure(ctx, "compile what cells import: go "+args[0], "the Go modules of the checkout", err,
				string(out), firstLines(string(out), 4))
		}
		return string(out), nil
	}
	version, err := golang("env", "GOVERSION", "GOOS", "GOARCH", "GOAMD64", "GOMODCACHE")
	if err != nil {
		return err
	}
	f.add("go", []byte(version))
	for _, rel := range []string{"go.mod", "go.sum"} {
		if err := f.addFile(e.Root, rel); err != nil {
			return err
		}
	}
	for _, folder := range cellFolders {
		if err := f.addTree(e.Root, folder, goSource); err != nil {
			return err
		}
	}
	for _, name := range []string{"CGO_ENABLED", "GOFLAGS"} {
		f.add(name, []byte(spec.Env[name]))
	}
	mine := "warm-" + checksum(e.Root) + "-" // marks of another checkout are not ours to remove
	marker := filepath.Join(e.Cache, mine+f.String())
	if stands(marker) {
		return nil
	}
	return locked(ctx, e.Cache, "warm", say, func(*os.File) error {
		if stands(marker) {
			return nil
		}
		say("fetching modules and compiling what cells import")
		start := time.Now()
		if _, err := golang("mod", "download"); err != nil {
			return err
		}
		if _, err := golang(append([]string{"build"}, cellPatterns...)...); err != nil {
			return err
		}
		made, err := golang(append([]string{"list", "-deps", "-export", "-f",
			"{{with .Module}}{{.Dir}}{{end}}\n{{.Export}}"},
			cellPatterns...)...)
		if err != nil {
			return err
		}
		say("compiled in " + since(start))
		prune(e.Cache, mine, marker, 0)
		prune(e.Cache, "warm-", marker, unused)
		lines := strings.Split(made, "\n")
		slices.Sort(lines)
		return writeWhole(marker, []byte(strings.Join(slices.Compact(lines), "\n")), 0o644)
	})
}

// stands reports whether the marker is there, and all that it lists.
func stands(marker string) bool {
	list, err := os.ReadFile(marker)
	if err != nil || len(list) == 0 {
		return false
	}
	for path := range strings.Lines(string(list)) {
		if path = strings.TrimSpace(path); path != "" && !exists(path) {
			return false
		}
	}
	return used(marker)
}

// firstLines is the beginning of output: of a broken package the first mistakes say enough.
func firstLines(output string, n int) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if len(lines) > n {
		lines = append(lines[:n], "…")
	}
	return strings.Join(lines, "\n")
}

// Lab is the command of JupyterLab with these arguments, in the environment of the set-up. The server stops its
// kernels and ends when ctx does, or this process.
func (e *Env) Lab(ctx context.Context, args ...string) *exec.Cmd {
	// the notebooks it trusts
	own := []string{"-m", "jupyterlab", "--NotebookNotary.data_dir=" + filepath.Join(e.Cache, "jupyter")}
	cmd := command(ctx, nil, e.Python, append(own, args...)...)
	cmd.Env = e.Vars
	for _, kv := range e.Vars {
		// for readers alone: a kernel that Execute kills would leave it behind
		if strings.HasPrefix(kv, "PATH=") && e.Gopls != "" {
			cmd.Env = append(slices.Clone(e.Vars), kv+string(os.PathListSeparator)+e.Gopls)
		}
	}
	return cmd
}
