package main

import (
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/kernel/blocks"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// distanceCases lists distances D for the regularizer ρ·D(K, S) between a learned kernel matrix K and the similarities
// S, each with its ρ.
var distanceCases = []struct {
	distance reg.Distance
	rho      float64
}{{reg.L3, 0.1}, {reg.L2, 3}, {reg.L1, 1e-2}}

// similarityTasks returns tasks that learn a kernel matrix from one indefinite similarity matrix (eskl), three kernel
// matrices from three similarity matrices (emkl), or only the eigenvalues of three such kernel matrices (rekl).
func similarityTasks() (all []task) {
	for _, d := range distanceCases {
		all = append(all, task{name: fmt.Sprintf("eskl sonar, %v", d.distance), maxRounds: 3,
			about: "C = 1, trace n, Gaussian similarities exp(−‖x−z‖²/d) with symmetric normal noise of 0.1, to a " +
				"certified relative gap of 1e-2 or the limit of steps",
			newWork: func(b *bench) *work { return esklWork(b, d.distance, d.rho) }})
	}
	for _, restricted := range []bool{false, true} {
		for _, d := range distanceCases {
			name, about := "emkl", "three bands of features of ionosphere, 252 points, as three similarities with "+
				"noise as in eskl; C = 1, traces n, ρ = 0.01 (L1), 3 (L2) or 0.1 (L3), block norm, to a certified "+
				"relative gap of 1e-2"
			if restricted {
				name, about = "rekl", "the same on the eigenvectors of the similarities; their decomposition included"
			}
			all = append(all, task{name: fmt.Sprintf("%s ionosphere, balanced, %v", name, d.distance), about: about,
				maxRounds: 3,
				newWork:   func(b *bench) *work { return emklWork(b, d.distance, d.rho, restricted) }})
		}
	}
	return all
}

// noisySimilarities standardizes a dataset and returns its labels and count similarity matrices, each for one of count
// ranges of adjacent features. If balanced is set, it uses all points of the smaller class and as many points of the
// larger class, the first ones in the dataset.
func noisySimilarities(name string, balanced bool, count int) (ss []*mat.SymDense, y []float64) {
	d := must(data.Load(name))
	if balanced {
		rows := map[float64][]int{}
		for i, v := range d.Y {
			rows[v] = append(rows[v], i)
		}
		n := min(len(rows[-1]), len(rows[1]))
		d = must(d.Slice(slices.Sorted(slices.Values(slices.Concat(rows[-1][:n], rows[1][:n])))))
	}
	x := points.ToRows(must(points.Preprocessing{points.Standardize}.Fit(d.X)).Apply(d.X))
	n := x.N
	noise := normalNumbers(count*n*n, 41)
	for b, part := range featureBands(x, count) {
		k, e := rbfMatrix(1/float64(part.D), part, part), noise[b*n*n:]
		s := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				s.SetSym(j, i, k[i*n+j]+0.1*(e[i*n+j]+e[j*n+i])/2)
			}
		}
		ss = append(ss, s)
	}
	return ss, d.Y
}

func esklWork(b *bench, distance reg.Distance, rho float64) *work {
	const c, gap = 1., 1e-2
	ss, y := noisySimilarities("sonar", false, 1)
	s, n := ss[0], len(y)
	p := &mkl.Problem{Grams: similarity.Learned{N: n}.Bind(points.AllIndices(n)),
		Set:  set.Spectraplex{Trace: float64(n)},
		Reg:  reg.DistancePenalty{Rho: rho, Distance: distance, Targets: [][]float64{similarity.Vec(s)}},
		Loss: loss.Hinge{C: c}, Y: y}
	w := &work{
		callsPerTiming: 1,
		input:          map[string]array{"S": matrix(n, n, similarity.Vec(s)), "y": vector(y)},
		args:           map[string]any{"C": c, "rho": rho, "tau": float64(n), "gap": gap},
		peers:          esklPeers(distance),
		evaluate:       func(r, _ []float64) Quality { return boundsQuality(r, "steps") },
	}
	solvers := []mkl.Solver{mkl.DualAscent{}, mkl.ADMM{}}
	if distance == reg.L1 { // dual ascent does not support L1
		solvers = solvers[1:]
	}
	solvers = append(solvers, mkl.MirrorDescent{})
	for _, s := range solvers {
		w.inGo = append(w.inGo, b.goSolver(s, mkl.Settings{Gap: gap, Iterations: 300}, sameProblem(p), resultBounds))
	}
	return w
}

// esklPeers returns two peers, each with a maximum number of steps: the method for the distance, and mirror descent.
func esklPeers(distance reg.Distance) []peer {
	program := func(name, label string, limit int) peer {
		args := map[string]any{"limit": limit, "distance": distance.String()}
		return peer{env: "numpy", program: name, label: label, args: args}
	}
	method := map[reg.Distance]peer{
		reg.L3: {env: "numpy", program: "learned_fista", label: "numpy, FISTA",
			args: map[string]any{"limit": 400}}, // supports only L3
		reg.L2: program("learned_mirror_prox", "numpy, mirror-prox", 3000),
		reg.L1: program("learned_mirror_prox", "numpy, mirror-prox", 1000),
	}[distance]
	return []peer{method, program("learned_mirror_descent", "numpy, mirror descent", 300)}
}

func emklWork(b *bench, distance reg.Distance, rho float64, restricted bool) *work {
	const c, gap, count, limit = 1., 1e-2, 3, 100
	ss, y := noisySimilarities("ionosphere", true, count)
	n := len(y)
	var stacked []float64
	for _, s := range ss {
		stacked = append(stacked, similarity.Vec(s)...)
	}
	problem := func() *mkl.Problem {
		p := &mkl.Problem{Loss: loss.BlockNorm{Loss: loss.Hinge{C: c}}, Y: y,
			Set: set.Product{Factor: set.Spectraplex{Trace: float64(n)}, Count: count}}
		var learned blocks.Family
		spectra, r := blocks.Spectra{N: n}, reg.Separable{}
		for _, s := range ss {
			target := similarity.Vec(s)
			if restricted {
				e := must(similarity.Decompose(s))
				target = e.Values
				spectra.Vectors = append(spectra.Vectors, e.Vectors.RawMatrix().Data)
			}
			learned.Of = append(learned.Of, similarity.Learned{N: n})
			r.Parts = append(r.Parts, reg.DistancePenalty{Rho: rho, Distance: distance, Targets: [][]float64{target}})
		}
		p.Reg, p.Grams = r, learned.Bind(points.AllIndices(n))
		if restricted {
			p.Grams, p.Set = spectra.Bind(points.AllIndices(n)), set.Product{Factor: set.Simplex{Sum: float64(n)},
				Count: count}
		}
		return p
	}
	w := &work{
		callsPerTiming: 1,
		input:          map[string]array{"S": matrix(count*n, n, stacked), "y": vector(y)},
		args: map[string]any{"C": c, "rho": rho, "tau": float64(n), "gap": gap, "limit": limit,
			"distance":   distance.String(),
			"restricted": restricted},
		peers:    []peer{{env: "numpy", program: "several_mirror_descent", label: "numpy, mirror descent"}},
		evaluate: func(r, _ []float64) Quality { return boundsQuality(r, "steps") },
	}
	for _, s := range map[reg.Distance][]mkl.Solver{
		reg.L3: {mkl.DualAscent{}, mkl.ADMM{}, mkl.SPG{Force: true}, mkl.MirrorDescent{}},
		reg.L2: {mkl.ADMM{}, mkl.DualAscent{}, mkl.SPG{Force: true}, mkl.MirrorDescent{}},
		reg.L1: {mkl.ADMM{}, mkl.MirrorDescent{}},
	}[distance] {
		w.inGo = append(w.inGo, b.goSolver(s, mkl.Settings{Gap: gap, Iterations: limit}, problem, resultBounds))
	}
	return w
}
