package main

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
)

// tklTasks are the parts and the whole of a fit of tessellated kernels of degree 1.
func tklTasks() (all []task) {
	for _, s := range [][2]int{{8, 1000}, {34, 300}} {
		d, n := s[0], s[1]
		name := fmt.Sprintf("%d points of %d features", n, d)
		all = append(all,
			task{name: "tkl D, " + name, about: "D = ∫N_wN_wᵀ, about half of w is 0, V given; off: the largest relative difference",
				make: func(ctx context.Context, b *bench) (*work, error) { return tklPart(b, d, n, "tkl_gradient") }},
			task{name: "tkl D of the support, " + name, about: "the same of the points with w ≠ 0 alone, their V given",
				make: func(ctx context.Context, b *bench) (*work, error) { return tklPart(b, d, n, "tkl_support") }},
			task{name: "tkl K of rank one, " + name, about: "K(vvᵀ), V given; Go's is centred; off: after centring both",
				make: func(ctx context.Context, b *bench) (*work, error) { return tklPart(b, d, n, "tkl_rank_one") }})
	}
	for _, c := range []struct {
		set      string
		bound    float64
		balanced bool
	}{{"pima", 0.5, false}, {"ionosphere", 2, true}} {
		for _, search := range []bool{false, true} {
			what := "open loop"
			if search {
				what = "exact search"
			}
			all = append(all, task{name: fmt.Sprintf("tkl fit %s, %s", c.set, what),
				about: "300 points, hinge loss, C = 10, Frank–Wolfe (open loop: steps 2/(k+2)) to a relative gap of 1e-2, V included; the peer with scikit-learn's SVC, tolerance 1e-4",
				make: func(ctx context.Context, b *bench) (*work, error) {
					return tklFit(ctx, b, c.set, c.bound, c.balanced, search)
				}})
		}
	}
	return all
}

// tklPoints are uniform points of the unit cube, and w with Σw = 0 of which about half is 0.
func tklPoints(d, n int) (x kernel.Rows, w []float64) {
	x, w = kernel.Rows{N: n, D: d, Data: normal(n*d, 31)}, normal(n, 32)
	for i, v := range x.Data {
		x.Data[i] = 0.5 * math.Erfc(-v/math.Sqrt2)
	}
	used := 0
	for i, v := range w {
		if math.Abs(v) < 0.61 {
			w[i] = 0
		} else {
			used++
		}
	}
	s := floats.Sum(w) / float64(used)
	for i, v := range w {
		if v != 0 {
			w[i] = v - s
		}
	}
	return x, w
}

func tklPart(b *bench, d, n int, program string) (*work, error) {
	const bound = 0.1
	x, w := tklPoints(d, n)
	f := tessellated.Family{Degree: 1}
	for range d {
		f.Lower, f.Upper = append(f.Lower, -bound), append(f.Upper, 1+bound)
	}
	if program == "tkl_support" {
		var rows []int
		for i, v := range w {
			if v != 0 {
				rows = append(rows, i)
			}
		}
		x, n = x.Slice(rows).(kernel.Rows), len(rows)
		some := make([]float64, n)
		for i, r := range rows {
			some[i] = w[r]
		}
		w = some
	}
	g := f.On(x)
	if err := g.Validate(); err != nil {
		return nil, err
	}
	m, _ := g.Dims()
	q, _ := g.Shape()
	theta, v, dst := make([]float64, m), normal(q, 33), make([]float64, m)
	from, to := g.New(), g.New()
	from.At(theta)
	arrays := map[string]array{"X": matrix(n, d, x.Data), "w": vector(w)}
	call, value := func() error { from.Gradient(dst, w); return nil }, func() []float64 { return dst }
	if program == "tkl_rank_one" {
		arrays = map[string]array{"X": matrix(n, d, x.Data), "v": vector(v)}
		call = func() error { to.(kernel.RankOne).Towards(from, v, 1); return nil }
		value = func() []float64 {
			k := make([]float64, n*n)
			for i := range n {
				for j := range n {
					k[i*n+j] = to.K().At(i, j)
				}
			}
			return k
		}
	}
	files, err := b.save("tkl", arrays)
	if err != nil {
		return nil, err
	}
	return &work{
		sides: append([]entry{ours("Go", call, value)},
			b.against(files, map[string]any{"bound": bound},
				peer{env: "debian", program: program, label: "numpy, Debian"}, peer{env: "numpy", program: program, label: "numpy"})...),
		judge: func(r, ours []float64) Quality {
			if len(r) != len(ours) {
				return nil
			}
			if program == "tkl_rank_one" {
				r, ours = doubleCentred(r, n), doubleCentred(ours, n)
			}
			return Quality{"off": floats.Distance(r, ours, math.Inf(1)) / floats.Norm(ours, math.Inf(1))}
		},
	}, nil
}

// doubleCentred is HKH.
func doubleCentred(k []float64, n int) []float64 {
	mean, all := make([]float64, n), 0.0
	for i := range n {
		mean[i] = floats.Sum(k[i*n:(i+1)*n]) / float64(n)
		all += mean[i] / float64(n)
	}
	c := make([]float64, n*n)
	for i := range n {
		for j := range n {
			c[i*n+j] = k[i*n+j] - mean[i] - mean[j] + all
		}
	}
	return c
}

func tklFit(ctx context.Context, b *bench, name string, bound float64, balanced, search bool) (*work, error) {
	const n, c, gap = 300, 10., 1e-2
	set300, err := data.Load(name)
	if err != nil {
		return nil, err
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = (i*7 + 3) % set300.Len()
	}
	part, err := set300.Slice(rows)
	if err != nil {
		return nil, err
	}
	f := tessellated.Family{Degree: 1, Bound: bound}
	d := part.Dim()
	x := kernel.Rows{N: n, D: d}
	for _, row := range f.On(part.X).(tessellated.Grams).Scaled(part.X) {
		x.Data = append(x.Data, row...)
	}
	f = tessellated.Family{Degree: 1, Unit: true}
	if balanced {
		f.Metric = tessellated.Balanced
	}
	for range d {
		f.Lower, f.Upper = append(f.Lower, -bound), append(f.Upper, 1+bound)
	}
	files, err := b.save("tkl", map[string]array{"X": matrix(n, d, x.Data), "y": vector(part.Y)})
	if err != nil {
		return nil, err
	}
	s := mkl.FrankWolfe{Force: true, Exact: search}
	var r *mkl.Result
	solve := func() (err error) {
		p := &mkl.Problem{Grams: f.On(x), Set: set.Spectraplex{}, Loss: loss.Hinge{C: c}, Y: part.Y}
		r, err = mkl.Solve(ctx, p, s, &mkl.Settings{Gap: gap})
		return err
	}
	args := map[string]any{"C": c, "bound": bound, "gap": gap, "balanced": balanced, "search": search}
	return &work{
		sides: append([]entry{ours("Go", solve, func() []float64 {
			return []float64{r.Upper, r.Lower, float64(r.Trace[len(r.Trace)-1].Evals)}
		})}, b.against(files, args, peer{env: "numpy", program: "tkl_fit", label: "numpy, SVC"})...),
		judge: func(r, _ []float64) Quality {
			if len(r) != 3 {
				return nil
			}
			return Quality{"F": r[0], "gap": (r[0] - r[1]) / math.Abs(r[0]), "machines": r[2]}
		},
	}, nil
}
