package qnpkl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

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
	"gonum.org/v1/gonum/mat"
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

// runNames are the names of the solvers in DescentFigure and WeightsFigure, by Result.Solver.
var runNames = map[string]string{
	mkl.QuasiNewton{AsPrinted: true}.String(): AsPrinted,
	mkl.QuasiNewton{}.String():                "corrected",
	mkl.LBFGS{}.String():                      "L-BFGS",
	mkl.Level{}.String():                      MKL,
}

// DescentFigure draws the objective in several runs against the number of support vector machines solved.
func DescentFigure(title, caption string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	for _, r := range runs {
		p := viz.Points{}
		for _, row := range r.Trace {
			p.X, p.Y = append(p.X, float64(row.Evals)), append(p.Y, row.F)
		}
		lines = append(lines, viz.Line{Name: runNames[r.Solver], XYs: p, Mark: viz.MarkBoth})
	}
	return viz.Lines(title, caption, lines...).WithAxes("support vector machines solved", "J")
}

// WeightsFigure draws Figure 1: the weights of each run, scaled to sum 1, by feature, in one panel for each run.
func WeightsFigure(title, caption string, runs ...*mkl.Result) viz.Figure {
	var panels []viz.Figure
	for _, r := range runs {
		w := slices.Clone(r.Theta)
		floats.Scale(1/floats.Sum(w), w)
		xy := viz.Points{Y: w}
		for i := range w {
			xy.X = append(xy.X, float64(i+1))
		}
		panels = append(panels, viz.Lines(runNames[r.Solver], "",
			viz.Line{Name: "weight", XYs: xy, Mark: viz.MarkPoints}).
			WithBaseline("equal weights", 1/float64(len(w))))
	}
	return viz.Multiples(title, caption, len(panels), panels...).WithAxes("feature", "weight")
}

// Solve runs a solver on p to a relative gap or first-order residual, for at most maxSteps steps.
func Solve(p *mkl.Problem, solver mkl.Solver, gap float64, maxSteps int) (*mkl.Result, error) {
	return mkl.Solve(background, p, solver, &mkl.Settings{Gap: gap, Iterations: maxSteps})
}

// WidthPath returns the widths γ on all points of d at the start, after 8 steps of the corrected algorithm and at the
// end, of L-BFGS.
func (s Scaling) WidthPath(d *data.Dataset) (gammas [][]float64, err error) {
	p := s.Problem(d, s.stepsC[d.Name])
	start := p.NewPoint().Theta
	p.Set.Start(start)
	gammas = [][]float64{start}
	for _, run := range []struct {
		solver   mkl.Solver
		maxSteps int
	}{{mkl.QuasiNewton{}, 8}, {mkl.LBFGS{}, 200}} {
		r, err := Solve(p, run.solver, 1e-3, run.maxSteps)
		if err != nil {
			return nil, err
		}
		gammas = append(gammas, r.Theta)
	}
	return gammas, nil
}

// KernelMatrix returns the kernel matrix of some points of d with widths gamma. All points of d determine the scaling.
func (s Scaling) KernelMatrix(d *data.Dataset, rows []int, gamma []float64) *mat.SymDense {
	gram := s.Products().Bind(d.X).New()
	gram.SetTheta(gamma)
	k := mat.NewSymDense(len(rows), nil)
	for i, a := range rows {
		for j, b := range rows[:i+1] {
			k.SetSym(i, j, gram.K().At(a, b))
		}
	}
	return k
}

// MeanSimilarity returns the mean of the entries of k outside the diagonal.
func MeanSimilarity(k mat.Symmetric) float64 {
	n := k.SymmetricDim()
	return (mat.Sum(k) - mat.Trace(k)) / float64(n*(n-1))
}

// KernelFigure draws kernel matrices of every fourth point of d at the start, after 8 steps and at the end of learning
// (WidthPath), for two scalings.
func KernelFigure(title string, d *data.Dataset) (viz.Figure, error) {
	var rows []int
	var class []float64
	for i := 0; i < d.Len(); i += 4 {
		rows, class = append(rows, i), append(class, d.Y[i])
	}
	var names, costs []string
	var matrices []*mat.SymDense
	for _, s := range []Scaling{Standardized, UnitInterval} {
		gammas, err := s.WidthPath(d)
		if err != nil {
			return viz.Figure{}, err
		}
		costs = append(costs, fmt.Sprint(s.stepsC[d.Name]))
		for i, gamma := range gammas {
			matrices = append(matrices, s.KernelMatrix(d, rows, gamma))
			names = append(names, fmt.Sprintf("%s, %s: %.2f", s.Name, []string{"start", "step 8", "end"}[i],
				MeanSimilarity(matrices[len(matrices)-1])))
		}
	}
	return viz.SortedMatrices(title, fmt.Sprintf("K of %d of the %d points of %s, sorted by "+
		"class; number in a title: the mean of its entries outside the diagonal. The widths are learned on all "+
		"points, C = %s; end: L-BFGS, at most 200 steps.", len(rows), d.Len(), d.Name,
		strings.Join(costs, " and ")), class, names, matrices...), nil
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

// NoiseSlope is the derivative of the objective by the weight of a noise feature at weight 0: by formula (h) of the
// notebook, and as the mean over 200 features of noise with its standard error. AtBound and Free are the parts of the
// sum Σ_i α_i(1−ξ_i−α_i), with slacks ξ_i, over the points with α_i = C and over the other points.
type NoiseSlope struct{ Formula, Mean, StandardError, AtBound, Free float64 }

// NoiseDerivative returns the derivative of the objective by the weight of a noise feature at weight 0, where the
// features of d, standardized, have the weights gamma. (h) is wᵀKw − wᵀw, where w_i is y_i times dual coefficient i.
func NoiseDerivative(d *data.Dataset, c float64, gamma []float64) (slope NoiseSlope, err error) {
	noisyData, err := AddNoiseFeatures(d, 200, 1)
	if err != nil {
		return slope, err
	}
	pt, err := shared.EvaluateAt(Standardized.Problem(noisyData, c), slices.Concat(gamma, make([]float64, 200)), 1e-10)
	if err != nil {
		return slope, err
	}
	slope.Formula = 2*(floats.Norm(pt.W, 1)-pt.F()) - floats.Dot(pt.W, pt.W) // F = ‖w‖₁ − ½wᵀKw
	mean, sd := stat.MeanStdDev(pt.Grad()[d.Dim():], nil)
	slope.Mean, slope.StandardError = mean, sd/math.Sqrt(200)
	n := len(pt.W)
	f := mat.NewVecDense(n, nil)
	f.MulVec(pt.Gram.K(), mat.NewVecDense(n, pt.W))
	for i, w := range pt.W {
		alpha, slack := math.Abs(w), max(0, 1-d.Y[i]*(f.AtVec(i)+pt.Bias))
		if term := alpha * (1 - slack - alpha); alpha > c*(1-1e-6) {
			slope.AtBound += term
		} else {
			slope.Free += term
		}
	}
	return slope, nil
}

// NoiseRun returns NoiseDerivative at the start γ = 1/M and where L-BFGS ends.
func NoiseRun(d *data.Dataset, c float64) (start, end NoiseSlope, err error) {
	p := Standardized.Problem(d, c)
	gamma := make([]float64, d.Dim())
	p.Set.Start(gamma)
	if start, err = NoiseDerivative(d, c, gamma); err != nil {
		return start, end, err
	}
	r, err := Solve(p, mkl.LBFGS{}, 1e-3, 100)
	if err != nil {
		return start, end, err
	}
	end, err = NoiseDerivative(d, c, r.Theta)
	return start, end, err
}

// NoiseTable shows NoiseRun for datasets and each of Cs.
func NoiseTable(title string, datasets ...string) (viz.Figure, error) {
	header, rows := []string{"data"}, [][]any{}
	for _, c := range Cs {
		header = append(header, fmt.Sprintf("C = %g, start", c), "end")
	}
	for _, name := range datasets {
		d, err := Load(name)
		if err != nil {
			return viz.Figure{}, err
		}
		row := []any{name}
		for _, c := range Cs {
			start, end, err := NoiseRun(d, c)
			if err != nil {
				return viz.Figure{}, err
			}
			row = append(row, viz.SignedNumber(start.Formula, 1).Text, viz.SignedNumber(end.Formula, 1).Text)
		}
		rows = append(rows, row)
	}
	return viz.Table(title, "(h), the expected derivative of J by the weight of a feature of noise: at the start "+
		"γ = 1/M and at the end of learning without noise, on all points, standardized.", header, rows...), nil
}

// newGMKLPenalty returns the penalty of GMKL on the weights γ, with σ = penaltyFactor: ½σ‖γ‖² on pima, as in the paper,
// and σ‖γ‖₁ on the other datasets.
func newGMKLPenalty(s Scaling, d *data.Dataset, penaltyFactor float64) reg.Reg {
	if d.Name == "pima" {
		return reg.Ridge{Beta: penaltyFactor / 2 / math.Pow(s.stretch, 4)}
	}
	return reg.Lasso{Beta: penaltyFactor / (s.stretch * s.stretch)}
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
