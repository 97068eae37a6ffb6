package model_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data"
)

// saved is the file of the model of examples with that name.
func saved(name string) []byte { return must(examples()[name].m.Encode()) }

func replaced(t *testing.T, file []byte) func(old, new string) []byte {
	return func(old, new string) []byte {
		t.Helper()
		if !bytes.Contains(file, []byte(old)) {
			t.Fatalf("the file has no %q:\n%s", old, file)
		}
		return bytes.Replace(file, []byte(old), []byte(new), 1)
	}
}

// earlier is a file of version 1, as examples()[name] was saved by it.
func earlier(t testing.TB, name string) []byte {
	t.Helper()
	b := must(os.ReadFile(filepath.Join("testdata", "version1", name+".mkl.json")))
	return b
}

func TestLoadVersion1(t *testing.T) {
	n := 0
	for name, e := range examples() {
		m, err := model.Decode(earlier(t, name))
		if err != nil || !reflect.DeepEqual(m, e.m) {
			t.Errorf("%s: %+v, %v, want %+v", name, m, err, e.m)
		}
		n++
	}
	if n != 5 {
		t.Errorf("%d files, want 5", n)
	}
}

func TestLoadErrors(t *testing.T) {
	good, old := saved("sum"), earlier(t, "sum")
	swap, swap1 := replaced(t, good), replaced(t, old)
	block := string(old[bytes.Index(old, []byte(`"w": "f8:`))+5:])
	block = block[:strings.Index(block[1:], `"`)+2] // with its quotes
	const head = `{"format": "mkl-model/2", "crc32": `
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":         {nil, "cut off after 0 bytes"},
		"text":          {[]byte("hello"), "not a model file"},
		"other JSON":    {[]byte(`{"a": 1}`), "not a model file"},
		"a list":        {[]byte(`[1]`), "not a model file"},
		"cut off":       {good[:len(good)/2], "cut off"},
		"later version": {swap(`"mkl-model/2"`, `"mkl-model/3"`), "later version"},
		"later, other":  {[]byte(`{"format": "mkl-model/12", "model": []}`), "later version"},
		"version 0":     {swap(`"mkl-model/2"`, `"mkl-model/0"`), "not a model file"},
		"no version":    {swap(`"mkl-model/2"`, `"mkl-model/x"`), "not a model file"},
		"another number": {swap(`"Offset": -0.3333333333333333`, `"Offset": -0.3333333333333334`),
			"the file is damaged"},
		"another block": {swap(`"W": "f8:`, `"W": "f8:AAAAAAAA8D8`), "the file is damaged"},
		"another sum":   {swap(`"crc32": "`, `"crc32": "0`), "the file is damaged"},
		"no sum":        {swap(`"crc32"`, `"crc"`), "the file is damaged"},
		"no model":      {[]byte(head + `"00000000"}`), "no model in it"},
		"a later field": {[]byte(head + fmt.Sprintf(`"%08x", "model": {"Later":1}}`,
			crc32.ChecksumIEEE([]byte(`{"Later":1}`)))), `unknown field "Later"`},
		"null":            {[]byte(head + `"25cbfc4f", "model": null}`), "want {"},
		"version 1":       {swap(`"mkl-model/2"`, `"mkl-model/1"`), "for the bias"},
		"no block":        {swap1(block, `"abc"`), `begins with "f8:"`},
		"broken block":    {swap1(block, `"f8:A"`), "base64"},
		"part of a block": {swap1(block, `"f8:AAAA"`), "3 bytes are not a multiple of 8"},
		"short w":         {swap1(block, `"f8:AAAAAAAA8D8="`), "1 dual coefficients for 23 points"},
		"NaN":             {swap1(`"bias": "f8:AAAAAAAA0D8="`, `"bias": "f8:AAAAAAAA+H8="`), "number 1 of bias is NaN"},
		"two biases":      {swap1(`"bias": "f8:AAAAAAAA0D8="`, `"bias": "f8:"`), "0 numbers for the bias"},
		"unknown family":  {swap1(`"type": "sum"`, `"type": "Nonsense"`), "Nonsense"},
		"not linked":      {swap1(`"type": "sum"`, `"type": "example.org/tess.Family"`), `import _ "example.org/tess"`},
	} {
		m, err := model.Decode(c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: model %v, error %v, want an error with %q", name, m, err, c.want)
		}
	}
	if _, err := model.Load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: error %v, want one that is fs.ErrNotExist", err)
	}
}

// Whichever bit of a file flips, it is not read as another model.
func TestFlippedBit(t *testing.T) {
	b := saved("list")
	want := must(model.Decode(b))
	refused := 0
	for i := range b {
		b[i] ^= 1 << (i % 7)
		if m, err := model.Decode(b); err != nil {
			refused++
		} else if !reflect.DeepEqual(m, want) {
			t.Errorf("bit %d of byte %d, %q: the model is another, without an error", i%7, i, b[i])
		}
		b[i] ^= 1 << (i % 7)
	}
	if refused < len(b)*3/4 { // the rest is white space
		t.Errorf("%d of %d files are refused", refused, len(b))
	}
}

// A file that was indented anew is the same model.
func TestIndented(t *testing.T) {
	var b bytes.Buffer
	if err := json.Indent(&b, saved("sum"), "", "\t\t"); err != nil {
		t.Fatal(err)
	}
	if m, err := model.Decode(b.Bytes()); err != nil || !reflect.DeepEqual(m, examples()["sum"].m) {
		t.Errorf("%v, %v", m, err)
	}
}

// doubled is a family of another package: a linear kernel, twice.
type doubled struct{ Linear kernel.Linear }

func (d doubled) On(x kernel.Points) kernel.Grams { return kernel.List{d.Linear, d.Linear}.On(x) }

// strange is one that nobody registered.
type strange struct{ doubled }

func init() { registry.Register(doubled{}) }

func TestForeignFamily(t *testing.T) {
	x := rows(5, 3, 1)
	m := &model.Model{Family: doubled{kernel.Linear{Columns: []int{1}}}, X: x, Theta: []float64{1, 2},
		W: []float64{1, 2, 3, 4, 5}}
	b := must(m.Encode())
	got, err := model.Decode(b)
	if err != nil || !reflect.DeepEqual(got, m) {
		t.Fatalf("%+v, %v, want %+v", got, err, m)
	}
	p, err1 := got.Predict(x)
	want, err2 := m.Predict(x)
	if err1 != nil || err2 != nil || !slices.Equal(p, want) {
		t.Errorf("predicted %v, %v, want %v, %v", p, err1, want, err2)
	}
	if !bytes.Contains(b, []byte(`"github.com/mklnb/mkl/algos/model_test.doubled"`)) {
		t.Errorf("the file does not name the family's package:\n%s", b)
	}
	m.Family = strange{}
	wantError(t, errorOf(m.Encode()), "model_test.strange is not registered")
}

func TestSaveErrors(t *testing.T) {
	m := *examples()["sum"].m
	dir := t.TempDir()
	for _, path := range []string{"", dir + string(filepath.Separator), filepath.Join(dir, "none", "m"),
		dir + string(filepath.Separator) + ".."} {
		if err := m.Save(path); err == nil {
			t.Errorf("saved to %q", path)
		}
	}
	path := filepath.Join(dir, "m")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	m.W = m.W[1:]
	if err := m.Save(path); err == nil {
		t.Error("a model that is not valid was saved")
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("a save that failed changed the file")
	}
}

// FuzzLoad: whatever is in a file, it is a model that predicts without panic, or an error. Its seeds are
// models of three points; without a checksum, in the form of version 1, their parts are fuzzed.
func FuzzLoad(f *testing.F) {
	encoding := data.Encoding{Options: data.Options{Format: data.CSV},
		Columns: []data.Column{{Name: "a", Levels: []string{"u", "v"}}, {Name: "b", Mean: 1}}, Label: "y"}
	for _, e := range examples() {
		m := *e.m
		m.X, m.Input, m.W = m.X.Slice([]int{0, 1, 2}), encoding, []float64{1, 0, -2}
		p, err := m.Prune()
		if err != nil {
			f.Fatal(err)
		}
		for _, m := range []*model.Model{&m, p} {
			b, err := registry.Marshal(*m)
			if err != nil {
				f.Fatal(err)
			}
			var compact bytes.Buffer
			if err := json.Compact(&compact, b); err != nil {
				f.Fatal(err)
			}
			f.Add([]byte(fmt.Sprintf(`{"format":"mkl-model/2","crc32":"%08x","model":%s}`,
				crc32.ChecksumIEEE(compact.Bytes()), b)))
			first := map[string]any{"format": "mkl-model/1", "name": m.Name, "classes": m.Classes, "labels": m.Labels,
				"theta": registry.Floats(m.Theta), "w": registry.Floats(m.W), "bias": registry.Floats{m.Bias},
				"offset": registry.Floats{m.Offset}}
			for name, part := range map[string]any{"family": m.Family, "points": m.X} {
				b, err := registry.Marshal(part)
				if err != nil {
					f.Fatal(err)
				}
				first[name] = json.RawMessage(b)
			}
			if b, err = json.Marshal(first); err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
	for _, name := range []string{"list", "sum"} { // with kept values
		f.Add(saved(name))
	}
	f.Add([]byte(`{"format":"mkl-model/1"}`))
	f.Add([]byte(`{"format":"mkl-model/2"}`))
	f.Add([]byte(`{"format":"mkl-model/1","bias":"f8:AAAAAAAA0D8=","offset":"f8:AAAAAAAA0D8=","family":{"type":"features","value":{}},"points":{"type":"rows","value":{"N":-1}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := model.Decode(b)
		if err != nil || m.X.Len() > 100 { // time
			return
		}
		_ = m.String()
		y, err := m.Values(m.X)
		if err != nil {
			return
		}
		if l, _ := y.Dims(); l != m.X.Len() {
			t.Fatalf("%d predictions for %d points", l, m.X.Len())
		}
		if _, err := m.Prune(); err != nil {
			t.Fatal(err)
		}
	})
}

func Example() {
	x := kernel.NewRows([][]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}})
	m := &model.Model{
		Name: "either, not both", Family: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}, X: x,
		Theta: []float64{0, 1}, W: []float64{-2, 2, 2, -2}, Classes: []string{"no", "yes"},
	}
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "xor.mkl")
	if err := m.Save(path); err != nil {
		panic(err)
	}
	same, err := model.Load(path)
	if err != nil {
		panic(err)
	}
	fmt.Println(same)
	fmt.Println(same.Classify(kernel.NewRows([][]float64{{0.9, 0.1}, {0.8, 0.9}})))
	// Output:
	// either, not both: model of 4 points, 1 of 2 kernels in use; predicts "no" or "yes"
	// [yes no] <nil>
}
