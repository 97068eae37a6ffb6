package qnpkl

import (
	"context"
	"embed"
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"
)

var background = context.Background()

// Names of the methods, as in Block.Method.
const (
	UniformProduct = "SVM, uniform product" // no learned weights: each is 1/(number of features)
	MKL            = "MKL"                  // a learned sum of one Gaussian per feature, solved by mkl.Level
	SimpleMKL      = "MKL, SimpleMKL"       // the same sum of Gaussians, solved by mkl.ReducedGradient
	AsPrinted      = "QN-PKL as printed"
	LargeB1        = "QN-PKL as printed, b₁ = 1"
	EightSteps     = "QN-PKL, 8 steps" // corrected algorithm (mkl.QuasiNewton)
	ToTheEnd       = "PKL to the end"  // until convergence, by L-BFGS, which takes a third of the time of QN-PKL
	GMKL           = "GMKL, σ chosen"  // the product with a penalty on γ, by Varma and Babu
	nameAtC        = "%s, C = %g"      // format of the name of a method with a fixed C
	nameOfSteps    = "%d steps"        // format of the name of a method that stops after that many steps
	fixedC         = 10.0              // C of the experiment "speed", and of "steps" on the dataset sonar
	noiseFeatures  = 25                // number of added noise features
)

// Sets3 lists the datasets of Table 1 of the paper; Sets7 adds four datasets that the paper does not use.
var (
	Sets3 = []string{"sonar", "ionosphere", "pima"}
	Sets7 = append(slices.Clone(Sets3), "heart-statlog", "liver-bupa", "breast-ljubljana", "breast-wisconsin")
)

// Steps lists the numbers of steps in the first figure. Cs lists the values of C in Table 2.
var (
	Steps       = []int{0, 1, 2, 4, 8, 16, 32, 64}
	Cs          = []float64{0.1, 1, 10}
	candidatesC = []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 100} // candidates for C
)

// Size holds the number of splits, the number of cross-validation folds in each training part, and the candidates for
// C.
type Size struct {
	Splits, Folds int
	C             []float64
}

// Experiment is an experiment whose results for ten seeds are stored in results/NAME.json.
type Experiment struct {
	Name          string
	DatasetNames  []string // names of embedded datasets
	Size          Size     // numbers of splits and folds, candidates for C
	Methods       func(*data.Dataset, Size) []fit.Method
	NoiseFeatures int // number of added noise features
}

// Experiments lists the experiments with stored results. "table1" and, on four further datasets, "more" choose C among
// 0.01, 0.03, 0.1, 0.3, 1, 3, 10 and 100. "steps" has C = 10 on sonar and 1 on other datasets, "speed" has C = 10.
// "table2" adds 25 noise features and runs each method with C = 0.1, 1 and 10.
var Experiments = []Experiment{
	{"table1", Sets3, Size{4, 2, candidatesC}, Table1Methods, 0},
	{"more", Sets7[3:], Size{4, 2, candidatesC}, func(d *data.Dataset, size Size) []fit.Method {
		return selectMethods(Table1Methods(d, size), UniformProduct, EightSteps, ToTheEnd)
	}, 0},
	{"steps", Sets3, Size{2, 0, []float64{fixedC}}, methodsByStepCount, 0},
	{"table2", Sets3, Size{4, 0, Cs}, methodsWithFixedC, noiseFeatures},
	{"speed", Sets3, Size{1, 0, []float64{fixedC}}, func(d *data.Dataset, size Size) []fit.Method {
		return append([]fit.Method{{Name: SimpleMKL, Fitter: fit.Search{Family: GaussianSums(d),
			Solver: mkl.ReducedGradient{},
			Gap:    1e-2, Grid: fit.Grid{fit.Losses(loss.Hinge{}, size.C...)}}}},
			selectMethods(Table1Methods(d, size), MKL, AsPrinted, EightSteps, ToTheEnd)...)
	}, 0},
}

// NewStudy returns the study of e on one dataset for one seed, and the number of features that are not noise (0 if no
// feature is noise).
func (e Experiment) NewStudy(dataset string, seed uint64) (s *compare.Study, relevantCount int, err error) {
	d, err := Load(dataset)
	if err != nil {
		return nil, 0, err
	}
	if e.NoiseFeatures > 0 {
		relevantCount = d.Dim()
		if d, err = AddNoiseFeatures(d, e.NoiseFeatures, seed); err != nil {
			return nil, 0, err
		}
		d.Name = dataset
	}
	splits, err := Splits(d, e.Size.Splits, seed)
	return &compare.Study{Data: d,
		Settings: fit.Settings{Seed: seed, Selection: fit.Selection{Folds: e.Size.Folds, By: model.ErrorRate}},
		Methods:  e.Methods(d, e.Size), Splits: splits}, relevantCount, err
}

// newGaussianProductMethod returns a method that learns the widths γ of a product of M Gaussians, one per feature, from
// the start γ = 1/M. The solver stops at the relative gap or after maxSteps steps. If solver is nil, γ stays 1/M.
func newGaussianProductMethod(name string, d *data.Dataset, size Size, solver mkl.Solver, gap float64, maxSteps int,
	gridAxes ...fit.Axis) fit.Method {
	if solver == nil {
		gridAxes = append(gridAxes, fit.Rules(mkl.Uniform{}))
	}
	return fit.Method{Name: name, Fitter: fit.Search{Family: Products(), Solver: solver, Gap: gap, Iterations: maxSteps,
		Grid: append(fit.Grid{fit.Losses(loss.Hinge{}, size.C...), fit.Sets(WidthSet(d))}, gridAxes...)}}
}

// Table1Methods returns the methods of Table 1 on d. GMKL has the penalty ½σ‖γ‖² on pima and σ‖γ‖₁ on other datasets;
// cross-validation also chooses σ.
func Table1Methods(d *data.Dataset, size Size) []fit.Method {
	var penalties []reg.Reg
	for _, sigma := range []float64{1, 10, 100, 1e3, 1e4, 1e5} {
		penalties = append(penalties, newGMKLPenalty(d, sigma))
	}
	return []fit.Method{
		newGaussianProductMethod(UniformProduct, d, size, nil, 0, 0),
		{Name: MKL, Fitter: fit.Search{Family: GaussianSums(d), Solver: mkl.Level{}, Gap: 1e-2,
			Grid: fit.Grid{fit.Losses(loss.Hinge{}, size.C...)}}},
		newGaussianProductMethod(AsPrinted, d, size, mkl.QuasiNewton{AsPrinted: true}, 1e-3, 50),
		newGaussianProductMethod(LargeB1, d, size, mkl.QuasiNewton{AsPrinted: true, B1: 1}, 1e-3, 50),
		newGaussianProductMethod(EightSteps, d, size, mkl.QuasiNewton{}, 1e-3, 8),
		newGaussianProductMethod(ToTheEnd, d, size, mkl.LBFGS{}, 1e-3, 100),
		newGaussianProductMethod(GMKL, d, size, mkl.LBFGS{}, 1e-2, 50, fit.Regularizers(penalties...)),
	}
}

// methodsByStepCount returns one method for each of Steps: mkl.QuasiNewton, stopped after that number of steps. C is
// near the values that cross-validation chooses for the product with equal widths: 10 on sonar and 1 on other datasets.
func methodsByStepCount(d *data.Dataset, size Size) (methods []fit.Method) {
	if d.Name != "sonar" {
		size.C = []float64{1}
	}
	for _, k := range Steps {
		m := newGaussianProductMethod(fmt.Sprintf(nameOfSteps, k), d, size, mkl.QuasiNewton{}, 1e-4, k)
		if k == 0 {
			m = newGaussianProductMethod(m.Name, d, size, nil, 0, 0)
		}
		methods = append(methods, m)
	}
	return methods
}

// methodsWithFixedC returns the methods of Table 2, once for each value of C; none of them tunes C.
func methodsWithFixedC(d *data.Dataset, size Size) (methods []fit.Method) {
	for _, c := range size.C {
		for _, m := range selectMethods(Table1Methods(d, Size{C: []float64{c}}), MKL, AsPrinted, EightSteps, ToTheEnd) {
			m.Name = fmt.Sprintf(nameAtC, m.Name, c)
			methods = append(methods, m)
		}
	}
	return methods
}

func selectMethods(methods []fit.Method, names ...string) []fit.Method {
	return slices.DeleteFunc(methods, func(m fit.Method) bool { return !slices.Contains(names, m.Name) })
}

// results contains the JSON files that TestStored writes: accuracies and times, but no points.
//
//go:embed results
var results embed.FS

// Stored returns the stored results of the named Experiments (table1, more, steps, table2, speed): one block for each
// method, dataset and seed.
func Stored(names ...string) (resultBlocks []Block) {
	for _, name := range names {
		resultBlocks = append(resultBlocks, shared.ReadStored[Block](results, "results/"+name+".json")...)
	}
	return resultBlocks
}

// Recompute computes the first split of a stored result again. It returns the recomputed block, which has one split,
// and the stored block.
func Recompute(experiment, set, method string, seed uint64) (recomputed, stored Block, err error) {
	i := slices.IndexFunc(Experiments, func(e Experiment) bool { return e.Name == experiment })
	s, relevantCount, err := Experiments[i].NewStudy(set, seed)
	if err != nil {
		return recomputed, stored, err
	}
	s.Methods, s.Splits = selectMethods(s.Methods, method), s.Splits[:1]
	resultBlocks, err := RunStudy(s, relevantCount)
	if err != nil {
		return recomputed, stored, err
	}
	return resultBlocks[0], Find(shared.SelectSeed(Stored(experiment), seed), set, method), nil
}
