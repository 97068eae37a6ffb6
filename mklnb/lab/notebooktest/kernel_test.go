package notebooks

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// The tests of this file send messages to a kernel as Jupyter's front-ends do.

// step is a cell to run. If StopAt is not "", the cell is stopped when it has printed this text, and with StopAtOnce
// while it is compiled. If AllowInput is set, each request for input is answered by the next of Inputs.
type step struct {
	Cell, StopAt string
	StopAtOnce   bool
	AllowInput   bool
	Inputs       []string
}

// answer is the result of a cell: the status of its reply, its output as text, what it displays in plain text, the name
// and value of its error, and the number of its requests for input.
type answer struct {
	Status, Output, Plain, Name, Error string
	Requests                           int
}

// ask sends all cells to a new kernel at once, as Run All does, and returns their results.
func ask(t *testing.T, cells ...string) []answer {
	t.Helper()
	return askKernel(t, true, cells...)
}

// askKernel is like ask. If stop is false, cells run even if a cell before them failed.
func askKernel(t *testing.T, stop bool, cells ...string) []answer {
	t.Helper()
	var steps []step
	for _, c := range cells {
		steps = append(steps, step{Cell: c})
	}
	return runSteps(t, map[string]any{"steps": steps, "stop": stop, "at once": true})
}

// talk runs the steps in a new kernel, one after the other.
func talk(t *testing.T, steps ...step) []answer {
	t.Helper()
	return runSteps(t, map[string]any{"steps": steps, "stop": false, "at once": false})
}

func runSteps(t *testing.T, order map[string]any) (answers []answer) {
	t.Helper()
	order["kernel"] = setup.KernelName
	runPython(t, stepsScript, order, &answers)
	return answers
}

const stepsScript = `
import html, json, os, queue, re, sys, time
from jupyter_client.manager import start_new_kernel
order = json.load(sys.stdin)
os.environ.update(order.get("vars", {}))
steps, ids, answers = order["steps"], [], []
km, kc = start_new_kernel(kernel_name=order["kernel"])
def send():
    step = steps[len(ids)]
    ids.append(kc.execute(step["Cell"], allow_stdin=step["AllowInput"], stop_on_error=order["stop"]))
    answers.append({"Status": "", "Output": "", "Plain": "", "Name": "", "Error": "", "Requests": 0})
try:
    while True:  # until the kernel's messages arrive: the subscription to them may be later than its first reply
        kc.kernel_info()
        try:
            kc.get_iopub_msg(timeout=1)
            break
        except queue.Empty:
            continue
    for _ in steps if order["at once"] else steps[:1]:
        send()
    idle, last = 0, time.monotonic()
    while idle < len(steps):
        try:
            kc.get_stdin_msg(timeout=0.01)
            answers[idle]["Requests"] += 1
            if steps[idle]["Inputs"]:
                kc.input(steps[idle]["Inputs"].pop(0))
        except queue.Empty:
            pass
        try:
            m = kc.get_iopub_msg(timeout=0.05)
        except queue.Empty:
            if time.monotonic() > last + 300:
                sys.exit(f"no message for 300 s; cell {idle + 1} has not ended: {steps[idle]}, {answers[idle]}")
            continue
        last = time.monotonic()
        if m["parent_header"].get("msg_id") not in ids:
            continue
        i, c = ids.index(m["parent_header"]["msg_id"]), m["content"]
        a, step = answers[i], steps[i]
        if m["msg_type"] == "stream":
            a["Output"] += c["text"]
        elif m["msg_type"] == "error":
            a["Name"], a["Error"] = c["ename"], c["evalue"]
        elif "data" in c:
            page = c["data"].get("text/html") or c["data"].get("text/plain", "")
            for line in [c["data"].get("text/plain", "")] + re.findall('<div class="mkl-check">(.*?)</div>', page):
                a["Plain"] += html.unescape(re.sub("</?b[^>]*>", "", line)) + "\n"
            a["Output"] += html.unescape(re.sub(r"<style.*?</style>|<[^>]*>", "", page, flags=re.S))
        elif c.get("execution_state") == "busy" and step["StopAtOnce"]:
            time.sleep(0.1)
            km.interrupt_kernel()
        elif c.get("execution_state") == "idle":
            idle += 1
            if len(ids) < len(steps):
                send()
        if step["StopAt"] and step["StopAt"] in a["Output"]:
            step["StopAt"] = ""
            km.interrupt_kernel()
    while not all(a["Status"] for a in answers):
        m = kc.get_shell_msg(timeout=10)
        if m["parent_header"].get("msg_id") in ids:
            answers[ids.index(m["parent_header"]["msg_id"])]["Status"] = m["content"]["status"]
    print(json.dumps(answers))
finally:
    km.shutdown_kernel(now=True)
`

// TestQueue tests that the cells that wait after a failed cell do not run, for each kind of failure.
func TestQueue(t *testing.T) {
	testenv.SkipUnlessLong(t)
	for name, bad := range map[string]string{
		"does not compile": "%%\nx := 1 + \"a\"",
		"exits":            "%%\nos.Exit(1)",
		"panics":           "%%\npanic(1)",
		"the facade fails": "import nb \"github.com/mklnb/mkl/mklnb\"\n%%\nnb.Load(\"nothing\")",
		"not parsed":       "func {",
	} {
		got := ask(t, "import (\n\"fmt\"\n\"os\"\n)\n%%\nfmt.Println(1)", "%%\nfmt.Println(2)", bad,
			"%%\nfmt.Println(4)", "%%\nfmt.Println(5)")
		var status []string
		for _, a := range got {
			status = append(status, a.Status)
		}
		if s := strings.Join(status, " "); s != "ok ok error aborted aborted" {
			t.Errorf("%s: the statuses are %s", name, s)
		}
		if (got[2].Name == "CompileError") != (name == "does not compile" || name == "not parsed") ||
			strings.Contains(got[2].Output, "# gonb_") || strings.Contains(got[2].Error, "gonb_") {
			t.Errorf("%s: the error is %q, the output %q", name, got[2].Error, got[2].Output)
		}
		for i, want := range []string{"1\n", "2\n", "", "", ""} {
			if i != 2 && got[i].Output != want {
				t.Errorf("%s: the output of cell %d is %q, expected %q", name, i+1, got[i].Output, want)
			}
		}
	}
}

// TestOrder tests that printed lines and displays are in the order of the program, although the kernel reads two pipes.
func TestOrder(t *testing.T) {
	got := ask(t, "import (\n\"fmt\"\nnb \"github.com/mklnb/mkl/mklnb\"\n)\n%%\nfor i := range 40 {\n"+
		"fmt.Printf(\"printed %d\\n\", i)\nnb.Show(fmt.Sprintf(\"shown %d.\", i))\n}")
	at := 0
	for i := range 40 {
		for _, what := range []string{fmt.Sprintf("printed %d\n", i), fmt.Sprintf("shown %d.", i)} {
			where := strings.Index(got[0].Output[at:], what)
			if where < 0 || strings.Contains(got[0].Output[at:at+where], "shown ") ||
				strings.Contains(got[0].Output[at:at+where], "printed ") {
				t.Fatalf("%q does not follow in\n%s", what, got[0].Output[at:])
			}
			at += where + len(what)
		}
	}
}

// TestEndsWhileShowing tests that programs that end while they show something do not end the kernel. Without the patch,
// thirty of them end it in one run of two ("send on closed channel").
func TestEndsWhileShowing(t *testing.T) {
	testenv.SkipUnlessLong(t)
	cells := []string{`import (
	"os"
	"strings"
	"time"
	nb "github.com/mklnb/mkl/mklnb"
)

func show(d time.Duration) {
	go func() {
		time.Sleep(d)
		os.Exit(0)
	}()
	for {
		nb.Show(strings.Repeat("<b></b>", 7000))
	}
}`}
	for i := range 30 {
		cells = append(cells, fmt.Sprintf("%%%%\nshow(%d * time.Millisecond)", 20+i%5))
	}
	got := ask(t, append(cells, "%%\nnb.Show(\"alive\")")...)
	if last := got[len(got)-1]; last.Status != "ok" || last.Output != "alive" {
		t.Errorf("the last cell (%s) shows %q, expected \"alive\"", last.Status, last.Output)
	}
}

// TestHints tests the errors of a cell: they state the line of the cell and the fault. The error of a variable that
// ended
// with its cell contains the remedy, others do not.
func TestHints(t *testing.T) {
	for name, c := range map[string]struct {
		cells []string
		want  string // in the last cell's output
	}{
		"a brace too many": {[]string{"func f() int {\nif true { return 1 } }\nreturn 2\n}"},
			"expected declaration"},
		"a mistyped func":     {[]string{"fucn f() int {\nreturn 2\n}"}, "Line 1: "},
		"of a loop":           {[]string{"for m := range 2 {\n_ = m\n}", "println(m)"}, "undefined: m"},
		"of a cell not built": {[]string{"m := 1 + \"a\"", "println(m)"}, "undefined: m"},
		"a function": {[]string{"m := func() {}", "println(1)\nm()"},
			"Line 2: undefined: m (a variable of cell [1]"},
		"out of scope in both": {[]string{"%%\nm := func() {}", "println(m)\nm := 2"}, "(a variable of cell [1]"},
	} {
		var last answer
		for _, a := range askKernel(t, false, c.cells...) {
			last = a
		}
		last.Output = strings.Join(strings.Fields(last.Error), " ")
		hinted := strings.Contains(last.Output, "a variable of cell")
		if last.Status != "error" || !strings.Contains(last.Output, c.want) ||
			hinted != strings.Contains(c.want, "a variable of cell") || strings.Contains(last.Output, "main.go") {
			t.Errorf("%s: the cell (%s) shows\n%s\nexpected %q", name, last.Status, last.Output, c.want)
		}
	}
}

// TestNames tests cells that ask for documentation as in IPython, and cells with a misspelt name: of a package, a
// field, a method. Documentation needs no module cache.
func TestNames(t *testing.T) {
	const imports = "import (\n\"strings\"\n\"github.com/mklnb/mkl/data\"\nnb \"github.com/mklnb/mkl/mklnb\"\n)\n%%\n"
	cells := [][2]string{
		{"?Learn", "func Learn("}, {"nb.Learn?", "func Learn("}, {"strings.Cut??", "func Cut("},
		{"?learn.Learned", "type Learned struct"}, {"?nb.Lern", "Did you mean nb.Learn?"},
		{imports + "nb.Learm(nil)", "Did you mean nb.Learn?"},
		{imports + "strings.Cutt()", "Did you mean strings.Cut?"},
		{imports + "_ = data.Options{Lable: \"y\"}", "Did you mean Label?"},
		{imports + "nb.Learn(nil).Modle()", "Did you mean Model?"},
		{"%env GOMODCACHE " + t.TempDir(), "Set"}, {"?nb.Load", "func Load("},
	}
	var sources []string
	for _, c := range cells {
		sources = append(sources, c[0])
	}
	for i, a := range askKernel(t, false, sources...) {
		if !strings.Contains(a.Output+a.Error, cells[i][1]) {
			t.Errorf("the cell %s (%s) shows\n%s%s\nexpected %s", cells[i][0], a.Status, a.Output, a.Error, cells[i][1])
		}
	}
}

// moduleProxy returns a GOPROXY that contains example.com/hello and the modules in the module cache of this machine.
func moduleProxy(t *testing.T) string {
	t.Helper()
	proxy := testenv.CreateModuleProxy(t, "package hello\n\nfunc Word() string { return \"a word\" }\n")
	here := must(exec.Command("go", "env", "GOMODCACHE").Output())
	return proxy + ",file://" + filepath.Join(strings.TrimSpace(string(here)), "cache", "download")
}

// TestOtherModule tests a cell that imports a module that is not installed: its error contains the line that fetches
// the module, and this line works. The test uses a module proxy on this machine.
func TestOtherModule(t *testing.T) {
	proxies := moduleProxy(t)
	const cell = "import (\n\"fmt\"\n\"example.com/hello\"\n)\n%%\nfmt.Println(hello.Word())"
	failed := ask(t, cell)[0]
	_, command, ok := strings.Cut(failed.Error, "Run this line in a cell of its own, then this cell again:")
	if command = strings.TrimSpace(command); !ok || failed.Status != "error" ||
		command != "!*GOPROXY= GOSUMDB= go get example.com/hello" {
		t.Fatalf("the cell (%s) shows\n%s\nand the line is %q", failed.Status, failed.Error, command)
	}
	// The test leaves nothing behind.
	command = strings.Replace(strings.Replace(command, "GOPROXY=", "GOPROXY="+proxies, 1), "GOSUMDB=", "GOSUMDB=off", 1)
	cache := "%env GOMODCACHE " + t.TempDir() + "\n%env GOFLAGS -modcacherw\n"
	got := ask(t, cache+command, cell)
	if got[1].Status != "ok" || got[1].Output != "a word\n" {
		t.Errorf("after the line (%s: %s) the output of the cell (%s) is %q", got[0].Status, got[0].Output,
			got[1].Status,
			got[1].Output)
	}
	if own := ask(t, "import \"github.com/mklnb/mkl/nowhere\"\n%%\nnowhere.F()")[0]; strings.Contains(own.Error,
		"go get github.com") || !strings.Contains(own.Error, "no package github.com/mklnb/mkl/nowhere") {
		t.Errorf("the error of a package that this module does not contain is %s", own.Error)
	}
}
