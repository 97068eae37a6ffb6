package mklnb

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/mklnb/report"
	"github.com/mklnb/mkl/viz"
	figures "github.com/mklnb/mkl/viz/render"
	"github.com/mklnb/mkl/viz/render/rendertest"
)

// TestChartScript runs the script of charts in a browser, in the pages it may find itself in: the
// server's library under a base path, a library that is there already, none, a broken one. The chart
// is drawn where it can be; elsewhere the picture stays.
func TestChartScript(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	rendertest.BrowserPath(t) // a skip is quick
	f := viz.Bars("Title", "Caption.", []string{"a", "b"}, viz.Bar{Name: "v", Values: []float64{1, 2}}).
		WithAxes("x", "y")
	f.Alt = `alt & "text"`
	pic := viz.Picture{Width: 500, Height: 300,
		SVG:    `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="300"></svg>`,
		Option: json.RawMessage(`{"xAxis":{"data":["a","b"]},"yAxis":{},"series":[{"type":"bar","data":[1,2]}]}`)}
	chart := chartHTML(f, pic)
	config := `<script id="jupyter-config-data" type="application/json">{"baseUrl":"%s"}</script>`
	good, missing := fmt.Sprintf(config, "/user/x/"), fmt.Sprintf(config, "/missing/")
	type want struct {
		drawn, pictures int
	}
	frames := []struct {
		name, page string
		want
	}{
		{"served", good + chart, want{1, 0}},
		{"the same figure twice", good + chart + chart, want{2, 0}},
		{"seen later", good + `<div id="late" style="display:none">` + chart +
			`</div><script>setTimeout(function(){document.getElementById("late").style.display="block"},300)</script>`,
			want{1, 0}},
		{"never seen", good + `<div style="display:none">` + chart + `</div>`, want{0, 1}},
		{"embedded, with a module loader",
			`<script>var define=function(){};define.amd={}</script><script>(function(){var define,exports,module;` +
				`fetchSync("/user/x/kernelspecs/mkl/echarts.min.js")}).call(window)</script>` + chart, want{1, 0}},
		{"served, with a module loader", `<script>var define=function(){throw 1};define.amd={}</script>` + good +
			chart, want{1, 0}},
		{"no such file", missing + chart, want{0, 1}},
		{"no server", chart, want{0, 1}},
		{"broken library", fmt.Sprintf(config, "/broken/") + chart, want{0, 1}},
		{"library that fails", `<script>window.echarts={init:function(){return{setOption:function(){throw 1},dispose:function(){}}}}</script>` + chart, want{0, 1}},
		{"no scripts allowed", `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">` + chart,
			want{0, 1}},
	}
	mux := http.NewServeMux()
	library := filepath.Join("..", "notebooks", "jupyter", "kernels", "mkl", "echarts.min.js")
	mux.HandleFunc("/user/x/kernelspecs/mkl/echarts.min.js",
		func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, library) })
	mux.HandleFunc("/broken/kernelspecs/mkl/echarts.min.js",
		func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "this is not a script") })
	mux.HandleFunc("/frame/", func(w http.ResponseWriter, r *http.Request) {
		var k int
		if _, err := fmt.Sscanf(r.URL.Path, "/frame/%d", &k); err != nil {
			t.Error(err)
			return
		}
		page := strings.ReplaceAll(frames[k].page, "fetchSync(",
			`(function(u){var x=new XMLHttpRequest();x.open("GET",u,false);x.send();new Function("define","exports","module",x.responseText).call(window)})(`)
		fmt.Fprintf(w, `<!doctype html><meta charset="utf-8"><body style="width:600px">%s</body>`, page)
	})
	// Sizes are observed when a frame is drawn, by the clock; the browser's own time, which timers go by, stands still
	// while a request is under way.
	mux.HandleFunc("/frames", func(http.ResponseWriter, *http.Request) { time.Sleep(100 * time.Millisecond) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<!doctype html><meta charset="utf-8"><body><pre id="report"></pre>`)
		for k := range frames {
			fmt.Fprintf(w, `<iframe src="/frame/%d" width="640" height="800"></iframe>`, k)
		}
		fmt.Fprint(w, `<script>setTimeout(async function(){
for(var n=0;n<50&&!document.querySelectorAll("iframe")[2].contentDocument.querySelector("svg");n++)await fetch("/frames");
document.querySelectorAll("iframe").forEach(function(f){
  var w=f.contentWindow;
  w.saved=[];
  w.HTMLAnchorElement.prototype.click=function(){w.saved.push(this.download+" "+this.href.slice(0,14))};
  var first=w.document.querySelector(".mkl-chart");
  first.querySelectorAll("button").forEach(function(b){b.click()})});
for(n=0;n<5;n++)await fetch("/frames");
var all=[].map.call(document.querySelectorAll("iframe"),function(f){
  return [].map.call(f.contentDocument.querySelectorAll(".mkl-chart"),function(e){
    var saved=f.contentWindow.saved||[];
    var svg=e.querySelector("svg"), img=e.querySelector("img"), box=e.querySelector("[role=img]");
    return {live:e.getAttribute("data-live")||"", shapes:svg?svg.querySelectorAll("path").length:0,
      label:box?box.getAttribute("aria-label"):"", alt:img?img.alt:"", shown:!!img&&img.style.display!=="none",saved:saved.join(" ")}})});
document.getElementById("report").textContent="REPORT"+JSON.stringify(all)+"END"},7000)</script></body>`)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	var got [][]struct {
		Live, Label, Alt, Saved string
		Shapes                  int
		Shown                   bool
	}
	rendertest.ReadReport(t, server.URL+"/", &got)
	if len(got) != len(frames) {
		t.Fatalf("%d reports of %d pages", len(got), len(frames))
	}
	for k, f := range frames {
		var w want
		for _, c := range got[k] {
			saved := ""
			if c.Live == "1" {
				saved = "chart.svg data:image/svg chart.png data:image/png"
			}
			if c.Saved != saved {
				t.Errorf("%s: the buttons save %q, want %q", f.name, c.Saved, saved)
			}
			if c.Live == "1" && c.Shapes > 2 && c.Label == `alt & "text"` && !c.Shown {
				w.drawn++
			}
			if c.Live != "1" && c.Shapes == 0 && c.Alt == `alt & "text"` && c.Shown {
				w.pictures++
			}
		}
		if w != f.want {
			t.Errorf("%s: %d drawn and %d pictures, want %d and %d: %+v", f.name, w.drawn, w.pictures, f.want.drawn,
				f.want.pictures, got[k])
		}
	}
}

// TestChartFollowsItsBox: a chart that was drawn in a wide box ends inside the box after the box has become narrower,
// scrolls in a very narrow box, is whole on narrow paper and again in the wide box, and is saved under its title. A
// browser without a window draws few frames, so the test reports the changes of the size itself.
func TestChartFollowsItsBox(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	rendertest.BrowserPath(t)
	f := viz.Bars("Weights, of 2 kernels", "Caption.", []string{"a", "b"}, viz.Bar{Name: "v", Values: []float64{1, 2}}).
		WithAxes("x", "y")
	pic, err := figures.Render(f)
	if err != nil {
		t.Fatal(err)
	}
	style, err := os.ReadFile(filepath.Join("report", "report.css"))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/kernelspecs/mkl/echarts.min.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join("..", "notebooks", "jupyter", "kernels", "mkl", "echarts.min.js"))
	})
	mux.HandleFunc("/wait", func(http.ResponseWriter, *http.Request) { time.Sleep(100 * time.Millisecond) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<!doctype html><meta charset="utf-8">
<body data-base-url="/"><script>var observers=[];window.ResizeObserver=function(f){this.observe=function(){observers.push(f)}}</script><div id="box" style="width:800px">%s</div>
<pre id="report"></pre><script>(async function(){
var box=document.getElementById("box"),e=document.querySelector(".mkl-chart"),got={Ends:[]};
HTMLAnchorElement.prototype.click=function(){got.Saved=this.download};
for(var n=0;n<50&&!e.querySelector("svg");n++)await fetch("/wait");
for(var width of [800,640,372,800]){
  box.style.width=width+"px";
  observers.forEach(function(f){f()});
  var right=0;
  e.querySelectorAll("svg path,svg text").forEach(function(p){right=Math.max(right,p.getBoundingClientRect().right)});
  got.Ends.push([right-e.getBoundingClientRect().left-e.scrollWidth,e.clientHeight/e.scrollWidth]);
}
e.querySelector("button").click();
box.style.width="372px"; // printed: the rules for paper, here for the screen
var paper=document.createElement("style");
paper.textContent=%q;
document.head.append(paper);
got.Printed=e.querySelector("svg").getBoundingClientRect().right-e.getBoundingClientRect().right;
document.getElementById("report").textContent="REPORT"+JSON.stringify(got)+"END"})()</script></body>`,
			chartHTML(f, pic), strings.Replace(string(style), "@media print", "@media all", 1))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	var got struct {
		Ends    [][2]float64 // pixels from the end of the content to that of the drawing; height/width of it
		Saved   string
		Printed float64 // pixels from the end of the box to that of the drawing on paper
	}
	got.Printed = math.Inf(1)
	rendertest.ReadReport(t, server.URL+"/", &got)
	if math.Abs(got.Printed) > 3 {
		t.Errorf("a printed chart ends %.0f px right of its box", got.Printed)
	}
	if len(got.Ends) != 4 || got.Saved != "weights-of-2-kernels.svg" {
		t.Fatalf("%+v", got)
	}
	for i, end := range got.Ends {
		if wide := got.Ends[0]; end[0] > 1 || end[0] < -40 || math.Abs(end[1]-wide[1]) > 0.05 {
			t.Errorf("width %d of 800, 640, 372, 800: the drawing ends %.0f px right of its box, height/width %.2f", i,
				end[0], end[1])
		}
	}
}

// TestTableScript: a click on a head sorts a table by numbers, a second click reverses the order, and the button copies
// the cells.
func TestTableScript(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	rendertest.BrowserPath(t)
	table := viz.Table("Title", "Caption.", []string{"name", "value"}, []any{"a", 2.5}, []any{"b", "–"},
		[]any{"c", -12.0}, []any{"d", 1e-7}, []any{"e", "10.5 ± 2"})
	p, err := drawReport(report.Report{{Figure: &table}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<!doctype html><meta charset="utf-8"><body>%s<pre id="report"></pre><script>
var table=document.querySelector("table"),got=[],order=function(){
  got.push([].map.call(table.tBodies[0].rows,function(r){return r.cells[0].innerText}).join(""))};
Object.defineProperty(navigator,"clipboard",{value:{writeText:function(t){got.push(t);return Promise.resolve()}}});
table.dispatchEvent(new MouseEvent("mouseover",{bubbles:true}));
table.tHead.rows[0].cells[1].click();order();
table.tHead.rows[0].cells[1].click();order();
table.querySelector("button").click();
document.getElementById("report").textContent="REPORT"+JSON.stringify(got)+"END"</script></body>`, p.html)
	}))
	defer server.Close()
	var got []string
	rendertest.ReadReport(t, server.URL+"/", &got)
	want := []string{"cdaeb", "eadcb", "name\tvalue\ne\t10.5 ± 2\na\t2.5\nd\t10⁻⁷\nc\t−12\nb\t–"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
