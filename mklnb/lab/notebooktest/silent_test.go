package notebooks

import (
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// silentSequences are cells that could show a stale or wrong value without a word.
var silentSequences = []sequence{
	// declarations outside of main
	{"a declared generator", []string{"import \"math/rand\"\nvar rng = rand.New(rand.NewSource(1))",
		"~note: rng ends with this cell", "rng.Intn(100)", "!rng (a variable of cell"}},
	{"a declared closure", []string{
		"func counter() func() int { n := 0; return func() int { n++; return n } }\nvar next = counter()",
		"~note: next ends", "next()", "!a function", "func twice() int { return 2 * next() }\ntwice()", "!a function"}},
	{"declared values of a program", []string{"var c = make(chan int, 3)", "~note: c ends", "c <- 1", "!a channel",
		"var in = bufio.NewScanner(strings.NewReader(\"a\"))", "~note: in ends", "in.Scan()", "!in (a variable",
		"type T struct{ f func(); n int }\nvar t = T{f: func() {}}", "~note: t ends", "t.n++", "!t (a variable"}},
	{"a declared function", []string{"var double = func(n int) int { return 2 * n }", "", "double(4)", "8",
		"double(5)", "10", "double = nil", "~note: the change of double"}},
	{"a declared error", []string{"var errNone = errors.New(\"none\")\nfunc find() error { return errNone }", "",
		"find() == errNone", "true", "errors.Is(find(), errNone)", "true"}},
	{"declared beside %%", []string{
		"var g = func() func() int { n := 0; return func() int { n++; return n } }()\n%%\ng()",
		"~note: g ends", "g()", "!a function"}},
	{"a field called flag", []string{"type T struct{ flag int }\nvar t = T{flag: 1}", "", "t.flag = 5", "", "t.flag",
		"5"}},
	{"flags", []string{"import \"flag\"\nvar who = flag.String(\"who\", \"x\", \"\")", "",
		"%% --who=y\nfmt.Println(*who)", "y", "%args\n%%\nfmt.Println(*who)", "x"}},
	{"a declared error of a call", []string{"var q, qerr = strconv.Atoi(\"x\")", "~note: qerr ends", "q", "0", "qerr",
		"!keep its text", "var n = strconv.Atoi(\"3\")", "", "n", "3", "var m = strconv.Atoi(\"x\")", "!invalid syntax",
		"m", "!run the cell again"}},
	{"init", []string{"x := 1\nfunc double() { x *= 2 }", "", "func init() { double() }", "!init", "x", "1",
		"func init() { println(1) }", "1", "x", "1\n1"}},
	// declared again
	{"again beside a pointer and a function", []string{"x := 1\np := &x\nfunc show() { println(x) }", "",
		"x := 7\nshow()", "7", "*p", "1", "x", "7", "x := 1\np := &x\nshow()", "1", "*p = 3", "", "x", "3"}},
	{"again after a call", []string{"x := 1\np := &x\nfunc inc() { x++ }", "", "inc()\nx := 7", "!x is declared again",
		"x := 7\ninc()\n*p*10 + x", "18"}},
	{"goto over a declaration", []string{
		"i := 0\nvar ps []*int\nagain:\nv := i\nps = append(ps, &v)\ni++\nif i < 3 {\n\tgoto again\n}\n*ps[0] + *ps[2]",
		"2", "*ps[0]", "0", "v", "!goto"}},
	{"names of the kernel", []string{"x := 1\nx__ := 2", "", "x := fmt.Sprint(x, x__)\nx", "1 2", "x__", "2",
		"kept__x := 1", "!kept__"}},
	// names
	{"names of Go", []string{"string := \"a\"\nstring", "a", "string", "!another name", "int := 3\nint + 1", "4",
		"any, init, main := 1, 2, 3\nany + init + main", "6", "main", "!another name", "init", "!another name",
		"max := 4", "", "max", "4"}},
	{"a package of the name of a variable that ended", []string{
		"rand := rand.New(rand.NewPCG(1, 2))\nf := func() { rand.IntN(2) }", "",
		"rand := func() {}", "", "rand.IntN(1)", "!rand (a variable of cell",
		"import \"math/rand/v2\"\nrand.IntN(1)", "0", "rand.IntN(1)", "0"}},
	{"a package hidden", []string{"data := nb.Load(\"sonar\")", "", "data.Options{}", "!%rm data", "%rm data", "~data",
		"data.Options{}.Name == \"\"", "true"}},
	{"remove", []string{"x, y := 1, 2", "", "%rm x", "~removed", "x", "!undefined: x", "y", "2"}},
	// values
	{"a time zone", []string{"%env TZ America/New_York", "~",
		"sales := map[time.Time]int{}\nday := time.Date(2020, 1, 2, 0, 0, 0, 0, time.Local)\nsales[day] = 1", "",
		"sales[day] += 5", "", "len(sales)*10 + sales[day]", "16",
		"day == time.Date(2020, 1, 2, 0, 0, 0, 0, time.Local)", "true",
		"berlin := time.LoadLocation(\"Europe/Berlin\")\nat := time.Date(2020, 7, 2, 0, 0, 0, 0, berlin)", "",
		"at == time.Date(2020, 7, 2, 0, 0, 0, 0, berlin)", "true", "%env TZ UTC", "~"}},
	{"append shares", []string{"a := append(make([]int, 0, 8), 1, 2)\nb := append(a, 3)", "", "c := append(a, 9)", "",
		"b", "[1 2 9]"}},
	{"a pattern", []string{"r := regexp.MustCompile(\"a(|b)\")", "", "r.FindString(\"ab\")", "a", "r.Longest()",
		"~note: r ends", "r.FindString(\"ab\")", "!r (a variable of cell"}},
	{"a changed array", []string{"type R [2]int\nr := R{1, 2}", "", "type R [3]int", "", "r", "!has changed"}},
	{"changed points", []string{"d := nb.Load(\"sonar\")\ng := kernel.List{kernel.Linear{}}.Bind(d.X)",
		"", "rows := d.X.(points.Rows)\nrows.Data[0] = 100", "~note: g ends", "g.Validate()", "!make it again"}},
	// errors
	{"an error beside a number", []string{
		"func WriteRows() (int, error) { return 0, errors.New(\"full\") }\nWriteRows()\nprintln(1)", "!full",
		"WriteRows()", "!full", "n := 0\nfmt.Sscan(\"abc\", &n)\nprintln(2)", "!integer",
		"f := os.CreateTemp(\"\", \"\")\nf.Close()\nfmt.Fprintln(f, 1)", "!already closed",
		"fmt.Fprintln(os.Stdout, \"a\")", "a", "b := strings.Builder{}\nb.WriteString(\"ab\");\nb.String()", "ab"}},
	// the process
	{"environment", []string{"os.Setenv(\"MKL_T_A\", \"1\")", "", "os.Getenv(\"MKL_T_A\")", "1",
		"x := 1\nos.Unsetenv(\"MKL_T_A\")", "", "os.LookupEnv(\"MKL_T_A\")", "~false"}},
	{"folder", []string{"home := os.Getwd()\ndir := os.MkdirTemp(\"\", \"\")", "", "os.Chdir(dir)", "",
		"now := os.Getwd()\nnow == dir", "true", "os.Chdir(home)", ""}},
	{"a variable of a package", []string{"os.Args = nil", "~note: the change of os.Args",
		"log.SetFlags(0)", "~note: what log.SetFlags",
		"func init() { log.SetFlags(0) }\nlog.Print(1)", "1", "log.Print(2)",
		"2"}},
	{"a pointer to a variable of a package", []string{"c := http.DefaultClient", "", "c.Timeout = 1", "!c (a variable",
		"var c = http.DefaultClient", "~note: c ends", "var c = &http.Client{}", "", "c.Timeout = 1", "", "c.Timeout",
		"1ns"}},
	{"declared twice", []string{"x := 1\nx := 2", "!no new variables", "x", "!undefined"}},
	{"equal bytes", []string{"nb.Show(1)\na := linalg.Backend().Name", "1", "linalg.Backend().Name == a", "true"}},
	{"a deadlock", []string{"x := 1\nc := make(chan int)\n<-c", "!deadlock", "x", "1",
		"x := 3\nruntime.Goexit()", "!deadlock",
		"x", "3", "<-time.After(300 * time.Millisecond)\nx := 2\nx", "2"}},
	{"hints", []string{"d = nb.Load(\"sonar\")", "!d := ", "d := nb.Load(\"sonar\")", "", "len(d)", "!d.Len()",
		"d.head()", "!d.head", "print(d)", "!nb.Show(d)", "# a comment", "!//", "nb.Save(d, \"flats\")",
		"!func(name string", "for x in y:\n  print(x)", "!range", "import numpy", "!nb.Open", "nb.Learn?", "~Learn",
		"help(nb.Learn)", "!?x", "d[0]", "!Slice", "f\"{d}\"", "!fmt.Sprintf"}},
}

// TestNothingIsSilent tests that a value is exact, or that its cell or a later one says why not.
func TestNothingIsSilent(t *testing.T) {
	testenv.SkipUnlessLong(t)
	runSequences(t, silentSequences)
}
