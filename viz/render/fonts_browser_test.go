package render_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/viz/render/rendertest"
)

// measureTexts reports, of every text of the SVGs in the element e, what runs out of its SVG or into
// another text by more than a pixel in both directions.
const measureTexts = `function measureTexts(e){
  var bad=[];
  [].forEach.call(e.querySelectorAll("svg"),function(s){
    var S=s.getBoundingClientRect(), T=[];
    [].forEach.call(s.querySelectorAll("text"),function(t){
      var r=t.getBoundingClientRect(), d=Math.min(r.height,r.width)*0.18; // letters are lower than their line
      if(!t.textContent.trim()||!r.width||t.closest('[opacity="0"],[fill="transparent"]'))return;
      var q={l:r.left,r:r.right,t:r.top,b:r.bottom,x:t.textContent};
      if(r.height>r.width){q.l+=d;q.r-=d}else{q.t+=d;q.b-=d}
      if(q.l<S.left-0.5||q.r>S.right+0.5||q.t<S.top-0.5||q.b>S.bottom+0.5)bad.push("outside: "+q.x);
      T.forEach(function(o){
        var w=Math.min(o.r,q.r)-Math.max(o.l,q.l), h=Math.min(o.b,q.b)-Math.max(o.t,q.t);
        if(w>1&&h>1)bad.push(o.x+" and "+q.x+" share "+w.toFixed(1)+"×"+h.toFixed(1));
      });
      T.push(q);
    });
    e.texts=(e.texts||0)+T.length;
  });
  return bad;
}`

// TestTextsDoNotOverlap measures, in a browser with fonts of the widths of Arial and in one with wider
// fonts alone, the place of every text of the pictures and of the interactive charts.
func TestTextsDoNotOverlap(t *testing.T) {
	testenv.SkipUnlessLong(t)
	all := samples()
	names := slices.Sorted(maps.Keys(all))
	page := newPage(t)
	fmt.Fprintf(page, "<script>%s</script>", measureTexts)
	for k, name := range names {
		p, _ := drawn(t, all[name])
		fmt.Fprintf(page, `<div class="still">%s</div><div class="live" id="c%d" style="width:%dpx"><img width="%[3]d"></div>
<script>show("c%d",%d,%s)</script>`, p.SVG, k, p.Width, k, p.Height, p.Option)
	}
	page.WriteString(`<script>setTimeout(function(){
var of=function(c){
  return [].map.call(document.querySelectorAll(c),function(e){var b=measureTexts(e);return {bad:b,texts:e.texts||0}});
};
document.getElementById("report").textContent="REPORT"+JSON.stringify({still:of(".still"),live:of(".live")})+"END";
},1500)</script></body>`)
	address := rendertest.WritePage(t, "texts.html", page.String())
	for fonts, env := range rendertest.FontVariables(t) {
		t.Run(fonts, func(t *testing.T) {
			type measured struct {
				Bad   []string
				Texts int
			}
			var got struct{ Still, Live []measured }
			rendertest.ReadReport(t, address, &got, env)
			if len(got.Still) != len(names) || len(got.Live) != len(names) {
				t.Fatalf("%d pictures and %d charts measured of %d", len(got.Still), len(got.Live), len(names))
			}
			for k, name := range names {
				for form, m := range map[string]measured{"picture": got.Still[k], "chart": got.Live[k]} {
					if m.Texts < 5 {
						t.Errorf("%s, %s: %d texts measured", name, form, m.Texts)
					}
					for _, bad := range m.Bad {
						t.Errorf("%s, %s: %s", name, form, bad)
					}
				}
			}
		})
	}
}
