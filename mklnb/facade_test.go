package mklnb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

// recorder is an edge that keeps what it is shown.
type recorder struct {
	shown, updated []page
	ids            []string
	err            error
}

func (r *recorder) show(p page) error { r.shown = append(r.shown, p); return r.err }

func (r *recorder) update(id string, p page) error {
	r.ids, r.updated = append(r.ids, id), append(r.updated, p)
	return r.err
}

// exited is what exit panics with in tests.
type exited int

// record lets a test see what is shown; where f ends the program, the status is returned, else −1.
func record(t *testing.T, f func()) (r *recorder, status int) {
	t.Helper()
	r = &recorder{}
	oldDisplay, oldExit, oldStop := display, exit, interrupt
	display, exit, interrupt = func() edge { return r }, func(status int) { panic(exited(status)) }, newStopper()
	defer func() {
		display, exit, interrupt = oldDisplay, oldExit, oldStop
		if e, ok := recover().(exited); ok {
			status = int(e)
		}
	}()
	f()
	return r, -1
}

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"The gap falls, 10× a step!": "the-gap-falls-10-a-step",
		"θ":                          "figure",
		"":                           "figure",
		"../../etc/passwd":           "etc-passwd",
		strings.Repeat("ab ", 40):    strings.Repeat("ab-", 13) + "a",
	} {
		if got := slug(title); got != want {
			t.Errorf("slug(%q) = %q, want %q", title, got, want)
		}
	}
}

// TestTerminal: outside a notebook text is printed and figures are written, and it says where.
func TestTerminal(t *testing.T) {
	var out bytes.Buffer
	term := &terminal{out: &out, folder: filepath.Join(t.TempDir(), "pictures")}
	p := page{text: "some text\n\n", html: "<p>", pictures: []picture{
		{Picture: viz.Picture{SVG: "<svg/>", PNG: []byte("PNG")}, title: "The first", html: "<div>1</div>"},
		{Picture: viz.Picture{SVG: "<svg/>"}, title: "<b>", html: "<div>2</div>"},
	}}
	if err := term.show(p); err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(term.folder, "01-the-first")
	second := filepath.Join(term.folder, "02-b")
	want := "some text\nwrote " + base + ".svg, " + base + ".png, " + base + ".html\nwrote " + second + ".svg, " + second + ".html\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	for file, want := range map[string]string{base + ".svg": "<svg/>", base + ".png": "PNG", base + ".html": "<div>1</div>", second + ".html": "&lt;b&gt;"} {
		if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s holds %q (%v), want %q", file, b, err, want)
		}
	}
	term.folder = filepath.Join(base+".svg", "below a file")
	if err := term.show(p); err == nil || !strings.Contains(err.Error(), "MKL_OUT") {
		t.Errorf("error %v, want one that says how to write elsewhere", err)
	}
}

// TestTerminalFigures: the whole way of a figure outside a notebook, with this test's renderer.
func TestTerminalFigures(t *testing.T) {
	var out bytes.Buffer
	dir := t.TempDir()
	_, status := record(t, func() {
		display = func() edge { return &terminal{out: &out, folder: dir} }
		Show(viz.Lines("A line", "Of three points.", viz.Line{Name: "y", XYs: viz.Values{1, 2, 3}}).WithAxes("x", "y"))
	})
	if status != -1 {
		t.Fatalf("exit status %d: %s", status, out.String())
	}
	files, err := filepath.Glob(filepath.Join(dir, "01-a-line.*"))
	if err != nil || len(files) != 3 {
		t.Errorf("files %v (%v), want SVG, PNG and HTML:\n%s", files, err, out.String())
	}
}

// TestLostEdge: a notebook that cannot be reached ends the program.
func TestLostEdge(t *testing.T) {
	_, status := record(t, func() {
		display = func() edge { return &recorder{err: errors.New("gonb: gone")} }
		put(note("a result"))
	})
	if status != 1 {
		t.Errorf("status %d, want 1", status)
	}
}

func TestMust(t *testing.T) {
	if v := Must(3, nil); v != 3 {
		t.Errorf("Must(3, nil) = %d", v)
	}
	Try(nil)
	if _, status := record(t, func() { Must(3, errors.New("no")) }); status != 1 {
		t.Errorf("status %d of an error, want 1", status)
	}
	if _, status := record(t, func() { Try(errors.New("no")) }); status != 1 {
		t.Errorf("status %d of an error, want 1", status)
	}
}

func TestSize(t *testing.T) {
	for name, want := range map[string]string{"small": "a", "": "b", "default": "b", "full": "c"} {
		t.Setenv("MKL_SIZE", name)
		if got := Size("a", "b", "c"); got != want {
			t.Errorf("MKL_SIZE=%q: %s, want %s", name, got, want)
		}
	}
	t.Setenv("MKL_SIZE", "large")
	if _, status := record(t, func() { Size(1, 2, 3) }); status != 1 {
		t.Errorf("an unknown size ended with %d, want 1", status)
	}
}

// TestLoad: a set whose file is not there, and a path, end the cell.
func TestLoad(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	t.Setenv("MKL_DATA", "")
	for name, want := range map[string]int{"sonar": -1, "parkinsons": 1, "my.csv": 1, "./sonar": 1} {
		if _, status := record(t, func() { Load(name) }); status != want {
			t.Errorf("Load(%q) ended with %d, want %d", name, status, want)
		}
	}
}

// What a file needs said is said with the call that says it.
func TestOpenNamesTheCall(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, want := range map[string]string{
		"a,b,y\n1,,0\n2,3,1\n":                `nb.Must(data.Options{Missing: data.Drop}.Open("my.csv"))`,
		"a,b,y\n1,$3.50,0\n2,$4,1\n":          `nb.Must(data.Options{Amounts: []string{"…"}}.Open("my.csv"))`,
		"a;b;y\n1.5;1,25;0\n2;2,345;1\n":      `nb.Must(data.Options{Decimal: ','}.Open("my.csv"))`,
		"a,y\n1,0.5\n2,1.5\n3,2.5\n":          `nb.Must(data.Options{Regression: true}.Open("my.csv"))`,
		"0,1,2\n3,4,1\n5,1,0\n2,2,1\n1,7,0\n": `nb.Must(data.Options{Header: data.HeaderYes}.Open("my.csv"))`,
		"target,a\n1,0.5\n0,0.25\n1,0.125\n":  `nb.Must(data.Options{Regression: true}.Open("my.csv"))`,
	} {
		if err := os.WriteFile("my.csv", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := data.Open("my.csv")
		if err == nil {
			t.Errorf("%q: no error", text)
			continue
		}
		got := withOptions("my.csv", err).Error()
		if !strings.HasPrefix(got, err.Error()) || !strings.HasSuffix(got, "; options are set by "+want) {
			t.Errorf("%q: %s, want %s at the end", text, got, want)
		}
		if _, status := record(t, func() { Open("my.csv") }); status != 1 {
			t.Errorf("%q: Open ended with %d", text, status)
		}
	}
	if err := errors.New("data: Options.Wrong is none"); withOptions("my.csv", err) != err {
		t.Error("a field that does not exist is named")
	}
	_, err := data.Open("absent.csv")
	if got := withOptions("absent.csv", err); got != err {
		t.Errorf("%v", got)
	}
}

func TestCheck(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		got, want, tol float64
		ok             bool
	}{
		{1, 1, 0, true}, {1.05, 1, 0.1, true}, {1.2, 1, 0.1, false}, {0.8, 1, 0.1, false}, {inf, inf, 0, true},
		{inf, -inf, 1, false}, {nan, nan, inf, false}, {nan, 1, 1, false}, {1, nan, 1, false}, {1, 2, nan, false}, {1, 1, -1, false},
	} {
		r, status := record(t, func() { Check("name", c.got, c.want, c.tol) })
		if (status == -1) != c.ok {
			t.Errorf("Check(%v, %v, %v) ended with %d", c.got, c.want, c.tol, status)
		}
		if c.tol >= 0 && (len(r.shown) != 1 || strings.HasPrefix(r.shown[0].text, "✓") != c.ok || !strings.Contains(r.shown[0].text, "got "+number(c.got)+", want "+number(c.want))) {
			t.Errorf("Check(%v, %v, %v) showed %v", c.got, c.want, c.tol, r.shown)
		}
	}
	if _, status := record(t, func() { CheckTrue("a", false) }); status != 1 {
		t.Errorf("CheckTrue of false ended with %d", status)
	}
	r, _ := record(t, func() {
		before := checks.done
		CheckTrue("a", true)
		Check("b", 1, 1, 0)
		if checks.done != before+2 {
			t.Errorf("%d checks counted, want 2", checks.done-before)
		}
		Checks()
	})
	if last := r.shown[len(r.shown)-1].text; !strings.Contains(last, fmt.Sprint(checks.done)+" check") {
		t.Errorf("Checks shows %q", last)
	}
	// what was stopped is not judged
	r, status := record(t, func() { interrupt.cancel(); Check("late", 1, 2, 0); Check("right all the same", 1, 1, 0) })
	if status != -1 || !strings.HasPrefix(r.shown[0].text, "–") || !strings.HasPrefix(r.shown[1].text, "✓") {
		t.Errorf("after a stop: status %d, %v", status, r.shown)
	}
}

// TestMeter: a bar appears after a second and not before, moves when something changed, and ends as
// a line in the same place.
func TestMeter(t *testing.T) {
	r := &recorder{}
	now := state{done: 0.25, left: 30 * time.Second, text: "step 3"}
	var log strings.Builder
	m := &meter{title: "SPG", edge: r, log: &log, quit: make(chan struct{}), start: time.Now(), state: func(time.Duration) state { return now }}
	for _, after := range []time.Duration{0, 200 * time.Millisecond, 999 * time.Millisecond} {
		m.tick(m.start.Add(after))
	}
	if len(r.updated) != 0 {
		t.Fatalf("a bar after less than a second: %v", r.updated)
	}
	m.tick(m.start.Add(time.Second))
	m.tick(m.start.Add(1200 * time.Millisecond)) // nothing changed
	now.done, now.text = 0.5, "step <4>"
	m.tick(m.start.Add(1400 * time.Millisecond))
	if len(r.updated) != 2 {
		t.Fatalf("%d bars, want 2", len(r.updated))
	}
	if got, want := r.updated[0].text, "SPG: step 3, about 30 s left"; got != want {
		t.Errorf("the bar says %q, want %q", got, want)
	}
	if got := r.updated[1].html; !strings.Contains(got, `<progress aria-label="SPG" value="0.500" max="1">`) || !strings.Contains(got, "step &lt;4&gt;") {
		t.Errorf("the bar is %s", got)
	}
	for k := 2; k < 60; k++ { // a pipe gets lines at 5, 7.5, … seconds
		now.text = fmt.Sprint("step ", k)
		m.tick(m.start.Add(time.Duration(k) * time.Second))
	}
	if got, want := log.String(), "SPG: step 5, about 30 s left\nSPG: step 8, about 30 s left\nSPG: step 12, about 30 s left\nSPG: step 18, about 30 s left\nSPG: step 27, about 30 s left\nSPG: step 41, about 30 s left\n"; got != want {
		t.Errorf("the pipe has %q, want %q", got, want)
	}
	r.updated, r.ids = r.updated[:2], r.ids[:2]
	m.end(func() string { return "done." })
	if len(r.updated) != 3 || r.updated[2].text != "done." || slices.Compact(slices.Clone(r.ids))[0] != r.ids[2] || r.ids[0] == "" {
		t.Errorf("ended as %v in %v", r.updated, r.ids)
	}
	quick := &recorder{}
	m = &meter{title: "SPG", edge: quick, quit: make(chan struct{}), start: time.Now(), state: func(time.Duration) state { return now }}
	m.end(func() string { return "done." })
	if len(quick.updated) != 0 {
		t.Error("work that showed no bar showed its end")
	}
}

// TestTimeLeft: of a gap that falls evenly on a logarithmic scale the rest is known; without a gap it
// is what the steps left take.
func TestTimeLeft(t *testing.T) {
	m := newGapMeter(&mkl.Settings{Gap: 1e-6, Iterations: 1000})
	if s := m.state(0); s.left != 0 || s.done != 0 {
		t.Errorf("before the first step: %+v", s)
	}
	at := func(k int) time.Duration { return time.Duration(k) * 100 * time.Millisecond }
	last := 0.0
	for k := range 20 { // halved every tenth of a second: 1e-6 is reached after log₂10⁶ = 19.9 steps
		m.record(k, math.Pow(0.5, float64(k)), at(k))
		if k == 0 {
			continue
		}
		s := m.state(at(k))
		want := time.Duration((math.Log2(1e6) - float64(k)) * float64(100*time.Millisecond))
		if d := s.left - want; d.Abs() > 10*time.Millisecond {
			t.Errorf("step %d: %v left, want %v", k, s.left, want)
		}
		if s.done <= last || s.done > 1 {
			t.Errorf("step %d: done %.3f after %.3f", k, s.done, last)
		}
		last = s.done
	}
	m.record(20, 1e-7, at(20))
	if s := m.state(at(20)); s.done != 1 || s.left != 0 || !strings.Contains(s.text, "20 steps, relative gap 10⁻⁷") {
		t.Errorf("at the goal: %+v", s)
	}
	m = newGapMeter(&mkl.Settings{Iterations: 10})
	m.record(4, math.Inf(1), at(4)) // no bound yet
	if s := m.state(at(4)); s.left != at(6) || s.done != 0.4 {
		t.Errorf("4 of 10 steps in %v: %+v", at(4), s)
	}
	m.record(5, math.NaN(), at(5))
	m.record(6, 1e300, at(6))
	if s := m.state(at(6)); s.done < 0 || s.done > 1 || s.left < 0 {
		t.Errorf("odd gaps: %+v", s)
	}
}

func TestInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		300 * time.Millisecond: "1 s", 4400 * time.Millisecond: "4 s", 63 * time.Second: "65 s", 3 * time.Minute: "3 min", 2 * time.Hour: "2.0 h",
	} {
		if got := inWords(d); got != want {
			t.Errorf("%v in words is %q, want %q", d, got, want)
		}
	}
}

// grams counts evaluations.
type grams struct {
	kernel.Grams
	at func()
}

func (g grams) New() kernel.Gram { return gram{g.Grams.New(), g} }

type gram struct {
	kernel.Gram
	g grams
}

func (g gram) At(theta []float64) { g.g.at(); g.Gram.At(theta) }

// TestStoppedSolve: after the stop no further evaluation is begun.
func TestStoppedSolve(t *testing.T) {
	var res *mkl.Result
	n := 0
	r, status := record(t, func() {
		p := ringsProblem()
		p.Grams = grams{p.Grams, func() {
			if n++; n == 5 {
				interrupt.cancel()
			}
		}}
		res = Solve(p, mkl.PGD{Rule: mkl.Constant, Eta: 1e-9}, &mkl.Settings{Gap: 1e-14, Iterations: 1e6})
	})
	if status != -1 || n != 5 || res.Status != mkl.Stopped {
		t.Fatalf("status %d, %d evaluations, %v; want 5 and stopped", status, n, res)
	}
	if len(r.shown) != 1 || !containsEvery(r.shown[0].text, "stopped after", "certificate", "Best so far:") || !strings.Contains(r.shown[0].html, "#b84600") {
		t.Errorf("shown: %v", r.shown)
	}
}

// TestStoppedStudy: Learn and Run return what was finished, Show marks it as stopped, and there is
// nothing to save.
func TestStoppedStudy(t *testing.T) {
	d := data.Rings(40, 7)
	halves := Must(study.Halves(d.Y, 3, 1))
	family := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}
	r, status := record(t, func() {
		interrupt.cancel()
		table := Run(&study.Study{Data: d, Splits: halves, Store: t.TempDir(), Methods: []study.Method{{Name: "learned", Family: family}}})
		if !table.Stopped {
			t.Error("the table is not marked")
		}
		l := Learn(d, study.WithSplits(halves), study.WithStore(t.TempDir()))
		if l.Model != nil || !l.Table.Stopped {
			t.Error("Learn has a model, or no mark")
		}
		Show(table, l)
		Save("stopped", l.Model)
	})
	if status != -1 {
		t.Fatalf("ended with %d", status)
	}
	if len(r.shown) != 5 {
		t.Fatalf("%d pages, want 5: %v", len(r.shown), r.shown)
	}
	for i, p := range r.shown {
		if !strings.Contains(strings.ToLower(p.text), "stopped") {
			t.Errorf("page %d does not say stopped: %s", i, p.text)
		}
	}
}

// TestLearnThreeClasses: the page says how classes are learned and which are taken for which; the model
// kept gives the names back.
func TestLearnThreeClasses(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	var in strings.Builder
	in.WriteString("height,width,kind\n")
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 45 {
		fmt.Fprintf(&in, "%v,%v,%s\n", float64(i%3)+0.3*rng.NormFloat64(), rng.NormFloat64(), []string{"small", "middle", "large"}[i%3])
	}
	d := Must(data.Options{Format: data.CSV, Name: "kinds"}.Read(strings.NewReader(in.String())))
	r, status := record(t, func() {
		Show(d)
		l := Learn(d, study.WithSplits(Must(study.Halves(d.Y, 2, 1))), study.WithLambda(1))
		Show(l)
		Save("kinds", l.Model)
		names := Must(LoadModel("kinds").Classify(d.X))
		right := 0
		for i, name := range names {
			if name == []string{"small", "middle", "large"}[i%3] {
				right++
			}
		}
		if right < 38 {
			t.Errorf("%d of 45 kinds are right", right)
		}
	})
	if status != -1 || len(r.shown) != 4 {
		t.Fatalf("status %d, %d pages", status, len(r.shown))
	}
	if !containsEvery(r.shown[1].text, "kinds: a model in ", ", λ = 1). Show says how good it is.") || !containsEvery(r.shown[2].text, "on points left out, where", "(WithMethod takes another)") {
		t.Errorf("the first line of Learn: %s", r.shown[1].text)
	}
	if !containsEvery(r.shown[0].text, "3: large: 15, middle: 15, small: 15") {
		t.Errorf("the page of the data:\n%s", r.shown[0].text)
	}
	if !containsEvery(r.shown[2].text, "Right on ", "% of points it has not seen (95 % interval ", "always saying the commonest class: ", "one against the rest, 3 classes, one kernel for all", "most often takes", "balanced accuracy") {
		t.Errorf("the page of Learn:\n%s", r.shown[2].text)
	}
}

// Three targets of a file: their ranges, one kernel, a score for each, the model kept.
func TestLearnThreeTargets(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	var in strings.Builder
	in.WriteString("height,width,area,twice,noise\n")
	rng := rand.New(rand.NewPCG(1, 3))
	for range 40 {
		h, w := rng.NormFloat64(), rng.NormFloat64()
		fmt.Fprintf(&in, "%v,%v,%v,%v,%v\n", h, w, h*w, 2*h, rng.NormFloat64())
	}
	d := Must(data.Options{Format: data.CSV, Name: "sheet", Targets: []string{"area", "twice", "noise"}}.Read(strings.NewReader(in.String())))
	r, status := record(t, func() {
		Show(d)
		l := Learn(d, study.WithSplits(Must(study.Halves(d.Y, 2, 1))), study.WithLambda(0.01))
		Show(l)
		Save("sheet", l.Model)
		if s := Score(LoadModel("sheet"), d); len(s.Targets) != 3 || !(s.Targets[1].R2 > 0.9) {
			t.Errorf("score %v of %v", s, s.Targets)
		}
	})
	if status != -1 || len(r.shown) != 4 {
		t.Fatalf("status %d, %d pages", status, len(r.shown))
	}
	if !containsEvery(r.shown[0].text, "area from", "twice from", "noise from", "The targets area of sheet lie between") {
		t.Errorf("the page of the data:\n%s", r.shown[0].text)
	}
	if !containsEvery(r.shown[1].text, "sheet: a model in ") || !containsEvery(r.shown[2].text, "of 3 targets, each in units of its standard deviation") {
		t.Errorf("the first line of Learn: %s", r.shown[1].text)
	}
	if !containsEvery(r.shown[2].text, "sheet, area: off by ", "(RMSE) on points it has not seen", "sheet, noise: off by ", "That is not clearly better than no skill") {
		t.Errorf("the page of Learn:\n%s", r.shown[2].text)
	}
}

// TestLearn: one call, its page, the model kept and used again, and the same question answered from
// the store.
func TestLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("learns on twelve small splits")
	}
	t.Setenv("MKL_CACHE", t.TempDir())
	d := data.Rings(60, 7)
	halves := Must(study.Halves(d.Y, 3, 1))
	var l *study.Learned
	r, status := record(t, func() {
		l = Learn(d, study.WithSplits(halves))
		Show(l, l.Table)
		Save("rings", l.Model)
	})
	if status != -1 || len(r.shown) != 4 {
		t.Fatalf("status %d, %d pages", status, len(r.shown))
	}
	if !containsEvery(r.shown[1].text, "% of points it has not seen", "no skill", "weights not learned", "Defaults taken", "study.WithFamily", "uniform", "best single") {
		t.Errorf("the page of Learn:\n%s", r.shown[1].text)
	}
	first := l.Score() + "\n" + l.Taken() + "\n" + l.Result.Solver + ": F = "
	if !strings.HasPrefix(r.shown[1].text, first) || !strings.HasPrefix(l.String(), first) || !strings.HasPrefix(first, "Right on ") {
		t.Errorf("a result begins with its score, what was chosen and the solve:\n%s\nand\n%v\nwant\n%s", r.shown[1].text, l, first)
	}
	l.Warnings = []string{"the model is doubtful"}
	if p := Must(Must(ofLearned(l)).draw()); !strings.Contains(p.text, l.Warnings[0]) || !strings.Contains(p.html, l.Warnings[0]) || !strings.Contains(l.String(), "Warning: "+l.Warnings[0]) {
		t.Errorf("the warning is not on the page:\n%s", p.text)
	}
	l.Warnings = nil
	if n := strings.Count(r.shown[1].html, `class="mkl-chart"`); n != 2 {
		t.Errorf("%d charts, want bars and weights", n)
	}
	var m *model.Model
	if _, status := record(t, func() { m = LoadModel("rings") }); status != -1 {
		t.Fatalf("LoadModel ended with %d", status)
	}
	if a, b := Must(m.Predict(d.X)), Must(l.Model.Predict(d.X)); !slices.Equal(a, b) {
		t.Error("the model that was kept predicts other numbers")
	}
	var stored int
	record(t, func() {
		Learn(d, study.WithSplits(halves), study.WithProgress(func(p study.Progress) { stored = p.Stored }))
	})
	if stored == 0 {
		t.Error("the second time nothing came from the store")
	}
}

// TestRunStores: a study is kept in the cache folder; one that cannot be kept runs all the same.
func TestRunStores(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("MKL_CACHE", cache)
	d := data.Rings(40, 7)
	s := &study.Study{Data: d, Splits: Must(study.Halves(d.Y, 2, 1)), Methods: []study.Method{{Name: "learned", Family: kernel.List{kernel.RBF{Gamma: 1}, kernel.Linear{}}}}}
	if _, status := record(t, func() { Run(s) }); status != -1 {
		t.Fatalf("ended with %d", status)
	}
	if files, _ := os.ReadDir(filepath.Join(cache, "studies")); len(files) == 0 {
		t.Error("nothing was kept")
	}
	if s.Store != "" {
		t.Error("Run changed the study")
	}
	s.Methods[0].Family = unregistered{s.Methods[0].Family}
	if r, status := record(t, func() { Run(s) }); status != -1 {
		t.Errorf("a family of one's own ended with %d: %v", status, r.shown)
	}
	s.Splits = nil
	if _, status := record(t, func() { Run(s) }); status != 1 {
		t.Errorf("a study without splits ended with %d", status)
	}
	for _, bad := range []func(){func() { Run(nil) }, func() { Learn(nil) }} {
		if _, status := record(t, bad); status != 1 {
			t.Errorf("nil ended with %d", status)
		}
	}
}

// unregistered is a family that no file can hold.
type unregistered struct{ kernel.Family }

func TestModelNames(t *testing.T) {
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, "/etc/passwd", ".hidden", "a\x00b", "c:d"} {
		if _, err := modelPath(name); err == nil {
			t.Errorf("%q is taken as a name", name)
		}
	}
	for _, name := range []string{"sonar", "my model 2", "модель", "a.b"} {
		if path, err := modelPath(name); err != nil || filepath.Base(path) != name+modelExt {
			t.Errorf("%q: %s, %v", name, path, err)
		}
	}
}

// TestCached: the second call returns the kept value; other inputs, another type or a damaged file
// compute anew, and so does nothing kept after a stop.
func TestCached(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("MKL_CACHE", cache)
	calls := 0
	surface := func() [][]float64 { calls++; return [][]float64{{1, math.Inf(1)}, {math.Pi, float64(calls)}} }
	get := func(inputs any) (v [][]float64) {
		t.Helper()
		if _, status := record(t, func() { v = Cached("surface", inputs, surface) }); status != -1 {
			t.Fatalf("Cached ended with %d", status)
		}
		return v
	}
	first := get([]any{"sonar", 1.5})
	if again := get([]any{"sonar", 1.5}); calls != 1 || !slices.EqualFunc(first, again, slices.Equal) {
		t.Errorf("%d calls, want 1; %v and %v", calls, first, again)
	}
	get([]any{"sonar", 2.5})
	get([]any{"sonar1.5"})
	if calls != 3 {
		t.Errorf("%d calls, want one for each of three inputs", calls)
	}
	record(t, func() { Cached("surface", []any{"sonar", 1.5}, func() int { calls++; return 1 }) })
	if calls != 4 {
		t.Error("a value of another type was taken")
	}
	files, err := filepath.Glob(filepath.Join(cache, "values", "surface-*"))
	if err != nil || len(files) != 4 {
		t.Fatalf("files %v (%v), want 4", files, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b[len(b)-1] ^= 1
		if err := os.WriteFile(f, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	get([]any{"sonar", 1.5})
	if calls != 5 {
		t.Error("a damaged file was taken")
	}
	record(t, func() { Cached("half", nil, func() int { interrupt.cancel(); return 1 }) })
	if files, _ := filepath.Glob(filepath.Join(cache, "values", "half-*")); len(files) != 0 {
		t.Error("something half done was kept")
	}
	get([]any{kernel.RBF{Gamma: 0.5}, []float64{1, math.Inf(1)}})
	get([]any{kernel.RBF{Gamma: 0.5}, []float64{1, math.Inf(1)}})
	if calls != 6 {
		t.Errorf("%d calls, want 6: a kernel is told by its value", calls)
	}
	// a cache folder that cannot be: work goes on, with a line
	t.Setenv("MKL_CACHE", filepath.Join(files[0], "below"))
	r, status := record(t, func() { Cached("surface", 1, surface) })
	if calls != 7 || status != -1 || len(r.shown) != 1 || !strings.Contains(r.shown[0].text, "not kept") {
		t.Errorf("%d calls, want 7; ended with %d, shown %v, want a line that it is not kept", calls, status, r.shown)
	}
	t.Setenv("MKL_CACHE", cache)
	for _, bad := range []func(){
		func() { Cached("a/b", nil, surface) },
		func() { Cached("f", nil, func() func() { return func() {} }) },
		func() { Cached("f", []any{1, new(int)}, surface) }, // an address is no value
	} {
		if _, status := record(t, bad); status != 1 {
			t.Errorf("ended with %d, want 1", status)
		}
	}
}

// TestCachedLearned: a dataset and what was learned of it are read back as they were: the same numbers, page and
// predictions.
func TestCachedLearned(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	type both struct {
		Data    []*data.Dataset
		Learned *study.Learned
	}
	calls, rows := 0, make([]int, 60)
	for i := range rows {
		rows[i] = 5 * i
	}
	get := func() (d *data.Dataset, l *study.Learned, pair both) {
		t.Helper()
		r, status := record(t, func() {
			d = Cached("data", nil, func() *data.Dataset { calls++; return Must(Load("ionosphere").Slice(rows)) })
			l = Cached("learned", nil, func() *study.Learned { calls++; return Learn(d, study.WithSplits(Must(study.Halves(d.Y, 2, 1)))) })
			pair = Cached("both", nil, func() both { calls++; return both{[]*data.Dataset{d}, l} })
		})
		if status != -1 {
			t.Fatalf("ended with %d: %v", status, r.shown)
		}
		return d, l, pair
	}
	shown := func(l *study.Learned) (text string) {
		r, _ := record(t, func() { Show(l) })
		for _, p := range r.shown {
			text += p.text
		}
		return text
	}
	d, l, _ := get()
	d2, l2, pair := get()
	if calls != 3 {
		t.Fatalf("%d calls, want 3", calls)
	}
	if d == d2 || d.Digest() != d2.Digest() || d.Digest() != pair.Data[0].Digest() || !reflect.DeepEqual(d, d2) {
		t.Errorf("the dataset %v is read back as %v", d, d2)
	}
	want, err := l.Model.Predict(d.X)
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []*study.Learned{l2, pair.Learned} {
		if f, err := got.Model.Predict(d.X); err != nil || !slices.Equal(f, want) {
			t.Errorf("predicts %v, %v, want %v", f, err, want)
		}
		if a, b := shown(l), shown(got); a != b || !strings.Contains(a, "ionosphere") {
			t.Errorf("shown is\n%s\nwant\n%s", b, a)
		}
	}
}

// TestValues: what Show makes of numbers and text.
func TestValues(t *testing.T) {
	long := make([]float64, 100)
	for i := range long {
		long[i] = float64(i)
	}
	sym := mat.NewSymDense(2, []float64{1, 0.5, 0.5, 2})
	var nothing *mkl.Result
	for _, c := range []struct {
		x      any
		status int
		charts int
		want   []string
	}{
		{[]float64{0.5, -2}, -1, 0, []string{"[0.5 −2]"}},
		{[]float64{}, -1, 0, []string{"[]"}},
		{long, -1, 0, []string{"100 numbers from 0 to 99, mean 49.5"}},
		{sym, -1, 0, []string{"2×2 matrix", "0.5"}},
		{mat.NewDense(40, 40, nil), -1, 1, []string{"40×40 matrix"}},
		{mat.NewDense(20, 5, append(make([]float64, 99), math.NaN())), 1, 0, nil},
		{mat.NewDense(20, 20, append(append(make([]float64, 398), -1), 1)), -1, 1, []string{"values from −1 to 1"}},
		{&mat.Dense{}, -1, 0, []string{"empty matrix"}},
		{"two\nlines", -1, 0, []string{"two\nlines"}},
		{errors.New("an error"), -1, 0, []string{"an error"}},
		{mkl.Certified, -1, 0, []string{"certified"}},
		{42, -1, 0, []string{"42"}},
		{[]viz.Figure{viz.Table("t", "c", []string{"a"}, []any{1}), viz.Bars("b", "c", []string{"g"}, viz.Bar{Name: "v", Values: []float64{1}}).WithAxes("x", "y")}, -1, 1, []string{"t\n", "b\n"}},
		{viz.Lines("t", "c"), 1, 0, nil},
		{nothing, 1, 0, nil},
		{nil, 1, 0, nil},
		{&mkl.Result{Solver: "S"}, -1, 0, []string{"S: F = 0"}},
		{&mkl.Result{Solver: "S", Rows: 2, Cols: 2, Theta: []float64{1, -1, -1, 2}, W: make([]float64, 9)}, -1, 1, []string{"S: F = 0", "matrix of 2 rows and 2 columns", "9 points"}},
		{mkl.Trace{}, -1, 0, []string{"empty trace"}},
		{mkl.Trace{{F: 2, Upper: 2, Lower: math.Inf(-1)}}, -1, 1, []string{"nothing global"}},
		{&data.Dataset{Name: "d"}, 1, 0, nil},
	} {
		r, status := record(t, func() { Show(c.x) })
		if status != c.status {
			t.Errorf("%T %v ended with %d, want %d", c.x, c.x, status, c.status)
			continue
		}
		if status != -1 {
			continue
		}
		if len(r.shown) != 1 || !containsEvery(r.shown[0].text, c.want...) || strings.Count(r.shown[0].html, `class="mkl-chart"`) != c.charts {
			t.Errorf("%T: %d charts wanted, and %q, in %+v", c.x, c.charts, c.want, r.shown)
		}
	}
}

// TestNoRenderer: without a renderer a figure is a table, with the reason; it is looked for once.
func TestNoRenderer(t *testing.T) {
	old := drawing
	defer func() { drawing = old }()
	asked := 0
	f := viz.Lines("A line", "Of three points.", viz.Line{Name: "y", XYs: viz.Values{1, 2, 3}}).WithAxes("x", "y")
	for name, find := range map[string]func(context.Context, func(string)) (string, error){
		"none": func(_ context.Context, say func(string)) (string, error) {
			say("building")
			return "", errors.New("no go command")
		},
		"not a program": func(context.Context, func(string)) (string, error) { return filepath.Join(t.TempDir(), "nothing"), nil },
	} {
		asked = 0
		drawing = &painter{find: func(ctx context.Context, say func(string)) (string, error) { asked++; return find(ctx, say) }}
		r, status := record(t, func() { Show(f); Show(f) })
		if status != -1 || len(r.shown) != 2 || asked != 1 {
			t.Fatalf("%s: status %d, %d pages, looked for it %d times", name, status, len(r.shown), asked)
		}
		p := r.shown[0]
		if !strings.Contains(p.html, "<table>") || strings.Contains(p.html, "mkl-chart") || !strings.Contains(p.text, "(no picture: ") {
			t.Errorf("%s: %+v", name, p)
		}
		if name == "none" && (len(r.updated) != 2 || r.updated[0].text != "building" || r.updated[1].text != "") {
			t.Errorf("what building says was shown as %v", r.updated)
		}
	}
}

// TestScriptSafe: what is not one JSON object does not get into a script.
func TestScriptSafe(t *testing.T) {
	for raw, want := range map[string]string{
		"": "", "null": "", "3": "", "[1]": "", `{"a":1`: "", `{"a":1};alert(1)`: "", `{"a":1}`: `{"a":1}`,
		"{\"a\":\"</script><!--\u2028&\"}": `{"a":"\u003c/script\u003e\u003c!--\u2028\u0026"}`,
	} {
		if got := scriptSafe([]byte(raw)); got != want {
			t.Errorf("scriptSafe(%q) = %q, want %q", raw, got, want)
		}
	}
}

// TestStepsAndWeigh: the starting point and so many steps; an invalid problem ends the cell.
func TestStepsAndWeigh(t *testing.T) {
	r, status := record(t, func() {
		if w := Weigh(ringsProblem(), mkl.Uniform{}); w.Status != mkl.EvaluatedOnly {
			t.Errorf("Weigh: %v", w)
		}
		var ks []int
		for it := range Steps(ringsProblem(), nil, 2) {
			ks = append(ks, it.K)
		}
		if !slices.Equal(ks, []int{0, 1, 2}) {
			t.Errorf("steps %v, want 0, 1, 2", ks)
		}
		for it := range Steps(ringsProblem(), nil, 100) {
			if it.K == 1 {
				break
			}
		}
		p := ringsProblem()
		p.Y = nil
		for range Steps(p, nil, 1) {
			t.Error("a step of a problem without targets")
		}
	})
	if status != 1 || len(r.shown) != 0 {
		t.Errorf("status %d, shown %v; want 1 of the last problem", status, r.shown)
	}
}

// ringsProblem is a small problem.
func ringsProblem() *mkl.Problem {
	d := data.Rings(40, 7)
	return &mkl.Problem{Grams: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 10}}.On(d.X),
		Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: d.Y}
}

func containsEvery(s string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(s, p) })
}

// TestScore: a file that has one of the classes less, and so numbers them otherwise, is scored by their names.
func TestScore(t *testing.T) {
	x := kernel.NewRows([][]float64{{-2}, {-1}, {1}, {2}})
	m := &model.Model{Family: kernel.List{kernel.Linear{}}, X: x, Theta: []float64{1}, W: []float64{-1, 0, 0, 1}, Classes: []string{"no", "yes"}}
	d := &data.Dataset{Name: "d", X: x, Y: []float64{1, 1, -1, -1}, Classes: []string{"yes", "no"}}
	if s := Score(m, d); s.Accuracy != 1 {
		t.Errorf("accuracy %g, want 1", s.Accuracy)
	}
	if _, status := record(t, func() { Score(nil, d) }); status != 1 {
		t.Errorf("no model ended with %d", status)
	}
}

// TestWrite: what was written is what was learned, and what cannot be written ends the cell.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	m := &model.Model{Family: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5}}, X: kernel.NewRows([][]float64{{1, 2}, {3, 4}}),
		Theta: []float64{0.25, 1.0 / 3}, Labels: []string{"linear", "RBF, γ=0.5"}, W: []float64{1, -1}}
	path := func(name string) string { return filepath.Join(dir, name) }
	_, status := record(t, func() {
		Write(path("w.csv"), m)
		Write(path("w.npy"), &study.Learned{Model: m})
		Write(path("k.npy"), Must(m.Gram(m.X, nil)))
		Write(path("x.csv"), m.X)
		Write(path("v.csv"), []float64{1, 0.5})
	})
	if status != -1 {
		t.Fatal(status)
	}
	if b, _ := os.ReadFile(path("w.csv")); string(b) != "kernel,weight\nlinear,0.25\n\"RBF, γ=0.5\",0.3333333333333333\n" {
		t.Errorf("%s", b)
	}
	for name, want := range map[string][]float64{"w.npy": m.Theta, "x.csv": {1, 2, 3, 4}, "v.csv": {1, 0.5}} {
		if x, err := data.OpenMatrix(path(name)); err != nil || !slices.Equal(x.Data, want) {
			t.Errorf("%s: %v, %v", name, x, err)
		}
	}
	if x, err := data.OpenMatrix(path("k.npy")); err != nil || x.N != 2 || math.Abs(x.Data[0]-(0.25*5+1.0/3)) > 1e-15 {
		t.Errorf("%v, %v", x, err)
	}
	for _, x := range []any{"text", nil, &study.Learned{}, []float64{}, (*model.Model)(nil), kernel.Rows{}} {
		if _, status := record(t, func() { Write(path("bad.npy"), x) }); status != 1 {
			t.Errorf("%T: status %d", x, status)
		}
	}
	if _, status := record(t, func() { Write(path("bad.txt"), m.X) }); status != 1 {
		t.Errorf("status %d", status)
	}
}

// TestShowPoints: points are a table, not a dump.
func TestShowPoints(t *testing.T) {
	x := kernel.NewRows([][]float64{{1, 2}, {3, 4.5}})
	r, status := record(t, func() { Show(x); Show(kernel.AllPlaces(3)) })
	if status != -1 || len(r.shown) != 2 || !strings.HasPrefix(r.shown[0].text, "2 points, 2 features.") || !strings.Contains(r.shown[0].text, "4.5") || strings.Contains(r.shown[0].text, "Data:") {
		t.Errorf("status %d, %+v", status, r.shown)
	}
	if r.shown[1].text != "3 points of kind kernel.Places." {
		t.Errorf("%q", r.shown[1].text)
	}
	proteins := kernel.Sequences{"ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYWWWW", "AC"}
	r, status = record(t, func() { Show(proteins); Show(&data.Dataset{Name: "two", X: proteins}) })
	if status != -1 || len(r.shown) != 2 || !strings.Contains(r.shown[0].text, "WYACDEFGHIKLMNPQRSTVWY…") || !strings.Contains(r.shown[1].text, "2 sequences of 2 to 44 letters") {
		t.Errorf("status %d, %+v", status, r.shown)
	}
	if _, status := record(t, func() { Show(kernel.NewRows([][]float64{{1, 2}, {3}})) }); status != 1 {
		t.Errorf("ragged rows: status %d", status)
	}
}

// TestNoCache: where there can be no cache folder Learn goes on, and says so.
func TestNoCache(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.MkdirAll(filepath.Dir(blocked), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(blocked+".d", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(blocked+".d", "studies"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d := data.Rings(40, 1)
	for name, set := range map[string]func(t *testing.T){
		"no home":           func(t *testing.T) { t.Setenv("MKL_CACHE", ""); t.Setenv("HOME", ""); t.Setenv("XDG_CACHE_HOME", "") },
		"studies is a file": func(t *testing.T) { t.Setenv("MKL_CACHE", blocked+".d") },
		"cache is a file":   func(t *testing.T) { t.Setenv("MKL_CACHE", blocked) },
	} {
		t.Run(name, func(t *testing.T) {
			set(t)
			var l *study.Learned
			r, status := record(t, func() { l = Learn(d, study.WithSplits([]study.Split{})); Show(l) })
			if status != -1 || l.Model == nil {
				t.Fatalf("status %d, %v", status, l)
			}
			all := ""
			for _, p := range r.shown {
				all += p.text
			}
			if !strings.Contains(all, "kept for the next time") {
				t.Errorf("not said: %s", all)
			}
		})
	}
}
