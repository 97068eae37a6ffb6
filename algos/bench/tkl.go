package main

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// tklTasks returns tasks for parts of a fit of tessellated kernels of degree 1, and for whole fits.
func tklTasks() (all []task) {
	for _, s := range []struct{ d, n int }{{8, 1000}, {34, 300}} {
		for _, t := range []struct{ name, program, about string }{
			{"D", "tkl_gradient", "D = ∫N_wN_wᵀ, about half of w is 0, V given; off: the largest relative difference"},
			{"D of the support", "tkl_support", "the same of the points with w ≠ 0 alone, their V given"},
			{"K of rank one", "tkl_rank_one", "K(vvᵀ), V given; Go's is centred; off: after centring both"},
		} {
			all = append(all, task{name: fmt.Sprintf("tkl %s, %d points of %d features", t.name, s.n, s.d),
				about:   t.about,
				newWork: func(*bench) *work { return tklPartWork(s.d, s.n, t.program) }})
		}
	}
	for _, c := range []struct {
		set      string
		bound    float64
		balanced bool
	}{{"pima", 0.5, false}, {"ionosphere", 2, true}} {
		for _, search := range []bool{false, true} {
			all = append(all, task{name: fmt.Sprintf("tkl fit %s, %s", c.set,
				map[bool]string{false: "open loop", true: "exact search"}[search]),
				about: "300 points, hinge loss, C = 10, Frank–Wolfe (open loop: steps 2/(k+2)) to a relative gap of " +
					"1e-2, V included; the peer with scikit-learn's SVC, tolerance 1e-4",
				newWork: func(b *bench) *work { return tklFitWork(b, c.set, c.bound, c.balanced, search) }})
		}
	}
	return all
}

// withCube returns f with its integration domain set to the cube [−bound, 1 + bound]^d.
func withCube(f tessellated.Family, d int, bound float64) tessellated.Family {
	for range d {
		f.Lower, f.Upper = append(f.Lower, -bound), append(f.Upper, 1+bound)
	}
	return f
}

// tklPoints returns uniform points of the unit cube and a vector w with Σw = 0, of which about half is 0. If support is
// set, it returns only the points with w ≠ 0.
func tklPoints(d, n int, support bool) (x points.Rows, w []float64) {
	x, w = points.Rows{N: n, D: d, Data: normalNumbers(n*d, 31)}, normalNumbers(n, 32)
	for i, v := range x.Data {
		x.Data[i] = 0.5 * math.Erfc(-v/math.Sqrt2)
	}
	var used []int
	for i, v := range w {
		if math.Abs(v) < 0.61 {
			w[i] = 0
		} else {
			used = append(used, i)
		}
	}
	mean := floats.Sum(w) / float64(len(used))
	for _, i := range used {
		w[i] -= mean
	}
	if support {
		return points.ToRows(x.Slice(used)), points.Pick(w, used)
	}
	return x, w
}

func tklPartWork(d, n int, program string) *work {
	const bound = 0.1
	x, w := tklPoints(d, n, program == "tkl_support")
	n = x.N
	g := withCube(tessellated.Family{Degree: 1}, d, bound).On(x)
	if err := g.Validate(); err != nil {
		panic(failure{err})
	}
	m, _ := g.Dims()
	q, _ := g.Shape()
	v, dst := normalNumbers(q, 33), make([]float64, m)
	from, to := g.New(), g.New()
	from.At(make([]float64, m))
	job := &work{
		inGo: []implementation{goCall("Go", func() error { from.Gradient(dst, w); return nil },
			func() []float64 { return dst })},
		input:    map[string]array{"X": matrix(n, d, x.Data), "w": vector(w)},
		args:     map[string]any{"bound": bound},
		peers:    numpyPeers(program, "numpy"),
		evaluate: func(r, first []float64) Quality { return Quality{"off": maxError(r, first)} },
	}
	if program == "tkl_rank_one" {
		job.inGo = []implementation{goCall("Go", func() error { g.MixRankOne(to, from, v, 1); return nil },
			func() []float64 { return mat.DenseCopyOf(to.K()).RawMatrix().Data })}
		job.input = map[string]array{"X": matrix(n, d, x.Data), "v": vector(v)}
		job.evaluate = func(r, first []float64) Quality {
			return Quality{"off": maxError(doubleCenter(r, n), doubleCenter(first, n))}
		}
	}
	return job
}

// doubleCenter returns HKH for an n×n matrix K, where H = I − 11ᵀ/n.
func doubleCenter(k []float64, n int) []float64 {
	mean, grandMean := make([]float64, n), 0.0
	for i := range n {
		mean[i] = floats.Sum(k[i*n:(i+1)*n]) / float64(n)
		grandMean += mean[i] / float64(n)
	}
	c := make([]float64, n*n)
	for i := range n {
		for j := range n {
			c[i*n+j] = k[i*n+j] - mean[i] - mean[j] + grandMean
		}
	}
	return c
}

func tklFitWork(b *bench, name string, bound float64, balanced, search bool) *work {
	const n, c, gap = 300, 10., 1e-2
	d := must(data.Load(name))
	rows := make([]int, n)
	for i := range rows {
		rows[i] = (i*7 + 3) % d.Len()
	}
	d = must(d.Slice(rows))
	x := points.Rows{N: n, D: d.Dim()}
	for _, row := range (tessellated.Family{Degree: 1, Bound: bound}).On(d.X).(*tessellated.Grams).Scaled(d.X) {
		x.Data = append(x.Data, row...)
	}
	f := withCube(tessellated.Family{Degree: 1, Unit: true}, x.D, bound)
	if balanced {
		f.Metric = tessellated.Balanced
	}
	problem := func() *mkl.Problem {
		return &mkl.Problem{Grams: f.On(x), Set: set.Spectraplex{}, Loss: loss.Hinge{C: c}, Y: d.Y}
	}
	return &work{
		inGo: []implementation{b.goSolver(mkl.FrankWolfe{Force: true, Exact: search}, mkl.Settings{Gap: gap}, problem,
			func(r *mkl.Result) []float64 {
				return []float64{r.Upper, r.Lower, float64(r.Trace[len(r.Trace)-1].Evals)}
			})},
		input:    map[string]array{"X": matrix(n, x.D, x.Data), "y": vector(d.Y)},
		args:     map[string]any{"C": c, "bound": bound, "gap": gap, "balanced": balanced, "search": search},
		peers:    []peer{{env: "numpy", program: "tkl_fit", label: "numpy, SVC"}},
		evaluate: func(r, _ []float64) Quality { return boundsQuality(r, "machines") },
	}
}

// boundsQuality returns the Quality of bounds: F, a lower bound of the minimum of F, and a count, whose name is
// counted.
func boundsQuality(bounds []float64, counted string) Quality {
	return Quality{"F": bounds[0], "gap": (bounds[0] - bounds[1]) / math.Abs(bounds[0]), counted: bounds[2]}
}
