package main

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// nkrrTasks are value, gradient and fits of quadratic NKRR with one kernel a feature:
//
//	J(θ) = ½yᵀ(S∘S + λI)⁻¹y,  S = X diag(θ) Xᵀ,  θ ≥ 0, ‖θ − 1‖₂ ≤ Λ.
func nkrrTasks() []task {
	const about = "NKRR of degree 2, J(θ) and its gradient, 900 × 3,600, simulated, "
	return []task{
		{name: "nkrr dense", about: about + "dense; difference: of value and gradient from ours, relative",
			make: func(_ context.Context, b *bench) (*work, error) { return nkrr(b, 900, 3600, false) }},
		{name: "nkrr sparse", about: about + "2 % nonzeros; difference: as above",
			make: func(_ context.Context, b *bench) (*work, error) { return nkrr(b, 900, 3600, true) }},
		{name: "fit n=208", about: "NKRR of degree 2 on sonar, 208 × 60, λ = 1, Λ = 8, to a relative gap of 1e-8; gap: certified, by the same code for all", make: sonarFit},
	}
}

// bigrams are simulated points: uniform features, centred, or counts of which 2 % are not 0.
func bigrams(n, m int, sparse bool) []float64 {
	r, x := rand.New(rand.NewPCG(21, 1)), make([]float64, n*m)
	for i := range x {
		switch {
		case !sparse:
			x[i] = (r.Float64() - 0.5) * math.Sqrt(12/float64(m))
		case r.Float64() < 0.02:
			x[i] = (1 + math.Floor(2*r.Float64()*r.Float64())) / math.Sqrt(0.02*float64(m))
		}
	}
	return x
}

// compress is x, n×m, as sparse points.
func compress(n, m int, x []float64) kernel.Sparse {
	s := kernel.Sparse{D: m, Ptr: []int{0}}
	for i := range n {
		for j, v := range x[i*m : (i+1)*m] {
			if v != 0 {
				s.Col, s.Val = append(s.Col, j), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Col))
	}
	return s
}

func nkrr(b *bench, n, m int, sparse bool) (*work, error) {
	const lambda = 1.0
	x := bigrams(n, m, sparse)
	y, theta := normal(n, 22), make([]float64, m)
	floats.AddConst(-stat.Mean(y, nil), y)
	r := rand.New(rand.NewPCG(23, 1))
	for k := range theta {
		theta[k] = 1 + r.Float64()/60
	}
	arrays := map[string]array{"y": vector(y), "theta": vector(theta)}
	var points kernel.Points = kernel.Rows{N: n, D: m, Data: x}
	peers := []peer{
		{env: "debian", program: "nkrr", label: "numpy, symmetric product, Debian", args: map[string]any{"symmetric": true}},
		{env: "numpy", program: "nkrr", label: "numpy, symmetric product", args: map[string]any{"symmetric": true}},
		{env: "numpy", program: "nkrr", label: "numpy, general product", args: map[string]any{"symmetric": false}},
	}
	if sparse {
		s := compress(n, m, x)
		points = s
		arrays["ptr"], arrays["col"], arrays["val"] = whole(s.Ptr), whole(s.Col), vector(s.Val)
		peers = []peer{
			{env: "debian", program: "nkrr_sparse", label: "scipy.sparse, Debian"},
			{env: "numpy", program: "nkrr_sparse", label: "scipy.sparse"},
		}
	} else {
		arrays["X"] = matrix(n, m, x)
	}
	files, err := b.save("nkrr", arrays)
	if err != nil {
		return nil, err
	}
	p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.On(points), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: lambda}, Y: y}
	pt := p.NewPoint()
	copy(pt.Theta, theta)
	return &work{
		sides: append([]entry{ours("Go", func() error {
			if err := pt.Evaluate(nil, 1e-10); err != nil {
				return err
			}
			pt.Grad()
			return nil
		}, func() []float64 { return append([]float64{pt.F()}, pt.Grad()...) })},
			b.against(files, map[string]any{"lam": lambda}, peers...)...),
		judge: func(r, ours []float64) Quality {
			if len(r) != m+1 || len(ours) != m+1 {
				return Quality{"objective": r[0]}
			}
			return Quality{"objective": r[0], "difference": max(math.Abs(r[0]/ours[0]-1), relative(r[1:], ours[1:]))}
		},
	}, nil
}

// sonarFit is a whole fit on few points, where more threads must not cost more time.
func sonarFit(ctx context.Context, b *bench) (*work, error) {
	const lambda, radius, gap = 1.0, 8.0, 1e-8
	d, err := data.Load("sonar")
	if err != nil {
		return nil, err
	}
	fit, err := kernel.Prepare{kernel.MinMax, kernel.CentreColumns}.Fit(d.X)
	if err != nil {
		return nil, err
	}
	x, y := fit.Apply(d.X).(kernel.Rows), append([]float64{}, d.Y...)
	floats.AddConst(-stat.Mean(y, nil), y)
	files, err := b.save("fit", map[string]array{"X": matrix(x.N, x.D, x.Data), "y": vector(y)})
	if err != nil {
		return nil, err
	}
	center := make([]float64, x.D)
	floats.AddConst(1, center)
	p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.On(x), Set: set.Ball{Q: 2, Radius: radius, Center: center}, Loss: loss.Squared{Lambda: lambda}, Y: y}
	var r *mkl.Result
	return &work{
		sides: append([]entry{ours("Go, SPG", func() (err error) {
			r, err = mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: gap})
			return err
		}, func() []float64 { return r.Theta })},
			b.against(files, map[string]any{"lam": lambda, "radius": radius, "gap": gap}, bothNumpys("fit", "numpy, the same method")...)...),
		judge: func(theta, _ []float64) Quality { return certified(p, theta) },
	}, nil
}

// certified is what can be proved of θ: F and the relative gap to the minimum.
func certified(p *mkl.Problem, theta []float64) Quality {
	pt := p.NewPoint()
	if len(theta) != len(pt.Theta) {
		return nil
	}
	copy(pt.Theta, theta)
	if err := pt.Evaluate(nil, 1e-10); err != nil {
		return nil
	}
	c, err := p.Certify(pt, true)
	if err != nil {
		return nil
	}
	return Quality{"objective": pt.F(), "gap": max(c.Relative(), 0)}
}
