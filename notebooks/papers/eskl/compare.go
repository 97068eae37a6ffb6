package eskl

import (
	"cmp"
	"context"
	"embed"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Method is a classifier of the comparison. If it learns a kernel, it uses the similarities between all points,
// training and test points. If it corrects the spectrum of a similarity matrix, it does not use the similarities
// between test points.
type Method struct {
	Name       string
	Rho        []float64 // candidates for ρ, the weight of the distance penalty; nil if the method has no ρ
	UsesMean   bool      // the method uses one similarity matrix, the mean of all similarity matrices
	newProblem problemFunc
}

// problemFunc returns the problem of a method with rows as training points, and its solver, nil if no kernel is
// learned. c is the C of the support vector machine, rho the weight of the distance penalty.
type problemFunc func(s Set, rows []int, c, rho float64) (*mkl.Problem, mkl.Solver)

// Cs lists the candidates for C.
var Cs = []float64{1, 10}

// rhos lists, for each distance of K from a similarity matrix, the candidates for its weight ρ. IndSVM uses the
// candidates of L3. Table3Methods uses only the middle three candidates.
var rhos = map[reg.Distance][]float64{
	reg.OneNorm: {1e-4, 1e-3, 1e-2, 1e-1, 1}, reg.TwoNorm: {0.03, 0.3, 3, 30, 300},
	reg.SquaredNorm: {0.001, 0.01, 0.1, 1, 10},
}

// Indices in the result of Table1Methods. The experiments "single" and "aural" compare these methods.
const (
	Denoise = iota
	Flip
	Shift
	IndSVM
	L2
	L1
	L3
)

// Table1Methods returns the methods of Table 1 of the paper, which use one similarity matrix.
func Table1Methods() []Method {
	return []Method{
		{Name: "denoise", newProblem: makeRepairProblemFunc(similarity.Denoise, nil)},
		{Name: "flip", newProblem: makeRepairProblemFunc(similarity.Flip, nil)},
		{Name: "shift", newProblem: makeRepairProblemFunc(similarity.Shift, nil)},
		{Name: "IndSVM", Rho: rhos[reg.SquaredNorm], newProblem: indSVMProblem},
		{Name: "ESKL, L2", Rho: rhos[reg.TwoNorm], newProblem: makeESKLProblemFunc(reg.TwoNorm)},
		{Name: "ESKL, L1", Rho: rhos[reg.OneNorm], newProblem: makeESKLProblemFunc(reg.OneNorm)},
		{Name: "ESKL, L3", Rho: rhos[reg.SquaredNorm], newProblem: makeESKLProblemFunc(reg.SquaredNorm)},
	}
}

// Indices in the result of Table3Methods, for the experiments whose names begin with "scop". The first three methods
// and MeanESKLL1 use the mean of the similarity matrices, MedianDenoise uses their median, the others use all of them.
// The paper does not have EMKL with L2, nor the last four methods.
const (
	MeanLinear = iota
	MeanDenoise
	MeanIndSVM
	SimpleMKL
	ESKLL1
	EMKLL1
	EMKLL2
	REKLL2
	ESKLL2
	ESKLL3
	MedianDenoise
	MeanESKLL1
)

// Table3Methods returns the methods of Table 3 of the paper, which use several similarity matrices, and five more.
func Table3Methods() []Method {
	return []Method{
		{Name: "linear of the mean", UsesMean: true, newProblem: makeRepairProblemFunc(similarity.Linear, nil)},
		{Name: "denoise of the mean", UsesMean: true, newProblem: makeRepairProblemFunc(similarity.Denoise, nil)},
		{Name: "IndSVM of the mean", UsesMean: true, Rho: rhos[reg.SquaredNorm][1:4], newProblem: indSVMProblem},
		{Name: "SimpleMKL of denoised", newProblem: makeRepairProblemFunc(similarity.Denoise, mkl.ReducedGradient{})},
		{Name: "ESKL, L1", Rho: rhos[reg.OneNorm][1:4], newProblem: makeESKLProblemFunc(reg.OneNorm)},
		{Name: "EMKL, L1", Rho: rhos[reg.OneNorm][1:4], newProblem: makeEMKLProblemFunc(reg.OneNorm)},
		{Name: "EMKL, L2", Rho: rhos[reg.TwoNorm][1:4], newProblem: makeEMKLProblemFunc(reg.TwoNorm)},
		{Name: "REKL, L2", Rho: rhos[reg.TwoNorm][1:4], newProblem: func(s Set, rows []int,
			c, rho float64) (*mkl.Problem, mkl.Solver) {
			return REKLProblem(s, rows, reg.TwoNorm, c, rho), Solver(reg.TwoNorm, true)
		}},
		{Name: "ESKL, L2", Rho: rhos[reg.TwoNorm][1:4], newProblem: makeESKLProblemFunc(reg.TwoNorm)},
		{Name: "ESKL, L3", Rho: rhos[reg.SquaredNorm][1:4], newProblem: makeESKLProblemFunc(reg.SquaredNorm)},
		{Name: "denoise of the median", newProblem: func(s Set, rows []int, c, _ float64) (*mkl.Problem, mkl.Solver) {
			s.S, s.Names = []*mat.SymDense{s.Median()}, []string{"median"}
			return RepairProblem(s, rows, similarity.Denoise, c), nil
		}},
		{Name: "ESKL, L1, of the mean", UsesMean: true, Rho: rhos[reg.OneNorm][1:4],
			newProblem: makeESKLProblemFunc(reg.OneNorm)},
	}
}

// RepairProblem returns a support vector machine whose kernel matrix is the weighted sum of the similarity matrices,
// each corrected by repair. With weights in the simplex it is SimpleMKL. labeled: training points, nil for all.
func RepairProblem(s Set, labeled []int, repair similarity.Repair, c float64) *mkl.Problem {
	var f similarity.Repaired
	for i, m := range s.S {
		f.Of = append(f.Of, similarity.Given{Name: s.Names[i], N: s.N(), S: similarity.Vec(m),
			Repairs: []similarity.Repair{repair}})
	}
	rows := s.rowsOrAll(labeled)
	return &mkl.Problem{Grams: f.Bind(points.Indices(rows)), Set: set.Simplex{}, Loss: loss.Hinge{C: c},
		Y: s.Labels(rows)}
}

// makeRepairProblemFunc returns a function that makes the problem of a spectrum correction, and names the solver of the
// weights, nil for equal weights.
func makeRepairProblemFunc(repair similarity.Repair, solver mkl.Solver) problemFunc {
	return func(s Set, rows []int, c, _ float64) (*mkl.Problem, mkl.Solver) {
		return RepairProblem(s, rows, repair, c), solver
	}
}

func indSVMProblem(s Set, rows []int, c, rho float64) (*mkl.Problem, mkl.Solver) {
	return IndSVMProblem(s, rows, c, rho), mkl.DualAscent{}
}

// makeESKLProblemFunc returns a function that makes the ESKL problem with the given distance.
func makeESKLProblemFunc(distance reg.Distance) problemFunc {
	return func(s Set, rows []int, c, rho float64) (*mkl.Problem, mkl.Solver) {
		return ESKLProblem(s, rows, distance, c, rho), Solver(distance, false)
	}
}

// makeEMKLProblemFunc returns a function that makes the EMKL problem with the given distance.
func makeEMKLProblemFunc(distance reg.Distance) problemFunc {
	return func(s Set, rows []int, c, rho float64) (*mkl.Problem, mkl.Solver) {
		return EMKLProblem(s, rows, distance, c, rho), Solver(distance, true)
	}
}

// testDecisions holds the decision values of a method on the test points of one split.
type testDecisions struct {
	decisionValues        []float64
	gap                   float64 // certified relative gap of a learned kernel, 0 for other methods
	allCoefficientsBelowC bool    // no dual coefficient is at its bound C, so a larger C gives the same result
	testAtMedian          float64 // see Score.TestAtMedian
}

// computeTestDecisions learns from the points train and returns decision values for the points test. If the method
// learns a kernel, it stops when the certified relative gap is at most maxGap.
func (m Method) computeTestDecisions(ctx context.Context, s Set, train, test []int, c, rho, maxGap float64) (
	decisions testDecisions, err error) {
	if m.UsesMean {
		s.S, s.Names = []*mat.SymDense{s.Mean()}, []string{"mean"}
	}
	p, solver := m.newProblem(s, train, c, rho)
	var r *mkl.Result
	if solver == nil {
		r, err = mkl.EvaluateRule(ctx, p, mkl.Uniform{}, 1e-4)
	} else {
		r, err = mkl.Solve(ctx, p, solver, &mkl.Settings{Gap: maxGap, Iterations: 200, Threads: 1})
	}
	if err != nil {
		return decisions, err
	}
	if solver != nil {
		decisions.gap = r.RelativeGap()
	}
	if n := s.N(); len(r.Theta) == n*n {
		decisions.testAtMedian = ShareNear(SymmetricMatrix(r.Theta, n), s.Median(), train, test)
	}
	decisions.decisionValues = shared.DecisionValues(p.Grams, r, points.Indices(test))
	decisions.allCoefficientsBelowC = floats.Norm(r.W, math.Inf(1)) < c*(1-1e-6)
	return decisions, nil
}

// ShareNear returns which share of the entries of a in the given rows and columns, without the diagonal,
// differs by less than 0.001 from that of b.
func ShareNear(a, b *mat.SymDense, rows, columns []int) float64 {
	near, count := 0.0, 0.0
	for _, i := range rows {
		for _, j := range columns {
			if i == j {
				continue
			}
			if count++; math.Abs(a.At(i, j)-b.At(i, j)) < 1e-3 {
				near++
			}
		}
	}
	return near / count
}

// Predict learns from the training rows and returns the decision values for the test rows. If the method learns a
// kernel, it stops at a relative gap of 1e-2 or after 200 steps.
func (m Method) Predict(ctx context.Context, s Set, trainRows, testRows []int, c, rho float64) ([]float64, error) {
	d, err := m.computeTestDecisions(ctx, s, trainRows, testRows, c, rho, 1e-2)
	return d.decisionValues, err
}

// Score holds the results of one method on one split: the accuracy and the F₁ score (F) on the test points, from 0 to
// 1; FoldAccuracy, the mean accuracy on the cross-validation folds; the chosen C and ρ; the certified relative gap of
// the learned kernel; the margin, the mean of label times decision value over the test points; for a method of the mean
// of several similarity matrices, the negative mass of this mean; and for a learned n×n matrix, TestAtMedian, the share
// of its entries between a training and a test point that are within 0.001 of the median of the similarity matrices
// that the method uses. The experiment scop160-l1-wide alone stores TestAtMedian; older experiments have no Margin or
// no NegativeMass.
type Score struct {
	Accuracy, F      float64
	FoldAccuracy     float64 `json:"Fold"`
	C                float64
	Rho, Gap, Margin float64 `json:",omitempty"`
	NegativeMass     float64 `json:",omitempty"`
	TestAtMedian     float64 `json:",omitempty"`
}

// scoreDecisions computes Accuracy, Margin and F, the F₁ score of class +1, from decision values and labels ±1.
func scoreDecisions(decisionValues, labels []float64) (score Score) {
	truePositives, correct := 0.0, 0.0
	for i, v := range decisionValues {
		if v*labels[i] > 0 {
			correct++
			truePositives += (1 + labels[i]) / 2
		}
	}
	score.Accuracy, score.Margin = correct/float64(len(labels)), floats.Dot(decisionValues, labels)/float64(len(labels))
	if truePositives > 0 {
		score.F = 2 * truePositives / (2*truePositives + float64(len(labels)) - correct)
	}
	return score
}

// Scores holds the results of several methods on the same splits of one set for one seed.
type Scores = shared.Scores[Score]

// Compare draws stratified splits with 80 % training and 20 % test points and scores each method on each split. It
// divides each training part into five folds, and chooses C and ρ by the mean accuracy on the first foldCount of them.
// The k-th split does not depend on splitCount.
func Compare(ctx context.Context, s Set, methods []Method, splitCount, foldCount int, seed uint64) (*Scores, error) {
	scores := &Scores{DatasetName: s.Name, N: s.N(), Seed: seed}
	holdoutSplits, err := fit.Holdout(s.Y, 0.2, splitCount, seed)
	if err != nil {
		return nil, err
	}
	for _, m := range methods {
		scores.Methods = append(scores.Methods, m.Name)
	}
	innerFolds := make([][]fit.Split, splitCount)
	for i, split := range holdoutSplits {
		if innerFolds[i], err = fit.KFold(s.Labels(split.Train), 5, seed+uint64(i)); err != nil {
			return nil, err
		}
		for k, fold := range innerFolds[i] { // convert indices in split.Train to rows of s
			innerFolds[i][k] = fit.Split{Train: points.Pick(split.Train, fold.Train),
				Test: points.Pick(split.Train, fold.Test)}
		}
	}
	err = scores.Run(splitCount, func(i, k int) (Score, error) {
		if methods[k].newProblem == nil {
			return Score{}, nil
		}
		return methods[k].tuneAndScore(ctx, s, holdoutSplits[i], innerFolds[i][:foldCount])
	})
	return scores, err
}

// tuneAndScore chooses the C and ρ with the best mean accuracy on the folds and returns the score on the split. In a
// tie it chooses the smallest C, then the first ρ. If on all folds no dual coefficient is at its bound C, it does not
// try a larger C, which would give the same result. The relative gap is 5e-2 on the folds and 1e-2 on the split.
func (m Method) tuneAndScore(ctx context.Context, s Set, split fit.Split, folds []fit.Split) (chosen Score,
	err error) {
	rhoCandidates, bestAccuracy := m.Rho, math.Inf(-1)
	if rhoCandidates == nil {
		rhoCandidates = []float64{0}
	}
	for _, rho := range rhoCandidates {
		for _, c := range Cs {
			meanAccuracy, areAllBelowCOnFolds := 0.0, true
			for _, fold := range folds {
				d, err := m.computeTestDecisions(ctx, s, fold.Train, fold.Test, c, rho, 5e-2)
				if err != nil {
					return chosen, err
				}
				meanAccuracy += scoreDecisions(d.decisionValues, s.Labels(fold.Test)).Accuracy / float64(len(folds))
				areAllBelowCOnFolds = areAllBelowCOnFolds && d.allCoefficientsBelowC
			}
			if meanAccuracy > bestAccuracy || meanAccuracy == bestAccuracy && c < chosen.C {
				bestAccuracy, chosen = meanAccuracy, Score{C: c, Rho: rho}
			}
			if areAllBelowCOnFolds {
				break
			}
		}
	}
	d, err := m.computeTestDecisions(ctx, s, split.Train, split.Test, chosen.C, chosen.Rho, 1e-2)
	score := scoreDecisions(d.decisionValues, s.Labels(split.Test))
	score.C, score.Rho, score.FoldAccuracy, score.Gap = chosen.C, chosen.Rho, bestAccuracy, d.gap
	score.TestAtMedian = d.testAtMedian
	if m.UsesMean {
		score.NegativeMass = Spectrum(s.Mean()).NegativeMass()
	}
	return score, err
}

// results contains a JSON file for each experiment: the scores of the methods, but no data points.
//
//go:embed results
var results embed.FS

// Sets returns the names of the datasets of an experiment (see Recompute).
func Sets(experiment string) (setNames []string) {
	switch experiment {
	case "single":
		return []string{"sonar", "liver-bupa", "ionosphere", "pima", "heart-statlog"}
	case "aural":
		return []string{"aural-sonar"}
	}
	return []string{"a.4.1", "b.1.18", "b.29.1", "b.40.4", "c.1.8", "c.3.1", "c.47.1", "c.67.1"}
}

// Recompute computes the results of one seed for one set of an experiment:
//
//   - "single": at most 100 points of each class, one split;
//   - "aural": the 100 points of Aural Sonar, 50 of each class, 5 splits;
//   - "scop40": 20 proteins of a super-family and 20 others, 5 splits;
//   - "scop160": 80 proteins of a super-family and 80 others, one split, and all methods but EMKL;
//   - "scop160-wide": the same without ESKL, and with two more candidates for ρ, one at each end;
//   - "scop160-eskl": denoise of the mean, and ESKL with L2 and L3, on the splits of "scop160";
//   - "scop160-eskl-wide": the same with two more candidates for ρ;
//   - "scop160-l1-wide": denoise of the mean and of the median, and ESKL with L1 near all similarity matrices and near
//     their mean, on the same splits with two more candidates for ρ;
//   - "scop160-emkl": denoise of the mean, and EMKL with L1, on the same splits.
//
// To choose C and ρ, "scop40" uses all five folds, the other experiments only the first of five. If splitCount is not
// 0, it replaces the number of splits.
func Recompute(ctx context.Context, experiment, setName string, seed uint64, splitCount int) (*Scores, error) {
	methods, datasetName, options := Table1Methods(), setName, data.Options{}
	if experiment == "aural" {
		s, err := OpenAuralSonar()
		if err != nil {
			return nil, err
		}
		return Compare(ctx, s, methods, cmp.Or(splitCount, 5), 1, seed)
	}
	if strings.HasPrefix(experiment, "scop") {
		methods, datasetName, options.DropDuplicates = Table3Methods()[:ESKLL2], "scop40", true
	}
	d, err := datasets.LoadWith(datasetName, options)
	if err != nil {
		return nil, err
	}
	if datasetName == "scop40" {
		pointsPerClass, defaultSplits, foldCount := 20, 5, 5
		if strings.HasPrefix(experiment, "scop160") {
			pointsPerClass, defaultSplits, foldCount = 80, 1, 1
			methods[EMKLL1].newProblem, methods[EMKLL2].newProblem = nil, nil // see scop160-emkl
		}
		if used := map[string][]int{"scop160-eskl": {MeanDenoise, ESKLL2, ESKLL3},
			"scop160-l1":   {MeanDenoise, ESKLL1, MedianDenoise, MeanESKLL1},
			"scop160-emkl": {MeanDenoise, EMKLL1},
		}[strings.TrimSuffix(experiment, "-wide")]; used != nil {
			methods = Table3Methods()[:slices.Max(used)+1]
			for i := range methods {
				if !slices.Contains(used, i) {
					methods[i].newProblem = nil
				}
			}
		}
		if experiment == "scop160-wide" {
			methods[ESKLL1].newProblem = nil // see scop160-l1-wide
		}
		if strings.HasSuffix(experiment, "-wide") {
			for i, m := range methods {
				if m.Rho != nil {
					methods[i].Rho = slices.Concat([]float64{m.Rho[0] / 10}, m.Rho, []float64{10 * m.Rho[len(m.Rho)-1]})
				}
			}
		}
		s, err := Proteins(ctx, d, setName, pointsPerClass, seed)
		if err != nil {
			return nil, err
		}
		return Compare(ctx, s, methods, cmp.Or(splitCount, defaultSplits), foldCount, seed)
	}
	return Compare(ctx, Indefinite(d, 100, 0.1, seed), methods, cmp.Or(splitCount, 1), 1, seed)
}

// Stored returns the stored results of an experiment (see Recompute).
func Stored(experiment string) []*Scores {
	return shared.ReadStored[*Scores](results, "results/"+experiment+".json")
}

// Join returns the results of first with those of second where first has none, for the methods of first. It keeps the
// sets and seeds that both have, whose splits must be the same.
func Join(first, second []*Scores) (joined []*Scores) {
	for _, s := range first {
		for _, other := range second {
			if other.DatasetName != s.DatasetName || other.Seed != s.Seed {
				continue
			}
			both := *s
			both.Splits = nil
			for i, row := range s.Splits {
				row = slices.Clone(row)
				for m := range min(len(row), len(other.Splits[i])) {
					if row[m].C == 0 {
						row[m] = other.Splits[i][m]
					}
				}
				both.Splits = append(both.Splits, row)
			}
			joined = append(joined, &both)
		}
	}
	return joined
}
