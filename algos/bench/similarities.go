package main

import (
	"fmt"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/mat"
)

// distanceCases lists distances D for the regularizer ρ·D(K, S) between a learned kernel matrix K and the similarities
// S, each with its ρ.
var distanceCases = []struct {
	distance reg.Distance
	rho      float64
}{{reg.SquaredNorm, 0.1}, {reg.TwoNorm, 3}, {reg.OneNorm, 1e-2}}

// similarityTasks returns tasks that learn a kernel matrix from one indefinite similarity matrix.
func similarityTasks() (all []task) {
	for _, d := range distanceCases {
		all = append(all, task{name: fmt.Sprintf("eskl sonar, distance %v", d.distance), maxRounds: 3,
			description: "learns a kernel matrix close to noisy Gaussian similarities of points, with hinge loss and " +
				"C = 1; a run ends at a certified relative gap of 1e-2 or after its largest number of steps",
			prepare: func(b *bench) *workload { return prepareSimilarityLearning(b, d.distance, d.rho) }})
	}
	return all
}

// noisySimilarity returns a Gaussian similarity matrix of the standardized points of sonar with noise, and the labels.
func noisySimilarity() (s *mat.SymDense, y []float64) {
	d := must(datasets.Load("sonar"))
	x := points.ToRows(must(points.Preprocessing{points.Standardize}.Fit(d.X)).Apply(d.X))
	n := x.N
	k, noise := rbfMatrix(1/float64(x.D), x, x), normalNumbers(n*n, 41)
	s = mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(j, i, k[i*n+j]+0.1*(noise[i*n+j]+noise[j*n+i])/2)
		}
	}
	return s, d.Y
}

func prepareSimilarityLearning(b *bench, distance reg.Distance, penaltyWeight float64) *workload {
	const c, gap = 1., 1e-2
	s, y := noisySimilarity()
	n := len(y)
	p := &mkl.Problem{Grams: similarity.Learned{N: n}.Bind(points.AllIndices(n)),
		Set:  set.Spectraplex{Trace: float64(n)},
		Reg:  reg.DistancePenalty{Rho: penaltyWeight, Distance: distance, Targets: [][]float64{similarity.Vec(s)}},
		Loss: loss.Hinge{C: c}, Y: y}
	w := &workload{
		callsPerTiming: 1,
		input:          map[string]mat.Matrix{"S": mat.NewDense(n, n, similarity.Vec(s)), "y": newVector(y)},
		args:           map[string]any{"C": c, "rho": penaltyWeight, "tau": float64(n), "gap": gap},
		peers:          newSimilarityLearningPeers(distance),
		evaluate:       func(r, _ []float64) Quality { return newBoundsQuality(r, "steps") },
	}
	solvers := []mkl.Solver{mkl.DualAscent{}, mkl.ADMM{}}
	if distance == reg.OneNorm { // dual ascent does not support L1
		solvers = solvers[1:]
	}
	solvers = append(solvers, mkl.MirrorDescent{})
	for _, s := range solvers {
		w.goImplementations = append(w.goImplementations, b.newSolverImplementation(s,
			mkl.Settings{Gap: gap, Iterations: 300}, fixedProblem(p), listBoundsAndSteps))
	}
	return w
}

// newSimilarityLearningPeers returns two Python programs to compare with: FISTA for L3 (squared Frobenius norm) or
// mirror-prox for L2 (Frobenius norm) and L1 (sum of magnitudes), and mirror descent. Each has a limit of its steps.
func newSimilarityLearningPeers(distance reg.Distance) []peer {
	newPeer := func(name, label string, limit int) peer {
		args := map[string]any{"limit": limit, "distance": distance.String()}
		return peer{env: "numpy", program: name, label: label, args: args}
	}
	firstPeer := map[reg.Distance]peer{
		reg.SquaredNorm: {env: "numpy", program: "learned_fista", label: "numpy, FISTA",
			args: map[string]any{"limit": 400}}, // no argument "distance", because FISTA supports only the distance L3
		reg.TwoNorm: newPeer("learned_mirror_prox", "numpy, mirror-prox", 3000),
		reg.OneNorm: newPeer("learned_mirror_prox", "numpy, mirror-prox", 1000),
	}[distance]
	return []peer{firstPeer, newPeer("learned_mirror_descent", "numpy, mirror descent", 300)}
}
