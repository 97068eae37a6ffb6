package notebooks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// sequence is a list of cells in one kernel, each followed by what it shows: the whole output; after ~ a part of it;
// after
// ! a part of the output of a cell that fails.
type sequence struct {
	name  string
	cells []string
}

// firstSequences are what the README promises of variables.
var firstSequences = []sequence{
	{"a dataset", []string{`nb.Load("sonar")`, "~208 points", `d := nb.Load("sonar")`, "", "d.Len()", "208",
		"nb.Show(d)", "~208 points",
		"d", "~208 points"}},
	{"a value changes", []string{"x := 1", "", "x++\nx", "2", "x", "2", "x += 40", "", "x", "42"}},
	{"another type", []string{"x := 1", "", `x := fmt.Sprint(x, "a")`, "", "x", "1a", "x := []int{len(x)}\nx", "[2]",
		"len(x)", "1"}},
	{"an error ends the cell", []string{`v := strconv.Atoi("3")`, "", "v", "3", `v := strconv.Atoi("x")`,
		"!invalid syntax", "v", "3"}},
	{"shared memory", []string{"a := []int{1, 2, 3}\nb := a[1:]", "", "b[0] = 9", "", "a", "[1 9 3]",
		"m := map[string]int{}\nn := m", "",
		`n["k"] = 4`, "", "m", "map[k:4]"}},
	{"a failing cell", []string{"x := 5\npanic(1)", "!panic: 1", "x", "5", "y := 6\nos.Exit(3)", "!", "y", "6"}},
}

// sequences are run by the long form of the tests.
var sequences = []sequence{
	{"run order", []string{"y := 2 * x", "!undefined: x", "x := 4", "", "y := 2 * x\ny", "8", "x = 5", "", "y", "8",
		"y := 2 * x\ny", "10"}},
	{"any name", []string{"name, names, err, x := 1, []string{\"a\"}, 2, 3", "",
		"fmt.Sprint(name, names, err, x)", "1 [a] 2 3", "name := \"Bob\"", "", "name",
		"Bob"}},
	{"declared again apart", []string{"a := []int{1}\nb := a", "", "b := \"new\"", "", "a[0] = 2", "", "b", "new",
		"a", "[2]"}},
	{"a function ends", []string{"f := func() int { return 7 }\nf()", "7", "f()", "!variable of cell"}},
	{"packages of one name", []string{`template.New("x")`, `!import "html/template", import "text/template"`}},
	// showing
	{"constants", []string{"1 + 1", "2", `"text"`, "text", "'a'", "97", "1.5", "1.5", "nil", "<nil>",
		"true && false", "false"}},
	{"calls", []string{"strings.Repeat(\"ab\", 2)", "abab", `fmt.Println("a")`, "a", `println("a")`, "a",
		`fmt.Printf("%d\n", 3)`, "3"}},
	{"two results", []string{"strings.Cut(\"a=b\", \"=\")", "a\nb\ntrue", `strconv.Atoi("4")`, "4",
		`strconv.Atoi("y")`, "!invalid syntax"}},
	{"only an error", []string{`os.Remove("no such file")`, "!no such file", `os.Setenv("A_B", "1")`, ""}},
	{"an error is not the last", []string{"os.Remove(\"no such file\")\nprintln(1)", "!no such file"}},
	{"suppressed", []string{"x := 3\nx;", "", "x ;", "", "x", "3", "fmt.Sprint(x);", ""}},
	{"ends with a statement", []string{"x := 1\nif x > 0 {\n\tx = 2\n}", "", "for range 3 {\n\tx++\n}", "", "x", "5",
		"x++", "", "x = 9", "", "x", "9"}},
	{"composite literals", []string{"[]int{1, 2}", "[1 2]", `map[string]int{"a": 1}`, "map[a:1]",
		"struct{ A int }{3}", "{A:3}", "[...]string{\"x\"}", "[x]",
		"&struct{ A int }{3}", "&{A:3}"}},
	{"conversions", []string{"float64(3) / 2", "1.5", "type T int\nT(4)", "4", "[]byte(\"ab\")", "[97 98]"}},
	{"a function value", []string{"strings.ToUpper", "func(string) string"}},
	{"a nil pointer", []string{"var p *int\np", "<nil>", "p == nil", "true"}},
	{"channels", []string{"c := make(chan int, 1)\nc <- 4\n<-c", "4", "c", "!a channel"}},
	{"a stringer", []string{"time.Duration(1500) * time.Millisecond", "1.5s"}},
	{"comments", []string{"// x := 1", "", "/* a\nfunc main() {}\n*/", "", "x := 1 // func f() {}\n// end", "",
		"x /* y */ // z", "1"}},
	{"raw strings", []string{"s := `\nfunc main() {}\n%% not a command\n`", "", "len(s)", "33"}},
	{"build tags", []string{"//go:build ignore\nx := 2\nx", "!misplaced compiler directive",
		"// +build ignore\nx := 2\nx", "2"}},
	// statements
	{"any order", []string{"x := double(3)\nfunc double(n int) int { return 2 * n }\nx", "6", "double(x)", "12"}},
	{"types and methods", []string{"p := P{3}\nfunc (p *P) Inc() { p.N++ }\ntype P struct{ N int }\np.Inc()\np",
		"{N:4}", "p.Inc()", "", "p.N", "5"}},
	{"a local literal function", []string{"func() { println(2) }()", "2", "func(n int) int { return n + 1 }(3)", "4"}},
	{"labels", []string{
		"n := 0\nouter:\nfor i := range 3 {\nfor j := range 3 {\nif j == 2 { continue outer }\nn += i\n}\n}\nn", "6"}},
	{"goto", []string{"i := 0\nagain:\ni++\nif i < 5 {\n\tgoto again\n}\ni", "5", "i", "5"}},
	{"defer", []string{"x := 1\ndefer func() { x = 8 }()\nx", "1", "x", "8"}},
	{"for with three parts", []string{"s := 0\nfor i := 0; i < 4; i++ {\n\ts += i\n}\ns", "6"}},
	{"switch and select", []string{
		"x := 2\nswitch y := x; y {\ncase 2:\n\tx = 20\n}\nselect {\ndefault:\n\tx++\n}\nx", "21"}},
	{"var", []string{"var a, b = 1, \"x\"\nvar c float64\nvar (\n\td = 2\n\te []int\n)\na", "1", "b", "x", "c", "0",
		"d", "2", "e == nil", "true"}},
	{"var resets", []string{"x := 7", "", "var x int\nx", "0", "x", "0"}},
	{"only var", []string{"var k = 3", "", "k++", "", "k", "4", "var k = \"a\"", "", "k", "a"}},
	{"with %%", []string{"%%\nx := 4", "", "x", "4", "func f() int { return 3 }\n%%\ny := f()\ny", "3", "y", "3"}},
	{"%% shadows", []string{"func f() int { return 1 }", "", "%%\nf := func() int { return 2 }\nf()", "2", "f()", "1"}},
	{"a type that a function uses", []string{"x := 1\nfunc show() { fmt.Println(x) }", "",
		"x := fmt.Sprint(x)\nshow()", "!gets another type", "x := \"a\"\nx", "a"}},
	{"declared again with an alias", []string{"x := 1\np := &x", "", "x := x + 5\n*p", "1", "x", "6", "*p", "1"}},
	{"a change that ends", []string{"var m = map[string]func(){}", "", "m[\"a\"] = nil", "", "len(m)", "1",
		"m[\"b\"] = func() {}", "~note: m ends", "m", "!a function"}},
	{"func main", []string{"func main() {\n\tx := 4\n\tprintln(x)\n}", "4", "x", "!undefined: x", "y := 1", "",
		"func main() { y = 2 }", "", "y", "2"}},
	{"several names", []string{"a, b := 1, 2", "", "a, b = b, a", "", "a*10 + b", "21", "_, c := 3, 4\nc", "4"}},
	{"an error in use", []string{`a, err := strconv.Atoi("1")` + "\n" + `b, err := strconv.Atoi("2")` + "\na + b",
		"3", "err", "<nil>",
		`c, err := strconv.Atoi("x")` + "\nerr != nil", "true", "c", "0", "err", "!keep its text"}},
	{"an error that the cell does not read", []string{`c, err := strconv.Atoi("x")`, "!invalid syntax", "c", "0",
		`_, err := strconv.Atoi("x")` + "\nprintln(1)", "!invalid syntax",
		`c, err := strconv.Atoi("1")` + "\nif err != nil {\n\tpanic(err)\n}\n" + `c, err = strconv.Atoi("y")`,
		"!invalid syntax", `c, err := strconv.Atoi("x")` + "\nfailed := func() bool { return err != nil }\nfailed()",
		"true", `c, err := strconv.Atoi("x")` + "\nif err != nil {\n\tc = -1\n}\nc", "-1",
		`a, err := strconv.Atoi("x")` + "\n" + `b, err := strconv.Atoi("2")` + "\nerr == nil", "!invalid syntax",
		`fault := os.Remove("nowhere")`, "!no such file",
		`const name = "none"` + "\nnone := errors.New(name)\nprintln(1)", "1",
		`c, err := strconv.Atoi("x")` + "\nq := &err\n(*q).Error() != name", "true",
		"func nothing() {}\nx := nothing()", "!used as value",
		"n := 0\nagain:\nn++\nif n < 3 {\n\tgoto again\n}\n" + `v, err := strconv.Atoi("x")` + "\nn + v", "!invalid syntax",
		"var err error\nfunc failed() bool { return err != nil }", "", `v, err := strconv.Atoi("x")` + "\nfailed() && v == 0",
		"true"}},
	{"an error in a condition", []string{"if _, err := strconv.Atoi(\"x\"); err != nil {\n\tprintln(\"bad\")\n}",
		"bad"}},
	{"three results and an error", []string{"func f() (int, string, error) { return 1, \"a\", nil }\nx, y := f()\ny",
		"a", "x", "1"}},
	// shadowing
	{"a loop shadows", []string{"x := 1", "", "for x := range 3 {\n\t_ = x\n}\nx", "1",
		"if x := 5; x > 3 {\n\tx = 6\n}\nx", "1"}},
	{"a closure", []string{"x := 1\nf := func() { x++ }\nf()\nf()\nx", "3", "x", "3"}},
	{"a parameter shadows", []string{"x := 1", "", "func g(x int) int { return x * 2 }\ng(5)", "10", "x", "1"}},
	{"functions see variables", []string{"x := 2", "", "func twice() int { return 2 * x }\ntwice()", "4", "x = 10",
		"", "twice()", "20",
		"func set(n int) { x = n }\nset(6)\nx", "6", "twice()", "12"}},
	{"a name of a function", []string{"func v() int { return 1 }\nv()", "1", "v := 5\nv", "5", "v", "5",
		"func v() string { return \"f\" }\nv()", "f"}},
	{"a name of a package", []string{"strings := 3\nstrings", "3", "strings", "3", "strings.ToUpper(\"a\")",
		"!%rm strings"}},
	{"a name of this cell's package", []string{"data := data.Dataset{Name: \"mine\"}\ndata.Name", "mine",
		"data.Name", "mine"}},
	{"used later only", []string{"z := 3", "", "1", "1", "z", "3"}},
	{"a struct key", []string{"x := 3\ntype Q struct{ x int }", "", "q := Q{x: 5}\nq.x", "5", "x", "3"}},
	// values
	{"numbers", []string{"a, b, c := int8(-3), uint64(1)<<63, complex(1, 2)\nf := math.Inf(-1)\ng := math.NaN()", "",
		"a", "-3", "b",
		"9223372036854775808", "c", "(1+2i)", "f", "-Inf", "g", "NaN"}},
	{"pointers", []string{"x := 1\np := &x", "", "*p = 5", "", "x", "5", "x = 6", "", "*p", "6"}},
	{"a cycle", []string{"type N struct{ Next *N; V int }\nn := &N{V: 1}\nn.Next = n", "", "n.Next.Next.V = 4", "",
		"n.V", "4"}},
	{"interfaces", []string{"var s fmt.Stringer = time.Duration(1e9)", "", "s", "1s",
		"var e any = []any{1, \"a\", nil}", "", "e", "[1 a <nil>]"}},
	{"generic types", []string{
		"type Pair[A, B any] struct { First A; Second B }\np := Pair[int, []string]{1, []string{\"a\"}}", "",
		"p.Second[0]", "a",
		"q := Pair[string, Pair[int, bool]]{\"x\", Pair[int, bool]{2, true}}", "", "q.Second.Second", "true"}},
	{"a type changed", []string{"type R struct{ A int }\nr := R{3}", "", "type R struct{ A string }", "", "r",
		"!run again the cells [",
		"r := R{\"new\"}\nr", "{A:new}"}},
	{"a type of a block", []string{"func h() any { type L struct{ A int }; return L{1} }\nl := h()", "", "l",
		"!declare the type outside"}},
	{"random numbers", []string{"r := rand.New(rand.NewPCG(1, 2))\nr.IntN(1000)", "~", "s := *r", "",
		"s.IntN(1000) == r.IntN(1000)", "false"}},
	{"time", []string{"t := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)", "", "t.Year()", "2020", "t",
		"2020-01-02 03:04:05 +0000 UTC"}},
	{"big numbers", []string{"b := new(big.Int).Exp(big.NewInt(3), big.NewInt(90), nil)", "", "b",
		"8727963568087712425891397479476727340041449"}},
	{"matrices", []string{"m := mat.NewDense(1, 2, []float64{1, 2})", "", "m.Set(0, 1, 7)", "", "m.At(0, 1)", "7"}},
	{"files", []string{"f := os.Stdout", "", "f", "!only in the program"}},
	{"locks", []string{"var mu sync.Mutex\nx := 1", "", "mu.Lock()\nmu.Unlock()", "", "mu.Lock()",
		"~mu ends with this cell", "mu.Lock()", "!in use"}},
	{"above the limit", []string{"big := make([]byte, 600<<20)\nx := 1", "~note: big ends with this cell", "big",
		"!the limit", "x", "1"}},
	{"a goroutine", []string{"x := 1\ngo func() { time.Sleep(time.Minute); x = 2 }()", "", "x", "1",
		"y := []int{0}\ngo func() { for { y[0]++ } }()", "~y ends with this cell: another goroutine", "y",
		"!another goroutine"}},
	{"a panic in a goroutine", []string{"x := 1", "", "x = 2\ngo func() { panic(1) }()\ntime.Sleep(time.Minute)",
		"!panic", "x", "!run the cell again"}},
	{"log.Fatal", []string{"x := 3\nlog.Fatal(\"end\")", "!end", "x", "3"}},
	{"a failing assignment", []string{"x := 1\nx = 2\ny := nb.Load(\"none\")\nx = 3", "!none", "x", "2", "y",
		"!undefined: y"}},
	{"a cell that does not compile", []string{"x := 1", "", "x = 2\nx = \"a\"", "!cannot use", "x", "1"}},
	{"commands", []string{"x := 1", "", "%ls", "~x is a variable of cell", "%time x", "!time.Now", "%%nothing\nx",
		"!%nothing", "x", "1"}},
	{"reset", []string{"x := 1", "", "%reset", "~", "x", "!undefined: x"}},
	{"a misspelt method", []string{"d := nb.Load(\"sonar\")", "", "d.Lne()", "!Did you mean Len?"}},
	// the library
	{"facade", []string{"d := nb.Load(\"sonar\")\ntrain, test := nb.Split(d, 0.5, 1)", "",
		"p := &mkl.Problem{Grams: kernel.List{kernel.RBF{Gamma: 1}, kernel.Linear{}}.Bind(train.X),\n" +
			"Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: train.Y}", "",
		"r := nb.Solve(p, mkl.SPG{}, nil)\nf := r.F", "~", "r.Status", "certified",
		"nb.Solve(p, mkl.SPG{}, nil).F == f", "~true",
		"u := nb.EvaluateRule(p, mkl.Uniform{})\nu.F > f", "~true",
		"m := nb.Fit(train, kernel.List{kernel.RBF{Gamma: 1}, kernel.Linear{}}, p, r)", "~",
		"s := nb.Score(m, test)\nt := nb.Score(m, train)", "", "s.Accuracy < t.Accuracy", "true",
		"t", "~too good",
		"nb.Show(r, m, s)", "~certified"}},
	{"types of the facade", []string{
		"f := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}\nvar g kernel.Family = f\n" +
			"var rule mkl.Rule = mkl.Uniform{}\nvar solver mkl.Solver = mkl.SPG{}\n" +
			"settings := &mkl.Settings{Iterations: 3}\no := data.Options{Name: \"mine\"}\n" +
			"a := similarity.Alignment{Open: 9}\nx := points.Sequences{\"ACDE\", \"ACD\"}\n" +
			"d := nb.Load(\"sonar\")", "", "k := nb.Align(x, a)", "~", "k.At(0, 1) == k.At(1, 0) && o.Name == \"mine\"",
		"true", "p := &mkl.Problem{Grams: g.Bind(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: d.Y}\n" +
			"steps := slices.Collect(nb.Steps(p, solver, 3))", "~", "steps[2].K", "!only its package",
		"r := nb.Solve(p, solver, settings)\nu := nb.EvaluateRule(p, rule)", "~", "u.F >= r.F", "true",
		"m := nb.Fit(d, g, p, r)\nnb.Save(\"of the facade\", m)", "~", "score := nb.Score(m, d)", "",
		"nb.Score(nb.LoadModel(\"of the facade\"), d).Accuracy == score.Accuracy", "~true",
		"splits := fit.Halves(d.Y, 2, 1)\n" +
			"study := &compare.Study{Data: d, Splits: splits, Methods: []fit.Method{{Name: \"one\",\n" +
			"Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(1), fit.Rules(rule)}}}}}", "~",
		"t := nb.Run(study)", "~", "len(t.Rows) == len(study.Methods)", "true",
		"option := learn.WithFolds(2)", "", "nb.Learn(d, option)", "!a function"}},
	{"learn", []string{"l := nb.Learn(nb.Load(\"sonar\"), learn.WithFolds(2))", "~", "l.Method", "learned", "l",
		"~sonar",
		"best := l\nbest", "~nb.Save(\"sonar\", best.Model)", "i := nb.Importance(l)", "~", "len(i.Groups) > 1", "true",
		"q := nb.Partial(l, \"V1\")", "~", "c := nb.LearningCurve(l)", "~", "nb.Show(i, q, c)", "~sonar",
		"t := l.Table", "", "t", "~sonar", "w := l.Model", "", "w", "~"}},
}

// runSequences runs sequences, up to 15 in one kernel, which forgets everything before each of them.
func runSequences(t *testing.T, all []sequence) {
	t.Helper()
	for list := range slices.Chunk(all, 15) {
		runInKernel(t, list)
	}
}

func runInKernel(t *testing.T, list []sequence) {
	t.Helper()
	cells, wants, names := []string{}, []string{}, []string{}
	for _, s := range list {
		cells, wants, names = append(cells, "%reset"), append(wants, "~"), append(names, s.name)
		for i := 0; i < len(s.cells); i += 2 {
			cells, wants = append(cells, s.cells[i]), append(wants, s.cells[i+1])
			names = append(names, fmt.Sprintf("%s, cell %d", s.name, i/2+1))
		}
	}
	for i, a := range askKernel(t, false, cells...) {
		want, status := wants[i], "ok"
		output := strings.TrimSpace(a.Output)
		isRight := output == want
		if part, ok := strings.CutPrefix(want, "~"); ok {
			isRight = strings.Contains(output, part)
		} else if part, ok := strings.CutPrefix(want, "!"); ok {
			status, isRight = "error", strings.Contains(output+a.Error, part)
		}
		if a.Status != status || !isRight {
			t.Errorf("%s: after %q (%s: %s) the output is\n%s\nexpected %s", names[i], cells[i], a.Status, a.Error,
				output, want)
		}
	}
}

// TestVariables tests that variables last, that the last expression is shown, and that errors end a cell.
func TestVariables(t *testing.T) {
	runSequences(t, slices.Concat(firstSequences, silentSequences[:3]))
}

// TestVariablesOfAllKinds tests the same for many kinds of cells and values.
func TestVariablesOfAllKinds(t *testing.T) {
	testenv.SkipUnlessLong(t)
	runSequences(t, sequences)
}

// TestVariablesOfStoppedCell tests that variables have the values at the time of the stop, in a call and in a loop, and
// that one which changes all the time has no value. A loop is stopped between its steps, also if a step takes 0.1 s.
func TestVariablesOfStoppedCell(t *testing.T) {
	steps := []step{
		{Cell: "x := 1\nprintln(\"ready\")\ntime.Sleep(time.Minute)\nx = 2", StopAt: "ready"}, {Cell: "x"},
		{Cell: "n := 0\nfor {\n\tn++\n\tif n == 1000 { println(\"ready\") }\n}", StopAt: "ready"},
		{Cell: "n > 999"},
		{Cell: "n = 0\nfor {\n\tslices.IndexFunc(make([]int, 100), func(int) bool {\n\t\tn++\n\t\t" +
			"time.Sleep(time.Millisecond)\n\t\treturn false\n\t})\n\tif n == 300 { println(\"ready\") }\n}",
			StopAt: "ready"},
		{Cell: "n%100 + 7"},
		{Cell: "y := []int{0}\nfunc spin() { for { y[0]++ } }\nprintln(\"ready\")\nspin()", StopAt: "ready"},
		{Cell: "y"},
	}
	want := []string{"ready", "1", "ready", "true", "ready", "7", "ready", ""}
	for i, a := range talk(t, steps...) {
		isStopped := steps[i].StopAt != ""
		if got := strings.TrimSpace(a.Output); isStopped && a.Error != "stopped" || !strings.HasPrefix(got, want[i]) ||
			want[i] == "" && !strings.Contains(a.Error, "changed") {
			t.Errorf("%s: %+v, expected %q", steps[i].Cell, a, want[i])
		}
	}
}

// TestVariablesComplete tests that Tab, Shift+Tab and a question know the variables of earlier cells and their members.
func TestVariablesComplete(t *testing.T) {
	var got map[string][]string
	runPython(t, completeScript, map[string]any{"kernel": setup.KernelName}, &got)
	for before, want := range map[string]string{"numb": "number", "fmt.Println(numb": "number", "d.Le": "Len",
		"x := d.Enco": "Encoding", "p.In": ""} {
		if slices.Contains(got[before], want) != (want != "") {
			t.Errorf("after %q Tab offers %q, expected %q", before, got[before], want)
		}
	}
	if text := got["shift"]; len(text) != 2 || !strings.Contains(text[0], "of type int") || text[1] != "" {
		t.Errorf("Shift+Tab on number and on an unknown name shows %q", text)
	}
	runSequences(t, []sequence{{"questions", []string{"d := nb.Load(\"sonar\")\nnumber := 3\nf := func() {}", "",
		"?d", "~type Dataset struct", "d.Len?", "~Len returns", "?number", "~of type int", "?f", "~a function"}}})
}

const completeScript = `
import json, sys
from jupyter_client.manager import start_new_kernel
km, kc = start_new_kernel(kernel_name=json.load(sys.stdin)["kernel"])
try:
    kc.execute('type P struct{ Inner int }\nd := nb.Load("sonar")\nnumber := 3\np := P{}', reply=True, timeout=120)
    got = {before: kc.complete(before, reply=True, timeout=60)["content"]["matches"]
        for before in ["numb", "fmt.Println(numb", "d.Le", "x := d.Enco", "p.In"]}
    got["shift"] = [kc.inspect(name, reply=True, timeout=60)["content"]["data"].get("text/plain", "")
        for name in ["number", "unknown"]]
    print(json.dumps(got))
finally:
    km.shutdown_kernel(now=True)
`

// TestKilledKernel tests that the next kernel removes the variables of a kernel that was killed, not those of a
// kernel that
// runs, and that only their owner can read them.
func TestKilledKernel(t *testing.T) {
	var got map[string]any
	runPython(t, killScript, map[string]any{"kernel": setup.KernelName}, &got)
	if fmt.Sprint(got) != "map[after:[true false true] before:[true true] mode:448 x:1]" {
		t.Errorf("got %v", got)
	}
}

const killScript = `
import glob, json, os, signal, sys, time
from jupyter_client.manager import start_new_kernel
name = json.load(sys.stdin)["kernel"]
def start():
    km, kc = start_new_kernel(kernel_name=name)
    known = set(folders)
    folders.extend(f for f in glob.glob(os.environ["TMPDIR"] + "/gonb_*/kept") if f not in known)
    return km, kc
folders = []
first, kc1 = start()
second, kc2 = start()
try:
    for kc in (kc1, kc2):
        kc.execute("x := 1", reply=True, timeout=120)
    result = {"mode": os.stat(folders[0]).st_mode & 0o777, "before": [os.path.exists(f) for f in folders]}
    os.kill(second.provisioner.pid, signal.SIGKILL)
    time.sleep(0.5)
    third, kc3 = start()
    result["after"] = [os.path.exists(f) for f in folders]
    kc1.execute("println(x)", reply=True, timeout=120)
    while True:
        m = kc1.get_iopub_msg(timeout=20)
        if m["msg_type"] == "stream":
            result["x"] = m["content"]["text"].strip()
            break
    third.shutdown_kernel(now=True)
    print(json.dumps(result))
finally:
    first.shutdown_kernel(now=True)
    second.shutdown_kernel(now=True)
`
