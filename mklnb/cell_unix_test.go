//go:build unix

package mklnb

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/viz"
)

// The test program plays three parts: the tests, a cell that they run, and the renderer that the
// cell runs.
const roleEnv = "MKLNB_TEST_ROLE"

func TestMain(m *testing.M) {
	role := os.Getenv(roleEnv)
	os.Setenv(roleEnv, "renderer") // of whatever this process starts
	switch {
	case role == "renderer":
		render()
	case strings.HasPrefix(role, "cell "):
		cells[strings.TrimPrefix(role, "cell ")]()
		os.Exit(0)
	}
	tmp, err := os.MkdirTemp("", "mklnb-test-*")
	if err != nil {
		panic(err)
	}
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	for name, value := range map[string]string{"MKL_OUT": tmp, "MKL_CACHE": tmp, "MKL_MODELS": tmp,
		"MKL_RENDERER": program,
		"MKL_SIZE":     "",
		"GONB_PIPE":    ""} {
		os.Setenv(name, value)
	}
	status := m.Run()
	os.RemoveAll(tmp)
	os.Exit(status)
}

// nasty is a name that breaks out of whatever does not escape it.
const nasty = `</script><script>alert(1)</script>"onload="x`

// render is a renderer whose pictures hold the figure's title, escaped nowhere but where SVG must.
func render() {
	var f viz.Figure
	if err := json.NewDecoder(os.Stdin).Decode(&f); err != nil {
		fmt.Fprintln(os.Stderr, "render:", err)
		os.Exit(1)
	}
	if strings.Contains(f.Title, "undrawable") {
		fmt.Fprintln(os.Stderr, "render: cannot")
		os.Exit(1)
	}
	var title bytes.Buffer
	raw := json.NewEncoder(&title)
	raw.SetEscapeHTML(false)
	if err := raw.Encode(f.Title); err != nil {
		os.Exit(1)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.Encode(viz.Picture{Width: 700, Height: 400, PNG: []byte("PNG"),
		SVG:    `<svg xmlns="http://www.w3.org/2000/svg"><title>` + html.EscapeString(f.Title) + `</title></svg>`,
		Option: json.RawMessage(`{"title":{"text":` + strings.TrimSpace(title.String()) + `}}`)})
	os.Exit(0)
}

// notebookRun is what a notebook saw of one cell.
type notebookRun struct {
	messages []protocolMessage
	stdout   string
	stderr   string
	err      error // of the program's end
}

type protocolMessage struct {
	html, text, id string
	png            bool
}

// text is all plain text, a line each.
func (r notebookRun) text() string {
	var b strings.Builder
	for _, m := range r.messages {
		b.WriteString(m.text + "\n")
	}
	return b.String()
}

// wire is a message as it travels.
type wire struct {
	Data      map[string]any
	DisplayID string
}

type comm struct {
	Address string
	Value   any
}

// runCell runs a cell of this test program under a kernel made of two pipes; each line that the cell
// prints is told to heard, which may be nil.
func runCell(t *testing.T, name string, heard func(line string, p *os.Process)) notebookRun {
	t.Helper()
	if cells[name] == nil {
		t.Fatalf("no cell %q", name)
	}
	dir := t.TempDir()
	pipe, back := filepath.Join(dir, "pipe"), filepath.Join(dir, "back")
	for _, p := range []string{pipe, back} {
		if err := syscall.Mkfifo(p, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), roleEnv+"=cell "+name, "GONB_PIPE="+pipe, "GONB_PIPE_BACK="+back)
	cmd.Dir = dir
	var run notebookRun
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	// Opened for both directions, so that neither side waits where a cell shows nothing.
	in, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.OpenFile(back, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	var kernel sync.WaitGroup
	kernel.Go(func() {
		dec, enc := gob.NewDecoder(in), gob.NewEncoder(out)
		for {
			var m wire
			if err := dec.Decode(&m); err != nil {
				return
			}
			if v, ok := m.Data["gonb/comm_value"]; ok {
				// a type of GoNB, which only the output knows
				id := reflect.ValueOf(v).FieldByName("Value").Interface()
				if err := enc.Encode(comm{"#gonbui/sync_ack", id}); err != nil {
					return
				}
				continue
			}
			html, _ := m.Data["text/html"].(string)
			text, _ := m.Data["text/plain"].(string)
			png, _ := m.Data["image/png"].([]byte)
			run.messages = append(run.messages, protocolMessage{html, text, m.DisplayID, len(png) > 0})
		}
	})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		run.stdout += lines.Text() + "\n"
		if heard != nil {
			heard(lines.Text(), cmd.Process)
		}
	}
	run.err = cmd.Wait()
	timer.Stop()
	run.stderr = stderr.String()
	in.Close()
	out.Close()
	kernel.Wait()
	return run
}

// slowly is rings with so long an evaluation; asked hears of each.
func slowly(wait time.Duration, asked func(n int)) *mkl.Problem {
	p := ringsProblem()
	p.Grams = watched{p.Grams, func(n int) { asked(n); time.Sleep(wait) }, new(int)}
	return p
}

// cells are programs as a notebook runs them.
var cells = map[string]func(){
	"show": func() {
		p := ringsProblem()
		Show(datasets.Rings(40, 7))
		r := Solve(p, nil, nil)
		Show(r)
		for it := range Steps(p, nil, 2) {
			fmt.Println("step", it.K)
		}
		Check("gap", r.RelativeGap(), 0, 1e-6)
	},
	"nasty": func() {
		p := ringsProblem()
		x := datasets.Rings(40, 7)
		x.Name, x.Title, x.Classes, x.Note = nasty, nasty, []string{nasty, nasty + "2"}, nasty
		rows := x.X.(points.Rows)
		rows.Names = []string{nasty, "b" + nasty}
		x.X = rows
		Show(x)
		r := Solve(p, nil, nil)
		r.Solver, r.ThetaLabels = nasty, []string{nasty, nasty, nasty}
		Show(r, nasty, errors.New(nasty), nasty+"\n"+nasty)
		Show(viz.Lines(nasty, nasty, viz.Line{Name: nasty, XYs: viz.Values{1, 2}}).WithAxes(nasty, nasty))
		Show(viz.Lines("undrawable "+nasty, nasty, viz.Line{Name: nasty, XYs: viz.Values{1, 2}}).WithAxes(nasty, nasty))
		Check(nasty, 1, 1, 0)
		CheckTrue(nasty, true)
		Must(0, errors.New(nasty))
	},
	"checks": func() {
		for i := range 60 {
			Check("number "+nasty, float64(i), float64(i), 0)
		}
		Show("between")
		CheckTrue("the last that is right", true)
		CheckTrue("wrong", false)
	},
	"panic after checks": func() {
		CheckTrue("right", true)
		panic("on purpose")
	},
	"unknown name":    func() { Load("sonr") },
	"several reasons": func() { Try(errors.Join(errors.New("one"), errors.New("two"))) },
	"size":            func() { os.Setenv("MKL_SIZE", "huge"); Size(1, 2, 3) },
	"stop": func() {
		p := slowly(20*time.Millisecond, func(n int) {
			if n == 3 {
				fmt.Println("running")
			}
		})
		r := Solve(p, crawl, &mkl.Settings{Gap: 1e-12, Iterations: 1e6})
		fmt.Println("status:", r.Status, "evaluations:", *p.Grams.(watched).n-r.Trace[len(r.Trace)-1].Evals)
		Check("never reached", 1, 2, 0)
		again := Solve(p, crawl, nil)
		fmt.Println("again:", again.Status, len(again.Trace))
		for it := range Steps(p, crawl, 1000) {
			fmt.Println("step", it.K)
		}
		fmt.Println("the end")
	},
	"stop twice": func() {
		Solve(slowly(0, func(n int) {
			if n == 3 {
				fmt.Println("running")
				<-interrupt.workContext.Done()
				fmt.Println("stopping")
				time.Sleep(time.Minute) // an evaluation that does not end
			}
		}), crawl, &mkl.Settings{Gap: 1e-12})
	},
	// of 30 rules evaluated, 5 a split, the 13th waits for the stop button
	"stop run": func() {
		weighing = func(n int) {
			if n == 13 {
				fmt.Println("running")
				<-interrupt.workContext.Done()
			}
		}
		table := Run(gatedStudy())
		Show(table)
		fmt.Println("stopped:", table.Stopped)
	},
	"run again": func() {
		weighed := 0
		weighing = func(n int) { weighed = n }
		fmt.Println("stopped:", Run(gatedStudy()).Stopped, "computed:", weighed)
	},
}

// gated is uniform weights; weighing hears how often they were asked for.
type gated struct{ mkl.Uniform }

func init() { registry.Register(gated{}) }

var (
	weighing func(n int)
	asked    int
)

func (g gated) Weights(ctx context.Context, p *mkl.Problem) ([]float64, error) {
	asked++
	weighing(asked)
	return g.Uniform.Weights(ctx, p)
}

// gatedStudy is 6 splits of one method, with 2 folds each, one after the other.
func gatedStudy() *compare.Study {
	d := datasets.Rings(40, 7)
	return &compare.Study{Data: d,
		Settings: fit.Settings{Selection: fit.Selection{Folds: 2}}, Splits: Must(fit.Halves(d.Y, 6, 1)),
		Workers: 1, Methods: []fit.Method{{Name: "gated", Fitter: fit.Search{Family: kernel.List{kernel.Linear{},
			kernel.RBF{Gamma: 1}},
			Grid: fit.Grid{fit.Ridge(1, 0.1), fit.Rules(gated{})}}}}}
}

// pictured is a chart with its picture inside.
var pictured = regexp.MustCompile(`<div class="mkl-chart"[^>]*>` +
	`<img alt="[^"]+" [^>]*src="data:image/svg\+xml;base64,[A-Za-z0-9+/]+=*"></div>`)

// TestShow: one message for each value, acknowledged, with picture, script and plain text.
func TestShow(t *testing.T) {
	r := runCell(t, "show", nil)
	if r.err != nil {
		t.Fatalf("%v: %s%s", r.err, r.text(), r.stderr)
	}
	if len(r.messages) != 3 {
		t.Fatalf("%d messages, want the dataset, the result and a check:\n%s", len(r.messages), r.text())
	}
	for i, m := range r.messages[:2] {
		if n := strings.Count(m.html, `<div class="mkl-chart"`); n != 1 || !m.png || m.id != "" {
			t.Errorf("message %d has %d charts, PNG %v, id %q; want one chart with its PNG", i, n, m.png, m.id)
		}
		if !pictured.MatchString(m.html) {
			t.Errorf("message %d has no picture in its chart: %s", i, m.html)
		}
		if !strings.Contains(m.html, `kernelspecs/mkl/echarts.min.js`) || strings.Contains(m.html, "http://") ||
			strings.Contains(m.html, "https://") {
			t.Errorf("message %d: want a script that loads the library from the server's own folder", i)
		}
	}
	again := runCell(t, "show", nil)
	if !slices.EqualFunc(again.messages, r.messages, func(a, b protocolMessage) bool {
		return a.html == b.html && a.text == b.text // ids of elements too
	}) {
		t.Error("the messages of two runs differ")
	}
	want := []string{"simulated", "certified after", "global certificate", "✓ 1 check passed"}
	if !containsEvery(r.text(), want...) {
		t.Errorf("the text lacks one of %q:\n%s", want, r.text())
	}
	if r.stdout != "step 0\nstep 1\nstep 2\n" {
		t.Errorf("stdout %q", r.stdout)
	}
}

// TestChecksOfCell tests that the checks of a cell that pass are one line which unfolds to them, that this line is
// there however the cell ends, and that a check that fails has its own line with both numbers.
func TestChecksOfCell(t *testing.T) {
	for cell, want := range map[string]string{
		"checks":             "✓ 50 checks passed|✓ 11 checks passed|between|✗ wrong: got false, expected true",
		"panic after checks": "✓ 1 check passed",
	} {
		var ids []string
		last := map[string]protocolMessage{} // by id
		r := runCell(t, cell, nil)
		for i, m := range r.messages {
			id := cmp.Or(m.id, fmt.Sprint(i))
			if _, isUpdate := last[id]; !isUpdate {
				ids = append(ids, id)
			}
			last[id] = m
		}
		var texts []string
		count := 0
		for _, id := range ids {
			m := last[id]
			texts = append(texts, m.text)
			count += strings.Count(m.html, `<div class="mkl-check">`)
			var n int
			if _, err := fmt.Sscanf(m.text, "✓ %d check", &n); err == nil &&
				(!strings.Contains(m.html, "<details") || strings.Count(m.html, ": got ") != n) {
				t.Errorf("%s: %q contains other checks: %s", cell, m.text, m.html)
			}
		}
		if got := strings.Join(texts, "|"); got != want || r.err == nil || cell == "checks" && count != 62 {
			t.Errorf("%s: it shows %q with %d checks and ends with %v, expected %q", cell, got, count, r.err, want)
		}
	}
}

// TestNasty: names end neither a script, nor a tag, nor an attribute, wherever they appear.
func TestNasty(t *testing.T) {
	r := runCell(t, "nasty", nil)
	if len(r.messages) != 10 {
		t.Fatalf("%d messages, want 10:\n%s%s", len(r.messages), r.text(), r.stderr)
	}
	script := regexp.MustCompile(`(?s)<script>.*?</script>`)
	style := regexp.MustCompile(`(?s)<style>.*?</style>`)
	tag := regexp.MustCompile(`<[a-z]+( [a-z-]+="[^"]*")*>|</[a-z]+>`)
	names := 0
	for i, m := range r.messages {
		scripts := slices.DeleteFunc(script.FindAllString(m.html, -1),
			func(s string) bool { return strings.Contains(s, "mklTables") })
		if charts := strings.Count(m.html, `class="mkl-chart"`); len(scripts) != charts {
			t.Errorf("message %d: %d scripts for %d charts", i, len(scripts), charts)
		}
		for _, s := range scripts {
			if body := s[len("<script>") : len(s)-len("</script>")]; strings.ContainsAny(option(body), "<>&") {
				t.Errorf("message %d: an option with <, > or &: %s", i, option(body))
			}
		}
		rest := tag.ReplaceAllString(style.ReplaceAllString(script.ReplaceAllString(m.html, ""), ""), "")
		if strings.ContainsAny(rest, `<>"`) {
			t.Errorf("message %d is not made of tags and escaped text: %s", i, rest)
		}
		names += strings.Count(m.html, "alert(1)")
		if strings.Contains(m.html, "onload=\"") {
			t.Errorf("message %d: a name became an attribute", i)
		}
	}
	if names < 20 {
		t.Errorf("%d names found, want those of every message", names)
	}
	if last := r.messages[9]; !strings.Contains(last.html, "mkl-error") || status(r.err) != 1 {
		t.Errorf("the last message is %q, status %d", last.html, status(r.err))
	}
	if !strings.Contains(r.messages[6].html, "No picture") || !strings.Contains(r.messages[6].html, "render: cannot") ||
		!strings.Contains(r.messages[6].html, "<p>Chart of ") {
		t.Error("a figure that cannot be drawn is no text with the reason")
	}
}

// option is the last argument of a chart's script.
func option(script string) string { return script[strings.LastIndex(script, `,{"title"`):] }

// status is the exit status behind err, −1 of a signal.
func status(err error) int {
	var e *exec.ExitError
	if errors.As(err, &e) {
		return e.ExitCode()
	}
	return 0
}

// TestFailure: what goes wrong is one line, in the notebook and not on stderr, and status 1.
func TestFailure(t *testing.T) {
	for cell, want := range map[string][]string{
		"unknown name":    {`"sonr"`, "sonar"},
		"several reasons": {"one; two"},
		"size":            {"MKL_SIZE", "huge", "small, default or full"},
	} {
		t.Run(cell, func(t *testing.T) {
			t.Parallel()
			r := runCell(t, cell, nil)
			if status(r.err) != 1 || r.stdout+r.stderr != "" {
				t.Errorf("ended with %v, printed %q", r.err, r.stdout+r.stderr)
			}
			if len(r.messages) != 1 {
				t.Fatalf("%d messages, want one:\n%s", len(r.messages), r.text())
			}
			m := r.messages[0]
			if !strings.HasPrefix(m.text, "error: ") || strings.ContainsAny(m.text, "\n\r") ||
				!strings.Contains(m.html, `class="mkl-error"`) {
				t.Errorf("message %q, want one line of an error", m.text)
			}
			if !containsEvery(m.text, want...) {
				t.Errorf("message %q, want %q in it", m.text, want)
			}
		})
	}
}

// TestStop: SIGINT ends a solve within the evaluation in flight; the best so far is shown as stopped
// with its certificate, and the rest of the cell runs.
func TestStop(t *testing.T) {
	r := runCell(t, "stop", interruptAt("running"))
	if r.err != nil {
		t.Fatalf("ended with %v, want normally:\n%s%s%s", r.err, r.stdout, r.text(), r.stderr)
	}
	var left int
	if _, err := fmt.Sscanf(r.stdout, "running\nstatus: stopped evaluations: %d\nagain: stopped 1\nstep 0\nthe end\n",
		&left); err != nil || left > 1 {
		t.Errorf("the cell printed (%v)\n%s", err, r.stdout)
	}
	if want := []string{"stopped after", "certificate", "Best so far:", "– never reached",
		"not checked"}; !containsEvery(r.text(), want...) {
		t.Errorf("the text lacks one of %q:\n%s", want, r.text())
	}
}

// TestStopRun tests that the stop button ends a study, that its table has the finished splits, and that the same cell,
// run again, computes only what is missing.
func TestStopRun(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	r := runCell(t, "stop run", interruptAt("running"))
	if r.err != nil || r.stdout != "running\nstopped: true\n" {
		t.Fatalf("ended with %v, printed %q: %s%s", r.err, r.stdout, r.text(), r.stderr)
	}
	var done, computed int
	last := r.messages[len(r.messages)-2]
	if _, err := fmt.Sscanf(last.text, "Warning: Study of rings: stopped after %d of 18 tasks; finished tasks are "+
		"stored.", &done); err != nil || done < 7 || done > 8 || strings.Contains(last.html, "<table>") ||
		strings.Count(r.text(), "2 of 6 splits are finished.") != 1 {
		t.Errorf("after the stop the cell shows (%v), with one table wanted\n%s", err, r.text())
	}
	r = runCell(t, "run again", nil)
	if _, err := fmt.Sscanf(r.stdout, "stopped: false computed: %d\n", &computed); r.err != nil || err != nil ||
		computed != 30-10-2*(done-6) {
		t.Errorf("%d tasks are stored; the next cell ended with %v, printed (%v)\n%s%s", done, r.err, err, r.stdout,
			r.stderr)
	}
}

// TestStopTwice tests that the second SIGINT ends the program.
func TestStopTwice(t *testing.T) {
	first, second := interruptAt("running"), interruptAt("stopping")
	r := runCell(t, "stop twice", func(line string, p *os.Process) { first(line, p); second(line, p) })
	var e *exec.ExitError
	if !errors.As(r.err, &e) || e.ExitCode() != 130 {
		t.Errorf("ended with %v, expected the exit status of a stopped program", r.err)
	}
}

func interruptAt(want string) func(string, *os.Process) {
	return func(line string, p *os.Process) {
		if line == want {
			p.Signal(os.Interrupt)
		}
	}
}
