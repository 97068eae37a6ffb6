package mklnb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

// recorder is an output that stores the pages that it shows.
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

// text is that of all pages.
func (r *recorder) text() (all string) {
	for _, p := range r.shown {
		all += p.text + "\n"
	}
	return all
}

// exited is what exit panics with in tests.
type exited int

// record lets a test see what is shown; where f ends the program, the status is returned, else −1.
func record(t *testing.T, f func()) (r *recorder, status int) {
	t.Helper()
	r = &recorder{}
	oldDisplay, oldExit, oldStop := display, exit, interrupt
	display, exit, interrupt = func() output { return r }, func(status int) { panic(exited(status)) }, newStopper()
	defer func() {
		display, exit, interrupt = oldDisplay, oldExit, oldStop
		if e, ok := recover().(exited); ok {
			status = int(e)
		}
	}()
	f()
	return r, -1
}

// shows is record of what must not end the program, and shows so many pages.
func shows(t *testing.T, pages int, f func()) *recorder {
	t.Helper()
	r, status := record(t, f)
	if status != -1 || len(r.shown) != pages {
		t.Fatalf("status %d, %d pages, want %d:\n%s", status, len(r.shown), pages, r.text())
	}
	return r
}

// refused says where f does not end the program with status 1 and one line on stderr, which holds want.
func refused(t *testing.T, name, want string, f func()) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	old := os.Stderr
	os.Stderr = file
	_, status := record(t, f)
	os.Stderr = old
	b, err := os.ReadFile(file.Name())
	if text := string(b); err != nil || status != 1 || strings.Count(text, "\n") != 1 || !strings.Contains(text, want) {
		t.Errorf("%s ended with %d and %q, want 1 and a line with %q", name, status, text, want)
	}
}

func containsEvery(s string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(s, p) })
}

// ringsProblem is a small problem.
func ringsProblem() *mkl.Problem {
	d := datasets.Rings(40, 7)
	return &mkl.Problem{Grams: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 10}}.Bind(d.X),
		Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: d.Y}
}

// TestShowOfCall tests that Show takes the results of a call: the value without a nil error, or the error as a failure.
func TestShowOfCall(t *testing.T) {
	call := func(err error) (string, error) { return "the value", err }
	if r := shows(t, 1, func() { Show(call(nil)) }); !strings.Contains(r.text(), "the value") {
		t.Errorf("Show shows %q", r.text())
	}
	refused(t, "an error", "the reason", func() { Show(call(errors.New("the reason"))) })
	shows(t, 1, func() { Show(errors.New("shown")) })
}

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"The gap falls, 10× a step!": "the-gap-falls-10-a-step",
		"θ":                          "figure",
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
	p := page{text: "some text" + strings.Repeat(" ", 300) + "  option\n\n", html: "<p>", pictures: []picture{
		{Picture: viz.Picture{SVG: "<svg/>", PNG: []byte("PNG")}, title: "The first"},
		{Picture: viz.Picture{SVG: "<svg/>"}, title: "<b>"},
	}}
	if err := term.show(p); err != nil {
		t.Fatal(err)
	}
	one, two := filepath.Join(term.folder, "01-the-first"), filepath.Join(term.folder, "02-b")
	want := fmt.Sprintf("some text  option\nwrote %s.svg, %[1]s.png\nwrote %s.svg\n", one, two)
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	for file, want := range map[string]string{one + ".svg": "<svg/>", one + ".png": "PNG", two + ".svg": "<svg/>"} {
		if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s holds %q (%v), want %q", file, b, err, want)
		}
	}
	term.folder = filepath.Join(one+".svg", "below a file")
	if err := term.show(p); err == nil || !strings.Contains(err.Error(), "MKL_OUT") {
		t.Errorf("error %v, want one that says how to write elsewhere", err)
	}
}

// TestLostEdge: a notebook that cannot be reached ends the program.
func TestLostEdge(t *testing.T) {
	refused(t, "a lost output", "gonb: gone", func() {
		display = func() output { return &recorder{err: errors.New("gonb: gone")} }
		showPage(notePage("a result"))
	})
}

func TestCheck(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		got, want, tol float64
		ok             bool
	}{
		{1.05, 1, 0.1, true}, {1.2, 1, 0.1, false}, {0.8, 1, 0.1, false}, {inf, inf, 0, true},
		{inf, -inf, 1, false}, {nan, nan, 1, false}, {1, 2, inf, false}, {1, 2, nan, false}, {1, 1, -1, false},
	} {
		r, status := record(t, func() { Check("name", c.got, c.want, c.tol) })
		if (status == -1) != c.ok {
			t.Errorf("Check(%v, %v, %v) ended with %d", c.got, c.want, c.tol, status)
		}
		want := "got " + shortNumber(c.got) + ", expected " + shortNumber(c.want)
		if c.tol >= 0 && c.tol < inf &&
			(strings.HasPrefix(r.text(), "✓") != c.ok || !strings.Contains(r.text(), want)) {
			t.Errorf("Check(%v, %v, %v) showed %v", c.got, c.want, c.tol, r.shown)
		}
	}
	if _, status := record(t, func() { CheckTrue("a", false) }); status != 1 {
		t.Errorf("CheckTrue of false ended with %d", status)
	}
	// a stopped cell is not checked
	r := shows(t, 2, func() { interrupt.cancel(); Check("late", 1, 2, 0); Check("right all the same", 1, 1, 0) })
	if !strings.HasPrefix(r.shown[0].text, "–") || !strings.HasPrefix(r.shown[1].text, "✓") {
		t.Errorf("after a stop: %v", r.shown)
	}
}

// TestValues: what Show makes of values.
func TestValues(t *testing.T) {
	bars := viz.Bars("b", "c", []string{"g"}, viz.Bar{Name: "v", Values: []float64{1}}).WithAxes("x", "y")
	square := &mkl.Result{Solver: "S", ThetaRows: 2, ThetaCols: 2, Theta: []float64{1, -1, -1, 2},
		W: make([]float64, 9)}
	proteins := points.Sequences{"ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYWWWW", "AC"}
	for _, c := range []struct {
		x      any
		charts int
		want   []string
	}{
		{[]float64{0.5, -2}, 0, []string{"[0.5 -2]"}},
		{mat.NewSymDense(2, []float64{1, 0.5, 0.5, 2}), 0, []string{"⎡  1  0.5⎤\n⎣0.5    2⎦"}},
		{"two\nlines", 0, []string{"two\nlines"}},
		{errors.New("an error"), 0, []string{"an error"}},
		{mkl.Certified, 0, []string{"certified"}},
		{42, 0, []string{"42"}},
		{[]viz.Figure{viz.Table("t", "c", []string{"a"}, []any{1}), bars}, 1, []string{"t\n", "b\n"}},
		{&mkl.Result{Solver: "S"}, 0, []string{"S: training objective F = 0"}},
		{square, 0, []string{"S: training objective F = 0"}},
		{&data.Dataset{Name: "two", X: proteins}, 0, []string{"2 sequences of 2 to 44 letters"}},
		{&model.Model{}, 0, nil},
	} {
		p := shows(t, 1, func() { Show(c.x) }).shown[0]
		if !containsEvery(p.text, c.want...) || strings.Count(p.html, `class="mkl-chart"`) != c.charts {
			t.Errorf("%T: %d charts wanted, and %q, in %+v", c.x, c.charts, c.want, p)
		}
	}
}

// TestNoRenderer: without a renderer a figure is a table, with the reason; it is looked for once.
func TestNoRenderer(t *testing.T) {
	old := figurePainter
	defer func() { figurePainter = old }()
	f := viz.Lines("A line", "Of three points.", viz.Line{Name: "y", XYs: viz.Values{1, 2, 3}}).WithAxes("x", "y")
	for name, find := range map[string]func(context.Context, func(string)) (string, error){
		"none": func(_ context.Context, say func(string)) (string, error) {
			say("building")
			return "", errors.New("no go command")
		},
		"no program": func(context.Context, func(string)) (string, error) {
			return filepath.Join(t.TempDir(), "x"),
				nil
		},
	} {
		asked := 0
		figurePainter = &painter{findRenderer: func(ctx context.Context, say func(string)) (string, error) {
			asked++
			return find(ctx, say)
		}}
		r := shows(t, 2, func() { Show(f); Show(f) })
		p := r.shown[0]
		if asked != 1 || !strings.Contains(p.html, "<p>Chart of ") || strings.Contains(p.html, `class="mkl-chart"`) ||
			!strings.Contains(p.text, "(no picture: ") {
			t.Errorf("%s: looked for %d times, %+v", name, asked, p)
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
		if got := makeScriptSafe([]byte(raw)); got != want {
			t.Errorf("makeScriptSafe(%q) = %q, want %q", raw, got, want)
		}
	}
}
