package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
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
// what the go command says of that; filterGoGetError says what to do, and also where a module has been removed.
// hintOfStatement and hintOfVariables do so for a cell without its line %%, and for a variable of an earlier cell.
//
// A program gets a second pair of pipes: GoNB's gonbui and this module's mklnb/internal/gonb open one each, for a pair
// carries one client. What comes by the second pair waits until what was printed, and shown by gonbui, before it is
// shown; GoNB, which reads each pipe as soon as it can, may swap them, and loses what is in a pipe when the program ends.
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
	{"internal/goexec/parser.go", "\t\"go/parser\"\n", "\t\"go/parser\"\n\t\"go/scanner\"\n"},
	{"internal/goexec/parser.go",
		"\t\t\terr = s.DisplayErrorWithContext(msg, fileToCellIdAndLine, err.Error(), err)\n",
		"\t\t\terr = s.DisplayErrorWithContext(msg, fileToCellIdAndLine, err.Error()+s.hintOfStatement(err, fileToCellIdAndLine), err)\n",
	},
	{"internal/goexec/parser.go",
		"// NewImport from the importPath and it's alias.",
		`// hintOfStatement says above which line of the cell %% is missing, if the cell can be parsed with it.
func (s *State) hintOfStatement(err error, cells []CellIdAndLine) string {
	var found scanner.ErrorList
	if !errors.As(err, &found) || !strings.HasPrefix(found[0].Msg, "expected declaration, found ") {
		return ""
	}
	code, err := s.readMainGo()
	lines, at := strings.Split(code, "\n"), found[0].Pos.Line-1
	if err != nil || at < 0 || at >= min(len(lines), len(cells)) {
		return ""
	}
	code = strings.Join(lines[:at], "\n") + "\nfunc main() {\n" + strings.Join(lines[at:], "\n") + "\n}\n"
	if names, _ := variablesOfMain(code); names == nil {
		return ""
	}
	return fmt.Sprintf("\n\nStatements are written below a line %%%%, declarations above it. Write that line above line %d of this cell:\n\n%%%%\n%s\n",
		cells[at].Line+1, lines[at])
}

// variablesOfMain are the variables that the statements of main declare, not those within loops and the like, and the
// line of main, counted from 1: nil where there is no main or the code cannot be parsed.
func variablesOfMain(code string) (names []string, line int) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "main.go", code, parser.SkipObjectResolution)
	if err != nil {
		return nil, 0
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name != "main" || f.Recv != nil || f.Body == nil {
			continue
		}
		names, line = []string{}, files.Position(f.Pos()).Line
		for _, statement := range f.Body.List {
			var declared []ast.Expr
			switch d := statement.(type) {
			case *ast.AssignStmt:
				if d.Tok == token.DEFINE {
					declared = d.Lhs
				}
			case *ast.DeclStmt:
				for _, spec := range d.Decl.(*ast.GenDecl).Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && d.Decl.(*ast.GenDecl).Tok == token.VAR {
						for _, name := range v.Names {
							declared = append(declared, name)
						}
					}
				}
			}
			for _, e := range declared {
				if name, ok := e.(*ast.Ident); ok {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names, line
}

// NewImport from the importPath and it's alias.`},
	{"internal/goexec/execcode.go",
		"\t\terr := s.DisplayErrorWithContext(msg, fileToCellIdAndLines, string(output), err)\n" +
			"\t\treturn errors.Wrapf(err, \"failed to run %q\", cmd)\n\t}\n\treturn nil\n}\n",
		`		err := s.DisplayErrorWithContext(msg, fileToCellIdAndLines, string(output)+s.hintOfVariables(string(output)), err)
		return errors.Wrapf(err, "failed to run %q", cmd)
	}
	if code, err := s.readMainGo(); err == nil {
		names, line := variablesOfMain(code)
		for _, name := range names {
			if line <= len(fileToCellIdAndLines) {
				cellOfVariable[name] = fileToCellIdAndLines[line-1].Id
			}
		}
	}
	return nil
}

// cellOfVariable is the last cell that was built in whose main a variable of this name was declared.
var cellOfVariable = map[string]int{}

// hintOfVariables says, of names that the compiler does not know, which were variables of the main of an earlier cell.
func (s *State) hintOfVariables(output string) (hint string) {
	code, _ := s.readMainGo()
	told, _ := variablesOfMain(code) // those of this cell are not missing, but out of scope
	for _, line := range strings.Split(output, "\n") {
		_, name, _ := strings.Cut(line, ": undefined: ")
		cell, ok := cellOfVariable[name]
		if !ok || slices.Contains(told, name) {
			continue
		}
		told = append(told, name)
		hint += fmt.Sprintf("\n%s was a variable of cell [%d] and ended with it: each cell is a program of its own, and only what is declared above %%%% lasts. "+
			"Write a function that makes it, and call that here and there:\n\nfunc made() T {\n\t…\n\treturn %[1]s\n}\n\n%%%%\n%[1]s := made()\n", name, cell)
	}
	return hint
}
`},
	{"internal/jpyexec/jpyexec.go",
		"\t\tif err = exec.handleNamedPipes(); err != nil {\n\t\t\treturn err\n\t\t}\n",
		`		if err = exec.handleNamedPipes(); err != nil {
			return err
		}
		second := &Executor{Msg: exec.Msg, cmd: cmd, dir: exec.dir, doneChan: exec.doneChan, first: exec,
			captureDisplayDataOutput: exec.captureDisplayDataOutput}
		if err = second.handleNamedPipes(); err != nil {
			return err
		}
`},
	{"internal/jpyexec/jpyexec.go",
		"\tvar streamersWG sync.WaitGroup\n",
		"\texec.printed = &shownPipe{file: exec.cmdStdout.(*os.File)}\n\tvar streamersWG sync.WaitGroup\n",
	},
	{"internal/jpyexec/jpyexec.go", "io.Copy(exec.stdoutWriter, exec.cmdStdout)", "io.Copy(exec.stdoutWriter, exec.printed)"},
	{"internal/jpyexec/jpyexec.go",
		"\texec.exitError = cmd.Wait()\n",
		`	exec.exitError = cmd.Wait()
	if exec.displayed != nil {
		exec.displayed.wait()
	}
`},
	{"internal/jpyexec/jpyexec.go",
		"\tpipeReader                               io.ReadCloser // GONB_PIPE\n",
		`	pipeReader                               *os.File // GONB_PIPE

	printed, displayed *shownPipe // standard output, pipeReader
	first              *Executor  // of the second pair of pipes, MKL_PIPE and MKL_PIPE_BACK, that of the first; else nil
`},
	{"internal/jpyexec/namedpipes.go", "\t\"syscall\"\n)\n", "\t\"syscall\"\n\t\"time\"\n\n\t\"golang.org/x/sys/unix\"\n)\n"},
	{"internal/jpyexec/namedpipes.go",
		"\texec.cmd.Env = append(exec.cmd.Environ(),\n\t\tprotocol.GONB_PIPE_ENV+\"=\"+exec.namedPipeReaderPath,\n\t\tprotocol.GONB_PIPE_BACK_ENV+",
		`	pipe, back := protocol.GONB_PIPE_ENV, protocol.GONB_PIPE_BACK_ENV
	if exec.first != nil {
		pipe, back = "MKL_PIPE", "MKL_PIPE_BACK"
	}
	exec.cmd.Env = append(exec.cmd.Environ(),
		pipe+"="+exec.namedPipeReaderPath,
		back+`},
	{"internal/jpyexec/namedpipes.go",
		"\texec.openPipeReader()\n",
		`	// Opened for writing too it waits for no other end, and does not end where a program closes its own.
	if exec.pipeReader, err = os.OpenFile(exec.namedPipeReaderPath, os.O_RDWR, 0); err != nil {
		return errors.Wrapf(err, "opening named pipe %q", exec.namedPipeReaderPath)
	}
	exec.displayed = &shownPipe{file: exec.pipeReader}
	go exec.pollNamedPipeReader()
	go func() {
		<-exec.doneChan
		_ = exec.pipeReader.Close()
		_ = os.Remove(exec.namedPipeReaderPath)
	}()
`},
	{"internal/jpyexec/namedpipes.go",
		"\tdecoder := gob.NewDecoder(exec.pipeReader)\n\tfor {\n\t\tdata := &protocol.DisplayData{}\n\t\terr := decoder.Decode(data)\n",
		`	defer io.Copy(io.Discard, exec.displayed) // no program waits for what cannot be understood
	decoder := gob.NewDecoder(exec.displayed)
	for {
		data := &protocol.DisplayData{}
		err := decoder.Decode(data)
		if err == nil && exec.first != nil {
			exec.first.printed.wait()
			exec.first.displayed.wait()
		}
`},
	{"internal/jpyexec/namedpipes.go",
		"// pollNamedPipeReader will continuously read for incoming requests with displaying content\n",
		`// shownPipe reads a pipe. When it has read something it holds its lock until it is asked for more: while the lock is
// free, all that was read has been shown.
type shownPipe struct {
	file   *os.File
	mu     sync.Mutex
	locked bool // by Read
	read   int  // bytes
}

func (p *shownPipe) Read(b []byte) (n int, err error) {
	p.unlock()
	if p.file.SetReadDeadline(time.Time{}) != nil { // this system waits for a pipe only by reading it
		return p.file.Read(b)
	}
	conn, err := p.file.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = conn.Read(func(fd uintptr) bool {
		p.mu.Lock()
		p.locked = true
		for n, failed = syscall.Read(int(fd), b); failed == syscall.EINTR; {
			n, failed = syscall.Read(int(fd), b)
		}
		if n > 0 {
			p.read += n
			return true
		}
		p.unlock()
		return failed != syscall.EAGAIN
	})
	if err == nil {
		err = failed
	}
	if err == nil && n == 0 && len(b) > 0 {
		err = io.EOF
	}
	return max(n, 0), err
}

func (p *shownPipe) unlock() {
	if p.locked {
		p.locked = false
		p.mu.Unlock()
	}
}

// wait returns when all that stood in the pipe, which holds 64 KiB, has been shown, after ten seconds or so in any case.
func (p *shownPipe) wait() {
	conn, err := p.file.SyscallConn()
	if err != nil {
		return
	}
	begin := -1
	for range 100_000 {
		if p.mu.TryLock() {
			if begin < 0 {
				begin = p.read
			}
			done := p.read-begin >= 1<<16
			err := conn.Control(func(fd uintptr) {
				ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
				_, err := unix.Poll(ready, 0)
				done = done || err == nil && ready[0].Revents&unix.POLLIN == 0
			})
			p.mu.Unlock()
			if done || err != nil {
				return
			}
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// pollNamedPipeReader will continuously read for incoming requests with displaying content
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
	cmd := command(ctx, nil, gotool, "mod", "download", "-modfile="+modfile, "-json", gonbPath)
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
