package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// baselineTasks are the methods that papers compare with, each beside a program of numpy, scipy and
// scikit-learn that does the same mathematics.
func baselineTasks() (all []task) {
	all = append(all,
		task{name: "simplemkl sonar m=793", rounds: 3, make: simpleMKL,
			about: "SimpleMKL's problem: hinge loss with C = 100, 793 kernels of trace 1 given, one split of sonar, weights on the simplex, to a relative gap of 1e-2"},
		task{name: "simplemkl sonar, 20 splits", rounds: 1, serial: true, make: simpleMKLSplits,
			about: "the same on 20 splits of 70 and 30 %, kernels made too: mean accuracy on the points left out; time of all 20"},
		task{name: "mklreg grams", rounds: 1, make: func(ctx context.Context, b *bench) (*work, error) { return regression(ctx, b, true) },
			about: "50 RBF kernels of 2726 points, 198 features in ten groups, five widths each: all base matrices; simulated"},
		task{name: "mklreg fit", rounds: 2, make: func(ctx context.Context, b *bench) (*work, error) { return regression(ctx, b, false) },
			about: "linear MKL on these, squared loss with λ = 0.001 on ‖θ‖₂ ≤ 1, to a relative gap of 1e-4, base matrices made"},
		task{name: "easymkl n=3680 m=10", rounds: 3, make: easyMKL,
			about: "EasyMKL with Λ = 0.1 on ten kernels of 3680 simulated points, made already, then a support vector machine with C = 1"})
	for _, c := range []struct {
		name string
		c    float64
	}{{"sonar", 10}, {"ionosphere", 1}, {"pima", 1}} {
		all = append(all, task{name: "qnpkl " + c.name, rounds: 3, make: func(ctx context.Context, b *bench) (*work, error) { return qnpkl(ctx, b, c.name, c.c) },
			about: fmt.Sprintf("a product of Gaussians, one a feature, hinge loss with C = %g, from 1/M: until J is within 1 %% of the least that long runs find; 20 splits of %s, support vector machines solved of each", c.c, c.name)})
	}
	return all
}

// thirteen is the bank of SimpleMKL's experiments.
func thirteen(d int) kernel.Family {
	return kernel.Sum{Kernels: kernel.SimpleMKLKernels(d), Prepare: kernel.Prepare{kernel.Standardize}, Normalize: kernel.MeanDiagonal}
}

func simpleMKL(ctx context.Context, b *bench) (*work, error) {
	const gap = 1e-2
	d, err := data.Load("sonar")
	if err != nil {
		return nil, err
	}
	splits, err := study.Holdout(d.Y, 0.3, 1, 1)
	if err != nil {
		return nil, err
	}
	train, err := d.Slice(splits[0].Train)
	if err != nil {
		return nil, err
	}
	grams := thirteen(d.Dim()).On(train.X)
	m, n := grams.Dims()
	// mean diagonal 1 and C/n here, trace 1 and C there: n times the same objective
	p := &mkl.Problem{Grams: grams, Set: set.Simplex{}, Loss: loss.Hinge{C: 100 / float64(n)}, Y: train.Y}
	gram, axis := grams.New(), make([]float64, m)
	ks := make([]float64, 0, m*n*n)
	for k := range axis {
		axis[k] = 1 / float64(n)
		gram.At(axis)
		axis[k] = 0
		for i := range n {
			for j := range n {
				ks = append(ks, gram.K().At(i, j))
			}
		}
	}
	files, err := b.save("simplemkl", map[string]array{"K": matrix(m*n, n, ks), "y": vector(train.Y)})
	if err != nil {
		return nil, err
	}
	solved := func(s mkl.Solver) entry {
		var r *mkl.Result
		return ours("Go, "+s.String(), func() (err error) {
			if r, err = mkl.Solve(ctx, p, s, &mkl.Settings{Gap: gap, Iterations: 5000}); err == nil {
				err = r.Status.Err()
			}
			return err
		}, func() []float64 { return r.Theta })
	}
	args := map[string]any{"C": 100, "gap": gap}
	return &work{
		sides: append([]entry{solved(mkl.Level{}), solved(mkl.ReducedGradient{}), solved(mkl.ClosedForm{})}, b.against(files, args,
			peer{env: "numpy", program: "simplemkl", label: "numpy and SVC, reduced gradient"},
			peer{env: "numpy", program: "simplemkl", label: "numpy and SVC, closed form", args: map[string]any{"closed": true}})...),
		judge: func(theta, _ []float64) Quality {
			q := certified(p, theta)
			if q != nil {
				q["objective"] *= float64(n)
				q["kernels"] = used(theta)
			}
			return q
		},
		calls: 1,
	}, nil
}

// used counts the weights above 1e-6 of their sum.
func used(theta []float64) (n float64) {
	total := floats.Sum(theta)
	for _, v := range theta {
		if v > 1e-6*total {
			n++
		}
	}
	return n
}

func simpleMKLSplits(ctx context.Context, b *bench) (*work, error) {
	d, err := data.Load("sonar")
	if err != nil {
		return nil, err
	}
	splits, err := study.Holdout(d.Y, 0.3, 20, 1)
	if err != nil {
		return nil, err
	}
	files, err := b.save("splits", map[string]array{"X": matrix(d.Len(), d.Dim(), d.X.(kernel.Rows).Data), "y": vector(d.Y), "train": trains(splits)})
	if err != nil {
		return nil, err
	}
	accuracy := func(s study.Split) (float64, error) {
		g := thirteen(d.Dim()).On(d.X.Slice(s.Train))
		m, n := g.Dims()
		p := &mkl.Problem{Grams: g, Set: set.Simplex{}, Loss: loss.Hinge{C: 100 / float64(n)}, Y: part(d.Y, s.Train)}
		r, err := mkl.Solve(ctx, p, mkl.Level{}, &mkl.Settings{Gap: 1e-2})
		if err != nil {
			return 0, err
		}
		k := mat.NewDense(len(s.Test), n, nil)
		g.Cross(d.X.Slice(s.Test)).Gram(k, r.Theta[:m])
		right := 0.0
		for i, row := range s.Test {
			if (floats.Dot(k.RawRowView(i), r.W)+r.Bias)*d.Y[row] > 0 {
				right++
			}
		}
		return 100 * right / float64(len(s.Test)), nil
	}
	var found []float64
	return &work{
		sides: append([]entry{ours("Go, Level", func() error {
			found = nil
			for _, s := range splits {
				a, err := accuracy(s)
				if err != nil {
					return err
				}
				found = append(found, a)
			}
			return nil
		}, func() []float64 { return found })}, b.against(files, map[string]any{"C": 100, "gap": 1e-2},
			peer{env: "numpy", program: "simplemkl_splits", label: "numpy and SVC, closed form", args: map[string]any{"closed": true}},
			peer{env: "numpy", program: "simplemkl_splits", label: "numpy and SVC, reduced gradient"})...),
		judge: func(r, _ []float64) Quality {
			mean, sd := stat.MeanStdDev(r, nil)
			return Quality{"accuracy": mean, "its sd": sd}
		},
		calls: 1,
	}, nil
}

// trains are the rows learned on, a row for each split.
func trains(splits []study.Split) array {
	var rows []int
	for _, s := range splits {
		rows = append(rows, s.Train...)
	}
	a := whole(rows)
	a.shape = []int{len(splits), len(splits[0].Train)}
	return a
}

func part(y []float64, rows []int) (p []float64) {
	for _, r := range rows {
		p = append(p, y[r])
	}
	return p
}

// regression is a simulated regression of 2726 points, whose targets depend on three of ten groups.
func regression(ctx context.Context, b *bench, grams bool) (*work, error) {
	const n, d, groups, lambda, gap = 2726, 198, 10, 0.001, 1e-4
	widths := []float64{0.1, 0.3, 1, 3, 10}
	x, y := correlated(n, d, 51), normal(n, 52)
	floats.Scale(0.3, y)
	starts := make([]int, groups+1)
	var list kernel.List
	for g := range groups {
		starts[g] = g * d / groups
		starts[g+1] = (g + 1) * d / groups
		var columns []int
		for j := starts[g]; j < starts[g+1]; j++ {
			columns = append(columns, j)
		}
		if g == 0 || g == 3 || g == 7 {
			r := rand.New(rand.NewPCG(uint64(g), 53))
			for range 4 {
				at := make([]float64, len(columns))
				for j := range at {
					at[j] = r.NormFloat64() / math.Sqrt(float64(len(at)))
				}
				for i := range n {
					y[i] += math.Sin(0.8*floats.Dot(at, x[i*d+starts[g]:i*d+starts[g+1]])) / 3
				}
			}
		}
		for _, w := range widths {
			list = append(list, kernel.RBF{Gamma: w / float64(len(columns)), Columns: columns})
		}
	}
	floats.AddConst(-stat.Mean(y, nil), y)
	files, err := b.save("mklreg", map[string]array{"X": matrix(n, d, x), "y": vector(y), "starts": whole(starts), "widths": vector(widths)})
	if err != nil {
		return nil, err
	}
	points := kernel.Rows{N: n, D: d, Data: x}
	args := map[string]any{"lam": lambda, "gap": gap, "grams": grams}
	if grams {
		var g kernel.Gram
		return &work{
			sides: append([]entry{ours("Go", func() error {
				g = list.On(points).New()
				g.At(make([]float64, len(list))) // the base matrices
				return nil
			}, func() []float64 { // not timed
				v := make([]float64, len(list))
				g.Gradient(v, y)
				g = nil // the next has its room
				return v
			})}, b.against(files, args, peer{env: "numpy", program: "regression", label: "numpy"})...),
			judge: func(r, ours []float64) Quality {
				if len(r) != len(ours) {
					return nil
				}
				return Quality{"difference of yᵀK_ky": floats.Distance(r, ours, math.Inf(1)) / floats.Norm(ours, math.Inf(1))}
			},
			calls: 1,
		}, nil
	}
	p := &mkl.Problem{Grams: list.On(points), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: lambda}, Y: y}
	p.Grams.New().At(make([]float64, len(list))) // the base matrices
	solved := func(s mkl.Solver) entry {
		var r *mkl.Result
		return ours("Go, "+s.String(), func() (err error) {
			if r, err = mkl.Solve(ctx, p, s, &mkl.Settings{Gap: gap}); err == nil {
				err = r.Status.Err()
			}
			return err
		}, func() []float64 { return r.Theta })
	}
	return &work{
		sides: append([]entry{solved(mkl.IIA{}), solved(mkl.SPG{})}, b.against(files, args, peer{env: "numpy", program: "regression", label: "numpy, IIA"})...),
		judge: func(theta, _ []float64) Quality { return certified(p, theta) },
		calls: 1,
	}, nil
}

// easyMKL is of the shape of spambase: 57 features, many of them 0, 39 % positive labels of which some are
// wrong.
func easyMKL(ctx context.Context, b *bench) (*work, error) {
	const n, d = 3680, 57
	r := rand.New(rand.NewPCG(4, 61))
	x, y := kernel.Rows{N: n, D: d, Data: make([]float64, n*d)}, make([]float64, n)
	often, shift := make([]float64, d), make([]float64, d)
	for j := range d {
		often[j], shift[j] = 0.05+0.55*r.Float64(), 0.5*r.Float64()-0.25
	}
	for i := range y {
		y[i] = -1
		if r.Float64() < 0.394 {
			y[i] = 1
		}
		for j := range d {
			if r.Float64() < min(max(often[j]+y[i]*shift[j], 0.02), 0.95) {
				x.Data[i*d+j] = math.Exp(0.8*r.NormFloat64()) * (1 + 0.2*math.Copysign(y[i], y[i]*shift[j]))
			}
		}
		if r.Float64() < 0.05 {
			y[i] = -y[i]
		}
	}
	for j := range d {
		column := mat.Col(nil, j, mat.NewDense(n, d, x.Data))
		mean, sd := stat.PopMeanStdDev(column, nil)
		for i := range n {
			x.Data[i*d+j] = (x.Data[i*d+j] - mean) / sd
		}
	}
	files, err := b.save("easymkl", map[string]array{"X": matrix(n, d, x.Data), "y": vector(y)})
	if err != nil {
		return nil, err
	}
	var list kernel.List
	for _, p := range []int{1, 2, 3, 5} {
		list = append(list, kernel.Polynomial{Degree: p, Gamma: 1. / d, Offset: min(1, float64(p-1))})
	}
	for _, g := range []float64{0.03, 0.1, 0.3, 0.5, 1} {
		list = append(list, kernel.RBF{Gamma: g / d})
	}
	list = append(list, kernel.Laplacian{Gamma: 0.3 / d})
	p := &mkl.Problem{Grams: kernel.Sum{Kernels: list, Normalize: kernel.Cosine}.On(x), Set: set.Simplex{}, Loss: loss.Hinge{C: 1}, Y: y}
	p.Grams.New().At(make([]float64, len(list))) // the base matrices
	var found *mkl.Result
	return &work{
		sides: append([]entry{ours("Go", func() (err error) {
			found, err = mkl.Weigh(ctx, p, mkl.EasyMKL{}, 1e-3)
			return err
		}, func() []float64 { return append(append([]float64{}, found.Theta...), found.W...) })}, b.against(files, map[string]any{"lam": 0.1},
			peer{env: "numpy", program: "easymkl", label: "numpy and SVC"})...),
		judge: func(r, ours []float64) Quality {
			m := len(list)
			if len(r) != m+n {
				return nil
			}
			pt := p.NewPoint()
			pt.Gram.At(ours[:m])
			pt.Judge(r[m:])
			return Quality{"weights differ": floats.Distance(r[:m], ours[:m], math.Inf(1)), "gap of the machine": pt.Solution.Gap()}
		},
		calls: 1,
	}, nil
}

func qnpkl(ctx context.Context, b *bench, name string, c float64) (*work, error) {
	d, err := data.Load(name)
	if err != nil {
		return nil, err
	}
	if name == "ionosphere" { // its second feature is constant
		var columns []int
		for j := range d.Dim() {
			if j != 1 {
				columns = append(columns, j)
			}
		}
		if d, err = d.Columns(columns...); err != nil {
			return nil, err
		}
	}
	splits, err := study.Holdout(d.Y, 0.3, 20, 1)
	if err != nil {
		return nil, err
	}
	ps, target := make([]*mkl.Problem, len(splits)), make([]float64, len(splits))
	for i, s := range splits {
		ps[i] = &mkl.Problem{Grams: kernel.Gaussians{Prepare: kernel.Prepare{kernel.Standardize}}.On(d.X.Slice(s.Train)),
			Set: set.Orthant{At: 1 / float64(d.Dim())}, Loss: loss.Hinge{C: c}, Y: part(d.Y, s.Train)}
		target[i] = math.Inf(1)
		for _, solver := range []mkl.Solver{mkl.LBFGS{}, mkl.QuasiNewton{}} {
			r, err := mkl.Solve(ctx, ps[i], solver, &mkl.Settings{Gap: 1e-4, Iterations: 200})
			if err != nil {
				return nil, err
			}
			target[i] = min(target[i], 1.01*r.F)
		}
	}
	files, err := b.save("qnpkl", map[string]array{"X": matrix(d.Len(), d.Dim(), d.X.(kernel.Rows).Data), "y": vector(d.Y), "train": trains(splits), "target": vector(target)})
	if err != nil {
		return nil, err
	}
	solved := func(s mkl.Solver) entry {
		var found []float64
		return ours("Go, "+s.String(), func() error {
			found = nil
			for i, p := range ps {
				solves, low := 0, math.Inf(1)
				_, err := mkl.Solve(ctx, p, s, &mkl.Settings{Gap: 1e-6, Watch: func(it *mkl.Iterate) bool {
					solves, low = it.Evals, min(low, it.Primal)
					return low <= target[i]
				}})
				if err != nil {
					return err
				}
				found = append(found, float64(solves), low)
			}
			return nil
		}, func() []float64 { return found })
	}
	return &work{
		sides: append([]entry{solved(mkl.LBFGS{}), solved(mkl.QuasiNewton{})}, b.against(files, map[string]any{"C": c}, peer{env: "numpy", program: "qnpkl", label: "scipy L-BFGS-B and SVC"})...),
		judge: func(r, _ []float64) Quality {
			if len(r) != 2*len(target) {
				return nil
			}
			q := Quality{"solves": 0, "splits reached": 0}
			for i, t := range target {
				q["solves"] += r[2*i] / float64(len(target))
				if r[2*i+1] <= t*(1+1e-6) {
					q["splits reached"]++
				}
			}
			return q
		},
	}, nil
}
