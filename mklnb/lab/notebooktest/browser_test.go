package notebooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/viz/render/rendertest"
)

// TestBrowser performs the actions of readers in JupyterLab in a browser. It runs all cells of the first notebook,
// looks at every chart, hovers over it and changes the theme. It opens the same notebook as an untrusted one and as an
// exported page. It stops a long cell. With MKL_TESTS=all it also opens the second notebook; with MKL_SIZE=full it runs
// and opens every notebook. It stores screenshots.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test starts a browser")
	}
	list := all(t)
	if !testenv.Full() {
		list = list[:2]
	}
	var paths []string
	for _, n := range list {
		paths = append(paths, n.Path)
	}
	if list[0].charts() == 0 {
		t.Fatal("the first notebook expects no chart; its cells need mkl_expect")
	}
	rendertest.Browser(t) // before setup, so that a skip is fast
	env := environment(t)
	s := openLab(t, env, []string{"MKL_SIZE=small"}, paths...)
	for i, n := range list {
		name := filepath.Base(n.Path)
		if i == 0 || testenv.Full() {
			t.Run("run/"+name, func(t *testing.T) { s.runs(t, n) })
		}
		t.Run("untrusted/"+name, func(t *testing.T) {
			if i > 0 {
				testenv.Long(t)
			}
			s.untrusted(t, n.charts(), execute(t, n.Path))
		})
	}
	t.Run("long", s.long)
}

// runs opens a notebook, runs it, and tests its outputs in every theme.
func (s *labServer) runs(t *testing.T, n *notebook) {
	p := s.open(t, filepath.Base(n.Path))
	if dialogue := p.words(`[...document.querySelectorAll(".jp-Dialog, .jp-toast-message, .Toastify__toast")].map(d => d.innerText).join(" ")`); strings.Contains(dialogue, "news") {
		t.Errorf("JupyterLab asks about news: %q", dialogue)
	}
	if got := p.words(`document.querySelector(".jp-KernelName").innerText`); !strings.Contains(got, "Go (mkl)") {
		t.Errorf("the kernel is called %q, expected Go (mkl)", got)
	}
	start := time.Now()
	p.runAll()
	if n.charts() > 0 {
		p.wait("a first chart is live", `document.querySelector('.mkl-chart[data-live="1"]')`)
		t.Logf("first live chart after %.1f s", time.Since(start).Seconds())
	}
	p.finished(len(n.code()))
	t.Logf("every cell has run after %.1f s", time.Since(start).Seconds())
	if got := p.number(`document.querySelectorAll(".jp-OutputArea-output[data-mime-type*='error'], .gonb-err-location").length`); got != 0 {
		t.Errorf("%d outputs are errors", got)
	}
	charts := p.look()
	p.typeset(n.text())
	var live []int // by code cell
	p.value(&live, `[...document.querySelectorAll(".jp-Notebook .jp-CodeCell")].map(c =>
		[...c.querySelectorAll('.mkl-chart[data-live="1"]')].filter(e => e.querySelector("svg, canvas")).length)`)
	i := 0
	for _, c := range n.Cells {
		if c.Type != "code" {
			continue
		}
		if expected := c.charts(); i >= len(live) || live[i] < expected {
			t.Errorf("code cell %d: %v live charts of the cells, and this one expects %d", i+1, live, expected)
		}
		i++
	}
	if got := p.live(); got != charts {
		t.Errorf("%d charts, %d live", charts, got)
	}
	for i := range charts {
		text := p.hover(i)
		if text == "" {
			p.fail("no tooltip with a value over the data of chart %d", i+1)
		}
		if i == 0 {
			t.Logf("screenshot with a tooltip: %s", p.screenshot("live"))
		}
		t.Logf("chart %d: %q", i+1, text)
	}
	if got := p.number(`[...document.scripts].filter(s => s.src && !s.src.startsWith(location.origin)).length`); got != 0 {
		t.Errorf("%d scripts are loaded from another server", got)
	}
	for _, name := range themes {
		p.theme(name)
		p.crowded(name)
		t.Logf("%s: %s", name, p.screenshot(strings.ToLower(name[strings.LastIndex(name, " ")+1:])))
	}
	if said := p.dialogs.String(); said != "" {
		t.Errorf("dialogs were opened: %s", said)
	}
}

// pictures counts the visible pictures of charts.
const pictures = `[...document.querySelectorAll('.jp-OutputArea-output .mkl-chart img[src^="data:image/"]')].filter(i => i.complete && i.naturalWidth > 0).length`

// untrusted opens a notebook whose outputs the user has not produced, and its exported page.
func (s *labServer) untrusted(t *testing.T, charts int, r run) {
	if r.err != nil {
		t.Fatal(r.err)
	}
	content := must(os.ReadFile(r.executed))
	executed := must(read(r.executed))
	expected := charts
	text := executed.text()
	charts = executed.pictures() // in all: JupyterLab makes the cells that are far away later
	if charts < expected {
		t.Errorf("%d charts, and the cells expect %d or more", charts, expected)
	}
	name := "elsewhere_" + filepath.Base(r.executed)
	try(os.WriteFile(filepath.Join(s.Dir, name), content, 0o644))
	p := s.open(t, name)
	p.wait("every picture is shown", fmt.Sprintf("%s === %d", pictures, charts))
	if got := p.number(`document.querySelectorAll('.jp-OutputArea-output script, .mkl-chart[data-live]').length`); got != 0 {
		t.Errorf("%d scripts or live charts in outputs that nobody trusted", got)
	}
	if charts > 0 {
		p.do(chromedp.Evaluate(`document.querySelector(".jp-OutputArea-output .mkl-chart img").scrollIntoView()`, nil))
	}
	t.Logf("run in %.1f s; %d pictures; screenshot: %s", r.took.Seconds(), charts, p.screenshot("untrusted"))
	if drawn := p.number(inline); drawn != charts {
		t.Errorf("%d pictures are SVG, of %d charts", drawn, charts)
	}
	p.crowded("untrusted")

	// The exported page contains the chart library, because it has no server.
	e := s.file(t, r.page)
	e.typeset(text)
	if got := e.words(scrolled); got != "" {
		t.Errorf("the exported page has scroll bars in its text: %s", got)
	}
	if n, live := e.look(), e.live(); live != n || n != charts {
		t.Errorf("exported page: %d charts, %d live, expected %d", n, live, charts)
	}
	if charts > 0 && e.hover(0) == "" {
		e.fail("no tooltip with a value over the data of the first chart of the exported page")
	}
	e.crowded("exported")
	for _, p := range []*page{p, e} {
		if said := p.dialogs.String(); said != "" {
			t.Errorf("%s: dialogs were opened: %s", p.name, said)
		}
	}
	t.Logf("exported page; screenshot: %s", e.screenshot("exported"))
}

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

// scrolled lists the texts that are larger than their element.
const scrolled = `[...document.querySelectorAll(".jp-RenderedMarkdown")].filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map(e =>
	e.textContent.trim().slice(0, 30) + ": " + e.scrollWidth + "×" + e.scrollHeight + " in " + e.clientWidth + "×" + e.clientHeight).join("; ")`

// typeset waits until the formulas of the page are typeset, if its Markdown contains any, and reports formulas with
// errors.
func (p *page) typeset(markdown string) {
	p.t.Helper()
	if !strings.Contains(markdown, "$") {
		return
	}
	p.wait("formulas are typeset", `document.querySelector(".jp-RenderedMarkdown mjx-container")`)
	p.wait("no formula is left as it is written", `![...document.querySelectorAll(".jp-RenderedMarkdown")].some(e => {
		e = e.cloneNode(true);
		e.querySelectorAll("mjx-container, script, code, pre").forEach(m => m.remove());
		return /\$|\\[a-z]/.test(e.textContent);
	})`)
	var bad []string
	p.value(&bad, `[...document.querySelectorAll('mjx-merror, [data-mjx-error], mjx-container [data-mml-node="merror"]')].map(e => e.textContent || e.getAttribute("data-mjx-error"))`)
	if len(bad) > 0 {
		p.t.Errorf("%s: formulas with errors: %q", p.name, bad)
	}
}

// pictures returns the number of charts in the outputs.
func (n *notebook) pictures() (count int) {
	for _, c := range n.code() {
		for _, o := range c.Outputs {
			count += strings.Count(o.form("text/html"), `class="mkl-chart"`)
		}
	}
	return count
}

// text returns the Markdown of the notebook.
func (n *notebook) text() string {
	var b strings.Builder
	for _, c := range n.Cells {
		if c.Type == "markdown" {
			b.WriteString(string(c.Source) + "\n")
		}
	}
	return b.String()
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
