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
	{"a declared error of a call", []string{"var q, qerr = strconv.Atoi(\"x\")", "!invalid syntax",
		"var q, qerr = strconv.Atoi(\"x\")\nfunc isBad() bool { return qerr != nil }", "~note: qerr ends", "q",
		"0", "qerr", "!keep its text",
		"var n = strconv.Atoi(\"3\")", "", "n", "3", "var m = strconv.Atoi(\"x\")", "!invalid syntax",
		"m", "!run the cell again"}},
	{"init", []string{"x := 1\nfunc double() { x *= 2 }", "", "func init() { double() }", "!init", "x", "1",
		"func init() { fmt.Println(1) }", "1", "x", "1\n1"}},
	{"a command after code", []string{"x := 1\n!echo late", "!before line 1", "// first\n!echo early\nx := 1\nx",
		"early\n1", "x = 2\n%cd .", "!before line 1", "x", "1",
		"import (\n\t\"fmt\"\n)\n \n!echo early\nfmt.Println(x)",
		"early\n1"}},
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
	// packages
	{"memory of a package", []string{"p := palette.Plan9", "~note: p shares memory with palette.Plan9",
		"p[0] = nil\npalette.Plan9[0] != nil",
		"true", "q := slices.Clone(palette.Plan9)\nn := len(palette.Plan9)", "",
		"m := map[string][]string{\"a\": os.Args}", "~note: m",
		"t := unicode.Scripts", "", "len(t)", "!t (a variable", "linalg.SetThreads(1);", "~note: what"}},
	// assignments
	{"in one step", []string{"func f() (int, int, error) { return 1, 9, nil }\na, i := []int{0, 0}, 0", "",
		"i, a[i] = f()", "", "a", "[9 0]", "m, p := map[string]int{}, new(int)", "",
		"m[\"a\"] = strconv.Atoi(\"3\")\n*p = strconv.Atoi(\"4\")", "", "m[\"a\"] * *p", "12"}},
	{"a key of a map", []string{"k := \"a\"", "", "map[string]map[string]int{k: {k: 3}}", "map[a:map[a:3]]",
		"type T struct{ k int }\nT{k: 4}", "{k:4}"}},
	{"a variable in place of a type", []string{"type T struct{ A int }\nx := T{1}", "", "T := 3\nT", "3", "x.A",
		"!the type T of x", "T + 1", "4"}},
	{"before it is declared again", []string{"x := 1", "", "f := func() { x++ }\nf()\nx := x * 10\nf()\nx", "20",
		"x, z := 5, &x\n*z", "20", "*z = 7", "", "x", "5", "y, x := x, \"a\"\nx + fmt.Sprint(y)", "a5"}},
	// memory
	{"slices in a map", []string{
		"m := map[string][]int{\"a\": {1, 2}}\ns := m[\"a\"]", "", "s[0] = 8", "", "m[\"a\"]",
		"[8 2]", "m[\"a\"] = append(m[\"a\"], 3)", "", "m[\"a\"][0] = 1\ns", "[8 2]"}},
	{"one alias assigned", []string{"a := []int{1, 2}\nb := a", "", "a = []int{7, 7}", "", "b[0] = 5", "", "a", "[7 7]",
		"b = a", "", "b[1] = 0", "", "a", "[7 0]"}},
	{"a pointer in an interface", []string{"x := 1\nvar i any = &x", "", "*(i.(*int)) = 4", "", "x", "4",
		"x = 6\n*(i.(*int))", "6"}},
	{"parts of an array", []string{"arr := [4]int{1, 2, 3, 4}\ns := arr[1:3]\np := (*[2]int)(s)\nq := &arr[2]", "",
		"p[1] = 9\n*q", "9", "s = append(s, 7)\narr", "[1 2 9 7]", "*q = 0\ns", "[2 0 7]"}},
	{"values that contain themselves", []string{"type L []L\nl := L{nil}\nl[0] = l\na := []any{nil}\na[0] = a", "",
		"l[0][0] = nil\nl[0] == nil", "true", "a[0].([]any)[0] = 3\na[0]", "3"}},
	{"views of a matrix", []string{
		"m := mat.NewDense(2, 2, []float64{1, 2, 3, 4})\nv := m.Slice(0, 1, 0, 2).(*mat.Dense)\nw := m.RowView(0)",
		"", "v.Set(0, 1, 9)", "", "m.At(0, 1)", "9", "m.Set(0, 0, 7)", "", "v.At(0, 0) + w.AtVec(0)", "14"}},
	{"a model in a struct", []string{"type Run struct{ L *learn.Learned }\n" +
		"l := nb.Learn(nb.Load(\"sonar\"), learn.WithFolds(2))\nrs := []Run{{l}}", "~", "l.Method = \"x\"", "",
		"rs[0].L.Method", "x"}},
	{"buffers", []string{
		"var b strings.Builder\nb.WriteString(\"a\");\nr := strings.NewReader(\"hello\")\nr.ReadByte();",
		"", "b.WriteString(\"b\");\nb.String()", "ab", "c := r.ReadByte()\nstring(c)", "e"}},
	{"an embedded interface", []string{"type W struct{ fmt.Stringer }\ntype N int\n" +
		"func (n *N) String() string { return fmt.Sprint(\"N\", int(*n)) }\nn := N(3)\nw := W{&n}", "", "n = 5", "",
		"w.String()", "N5"}},
	{"methods change", []string{"type C int\nfunc (c C) Area() int { return int(c) }\nc := C(3)\nc.Area()", "3",
		"func (c C) Area() int { return 10 * int(c) }", "", "c.Area()", "30", "type C float64", "", "c",
		"!has changed"}},
	{"defer", []string{"x := 1\ny := []int{1}\ndefer func() { x *= 10; y[0] = x }()\nx = 2\npanic(3)",
		"!panic: 3", "x + y[0]", "40"}},
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
