package render_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/viz"
	"github.com/mklnb/mkl/viz/render"
)

// TestOptionsDrawInABrowser draws every option with the ECharts that notebooks load and hovers over
// it: each chart must hold drawn shapes, show a tip, and run nothing out of a name.
func TestOptionsDrawInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no chromium or google-chrome on PATH")
	}
	library, err := filepath.Abs(filepath.Join("..", "..", "notebooks", "jupyter", "kernels", "mkl", "echarts.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(library); err != nil {
		t.Fatal(err)
	}

	all := samples()
	var figures []viz.Figure
	for _, name := range slices.Sorted(maps.Keys(all)) {
		figures = append(figures, all[name])
	}
	figures = append(figures, hostile()...)
	var page strings.Builder
	fmt.Fprintf(&page, `<!doctype html><meta charset="utf-8"><body><pre id="report"></pre><script src="file://%s"></script><script>
var alerts=0, charts=[]; window.alert=function(){alerts++};
function add(width,height,option){
  var r={error:"",shapes:0,tip:""}, div=document.createElement("div"); charts.push([r,div]);
  div.style.width=width+"px"; div.style.height=height+"px"; document.body.appendChild(div);
  try{ var c=echarts.init(div,null,{renderer:"svg"}); c.setOption(option);
    var g=option.grid[0], at=0;
    for(var k=0;k<option.series.length;k++) if(!option.series[k].silent){at=k;break}
    if(option.tooltip.trigger==="axis") c.dispatchAction({type:"showTip",x:g.left+g.width*0.3,y:g.top+g.height*0.3});
    else c.dispatchAction({type:"showTip",seriesIndex:at,dataIndex:0});
  }catch(e){ r.error=String(e) } }
</script><script>`, library)
	drawn := 0
	for _, f := range figures {
		p, err := render.Render(f, viz.FormOption)
		if err != nil {
			t.Fatal(err)
		}
		if p.Option == nil {
			continue
		}
		drawn++
		fmt.Fprintf(&page, "add(%d,%d,%s);\n", p.Width, p.Height, p.Option)
	}
	page.WriteString(`setTimeout(function(){
  charts.forEach(function(c){ var d=c[1]; c[0].shapes=d.querySelectorAll("svg path").length;
    c[0].tip=[].slice.call(d.children,1).map(function(e){return e.innerText}).join(" ").trim() });
  document.getElementById("report").textContent="REPORT"+JSON.stringify({alerts:alerts,scripts:document.querySelectorAll("div script").length,charts:charts.map(function(c){return c[0]})})+"END";
},500)</script></body>`)
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(page.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--allow-file-access-from-files",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--virtual-time-budget=20000", "--dump-dom", "file://"+file)
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", browser, err)
	}
	_, report, ok := strings.Cut(string(out), `id="report">REPORT`)
	report, _, end := strings.Cut(report, "END</pre>")
	if !ok || !end {
		t.Fatalf("the page wrote no report: %.400s", out)
	}
	var got struct {
		Alerts, Scripts int
		Charts          []struct {
			Error  string
			Shapes int
			Tip    string
		}
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(report)), &got); err != nil {
		t.Fatalf("%v: %.400s", err, report)
	}
	if got.Alerts != 0 || got.Scripts != 0 {
		t.Errorf("names ran %d scripts and made %d", got.Alerts, got.Scripts)
	}
	if len(got.Charts) != drawn || drawn < 12 {
		t.Fatalf("%d charts of %d", len(got.Charts), drawn)
	}
	k := 0
	for _, f := range figures {
		if f.Kind == viz.KindTable {
			continue
		}
		c := got.Charts[k]
		k++
		if c.Error != "" || c.Shapes < 4 {
			t.Errorf("%s %.40q: %d shapes, error %q", f.Kind, f.Title, c.Shapes, c.Error)
		}
		if !strings.ContainsAny(c.Tip, "0123456789") {
			t.Errorf("%s %.40q: hovering shows %q, expected a value", f.Kind, f.Title, c.Tip)
		}
	}
}
