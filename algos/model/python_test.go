package model_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/kernel/words"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// scored is a model, and the points and files from which score.py predicts.
type scored struct {
	m     *model.Model
	z     points.Points
	files []string
}

// score.py, which needs numpy alone and reads nothing but the documentation of the file, predicts what Go predicts, for
// each kernel and family, preprocessing, normalization, kind of points, kind of target, for views, and for support
// vectors alone.
func TestPythonScores(t *testing.T) {
	dir := t.TempDir()
	var jobs [][]string // arguments of score.py
	type job struct {
		name string
		m    *model.Model
		z    points.Points
	}
	var all []job
	for name, c := range scoredModels(t, dir) {
		few := *c.m
		few.W = slices.Clone(few.W)
		for i := range few.W {
			if i%few.X.Len()%3 == 0 {
				few.W[i] = 0
			}
		}
		for i, m := range []*model.Model{c.m, must(few.Prune())} {
			path := filepath.Join(dir, fmt.Sprintf("model%d.json", len(all)))
			if err := m.Save(path); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all = append(all, job{fmt.Sprintf("%s, pruned %t", name, i == 1), m, c.z})
			jobs = append(jobs, append([]string{path}, c.files...))
		}
	}
	parts := runScorePy(t, "score.main(*job)", jobs)
	if len(all) < 60 {
		t.Fatalf("only %d models", len(all))
	}
	for i, j := range all {
		comparePython(t, j.name, parts[i], j.m, j.z)
	}
}

// comparePython compares the output of score.py with the predictions of a model.
func comparePython(t *testing.T, name, out string, m *model.Model, z points.Points) {
	t.Helper()
	want := must(must(m.Predictor()).Predict(z))
	lines := must(csv.NewReader(strings.NewReader(out)).ReadAll())
	if len(lines) != len(want) {
		t.Errorf("%s: Python predicts %d points, Go %d", name, len(lines), len(want))
		return
	}
	for i, p := range want {
		line := lines[i]
		if m.Classes != nil {
			if line[0] != p.Class {
				t.Errorf("%s: point %d is %s in Python, %s in Go", name, i+1, line[0], p.Class)
			}
			line = line[1:]
		}
		numbers := slices.Concat(p.Values, p.Probabilities)
		if p.Values == nil {
			numbers = append([]float64{p.Value}, p.Probabilities...)
		}
		for j := range p.Lower {
			numbers = append(numbers, p.Lower[j], p.Upper[j])
		}
		for j, v := range numbers {
			got := math.NaN()
			if len(line) == len(numbers) {
				got = must(strconv.ParseFloat(line[j], 64))
			}
			if !(math.Abs(got-v) <= 1e-10*max(1, math.Abs(v))) {
				t.Errorf("%s: number %d of point %d is %s in Python, %.15g in Go", name, j+1, i+1, line, v)
				return
			}
		}
	}
}

// scoredModels returns models of every kind, and writes their new points into files of dir.
func scoredModels(t *testing.T, dir string) map[string]scored {
	all := map[string]scored{}
	rng := rand.New(rand.NewPCG(3, 3))
	x, z := rows(17, 3, 1), rows(6, 3, 2)
	for i := range x.N {
		x.Row(i)[2] = float64(i % 2) // a level of a categorical column
	}
	file := filepath.Join(dir, "new.npy")
	if err := data.WriteMatrix(file, mat.NewDense(z.N, z.D, z.Data)); err != nil {
		t.Fatal(err)
	}
	random := func(f kernel.Family, x points.Points, columns int) *model.Model {
		m, n := f.Bind(x).Dims()
		v := &model.Model{Family: f, X: x, Theta: make([]float64, m), W: make([]float64, n*columns)}
		for k := range v.Theta {
			v.Theta[k] = rng.Float64()
		}
		for i := range v.W {
			v.W[i] = rng.NormFloat64()
		}
		if rows, cols := f.Bind(x).ThetaShape(); rows > 0 { // P = AAᵀ
			a := mat.NewDense(rows, cols, v.Theta)
			var p mat.Dense
			p.Mul(a, a.T())
			copy(v.Theta, p.RawMatrix().Data)
		}
		return v
	}
	add := func(name string, f kernel.Family) { all[name] = scored{random(f, x, 1), z, []string{file}} }

	kernels := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.3}, kernel.Laplacian{Gamma: 0.2},
		kernel.Polynomial{Degree: 3, Offset: 0.5}, kernel.Polynomial{Degree: 2, Gamma: 0.7}}
	views := kernel.List{kernel.Linear{Columns: []int{0}}, kernel.RBF{Gamma: 1, Columns: []int{1, 2}}}
	add("list", kernels)
	add("views", views)
	add("power", kernel.Sum{Kernels: views, Degree: 3})
	for _, s := range []points.Step{points.MinMax, points.MaxAbs, points.CenterColumns, points.Standardize,
		points.StandardizeNumbers, points.Ranks, points.CenterRows, points.UnitRows} {
		add("prepared: "+string(s), kernel.Sum{Kernels: kernels, Prepare: points.Preprocessing{s, points.Standardize}})
	}
	for _, n := range []kernel.Normalization{kernel.None, kernel.Cosine, kernel.MeanDiagonal} {
		for _, center := range []bool{false, true} {
			add(fmt.Sprintf("normalized: %s, centered %t", n, center), kernel.Sum{Kernels: kernels, Normalize: n,
				Center: center, Prepare: points.Preprocessing{points.StandardizeNumbers}})
		}
	}
	prepare := points.Preprocessing{points.Standardize}
	add("features", kernel.Features{Degree: 2, Constant: true, Prepare: prepare})
	add("Gaussians", kernel.Gaussians{Prepare: prepare})
	add("monomials", kernel.Monomials{Kernels: views, Tied: kernel.Exponents(2, 2), Free: [][]int{{1, 1}}})
	add("blocks", blocks.Family{Families: []kernel.Family{views, kernel.Features{Constant: true}}})
	for degree := range 2 {
		for _, b := range []tessellated.Basis{tessellated.X, tessellated.ZX} {
			add(fmt.Sprint("tessellated, degree ", degree, b),
				tessellated.Family{Degree: degree, Basis: b, BoxMargin: 0.3})
			add(fmt.Sprint("tessellated balanced, degree ", degree, b), tessellated.Family{Degree: degree, Basis: b,
				TraceMetric: tessellated.Balanced, UnitMeanDiagonal: true, Uncentered: true})
		}
	}
	few := sparse(z)
	zeros := filepath.Join(dir, "sparse.npy")
	if err := data.WriteMatrix(zeros, mat.NewDense(z.N, z.D, points.ToRows(few).Data)); err != nil {
		t.Fatal(err)
	}
	all["sparse"] = scored{random(kernel.Features{Degree: 2}, sparse(x), 1), few, []string{zeros}}
	addTargets(all, random, kernels, x, z, file)
	addPoints(t, all, random, dir)
	return all
}

// addTargets adds models of each kind of target.
func addTargets(all map[string]scored, random func(kernel.Family, points.Points, int) *model.Model, f kernel.Family,
	x, z points.Rows, file string) {
	add := func(name string, columns int, change func(*model.Model)) *model.Model {
		m := random(f, x, columns)
		change(m)
		all[name] = scored{m, z, []string{file}}
		return m
	}
	sigmoids := []model.Sigmoid{{A: -1, B: 0.1}, {A: -0.5}, {A: -2, B: -0.3}}
	add("number", 1, func(m *model.Model) { m.Biases, m.Offsets = []float64{0.5}, []float64{3} })
	add("logarithm", 1, func(m *model.Model) { m.LogTargets = true; m.W = make([]float64, len(m.W)); m.W[1] = 0.1 })
	add("targets", 2, func(m *model.Model) { m.Biases, m.Offsets = []float64{1, 2}, []float64{3, 4} })
	add("two classes", 1, func(m *model.Model) {
		m.Classes, m.Sigmoids = []string{"no", `"yes", maybe`}, []model.Sigmoid{{A: -0.1, B: 0.2}}
	})
	add("three classes", 3, func(m *model.Model) {
		m.Classes, m.Sigmoids, m.Biases = []string{"a", "b", "c"}, sigmoids, []float64{1, 0, 2}
	})
	add("tiny probabilities", 3, func(m *model.Model) {
		m.Classes, m.Sigmoids, m.Biases = []string{"a", "b", "c"}, sigmoids, []float64{-800, -1599, -401}
	})
	add("classes without probabilities", 3, func(m *model.Model) { m.Classes = []string{"a", "b", "c"} })
	for name, columns := range map[string]int{"intervals": 1, "intervals of targets": 2} {
		m := add(name, columns, func(*model.Model) {})
		m.Intervals = &model.Intervals{Level: 0.8}
		for k := range 3 {
			fold := model.Fold{Model: *random(f, x.Slice([]int{1 + k, 4 + k, 7 + k, 10 + k}), columns)}
			for i := range 5 * columns {
				fold.Residuals = append(fold.Residuals, float64(i*(k+1)%7)/3)
			}
			m.Intervals.Folds = append(m.Intervals.Folds, fold)
		}
	}
}

// addPoints adds models of sequences, and of precomputed kernels with and without a map of new points.
func addPoints(t *testing.T, all map[string]scored, random func(kernel.Family, points.Points, int) *model.Model,
	dir string) {
	s := points.Sequences{"ACDEFGHIKL", "MSYHKHKACD", "aaccddee", "WWWWXWW", "DEFDEFDEF", "KHKHKHYS"}
	z := points.Sequences{"ACDEF", "HKHKX", "wwwa", "GGGG"}
	file := filepath.Join(dir, "new.txt")
	if err := os.WriteFile(file, []byte(strings.Join(z, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	spectra := kernel.List{words.Spectrum{K: 1}, words.Spectrum{K: 2}, words.Spectrum{K: 3, Mismatches: 1},
		words.Spectrum{K: 2, Alphabet: "acgw"}}
	all["sequences"] = scored{random(spectra, s, 1), z, []string{file}}
	all["sequences of norm 1"] = scored{random(kernel.Sum{Kernels: spectra, Normalize: kernel.Cosine}, s, 1), z,
		[]string{file}}

	const train = "age,color,size,y\n20,red,1.5,1\n30,,2.5,2\n,blue,3,5\n40,red,4,7\n"
	d := must(data.Options{Missing: data.Fill, Regression: true}.Open(write(t, "train.csv", train)))
	file = write(t, "new.csv", "size,color,age\n3,blue,\n2.5,,20\n1,mauve,7\n")
	m := random(kernel.List{kernel.RBF{Gamma: 0.1}}, d.X, 1)
	m.Input = d.Encoding
	all["file"] = scored{m, must(d.Encoding.Open(file)).X, []string{file}}

	x, n := rows(11, 2, 4), 11
	fresh := points.KernelRows{N: n, Names: []string{"A", "B"}}
	var files []string
	var list kernel.List
	for i, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.3}, kernel.Linear{}} {
		a, b := mat.NewDense(n, n, nil), mat.NewDense(4, n, nil)
		k.Cross(a, x, x)
		k.Cross(b, rows(4, 2, 5), x)
		name := fresh.Names[i]
		p := kernel.Precomputed{Name: name, N: n, Data: a.RawMatrix().Data}
		if i == 1 {
			p.Name, p.KernelRowsName, p.NewPointMap = "mapped", name, rows(1, n*n, 9).Data
		}
		list = append(list, p)
		fresh.Data = append(fresh.Data, b.RawMatrix().Data)
		path := filepath.Join(dir, name+".npy")
		if err := data.WriteMatrix(path, b); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	all["precomputed"] = scored{random(kernel.Sum{Kernels: list, Normalize: kernel.MeanDiagonal}, points.AllIndices(n),
		1), fresh, files}
	all["precomputed, files in another order"] = scored{all["precomputed"].m, fresh, []string{files[1], files[0]}}
}
