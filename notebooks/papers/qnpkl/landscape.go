package qnpkl

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// PlaneProblem returns problem (5) of the paper, an SVM with a product of Gaussians, for points that are not scaled.
func PlaneProblem(x [][]float64, y []float64, c float64) *mkl.Problem {
	rows := points.Rows{N: len(x), D: len(x[0]), Data: slices.Concat(x...)}
	return &mkl.Problem{Grams: kernel.Gaussians{}.Bind(rows), Set: set.Orthant{At: 1 / float64(len(x[0]))},
		Loss: loss.Hinge{C: c}, Y: y}
}

// PlaneSum is like PlaneProblem with the sum of the Gaussians, convex in its weights, in place of their product.
func PlaneSum(x [][]float64, y []float64, c float64) *mkl.Problem {
	p, gaussians := PlaneProblem(x, y, c), kernel.List{}
	for m := range x[0] {
		gaussians = append(gaussians, kernel.RBF{Gamma: 1, Columns: []int{m}})
	}
	p.Grams = kernel.Sum{Kernels: gaussians}.Bind(points.Rows{N: len(x), D: len(x[0]), Data: slices.Concat(x...)})
	return p
}

// TwoClouds returns n points of the plane and their labels. Half of the points belong to each class; the classes are
// standard normal about (1, 0) and (−1, 0).
func TwoClouds(n int, seed uint64) (x [][]float64, y []float64) {
	x, y = RandomPoints(n, 2, seed), make([]float64, n)
	for i := range y {
		y[i] = float64(1 - 2*(i%2))
		x[i][0] += y[i]
	}
	return x, y
}

// EvaluateRay returns the objective of p at the weights t·(1, …, 1), for each t in positions.
func EvaluateRay(p *mkl.Problem, positions ...float64) ([]float64, error) {
	m, _ := p.Grams.Dims()
	theta, objectives := make([]float64, m), make([]float64, len(positions))
	for i, v := range positions {
		for k := range theta {
			theta[k] = v
		}
		pt, err := shared.EvaluateAt(p, theta, 1e-10)
		if err != nil {
			return nil, err
		}
		objectives[i] = pt.F()
	}
	return objectives, nil
}

// RayFigure draws the objective J of p at the weights t·(1, …, 1) against t, its limit for t → ∞, and the line through
// two points of this curve. If J were convex, the curve would lie above the line to the right of both points.
func RayFigure(title, caption string, p *mkl.Problem, limit float64) (viz.Figure, error) {
	var t, limits []float64
	for x := -2.0; x <= 3; x += 0.125 {
		t, limits = append(t, math.Pow(10, x)), append(limits, limit)
	}
	objectives, err := EvaluateRay(p, t...)
	if err != nil {
		return viz.Figure{}, err
	}
	lowestIndex := slices.Index(objectives, slices.Min(objectives))
	lowest := objectives[lowestIndex]
	nextIndex := lowestIndex + slices.IndexFunc(objectives[lowestIndex:],
		func(v float64) bool { return v > lowest*1.02 })
	chordSlope := (objectives[nextIndex] - lowest) / (t[nextIndex] - t[lowestIndex])
	chord := viz.Points{}
	for i := lowestIndex; i < len(t) && lowest+chordSlope*(t[i]-t[lowestIndex]) <= 24; i++ {
		chord.X, chord.Y = append(chord.X, t[i]), append(chord.Y, lowest+chordSlope*(t[i]-t[lowestIndex]))
	}
	return viz.Lines(title, caption, viz.Line{Name: "J(t·1)", XYs: viz.Points{X: t, Y: objectives}},
		viz.Line{Name: "ω(I)", XYs: viz.Points{X: t, Y: limits}},
		viz.Line{Name: "line through two points", XYs: chord}).WithAxes("t", "J").WithLogX(), nil
}

// DescentFigure draws the objective in several runs against the number of support vector machines solved.
func DescentFigure(title, caption string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	for _, r := range runs {
		p := viz.Points{}
		for _, row := range r.Trace {
			p.X, p.Y = append(p.X, float64(row.Evals)), append(p.Y, row.F)
		}
		lines = append(lines, viz.Line{Name: r.Solver, XYs: p, Mark: viz.MarkBoth})
	}
	return viz.Lines(title, caption, lines...).WithAxes("support vector machines solved", "J")
}

// WeightsFigure draws Figure 1: the weights of each method, scaled to sum 1, against the number of the feature.
func WeightsFigure(title, caption string, methodNames []string, weights ...[]float64) viz.Figure {
	var lines []viz.Line
	for k, w := range weights {
		w = slices.Clone(w)
		floats.Scale(1/floats.Sum(w), w)
		xy := viz.Points{Y: w}
		for i := range w {
			xy.X = append(xy.X, float64(i+1))
		}
		lines = append(lines, viz.Line{Name: methodNames[k], XYs: xy, Mark: viz.MarkBoth})
	}
	return viz.Lines(title, caption, lines...).WithAxes("feature", "weight")
}

// IsDecreasing reports whether F decreases in every step of a run.
func IsDecreasing(r *mkl.Result) bool {
	for i, row := range r.Trace[1:] {
		if row.F >= r.Trace[i].F {
			return false
		}
	}
	return true
}

// CountUsed returns the number of weights that are greater than 1e-6 times the sum of all weights.
func CountUsed(theta []float64) (nonzeroWeights int) {
	threshold := 1e-6 * floats.Sum(theta)
	return floats.Count(func(v float64) bool { return v > threshold }, theta)
}

// NoiseDerivative examines the derivative of the objective by the weight of a noise feature at weight 0, where the
// features of d have the weights gamma. It returns the expected derivative wᵀKw − wᵀw, where w_i is y_i times dual
// coefficient i and K the kernel matrix, and the mean derivative for 200 random noise features with its standard error.
func NoiseDerivative(d *data.Dataset, c float64, gamma []float64) (expectedByFormula, sampleMean,
	standardError float64, err error) {
	noisyData, err := AddNoiseFeatures(d, 200, 1)
	if err != nil {
		return 0, 0, 0, err
	}
	pt, err := shared.EvaluateAt(Problem(noisyData, c), slices.Concat(gamma, make([]float64, 200)), 1e-10)
	if err != nil {
		return 0, 0, 0, err
	}
	expectedByFormula = 2*(floats.Norm(pt.W, 1)-pt.F()) - floats.Dot(pt.W, pt.W) // F = ‖w‖₁ − ½wᵀKw
	sampleMean, sd := stat.MeanStdDev(pt.Grad()[d.Dim():], nil)
	return expectedByFormula, sampleMean, sd / math.Sqrt(200), nil
}

// newGMKLPenalty returns the penalty of GMKL on the weights γ, with σ = penaltyFactor: ½σ‖γ‖² on pima, as in the paper,
// and σ‖γ‖₁ on the other datasets.
func newGMKLPenalty(d *data.Dataset, penaltyFactor float64) reg.Reg {
	if d.Name == "pima" {
		return reg.Ridge{Beta: penaltyFactor / 2}
	}
	return reg.Lasso{Beta: penaltyFactor}
}

// ChordGap returns the largest F at a midpoint minus the mean of F at the two ends, over random pairs of weights (w₁,
// w₂), or NaN if an evaluation fails. log w_i is uniform in [log 0.01, log 10]. If F is convex, it is not positive.
func ChordGap(p *mkl.Problem, pairCount int, seed uint64) float64 {
	r, largestExcess := rand.New(rand.NewPCG(seed, 'c')), math.Inf(-1)
	randomWeights := func() []float64 {
		return []float64{math.Pow(10, 3*r.Float64()-2), math.Pow(10, 3*r.Float64()-2)}
	}
	objectiveAt := func(theta []float64) float64 {
		pt, err := shared.EvaluateAt(p, theta, 1e-10)
		if err != nil {
			return math.NaN()
		}
		return pt.F()
	}
	for range pairCount {
		largestExcess = max(largestExcess, shared.ChordGap(objectiveAt, randomWeights(), randomWeights()))
	}
	return largestExcess
}
