package model_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/words"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// New points are matched by the names of their features, in any order and among others.
func TestPredictByName(t *testing.T) {
	x := rows(9, 3, 1)
	x.Names = []string{"a", "b", "c"}
	m := &model.Model{Family: kernel.List{kernel.RBF{Gamma: 1}, kernel.Linear{Columns: []int{2}}}, X: x,
		Theta: []float64{1, 0.3}, W: rows(9, 1, 2).Data}
	z := rows(4, 3, 3)
	z.Names = x.Names
	want := must(m.Predict(z))
	wide := points.Rows{N: 4, D: 5, Names: []string{"c", "e", "a", "f", "b"}}
	for i := range 4 {
		r := z.Row(i)
		wide.Data = append(wide.Data, r[2], 7, r[0], 8, r[1])
	}
	bare := z
	bare.Names = nil
	for _, z := range []points.Points{wide, bare} {
		if got, err := m.Predict(z); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	wide.Names = []string{"c", "e", "a", "a", "b"}
	wantError(t, errorOf(m.Predict(wide)), `two features of the new points are named "a"`)
}

// Sparse points whose greatest index is smaller have zeros behind it.
func TestPredictNarrowSparse(t *testing.T) {
	x := sparse(rows(6, 4, 1))
	m := &model.Model{Family: kernel.Features{Constant: true}, X: x, Theta: []float64{1, 2, 3, 4, 5},
		W: rows(6, 1, 2).Data}
	z := rows(3, 4, 5)
	for i := range 3 {
		z.Row(i)[3] = 0
	}
	wide := sparse(z)
	narrow := wide
	narrow.D = 3
	a := must(m.Predict(wide))
	if b, err := m.Predict(narrow); err != nil || !slices.Equal(a, b) {
		t.Errorf("%v, %v, want %v", b, err, a)
	}
}

// The learned Gram matrix of new points gives the predictions.
func TestGram(t *testing.T) {
	m := &model.Model{Family: kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 0.5}, kernel.Linear{}},
		Prepare: points.Preprocessing{points.Standardize}, Normalize: kernel.MeanDiagonal}, X: rows(8, 2, 1),
		Theta: []float64{0.7, 0.2}, W: rows(8, 1, 2).Data, Biases: []float64{0.5}}
	z := rows(3, 2, 2)
	k := must(m.Gram(z))
	for i, want := range must(m.Predict(z)) {
		if got := mat.Dot(k.RowView(i), mat.NewVecDense(8, m.W)) + 0.5; math.Abs(got-want) > 1e-12 {
			t.Errorf("K·w + b = %g, want %g", got, want)
		}
	}
}

// A model of Gram matrices keeps its support vectors and no matrix, and predicts from values with the
// points it was learned on.
func TestPruneGrams(t *testing.T) {
	x := rows(7, 3, 1)
	a := mat.NewDense(7, 7, nil)
	kernel.RBF{Gamma: 0.4}.Cross(a, x, x)
	f := kernel.Sum{Kernels: kernel.List{kernel.Precomputed{Name: "a", N: 7, Data: a.RawMatrix().Data}},
		Normalize: kernel.MeanDiagonal}
	for _, w := range [][]float64{{1, 0, -2, 0, 0, 3, 0}, {1, 2, 3, 4, 5, 6, 7}} {
		m := &model.Model{Family: f, X: points.AllIndices(7), Theta: []float64{2}, W: w}
		want := must(m.Predict(points.Indices{4, 2}))
		wantError(t, errorOf(m.Predict(points.Indices{7})), "index 7")
		p, err := m.Prune()
		if err != nil || p.X.Len() != m.SupportVectorCount() {
			t.Fatalf("pruned to %v, %v", p, err)
		}
		b := must(encoded(p))
		if len(b) > 1500 {
			t.Errorf("the file has %d bytes", len(b))
		}
		p = must(decoded(b))
		z := points.KernelRows{N: 7, Names: []string{"a"},
			Data: [][]float64{append(slices.Clone(a.RawRowView(4)), a.RawRowView(2)...)}}
		got, err := p.Predict(z)
		if err != nil || math.Abs(got[0]-want[0]) > 1e-14 || math.Abs(got[1]-want[1]) > 1e-14 {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
		wantError(t, errorOf(p.Predict(points.Indices{4})), "stores no matrix")
	}
}

// Predictions of a file go to a file beside it: numbers, two classes, more, several targets.
func TestPredictFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	d := must(data.Open(write("train.csv", "a,kind,y\n1,u,0\n2,v,1\n3,u,1\n")))
	base := model.Model{Family: kernel.List{kernel.Linear{}}, X: d.X, Theta: []float64{1}, W: []float64{0, 0, 1},
		Input: d.Encoding}
	two := base
	two.Classes, two.Biases = []string{"no", `a "b", c`}, []float64{-4}
	three := base
	three.Classes, three.W = []string{"p", "q", "r"}, []float64{0, 0, 1, 0, 0, 0, 0, 0, -1}
	sure := two
	sure.Sigmoids = []model.Sigmoid{{}}
	targets := base
	targets.W = []float64{0, 0, 1, 0, 1, 0}
	for want, m := range map[string]*model.Model{
		"row,prediction\n1,4\n2,6\n": &base,
		"row,prediction,value\n1,\"a \"\"b\"\", c\",0\n2,\"a \"\"b\"\", c\",2\n": &two,
		"row,prediction,P(no),\"P(a \"\"b\"\", c)\"\n1,\"a \"\"b\"\", c\",0.49999999999975,0.50000000000025\n" +
			"2,\"a \"\"b\"\", c\",0.49999999999975,0.50000000000025\n": &sure,
		"row,prediction,p,q,r\n1,p,4,0,-4\n2,p,6,0,-6\n": &three,
		"row,target 1,target 2\n1,4,2\n2,6,5\n":          &targets,
	} {
		out, err := m.PredictFile(write("new.csv", "kind,more,a\nu,x,1\nv,x,2\n"))
		if err != nil || out.Path != filepath.Join(dir, "new.predictions.csv") {
			t.Fatalf("%v, %v", out, err)
		}
		if b, _ := os.ReadFile(out.Path); string(b) != want {
			t.Errorf("%s, want %s", b, want)
		}
	}
	// a value that was not learned from is named beside its row
	out := must(two.PredictFile(write("new.csv", "kind,more,a\nu,x,1\nw,x,2\n")))
	if b, _ := os.ReadFile(out.Path); string(b) != "row,prediction,value,unseen\n1,\"a \"\"b\"\", c\",0,\n"+
		"2,\"a \"\"b\"\", c\",2,kind=w\n" {
		t.Errorf("%s", b)
	}
	for name, text := range map[string]string{"new.tsv": "kind\ta\nu\t1\n", "new.txt": "kind,a\nu,1\n",
		"new": "kind,a\nu,1\n"} {
		// other files of the same name have predictions of their own
		if name == "new" {
			name += ".CSV"
		}
		out, err := base.PredictFile(write(name, text))
		if err != nil || out.Path != filepath.Join(dir, name+".predictions.csv") {
			t.Errorf("%v, %v", out, err)
		}
	}
	if _, err := base.PredictFile(write("bad.csv", "kind\nu\n")); err == nil ||
		!strings.HasPrefix(err.Error(), "model: predict: data: bad.csv: csv: the file has 1 column if ',' separates") {
		t.Error(err)
	}
	if _, err := base.PredictFile(); err == nil {
		t.Error("no file, no error")
	}
	base.Input = nil
	wantError(t, errorOf(base.PredictFile("new.csv")), "not learned on a file")
}

// TestPredictUnrelatedSequences marks sequences that share no word with the sequences of the model: their prediction is
// the bias only.
func TestPredictUnrelatedSequences(t *testing.T) {
	d := must(data.Options{Sequence: "seq", Label: "fam"}.Open("../../data/testdata/field/seq.csv"))
	w := make([]float64, d.Len())
	for i, y := range d.Y {
		w[i] = y
	}
	m := model.Model{Family: kernel.List{words.Spectrum{K: 2}}, X: d.X, Theta: []float64{1}, W: w, Classes: d.Classes,
		Input: d.Encoding}
	path := filepath.Join(t.TempDir(), "new.csv")
	for text, marked := range map[string]bool{"id,seq\nn1,A\nn2,MSYHKHK\nn3,XXXX\n": true,
		"id,seq\nn2,MSYHKHK\n": false} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		b := string(must(os.ReadFile(must(m.PredictFile(path)).Path)))
		lines := strings.SplitAfter(b, "\n")
		if marked != strings.HasPrefix(b, "row,prediction,value,unseen\n") || marked &&
			(lines[1] != "1,pho,0,all words\n" ||
				!strings.HasSuffix(lines[2], ",\n") || lines[3] != "3,pho,0,all words\n") {
			t.Errorf("%q", b)
		}
	}
}

// TestPredictionColumns tests that the file of predictions and the predictions of rows name the key of each row, the
// columns whose missing numbers were filled, and the level of the intervals, also for joined files.
func TestPredictionColumns(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	open := func(o data.Options, name, text string) *data.Dataset {
		o.Regression, o.Missing = !o.Unlabeled, data.Fill
		return must(o.Open(file(name, text)))
	}
	const clinic, lab = "id,age,y\np,30,1\nq,50,2\nr,40,3\n", "id,crp\nr,1\np,2\nq,3\n"
	keyed := open(data.Options{Key: "id"}, "clinic.csv", clinic)
	linear := func(d *data.Dataset) *model.Model {
		return &model.Model{Family: kernel.List{kernel.Linear{}}, X: d.X, Theta: []float64{1}, W: []float64{0, 0.1, 0},
			Input: d.Encoding}
	}
	single := linear(keyed)
	levels := *single
	levels.Intervals = &model.Intervals{Level: 0.75, Folds: []model.Fold{{Model: *single,
		Residuals: []float64{1, 2, 3}}}}
	levels.Intervals.Folds[0].Model.Input = nil
	joined := linear(must(data.Join(keyed, open(data.Options{Key: "id", Unlabeled: true}, "lab.csv", lab))))
	named := linear(open(data.Options{}, "named.csv", "\"\",age,y\nu,30,1\nv,50,2\nw,40,3\n"))
	clash := linear(open(data.Options{Key: "prediction"}, "clash.csv", "prediction,age,y\np,30,1\nq,50,2\nr,40,3\n"))
	fresh, freshLab := file("new.csv", "age,id\n10,z\n,x\n"), file("new_lab.csv", "crp,id\n1,x\n,z\n")
	for _, c := range []struct {
		m     *model.Model
		files []string
		want  string
	}{
		{single, []string{fresh}, "row,id,prediction,filled\n1,z,50,\n2,x,200,age\n"},
		{&levels, []string{fresh}, "row,id,prediction,lower,upper,level,filled\n1,z,50,47,53,0.75,\n" +
			"2,x,200,197,203,0.75,age\n"},
		{joined, []string{fresh, freshLab}, "row,id,prediction,filled\n1,z,50.6,lab: crp\n2,x,200.3,clinic: age\n"},
		{named, []string{file("new2.csv", ",age\nz,10\nx,20\n")}, "row,key,prediction\n1,z,50\n2,x,100\n"},
		{named, []string{file("new3.csv", "age\n10\n")}, "row,prediction\n1,50\n"},
		{clash, []string{file("new4.csv", "age,prediction\n10,z\n")}, "row,key,prediction\n1,z,50\n"},
	} {
		out, err := c.m.PredictFile(c.files...)
		if err != nil {
			t.Error(err)
		} else if b := string(must(os.ReadFile(out.Path))); b != c.want {
			t.Errorf("%s: %s, want %s", c.files, b, c.want)
		} else if strings.Contains(c.want, "filled") != strings.Contains(out.String(), "column filled") {
			t.Errorf("%s: %s", c.files, out)
		}
	}
	p := must(joined.Predictor())
	for _, row := range []map[string]string{{"id": "x", "age": "", "crp": "1"},
		{"id": "x", "clinic.age": "NA", "lab.crp": "1"}} {
		got, err := p.PredictRow(row)
		if err != nil || math.Abs(got.Value-200.3) > 1e-9 || got.Filled != "clinic: age" || got.Key != "x" {
			t.Errorf("%v: %+v, %v", row, got, err)
		}
	}
	got := must(must(levels.Predictor()).PredictFrom(strings.NewReader(`[{"age": 10, "id": "z"}]`), "json"))
	if q := got[0]; len(got) != 1 || q.Key != "z" || q.Level != 0.75 || q.Lower[0] != 47 || q.Filled != "" {
		t.Errorf("%+v", got)
	}
}
