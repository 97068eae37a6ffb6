// Lab opens JupyterLab on the notebooks of this checkout, or runs one of them without a browser.
//
//	go run ./mklnb/lab                                      set up what is missing, open JupyterLab
//	go run ./mklnb/lab DIR                                  the same, in a folder of your own
//	go run ./mklnb/lab -- --no-browser --port=8899          the same, with these arguments of jupyter lab
//	go run ./mklnb/lab -execute NOTEBOOK -output FILE.html  run a notebook; fail if a cell fails or a chart is missing
//	go run ./mklnb/lab -install DIR                         write a kernel spec with absolute paths to DIR/kernels/mkl
//	go run ./mklnb/lab -setup                               set up what is missing, exit
//	go run ./mklnb/lab -setup -completion                   the same, with gopls (42 MB), which completes names
//	go run ./mklnb/lab -tools DIR                           build the kernel's programs into DIR, for an image's PATH
//
// The first start needs the network and takes a few minutes. It writes to a cache folder (MKL_CACHE, or mkl in the
// user's cache folder) and not to the checkout. Package mklnb/setup does the work and documents it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mklnb/mkl/mklnb/setup"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, strings.TrimPrefix(err.Error(), "setup: "))
		os.Exit(1)
	}
}

// options is the parsed command line. The fields are named after the flags.
type options struct {
	notebookToRun, htmlPath, notebookOutPath string
	installFolder, toolsFolder               string
	setupOnly, withGopls                     bool
	folderToOpen                             string // folder of JupyterLab; "" means notebooks in the checkout
	timeout                                  time.Duration
	labArguments                             []string // the arguments after --
}

// parseArguments parses the command line. The arguments after -- belong to jupyter lab.
func parseArguments(args []string) (*options, error) {
	o := &options{}
	for i, arg := range args {
		if arg == "--" {
			args, o.labArguments = args[:i], args[i+1:]
			break
		}
	}
	f := flag.NewFlagSet("lab", flag.ExitOnError)
	f.Usage = func() {
		fmt.Fprintln(f.Output(), "usage: go run ./mklnb/lab [flags] [folder] [-- arguments of jupyter lab]")
		f.PrintDefaults()
		fmt.Fprintln(f.Output(), "papermill sets the variables of a cell that has the tag parameters, after "+
			"pip install ./mklnb/setup/papermill in its environment")
	}
	f.StringVar(&o.notebookToRun, "execute", "", "run this `notebook` without a browser instead of opening JupyterLab")
	f.StringVar(&o.htmlPath, "output", "", "with -execute: write the page to this HTML `file`")
	f.StringVar(&o.notebookOutPath, "notebook-out", "",
		"with -execute: write the notebook with its outputs to this `file`")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "with -execute: time limit of one cell")
	f.StringVar(&o.installFolder, "install", "",
		"write a kernel spec with absolute paths to `folder`/kernels/mkl and exit")
	f.StringVar(&o.toolsFolder, "tools", "", "build GoNB and its tools into this `folder` and exit")
	f.BoolVar(&o.setupOnly, "setup", false, "install what is missing of JupyterLab and GoNB and exit")
	f.BoolVar(&o.withGopls, "completion", false,
		"with -setup or -tools: also build gopls, which completes names in cells")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	o.folderToOpen = f.Arg(0)
	runsWithoutLab := o.notebookToRun != "" || o.setupOnly || o.installFolder != "" || o.toolsFolder != ""
	switch {
	case f.NArg() > 1 || runsWithoutLab && o.folderToOpen != "":
		return nil, fmt.Errorf("lab: unexpected argument %q; write arguments of jupyter lab after --",
			f.Arg(f.NArg()-1))
	case o.withGopls && !o.setupOnly && o.toolsFolder == "":
		return nil, errors.New("lab: -completion needs -setup or -tools")
	case o.notebookToRun == "" && (o.htmlPath != "" || o.notebookOutPath != ""):
		return nil, errors.New("lab: -output and -notebook-out need -execute NOTEBOOK")
	case o.notebookToRun != "" && (o.setupOnly || o.installFolder != "" || o.toolsFolder != "" ||
		len(o.labArguments) > 0):
		return nil, errors.New("lab: -execute allows only -output, -notebook-out and -timeout")
	case o.timeout <= 0:
		return nil, fmt.Errorf("lab: -timeout is %v; use a duration above 0, such as 10m", o.timeout)
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parseArguments(args)
	if err != nil {
		return err
	}
	// Invalid arguments are reported before setup, which can take minutes.
	if o.notebookToRun != "" {
		if _, err := os.Stat(o.notebookToRun); err != nil {
			return fmt.Errorf("lab: -execute: %w", err)
		}
	}
	if o.folderToOpen != "" {
		var err error
		if o.folderToOpen, err = filepath.Abs(o.folderToOpen); err != nil {
			return fmt.Errorf("lab: %w", err)
		}
		if info, err := os.Stat(o.folderToOpen); err != nil || !info.IsDir() {
			return fmt.Errorf("lab: %s is not a folder; use -execute to run a notebook, and write arguments of "+
				"jupyter lab after --", o.folderToOpen)
		}
	}
	logLine := func(line string) { fmt.Fprintln(os.Stderr, line) }
	if o.toolsFolder != "" {
		if err := setup.BuildTools(ctx, o.toolsFolder, logLine); err != nil || !o.withGopls {
			return err
		}
		return setup.BuildGopls(ctx, o.toolsFolder, logLine)
	}
	env, err := setup.Ensure(ctx, logLine)
	if err != nil {
		return err
	}
	switch {
	case o.notebookToRun != "":
		start := time.Now()
		err := env.Execute(ctx, setup.Execution{Notebook: o.notebookToRun, HTMLPath: o.htmlPath,
			ExecutedNotebookPath: o.notebookOutPath,
			Timeout:              o.timeout}, logLine)
		if err != nil {
			return err
		}
		logLine(fmt.Sprintf("%s: every cell ran, %.1f s", o.notebookToRun, time.Since(start).Seconds()))
		return nil
	case o.installFolder != "":
		kernelFolder, err := env.InstallKernelSpec(o.installFolder)
		if err != nil {
			return err
		}
		logLine("kernel spec written to " + kernelFolder)
		return nil
	case o.setupOnly:
		if env.OptionalStepErr != nil {
			return errors.New("lab: setup is incomplete; the messages above state what failed")
		}
		if o.withGopls {
			if err := setup.BuildGopls(ctx, env.ToolsFolder, logLine); err != nil {
				return err
			}
		}
		logLine("setup is complete; its files are in " + env.CacheFolder)
		return nil
	}
	if o.folderToOpen == "" {
		o.folderToOpen = filepath.Join(env.CheckoutFolder, "notebooks")
	}
	return runLab(ctx, env, o.folderToOpen, o.labArguments)
}

// startPage is the notebook that JupyterLab opens first.
const startPage = "00_start_here.ipynb"

// labArgs returns the arguments of jupyter lab: defaults for options that userArgs does not set, then userArgs. uid is
// the id of the user; as root, Jupyter needs --allow-root.
func labArgs(folder string, uid int, userArgs []string) []string {
	hasArgument := func(names ...string) bool {
		return slices.ContainsFunc(userArgs, func(arg string) bool {
			name, _, _ := strings.Cut(arg, "=")
			return slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(name, n) })
		})
	}
	// Without the last one, the last lines on the terminal are a list of language servers, and not the address.
	arguments := []string{"--ServerApp.answer_yes=True", "--LanguageServerManager.autodetect=False"}
	if !hasArgument("root_dir", "-notebook-dir") {
		arguments = append(arguments, "--ServerApp.root_dir="+folder)
		if _, err := os.Stat(filepath.Join(folder, startPage)); err == nil && !hasArgument("default_url") {
			arguments = append(arguments, "--LabApp.default_url=/lab/tree/"+startPage)
		}
	}
	if uid == 0 && !hasArgument("allow_root", "-allow-root") {
		arguments = append(arguments, "--allow-root")
	}
	if hasArgument("-port", ".port") { // else Jupyter silently uses another port if this one is in use
		arguments = append(arguments, "--ServerApp.port_retries=0")
	}
	return append(arguments, userArgs...)
}

// runLab runs JupyterLab until it ends or ctx ends. The server has a process group of its own, so Ctrl-C reaches only
// this process, which then ends ctx. The server stops its kernels and ends without a question.
func runLab(ctx context.Context, env *setup.Env, folder string, args []string) error {
	cmd := env.LabCommand(ctx, labArgs(folder, os.Getuid(), args)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	defer context.AfterFunc(ctx, func() { fmt.Fprintln(os.Stderr, "stopping JupyterLab and its kernels") })()
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("lab: JupyterLab ended with %w; its output above states the reason", err)
	}
	return nil
}
