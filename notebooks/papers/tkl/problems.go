package tkl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// newLoss returns the loss for d: the hinge loss for labels, or the ε-insensitive loss for real targets.
func newLoss(d *data.Dataset, c, epsilon float64) loss.Loss {
	if d.Classes == nil {
		return loss.EpsilonInsensitive{C: c, Epsilon: epsilon}
	}
	return loss.Hinge{C: c}
}

// Problem returns the problem of learning the matrix P of a tessellated kernel on d, with tr P = trace. The loss is the
// hinge loss for labels, or the ε-insensitive loss with ε = 0.1 for real targets; c is its C.
func Problem(d *data.Dataset, f tessellated.Family, trace, c float64) *mkl.Problem {
	return &mkl.Problem{Grams: f.Bind(d.X), Set: set.Spectraplex{Trace: trace}, Loss: newLoss(d, c, 0.1), Y: d.Y}
}

// FirstPoints returns the first count training points that SimulateDataset draws.
func FirstPoints(datasetName string, count int, seed uint64) *data.Dataset {
	return shared.SelectRows(SimulateDataset(datasetName, seed), points.AllIndices(count))
}

// Ratios holds the second largest eigenvalue divided by the largest of two matrices. P: of the learned matrix P. D: of
// −2 times the gradient of the objective F by P there. Gap is the relative gap of F at the learned P.
type Ratios struct{ P, D, Gap float64 }

// RatiosAtMinimum minimizes the objective of p by SPG to a relative gap of 1e-4, in at most maxSteps steps, and returns
// the ratios of eigenvalues of the learned matrix P and of the gradient of the objective at P.
func RatiosAtMinimum(p *mkl.Problem, maxSteps int) (Ratios, error) {
	settings := &mkl.Settings{Gap: 1e-4, Iterations: maxSteps}
	r, err := mkl.Solve(context.Background(), p, mkl.SPG{AllowNonsmooth: true}, settings)
	if err != nil {
		return Ratios{}, err
	}
	pt, err := shared.EvaluateAt(p, r.Theta, 1e-10)
	if err != nil {
		return Ratios{}, err
	}
	sharesOfP, _ := LeadingEigenvector(r.Theta)
	sharesOfD, _ := LeadingEigenvector(floats.ScaleTo(make([]float64, len(r.Theta)), -2, pt.Grad()))
	return Ratios{sharesOfP[1] / sharesOfP[0], sharesOfD[1] / sharesOfD[0], r.RelativeGap()}, nil
}

// UpperShare returns the share of the trace of the centered kernel matrix on x with P = I that the upper left block of
// P contributes: the weights of the monomials in the part z ≥ x of the box of all z.
func UpperShare(family tessellated.Family, x points.Points) (shareOfTrace float64) {
	g := family.Bind(x)
	sizeOfP, _ := g.ThetaShape()
	upperHalfOfIdentity, identity := make([]float64, sizeOfP*sizeOfP), Identity(sizeOfP)
	copy(upperHalfOfIdentity, identity[:len(identity)/2])
	kernelTrace := func(p []float64) float64 {
		k := g.New()
		k.SetTheta(p)
		return mat.Trace(k.K())
	}
	return kernelTrace(upperHalfOfIdentity) / kernelTrace(identity)
}

// EvaluateStep takes the first Frank–Wolfe step, of length η, from the start P₀ of the set toward a vertex S. It
// returns the point (1−η)P₀ + ηS, evaluated to a relative gap of 1e-12, and S.
func EvaluateStep(p *mkl.Problem, eta float64) (pt *mkl.Point, vertex []float64, err error) {
	if vertex, err = firstVertex(p, 1e-12); err != nil {
		return nil, nil, err
	}
	pt = p.NewPoint()
	p.Set.Start(pt.Theta)
	for i := range vertex {
		pt.Theta[i] = (1-eta)*pt.Theta[i] + eta*vertex[i]
	}
	return pt, vertex, pt.Evaluate(nil, 1e-12)
}

// firstVertex returns the vertex of the set toward which the first Frank–Wolfe step from the start of the set leads.
// The inner problem at the start is solved to the relative gap innerGap.
func firstVertex(p *mkl.Problem, innerGap float64) (vertex []float64, err error) {
	start := p.NewPoint()
	p.Set.Start(start.Theta)
	if err := start.Evaluate(nil, innerGap); err != nil {
		return nil, err
	}
	vertex = make([]float64, len(start.Theta))
	p.Set.Minimize(vertex, start.Grad())
	return vertex, nil
}

// ShuffleComparison states how much the learned P differs from a P of shuffled labels, on one training part.
type ShuffleComparison struct {
	Cosine         float64 // ⟨P, S⟩/(‖P‖‖S‖) of the learned P and the S of ShuffledStep
	ShufflesCosine float64 // the same for this S and that of another seed, in place of P
	SolvedCosine   float64 // that of P and an S that minimizes the F of the shuffled labels to a relative gap of 1e-3
	RandomCosine   float64 // that of P and the S that minimizes ⟨S, ∇F⟩ if w is normal noise less its mean
	// NoiseRatio is the second largest eigenvalue divided by the largest of the mean of D(w) over such noise w.
	NoiseRatio float64
	// AccuracyGain is the accuracy of the learned P on the test part minus that of the stored LearnedDegree1, in
	// percentage points.
	AccuracyGain float64
	Gap          float64 // the larger of the relative gaps of both solutions
	// F over the F of the learned P, minus 1: at the S of ShuffledStep, and at the multiple of I whose centered kernel
	// has as large a diagonal as the learned kernel.
	ShuffledExcess, UniformExcess float64
}

// CompareWithShuffled compares a learned P with a P of shuffled labels. It learns P on the training part of the first
// split of a set of the experiment "classes", with the box and the C that cross-validation chose for LearnedDegree1, to
// a relative gap of 5e-4. It is an error if the larger gap is above 1e-3.
func CompareWithShuffled(ctx context.Context, setName string, seed uint64) (o ShuffleComparison, err error) {
	draw, err := NewDraw("classes", setName, seed)
	if err != nil {
		return o, err
	}
	m, c := draw.Methods[LearnedDegree1], FirstChoice("classes", setName, seed, LearnedDegree1)
	split := draw.Splits[0]
	train, test := shared.SelectRows(draw.Data, split.Train), shared.SelectRows(draw.Data, split.Test)
	p := &mkl.Problem{Grams: m.Families[c.Family].Bind(train.X), Set: m.Set, Loss: newLoss(train, c.C, 0), Y: train.Y}
	search, settings := mkl.FrankWolfe{ExactLineSearch: true}, &mkl.Settings{Gap: 5e-4, Iterations: 1000}
	learned, err := mkl.Solve(ctx, p, search, settings)
	if err != nil {
		return o, err
	}
	excess := func(theta []float64) float64 {
		pt := p.NewPoint()
		copy(pt.Theta, theta)
		err = errors.Join(err, pt.Evaluate(nil, 1e-6))
		return pt.F()/learned.F - 1
	}
	cosine := func(a, b []float64) float64 { return floats.Dot(a, b) / floats.Norm(a, 2) / floats.Norm(b, 2) }
	shuffled := ShuffledStep{Seed: m.Seed}.shuffle(p)
	solved, err := mkl.Solve(ctx, shuffled, search, settings)
	if err != nil {
		return o, err
	}
	step, err := firstVertex(shuffled, 1e-3)
	if err != nil {
		return o, err
	}
	otherStep, err := ShuffledStep{Seed: m.Seed + 1}.Weights(ctx, p)
	if err != nil {
		return o, err
	}
	o.Cosine, o.ShufflesCosine = cosine(learned.Theta, step), cosine(step, otherStep)
	o.SolvedCosine, o.ShuffledExcess = cosine(learned.Theta, solved.Theta), excess(step)
	o.RandomCosine = cosine(learned.Theta, vertexOfNoise(p, seed))
	eigenvalues, _ := LeadingEigenvector(meanOfNoise(p))
	o.NoiseRatio = eigenvalues[1] / eigenvalues[0]
	o.AccuracyGain = 100 * (c.Loss - totalLoss(p.Grams, learned, test)/float64(test.Len()))
	if o.Gap = max(learned.RelativeGap(), solved.RelativeGap()); !(o.Gap <= 1e-3) {
		return o, fmt.Errorf("tkl: %s, seed %d: a learned P is certified to %.2g, not to 0.001", setName, seed, o.Gap)
	}
	uniform := make([]float64, len(step))
	p.Set.Start(uniform)
	floats.Scale(meanCenteredDiagonal(p, learned.Theta)/meanCenteredDiagonal(p, uniform), uniform)
	o.UniformExcess = excess(uniform)
	return o, err
}

// vertexOfNoise returns the P that firstVertex would return if w were normal noise less its mean.
func vertexOfNoise(p *mkl.Problem, seed uint64) (vertex []float64) {
	start, w, r := p.NewPoint(), make([]float64, len(p.Y)), rand.New(rand.NewPCG(seed, 'n'))
	for i := range w {
		w[i] = r.NormFloat64()
	}
	floats.AddConst(-stat.Mean(w, nil), w)
	p.Set.Start(start.Theta)
	start.Gram.SetTheta(start.Theta)
	gradient := make([]float64, len(start.Theta))
	start.Gram.Gradient(gradient, w) // D(w)
	floats.Scale(-0.5, gradient)
	vertex = make([]float64, len(gradient))
	p.Set.Minimize(vertex, gradient)
	return vertex
}

// meanOfNoise returns a multiple of the mean of D(w) if w is normal noise less its mean. The covariance of this w is
// the sum of ccᵀ over the centered unit vectors c, and D is a quadratic form.
func meanOfNoise(p *mkl.Problem) (mean []float64) {
	start, c := p.NewPoint(), make([]float64, len(p.Y))
	p.Set.Start(start.Theta)
	start.Gram.SetTheta(start.Theta)
	gradient := make([]float64, len(start.Theta))
	mean = make([]float64, len(start.Theta))
	for i := range c {
		for j := range c {
			c[j] = -1 / float64(len(c))
		}
		c[i]++
		start.Gram.Gradient(gradient, c) // D(c)
		floats.Add(mean, gradient)
	}
	return mean
}

// meanCenteredDiagonal returns the mean of the diagonal of the centered K(θ).
func meanCenteredDiagonal(p *mkl.Problem, theta []float64) float64 {
	g := p.Grams.New()
	g.SetTheta(theta)
	k := g.K()
	n := float64(k.SymmetricDim())
	return mat.Trace(k)/n - mat.Sum(k)/(n*n)
}
