package notebooks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// This file looks at a page: themes, tooltips, screenshots, and texts that overlap.

// themes contains the names of the themes in the menu of JupyterLab.
var themes = []string{"JupyterLab Dark", "JupyterLab Light"}

// theme selects a theme in the menu.
func (p *page) theme(name string) {
	p.t.Helper()
	p.menu("Settings", "Theme")
	p.click("the theme "+name,
		`[...document.querySelectorAll(".lm-Menu-itemLabel")].find(e => e.innerText.trim() === "`+name+`")`)
	p.wait("the theme is "+name,
		fmt.Sprintf(`document.body.getAttribute("data-jp-theme-name") === %q && document.body.getAttribute("data-jp-theme-light") === %q &&
		!document.querySelector(".lm-Menu") && getComputedStyle(document.body).getPropertyValue("--jp-layout-color0")`, name, fmt.Sprint(strings.HasSuffix(name, "Light"))))
}

// promise evaluates JavaScript that returns a promise.
func (p *page) promise(v any, js string) {
	p.t.Helper()
	p.do(chromedp.Evaluate(js, v,
		func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
}

// settled is JavaScript that scrolls to an element and waits until its position is stable. Cells that come into view
// get their true height and move the cells below.
const settled = `const settled = async e => {
		for (let last = NaN, same = 0, n = 0; same < 2 && n < 60; n++) {
			e.scrollIntoView({block: "center"});
			await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
			const now = e.getBoundingClientRect().top;
			same = now === last ? same + 1 : 0;
			last = now;
		}
	};`

// inline replaces pictures by their SVG drawings, so that crowded can inspect them.
const inline = `(() => {
	let n = 0;
	for (const i of document.querySelectorAll('.jp-OutputArea .mkl-chart img[src^="data:image/svg+xml;base64,"]')) {
		const e = document.createElement("div");
		e.setAttribute("role", "img");
		e.setAttribute("aria-label", i.alt);
		e.innerHTML = new TextDecoder().decode(Uint8Array.from(atob(i.src.split(",")[1]), c => c.charCodeAt(0)));
		i.replaceWith(e);
		n++;
	}
	return n;
})()`

// hover moves the mouse over points of each series of chart i until the tooltip of the chart shows a number. It returns
// the text of the tooltip, "" if there is none.
func (p *page) hover(i int) string {
	p.t.Helper()
	const chart = `(([...document.querySelectorAll(".jp-OutputArea .mkl-chart")])[%d].querySelector('[role="img"]'))`
	box := fmt.Sprintf(chart, i)
	var at []struct{ X, Y float64 }
	p.promise(&at, `(async () => {
		`+settled+`
		const box = `+box+`, chart = echarts.getInstanceByDom(box), out = []; // in a folded part, which is opened
		for (let d = box.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
		await settled(box);
		const r = box.getBoundingClientRect();
		chart.getOption().series.forEach((s, k) => {
			if (s.silent || s.tooltip && s.tooltip.show === false || !s.data) return;
			const n = s.data.length;
			for (const j of new Set([n >> 1, n >> 2, 0, n - 1])) {
				const d = s.data[j], v = d && (d.value || d), q = Array.isArray(v) && chart.convertToPixel({seriesIndex: k}, [v[0], v[1]]);
				if (q && q[0] >= 0 && q[1] >= 0 && q[0] <= r.width && q[1] <= r.height && box.contains(document.elementFromPoint(r.left + q[0], r.top + q[1]))) out.push({X: r.left + q[0], Y: r.top + q[1]});
			}
		});
		return out;
	})()`)
	for k, start := 0, time.Now(); len(at) > 0 && (k < len(at) || time.Since(start) < 20*time.Second); k++ {
		q := at[k%len(at)]
		p.move(q.X+3, q.Y+3) // leave and enter a point, as a hand does
		p.move(q.X, q.Y)
		for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			if text := p.words(fmt.Sprintf(tooltip, box)); strings.ContainsAny(text, "0123456789") {
				return text
			}
		}
	}
	return ""
}

// tooltip evaluates to the text of the visible tooltip of a chart, "" if there is none.
const tooltip = `(box => {
	for (const d of box.querySelectorAll("div[style*='z-index: 9999999']")) {
		const s = getComputedStyle(d);
		if (s.display !== "none" && s.visibility !== "hidden" && Number(s.opacity) > 0 && d.innerText.trim()) return d.innerText.trim();
	}
	return "";
})(%s)`

// screenshot stores a picture of the visible part of the page and returns its path.
func (p *page) screenshot(what string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.tab, 30*time.Second)
	defer cancel()
	var png []byte
	if err := chromedp.Run(ctx, chromedp.CaptureScreenshot(&png)); err != nil {
		return "none: " + err.Error()
	}
	path := filepath.Join(artefacts(p.t), p.name+"-"+what+".png")
	if err := os.WriteFile(path, png, 0o644); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// crowded reports texts of the outputs that overlap each other or leave their picture. It compares the boxes of all
// texts of an output, without the space above and below the letters. Browsers round boxes to whole pixels, so a letter
// and its index may share one pixel.
func (p *page) crowded(of string) {
	p.t.Helper()
	var got struct {
		Texts  int
		Faults []string
	}
	p.promise(&got, `(async () => {
	`+settled+`
	const out = {Texts: 0, Faults: []}, short = s => JSON.stringify(s.trim().replace(/\s+/g, " ").slice(0, 60));
	const box = (r, text) => {
		const d = Math.min(r.height, r.width) * 0.18, up = r.height > r.width && text.length > 1;
		return {l: r.left + (up ? d : 0), r: r.right - (up ? d : 0), t: r.top + (up ? 0 : d), b: r.bottom - (up ? 0 : d), text};
	};
	for (const o of document.querySelectorAll(".jp-OutputArea-output")) {
		await settled(o);
		const boxes = [];
		for (const t of o.querySelectorAll("svg text")) {
			const r = t.getBoundingClientRect(), s = t.closest("svg").getBoundingClientRect();
			if (!t.textContent.trim() || !r.width) continue;
			const b = box(r, t.textContent);
			if (b.l < s.left - 0.5 || b.r > s.right + 0.5 || b.t < s.top - 0.5 || b.b > s.bottom + 0.5) out.Faults.push(short(b.text) + " runs out of its picture");
			boxes.push(b);
		}
		const walk = document.createTreeWalker(o, NodeFilter.SHOW_TEXT), range = document.createRange();
		for (let n = walk.nextNode(); n; n = walk.nextNode()) {
			const e = n.parentElement;
			if (!n.data.trim() || e.closest("script, style, svg, .gonb-err-context, mjx-container") || !e.checkVisibility({visibilityProperty: true})) continue;
			range.selectNodeContents(n);
			for (const r of range.getClientRects()) if (r.width > 0) boxes.push(box(r, n.data));
		}
		out.Texts += boxes.length;
		boxes.sort((a, b) => a.t - b.t);
		boxes.forEach((a, i) => {
			for (let k = i + 1; k < boxes.length && boxes[k].t < a.b; k++) {
				const b = boxes[k], w = Math.min(a.r, b.r) - Math.max(a.l, b.l), h = Math.min(a.b, b.b) - b.t;
				if (w > 1.5 && h > 1) out.Faults.push(short(a.text) + " and " + short(b.text) + " share " + w.toFixed(1) + "×" + h.toFixed(1));
			}
		});
	}
	return out;
})()`)
	for _, f := range got.Faults {
		p.t.Errorf("%s, %s: %s", p.name, of, f)
	}
	if got.Texts == 0 {
		p.t.Errorf("%s, %s: the outputs contain no text", p.name, of)
	}
	p.t.Logf("%s, %s: %d texts", p.name, of, got.Texts)
}
