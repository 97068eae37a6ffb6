package notebooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/mklnb/mkl/mklnb/setup"
	"github.com/mklnb/mkl/viz/render/rendertest"
)

// This file controls JupyterLab in a browser: openLab starts a server on a new folder, (*labServer).open shows a
// notebook of that folder, and the methods of page are actions of a reader.

// pageTimeout is the time limit of every wait for a page.
const pageTimeout = 90 * time.Second

// labServer is a running JupyterLab.
type labServer struct {
	Dir  string // its root folder
	base string // http://127.0.0.1:PORT
	log  *log
	tab  context.Context // the browser
}

const secret = "of-this-test"

// log is a buffer that can be read while a program writes to it.
type log struct {
	sync.Mutex
	bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.Write(p)
}

func (l *log) String() string {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.String()
}

// openLab starts JupyterLab, as mklnb/lab does, and a browser. The server's folder contains copies of these notebooks,
// so that saving one does not change the checkout. The server has its own configuration and neither reads nor changes
// that of the user. Both programs end with the test.
func openLab(t *testing.T, env *setup.Env, vars []string, notebooks ...string) *labServer {
	t.Helper()
	path := rendertest.BrowserPath(t)
	s := &labServer{Dir: t.TempDir(), log: &log{}}
	for _, file := range notebooks {
		content := must(os.ReadFile(file))
		try(os.WriteFile(filepath.Join(s.Dir, filepath.Base(file)), content, 0o644))
	}
	s.serve(t, env, vars)
	s.browse(t, path)
	return s
}

// serve starts the server and waits until it answers.
func (s *labServer) serve(t *testing.T, env *setup.Env, vars []string) {
	t.Helper()
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	s.base = fmt.Sprintf("http://127.0.0.1:%d", port)
	own := must(os.MkdirTemp("", "mkl-lab-*")) // the path of TempDir may be too long for a socket
	t.Cleanup(func() { os.RemoveAll(own) })
	args := []string{"--no-browser", "--ip=127.0.0.1", fmt.Sprintf("--port=%d", port), "--ServerApp.port_retries=0",
		"--IdentityProvider.token=" + secret, "--ServerApp.root_dir=" + s.Dir, "--LabApp.expose_app_in_browser=True"}
	if os.Getuid() == 0 {
		args = append(args, "--allow-root")
	}
	cmd := env.LabCommand(t.Context(), args...)
	cmd.Env = append(append([]string{}, cmd.Env...), vars...)
	for name, sub := range map[string]string{
		"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime", "TMPDIR": "tmp",
		"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces", "IPYTHONDIR": "ipython",
	} {
		dir := filepath.Join(own, sub)
		try(os.MkdirAll(dir, 0o700))
		cmd.Env = append(cmd.Env, name+"="+dir)
	}
	cmd.Stdout, cmd.Stderr = s.log, s.log
	try(cmd.Start())
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	t.Cleanup(func() { <-ended }) // the server stops its kernels before it ends
	for deadline := time.Now().Add(pageTimeout); ; time.Sleep(100 * time.Millisecond) {
		if reply, err := http.Get(s.base + "/api/status?token=" + secret); err == nil {
			reply.Body.Close()
			if reply.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-ended:
			t.Fatalf("JupyterLab ended:\n%s", s.log)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("JupyterLab does not answer:\n%s", s.log)
		}
	}
}

// browse starts the browser at path.
func (s *labServer) browse(t *testing.T, path string) {
	t.Helper()
	// the browser may still write a file while TempDir is removed
	profile := must(os.MkdirTemp("", "mkl-browser-*"))
	t.Cleanup(func() { os.RemoveAll(profile) })
	options := append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...)
	options = append(options,
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"), // no network except the server
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.WindowSize(1280, 1100), chromedp.WSURLReadTimeout(pageTimeout), chromedp.UserDataDir(profile),
	)
	alloc, stop := chromedp.NewExecAllocator(context.Background(), options...)
	tab, leave := chromedp.NewContext(alloc, chromedp.WithErrorf(s.browserError))
	t.Cleanup(func() {
		leave()
		stop() // waits for the browser to end
	})
	if err := chromedp.Run(tab); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	s.tab = tab
}

// browserError logs an error of the driver. It ignores events that are unknown to the driver.
func (s *labServer) browserError(format string, args ...any) {
	if !strings.Contains(format, "unhandled") {
		fmt.Fprintf(s.log, "browser: "+format+"\n", args...)
	}
}

// page is one notebook in the browser.
type page struct {
	t    *testing.T
	s    *labServer
	tab  context.Context
	name string
}

// page opens a new tab.
func (s *labServer) page(t *testing.T, name string) *page {
	t.Helper()
	tab, leave := chromedp.NewContext(s.tab)
	t.Cleanup(leave)
	if err := chromedp.Run(tab); err != nil { // without a time limit: a tab ends with the context in which it is made
		t.Fatal(err)
	}
	if err := chromedp.Run(tab, cdppage.BringToFront()); err != nil { // a hidden tab draws nothing
		t.Fatal(err)
	}
	chromedp.ListenTarget(tab, func(event any) {
		if d, ok := event.(*cdppage.EventJavascriptDialogOpening); ok {
			if d.Type != cdppage.DialogTypeBeforeunload {
				t.Errorf("%s: a dialog was opened: %s: %s", name, d.Type, d.Message)
			}
			go chromedp.Run(tab, cdppage.HandleJavaScriptDialog(true)) // otherwise the page blocks
		}
	})
	return &page{t: t, s: s, tab: tab, name: name}
}

// file opens an exported page from the disk.
func (s *labServer) file(t *testing.T, path string) *page {
	t.Helper()
	p := s.page(t, strings.TrimSuffix(filepath.Base(path), ".html"))
	p.do(chromedp.Navigate("file://" + path))
	return p
}

// open opens a notebook of the folder and waits for its kernel.
func (s *labServer) open(t *testing.T, name string) *page {
	t.Helper()
	p := s.page(t, strings.TrimSuffix(name, ".ipynb"))
	// A new workspace, so that JupyterLab does not open earlier notebooks again.
	p.do(chromedp.Navigate(s.base + "/lab/workspaces/" + p.name + "/tree/" + name + "?token=" + secret))
	p.wait("the notebook is shown", `document.querySelectorAll(".jp-Notebook .jp-CodeCell").length > 0`)
	p.wait("its kernel is idle", `document.querySelector('.jp-Notebook-ExecutionIndicator[data-status="idle"]') &&
		/Go/.test(document.querySelector(".jp-KernelName").innerText) && !document.querySelector("#jupyterlab-splash")`)
	return p
}

// do runs actions in the browser. A failure ends the test.
func (p *page) do(actions ...chromedp.Action) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.tab, pageTimeout)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		p.fail("%v", err)
	}
}

// fail ends the test with a screenshot of the page.
func (p *page) fail(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf("%s: %s\nscreenshot: %s\nserver:\n%s", p.name, fmt.Sprintf(format, args...), p.screenshot("failure"),
		p.s.log)
}

// value evaluates JavaScript into v.
func (p *page) value(v any, js string) {
	p.t.Helper()
	p.do(chromedp.Evaluate(js, v))
}

// number evaluates JavaScript to a number, words to a string.
func (p *page) number(js string) (n int) { p.t.Helper(); p.value(&n, js); return n }

func (p *page) words(js string) (s string) { p.t.Helper(); p.value(&s, js); return s }

// wait waits until JavaScript is true.
func (p *page) wait(what, js string) {
	p.t.Helper()
	for deadline := time.Now().Add(pageTimeout); ; time.Sleep(50 * time.Millisecond) {
		var ok bool
		if p.value(&ok, "!!("+js+")"); ok {
			return
		}
		if time.Now().After(deadline) {
			p.fail("after %v still not true: %s", pageTimeout, what)
		}
	}
}

// click waits until the element to which this JavaScript evaluates is visible and not covered, and clicks on its
// center.
func (p *page) click(what, element string) {
	p.t.Helper()
	const place = `(() => {
		const e = %s;
		if (!e) return null;
		e.scrollIntoView({block: "nearest"});
		const r = e.getBoundingClientRect();
		if (r.width === 0 || r.height === 0) return null;
		const x = r.left + r.width / 2, y = r.top + r.height / 2, top = document.elementFromPoint(x, y);
		return top && (e.contains(top) || top.contains(e)) ? {X: x, Y: y} : null;
	})()`
	js := fmt.Sprintf(place, element)
	p.wait("there is "+what+" to press", js)
	var at struct{ X, Y float64 }
	p.value(&at, js)
	p.move(at.X, at.Y) // a menu needs the position of the mouse
	p.do(chromedp.MouseClickXY(at.X, at.Y))
}

// move moves the mouse.
func (p *page) move(x, y float64) {
	p.t.Helper()
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		return input.DispatchMouseEvent(input.MouseMoved, x, y).Do(ctx)
	}))
}

// menu chooses an entry of a menu with the mouse.
func (p *page) menu(label, entry string) {
	p.t.Helper()
	p.click("the menu "+label,
		`[...document.querySelectorAll(".lm-MenuBar-itemLabel")].find(e => e.innerText.trim() === "`+label+`")`)
	p.click("the entry "+entry,
		`[...document.querySelectorAll(".lm-Menu-itemLabel")].find(e => e.innerText.trim() === "`+entry+`")`)
}

// runAll runs all cells by the menu.
func (p *page) runAll() { p.t.Helper(); p.menu("Run", "Run All Cells") }

// stop presses the stop button of the notebook's toolbar.
func (p *page) stop() {
	p.t.Helper()
	p.click("the stop button", `document.querySelector('[data-jp-item-name="interrupt"]')`)
}

// prompts evaluates to the prompts of the code cells: "[ ]:", "[*]:", "[3]:". It asks JupyterLab's widgets, because the
// page does not contain the prompts of folded cells.
const prompts = `jupyterapp.shell.currentWidget.content.widgets.filter(c => c.model.type === "code").
	map(c => c.inputArea ? c.inputArea.promptNode.textContent.trim() : c.model.executionCount ? "[" + c.model.executionCount + "]:" : "")`

// finished waits until n code cells have run, for each of them at most pageTimeout.
func (p *page) finished(n int) {
	p.t.Helper()
	for k := range n {
		p.wait(fmt.Sprintf("%d of %d cells have run", k+1, n),
			fmt.Sprintf(`%s.filter(s => /^\[\d+\]/.test(s)).length > %d`,
				prompts, k))
	}
}

// look scrolls to every chart, as a reader does, and waits until its script has drawn it. It returns the number of
// charts.
func (p *page) look() (charts int) {
	p.t.Helper()
	const chart = `document.querySelectorAll(".jp-OutputArea .mkl-chart")[%d]`
	for ; ; charts++ {
		var there bool
		if p.value(&there, fmt.Sprintf(`(c => { for (let d = c && c.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
			if (c) c.scrollIntoView({block: "center"}); return !!c; })(`+chart+`)`, charts)); !there {
			return charts
		}
		p.wait(fmt.Sprintf("chart %d is live", charts+1),
			fmt.Sprintf(`(c => c.getAttribute("data-live") === "1" && window.echarts &&
			echarts.getInstanceByDom(c.querySelector('[role="img"]')).getOption().series.length > 0)(`+chart+`)`, charts))
	}
}

// scratch writes a notebook with these code cells to the folder of the server.
func (s *labServer) scratch(t *testing.T, name string, cells ...string) {
	t.Helper()
	try(os.WriteFile(filepath.Join(s.Dir, name), must(json.Marshal(newNotebook(cells...))), 0o644))
}

// screenshot stores a picture of the visible part of the page and returns its path.
func (p *page) screenshot(what string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.tab, 30*time.Second)
	defer cancel()
	var png []byte
	if err := chromedp.Run(ctx, chromedp.CaptureScreenshot(&png)); err != nil {
		return "none: " + err.Error()
	}
	path := filepath.Join(artifacts(p.t), p.name+"-"+what+".png")
	if err := os.WriteFile(path, png, 0o644); err != nil {
		p.t.Fatal(err)
	}
	return path
}
