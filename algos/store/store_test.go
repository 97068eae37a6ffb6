package store

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mklnb/mkl/algos/registry"
)

// must is v, of a call that may not fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// ok ends the test where something failed.
func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

type result struct {
	Name  string
	Theta []float64
}

// TestPutRead: results of two stores in one folder share a file; a result of another type is not read, and is replaced.
func TestPutRead(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	s, other := must(Open(folder)), must(Open(folder))
	want := result{"x", []float64{1, math.Inf(1), math.Copysign(0, -1)}}
	got := result{Name: "before"}
	if err := s.Read("f", "k", &got); !errors.Is(err, fs.ErrNotExist) || got.Name != "before" {
		t.Errorf("an empty store holds %v, %v", got, err)
	}
	for range 2 { // the second time over the first
		ok(t, s.Put("f", "k", want))
	}
	ok(t, other.Put("f", "l", 7))
	if err := must(Open(folder)).Read("f", "k", &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("stored %v, read %v, %v", want, got, err)
	}
	s.Forget("f")
	number := 0
	if err := s.Read("f", "l", &number); err != nil || number != 7 {
		t.Errorf("the result of another store is %d, %v", number, err)
	}
	list := []int{7}
	if err := s.Read("f", "k", &list); err == nil || len(list) != 1 {
		t.Errorf("a result is %v", list)
	}
	ok(t, s.Put("f", "k", []int{8, 9}))
	if err := s.Read("f", "k", &list); err != nil || len(list) != 2 {
		t.Errorf("replaced, the result is %v, %v", list, err)
	}
	if files := must(os.ReadDir(folder)); len(files) != 1 {
		t.Errorf("%d files, want 1", len(files))
	}
}

// TestDamage: a damaged file has no results, and the next result replaces it.
func TestDamage(t *testing.T) {
	s := must(Open(t.TempDir()))
	ok(t, s.Put("f", "k", result{"x", []float64{1, 2, 3}}))
	path := filepath.Join(s.folder, "f")
	whole := must(os.ReadFile(path))
	try := func(what string, b []byte) {
		ok(t, os.WriteFile(path, b, 0o644))
		got := result{Name: "before"}
		if err := must(Open(s.folder)).Read("f", "k", &got); err == nil || got.Name != "before" ||
			errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, %v", what, got, err)
		}
	}
	for n := range whole {
		try(fmt.Sprint("cut off after ", n), whole[:n])
		b := append([]byte(nil), whole...)
		b[n] ^= 1 << (n % 8)
		try(fmt.Sprint("a bit of byte ", n), b)
	}
	ok(t, s.Put("other", "k", result{Name: "other"}))
	try("the file of another name", must(os.ReadFile(filepath.Join(s.folder, "other"))))
	s = must(Open(s.folder))
	for i := range 2 { // the error is reported once
		if err := s.Read("f", "k", new(result)); err == nil || errors.Is(err, fs.ErrNotExist) != (i == 1) {
			t.Errorf("read %d of a damaged file: %v", i, err)
		}
	}
	ok(t, s.Put("f", "k", result{Name: "new"}))
	if got := (result{}); must(Open(s.folder)).Read("f", "k", &got) != nil || got.Name != "new" {
		t.Errorf("after another Put: %v", got)
	}
}

// TestHostile: a link in the folder does not make Put write elsewhere.
func TestHostile(t *testing.T) {
	s := must(Open(t.TempDir()))
	outside := filepath.Join(t.TempDir(), "outside")
	ok(t, errors.Join(os.WriteFile(outside, []byte("mine"), 0o644),
		os.Symlink(outside, filepath.Join(s.folder, "link")), os.Mkdir(filepath.Join(s.folder, "folder"), 0o755)))
	for _, key := range []string{"link", "folder"} {
		v := 1
		if err := s.Read(key, "k", &v); err == nil || errors.Is(err, fs.ErrNotExist) || v != 1 {
			t.Errorf("%s: %v, %d", key, err, v)
		}
		if err := s.Put(key, "k", 2); (err == nil) != (key == "link") || err != nil && !errors.Is(err, ErrWrite) {
			t.Errorf("%s: %v", key, err)
		}
	}
	if b := must(os.ReadFile(outside)); string(b) != "mine" {
		t.Errorf("the file outside is %q", b)
	}
}

// TestMerge: a merge adds what is whole, keeps what is there, and unites the results of two files of the same name.
func TestMerge(t *testing.T) {
	s, a, b := must(Open(filepath.Join(t.TempDir(), "new"))), must(Open(t.TempDir())), must(Open(t.TempDir()))
	for file, v := range map[string]int{"one": 1, "two": 2, "cut": 3} {
		ok(t, a.Put(file, "k", v))
	}
	ok(t, errors.Join(b.Put("two", "k", 7), b.Put("two", "l", 8))) // of equal keys the first stays
	ok(t, os.Truncate(filepath.Join(a.folder, "cut"), 20))
	ok(t, os.WriteFile(filepath.Join(a.folder, ".mkl-1.tmp"), nil, 0o644))
	ok(t, os.WriteFile(filepath.Join(b.folder, "notes.txt"), []byte("mine"), 0o644))
	ok(t, os.WriteFile(filepath.Join(b.folder, "zero"), nil, 0o644)) // as a machine that fails leaves one
	changed, bad, err := s.Merge(t.Context(), a.folder, b.folder, a.folder)
	if changed != 3 || len(bad) != 4 || errors.Is(bad[0], ErrStray) || !errors.Is(bad[1], ErrStray) ||
		errors.Is(bad[2], ErrStray) || err != nil {
		t.Errorf("%d changed, %v, %v", changed, bad, err)
	}
	ok(t, os.Truncate(filepath.Join(s.folder, "one"), 20)) // and is made anew
	if changed, _, err := s.Merge(t.Context(), a.folder); changed != 1 || err != nil {
		t.Errorf("over a damaged one %d changed, %v", changed, err)
	}
	var one, two, three int
	if err := errors.Join(s.Read("one", "k", &one), s.Read("two", "k", &two), s.Read("two", "l", &three)); err != nil ||
		one != 1 || two != 2 || three != 8 || len(must(os.ReadDir(s.folder))) != 2 {
		t.Errorf("merged: %d, %d and %d of %v: %v", one, two, three, must(os.ReadDir(s.folder)), err)
	}
	if _, _, err := s.Merge(t.Context(), filepath.Join(s.folder, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no folder: %v", err)
	}
}

// What the folder is the reason for is ErrWrite; what the value is, is not.
func TestErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	ok(t, os.WriteFile(file, nil, 0o644))
	for _, folder := range []string{"", file} {
		if _, err := Open(folder); err == nil {
			t.Errorf("%q is a store", folder)
		}
	}
	s := must(Open(filepath.Join(file, "below"))) // cannot be made, by whomever
	if err := s.Put("f", "k", 1); !errors.Is(err, ErrWrite) || !strings.Contains(err.Error(), file) {
		t.Errorf("into a folder that cannot be: %v, want ErrWrite and the path", err)
	}
	if err := WriteFile(filepath.Join(file, "x"), nil, 0o644); !errors.Is(err, ErrWrite) {
		t.Errorf("a file there: %v, want ErrWrite", err)
	}
	s = must(Open(t.TempDir()))
	if err := s.Put("f", "k", func() {}); err == nil || errors.Is(err, ErrWrite) {
		t.Errorf("a function: %v, want an error of another kind", err)
	}
	for _, key := range []string{"", ".hidden", "a/b", `a\b`, "..", "c:d"} {
		if err := s.Put(key, "k", 1); err == nil || errors.Is(err, ErrWrite) {
			t.Errorf("key %q: %v", key, err)
		}
		if v := 0; s.Read(key, "k", &v) == nil {
			t.Errorf("key %q holds %v", key, v)
		}
	}
}

// TestAtOnce: readers and writers of one key at once, in this process and another, see whole results.
func TestAtOnce(t *testing.T) {
	const child = "MKL_TEST_STORE"
	folder, isChild := os.LookupEnv(child)
	if !isChild {
		folder = t.TempDir()
	}
	s := must(Open(folder))
	var wg sync.WaitGroup
	if !isChild {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestAtOnce$")
			cmd.Env = append(os.Environ(), child+"="+folder)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	for i := range 4 {
		wg.Go(func() {
			for range 50 {
				var r result
				theta := slices.Repeat([]float64{float64(i)}, 1000)
				if err := s.Put("f", "k", result{fmt.Sprint(i), theta}); err != nil {
					t.Error(err)
				}
				s.Forget("f")
				if err := s.Read("f", "k", &r); err != nil || len(r.Theta) != 1000 ||
					fmt.Sprint(r.Theta[0]) != r.Name || r.Theta[999] != r.Theta[0] {
					t.Errorf("got %q with %d numbers", r.Name, len(r.Theta))
				}
			}
		})
	}
	wg.Wait()
	if files, err := os.ReadDir(folder); !isChild && (err != nil || len(files) != 1) {
		t.Errorf("%d files are left, want 1 (%v)", len(files), err)
	}
}

type (
	Kernel   interface{ K() float64 }
	Width    struct{ Gamma float64 }
	Sum      struct{ Of []Kernel }
	Pointed  struct{ Gamma float64 }
	Function struct{ F func() float64 }
)

func (w Width) K() float64    { return w.Gamma }
func (s Sum) K() float64      { return 0 }
func (p *Pointed) K() float64 { return p.Gamma }
func (f Function) K() float64 { return f.F() }

func init() {
	for _, v := range []any{Width{}, Sum{}, &Pointed{}, Function{}} {
		registry.Register(v)
	}
}

func mustKey(t *testing.T, parts ...any) string {
	t.Helper()
	k, err := Key(parts...)
	if err != nil || len(k) != 64 {
		t.Fatalf("key %q, %v", k, err)
	}
	return k
}

func TestKey(t *testing.T) {
	nested := func() any { return Sum{[]Kernel{&Pointed{1}, Width{math.NaN()}}} } // equal by value
	if mustKey(t, nested()) != mustKey(t, nested()) {
		t.Error("equal parts have different keys")
	}
	// all of these differ
	seen := map[string]string{}
	for _, parts := range [][]any{
		{}, {nil}, {nil, nil}, {""}, {"a", "b"}, {"ab"}, {"a b"}, {[]string{"a", "b"}}, {"a", nil, "b"},
		{1}, {1.0}, {"1"}, {true}, {0.0}, {math.Copysign(0, -1)}, {math.Inf(1)}, {"+Inf"}, {math.NaN()},
		{[]float64(nil)}, {[]float64{}}, {[]float64{0}}, {[]float64{0}, []float64{0}}, {[]float64{0, 0}}, {[]int{0}},
		{Width{}}, {&Pointed{}}, {Width{1}}, {Sum{}}, {Sum{[]Kernel{}}}, {Sum{[]Kernel{Width{1}}}},
		{Sum{[]Kernel{&Pointed{1}}}},
	} {
		k := mustKey(t, parts...)
		if other, ok := seen[k]; ok {
			t.Errorf("%#v and %s have the same key", parts, other)
		}
		seen[k] = fmt.Sprintf("%#v", parts)
	}
	type local struct{ Gamma float64 }
	for want, v := range map[string]any{
		"local is not registered":          local{1},
		"*int is not registered":           new(int),
		"F: a func() float64 cannot":       Function{func() float64 { return 0 }},
		"func() is not registered":         func() {},
		"Of: element 1: store.Function: F": Sum{[]Kernel{Function{func() float64 { return 1 }}}},
	} {
		if k, err := Key("x", v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T has the key %q, %v, want an error with %q", v, k, err, want)
		}
	}
}

func Example() {
	folder, err := os.MkdirTemp("", "store")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	s, err := Open(folder)
	if err != nil {
		panic(err)
	}
	key, err := Key("fold", Width{Gamma: 0.5}, []int{0, 2, 3})
	if err != nil {
		panic(err)
	}
	for range 2 {
		var errors []float64
		if s.Read("split 1", key, &errors) != nil {
			fmt.Println("computed")
			errors = []float64{0.1, 0.2}
			if err := s.Put("split 1", key, errors); err != nil {
				fmt.Println(err) // and on without it
			}
		}
		fmt.Println(errors)
	}
	// Output:
	// computed
	// [0.1 0.2]
	// [0.1 0.2]
}
