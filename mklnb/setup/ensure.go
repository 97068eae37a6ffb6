package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/store"
)

// KernelName is the folder name of the Jupyter kernel spec, which notebooks state in metadata.kernelspec.name.
const KernelName = "mkl"

// Env has the paths and variables of a finished setup of JupyterLab and GoNB.
type Env struct {
	CheckoutFolder string   // the folder of the checkout
	CacheFolder    string   // the path of the cache folder
	PythonPath     string   // the path of an interpreter that has JupyterLab, nbclient and nbconvert
	ToolsFolder    string   // the folder of gonb, goimports and, if BuildGopls has built it, gopls
	Go             string   // the path of the go command
	Vars           []string // the whole environment of Jupyter, as in os.Environ

	// OptionalStepErr is the error of a step that notebooks can do without, or nil. An example: the checkout does not
	// compile.
	OptionalStepErr error
}

// Ensure finds or makes what notebooks need, in this order: Python with the pinned packages, GoNB and its tools, the
// build cache of the packages that cells import, the renderer. It passes a line for each step, and for its duration, to
// logLine. A second call finds everything and logs nothing.
//
// If the checkout does not compile, Ensure logs the error and sets OptionalStepErr, but returns no error: a cell that
// imports the broken package shows the same message, and other cells run.
//
// Ensure writes neither to the checkout nor to the user's own Jupyter. Jupyter finds the kernel spec of the checkout by
// JUPYTER_PATH and the answer to JupyterLab's question about news by JUPYTER_CONFIG_PATH. The files of a server are in
// the cache folder.
func Ensure(ctx context.Context, logLine func(string)) (*Env, error) {
	if runtime.GOOS == "windows" {
		return nil, errors.New("setup: the kernel GoNB does not run on Windows; use WSL or the Docker image")
	}
	e := &Env{}
	var err error
	if e.CheckoutFolder, err = FindCheckout(); err != nil {
		return nil, err
	}
	if e.CacheFolder, err = store.CacheDir(); err != nil {
		return nil, fmt.Errorf("setup: %w", err)
	}
	if e.Go, err = exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("setup: the go command, which compiles cells, is not on PATH: %w; install Go", err)
	}
	if e.PythonPath, err = EnsureVenv(ctx, "python", "JupyterLab", requirements, logLine); err != nil {
		return nil, err
	}
	if e.ToolsFolder, err = ensureTools(ctx, e.CheckoutFolder, logLine); err != nil {
		return nil, err
	}
	if err := e.writeLabConfig(); err != nil {
		return nil, err
	}
	e.Vars = e.environment()
	warmErr := e.warmGoCaches(ctx, logLine)
	_, rendererErr := EnsureRenderer(ctx, logLine)
	e.OptionalStepErr = errors.Join(warmErr, rendererErr)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("setup: %w", ctx.Err())
	}
	if e.OptionalStepErr != nil {
		logLine(e.OptionalStepErr.Error())
	}
	return e, nil
}

// environment returns the environment variables of Jupyter: those of this process, with the tools first on PATH and
// with the folders of Jupyter. Some are set to "", which removes the effect of values of the user.
func (e *Env) environment() []string {
	joinPaths := func(parts ...string) string {
		parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
		return strings.Join(parts, string(os.PathListSeparator))
	}
	labFolder, vars := e.labFolder(), os.Environ()
	if strings.HasPrefix(e.PythonPath, e.CacheFolder) { // packages of the user must not replace those of setup
		vars = append(vars, "PYTHONPATH=")
	}
	return append(vars, "GOWORK=", "PYTHONHOME=", "VIRTUAL_ENV=", "MKL_CACHE="+e.CacheFolder,
		"PATH="+joinPaths(e.ToolsFolder, filepath.Dir(e.PythonPath), os.Getenv("PATH"), filepath.Dir(e.Go)),
		"JUPYTER_PATH="+joinPaths(filepath.Join(e.CheckoutFolder, "notebooks", "jupyter"), os.Getenv("JUPYTER_PATH")),
		"JUPYTER_CONFIG_PATH="+joinPaths(labFolder, os.Getenv("JUPYTER_CONFIG_PATH")),
		// The first folder has the secret of the server's cookies, the second the list of open files.
		"JUPYTER_RUNTIME_DIR="+cmp.Or(os.Getenv("JUPYTER_RUNTIME_DIR"), filepath.Join(labFolder, "runtime")),
		"JUPYTERLAB_WORKSPACES_DIR="+
			cmp.Or(os.Getenv("JUPYTERLAB_WORKSPACES_DIR"), filepath.Join(labFolder, "workspaces")),
	)
}

func (e *Env) labFolder() string { return filepath.Join(e.CacheFolder, "jupyter") }

// writeLabConfig writes default settings of JupyterLab: it neither asks about news nor looks for updates, and it waits
// longer than a second for the names that complete a cell. Settings of the user override them.
func (e *Env) writeLabConfig() error {
	path := filepath.Join(e.labFolder(), "labconfig", "default_setting_overrides.json")
	const settings = `{
  "@jupyterlab/apputils-extension:notification": {
    "fetchNews": "false",
    "checkForUpdates": false,
    "doNotDisturbMode": false
  },
  "@jupyterlab/completer-extension:manager": {
    "providerTimeout": 10000
  }
}
`
	if old, err := os.ReadFile(path); err == nil && string(old) == settings {
		return nil
	}
	return writeFile(path, []byte(settings))
}

// LabCommand returns the command of JupyterLab with these arguments. When ctx or this process ends, the server stops
// its kernels and ends.
func (e *Env) LabCommand(ctx context.Context, args ...string) *exec.Cmd {
	trustOption := "--NotebookNotary.data_dir=" + e.labFolder() // the folder of the list of trusted notebooks
	cmd := commandEndingWithParent(ctx, e.PythonPath, append([]string{"-m", "jupyterlab", trustOption}, args...)...)
	cmd.Env = e.Vars
	return cmd
}
