package main

import (
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// regressionTasks returns the tasks with thousands of points.
func regressionTasks() []task {
	return []task{
		{name: "mklreg grams", maxRounds: 1, newWork: func(b *bench) *work { return regressionWork(b, true) },
			about: "50 RBF kernels of 2726 points, 198 features in ten groups, five widths each: all base matrices; " +
				"simulated"},
		{name: "mklreg fit", maxRounds: 2, newWork: func(b *bench) *work { return regressionWork(b, false) },
			about: "linear MKL on these, squared loss with λ = 0.001 on ‖θ‖₂ ≤ 1, to a relative gap of 1e-4, base " +
				"matrices made"},
		{name: "easymkl n=3680 m=10", maxRounds: 3, newWork: easyMKLWork,
			about: "EasyMKL with Λ = 0.1 on ten kernels of 3680 simulated points, made already, then a support " +
				"vector machine with C = 1"},
	}
}

// regressionWork returns a simulated regression on 2726 points, whose targets depend on three of ten groups of
// features. If grams is set, the work is only to compute the base matrices.
func regressionWork(b *bench, grams bool) *work {
	const n, d, groups, lambda, gap = 2726, 198, 10, 0.001, 1e-4
	x, y := correlatedPoints(n, d, 51), normalNumbers(n, 52)
	floats.Scale(0.3, y)
	starts := make([]int, groups+1) // the first feature of each group, and the end
	var list kernel.List
	for g, part := range featureBands(x, groups) {
		starts[g+1] = starts[g] + part.D
		if g == 0 || g == 3 || g == 7 {
			r := rand.New(rand.NewPCG(uint64(g), 53))
			for range 4 {
				at := make([]float64, part.D)
				for j := range at {
					at[j] = r.NormFloat64() / math.Sqrt(float64(part.D))
				}
				for i := range n {
					y[i] += math.Sin(0.8*floats.Dot(at, part.Row(i))) / 3
				}
			}
		}
		columns := make([]int, part.D)
		for j := range columns {
			columns[j] = starts[g] + j
		}
		for _, w := range relativeGammas {
			list = append(list, kernel.RBF{Gamma: w / float64(part.D), Columns: columns})
		}
	}
	subtractMean(y)
	w := &work{
		callsPerTiming: 1,
		input: map[string]array{"X": matrix(n, d, x.Data), "y": vector(y), "starts": integers(starts),
			"widths": vector(relativeGammas)},
		args:  map[string]any{"lam": lambda, "gap": gap, "grams": grams},
		peers: []peer{{env: "numpy", program: "regression", label: "numpy, IIA"}},
	}
	if grams {
		var g kernel.Gram
		w.peers[0].label = "numpy"
		w.inGo = []implementation{goCall("Go", func() error {
			g = list.On(x).New()
			g.At(make([]float64, len(list))) // computes the base matrices
			return nil
		}, func() []float64 {
			v := make([]float64, len(list))
			g.Gradient(v, y)
			g = nil // frees the memory for the next call
			return v
		})}
		w.evaluate = func(r, first []float64) Quality { return Quality{"difference of yᵀK_ky": maxError(r, first)} }
		return w
	}
	p := &mkl.Problem{Grams: list.On(x), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: lambda}, Y: y}
	p.Grams.New().At(make([]float64, len(list))) // computes the base matrices
	for _, s := range []mkl.Solver{mkl.IIA{}, mkl.SPG{}} {
		w.inGo = append(w.inGo, b.goSolver(s, mkl.Settings{Gap: gap}, sameProblem(p), resultWeights))
	}
	w.evaluate = func(theta, _ []float64) Quality { return certifiedQuality(p, theta) }
	return w
}

// easyMKLWork simulates data that resemble the dataset spambase: 57 features with many zeros, and 39 % positive labels.
// 5 % of the labels are then reversed.
func easyMKLWork(b *bench) *work {
	const n, d = 3680, 57
	r := rand.New(rand.NewPCG(4, 61))
	x, y := points.Rows{N: n, D: d, Data: make([]float64, n*d)}, make([]float64, n)
	frequency, shift := make([]float64, d), make([]float64, d)
	for j := range d {
		frequency[j], shift[j] = 0.05+0.55*r.Float64(), 0.5*r.Float64()-0.25
	}
	for i := range y {
		y[i] = -1
		if r.Float64() < 0.394 {
			y[i] = 1
		}
		for j := range d {
			if r.Float64() < min(max(frequency[j]+y[i]*shift[j], 0.02), 0.95) {
				x.Data[i*d+j] = math.Exp(0.8*r.NormFloat64()) * (1 + 0.2*math.Copysign(y[i], y[i]*shift[j]))
			}
		}
		if r.Float64() < 0.05 {
			y[i] = -y[i]
		}
	}
	standardizeColumns(x)
	var list kernel.List
	for _, p := range []int{1, 2, 3, 5} {
		list = append(list, kernel.Polynomial{Degree: p, Gamma: 1. / d, Offset: min(1, float64(p-1))})
	}
	for _, g := range []float64{0.03, 0.1, 0.3, 0.5, 1} {
		list = append(list, kernel.RBF{Gamma: g / d})
	}
	list = append(list, kernel.Laplacian{Gamma: 0.3 / d})
	m := len(list)
	p := &mkl.Problem{Grams: kernel.Sum{Kernels: list, Normalize: kernel.Cosine}.On(x), Set: set.Simplex{},
		Loss: loss.Hinge{C: 1}, Y: y}
	p.Grams.New().At(make([]float64, m)) // computes the base matrices
	var result *mkl.Result
	return &work{
		inGo: []implementation{goCall("Go", func() (err error) {
			result, err = mkl.EvaluateRule(b.ctx, p, mkl.EasyMKL{}, 1e-3)
			return err
		}, func() []float64 { return append(append([]float64{}, result.Theta...), result.W...) })},
		input: map[string]array{"X": matrix(n, d, x.Data), "y": vector(y)},
		args:  map[string]any{"lam": 0.1},
		peers: []peer{{env: "numpy", program: "easymkl", label: "numpy and SVC"}},
		evaluate: func(r, first []float64) Quality {
			pt, err := p.EvaluateAt(b.ctx, first[:m], r[m:])
			if err != nil {
				return Quality{"gap of the machine": math.NaN()}
			}
			return Quality{"weights differ": floats.Distance(r[:m], first[:m], math.Inf(1)),
				"gap of the machine": pt.Solution.Gap()}
		},
	}
}
