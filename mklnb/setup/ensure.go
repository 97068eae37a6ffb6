package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// KernelName is the name of the kernel spec, and of the kernelspec of a notebook.
const KernelName = "mkl"

// Env is a finished setup.
type Env struct {
	Root     string   // the checkout
	Cache    string   // the cache folder
	Python   string   // an interpreter that has JupyterLab, nbclient and nbconvert
	Tools    string   // the folder of gonb and goimports
	Go       string   // the go command
	Renderer string   // the program that draws figures, "" if it could not be built
	Gopls    string   // the folder of gopls, which completes names in cells, "" if EnsureGopls has not built it
	Vars     []string // the whole environment of Jupyter, as in os.Environ

	// Missing is the error of a step without which notebooks still run. For example, the checkout does not compile.
	Missing error
}

// Ensure finds or makes what notebooks need, in this order: Python with the pinned packages, GoNB and its tools, the
// build cache of the packages that cells import, the renderer. It reports each step and its duration to say. A second
// call finds everything and reports nothing.
//
// If the checkout does not compile, Ensure reports it and sets Missing, but returns no error: a cell that imports the
// broken package shows the same message, and other cells run.
//
// Ensure writes neither to the checkout nor to the user's own Jupyter. Jupyter finds the kernel spec of the checkout by
// JUPYTER_PATH and the answer to JupyterLab's question about news by JUPYTER_CONFIG_PATH. The files of a server are in
// the cache folder.
func Ensure(ctx context.Context, say func(string)) (*Env, error) {
	say = nonNilSay(say)
	if runtime.GOOS == "windows" {
		return nil, errors.New("setup: the kernel GoNB does not run on Windows; use WSL or the image")
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
		return nil, fmt.Errorf("setup: the go command, which compiles cells, is not on PATH: %w; install Go", err)
	}
	if e.Python, err = Python(ctx, "python", "JupyterLab", requirements, say); err != nil {
		return nil, err
	}
	if e.Tools, err = ensureTools(ctx, e.Root, e.Cache, say); err != nil {
		return nil, err
	}
	config := filepath.Join(e.Cache, "jupyter")
	if err := writeLabConfig(config); err != nil {
		return nil, err
	}
	if gopls := goplsPrograms(e.Cache, say); gopls.isComplete() {
		e.Gopls = gopls.dir
	}
	e.Vars = e.environment(os.Environ(), config)
	compileErr := e.warmCaches(ctx, say)
	e.Renderer, err = Renderer(ctx, say)
	e.Missing = errors.Join(compileErr, err)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("setup: %w", ctx.Err())
	}
	if e.Missing != nil {
		say(e.Missing.Error())
	}
	return e, nil
}

// environment returns the variables of Jupyter: base, with the tools first on PATH and with the folders of Jupyter.
// config is the folder with settings of JupyterLab.
func (e *Env) environment(base []string, config string) []string {
	lookUp := func(name string) (value string) {
		for _, entry := range base { // the last entry counts, as in os/exec
			if v, ok := strings.CutPrefix(entry, name+"="); ok {
				value = v
			}
		}
		return value
	}
	joinPaths := func(parts ...string) string {
		parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
		return strings.Join(parts, string(os.PathListSeparator))
	}
	env := withoutVariables(base, "PATH", "JUPYTER_PATH", "JUPYTER_CONFIG_PATH", "MKL_CACHE", "GOWORK", "PYTHONHOME",
		"VIRTUAL_ENV")
	if strings.HasPrefix(e.Python, e.Cache+string(filepath.Separator)) {
		env = withoutVariables(env, "PYTHONPATH") // the virtual environment is complete
	}
	if lookUp("JUPYTER_RUNTIME_DIR") == "" { // the secret of the server's cookies
		env = append(env, "JUPYTER_RUNTIME_DIR="+filepath.Join(e.Cache, "jupyter", "runtime"))
	}
	if lookUp("JUPYTERLAB_WORKSPACES_DIR") == "" { // the open files
		env = append(env, "JUPYTERLAB_WORKSPACES_DIR="+filepath.Join(e.Cache, "jupyter", "workspaces"))
	}
	return append(env,
		"PATH="+joinPaths(e.Tools, filepath.Dir(e.Python), lookUp("PATH"), filepath.Dir(e.Go)),
		"JUPYTER_PATH="+joinPaths(filepath.Join(e.Root, "notebooks", "jupyter"), lookUp("JUPYTER_PATH")),
		"JUPYTER_CONFIG_PATH="+joinPaths(config, lookUp("JUPYTER_CONFIG_PATH")),
		"MKL_CACHE="+e.Cache,
	)
}

// writeLabConfig writes default settings of JupyterLab: it neither asks about news nor looks for updates. Settings of
// the user override them.
func writeLabConfig(config string) error {
	path := filepath.Join(config, "labconfig", "default_setting_overrides.json")
	if pathExists(path) {
		return nil
	}
	return writeFile(path, []byte(`{"@jupyterlab/apputils-extension:notification":
  {"fetchNews": "false", "checkForUpdates": false, "doNotDisturbMode": false}}
`))
}

// LabCommand returns the command of JupyterLab with these arguments. When ctx or this process ends, the server stops
// its kernels and ends.
func (e *Env) LabCommand(ctx context.Context, args ...string) *exec.Cmd {
	trusted := "--NotebookNotary.data_dir=" + filepath.Join(e.Cache, "jupyter") // has the list of trusted notebooks
	cmd := supervisedCommand(ctx, e.Python, append([]string{"-m", "jupyterlab", trusted}, args...)...)
	cmd.Env = e.Vars
	for _, entry := range e.Vars {
		if strings.HasPrefix(entry, "PATH=") && e.Gopls != "" { // e.Vars is without gopls, which Execute does not need
			cmd.Env = append(slices.Clone(e.Vars), entry+string(os.PathListSeparator)+e.Gopls)
		}
	}
	return cmd
}
