package notebooks

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
	"github.com/mklnb/mkl/mklnb/setup/processes"
)

// The tests of this file test what a front-end does beside running cells: it stops them, answers requests for input,
// and asks the kernel about cells.

// runPython runs a script in the environment of the notebooks. The script reads its input as JSON and prints JSON.
func runPython(t *testing.T, script string, input, output any) {
	t.Helper()
	env := environment(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, env.PythonPath, "-c", script)
	cmd.Env, cmd.Dir = append(slices.Clone(env.Vars), "TMPDIR="+t.TempDir()), t.TempDir()
	cmd.Stdin = bytes.NewReader(must(json.Marshal(input)))
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	if err := json.Unmarshal(out.Bytes(), output); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
}

// piecesOfTrace is a cell that writes two lines of a trace in two pieces.
const piecesOfTrace = `_, file, line, _ := runtime.Caller(0)
os.Stderr.WriteString("\t" + file)
time.Sleep(time.Second / 10)
fmt.Fprintf(os.Stderr, ":%d\n\tend", line)`

// TestCommands tests that a command that fails fails its cell, that Stop ends a command and what it started, and that a
// panic names its place once, also if its trace arrives in pieces.
func TestCommands(t *testing.T) {
	steps := []step{{Cell: "!echo a; exit 3\n!echo not reached"}, {Cell: "!nosuchcommand"}, {Cell: "%%bash\nexit 4"},
		{Cell: "!echo ready; (sleep 300 &); sleep 300 & wait", StopAt: "ready"}, {Cell: "!echo after"},
		{Cell: "%%\n\npanic(\"told\")"}, {Cell: piecesOfTrace}}
	want := []string{"exit status 3", "exit status 127", "exit status 4", "stopped", "", "exit status 2", ""}
	answers := talk(t, steps...)
	for i, a := range answers {
		if !strings.HasSuffix(a.Error, want[i]) || (a.Status == "ok") != (want[i] == "") ||
			strings.Contains(a.Output, "not reached") {
			t.Errorf("%s: %+v, expected an error with %q", steps[i].Cell, a, want[i])
		}
	}
	panics := answers[5].Output
	if strings.Count(panics, "Line 3") != 1 || strings.Contains(panics, "main.go") ||
		!strings.Contains(panics, "told") {
		t.Errorf("the panic shows\n%s", panics)
	}
	if pieces := answers[6].Output; !strings.Contains(pieces, "Line 1") || strings.Contains(pieces, "main.go") ||
		!strings.Contains(pieces, "\tend") {
		t.Errorf("the pieces of a trace show\n%s", pieces)
	}
	if answers[0].Output != "a\n" || answers[4].Output != "after\n" {
		t.Errorf("the outputs are %q and %q", answers[0].Output, answers[4].Output)
	}
}

// TestStopAtOnce tests that a stop while a cell is compiled ends the cell, before its program prints.
func TestStopAtOnce(t *testing.T) {
	answers := talk(t, step{Cell: "time.Sleep(20 * time.Second)\nprintln(\"not stopped\")", StopAtOnce: true},
		step{Cell: "!sleep 20; echo not stopped", StopAtOnce: true}, step{Cell: "1 + 1"})
	for i, a := range answers[:2] {
		if a.Error != "stopped" || strings.Contains(a.Output, "not stopped") {
			t.Errorf("cell %d: %+v", i+1, a)
		}
	}
	if answers[2].Output != "2\n" {
		t.Errorf("the next cell shows %q", answers[2].Output)
	}
}

// TestStopOfChildren tests that Stop ends a cell if a process that its program started lives on and holds its output.
func TestStopOfChildren(t *testing.T) {
	testenv.SkipUnlessLong(t)
	const cell = "import (\n\"os\"\n\"os/exec\"\n)\n%%\nc := exec.Command(\"sleep\", \"100\")\nc.Stdout = os.Stdout\n" +
		"c.Start()\nprintln(\"ready\")\nc.Wait()"
	if a := talk(t, step{Cell: cell, StopAt: "ready"})[0]; a.Error != "stopped" {
		t.Errorf("the cell ends with %+v", a)
	}
}

// TestInput tests that a program that reads gets the answers to requests for input, only when it reads, and without a
// front-end that answers the end of its input.
func TestInput(t *testing.T) {
	const cell = "import (\n\"fmt\"\n\"time\"\n)\n%%\nvar a, b string\n_, _ = fmt.Scanln(&a)\n" +
		"time.Sleep(time.Second / 2)\n_, err := fmt.Scanln(&b)\nfmt.Println(a, b, err)"
	steps := []step{
		{Cell: cell, AllowInput: true, Inputs: []string{"Ada", "Emmy"}},
		{Cell: "!read x; echo \"[$x]\"", AllowInput: true, Inputs: []string{"two words"}},
		{Cell: "!sleep 0.5; echo no input", AllowInput: true},
		{Cell: "!echo ready; read x; echo not reached", AllowInput: true, Inputs: nil, StopAt: "ready"},
		{Cell: cell},
	}
	want := []string{"Ada Emmy <nil>\n", "[two words]\n", "no input\n", "ready\n", "  EOF\n"}
	if !processes.CanAwaitRead() {
		steps, want = steps[4:], want[4:]
	}
	for i, a := range talk(t, steps...) {
		if a.Output != want[i] || a.Requests != len(steps[i].Inputs) && steps[i].StopAt == "" {
			t.Errorf("%s: %+v, expected %q", steps[i].Cell, a, want[i])
		}
	}
}

// TestRequests tests that the kernel answers what front-ends ask beside cells, with the messages of its status. Names
// of packages and their documentation need no gopls.
func TestRequests(t *testing.T) {
	var replies map[string]struct {
		Content string // a word of it
		Idle    string
	}
	runPython(t, requestScript, map[string]any{"kernel": setup.KernelName}, &replies)
	for request, want := range map[string]string{"is_complete": `"complete"`, "is_complete_not": `"incomplete"`,
		"comm_info": `"ok"`, "history": `"ok"`, "kernel_info": `"ok"`, "complete": "LearningCurve", "inspect": "func Learn("} {
		if got := replies[request]; !strings.Contains(got.Content, want) || got.Idle != "busy idle" {
			t.Errorf("the reply to %s is %+v, expected %s", request, got, want)
		}
	}
}

const requestScript = `
import json, sys
from jupyter_client.manager import start_new_kernel
km, kc = start_new_kernel(kernel_name=json.load(sys.stdin)["kernel"])
cell = 'import nb "github.com/mklnb/mkl/mklnb"\n%%\nnb.Learn'
try:
    ids = {"is_complete": kc.is_complete("func f() {\n}"), "is_complete_not": kc.is_complete("func f() {"),
           "comm_info": kc.comm_info(), "history": kc.history(), "kernel_info": kc.kernel_info(),
           "complete": kc.complete(cell), "inspect": kc.inspect(cell + "(")}
    names = {id: name for name, id in ids.items()}
    replies = {name: {"Content": "", "Idle": ""} for name in ids}
    for _ in ids:
        m = kc.get_shell_msg(timeout=30)
        replies[names[m["parent_header"]["msg_id"]]]["Content"] = json.dumps(m["content"])
    for _ in range(2 * len(ids)):
        m = kc.get_iopub_msg(timeout=10)
        if m["parent_header"].get("msg_id") in names:
            r = replies[names[m["parent_header"]["msg_id"]]]
            r["Idle"] = (r["Idle"] + " " + m["content"]["execution_state"]).strip()
    print(json.dumps(replies))
finally:
    km.shutdown_kernel(now=True)
`

// TestPapermill tests that papermill replaces the parameters of a notebook, and reports the reason and the line of a
// cell that does not compile.
func TestPapermill(t *testing.T) {
	testenv.SkipUnlessLong(t)
	env := environment(t)
	dir, root := t.TempDir(), must(setup.FindCheckout())
	// A copy, because pip writes beside the sources.
	try(os.CopyFS(filepath.Join(dir, "mkl"), os.DirFS(filepath.Join(root, "mklnb", "setup", "papermill"))))
	python := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), env.PythonPath, args...)
		cmd.Env, cmd.Dir = append(slices.Clone(env.Vars), "PYTHONPATH="+filepath.Join(dir, "lib")), dir
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	said := python("-m", "pip", "install", "-q", "--target", filepath.Join(dir, "lib"), "papermill==2.6.0", "./mkl")
	if _, err := os.Stat(filepath.Join(dir, "lib", "mkl_papermill.py")); err != nil {
		testenv.SkipWithout(t, "papermill: "+said)
	}
	n := newNotebook("var rows = 1\nvar name, rate = \"\", 1.0",
		"import \"fmt\"\n%%\nfmt.Printf(\"%T %q %v %v %v\", rows, name, rate, list, flags)",
		"%%\n\nprintln(undefinedThing)")
	n["cells"].([]any)[0].(object)["metadata"] = object{"tags": []string{"parameters"}}
	try(os.WriteFile(filepath.Join(dir, "in.ipynb"), must(json.Marshal(n)), 0o600))
	said = python("-m", "papermill", "in.ipynb", "out.ipynb", "-p", "rows", "30", "-p", "name", "a \"b\" θ",
		"-p", "rate", "0.5", "-y", "{list: [1, 2.5], flags: {a: true}}")
	if !strings.Contains(said, "Cell[4]: Line 3: undefined: undefinedThing") {
		t.Errorf("papermill prints\n%s", said)
	}
	out := must(read(filepath.Join(dir, "out.ipynb"))).code()
	const want = `int "a \"b\" θ" 0.5 [1 2.5] map[a:true]`
	var got string
	for _, c := range out {
		for _, o := range c.Outputs {
			got += string(o.Text)
		}
	}
	if got != want {
		t.Errorf("the notebook prints %q, expected %q", got, want)
	}
}

// asks tests that the first Tab of a kernel lists names, that a cell which reads shows a box for input, that the error
// of a cell that does not compile is shown once, with its line, and that the kernel writes nothing to the server's
// terminal.
func (s *labServer) asks(t *testing.T) {
	s.scratch(t, "asks.ipynb", "import nb \"github.com/mklnb/mkl/mklnb\"\n%%\nnb.Le",
		"import \"fmt\"\n%%\nvar name string\nfmt.Print(\"name? \")\nfmt.Scanln(&name)\nfmt.Println(\"Hello\", name)",
		"%%\n\nprintln(undefinedThing)")
	p := s.open(t, "asks.ipynb")
	p.do(chromedp.Evaluate(`(() => { const e = document.querySelectorAll(".jp-CodeCell .cm-content")[0]; e.focus();
		getSelection().selectAllChildren(e); getSelection().collapseToEnd(); })()`, nil), chromedp.KeyEvent("\t"))
	p.wait("names are listed", `[...document.querySelectorAll(".jp-Completer-item")].some(
		e => e.textContent.includes("LearningCurve"))`)
	t.Logf("screenshot: %s", p.screenshot("tab"))
	p.do(chromedp.KeyEvent("\x1b"), chromedp.KeyEvent("\x1b"))
	p.click("cell 2", `document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")[1]`)
	p.menu("Run", "Run Selected Cell")
	p.wait("a box for input is shown", `document.querySelector(".jp-Stdin-input")`)
	p.do(chromedp.SendKeys(".jp-Stdin-input", "Ada\r", chromedp.ByQuery))
	p.wait("the program has its input", `/Hello Ada/.test(`+outputText(1)+`)`)
	// The answer moves the focus back to its cell, which may be later than the program's output.
	p.wait("cell 2 has ended", `/\d/.test(document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")[1].textContent)`)
	p.click("cell 3", `document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")[2]`)
	p.wait("cell 3 is selected", `document.querySelectorAll(".jp-CodeCell")[2].classList.contains("jp-mod-selected")`)
	p.menu("Run", "Run Selected Cell")
	p.wait("the error is shown", `/undefinedThing/.test(`+outputText(2)+`)`)
	if got := p.words(outputText(2)); strings.Count(got, "undefined: undefinedThing") != 1 ||
		!strings.Contains(got, "Line 3") || strings.Contains(got, "gonb_") {
		t.Errorf("the cell that does not compile shows %q", got)
	}
	t.Logf("screenshot: %s", p.screenshot("asked"))
	for line := range strings.SplitSeq(s.log.String(), "\n") {
		if strings.Contains(line, "gonb") || strings.Contains(line, "gopls") || strings.HasSuffix(line, " message") {
			t.Errorf("the terminal of the server has the line %q", line)
		}
	}
}
