package kept

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

type Pair[A, B any] struct {
	First  A
	Second B
	hidden int
}

type Node struct {
	next  *Node
	value float64
	owner any
}

type shape interface{ area() float64 }

type Square struct{ side float64 }

func (s *Square) area() float64 { return s.side * s.side }

// bound is written as its form.
type bound struct {
	n     int
	cache func() int
}

type Form struct{ N int }

func bind(n int) *bound { return &bound{n, func() int { return 2 * n }} }

func (b *bound) double() int   { return b.cache() }
func (b *bound) KeptForm() any { return Form{b.n} }
func (f Form) FromKept() any   { return bind(f.N) }

type doubler interface{ double() int }

// roundTrip writes the variables to which pointers point and returns pointers to new ones that were read.
func roundTrip(t *testing.T, pointers ...any) []any {
	t.Helper()
	var vars []Variable
	again, got := map[string]Variable{}, make([]any, len(pointers))
	for i, p := range pointers {
		name := string(rune('a' + i))
		vars = append(vars, Var(name, p))
		got[i] = reflect.New(reflect.TypeOf(p).Elem()).Interface()
		again[name] = Var(name, got[i])
	}
	file, types, err := encode(vars, 1<<30)
	if err != nil {
		t.Fatalf("%T: %v", pointers[0], err)
	}
	for _, x := range types {
		Types(reflect.Zero(reflect.PointerTo(x)).Interface())
	}
	if err := decode(file, again); err != nil {
		t.Fatalf("%T: %v", pointers[0], err)
	}
	for i := range vars {
		vars[i] = again[vars[i].name]
	}
	second, _, err := encode(vars, 1<<30)
	if err != nil || !bytes.Equal(file, second) {
		t.Errorf("%T: written again the file differs (%v)", pointers[0], err)
	}
	return got
}

func ptr[T any](x T) *T { return &x }

// TestRoundTrip tests that a value is equal after writing and reading, with fields that are not exported.
func TestRoundTrip(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		berlin = time.FixedZone("X", 3600)
	}
	cycle := &Node{value: 1}
	cycle.next = &Node{cycle, 2, cycle}
	dense := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	for _, p := range []any{ptr(3), ptr("größe\x00"), ptr(math.Copysign(0, -1)), ptr([]int(nil)), ptr([]int{}),
		ptr([]float64{1, math.Inf(1)}), ptr([][]string{{"a"}, nil, {}}), ptr(map[string][]int{"b": {1}, "a": nil}),
		ptr(map[any]int{1: 1, "1": 2, 1.5: 3}), ptr([3]*int{ptr(1), nil, ptr(3)}), ptr(Pair[int, *Node]{1, cycle, 7}),
		ptr(cycle), ptr(any(cycle)), ptr(shape(&Square{2})), ptr(time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)),

		ptr(time.Date(2020, 7, 2, 3, 4, 5, 6, berlin)), ptr(time.Time{}),
		ptr(big.NewInt(1e18)), ptr(dense), ptr(mat.Matrix(dense.T())), ptr(*mat.NewSymDense(2, []float64{1, 2, 2, 3})),
		ptr(error(nil)), ptr(error(&os.PathError{Op: "open", Path: "x", Err: syscall.ENOENT})),
		ptr(func() {}), ptr(complex(1, -2)), ptr(struct{ A, b int }{1, 2}), ptr(map[int]Node{1: {
			value: 2}}),
		ptr(*bytes.NewBufferString("text")), ptr(&strings.Builder{}), ptr([]struct{}{{}, {}}), ptr(&struct{}{}),
		ptr(sync.Mutex{}), ptr(map[string]any{"x": []any{1, "a", nil, map[string]any{"y": 1.5}}})} {
		if v := reflect.ValueOf(p).Elem(); v.Kind() == reflect.Func {
			v.SetZero()
		}
		if got := roundTrip(t, p)[0]; !reflect.DeepEqual(got, p) {
			t.Errorf("%#v is read as %#v", p, got)
		}
	}
	a, b := rand.New(rand.NewPCG(1, 2)), (*rand.Rand)(nil)
	a.Uint64()
	b = *roundTrip(t, &a)[0].(**rand.Rand)
	if x, y := a.Uint64(), b.Uint64(); x != y {
		t.Errorf("a generator continues with %d, expected %d", y, x)
	}
	d := doubler(bind(21))
	if got := *roundTrip(t, &d)[0].(*doubler); got.double() != 42 {
		t.Error("a form is not restored")
	}
	ds := map[string]doubler{"x": bind(4)}
	if got := *roundTrip(t, &ds)[0].(*map[string]doubler); got["x"].double() != 8 {
		t.Error("a form in a map is not restored")
	}
}

// TestShared tests that variables that share memory share it after reading: pointers to a variable, to a field, to an
// element, overlapping slices, one map.
func TestShared(t *testing.T) {
	s := struct{ a, b int }{1, 2}
	pb := &s.b
	x := []int{0, 1, 2, 3, 4, 5, 6, 7}
	y, z, w := x[:3], x[2:6:6], &x[7]
	m := map[string]int{"a": 1}
	n := m
	x = x[:4]
	r := roundTrip(t, &s, &pb, &x, &y, &z, &w, &m, &n)
	*(*r[1].(**int)) = 7
	(*r[3].(*[]int))[2] = 70
	(*r[6].(*map[string]int))["a"] = 5
	if got := r[0].(*struct{ a, b int }); got.b != 7 {
		t.Errorf("the variable of a pointer to its field is %v", got)
	}
	if gx, gz := *r[2].(*[]int), *r[4].(*[]int); gx[2] != 70 || gz[0] != 70 || len(gz) != 4 || cap(gz) != 4 ||
		len(gx) != 4 {
		t.Errorf("the slices are %v and %v", gx, gz)
	}
	if got := *r[7].(*map[string]int); got["a"] != 5 {
		t.Errorf("the map is %v", got)
	}
	if got := *r[5].(**int); *got != 7 {
		t.Errorf("the pointer to an element points to %d", *got)
	}
}

// TestGroups tests that variables are in one file if they share memory, and in several otherwise.
func TestGroups(t *testing.T) {
	a, b := []int{1, 2}, 5
	c, f, d := a[1:], func() {}, &b
	reasons := map[string]string{}
	groups := groupsOf([]Variable{Var("a", &a), Var("b", &b), Var("c", &c), Var("d", &d), Var("f", &f)}, reasons, 1<<20)
	var got []string
	for _, g := range groups {
		names := ""
		for _, v := range g.vars {
			names += v.name
		}
		if _, ok := reasons[names]; ok || len(g.file) == 0 {
			t.Errorf("the file of %s has %d bytes", names, len(g.file))
		}
		got = append(got, names)
	}
	if s := strings.Join(got, " "); s != "ac bd" || len(reasons) != 1 || reasons["f"] == "" {
		t.Errorf("the groups are %s, refused are %v", s, reasons)
	}
}

// TestRefused tests that nothing is written of a value that is valid only in its program.
func TestRefused(t *testing.T) {
	locked := &sync.Mutex{}
	locked.Lock()
	for want, p := range map[string]any{
		"function": ptr([]any{1, func() {}}), "channel": ptr(map[string]any{"c": make(chan int)}), "os.": &os.Stdout,
		"an error of type errors.errorString": ptr(errors.New("x")), "Mutex": &locked, "limit": ptr(make([]float64,
			200000)),
		"Field": ptr(struct{ Field func() }{func() {}}), "only its package": ptr(any(reflect.TypeOf(1))),
		"pointers as keys": ptr(map[*int]int{new(int): 1}),
	} {
		file, _, err := encode([]Variable{Var("x", p)}, 1<<20)
		if file != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the reason is %v, expected %q in it", err, want)
		}
	}
}

// TestLayout tests that a variable of another type, or a damaged file, is an error.
func TestLayout(t *testing.T) {
	x := []Pair[int, string]{{1, "a", 2}}
	file, _, err := encode([]Variable{Var("x", &x)}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var y []Pair[int, int]
	if err := decode(file, map[string]Variable{"x": Var("x", &y)}); err == nil {
		t.Error("a file is read into a variable of another type")
	}
	for i := range file {
		damaged := bytes.Clone(file)
		damaged[i] ^= 0x55
		var z []Pair[int, string]
		_ = decode(damaged[:len(file)-1], map[string]Variable{"x": Var("x", &z)})
		if err := decode(file[:i], map[string]Variable{"x": Var("x", &z)}); err == nil {
			t.Errorf("the first %d bytes are read as %v", i, z)
		}
	}
}

// TestMain sets a time zone: in UTC, times have no location that could be lost.
func TestMain(m *testing.M) {
	os.Setenv("TZ", "America/New_York")
	os.Exit(m.Run())
}

// TestTimes tests that times are equal, by == too, to those of the same location that a later program makes or reads,
// so that they find their entries of maps.
func TestTimes(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*time.Location{time.Local, time.UTC, newYork, time.FixedZone("X", 3600)} {
		day := func(l *time.Location) time.Time { return time.Date(2020, 7, 2, 3, 4, 5, 6, l) }
		times := map[time.Time]int{day(l): 1, day(time.Local).AddDate(0, 0, 1): 2}
		other := day(l)
		r := roundTrip(t, &times, &other, &l)
		m, o, k := *r[0].(*map[time.Time]int), *r[1].(*time.Time), *r[2].(**time.Location)
		if m[o] != 1 || m[day(k)] != 1 || o != day(k) || m[day(time.Local).AddDate(0, 0, 1)] != 2 ||
			o.String() != other.String() {
			t.Errorf("in %v, the map is %v and the time %v", l, m, o)
		}
	}
}

// TestAppend tests that append writes into the memory of a slice that was read as into that of the slice before.
func TestAppend(t *testing.T) {
	a := make([]int, 2, 4)
	b, empty := a[:3], make([]int, 0, 3)
	r := roundTrip(t, &a, &b, &empty)
	x, y := *r[0].(*[]int), *r[1].(*[]int)
	if _ = append(x, 7); y[2] != 7 || cap(x) != 4 || cap(*r[2].(*[]int)) != 3 {
		t.Errorf("the slices are %v (of %d) and %v", x, cap(x), y)
	}
}

// TestWrittenInFull tests that a value is refused if its own methods lose a part of it.
func TestWrittenInFull(t *testing.T) {
	pattern := regexp.MustCompile("a(|b)")
	if got := *roundTrip(t, &pattern)[0].(**regexp.Regexp); got.FindString("ab") != "a" {
		t.Errorf("a pattern finds %q", got.FindString("ab"))
	}
	pattern.Longest()
	if _, _, err := encode([]Variable{Var("pattern", &pattern)}, 1<<20); err == nil {
		t.Error("a pattern that prefers the longest match is written without this preference")
	}
}

type row [3]int

// TestChangedArray tests that the reason names the type if an array has another length.
func TestChangedArray(t *testing.T) {
	if a, b := layoutOf(reflect.TypeFor[row](), map[reflect.Type]bool{}), "3"; !strings.Contains(a, b) {
		t.Errorf("the layout of an array is %s, expected its length in it", a)
	}
}

// shared is a variable of a package.
var shared = Square{2}

// TestVariableOfPackage tests that a pointer to a variable of a package is refused, because a later cell would change a
// copy, and that one to a variable that lasts is not.
func TestVariableOfPackage(t *testing.T) {
	own := shared
	p, list, inside := &shared, []any{&own, &shared}, &shared.side
	for _, v := range []Variable{Var("p", &p), Var("list", &list), Var("inside", &inside)} {
		if _, _, err := encode([]Variable{v}, 1<<20); err == nil {
			t.Errorf("%s is written", v.name)
		}
	}
	state.vars = []Variable{Var("shared", &shared)}
	defer func() { state.vars = nil }()
	for _, v := range []Variable{Var("p", &p), Var("list", &list), Var("inside", &inside)} {
		if _, _, err := encode([]Variable{v}, 1<<20); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
	}
}
