package model_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
)

// saved is the file of the model of examples with that name.
func saved(t testing.TB, name string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m")
	if err := examples()[name].m.Save(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func load(t testing.TB, b []byte) (*model.Model, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m")
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return model.Load(path)
}

func TestLoadErrors(t *testing.T) {
	good := saved(t, "sum")
	swap := func(old, new string) []byte {
		if !bytes.Contains(good, []byte(old)) {
			t.Fatalf("the file has no %q:\n%s", old, good)
		}
		return bytes.Replace(good, []byte(old), []byte(new), 1)
	}
	block := string(good[bytes.Index(good, []byte(`"w": "f8:`))+5:])
	block = block[:strings.Index(block[1:], `"`)+2] // with its quotes
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":           {nil, "cut off after 0 bytes"},
		"text":            {[]byte("hello"), "not a model file"},
		"other JSON":      {[]byte(`{"a": 1}`), "not a model file"},
		"a list":          {[]byte(`[1]`), "not a model file"},
		"cut off":         {good[:len(good)/2], "cut off"},
		"later version":   {swap(`"mkl-model/1"`, `"mkl-model/2"`), "later version"},
		"later, other":    {[]byte(`{"format": "mkl-model/12", "theta": {}}`), "later version"},
		"version 0":       {swap(`"mkl-model/1"`, `"mkl-model/0"`), "not a model file"},
		"no version":      {swap(`"mkl-model/1"`, `"mkl-model/x"`), "not a model file"},
		"no block":        {swap(block, `"abc"`), `does not begin with "f8:"`},
		"broken block":    {swap(block, `"f8:A"`), "base64"},
		"part of a block": {swap(block, `"f8:AAAA"`), "a block of 3 bytes, want a multiple of 8"},
		"short w":         {swap(block, `"f8:AAAAAAAA8D8="`), "1 dual coefficients for 23 points"},
		"NaN":             {swap(`"bias": "f8:AAAAAAAA0D8="`, `"bias": "f8:AAAAAAAA+H8="`), "number 1 of bias is NaN"},
		"two biases":      {swap(`"bias": "f8:AAAAAAAA0D8="`, `"bias": "f8:"`), "0 numbers for the bias"},
		"unknown family":  {swap(`"type": "sum"`, `"type": "Nonsense"`), "Nonsense"},
	} {
		m, err := load(t, c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: model %v, error %v, want an error with %q", name, m, err, c.want)
		}
	}
	if _, err := model.Load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: error %v, want one that is fs.ErrNotExist", err)
	}
}

func TestSaveErrors(t *testing.T) {
	m := *examples()["sum"].m
	dir := t.TempDir()
	for _, path := range []string{"", dir + string(filepath.Separator), filepath.Join(dir, "none", "m"), dir + string(filepath.Separator) + ".."} {
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

// The name of a model is text, not part of a path.
func TestNameWithSeparators(t *testing.T) {
	m := *examples()["list"].m
	m.Name = "../a/b\\c\x00"
	path := filepath.Join(t.TempDir(), "m")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := model.Load(path)
	if err != nil || got.Name != m.Name {
		t.Errorf("loaded %q, %v", got.Name, err)
	}
}

// FuzzLoad: any file is a model that predicts without panic, or an error.
func FuzzLoad(f *testing.F) {
	for name := range examples() {
		f.Add(saved(f, name))
	}
	f.Add([]byte(`{"format":"mkl-model/1"}`))
	f.Add([]byte(`{"format":"mkl-model/1","bias":"f8:AAAAAAAA0D8=","offset":"f8:AAAAAAAA0D8=","family":{"type":"Features","value":{}},"points":{"type":"Rows","value":{"N":-1}}}`))
	path := filepath.Join(f.TempDir(), "m")
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := model.Load(path)
		if err != nil {
			if m != nil || !strings.HasPrefix(err.Error(), "model: ") {
				t.Fatalf("model %v, error %v", m, err)
			}
			return
		}
		if m.X.Len() > 100 {
			return // time
		}
		if y, err := m.Predict(m.X); err == nil && len(y) != m.X.Len() {
			t.Fatalf("%d predictions for %d points", len(y), m.X.Len())
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
