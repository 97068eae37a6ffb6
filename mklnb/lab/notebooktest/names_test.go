package notebooks

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// markup is what a kernel, a dataset, a class or a column may be called in somebody's file.
var markup = []string{`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`}

// names runs a notebook in which everything that has a name is called by markup, and looks for it as
// text: after the run, in the notebook that nobody trusts, in the exported page.
func (s *labServer) names(t *testing.T) {
	cells := append(called, `%%
nb.Load(names[0])`)
	s.scratch(t, "names.ipynb", cells...)

	p := s.open(t, "names.ipynb")
	p.runAll()
	p.finished(len(cells))
	charts := p.look()
	// Of each name: dataset, result, seven kinds, two of Learn, a study.
	if live := p.live(); live != charts || charts < 12*len(markup) {
		t.Errorf("%d charts, %d live, expected all of %d or more", charts, live, 12*len(markup))
	}
	tips := ""
	for i := range charts {
		text := p.hover(i)
		if text == "" {
			p.fail("no tooltip with a value over the data of chart %d", i+1)
		}
		tips += text + "\n"
	}
	for _, name := range markup {
		if n := strings.Count(tips, name); n < 5 {
			t.Errorf("%s is in %d tooltips, expected it in those of every kind that names what one points at", name, n)
		}
	}
	p.staysText(len(cells), true)
	if seen := p.audit("every kind of chart", charts); seen.Tables < 4*len(markup) {
		t.Errorf("%d tables, expected at least those of datasets, results, Learn and a study", seen.Tables)
	}
	t.Logf("%d charts; %s", charts, p.whole("live"))

	s.scratch(t, "called.ipynb", called...) // without the cell that fails
	untrusted, exported := s.fromElsewhere(t, charts, execute(t, filepath.Join(s.Dir, "called.ipynb")))
	untrusted.staysText(len(called), false)
	exported.staysText(len(called), true)
}

// staysText says where a name is not text: a dialog that was opened, an element that no chart has made, a
// handler of events, a cell or chart that has lost a name.
func (p *page) staysText(cells int, live bool) {
	p.t.Helper()
	names, err := json.Marshal(markup)
	if err != nil {
		p.t.Fatal(err)
	}
	var faults []string
	p.value(&faults, fmt.Sprintf(`((names, cells, live) => {
		let named = 0;
		const faults = [], all = s => [...document.querySelectorAll(s)];
		const say = text => faults.push(text);
		const charts = all(".jp-OutputArea .mkl-chart");
		const scripts = all(".jp-OutputArea-output script");
		if (scripts.length !== (live ? charts.length : 0)) say(scripts.length + " scripts for " + charts.length + " charts");
		if (scripts.some(s => !s.textContent.startsWith("(function(id,height,option){"))) say("a script that no chart has made");
		const strange = all(".jp-OutputArea img, .jp-OutputArea iframe, .jp-OutputArea object").filter(i => !(i.matches('.mkl-chart > img[src^="data:image/svg+xml;base64,"]') || i.closest('.mkl-chart > [role="img"]')));
		if (strange.length) say("elements: " + strange.map(e => e.outerHTML.slice(0, 100)).join(" "));
		const handled = all("*").filter(e => [...e.attributes].some(a => /^on/.test(a.name)) && e.closest(".jp-OutputArea"));
		if (handled.length) say("handlers: " + handled.map(e => e.outerHTML.slice(0, 100)).join(" "));
		if (all('img[src="x"]').length) say("an image x");
		const text = e => { e = e.cloneNode(true); e.querySelectorAll("script, style").forEach(s => s.remove()); return e.textContent; };
		const code = all(".jp-CodeCell").filter(c => c.querySelector(".jp-OutputArea-output"));
		if (code.length !== cells - 1) say(code.length + " cells with outputs, expected " + (cells - 1)); // the first declares
		code.forEach((c, i) => names.forEach((n, k) => {
			if (i === %d ? k === 0 : true) if (![...c.querySelectorAll(".jp-OutputArea-output")].some(o => text(o).includes(n))) say("cell " + (i + 2) + " does not show " + n);
		}));
		charts.forEach((c, i) => {
			const box = c.querySelector('[role="img"]'), img = c.querySelector("img");
			const alt = box ? box.getAttribute("aria-label") : img ? img.alt : "";
			const shown = box ? [...box.querySelectorAll("svg text")].map(t => t.textContent).join("\n") : alt;
			if (!alt) say("chart " + (i + 1) + " has no text in its place");
			named += names.some(n => shown.includes(n));
			if (box && names.some(n => shown.includes(n)) && !/\d/.test(shown)) say("chart " + (i + 1) + " shows no number");
		});
		if (named < charts.length - names.length) say(named + " of " + charts.length + " charts show a name, expected all but Learn's of the weights");
		return faults;
	})(%s, %d, %v)`, len(called)-1, names, cells, live))
	for _, f := range faults {
		p.t.Errorf("%s: %s", p.name, f)
	}
	if said := p.dialogs.String(); said != "" {
		p.t.Errorf("%s: dialogs were opened: %s", p.name, said)
	}
}

// called is a notebook of everything that has a name.
var called = []string{
	`import (
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	nb "github.com/mklnb/mkl/mklnb"
	"github.com/mklnb/mkl/viz"
)

var names = []string{"</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>"}

// rings is a dataset of that name, with classes, columns and a source of that name.
func rings(name string) *data.Dataset {
	d := *data.Rings(60, 7)
	x := d.X.(kernel.Rows)
	x.Names = []string{name, name + "2"}
	d.X, d.Name, d.Title, d.Target, d.Classes = x, name, name, name, []string{name, name + "+"}
	d.Prepared, d.Source, d.Licence, d.Note = name, name, name, name
	return &d
}

// figures are one of every kind.
func figures(name string) []viz.Figure {
	xy := viz.Points{X: []float64{1, 2, 3}, Y: []float64{4, 5, 6}}
	grid := []float64{0, 1, 2}
	z := viz.Tabulate(grid, grid, func(x, y float64) float64 { return x*x - y })
	lines := viz.LogLines(name, name, viz.Line{Name: name, XYs: xy, Lo: []float64{3, 4, 5}, Hi: []float64{5, 6, 7}, Band: name}).
		WithAxes(name, name).WithBaseline(name+".", 5)
	return []viz.Figure{
		lines,
		viz.Scatter(name, name, viz.Line{Name: name, XYs: xy}).WithAxes(name, name),
		viz.Bars(name, name, []string{name, "b"}, viz.Bar{Name: name, Values: []float64{1, 2}, Lo: []float64{0.9, 1.8}, Hi: []float64{1.1, 2.2}, Band: name},
			viz.Bar{Name: "other", Values: []float64{1, 2}}).WithAxes(name, name),
		viz.Heat(name, name, grid, grid, z).WithAxes(name, name).WithColour(name).WithRegion(name, z).WithLines(viz.Line{Name: name + ".", XYs: viz.Points{X: []float64{0.5, 1.5}, Y: []float64{1, 1}}}),
		viz.Matrix(name, name, viz.Rows(z)).WithColour(name).WithLabels([]string{name, "b", "c"}, []string{"a", name, "c"}),
		viz.Signed(name, name, viz.Rows(z)).WithColour(name),
		viz.Multiples(name, name, 2, lines, lines).WithAxes(name, name),
		viz.Table(name, name, []string{name, "n"}, []any{name, 3}, []any{viz.Strong(viz.Number(2, 1)), "–"}).WithNotes(name),
	}
}
`,
	`%%
for _, name := range names {
	nb.Show(rings(name))
}`,
	`%%
for _, name := range names {
	bases := kernel.List{
		kernel.Precomputed{Name: name, N: 3, Data: []float64{2, 1, 0, 1, 2, 0, 0, 0, 1}},
		kernel.Precomputed{Name: name + "2", N: 3, Data: []float64{1, 0, 1, 0, 1, 0, 1, 0, 2}},
	}
	p := &mkl.Problem{Grams: bases.On(kernel.AllPlaces(3)), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: []float64{1, -1, 2}}
	r := nb.Solve(p, mkl.SPG{}, nil)
	nb.Show(r)
	nb.Check(name, r.RelativeGap(), 0, 1e-6)
}`,
	`%%
for _, name := range names {
	nb.Show(figures(name))
}`,
	`%%
for _, name := range names {
	d := rings(name)
	l := nb.Learn(d, study.WithLambda(0.1), study.WithSplits(nb.Must(study.Holdout(d.Y, 0.3, 3, 1))))
	nb.Show(l)
	nb.Show(l.Model)
}`,
	`%%
for _, name := range names {
	d := rings(name)
	nb.Show(nb.Run(&study.Study{
		Data:      d,
		Splits:    nb.Must(study.Holdout(d.Y, 0.3, 3, 1)),
		Selection: study.Selection{Folds: 3},
		Methods: []study.Method{
			{Name: name, Family: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}, Grid: study.Grid{study.Ridge(0.1)}},
			{Name: "uniform", Family: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}, Grid: study.Grid{study.Ridge(0.1), study.Rules(mkl.Uniform{})}},
		},
	}))
}`,
	`%%
for _, name := range names {
	nb.Show(name, fmt.Errorf("an error about %s", name), []string{name})
	fmt.Println("printed:", name)
}`,
}
