package notebooks

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/mklnb/mkl/mklnb/setup"
)

// TestBrowser is a reader's first quarter of an hour: JupyterLab in a real browser, the first
// notebook, all cells, live charts with values under the mouse, a solve that is stopped, and the
// same notebook as someone sees it who has not run it. Screenshots are kept.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	first := filepath.Join(folder(), "00_start_here.ipynb")
	n, err := read(first)
	if err != nil {
		t.Fatal(err)
	}
	if n.charts() == 0 {
		t.Fatalf("%s expects no chart: its cells should say mkl_expect", first)
	}
	browser(t) // before the set-up, so that a skip is quick
	env := environment(t)
	s := openLab(t, env, []string{"MKL_SIZE=small"}, first)

	t.Run("run", func(t *testing.T) {
		p := s.open(t, "00_start_here.ipynb")
		if dialogue := p.words(`[...document.querySelectorAll(".jp-Dialog, .jp-toast-message, .Toastify__toast")].map(d => d.innerText).join(" ")`); strings.Contains(dialogue, "news") {
			t.Errorf("JupyterLab asks about news: %q", dialogue)
		}
		if got := p.words(`document.querySelector(".jp-KernelName").innerText`); !strings.Contains(got, "Go (mkl)") {
			t.Errorf("the kernel is called %q, expected Go (mkl)", got)
		}
		start := time.Now()
		p.runAll()
		p.wait("a first chart is live", `document.querySelector('.mkl-chart[data-live="1"]')`)
		t.Logf("first live chart after %.1f s", time.Since(start).Seconds())
		p.finished(len(n.code()))
		if charts, live := p.look(), p.live(); live != charts || charts < n.charts() {
			t.Errorf("%d charts, %d live, and the cells expect %d or more", charts, live, n.charts())
		}
		if got := p.number(`document.querySelectorAll(".jp-OutputArea-output[data-mime-type*='error'], .gonb-err-location").length`); got != 0 {
			t.Errorf("%d outputs are errors", got)
		}
		if got := p.number(`[...document.scripts].filter(s => s.src && !s.src.startsWith(location.origin)).length`); got != 0 {
			t.Errorf("%d scripts are loaded from elsewhere", got)
		}
		text := p.hover(0)
		if text == "" {
			p.fail("no tooltip with a value anywhere over the first chart")
		}
		t.Logf("tooltip: %q; screenshot: %s", text, p.screenshot("live"))
	})

	t.Run("stop", func(t *testing.T) {
		s.scratch(t, "stop.ipynb", endless...)
		p := s.open(t, "stop.ipynb")
		p.runAll()
		p.wait("the solve is at work", `/^\[\*\]/.test(`+prompts+`[1]) && `+outputText(1)+`.trim().length > 0`)
		time.Sleep(time.Second) // a moment of work, so that there is something to show
		start := time.Now()
		p.stop()
		p.wait("the word stopped is on screen", outputText(1)+`.includes("stopped")`)
		t.Logf("stopped after %.1f s; screenshot: %s", time.Since(start).Seconds(), p.screenshot("stopped"))
		if got := p.words(outputText(1)); !strings.Contains(got, "certificate") || !strings.Contains(got, "Best so far") {
			t.Errorf("the stopped solve shows %q, expected the best so far and its certificate", got)
		}
		p.finished(len(endless)) // the kernel goes on with the cells after it
		if got := p.words(outputText(2)); !strings.Contains(got, "the kernel is alive") {
			t.Errorf("the cell after the stopped one printed %q", got)
		}
		if got := p.words(outputText(1)); strings.Contains(got, "exit status") || strings.Contains(got, "signal:") {
			t.Errorf("the stopped cell ended as a failure: %q", got)
		}
	})

	t.Run("untrusted", func(t *testing.T) {
		executed := filepath.Join(s.Dir, "from_elsewhere.ipynb")
		exported := filepath.Join(s.Dir, "exported.html")
		err := env.Execute(t.Context(), setup.Execution{Notebook: first, Executed: executed, HTML: exported, Vars: []string{"MKL_SIZE=small"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := s.open(t, "from_elsewhere.ipynb")
		pictures := `[...document.querySelectorAll('.jp-OutputArea-output img[src^="data:image/"]')].filter(i => i.complete && i.naturalWidth > 0).length`
		p.wait("every picture is shown", fmt.Sprintf("%s >= %d", pictures, n.charts()))
		if got := p.number(`document.querySelectorAll('.jp-OutputArea-output script, .mkl-chart[data-live]').length`); got != 0 {
			t.Errorf("%d scripts or live charts in outputs that nobody trusted", got)
		}
		p.do(chromedp.Evaluate(`document.querySelector('.jp-OutputArea-output img[src^="data:image/"]').scrollIntoView()`, nil))
		t.Logf("%d pictures; screenshot: %s", p.number(pictures), p.screenshot("untrusted"))

		// The exported page has no server to ask for the chart library: it carries it.
		p = s.file(t, exported)
		if charts, live := p.look(), p.live(); live != charts || charts < n.charts() {
			t.Errorf("exported page: %d charts, %d live, and the cells expect %d or more", charts, live, n.charts())
		}
		if p.hover(0) == "" {
			p.fail("no tooltip with a value anywhere over the first chart of the exported page")
		}
		t.Logf("exported page; screenshot: %s", p.screenshot("live"))
	})
}

// outputText is JavaScript for the text of the outputs of code cell i, counted from 0, in view or
// not.
func outputText(i int) string {
	return fmt.Sprintf(`((c) => c ? [...c.querySelectorAll(".jp-OutputArea-output")].map(o => {
		o = o.cloneNode(true);
		o.querySelectorAll("script, style").forEach(e => e.remove());
		return o.textContent;
	}).join("\n") : "")(document.querySelectorAll(".jp-Notebook .jp-CodeCell")[%d])`, i)
}

// endless is a notebook whose second cell solves for ever unless it is stopped: its steps are too
// short to get anywhere, and its gap too small to be reached.
var endless = []string{
	`import (
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	nb "github.com/mklnb/mkl/mklnb"
)

func problem() *mkl.Problem {
	d := nb.Load("sonar")
	bases := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}}}
	return &mkl.Problem{Grams: bases.On(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: d.Y}
}
`,
	`%%
nb.Solve(problem(), mkl.PGD{Rule: mkl.Constant, Eta: 1e-12}, &mkl.Settings{Gap: 1e-12, Iterations: 1 << 40})`,
	`%%
fmt.Println("the kernel is alive")`,
}
