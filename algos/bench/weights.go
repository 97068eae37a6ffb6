package main

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// weightsTasks returns tasks that learn the weights of precomputed kernel matrices.
func weightsTasks() []task {
	tasks := []task{{name: "mkl n=600 m=50", maxRounds: 5, newWork: func(b *bench) *work { return weightsWork(b, 600) },
		about: "linear MKL, squared loss with λ = 0.01 on ‖θ‖₂ ≤ 1, 50 RBF kernels given, to a relative gap of 1e-4; " +
			"R²: on 200 more points, simulated"}}
	for _, name := range []string{"sonar", "ionosphere"} {
		tasks = append(tasks, task{name: "mkl classify " + name,
			newWork: func(b *bench) *work { return classifyWork(b, name) },
			about: "linear MKL, 13 kernels of half of the points given, cosine-normalised; squared loss with λ = 1/2 " +
				"on the simplex, to a relative gap of 1e-3; MKLpy minimises another objective, with SVC(C=1): " +
				"compare accuracy on the other half, weights above 1e-6, and time"})
	}
	return tasks
}

// baseMatrices holds the matrices of m base kernels between n training points, and between newCount new points and the
// training points.
type baseMatrices struct {
	m, n, newCount int
	train          []float64 // m times n×n
	cross          []float64 // m times more×n
}

// grams returns the base matrices as a kernel.Grams.
func (s *baseMatrices) grams() kernel.Grams {
	var list kernel.List
	for k := range s.m {
		list = append(list, kernel.Precomputed{Name: fmt.Sprint("kernel ", k+1), N: s.n,
			Data: s.train[k*s.n*s.n : (k+1)*s.n*s.n]})
	}
	return kernel.Sum{Kernels: list}.On(points.AllIndices(s.n))
}

// input returns the arrays that peers read.
func (s *baseMatrices) input(y []float64) map[string]array {
	return map[string]array{"K": matrix(s.m*s.n, s.n, s.train), "Z": matrix(s.m*s.newCount, s.n, s.cross),
		"y": vector(y)}
}

// thetaAndPredictions returns θ, followed by the predictions at the new points.
func (s *baseMatrices) thetaAndPredictions(r *mkl.Result) []float64 {
	out := append([]float64{}, r.Theta...)
	for i := range s.newCount {
		f := 0.0
		for k, t := range r.Theta {
			at := k*s.newCount + i
			f += t * floats.Dot(s.cross[at*s.n:(at+1)*s.n], r.W)
		}
		out = append(out, f)
	}
	return out
}

// relativeGammas lists γ of the Gaussian kernels on a group of d features, in units of 1/d.
var relativeGammas = []float64{0.1, 0.3, 1, 3, 10}

// weightsWork returns a simulated regression on n points with 198 features in 10 groups, and a Gaussian kernel for each
// group and each of relativeGammas. The targets depend on 3 of the groups.
func weightsWork(b *bench, n int) *work {
	const newCount, d, groups, lambda, gap = 200, 198, 10, 0.01, 1e-4
	y := normalNumbers(n+newCount, 32)
	floats.Scale(0.3, y)
	s := &baseMatrices{m: groups * len(relativeGammas), n: n, newCount: newCount}
	for g, part := range featureBands(correlatedPoints(n+newCount, d, 31), groups) {
		for i := range y {
			if g%3 == 0 && g < 7 {
				y[i] += math.Sin(0.8*part.Row(i)[0]) + 0.5*part.Row(i)[1]*part.Row(i)[2]
			}
		}
		known := pointRange(part, 0, n)
		for _, w := range relativeGammas {
			k := rbfMatrix(w/float64(part.D), known, known)
			copyUpperToLower(n, k)
			s.train = append(s.train, k...)
			s.cross = append(s.cross, rbfMatrix(w/float64(part.D), pointRange(part, n, n+newCount), known)...)
		}
	}
	floats.AddConst(-stat.Mean(y[:n], nil), y)
	p := &mkl.Problem{Grams: s.grams(), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: lambda}, Y: y[:n]}
	settings := mkl.Settings{Gap: gap}
	peers := numpyPeers("iia", "numpy, IIA")
	for i := range peers {
		peers[i].args = map[string]any{"lam": lambda, "gap": gap}
	}
	himalaya := map[string]any{"iterations": 5}
	return &work{
		inGo: []implementation{b.goSolver(mkl.IIA{}, settings, sameProblem(p), s.thetaAndPredictions),
			b.goSolver(mkl.SPG{}, settings, sameProblem(p), s.thetaAndPredictions)},
		input: s.input(y[:n]),
		peers: append(peers, peer{env: "himalaya", program: "himalaya", label: "himalaya, 5 steps, 3 folds",
			args: himalaya}),
		evaluate: func(r, _ []float64) Quality {
			q := Quality{}
			if !math.IsNaN(r[0]) { // himalaya minimizes another objective
				q = certifiedQuality(p, r[:s.m])
			}
			q["R²"] = stat.RSquaredFrom(r[s.m:], y[n:], nil)
			return q
		},
	}
}

func classifyWork(b *bench, name string) *work {
	const lambda, gap = 0.5, 1e-3 // λ = 1/(2C): squared errors have the same weight as hinge losses
	d := must(data.Load(name))
	split := must(compare.Halves(d.Y, 1, 41))[0]
	train, test := must(d.Slice(split.Train)), must(d.Slice(split.Test))
	features := float64(d.Dim())
	var bases kernel.List
	for _, w := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10} {
		bases = append(bases, kernel.RBF{Gamma: w / features})
	}
	for degree := 1; degree <= 3; degree++ {
		bases = append(bases, kernel.Polynomial{Degree: degree, Gamma: 1 / features, Offset: 1})
	}
	grams := kernel.Sum{Kernels: bases, Prepare: points.Preprocessing{points.Standardize},
		Normalize: kernel.Cosine}.On(train.X)
	s := &baseMatrices{m: len(bases), n: train.Len(), newCount: test.Len()}
	gram, cross := grams.New(), grams.Cross(test.X)
	z := mat.NewDense(s.newCount, s.n, nil)
	for k := range bases {
		theta := make([]float64, s.m)
		theta[k] = 1
		gram.At(theta)
		cross.Gram(z, theta)
		s.train = append(s.train, mat.DenseCopyOf(gram.K()).RawMatrix().Data...)
		s.cross = append(s.cross, z.RawMatrix().Data...)
	}
	p := &mkl.Problem{Grams: s.grams(), Set: set.Simplex{}, Loss: loss.Squared{Lambda: lambda}, Y: train.Y}
	var equal *mkl.Result
	return &work{
		inGo: []implementation{b.goSolver(mkl.SPG{}, mkl.Settings{Gap: gap}, sameProblem(p), s.thetaAndPredictions),
			goCall("Go, equal weights", func() (err error) {
				equal, err = mkl.EvaluateRule(b.ctx, p, mkl.Uniform{}, 0)
				return err
			}, func() []float64 { return s.thetaAndPredictions(equal) })},
		input: s.input(train.Y),
		args:  map[string]any{"C": 1 / (2 * lambda)},
		peers: []peer{
			{env: "mklpy", program: "mklpy", label: "MKLpy EasyMKL, SVC, another objective",
				args: map[string]any{"algorithm": "EasyMKL"}},
			{env: "mklpy", program: "mklpy", label: "MKLpy AverageMKL, SVC, another objective",
				args: map[string]any{"algorithm": "AverageMKL"}}},
		evaluate: func(r, _ []float64) Quality {
			q := Quality{"accuracy": 0, "weights": 0}
			for _, w := range r[:s.m] {
				if w > 1e-6 {
					q["weights"]++
				}
			}
			for i, f := range r[s.m:] {
				if f*test.Y[i] > 0 {
					q["accuracy"] += 100 / float64(s.newCount)
				}
			}
			return q
		},
	}
}
