package model_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// saved is the file of the model of examples with that name.
func saved(name string) []byte { return must(encoded(examples()[name].m)) }

func replaced(t *testing.T, file []byte) func(old, new string) []byte {
	return func(old, new string) []byte {
		t.Helper()
		if !bytes.Contains(file, []byte(old)) {
			t.Fatalf("the file has no %q:\n%s", old, file)
		}
		return sealed(bytes.Replace(file, []byte(old), []byte(new), 1))
	}
}

func TestLoadErrors(t *testing.T) {
	good := saved("sum")
	swap := replaced(t, good)
	weights := string(good[bytes.Index(good, []byte(`"W":[`))+4:])
	weights = weights[:strings.Index(weights, "]")+1]
	prediction := string(good[bytes.Index(good, []byte(`"prediction":`)):bytes.Index(good, []byte(`,"sha256"`))])
	const head = `{"format": "mkl-model/1", `
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"other JSON": {[]byte(`{"a": 1}`), "not a model file"},
		"cut off":    {good[:len(good)/2], "cut off"},
		"empty":      {nil, "cut off after 0 bytes"},
		"another format": {swap(`"mkl-model/1"`, `"mkl-model/2"`),
			`the format of the model file is "mkl-model/2"`},
		"no model":                   {[]byte(head + `"prediction": [1]}`), "contains no model"},
		"unknown field":              {[]byte(head + `"x": 1}`), `unknown field "x"`},
		"unknown field of the model": {swap(`"Biases":[0.25]`, `"Shifts":[0.25]`), `unknown field "Shifts"`},
		"no family":                  {sealed([]byte(head + `"model": {}}`)), "set Family"},
		"no w":                       {swap(`"W":`+weights, `"Note":""`), "W needs one for each point"},
		"no bias":                    {swap(`"Biases":[0.25],`, ``), "has changed"},
		"no prediction":              {swap(","+prediction, ``), `no field "prediction"`},
		"more text":                  {append(slices.Clone(good), '1'), "text follows"},
		"short w":                    {swap(weights, `[1]`), "1 dual coefficients for 23 points"},
		"NaN":                        {swap(`"Biases":[0.25]`, `"Biases":["NaN"]`), "number 1 of biases is NaN"},
		"another bias":               {swap(`"Biases":[0.25]`, `"Biases":[0.26]`), "has changed"},
		"not linked": {swap(`"type":"github.com/mklnb/mkl/algos/kernel.Sum"`, `"type":"example.org/tess.Family"`),
			`import _ "example.org/tess"`},
		"edited":             {bytes.Replace(good, []byte(`"Biases":[0.25]`), []byte(`"Biases":[0.26]`), 1), "sha256"},
		"no checksum":        {[]byte(head + `"model": {}}`), "sha256"},
		"another prediction": {swap(prediction, `"prediction":[1]`), "predicted 1 when it was saved"},
	} {
		m, err := decoded(c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: model %v, error %v, want an error with %q", name, m, err, c.want)
		}
	}
	if _, err := model.Load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: error %v, want one that is fs.ErrNotExist", err)
	}
}

// TestFlippedBits tests that a model file with a flipped bit is an error, also in score.py.
func TestFlippedBits(t *testing.T) {
	d := must(data.Options{Regression: true}.Open(write(t, "train.csv", "a,c,y\n1,u,1\n2,v,2\n4,u,1\n3,v,7\n")))
	good := must(encoded(awkwardModels(d, 1)["intervals"]))
	if _, err := decoded(good); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	file, path := write(t, "new.csv", "a,c\n5,u\n"), t.TempDir()
	jobs := [][]string{{write(t, "good", string(good)), file}}
	for k := range 1000 {
		bad := slices.Clone(good)
		bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
		if _, err := decoded(bad); err == nil {
			t.Errorf("loaded:\n%s", bad)
		}
		if k < 100 {
			jobs = append(jobs, []string{filepath.Join(path, fmt.Sprint(k)), file})
			must(0, os.WriteFile(jobs[k+1][0], bad, 0o600))
		}
	}
	for k, out := range runScorePy(t, "score.main(*job)", jobs) {
		if (out == "error") != (k > 0) {
			t.Errorf("file %d: score.py prints %q", k, out)
		}
	}
}

// doubled is a family of another package: a linear kernel, twice.
type doubled struct{ Linear kernel.Linear }

func (d doubled) Bind(x points.Points) kernel.Grams { return kernel.List{d.Linear, d.Linear}.Bind(x) }

// strange is one that nobody registered.
type strange struct{ doubled }

func init() { registry.Register(doubled{}) }

func TestForeignFamily(t *testing.T) {
	x := rows(5, 3, 1)
	m := &model.Model{Family: doubled{kernel.Linear{Columns: []int{1}}}, X: x, Theta: []float64{1, 2},
		W: []float64{1, 2, 3, 4, 5}}
	b := must(encoded(m))
	got, err := decoded(b)
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
	wantError(t, errorOf(encoded(m)), "model_test.strange is not registered")
}

func TestSaveErrors(t *testing.T) {
	m := *examples()["sum"].m
	dir := t.TempDir()
	for _, path := range []string{"", dir + string(filepath.Separator), filepath.Join(dir, "none", "m")} {
		if err := m.Save(path); err == nil {
			t.Errorf("saved to %q", path)
		}
	}
	m.W = m.W[1:]
	if err := m.Save(filepath.Join(dir, "m")); err == nil {
		t.Error("a model that is not valid was saved")
	}
}

// FuzzLoad: each file is an error or a model that predicts without panic. The seeds are models of three points, with
// and without a stored prediction.
func FuzzLoad(f *testing.F) {
	encoding := data.Encoding{Options: data.Options{Format: data.CSV},
		Columns: []data.Column{{Name: "a", Levels: []string{"u", "v"}}, {Name: "b", Mean: 1}}, Label: "y"}
	for name, e := range examples() {
		m := *e.m
		m.X, m.Input, m.W = m.X.Slice([]int{0, 1, 2}), &encoding, []float64{1, 0, -2}
		for _, m := range []*model.Model{&m, must(m.Prune())} {
			f.Add(fmt.Appendf(nil, `{"format":"mkl-model/1","model":%s}`, must(registry.MarshalValue(*m))))
		}
		f.Add(saved(name))
	}
	f.Add([]byte(`{"format":"mkl-model/1"}`))
	f.Add([]byte(`{"format":"mkl-model/1","model":{"Family":{"type":"github.com/mklnb/mkl/algos/kernel.Features",` +
		`"value":{}},"X":{"type":"github.com/mklnb/mkl/algos/points.Rows","value":{"N":-1}},` +
		`"Theta":[0.25]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decoded(sealed(b))
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

// edited is a base kernel whose code a test edits: k(z, x) = e^{−width·|z_1 − x_1|}.
type edited struct{}

var width = 1.0

func (edited) String() string            { return "edited" }
func (edited) Check(points.Points) error { return nil }
func (edited) Cross(dst *mat.Dense, z, x points.Points) {
	a, b := z.(points.Rows), x.(points.Rows)
	for i := range a.N {
		for j := range b.N {
			dst.Set(i, j, math.Exp(-width*math.Abs(a.Row(i)[0]-b.Row(j)[0])))
		}
	}
}

func init() { registry.Register(edited{}) }

// TestEditedKernel: a model whose kernel has changed is an error of Decode.
func TestEditedKernel(t *testing.T) {
	defer func() { width = 1 }()
	for name, f := range map[string]kernel.Family{
		"list": kernel.List{kernel.RBF{Gamma: 1}, edited{}},
		"prepared": kernel.Sum{Kernels: kernel.List{edited{}, kernel.Linear{}},
			Prepare: points.Preprocessing{points.Standardize}, Normalize: kernel.MeanDiagonal},
		"centered": kernel.Sum{Kernels: kernel.List{edited{}, kernel.Linear{}}, Center: true},
	} {
		width = 1
		b := must(encoded(&model.Model{Family: f, X: rows(40, 2, 1), Theta: []float64{0.5, 0.5},
			W: rows(120, 1, 2).Data, Biases: []float64{1, 2, 3}, Offsets: []float64{0, 0, 1}}))
		for _, c := range []struct {
			width float64
			want  string
		}{{2, "has changed"}, {1.001, "has changed"}, {math.NaN(), "NaN"}} {
			width = c.width
			wantError(t, errorOf(decoded(b)), c.want)
		}
		width = 1 + 1e-12
		if _, err := decoded(b); err != nil {
			t.Errorf("%s, the kernel as it was: %v", name, err)
		}
	}
}

// TestNoPrediction: a model that stores no matrix cannot predict its own points, and its file has no prediction.
func TestNoPrediction(t *testing.T) {
	k := kernel.Precomputed{Name: "a", N: 2, Data: []float64{2, 1, 1, 2}}
	p := must((&model.Model{Family: kernel.List{k}, X: points.AllIndices(2), Theta: []float64{1},
		W: []float64{1, -1}}).Prune())
	b := must(encoded(p))
	if m, err := decoded(b); err != nil || !reflect.DeepEqual(m, p) || bytes.Contains(b, []byte("prediction")) {
		t.Errorf("%v, %v of\n%s", m, err, b)
	}
}

func Example() {
	x := points.NewRows([][]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}})
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
	fmt.Println(same.Classify(points.NewRows([][]float64{{0.9, 0.1}, {0.8, 0.9}})))
	// Output:
	// either, not both: model of 4 points, 1 of 2 kernels in use
	// [yes no] <nil>
}

func ExampleModel_Write() {
	m := &model.Model{
		Name: "a line", Family: kernel.List{kernel.Linear{}}, X: points.NewRows([][]float64{{1}, {2}}),
		Theta: []float64{1}, W: []float64{-1, 2}, Biases: []float64{0.5},
	}
	if err := m.Write(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	//
	// {"format":"mkl-model/1","model":{"Biases":[0.5],"Family":{"type":"github.com/mklnb/mkl/algos/kernel.List","value":[{"type":"github.com/mklnb/mkl/algos/kernel.Linear","value":{}}]},"Name":"a line","Theta":[1],"W":[-1,2],"X":{"type":"github.com/mklnb/mkl/algos/points.Rows","value":{"D":1,"Data":[1,2],"N":2}}},"prediction":[3.5],"sha256":"7609225b8254812def25d958ea657c17a59e3ad6592a675f5fa0e91d55d6f81b"}
}
