package model_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

// gaussians13 is a model of n points of ten features with 13 Gaussians, of which three are in use.
func gaussians13(n int) *model.Model {
	x := rows(n, 10, 1)
	list := make(kernel.List, 13)
	for k := range list {
		list[k] = kernel.RBF{Gamma: math.Pow(2, float64(k)-9)}
	}
	m := &model.Model{Family: kernel.Sum{Kernels: list, Prepare: points.Preprocessing{points.Standardize},
		Normalize: kernel.MeanDiagonal}, X: x, Theta: make([]float64, len(list)), W: rows(n, 1, 2).Data,
		Offsets: []float64{3}}
	m.Theta[2], m.Theta[5], m.Theta[6] = 0.5, 1, 0.25
	return m
}

// plainLoop is the prediction of the point z, which is standardized like x, by a loop over the training points and the
// kernels in use.
func plainLoop(m *model.Model, x [][]float64, z []float64) float64 {
	var theta, gamma [13]float64
	used := 0
	for k, t := range m.Theta {
		if t != 0 {
			theta[used], gamma[used] = t, m.Family.(kernel.Sum).Kernels[k].(kernel.RBF).Gamma
			used++
		}
	}
	f := m.Offsets[0]
	for i, row := range x {
		distance, k := 0.0, 0.0
		for j, v := range row {
			distance += (v - z[j]) * (v - z[j])
		}
		for l := range used {
			k += theta[l] * math.Exp(-gamma[l]*distance)
		}
		f += m.W[i] * k
	}
	return f
}

// standardized returns the rows of x after the preprocessing of m.
func standardized(m *model.Model, x points.Rows) (all [][]float64) {
	fit := must(m.Family.(kernel.Sum).Prepare.Fit(m.X))
	z := fit.Apply(x).(points.Rows)
	for i := range z.N {
		all = append(all, z.Row(i))
	}
	return all
}

// A Predictor predicts the numbers of Model, those of a plain loop, and allocates at most ten times for a row.
func TestPredictor(t *testing.T) {
	for name, e := range examples() {
		p, want := must(e.m.Predictor()), must(e.m.Predict(e.z))
		classes := must(e.m.Classify(e.z))
		for range 2 {
			for i, q := range must(p.Predict(e.z)) {
				if q.Value != want[i] || q.Class != classes[i] {
					t.Errorf("%s: point %d: %+v, Model predicts %g, %s", name, i+1, q, want[i], classes[i])
				}
			}
			one := must(p.Predict(e.z.Slice([]int{3})))
			if v := one[0].Value; math.Abs(v-want[3]) > 1e-12*math.Abs(want[3]) {
				t.Errorf("%s: point 4 alone: %g, with others %g", name, v, want[3])
			}
		}
	}
	m := gaussians13(120)
	p, z := must(m.Predictor()), rows(20, 10, 5)
	x, plain := standardized(m, m.X.(points.Rows)), standardized(m, z)
	for i, q := range must(p.Predict(z)) {
		if want := plainLoop(m, x, plain[i]); math.Abs(q.Value-want) > 1e-12*math.Abs(want) {
			t.Errorf("point %d: %g, by a loop %g", i+1, q.Value, want)
		}
	}
	row := z.Slice([]int{7})
	if n := testing.AllocsPerRun(100, func() { must(p.Predict(row)) }); n > 10 && !testenv.Race {
		t.Errorf("%g allocations for a row, want at most 10", n)
	}
	m.Theta = m.Theta[:3]
	wantError(t, errorOf(m.Predictor()), "Theta has 3 weights, but the family has 13 kernels")
	wantError(t, errorOf(p.Predict(nil)), "the new points are nil")
	wantError(t, errorOf(p.PredictRow(nil)), "was not learned on a file")
}

// A row from a map, from a slice, from CSV and from JSON is the row of a file.
func TestPredictRows(t *testing.T) {
	m := served(t)
	p := must(m.Predictor())
	want := must(m.PredictFile(write(t, "new.csv", "color,size\nred,2.5\nmauve,9\n"))).Predictions
	if want[0].Unseen != "" || want[0].Outside != nil || want[1].Unseen != "color=mauve" ||
		fmt.Sprint(want[1].Outside) != "[size]" {
		t.Errorf("%+v", want)
	}
	for name, got := range map[string][]model.Prediction{
		"map": {must(p.PredictRow(map[string]string{"size": "2.5", "color": "red"})),
			must(p.PredictRow(map[string]string{"size": "9", "color": "mauve"}))},
		"slice": must(p.PredictRows([]string{"size", "color"}, []string{"2.5", "red"}, []string{"9", "mauve"})),
		"csv":   must(p.PredictFrom(strings.NewReader("size,color\n2.5,red\n9,mauve\n"), "csv")),
		"json": must(p.PredictFrom(strings.NewReader(`{"size": 2.5, "color": "red"}`+"\n"+
			`{"size": 9, "color": "mauve"}`), "json")),
	} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, of the file %+v", name, got, want)
		}
	}
	_, err := p.PredictRow(map[string]string{"size": "2.5"})
	wantError(t, err, `model: predict: data: no column color`)
	_, err = p.PredictRow(map[string]string{"size": "", "color": "red"})
	wantError(t, err, "the cell is missing")
	f := must(m.PredictFile(write(t, "new.csv", "color,size\nred,2.5\nmauve,9\n")))
	if s := f.String(); s != "2 predictions in new.predictions.csv; rows with values that did not occur in training: "+
		"1 (column unseen of the file); rows with features outside the range of the training points: 1 "+
		"(column outside of the file)" {
		t.Error(s)
	}
}

// served is a model of a file with a number and a color.
func served(t *testing.T) *model.Model {
	d := must(data.Options{Regression: true}.Open(write(t, "train.csv",
		"size,color,price\n1,red,10\n2,blue,21\n3,red,30\n4,blue,41\n")))
	return &model.Model{Family: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5}}, X: d.X, Theta: []float64{1, 2},
		W: []float64{1, -1, 2, 1}, Input: d.Encoding, Lowest: []float64{1, 0, 0}, Highest: []float64{4, 1, 1}}
}

// Many clients of one server at the same time get the predictions of their own rows.
func TestServer(t *testing.T) {
	m := served(t)
	server := httptest.NewServer(must(serve(m)))
	defer server.Close()
	p := must(m.Predictor())
	var wg sync.WaitGroup
	for client := range 8 {
		rng := rand.New(rand.NewPCG(uint64(client), 1))
		wg.Go(func() {
			for range 20 {
				size, color := rng.Float64()*4, []string{"red", "blue"}[rng.IntN(2)]
				row := fmt.Sprintf(`{"size": %v, "color": %q}`, size, color)
				r, err := http.Post(server.URL+"/predict", "application/json", strings.NewReader(row))
				if err != nil {
					t.Error(err)
					return
				}
				var got []model.Prediction
				err = json.NewDecoder(r.Body).Decode(&got)
				r.Body.Close()
				want, err2 := p.PredictRow(map[string]string{"size": fmt.Sprint(size), "color": color})
				if err != nil || err2 != nil || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
					t.Errorf("%s: %+v, %v, want %+v, %v", row, got, err, want, err2)
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkPredictRow times one row by a Predictor, and by a plain loop over the training points and the kernels in
// use. The loop gets a row that is standardized.
func BenchmarkPredictRow(b *testing.B) {
	for _, n := range []int{300, 1000, 2000} {
		m := gaussians13(n)
		p, z := must(m.Predictor()), rows(1, 10, 5)
		x, plain := standardized(m, m.X.(points.Rows)), standardized(m, z)[0]
		b.Run(fmt.Sprintf("loop/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				plainLoop(m, x, plain)
			}
		})
		b.Run(fmt.Sprintf("Predictor/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			var one points.Points = z
			for b.Loop() {
				must(p.Predict(one))
			}
		})
	}
}
