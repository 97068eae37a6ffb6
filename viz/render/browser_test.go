package render_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/viz"
	"github.com/mklnb/mkl/viz/render/rendertest"
)

// newPage is the beginning of a page with the ECharts and the script that notebooks load: the function show.
func newPage(t *testing.T) *strings.Builder {
	t.Helper()
	rendertest.BrowserPath(t) // a skip is quick
	library, err := filepath.Abs(filepath.Join("..", "..", "notebooks", "jupyter", "kernels", "mkl", "echarts.min.js"))
	if err == nil {
		_, err = os.Stat(library)
	}
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("..", "..", "mklnb", "chart.js"))
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	fmt.Fprintf(&page, `<!doctype html><meta charset="utf-8"><body style="width:760px"><pre id="report"></pre>
<script src="file://%s"></script><script>var show=%s;</script>`, library, script)
	return &page
}

// TestOptionsDrawInABrowser draws every option with the script and the ECharts that notebooks load and
// hovers over it: each chart must hold drawn shapes, numbers written as in the picture and a tip, and run
// nothing out of a name.
func TestOptionsDrawInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	all := samples()
	names := slices.Sorted(maps.Keys(all))
	var figures []viz.Figure
	for _, name := range names {
		figures = append(figures, all[name])
	}
	figures = append(figures, hostile()...)
	page := newPage(t)
	page.WriteString(`<script>
var alerts=0, charts=[]; window.alert=function(){alerts++};
function add(width,height,option){
  var r={error:"",shapes:0,tip:"",texts:[]}, div=document.createElement("div"); charts.push([r,div,option]);
  div.id="chart"+charts.length; div.style.width=width+"px";
  div.appendChild(document.createElement("img")); document.body.appendChild(div);
  show(div.id,height,option);
}
</script><script>`)
	for _, f := range figures {
		p, _ := drawn(t, f)
		fmt.Fprintf(page, "add(%d,%d,%s);\n", p.Width, p.Height, p.Option)
	}
	page.WriteString(`
function chartElement(d){return [].filter.call(d.children,function(e){return echarts.getInstanceByDom(e)})[0]}
function texts(e){return [].map.call(e.querySelectorAll("svg text"),function(t){return t.textContent})}
setTimeout(function(){
  charts.forEach(function(c){ try{
    var d=c[1], option=c[2], g=option.grid[0], at=0, chart=echarts.getInstanceByDom(chartElement(d));
    c[0].shapes=d.querySelectorAll("svg path").length;
    c[0].texts=texts(d);
    for(var k=0;k<option.series.length;k++) if(!option.series[k].silent){at=k;break}
    var tip={type:"showTip",seriesIndex:at,dataIndex:0};
    if(option.tooltip.trigger==="axis") tip={type:"showTip",x:g.left+g.width*0.3,y:g.top+g.height*0.3};
    chart.dispatchAction(tip);
  }catch(e){ c[0].error=String(e) } });
},300);
setTimeout(function(){
  charts.forEach(function(c){
    c[0].tip=[].slice.call(chartElement(c[1]).children,1).map(function(e){return e.innerText}).join(" ").trim();
  });
  var scripts=document.querySelectorAll("div script").length;
  var report={alerts:alerts,scripts:scripts,charts:charts.map(function(c){return c[0]})};
  document.getElementById("report").textContent="REPORT"+JSON.stringify(report)+"END";
},900)</script></body>`)
	var got struct {
		Alerts, Scripts int
		Charts          []struct {
			Error  string
			Shapes int
			Tip    string
			Texts  []string
		}
	}
	rendertest.ReadReport(t, rendertest.WritePage(t, "options.html", page.String()), &got)
	if got.Alerts != 0 || got.Scripts != 0 {
		t.Errorf("names ran %d scripts and made %d", got.Alerts, got.Scripts)
	}
	if len(got.Charts) != len(figures) {
		t.Fatalf("%d charts of %d", len(got.Charts), len(figures))
	}
	checked := 0
	hyphen := regexp.MustCompile(`^-[0-9]|[0-9]e[+-]?[0-9]`)
	for k, f := range figures {
		c := got.Charts[k]
		if k < len(names) {
			for _, text := range axisTexts[names[k]] {
				checked++
				if !slices.Contains(c.Texts, text) {
					t.Errorf("%s: no text %q in %q", names[k], text, c.Texts)
				}
			}
		}
		for _, text := range c.Texts {
			if k < len(names) && hyphen.MatchString(text) {
				t.Errorf("%s: the number %s, expected − and powers of ten", names[k], text)
			}
		}
		if c.Error != "" || c.Shapes < 4 {
			t.Errorf("%s %.40q: %d shapes, error %q", f.Kind, f.Title, c.Shapes, c.Error)
		}
		if !strings.ContainsAny(c.Tip, "0123456789") {
			t.Errorf("%s %.40q: hovering shows %q, expected a value", f.Kind, f.Title, c.Tip)
		}
	}
	if checked != 13 {
		t.Errorf("%d texts of axes checked, expected 13", checked)
	}
}

// axisTexts are numbers on axes and color bars of samples.
var axisTexts = map[string][]string{
	"zerogap":     {"10⁻¹²", "10⁻³", "1", "8"},
	"signed":      {"−1", "1"},
	"flippedbars": {"0", "0.1", "0.5"},
	"lines":       {"10⁻³", "1", "10³", "0.6"},
}
