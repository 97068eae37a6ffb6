package nkrr

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Reading is one interpretation of this protocol in section 4.1 of the paper: "features were scaled to lie in the
// interval [0, 1]. Then, both labels and features were centered".
type Reading struct {
	Name                   string
	AllPointsPreprocessing points.Preprocessing // fitted to all points before the splits, as in the paper
	TrainingPreprocessing  points.Preprocessing // fitted to the training points only
	HasConstantKernel      bool                 // adds a base kernel whose matrix has all entries 1
	HasWholeGroups         bool                 // keeps all points of a person (a group) on one side of each split
}

// Names of the interpretations of the protocol: PerExample centers each point, the others each feature (AsWritten as
// the paper writes); LeakFree also keeps persons whole, and takes all choices from the training points only.
const (
	PerExample = "rows centered"
	AsWritten  = "columns centered"
	Constant   = "columns centered + constant"
	LeakFree   = "leak-free"
)

// Readings returns the four interpretations of the protocol of the paper that the notebook compares. The results of the
// first one are nearest to the printed table.
func Readings() []Reading {
	centerRows := points.Preprocessing{points.MinMax, points.CenterRows}
	centerColumns := points.Preprocessing{points.MinMax, points.CenterColumns}
	return []Reading{
		{Name: PerExample, AllPointsPreprocessing: centerRows},
		{Name: AsWritten, AllPointsPreprocessing: centerColumns},
		{Name: Constant, AllPointsPreprocessing: centerColumns, HasConstantKernel: true},
		{Name: LeakFree, TrainingPreprocessing: centerColumns, HasWholeGroups: true},
	}
}

// IsFromTraining reports whether the test points influence neither preprocessing nor hyperparameters: both are
// determined inside the training part.
func (r Reading) IsFromTraining() bool { return r.TrainingPreprocessing != nil }

// FromTraining returns r with preprocessing, λ and Λ from the training part only.
func (r Reading) FromTraining() Reading {
	if !r.IsFromTraining() {
		r.AllPointsPreprocessing, r.TrainingPreprocessing = nil, r.AllPointsPreprocessing
	}
	return r
}

// Columns lists the columns of Table 1 in the order of the paper.
var Columns = []string{"linear base", "linear ℓ1", "linear ℓ2", "quadratic base", "quadratic ℓ1", "quadratic ℓ2"}

// Sets lists the rows of Table 1. The last one is an external dataset.
var Sets = []string{"ionosphere", "sonar", "breast-wisconsin", "parkinsons"}

// Printed is Table 1 of the paper: mean and standard deviation of the RMSE of each method in Columns.
var Printed = map[string][6][2]float64{
	"parkinsons":       {{.70, .03}, {.70, .04}, {.70, .03}, {.65, .03}, {.66, .03}, {.64, .03}},
	"ionosphere":       {{.82, .03}, {.81, .04}, {.81, .03}, {.62, .05}, {.62, .05}, {.60, .05}},
	"sonar":            {{.90, .02}, {.92, .03}, {.90, .04}, {.84, .03}, {.80, .04}, {.80, .04}},
	"breast-wisconsin": {{.70, .02}, {.71, .02}, {.70, .02}, {.70, .02}, {.70, .01}, {.70, .01}},
}

// radii lists the candidates for the radius Λ, by the norm q of the ball.
var radii = map[float64][]float64{1: {1, 5, 25, 125}, 2: {0.5, 2, 8, 32}}

// addMethods adds methods with the kernels of f to s. The first one, methodNames[0], has fixed weights 1; its λ is
// chosen among lambdas. For each q in norms, one method learns the weights on the q-norm ball about (1, …, 1); its λ is
// chosen within lambdaDecades decades of the λ that was chosen for the fixed weights. If the chosen λ is an end of the
// candidates, they are extended by up to extensionDecades decades.
func addMethods(s *compare.Study, f kernel.Family, lambdas []float64, lambdaDecades, extensionDecades float64,
	methodNames []string, norms ...float64) {
	lambdaPath := fit.Ridge(lambdas...).Extendable(extensionDecades)
	s.Methods = append(s.Methods, fit.Method{Name: methodNames[0], Fitter: fit.Search{Family: f,
		Grid: fit.Grid{lambdaPath, fit.Sets(set.Orthant{}), fit.Rules(mkl.Uniform{})}}})
	for i, q := range norms {
		grid := fit.Grid{lambdaPath.WithinDecades(methodNames[0], lambdaDecades), fit.Balls(q, 1, radii[q]...)}
		s.Methods = append(s.Methods, fit.Method{Name: methodNames[1+i], Fitter: fit.Search{Family: f, Grid: grid}})
	}
}

// Table1 returns the study of one row of Table 1. It has linear and quadratic combinations, each with fixed weights 1
// and with weights learned on the 1-norm and the 2-norm ball about 1. There are 30 random halves. The ridge parameter λ
// and the radius Λ of the ball are chosen by 10-fold cross-validation: on all the data (the paper does not state the
// points), or inside each training half if r.IsFromTraining().
func Table1(d *data.Dataset, r Reading, seed uint64) (*compare.Study, error) {
	c := *d
	if !r.HasWholeGroups {
		c.Group = nil
	}
	halves, err := fit.Halves(c.Y, 30, seed, fit.ByGroup(c.Group))
	if err != nil {
		return nil, err
	}
	if d, err = r.preprocess(&c); err != nil {
		return nil, err
	}
	s := &compare.Study{Data: d,
		Settings: fit.Settings{Seed: seed, UncenteredTargets: !r.IsFromTraining(),
			Selection: fit.Selection{OnAllData: !r.IsFromTraining(), Folds: 10}}, Splits: halves}
	for degree := 1; degree <= 2; degree++ {
		f := kernel.Features{Degree: degree, Prepare: r.TrainingPreprocessing, Constant: r.HasConstantKernel}
		addMethods(s, f, fit.HalfDecades(-3, 4), 1.3, 4, Columns[3*(degree-1):], 1, 2)
	}
	return s, nil
}

// preprocess returns d with the features preprocessed by r.AllPointsPreprocessing and the targets centered. If
// r.IsFromTraining(), it returns d itself, because each training part is preprocessed on its own.
func (r Reading) preprocess(d *data.Dataset) (*data.Dataset, error) {
	if r.IsFromTraining() {
		return d, nil
	}
	fit, err := r.AllPointsPreprocessing.Fit(d.X)
	if err != nil {
		return nil, err
	}
	c := *d
	c.X, c.Y, c.Classes = fit.Apply(d.X), slices.Clone(d.Y), nil
	floats.AddConst(-stat.Mean(d.Y, nil), c.Y)
	return &c, nil
}

// Figure2Study returns the experiment of section 4.2 on some random reviews. It has quadratic kernels of the counts of
// the most frequent bigrams, not centered, with a constant base kernel. The weights are 1, or learned on the 1-norm and
// the 2-norm ball about 1. The ridge parameter λ and the radius Λ of the ball are chosen by cross-validation on half of
// the reviews. centerTargets centers the targets, unlike the paper.
func Figure2Study(d *data.Dataset, bigramCount, reviewCount, splitCount, foldCount int, centerTargets bool,
	seed uint64) (*compare.Study, error) {
	permutation := rand.New(rand.NewPCG(seed, 2)).Perm(len(d.Y))
	d, err := d.Slice(permutation[:min(reviewCount, len(permutation))])
	if err != nil {
		return nil, err
	}
	if d, err = d.FirstFeatures(bigramCount); err != nil {
		return nil, err
	}
	c := *d
	c.Classes = nil
	halves, err := fit.Halves(slices.Repeat([]float64{0.5}, len(c.Y)), splitCount, seed) // not stratified
	if err != nil {
		return nil, err
	}
	s := &compare.Study{Data: &c,
		Settings: fit.Settings{Seed: seed, UncenteredTargets: !centerTargets, Selection: fit.Selection{OnAllData: true,
			Folds: foldCount, MaxPoints: len(c.Y) / 2}}, Splits: halves}
	addMethods(s, kernel.Features{Degree: 2, Constant: true}, fit.HalfDecades(0, 3), 0.5, 6,
		[]string{"baseline", "ℓ1", "ℓ2"}, 1, 2)
	return s, nil
}

// Figure3Study returns the experiment of section 4.3 on regression data, for kernels of one degree. Half of the points
// are test points. The five training parts are disjoint subsamples of the other half, each 1/subsamplingFactor of it.
// Features are centered, and there is a constant base kernel. The weights are 1, or learned on the 2-norm ball about 1.
// The ridge parameter λ and the radius Λ of the ball are chosen by 5-fold cross-validation inside each subsample.
func Figure3Study(d *data.Dataset, subsamplingFactor, degree int, seed uint64) (*compare.Study, error) {
	halfSplit, err := fit.Halves(d.Y, 1, seed)
	if err != nil {
		return nil, err
	}
	s := &compare.Study{Data: d,
		Settings: fit.Settings{Seed: seed, Selection: fit.Selection{Folds: 5}}}
	subsampleSize, trainHalf := len(halfSplit[0].Train)/subsamplingFactor, slices.Clone(halfSplit[0].Train)
	swap := func(i, j int) { trainHalf[i], trainHalf[j] = trainHalf[j], trainHalf[i] }
	rand.New(rand.NewPCG(seed, 3)).Shuffle(len(trainHalf), swap)
	for r := range min(5, subsamplingFactor) {
		subsample := slices.Clone(trainHalf[r*subsampleSize : (r+1)*subsampleSize])
		slices.Sort(subsample)
		s.Splits = append(s.Splits, fit.Split{Train: subsample, Test: halfSplit[0].Test})
	}
	methodName := fmt.Sprintf("degree %d", degree)
	f := kernel.Features{Degree: degree, Constant: true, Prepare: points.Preprocessing{points.CenterColumns}}
	addMethods(s, f, fit.HalfDecades(-2, 2), 1, 4, []string{methodName, methodName + " learned"}, 2)
	return s, nil
}
