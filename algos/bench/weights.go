package main

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// mklWeightTasks returns the task that learns the weights of precomputed kernel matrices.
func mklWeightTasks() []task {
	return []task{{name: "mkl n=600 m=50", maxRounds: 5,
		prepare: func(b *bench) *workload { return prepareWeightLearning(b, 600) },
		description: "learns linear MKL on 50 RBF matrices, squared loss with λ = 0.01, ‖θ‖₂ ≤ 1, to a relative gap " +
			"of 1e-4; R²: on 200 more simulated points"}}
}

// baseMatrices holds the matrices of m base kernels between n training points, and between newPointCount new points and
// the training points.
type baseMatrices struct {
	m, n, newPointCount int
	trainMatrices       []float64 // m matrices of n×n entries, one after the other
	crossMatrices       []float64 // m matrices of newPointCount×n entries
}

func (b *baseMatrices) grams() kernel.Grams {
	var list kernel.List
	for k := range b.m {
		list = append(list, kernel.Precomputed{Name: fmt.Sprint("kernel ", k+1), N: b.n,
			Data: b.trainMatrices[k*b.n*b.n : (k+1)*b.n*b.n]})
	}
	return kernel.Sum{Kernels: list}.Bind(points.AllIndices(b.n))
}

// newPeerInput returns the arrays that the Python programs read, by the name of their argument.
func (b *baseMatrices) newPeerInput(y []float64) map[string]mat.Matrix {
	return map[string]mat.Matrix{"K": mat.NewDense(b.m*b.n, b.n, b.trainMatrices),
		"Z": mat.NewDense(b.m*b.newPointCount, b.n, b.crossMatrices), "y": newVector(y)}
}

// joinThetaAndPredictions returns θ, followed by the predictions at the new points.
func (b *baseMatrices) joinThetaAndPredictions(r *mkl.Result) []float64 {
	out := append([]float64{}, r.Theta...)
	for i := range b.newPointCount {
		f := 0.0
		for k, t := range r.Theta {
			rowIndex := k*b.newPointCount + i
			f += t * floats.Dot(b.crossMatrices[rowIndex*b.n:(rowIndex+1)*b.n], r.W)
		}
		out = append(out, f)
	}
	return out
}

// relativeGammas lists γ of the Gaussian kernels on a group of d features, in units of 1/d.
var relativeGammas = []float64{0.1, 0.3, 1, 3, 10}

// prepareWeightLearning prepares a simulated regression: n points with 198 features in 10 groups, and a Gaussian
// kernel for each group and each of relativeGammas. The targets depend on 3 of the groups.
func prepareWeightLearning(b *bench, n int) *workload {
	const newCount, d, groups, lambda, gap = 200, 198, 10, 0.01, 1e-4
	y := normalNumbers(n+newCount, 32)
	floats.Scale(0.3, y)
	s := &baseMatrices{m: groups * len(relativeGammas), n: n, newPointCount: newCount}
	for g, part := range splitFeatures(correlatedPoints(n+newCount, d, 31), groups) {
		for i := range y {
			if g%3 == 0 && g < 7 {
				y[i] += math.Sin(0.8*part.Row(i)[0]) + 0.5*part.Row(i)[1]*part.Row(i)[2]
			}
		}
		training := selectPoints(part, 0, n)
		for _, w := range relativeGammas {
			k := rbfMatrix(w/float64(part.D), training, training)
			copyUpperToLower(n, k)
			s.trainMatrices = append(s.trainMatrices, k...)
			s.crossMatrices = append(s.crossMatrices, rbfMatrix(w/float64(part.D), selectPoints(part, n, n+newCount),
				training)...)
		}
	}
	floats.AddConst(-stat.Mean(y[:n], nil), y)
	p := &mkl.Problem{Grams: s.grams(), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: lambda}, Y: y[:n]}
	settings := mkl.Settings{Gap: gap}
	peers := newNumpyPeers("iia", "numpy, IIA")
	for i := range peers {
		peers[i].args = map[string]any{"lam": lambda, "gap": gap}
	}
	joinAnswer := s.joinThetaAndPredictions
	return &workload{
		goImplementations: []implementation{b.newSolverImplementation(mkl.IIA{}, settings, fixedProblem(p), joinAnswer),
			b.newSolverImplementation(mkl.SPG{}, settings, fixedProblem(p), joinAnswer)},
		input: s.newPeerInput(y[:n]),
		peers: peers,
		evaluate: func(r, _ []float64) Quality {
			q := certifiedQuality(p, r[:s.m])
			q["R²"] = stat.RSquaredFrom(r[s.m:], y[n:], nil)
			return q
		},
	}
}
