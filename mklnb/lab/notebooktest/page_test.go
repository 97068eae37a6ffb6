package notebooks

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
	"github.com/mklnb/mkl/viz/render/rendertest"
)

// TestPages tests the pages of all notebooks with their stored outputs, 1,100 pixels wide, in both themes, with fonts
// of the widths of Arial and with wider ones: no table, text or chart has a scroll bar, no text leaves its picture or
// overlaps another.
func TestPages(t *testing.T) {
	testenv.Long(t)
	browser := rendertest.Browser(t)
	env := environment(t)
	for fonts, vars := range rendertest.Fonts(t) {
		s := &labServer{log: &log{}}
		s.browse(t, browser, vars)
		for _, n := range all(t) {
			for _, theme := range []string{"light", "dark"} {
				name := strings.TrimSuffix(filepath.Base(n.Path), ".ipynb")
				t.Run(name+"/"+theme+"/"+fonts, func(t *testing.T) {
					page := filepath.Join(artefacts(t), name+"-"+theme+".html")
					try(env.Execute(t.Context(),
						setup.Execution{Notebook: n.Path, HTML: page, Theme: theme, AsIs: true}, nil))
					p := s.file(t, page)
					p.do(emulation.SetDeviceMetricsOverride(1100, 1100, 1, false))
					p.typeset(n.text())
					if bars := p.words(scrollBars); bars != "" {
						t.Errorf("there are scroll bars: %s", bars)
					}
					if empty := p.number(emptyFolds); empty > 0 {
						t.Errorf("%d folded parts are empty, because a list ended before their text", empty)
					}
					if drawn, charts := p.number(inline), n.charts(); drawn < charts {
						t.Errorf("%d pictures are SVG, of %d charts", drawn, charts)
					}
					p.crowded(theme)
					if p.words(tooWide); p.words(scrollBars) == "" {
						t.Error("a table that is too wide was not found")
					}
				})
			}
		}
	}
}

// scrollBars lists the texts and outputs that are wider than their element.
const scrollBars = `[...document.querySelectorAll("main, .jp-OutputArea-output, .jp-OutputArea-output pre, .mkl-table, .mkl-figure, .jp-RenderedMarkdown")].
	filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).
	map(e => JSON.stringify(e.textContent.trim().replace(/\s+/g, " ").slice(0, 60)) + ": " + e.scrollWidth + " in " + e.clientWidth).join("; ")`

// emptyFolds counts the folded parts without text.
const emptyFolds = `[...document.querySelectorAll("details")].filter(e =>
	e.textContent.trim() === e.querySelector("summary").textContent.trim()).length`

// tooWide inserts a table that is too wide below the first output.
const tooWide = `(document.querySelector(".jp-OutputArea-output").insertAdjacentHTML("beforeend",
	'<div class="mkl-table" style="overflow-x:auto"><p style="width:2000px">wide</p></div>'), "")`
