package main

import (
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
)

// nkrrTasks returns tasks for the value, the gradient and fits of NKRR of degree 2: kernel ridge regression with
// non-linear combinations of kernels (Cortes et al., NIPS 2009), with one kernel for each feature (column of X):
//
//	J(θ) = ½yᵀ(S∘S + λI)⁻¹y,  S = X diag(θ) Xᵀ,  θ ≥ 0, ‖θ − 1‖₂ ≤ Λ.
func nkrrTasks() []task {
	const about = "NKRR of degree 2, J(θ) and its gradient, 900 × 3,600, simulated, "
	return []task{
		{name: "nkrr dense", about: about + "dense; difference: of value and gradient from ours, relative",
			newWork: func(*bench) *work { return nkrrWork(900, 3600, false) }},
		{name: "nkrr sparse", about: about + "2 % nonzeros; difference: as above",
			newWork: func(*bench) *work { return nkrrWork(900, 3600, true) }},
		{name: "fit n=208", about: "NKRR of degree 2 on sonar, 208 × 60, λ = 1, Λ = 8, to a relative gap of 1e-8; " +
			"gap: certified, by the same code for all", newWork: sonarFitWork},
	}
}

// nonzeroShare is the share of nonzeros in sparse points.
const nonzeroShare = 0.02

// simulateCounts simulates n points of m features. Dense points have centered uniform features. Sparse points have
// scaled counts, of which a share nonzeroShare is not 0. data is the dense n×m matrix in both cases.
func simulateCounts(n, m int, sparse bool) (data []float64, x points.Points) {
	r := rand.New(rand.NewPCG(21, 1))
	data = make([]float64, n*m)
	for i := range data {
		switch {
		case !sparse:
			data[i] = (r.Float64() - 0.5) * math.Sqrt(12/float64(m))
		case r.Float64() < nonzeroShare:
			data[i] = (1 + math.Floor(2*r.Float64()*r.Float64())) / math.Sqrt(nonzeroShare*float64(m))
		}
	}
	if !sparse {
		return data, points.Rows{N: n, D: m, Data: data}
	}
	s := points.Sparse{D: m, Ptr: []int{0}}
	for i := range n {
		for j, v := range data[i*m : (i+1)*m] {
			if v != 0 {
				s.Col, s.Val = append(s.Col, j), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Col))
	}
	return data, s
}

func nkrrWork(n, m int, sparse bool) *work {
	const lambda = 1.0
	numbers, x := simulateCounts(n, m, sparse)
	y, theta := subtractMean(normalNumbers(n, 22)), make([]float64, m)
	r := rand.New(rand.NewPCG(23, 1))
	for k := range theta {
		theta[k] = 1 + r.Float64()/60
	}
	w := &work{input: map[string]array{"y": vector(y), "theta": vector(theta)}, args: map[string]any{"lam": lambda}}
	if s, err := points.As[points.Sparse](x); err == nil {
		w.input["ptr"], w.input["col"], w.input["val"] = integers(s.Ptr), integers(s.Col), vector(s.Val)
		w.peers = numpyPeers("nkrr_sparse", "scipy.sparse")
	} else {
		w.input["X"] = matrix(n, m, numbers)
		w.peers = append(numpyPeers("nkrr", "numpy, symmetric product"),
			peer{env: "numpy", program: "nkrr", label: "numpy, general product"})
		for i := range w.peers {
			w.peers[i].args = map[string]any{"symmetric": i < 2}
		}
	}
	p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.On(x), Set: set.Ball{Q: 2, Radius: 1},
		Loss: loss.Squared{Lambda: lambda}, Y: y}
	pt := p.NewPoint()
	copy(pt.Theta, theta)
	w.inGo = []implementation{goCall("Go", func() error {
		if err := pt.Evaluate(nil, 1e-10); err != nil {
			return err
		}
		pt.Grad()
		return nil
	}, func() []float64 { return append([]float64{pt.F()}, pt.Grad()...) })}
	w.evaluate = func(r, first []float64) Quality {
		return Quality{"objective": r[0], "difference": max(math.Abs(r[0]/first[0]-1), relativeError(r[1:], first[1:]))}
	}
	return w
}

// sonarFitWork is a whole fit on 208 points. It shows whether more threads make such a small fit slower.
func sonarFitWork(b *bench) *work {
	const lambda, radius, gap = 1.0, 8.0, 1e-8
	d := must(data.Load("sonar"))
	x := points.ToRows(must(points.Preprocessing{points.MinMax, points.CenterColumns}.Fit(d.X)).Apply(d.X))
	y, center := subtractMean(append([]float64{}, d.Y...)), make([]float64, x.D)
	floats.AddConst(1, center)
	p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.On(x), Set: set.Ball{Q: 2, Radius: radius, Center: center},
		Loss: loss.Squared{Lambda: lambda}, Y: y}
	return &work{
		inGo:     []implementation{b.goSolver(mkl.SPG{}, mkl.Settings{Gap: gap}, sameProblem(p), resultWeights)},
		input:    map[string]array{"X": matrix(x.N, x.D, x.Data), "y": vector(y)},
		args:     map[string]any{"lam": lambda, "radius": radius, "gap": gap},
		peers:    numpyPeers("fit", "numpy, the same method"),
		evaluate: func(theta, _ []float64) Quality { return certifiedQuality(p, theta) },
	}
}
