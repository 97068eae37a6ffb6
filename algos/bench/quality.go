package main

import (
	"fmt"
	"maps"
	"math"
	"runtime/debug"
	"strconv"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// qualityTasks are study.Learn beside tuned models of scikit-learn, on its bundled sets and a simulated one.
func qualityTasks() (all []task) {
	for _, q := range []question{
		{name: "breast cancer", splits: 10, classes: 2}, {name: "wine", splits: 10, classes: 3},
		{name: "iris", splits: 10, classes: 3},
		{name: "digits", splits: 3, classes: 10}, {name: "diabetes", splits: 10}, {name: "linnerud", splits: 10,
			targets: 3},
		{name: "sine and product", n: 500, splits: 5}, {name: "sine and product", n: 1400, splits: 3},
		{name: "sine and product", n: 2000, splits: 3}, {name: "parity of digits", n: 1490, splits: 3, classes: 2},
		{name: "parity of digits", n: 1797, splits: 3, classes: 2},
	} {
		name := "quality " + q.name
		if q.n > 0 {
			name += fmt.Sprintf(" n=%d", q.n)
		}
		all = append(all, task{name: name, make: q.make,
			about: fmt.Sprintf("Learn without its comparison and models of scikit-learn, tuned by 5 folds inside the "+
				"training part of each of "+
				"%d random splits, a quarter to test on; time of all splits, and that of processors, which a busy machine does "+
				"not change; "+
				"better: the paired difference to Learn, ± its standard error (corrected resampled), > 0 where the peer is "+
				"better", q.splits)})
	}
	return all
}

// question is a set and how it is split.
type question struct {
	name    string
	n       int // points, if not all
	splits  int
	classes int // 0: numbers
	targets int // of these, in units of their standard deviations; 0 is one, in its own
}

// grids of the peers: of SVC and kernel ridge γ is in units of 1/d, of standardized features.
var grids = map[string]any{
	"gamma": []float64{0.01, 0.03, 0.1, 0.3, 1, 3}, "C": []float64{0.1, 1, 10, 100, 1000},
	"alpha":  []float64{1e-4, 1e-3, 1e-2, 1e-1, 1},
	"linear": []float64{1e-3, 1e-2, 1e-1, 1, 10, 100, 1000}, "rate": []float64{0.03, 0.1, 0.3}, "leaves": []int{4, 31},
}

func (q question) make(b *bench) *work {
	d := q.load(b)
	splits := must(study.Holdout(d.Y, 0.25, q.splits, 11))
	x, n := d.X.(kernel.Rows), d.Len()
	y := vector(d.Y)
	if c := q.targets; c > 0 {
		var rows []float64 // the targets of a point beside each other
		for i, all := 0, d.AllY(); i < n; i++ {
			for j := range c {
				rows = append(rows, all[j*n+i])
			}
		}
		y = matrix(n, c, rows)
	}
	grid := maps.Clone(grids)
	if q.classes > 3 { // each step is a tree for each class
		grid["rate"], grid["leaves"] = []float64{0.1}, []int{31}
	}
	model := func(label, algorithm string) peer {
		return peer{env: "numpy", program: "quality", label: label, args: map[string]any{"algorithm": algorithm}}
	}
	peers := []peer{model("KernelRidge, RBF", "krr"), model("Ridge", "ridge")}
	if q.classes > 0 {
		peers = []peer{model("SVC, RBF", "svc"), model("logistic regression", "logistic")}
	}
	peers = append(peers, model("random forest, 200 trees", "forest"))
	if q.targets == 0 { // it has one target
		peers = append(peers, model("gradient boosting, 100 steps", "boosting"))
	}
	var found []float64 // memory, seconds of processors, and what is predicted at the test points, split by split
	return &work{
		calls:  1,
		rounds: 1,
		ours: []entry{ours("Go, Learn", func() error {
			debug.FreeOSMemory()
			resetPeak()
			begun, _ := resources()
			found = []float64{0, 0}
			for _, s := range splits {
				predicted, err := q.learn(b, d, s)
				if err != nil {
					return err
				}
				found = append(found, predicted...)
			}
			found[1], found[0] = resources()
			found[1] -= begun
			return nil
		}, func() []float64 { return found })},
		input: map[string]array{"X": matrix(n, x.D, x.Data), "y": y, "train": marks(splits, n)},
		args:  map[string]any{"classes": q.classes, "grids": grid},
		peers: peers,
		judge: func(result, first []float64) Quality { return q.judge(d, splits, result, first) },
	}
}

// learn is what Learn predicts at the test points of a split: values of every target, labels ±1, or classes 0, 1, …
func (q question) learn(b *bench, d *data.Dataset, s study.Split) (predicted []float64, err error) {
	train, err := d.Slice(s.Train)
	if err != nil {
		return nil, err
	}
	l, err := study.Learn(b.ctx, train, study.WithSplits(nil), study.WithWorkers(linalg.Threads()))
	if err != nil {
		return nil, err
	}
	f, err := l.Model.Values(d.X.Slice(s.Test))
	if err != nil {
		return nil, err
	}
	for i := range s.Test {
		row := append([]float64{}, f.RawRowView(i)...)
		switch {
		case q.classes == 0:
			predicted = append(predicted, row...)
		case q.classes == 2:
			predicted = append(predicted, float64(2*l.Model.Code().Decide(row)-1))
		default:
			predicted = append(predicted, float64(floats.MaxIdx(row)))
		}
	}
	return predicted, nil
}

// judge is the mean score over splits, with its standard error, and the paired difference to ours.
func (q question) judge(d *data.Dataset, splits []study.Split, result, first []float64) Quality {
	c, n, y := max(q.targets, 1), d.Len(), d.AllY()
	score := func(r []float64) (v []float64) {
		r = r[2:]
		for _, p := range splits {
			sum := 0.0
			for k, f := range r[:c*len(p.Test)] {
				e := f - y[k%c*n+p.Test[k/c]]
				switch {
				case q.classes == 0:
					sum += e * e
				case e == 0:
					sum++
				}
			}
			r = r[c*len(p.Test):]
			sum /= float64(c * len(p.Test))
			if q.classes == 0 {
				v = append(v, math.Sqrt(sum))
			} else {
				v = append(v, 100*sum)
			}
		}
		return v
	}
	ratio := float64(len(splits[0].Test)) / float64(len(splits[0].Train))
	se := func(v []float64) float64 {
		return stat.StdDev(v, nil) * math.Sqrt(1/float64(len(v))+ratio)
	}
	v, diff := score(result), score(result)
	floats.Sub(diff, score(first))
	name := "accuracy"
	if q.classes == 0 {
		name = "RMSE"
		floats.Scale(-1, diff)
	}
	return Quality{name: stat.Mean(v, nil), "± SE": se(v), "better": stat.Mean(diff, nil), "better ± SE": se(diff),
		"peak MB": result[0], "CPU s": result[1]}
}

// load has Python write a bundled set, or simulates y = sin(2x₁) + x₂x₃ + 0.3ε of 5 normal features.
func (q question) load(b *bench) *data.Dataset {
	d := &data.Dataset{Name: q.name}
	if q.name == "sine and product" {
		const p = 5
		x, noise := kernel.Rows{N: q.n, D: p, Data: normal(q.n*p, 31)}, normal(q.n, 32)
		d.X = x
		for i := range q.n {
			r := x.Row(i)
			d.Y = append(d.Y, math.Sin(2*r[0])+r[1]*r[2]+0.3*noise[i])
		}
		return d
	}
	r := must(b.answerOf(nil, map[string]any{"name": q.name}, peer{env: "numpy", program: "bundled"}))
	n, p := int(r[0]), int(r[1])
	x, y := kernel.Rows{N: n, D: p, Data: r[2 : 2+n*p]}, r[2+n*p:]
	if q.n > 0 {
		x, y = rowsOf(x, 0, q.n), y[:q.n]
	}
	d.X, d.Y = x, y[:x.N]
	for j := 1; j < q.targets; j++ {
		d.More = append(d.More, data.Target{Name: fmt.Sprintf("target %d", j+1), Y: y[j*n : (j+1)*n]})
	}
	for k := range q.classes {
		d.Classes = append(d.Classes, strconv.Itoa(k))
	}
	if q.classes == 2 {
		for i := range d.Y {
			d.Y[i] = 2*d.Y[i] - 1
		}
	}
	return d
}
