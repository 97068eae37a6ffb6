package notebooks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// This file tests the accessibility of a page: contrast according to WCAG 2.1, names of pictures, heads of tables.

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

// seen contains the counts and the findings of audit.
type seen struct {
	Texts, Graphics, Charts, Tables int
	Faults                          []string
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

// audit reports texts of the outputs whose contrast to their background is below 4.5, lines, points, bars and marks
// whose contrast is below 3 (WCAG 2.1, 1.4.3 and 1.4.11), charts without alternative text, and tables without heads.
// The page must contain this number of charts.
func (p *page) audit(of string, charts int) seen {
	p.t.Helper()
	var s seen
	p.promise(&s, auditScript)
	for _, f := range s.Faults {
		p.t.Errorf("%s, %s: %s", p.name, of, f)
	}
	if s.Texts == 0 || s.Charts != charts {
		p.t.Errorf("%s, %s: audit found %d texts and %d charts, expected texts and %d charts", p.name, of, s.Texts,
			s.Charts,
			charts)
	}
	return s
}

const auditScript = `(async () => {
	` + settled + `
	const out = {Texts: 0, Graphics: 0, Charts: 0, Tables: 0, Faults: []};
	const colour = c => {
		const m = /^(?:rgba?|color)\((?:srgb )?([^)]+)\)/.exec(c), v = m ? m[1].split(/[ ,\/]+/).map(parseFloat) : [0, 0, 0, 0];
		const scale = c.startsWith("color") ? 255 : 1;
		return [v[0] * scale, v[1] * scale, v[2] * scale, v.length > 3 ? v[3] : 1];
	};
	const over = (a, b) => [0, 1, 2].map(i => a[3] * a[i] + (1 - a[3]) * b[i]).concat(1);
	const luminance = c => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {
		const x = c[i] / 255;
		return sum + w * (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
	}, 0);
	const contrast = (a, b) => { const x = luminance(a), y = luminance(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
	const flat = layers => layers.reduceRight((g, l) => over(l, g), [255, 255, 255, 1]);
	const behind = e => { // of an element of HTML
		const layers = [];
		for (; e; e = e.parentElement) {
			const c = colour(getComputedStyle(e).backgroundColor);
			if (c[3] > 0) layers.push(c);
			if (c[3] >= 1) break;
		}
		return flat(layers);
	};
	const short = s => JSON.stringify(s.trim().replace(/\s+/g, " ").slice(0, 60));
	const hex = c => "#" + c.slice(0, 3).map(v => Math.round(v).toString(16).padStart(2, "0")).join("");
	const judge = (what, front, back, least) => {
		const r = contrast(over(front, back), back);
		if (!(r >= least)) out.Faults.push(what + ": " + hex(front) + " on " + hex(back) + " has contrast " + r.toFixed(2) + ", expected " + least);
	};
	const hidden = e => !e.checkVisibility({visibilityProperty: true});
	const outputs = [...document.querySelectorAll(".jp-OutputArea-output")];

	// Text, and the coloured edges of notes.
	for (const o of outputs) {
		const walk = document.createTreeWalker(o, NodeFilter.SHOW_TEXT), done = new Set();
		for (let n = walk.nextNode(); n; n = walk.nextNode()) {
			const e = n.parentElement, text = n.data.trim();
			if (!text || done.has(e) || e.closest("script, style, svg") || hidden(e)) continue;
			done.add(e);
			out.Texts++;
			judge("text " + short(text), colour(getComputedStyle(e).color), behind(e), /^[^\p{L}\p{N}]$/u.test(text) ? 3 : 4.5);
		}
		for (const e of o.querySelectorAll('[style*="border-left"]')) {
			out.Graphics++;
			judge("edge of " + short(e.textContent), colour(getComputedStyle(e).borderLeftColor), behind(e.parentElement), 3);
		}
		for (const e of o.querySelectorAll(".mkl-table table")) {
			out.Tables++;
			const rows = [...e.tBodies[0].rows];
			if (!e.caption || !e.caption.textContent.trim()) out.Faults.push("a table without a caption");
			if (rows.some(r => !r.querySelector('th[scope="row"]')) && !e.querySelector('thead th[scope="col"]')) out.Faults.push("table " + short(e.caption.textContent) + " has no heads");
			if ([...e.querySelectorAll("th")].some(h => !h.textContent.trim() || !h.scope)) out.Faults.push("table " + short(e.caption.textContent) + " has a head that says nothing");
		}
	}

	// Charts: whatever is drawn below the middle of a text is behind it.
	const style = document.createElement("style");
	style.textContent = ".mkl-chart svg * { pointer-events: visiblePainted !important }";
	document.head.append(style);
	const pixel = async (image, x, y) => {
		const bitmap = new Image();
		bitmap.src = image.href.baseVal;
		await bitmap.decode();
		const canvas = document.createElement("canvas"), r = image.getBoundingClientRect();
		canvas.width = bitmap.naturalWidth; canvas.height = bitmap.naturalHeight;
		const c = canvas.getContext("2d");
		c.drawImage(bitmap, 0, 0);
		const at = (v, n) => Math.min(n - 1, Math.max(0, Math.floor(v * n)));
		const d = c.getImageData(at((x - r.left) / r.width, canvas.width), at((y - r.top) / r.height, canvas.height), 1, 1).data;
		return [d[0], d[1], d[2], d[3] / 255];
	};
	for (const e of document.querySelectorAll(".jp-OutputArea .mkl-chart")) {
		out.Charts++;
		await settled(e);
		const box = e.querySelector('[role="img"]'), image = e.querySelector("img");
		if (!((box && box.getAttribute("aria-label")) || (image && image.alt))) out.Faults.push("a chart has no text in its place");
		for (const t of e.querySelectorAll("svg text")) {
			if (!t.textContent.trim()) continue;
			let r = t.getBoundingClientRect();
			if (!r.width) continue;
			if (r.top < 120 || r.bottom > innerHeight - 40) { await settled(t); r = t.getBoundingClientRect(); }
			const x = r.left + r.width / 2, y = r.top + r.height / 2, layers = [];
			let stack = document.elementsFromPoint(x, y);
			const own = stack.findIndex(s => t.contains(s));
			stack = stack.slice(own + 1);
			for (const s of stack) {
				let c = [0, 0, 0, 0];
				const css = getComputedStyle(s);
				if (s instanceof SVGGeometryElement) {
					const at = new DOMPoint(x, y).matrixTransform(s.getScreenCTM().inverse());
					if (css.fill !== "none" && s.isPointInFill(at)) { c = colour(css.fill); c[3] *= css.fillOpacity * css.opacity; }
				} else if (s instanceof SVGImageElement) {
					c = await pixel(s, x, y);
				} else if (s instanceof HTMLElement) {
					c = colour(css.backgroundColor);
				}
				if (c[3] > 0) layers.push(c);
				if (c[3] >= 1) break;
			}
			const front = colour(getComputedStyle(t).fill);
			front[3] *= getComputedStyle(t).fillOpacity;
			out.Texts++;
			judge("text in a chart " + short(t.textContent), front, flat(layers), 4.5);
		}
		const chart = box && window.echarts && echarts.getInstanceByDom(box);
		if (chart) chart.getOption().series.forEach((s, k) => {
			if (s.silent || !["line", "scatter", "bar"].includes(s.type)) return;
			const probe = document.createElement("i");
			probe.style.color = chart.getVisual({seriesIndex: k}, "color");
			e.append(probe);
			out.Graphics++;
			const ink = colour(getComputedStyle(probe).color), opacity = (s.type === "line" ? s.lineStyle : s.itemStyle || {}).opacity;
			ink[3] *= opacity === undefined || opacity === null ? (s.type === "scatter" ? 0.8 : 1) : opacity;
			judge(s.type + " " + short(s.name), ink, behind(e), 3);
			probe.remove();
		});
	}
	style.remove();
	out.Faults = [...new Set(out.Faults)];
	return out;
})()`

// inline replaces pictures by their SVG drawings, so that audit can inspect them.
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

// whole stores a screenshot of the whole notebook, on a screen that is high enough.
func (p *page) whole(what string) string {
	p.t.Helper()
	const height = `(o => {
		o.scrollTop = 0;
		const cells = o.querySelectorAll(".jp-Cell");
		return Math.ceil(cells[cells.length - 1].getBoundingClientRect().bottom + 60);
	})(document.querySelector(".jp-WindowedPanel-outer"))`
	last := int64(0)
	for range 6 { // cells that come into view get their true height
		h := int64(min(p.number(height), 16000))
		if h == last {
			break
		}
		last = h
		p.do(emulation.SetDeviceMetricsOverride(1280, h, 1, false))
		p.wait("the page is that high", fmt.Sprintf(`innerHeight === %d`, h))
		p.promise(nil, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))`)
	}
	path := p.screenshot(what)
	p.do(emulation.ClearDeviceMetricsOverride())
	return path
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
