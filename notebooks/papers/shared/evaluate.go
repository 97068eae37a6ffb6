package shared

import (
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// EvaluateAt evaluates p at theta and returns the point. It solves the inner problem to the given relative gap.
func EvaluateAt(p *mkl.Problem, theta []float64, gap float64) (*mkl.Point, error) {
	pt := p.NewPoint()
	copy(pt.Theta, theta)
	return pt, pt.Evaluate(nil, gap)
}

// DecisionValues returns the decision values at the points z of the function that r learned on the points of g.
func DecisionValues(g kernel.Grams, r *mkl.Result, z points.Points) []float64 {
	k := mat.NewDense(z.Len(), len(r.W), nil)
	g.Cross(z).StoreMatrix(k, r.PredictionTheta)
	f := make([]float64, z.Len())
	for i := range f {
		f[i] = floats.Dot(k.RawRowView(i), r.W) + r.Bias
	}
	return f
}

// CountCorrect returns how many decision values have the sign of their label.
func CountCorrect(decisionValues, labels []float64) (count int) {
	for i, v := range decisionValues {
		if v*labels[i] > 0 {
			count++
		}
	}
	return count
}

// Hadamard returns the elementwise product of the matrices.
func Hadamard(a ...mat.Matrix) *mat.Dense {
	p := mat.DenseCopyOf(a[0])
	for _, b := range a[1:] {
		p.MulElem(p, b)
	}
	return p
}

// Inverse returns (K+λI)⁻¹. It panics if K+λI is singular.
func Inverse(k mat.Matrix, lambda float64) *mat.Dense {
	c := mat.DenseCopyOf(k)
	n, _ := c.Dims()
	for i := range n {
		c.Set(i, i, c.At(i, i)+lambda)
	}
	var v mat.Dense
	if err := v.Inverse(c); err != nil {
		panic(err)
	}
	return &v
}

// ChordGap returns f at the midpoint of a and b minus the mean of f(a) and f(b). It is not positive if f is convex.
func ChordGap(f func(x []float64) float64, a, b []float64) (midpointMinusMean float64) {
	midpoint := floats.AddTo(make([]float64, len(a)), a, b)
	floats.Scale(0.5, midpoint)
	return f(midpoint) - (f(a)+f(b))/2
}

// Derivative returns the derivative of f at x along direction, by a central difference of fourth order.
func Derivative(f func([]float64) float64, x, direction []float64) float64 {
	const h = 1e-3
	at := func(t float64) float64 { return f(floats.AddScaledTo(make([]float64, len(x)), x, t, direction)) }
	return (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
}

// SecondDerivative returns the second derivative of f at x along direction, by a central difference.
func SecondDerivative(f func([]float64) float64, x, direction []float64) float64 {
	const h = 1e-3
	at := func(t float64) float64 { return f(floats.AddScaledTo(make([]float64, len(x)), x, t, direction)) }
	return (at(h) - 2*at(0) + at(-h)) / (h * h)
}
