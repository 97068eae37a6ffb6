package qnpkl

import (
	"context"
	"embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"
)

var background = context.Background()

// Names of the methods, as in Block.Method.
const (
	UniformProduct = "equal widths"   // an SVM without learned weights: each is 1/(number of features)
	MKL            = "MKL"            // a learned sum of one Gaussian per feature, solved by mkl.Level
	SimpleMKL      = "MKL, SimpleMKL" // the same sum of Gaussians, solved by mkl.ReducedGradient
	AsPrinted      = "as printed"     // QN-PKL, Algorithm 1 of the paper
	LargeB1        = "printed-1"      // the same with b₁ = 1, a long first step
	Clipped        = "printed+"       // as printed, but negative weights are set to 0
	ClippedLargeB1 = "printed-1+"     // the same with b₁ = 1
	EightSteps     = "8 steps"        // corrected algorithm (mkl.QuasiNewton)
	ToTheEnd       = "to the end"     // until convergence, by L-BFGS, in a third of the time of QN-PKL
	GMKL           = "GMKL"           // the product with a penalty on γ, by Varma and Babu; σ is chosen
	OneWidth       = "one width"      // γ = t/M for each feature; cross-validation chooses t as well as C
	nameAtC        = "%s, C = %g"     // format of the name of a method with a fixed C
	nameOfSteps    = "%d steps"       // format of the name of a method that stops after that many steps
	fixedC         = 10.0             // C of the experiment "speed"
	tightGap       = 1e-6             // relative gap of MKL, and relative first-order residual of GMKL
	noiseFeatures  = 25               // number of added noise features
)

// BetweenCs lists values of C between two of Cs, added after the results for Cs were seen.
var BetweenCs = []float64{0.12, 0.15, 0.2, 0.3, 0.5}

// Sets3 lists the datasets of Table 1 of the paper; Sets7 adds four datasets that the paper does not use.
var (
	Sets3 = []string{"sonar", "ionosphere", "pima"}
	Sets7 = append(slices.Clone(Sets3), "heart-statlog", "liver-bupa", "breast-ljubljana", "breast-wisconsin")
)

// Steps lists the numbers of steps in the first figure. Cs lists the values of C in Table 2.
var (
	Steps       = []int{0, 1, 2, 4, 8, 16, 32, 64}
	Cs          = []float64{0.1, 1, 10}
	candidatesC = []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 100, 1000} // candidates for C
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
	Methods       func(Scaling, *data.Dataset, Size) []fit.Method
	NoiseFeatures int  // number of added noise features
	IsTrainScored bool // whether the accuracy on the training points is stored too
	Scalings      []Scaling
}

// Experiments lists the experiments with stored results. "table1" and, on four further datasets, "more" choose C among
// 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 100 and, in "table1", 1000. "steps" has one C for each scaling and dataset, "speed"
// has C = 10.
// "table2" adds 25 noise features and runs each method with C = 0.1, 1 and 10; "between" runs ToTheEnd with BetweenCs.
var Experiments = []Experiment{
	{"table1", Sets3, Size{4, 2, candidatesC}, Table1Methods, 0, false, Scalings},
	{"table2", Sets3, Size{4, 0, Cs}, methodsWithFixedC, noiseFeatures, false, Scalings[:1]},
	{"steps", Sets3, Size{2, 0, nil}, methodsByStepCount, 0, true, Scalings},
	{"more", Sets7[3:], Size{4, 2, candidatesC[:8]}, func(s Scaling, d *data.Dataset, size Size) []fit.Method {
		return selectMethods(Table1Methods(s, d, size), UniformProduct, EightSteps, ToTheEnd, OneWidth)
	}, 0, false, Scalings[:1]},
	{"between", Sets3, Size{4, 0, BetweenCs}, func(s Scaling, d *data.Dataset, size Size) []fit.Method {
		return slices.DeleteFunc(methodsWithFixedC(s, d, size), func(m fit.Method) bool {
			return !strings.HasPrefix(m.Name, ToTheEnd)
		})
	}, noiseFeatures, false, Scalings[:1]},
	{"speed", Sets3, Size{1, 0, []float64{fixedC}}, func(s Scaling, d *data.Dataset, size Size) []fit.Method {
		sum := func(name string, solver mkl.Solver) fit.Method {
			return fit.Method{Name: name, Fitter: fit.Search{Family: s.GaussianSums(d), Solver: solver, Gap: 1e-2,
				Grid: fit.Grid{fit.Losses(loss.Hinge{}, size.C...)}}}
		}
		return append([]fit.Method{sum(SimpleMKL, mkl.ReducedGradient{}), sum(MKL, mkl.Level{})},
			selectMethods(Table1Methods(s, d, size), AsPrinted, EightSteps, ToTheEnd)...)
	}, 0, false, Scalings[:1]},
}

// NewStudy returns the study of e with one scaling on one dataset for one seed, and the number of features that are
// not noise (0 if no feature is noise).
func (e Experiment) NewStudy(scaling Scaling, dataset string, seed uint64) (s *compare.Study, relevantCount int,
	err error) {
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
		Methods:  e.Methods(scaling, d, e.Size), Splits: splits}, relevantCount, err
}

// newProductMethod returns a method that learns the widths γ of a product of M Gaussians, one per feature. The solver
// stops at the relative gap or after maxSteps steps. If solver is nil, γ stays 1/M.
//
// J has several minima, so each solve starts from γ = 1/M: each C and each of the penalties on γ is a fit.Search of its
// own. One Search of all C would start a solve from the γ of the smaller C, which a penalty can set to 0.
func (s Scaling) newProductMethod(name string, d *data.Dataset, size Size, solver mkl.Solver, gap float64, maxSteps int,
	penalties ...reg.Reg) fit.Method {
	search := func(axes ...fit.Axis) fit.Search {
		return fit.Search{Family: s.Products(), Solver: solver, Gap: gap, Iterations: maxSteps,
			Grid: append(fit.Grid{fit.Sets(s.WidthSet(d))}, axes...)}
	}
	if solver == nil {
		return fit.Method{Name: name, Fitter: search(fit.Losses(loss.Hinge{}, size.C...), fit.Rules(mkl.Uniform{}))}
	}
	if len(penalties) == 0 {
		penalties = []reg.Reg{nil}
	}
	var candidates []fit.Method
	for _, r := range penalties {
		for _, c := range size.C {
			candidateName := fmt.Sprintf("%s, C = %g", name, c)
			if r != nil {
				candidateName += fmt.Sprintf(", %v", r)
			}
			candidates = append(candidates, fit.Method{Name: candidateName,
				Fitter: search(fit.Losses(loss.Hinge{}, c), fit.Regularizers(r))})
		}
	}
	if len(candidates) == 1 {
		return fit.Method{Name: name, Fitter: candidates[0].Fitter}
	}
	return fit.Method{Name: name, Fitter: fit.Best{Candidates: candidates}}
}

// Table1Methods returns the methods of Table 1 on d. GMKL has the penalty ½σ‖γ‖² on pima and σ‖γ‖₁ on other datasets;
// cross-validation also chooses σ.
func Table1Methods(s Scaling, d *data.Dataset, size Size) []fit.Method {
	var commonWidths []set.Set
	for _, t := range []float64{1. / 64, 1. / 16, 1. / 4, 1, 4, 16, 64} {
		commonWidths = append(commonWidths, set.Orthant{At: t * s.stretch * s.stretch / float64(d.Dim())})
	}
	var penalties []reg.Reg
	for _, sigma := range []float64{1, 10, 100, 1e3, 1e4, 1e5} {
		penalties = append(penalties, newGMKLPenalty(s, d, sigma))
	}
	return []fit.Method{
		s.newProductMethod(UniformProduct, d, size, nil, 0, 0),
		{Name: MKL, Fitter: fit.Search{Family: s.GaussianSums(d), Solver: mkl.Level{}, Gap: tightGap,
			Grid: fit.Grid{fit.Losses(loss.Hinge{}, size.C...)}}},
		s.newProductMethod(AsPrinted, d, size, mkl.QuasiNewton{AsPrinted: true}, 1e-3, 50),
		s.newProductMethod(LargeB1, d, size, mkl.QuasiNewton{AsPrinted: true, B1: math.Pow(s.stretch, 4)}, 1e-3, 50),
		s.newProductMethod(ClippedLargeB1, d, size, mkl.QuasiNewton{AsPrinted: true, ClipNegative: true,
			B1: math.Pow(s.stretch, 4)}, 1e-3, 50),
		s.newProductMethod(EightSteps, d, size, mkl.QuasiNewton{}, 1e-3, 8),
		s.newProductMethod(ToTheEnd, d, size, mkl.LBFGS{}, 1e-3, 100),
		s.newProductMethod(GMKL, d, size, mkl.LBFGS{}, tightGap, 1000, penalties...),
		{Name: OneWidth, Fitter: fit.Search{Family: s.Products(), Grid: fit.Grid{fit.Losses(loss.Hinge{}, size.C...),
			fit.Sets(commonWidths...), fit.Rules(mkl.Uniform{})}}},
	}
}

// methodsByStepCount returns one method for each of Steps: mkl.QuasiNewton, stopped after that number of steps. C is
// that of s.stepsC.
func methodsByStepCount(s Scaling, d *data.Dataset, size Size) (methods []fit.Method) {
	size.C = []float64{s.stepsC[d.Name]}
	for _, k := range Steps {
		m := s.newProductMethod(fmt.Sprintf(nameOfSteps, k), d, size, mkl.QuasiNewton{}, 1e-4, k)
		if k == 0 {
			m = s.newProductMethod(m.Name, d, size, nil, 0, 0)
		}
		methods = append(methods, m)
	}
	return methods
}

// methodsWithFixedC returns the methods of Table 2, once for each value of C; none of them tunes C.
func methodsWithFixedC(s Scaling, d *data.Dataset, size Size) (methods []fit.Method) {
	for _, c := range size.C {
		all := Table1Methods(s, d, Size{C: []float64{c}})
		all = append(selectMethods(all, MKL, AsPrinted, ClippedLargeB1, EightSteps, ToTheEnd),
			s.newProductMethod(Clipped, d, Size{C: []float64{c}},
				mkl.QuasiNewton{AsPrinted: true, ClipNegative: true}, 1e-3, 50))
		for _, m := range all {
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

// Stored returns the stored results of the named Experiments (table1, table2, steps, more, between, speed) with the
// scaling s: one block for each method, dataset and seed.
func (s Scaling) Stored(names ...string) (resultBlocks []Block) {
	for _, name := range names {
		resultBlocks = append(resultBlocks, shared.ReadStored[Block](results, "results/"+s.fileName(name)+".json")...)
	}
	return resultBlocks
}

func (s Scaling) fileName(experiment string) string { return s.fileStart + "_" + experiment }

// Recompute computes the first splits of a stored result again. It returns the recomputed block, which has splitCount
// splits, and the stored block.
func (s Scaling) Recompute(experiment, set, method string, seed uint64, splitCount int) (recomputed, stored Block,
	err error) {
	i := slices.IndexFunc(Experiments, func(e Experiment) bool { return e.Name == experiment })
	study, relevantCount, err := Experiments[i].NewStudy(s, set, seed)
	if err != nil {
		return recomputed, stored, err
	}
	study.Methods, study.Splits = selectMethods(study.Methods, method), study.Splits[:splitCount]
	resultBlocks, err := Experiments[i].RunStudy(s, study, relevantCount)
	if err != nil {
		return recomputed, stored, err
	}
	return resultBlocks[0], Find(shared.SelectSeed(s.Stored(experiment), seed), set, method), nil
}
