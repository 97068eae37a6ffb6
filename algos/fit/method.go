package fit

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data"
)

// Fitter is a way from data to a fitted model: a Search, the Best of several methods, or one of your own.
type Fitter interface {
	// Fit fits a model to all points of d.
	Fit(ctx context.Context, d *data.Dataset) (*Fitted, error)
}

// Method is a Fitter with a name: one row of the table of a comparison.
//
//	{Name: "uniform", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Rules(mkl.Uniform{})}}}
//	{Name: "single", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.1, 1), fit.SingleKernels{}}}}
//	{Name: "ball", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.1, 1), fit.Balls(2, 1, 0.5, 2)}}}
type Method struct {
	Name   string
	Fitter Fitter
}

// Search returns the Fitter if it is a Search, otherwise a Search without a family.
func (m Method) Search() Search {
	s, _ := m.Fitter.(Search)
	return s
}

// Search fits a kernel family with the hyperparameters of a grid that have the smallest error in cross-validation. It
// is plain data.
type Search struct {
	Family kernel.Family
	// Solver learns θ, except for candidates of the Grid whose mkl.Rule computes θ. If Solver is nil, mkl.SPG is used.
	Solver mkl.Solver
	// Grid contains the losses, sets Θ, regularizers and rules to choose from. Without losses, the loss is the squared
	// one, with the values of λ of Ridge(). Without sets, Θ is set.Simplex{}. Without rules, Solver learns θ.
	Grid Grid
	// LogTargets states that the method learns the natural logarithms of the targets, which must be numbers above 0.
	// Its errors in cross-validation are in the units of the data, so that they can be compared with those of others.
	LogTargets bool
	Gap        float64 // relative gap of every solve; if 0, 1e-3
	Iterations int     // maximum number of steps of a solve, twice as many in the final fit; if 0, 500
	// Settings are those of Fit. A comparison replaces them by its own, so that all its methods have the same.
	Settings Settings
}

// Best selects one of several searches, for example of several families: in every training part, the one with the
// smallest cross-validation error (the first, if errors are equal).
type Best struct {
	// Candidates are searches with different names. In a comparison, one with the name of another method must equal
	// that method, and is fitted once for both.
	Candidates []Method
	Settings   Settings // of Fit, as in Search
}

// withDefaults returns s with the defaults of Solver, Gap and Iterations.
func (s Search) withDefaults() Search {
	s.Gap, s.Iterations = cmp.Or(s.Gap, 1e-3), cmp.Or(s.Iterations, 500)
	if s.Solver == nil {
		s.Solver = mkl.SPG{}
	}
	return s
}

func init() {
	registry.Register(Search{})
	registry.Register(Best{})
	registry.Register(setList{})
	registry.Register(ballList{})
	registry.Register(regList{})
	registry.Register(ruleList{})
	registry.Register(SingleKernels{})
	registry.Register(SingleKernel{})
	registry.Register(FixedWeights{})
	registry.Register(Path{})
}

// Settings are the settings that all methods of a comparison share.
type Settings struct {
	Selection Selection
	// UncenteredTargets leaves the targets as they are. By default their mean on the training points, with the point
	// weights of the loss, is subtracted before learning and added to the predictions, if the loss reports
	// NeedsCentering (loss.Traits): the squared loss does, because it learns no bias.
	UncenteredTargets bool
	// Landmarks, if not 0, limits kernel matrices if the loss is squared and the kernels have many features
	// (HasFewerFeaturesThanPoints is false). From a training part with more points, this number of points, the
	// landmarks, is drawn at random. The weights θ are learned on the landmarks only. Then the dual coefficients of the
	// landmarks are fitted to all training points, with the chosen λ.
	//
	// With p landmarks among n training points, θ is learned with λp/n instead of λ, because the errors of p points are
	// summed instead of n. With weights of points (loss.Weighted), p and n are sums of weights, but landmarks are drawn
	// without regard to them. Narrow kernels get less weight than they would on all n points.
	Landmarks int
	// GroupsHoldDuplicates states that the groups of the data only keep equal points together (GroupDuplicates).
	// Points, and not groups, are then the units that quantiles and prediction intervals count.
	GroupsHoldDuplicates bool
	Seed                 uint64 // draws folds; the folds inside a training part depend only on Seed and on that part
}

// Workspace chooses hyperparameters and fits methods on any points of one dataset. Methods with equal families share
// their base matrices. To fit a model, call Fit or, for some of the points, PrepareChoices, then Choose of each choice,
// then FitRows.
type Workspace struct {
	Settings
	Data    *data.Dataset
	Methods []Method // the given methods, then the candidates of a Best that are not among them

	grids []*grid // one for each method
	tasks TaskRunner
}

// MethodIndex returns the index of the method with a name; −1 if there is none.
func (w *Workspace) MethodIndex(name string) int {
	return slices.IndexFunc(w.Methods, func(m Method) bool { return m.Name == name })
}

// Task is one unit of work. Its result depends only on the data, the settings and the method, and on the Kind, the
// candidates, the values, the split and the inputs.
type Task struct {
	Name       string // for the progress; "" if the task is not counted
	Kind       string // "fold" or "split"
	Method     int    // index of the method
	Candidates []Candidate
	Values     []float64 // values of the hyperparameter
	Split      Split
	Inputs     []any
	Result     any         // pointer to the result
	IsComplete func() bool // reports whether Result, read from a store, has every part; nil: always
	Compute    func() error
}

// TaskRunner runs tasks. It may limit how many run at a time, and may read results from a store.
type TaskRunner interface {
	Announce(count int) // states that so many more tasks follow
	Run(t *Task) error
}

// Choice searches one method's grid by cross-validation on some points (all points of the study, or a training part),
// and holds the hyperparameters that it chooses.
type Choice struct {
	workspace          *Workspace
	methodIndex        int
	messagePrefix      string    // names the points in messages, for example "split 3, "; "" for all points
	grid               *grid     // nil if the method is not a Search
	choiceOfNearMethod *Choice   // its chosenValue limits the values to try; nil if Path.NearMethod is empty
	alternativeChoices []*Choice // one for each candidate of a Best; nil for other methods
	selectionFolds     []Split   // cross-validation folds; nil if there is nothing to choose
	finalRound         *Split    // compares the alternatives on more points (Selection.FinalPoints); nil for none

	chooseGuard      sync.Once // lets only the first call of Choose choose
	chooseError      error
	triedValues      []float64    // the tried values of the loss's hyperparameter, in the order of the path
	cells            []GridCell   // entry i·len(triedValues)+j: error of candidate i at value j over all folds
	cellsByFold      [][]GridCell // cellsByFold[i][k] is the part of cells[i] from fold k; nil after the search
	alternativeCells []GridCell   // the errors that decide among alternativeChoices
	winnerIndex      int          // index in alternativeChoices of the choice with the smallest error
	candidateIndex   int          // index of the chosen candidate in grid.candidates
	chosenValue      float64      // the chosen value of the loss's hyperparameter
	isValueAtPathEnd bool         // chosenValue is the first or the last of several triedValues
}

// Fitted is a method that was fitted to some points of a dataset, with the chosen hyperparameters.
type Fitted struct {
	Model     *model.Model // nil if all points have one class
	Result    *mkl.Result  // the weights, with their certificate; nil if no weights were learned
	Candidate Candidate    // chosen hyperparameters, with λp/n instead of λ for p landmarks of n points
	// UsesLandmarks reports whether the weights were fitted to landmarks (Settings.Landmarks). The dual coefficients of
	// the landmarks were then fitted to all points.
	UsesLandmarks bool
	// Selected is what Fit of a Search or of a Best, or Workspace.Fit, selected; otherwise nil.
	Selected *Selected

	choice  *Choice
	fold    *fold
	problem *mkl.Problem
	w       []float64 // dual coefficients of the points on which θ was learned; nil if they have one class
	offsets []float64 // constants that predictions add to each target column
}

// Selected is a method with the hyperparameters that were chosen for it on all points.
type Selected struct {
	// Method is a Search with the values of cross-validation: defaults, the number of folds (0: nothing to choose), and
	// the Settings of the Best or the workspace. The final fit may have a smaller gap, and takes at most twice the
	// steps. Of a Best, it is the candidate with the smallest error.
	Method           Method
	Candidate        Candidate // chosen hyperparameters
	Cell             GridCell  // cross-validation error with these
	IsValueAtPathEnd bool      // Candidate.Value is the first or the last of several tried values of the loss
	Tried            []Tried   // of a Best, its candidates; otherwise nil
}

// Tried is the error of a method with its chosen hyperparameters, by which a Best selected it or not: by
// cross-validation on all points, or on a sample (Selection.MaxPoints), or in a final round on more points
// (Selection.FinalPoints).
type Tried struct {
	Method, Label string       // name of the method, and Candidate.Label
	Value         float64      // value of the hyperparameter of the loss
	By            model.Metric // the metric of Error
	Error         float64
	FinalPoints   int // number of training points of the final round; 0: Error is from cross-validation
}

// fold is one split of the data into a training and a test part, on which candidates of a grid are fitted and scored.
// Targets, dual coefficients and predictions of several target columns (targets or classes: model.TargetEncoding) are
// stored column after column.
type fold struct {
	gramsOfAllPoints      kernel.Grams  // kernels between all points
	allPoints             points.Points // all points of the study
	allTargets            []float64     // targets of all points; several targets are divided by targetScales
	targetScales          []float64     // standard deviation of each target in the training part; nil for one target
	encoding              model.TargetEncoding
	split                 Split
	centerTargets         bool         // subtract the mean of each column: see encodeTargetColumns
	landmarks             []int        // indices of the training points on which θ is learned; nil: all of them
	foldMetric            model.Metric // Selection.By if it is one of foldMetrics, else ""
	keepsThetaForRestarts bool         // store the learned θ, from which later solves may start (GridCell.StartThetas)
}
