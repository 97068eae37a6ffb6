package notebooks

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/viz/render/rendertest"
)

// TestBrowser performs the actions of readers in JupyterLab in a browser. It opens the first notebook, which is
// untrusted, runs all its cells, looks at every chart, and opens the exported page. It stops a long cell. With
// MKL_SIZE=full it does so with every notebook. It stores screenshots.
func TestBrowser(t *testing.T) {
	testenv.SkipUnlessLong(t)
	list := all(t)
	if !testenv.RunsAllTests() {
		list = list[:1]
	}
	var paths []string
	for _, n := range list {
		paths = append(paths, n.Path)
	}
	rendertest.BrowserPath(t) // before setup, so that a skip is fast
	env := environment(t)
	s := openLab(t, env, []string{"MKL_SIZE=small"}, paths...)
	for _, n := range list {
		name := filepath.Base(n.Path)
		t.Run("run/"+name, func(t *testing.T) { s.runs(t, n) })
		t.Run("exported/"+name, func(t *testing.T) { s.exported(t, n, execute(t, n)) })
	}
	t.Run("long", s.long)
	t.Run("asks", s.asks)
}

// runs opens a notebook and tests its stored outputs. Then it runs the notebook and tests the new outputs.
func (s *labServer) runs(t *testing.T, n *notebook) {
	p := s.open(t, filepath.Base(n.Path))
	p.wait("every stored picture is shown", fmt.Sprintf(`[...document.querySelectorAll('.jp-OutputArea-output .mkl-chart `+
		`img[src^="data:image/"]')].filter(i => i.complete && i.naturalWidth > 0).length === %d`, n.storedCharts()))
	if got := p.number(`document.querySelectorAll('.jp-OutputArea-output script, .mkl-chart[data-live]').length`); got != 0 {
		t.Errorf("%d scripts or live charts in outputs that nobody trusted", got)
	}
	t.Logf("screenshot of stored outputs: %s", p.screenshot("untrusted"))
	if p.number(`document.querySelectorAll(".lm-DockPanel-tabBar .jp-mod-dirty").length`) != 0 {
		t.Error("the notebook is marked as changed when it is opened")
	}
	if got := p.words(`[...document.querySelectorAll(".jp-Dialog, .jp-toast-message, .Toastify__toast")].map(d => d.innerText).join(" ")`); strings.Contains(got, "news") {
		t.Errorf("JupyterLab asks about news: %q", got)
	}
	if got := p.words(`document.querySelector(".jp-KernelName").innerText`); !strings.Contains(got, "Go (mkl)") {
		t.Errorf("the kernel is called %q, expected Go (mkl)", got)
	}
	p.runAll()
	p.finished(len(n.code()))
	if got := p.number(`document.querySelectorAll(".jp-OutputArea-output[data-mime-type*='error']").length`); got != 0 {
		t.Errorf("%d outputs are errors", got)
	}
	charts := p.look()
	p.typeset()
	var titles []string // of folded cells
	p.value(&titles, `[...document.querySelectorAll(".jp-CodeCell .jp-InputPlaceholder")].map(e => e.textContent.trim())`)
	if want := n.foldedTitles(); !slices.EqualFunc(titles, want, strings.Contains) {
		t.Errorf("JupyterLab shows %q of folded cells, expected %q", titles, want)
	}
	var live []int // by code cell
	p.value(&live, `[...document.querySelectorAll(".jp-Notebook .jp-CodeCell")].map(c =>
		[...c.querySelectorAll('.mkl-chart[data-live="1"]')].filter(e => e.querySelector("svg, canvas")).length)`)
	sum := 0
	for i, c := range n.code() {
		if i >= len(live) || live[i] < c.charts() {
			t.Fatalf("code cell %d: the cells have %v live charts, and this one expects %d", i+1, live, c.charts())
		}
		sum += live[i]
	}
	if sum != charts || charts == 0 {
		t.Errorf("%d charts, %d live", charts, sum)
	}
	if got := p.number(`[...document.scripts].filter(s => s.src && !s.src.startsWith(location.origin)).length`); got != 0 {
		t.Errorf("%d scripts are loaded from another server", got)
	}
	t.Logf("screenshot of live charts: %s", p.screenshot("live"))
}

// exported opens the exported page of a notebook, which contains the chart library, because it has no server.
func (s *labServer) exported(t *testing.T, n *notebook, r run) {
	if r.err != nil {
		t.Fatal(r.err)
	}
	p := s.file(t, r.page)
	p.typeset()
	charts := p.look()
	if live := p.number(`document.querySelectorAll('.mkl-chart[data-live="1"] svg').length`); live < charts || charts == 0 {
		t.Errorf("%d charts, %d live", charts, live)
	}
	if titles := p.words(`[...document.querySelectorAll(".mkl-folded > summary")].map(e => e.textContent).join("\n")`); titles !=
		strings.Join(n.foldedTitles(), "\n") {
		t.Errorf("the page shows %q of folded cells, expected %q", titles, n.foldedTitles())
	}
	if bars := p.words(scrollBars); bars != "" {
		t.Errorf("there are scroll bars: %s", bars)
	}
	t.Logf("exported page; screenshot: %s", p.screenshot("exported"))
}

// scrollBars lists the texts and outputs that are wider than their element.
const scrollBars = `[...document.querySelectorAll("main, .jp-OutputArea-output, .jp-OutputArea-output pre, .mkl-table, .mkl-figure, .jp-RenderedMarkdown")].
	filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).
	map(e => JSON.stringify(e.textContent.trim().replace(/\s+/g, " ").slice(0, 60)) + ": " + e.scrollWidth + " in " + e.clientWidth).join("; ")`

// long tests the progress bar of a long cell, and the stop button in a cell without end.
func (s *labServer) long(t *testing.T) {
	s.scratch(t, "long.ipynb", lasting...)
	p := s.open(t, "long.ipynb")
	// Record every progress bar.
	p.do(chromedp.Evaluate(`window.bars = []; new MutationObserver(() => document.querySelectorAll(".jp-OutputArea progress").forEach(b => {
		const r = b.getBoundingClientRect(), text = b.parentElement.textContent.trim(), last = window.bars[window.bars.length - 1];
		if (!last || last.Text !== text) window.bars.push({Value: b.value, Max: b.max, Label: b.getAttribute("aria-label") || "", Text: text, Width: r.width});
	})).observe(document.querySelector(".jp-Notebook"), {childList: true, subtree: true, attributes: true})`, nil))
	p.runAll()
	p.wait("a bar is shown", `document.querySelector(".jp-OutputArea progress")`)
	t.Logf("screenshot: %s", p.screenshot("bar"))
	p.wait("the solve without end runs", `/^\[\*\]/.test(`+prompts+`[2]) && `+outputText(2)+`.trim().length > 0`)
	var bars []struct {
		Value, Max, Width float64
		Label, Text       string
	}
	p.value(&bars, `window.bars.filter(b => b.Text.startsWith("slow"))`)
	var values []float64
	for _, b := range bars {
		if b.Label == "" || b.Max != 1 || b.Width < 20 || b.Value < 0 || b.Value > 1 {
			t.Errorf("a bar is %+v, expected a name, a value in [0, 1], and a width", b)
		}
		values = append(values, b.Value)
	}
	if !slices.IsSorted(values) || len(slices.Compact(slices.Clone(values))) < 3 {
		t.Errorf("the values of the bar are %v, expected increasing values", values)
	}
	t.Logf("the values of the bar are %v", values)
	if got := p.words(outputText(1)); strings.Contains(got, "left") || !strings.Contains(got, "slow") {
		t.Errorf("the cell with the bar ends with %q, expected its result and no bar", got)
	}

	p.wait("the solve without end has a bar", outputText(2)+`.includes("steps")`) // then it has a result to show
	start := time.Now()
	p.stop()
	p.wait("the output contains stopped", outputText(2)+`.includes("stopped")`)
	t.Logf("stopped after %.1f s; screenshot: %s", time.Since(start).Seconds(), p.screenshot("stopped"))
	if got := p.words(outputText(2)); !strings.Contains(got, "certificate") || !strings.Contains(got, "Best so far") {
		t.Errorf("the stopped solve shows %q, expected the best so far and its certificate", got)
	}
	p.finished(len(lasting) - 1)
	p.wait("the cell after the stopped one is not waiting", `/^\[ \]/.test(`+prompts+`[3])`)
	if got := p.words(outputText(3)); got != "" {
		t.Errorf("the cell after the stopped one ran: it printed %q", got)
	}
	p.click("the last cell", `document.querySelectorAll(".jp-Notebook .jp-CodeCell .jp-InputArea-editor")[3]`)
	p.menu("Run", "Run Selected Cell")
	p.finished(len(lasting))
	if got := p.words(outputText(3)); !strings.Contains(got, "the kernel is alive") {
		t.Errorf("after the stop a cell printed %q", got)
	}
	if got := p.words(outputText(2)); strings.Contains(got, "exit status") || strings.Contains(got, "signal:") {
		t.Errorf("the stopped cell ended as a failure: %q", got)
	}
}

// typeset waits until the formulas of the page are typeset, and reports formulas with errors.
func (p *page) typeset() {
	p.t.Helper()
	p.wait("no formula is left as it is written", `![...document.querySelectorAll(".jp-RenderedMarkdown")].some(e => {
		e = e.cloneNode(true);
		e.querySelectorAll("mjx-container, script, code, pre").forEach(m => m.remove());
		return /\$|\\[a-z]/.test(e.textContent);
	})`)
	if got := p.words(`[...document.querySelectorAll('mjx-merror, [data-mjx-error], mjx-container [data-mml-node="merror"]')].map(e => e.textContent).join("; ")`); got != "" {
		p.t.Errorf("%s: formulas with errors: %s", p.name, got)
	}
}

// foldedTitles returns the first lines of the folded cells, without //.
func (n *notebook) foldedTitles() (titles []string) {
	for _, c := range n.code() {
		if c.isFolded() {
			line, _, _ := strings.Cut(string(c.Source), "\n")
			titles = append(titles, strings.TrimLeft(line, "/ "))
		}
	}
	return titles
}

// storedCharts returns the number of charts in the stored outputs.
func (n *notebook) storedCharts() (count int) {
	for _, c := range n.code() {
		for _, o := range c.Outputs {
			count += strings.Count(o.form("text/html"), `class="mkl-chart"`)
		}
	}
	return count
}

// outputText returns JavaScript for the text of the outputs of code cell i, counted from 0, in view or not.
func outputText(i int) string {
	return fmt.Sprintf(`((c) => c ? [...c.querySelectorAll(".jp-OutputArea-output")].map(o => {
		o = o.cloneNode(true);
		o.querySelectorAll("script, style").forEach(e => e.remove());
		return o.textContent;
	}).join("\n") : "")(document.querySelectorAll(".jp-Notebook .jp-CodeCell")[%d])`, i)
}

// lasting contains the cells of a notebook. The second takes 80 steps of 50 ms. The third solves until it is stopped,
// because its steps are too short to reach its gap.
var lasting = []string{
	`import (
	"fmt"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	nb "github.com/mklnb/mkl/mklnb"
)

func problem() *mkl.Problem {
	d := nb.Load("sonar")
	bases := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}}}
	return &mkl.Problem{Grams: bases.Bind(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: d.Y}
}

// slow is PGD with a rest before every step.
type slow struct{ mkl.PGD }

func (s slow) Start(p *mkl.Problem) mkl.Stepper { return slowly{s.PGD.Start(p)} }

func (s slow) String() string { return "slow" }

type slowly struct{ mkl.Stepper }

func (s slowly) Step(it *mkl.Iterate) error {
	time.Sleep(50 * time.Millisecond)
	return s.Stepper.Step(it)
}
`,
	`%%
nb.Solve(problem(), slow{mkl.PGD{Rule: mkl.Constant, Eta: 1e-12}}, &mkl.Settings{Gap: 1e-12, Iterations: 80})`,
	`%%
nb.Solve(problem(), mkl.PGD{Rule: mkl.Constant, Eta: 1e-12}, &mkl.Settings{Gap: 1e-12, Iterations: 1 << 40})`,
	`%%
fmt.Println("the kernel is alive")`,
}
