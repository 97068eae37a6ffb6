package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/registry"

	"gonum.org/v1/gonum/mat"
)

// edited is a base kernel of another package, whose code a test edits: k(z, x) = e^{−width·|z_1 − x_1|}.
type edited struct{}

var width = 1.0

func (edited) String() string            { return "edited" }
func (edited) Check(kernel.Points) error { return nil }
func (edited) Cross(dst *mat.Dense, z, x kernel.Points) {
	a, b := z.(kernel.Rows), x.(kernel.Rows)
	for i := range a.N {
		for j := range b.N {
			dst.Set(i, j, math.Exp(-width*math.Abs(a.Row(i)[0]-b.Row(j)[0])))
		}
	}
}

func init() { registry.Register(edited{}) }

// keptValues are the numbers that a file keeps of its kernel.
func keptValues(t testing.TB, b []byte) []float64 {
	t.Helper()
	var f struct{ Kept registry.Floats }
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatal(err)
	}
	return f.Kept
}

// withKept is a file with other JSON in the place of what it keeps of its kernel, under its checksum.
func withKept(t testing.TB, b []byte, kept string) []byte {
	t.Helper()
	var f map[string]json.RawMessage
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatal(err)
	}
	delete(f, "kept")
	delete(f, "kept_crc32")
	if kept != "" {
		var c bytes.Buffer
		if err := json.Compact(&c, []byte(kept)); err != nil {
			t.Fatal(err)
		}
		f["kept"], f["kept_crc32"] = json.RawMessage(kept), json.RawMessage(fmt.Sprintf("%q",
			fmt.Sprintf("%08x", crc32.ChecksumIEEE(c.Bytes()))))
	}
	b = must(json.Marshal(f))
	return b
}

// floats is JSON as a file has it.
func floats(t testing.TB, v []float64) string {
	t.Helper()
	b := must(json.Marshal(registry.Floats(v)))
	return string(b)
}

// A model of a kernel whose code has changed since is refused; with the former code it is read again.
func TestEditedKernel(t *testing.T) {
	defer func() { width = 1 }()
	x := rows(40, 2, 1)
	for name, f := range map[string]kernel.Family{
		"list": kernel.List{kernel.RBF{Gamma: 1}, edited{}},
		"prepared": kernel.Sum{Kernels: kernel.List{edited{}, kernel.Linear{}},
			Prepare: kernel.Prepare{kernel.Standardize}, Normalize: kernel.MeanDiagonal},
		"centred": kernel.Sum{Kernels: kernel.List{edited{}, kernel.Linear{}}, Centre: true},
	} {
		width = 1
		m := &model.Model{Family: f, X: x, Theta: []float64{0.5, 0.5}, W: rows(120, 1, 2).Data,
			Biases: []float64{1, 2, 3}, Offsets: []float64{0, 0, 1}}
		b := must(m.Encode())
		for _, c := range []struct {
			width float64
			want  string
		}{{1, ""}, {2, "the kernel is another one than when the model was saved"}, {1.001, "another one"}, {1 + 1e-12,
			""}, {math.NaN(), "NaN"}, {1, ""}} {
			width = c.width
			got, err := model.Decode(b)
			switch {
			case c.want == "" && (err != nil || got == nil):
				t.Errorf("%s, the kernel as it was, width %g: %v", name, c.width, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%s, width %g: model %v, error %v, want one with %q", name, c.width, got, err, c.want)
			}
		}
	}
}

// The error says where the kernel differs and what to do.
func TestEditedKernelSays(t *testing.T) {
	defer func() { width = 1 }()
	m := &model.Model{Family: kernel.List{edited{}}, X: kernel.NewRows([][]float64{{0}, {1}, {3}}), Theta: []float64{1},
		W: []float64{1, 0, 2}}
	b := must(m.Encode())
	width = 2
	_, err := model.Decode(b)
	for _, want := range []string{"at its own point 1", "Σ_j w_j k(x_1, x_j) is 1.00496", "and was 1.09957",
		"code of kernel.List", "learn the model again"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
}

// Files of every kind of points keep some values and are read; those without any, as earlier ones are, too.
func TestKept(t *testing.T) {
	checks := 0
	for name, e := range examples() {
		b := saved(name)
		if v := keptValues(t, b); len(v) != 8 || slices.Max(v) == 0 {
			t.Errorf("%s: the file keeps %v", name, v)
		}
		if _, err := model.Decode(withKept(t, b, "")); err != nil {
			t.Errorf("%s, without kept values: %v", name, err)
		}
		v := keptValues(t, b)
		if _, err := model.Decode(withKept(t, b, floats(t, v))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, i := range []int{0, 7} {
			w := slices.Clone(v)
			w[i] += 1e-3 * (1 + math.Abs(w[i]))
			wantError(t, errorOf(model.Decode(withKept(t, b, floats(t, w)))), "another one")
			checks++
		}
		if e.m.X.Len() != 23 {
			t.Errorf("%s has %d points", name, e.m.X.Len())
		}
	}
	if checks != 10 {
		t.Errorf("%d checks, want 10", checks)
	}
	// a model that cannot meet its own points, since it keeps no matrix, keeps no values
	k := kernel.Precomputed{Name: "a", N: 2, Data: []float64{2, 1, 1, 2}}
	p := must((&model.Model{Family: kernel.List{k}, X: kernel.AllPlaces(2), Theta: []float64{1},
		W: []float64{1, -1}}).Prune())
	b := must(p.Encode())
	if v := keptValues(t, b); v != nil {
		t.Errorf("kept %v", v)
	}
	if _, err := model.Decode(b); err != nil {
		t.Error(err)
	}
}

// Whatever stands in the place of the kept values, it is an error and no panic.
func TestAbsurdKept(t *testing.T) {
	b := saved("list")
	good := floats(t, keptValues(t, b))
	for name, c := range map[string]struct{ kept, want string }{
		"none":         {`"f8:"`, "keeps 0 values of its kernel, want 8"},
		"one":          {floats(t, []float64{1}), "keeps 1 values"},
		"many":         {floats(t, make([]float64, 1000)), "keeps 1000 values"},
		"NaN":          {floats(t, slices.Repeat([]float64{math.NaN()}, 8)), "another one"},
		"infinite":     {floats(t, slices.Repeat([]float64{math.Inf(1)}, 8)), "another one"},
		"huge":         {floats(t, slices.Repeat([]float64{math.MaxFloat64}, 8)), "another one"},
		"zeros":        {floats(t, make([]float64, 8)), "another one"},
		"text":         {`"abc"`, "kept"},
		"null":         {`null`, "keeps 0 values"},
		"list":         {`[1, 2]`, "kept"},
		"object":       {`{"a": 1}`, "kept"},
		"bytes":        {`"f8:AAAA"`, "kept"},
		"as it was":    {good, ""},
		"not a number": {`1e999`, "kept"},
	} {
		m, err := model.Decode(withKept(t, b, c.kept))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: model %v, error %v, want %q", name, m, err, c.want)
		}
	}
	swap := replaced(t, b)
	wantError(t, errorOf(model.Decode(swap(`"kept": "f8:`, `"kept": "f8:AAAAAAAA8D8`))), "the file is damaged")
	wantError(t, errorOf(model.Decode(swap(`"kept_crc32"`, `"kept_crc33"`))), "the file is damaged")
}
