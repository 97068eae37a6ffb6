package tkl

import (
	"context"
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// Method is one column of a comparison. 3-fold cross-validation inside the training part chooses C and one of Families.
type Method struct {
	Name     string
	Families []kernel.Family
	Set      set.Set
	Solver   mkl.Solver // learns θ; if nil, Rule gives θ
	Rule     mkl.Rule
	Minimum  bool       // θ is that of minimumWithoutCorners, without Solver
	Shuffled bool       // θ is that of Minimum, or else of ShuffledStep, for shuffled targets; without Solver
	Fallback mkl.Solver // continues where Solver stalls, unless nil
	Seed     uint64     // determines the folds and the shuffle; those of each split are different (see Draw.Run)
}

// Candidates of cross-validation. Each of Widths, divided by the number of features, is γ of a Gaussian exp(−γ‖x−z‖²).
// Each of Bounds is a distance by which the box of a tessellated kernel extends beyond the points. Widths and Bounds
// have the same length. Cs are candidates for C.
var (
	Widths = []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100}
	Bounds = []float64{0.005, 0.02, 0.1, 0.5, 2, 10, 30, 100, 300}
	Cs     = []float64{0.01, 0.1, 1, 10, 100, 1000}
)

// SmallBounds continue Bounds downward, in the experiments "identity", "small" and "minimum".
var SmallBounds = []float64{0.00004, 0.0002, 0.001}

// Indices in the result of NewMethods, and in Scores.Methods of the experiment "classes"; other experiments have other
// methods (see NewDraw). P is the coefficient matrix of a tessellated kernel; its degree is that of its monomials.
const (
	Gaussian        = iota // one Gaussian kernel
	TenKernels             // a learned sum of ten kernels
	Degree0                // tessellated, degree 0; P is fixed, because the same P is optimal for all data
	UniformDegree1         // tessellated, degree 1; P' of tessellated.Balanced is a fixed multiple of I
	LearnedDegree1         // tessellated, degree 1; P is learned
	ShuffledDegree1        // tessellated, degree 1; P is computed from shuffled labels: a control
)

// NewMethods returns the methods that a table compares, one per column, for points with featureCount features.
func NewMethods(featureCount int) []Method {
	var gaussian, degree0, degree1 []kernel.Family
	standardize := points.Preprocessing{points.Standardize}
	for _, g := range Widths {
		singleKernel := kernel.List{kernel.RBF{Gamma: g / float64(featureCount)}}
		gaussian = append(gaussian, kernel.Sum{Kernels: singleKernel, Prepare: standardize})
	}
	var tenKernels kernel.List
	for _, g := range []float64{0.03, 0.1, 0.3, 1, 3, 10, 30} {
		tenKernels = append(tenKernels, kernel.RBF{Gamma: g / float64(featureCount)})
	}
	for p := 1; p <= 3; p++ {
		tenKernels = append(tenKernels, kernel.Polynomial{Degree: p, Gamma: 1 / float64(featureCount), Offset: 1})
	}
	for _, b := range Bounds {
		degree0 = append(degree0, tessellated.Family{BoxMargin: b, UnitMeanDiagonal: true})
		degree1 = append(degree1, tessellated.Family{Degree: 1, BoxMargin: b, TraceMetric: tessellated.Balanced,
			UnitMeanDiagonal: true})
	}
	tenKernelSum := kernel.Sum{Kernels: tenKernels, Prepare: standardize, Center: true, Normalize: kernel.MeanDiagonal}
	return []Method{
		{Name: "Gaussian", Families: gaussian, Set: set.Simplex{}, Rule: mkl.Uniform{}},
		{Name: "ten kernels, learned", Families: []kernel.Family{tenKernelSum}, Set: set.Simplex{},
			Solver: mkl.SPG{AllowNonsmooth: true}},
		{Name: "degree 0", Families: degree0, Set: set.Spectraplex{}, Rule: optimalPOfDegree0},
		{Name: "degree 1, P' = I", Families: degree1, Set: set.Spectraplex{}, Rule: mkl.Uniform{}},
		{Name: "degree 1, learned", Families: degree1, Set: set.Spectraplex{}, Solver: mkl.FrankWolfe{}},
		{Name: "degree 1, shuffled", Families: degree1, Set: set.Spectraplex{}, Shuffled: true},
	}
}

// newSimpleMKL returns the method to which the paper compares: SimpleMKL with the kernels of its authors.
func newSimpleMKL(featureCount int) Method {
	sum := kernel.Sum{Kernels: kernel.SimpleMKLKernels(featureCount), Prepare: points.Preprocessing{points.Standardize},
		Center: true, Normalize: kernel.MeanDiagonal}
	return Method{Name: "SimpleMKL", Families: []kernel.Family{sum}, Set: set.Simplex{}, Solver: mkl.ReducedGradient{}}
}

// optimalPOfDegree0 is the rule whose P minimizes F on all data, by a theorem in the notebook.
var optimalPOfDegree0 = fit.FixedWeights{Theta: []float64{0.5, -0.5, -0.5, 0.5}}

// ShuffledStep is the rule of a control. It shuffles the targets among the points, and returns the P to which the first
// Frank–Wolfe step of length 1 from the start of the set leads. So P depends on the points, but not on their targets.
type ShuffledStep struct{ Seed uint64 }

func (ShuffledStep) String() string { return "one step on shuffled targets" }

// Weights returns the P of the step.
func (s ShuffledStep) Weights(_ context.Context, p *mkl.Problem) ([]float64, error) {
	return firstVertex(s.shuffle(p), 1e-3)
}

// shuffle returns p with its targets shuffled among the points.
func (s ShuffledStep) shuffle(p *mkl.Problem) *mkl.Problem {
	shuffled := *p
	shuffled.Y = slices.Clone(p.Y)
	rand.New(rand.NewPCG(s.Seed, 's')).Shuffle(len(p.Y), func(i, j int) {
		shuffled.Y[i], shuffled.Y[j] = shuffled.Y[j], shuffled.Y[i]
	})
	return &shuffled
}

// minimumWithoutCorners returns the θ that minimizes F of p, for degree 1, if the corners have no share in the kernel
// (appendix B of the notebook), and its relative gap: the dual coefficients of cI, where c is the trace of Θ, prove the
// lower bound.
func minimumWithoutCorners(p *mkl.Problem) (theta []float64, gap float64, err error) {
	identity, minimum := p.NewPoint(), p.NewPoint()
	p.Set.Start(identity.Theta)
	floats.Scale(math.Sqrt(float64(len(identity.Theta))), identity.Theta)
	if err := identity.Evaluate(nil, 1e-6); err != nil {
		return nil, 0, err
	}
	lower := identity.LinearTerm + p.Set.Minimize(minimum.Theta, identity.Grad())
	// The sum of the four blocks of D is that of a kernel without corners, which matter with a large C.
	n := int(math.Sqrt(float64(len(minimum.Theta))))
	withoutCorners := make([]float64, len(minimum.Theta))
	for i, v := range identity.Grad() {
		withoutCorners[(i/n%(n/2)+n/2)*n+i%n%(n/2)+n/2] += v
	}
	p.Set.Minimize(minimum.Theta, withoutCorners)
	if err := minimum.Evaluate(nil, 1e-7); err != nil {
		return nil, 0, err
	}
	return minimum.Theta, 1 - lower/minimum.Upper(), nil
}

// solve minimizes p by Solver, and by Fallback from where it stalls.
func (m Method) solve(ctx context.Context, p *mkl.Problem, s mkl.Settings) (*mkl.Result, error) {
	r, err := mkl.Solve(ctx, p, m.Solver, &s)
	if err != nil || m.Fallback == nil || r.Status != mkl.Stalled {
		return r, err
	}
	s.Start, s.Theta = r, nil
	return mkl.Solve(ctx, p, m.Fallback, &s)
}

// solveOrEvaluate solves p to a relative gap of 2e-2, in at most maxSteps steps. It starts from startResult, the result
// of a similar problem, unless this is nil. If the method has no solver, it only evaluates the θ of its rule or of
// minimumWithoutCorners. gap is the relative gap of a learned θ, on the targets from which it is learned; otherwise 0.
func (m Method) solveOrEvaluate(ctx context.Context, p *mkl.Problem, maxSteps int, startResult *mkl.Result) (
	r *mkl.Result, gap float64, err error) {
	s := mkl.Settings{Gap: 2e-2, Iterations: maxSteps, Threads: 1, Start: startResult}
	if m.Solver != nil {
		if r, err = m.solve(ctx, p, s); err != nil {
			return nil, 0, err
		}
		return r, r.RelativeGap(), nil
	}
	var theta []float64
	step := ShuffledStep{Seed: m.Seed}
	switch {
	case m.Minimum && m.Shuffled:
		theta, gap, err = minimumWithoutCorners(step.shuffle(p))
	case m.Minimum:
		theta, gap, err = minimumWithoutCorners(p)
	case m.Shuffled:
		theta, err = step.Weights(ctx, p)
	default:
		theta, err = m.Rule.Weights(ctx, p)
	}
	if err != nil {
		return nil, 0, err
	}
	s.InnerGap, s.Theta, s.Watch = 1e-3, theta, func(*mkl.Iterate) bool { return true }
	r, err = mkl.Solve(ctx, p, mkl.FrankWolfe{}, &s)
	return r, gap, err
}

// Choice holds the family and the C that cross-validation chose on one training part, and the loss on the test part.
type Choice struct {
	Family int // index in Method.Families
	C      float64
	Loss   float64 // share of wrong labels, or root mean squared error for regression
	Gap    float64 `json:",omitzero"` // relative gap of θ learned on the whole training part; 0 if θ is not learned
}

// totalLoss returns the number of points of d at which r predicts the wrong sign or, for regression, the sum of squared
// errors.
func totalLoss(g kernel.Grams, r *mkl.Result, d *data.Dataset) (total float64) {
	for i, f := range shared.DecisionValues(g, r, d.X) {
		switch v := d.Y[i]; {
		case d.Classes == nil:
			total += (f - v) * (f - v)
		case f*v <= 0:
			total++
		}
	}
	return total
}

// tuneAndTest chooses the family and C by cross-validation on the training part of the split s of d, fits the method to
// the training part and computes the loss on the test part. epsilon is ε of the ε-insensitive loss, for regression.
func (m Method) tuneAndTest(ctx context.Context, d *data.Dataset, s fit.Split, epsilon float64) (c Choice, err error) {
	train, test := shared.SelectRows(d, s.Train), shared.SelectRows(d, s.Test)
	folds, err := fit.KFold(train.Y, 3, m.Seed)
	if err != nil {
		return c, err
	}
	smallestLoss := math.Inf(1)
	for f, family := range m.Families {
		lossesByC := make([]float64, len(Cs)) // loss for each of Cs, summed over the folds
		for _, fold := range folds {
			innerTrain, heldOut := shared.SelectRows(train, fold.Train), shared.SelectRows(train, fold.Test)
			g := family.Bind(innerTrain.X)
			var result *mkl.Result
			for i, candidate := range Cs {
				p := &mkl.Problem{Grams: g, Set: m.Set, Loss: newLoss(innerTrain, candidate, epsilon), Y: innerTrain.Y}
				if result, _, err = m.solveOrEvaluate(ctx, p, 30, result); err != nil {
					return c, fmt.Errorf("family %d, C = %g: %w", f, candidate, err)
				}
				lossesByC[i] += totalLoss(g, result, heldOut)
			}
		}
		for i, l := range lossesByC {
			if l < smallestLoss {
				smallestLoss, c.Family, c.C = l, f, Cs[i]
			}
		}
	}
	return m.fitAndTest(ctx, c, train, test, epsilon)
}

// Fit learns from train with the family and C of c, in at most 300 steps. It returns the family on the points of train,
// and the result. epsilon is ε of the ε-insensitive loss, for regression.
func (m Method) Fit(ctx context.Context, c Choice, train *data.Dataset, epsilon float64) (kernel.Grams, *mkl.Result,
	error) {
	g, r, _, err := m.fit(ctx, c, train, epsilon)
	return g, r, err
}

// fit is Fit that also returns the relative gap of solveOrEvaluate.
func (m Method) fit(ctx context.Context, c Choice, train *data.Dataset, epsilon float64) (g kernel.Grams, r *mkl.Result,
	gap float64, err error) {
	g = m.Families[c.Family].Bind(train.X)
	p := &mkl.Problem{Grams: g, Set: m.Set, Loss: newLoss(train, c.C, epsilon), Y: train.Y}
	r, gap, err = m.solveOrEvaluate(ctx, p, 300, nil)
	return g, r, gap, err
}

// fitAndTest fits m with the family and C of c, and returns c with the loss on test and the relative gap.
func (m Method) fitAndTest(ctx context.Context, c Choice, train, test *data.Dataset, epsilon float64) (Choice, error) {
	g, r, gap, err := m.fit(ctx, c, train, epsilon)
	if err != nil {
		return c, err
	}
	c.Gap = viz.RoundSignificant(gap, 2)
	if c.Loss = totalLoss(g, r, test) / float64(test.Len()); train.Classes == nil {
		c.Loss = math.Sqrt(c.Loss)
	}
	c.Loss = viz.RoundSignificant(c.Loss, 6)
	return c, nil
}

// Scores holds the results of several methods on the same splits of one set for one seed.
type Scores = shared.Scores[Choice]

// Draw is an experiment on one set for one seed: its points, splits and methods.
type Draw struct {
	Data    *data.Dataset
	Splits  []fit.Split
	Methods []Method
	Epsilon float64 // ε of the ε-insensitive loss, for regression
	Ratio   float64 // n_test/n_train; 0 (no correction of the interval) if the seeds share no point
	Seed    uint64
}

// Run computes the results of all methods of d on all splits. The Seed of a method on split i is its Seed plus i.
func (d Draw) Run(ctx context.Context) (*Scores, error) {
	scores := &Scores{DatasetName: d.Data.Name, Seed: d.Seed, Ratio: d.Ratio}
	for _, m := range d.Methods {
		scores.Methods = append(scores.Methods, m.Name)
	}
	err := scores.Run(len(d.Splits), func(i, k int) (Choice, error) {
		m := d.Methods[k]
		m.Seed += uint64(i)
		return m.tuneAndTest(ctx, d.Data, d.Splits[i], d.Epsilon)
	})
	return scores, err
}

//go:embed results/*.json
var results embed.FS

// Stored returns the stored results of an experiment for ten seeds and each of its Sets. TestStored computes them.
func Stored(experiment string) []*Scores {
	return shared.ReadStored[*Scores](results, "results/"+experiment+".json")
}

// FirstChoice returns the stored result of a method (given by its index) on the first split of a dataset for one seed.
// If there is none, its Loss is NaN.
func FirstChoice(experiment, setName string, seed uint64, method int) (choiceOfFirstSplit Choice) {
	for _, s := range SelectSet(setName, Stored(experiment)) {
		if s.Seed == seed {
			return s.Splits[0][method]
		}
	}
	return Choice{Loss: math.NaN()}
}

// Recompute fits methods (given by their indices; none: all) again on the first split of a set for one seed, with the
// stored family and C, and returns the results with the stored ones. It does not choose family and C again: where two
// of them have nearly the same loss in the folds, rounding decides, and it depends on the linear algebra.
func Recompute(ctx context.Context, experiment, setName string, seed uint64, methods ...int) (now, stored []Choice,
	err error) {
	d, err := NewDraw(experiment, setName, seed)
	if err != nil {
		return nil, nil, err
	}
	if methods == nil {
		methods = points.AllIndices(len(d.Methods))
	}
	train, test := shared.SelectRows(d.Data, d.Splits[0].Train), shared.SelectRows(d.Data, d.Splits[0].Test)
	for _, m := range methods {
		c := FirstChoice(experiment, setName, seed, m)
		again, err := d.Methods[m].fitAndTest(ctx, c, train, test, d.Epsilon)
		if err != nil {
			return nil, nil, err
		}
		now, stored = append(now, again), append(stored, c)
	}
	return now, stored, nil
}
