package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// gonbPath is the module of GoNB.
const gonbPath = "github.com/janpfeifer/gonb"

// edit is one change of a file of GoNB: old, which stands in it once, becomes new.
type edit struct{ file, old, new string }

// gonbEdits are what the pinned version of GoNB lacks.
//
// Jupyter's message execute_request says stop_on_error: after a cell that failed or was stopped, the cells
// that wait behind it are not run but answered "aborted". GoNB runs them. The edits of the dispatcher
// answer as many messages as wait at that moment, in the one goroutine that runs cells, and make a stop by
// message known as that by signal is.
//
// GoNB asks "go get" before it builds a cell. The edits build first, and ask it only where the go command could
// not load what the cell imports (its output then does not begin with "# ", the heading of the compiler's
// complaints); go build and what it starts collect garbage when their heaps are five times what lives (GOGC=400,
// where the environment says nothing else: the link of a cell takes 107 MB then, the compiler 146 on the largest
// package, in place of 100 each). Nothing is remembered of a build. MKL_GO=plain in the environment, or by %env,
// takes both back.
//
// A cell that imports a module of which go.mod has none fails, since the kernel works without a network, with
// what the go command says of that; the last edit says what to do, and also where a module has been removed.
var gonbEdits = []edit{
	{"internal/dispatcher/dispatcher.go",
		"\t\t\tfor params := range busyMessagesChan {\n",
		`			for params := range busyMessagesChan {
				if aborting > 0 {
					aborting--
					if params.msg.ComposedMsg().Header.MsgType == "execute_request" {
						_ = kernel.PublishKernelStatus(params.msg, kernel.StatusBusy)
						_ = params.msg.Reply("execute_reply", map[string]any{"status": "aborted"})
						_ = kernel.PublishKernelStatus(params.msg, kernel.StatusIdle)
						continue
					}
				}
`},
	{"internal/dispatcher/dispatcher.go",
		"\t// Final execution result.\n",
		`	if stop, _ := content["stop_on_error"].(bool); stop && (executionErr != nil || msg.Kernel().Interrupted.Load()) {
		aborting = len(busyMessagesChan)
	}

	// Final execution result.
`},
	{"internal/dispatcher/dispatcher.go",
		"\t\t\tklog.V(2).Infof(\"Received interrupt_request.\")\n",
		"\t\t\tmsg.Kernel().Interrupted.Store(true)\n",
	},
	{"internal/dispatcher/dispatcher.go",
		"type shellMsgParams struct {\n",
		`// aborting is how many of the messages that wait are not to be run: only the goroutine that runs them
// reads and writes it.
var aborting int

type shellMsgParams struct {
`},
	{"internal/goexec/execcode.go",
		"\t// Download missing dependencies.\n\tif !s.AutoGet {\n\t\treturn\n\t}\n\n\targs := []string{\"get\"}\n",
		`	if s.AutoGet && os.Getenv("MKL_GO") == "plain" {
		err = s.goGet(msg, fileToCellIdAndLine)
	}
	return
}

// goGet downloads missing dependencies.
func (s *State) goGet(msg kernel.Message, fileToCellIdAndLine []CellIdAndLine) (err error) {
	var cmd *exec.Cmd
	var output []byte
	args := []string{"get"}
`},
	{"internal/goexec/execcode.go",
		"\tcmd := exec.Command(\"go\", args...)\n\tcmd.Dir = s.TempDir\n\tif s.CellIsWasm {\n",
		`	plain := os.Getenv("MKL_GO") == "plain"
	cmd := exec.Command("go", args...)
	cmd.Dir = s.TempDir
	if !plain && os.Getenv("GOGC") == "" {
		cmd.Env = append(os.Environ(), "GOGC=400")
	}
	if s.CellIsWasm {
`},
	{"internal/goexec/execcode.go",
		"\toutput, err := cmd.CombinedOutput()\n\tif err != nil {\n\t\tklog.Errorf(",
		`	output, err := cmd.CombinedOutput()
	if err != nil && s.AutoGet && !plain && !bytes.HasPrefix(output, []byte("# ")) {
		if err := s.goGet(msg, fileToCellIdAndLines); err != nil {
			return err
		}
		again := exec.Command("go", args...)
		again.Dir, again.Env = cmd.Dir, cmd.Env
		output, err = again.CombinedOutput()
	}
	if err != nil {
		klog.Errorf(`},
	{"internal/goexec/execcode.go",
		"func (s *State) filterGoGetError(output string) string {\n",
		`func (s *State) filterGoGetError(output string) string {
	if _, missing, ok := strings.Cut(output, GoGetWorkspaceIssue+" "); ok && os.Getenv("GOPROXY") == "off" {
		missing, _, _ = strings.Cut(strings.SplitN(missing, "\n", 2)[0], ":")
		mods, _ := s.findGoWorkModules()
		for mod, folder := range mods {
			if strings.HasPrefix(missing+"/", mod+"/") {
				return "no package " + missing + ": there is none in " + folder + "\n"
			}
		}
		return "no package " + missing + " is here, and this kernel fetches none by itself. " +
			"Run this line in a cell of its own, then this cell again:\n\n!*GOPROXY= GOSUMDB= go get " + missing + "\n"
	}
	if missing, _, ok := strings.Cut(output, ": module lookup disabled by GOPROXY=off"); ok {
		missing = missing[strings.LastIndexAny(missing, " \t\n")+1:]
		return "module " + missing + " is not here any more, and this kernel fetches none by itself. " +
			"Run this line in a terminal, in the folder of the checkout, then this cell again:\n\ngo run ./mklnb/lab -setup\n\n" +
			"A module fetched by go get in a cell needs that cell once more.\n"
	}
`},
}

// patchedGoNB copies the pinned GoNB to dir/gonb, edits it, and returns a go.mod, in dir, by which the tools
// are built with it.
func patchedGoNB(ctx context.Context, gotool, root, dir string) (modfile string, err error) {
	tools := filepath.Join(root, toolsDir)
	for _, name := range []string{"go.mod", "go.sum"} { // what the go command adds is added to the copies
		content, err := os.ReadFile(filepath.Join(tools, name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return "", err
		}
	}
	modfile = filepath.Join(dir, "go.mod")
	cmd := exec.CommandContext(ctx, gotool, "mod", "download", "-modfile="+modfile, "-json", gonbPath)
	cmd.Dir = tools
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	from, err := downloaded(out, stderr.String(), err)
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, "gonb")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return "", err
	}
	for _, e := range gonbEdits {
		file := filepath.Join(to, filepath.FromSlash(e.file))
		content, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		edited, err := e.apply(string(content))
		if err != nil {
			return "", err
		}
		if err := os.Chmod(file, 0o644); err != nil {
			return "", err
		}
		if err := os.WriteFile(file, []byte(edited), 0o644); err != nil {
			return "", err
		}
	}
	mod, err := os.ReadFile(modfile)
	if err != nil {
		return "", err
	}
	return modfile, os.WriteFile(modfile, []byte(string(mod)+replaced(to)), 0o644)
}

// replaced is the directive of go.mod that takes GoNB from a folder, whose name may have spaces.
func replaced(folder string) string {
	return "\nreplace " + gonbPath + " => " + strconv.Quote(folder) + "\n"
}

// downloaded returns the folder that go mod download -json says, or the error with the go command's words.
func downloaded(out []byte, stderr string, err error) (string, error) {
	var module struct{ Dir, Error string }
	jsonErr := json.Unmarshal(out, &module)
	said := strings.TrimSpace(module.Error + "\n" + strings.TrimSpace(stderr))
	switch {
	case err != nil && said != "":
		return "", fmt.Errorf("go mod download %s: %w: %s", gonbPath, err, said)
	case err != nil:
		return "", fmt.Errorf("go mod download %s: %w", gonbPath, err)
	case module.Error != "":
		return "", fmt.Errorf("go mod download %s: %s", gonbPath, said)
	case jsonErr != nil:
		return "", fmt.Errorf("go mod download %s: its answer: %w", gonbPath, jsonErr)
	case module.Dir == "":
		return "", fmt.Errorf("go mod download %s: it names no folder", gonbPath)
	}
	return module.Dir, nil
}

// apply returns content with the edit.
func (e edit) apply(content string) (string, error) {
	if n := strings.Count(content, e.old); n != 1 {
		return "", fmt.Errorf("%s of GoNB holds %d times what is to be edited, expected once: is the version in %s another?", e.file, n, toolsDir+"/go.mod")
	}
	return strings.Replace(content, e.old, e.new, 1), nil
}
