package eskl

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
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

// Method learns from the labels of some points, the training points, and predicts the labels of the others. Methods
// that learn a kernel use the similarities between all points. Spectrum corrections use the similarities between
// training points, and between the other points and the training points.
type Method struct {
	Name     string
	Rho      []float64 // candidates for the hyperparameter ρ; nil if the method has none
	UsesMean bool      // the method uses one similarity matrix, the mean of all similarity matrices
	problem  problemFunc
}

// problemFunc returns the problem that a method solves if rows have labels, and the solver, which is nil if no kernel
// is learned.
type problemFunc func(s Set, rows []int, c, rho float64) (*mkl.Problem, mkl.Solver, error)

// Cs lists the candidates for C.
var Cs = []float64{1, 10}

// rhos lists the candidates for ρ of each distance. IndSVM uses the candidates of L3. Experiments with several
// similarities use only the middle three candidates.
var rhos = map[reg.Distance][]float64{
	reg.L1: {1e-4, 1e-3, 1e-2, 1e-1, 1}, reg.L2: {0.03, 0.3, 3, 30, 300}, reg.L3: {0.001, 0.01, 0.1, 1, 10},
}

// Indices of the methods that Single returns.
const (
	Denoise = iota
	Flip
	Shift
	IndSVM
	L2
	L1
	L3
)

// Single returns the methods of Table 1, for one similarity.
func Single() []Method {
	return []Method{
		{Name: "denoise", problem: repairedProblem(similarity.Denoise)},
		{Name: "flip", problem: repairedProblem(similarity.Flip)},
		{Name: "shift", problem: repairedProblem(similarity.Shift)},
		{Name: "IndSVM", Rho: rhos[reg.L3], problem: indSVMProblem},
		{Name: "ESKL, L2", Rho: rhos[reg.L2], problem: esklProblem(reg.L2)},
		{Name: "ESKL, L1", Rho: rhos[reg.L1], problem: esklProblem(reg.L1)},
		{Name: "ESKL, L3", Rho: rhos[reg.L3], problem: esklProblem(reg.L3)},
	}
}

// Indices of the methods that Multiple returns. The first three use the mean of the similarities, the others use all of
// them.
const (
	MeanLinear = iota
	MeanDenoise
	MeanIndSVM
	SimpleMKL
	ESKLL1
	EMKLL1
	EMKLL2
	REKLL2
)

// Multiple returns the methods of Table 3, for several similarities.
func Multiple() []Method {
	return []Method{
		{Name: "linear of the mean", UsesMean: true, problem: repairedProblem(similarity.Linear)},
		{Name: "denoise of the mean", UsesMean: true, problem: repairedProblem(similarity.Denoise)},
		{Name: "IndSVM of the mean", UsesMean: true, Rho: rhos[reg.L3][1:4], problem: indSVMProblem},
		{Name: "SimpleMKL of denoised", problem: func(s Set, rows []int, c, rho float64) (*mkl.Problem, mkl.Solver,
			error) {
			p, _, err := repairedProblem(similarity.Denoise)(s, rows, c, rho)
			return p, mkl.ReducedGradient{}, err
		}},
		{Name: "ESKL, L1", Rho: rhos[reg.L1][1:4], problem: esklProblem(reg.L1)},
		{Name: "EMKL, L1", Rho: rhos[reg.L1][1:4], problem: emklProblem(reg.L1)},
		{Name: "EMKL, L2", Rho: rhos[reg.L2][1:4], problem: emklProblem(reg.L2)},
		{Name: "REKL, L2", Rho: rhos[reg.L2][1:4], problem: func(s Set, rows []int, c, rho float64) (*mkl.Problem,
			mkl.Solver, error) {
			p, err := REKLProblem(s, rows, reg.L2, c, rho)
			return p, Solver(reg.L2, true), err
		}},
	}
}

// repairedProblem returns the problemFunc of a spectrum correction: the machine on the sum of the similarities, each
// after the correction r.
func repairedProblem(r similarity.Repair) problemFunc {
	return func(s Set, rows []int, c, _ float64) (*mkl.Problem, mkl.Solver, error) {
		var f similarity.Repaired
		for i, m := range s.S {
			given := similarity.Given{Name: s.Names[i], N: s.N(), S: similarity.Vec(m), Repairs: []similarity.Repair{r}}
			f.Of = append(f.Of, given)
		}
		p := &mkl.Problem{Grams: f.Bind(points.Indices(rows)), Set: set.Simplex{}, Loss: loss.Hinge{C: c},
			Y: s.Labels(rows)}
		return p, nil, nil
	}
}

func indSVMProblem(s Set, rows []int, c, rho float64) (*mkl.Problem, mkl.Solver, error) {
	return IndSVMProblem(s, rows, c, rho), mkl.DualAscent{}, nil
}

// esklProblem returns the problemFunc of ESKL with the distance d.
func esklProblem(d reg.Distance) problemFunc {
	return func(s Set, rows []int, c, rho float64) (*mkl.Problem, mkl.Solver, error) {
		return ESKLProblem(s, rows, d, c, rho), Solver(d, false), nil
	}
}

// emklProblem returns the problemFunc of EMKL with the distance d.
func emklProblem(d reg.Distance) problemFunc {
	return func(s Set, rows []int, c, rho float64) (*mkl.Problem, mkl.Solver, error) {
		return EMKLProblem(s, rows, d, c, rho), Solver(d, true), nil
	}
}

// testDecisions holds the decision values of a method on the test points of one split.
type testDecisions struct {
	values   []float64
	gap      float64 // certified relative gap of a learned kernel, 0 for other methods
	isBelowC bool    // every |α_i| is below C, so a larger C gives the same result
}

// computeDecisions learns from the labels of train, to the relative gap gap if a kernel is learned, and returns
// decision values for test.
func (m Method) computeDecisions(ctx context.Context, s Set, train, test []int, c, rho, gap float64) (d testDecisions,
	err error) {
	if m.UsesMean {
		s.S, s.Names = []*mat.SymDense{s.Mean()}, []string{"mean"}
	}
	p, solver, err := m.problem(s, train, c, rho)
	if err != nil {
		return d, err
	}
	var r *mkl.Result
	if solver == nil {
		r, err = mkl.EvaluateRule(ctx, p, mkl.Uniform{}, 1e-4)
	} else {
		r, err = mkl.Solve(ctx, p, solver, &mkl.Settings{Gap: gap, Iterations: 200, Threads: 1})
	}
	if err != nil {
		return d, err
	}
	if solver != nil {
		d.gap = r.RelativeGap()
	}
	d.values = shared.DecisionValues(p.Grams, r, points.Indices(test))
	d.isBelowC = floats.Norm(r.W, math.Inf(1)) < c*(1-1e-6)
	return d, nil
}

// Predict learns from the labels of train and returns the decision values for test. A kernel is learned to a relative
// gap of 1e-2, in at most 200 steps.
func (m Method) Predict(ctx context.Context, s Set, train, test []int, c, rho float64) ([]float64, error) {
	d, err := m.computeDecisions(ctx, s, train, test, c, rho, 1e-2)
	return d.values, err
}

// Score holds the results of one method on one split: the accuracy and F₁ on the test points as shares, the mean
// accuracy on the folds (Fold), the chosen C and ρ, the certified relative gap of the learned kernel, and the mean
// margin y·f over the test points, where f is the decision value. The margin is stored for the experiment "single"
// only.
type Score struct {
	Accuracy, F      float64
	Fold             float64 `json:"Fold"`
	C                float64
	Rho, Gap, Margin float64 `json:",omitempty"`
}

// scoreDecisions compares the signs of decision values with labels y. It sets Accuracy, Margin, and F, the F₁ of class
// +1.
func scoreDecisions(values, y []float64) (s Score) {
	truePositives, correct := 0.0, 0.0
	for i, v := range values {
		if v*y[i] > 0 {
			correct++
			truePositives += (1 + y[i]) / 2
		}
	}
	s.Accuracy, s.Margin = correct/float64(len(y)), floats.Dot(values, y)/float64(len(y))
	if truePositives > 0 {
		s.F = 2 * truePositives / (2*truePositives + float64(len(y)) - correct)
	}
	return s
}

// Scores holds the results of several methods on the same splits of one set for one seed.
type Scores struct {
	Data    string `json:"Data"`
	N       int
	Seed    uint64
	Methods []string
	Splits  [][]Score // Splits[i][k] is the score of method k on split i
}

// DrawSeed returns the seed from which the points, the noise and the splits were drawn.
func (s *Scores) DrawSeed() uint64 { return s.Seed }

// Compare draws stratified splits with 80 % training and 20 % test points and scores each method on each split. It
// divides each training part into five folds, and chooses C and ρ by the mean accuracy on the first `folds` of them.
// The k-th split does not depend on the number of splits.
func Compare(ctx context.Context, s Set, methods []Method, splits, folds int, seed uint64) (*Scores, error) {
	scores := &Scores{Data: s.Name, N: s.N(), Seed: seed}
	drawn, err := compare.Holdout(s.Y, 0.2, splits, seed)
	if err != nil {
		return nil, err
	}
	for _, m := range methods {
		scores.Methods = append(scores.Methods, m.Name)
	}
	for i, split := range drawn {
		innerFolds, err := compare.KFold(s.Labels(split.Train), 5, seed+uint64(i))
		if err != nil {
			return nil, err
		}
		for k, fold := range innerFolds { // convert indices in split.Train to rows of s
			innerFolds[k] = compare.Split{Train: points.Pick(split.Train, fold.Train),
				Test: points.Pick(split.Train, fold.Test)}
		}
		var row []Score
		for _, m := range methods {
			if m.problem == nil {
				row = append(row, Score{})
				continue
			}
			score, err := m.chooseAndScore(ctx, s, split, innerFolds[:folds])
			if err != nil {
				return nil, fmt.Errorf("eskl: method %s: %w", m.Name, err)
			}
			row = append(row, score)
		}
		scores.Splits = append(scores.Splits, row)
	}
	return scores, nil
}

// chooseAndScore chooses the C and ρ with the best mean accuracy on the folds and returns the score on the split. In a
// tie it chooses the smallest C, then the first ρ. If no α reaches C on any fold, it does not try a larger C, which
// would give the same result. The relative gap is 5e-2 on the folds and 1e-2 on the split.
func (m Method) chooseAndScore(ctx context.Context, s Set, split compare.Split, folds []compare.Split) (chosen Score,
	err error) {
	candidates, best := m.Rho, math.Inf(-1)
	if candidates == nil {
		candidates = []float64{0}
	}
	for _, rho := range candidates {
		for _, c := range Cs {
			accuracy, allBelowC := 0.0, true
			for _, fold := range folds {
				d, err := m.computeDecisions(ctx, s, fold.Train, fold.Test, c, rho, 5e-2)
				if err != nil {
					return chosen, err
				}
				accuracy += scoreDecisions(d.values, s.Labels(fold.Test)).Accuracy / float64(len(folds))
				allBelowC = allBelowC && d.isBelowC
			}
			if accuracy > best || accuracy == best && c < chosen.C {
				best, chosen = accuracy, Score{C: c, Rho: rho}
			}
			if allBelowC {
				break
			}
		}
	}
	d, err := m.computeDecisions(ctx, s, split.Train, split.Test, chosen.C, chosen.Rho, 1e-2)
	score := scoreDecisions(d.values, s.Labels(split.Test))
	score.C, score.Rho, score.Fold, score.Gap = chosen.C, chosen.Rho, best, d.gap
	return score, err
}

// results holds the stored results at full size, computed by TestStored: accuracies, no data.
//
//go:embed results
var results embed.FS

// Sets lists the names of the sets of an experiment.
func Sets(experiment string) []string {
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
//   - "single" has at most 100 points of each class and one split,
//   - "aural" has the 50 and 50 points of Aural Sonar and 5 splits,
//   - "scop40" has 20 proteins of a super-family, 20 others, 5 splits and all five folds,
//   - "scop160" has 80 and 80 proteins, one split, and only the methods that take seconds.
//
// "single", "aural" and "scop160" use one fold. If splits is not 0, only the first splits are computed.
func Recompute(ctx context.Context, experiment, name string, seed uint64, splits int) (*Scores, error) {
	methods, file, options := Single(), name, data.Options{}
	if experiment == "aural" {
		s, err := Aural()
		if err != nil {
			return nil, err
		}
		return Compare(ctx, s, methods, cmp.Or(splits, 5), 1, seed)
	}
	if strings.HasPrefix(experiment, "scop") {
		methods, file, options.DropDuplicates = Multiple(), "scop40", true
	}
	d, err := datasets.LoadWith(file, options)
	if err != nil {
		return nil, err
	}
	if file == "scop40" {
		perClass, allSplits, folds := 20, 5, 5
		if experiment == "scop160" {
			perClass, allSplits, folds = 80, 1, 1
			for _, m := range []int{MeanLinear, ESKLL1, EMKLL1, EMKLL2} {
				methods[m].problem = nil
			}
		}
		s, err := Proteins(ctx, d, name, perClass, seed)
		if err != nil {
			return nil, err
		}
		return Compare(ctx, s, methods, cmp.Or(splits, allSplits), folds, seed)
	}
	return Compare(ctx, Indefinite(d, 100, 0.1, seed), methods, cmp.Or(splits, 1), 1, seed)
}

// Stored returns the stored results of an experiment: "single", "aural", "scop40" or "scop160".
func Stored(experiment string) []*Scores {
	return shared.Read[*Scores](results, "results/"+experiment+".json")
}
